"""How the keeper of a room tells why the room ended, by the way in which it ends itself: data only.

A room's exit code and signal are passed on as they were. What the keeper found out itself it says with one of the last real-time
signals; should a room die of one of those, its keeper dies of SIGUSR1.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass

__all__ = ["CAUSE_OF_SIGNAL", "SIGNAL_OF_CAUSE", "Ended", "from_exit_code"]

SIGNAL_OF_CAUSE: dict[str, int] = (
    {cause: int(signal.SIGRTMAX) - place for place, cause in enumerate(("memory", "processes", "disk", "jail"))}
    if hasattr(signal, "SIGRTMAX")
    else {}
)
CAUSE_OF_SIGNAL = {number: cause for cause, number in SIGNAL_OF_CAUSE.items()}


@dataclass(frozen=True)
class Ended:
    """Why a room ended.

    `cause`: "exit" (with `code`), "signal" (with the signal's name), "stopped" (by `Jailed.kill`), "memory" or "disk" (ended for
    being over that limit), "processes" (stopped while there were as many as may be), or "jail": the room could not be locked,
    which is no fault of the student's.
    """

    cause: str
    code: int | None = None
    signal: str | None = None


def from_exit_code(code: int, *, stopped: bool) -> Ended:
    """Return why a room ended, from its process's `exitcode` (negative: a signal) and whether it was stopped from outside."""
    if -code in CAUSE_OF_SIGNAL:
        return Ended(CAUSE_OF_SIGNAL[-code])
    if stopped:
        return Ended("stopped")
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = str(-code)
        return Ended("signal", signal=name)
    return Ended("exit", code=code)
