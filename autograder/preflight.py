"""Before a class is graded: whether the reference solution gets its points, and which tests cannot run apart from it.

What was found is kept beside the prepared assignment (`findings`), so that it is found out once for a source. `run` is the
command; `made_sure` is what `grade` asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder import findings as kept_findings
from autograder import paper as papers
from autograder import results, secret, stops
from autograder.apartness import Apart, told_apart, why
from autograder.course import Course
from autograder.findings import Finding, Findings
from autograder.preparing import prepared
from autograder.records import Limits, Note
from autograder.rehearsal import Key, RehearsalError, Sat, Sitting, Stage, Tried, marked, rehearse
from autograder.settings import AutograderApp
from autograder.sheet import Paper
from autograder.voice import Say, Stop, cause_in_words, one_line, tell, voices

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.nursery import Nursery

__all__ = ["Examined", "examine", "made_sure", "run", "show"]

_WORD = 10
"""Columns that a word of the table is given at least, where it has as many."""
_NEAR = 0.5
"""Of a limit: a reference solution that needs more leaves too little to a slower machine."""


@dataclass(frozen=True)
class Examined:
    """What the sittings showed. `blank`: of a notebook that is as it was released; None where it was not tried."""

    paper: Paper
    ways: Apart
    blank: Sat | None
    findings: Findings


def run(course: Course, assignment: str, say: Say) -> int:
    """Try an assignment, keep and print what was found, and return the exit status: 0 if it can be graded. Raises Stop."""
    from rich.console import Console
    from rich.text import Text

    from autograder import nursery as nurseries
    from autograder import protection

    course.require(assignment)
    settings = AutograderApp(config=course.config)
    limits = settings.limits_for(course.config)
    store = results.Store(course.ours)
    try:
        with nurseries.Nursery() as nursery, store.one_run(assignment):
            # The code is the teacher's own: no consent is needed where it cannot be jailed.
            level = protection.found().level
            paper = prepared(course, assignment, settings.language)
            stage = _stage(course, assignment, nursery, level, limits, store)
            examined = examine(stage, paper, _made_from(course, assignment, level, limits), both=True)
            kept_findings.keep(examined.findings, store.preflight(assignment))
            prepared(course, assignment, settings.language)
    except RehearsalError as error:
        raise _no_result(error) from error
    except nurseries.NurseryError as error:
        raise stops.nursery_ended(error) from error
    except OSError as error:
        if results.is_disk_full(error):
            raise stops.disk_full() from error
        if results.is_refused(error):
            raise stops.not_writable(course, error) from error
        raise
    unprotected = secret.is_public() and secret.is_wanted(paper)
    for each in voices(say):
        console = Console(highlight=False)
        show(each, examined, limits, console)
        if unprotected:
            console.print(Text(f"• {one_line(secret.warning(each, course.root))}"), soft_wrap=True)
    return 0 if examined.findings.gradable else 1


def made_sure(
    course: Course, assignment: str, paper: Paper, nursery: Nursery, level: str, limits: Limits
) -> tuple[Paper, tuple[Finding, ...], bool]:
    """Return the paper with the tests marked that cannot run apart, the grave findings, and whether it had to be tried now.

    What is known of this source, under these settings, on this machine, is not tried again. The course is held by this run.
    """
    store = results.Store(course.ours)
    made_from = _made_from(course, assignment, level, limits)
    found = kept_findings.kept(store.preflight(assignment), made_from["source"])
    stale = found is None or found.made_from != made_from
    if found is None or stale:
        stage = _stage(course, assignment, nursery, level, limits, store)
        try:
            found = examine(stage, paper, made_from, both=False).findings
        except RehearsalError as error:
            if stops.tells_of_a_full_disk(error.note):
                raise stops.disk_full() from error
            # Whatever else it is, a run is not held up by it: it is told, and tried again the next time.
            return paper, (Finding("", error.note, grave=True),), True
        kept_findings.keep(found, store.preflight(assignment))
        paper = prepared(course, assignment, paper.language)
    return paper, tuple(finding for finding in found.found if finding.grave), stale


def _no_result(error: RehearsalError) -> Stop:
    note = error.note
    if stops.tells_of_a_full_disk(note):
        return stops.disk_full()
    return Stop(
        lambda say: say(
            "The reference solution could not be run: {reason} Run `autograder doctor`, then this command again.",
            reason=tell(say, note),
        )
    )


def _stage(
    course: Course, assignment: str, nursery: Nursery, level: str, limits: Limits, store: results.Store
) -> Stage:
    return Stage(course.source(assignment), lambda name: store.room(assignment, name), nursery, level, limits)


def _made_from(course: Course, assignment: str, level: str, limits: Limits) -> dict[str, str]:
    """Return the digests of what findings depend on."""
    try:
        source = papers.fingerprint(course.source(assignment), clear_settings=course.config)
    except papers.PaperError as error:
        raise stops.unusable(assignment, error) from error
    return {
        "source": source,
        "environment": results.digest_of_environment(),
        "settings": results.digest_of_settings(limits, level, ()),
    }


def examine(stage: Stage, paper: Paper, made_from: dict[str, str], *, both: bool) -> Examined:
    """Hold the sittings, and judge. `both`: also what a grade does not need: all tests together, and a blank notebook.

    Raises RehearsalError.
    """
    stage.nursery.warm({module for sheet in paper.notebooks for module in sheet.modules})
    ways = told_apart(stage, paper, both=both)
    together: dict[str, list[str]] = {}
    for name, cell in sorted(ways.together):
        together.setdefault(name, []).append(cell)
    as_graded = marked(paper, {name: frozenset(cells) for name, cells in together.items()})
    blank = rehearse(stage, {"blank": Sitting(as_graded, "blank")})["blank"] if both else None
    found = tuple(_judged(paper, ways, blank, stage.limits))
    return Examined(as_graded, ways, blank, Findings(made_from, together, found))


# What is said of a test


def _judged(paper: Paper, ways: Apart, blank: Sat | None, limits: Limits) -> Iterator[Finding]:
    for sheet in paper.notebooks:
        for cell in sheet.cells:
            key = (sheet.name, cell.grade_id)
            if key not in ways.final.tests:
                if key in ways.final.broken:
                    yield _of(
                        key,
                        "The reference solution ends with an error here: {error}",
                        "broken",
                        error=ways.final.broken[key],
                    )
                continue
            final = ways.final.tests[key]
            if not final.holds:
                yield _fault(key, final, ways)
            if key in ways.together:
                reason = why(sheet, cell)
                yield _of(
                    key,
                    "It cannot run apart from the student's code, so it runs with it, where a student could influence it. Apart:"
                    " {error}",
                    "together",
                    error=_came(ways.apart.tests[key]),
                )
                yield Finding(sheet.name, Note(reason.message, reason.values, cell.grade_id, "why"))
            if blank is not None and cell.points and (blank.tests[key].earned or 0) > 0:
                yield _of(
                    key,
                    "A blank notebook gets {earned} of its {points} points.",
                    "blank",
                    earned=f"{blank.tests[key].earned:g}",
                    points=f"{cell.points:g}",
                )
            if final.seconds > limits.cell_seconds * _NEAR and final.cause != "time":
                yield _of(
                    key,
                    "The reference solution needs {seconds} s here, and {limit} s are allowed.",
                    "slow",
                    seconds=f"{final.seconds:.1f}",
                    limit=f"{limits.cell_seconds:g}",
                )
        seconds = ways.final.seconds.get(sheet.name, 0.0)
        if seconds > limits.submission_seconds * _NEAR:
            note = Note(
                "The reference solution needs {seconds} s in all, and {limit} s are allowed.",
                {"seconds": f"{seconds:.1f}", "limit": f"{limits.submission_seconds:g}"},
                code="slow",
            )
            yield Finding(sheet.name, note)


def _fault(key: Key, final: Tried, ways: Apart) -> Finding:
    if final.fault:
        return _of(
            key,
            "Its last value is no score but this: {got}. Expected a number of points, or none.",
            "no-score",
            grave=True,
            got=final.fault,
        )
    if final.earned:
        return _of(
            key,
            "The reference solution gets {earned} of its {points} points.",
            "partial",
            grave=True,
            earned=f"{final.earned:g}",
            points=f"{final.points:g}",
        )
    return _of(key, "The reference solution does not pass it: {error}", "fails", grave=True, error=_came(final))


def _of(key: Key, message: str, code: str, *, grave: bool = False, **values: str) -> Finding:
    return Finding(key[0], Note(message, values, key[1], code), grave)


def _came(tried: Tried) -> str:
    """Return what came of a test that did not hold, in a line."""
    return (
        tried.error or tried.fault or (f"{tried.earned:g} / {tried.points:g}" if tried.earned else tried.cause or "0")
    )


# What the teacher sees


def show(say: Say, examined: Examined, limits: Limits, console: Console) -> None:
    """Print the table of tests, then what was found, then whether the assignment can be graded."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    def line(text: str) -> None:
        console.print(Text(text), soft_wrap=True)

    several = len(examined.paper.notebooks) > 1
    table = Table(title=examined.paper.assignment, title_justify="left")
    rows = [_row(say, examined, key, final, several) for key, final in examined.ways.final.tests.items()]
    table.add_column(one_line(say("Test")), overflow="fold")
    headings = (say("Apart"), say("Together"), say("Blank notebook"), say("It runs"), say("Seconds"))
    for n, heading in enumerate(headings, 1):
        # A narrow terminal breaks a test's name, which has no words, before it breaks a word.
        words = [word for text in (heading, *(row[n] for row in rows)) for word in text.split()]
        table.add_column(one_line(heading), overflow="fold", min_width=min(_WORD, max(map(cell_len, words))))
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)
    for notebook, seconds in examined.ways.final.seconds.items():
        line(
            one_line(
                say(
                    "{notebook}: {seconds} s of {limit} s; {cell_limit} s a cell.",
                    notebook=notebook,
                    seconds=f"{seconds:.1f}",
                    limit=f"{limits.submission_seconds:g}",
                    cell_limit=f"{limits.cell_seconds:g}",
                )
            )
        )
    for text in _lines(say, examined.findings.found, several):
        line(text)
    gradable = examined.findings.gradable
    line(
        one_line(
            say("The assignment can be graded.")
            if gradable
            else say("The assignment cannot be graded as it is. Mend what is marked ✗, and run this command again.")
        )
    )


