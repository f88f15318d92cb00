"""What a student or a teacher reads, in their language: one gettext catalogue a language, under `locales/`.

The msgid is the English sentence, so that a maintainer can read the code; it is shown only if a translation is missing, and a
test asserts that none is.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from functools import cache
from pathlib import Path

__all__ = ["LANGUAGES", "both", "listed", "phrase", "translate"]

LANGUAGES = ("es", "ja")
_LOCALES = Path(__file__).parent / "locales"


class _Listed(tuple[str, ...]):
    """Words for a place of a message."""

    def __str__(self) -> str:
        return ", ".join(self)


def listed(words: Iterable[str]) -> _Listed:
    """Return words for a place of a message: whoever translates it joins them as each language does."""
    return _Listed(words)


class _Phrase(str):
    """A message for a place of another."""

    __slots__ = ()


def phrase(message: str) -> str:
    """Return a message of the catalogue for a place of another: whoever translates that one translates it too."""
    return _Phrase(message)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation("bentocola", _LOCALES, languages=[language])


def translate(language: str, message: str, /, **values: object) -> str:
    """Return `message` (an English msgid with `{named}` places) in `language`, with its places filled."""
    text = _catalogue(language).gettext(message)
    if not values:
        return text
    return text.format(**{name: _joined(language, value) for name, value in values.items()})


def _joined(language: str, value: object) -> object:
    if isinstance(value, _Phrase):
        return _catalogue(language).gettext(value)
    return translate(language, ", ").join(value) if isinstance(value, _Listed) else value


def both(message: str, /, **values: object) -> str:
    """Return `message` in every language, one a line: for the moments when the reader's language is not known."""
    return "\n".join(translate(language, message, **values) for language in LANGUAGES)
