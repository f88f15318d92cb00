"""The folder of this user's clouds in the system's temporary one. Another user's folder of the same name is never trusted.

Below it a folder a port, with the ready file and the socket of the cloud there; and a file a prefix, which a lab holds.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import IO

__all__ = ["hold_prefix", "is_ours", "private_folder", "ready_files"]


def private_folder(port: int) -> Path:
    """Make the folder of a port, for this user alone. Raises OSError where somebody else's is in its place."""
    folder = _made() / str(port)
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def ready_files() -> list[Path]:
    """Return the ready files of this user's clouds, also of those that were killed."""
    above = _above()
    return sorted(above.glob("*/ready.json")) if is_ours(above) else []


def hold_prefix(prefix: str) -> IO[str] | None:
    """Hold a prefix until the file is closed, or the process ends. Raises BlockingIOError where another process holds it.

    None where the system cannot have it held: whoever starts looks for one that answers.
    """
    try:
        import fcntl

        held = (_made() / f"prefix-{prefix}").open("w", encoding="utf-8")
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        raise
    return held


def is_ours(folder: Path) -> bool:
    """Whether the folder is this user's, no link, and nobody else can look into it."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):  # Windows: the temporary folder is the user's own
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _made() -> Path:
    above = _above()
    above.mkdir(mode=0o700, exist_ok=True)
    if not is_ours(above):
        raise PermissionError(f"{above} is not this user's alone")
    return above


def _above() -> Path:
    """Its name is short: a socket's path has some hundred bytes."""
    who = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"bentocola-{who}"
