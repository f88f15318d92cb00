"""How a teacher is spoken to: the choice of the language, and the sentence that a run stops with."""

from __future__ import annotations

import locale
import os
from collections.abc import Callable
from functools import partial
from typing import TextIO

from autograder.records import Note
from bentocola.messages import LANGUAGES, both, translate

__all__ = ["Say", "Stop", "cause_in_words", "language_here", "one_line", "put", "tell", "voice", "voices"]

Say = Callable[..., str]
"""An English msgid and its values in, the text that the teacher reads out."""


class Stop(Exception):
    """The run cannot start, or cannot go on: one whole sentence, and what to do. `code` is the command's exit status."""

    def __init__(self, sentence: Callable[[Say], str], code: int = 1) -> None:
        super().__init__(sentence(both))
        self.sentence = sentence
        self.code = code


def voice(language: str) -> Say:
    """Return what speaks one language ("es", "ja"), or both where `language` is neither."""
    return partial(translate, language) if language in LANGUAGES else both


def voices(say: Say) -> list[Say]:
    """Return what to say a longer text with: `say` alone or, where it speaks both, one language after the other.

    Two languages in one table, or in each line of a list, are hard to read in either.
    """
    return [voice(language) for language in LANGUAGES] if say is both else [say]


def language_here() -> str:
    """Return the language of this machine's locale, where it is one of ours; else ""."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG")]
    first = next((name for name in names if name), "") or (locale.getlocale()[0] or "")
    # Windows says "Spanish_Spain" and "Japanese_Japan".
    spoken = {"es": "es", "ja": "ja", "sp": "es"}.get(first[:2].lower(), "")
    return spoken if first[2:3] in ("", "_", "-", ".", ":", "a", "p") else ""


def one_line(text: str) -> str:
    """Return a text for a table: where both languages are said, side by side."""
    return " / ".join(text.splitlines())


def put(text: str, stream: TextIO, before: str = "") -> None:
    """Print sentences: on a terminal they are broken between words, into a file or a pipe they go as they are.

    `before` stands in front of the first line; the others begin below its end.
    """
    if not stream.isatty():
        print(f"{before}{text}", file=stream, flush=True)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    line = Table.grid()
    if before:
        line.add_column(width=len(before))
    line.add_column(overflow="fold")
    line.add_row(*([before] if before else []), Text(text))
    Console(file=stream, highlight=False).print(line)


def tell(say: Say, note: Note) -> str:
    """Return what a note says."""
    return say(note.message, **note.values)


def cause_in_words(say: Say, cause: str) -> str:
    """Return a cause of `records.CAUSES` in a few words; one that is not known there as its name."""
    causes = {
        "error": say("error in the code"),
        "time": say("out of time"),
        "memory": say("out of memory"),
        "exit": say("ended its own process"),
        "signal": say("killed by a signal"),
        "output": say("too much output"),
        "processes": say("too many processes"),
        "disk": say("working folder full"),
        "cloud": say("refused by the local cloud"),
        "gone": say("ended by an earlier cell"),
        "protocol": say("invalid answer"),
        "examiner": say("the examiner was stopped"),
        "test-fault": say("fault in the test"),
        "missing": say("not handed in"),
    }
    return causes.get(cause, cause)
