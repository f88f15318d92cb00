"""Time for a cell: what is to be done, step by step, if it does not end in time. Keeps one thread, which sleeps.

A thread for each cell would cost a tenth of the invigilator's time. Here a cell that ends in time wakes nobody: the thread looks
again when the first time that it knows of has come.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

__all__ = ["Bell", "bell"]

Step = tuple[float, Callable[[], None]]
"""Seconds after the step before it (the first: after the start), and what is done then."""


class Bell:
    """How far it came: `rung` is the number of steps that were taken."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.rung = 0
        self._steps = steps
        self._is_over = False
        self._taking = threading.Lock()
        self.due = math.inf
        self._plan()

    def _plan(self) -> None:
        self.due = time.monotonic() + self._steps[self.rung][0] if self.rung < len(self._steps) else math.inf

    def ring(self) -> None:
        """Take the step that is due."""
        with self._taking:
            if self._is_over:
                return
            self.rung += 1
            # It may kill what has ended by itself just now; whatever it meets, the next bell is to ring.
            with suppress(Exception):
                self._steps[self.rung - 1][1]()
            self._plan()

    def end(self) -> None:
        """Wait for the step that is being taken, and take no more."""
        with self._taking:
            self._is_over = True


class _Ringer:
    """Rings what is due, one at a time."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._news = threading.Condition()
        self._bells: list[Bell] = []
        self._wakes = math.inf
        threading.Thread(target=self._watch, name="bell", daemon=True).start()

    def add(self, one: Bell) -> None:
        with self._news:
            self._bells.append(one)
            if one.due < self._wakes:
                self._news.notify()

    def remove(self, one: Bell) -> None:
        with self._news:
            self._bells.remove(one)

    def _watch(self) -> None:
        while True:
            with self._news:
                now = time.monotonic()
                due = [one for one in self._bells if one.due <= now]
                if not due:
                    self._wakes = min((one.due for one in self._bells), default=math.inf)
                    self._news.wait(None if self._wakes == math.inf else self._wakes - now)
            for one in due:
                one.ring()


_ringer: _Ringer | None = None


@contextmanager
def bell(*steps: Step) -> Iterator[Bell]:
    """While the block runs, take each step when its time has come. No step is taken, or still going on, after the block.

    A step that takes its time holds up the steps of other blocks.
    """
    global _ringer
    if _ringer is None or _ringer.process != os.getpid():  # a forked process has no thread of its parent's
        _ringer = _Ringer()
    ringer, one = _ringer, Bell(steps)
    ringer.add(one)
    try:
        yield one
    finally:
        ringer.remove(one)
        one.end()
