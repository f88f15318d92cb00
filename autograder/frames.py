"""What crosses between two rooms: one JSON text and some bytes a frame. Pure: bytes in, checked values out.

    four bytes, how long the text is | the text, ASCII JSON | the body

What is read was written by somebody's process, so everything about it is bounded before it is built: its length, how deep it is
nested, how many digits a number has.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NoReturn

from autograder.kept import keep

__all__ = ["MAX_DEPTH", "MAX_FRAME_BYTES", "MAX_TEXT_BYTES", "Frame", "ProtocolError", "pack", "unpack"]

keep(globals())

MAX_TEXT_BYTES = 32 << 20
"""Of one frame's JSON. Python takes some ten times as much memory for it."""
MAX_FRAME_BYTES = 256 << 20
"""Of one frame: an upload's body is the only thing that comes near."""
MAX_DEPTH = 160
"""How deep a frame's JSON is nested. A value is a flat table (see `crossing.values`), so that only AWS answers come near."""
_MAX_DIGITS = 400
"""Of a number. Larger ones cross as text; a float's have at most 17."""


class ProtocolError(Exception):
    """What came is no frame, or not what its kind promises. The other side is not to be trusted any further."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message. An answer has the number of its request; a notification has none."""

    op: str
    id: int | None
    within: int | None
    """The other side's request that the sender was busy with: its number, as the receiver gave it."""
    head: Any
    body: bytes


_SIZE = struct.Struct("<I")


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def _whole(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _refuse_value(value: object) -> NoReturn:
    raise TypeError(f"A {type(value).__name__} is no JSON.")


# Taken once, and without json's own functions in Python around it: the code of a notebook may put something else into `json`.
_chunks: Any = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, _refuse_value, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False
)
_read = json.JSONDecoder(parse_constant=_refuse_constant, parse_int=_whole).decode

_MOST_PASSES = 8
_MOST_COUNTED = 1_000_000
"""Brackets outside of strings, of what is no shallow table."""
_STEPS = bytes.maketrans(b"[{]}", bytes((1, 1, 255, 255)))
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STRINGS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')


def pack(op: str, number: int | None, within: int | None, head: Any, body: bytes = b"") -> bytes:
    """Return a frame's bytes. Raises ValueError when it is too long, TypeError for what is no JSON."""
    text = "".join(_chunks({"id": number, "op": op, "within": within, "head": head}, 0)).encode("ascii")
    if len(text) > MAX_TEXT_BYTES or len(text) + len(body) + _SIZE.size > MAX_FRAME_BYTES:
        raise ValueError(
            f"A frame holds at most {MAX_TEXT_BYTES} bytes of JSON and {MAX_FRAME_BYTES} in all; "
            f"this one has {len(text)} and {len(text) + len(body)}. Hand over less at once."
        )
    return b"".join((_SIZE.pack(len(text)), text, body))


def unpack(data: bytes) -> Frame:
    """Return what `pack` packed. Raises ProtocolError for anything else."""
    if len(data) < _SIZE.size:
        raise ProtocolError(f"Expected a frame, got {len(data)} bytes.")
    end = _SIZE.size + int(_SIZE.unpack_from(data)[0])
    if end > len(data) or end > MAX_TEXT_BYTES + _SIZE.size:
        raise ProtocolError(f"A frame of {len(data)} bytes announced {end - _SIZE.size} bytes of JSON.")
    text = data[_SIZE.size : end]
    if _deeper_than(MAX_DEPTH, text):
        raise ProtocolError(f"A frame's JSON is nested deeper than {MAX_DEPTH}.")
    try:
        frame = _read(text.decode("ascii"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise ProtocolError(f"A frame's text is no JSON: {str(error)[:200]}") from None
    if type(frame) is not dict or frame.keys() != {"id", "op", "within", "head"}:
        raise ProtocolError('A frame is a JSON object of "id", "op", "within" and "head".')
    op, number, within = frame["op"], frame["id"], frame["within"]
    if type(op) is not str or not _is_number(number) or not _is_number(within):
        raise ProtocolError("A frame's numbers are whole and not negative, and its op is text.")
    return Frame(op, number, within, frame["head"], data[end:])


def _is_number(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _deeper_than(limit: int, text: bytes) -> bool:
    """Whether JSON is nested deeper than that, found without building any of it. (Of an odd one, it is said.)"""
    brackets = text.translate(None, _NOT_BRACKETS)
    if len(brackets) <= limit or not _left_of(brackets, limit):
        return False
    # Brackets inside of strings, perhaps.
    brackets = _STRINGS.sub(b"", text).translate(None, _NOT_BRACKETS)
    if not _left_of(brackets, limit):
        return False
    # What takes more passes may have been made to take long. Counting takes the same for all.
    return len(brackets) > _MOST_COUNTED or max(accumulate(memoryview(brackets.translate(_STEPS)).cast("b"))) > limit


def _left_of(brackets: bytes, limit: int) -> bytes:
    """Return what is left when the innermost pairs are taken away a few times, and no more often than the limit says."""
    for _ in range(min(limit, _MOST_PASSES)):
        # One pass may take several levels away, `[[]{}]`, never less than one.
        before = len(brackets)
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if len(brackets) == before:
            break
    return brackets
