"""Locks the process that it is called in, a room, and returns there: the candidate's or the examiner's.

On Linux two or three processes come of the one that the invigilator started: that one becomes the `keeper`; at level A an init
owns the room's pid namespace; the last one is the room. Touches these processes, and at level B a temporary folder.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import stat
import sys
import tempfile
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from . import elsewhere, environment, identity, kernel, landlock, limits, seccomp, tree, visible
from .endings import SIGNAL_OF_CAUSE
from .keeper import END_OF_ROOM, LISTENED_TO, Keeper, end_with, reap
from .settings import FOLDER, HOME, TMPFS, JailSettings

__all__ = ["Room", "enter_candidate", "enter_examiner", "prepare", "try_namespaces"]

_NEW = kernel.NEWNS | kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS
_MOST_EAGER_TO_DIE = "1000"


class HasFileno(Protocol):
    """A connection, a socket, a file."""

    def fileno(self) -> int: ...


@dataclass(frozen=True)
class Room:
    """Where a room's process finds itself: its working folder (which it is in) and its home."""

    folder: str
    home: str


def prepare() -> None:
    """Work out what all rooms share, once, before they are forked. Without it each room takes some milliseconds more."""
    visible.lay_out(visible.python_and_system())
    if identity.is_root():
        identity.unused_uid()
    with contextlib.suppress(OSError):
        for shares_uid in (False, True):
            for sockets in (False, True):
                seccomp.program(kernel.machine(), sockets=sockets, shares_uid=shares_uid)


def enter_candidate(settings: JailSettings, keep: Iterable[int | HasFileno] = ()) -> Room:
    """Lock this process for a student's code. Call it first in a freshly started, single-threaded process; returns in the room.

    `keep`: the connections, or descriptors, that stay open; all others are closed, and 0, 1, 2 lead to /dev/null unless named.
    A failure does not raise: the process that the invigilator holds says it on stderr and ends, and `Jailed.why()` is "jail".
    """
    return _enter(settings, keep)


def enter_examiner(settings: JailSettings, keep: Iterable[int | HasFileno] = ()) -> Room:
    """Lock this process for the source's tests and what a student's code hands them; otherwise as `enter_candidate`.

    The same lock: no network, no gradebook, no home. What the tests read stands in `settings.readable`.
    """
    return _enter(settings, keep)


def _enter(settings: JailSettings, keep: Iterable[int | HasFileno]) -> Room:
    kept = sorted({item if isinstance(item, int) else item.fileno() for item in keep})
    if sys.platform != "linux":
        return Room(*elsewhere.enter(settings))
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, LISTENED_TO)
    try:
        return _Entrance(settings, kept, set(old_mask) - LISTENED_TO).enter()
    except BaseException as error:  # whatever it is, nothing may run here unlocked
        _give_up(error)


def _give_up(error: BaseException) -> NoReturn:
    print(f"A room could not be locked: {_sentence(error)}", file=sys.stderr, flush=True)
    end_with(-SIGNAL_OF_CAUSE["jail"])


def _sentence(error: BaseException) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error or type(error).__name__} ({os.path.basename(place.filename)}, {place.name})"


