"""How our processes begin: forked or not, holding on to nothing that they inherited, ending when their parent does.

Where the system does not end it, a thread does.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Set as AbstractSet
from multiprocessing import get_start_method, parent_process
from multiprocessing.connection import wait
from threading import Thread

__all__ = ["adopt_orphans", "can_fork", "close_all_but", "die_with_parent"]

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def can_fork() -> bool:
    """Whether processes are forked: on Linux, unless multiprocessing was told to spawn."""
    return sys.platform == "linux" and hasattr(os, "fork") and get_start_method(allow_none=True) != "spawn"


def die_with_parent(parent: int | None = None) -> None:
    """Let this process end when what started it does. `parent`: that process; if it is gone already, end now.

    On Linux this is for the thread that started it, and taking another user id, or a namespace's rights, undoes it: call it again
    after that. Elsewhere it needs a process that multiprocessing started.
    """
    if sys.platform != "linux":
        if starter := parent_process():
            Thread(target=_end_after, args=(starter.sentinel,), name="leash", daemon=True).start()
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os._exit(1)


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def adopt_orphans() -> None:
    """Let processes below this one become its children when their own parent ends, so that it can wait for them."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def close_all_but(handles: AbstractSet[int]) -> None:
    """Close every file of this process but these and the three standard ones."""
    if os.name != "posix":
        return
    first = 3
    for handle in sorted(handle for handle in handles if handle > 2):
        os.closerange(first, handle)
        first = handle + 1
    os.closerange(first, 1 << 20)
