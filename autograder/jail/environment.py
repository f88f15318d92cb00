"""A room's environment variables: what Python needs, keys that nobody issued, and nothing of the teacher's.

Changes this process only: `os.environ`, and the memory behind /proc/self/environ and /proc/self/cmdline.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from bentocola.cloud.environment import FAKE

from . import kernel

__all__ = ["for_room", "put_on"]

_KEPT = ("TZ", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT")
"""What says nothing about a teacher: the time zone, as a run by stock nbgrader has it, and what Windows cannot start without."""
_ARG_START = 48
"""The field of /proc/self/stat, as proc(5) counts; after it come arg_end, env_start and env_end."""


def for_room(home: str, temporary: str, more: dict[str, str]) -> dict[str, str]:
    """Return the whole environment of a room with this home folder and temporary folder."""
    binaries = os.path.dirname(sys.executable)
    system = os.environ.get("PATH", "") if sys.platform == "win32" else "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    return {
        **{name: os.environ[name] for name in _KEPT if name in os.environ},
        **FAKE,
        "HOME": home,
        "IPYTHONDIR": os.path.join(home, ".ipython"),
        "LANG": "C.UTF-8",
        "LOGNAME": "student",
        "MPLCONFIGDIR": os.path.join(home, ".config", "matplotlib"),
        "PATH": os.pathsep.join((binaries, system)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
        "SHELL": "/bin/sh",
        "TEMP": temporary,
        "TERM": "xterm-color",  # as ipykernel sets it
        "TMP": temporary,
        "TMPDIR": temporary,
        "USER": "student",
        "USERPROFILE": home,
        "XDG_CACHE_HOME": os.path.join(home, ".cache"),
        **more,
    }


def put_on(environ: dict[str, str]) -> None:
    """Make `environ` the whole environment of this process, also as the kernel shows it to others."""
    os.environ.clear()
    os.environ.update(environ)
    if hasattr(time, "tzset"):
        time.tzset()
    if sys.platform == "linux":
        _forget_start()


def _forget_start() -> None:
    """Overwrite the variables and arguments with which this program was once started: they stay in its memory for ever.

    Python has its own copies of both, and the C library's table was emptied before.
    """
    fields = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    # After the name, the first field is the third one.
    argument_start, argument_end, start, end = (int(field) for field in fields[_ARG_START - 3 :][:4])
    kernel.overwrite_memory(start, end, b"")
    kernel.overwrite_memory(argument_start, argument_end, b"room")
