"""Where in a student's cells an exception was raised: told by the candidate, and put into the traceback that the examiner shows.

So a traceback in the graded notebook, and a message of the course's checks, name the student's line as in one notebook. What the
candidate tells is text and numbers; they are shown, and decide nothing.
"""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograder.crossing.outside import Origin
from autograder.frames import ProtocolError

__all__ = ["Spot", "attach", "came_from_candidate", "handle_of", "spots_of", "tell"]

_MOST_SPOTS = 20
_MOST_TEXT = 50_000
_MOST_LINES = 10_000
_SPOTS = "_autograder_spots"

# Taken once: the code of a notebook may put something else there.
_lines_of = linecache.getlines


@dataclass(frozen=True)
class Spot:
    """A line of a student's cell that an exception came through.

    `cell`: the cell's number; `first`: the line where the function begins; `number`: the line. Both count from 1 in `text`.
    """

    cell: int
    text: str
    function: str
    first: int
    number: int

    @property
    def line(self) -> str:
        """The text of the line, or "" if there is no such line."""
        lines = self.text.split("\n")
        return lines[self.number - 1].strip() if self.number <= len(lines) else ""


def tell(error: BaseException, cell_number: Callable[[str], int | None]) -> list[list[Any]]:
    """Return, in the candidate, the spots of an exception as JSON, the innermost last.

    `cell_number`: gives the number of the cell that was compiled under a file name, or None.
    """
    found = []
    left = _MOST_TEXT
    for name, function, first, number in _frames(error.__traceback__):
        cell = cell_number(name)
        if cell is None:
            continue
        text = "".join(_lines_of(name)).removesuffix("\n")
        if len(text) > left:
            text = ""
        left -= len(text)
        found.append([cell, text, function[:100], first, number])
    return found[-_MOST_SPOTS:]


def attach(error: BaseException, told: Any, compiled: Callable[[str, int], str]) -> None:
    """Put, in the examiner, what `tell` returned to the end of an exception's traceback.

    `compiled(text, number)` registers a cell's text under a file name, which it returns. Raises ProtocolError for a bad answer.
    """
    spots = [_spot(one) for one in told[:_MOST_SPOTS]] if type(told) is list else None
    if spots is None:
        raise ProtocolError("Expected a list of lines of cells.")
    traced: types.TracebackType | None = None
    for spot in reversed(spots):
        frame = _frame(compiled(spot.text, spot.cell), spot)
        traced = types.TracebackType(traced, frame, 0, spot.number)
    error.__traceback__ = traced
    vars(error)[_SPOTS] = spots


def handle_of(error: BaseException) -> int | None:
    """Return, in the examiner, the number under which the candidate keeps an exception that it raised; None for any other."""
    return next((value.link.handle for value in vars(error).values() if type(value) is Origin), None)


def came_from_candidate(error: BaseException) -> bool:
    """Whether, in the examiner, an exception is one that the candidate raised."""
    return handle_of(error) is not None


def spots_of(error: BaseException) -> list[Spot]:
    """Return what `attach` put there; nothing for an exception that did not come from the candidate."""
    found = vars(error).get(_SPOTS)
    return found if type(found) is list else []


def _spot(one: Any) -> Spot:
    match one:
        case [int() as cell, str() as text, str() as function, int() as first, int() as number] if (
            cell >= 0 and 0 <= first <= _MOST_LINES and 0 < number <= _MOST_LINES
        ):
            return Spot(cell, text[:_MOST_TEXT], function if function.isidentifier() else "<module>", first, number)
    raise ProtocolError("Expected a line of a cell.")


def _frames(traced: types.TracebackType | None) -> Iterator[tuple[str, str, int, int]]:
    while traced is not None:
        code = traced.tb_frame.f_code
        yield code.co_filename, code.co_name, code.co_firstlineno, traced.tb_lineno
        traced = traced.tb_next


def _frame(name: str, spot: Spot) -> types.FrameType:
    """Return a frame of that file name, function name and line, in which nothing runs."""
    code = _here.__code__
    units = len(code.co_code) // 2
    # One line for all instructions, and no columns: https://github.com/python/cpython/blob/3.11/Objects/locations.md
    table = b"".join(
        bytes((0x80 | 13 << 3 | min(8, units - at) - 1,)) + _svarint(0 if at else spot.number - spot.first)
        for at in range(0, units, 8)
    )
    made = code.replace(
        co_filename=name,
        co_name=spot.function,
        co_qualname=spot.function,
        co_firstlineno=spot.first,
        co_linetable=table,
    )
    frame: types.FrameType = types.FunctionType(made, {"sys": sys})()
    return frame


def _svarint(value: int) -> bytes:
    """Return a number as such a table holds it: six bits a byte, the lowest first, the lowest of all for the sign."""
    value = value << 1 if value >= 0 else -value << 1 | 1
    found = bytearray()
    while value >= 0x40:
        found.append(0x40 | value & 0x3F)
        value >>= 6
    found.append(value)
    return bytes(found)


def _here() -> types.FrameType:
    return sys._getframe()
