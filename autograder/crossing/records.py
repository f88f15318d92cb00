"""Named tuples: they cross with their fields. Their class is made here, of parts that nobody else wrote. Touches nothing."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from autograder.frames import ProtocolError
from autograder.kept import keep

__all__ = ["fields_of", "make"]

keep(globals())


def fields_of(value: tuple[Any, ...]) -> list[str] | None:
    """Return the names of a named tuple's places; None for any other tuple."""
    if type(value) is tuple:
        return None
    fields = type.__getattribute__(type(value), "__dict__").get("_fields")
    if fields is None:
        for base in type.__dict__["__mro__"].__get__(type(value))[1:]:
            fields = type.__getattribute__(base, "__dict__").get("_fields", fields)
    if type(fields) is not tuple or len(fields) != tuple.__len__(value) or not all(map(_is_field, fields)):
        return None
    return list(fields) if len(set(fields)) == len(fields) else None


def _is_field(name: Any) -> bool:
    return type(name) is str and name.isidentifier() and not name.startswith("_") and not keyword.iskeyword(name)


def make(name: Any, fields: Any, items: Sequence[Any]) -> tuple[Any, ...]:
    """Return a named tuple. Raises ProtocolError when the names are none."""
    if (
        type(name) is not str
        or type(fields) is not list
        or not all(map(_is_field, fields))
        or len(fields) != len(items)
    ):
        raise ProtocolError("A named tuple has a name for each of its places.")
    kind = _kind(name if name.isidentifier() else "record", tuple(fields))
    return tuple.__new__(kind, items)


def _asdict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _replace(self: Any, /, **changes: Any) -> Any:
    unknown = changes.keys() - set(self._fields)
    if unknown:
        raise ValueError(f"Got unexpected field names: {sorted(unknown)!r}")
    return tuple.__new__(type(self), [changes.get(field, item) for field, item in zip(self._fields, self, strict=True)])


def _repr(self: Any) -> str:
    shown = ", ".join(f"{field}={item!r}" for field, item in zip(self._fields, self, strict=True))
    return f"{type(self).__name__}({shown})"


@lru_cache(maxsize=1000)
def _kind(name: str, fields: tuple[str, ...]) -> Any:
    # Not by `collections.namedtuple`: that makes code of the names.
    places = {field: property(itemgetter(place)) for place, field in enumerate(fields)}
    own = {"__slots__": (), "_fields": fields, "_asdict": _asdict, "_replace": _replace, "__repr__": _repr}
    return type(name, (tuple,), {**places, **own, "__match_args__": fields})