def _row(say: Say, examined: Examined, key: Key, final: Tried, several: bool) -> tuple[str, ...]:
    ways = examined.ways
    runs = say("together") if key in ways.together else say("apart")
    return (
        ": ".join(key) if several else key[1],
        _points(say, ways.apart.tests, key),
        _points(say, ways.all_together.tests if ways.all_together else {}, key),
        _points(say, examined.blank.tests if examined.blank else {}, key),
        one_line(runs),
        f"{final.seconds:.2f}",
    )


def _points(say: Say, tests: Mapping[Key, Tried], key: Key) -> str:
    if key not in tests:
        return ""
    tried = tests[key]
    if tried.earned is None:
        return one_line(cause_in_words(say, "test-fault"))
    return f"{tried.earned:g} / {tried.points:g}"


def _lines(say: Say, found: Iterable[Finding], several: bool) -> Iterator[str]:
    """Yield what was found, the grave first; a reason stands with what it is the reason of."""
    order = sorted(found, key=lambda finding: not finding.grave)
    for finding in order:
        note = finding.note
        where = ": ".join(part for part in (finding.notebook if several else "", note.cell or "") if part)
        said = one_line(tell(say, note))
        if note.code == "why":
            yield f"    {said}"
        else:
            yield f"{'✗' if finding.grave else '•'} {where}: {said}" if where else f"• {said}"
