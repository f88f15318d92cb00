"""Mutable values that both processes hold a version of, kept alike while a call lasts. Touches nothing but memory.

When a call hands a list over, the other side works on a list of its own. Both keep the pair: the list and what it held when
it was last sent. Each message of that call's chain, in either direction, brings along what changed since. So a function that
changes its argument changes the caller's; a call-back sees what was changed before it; and what comes back is the very list
that went over.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from autograder.crossing import values
from autograder.crossing.values import Reader, Writer
from autograder.frames import ProtocolError
from autograder.kept import keep

__all__ = ["Share", "Shares"]

keep(globals())

_Lock = threading.Lock
"""Taken once: the code of a notebook may put something else there."""
_MANY = 5000
"""Items of a value that outlives its call: one with more of them is not watched, for that would take longer than a call."""


class Share:
    """The objects of one call's arguments, by the numbers that both sides know them under."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.objects: dict[int, object] = {}
        self.numbers: dict[int, int] = {}
        self._before: dict[int, Any] = {}
        self._next = self._items = 0
        self._lock = _Lock()

    def add(self, objects: list[Any], nodes: list[Any], first: int = 0) -> None:
        """Take in the objects of a table: node n is known as `first + n`."""
        for number, (value, node) in enumerate(zip(objects, nodes, strict=True), first):
            if value is None or type(node) is not list or node[0] in _NOT_SHARED:
                continue
            self.objects[number] = value
            self.numbers[id(value)] = number
            if values.is_mutable(value):
                self._before[number] = values.snapshot(value)

    def reserve(self, objects: list[Any]) -> int | None:
        """Return the first of as many numbers as there are objects, None when watching them would take too long."""
        items = sum(len(values.snapshot(value)) for value in objects if values.is_mutable(value))
        with self._lock:
            if len(objects) + items > _MANY or self._items + items > 4 * _MANY:
                return None
            first = self._next
            self._next += len(objects)
            self._items += items
            return first

    def changes(self, writer: Writer) -> Iterable[list[Any]]:
        """Yield [share, number, node] for each value that holds something else than when it was last sent."""
        for number, before in list(self._before.items()):
            value = self.objects[number]
            if not values.same_content(value, before):
                self._before[number] = values.snapshot(value)
                yield [self.name, number, writer.content(value)]

    def take(self, number: Any, node: Any, reader: Reader) -> None:
        """Make a value hold what the other side's version holds."""
        if type(number) is not int or number not in self._before:
            raise ProtocolError("A change came of a value that is not shared.")
        values.refill(self.objects[number], node, reader)
        self._before[number] = values.snapshot(self.objects[number])


_NOT_SHARED = frozenset({"own", "shared", "thing", "class", "module", "constant"})
"""Kinds of nodes whose objects have a name of their own on both sides."""


class Shares:
    """All that are in force. Each thread has its own stack of calls under way; any thread may be told of any share."""

    def __init__(self) -> None:
        self._all: dict[str, Share] = {}
        self._here = threading.local()

    def stack(self) -> list[Share]:
        """Return the shares of the calls that this thread is in, the outermost first."""
        found: list[Share] | None = getattr(self._here, "stack", None)
        if found is None:
            found = self._here.stack = []
        return found

    def open(self, share: Share) -> None:
        """Begin a call in this thread."""
        self._all[share.name] = share
        self.stack().append(share)

    def close(self, share: Share) -> None:
        """End it."""
        self.stack().remove(share)
        self._all.pop(share.name, None)

    def keep(self, share: Share) -> None:
        """Let a share be in force for every thread until it is dropped."""
        self._all[share.name] = share

    def drop(self, name: str) -> None:
        """End such a one."""
        self._all.pop(name, None)

    def named(self, name: Any) -> Share:
        """Return a share by its name. Raises ProtocolError when there is none."""
        found = self._all.get(name) if type(name) is str else None
        if found is None:
            raise ProtocolError("The other process named a value of a call that is over.")
        return found
