"""Values as a flat table, and back: what crosses between examiner and candidate. Touches nothing but memory.

    {"root": ref, "nodes": [[kind, …], …]}

A ref is a JSON scalar as it is, or `[n]` for node n. So a value may hold itself, or one thing twice, and none is nested deeper
than its table. What is written is the *base* of a value: the items of a `list` as `list` sees them, whatever its class overrides.

What is no value (functions, instances, clients, exceptions) is left to an `Outside`.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from autograder.crossing import plain, records
from autograder.frames import ProtocolError
from autograder.kept import keep

__all__ = ["Outside", "Reader", "Writer", "is_mutable", "refill", "same_content", "snapshot"]

keep(globals())

_INLINE_BITS = 1000

Node = list[Any]
Ref = Any


class Outside(Protocol):
    """What a table leaves to somebody else."""

    def known(self, value: object) -> Node | None:
        """Return the node of something that the other side has already, if it has."""

    def write(self, value: object, writer: Writer) -> Node:
        """Return the node of what is no plain value."""

    def read(self, node: Node, reader: Reader) -> tuple[object, Callable[[], None] | None]:
        """Return what `write` wrote, and what is to be done when the other values of the table are there."""


def base_of(kind: type, table: dict[type, Any]) -> Any:
    """Return what the table has for a class, or for the nearest of its bases; None when it has nothing."""
    found = table.get(kind)
    if found is not None:
        return found
    for base in type.__dict__["__mro__"].__get__(kind):
        found = table.get(base)
        if found is not None:
            return found
    return None


class Writer:
    """Writes one table. `objects[n]` is what node n was made from."""

    def __init__(self, outside: Outside) -> None:
        self.nodes: list[Any] = []
        self.objects: list[object] = []
        self._outside = outside
        self._numbers: dict[int, int] = {}
        self._keep: list[object] = []
        self._todo: list[int] = []

    def table(self, root: object) -> dict[str, Any]:
        """Return the table of a value."""
        ref = self.ref(root)
        self.finish()
        return {"root": ref, "nodes": self.nodes}

    def ref(self, value: object) -> Ref:
        """Return what stands for a value in this table."""
        kind = type(value)
        if kind is str or kind is bool or value is None:
            return value
        if kind is int:
            return self._whole(value)  # type: ignore[arg-type]
        if kind is float:
            return value if math.isfinite(value) else self._new(value)  # type: ignore[arg-type]
        number = self._numbers.get(id(value))
        if number is not None:
            return [number]
        if kind not in _WRITERS:
            exact = plain.scalar(value)
            if exact is not value:
                self._keep.append(value)
                return self.ref(exact)
        return self._new(value)

    def content(self, value: object) -> int:
        """Add a node for what a mutable holds now, which the other side has another version of. Return its number."""
        number = len(self.nodes)
        self.nodes.append(None)
        self.objects.append(None)
        write = base_of(type(value), _WRITERS)
        self.nodes[number] = plain.write(value) if write is None else write(value, self)
        return number

    def finish(self) -> None:
        """Write what was referred to and is not yet written."""
        while self._todo:
            number = self._todo.pop()
            self.nodes[number] = self._node(self.objects[number])

    def _whole(self, value: int) -> Ref:
        if value.bit_length() <= _INLINE_BITS:
            return value
        return self._new(value)

    def _new(self, value: object) -> Ref:
        number = len(self.nodes)
        self.nodes.append(None)
        self.objects.append(value)
        self._numbers[id(value)] = number
        self._todo.append(number)
        return [number]

    def _node(self, value: object) -> Node:
        known = self._outside.known(value)
        if known is not None:
            return known
        write = base_of(type(value), _WRITERS)
        if write is not None:
            return write(value, self)  # type: ignore[no-any-return]
        node = plain.write(value)
        if node is not None:
            return node
        return self._outside.write(value, self)


def _list(value: Any, writer: Writer) -> Node:
    return ["list", [writer.ref(item) for item in list.__iter__(value)]]


def _tuple(value: Any, writer: Writer) -> Node:
    items = [writer.ref(item) for item in tuple.__iter__(value)]
    fields = records.fields_of(value)
    if fields is not None:
        return ["record", type(value).__name__, fields, items]
    return ["tuple", items]


def _dict(value: Any, writer: Writer) -> Node:
    return ["dict", [writer.ref(item) for pair in dict.items(value) for item in pair]]


def _set(value: Any, writer: Writer) -> Node:
    return ["set", [writer.ref(item) for item in set.__iter__(value)]]


def _frozenset(value: Any, writer: Writer) -> Node:
    return ["frozenset", [writer.ref(item) for item in frozenset.__iter__(value)]]


def _deque(value: Any, writer: Writer) -> Node:
    longest = deque.__dict__["maxlen"].__get__(value)
    return ["deque", [writer.ref(item) for item in deque.__iter__(value)], longest]


def _bytearray(value: Any, writer: Writer) -> Node:
    return ["bytearray", plain.text_of(memoryview(value))]


def _slice(value: Any, writer: Writer) -> Node:
    return ["slice", [writer.ref(value.start), writer.ref(value.stop), writer.ref(value.step)]]


def _keys(value: Any, writer: Writer) -> Node:
    return ["keys", [writer.ref(item) for item in value]]


def _items(value: Any, writer: Writer) -> Node:
    return ["items", [writer.ref(item) for pair in value for item in pair]]


def _values(value: Any, writer: Writer) -> Node:
    return ["values", [writer.ref(item) for item in value]]


_WRITERS: dict[type, Callable[[Any, Writer], Node]] = {
    list: _list,
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    deque: _deque,
    bytearray: _bytearray,
    slice: _slice,
    type({}.keys()): _keys,
    type({}.items()): _items,
    type({}.values()): _values,
}


class Reader:
    """Reads one table. `objects[n]` is what node n became. Raises ProtocolError for what is no table."""

    def __init__(self, table: Any, outside: Outside) -> None:
        if type(table) is not dict or type(table.get("nodes")) is not list:
            raise ProtocolError("Expected the table of a value.")
        self.nodes: list[Any] = table["nodes"]
        self.objects: list[Any] = [None] * len(self.nodes)
        self._outside = outside
        self._made = bytearray(len(self.nodes))
        """0: not yet, 1: under way, 2: there."""
        try:
            self._read()
            self.root: Any = self.value(table.get("root"))
            """The value that the table was made from."""
        except ProtocolError:
            raise
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, ArithmeticError) as error:
            raise ProtocolError(
                f"A value does not hold together: {type(error).__name__}: {str(error)[:200]}"
            ) from error

    def value(self, ref: Ref) -> Any:
        """Return what a ref stands for."""
        if type(ref) is list:
            (number,) = ref
            if type(number) is not int or number < 0:
                raise ProtocolError("A reference is a number of a node.")
            return self.objects[number]
        if type(ref) is dict:
            raise ProtocolError("A reference is a scalar, or a number of a node.")
        return ref

    def values(self, refs: Any) -> list[Any]:
        """Return what each of these stands for."""
        if type(refs) is not list:
            raise ProtocolError("Expected a list of references.")
        return [self.value(ref) for ref in refs]

    def _read(self) -> None:
        later: list[Callable[[], None]] = []
        composed: list[int] = []
        for number, node in enumerate(self.nodes):
            kind = node[0]
            if kind in _SHELLS:
                self.objects[number] = _SHELLS[kind](node)
            elif kind in _COMPOSED:
                composed.append(number)
                continue
            else:
                known, value = plain.read(node)
                if not known:
                    value, after = self._outside.read(node, self)
                    if after is not None:
                        later.append(after)
                self.objects[number] = value
            self._made[number] = 2
        for number in reversed(composed):
            self._compose(number)
        for number, node in enumerate(self.nodes):
            if node[0] in _FILLS:
                _FILLS[node[0]](self.objects[number], self.values(node[1]))
        for after in later:
            after()

    def _compose(self, first: int) -> None:
        """Make an immutable node after those that it is made of."""
        stack = [first]
        while stack:
            number = stack[-1]
            node = self.nodes[number]
            if self._made[number] == 2:
                stack.pop()
                continue
            missing = [ref[0] for ref in node[-1] if type(ref) is list and self._made[ref[0]] != 2]
            if missing:
                if self._made[number] == 1:
                    raise ProtocolError("An immutable value cannot hold itself.")
                self._made[number] = 1
                stack.extend(missing)
                continue
            self.objects[number] = _COMPOSED[node[0]](node, self.values(node[-1]))
            self._made[number] = 2
            stack.pop()


def _pairs(items: list[Any]) -> Iterable[tuple[Any, Any]]:
    return zip(items[::2], items[1::2], strict=True)


_SHELLS: dict[str, Callable[[Node], Any]] = {
    "list": lambda node: [],
    "dict": lambda node: {},
    "set": lambda node: set(),
    "deque": lambda node: deque(maxlen=node[2]),
}
_FILLS: dict[str, Callable[[Any, list[Any]], None]] = {
    "list": lambda target, items: target.extend(items),
    "dict": lambda target, items: target.update(_pairs(items)),
    "set": lambda target, items: target.update(items),
    "deque": lambda target, items: target.extend(items),
}
_COMPOSED: dict[str, Callable[[Node, list[Any]], Any]] = {
    "tuple": lambda node, items: tuple(items),
    "record": lambda node, items: records.make(node[1], node[2], items),
    "frozenset": lambda node, items: frozenset(items),
    "slice": lambda node, items: slice(*items),
    "keys": lambda node, items: dict.fromkeys(items).keys(),
    "items": lambda node, items: dict(_pairs(items)).items(),
    "values": lambda node, items: dict(enumerate(items)).values(),
}


# What a mutable holds: whether it has changed, and making it hold something else. By its base's own methods, as above.


def is_mutable(value: object) -> bool:
    """Whether it is a value that a function may change in place."""
    return base_of(type(value), _MUTABLE) is not None or plain.is_array(value)


def snapshot(value: Any) -> Any:
    """Return what to compare a mutable's content with later."""
    take = base_of(type(value), _MUTABLE)
    return take(value) if take is not None else plain.array_bytes(value)


