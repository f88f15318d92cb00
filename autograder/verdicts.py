"""What a test cell's run is worth, and what of it may be said to the student. Pure functions; nothing here runs a cell.

The score is read from the value of the last expression, never from what is displayed. What is said to a student never shows a
line or a value of a hidden test.
"""

from __future__ import annotations

import ast
import builtins
import math
import reprlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from autograder.crossing import CandidateExit
from autograder.names import bindings, loads
from autograder.records import Outcome, Said
from autograder.retold import recognise, retell, retell_sentences
from autograder.whereabouts import came_from_candidate, spots_of
from bentocola.checks.notyet import Broken
from bentocola.errors import CourseError
from bentocola.messages import LANGUAGES, translate

if TYPE_CHECKING:
    from autograder.shell import Ran

__all__ = [
    "CellText",
    "Score",
    "Secrets",
    "StudentError",
    "chain",
    "failure",
    "of_student",
    "outcome",
    "said",
    "score",
    "seed",
]

_DIGITS = 10
"""What is beyond is rounding: 0.1 + 0.2 of 0.3 is 0.3."""
_LONGEST_MESSAGE = 1000
_LONGEST_LINE = 300
_LONGEST_STORY = 100
"""Events."""
_MOST_LINKS = 20
"""Of a chain of exceptions: what is further back is as hidden as can be."""
_SAFE_PLACES = frozenset({"answer", "points", "fact", "experiment"})
"""Places of the course's sentences that hold nothing of a test's values."""
_WRONG_PREDICTION = "What happened: {answer} is {got}, and the experiment gives something else."
"""What `Check.equal` says of a prediction."""


@dataclass(frozen=True)
class Score:
    """`earned` in points, or None with `fault`: what came instead of a score, for the teacher."""

    earned: float | None
    fault: str | None = None


def score(value: Any, points: float) -> Score:
    """Return what the value of a test's last expression is worth, of `points`.

    None is no result: full points. A number from 0 to the points (int, float or numpy's) is the score, rounded to 10 digits;
    so is the `earned` of a result of `bentocola.checks` with `earned` and `points`. All else is a fault of the test.
    """
    if value is None:
        return Score(points)
    if _is_result(value):
        if type(value.points) not in (int, float) or round(value.points - points, _DIGITS):
            return Score(None, f"a result of {value.points!r} points, in a cell of {points:g}")
        value = value.earned
    number = _number(value)
    if number is None:
        return Score(None, _description(value))
    if not math.isfinite(number):
        return Score(None, str(number))
    rounded = round(number, _DIGITS)
    if not 0 <= rounded <= round(points, _DIGITS):
        return Score(None, f"{number!r}, which is not between 0 and {points:g}")
    return Score(min(rounded, points) + 0.0)  # -0.0 becomes 0.0


def failure(value: Any) -> Exception | None:
    """Return the exception that a result of the course's checks keeps, with its traceback; None for any other value."""
    found = value.error if _is_result(value) and hasattr(value, "error") else None
    return found if isinstance(found, Exception) else None


def seed(value: Any) -> int | None:
    """Return the seed that a result of the course's checks tells, if it tells one."""
    found = value.seed if _is_result(value) and hasattr(value, "seed") else None
    return found if type(found) is int else None


def outcome(
    ran: Ran,
    found: Score | None = None,
    cause: str | None = None,
    told: tuple[Said, ...] = (),
    *,
    failed: Exception | None = None,
) -> Outcome:
    """Return what a room answers of a cell that ran. `found`: of a test; `failed`: what its result says ended it, if anything."""
    return Outcome(
        status="ok" if ran.status == "ok" and failed is None else "error",
        ename=ran.ename if failed is None else type(failed).__name__,
        evalue=ran.evalue if failed is None else _clip(_text_of(failed)),
        traceback=ran.traceback,
        execution_count=ran.execution_count,
        earned=None if found is None else found.earned,
        fault=None if found is None else found.fault,
        cause=cause,
        said=told,
        seed=None if found is None else seed(ran.value),
    )


def _number(value: Any) -> float | None:
    """Return a plain number or a scalar of numpy's as a float; None for anything else, a bool too."""
    try:
        if type(value) in (int, float):
            return float(value)
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(type(value), numpy.integer | numpy.floating):
            return float(value)
    except OverflowError:
        return math.inf
    return None


