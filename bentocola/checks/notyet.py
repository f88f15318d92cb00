"""What stops a test cell whose answer is not there yet: exceptions that are whole sentences, and show no traceback."""

from __future__ import annotations

from collections.abc import Sequence

from bentocola.checks.finding import Finding, Kind
from bentocola.errors import CourseError

__all__ = ["Broken", "Fell", "FrameError", "NotYet", "Unanswered"]


class NotYet(CourseError, AssertionError):
    """The answer did something else than the test expects.

    `happened` is what was observed, `story` the events that led there, `advice` how it works and what to try next: a line each.
    Its text is all of them, a line each.
    """

    kind: Kind = "value"

    def __init__(
        self,
        happened: str,
        advice: Sequence[str] = (),
        *,
        story: Sequence[str] = (),
        misconception: str | None = None,
        kind: Kind | None = None,
    ) -> None:
        super().__init__("\n".join((happened, *story, *advice)))
        self.happened = happened
        self.story = tuple(story)
        self.advice = tuple(advice)
        self.misconception = misconception
        self.kind = kind or self.kind


class Unanswered(NotYet):
    """The answer is still blank."""

    kind: Kind = "blank"


class Fell(NotYet):
    """The student's code raised an exception that the test does not expect, or it is not there at all."""

    kind: Kind = "raised"


class Broken(NotYet):
    """A schedule was found under which the answer does not hold. `finding` tells which."""

    def __init__(self, finding: Finding, happened: str, advice: Sequence[str] = ()) -> None:
        super().__init__(happened, advice, story=finding.story, misconception=finding.misconception, kind=finding.kind)
        self.finding = finding


class FrameError(CourseError, RuntimeError):
    """A test cell uses its frame in a way that decides nothing. It is the cell's own mistake, not the answer's."""
