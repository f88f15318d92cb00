"""Stock nbgrader gives every sample submission the points that its header states, cell by cell, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nbformat import NotebookNode

from bentocola.checks import Fell, NotYet, Unanswered
from tests.grading.classroom import TEACHER, WORDS_CELL, Classroom, class_of
from tests.grading.quick import blanks
from tests.notebooks.editions import LANGUAGES, assignment_source, course_folder
from tests.samples import Sample, points_of

pytestmark = pytest.mark.slow
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_submission = pytest.mark.parametrize(
    ("language", "sample"),
    [
        pytest.param(language, sample, id=f"{language}-{sample}")
        for language in LANGUAGES
        for sample in class_of(language)
    ],
)

PLANNED = {error.__name__ for error in (NotYet, Unanswered, Fell)}


@pytest.fixture
def classroom(classrooms: dict[str, Classroom], language: str) -> Classroom:
    """The graded class of one language."""
    return classrooms[language]


def errors(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """Yield the cell's id and the output for each error that a notebook shows."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                yield cell.id, output


@every_submission
def test_a_sample_gets_its_points(classroom: Classroom, sample: Sample) -> None:
    """A submission loses the cells that its header names, each as a whole, and nothing else."""
    grades = classroom.automatic(str(sample))

    assert {cell for cell, grade in grades.items() if grade.auto != grade.most} == sample.loses
    assert {grades[cell].auto for cell in sample.loses} <= {0}
    assert sum(grade.auto or 0 for grade in grades.values()) == sample.points


@every_submission
def test_a_failed_test_speaks_for_itself(classroom: Classroom, sample: Sample) -> None:
    """Under a test cell stands a planned message or nothing: no line of a traceback, no warning."""
    autograded = classroom.autograded(str(sample))
    tests = points_of(autograded)
    shown = [(cell, output) for cell, output in errors(autograded) if cell in tests]

    assert {cell for cell, _ in shown} == sample.loses
    for cell, output in shown:
        assert output.ename in PLANNED, cell
        assert output.traceback == output.evalue.splitlines(), cell


@every_language
def test_the_source_gets_all_points(classroom: Classroom) -> None:
    """The teacher's notebook, handed in as it is, gets all that is given automatically."""
    grades = classroom.automatic(TEACHER)

    assert {cell: grade.auto for cell, grade in grades.items()} == points_of(assignment_source(classroom.language))
    assert sum(grade.auto or 0 for grade in grades.values()) == 27


@every_submission
def test_words_are_left_to_a_person(classroom: Classroom, sample: Sample) -> None:
    """An answer in words waits for the teacher; one that was not written has 0 already."""
    written = not sample.rest_is_blank or any(section.cell == WORDS_CELL for section in sample.sections)

    expected = (None, 3, True) if written else (0, 3, False)
    grade = classroom.grades[str(sample)][WORDS_CELL]
    assert (grade.auto, grade.most, grade.left_to_a_person) == expected


@every_language
def test_a_blank_copy_meets_one_friendly_line_a_test(classroom: Classroom) -> None:
    """Nothing written: no cell but a test raises, and each test says in one line that there is nothing yet.

    `order_keys` is no blank: it works for one plain record, so its tests say what it gave, and explain it.
    """
    said = dict(errors(classroom.autograded("blank")))

    assert set(said) == set(points_of(classroom.released))
    for cell, output in said.items():
        if cell.startswith("test-order-keys-"):
            assert output.ename in {"NotYet", "Fell"}
            assert len(output.traceback) in (1, 2, 3)  # what happened, how it works, what to try
        else:
            assert output.ename == "Unanswered"
            assert len(output.traceback) == 1
            assert output.traceback[0].startswith(f"`{cell.removeprefix('test-').split('-')[0]}")


@every_language
def test_the_quick_check_has_the_same_blanks(classroom: Classroom) -> None:
    """The everyday check of a blank copy sees in the student's cells what nbgrader released."""
    folder = course_folder(classroom.language)
    expected = blanks(assignment_source(classroom.language), folder)

    assert {cell.id: cell.source for cell in classroom.released.cells if cell.id in expected} == expected


@every_language
def test_feedback_shows_no_hidden_test(classroom: Classroom) -> None:
    """The page that a student gets back has the visible part of each test, and no line of a hidden one."""
    source = assignment_source(classroom.language)
    tests = [cell.source for cell in source.cells if "### BEGIN HIDDEN TESTS" in cell.source]
    hidden, visible = set(), set()
    for test in tests:
        before, _, after = test.partition("### BEGIN HIDDEN TESTS")
        visible |= {line.strip() for line in before.splitlines()}
        hidden |= {line.strip() for line in after.partition("### END HIDDEN TESTS")[0].splitlines()}
    page = classroom.feedback("blank")

    assert len(tests) == 19
    assert [line for line in visible if line not in page] == []
    assert [line for line in hidden - visible if len(line) > 20 and line in page] == []