def _is_result(value: Any) -> bool:
    """Whether it is an object of the course's checks with a pair of points. Looked for in its classes: nothing of it runs."""
    modules = (str(kind.__module__) for kind in type(value).__mro__)
    ours = any(module == "bentocola.checks" or module.startswith("bentocola.checks.") for module in modules)
    return ours and all(hasattr(value, name) for name in ("earned", "points"))


def _description(value: Any) -> str:
    """Name a value without running anything of its class, which may be a stand-in for one of the student's."""
    kind = type(value)
    if kind.__module__ in ("builtins", "decimal", "fractions"):
        return f"{reprlib.repr(value)} ({kind.__name__})"
    return f"an object of the class {kind.__module__}.{kind.__qualname__}"


@dataclass(frozen=True)
class CellText:
    """A cell that the examiner has run: its text, and the 1-based ranges of its lines that no student sees."""

    text: str
    hidden: tuple[tuple[int, int], ...] = ()

    def line(self, compiled: int) -> int:
        """Return the line of the text that a line of the compiled cell is. (IPython leaves out empty lines at the top.)"""
        lines = self.text.split("\n")
        skipped = next((n for n, line in enumerate(lines) if line.strip()), 0)
        return compiled + skipped

    def is_hidden(self, first: int, last: int | None = None) -> bool:
        """Whether one of these lines is hidden."""
        return any(begin <= (last or first) and first <= end for begin, end in self.hidden)

    @property
    def parts(self) -> tuple[str, str]:
        """The text that students see, and the text that they do not."""
        seen: list[str] = []
        unseen: list[str] = []
        for number, line in enumerate(self.text.split("\n"), start=1):
            (unseen if self.is_hidden(number) else seen).append(line)
        return "\n".join(seen), "\n".join(unseen)


@dataclass(frozen=True)
class StudentError:
    """An exception that a student's code has raised, as the crossing tells of it.

    `kind`: the name of its class here. `line`: the innermost line of the student's own cells that it came through, if any.
    `direct`: whether it is the very exception that ended the test, not one that that came of.
    """

    kind: str
    message: str
    line: str | None = None
    direct: bool = True
    number: int | None = None
    """Which line of its cell that line is, from 1."""


def of_student(error: BaseException) -> StudentError | None:
    """Return the exception of the student's code that this one is, or came of, if there is one."""
    for link in chain(error):
        if isinstance(link, CandidateExit):
            return StudentError(link.kind, _text_of(link), None, link is error)
        if came_from_candidate(link):
            spots = spots_of(link)
            line = spots[-1].line if spots else None
            number = spots[-1].number if line else None
            return StudentError(type(link).__name__, _text_of(link), line or None, link is error, number)
    return None


class Secrets:
    """What stands in hidden tests and nowhere else: constants and lines. What would be said is looked through for them."""

    _SHORTEST = 4

    def __init__(self, cells: Iterable[CellText]) -> None:
        parts = [cell.parts for cell in cells]
        seen = "\n".join(part for part, _ in parts)
        self._all = frozenset(
            piece
            for _, unseen in parts
            for piece in _pieces(unseen)
            if len(piece) >= self._SHORTEST and piece not in seen
        )

    def shown_in(self, text: str | None) -> bool:
        """Whether a text shows something of a hidden test."""
        return text is not None and any(piece in text for piece in self._all)


def _pieces(text: str) -> Iterator[str]:
    yield from (line.strip() for line in text.split("\n"))
    try:
        tree = ast.parse(_dedented(text))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes | int | float):
            yield str(node.value) if not isinstance(node.value, bytes) else repr(node.value)[2:-1]


def _dedented(text: str) -> str:
    """Make a piece of a block a program of its own."""
    lines = text.split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines if line.strip() and not line.lstrip().startswith("#")]
    margin = min(margins, default=0)
    return "\n".join(line[margin:] if line[:margin].isspace() or not margin else line.lstrip() for line in lines)


