"""What a teacher chooses on the command line, or in the course's settings, with the real command and real rooms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.leashed import can_fork
from tests.autograder.commands import autograder, scores
from tests.autograder.small_course import ASSIGNMENT, GOOD, hand_in

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_fork(), reason="There is no fork here.")]

WRONG = GOOD | {"double": "double = lambda x: x"}
POINTS = {"s10": 7, "s11": 5, "s2": 7, "ana": 5}
MOVED = """
c.AutograderApp.accept_unjailed = True
c.CourseDirectory.directory_structure = "{nbgrader_step}/{assignment_id}/{student_id}"
c.CourseDirectory.submitted_directory = "in"
c.CourseDirectory.db_url = "sqlite:///BOOK"
c.CourseDirectory.student_id_exclude = "s2"
"""


def records(course: Path) -> dict[str, object]:
    """Return all records without what differs from run to run."""
    found = {}
    for path in sorted((course / ".autograder" / ASSIGNMENT).glob("*/*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        del record["ran"]
        found[f"{path.parent.name}/{path.stem}"] = record
    return found


@pytest.fixture
def course(empty_course: Path) -> Path:
    """Return the small course with four students, graded by nobody."""
    with (empty_course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.AutograderApp.accept_unjailed = True\n")
    for student, points in POINTS.items():
        hand_in(empty_course, student, GOOD if points == 7 else WRONG)
    return empty_course


def test_students_are_chosen_and_the_course_named(course: Path) -> None:
    """From another folder, by a relative path: globs and names, one after the other; the rest is left for later."""
    there = f"--course-dir=../{course.parent.name}/{course.name}"

    first = autograder(course.parent, "grade", ASSIGNMENT, there, "--student=s1*")
    some = scores(course / "gradebook.db")
    second = autograder(course.parent, "grade", ASSIGNMENT, there, "--student=s2,ana")

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert some == {"s10": 7, "s11": 5}
    assert scores(course / "gradebook.db") == POINTS


def test_any_number_of_workers_gives_the_same(course: Path) -> None:
    """One, then three with --force: the same scores, and records that differ in nothing but when they ran."""
    one = autograder(course, "grade", ASSIGNMENT, "--workers=1")
    found, before = scores(course / "gradebook.db"), records(course)
    three = autograder(course, "grade", ASSIGNMENT, "--workers=3", "--force")

    assert (one.returncode, three.returncode) == (0, 0)
    assert found == scores(course / "gradebook.db") == POINTS
    assert len(before) == 8
    assert records(course) == before


def test_course_that_is_laid_out_otherwise(course: Path, tmp_path: Path) -> None:
    """Another structure, another name, a gradebook elsewhere, a student left out: graded, given back and explained."""
    book = tmp_path / "elsewhere" / "book.db"
    book.parent.mkdir()
    (course / "gradebook.db").rename(book)
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(MOVED.replace("BOOK", str(book)))
    for student in POINTS:
        place = course / "in" / ASSIGNMENT / student
        place.parent.mkdir(parents=True, exist_ok=True)
        (course / "submitted" / student / ASSIGNMENT).rename(place)

    done = autograder(course, "grade", ASSIGNMENT)
    pages = autograder(course, "feedback", ASSIGNMENT)
    told = autograder(course, "explain", "ana", ASSIGNMENT)

    assert (done.returncode, pages.returncode, told.returncode) == (0, 0, 0), done.stderr + pages.stderr
    assert scores(book) == {student: points for student, points in POINTS.items() if student != "s2"}
    assert not (course / "gradebook.db").exists()
    for student in ("ana", "s10", "s11"):
        assert (course / "autograded" / ASSIGNMENT / student / "first.ipynb").is_file()
        assert (course / "feedback" / ASSIGNMENT / student / "first.html").is_file()
    assert "test-double" in told.stdout
