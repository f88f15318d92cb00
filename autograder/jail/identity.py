"""Who a room is: an uid that nobody else has where the teacher is root, the teacher's own without its rights where not.

Changes this process only, for good.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from . import kernel

__all__ = ["become", "can_mount", "is_root", "map_self", "unused_uid"]

_SYS_ADMIN = 1 << 21
_FIRST, _SPAN = 0x70000000, 1 << 22
"""Where the uids of rooms start, and how many there are: one for each pid that Linux can give."""
_NOBODY = 65534


def is_root() -> bool:
    """Whether this process runs as root, if only of a container."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def can_mount() -> bool:
    """Whether this process may make namespaces without a user namespace."""
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) & _SYS_ADMIN)
    return False


@cache
def _range() -> tuple[int, int]:
    """Return the first uid to use and how many there are, for a container may have 65,536 of them only."""
    first, span = _FIRST, _SPAN
    for name in ("uid_map", "gid_map"):
        for line in Path(f"/proc/self/{name}").read_text(encoding="ascii").splitlines():
            start, _, count = (int(word) for word in line.split())
            if start <= first and first + span <= start + count:
                break
            if count > 1000:
                span = min(span, count // 2)
                first = start + count - span
    return first, span


@cache
def _taken() -> frozenset[int]:
    """Return the uids that have an account."""
    import pwd

    return frozenset({entry.pw_uid for entry in pwd.getpwall()} | {0, _NOBODY})


def unused_uid() -> int:
    """Return an uid (and gid) that has no account, another one for each live process that asks."""
    taken = _taken()
    first, span = _range()
    uid = first + os.getpid() % span
    while uid in taken:
        uid = first + (uid + 1 - first) % span
    return uid


def become(uid: int | None) -> None:
    """Take this uid and gid (None: stay who we are), give up every capability. Raises OSError where that is not allowed.

    The parent's death signal is lost by it.
    """
    kernel.bound_capabilities()
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    kernel.drop_capabilities()
    kernel.no_new_privileges()
    # /proc/self belongs to root after a change of uid, and multiprocessing and shells read there.
    kernel.be_dumpable(True)


def map_self(uid: int, gid: int) -> None:
    """In a fresh user namespace, be who we were outside."""
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")