def said(
    error: BaseException,
    filename: str | None,
    cells: Mapping[str, CellText],
    *,
    student: StudentError | None = None,
    language: str = "",
    secrets: Secrets | None = None,
) -> tuple[Said, ...]:
    """Return what may be said of the exception that ended the test cell.

    `filename`: what the test was compiled under; `cells`: by such names, all cells that the examiner has run. `student`: what the
    crossing tells, if the exception, or the one that it came of, was raised by the student's code. `language`: of the course.
    """
    secrets = secrets or Secrets(cells.values())
    where = _Place.of(error, filename, cells)
    if isinstance(error, Broken):
        return (_story(error, language),)
    if isinstance(error, CourseError):
        return _course(error, where.hidden, language, student, secrets)
    if where.hidden:
        found = (_hidden(student),)
    elif student is not None and student.direct:
        text = {"": _named(student.kind, student.message)}
        found = (Said("raised", text, _line(student.line), number=student.number),)
    elif isinstance(error, AssertionError):
        message = _text_of(error)
        found = (Said("assertion", {"": _clip(message)} if message else {}, _line(where.line)),)
    else:
        found = (Said("raised", {"": _named(type(error).__name__, _text_of(error))}, _line(where.line)),)
    return _without(secrets, found)


def _without(secrets: Secrets, found: tuple[Said, ...]) -> tuple[Said, ...]:
    """Return what was found, or, where it shows something of a hidden test, only that there is one."""
    if any(secrets.shown_in(text) for one in found for text in (*one.texts.values(), one.line)):
        return (Said("hidden"),)
    return found


def _course(
    error: CourseError, hidden: bool, language: str, student: StudentError | None, secrets: Secrets
) -> tuple[Said, ...]:
    text = _text_of(error)
    own = language if language in LANGUAGES else _language_of(text)
    lines = text.split("\n")
    advice = [line for line in lines if own and _is_general(line, own) and _is_advice(line, own)]
    if not hidden:
        rest = "\n".join(line for line in lines if line not in advice)
        if not any(map(secrets.shown_in, _in_each(rest, own).values())):
            return (Said("course", _in_each(text, own)),)
    # What was expected and what came are values of the hidden test; how it works and what to try are the course's.
    # Those stand in every student's book: a word of theirs that a hidden line has too gives nothing away.
    kept = [
        told
        for line in lines
        for told in (_of_prediction(line, own) or line,)
        if line in advice or told != line or (own and _is_general(line, own) and not secrets.shown_in(line))
    ]
    found = () if len(kept) == len(lines) else _without(secrets, (_hidden(student),))
    return (*found, Said("course", _in_each("\n".join(kept), own))) if kept else found


def _story(error: Broken, language: str) -> Said:
    """Return what was observed under a schedule, which events led there, and the advice: in each language where it can be.

    It shows nothing of a test, hidden or not: events of a schedule, and what the student's code did.
    """
    own = language if language in LANGUAGES else _language_of(error.happened)
    finding = error.finding
    events = [_clip(event) for event in finding.story[:_LONGEST_STORY]]
    if not own:
        return Said("course", {"": _clip(str(error), 4 * _LONGEST_MESSAGE)}, story={"": events} if events else {})
    texts, story = {}, {}
    for other in LANGUAGES:
        if other in finding.also:
            observed, known = finding.also[other]
            story[other] = [_clip(event) for event in known[:_LONGEST_STORY]]
        else:
            observed = retell_sentences(finding.observed, own, other)
            story[other] = [retell_sentences(event, own, other) for event in events]
        happened = translate(other, "What happened: {observed}", observed=_clip(observed, 2 * _LONGEST_MESSAGE))
        texts[other] = "\n".join((happened, *(retell(line, own, other) for line in error.advice)))
    return Said("course", texts, story=story if events else {})


def _of_prediction(line: str, language: str) -> str | None:
    """Return, for a line that says that a prediction is not what came out, one that tells no value; None for any other."""
    found = recognise(line, language) if language else None
    if found is None or found.msgid != _WRONG_PREDICTION or not found.values["answer"].isidentifier():
        return None
    return translate(
        language, "What happened: the type of {answer} is right, and its value is not.", answer=found.values["answer"]
    )


def _is_advice(line: str, language: str) -> bool:
    """Whether a general line is one of how it works or what to try."""
    found = recognise(line, language)
    return found is not None and bool(found.values) and set(found.values) <= {"fact", "experiment"}


