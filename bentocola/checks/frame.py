"""The frame of a test cell: `with check(cloud, "save_once", 2) as test:` and a few `test.equal(got, expected)` in it.

Inside the frame everything that goes wrong becomes one error with a message in the student's language and no traceback: an
answer still blank, an exception in the student's code, a result that was not expected. Stock nbgrader reads any of them as 0.
"""

from __future__ import annotations

import linecache
import reprlib
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType

from bentocola.checks.misconceptions import MISCONCEPTIONS, SLIPS, behind
from bentocola.checks.streams import stderr_on_stdout
from bentocola.cloud.cloud import Cloud
from bentocola.errors import CourseError

__all__ = ["Check", "Fell", "NotYet", "Unanswered", "check"]


class NotYet(CourseError, AssertionError):
    """The answer did something else than the test expects."""


class Unanswered(NotYet):
    """The answer is still blank."""


class Fell(NotYet):
    """The student's code raised an exception that the test does not expect."""


_short = reprlib.Repr()
_short.maxlist = _short.maxdict = _short.maxtuple = 12
_short.maxstring = _short.maxother = 160


class Check:
    """Made by `check`. Each method raises `NotYet` where the answer is not as expected, and returns nothing otherwise."""

    def __init__(self, cloud: Cloud, answer: str, points: float) -> None:
        self._say = cloud.say
        self._answer = answer
        self._points = points
        self._open = ExitStack()

    def equal(self, got: object, expected: object, hint: str | None = None) -> None:
        """Expect `got == expected`, what the answer returned. `hint`: the misconception or slip that a difference points to."""
        if got == expected:
            return
        shown = _short.repr(got)
        if self._is_prediction():
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
        raise NotYet(self._with_hint(message, "no-return" if got is None else hint))

    def that(self, holds: bool, hint: str) -> None:
        """Expect something that has no value worth showing; the hint says what it is about."""
        if not holds:
            message = self._say("What happened: {answer} did not do what this test looks for.", answer=self._answer)
            raise NotYet(self._with_hint(message, hint))

    def stored(self, got: object, expected: object, hint: str | None = None) -> None:
        """Expect these items in the table after the answer ran."""
        if got != expected:
            message = self._say(
                "What happened: after {answer} the table holds {got}. It should hold {expected}.",
                answer=self._answer,
                got=_short.repr(got),
                expected=_short.repr(expected),
            )
            raise NotYet(self._with_hint(message, hint))

    def waiting(self, got: int, expected: int, hint: str | None = None) -> None:
        """Expect this many messages in the queue, at the moment that the test looked."""
        if got != expected:
            message = self._say(
                "What happened: {answer} left {got} messages in the queue. There should be {expected}.",
                answer=self._answer,
                got=got,
                expected=expected,
            )
            raise NotYet(self._with_hint(message, hint))

    def is_a(self, got: object, kind: type) -> None:
        """Expect a value of this type; None and `()` are an answer still blank. A bool is no int here."""
        if got is None or got == ():
            raise Unanswered(self._blank())
        if not isinstance(got, kind) or isinstance(got, bool) is not (kind is bool):
            said = self._say(
                "{answer} is {got}, a value of type {type}. Expected: a value of type {kind}.",
                answer=self._answer,
                got=_short.repr(got),
                type=type(got).__name__,
                kind=kind.__name__,
            )
            raise NotYet(said)

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
            fell = self._fell(error, error.__traceback__)
            raise Fell(self._with_hint(fell, hint or behind(error))) from None
        message = self._say(
            "What happened: {answer} ended without an error. The test expects {expected}.",
            answer=self._answer,
            expected=name,
        )
        raise NotYet(self._with_hint(message, hint))

    def _with_hint(self, message: str, hint: str | None) -> str:
        """Add how it works and what to try: both for a misconception, what to try alone for a slip."""
        if hint is None:
            return message
        if hint in SLIPS:
            return f"{message}\n{self._say('Try now: {experiment}', experiment=self._say(SLIPS[hint]))}"
        fact, experiment = MISCONCEPTIONS[hint]
        works = self._say("How it works: {fact}", fact=self._say(fact))
        return f"{message}\n{works}\n{self._say('Try now: {experiment}', experiment=self._say(experiment))}"

    def _is_prediction(self) -> bool:
        return self._answer.startswith("prediction")

    def _blank(self) -> str:
        if self._is_prediction():
            return self._say(
                "{answer} is still empty. Write your prediction in the cell above, run it and repeat this test. "
                "So far: 0 of {points} points.",
                answer=self._answer,
                points=f"{self._points:g}",
            )
        return self._say(
            "{answer} has no code yet, or still raises NotImplementedError. Mend the cell above, run it and repeat this test. "
            "So far: 0 of {points} points.",
            answer=self._answer,
            points=f"{self._points:g}",
        )

    def _fell(self, error: Exception, where: TracebackType | None) -> str:
        """One line for an exception of the student's code, with the line of theirs that it came from."""
        if isinstance(error, NameError) and error.name == self._answer:
            return self._say(
                "{answer} does not exist. Was its name changed, or did its cell end with an error? Look at the cell above, "
                "run it and repeat this test.",
                answer=self._answer,
            )
        said = " ".join(f"{type(error).__name__}: {error}".split())
        frames = [frame for frame in traceback.extract_tb(where) if _is_cell(frame.filename)]
        # The first one is the test cell's own, and so is a helper of its that the answer called back.
        frames = [frame for frame in frames if frame.filename != frames[0].filename]
        if not frames:
            return self._say("What happened: {answer} stopped with {error}.", answer=self._answer, error=said)
        line = linecache.getline(frames[-1].filename, frames[-1].lineno or 0).strip()
        return self._say(
            "What happened: {answer} stopped with {error} at line {number}: {line}",
            answer=self._answer,
            error=said,
            number=frames[-1].lineno,
            line=line,
        )

    def __enter__(self) -> Check:
        self._open.enter_context(stderr_on_stdout())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._open.close()
        if isinstance(error, NotImplementedError):
            raise Unanswered(self._blank()) from None
        if isinstance(error, Exception) and not isinstance(error, CourseError):
            raise Fell(self._with_hint(self._fell(error, where), behind(error))) from None
        if error is None and self._is_prediction():
            print(self._say("✓ {answer}: its type is right. The value is looked at in grading.", answer=self._answer))
        elif error is None:
            print(self._say("✓ {answer}: all that this cell tests holds.", answer=self._answer))


def check(cloud: Cloud, answer: str, points: float) -> Check:
    """Return the frame for a test of `answer`, the name of a function or of a prediction, worth `points`."""
    return Check(cloud, answer, points)


def _matches(error: Exception, expected: type[Exception] | str) -> bool:
    if not isinstance(expected, str):
        return isinstance(error, expected)
    response = getattr(error, "response", None) or {}
    return bool(response.get("Error", {}).get("Code") == expected)


def _is_cell(filename: str) -> bool:
    """Whether a frame's file is a notebook cell: ipykernel compiles each under a name of its own."""
    return "ipykernel" in filename or filename.startswith("<ipython-input")
