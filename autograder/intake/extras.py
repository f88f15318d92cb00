"""The files beside a student's notebook: which of them go into the candidate's working folder. It lists them, and reads none."""

from __future__ import annotations

import fnmatch
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from autograder.intake.files import Entry, entries, is_notebook, megabytes
from autograder.intake.notes import note
from autograder.records import Limits, Note
from autograder.sheet import Paper

__all__ = ["Extra", "extra_files"]

_MOST_FILES = 200
# nbgrader's own: when a submission came in.
_NOT_TAKEN = frozenset({"timestamp.txt"})


@dataclass(frozen=True)
class Extra:
    """A regular file that goes into the working folder. Read it with `read_regular`: it may change until then."""

    name: str
    """Relative to the working folder, with "/"; it stays inside."""
    path: Path
    size: int


def extra_files(
    folder: Path, paper: Paper, limits: Limits, exclude: Collection[str] = ()
) -> tuple[list[Extra], list[Note]]:
    """Return the files to take along from a student's folder, and what is said of those left out.

    A file that the assignment gives is its own, unless a pattern in `exclude` names it (nbgrader's `exclude_overwriting`).
    Notebooks are never taken along. All together they are at most half of `limits.disk_bytes`.
    """
    taken: list[Extra] = []
    notes: list[Note] = []
    room = limits.disk_bytes // 2
    given = {_folded(name) for name in paper.files}
    for entry in entries(folder):
        if entry.kind == "folder" or is_notebook(entry.name) or entry.name in _NOT_TAKEN:
            continue
        if code := _unfit(entry):
            notes.append(note(code, file=entry.name))
        elif _folded(entry.name) in given and not any(fnmatch.fnmatch(entry.name, pattern) for pattern in exclude):
            continue
        elif entry.size > min(limits.file_bytes, room):
            limit = megabytes(min(limits.file_bytes, room))
            notes.append(note("extra-too-large", file=entry.name, size=megabytes(entry.size), limit=limit))
        elif len(taken) == _MOST_FILES:
            notes.append(note("extra-too-many", limit=_MOST_FILES))
            break
        else:
            room -= entry.size
            taken.append(Extra(entry.name, entry.path, entry.size))
    return taken, notes


def _unfit(entry: Entry) -> str | None:
    if entry.kind == "link":
        return "extra-link"
    if entry.kind != "file":
        return "extra-not-a-file"
    # What is an ordinary name here may lead elsewhere on another system.
    windows = PureWindowsPath(entry.name)
    odd = any(unicodedata.category(letter) in ("Cc", "Cs") for letter in entry.name)
    parts = entry.name.split("/")
    leads = windows.drive or windows.root or ".." in windows.parts or "\\" in entry.name or "" in parts or ".." in parts
    return "extra-name" if leads or odd or windows.is_reserved() else None


def _folded(name: str) -> str:
    # On a file system that does not tell case or spelling apart, the student's file would replace the teacher's.
    return unicodedata.normalize("NFC", name).casefold()
