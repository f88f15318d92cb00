"""What trying many schedules on an answer showed: what `explore` hands to the frame of a test cell. Data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bentocola.cloud.trace import TraceData

__all__ = ["Finding", "Kind"]

Kind = Literal["passed", "story", "raised", "type", "value", "changed", "endless", "missing", "blank"]
"""How an answer fared.

"story": an invariant broke along the story; "raised": an exception nobody expected; "type" and "value": what it returned;
"changed": it changed what it was given; "endless": it went on and on; "missing": there is no such name; "blank": still to write.
"""


@dataclass(frozen=True)
class Finding:
    """What trying many schedules showed. Texts in the cloud's language."""

    kind: Kind
    cases: int
    """How many schedules were tried until now."""
    seed: int
    misconception: str | None = None
    """An id of MISCONCEPTIONS or SLIPS, or None: claim no more than what was observed."""
    observed: str = ""
    """One to three sentences with the student's own values, without a label."""
    story: tuple[str, ...] = ()
    """The shortest sequence of events, a sentence each, in order, without numbers."""
    trace: TraceData | None = None
    """The same as a trace (mode "counterexample"), to replay."""
    notes: tuple[str, ...] = ()
    """What costs no points but is worth saying: a flood of prints was cut, say."""
    also: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """By another language: `observed` and `story` in it. Where one is not there, feedback translates what it recognises."""
