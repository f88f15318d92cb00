"""Cuts a code cell into logical lines, so that the lines of two editions can be told apart and paired."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from tools.parity.names import Pairs
from tools.parity.parts import Part, Place, find_parts, tokens_of
from tools.parity.texts import marker

__all__ = ["Line", "logical_lines"]

_LAYOUT = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)


@dataclass(frozen=True)
class Line:
    """A simple statement, the head of a compound one, an nbgrader marker, or (with no pieces) the end of the cell."""

    above: list[str]
    """The rows between the line before and this one: comments and empty rows."""
    pieces: list[str | Part]

    @property
    def parts(self) -> list[Part]:
        """The stretches that may differ between the editions."""
        return [piece for piece in self.pieces if isinstance(piece, Part)]

    @property
    def raw(self) -> str:
        """The line as it stands, over several rows perhaps."""
        return "".join(piece.raw if isinstance(piece, Part) else piece for piece in self.pieces)

    @property
    def key(self) -> str:
        """What both editions must share of the line, its layout aside."""
        return "".join(piece.key if isinstance(piece, Part) else "".join(piece.split()) for piece in self.pieces)

    @property
    def indent(self) -> int:
        """The number of characters that it is indented by."""
        return len(self.raw) - len(self.raw.lstrip())


def logical_lines(source: str, edition: str, pairs: Pairs) -> list[Line]:
    """Return the lines of a cell, and one without pieces for its end. Raises CodeError."""
    place = Place(source)
    parts = find_parts(source, edition, pairs)
    lines: list[Line] = []
    done = 0
    for first, last in _spans_in_rows(source):
        start, end = place.offset(first), place.offset(last) + len(place.rows[last - 1])
        lines.append(Line(place.rows[done : first - 1], _pieces(source, start, end, parts)))
        done = last
    return [*lines, Line(place.rows[done:], [])]


def _spans_in_rows(source: str) -> Iterator[tuple[int, int]]:
    """Yield the first and the last row of each logical line; a marker on a row of its own counts as one."""
    first = None
    for token in tokens_of(source):
        if first is None and token.type == tokenize.COMMENT and marker(token.string):
            yield token.start[0], token.start[0]
        elif first is None and token.type not in _LAYOUT:
            first = token.start[0]
        elif first is not None and token.type == tokenize.NEWLINE:
            yield first, token.start[0]
            first = None


def _pieces(source: str, start: int, end: int, parts: dict[tuple[int, int], Part]) -> list[str | Part]:
    pieces: list[str | Part] = []
    for (left, right), part in parts.items():
        if start <= left and right <= end:
            pieces += [source[start:left], part]
            start = right
    return [*pieces, source[start:end]]
