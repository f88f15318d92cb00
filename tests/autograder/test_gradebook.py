"""What is written into nbgrader's gradebook: the rows that stock nbgrader writes, and nothing that a person has entered."""

from __future__ import annotations

import datetime
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from traitlets.config import Config

from autograder.gradebook import Book, Mark
from autograder.sheet import PaperCell
from autograder.voice import Stop
from tests.autograder.small_course import ASSIGNMENT, GOOD, Rooms, hand_in, nbgrader
from tests.autograder.test_results import rows, run

LATE = "2026-01-10 12:00:00 UTC"
DUE = "2026-01-10 11:00:00.000000"


def url(folder: Path) -> str:
    """Return the address of a course's gradebook."""
    return f"sqlite:///{folder / 'gradebook.db'}"


def book_of(folder: Path, config: Any = None) -> Book:
    """Open a course's gradebook."""
    return Book(url(folder), "small", ASSIGNMENT, config)


def execute(folder: Path, *statements: str) -> None:
    """Change the gradebook by hand."""
    with sqlite3.connect(folder / "gradebook.db") as book:
        for statement in statements:
            book.execute(statement)


def as_it_would_run(student: str, cell: PaperCell) -> float:
    """Return what each test of the small course really gives."""
    return 0 if student in ("blank", "wrong") else cell.points


