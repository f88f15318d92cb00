"""Two real processes with a pipe between them: this one is the examiner, a forked one the candidate."""

from __future__ import annotations

import contextlib
import linecache
import multiprocessing
import os
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from autograder.crossing import Crossing
from autograder.peer import Peer
from autograder.records import Limits

_context = multiprocessing.get_context("fork")
CELL = "<ipython-input-1>"


@dataclass
class Other:
    """The other process, seen from here."""

    peer: Peer
    process: BaseProcess

    def ask(self, op: str, head: Any = None) -> Any:
        """Return the head of the answer."""
        return self.peer.call(op, head)[0]


@contextlib.contextmanager
def other_process(run: Callable[[Peer], None], *, limits: Limits | None = None) -> Iterator[Other]:
    """Fork a process in which `run(peer)` prepares what its main thread then serves, and end it afterwards."""
    limits = limits or Limits()

    def room(mine: Connection, theirs: Connection) -> None:
        theirs.close()
        peer = Peer(mine, limits=limits, name="examiner")
        run(peer)
        peer.serve()

    with raw_process(room) as (connection, process):
        peer = Peer(connection, limits=limits, name="candidate")
        try:
            yield Other(peer, process)
        finally:
            peer.close()


@contextlib.contextmanager
def raw_process(room: Callable[[Connection, Connection], None]) -> Iterator[tuple[Connection, BaseProcess]]:
    """Fork a process that runs `room(its end, our end)`, and end it afterwards."""
    ours, theirs = _context.Pipe(duplex=True)
    process = _context.Process(target=room, args=(theirs, ours))
    process.start()
    theirs.close()
    try:
        yield ours, process
    finally:
        process.join(0.2)
        process.kill()
        process.join()
        with contextlib.suppress(OSError):
            ours.close()


class Candidate:
    """What a student wrote, in its own process. `candidate("name")` is what the name stands for, here."""

    def __init__(self, other: Other) -> None:
        self.other = other
        self.crossing = Crossing(other.peer, "examiner")

    def __call__(self, name: str) -> Any:
        return self.crossing.lookup(name)


@contextlib.contextmanager
def candidate(source: str, *, limits: Limits | None = None) -> Iterator[Candidate]:
    """Run a student's source in a forked process. `exam` is its peer there, `crossing` its end of the crossing."""
    text = textwrap.dedent(source)

    def run(peer: Peer) -> None:
        names: dict[str, Any] = {"__name__": "__main__", "exam": peer}
        names["crossing"] = Crossing(peer, "candidate", namespace=names)
        linecache.cache[CELL] = (len(text), None, text.splitlines(keepends=True), CELL)
        exec(compile(text, CELL, "exec", dont_inherit=True), names)

    with other_process(run, limits=limits) as other:
        yield Candidate(other)


def process_id(_head: Any = None, _body: bytes = b"") -> int:
    """Return the number of the process that it runs in."""
    return os.getpid()
