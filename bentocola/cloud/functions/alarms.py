"""Alarms in real time, for what really takes time: a function's timeout. One thread for all sleeps until the next is due."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable

__all__ = ["Alarms", "Later"]

Later = Callable[[float, Callable[[], None]], Callable[[], None]]
"""`later(seconds, action)` runs `action` once, on another thread perhaps, and returns a function that calls it off."""


class Alarms:
    """Runs each action when its time has come. Its thread starts with the first and ends at `close`."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._times: list[tuple[float, int]] = []  # a heap; it may hold some that were called off
        self._actions: dict[int, Callable[[], None]] = {}
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def call_later(self, seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        """Run `action` in `seconds`. Returns what calls it off; afterwards, and after the action, that does nothing."""
        with self._changed:
            number = next(self._numbers)
            self._actions[number] = action
            heapq.heappush(self._times, (time.monotonic() + seconds, number))
            if self._times[0][1] == number:  # else the thread wakes before this one is due, and looks again
                self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="bentocola-alarms", daemon=True)
                self._thread.start()

        def call_off() -> None:
            with self._changed:
                self._actions.pop(number, None)
                if len(self._times) > 2 * len(self._actions) + 8:
                    self._times = [entry for entry in self._times if entry[1] in self._actions]
                    heapq.heapify(self._times)

        return call_off

    def close(self) -> None:
        """Call everything off."""
        with self._changed:
            self._times.clear()
            self._actions.clear()
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _watch(self) -> None:
        me = threading.current_thread()
        while True:
            with self._changed:
                if self._thread is not me:
                    return
                left = self._times[0][0] - time.monotonic() if self._times else None
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                action = self._actions.pop(heapq.heappop(self._times)[1], None)
            if action is not None:
                action()