class _Entrance:
    """The steps from the process that was started to the locked room, in their order."""

    def __init__(self, settings: JailSettings, kept: list[int], mask: set[Any]) -> None:
        self.settings = settings
        self.kept = kept
        self.mask = mask
        level = settings.level
        self.landlocked = level < "B" or _has_landlock()
        """Whether there has to be Landlock."""
        self.namespaces = level == "A" or (level == "B" and not self.landlocked)
        """B is one of the two; each by itself keeps a room from the teacher's files, network and processes."""
        self.uid: int | None = None
        """The uid to take, None to stay who we are."""
        self.base: str | None = None
        """The temporary folder of a room that has no tree of its own."""

    def enter(self) -> Room:
        """Become the keeper, fork the room, and return in the room."""
        prepare()
        os.setsid()
        kernel.die_with_parent(signal.SIGTERM)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # What came of it goes to the keeper by one pipe; the other tells the children whether the keeper is still there.
        self.ready, self.tell = os.pipe()
        self.life, self.alive = os.pipe()
        os.set_blocking(self.life, False)
        self.own_uid = os.getuid()
        if identity.is_root():
            self.uid = identity.unused_uid()
        if not self.namespaces:
            self._make_folder()
        # Before the forks, so that the init too shows nothing of the teacher's command.
        environment.put_on(environment.for_room(*self._places()[1:], self.settings.environ))
        root = self._make_namespaces() if self.namespaces else None
        if root is None:
            kernel.become_subreaper()
        # From here on /proc may be the room's, in which we are not.
        keeper = Keeper(self.settings.limits, self.ready, uid=self.uid, folder=self.base)
        not_ours = self._connections()
        child = os.fork()
        if child == 0:
            return self._in_child(root)
        os.close(self.tell)
        for descriptor in not_ours:
            os.close(descriptor)
        return keeper.keep(child)

    def _make_namespaces(self) -> str:
        """Leave for new namespaces, build the room's tree in them and return where it is."""
        owner = self.own_uid if self.uid is None else self.uid
        self.uid = _leave_for_new_namespaces(self.uid)
        # Taking up the namespace's capabilities took it away.
        kernel.die_with_parent(signal.SIGTERM)
        return tree.build(self.settings.readable, self.settings.folder, self.settings.limits.disk_bytes, owner)

    def _in_child(self, root: str | None) -> Room:
        try:
            os.close(self.alive)
            kernel.die_with_parent(signal.SIGKILL)
            self._end_if_alone()
            # While /proc can be written to. The init has it too, and would take all with it.
            with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
                file.write(_MOST_EAGER_TO_DIE)
            if root is not None:
                self._begin_as_init(root)
            return self._lock()
        except BaseException as error:  # the keeper says it
            os.write(self.tell, _sentence(error).encode())
            os._exit(1)

    def _begin_as_init(self, root: str) -> None:
        """Be pid 1: orphans come to it, and all end with it. Returns in the room, its child."""
        tree.enter(root)
        room = os.fork()
        if room == 0:
            return
        try:
            kernel.be_dumpable(False)
            os.closerange(0, self.tell)
            os.closerange(self.tell + 1, 1 << 20)
            status = None
            while status is None:
                if signal.sigwait(LISTENED_TO) == signal.SIGINT:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(room, signal.SIGINT)
                status = reap(room)
            os.write(self.tell, END_OF_ROOM + str(status).encode())
        finally:
            os._exit(0)

    def _end_if_alone(self) -> None:
        """End if the keeper ended before we asked to die with it."""
        with contextlib.suppress(BlockingIOError):
            if not os.read(self.life, 1):
                os._exit(1)

    def _make_folder(self) -> None:
        """Without a tree of its own, the room gets a temporary folder with what it may write to."""
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="autograder-"))
        for name in ("", "home", "work", "tmp"):
            path = os.path.join(self.base, name)
            os.makedirs(path, mode=0o700, exist_ok=True)
            if self.uid is not None:
                os.chown(path, self.uid, self.uid)

    def _connections(self) -> list[int]:
        """Return what the keeper has to close: an end left open would hide from the other side that the room has ended."""
        found = []
        for descriptor in (int(name) for name in os.listdir("/proc/self/fd")):
            with contextlib.suppress(OSError):  # the one by which we listed them
                if descriptor > 2 and (descriptor in self.kept or stat.S_ISSOCK(os.fstat(descriptor).st_mode)):
                    found.append(descriptor)
        return found

    def _lock(self) -> Room:
        """In the room: take up the locks, each after what it would forbid."""
        settings = self.settings
        os.setsid()
        optional = contextlib.suppress(OSError) if settings.level > "B" else contextlib.nullcontext()
        with optional:
            identity.become(self.uid)
        shares_uid = not self.namespaces and os.getuid() == self.own_uid
        kernel.die_with_parent(signal.SIGKILL)
        self._end_if_alone()
        self._close_descriptors()
        os.umask(0o022)
        folder, home, _ = self._places()
        with optional:
            limits.restrict(settings.limits, counts_alone=not shares_uid)
        with optional:
            if self.landlocked:
                landlock.restrict(*self._may_open(folder))
        with optional:
            seccomp.restrict(sockets=self.namespaces, shares_uid=shares_uid)
        os.chdir(folder)
        tempfile.tempdir = None
        random.seed()
        os.write(self.tell, b"+")
        os.close(self.tell)
        os.close(self.life)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
        return Room(folder, home)

    def _places(self) -> tuple[str, str, str]:
        """Return the working folder, the home and the temporary folder."""
        if self.base is None:
            return FOLDER, HOME, "/tmp"
        own = os.path.join(self.base, "work")
        folder = own if self.settings.folder == TMPFS else os.path.realpath(self.settings.folder)
        return folder, os.path.join(self.base, "home"), os.path.join(self.base, "tmp")

    def _may_open(self, folder: str) -> tuple[list[str], list[str]]:
        """Return what Landlock is to let the room read, and write."""
        if self.base is None:
            return ["/"], list(tree.WRITABLE)
        layout = visible.with_more(self.settings.readable)
        # Of /proc its own, and what says nothing about other processes.
        proc = [f"/proc/{name}" for name in ("self", "cpuinfo", "meminfo", "stat", "loadavg", "uptime", "filesystems")]
        # What others have in /dev/shm, and their terminals, are not ours to open; under a shared uid they would be.
        own = ["/dev/shm", "/dev/ptmx", "/dev/pts"] if self.uid is not None else []
        return [*layout.mounts, *proc], [self.base, folder, *visible.DEVICES, *own]

    def _close_descriptors(self) -> None:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            if descriptor not in self.kept:
                os.dup2(null, descriptor)
        last = 2
        for descriptor in sorted({*self.kept, self.tell, self.life, 1 << 20}):
            if descriptor > 2:
                os.closerange(last + 1, descriptor)
                last = descriptor


def try_namespaces() -> None:
    """Leave this process's namespaces for new ones, as a room at level A does. Raises OSError where that is not allowed."""
    _leave_for_new_namespaces(identity.unused_uid() if identity.is_root() else None)


def _leave_for_new_namespaces(uid: int | None) -> int | None:
    """Do so; return the uid that is still to be taken, None for none."""
    if identity.is_root() and identity.can_mount():
        kernel.unshare(_NEW)
        return uid
    if uid is not None:  # root of a container that may not mount
        identity.become(uid)
    user, group = os.getuid(), os.getgid()
    kernel.unshare(_NEW | kernel.NEWUSER)
    kernel.be_dumpable(True)
    identity.map_self(user, group)
    return None


def _has_landlock() -> bool:
    with contextlib.suppress(OSError):
        return bool(landlock.abi())
    return False
