"""Stand-ins: what one process has for an object of the other. Touches nothing but what its link sends.

A stand-in's class is made for what the real object can do, so that `callable`, `iter`, `isinstance(…, Iterable)` and the like
answer as for the real one. Everything that it is asked goes through its link to the real object; what comes back is a value, or
a stand-in again.

On the strict side (the examiner's), the other process never learns a value of the test from a comparison, and nothing that it
computes from such a value counts as a number or a truth: `abs(answer - 5) < 0.1` and `answer == 5` never ask it.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from autograder.crossing.specials import ARITHMETIC, CONVERSIONS, ORDER
from autograder.kept import keep

__all__ = ["Link", "StandIn", "link_of", "make"]

keep(globals())


class Link(Protocol):
    """Where a stand-in leads."""

    strict: bool
    seen: bool
    """Whether the real object came of a value of the test's, and so can answer for no number of its own."""
    kind: str

    def special(self, name: str, arguments: tuple[Any, ...]) -> Any: ...
    def call(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any: ...
    def get(self, name: str) -> Any: ...
    def set(self, name: str, value: object) -> None: ...
    def delete(self, name: str) -> None: ...
    def equal(self, other: object) -> bool: ...
    def wait(self) -> Any: ...
    def copy(self, deep: bool) -> Any: ...


class StandIn:
    """The base of every stand-in's class. Its only field is its link."""

    __slots__ = ("__link", "__weakref__")

    def __init__(self, link: Link) -> None:
        _LINK.__set__(self, link)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return _CLASSES.get(link_of(self).kind) or type(self)
        if name in _LOCAL or (name[:2] == "__" and name in type(self).__dict__ and name not in _TOLD):
            return object.__getattribute__(self, name)
        if name.startswith(("__array", "_ipython_", "_repr_")):
            raise AttributeError(name)
        return link_of(self).get(name)

    def __setattr__(self, name: str, value: object) -> None:
        link_of(self).set(name, value)

    def __delattr__(self, name: str) -> None:
        link_of(self).delete(name)

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        link = link_of(self)
        if isinstance_of(other, StandIn) or not link.strict:
            return link.equal(other)
        return NotImplemented

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __copy__(self) -> Any:
        return link_of(self).copy(False)

    def __deepcopy__(self, memo: Any) -> Any:
        return link_of(self).copy(True)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("What belongs to the other process cannot be pickled.")


_LINK: Any = StandIn.__dict__["_StandIn__link"]
link_of: Callable[[StandIn], Link] = _LINK.__get__
_LOCAL = frozenset(
    {"__copy__", "__deepcopy__", "__reduce_ex__", "__reduce__", "__eq__", "__ne__", "__hash__", "__weakref__"}
)
_TOLD = frozenset({"__module__", "__doc__", "__slots__", "__dict__", "__qualname__", "__name__"})
_CLASSES: dict[str, type] = {
    "function": types.FunctionType,
    "method": types.MethodType,
    "builtin": types.BuiltinFunctionType,
    "generator": types.GeneratorType,
    "coroutine": types.CoroutineType,
    "class": type,
}
"""What `isinstance` and `inspect` take a stand-in for."""


def isinstance_of(value: object, kind: type) -> bool:
    """Whether a value's real class has that base."""
    return kind in type.__dict__["__mro__"].__get__(type(value))


def _plain_special(name: str) -> Callable[..., Any]:
    def method(self: StandIn, /, *arguments: Any) -> Any:
        return link_of(self).special(name, arguments)

    return method


def _order(name: str) -> Callable[..., Any]:
    def method(self: StandIn, other: Any, /) -> Any:
        link = link_of(self)
        if link.strict and not isinstance_of(other, StandIn):
            return NotImplemented
        return link.special(name, (other,))

    return method


def _arithmetic(name: str) -> Callable[..., Any]:
    def method(self: StandIn, /, *others: Any) -> Any:
        link = link_of(self)
        strict = link.strict and (link.seen or not all(isinstance_of(other, StandIn) for other in others))
        result = link.special(name, others)
        if strict and result is not NotImplemented:
            if not isinstance_of(result, StandIn):
                raise TypeError(
                    f"A value of the test and a {type(self).__name__} were to give a {type(result).__name__}."
                )
            link_of(result).seen = True
        return result

    return method


def _conversion(name: str) -> Callable[..., Any]:
    def method(self: StandIn, /, *arguments: Any) -> Any:
        link = link_of(self)
        if link.strict and link.seen:
            raise TypeError(f"A {type(self).__name__} that was made from a value of the test gives no number.")
        result = link.special(name, arguments)
        if result is NotImplemented:
            raise TypeError(f"A {type(self).__name__} has no {name}.")
        return result

    return method


def _call(self: StandIn, /, *arguments: Any, **named: Any) -> Any:
    return link_of(self).call(arguments, named)


def _await(self: StandIn) -> Any:
    return link_of(self).wait()
    yield  # never reached: an awaitable's method is a generator


def _contains(self: Any, item: object, /) -> Any:
    link = link_of(self)
    if link.strict and not isinstance_of(item, StandIn):
        if not hasattr(type(self), "__iter__"):
            raise TypeError(f"Whether a {type(self).__name__} contains a value of the test is not asked there.")
        return any(item is other or item == other for other in self)
    return link.special("__contains__", (item,))


def _iter(self: Any) -> Any:
    link = link_of(self)
    return self if link.kind == "generator" else link.special("__iter__", ())


def _text(name: str) -> Callable[..., str]:
    def method(self: StandIn, /, *arguments: Any) -> str:
        return str(link_of(self).special(name, arguments))[:_MAX_TEXT]

    return method


_MAX_TEXT = 20_000
_ITERATES = frozenset({"__iter__", "__next__"})
_OWN_WAY: dict[str, Callable[..., Any]] = {
    "__call__": _call,
    "__await__": _await,
    "__contains__": _contains,
    "__iter__": _iter,
    "__str__": _text("__str__"),
    "__repr__": _text("__repr__"),
    "__format__": _text("__format__"),
}


@lru_cache(maxsize=1000)
def _class(name: str, specials: tuple[str, ...]) -> type[StandIn]:
    body: dict[str, Any] = {"__slots__": (), "__doc__": None}
    for special in specials:
        if special in _OWN_WAY:
            body[special] = _OWN_WAY[special]
        elif special in ORDER:
            body[special] = _order(special)
        elif special in ARITHMETIC:
            body[special] = _arithmetic(special)
        elif special in CONVERSIONS:
            body[special] = _conversion(special)
        else:
            body[special] = _plain_special(special)
    return type(name, (StandIn,), body)


def make(link: Link, name: str, specials: tuple[str, ...]) -> StandIn:
    """Return a stand-in for an object of a class of that name, which has those special methods."""
    return _class(name if name.isidentifier() else "object", specials)(link)
