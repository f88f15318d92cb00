"""The two rooms of a sitting, as the invigilator holds them: started, asked, interrupted, ended.

A room is a process with its own jail. It holds its own pipes and nothing else of the invigilator's, and ends when that does.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Literal

from autograder.jail import Jailed, JailSettings
from autograder.leashed import can_fork, close_all_but, die_with_parent
from autograder.peer import Peer

__all__ = ["Room", "start_candidate", "start_examiner"]

_END_SECONDS = 10


@dataclass
class Room:
    """A room. `exam`: the other room's end of the pipe between the two, until that is started."""

    name: Literal["candidate", "examiner"]
    process: Jailed
    control: Connection
    settings: JailSettings
    exam: Connection | None = None
    _peer: Peer | None = field(default=None, repr=False)

    @property
    def peer(self) -> Peer:
        """The pipe to it, as calls. Opened at the first use, which starts threads: after the last fork."""
        if self._peer is None:
            self._peer = Peer(self.control, limits=self.settings.limits, name=self.name)
        return self._peer

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self.process.why() is None

    def interrupt(self) -> None:
        """Let what runs in it stop, as Ctrl-C does."""
        self.process.interrupt()

    def kill(self) -> None:
        """End it and all that it started."""
        self.process.kill()

    def ended(self) -> tuple[str, dict[str, str]]:
        """Wait for its end, of which a pipe of its has told, and return the cause (see CAUSES) and details.

        Raises RuntimeError if it could not be locked: then there is nothing to grade in.
        """
        if self.peer.why is None:
            # On a busy machine the pipe's end comes well before the process's.
            self.process.wait(_END_SECONDS)
        if self.alive:
            # It closed its pipe, or wrote nonsense into it, and lives on: what it does now is nobody's business any more.
            self.kill()
            return "protocol", {}
        why = self.process.why()
        assert why is not None
        if why.cause == "jail":
            raise RuntimeError(
                f"The room of the {self.name} could not be locked: see `autograder doctor` for what this machine can give."
            )
        if why.cause == "exit":
            return "exit", {"status": str(why.code)}
        if why.cause == "signal" and why.signal == "SIGXCPU":
            return "time", {}
        if why.cause == "signal":
            return "signal", {"signal": str(why.signal)}
        return ("time" if why.cause == "stopped" else why.cause), {}

    def dismiss(self) -> None:
        """Tell it to end, and do not wait for that: `close` does."""
        self.process.process.terminate()

    def close(self) -> None:
        """End it, if it still runs, and give back what it took."""
        self.kill()
        if self._peer is not None:
            self._peer.close()
        else:
            self.control.close()
        if self.exam is not None:
            self.exam.close()


def start_candidate(settings: JailSettings) -> Room:
    """Start a candidate. `exam` of the room is what the examiner is to be started with."""
    ours, theirs = _context().Pipe(duplex=True)
    examiner_s, candidate_s = _context().Pipe(duplex=True)
    return _start("candidate", settings, ours, theirs, candidate_s, examiner_s)


def start_examiner(settings: JailSettings, candidate: Room) -> Room:
    """Start the examiner of a candidate."""
    assert candidate.exam is not None
    ours, theirs = _context().Pipe(duplex=True)
    exam, candidate.exam = candidate.exam, None
    return _start("examiner", settings, ours, theirs, exam, None)


def _start(
    name: Literal["candidate", "examiner"],
    settings: JailSettings,
    ours: Connection,
    theirs: Connection,
    exam: Connection,
    kept: Connection | None,
) -> Room:
    arguments = (name, theirs, exam, settings.as_json(), os.getpid())
    process = _context().Process(target=_enter, args=arguments, name=name)
    process.start()
    theirs.close()
    exam.close()
    return Room(name, Jailed(process), ours, settings, kept)


def _context() -> Any:
    return get_context("fork" if can_fork() else "spawn")


def _enter(name: str, control: Connection, exam: Connection, settings: dict[str, Any], parent: int) -> None:
    """Be a room. Runs in its process."""
    die_with_parent(parent)
    close_all_but({control.fileno(), exam.fileno()})
    if name == "candidate":
        from autograder import candidate

        candidate.main(control, exam, settings)
    else:
        from autograder import examiner

        examiner.main(control, exam, settings)
