"""Python's special methods, as far as a stand-in hands them on: their names, and how a real object is asked. Touches nothing.

The reserved names of classes and interpreters (`__class__`, `__globals__`, `__reduce__`, …) are none of them.
"""

from __future__ import annotations

import types
from typing import Any

from autograder.kept import keep

__all__ = ["ARITHMETIC", "CONVERSIONS", "ORDER", "SPECIALS", "ask", "found_in"]

keep(globals())

_BINARY = (
    "add",
    "sub",
    "mul",
    "matmul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "xor",
    "or",
)
ARITHMETIC = frozenset(
    f"__{side}{name}__" for name in _BINARY for side in ("", "r", "i") if (side, name) != ("i", "divmod")
)
ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
CONVERSIONS = frozenset(
    f"__{name}__"
    for name in (
        "abs",
        "bool",
        "ceil",
        "complex",
        "float",
        "floor",
        "index",
        "int",
        "invert",
        "neg",
        "pos",
        "round",
        "trunc",
    )
)
_OTHERS = frozenset(
    f"__{name}__"
    for name in (
        *("call", "contains", "delitem", "enter", "exit", "getitem", "iter", "len", "length_hint", "missing", "next"),
        *(
            "reversed",
            "setitem",
            "aenter",
            "aexit",
            "aiter",
            "anext",
            "await",
            "bytes",
            "fspath",
            "hash",
            "instancecheck",
        ),
        *("subclasscheck", "str", "repr", "format", "dir"),
    )
)
SPECIALS = ARITHMETIC | ORDER | CONVERSIONS | _OTHERS
_EVERYBODY_S = frozenset({"__str__", "__repr__", "__format__", "__dir__"})
_OF_OBJECT = {name: getattr(object, name) for name in ("__lt__", "__le__", "__gt__", "__ge__", "__hash__")}
_OF_TYPE = frozenset({"__instancecheck__", "__subclasscheck__", "__call__"})


def found_in(value: object) -> list[str]:
    """Return the special methods that a value's class has, in an order that does not change."""
    kind = type(value)
    names: set[str] = set()
    bases = type.__dict__["__mro__"].__get__(kind)
    if type in bases:
        # What its metaclass adds: a class of enum members is iterated, say.
        for base in bases[: bases.index(type)]:
            names |= type.__getattribute__(base, "__dict__").keys() & SPECIALS
        return sorted(names | _OF_TYPE | _EVERYBODY_S)
    for base in bases:
        names |= type.__getattribute__(base, "__dict__").keys() & SPECIALS
    names -= {name for name, usual in _OF_OBJECT.items() if getattr(kind, name, None) is usual}
    if getattr(kind, "__hash__", None) is None:
        names.discard("__hash__")
    if isinstance(value, (types.FunctionType, types.MethodType, types.BuiltinFunctionType)):
        names -= {"__hash__", *ORDER}
    return sorted(names - _OF_TYPE | ({"__call__"} & names) | _EVERYBODY_S)


def ask(value: Any, name: str, arguments: tuple[Any, ...]) -> Any:
    """Return what the special method of a value's class gives; NotImplemented where it has none."""
    method = getattr(type(value), name, None)
    if name not in SPECIALS or method is None:
        return NotImplemented
    return method(value, *arguments)
