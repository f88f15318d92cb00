"""The messages of one queue, kept so that each step costs the same however many there are: who is next, who comes back when.

It knows nothing of moto: a message is any object that can be a key. Times are whole milliseconds since 1970, handed in by
whoever read the clock. `sqs_store` uses it in the place of moto's list.

- What is available waits in a heap by the order of arrival; in a FIFO queue, in one heap a message group.
- What is hidden (in flight, or delayed) waits in a heap by the moment at which it becomes available.
- What will expire waits in a heap by the moment at which it was enqueued: the retention period is the queue's, and may change.

A heap may hold entries that are out of date. They are recognised when they come up, and each is thrown away once.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Held", "Line"]

_UNTIDY = 1000
State = Literal["ready", "delayed", "flight", "taken", "gone"]


@dataclass(slots=True, eq=False)
class Held:
    """A message in a queue, or one that was in it."""

    message: Any
    number: int
    """Its place in the order of arrival."""
    enqueued: int
    group: str | None = None
    state: State = "gone"
    until: int = 0
    """When it is available, if it is hidden."""
    received: int = 0
    """When it was received last."""
    again: int = 0
    """How often it is to be handed out although it is in flight, or deleted."""
    owed: int = 0
    """The same, but counted from its next receipt on."""


class Line:
    """What one queue holds. A queue that is `fifo` hands out a message group in order, and one receipt at a time."""

    def __init__(self, fifo: bool = False) -> None:
        self.fifo = fifo
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        for held in self.__dict__.get("held", {}).values():
            held.state = "gone"
        self.held: dict[Any, Held] = {}
        self.by_receipt: dict[str, Held] = {}
        self.counted: dict[State, int] = {"ready": 0, "delayed": 0, "flight": 0}
        self.copies = 0
        """How many messages are to be handed out once more (`Held.again`)."""
        self.shuffle: Callable[[list[Any]], list[Any]] | None = None
        self._numbers = itertools.count()
        self._ties = itertools.count()
        self._hidden: list[tuple[int, int, Held]] = []
        self._expiring: list[tuple[int, int, int, Held]] = []
        self._ready: _Groups | _Row = _Groups() if self.fifo else _Row()

    # In and out

    def add(self, message: Any, now: int, *, enqueued: int, due: int = 0, group: str | None = None) -> Held:
        """Put a message at the end. It is available at once, or from `due` on."""
        held = Held(message, next(self._numbers), enqueued, group)
        self.held[message] = held
        heapq.heappush(self._expiring, (enqueued, held.number, next(self._ties), held))
        if due > now:
            self._hide(held, "delayed", due)
        else:
            self._show(held)
        return held

    def remove(self, held: Held) -> None:
        """Take a message out, whatever its state. A copy that is still owed is handed out nevertheless."""
        if self.held.pop(held.message, None) is not None:
            self._leave(held)
            held.state = "gone"
            self._tidy()

    def take(self, most: int, dead: Callable[[Held], bool]) -> tuple[list[Held], list[Held]]:
        """Return what is received next, at most `most`, and what is met on the way and is `dead`.

        Both are "taken" then: neither counted nor found again before `hide`, `give_back` or `remove`.
        """
        found: list[Held] = []
        buried: list[Held] = []
        later: list[Held] = []
        with closing(self._candidates()) as candidates:
            for held in candidates:
                if held.state == "taken":  # a receipt does not have the same message twice
                    later.append(held)
                    continue
                if held.state != "ready":
                    held.again -= 1
                    self.copies -= 1
                self._leave(held)
                held.state = "taken"
                (buried if dead(held) else found).append(held)
                if len(found) == most:
                    break
        for held in later:
            self._ready.put(held)
        for held in found:
            owed, held.owed = held.owed, 0
            for _ in range(owed):
                self.hand_out_again(held)
        return found, buried

    def hide(self, held: Held, until: int) -> None:
        """A message is in flight until then."""
        self.held.setdefault(held.message, held)
        self._leave(held)
        self._hide(held, "flight", until)

    def give_back(self, held: Held) -> None:
        """A message is available now."""
        self.held.setdefault(held.message, held)
        self._leave(held)
        self._show(held)

    def delay(self, held: Held, until: int, now: int) -> None:
        """A message that nobody has received is available from `until` on."""
        self._leave(held)
        if until > now:
            self._hide(held, "delayed", until)
        else:
            self._show(held)

    def hand_out_again(self, held: Held) -> None:
        """Hand a message out once more, whether it is in flight or deleted. One that waits: after its next receipt."""
        if held.state in ("ready", "delayed"):
            held.owed += 1
            return
        held.again += 1
        self.copies += 1
        heapq.heappush(self._expiring, (held.enqueued, held.number, next(self._ties), held))
        self._ready.put(held)

    # Time

    def promote(self, now: int) -> list[tuple[Held, int, bool]]:
        """Make available what is due. Return it in the order of time, with the moment and whether it was in flight."""
        if not self._hidden or self._hidden[0][0] > now:
            return []
        back = []
        while self._hidden and self._hidden[0][0] <= now:
            until, _, held = heapq.heappop(self._hidden)
            if _is_hidden(held, until):
                back.append((held, until, held.state == "flight"))
                self._leave(held)
                self._show(held)
        return back

    def expire(self, before: int) -> list[Held]:
        """Take out what was enqueued at or before that moment, and return it."""
        if not self._expiring or self._expiring[0][0] > before:
            return []
        expired = []
        while self._expiring and self._expiring[0][0] <= before:
            held = heapq.heappop(self._expiring)[3]
            self.copies -= held.again
            held.again = held.owed = 0
            if held.state != "gone":
                self.remove(held)
                expired.append(held)
        return expired

    def next_due(self) -> int | None:
        """Return when the next hidden message becomes available."""
        while self._hidden:
            until, _, held = self._hidden[0]
            if _is_hidden(held, until):
                return until
            heapq.heappop(self._hidden)
        return None

    # Parts

    def _candidates(self) -> Generator[Held, None, None]:
        """Yield what may be received, in order. What is not asked for stays where it is."""
        if self.shuffle is not None and (self.counted["ready"] or self.copies):
            order, self.shuffle = self.shuffle, None
            waiting = {held.message: held for held in self._waiting()}
            for held in waiting.values():
                for _ in range(held.again + 1):
                    self._ready.put(held)
            yield from (waiting[message] for message in order(list(waiting)))
        else:
            yield from self._waiting()

    def _waiting(self) -> Generator[Held, None, None]:
        opened = _Opened()
        try:
            while (held := self._ready.take(opened)) is not None:
                if held.state == "ready" or held.again:
                    yield held
        finally:
            self._ready.close(opened)

    def _tidy(self) -> None:
        """Rebuild the heaps of times once most of what they hold is gone. It pays for itself, however many there are."""
        if len(self._expiring) > 2 * len(self.held) + _UNTIDY:
            self._expiring = [entry for entry in self._expiring if entry[3].state != "gone" or entry[3].again]
            heapq.heapify(self._expiring)
        if len(self._hidden) > 2 * (self.counted["flight"] + self.counted["delayed"]) + _UNTIDY:
            self._hidden = [entry for entry in self._hidden if _is_hidden(entry[2], entry[0])]
            heapq.heapify(self._hidden)

    def _leave(self, held: Held) -> None:
        if held.state in self.counted:
            self.counted[held.state] -= 1
            if held.state == "flight":
                self._ready.unblock(held)

    def _show(self, held: Held) -> None:
        held.state, held.until = "ready", 0
        self.counted["ready"] += 1
        self._ready.put(held)

    def _hide(self, held: Held, state: Literal["delayed", "flight"], until: int) -> None:
        held.state, held.until = state, until
        self.counted[state] += 1
        if state == "flight":
            self._ready.block(held)
        heapq.heappush(self._hidden, (until, next(self._ties), held))


def _is_hidden(held: Held, until: int) -> bool:
    """Whether an entry of the heap of times still holds."""
    return held.state in ("delayed", "flight") and held.until == until


@dataclass(slots=True)
class _Opened:
    """What one receipt has begun: the group that it takes from."""

    group: _Group | None = None


class _Row:
    """What is available in a standard queue."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Held]] = []
        self._ties = itertools.count()

    def put(self, held: Held) -> None:
        heapq.heappush(self._heap, (held.number, next(self._ties), held))

    def take(self, opened: _Opened) -> Held | None:
        return heapq.heappop(self._heap)[2] if self._heap else None

    def close(self, opened: _Opened) -> None:
        """Nothing is open here."""

    def block(self, held: Held) -> None:
        """No message waits for another."""

    unblock = block


