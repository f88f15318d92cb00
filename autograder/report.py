"""What a teacher sees of a run: progress while it goes on, a table at its end. It writes to a terminal, a file or a log."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from autograder.grading import Result, Summary
from autograder.voice import Say, cause_in_words, one_line, tell

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["LogReport", "PlainReport", "TerminalReport", "closing_lines", "in_words", "show_table", "worst"]

_SHOWN = 12
"""Students named in one row of the table; the rest are counted."""
_WORST = 3


def in_words(say: Say, result: Result) -> str:
    """Return what came of a submission, in a line."""
    if result.state == "failed":
        why = tell(say, result.failure) if result.failure else ""
        return say("{student}: no result. {why}", student=result.student, why=why)
    earned = sum(record.earned for record in result.records)
    possible = sum(check.possible for record in result.records for check in record.checks)
    points = say(
        "{student}: {earned} of {possible} points",
        student=result.student,
        earned=_plain(earned),
        possible=_plain(possible),
    )
    remarks = [one_line(remark) for remark in _remarks(say, result)]
    return points + (f" ({'; '.join(remarks)})" if remarks else "")


def worst(so_far: Iterable[Result]) -> list[Result]:
    """Return the few submissions that a teacher will want to look at first."""
    ranked = [result for result in so_far if _rank(result)]
    return sorted(ranked, key=_rank, reverse=True)[:_WORST]


def _rank(result: Result) -> int:
    if result.state == "failed":
        return 5
    if any(record.state == "refused" for record in result.records):
        return 4
    if any(record.faults for record in result.records):
        return 3
    if any(record.limits for record in result.records):
        return 2
    return 0


def _remarks(say: Say, result: Result) -> Iterable[str]:
    for record in result.records:
        if record.refusal is not None:
            yield tell(say, record.refusal)
        yield from sorted({cause_in_words(say, hit.cause) for hit in record.limits})
        if record.faults:
            yield cause_in_words(say, "test-fault")


class PlainReport:
    """Lines, one a submission: for a file, or where there is no terminal."""

    def __init__(self, say: Say, write: Any = print) -> None:
        self._say, self._write = say, write
        self._done = self._total = 0

    def begins(self, total: int, kept: int) -> None:
        """Say how many there are."""
        self._total = total
        self._write(self._say("To grade: {total}. Unchanged: {kept}.", total=total, kept=kept))

    def starts(self, student: str) -> None:
        """Nothing to say yet."""

    def ended(self, result: Result) -> None:
        """Write its line."""
        self._done += 1
        self._write(f"[{self._done}/{self._total}] {in_words(self._say, result)}")

    def __enter__(self) -> PlainReport:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to put away."""


class LogReport(PlainReport):
    """The same in nbgrader's log: what failed or was refused as a warning or an error."""

    def __init__(self, say: Say, log: logging.Logger | logging.LoggerAdapter[Any]) -> None:
        super().__init__(say, log.info)
        self._log = log

    def ended(self, result: Result) -> None:
        """Log it."""
        rank = _rank(result)
        self._write = self._log.error if rank == 5 else self._log.warning if rank else self._log.info
        super().ended(result)


