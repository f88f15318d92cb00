"""What this process handed over to the other one, by number. Touches nothing but memory.

A number is given once and holds its object until the other side has released it as often as it was sent. A number that was
never given, or was released, leads nowhere.
"""

from __future__ import annotations

import itertools
import threading
from typing import Any

from autograder.frames import ProtocolError
from autograder.kept import keep

__all__ = ["Handles"]

keep(globals())


class _Held:
    __slots__ = ("sent", "value")

    def __init__(self, value: object) -> None:
        self.value = value
        self.sent = 0


class Handles:
    """A table of objects. For any thread."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._held: dict[int, _Held] = {}
        self._by_identity: dict[int, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._held)

    def hand_over(self, value: object) -> int:
        """Return the number of an object, which is to be sent once more."""
        with self._lock:
            number = self._by_identity.get(id(value))
            if number is None:
                number = next(self._numbers)
                self._by_identity[id(value)] = number
                self._held[number] = _Held(value)
            self._held[number].sent += 1
            return number

    def own(self, number: Any) -> Any:
        """Return the object of a number. Raises ProtocolError when it was never handed over, or was released."""
        held = self._held.get(number) if type(number) is int else None
        if held is None:
            raise ProtocolError("The other process named something that was not handed over to it.")
        return held.value

    def release(self, counts: Any) -> None:
        """Take back as often as said: a list of [number, how often]. What makes no sense is passed over."""
        if type(counts) is not list:
            return
        freed = []
        with self._lock:
            for entry in counts:
                if type(entry) is not list or len(entry) != 2 or not all(type(part) is int for part in entry):
                    continue
                number, times = entry
                held = self._held.get(number)
                if held is None or times < 1:
                    continue
                held.sent -= times
                if held.sent <= 0:
                    del self._held[number]
                    del self._by_identity[id(held.value)]
                    freed.append(held)
        freed.clear()  # not under the lock: what ends here may run code of its own
