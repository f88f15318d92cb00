"""The keeper: the process that the invigilator started. It waits for the room, passes signals on, watches what the room's
processes use together, leaves none of them behind, and ends the way the room ended.

Touches the room's processes, and with a folder of its own making that folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from typing import NoReturn

from autograder.records import Limits

from . import census
from .endings import CAUSE_OF_SIGNAL, SIGNAL_OF_CAUSE

__all__ = ["END_OF_ROOM", "LISTENED_TO", "Keeper", "end_with", "reap"]

LISTENED_TO = frozenset({signal.SIGINT, signal.SIGTERM} | ({signal.SIGCHLD} if hasattr(signal, "SIGCHLD") else set()))
"""What a keeper waits for. Blocked from the first moment on, so that none is lost."""
_SECONDS_BETWEEN_LOOKS = 0.1
_LOOKS_BETWEEN_FOLDERS = 10
_SLACK_BYTES = 64 << 20
"""A single process is to hear of its limit first, as a MemoryError, before the sum of all ends it."""
_SHARED_MEMORY = "/dev/shm"
_REMEMBERED_LOOKS = 10
END_OF_ROOM = b"\0"


class Keeper:
    """What looks after one room. Make it before the room is forked: from then on /proc may be the room's.

    `ready`: a descriptor from which can be read what came of it: b"+" once the room is locked, else a sentence; then, at level A,
    END_OF_ROOM and the room's wait status. `uid`: the room's own. `folder`: one to remove at the end, whose size nothing else
    limits.
    """

    def __init__(self, limits: Limits, ready: int, uid: int | None, folder: str | None) -> None:
        self.limits, self.ready, self.uid, self.folder = limits, ready, uid, folder
        self.child = 0
        # The room starts as our twin.
        self._enough = census.memory([os.getpid()], sys.maxsize) + limits.memory_bytes + _SLACK_BYTES
        self._looks = 0
        self._killed_before = census.killed_for_memory()
        self._crowded = -_REMEMBERED_LOOKS
        """At which look there were as many processes as may be."""

    def keep(self, child: int) -> NoReturn:
        """Wait for `child`, the room or the init above it, and clear up after it, then end this process."""
        self.child = child
        cause: str | None = None
        status: int | None = None
        while status is None and cause is None:
            arrived = signal.sigtimedwait(LISTENED_TO, _SECONDS_BETWEEN_LOOKS)
            if arrived is not None and arrived.si_signo == signal.SIGINT:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGINT)
            elif arrived is not None and arrived.si_signo == signal.SIGTERM:
                cause = self._look() or "stopped"
                if self._looks - self._crowded < _REMEMBERED_LOOKS:
                    cause = "processes"
            status = reap(child)
            if status is None and arrived is None:
                cause = self._look()
        self._clear_away()
        told, _, end = self._what_was_told().partition(END_OF_ROOM)
        if end:
            status = int(end)
        if told != b"+" and cause is None:
            print(
                f"A room could not be locked: {told.decode(errors='replace') or 'it ended before.'}",
                file=sys.stderr,
                flush=True,
            )
            cause = "jail"
        if cause is not None or status is None:
            end_with(-SIGNAL_OF_CAUSE.get(cause or "", int(signal.SIGKILL)))
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGKILL and census.killed_for_memory() > self._killed_before:
            # Not by us, so by the kernel: a container may have less memory than the limit.
            end_with(-SIGNAL_OF_CAUSE["memory"])
        end_with(-int(signal.SIGUSR1) if -code in CAUSE_OF_SIGNAL else code)

    def _look(self) -> str | None:
        """Return the limit that the room's processes are over, if any."""
        pids = self._processes()
        self._looks += 1
        if census.tasks(pids) >= self.limits.processes:
            self._crowded = self._looks
        if census.memory(pids, self._enough) > self._enough:
            return "memory"
        if self.folder and self._looks % _LOOKS_BETWEEN_FOLDERS == 0:
            written = sum(census.bytes_on_disk(path) for path in (self.folder, *self._shared_memory()))
            return "disk" if written > self.limits.disk_bytes else None
        return None

    def _shared_memory(self) -> list[str]:
        """Return what a room without a tree has in the machine's /dev/shm, to which it needs an uid of its own."""
        return [] if self.uid is None else census.owned(_SHARED_MEMORY, self.uid)

    def _processes(self) -> list[int]:
        # At level A our root was turned with the room's, and /proc shows its processes, not us.
        if not os.path.exists("/proc/self"):
            return [pid for pid in census.all_here() if pid != 1]
        return census.below(os.getpid())

    def _clear_away(self) -> None:
        """Leave no process of the room, and no file."""
        if self.folder is None:
            # An init that ends takes every process of its namespace with it, and ends last.
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self.child, signal.SIGKILL)
                os.waitpid(self.child, 0)
            return
        census.stop_all_below(os.getpid())
        for path in (self.folder, *self._shared_memory()):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(path)

    def _what_was_told(self) -> bytes:
        told = b""
        with contextlib.suppress(OSError):
            while part := os.read(self.ready, 4096):
                told += part
        return told


def reap(awaited: int) -> int | None:
    """Reap the children that have ended; return the wait status of `awaited` if it is among them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == awaited:
                found = status
    return found


def end_with(code: int) -> NoReturn:
    """End this process with an exit code, or with a signal (negative), as `multiprocessing.Process.exitcode` shows them."""
    if code < 0:
        number = -code
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
        os._exit(128 + number)
    os._exit(code)