class TerminalReport:
    """A bar with the count, the rate and the time left, and below it the worst cases so far."""

    def __init__(self, say: Say, console: Console) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._say, self._console = say, console
        self._worst: list[Result] = []
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=console,
        )
        self._live: AbstractContextManager[Any] = nullcontext()
        self._task: Any = None

    def __enter__(self) -> TerminalReport:
        from rich.live import Live

        self._live = Live(get_renderable=self._shown, console=self._console, refresh_per_second=8, transient=True)
        self._live.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._live.__exit__(*error)

    def begins(self, total: int, kept: int) -> None:
        """Show the bar."""
        self._task = self._progress.add_task(one_line(self._say("Grading")), total=total, rate="")
        if kept:
            self._console.print(one_line(self._say("Unchanged since the last run: {count}", count=kept)), markup=False)

    def starts(self, student: str) -> None:
        """Nothing to show yet."""

    def ended(self, result: Result) -> None:
        """Move the bar on."""
        task = self._progress.tasks[self._task]
        seconds = task.elapsed or 0
        rate = (task.completed + 1) / seconds if seconds else 0
        self._progress.update(self._task, advance=1, rate=one_line(self._say("{rate} per second", rate=f"{rate:.1f}")))
        self._worst = worst([*self._worst, result])

    def _shown(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        lines = [
            Text(one_line(in_words(self._say, result)), overflow="ellipsis", no_wrap=True) for result in self._worst
        ]
        return Group(self._progress, *lines)


def closing_lines(say: Say, summary: Summary) -> list[str]:
    """Return the table's rows as lines, for a log."""
    lines = []
    for what, count, why, who in _rows(say, summary):
        lines.append(" · ".join(part for part in (count, what, why, who) if part))
    return lines


def show_table(say: Say, summary: Summary, protection: str, console: Console) -> None:
    """Print the closing table: what came of the submissions, why, and whose; and under which protection, in words."""
    from rich.table import Table

    table = Table(title=summary.assignment, title_justify="left", caption=protection, caption_justify="left")
    table.add_column(one_line(say("What")))
    table.add_column(one_line(say("Submissions")), justify="right")
    table.add_column(one_line(say("Why")))
    table.add_column(one_line(say("Students")), overflow="fold")
    for row in _rows(say, summary):
        table.add_row(*(_escaped(cell) for cell in row))
    console.print(table)


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _rows(say: Say, summary: Summary) -> Iterable[tuple[str, str, str, str]]:
    results = sorted(summary.results, key=lambda result: result.student)
    done = [result for result in results if result.state != "failed"]
    yield one_line(say("Graded")), str(sum(result.state == "graded" for result in done)), "", ""
    if kept := sum(result.state == "kept" for result in done):
        yield one_line(say("Unchanged")), str(kept), "", ""
    repaired = list(_first_of_each_kind(say, done))
    limited = [
        (cause_in_words(say, hit.cause), result.student)
        for result in done
        for record in result.records
        for hit in record.limits
    ]
    refused = [
        (tell(say, record.refusal), result.student)
        for result in done
        for record in result.records
        if record.refusal is not None
    ]
    faults = [(fault.cell, result.student) for result in done for record in result.records for fault in record.faults]
    failures = {r.failure.code: tell(say, r.failure) for r in reversed(results) if r.failure}
    failed = [(failures[r.failure.code] if r.failure else "", r.student) for r in results if r.state == "failed"]
    for finding in summary.found:
        where = ": ".join(part for part in (finding.notebook, finding.note.cell) if part)
        said = one_line(tell(say, finding.note))
        yield one_line(say("Fault of the assignment")), "", f"{where}: {said}" if where else said, ""
    yield from _with_students_code(say, done)
    yield from _by_cause(one_line(say("Repaired")), repaired)
    yield from _by_cause(one_line(say("Stopped at a limit")), limited)
    yield from _by_cause(one_line(say("Not accepted")), refused)
    yield from _by_cause(one_line(say("Test without a score: grade by hand")), faults)
    yield from _by_cause(one_line(say("No result: run again")), failed)


def _with_students_code(say: Say, done: Iterable[Result]) -> Iterable[tuple[str, str, str, str]]:
    """Yield a row for the tests that did not run apart: their verdicts come out of the student's process."""
    found = [
        (check.cell, result.student)
        for result in done
        for record in result.records
        for check in record.checks
        if check.where == "candidate"
    ]
    if found:
        cells = dict.fromkeys(cell for cell, _ in found)
        count = len({student for _, student in found})
        yield one_line(say("Tests run with the student's code")), str(count), ", ".join(cells), ""


def _first_of_each_kind(say: Say, done: Iterable[Result]) -> Iterable[tuple[str, str]]:
    """Yield (what was repaired, whose), with one text for a kind: cells and files differ, the fault does not."""
    texts: dict[str, str] = {}
    for result in done:
        for record in result.records:
            for note in record.repairs:
                yield texts.setdefault(note.code or note.message, tell(say, note)), result.student


def _by_cause(what: str, found: list[tuple[str, str]]) -> Iterable[tuple[str, str, str, str]]:
    """Yield a row for each cause, the most frequent first."""
    by_cause: dict[str, list[str]] = {}
    for cause, student in found:
        students = by_cause.setdefault(one_line(cause), [])
        if student not in students:
            students.append(student)
    for cause, students in sorted(by_cause.items(), key=lambda item: (-len(item[1]), item[0])):
        more = f" … (+{len(students) - _SHOWN})" if len(students) > _SHOWN else ""
        yield what, str(len(students)), cause, ", ".join(students[:_SHOWN]) + more


def _plain(points: float) -> str:
    return f"{points:g}"
