"""The examiner gives what stock nbgrader gives: every sample of assignment 01, cell by cell; and two runs differ in nothing.

What stock nbgrader gives a sample is what its header says: `tests/grading/test_stock_nbgrader.py` asserts that.
"""

from __future__ import annotations

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.app import main
from tests.autograder import torture
from tests.autograder.small_course import nbgrader
from tests.autograder.test_results import rows, tree
from tests.grading.classroom import TEACHER, WORDS_CELL, Classroom, class_of, results, told
from tests.notebooks.editions import ASSIGNMENT, LANGUAGES, assignment_source, course_folder
from tests.samples import Sample, points_of, reference_answers, submission

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


def _hand_in(language: str, folder: Path) -> None:
    """Make the class of a language in `folder`, released and handed in."""
    shutil.copytree(course_folder(language) / "source", folder / "source")
    shutil.copy2(course_folder(language) / "nbgrader_config.py", folder)
    nbgrader(folder, "generate_assignment", ASSIGNMENT)
    source = assignment_source(language)
    reference, released = reference_answers(source), Classroom(language, folder).released
    handed_in = {str(sample): submission(sample, language, released, reference) for sample in class_of(language)}
    for student, notebook in {**handed_in, TEACHER: source}.items():
        path = folder / "submitted" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def classrooms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Classroom]:
    """The class of each language, graded by the examiner."""
    folders = {language: tmp_path_factory.mktemp(f"examined-{language}") for language in LANGUAGES}
    with ThreadPoolExecutor(len(LANGUAGES)) as pool:
        list(pool.map(_hand_in, folders, folders.values()))
    for folder in folders.values():
        assert main(["grade", ASSIGNMENT, f"--course-dir={folder}", "--accept-unjailed"]) == 0
    return {language: Classroom(language, folder) for language, folder in folders.items()}


@pytest.fixture
def classroom(classrooms: dict[str, Classroom], language: str) -> Classroom:
    """The graded class of one language."""
    return classrooms[language]


@every_submission
def test_a_sample_gets_its_points(classroom: Classroom, sample: Sample) -> None:
    """Every cell gives what nbgrader gives: all of its points, or nothing where the sample's header says so."""
    grades = classroom.automatic(str(sample))
    points = points_of(classroom.released)

    assert {cell: grade.auto for cell, grade in grades.items()} == {
        cell: 0 if cell in sample.loses else most for cell, most in points.items()
    }


@every_submission
def test_words_are_left_to_a_person(classroom: Classroom, sample: Sample) -> None:
    """An answer in words waits for the teacher; one that was not written has 0 already."""
    written = not sample.rest_is_blank or any(section.cell == WORDS_CELL for section in sample.sections)
    grade = classroom.grades[str(sample)][WORDS_CELL]

    assert (grade.auto, grade.most, grade.left_to_a_person) == ((None, 3, True) if written else (0, 3, False))


@every_language
def test_the_source_gets_all_points(classroom: Classroom) -> None:
    """The teacher's notebook, handed in as it is, gets all that is given automatically."""
    grades = classroom.automatic(TEACHER)

    assert {cell: grade.auto for cell, grade in grades.items()} == points_of(assignment_source(classroom.language))


@every_submission
def test_a_test_shows_what_it_shows_with_nbgrader(classroom: Classroom, sample: Sample) -> None:
    """Under a test cell stand the number and the report: no traceback, no warning."""
    found = results(classroom.autograded(str(sample)))
    points = points_of(classroom.released)

    assert {cell: float(result.data["text/plain"]) for cell, result in found.items()} == {
        cell: 0 if cell in sample.loses else most for cell, most in points.items()
    }
    assert [cell for cell, result in found.items() if not told(result)] == []


_NOT_COMPARED = re.compile(rb"0x[0-9a-f]{6,}|<time .*?</time>")
"""Addresses in memory, which a student's code may show, and when it was graded, which a page says from `ran`."""


def _records(folder: Path) -> dict[str, Any]:
    found = {}
    for path in sorted((folder / ".autograder").glob("*/*/*.json")):
        found[path.parent.name] = json.loads(path.read_bytes())
        assert found[path.parent.name].pop("ran")["at"]
    return found


def test_two_runs_differ_in_nothing(tmp_path: Path) -> None:
    """From scratch, with one worker and with three: records (but for `ran`), rows, notebooks and pages are the same bytes."""
    students = (*torture.STUDENTS, "h12_huge_stdout", "h14_stderr_in_test", "s07", "s17")
    first, second = tmp_path / "one" / "course", tmp_path / "two" / "course"
    torture.make_course(first, students)
    shutil.copytree(first, second)

    for folder, workers in ((first, 1), (second, 3)):
        common = [torture.ASSIGNMENT, f"--course-dir={folder}"]
        assert main(["grade", *common, f"--workers={workers}", "--accept-unjailed"]) == 0
        assert main(["feedback", *common]) == 0

    assert _records(first) == _records(second)
    assert len(_records(first)) == len(students)
    assert rows(first) == rows(second)
    for place in ("autograded", "feedback"):
        one, other = (
            {name: (_NOT_COMPARED.sub(b"", data), mode) for name, (data, mode) in tree(folder / place).items()}
            for folder in (first, second)
        )
        assert len(one) >= len(students)
        assert one.keys() == other.keys()
        for name in one:
            assert one[name] == other[name], name