@dataclass(slots=True)
class _Group:
    in_flight: int = 0
    heap: list[tuple[int, int, Held]] = field(default_factory=list)

    def first(self) -> int | None:
        """Return the number of the first message that is available, if any is."""
        while self.heap and self.heap[0][2].state != "ready":
            heapq.heappop(self.heap)
        return self.heap[0][0] if self.heap else None


class _Groups:
    """What is available in a FIFO queue: as much as there is of the group whose turn it is, then of the next.

    A group of which something is in flight waits.
    """

    def __init__(self) -> None:
        self._groups: dict[str | None, _Group] = {}
        self._turns: list[tuple[int, int, _Group]] = []
        self._ties = itertools.count()

    def put(self, held: Held) -> None:
        group = self._groups.setdefault(held.group, _Group())
        heapq.heappush(group.heap, (held.number, next(self._ties), held))
        if not group.in_flight:
            self._turn(group)

    def take(self, opened: _Opened) -> Held | None:
        while True:
            if opened.group is None and (next_one := self._whose_turn()) is not None:
                opened.group = next_one
            if opened.group is None:
                return None
            if opened.group.first() is not None:
                return heapq.heappop(opened.group.heap)[2]
            opened.group = None

    def close(self, opened: _Opened) -> None:
        if opened.group is not None:
            self._turn(opened.group)

    def block(self, held: Held) -> None:
        self._groups.setdefault(held.group, _Group()).in_flight += 1

    def unblock(self, held: Held) -> None:
        group = self._groups[held.group]
        group.in_flight -= 1
        if not group.in_flight:
            self._turn(group)

    def _turn(self, group: _Group) -> None:
        if (number := group.first()) is not None:
            heapq.heappush(self._turns, (number, next(self._ties), group))

    def _whose_turn(self) -> _Group | None:
        while self._turns:
            number, _, group = heapq.heappop(self._turns)
            first = group.first()
            if group.in_flight or first is None:
                continue
            if first > number:  # an entry from before its first message left
                self._turn(group)
                continue
            return group
        return None
