"""nbgrader's settings for this course: what a student reads in the place of a solution, and what feedback leaves out."""

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = "bentocola-ja"
c.ClearSolutions.code_stub = {"python": "# ここに答えを書きましょう。"}
c.ClearSolutions.text_stub = "ここに答えを書きましょう。"

# The page that `nbgrader generate_feedback` makes shows no hidden test.
c.GenerateFeedback.preprocessors = [GetGrades, ClearHiddenTests, CSSHTMLHeaderPreprocessor]
