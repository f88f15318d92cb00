"""nbgrader's settings for this course: who grades, what a student reads in the place of a solution, what feedback leaves out."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

from autograder.nbgrader_plugin import use

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = "bentocola-ja"
c.ClearSolutions.code_stub = {"python": "# ここに答えを書きましょう。"}
c.ClearSolutions.text_stub = "ここに答えを書きましょう。"

# The page that nbgrader's own `generate_feedback` makes shows no hidden test.
c.GenerateFeedback.preprocessors = [GetGrades, ClearHiddenTests, CSSHTMLHeaderPreprocessor]

# `nbgrader autograde`, `nbgrader generate_feedback` and formgrader use the examiner, as `autograder` does.
# With AUTOGRADER_STOCK=1 in the environment they are nbgrader's own.
c.AutograderApp.language = "ja"

# The graded tests try other cases than the visible ones: which, comes from the course's secret. It stands in no repository.
# Make one in this folder: python -c "import secrets; print(secrets.token_hex(16))" > secret.txt
use(secret=Path(__file__).with_name("secret.txt"))
