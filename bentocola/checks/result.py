"""What came of a test cell: a number to nbgrader, a text in a terminal, a short report in a notebook. Data; it runs nothing.

Stock nbgrader gives full points to any text that is no number (`nbgrader.utils.get_partial_grade`), so `repr` is a number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from bentocola.checks import shown
from bentocola.checks.finding import Kind
from bentocola.cloud.trace import TraceData

__all__ = ["Result"]

_DIGITS = 10


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """Printing it tells it; the last line of a cell shows it. All texts are in `language`."""

    answer: str
    """The name of the function or of the prediction."""
    points: float
    """What the cell is worth."""
    earned: float
    """From 0 to `points`."""
    kind: Kind
    language: str
    happened: str = ""
    """What was observed, labelled; of an answer that passes, that it does."""
    story: tuple[str, ...] = ()
    """The shortest sequence of events that shows it, a sentence each."""
    advice: tuple[str, ...] = ()
    """How it works, and what to try next: a labelled line each."""
    notes: tuple[str, ...] = ()
    """What costs no points but is worth saying."""
    cases: int = 0
    """How many schedules were tried."""
    misconception: str | None = None
    seed: int | None = None
    """Of the last schedules that were tried; None where none were."""
    trace: TraceData | None = field(default=None)
    """The story, to replay."""
    error: Exception | None = field(default=None)
    """What ended the test, with its traceback: for the examiner, which knows which lines are hidden."""

    @property
    def message(self) -> str:
        """What happened, how it works and what to try: a line each."""
        return "\n".join((self.happened, *self.advice))

    @property
    def verdict(self) -> Literal["full", "part", "none", "blank"]:
        """How far the answer is."""
        if self.kind == "blank":
            return "blank"
        if self.earned >= self.points:
            return "full"
        return "part" if self.earned > 0 else "none"

    def __repr__(self) -> str:
        return number(self.earned, self.points)

    def __str__(self) -> str:
        return shown.text(self)

    def _repr_html_(self) -> str:
        """The report, for a notebook."""
        return shown.html(self)


def number(earned: float, points: float) -> str:
    """Return points as a plain decimal number that `float` reads: rounded to 10 digits, from 0 to `points`."""
    if not math.isfinite(earned):
        return "0"
    value = min(max(round(earned, _DIGITS), 0.0), points) + 0.0  # -0.0 becomes 0.0
    if float(text := f"{value:.{_DIGITS}f}") > points:
        # The points themselves have more digits, and nbgrader refuses what is above them.
        text = f"{math.floor(points * 10**_DIGITS) / 10**_DIGITS:.{_DIGITS}f}"
    return text.rstrip("0").rstrip(".") or "0"
