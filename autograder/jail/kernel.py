"""Calls of the Linux kernel that Python 3.11 has no function for, by ctypes. Every one changes this process only.

Importable on any system; a call on another one raises OSError.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from functools import cache
from typing import Any

__all__ = [
    "MACHINES",
    "attach_read_only",
    "be_dumpable",
    "become_subreaper",
    "bound_capabilities",
    "die_with_parent",
    "drop_capabilities",
    "machine",
    "mount",
    "no_new_privileges",
    "overwrite_memory",
    "pivot_root",
    "prctl",
    "syscall",
    "unmount",
    "unshare",
]

MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
"""What `platform.machine()` says, and the name under which its numbers stand here."""

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_DETACH = 2
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP = 1, 4, 24
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _AMBIENT_CLEAR_ALL = 36, 38, 47, 4
_CAPABILITY_VERSION_3 = 0x20080522


def machine() -> str:
    """Return "x86_64" or "aarch64". Raises OSError for a machine whose system call numbers are not known here."""
    name = MACHINES.get(platform.machine().lower())
    if name is None or sys.maxsize <= 2**32:
        raise OSError(f"Expected a 64-bit x86_64 or aarch64 machine, this one is {platform.machine()!r}.")
    return name


@cache
def _libc() -> Any:
    if sys.platform != "linux":
        raise OSError(f"Expected Linux, this is {sys.platform}.")
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _text(value: str | None) -> bytes | None:
    return None if value is None else os.fsencode(value)


def syscall(number: int, *arguments: Any, what: str) -> int:
    """Make a system call by its number; ints, bytes and ctypes pointers as arguments. Raises OSError, with `what` in its text."""
    return _checked(_libc().syscall(ctypes.c_long(number), *[_word(value) for value in arguments]), what)


def prctl(option: int, *arguments: Any, what: str) -> int:
    """Call prctl(2). Raises OSError, with `what` in its text."""
    words = [_word(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc().prctl(ctypes.c_int(option), *words), what)


def _word(value: Any) -> Any:
    return ctypes.c_long(value) if isinstance(value, int) else value


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags` for new ones."""
    _checked(_libc().unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Call mount(2)."""
    result = _libc().mount(_text(source), _text(target), _text(kind), ctypes.c_ulong(flags), _text(data))
    _checked(result, f"mount {source} on {target}")


def unmount(target: str) -> None:
    """Take a mount away, as soon as nobody uses it."""
    _checked(_libc().umount2(_text(target), ctypes.c_int(_DETACH)), f"unmount {target}")


def attach_read_only(path: str, *, devices: bool = False) -> None:
    """Make the mount at `path`, and those below it, read-only and without set-uid programs (Linux 5.12 and later)."""
    attributes = struct.pack("QQQQ", RDONLY | NOSUID | (0 if devices else NODEV), 0, 0, 0)
    syscall(
        _MOUNT_SETATTR,
        _AT_FDCWD,
        os.fsencode(path),
        _AT_RECURSIVE,
        attributes,
        len(attributes),
        what=f"mount_setattr {path}",
    )


def pivot_root(new_root: str) -> None:
    """Make `new_root` (a mount) the root, and leave nothing of the old one."""
    os.chdir(new_root)
    syscall(_PIVOT_ROOT[machine()], b".", b".", what="pivot_root")
    unmount(".")
    os.chdir("/")


def die_with_parent(number: int) -> None:
    """Have the kernel send signal `number` when the parent's thread ends.

    Lost at each change of uid and each gain of capabilities: set it again after them.
    """
    prctl(_PR_SET_PDEATHSIG, number, what="prctl PDEATHSIG")


def be_dumpable(yes: bool) -> None:
    """Whether processes of the same uid, this one too, may look into /proc/PID."""
    prctl(_PR_SET_DUMPABLE, int(yes), what="prctl DUMPABLE")


def become_subreaper() -> None:
    """Become the parent of orphans among the descendants."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1, what="prctl SUBREAPER")


def no_new_privileges() -> None:
    """Take the effect from set-uid programs, for this process and all that it starts."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1, what="prctl NO_NEW_PRIVS")


def bound_capabilities() -> None:
    """See to it that no program gives a capability to this process any more. Nothing happens where that is not allowed."""
    for capability in range(64):
        if _libc().prctl(ctypes.c_int(_PR_CAPBSET_DROP), *map(ctypes.c_long, (capability, 0, 0, 0))) < 0:
            break  # past the last one that this kernel knows


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    _libc().prctl(ctypes.c_int(_PR_CAP_AMBIENT), *map(ctypes.c_long, (_AMBIENT_CLEAR_ALL, 0, 0, 0)))
    _checked(_libc().capset(struct.pack("Ii", _CAPABILITY_VERSION_3, 0), bytes(24)), "capset")


def overwrite_memory(start: int, end: int, text: bytes) -> None:
    """Put `text` into this process's memory from `start`, and zeros after it up to `end`."""
    if 0 < start < end:
        ctypes.memset(start, 0, end - start)
        ctypes.memmove(start, text, min(len(text), end - start - 1))
