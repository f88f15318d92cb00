"""Finding and reading a student's files: which of them is which notebook. It opens regular files only, and follows no link."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.intake.notes import note
from autograder.records import Note

__all__ = ["Entry", "Refused", "entries", "is_notebook", "plain_name", "rank", "read_regular", "same_name"]

# What computers, Git and zip programs leave beside a student's files.
_NOISE = frozenset({".ipynb_checkpoints", "__pycache__", "__MACOSX", ".git", ".pytest_cache", ".venv", "node_modules"})
_NOISE_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
_MOST_ENTRIES = 2000
_DEPTH = 4
# A browser that shows a notebook as text saves it under such a name.
_ENDINGS = (".ipynb", ".ipynb.txt", ".ipynb.json")
# What systems in Spanish, Japanese and English add to the name of a copy.
_COPY = re.compile(
    r"\(\d+\)|-copy\d*|(?:^|[\s_-])copy of|copia de(?: seguridad de)?|[\s_-]*copia(?:\s*\(?\d+\)?)?$|[\s_-]*copy(?:\s*\d+)?$"
    r"|のコピー|コピー\s*[~〜-]|[\s_-]*コピー(?:\s*\(?\d+\)?)?$",
    re.IGNORECASE,
)


class Refused(Exception):
    """A file is not taken; `note` says why."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.code)
        self.note = note


@dataclass(frozen=True)
class Entry:
    """Something in a student's folder."""

    path: Path
    name: str
    """Relative to the folder, with "/"."""
    kind: str
    """"file", "folder" (one that bears a notebook's name), "link" or "other"."""
    size: int


def entries(folder: Path) -> list[Entry]:
    """Return what lies in a folder and below, in a fixed order. Links are told, and not followed. At most some thousands."""
    found: list[Entry] = []
    for entry in _walk(folder, folder, _DEPTH):
        found.append(entry)
        if len(found) >= _MOST_ENTRIES:
            break
    return found


def _walk(top: Path, folder: Path, depth: int) -> Iterator[Entry]:
    try:
        with os.scandir(folder) as scan:
            here = sorted(scan, key=lambda entry: entry.name)
    except OSError:
        return
    below = []
    for entry in here:
        path = folder / entry.name
        name = path.relative_to(top).as_posix()
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        mode = status.st_mode
        if stat.S_ISLNK(mode) or _is_junction(entry):
            yield Entry(path, name, "link", 0)
        elif stat.S_ISDIR(mode):
            if is_notebook(entry.name):
                yield Entry(path, name, "folder", 0)
            if entry.name not in _NOISE:
                below.append(path)
        elif entry.name in _NOISE_FILES or entry.name.startswith("._"):
            continue
        else:
            yield Entry(path, name, "file" if stat.S_ISREG(mode) else "other", status.st_size)
    for path in below if depth else ():
        yield from _walk(top, path, depth - 1)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    # Windows has links that are no symbolic links; Python says so from 3.12 on.
    return bool(getattr(entry, "is_junction", lambda: False)())


def is_notebook(name: str) -> bool:
    """Whether a file's name is one that a notebook may have."""
    return name.casefold().endswith(_ENDINGS)


def same_name(entry: Entry, notebook: str) -> bool:
    """Whether an entry is the notebook's own file: at the top, of the very name. Ways to write one letter are one (NFC, NFD)."""
    return unicodedata.normalize("NFC", entry.name) == unicodedata.normalize("NFC", f"{notebook}.ipynb")


def rank(entry: Entry, notebook: str) -> int | None:
    """Return how near a name is to a notebook's: 0 the same, then growing; None if it says nothing."""
    if same_name(entry, notebook):
        return 0
    got, expected = plain_name(entry.name.rpartition("/")[2]), plain_name(notebook)
    if not expected or not got:
        return None
    if got == expected:
        return 1 + entry.name.count("/")
    return 10 + entry.name.count("/") if expected in got else None


def plain_name(name: str) -> str:
    """Return a name's letters and digits alone: no ending, case, spaces or emoji, none of the marks of a copy."""
    name = unicodedata.normalize("NFKC", name)
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if name.casefold().endswith(ending):
            name = name[: -len(ending)]
            break
    name = _COPY.sub(" ", name)
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def read_regular(path: Path, most: int, name: str | None = None) -> bytes:
    """Return the bytes of a regular file of at most `most` bytes. Raises Refused for anything else, before it is read."""
    name = path.name if name is None else name
    flags = os.O_RDONLY
    # Not on every system: a link is not followed, a pipe is not waited for, a child does not inherit it.
    for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY"):
        flags |= getattr(os, flag, 0)
    try:
        before = os.lstat(path)
        if (why := _irregular(before)) is not None:
            raise Refused(note(why, file=name))
        handle = os.open(path, flags)
    except FileNotFoundError as error:
        raise Refused(note("unreadable", file=name, error=error.strerror)) from error
    except OSError as error:
        raise Refused(note("unreadable", file=name, error=error.strerror or error)) from error
    with os.fdopen(handle, "rb") as stream:
        status = os.fstat(stream.fileno())
        if (why := _irregular(status)) is not None:
            raise Refused(note(why, file=name))
        if status.st_size > most:
            raise Refused(note("too-large", file=name, size=megabytes(status.st_size), limit=megabytes(most)))
        try:
            data = stream.read(most + 1)
        except OSError as error:
            raise Refused(note("unreadable", file=name, error=error.strerror or error)) from error
    if len(data) > most:
        raise Refused(note("too-large", file=name, size=megabytes(len(data)), limit=megabytes(most)))
    return data


def _irregular(status: os.stat_result) -> str | None:
    if stat.S_ISREG(status.st_mode):
        return None
    if stat.S_ISLNK(status.st_mode):
        return "link"
    return "folder" if stat.S_ISDIR(status.st_mode) else "not-a-file"


def megabytes(count: int) -> str:
    """Return a number of bytes in MB, for a message."""
    return f"{count / (1 << 20):.3g}" if count < 100 << 20 else f"{count >> 20}"
