"""Finds the stretches of a code cell that may differ between the editions, and says where they stand."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from tools.parity.names import OTHER, Pairs
from tools.parity.texts import Text, edition_argument, literal_text, marker, parse, translated

__all__ = ["Part", "Place", "find_parts", "tokens_of"]

_STRINGS = frozenset({"STRING", "FSTRING_MIDDLE"})  # The second one since Python 3.12.


@dataclass(frozen=True)
class Part:
    """A stretch of code that may differ between the editions."""

    raw: str
    swapped: str
    """`raw` with the declared names of the other edition."""
    key: str
    """Equal in both editions when nothing but the translator's words or a declared name differs."""
    words: str | None = None
    """What the translator wrote; None when it is a string of the code."""


class Place:
    """Turns rows and columns into offsets in a source."""

    def __init__(self, source: str) -> None:
        self.rows = source.split("\n")
        self._offsets = [0, *accumulate(len(row) + 1 for row in self.rows)]

    def offset(self, row: int, column: int = 0) -> int:
        """Return the offset of a character; rows count from 1, columns from 0."""
        return self._offsets[row - 1] + column

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Return where `node` starts and ends. Its own columns count UTF-8 bytes."""
        start, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
        left, right = (
            self.offset(row, len(self.rows[row - 1].encode()[:column].decode())) for row, column in (start, end)
        )
        return left, right


def tokens_of(source: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of a cell."""
    return tokenize.generate_tokens(io.StringIO(source).readline)


def find_parts(source: str, edition: str, pairs: Pairs) -> dict[tuple[int, int], Part]:
    """Return the parts of a cell by their offsets, in order and without overlap. Raises CodeError."""
    place = Place(source)
    tree = parse(source)
    found: dict[tuple[int, int], Part] = {}
    for text in translated(tree):
        left, right = place.span(text.node)
        raw = source[left:right]
        found[left, right] = Part(raw, pairs.swapped(raw, edition), _text_key(text, edition, pairs), literal_text(text))
    for node in edition_argument(tree):
        left, right = place.span(node)
        raw = source[left:right]
        key = "⟨es|ja⟩" if node.value == edition else raw
        found[left, right] = Part(raw, raw.replace(edition, OTHER[edition]), key)
    for token in tokens_of(source):
        left, right = place.offset(*token.start), place.offset(*token.end)
        part = _token_part(token, edition, pairs)
        # Python 3.12 gives a doubled brace in an f-string once: such a token is not what stands in the source.
        is_verbatim = source[left:right] == token.string
        if part and is_verbatim and not any(start <= left < end for start, end in found):
            found[left, right] = part
    return dict(sorted(found.items()))


def _text_key(text: Text, edition: str, pairs: Pairs) -> str:
    """Return a key without words: the interpolated expressions, in an order of their own."""
    values = text.node.values if isinstance(text.node, ast.JoinedStr) else []
    expressions = (ast.unparse(value) for value in values if isinstance(value, ast.FormattedValue))
    return "…" + "".join(sorted(pairs.canonical(expression, edition) for expression in expressions))


def _token_part(token: tokenize.TokenInfo, edition: str, pairs: Pairs) -> Part | None:
    raw = token.string
    if token.type == tokenize.COMMENT and not marker(raw):
        return Part(raw, pairs.swapped(raw, edition), key="", words=raw)
    if tokenize.tok_name[token.type] in _STRINGS:
        return Part(raw, pairs.swapped(raw, edition), pairs.canonical(raw, edition))
    return None