def _in_each(text: str, own: str) -> dict[str, str]:
    text = _clip(text, 4 * _LONGEST_MESSAGE)
    return {other: retell(text, own, other) for other in LANGUAGES} if own else {"": text}


def _language_of(text: str) -> str:
    """Return the language of a message of the course's, or "" for a message that is none."""
    return next((language for language in LANGUAGES if recognise(text.split("\n", 1)[0], language)), "")


def _is_general(line: str, language: str, depth: int = 2) -> bool:
    found = recognise(line, language)
    if found is None or not _SAFE_PLACES.issuperset(found.values):
        return False
    nested = [value for name, value in found.values.items() if name in ("fact", "experiment")]
    # An `answer` is the name of a function or a prediction; what looks like more is not said.
    named = all(found.values[name].isidentifier() for name in found.values if name == "answer")
    return named and all(depth and _is_general(value, language, depth - 1) for value in nested)


def _hidden(student: StudentError | None) -> Said:
    """Of a hidden test only this: which kind of exception the student's own code raised, and at which of its lines."""
    if student is None or student.line is None:
        return Said("hidden")
    kind = getattr(builtins, student.kind, None)
    # A class of the student's own making could have any name, a value of the test too.
    known = isinstance(kind, type) and issubclass(kind, BaseException)
    return Said("hidden", {"": student.kind if known else "Exception"}, _line(student.line), number=student.number)


def _named(kind: str, message: str) -> str:
    return _clip(f"{kind}: {message}" if message else kind)


def _clip(text: str, most: int = _LONGEST_MESSAGE) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _line(text: str | None) -> str | None:
    return None if text is None else _clip(text.strip(), _LONGEST_LINE)


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # of whatever class it is
        return ""


@dataclass(frozen=True)
class _Place:
    """Where a test failed: at a hidden line (or who knows where), or at this visible one."""

    hidden: bool
    line: str | None = None

    @classmethod
    def of(cls, error: BaseException, filename: str | None, cells: Mapping[str, CellText]) -> _Place:
        test = cells.get(filename or "")
        if test is None:
            return cls(hidden=any(cell.hidden for cell in cells.values()))
        last: int | None = None
        for link in chain(error):
            for name, number in _frames(link.__traceback__):
                cell = cells.get(name)
                if cell is None:
                    continue
                first, end = _statement(cell.text, cell.line(number))
                if cell.is_hidden(first, end):
                    return cls(hidden=True)
                if cell is test:
                    last = cell.line(number) if link is error or last is None else last
        if last is None:
            # Under a cell magic, or before the cell began, the line is not known.
            return cls(hidden=bool(test.hidden))
        first, end = _statement(test.text, last)
        own = bindings(test.parts[0]).names
        if (_hidden_names(cells) - own) & loads("\n".join(test.text.split("\n")[first - 1 : end]).strip()):
            return cls(hidden=True)
        return cls(False, test.text.split("\n")[last - 1] if last <= test.text.count("\n") + 1 else None)


def _hidden_names(cells: Mapping[str, CellText]) -> frozenset[str]:
    """Names that hidden lines bind: what reads one of them at a visible line shows what is hidden."""
    names: frozenset[str] = frozenset()
    for cell in cells.values():
        if cell.hidden:
            seen, unseen = cell.parts
            names |= bindings(_dedented(unseen)).names - bindings(seen).names
    return names


def chain(error: BaseException) -> Iterator[BaseException]:
    """Return an exception and those that it came of, suppressed ones too."""
    link: BaseException | None = error
    for _ in range(_MOST_LINKS):
        if link is None:
            return
        yield link
        link = link.__cause__ or link.__context__


def _frames(traceback: TracebackType | None) -> Iterator[tuple[str, int]]:
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next


def _statement(text: str, line: int) -> tuple[int, int]:
    """Return the first and last line of the statement at that line; of one with a body, of its head alone."""
    first, last = line, line
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return first, last
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None)
        end = max(node.lineno, body[0].lineno - 1) if body else (node.end_lineno or node.lineno)
        if node.lineno <= line <= end:
            first, last = node.lineno, end
    return first, last
