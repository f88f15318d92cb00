"""In which language the command line speaks, and how it says that it cannot go on. It reads the locale and nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from bentocola import messages

__all__ = ["CommandError", "of_environment", "say", "speak", "tell"]

_VARIABLE = "BENTOCOLA_LANGUAGE"
_spoken: str | None = None


class CommandError(Exception):
    """What a person has to know before the command can go on: a whole sentence. The command ends with exit status 2."""


def of_environment(environment: Mapping[str, str] | None = None) -> str | None:
    """Return "es" or "ja" where the environment says so, or None.

    First the course's own variable, then the locale in POSIX's order of precedence (LC_ALL, LC_MESSAGES, LANG).
    """
    settings = os.environ if environment is None else environment
    if settings.get(_VARIABLE) in messages.LANGUAGES:
        return settings[_VARIABLE]
    locale = next((settings[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if settings.get(name)), "")
    language = locale.partition(".")[0].partition("_")[0].lower()
    return language if language in messages.LANGUAGES else None


def speak(language: str | None) -> None:
    """Speak this language from now on, here and in the programs that are started from here; None leaves it to the locale."""
    global _spoken
    _spoken = language
    if language is not None:
        os.environ[_VARIABLE] = language


def say(message: str, /, **values: object) -> str:
    """Return a message of the catalogue in the person's language, or in both, one a line, where it is not known."""
    language = _spoken or of_environment()
    if language is None:
        return messages.both(message, **values)
    return messages.translate(language, message, **values)


def tell(text: str) -> None:
    """Print a sentence where errors and news go, beside a command's own output."""
    print(text, file=sys.stderr, flush=True)