@pytest.mark.slow
def test_rows_are_stock_nbgraders(empty_course: Path) -> None:
    """Right, wrong, blank, late, incomplete, and graded by a person before: each row equals what `nbgrader autograde` writes."""
    hand_in(empty_course, "right", GOOD, timestamp="2026-01-10 10:00:00 UTC")
    hand_in(empty_course, "late", {**GOOD, "by-hand": "plot = 2"}, timestamp=LATE)
    hand_in(empty_course, "blank", {})
    hand_in(empty_course, "wrong", {**GOOD, "double": "double = lambda x: x", "half": "half = lambda x: x"})
    hand_in(empty_course, "partly", GOOD, notebooks=["first"])
    hand_in(empty_course, "again", GOOD)
    with (empty_course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    execute(empty_course, f"UPDATE assignment SET duedate = '{DUE}'")
    config = {"LateSubmissionPlugin": {"penalty_method": "zero"}}
    # "again" has been graded once, a person has scored and commented, and now it is graded anew.
    by_hand = (
        "UPDATE grade SET manual_score = 1, extra_credit = 0.5, needs_manual_grade = 0",
        "UPDATE comment SET manual_comment = 'Well done'",
    )
    stock = empty_course.with_name("stock")
    shutil.copytree(empty_course, stock)
    nbgrader(stock, "autograde", ASSIGNMENT, "--student", "again")
    run(empty_course, Rooms(as_it_would_run), students="again", settings=config)
    execute(stock, *by_hand)
    execute(empty_course, *by_hand)

    nbgrader(stock, "autograde", ASSIGNMENT, "--force")
    run(empty_course, Rooms(as_it_would_run), force=True, settings=config)

    assert rows(empty_course) == rows(stock)


def test_manual_scores_stay_and_are_to_be_looked_at_again(empty_course: Path) -> None:
    """A person's score is not changed; after another automatic one the cell waits for a person, as in nbgrader."""
    with book_of(empty_course) as book:
        book.save("ana", None, {"first": {"test-double": Mark(2.0)}})
        execute(empty_course, "UPDATE grade SET manual_score = 1.5, needs_manual_grade = 0 WHERE auto_score = 2")
        book.save("ana", None, {"first": {"test-double": Mark(0.0)}})

    with sqlite3.connect(empty_course / "gradebook.db") as connection:
        found = list(
            connection.execute("SELECT auto_score, manual_score, needs_manual_grade FROM grade WHERE auto_score = 0")
        )
    assert found == [(0.0, 1.5, 1)]


def test_test_without_a_score_waits_for_a_person(empty_course: Path) -> None:
    """A fault of the test cell is no grade: there is no automatic score, and formgrader asks for one."""
    with book_of(empty_course) as book:
        book.save("ana", None, {"first": {"test-double": Mark(2.0)}})
        book.save("ana", None, {"first": {"test-double": Mark(None)}})

    (found,) = [row for row in rows(empty_course)[1] if row[2] == "test-double"]
    assert (found[4], found[7]) == (None, 1)


def test_submission_is_one_transaction(empty_course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails on the way leaves nothing behind: no student, no half of the notebooks."""
    with book_of(empty_course) as book:
        before = rows(empty_course)

        def fails(*arguments: Any) -> None:
            raise RuntimeError("the second notebook")

        monkeypatch.setattr(book, "_set_penalty", fails)
        with pytest.raises(RuntimeError):
            book.save("ana", None, {"first": {"test-double": Mark(2.0)}})

    assert rows(empty_course) == before


def test_few_statements_a_submission(empty_course: Path) -> None:
    """A submission takes a dozen statements however many cells there are, and one commit."""
    from sqlalchemy import event

    statements: list[str] = []
    commits: list[object] = []
    with book_of(empty_course) as book:
        book.notebooks  # noqa: B018  (asked once a run)
        event.listen(book._gradebook.engine, "before_cursor_execute", lambda *told: statements.append(told[2]))
        event.listen(book._gradebook.engine, "commit", commits.append)

        book.save(
            "ana", datetime.datetime(2026, 1, 1), {"first": {"test-double": Mark(2.0), "essay": Mark(None, None)}}
        )

    assert len(statements) <= 12, "\n".join(statements)
    assert len(commits) == 1


def _no_file(folder: Path) -> None:
    (folder / "gradebook.db").unlink()


def _no_assignment(folder: Path) -> None:
    execute(folder, "UPDATE assignment SET name = 'other'")


def _older(folder: Path) -> None:
    execute(folder, "UPDATE alembic_version SET version_num = '50a4d84c131a'")


def _oldest(folder: Path) -> None:
    execute(folder, "DROP TABLE alembic_version")


def _newer(folder: Path) -> None:
    execute(folder, "UPDATE alembic_version SET version_num = 'ffffffffffff'")


def _no_database(folder: Path) -> None:
    (folder / "gradebook.db").write_bytes(b"no database at all " * 100)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_no_file, "nbgrader generate_assignment hw"),
        (_no_assignment, "nbgrader generate_assignment hw"),
        (_older, "nbgrader db upgrade"),
        (_oldest, "nbgrader db upgrade"),
        (_newer, "posterior a la instalada"),
        (_no_database, "No se puede leer o escribir"),
    ],
    ids=lambda value: value.__name__[1:] if isinstance(value, Callable) else "",  # type: ignore[arg-type]
)
def test_unusable_gradebook_stops_the_run(empty_course: Path, change: Any, said: str) -> None:
    """One sentence that says what to do; the gradebook is as it was, and none is made where there was none."""
    change(empty_course)
    path = empty_course / "gradebook.db"
    before = path.read_bytes() if path.exists() else None

    with pytest.raises(Stop, match=said):
        book_of(empty_course)

    assert (path.read_bytes() if path.exists() else None) == before


def test_other_source_than_was_released_stops_the_run(empty_course: Path) -> None:
    """Points that differ from the gradebook's: the cell is named, with what to do."""
    with book_of(empty_course) as book, pytest.raises(Stop, match=r"test-half.*generate_assignment hw"):
        book.require_cells(
            {"first": {"test-double": 2, "essay": 3, "by-hand": 1, "task": 4}, "second": {"test-half": 6}}
        )


@pytest.mark.parametrize(("method", "penalty"), [("none", None), ("zero", 5.0)])
def test_late_penalty_is_the_courses_own(empty_course: Path, method: str, penalty: float | None) -> None:
    """The course's plugin decides, by the due date and the time of handing in; who was in time pays nothing."""
    execute(empty_course, f"UPDATE assignment SET duedate = '{DUE}'")
    config = Config({"LateSubmissionPlugin": {"penalty_method": method}})
    with book_of(empty_course, config) as book:
        book.save("late", datetime.datetime(2026, 1, 10, 12), {"second": {"test-half": Mark(5.0)}})
        book.save("timely", datetime.datetime(2026, 1, 10, 10), {"second": {"test-half": Mark(5.0)}})

    found = {(student, notebook): late for student, _, notebook, late, _ in rows(empty_course)[0]}
    assert (found["late", "second"], found["timely", "second"]) == (penalty, None)
