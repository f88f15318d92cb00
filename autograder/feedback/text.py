"""A student's text on a page: nothing in it can run, hide, turn around or flood what stands beside it. Touches no file."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from markupsafe import Markup, escape
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]

__all__ = ["Excerpt", "clean", "code", "depths", "excerpt", "inline"]

LONGEST_LINE = 2_000
MOST_LINES = 400
LONGEST_SAYING = 600
DEEPEST = 24
"""Characters of one line, lines of one cell, characters of one line of what is said about a check, and of
an indentation that `page.css` knows."""

# Colours, cursor movements and titles that a terminal would obey: CSI, OSC, and the other sequences of two bytes or three.
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]")
# Joiners are part of words and of emoji; all other invisible characters are shown by their number.
_KEPT = {"\n", "\t", "\u200c", "\u200d"}


@dataclass(frozen=True)
class Excerpt:
    """As much of a text as a page shows. `missing` counts the characters that it does not."""

    text: str
    missing: int = 0


def clean(text: str) -> str:
    """Return a text without terminal codes; a character that is invisible, or turns the line around, is shown as `[U+202E]`."""
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() and text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character in _KEPT:
        return character
    category = unicodedata.category(character)
    if category == "Cs":  # half of a surrogate pair: no file can hold it
        return "\N{REPLACEMENT CHARACTER}"
    if category in ("Cc", "Cf") or character in "\u2028\u2029":
        return f"[U+{ord(character):04X}]"
    return character


def excerpt(text: str) -> Excerpt:
    """Return the beginning of a text: cleaned, no line too long, and not too many of them."""
    room = LONGEST_LINE * MOST_LINES
    kept = clean(text[:room]).expandtabs(4).split("\n")
    lines = [line[:LONGEST_LINE] for line in kept[:MOST_LINES]]
    missing = sum(map(len, kept)) - sum(map(len, lines)) + max(0, len(text) - room)
    return Excerpt("\n".join(lines).rstrip(), missing)


def inline(text: str, longest: int = LONGEST_SAYING) -> Markup:
    """Return one line of what is said: escaped, what stands between backticks as code, cut where it is too long."""
    text = " ".join(clean(text[: 4 * longest]).split())
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    pieces = re.split(r"`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
    )


def depths(text: str) -> list[int]:
    """Return by how many characters each line is indented, at most `DEEPEST`: what is wrapped goes on below that place."""
    return [min(len(line) - len(line.lstrip(" ")), DEEPEST) for line in text.split("\n")]


def code(text: str) -> list[Markup]:
    """Return the lines of Python code, coloured. What is no Python comes out plain."""
    formatter = HtmlFormatter(nowrap=True)
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    # The formatter escapes, and ends each element at the end of its line.
    return [Markup(line) for line in highlight(text, lexer, formatter).removesuffix("\n").split("\n")]
