"""What a teacher sees of a run: progress while it goes on, a table at its end. It writes to a terminal, a file or a log."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from autograder import secret
from autograder.grading import Result, Summary
from autograder.voice import Say, cause_in_words, one_line, tell, voices

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
    if len(voices(say)) > 1:
        points = f"{result.student}: {_plain(earned)} / {_plain(possible)}"
    else:
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
    """Lines, one a submission, each as it comes: for a file, or where there is no terminal."""

    def __init__(self, say: Say, write: Callable[[str], object] | None = None) -> None:
        self._say: Say = say
        self._write = write or partial(print, flush=True)
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
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._say, self._console = say, console
        self._worst: list[Result] = []
        self._running: dict[str, float] = {}
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[left]}"),
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
        self._task = self._progress.add_task(one_line(self._say("Grading")), total=total, rate="", left="")
        if kept:
            self._console.print(one_line(self._say("Unchanged since the last run: {count}", count=kept)), markup=False)

    def starts(self, student: str) -> None:
        """Remember who is running, and since when."""
        self._running[student] = time.monotonic()

    def ended(self, result: Result) -> None:
        """Move the bar on."""
        self._running.pop(result.student, None)
        task = self._progress.tasks[self._task]
        seconds = task.elapsed or 0
        rate = (task.completed + 1) / seconds if seconds else 0
        one = len(voices(self._say)) == 1
        told = self._say("{rate} per second", rate=f"{rate:.1f}") if one else f"{rate:.1f}/s"
        self._progress.update(self._task, advance=1, rate=told)
        self._worst = worst([*self._worst, result])

    def _shown(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        texts = [in_words(self._say, result) for result in self._worst]
        if self._task is not None and self._tell_the_time_left():
            now = time.monotonic()
            who = ", ".join(f"{student} ({now - begun:.0f} s)" for student, begun in self._running.items())
            texts.insert(0, self._say("Still running: {names}", names=who))
        lines = [Text(one_line(text), overflow="ellipsis", no_wrap=True) for text in texts]
        return Group(self._progress, *lines)

    def _tell_the_time_left(self) -> bool:
        """Put the time left beside the bar; return whether only the last ones are running, of which nobody knows it."""
        task = self._progress.tasks[self._task]
        rest = int(task.total or 0) - int(task.completed)
        last = 0 < rest <= len(self._running)
        seconds = 0 if last or not task.completed else rest * (task.elapsed or 0) / task.completed
        self._progress.update(self._task, left=f"{seconds // 60:.0f}:{seconds % 60:02.0f}" if seconds else "")
        return last


def closing_lines(say: Say, summary: Summary) -> list[str]:
    """Return the table's rows as lines, for a log."""
    lines = []
    for each in voices(say):
        for what, count, why, who in _rows(each, summary):
            lines.append(" · ".join(part for part in (count, what, why, who) if part))
    return lines


def show_table(say: Say, summary: Summary, protection: str, console: Console) -> None:
    """Print the closing table: what came of the submissions, why, and whose; and under which protection, in words."""
    from rich.table import Table

    table = Table(title=summary.assignment, title_justify="left", caption=protection, caption_justify="left")
    table.add_column(one_line(say("What")))
    table.add_column(one_line(say("Submissions")), justify="right")
    table.add_column(one_line(say("Why")), overflow="fold")
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
    # One of which nothing could be graded stands in its own row alone: each submission counts once.
    taken = [result for result in done if any(record.refusal is None for record in result.records)]
    yield one_line(say("Graded")), str(sum(result.state == "graded" for result in taken)), "", ""
    if kept := sum(result.state == "kept" for result in taken):
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
    if summary.tried:
        yield one_line(say("Reference solution")), "", _why_tried(say), ""
    for finding in summary.found:
        where = ": ".join(part for part in (finding.notebook, finding.note.cell) if part)
        said = one_line(tell(say, finding.note))
        yield one_line(say("Fault of the assignment")), "", f"{where}: {said}" if where else said, ""
    if summary.without_secret is not None:
        yield one_line(say("The course's secret")), "", one_line(secret.warning(say, summary.without_secret)), ""
    yield from _with_students_code(say, done)
    yield from _by_cause(one_line(say("Repaired")), repaired)
    yield from _by_cause(one_line(say("Stopped at a limit")), limited)
    yield from _by_cause(one_line(say("Not accepted")), refused)
    yield from _by_cause(one_line(say("Test without a score: grade by hand")), faults)
    if by_hand := _waiting(summary, done):
        count = str(len({student for student, _, _ in by_hand}))
        yield one_line(say("To grade by hand")), count, _answers(say, len(by_hand)), ""
    yield from _by_cause(one_line(say("No result: run again")), failed)


def _why_tried(say: Say) -> str:
    return one_line(say("Tried first, because the source, a setting or a program is new."))


def _answers(say: Say, count: int) -> str:
    return one_line(say("Answers that wait for a person: {count}", count=count))


def _waiting(summary: Summary, done: Iterable[Result]) -> set[tuple[str, str, str]]:
    """Return which answers of these submissions a person has yet to grade; a test without a score has a row of its own."""
    students = {result.student for result in done}
    faults = {
        (result.student, record.notebook, fault.cell)
        for result in done
        for record in result.records
        for fault in record.faults
    }
    return {each for each in summary.waiting if each[0] in students} - faults


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
