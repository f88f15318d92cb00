"""The student's folder of a lab: the files that they begin with, and in `.bentocola/` what the lab remembers.

A file of the student's is never overwritten. Nothing outside the folder is touched.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

from bentocola.messages import LANGUAGES

__all__ = ["Folder", "InUse"]

_HIDDEN = ".bentocola"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_SOUND: Mapping[str, Callable[[Any], bool]] = {
    "name": _is_text,
    "prefix": _is_text,
    "language": lambda value: value in LANGUAGES,
    "port": lambda value: type(value) is int and 1 <= value <= 65535,  # a bool is an int
    "ready_file": _is_text,
    "handed_out": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
}
"""What a remembered value has to be: the file may have been damaged, or edited."""


class InUse(Exception):
    """Another process has the lab open in this folder."""


class Folder:
    """The folder at `path`; it is made by `open`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: IO[str] | None = None

    @property
    def ready_file(self) -> Path:
        """Tells other commands where the lab's cloud is, while it runs."""
        return self.path / _HIDDEN / "ready.json"

    @property
    def trace_file(self) -> Path:
        """The trace of the lab that runs, or ran last."""
        return self.path / _HIDDEN / "trace.jsonl"

    @property
    def words_file(self) -> Path:
        """What a lab that was started from a notebook says."""
        return self.path / _HIDDEN / "server.txt"

    @property
    def settings(self) -> dict[str, Any]:
        """What was remembered when the lab was started here last: name, prefix, language, port, ready_file (a second one),
        handed_out (digest by file).

        Empty for a new folder; a value that cannot have been remembered is left out.
        """
        try:
            told = json.loads(self._settings_file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(told, dict):
            return {}
        return {name: told[name] for name, is_sound in _SOUND.items() if name in told and is_sound(told[name])}

    @property
    def _settings_file(self) -> Path:
        return self.path / _HIDDEN / "lab.json"

    def open(self) -> None:
        """Make the folder, and hold it for this process until `close`. Raises InUse, and OSError where it cannot be written."""
        (self.path / _HIDDEN).mkdir(parents=True, exist_ok=True)
        self._lock = (self.path / _HIDDEN / "lock").open("w", encoding="utf-8")
        try:
            import fcntl
        except ImportError:  # Windows: whoever starts looks for one that answers
            return
        try:
            # The system lets it go when the process ends, however it ends.
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise InUse from None

    def close(self) -> None:
        """Let the folder go."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def remember(self, **settings: Any) -> None:
        """Write down how the lab was started. Raises OSError."""
        _write(self._settings_file, json.dumps({**self.settings, **settings}, ensure_ascii=False) + "\n")

    def hand_out(self, starter: Mapping[str, str]) -> list[str]:
        """Write the starter files that are not there, and return the names of those that are. Raises OSError."""
        there = [name for name in starter if (self.path / name).exists()]
        for name in starter.keys() - set(there):
            _write(self.path / name, starter[name])
        self.remember(handed_out={**self.settings.get("handed_out", {}), **_digests(starter)})
        return there

    def begin_anew(self, starter: Mapping[str, str]) -> list[str]:
        """Put each starter file back, beside the student's own where they changed it; return the names of those set beside."""
        given = self.settings.get("handed_out", {})
        beside = []
        for name, text in starter.items():
            own = path = self.path / name
            ours = given.get(name), _digest(text.encode())
            numbers = count(2)
            while path.exists() and _digest(path.read_bytes()) not in ours:
                number = "" if path == own else f"-{next(numbers)}"
                path = own.with_name(f"{own.stem}-starter{number}{own.suffix}")
            if path != own:
                beside.append(path.name)
            _write(path, text)
        self.remember(handed_out={**given, **_digests(starter)})
        return beside


def _digests(files: Mapping[str, str]) -> dict[str, str]:
    return {name: _digest(text.encode()) for name, text in files.items()}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _write(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):
            unfinished.unlink()
