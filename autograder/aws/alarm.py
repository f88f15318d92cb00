"""How long something may take in the main thread of a process that has SIGALRM; elsewhere it takes what it takes.

`limited` interrupts a computation, a regular expression among them, for Python's engine looks for signals while it searches.
It touches the process's SIGALRM and its real-time timer, and leaves both as it found them.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["TookTooLongError", "limited", "unlimited"]

_T = TypeVar("_T")
_AGAIN = 0.5
"""Seconds until it rings once more: what was interrupted may have caught the first one."""


class TookTooLongError(BaseException):
    """The time is over. No `except Exception` on the way may go on after it."""


class _Limit:
    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self.is_armed = False
        self._former: tuple[Any, float, float] | None = None
        self._began = 0.0

    def arm(self) -> None:
        """Let the time run. A timer that is set already and rings earlier is left alone."""
        until, interval = signal.setitimer(signal.ITIMER_REAL, 0)
        if 0 < until <= self.left:
            signal.setitimer(signal.ITIMER_REAL, until, interval)
            return
        self._former = signal.getsignal(signal.SIGALRM), until, interval
        self._began = time.monotonic()
        self.is_armed = True
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, max(self.left, 1e-6), _AGAIN)

    def disarm(self) -> None:
        """Stop the time, and put the former timer back with what is left of it."""
        self.is_armed = False
        if self._former is None:
            return
        handler, until, interval = self._former
        self._former = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        took = time.monotonic() - self._began
        self.left -= took
        signal.signal(signal.SIGALRM, handler)
        if until:
            signal.setitimer(signal.ITIMER_REAL, max(until - took, 1e-6), interval)

    def _ring(self, *_: Any) -> None:
        if self.is_armed:
            raise TookTooLongError


_limits: list[_Limit] = []
"""Of the main thread, the innermost last."""


def _can_ring() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def limited(seconds: float, function: Callable[[], _T]) -> _T:
    """Call `function`. Raises TookTooLongError in it when its time is over."""
    if not _can_ring():
        return function()
    limit = _Limit(seconds)
    _limits.append(limit)
    try:
        try:
            limit.arm()
            return function()
        finally:
            # Nothing that is called here: it could be interrupted on its way in.
            limit.is_armed = False
    finally:
        limit.disarm()
        _limits.remove(limit)


def unlimited(function: Callable[[], _T]) -> _T:
    """Call `function` while the time of `limited` stands still: it waits for somebody else, who has a limit of their own."""
    if not _limits or not _can_ring():
        return function()
    limit = _limits[-1]
    limit.disarm()
    try:
        return function()
    finally:
        limit.arm()