def same_content(value: Any, before: Any) -> bool:
    """Whether a mutable holds the very things that it held when the snapshot was taken. No `==` of theirs is asked."""
    now = snapshot(value)
    if type(now) is bytes:
        return now == before  # type: ignore[no-any-return]
    return len(now) == len(before) and all(map(_same, now, before))


def _same(one: object, other: object) -> bool:
    return one is other


def refill(value: Any, node: Node, reader: Reader) -> None:
    """Make a mutable hold what a node says. Raises ProtocolError when it is a node of something else."""
    kind = node[0]
    if kind == "ndarray" and plain.is_array(value):
        plain.refill_array(value, node)
        return
    put = base_of(type(value), _REFILL)
    if put is None or put[0] != kind:
        raise ProtocolError(f"A {type(value).__name__} cannot hold what a {str(kind)[:40]} held.")
    if kind == "bytearray":
        value[:] = plain.bytes_of(node[1])
    else:
        put[1](value, reader.values(node[1]))


def _own(value: Any, base: type) -> type:
    """Whose methods keep a value whole: an `OrderedDict` has an order beside the dict's."""
    collections: Any = sys.modules["collections"]
    return collections.OrderedDict if isinstance(value, collections.OrderedDict) else base


def _refill_list(value: Any, items: list[Any]) -> None:
    list.__setitem__(value, slice(None), items)


def _refill_dict(value: Any, items: list[Any]) -> None:
    base: Any = _own(value, dict)
    base.clear(value)
    for key, item in _pairs(items):
        base.__setitem__(value, key, item)


def _refill_set(value: Any, items: list[Any]) -> None:
    set.clear(value)
    set.update(value, items)


def _refill_deque(value: Any, items: list[Any]) -> None:
    deque.clear(value)
    deque.extend(value, items)


_MUTABLE: dict[type, Callable[[Any], Any]] = {
    list: lambda value: list(list.__iter__(value)),
    dict: lambda value: [item for pair in dict.items(value) for item in pair],
    set: lambda value: list(set.__iter__(value)),
    deque: lambda value: list(deque.__iter__(value)),
    bytearray: lambda value: bytes(memoryview(value)),
}
_REFILL: dict[type, tuple[str, Any]] = {
    list: ("list", _refill_list),
    dict: ("dict", _refill_dict),
    set: ("set", _refill_set),
    deque: ("deque", _refill_deque),
    bytearray: ("bytearray", None),
}
