"""What a student or a teacher reads, in their language: one gettext catalogue a language, under `locales/`.

The msgid is the English sentence, so that a maintainer can read the code; it is shown only if a translation is missing, and a
test asserts that none is.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

__all__ = ["LANGUAGES", "both", "translate"]

LANGUAGES = ("es", "ja")
_LOCALES = Path(__file__).parent / "locales"


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation("bentocola", _LOCALES, languages=[language])


def translate(language: str, message: str, /, **values: object) -> str:
    """Return `message` (an English msgid with `{named}` places) in `language`, with its places filled."""
    text = _catalogue(language).gettext(message)
    return text.format(**values) if values else text


def both(message: str, /, **values: object) -> str:
    """Return `message` in every language, one a line: for the moments when the reader's language is not known."""
    return "\n".join(translate(language, message, **values) for language in LANGUAGES)
