"""nbgrader's settings for this course: what a released cell says in the place of a solution, in the student's language."""

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = "bentocola-ja"
c.ClearSolutions.code_stub = {"python": "# ここに答えを書きましょう。"}
c.ClearSolutions.text_stub = "ここに答えを書きましょう。"
