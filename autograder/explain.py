"""What each point of a submission comes from, as a table: for a teacher who is asked. It reads records alone."""

from __future__ import annotations

import fnmatch
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from autograder.course import Course
from autograder.records import CheckResult, Record
from autograder.results import Store
from autograder.sheet import PaperError
from autograder.voice import Say, Stop, cause_in_words, one_line, tell

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["explain", "records_of"]

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


def explain(say: Say, record: Record, console: Console) -> None:
    """Print a record: its checks, what was repaired and stopped, and what it was made from."""
    from rich.table import Table
    from rich.text import Text

    def line(text: str) -> None:
        console.print(Text(text), soft_wrap=True)

    line(f"{record.student} · {record.assignment} · {record.notebook}")
    if record.refusal is not None:
        line(one_line(say("Not accepted")) + f": {tell(say, record.refusal)}")
    table = Table()
    for heading in (
        say("Check"),
        say("Points"),
        say("Where it ran"),
        say("Cause"),
        say("Seed"),
        say("Seconds"),
        say("Test's digest"),
    ):
        table.add_column(one_line(heading))
    for check in record.checks:
        table.add_row(*(Text(cell) for cell in _row(say, record, check)))
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


def _row(say: Say, record: Record, check: CheckResult) -> tuple[str, ...]:
    where = {
        "examiner": say("examiner"),
        "candidate": say("with the student's code"),
        "nobody": say("not run"),
    }
    earned = one_line(say("by a person")) if check.earned is None else f"{check.earned:g}"
    seconds = record.ran.get("cells", {}).get(check.cell)
    return (
        check.cell,
        f"{earned} / {check.possible:g}",
        one_line(where[check.where]),
        one_line(cause_in_words(say, check.cause)) if check.cause else "",
        "" if check.seed is None else str(check.seed),
        _seconds(seconds),
        check.digest[:_DIGITS],
    )


def _seconds(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else ""
