"""Which lines of a notebook feedback may name."""

from __future__ import annotations

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.records import Outcome, Said
from autograder.sheet import PaperCell, PaperNotebook
from autograder.sitting.lines import Lines

TEST = "assert f(1) == 2\n### BEGIN HIDDEN TESTS\nassert f(5) == 10\n### END HIDDEN TESTS"


@pytest.fixture
def lines() -> Lines:
    """The lines of a notebook with an answer and a test."""
    cells = [
        nbformat.v4.new_code_cell("def f(x):\n    return x + 1", metadata={"nbgrader": {"grade_id": "f"}}),
        nbformat.v4.new_code_cell(TEST, metadata={"nbgrader": {"grade_id": "test-f"}}),
    ]
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells)
    sheet = PaperNotebook("one", (PaperCell("test-f", "code", "test", TEST, 1.0, ((2, 4),)),))
    return Lines(notebook, sheet)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("return x + 1", "return x + 1"),
        ("assert f(1) == 2", "assert f(1) == 2"),
        ("return x…", "return x…"),
        ("assert f(5) == 10", None),
        ("### BEGIN HIDDEN TESTS", None),
        ("a line of nobody's", None),
        (None, None),
    ],
)
def test_only_lines_that_the_student_sees_are_named(lines: Lines, line: str | None, said: str | None) -> None:
    """Of the student's own cells and of what is visible of a test; what the candidate makes up is not said."""
    outcome = Outcome("error", said=(Said("raised", {"": "ValueError"}, line), Said("hidden")))

    first, second = lines.checked(outcome).said

    assert (first.line, first.texts, second) == (said, {"": "ValueError"}, Said("hidden"))
