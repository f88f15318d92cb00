"""What macOS and Windows give a room: limits, if any, and an environment without the teacher's. No file is out of reach.

Changes this process, and makes a temporary folder.
"""

from __future__ import annotations

import contextlib
import os
import tempfile

from . import environment, limits
from .settings import TMPFS, JailSettings

__all__ = ["enter"]


def enter(settings: JailSettings) -> tuple[str, str]:
    """Put on what there is; return the working folder and the home."""
    base = os.path.realpath(tempfile.mkdtemp(prefix="autograder-"))
    folder, home, temporary = (os.path.join(base, name) for name in ("work", "home", "tmp"))
    for path in (folder, home, temporary):
        os.makedirs(path)
    if settings.folder != TMPFS:
        folder = os.path.realpath(settings.folder)
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()
    environment.put_on(environment.for_room(home, temporary, settings.environ))
    with contextlib.suppress(OSError, ValueError):
        limits.restrict(settings.limits, counts_alone=False)
    os.chdir(folder)
    tempfile.tempdir = None
    return folder, home
