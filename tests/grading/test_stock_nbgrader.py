"""Stock nbgrader gives every sample submission the points that its header states, cell by cell."""

from __future__ import annotations

import pytest

from bentocola.messages import translate
from tests.grading.classroom import TEACHER, WORDS_CELL, Classroom, class_of, results, told
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


@pytest.fixture
def classroom(classrooms: dict[str, Classroom], language: str) -> Classroom:
    """The graded class of one language."""
    return classrooms[language]


@every_submission
def test_a_sample_gets_its_points(classroom: Classroom, sample: Sample) -> None:
    """A submission loses the cells that its header names, each as a whole, and nothing else."""
    grades = classroom.automatic(str(sample))

    assert {cell for cell, grade in grades.items() if grade.auto != grade.most} == sample.loses
    assert {grades[cell].auto for cell in sample.loses} <= {0}
    assert sum(grade.auto or 0 for grade in grades.values()) == sample.points


@every_submission
def test_a_test_speaks_for_itself(classroom: Classroom, sample: Sample) -> None:
    """Under a test cell stand a number for nbgrader and a report for a person: no traceback, no warning."""
    autograded = classroom.autograded(str(sample))
    points = points_of(autograded)
    found = results(autograded)

    assert {cell: float(result.data["text/plain"]) for cell, result in found.items()} == {
        cell: 0 if cell in sample.loses else most for cell, most in points.items()
    }
    assert [cell for cell, result in found.items() if not told(result)] == []


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
    """Nothing written: each test says in one sentence that there is nothing yet.

    `order_keys` is no blank: it works for one plain record, so its tests say what it gave, and explain it.
    """
    blank = translate(classroom.language, "blank")
    happened = translate(classroom.language, "What happened:").strip()
    for cell, result in results(classroom.autograded("blank")).items():
        if cell.startswith("test-order-keys-"):
            assert happened in told(result), cell
        else:
            assert blank in told(result), cell
            assert happened not in told(result), cell


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
