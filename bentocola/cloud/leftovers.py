"""Folders in the system's temporary one that belong to a process, and what becomes of those whose process was killed.

A file in such a folder is locked for as long as its process lives, or one that was forked from it. Where the system has no such
locks, nothing is marked and nothing is taken away.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["hold", "sweep"]

_HELD = ".held"


def hold(folder: str) -> int | None:
    """Mark a folder whose name begins with `bentocola-` as this process's, to its end.

    Return the descriptor that does it, to be closed by who removes the folder before; None where nothing could be marked.
    """
    try:
        import fcntl

        unfinished = os.path.join(folder, f"{_HELD}.new")
        number = os.open(unfinished, os.O_CREAT | os.O_WRONLY, 0o600)
        fcntl.flock(number, fcntl.LOCK_EX)
        os.rename(unfinished, os.path.join(folder, _HELD))  # only now can it be swept
    except (ImportError, OSError):
        return None
    return number


def sweep() -> None:
    """Take away this user's folders that were held by a process that is no more."""
    try:
        import fcntl
    except ImportError:
        return
    for folder in Path(tempfile.gettempdir()).glob("bentocola-*"):
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            number = os.open(folder / _HELD, os.O_WRONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(number)
