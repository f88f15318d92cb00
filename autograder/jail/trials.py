"""The trials of `protection.probe`: each layer, and levels as a whole, in a child process that then tries what it must not do.

Runs as a program of its own: reads JSON from stdin, writes {layer or level: "" or what went wrong} to stdout.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import sys
from collections.abc import Callable

from . import identity, kernel, landlock, limits, rooms, seccomp
from .settings import TMPFS, JailSettings

__all__ = ["main"]


def main() -> None:
    """Try everything, say what came of it."""
    readable = tuple(json.load(sys.stdin)["readable"])
    rooms.prepare()
    trials: dict[str, Callable[[], None]] = {
        "namespaces": _namespaces,
        "landlock": _landlock,
        "seccomp": _seccomp,
        "signals": _signals,
        "limits": _limits,
        "A": lambda: _room("A", readable),
        "B": lambda: _room("B", readable),
    }
    if identity.is_root():
        trials["uid"] = lambda: identity.become(identity.unused_uid())
    json.dump({name: _tried(trial) for name, trial in trials.items()}, sys.stdout)


def _tried(trial: Callable[[], None]) -> str:
    """Run a trial in a child; return what it raised, or what it died of."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.dup2(writing, 2)  # where a room says why it could not be locked
        os.set_inheritable(2, True)
        try:
            trial()
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{error or type(error).__name__}\n".encode())
            os._exit(1)
    os.close(writing)
    with open(reading, encoding="utf-8", errors="replace") as file:
        said = file.read().strip()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code == 0:
        return ""
    if said:
        return said.splitlines()[-1].removeprefix("A room could not be locked: ")
    return signal.strsignal(-code) or f"signal {-code}" if code < 0 else f"exit code {code}"


def _refused(what: str, call: Callable[[], object]) -> None:
    """Raise OSError if a call that must not work works."""
    try:
        call()
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.ENOENT, errno.EROFS):
            return
        raise
    raise OSError(f"{what} was possible all the same.")


def _namespaces() -> None:
    """With a user namespace where we are not root; mounting shows whether its capabilities are real."""
    rooms.try_namespaces()
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)
    kernel.mount("tmpfs", "/proc", "tmpfs", kernel.NOSUID)


def _landlock() -> None:
    landlock.restrict([os.path.dirname(__file__)], [])
    _refused("Opening a file that Landlock forbids", lambda: os.listdir("/"))
    os.listdir(os.path.dirname(__file__))


def _seccomp() -> None:
    seccomp.restrict(sockets=True, shares_uid=False)
    _refused("Making a socket for a network", lambda: socket.socket(socket.AF_INET).close())
    os.getpid()


def _signals() -> None:
    """A user of its own, processes of its own, or Landlock: one of them has to hold."""
    if not identity.is_root() and landlock.abi() < landlock.ABI_FOR_SIGNALS:
        rooms.try_namespaces()


def _limits() -> None:
    limits.restrict(JailSettings().limits, counts_alone=True)


def _room(level: str, readable: tuple[str, ...]) -> None:
    """Lock a room, and see from inside that Python can be read, that /proc is there and that nothing else is."""
    rooms.enter_candidate(JailSettings(level=level, readable=readable, folder=TMPFS), keep=(2,))
    with open(os.__file__, encoding="utf-8") as file:
        file.read(1)
    with open("there", "w", encoding="ascii") as file:
        file.write("written")
    _refused("Making a socket for a network", lambda: socket.socket(socket.AF_INET).close())
    _refused("Reading what belongs to root", lambda: os.listdir("/boot"))
    _refused("Writing outside of the working folder", lambda: open("/etc/autograder-was-here", "w").close())
    if not os.path.exists("/proc/self/status"):
        raise OSError("There is no /proc in the room.")
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
