"""What each point of a submission comes from, as a table: for a teacher who is asked. It reads records alone."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from autograder.course import Course
from autograder.records import CheckResult, Record
from autograder.results import Store
from autograder.sheet import PaperError
from autograder.voice import Say, Stop, cause_in_words, one_line, tell

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["explain", "given_by_hand", "records_of"]

_ALWAYS = 3
"""The first columns of the table; one after them in which nothing stands is left out."""
_DIGITS = 12
"""Of a digest: enough to tell two apart by eye."""


def records_of(course: Course, assignment: str, student: str, notebooks: str = "*") -> list[Record]:
    """Return a student's records of an assignment, by notebook. Raises Stop where there is none."""
    from autograder import paper as papers

    course.require(assignment)
    store = Store(course.ours)
    try:
        names = [notebook.name for notebook in papers.read(store.paper(assignment)).notebooks]
    except PaperError:
        names = []
    found = [store.read(assignment, student, name) for name in names if fnmatch.fnmatchcase(name, notebooks)]
    records = [record for record in found if record is not None]
    if records:
        return records
    graded = store.students(assignment)
    nearest = ", ".join(get_close_matches(student, graded, n=3, cutoff=0.4))
    if nearest and student not in graded:
        raise Stop(
            lambda say: say(
                "There is no record of {student} for {assignment}. The nearest: {names}.",
                student=student,
                assignment=assignment,
                names=nearest,
            )
        )
    raise Stop(
        lambda say: say(
            "There is no record of {student} for {assignment}. Grade first: autograder grade {assignment} --student={student}",
            student=student,
            assignment=assignment,
        )
    )


def given_by_hand(course: Course, assignment: str, student: str) -> dict[str, dict[str, float]]:
    """Return the points that a person gave, by notebook and cell: none where there is no gradebook that can be read."""
    from autograder.gradebook import Book

    try:
        with Book(course.directory.db_url, course.directory.course_id, assignment, course.config) as book:
            given = book.given(student)
    except Stop:
        return {}
    return {
        notebook: {
            name: cell["score"] for name, cell in cells.items() if cell.get("by_hand") and cell["score"] is not None
        }
        for notebook, (cells, _) in given.items()
    }


def explain(say: Say, record: Record, console: Console, given: Mapping[str, float] | None = None) -> None:
    """Print a record: its checks, what was repaired and stopped, and what it was made from.

    `given`: the points that a person gave, by cell; they stand in the place of the record's.
    """
    from rich.table import Table
    from rich.text import Text

    def line(text: str) -> None:
        console.print(Text(text), soft_wrap=True)

    line(f"{record.student} · {record.assignment} · {record.notebook}")
    if record.refusal is not None:
        line(one_line(say("Not accepted")) + f": {tell(say, record.refusal)}")
    rows = [_row(say, record, check, (given or {}).get(check.cell)) for check in record.checks]
    headings = (
        say("Check"),
        say("Points"),
        say("Where it ran"),
        say("Cause"),
        say("Seed"),
        say("Seconds"),
        say("Test's digest"),
    )
    # On a narrow terminal each column counts, and the check's name, which is what a teacher looks for, stays whole.
    used = [n for n in range(len(headings)) if n < _ALWAYS or any(row[n] for row in rows)]
    table = Table()
    for n in used:
        table.add_column(one_line(headings[n]), overflow="fold", no_wrap=n == 0)
    for row in rows:
        table.add_row(*(Text(row[n]) for n in used))
    console.print(table)
    for note in record.repairs:
        line(one_line(say("Repaired")) + f": {tell(say, note)}")
    for hit in record.limits:
        details = ", ".join(f"{name}={value}" for name, value in hit.detail.items())
        line(
            one_line(say("Stopped at a limit"))
            + f": {hit.cell}: {one_line(cause_in_words(say, hit.cause))} {details}".rstrip()
        )
    for fault in record.faults:
        line(one_line(say("The test {cell} gave no score but this: {got}", cell=fault.cell, got=fault.got)))
    line(one_line(say("Protection level: {level}", level=record.level)))
    if "at" in record.ran:
        line(
            one_line(
                say(
                    "Graded at {time}, in {seconds} s",
                    time=record.ran["at"],
                    seconds=_seconds(record.ran.get("seconds")),
                )
            )
        )
    names = {
        "submission": say("Digest of the submission"),
        "source": say("Digest of the tests"),
        "environment": say("Digest of the environment"),
        "settings": say("Digest of the settings"),
    }
    for name, digest in record.digests.items():
        line(f"{one_line(names.get(name, name))}: {digest}")


def _row(say: Say, record: Record, check: CheckResult, given: float | None) -> tuple[str, ...]:
    where = {
        "examiner": say("examiner"),
        "candidate": say("with the student's code"),
        "nobody": say("not run"),
    }
    by_hand = one_line(say("by a person"))
    earned = by_hand if check.earned is None else f"{check.earned:g}"
    points = f"{earned} / {check.possible:g}" if given is None else f"{given:g} / {check.possible:g} ({by_hand})"
    cause = cause_in_words(say, check.cause) if check.cause else ""
    if check.cause == "missing" and record.refusal is not None and record.refusal.code != "no-notebook":
        cause = say("not accepted")
    seconds = record.ran.get("cells", {}).get(check.cell)
    return (
        check.cell,
        points,
        one_line(where[check.where]),
        one_line(cause),
        "" if check.seed is None else str(check.seed),
        _seconds(seconds),
        check.digest[:_DIGITS],
    )


def _seconds(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else ""
