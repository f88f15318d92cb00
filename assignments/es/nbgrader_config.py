"""nbgrader's settings for this course: what a student reads in the place of a solution, and what feedback leaves out."""

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = "bentocola-es"
c.ClearSolutions.code_stub = {"python": "# Escribe aquí tu respuesta."}
c.ClearSolutions.text_stub = "Escribe aquí tu respuesta."

# The page that `nbgrader generate_feedback` makes shows no hidden test.
c.GenerateFeedback.preprocessors = [GetGrades, ClearHiddenTests, CSSHTMLHeaderPreprocessor]
