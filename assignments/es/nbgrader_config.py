"""nbgrader's settings for this course: what a released cell says in the place of a solution, in the student's language."""

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = "bentocola-es"
c.ClearSolutions.code_stub = {"python": "# Escribe aquí tu respuesta."}
c.ClearSolutions.text_stub = "Escribe aquí tu respuesta."
