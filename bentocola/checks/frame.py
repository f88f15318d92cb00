"""The frame of a test cell: `with check(cloud, "save_once", 2) as test:`, a few lines in it, and `test.result` after it.

Inside the frame everything that goes wrong becomes a result with a message in the student's language: an answer still blank, an
exception in the student's code, a value that was not expected, a story under which the answer does not hold. Nothing is raised.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any

from bentocola.checks import replay, sentences
from bentocola.checks.finding import Finding
from bentocola.checks.misconceptions import MISCONCEPTIONS, SLIPS, behind
from bentocola.checks.notyet import Broken, Fell, FrameError, NotYet, Unanswered
from bentocola.checks.result import Result
from bentocola.checks.sentences import is_prediction, own_line
from bentocola.checks.streams import stderr_on_stdout
from bentocola.cloud.cloud import Cloud
from bentocola.errors import CourseError

if TYPE_CHECKING:
    from bentocola.views import Stepper

__all__ = ["Check", "check"]

_short = reprlib.Repr()
_short.maxlist = _short.maxdict = _short.maxtuple = 12
_short.maxstring = _short.maxother = 160


class Check:
    """Made by `check`. Each method raises `NotYet` where the answer is not as expected, and returns nothing otherwise.

    The frame keeps the first such error, and anything else that its block raised, as `result`.
    """

    def __init__(self, cloud: Cloud, answer: str, points: float) -> None:
        self._cloud = cloud
        self._say = cloud.say
        self._answer = answer
        self._points = points
        self._open = ExitStack()
        self._is_used = False
        self._result: Result | None = None
        self._cases = 0
        self._seed: int | None = None
        self._notes: tuple[str, ...] = ()

    @property
    def result(self) -> Result:
        """What came of the block. Raises FrameError before it has run."""
        if self._result is None:
            raise FrameError(self._say("This frame has tried nothing yet: `test.result` comes after the `with` block."))
        return self._result

    def replay(self) -> Stepper:
        """Return the story of the result, to be walked through. Raises FrameError where there is none."""
        if (stepper := replay.stepper(self.result)) is None:
            raise FrameError(self._say("This result has no story to walk through."))
        return stepper

    def survives(self, function: Callable[..., Any], scenario: str, *, secret: bool = False) -> None:
        """Expect that the answer holds under each schedule of a scenario. `secret`: schedules drawn from the course's secret."""
        finding = _explore(self._cloud, scenario, function, answer=self._answer, secret=secret)
        self._cases += finding.cases
        self._seed = finding.seed
        self._notes = tuple(dict.fromkeys((*self._notes, *finding.notes)))
        if finding.kind == "blank":
            raise self._blank()
        if finding.kind == "missing":
            raise Fell(sentences.missing(self._say, self._answer), kind="missing")
        if finding.kind != "passed":
            raise self._broken(finding)

    def equal(self, got: object, expected: object, hint: str | None = None) -> None:
        """Expect `got == expected`, what the answer returned. `hint`: the misconception or slip that a difference points to."""
        if got == expected:
            return
        shown = _short.repr(got)
        if is_prediction(self._answer):
            # The value that is expected is the answer, and feedback never gives it.
            message = self._say(
                "What happened: {answer} is {got}, and the experiment gives something else.",
                answer=self._answer,
                got=shown,
            )
        else:
            message = self._say(
                "What happened: {answer} gave {got}. The test expects {expected}.",
                answer=self._answer,
                got=shown,
                expected=_short.repr(expected),
            )
        raise self._not_yet(message, "no-return" if got is None else hint)

    def that(self, holds: bool, hint: str) -> None:
        """Expect something that has no value worth showing; the hint says what it is about."""
        if holds:
            return
        match hint:
            case "put-inserts":
                message = self._say(
                    "What happened: a write of {answer} took the place of an item that was stored under the same key.",
                    answer=self._answer,
                )
            case "message-id-key":
                message = self._say(
                    "What happened: after {answer}, the table holds more than one item for the same job.",
                    answer=self._answer,
                )
            case _:
                message = self._say("What happened: {answer} did not do what this test looks for.", answer=self._answer)
        raise self._not_yet(message, hint)

    def stored(self, got: object, expected: object, hint: str | None = None) -> None:
        """Expect these items in the table after the answer ran."""
        if got != expected:
            message = self._say(
                "What happened: after {answer} the table holds {got}. It should hold {expected}.",
                answer=self._answer,
                got=_short.repr(got),
                expected=_short.repr(expected),
            )
            raise self._not_yet(message, hint)

    def waiting(self, got: int, expected: int, hint: str | None = None) -> None:
        """Expect this many messages in the queue, at the moment that the test looked."""
        if got != expected:
            message = self._say(
                "What happened: when the test counted the messages in the queue, hidden ones too, there were {got}. "
                "There should be {expected}.",
                got=got,
                expected=expected,
            )
            raise self._not_yet(message, hint)

    def is_a(self, got: object, kind: type) -> None:
        """Expect a value of this type; None and `()` are an answer still blank. A bool is no int here."""
        if got is None or got == ():
            raise self._blank()
        if not isinstance(got, kind) or isinstance(got, bool) is not (kind is bool):
            said = self._say(
                "{answer} is {got}, a value of type {type}. Expected: a value of type {kind}.",
                answer=self._answer,
                got=_short.repr(got),
                type=type(got).__name__,
                kind=kind.__name__,
            )
            raise NotYet(said, kind="type")

    @contextmanager
    def raises(self, expected: type[Exception] | str, hint: str | None = None) -> Iterator[None]:
        """Expect an exception: a class, or the code of an AWS error (`"ResourceNotFoundException"`)."""
        name = expected if isinstance(expected, str) else expected.__name__
        try:
            yield
        except NotImplementedError:
            raise
        except Exception as error:  # what the student's code raises is what is being judged
            if _matches(error, expected):
                return
            raise self._fell(error, error.__traceback__, hint) from None
        message = self._say(
            "What happened: {answer} ended without an error. The test expects {expected}.",
            answer=self._answer,
            expected=name,
        )
        raise self._not_yet(message, hint)

    def _not_yet(self, message: str, hint: str | None) -> NotYet:
        return NotYet(message, self._advice(hint), misconception=hint)

    def _broken(self, finding: Finding) -> Broken:
        advice = self._advice(finding.misconception)
        if finding.kind == "story" and not advice:
            own = self._say(
                "play this story in a cell of your own, event by event. After which one is something else there than the "
                "task says?"
            )
            advice = (self._say("Try now: {experiment}", experiment=own),)
        return Broken(finding, self._say("What happened: {observed}", observed=finding.observed), advice)

    def _advice(self, hint: str | None) -> tuple[str, ...]:
        """Return how it works and what to try: both for a misconception, what to try alone for a slip."""
        if hint in SLIPS:
            return (self._say("Try now: {experiment}", experiment=self._say(SLIPS[hint])),)
        if hint not in MISCONCEPTIONS:
            return ()
        fact, experiment = MISCONCEPTIONS[hint]
        return (
            self._say("How it works: {fact}", fact=self._say(fact)),
            self._say("Try now: {experiment}", experiment=self._say(experiment)),
        )

    def _fell(self, error: Exception, where: TracebackType | None, hint: str | None = None) -> Fell:
        if isinstance(error, NameError) and error.name == self._answer:
            return Fell(sentences.missing(self._say, self._answer), self._advice(hint), kind="missing")
        if isinstance(error, NameError) and error.name and own_line(where) is not None:
            return Fell(sentences.not_set_up(self._say, self._answer, error.name))
        hint = hint or behind(error)
        message = sentences.fell(self._say, self._answer, error, where)
        return Fell(message, self._advice(hint), misconception=hint)

    def _blank(self) -> Unanswered:
        return Unanswered(sentences.blank(self._say, self._answer, self._points))

    def __enter__(self) -> Check:
        if self._is_used:
            raise FrameError(self._say("This frame was used before. Each `with` needs a `check(…)` of its own."))
        self._is_used = True
        self._open.enter_context(stderr_on_stdout())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> bool:
        self._open.close()
        if error is None:
            self._result = self._passed()
        elif isinstance(error, Exception) and not isinstance(error, FrameError):
            self._result = self._failed(self._told(error, where))
        if self._result is not None:
            replay.after_the_cell(self._result)
        return self._result is not None

    def _told(self, error: Exception, where: TracebackType | None) -> CourseError:
        """Return what ended the block as an error that can be shown. It leads to the first one, and to where that was raised."""
        if isinstance(error, NotImplementedError):
            told: CourseError = self._blank()
        elif isinstance(error, CourseError):
            return error
        elif isinstance(error, AssertionError) and (line := own_line(where)) is not None:
            told = NotYet(sentences.did_not_hold(self._say, error, line))
        else:
            told = self._fell(error, where)
        told.__context__, told.__suppress_context__ = error, True
        return told.with_traceback(where)

    def _passed(self) -> Result:
        message = sentences.passed(self._say, self._answer, self._cases)
        return self._made(Result(self._answer, self._points, self._points, "passed", self._cloud.edition, message))

    def _failed(self, error: CourseError) -> Result:
        result = Result(self._answer, self._points, 0.0, "raised", self._cloud.edition, str(error), error=error)
        if isinstance(error, NotYet):
            result = replace(
                result,
                kind=error.kind,
                happened=error.happened,
                story=error.story,
                advice=error.advice,
                misconception=error.misconception,
                trace=error.finding.trace if isinstance(error, Broken) else None,
            )
        return self._made(result)

    def _made(self, result: Result) -> Result:
        return replace(result, cases=self._cases, seed=self._seed, notes=self._notes)


def check(cloud: Cloud, answer: str, points: float) -> Check:
    """Return the frame for a test of `answer`, the name of a function or of a prediction, worth `points`."""
    return Check(cloud, answer, points)


def _explore(cloud: Cloud, scenario: str, function: Callable[..., Any], *, answer: str, secret: bool) -> Finding:
    # Only a check that plays schedules needs what plays them.
    from bentocola.checks.explore import explore

    return explore(cloud, scenario, function, answer=answer, secret=secret)


def _matches(error: Exception, expected: type[Exception] | str) -> bool:
    if not isinstance(expected, str):
        return isinstance(error, expected)
    response = getattr(error, "response", None) or {}
    return bool(response.get("Error", {}).get("Code") == expected)
