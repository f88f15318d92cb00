"""Time for a cell: what is to be done, step by step, if it does not end in time. Starts one thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

__all__ = ["Bell", "bell"]

Step = tuple[float, Callable[[], None]]
"""Seconds after the step before it (the first: after the start), and what is done then."""


class Bell:
    """How far it came: `rung` is the number of steps that were taken."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.rung = 0
        self._steps = steps
        self._over = threading.Event()
        self._taking = threading.Lock()

    def _watch(self) -> None:
        for seconds, step in self._steps:
            if self._over.wait(seconds):
                return
            with self._taking:
                if self._over.is_set():
                    return
                self.rung += 1
                step()


@contextmanager
def bell(*steps: Step) -> Iterator[Bell]:
    """While the block runs, take each step when its time has come. No step is taken, or still going on, after the block."""
    one = Bell(steps)
    thread = threading.Thread(target=one._watch, name="bell", daemon=True)
    thread.start()
    try:
        yield one
    finally:
        with one._taking:
            one._over.set()
        thread.join()
