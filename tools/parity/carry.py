"""Carries the code of one cell into the other edition, which keeps its own comments and texts where they match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from tools.parity.lines import Line, logical_lines
from tools.parity.names import OTHER, Pairs
from tools.parity.texts import CodeError

__all__ = ["Carried", "carry"]

_ALIKE = 0.6
"""How much of a changed line must be as it was for its words to be kept."""


@dataclass(frozen=True)
class Carried:
    """The new source of a cell, and whether words in it are still in the language that the code came from."""

    source: str
    untranslated: bool


def carry(source: str, own: str, edition: str, pairs: Pairs) -> Carried:
    """Return the code of `source`, a cell of `edition`, with the names of the other edition and the words of `own`.

    The words of `own` stay where its line is the same, or alike and in the same place; other words come from `source`.
    Raises CodeError when `source` cannot be read. An `own` that cannot be read has no words to keep.
    """
    lines = logical_lines(source, edition, pairs)
    try:
        own_lines = logical_lines(own, OTHER[edition], pairs) if own.strip() else []
    except CodeError:
        own_lines = []
    partners = _partners(lines, own_lines)
    carried = [_carry_line(line, partners.get(number), edition, pairs) for number, line in enumerate(lines)]
    rows = [row for new_rows, _ in carried for row in new_rows]
    return Carried("\n".join(rows), any(_translatable(words) for _, words in carried))


def _partners(lines: list[Line], own_lines: list[Line]) -> dict[int, Line]:
    """Return, by the number of a line, the line of the other edition whose words it takes over."""
    keys, own_keys = [line.key for line in lines], [line.key for line in own_lines]
    found: dict[int, int] = {}
    for what, start, end, own_start, own_end in SequenceMatcher(None, keys, own_keys, autojunk=False).get_opcodes():
        if what == "equal":
            found.update(zip(range(start, end), range(own_start, own_end), strict=True))
        elif what == "replace":
            found.update(_alike(keys, range(start, end), own_keys, range(own_start, own_end)))
    for number, key in enumerate(keys):
        moved = [own for own, own_key in enumerate(own_keys) if own_key == key and own not in found.values()]
        if number not in found and moved:
            found[number] = moved[0]
    return {number: own_lines[own] for number, own in found.items()}


def _alike(keys: list[str], numbers: range, own_keys: list[str], own_numbers: range) -> Iterator[tuple[int, int]]:
    left = list(own_numbers)
    for number in numbers:
        for place, own in enumerate(left):
            if SequenceMatcher(None, keys[number], own_keys[own], autojunk=False).ratio() >= _ALIKE:
                yield number, own
                del left[: place + 1]
                break


def _carry_line(line: Line, partner: Line | None, edition: str, pairs: Pairs) -> tuple[list[str], list[str]]:
    """Return the rows of a carried line, those above it included, and the words in them that came along."""
    words: list[str] = []
    if partner is None:
        above = [pairs.swapped(row, edition) for row in line.above]
        words += above
    else:
        above = list(_shifted(partner.above, line.indent - partner.indent))
    if not line.pieces:
        return above, words
    if partner is not None and (partner.key, partner.indent) == (line.key, line.indent):
        return [*above, partner.raw], words
    code, foreign = _carry_code(line, partner)
    return [*above, code], words + foreign


def _carry_code(line: Line, partner: Line | None) -> tuple[str, list[str]]:
    own = [part for part in (partner.parts if partner else ()) if part.words is not None]
    code: list[str] = []
    foreign: list[str] = []
    for piece in line.pieces:
        if isinstance(piece, str):
            code.append(piece)
            continue
        match = next((part for part in own if part.key == piece.key), None) if piece.words is not None else None
        if match:
            own.remove(match)
        code.append(match.raw if match else piece.swapped)
        foreign += [] if match or piece.words is None else [piece.words]
    return "".join(code), foreign


def _shifted(rows: Iterable[str], by: int) -> Iterator[str]:
    for row in rows:
        spaces = len(row) - len(row.lstrip())
        yield " " * (spaces + by) + row.lstrip() if row.strip() else row


def _translatable(words: Iterable[str]) -> bool:
    return any(letter.isalpha() for word in words for letter in word)
