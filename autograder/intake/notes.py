"""What intake has to say, by a short code: each repair, each refusal. Texts only."""

from __future__ import annotations

import unicodedata

from autograder.records import Note

__all__ = ["MESSAGES", "REFUSALS", "TAMPERING", "note", "shown"]

MESSAGES: dict[str, str] = {
    # The file
    "renamed": "The file {file} was taken for {notebook}.ipynb.",
    "other-file": "{notebook}.ipynb was still as released; {file} has answers and was graded.",
    "several-files": "Several files could be {notebook}.ipynb; {file} was graded.",
    "bom": "A mark for the byte order stood before the notebook; it was left out.",
    "encoding": "The file was not in UTF-8; it was read as {encoding}.",
    "trailing": "More stood after the end of the notebook; it was left out.",
    "nbformat": "The notebook was in format {version}; it was read as format 4.",
    "kernel-missing": "The notebook named no kernel; the assignment's was put in.",
    "kernel": "The notebook named the kernel {kernel}; the assignment's was put in.",
    "line-ends": "Some lines ended as on Windows or an old Mac; they end with a line feed now.",
    "characters": "Some characters were only half there; a sign stands for each.",
    "unreadable-cells": "Parts of {count} cells had no known form; what could be read was kept.",
    "cell-ids": "Some cells had no valid id of their own; they were given one.",
    # Cells of the student's
    "duplicate-answer": "The answer cell {cell} was there several times. The last one counts; the others run too.",
    "stub-copy": "A second {cell} was still as released; it does not run.",
    "recognised": "The cell {cell} had lost its name; its place and its text gave it away.",
    "unknown-cell": "The assignment has no cell {got}; it runs as a cell of the student's own.",
    "answer-missing": "The answer cell {cell} was missing; an empty one was put back.",
    "answer-type": "The answer cell {cell} was of type {got}; it is of type {expected} again.",
    # Cells of the teacher's
    "duplicate": "The assignment's cell {cell} was there several times; one of them counts.",
    "missing": "The assignment's cell {cell} was missing; it was put back.",
    "moved": "The cell {cell} stood elsewhere; it was put back in its place.",
    "edited": "The text of {cell} was not as released; the assignment's was put back.",
    "type": "The assignment's cell {cell} was of type {got}; it is of type {expected} again.",
    "settings": "The settings of {cell} were not as released ({names}); the assignment's were put back.",
    # Refusals
    "no-notebook": "No file was handed in for {notebook}.ipynb.",
    "link": "{file} is a link, so it was not opened. Ask for the file itself.",
    "folder": "{file} is a folder, where a notebook was expected. Ask for the file itself.",
    "not-a-file": "{file} is a device or a pipe, so it was not opened. Ask for the file itself.",
    "unreadable": "{file} could not be read ({error}). Check its permissions.",
    "too-large": "{file} has {size} MB, and up to {limit} MB are read. Ask for it without outputs.",
    "empty": "{file} is empty. Ask for the notebook again.",
    "truncated": "{file} ends in the middle (line {line}). Ask for the notebook again.",
    "not-json": "{file} is no notebook: line {line} is not JSON. Ask for the notebook again.",
    "not-a-notebook": "{file} is JSON, but no notebook: it has no list of cells. Ask for it again.",
    "too-deep": "{file} is nested too deeply for a notebook. Ask for the notebook again.",
    "too-many-cells": "{file} has {count} cells, and up to {limit} are read. Ask for a shorter one.",
    # Files beside the notebook
    "extra-link": "{file} is a link; it was left out.",
    "extra-not-a-file": "{file} is a device or a pipe; it was left out.",
    "extra-too-large": "{file} has {size} MB, and up to {limit} MB are taken; it was left out.",
    "extra-too-many": "More than {limit} files lay beside the notebook; the rest was left out.",
    "extra-name": "{file} has a name that leads elsewhere; it was left out.",
}
"""The English msgid of each code."""

REFUSALS = frozenset(
    {
        "no-notebook",
        "link",
        "folder",
        "not-a-file",
        "unreadable",
        "too-large",
        "empty",
        "truncated",
        "not-json",
        "not-a-notebook",
        "too-deep",
        "too-many-cells",
    }
)
"""The codes that leave nothing to grade."""

TAMPERING = frozenset({"edited", "type", "settings", "missing"})
"""The codes of a change to what is the teacher's. An honest student's notebook has none of them."""

_SHOWN = 80


def note(code: str, cell: str | None = None, **values: object) -> Note:
    """Return a note. `cell` fills the place of that name; values are made safe to show."""
    filled = {name: shown(str(value)) for name, value in values.items()}
    if cell is not None:
        filled["cell"] = cell
    return Note(MESSAGES[code], filled, cell, code)


def shown(text: str) -> str:
    """Return a text of the student's for a message: short, in one line, without what moves or hides letters on a screen."""
    kept = "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(letter)[0] == "C" else letter for letter in text)
    return kept if len(kept) <= _SHOWN else kept[: _SHOWN - 1] + "…"
