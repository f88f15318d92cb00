"""What the processes of one room use together, read from /proc (Linux). Reads, and kills those that it found."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
from functools import cache

__all__ = ["all_here", "below", "bytes_on_disk", "killed_for_memory", "memory", "owned", "stop_all_below", "tasks"]

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def _read(path: str) -> str:
    """Return a file of /proc, empty if the process has ended or is not ours to look into."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def all_here() -> list[int]:
    """Return every process that /proc shows: in the tree of a room, those of the room."""
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


@cache
def _has_lists_of_children() -> bool:
    """Whether the kernel was built with them; nearly all are."""
    return os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def _children(pid: int) -> list[int]:
    if not _has_lists_of_children():
        return [
            child for child in all_here() if _read(f"/proc/{child}/stat").rpartition(")")[2].split()[1:2] == [str(pid)]
        ]
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += [int(child) for child in _read(f"/proc/{pid}/task/{task}/children").split()]
    return found


def below(pid: int) -> list[int]:
    """Return the processes that descend from `pid`, without itself; those that have ended and were not reaped too."""
    found = [pid]
    for ancestor in found:
        found += _children(ancestor)
    return found[1:]


def tasks(pids: list[int]) -> int:
    """Return how many threads these processes have."""
    count = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            count += len(os.listdir(f"/proc/{pid}/task"))
    return count


def _rough(pid: int) -> int:
    fields = _read(f"/proc/{pid}/statm").split()
    return (int(fields[1]) - int(fields[2])) * _PAGE if len(fields) > 2 else 0


def _shared_out(pid: int) -> int | None:
    """Return a process's memory that is no file's, what it shares divided by who shares it; None where we may not look."""
    text = _read(f"/proc/{pid}/smaps_rollup")
    amounts = [int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith(("Pss_Anon:", "Pss_Shmem:"))]
    return sum(amounts) if amounts else None


def memory(pids: list[int], enough: int) -> int:
    """Return the bytes of memory that these processes use. Up to `enough` it is a quick upper bound."""
    rough = {pid: _rough(pid) for pid in pids}
    if sum(rough.values()) <= enough:
        return sum(rough.values())
    total = 0
    for pid, bound in rough.items():
        exact = _shared_out(pid)
        total += bound if exact is None else exact
    return total


def killed_for_memory() -> int:
    """Return how many processes the kernel has killed on this machine for want of memory."""
    _, _, rest = _read("/proc/vmstat").partition("\noom_kill ")
    return int(rest.split(maxsplit=1)[0]) if rest else 0


def bytes_on_disk(path: str) -> int:
    """Return the bytes on disk of a file, or of a folder with all that is in it."""
    total, waiting = 0, [path]
    while waiting:
        place = waiting.pop()
        with contextlib.suppress(OSError):
            found = os.lstat(place)
            total += found.st_blocks * 512
            if stat.S_ISDIR(found.st_mode):
                waiting += [os.path.join(place, name) for name in os.listdir(place)]
    return total


def owned(folder: str, uid: int) -> list[str]:
    """Return the paths of what a uid owns in a folder."""
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                if os.lstat(path).st_uid == uid:
                    found.append(path)
    return found


def stop_all_below(pid: int) -> None:
    """Kill every process that descends from `pid`, which is their subreaper, and reap them."""
    stopped: set[int] = set()
    # First hold them, so that none is born while we look.
    for _ in range(100):
        new = set(below(pid)) - stopped
        if not new:
            break
        for child in new:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGSTOP)
        stopped |= new
    for child in stopped:
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
    for _ in range(10_000):
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
