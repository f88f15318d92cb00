"""Writes the pages that students get back, from records and the gradebook, where nbgrader's release looks for them."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.feedback import Given, Grades, make, put
from autograder.gradebook import Book
from autograder.preparing import prepared
from autograder.records import Record
from autograder.results import Store
from autograder.voice import Stop

__all__ = ["give_back", "without_result"]


def give_back(
    course: Course, assignment: str, students: str = "*", pages: str = "both", language: str = "", notebooks: str = "*"
) -> list[Path]:
    """Write `feedback/STUDENT/ASSIGNMENT/NOTEBOOK.html` for each graded student, and return the files.

    `students` and `notebooks`: globs; `pages`: "es", "ja" or "both". Raises Stop where nobody has been graded, none of those
    who are asked for, or a run is grading: its pages would be of two runs.
    """
    course.require(assignment)
    store = Store(course.ours)
    graded = _graded_students(course, assignment, students)
    if not graded:
        raise _nobody(assignment, students, store.students(assignment))
    with store.one_run(assignment):
        return _pages(course, assignment, graded, (pages, language, notebooks))


def without_result(course: Course, assignment: str, students: str = "*") -> list[str]:
    """Return who handed in and has no result yet, so no page either, sorted. `students`: globs, with commas between."""
    try:
        there = course.students(assignment, students)
    except Stop:  # what was handed in has been put away since
        return []
    return sorted(set(there) - set(_graded_students(course, assignment, students)))


def _graded_students(course: Course, assignment: str, students: str) -> list[str]:
    wanted = [part.strip() for part in students.split(",") if part.strip()] or ["*"]
    excluded = course.directory.student_id_exclude.split(",") if course.directory.student_id_exclude else []
    return [
        student
        for student in Store(course.ours).students(assignment)
        if student not in excluded and any(fnmatch.fnmatchcase(student, each) for each in wanted)
    ]


def _nobody(assignment: str, wanted: str, graded: list[str]) -> Stop:
    if not graded:
        return Stop(
            lambda say: say(
                "Nobody has been graded in {name} yet. Run this first: autograder grade {name}", name=assignment
            )
        )
    nearest = ", ".join(get_close_matches(wanted, graded, n=3, cutoff=0.4) or graded[:5])
    return Stop(
        lambda say: say(
            "There is no record of {student} for {assignment}. The nearest: {names}.",
            student=wanted,
            assignment=assignment,
            names=nearest,
        )
    )


def _pages(course: Course, assignment: str, graded: list[str], how: tuple[str, str, str]) -> list[Path]:
    pages, language, notebooks = how
    store = Store(course.ours)
    paper = prepared(course, assignment, language)
    made = []
    with Book(course.directory.db_url, course.directory.course_id, assignment, course.config) as book:
        for student in graded:
            given = book.given(student)
            for notebook in paper.notebooks:
                record = store.read(assignment, student, notebook.name)
                if record is None or not fnmatch.fnmatchcase(notebook.name, notebooks):
                    continue
                page = make(record, _graded(course, record), _grades(given.get(notebook.name)), paper, pages)
                made.append(put(course, record, page))
    return made


def _graded(course: Course, record: Record) -> Mapping[str, Any] | None:
    path = course.autograded(record.assignment, record.student) / f"{record.notebook}.ipynb"
    try:
        notebook: Mapping[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return notebook


def _grades(given: tuple[dict[str, dict[str, Any]], float] | None) -> Grades:
    if given is None:
        return Grades()
    cells, penalty = given
    return Grades({name: Given(**cell) for name, cell in cells.items()}, penalty)
