"""Resource limits of this process and all that it starts (POSIX). They can be lowered and never raised again.

What they count: memory and processor time a process, processes a user, file size a file. `keeper` watches the sums.
"""

from __future__ import annotations

import os
from pathlib import Path

from autograder.records import Limits

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["available", "restrict"]

_OWN_PROCESSES = 4
"""The room's keeper and its init, and room for one that is just being reaped."""
_OPEN_FILES = 512
_BACKSTOP_SECONDS = 60
"""The clock on the wall stops a cell; processor time stops what nobody is left to stop."""


def available() -> bool:
    """Whether this system has such limits."""
    return resource is not None


def _address_space() -> int:
    """Return the bytes of address space in use, 0 where that is not known."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _tasks_of_uid(uid: int) -> int:
    """Return how many threads of all processes a uid has (Linux)."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"{entry.path}/task"))
            except OSError:
                continue  # it has ended
    return count


def restrict(limits: Limits, *, counts_alone: bool) -> None:
    """Set the limits. Raises OSError or ValueError where the system refuses.

    `counts_alone`: whether the room's uid is nobody else's, or has a namespace of its own, so that only its processes count.
    """
    if resource is None:
        return
    seconds = int(limits.submission_seconds) + _BACKSTOP_SECONDS
    processes = limits.processes + _OWN_PROCESSES
    if not counts_alone:
        processes += _tasks_of_uid(os.getuid()) if os.path.isdir("/proc/self/task") else 10_000
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": seconds,
        # On top of what the room has mapped already, nearly all of it shared with other rooms.
        "RLIMIT_AS": _address_space() + limits.memory_bytes,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": _OPEN_FILES,
        "RLIMIT_NPROC": processes,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_RTPRIO": 0,
        "RLIMIT_NICE": 0,
    }
    for name, value in wanted.items():
        which = getattr(resource, name, None)
        if which is None or (name == "RLIMIT_AS" and not _address_space()):
            continue  # macOS has no such limit, or one that does nothing
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # At the soft limit of processor time comes SIGXCPU, which can be ignored; at the hard one SIGKILL.
        last = value + 5 if name == "RLIMIT_CPU" and hard == resource.RLIM_INFINITY else value
        resource.setrlimit(which, (value, last))
