"""Writes the pages that students get back, from records and the gradebook, where nbgrader's release looks for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.feedback import Given, Grades, make, put
from autograder.gradebook import Book
from autograder.preparing import prepared
from autograder.records import Record
from autograder.results import Store
from autograder.voice import Stop

__all__ = ["give_back"]


def give_back(
    course: Course, assignment: str, students: str = "*", pages: str = "both", language: str = "", notebooks: str = "*"
) -> list[Path]:
    """Write `feedback/STUDENT/ASSIGNMENT/NOTEBOOK.html` for each graded student, and return the files.

    `students` and `notebooks`: globs; `pages`: "es", "ja" or "both". Raises Stop where nobody has been graded.
    """
    import fnmatch

    course.require(assignment)
    store = Store(course.ours)
    wanted = [part.strip() for part in students.split(",") if part.strip()] or ["*"]
    excluded = course.directory.student_id_exclude.split(",") if course.directory.student_id_exclude else []
    graded = [
        student
        for student in store.students(assignment)
        if student not in excluded and any(fnmatch.fnmatchcase(student, each) for each in wanted)
    ]
    if not graded:
        raise Stop(
            lambda say: say(
                "Nobody has been graded in {name} yet. Run this first: autograder grade {name}", name=assignment
            )
        )
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
