"""Shell commands over several lines, as a lab's notebook sets them: a panel beside a view is narrow. Texts only."""

from __future__ import annotations

import re

__all__ = ["WIDTH", "wrapped"]

WIDTH = 48
"""Characters that a line may have."""
_GOES_ON = " \\"
_INDENT = "  "
_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|\S)+""")
"""A word of the shell, with its quotes."""


def wrapped(commands: str) -> str:
    """Return commands, one a line, with each broken at its options. A shell reads the same words.

    A line has at most `WIDTH` characters, the backslash at its end with it, unless a single word is longer.
    """
    found: list[list[str]] = []
    end = 0
    for word in _WORD.finditer(commands):
        # A line break within quotes is inside a word.
        if not found or "\n" in commands[end : word.start()]:
            found.append([])
        found[-1].append(word[0])
        end = word.end()
    return "\n".join(f"{_GOES_ON}\n".join(_lines(words)) for words in found)


def _lines(words: list[str]) -> list[str]:
    """The words of one command, line by line, without what ends a line that goes on."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word.startswith("--"):
            parts.append([])
        parts[-1].append(word)
    lines: list[str] = []
    for part in parts:
        whole = " ".join(part)
        pieces = [whole] if _fits(_INDENT + whole) else part
        for place, piece in enumerate(pieces):
            # An option apart from its value begins a line.
            is_apart = len(pieces) > 1 and place == 0
            if lines and not is_apart and _fits(f"{lines[-1]} {piece}"):
                lines[-1] += f" {piece}"
            else:
                lines.append(f"{_INDENT}{piece}" if lines else piece)
    return lines


def _fits(line: str) -> bool:
    return len(line + _GOES_ON) <= WIDTH
