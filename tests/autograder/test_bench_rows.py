"""The bench course, graded by the real rooms: the gradebook's rows are those of stock nbgrader."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from autograder.app import main
from tests.autograder.classroom import BENCH, EXPECTED
from tests.autograder.small_course import nbgrader
from tests.autograder.test_results import rows

STUDENTS = ("s00", "s17")


@pytest.mark.slow
def test_rows_are_stock_nbgraders_for_the_bench_course(tmp_path: Path) -> None:
    """A right submission and a wrong one: submissions, grades and comments equal, but for the random ids."""
    ours = tmp_path / "ours"
    for folder in ("source", "nbgrader_config.py"):
        copy = shutil.copytree if (BENCH / folder).is_dir() else shutil.copy
        ours.mkdir(exist_ok=True)
        copy(BENCH / folder, ours / folder)
    for student in STUDENTS:
        shutil.copytree(BENCH / "submitted" / student, ours / "submitted" / student)
    nbgrader(ours, "generate_assignment", "ps1")
    stock = tmp_path / "stock"
    shutil.copytree(ours, stock)

    nbgrader(stock, "autograde", "ps1")
    assert main(["grade", "ps1", f"--course-dir={ours}", "--accept-unjailed"]) == 0

    assert rows(ours) == rows(stock)
    with sqlite3.connect(ours / "gradebook.db") as book:
        totals = book.execute(
            "SELECT s.student_id, sum(g.auto_score) FROM grade g JOIN submitted_notebook b ON b.id = g.notebook_id"
            " JOIN submitted_assignment s ON s.id = b.assignment_id GROUP BY 1"
        )
        assert dict(totals) == {student: EXPECTED[student] for student in STUDENTS}
