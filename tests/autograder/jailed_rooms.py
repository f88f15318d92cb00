"""Rooms for the tests of the jail: a function run in one, as root or as an ordinary user, at whatever level.

An ordinary user is made by giving up root in the process that becomes the room's keeper. Where Python lies in a folder that only
root may enter, that folder is laid open in a mount namespace of its own.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import pytest

from autograder.jail import Jailed, JailSettings, Protection, enter_candidate, kernel, probe
from autograder.leashed import close_all_but
from autograder.records import Limits

ORDINARY = 54321
"""The uid of an ordinary user."""
_SECONDS = 60


@dataclass(frozen=True)
class Kind:
    """Which room: its level, and who the teacher is."""

    level: str
    root: bool

    def __str__(self) -> str:
        return f"{self.level}-{'root' if self.root else 'user'}"


def kinds(levels: str = "AB") -> list[Kind]:
    """Return the kinds of room that can be tried here."""
    return [Kind(level, root) for level in levels for root in ((True, False) if os.geteuid() == 0 else (False,))]


def protection() -> Protection:
    """What this machine gives, tried once."""
    global _protection
    if _protection is None:
        _protection = probe()
    return _protection


_protection: Protection | None = None


def needs(kind: Kind) -> None:
    """Skip the test where the machine does not give the layers of that level."""
    if sys.platform != "linux":
        pytest.skip("Only Linux has rooms with locks.")
    if kind.level > "B":
        return
    layers = protection().layers
    wanted = (
        ("namespaces", "landlock", "seccomp", "limits")
        if kind.level == "A"
        else ("landlock", "seccomp", "limits", "signals")
    )
    if missing := [name for name in wanted if not layers[name]]:
        pytest.skip(f"This machine does not give: {', '.join(missing)}.")


def become_ordinary() -> None:
    """Give up root, as if somebody else had started this process."""
    os.setgroups([])
    os.setresgid(ORDINARY, ORDINARY, ORDINARY)
    os.setresuid(ORDINARY, ORDINARY, ORDINARY)
    kernel.be_dumpable(True)


def lay_open(path: str) -> None:
    """In a mount namespace of this process's own, let everybody reach `path`. Nothing changes for other processes."""
    closed = [above for above in reversed(Path(path).resolve().parents) if not above.stat().st_mode & 0o001]
    if not closed or os.geteuid() != 0:
        return
    kernel.unshare(kernel.NEWNS)
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)
    target = os.path.realpath(path)
    descriptor = os.open(target, os.O_PATH)
    kernel.mount("tmpfs", str(closed[0]), "tmpfs", 0, "mode=755")
    os.makedirs(target)
    kernel.mount(f"/proc/self/fd/{descriptor}", target, None, kernel.BIND)
    os.close(descriptor)


class InRoom:
    """A function that runs in a room: `function(connection, *arguments)`. What it returns, as JSON, is what `result` gives."""

    def __init__(
        self,
        kind: Kind,
        function: Callable[..., Any],
        *arguments: Any,
        limits: Limits | None = None,
        readable: tuple[str, ...] = (),
        folder: str = "tmpfs",
        keep: tuple[int, ...] = (),
        close_all_first: bool = False,
    ) -> None:
        settings = JailSettings(kind.level, limits or Limits(), readable, folder)
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe(duplex=True)
        self.process: ForkProcess = context.Process(
            target=_main, args=(theirs, kind, settings, keep, function, arguments, close_all_first), daemon=False
        )
        self.process.start()
        theirs.close()
        self.jailed = Jailed(self.process)

    def hear(self) -> Any:
        """Return what the function sent, or returned. Raises AssertionError if it raised, EOFError if it is gone."""
        assert self.connection.poll(_SECONDS), "The room says nothing."
        data = json.loads(self.connection.recv_bytes())
        assert "raised" not in data, data.get("raised")
        return data["value"]

    def tell(self, value: Any) -> None:
        """Send something to the function."""
        self.connection.send_bytes(json.dumps({"value": value}).encode())

    def end(self) -> Any:
        """Wait for the room to end by itself, and return why it did."""
        assert self.jailed.wait(_SECONDS), "The room does not end."
        return self.jailed.why()

    def close(self) -> None:
        """Leave nothing of it."""
        self.jailed.kill()
        self.connection.close()


@contextlib.contextmanager
def room(kind: Kind, function: Callable[..., Any], *arguments: Any, **more: Any) -> Iterator[InRoom]:
    """Run a function in a room, and clear it away afterwards."""
    needs(kind)
    started = InRoom(kind, function, *arguments, **more)
    try:
        yield started
    finally:
        started.close()


def result(kind: Kind, function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """Return what a function returns in a room."""
    with room(kind, function, *arguments, **more) as started:
        return started.hear()


def say(connection: Connection, value: Any) -> None:
    """From inside: send a value, for `hear`."""
    connection.send_bytes(json.dumps({"value": value}).encode())


def listen(connection: Connection) -> Any:
    """From inside: wait for what `tell` sends."""
    return json.loads(connection.recv_bytes())["value"]


def _main(
    connection: Connection,
    kind: Kind,
    settings: JailSettings,
    keep: tuple[int, ...],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    close_all_first: bool,
) -> None:
    if close_all_first:
        close_all_but({connection.fileno(), *keep})
    if os.geteuid() == 0:
        lay_open(sys.base_prefix)
        if not kind.root:
            become_ordinary()
    enter_candidate(settings, [connection, 2, *keep])
    try:
        answer = {"value": function(connection, *arguments)}
    except BaseException:
        answer = {"raised": traceback.format_exc()}
    connection.send_bytes(json.dumps(answer).encode())
