"""Values that hold no others, as nodes: numbers, bytes, times, paths, arrays of numpy. Touches nothing but memory.

numpy is never imported here: where it is not loaded already, there is no array to write, and none is read.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import fractions
import math
import pathlib
import sys
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any

from autograder.frames import ProtocolError
from autograder.kept import keep

__all__ = ["array_bytes", "bytes_of", "is_array", "read", "refill_array", "scalar", "text_of", "write"]

keep(globals())

Node = list[Any]


def text_of(data: Any) -> str:
    """Return bytes as text for JSON."""
    return base64.b64encode(data).decode("ascii")


def bytes_of(text: Any) -> bytes:
    """Return what `text_of` took. Raises ValueError for anything else."""
    if type(text) is not str:
        raise ValueError("Expected bytes as text.")
    return base64.b64decode(text, validate=True)


_SCALARS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
)


def scalar(value: Any) -> Any:
    """Return the base value of an int's, float's or str's subclass, or of numpy's scalar; other things as they are."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    for base, exact in _SCALARS:
        if issubclass_of(kind, base):
            return exact(value)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and issubclass_of(kind, getattr(numpy, "generic", None)):
        found = numpy.generic.item(value)
        return found if type(found) in (bool, int, float, complex, str, bytes) or type(found) in _PLAIN else value
    return value


def issubclass_of(kind: type, base: Any) -> bool:
    """Whether a class has that base, without asking either of them."""
    return base in type.__dict__["__mro__"].__get__(kind)


def write(value: Any) -> Node | None:
    """Return the node of a plain value, None when it is something else."""
    kind = type(value)
    maker = _PLAIN.get(kind)
    if maker is None:
        for base in type.__dict__["__mro__"].__get__(kind):
            maker = _PLAIN.get(base)
            if maker is not None:
                break
    if maker is not None:
        return maker(value)
    if value is Ellipsis or value is NotImplemented:
        return ["constant", "Ellipsis" if value is Ellipsis else "NotImplemented"]
    return _array(value) if is_array(value) else None


def _float(value: float) -> Node:
    return ["float", "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"]


def _complex(value: complex) -> Node:
    return ["complex", repr(value.real), repr(value.imag)]


def _datetime(value: Any) -> Node:
    zone = datetime.datetime.__dict__["tzinfo"].__get__(value)
    fold = datetime.datetime.__dict__["fold"].__get__(value)
    if isinstance(zone, zoneinfo.ZoneInfo) and zone.key:
        return ["datetime", datetime.datetime.replace(value, tzinfo=None).isoformat(), fold, zone.key]
    return ["datetime", datetime.datetime.isoformat(value), fold, None]


def _timedelta(value: Any) -> Node:
    names = ("days", "seconds", "microseconds")
    return ["timedelta", *(datetime.timedelta.__dict__[name].__get__(value) for name in names)]


def _timezone(value: Any) -> Node:
    return ["timezone", _timedelta(datetime.timezone.utcoffset(value, None))[1:]]


def _path(value: Any) -> Node:
    return ["path", pathlib.PurePath.__str__(value), isinstance(value, pathlib.Path)]


def _fraction(value: Any) -> Node:
    return ["fraction", hex(int.__int__(value.numerator)), hex(int.__int__(value.denominator))]


_PLAIN: dict[type, Callable[[Any], Node]] = {
    int: lambda value: ["int", hex(value)],
    float: _float,
    complex: lambda value: _complex(complex.__complex__(value)),
    bytes: lambda value: ["bytes", text_of(memoryview(value))],
    range: lambda value: ["range", *(hex(part) for part in (value.start, value.stop, value.step))],
    datetime.datetime: _datetime,
    datetime.date: lambda value: ["date", datetime.date.isoformat(value)],
    datetime.time: lambda value: [
        "time",
        datetime.time.isoformat(value),
        datetime.time.__dict__["fold"].__get__(value),
    ],
    datetime.timedelta: _timedelta,
    datetime.timezone: _timezone,
    zoneinfo.ZoneInfo: lambda value: ["zone", str(value.key)],
    decimal.Decimal: lambda value: ["decimal", decimal.Decimal.__str__(value)],
    fractions.Fraction: _fraction,
    uuid.UUID: lambda value: ["uuid", hex(value.int)],
    pathlib.PurePath: _path,
}


