"""A sentence of the catalogues, recognised in one language and told in the other: for feedback, which is in both. Pure.

A message of a course's checks is made of lines, each one a translation with its places filled. Which one it was is found by
matching: what the places hold goes into the other language's sentence, and is itself retold if it is a translation.
"""

from __future__ import annotations

import gettext
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bentocola.messages
from bentocola.messages import LANGUAGES, translate

__all__ = ["Retold", "recognise", "retell", "retell_sentences"]

_PLACE = re.compile(r"(\{[a-z_]+\})")
_END = {"es": re.compile(r"(?<=[.!?…])\s+"), "ja": re.compile(r"(?<=[。！？…])\s*")}
"""Between two sentences that stand in one line."""
_BETWEEN = {"es": " ", "ja": ""}
_DEEPEST = 3
"""A line holds a fact or an experiment, and those hold nothing."""


@dataclass(frozen=True)
class Retold:
    """A sentence that was recognised: its msgid, and what stands in its places."""

    msgid: str
    values: dict[str, str]


@cache
def _sentences(language: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each msgid of the catalogue with the parts of its translation: text, place, text, …; the longest text first."""
    path = Path(bentocola.messages.__file__).parent / "locales" / language / "LC_MESSAGES" / "bentocola.mo"
    with path.open("rb") as file:
        # There is no public way to list a catalogue.
        catalogue: dict[object, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    found = [
        (msgid, tuple(_PLACE.split(text)))
        for msgid, text in catalogue.items()
        # What has no word of its own fits any text.
        if isinstance(msgid, str) and msgid and any(map(str.isalnum, "".join(_PLACE.split(text)[::2])))
    ]
    return tuple(sorted(found, key=lambda one: -sum(len(part) for part in one[1][::2])))


def recognise(text: str, language: str) -> Retold | None:
    """Return which sentence of the catalogue a text is, or None. Of several, the one with the most words of its own."""
    for msgid, parts in _sentences(language):
        # Quick: nearly all fall at the first comparison.
        if not text.startswith(parts[0]) or not text.endswith(parts[-1]):
            continue
        if len(parts) == 1:
            if text == parts[0]:
                return Retold(msgid, {})
            continue
        if not all(part in text for part in parts[::2]):
            continue
        names = [part[1:-1] for part in parts[1::2]]
        pattern = "(.*)".join(re.escape(part) for part in parts[::2])
        if found := re.fullmatch(pattern, text, re.DOTALL):
            values = dict(zip(names, found.groups(), strict=True))
            # A place that comes twice holds the same twice.
            if all(values[name] == value for name, value in zip(names, found.groups(), strict=True)):
                return Retold(msgid, values)
    return None


def retell(text: str, language: str, other: str) -> str:
    """Return a message, line by line, in the other language. A line that is no sentence of the catalogue stays as it is.

    Raises ValueError for a language that has no catalogue.
    """
    if language not in LANGUAGES or other not in LANGUAGES:
        raise ValueError(f"Expected two of the languages {', '.join(LANGUAGES)}, got {language!r} and {other!r}.")
    return "\n".join(_line(line, language, other, _DEEPEST) for line in text.split("\n"))


def retell_sentences(text: str, language: str, other: str) -> str:
    """Return a text of several sentences of the catalogue, which stand side by side, in the other language.

    What is no sentence of the catalogue stays as it is. Raises ValueError as `retell`.
    """
    if language not in LANGUAGES or other not in LANGUAGES:
        raise ValueError(f"Expected two of the languages {', '.join(LANGUAGES)}, got {language!r} and {other!r}.")
    lines = (_best([piece for piece in _END[language].split(line) if piece], language) for line in text.split("\n"))
    told = [_line(sentence, language, other, _DEEPEST) for line in lines for sentence in line]
    return _BETWEEN[other].join(told)


def _best(pieces: list[str], language: str) -> list[str]:
    """Join pieces of a line to sentences of the catalogue, so that as much as can be is the catalogue's own words.

    A sentence may have a full stop in it, in its words or in a place; and what has few words of its own fits nearly anything.
    """
    best: list[tuple[int, list[str]]] = [(0, [])]
    for end in range(1, len(pieces) + 1):
        ways = []
        for begin in range(end):
            text = _BETWEEN[language].join(pieces[begin:end])
            found = recognise(text, language)
            if found is not None or begin == end - 1:
                own = len(text) - sum(map(len, found.values.values())) if found else 0
                ways.append((best[begin][0] + own, [*best[begin][1], text]))
        best.append(max(ways, key=lambda way: way[0]))
    return best[-1][1]


def _line(text: str, language: str, other: str, depth: int) -> str:
    found = recognise(text, language) if depth else None
    if found is None:
        return text
    values = {name: _line(value, language, other, depth - 1) for name, value in found.values.items()}
    return translate(other, found.msgid, **values)