def _whole(text: Any) -> int:
    if type(text) is not str:
        raise ValueError("Expected a whole number as text.")
    return int(text, 16)


def _read_datetime(text: str, fold: int, zone: str | None) -> datetime.datetime:
    found = datetime.datetime.fromisoformat(text).replace(fold=fold)
    return found if zone is None else found.replace(tzinfo=_zone(zone))


def _zone(key: Any) -> datetime.tzinfo:
    if type(key) is not str or len(key) > 100:
        raise ValueError("Expected the name of a time zone.")
    try:
        return zoneinfo.ZoneInfo(key)
    except (OSError, zoneinfo.ZoneInfoNotFoundError) as error:
        raise ValueError(f"There is no such time zone: {key!r}") from error


def _read_path(text: str, concrete: bool) -> pathlib.PurePath:
    return pathlib.Path(text) if concrete else pathlib.PurePath(text)


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("Expected text.")
    return value


_READ: dict[str, Callable[..., Any]] = {
    "int": _whole,
    "float": lambda text: float({"nan": "nan", "inf": "inf", "-inf": "-inf"}[text]),
    "complex": lambda real, imaginary: complex(float(_text(real)), float(_text(imaginary))),
    "bytes": bytes_of,
    "bytearray": lambda text: bytearray(bytes_of(text)),
    "range": lambda *parts: range(*map(_whole, parts)),
    "datetime": _read_datetime,
    "date": datetime.date.fromisoformat,
    "time": lambda text, fold: datetime.time.fromisoformat(text).replace(fold=fold),
    "timedelta": lambda days, seconds, micro: datetime.timedelta(days, seconds, micro),
    "timezone": lambda parts: datetime.timezone(datetime.timedelta(*parts)),
    "zone": _zone,
    "decimal": lambda text: decimal.Decimal(_text(text)),
    "fraction": lambda top, bottom: fractions.Fraction(_whole(top), _whole(bottom)),
    "uuid": lambda text: uuid.UUID(int=_whole(text)),
    "path": lambda text, concrete: _read_path(_text(text), concrete is True),
    "constant": lambda name: {"Ellipsis": Ellipsis, "NotImplemented": NotImplemented, "None": None}[name],
    "ndarray": lambda *parts: _read_array(["ndarray", *parts]),
}


def read(node: Node) -> tuple[bool, Any]:
    """Return whether a node is one of a plain value, and the value. Raises ValueError, TypeError or KeyError for a bad one."""
    make = _READ.get(node[0])
    return (False, None) if make is None else (True, make(*node[1:]))


def is_array(value: object) -> bool:
    """Whether it is an array of numpy's that holds nothing but numbers, texts or times."""
    numpy: Any = sys.modules.get("numpy")
    array = getattr(numpy, "ndarray", None)
    return array is not None and issubclass_of(type(value), array) and array.dtype.__get__(value).kind in "?biufcSUmM"


def array_bytes(value: Any) -> bytes:
    """Return what an array holds, in C order."""
    numpy: Any = sys.modules["numpy"]
    return bytes(numpy.ndarray.tobytes(value))


def _array(value: Any) -> Node:
    numpy: Any = sys.modules["numpy"]
    dtype, shape = numpy.ndarray.dtype.__get__(value), numpy.ndarray.shape.__get__(value)
    return ["ndarray", dtype.str, list(shape), text_of(array_bytes(value))]


def _read_array(node: Node) -> Any:
    numpy: Any = sys.modules.get("numpy")
    if numpy is None:
        raise ProtocolError("An array of numpy's came to a process that has not loaded numpy.")
    _, name, shape, text = node
    dtype = numpy.dtype(_text(name))
    if dtype.kind not in "?biufcSUmM" or type(shape) is not list or not all(type(size) is int for size in shape):
        raise ProtocolError("An array has a dtype without objects, and a shape.")
    return numpy.frombuffer(bytearray(bytes_of(text)), dtype=dtype).reshape(shape)


def refill_array(value: Any, node: Node) -> None:
    """Put into an array what another one held. Raises ProtocolError when they are not of one shape."""
    found = _read_array(node)
    if found.shape != value.shape or found.dtype != value.dtype:
        raise ProtocolError("An array in place keeps its shape.")
    value[...] = found
