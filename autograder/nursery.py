"""The nursery, as the main process sees it: warm processes to fork an invigilator from, one a submission.

Where there is fork (Linux), a process of its own imports everything once and forks; elsewhere each invigilator is spawned and
imports for itself. Nothing that a student's process inherits holds a secret: that process starts with a scrubbed environment,
has no listening socket, and never sees a job: a job goes to the invigilator over its own connection, after the fork. So does
the course's secret, behind the job: the invigilator reads it once its rooms are started.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from autograder import secret
from autograder.leashed import can_fork
from autograder.records import Job

__all__ = ["Handle", "Nursery", "NurseryError", "scrubbed"]

_ROOT = Path(__file__).parents[1]


class NurseryError(RuntimeError):
    """The nursery could not be started, or has ended."""


class Handle(Protocol):
    """A started invigilator. `connection` brings its report as JSON bytes, then its end."""

    job: Job
    connection: Connection

    def kill(self) -> None:
        """End it at once, with its rooms."""

    def status(self) -> int | None:
        """Wait for its end, after `connection` has ended; return its exit status, negative for a signal, None if not known."""


def scrubbed() -> dict[str, str]:
    """Return the environment in which the nursery starts: nothing of the teacher's, no keys, no home."""
    environ = {
        "PATH": os.defpath if os.name == "posix" else os.environ.get("PATH", ""),
        "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "PYTHONPATH": str(_ROOT),
        # The order of a set is the same in two runs.
        "PYTHONHASHSEED": "0",
        # A thread of a number library's would be lost by a fork, and counts as a process in the jail.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }
    return environ | {name: os.environ[name] for name in ("SYSTEMROOT", "TZ") if name in os.environ}


class Nursery:
    """Starts invigilators. Make it early: it returns at once and warms up while the caller goes on.

    Close it, or use it in a `with`, and all that it started is gone.
    """

    def __init__(self, modules: Iterable[str] = ()) -> None:
        """`modules`: what the assignment's source imports; see `autograder.warm`. More can be told later with `warm`."""
        self._real: _Forking | _Spawning = _Forking() if can_fork() else _Spawning()
        self.warm(modules)

    def warm(self, modules: Iterable[str]) -> None:
        """Have further modules imported before the next start."""
        self._real.warm(sorted(modules))

    def start(self, job: Job) -> Handle:
        """Start an invigilator for a job. Raises NurseryError if the nursery has ended."""
        return self._real.start(job)

    def close(self) -> None:
        """End everything at once and wait for it: invigilators that still run are killed."""
        self._real.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _hand_over(connection: Connection, job: Job) -> None:
    connection.send_bytes(json.dumps(job.as_json()).encode())
    connection.send_bytes(secret.current().encode("utf-8", "replace"))


class _Forking:
    """Talks to `autograder.nursery_process` over one socket: a line of JSON each way, with a connection's end beside it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-s", "-m", "autograder.nursery_process", str(theirs.fileno())],
                env=scrubbed(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # Ctrl-C is for the main process: it ends the others itself.
                start_new_session=True,
            )
        self._count = 0
        self._ended: dict[int, int] = {}

    def warm(self, modules: list[str]) -> None:
        if modules:
            self._tell({"op": "warm", "modules": modules})

    def start(self, job: Job) -> Handle:
        self._count += 1
        ours, theirs = get_context("fork").Pipe(duplex=True)
        try:
            self._tell({"op": "start", "number": self._count}, theirs.fileno())
        finally:
            theirs.close()
        # The nursery may still be warming up. What is handed over waits in the pipe until the fork has read it.
        _hand_over(ours, job)
        return _Forked(self, self._count, job, ours)

    def kill(self, number: int) -> None:
        with suppress(NurseryError):
            self._tell({"op": "kill", "number": number})

    def status(self, number: int) -> int | None:
        while number not in self._ended:
            said = self._socket.recv(1 << 16)
            if not said:
                return None
            told = json.loads(said)
            self._ended[told["number"]] = told["status"]
        return self._ended.pop(number)

    def close(self) -> None:
        self._socket.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _tell(self, said: dict[str, Any], *handles: int) -> None:
        try:
            socket.send_fds(self._socket, [json.dumps(said).encode()], handles)
        except OSError as error:
            raise NurseryError(
                f"The nursery has ended ({error}; exit status {self._process.poll()}). Its last words are above, if it had any:"
                " run the command again, and `autograder doctor` if it happens again."
            ) from error


class _Forked:
    def __init__(self, nursery: _Forking, number: int, job: Job, connection: Connection) -> None:
        self.job, self.connection = job, connection
        self._nursery, self._number = nursery, number

    def kill(self) -> None:
        self._nursery.kill(self._number)

    def status(self) -> int | None:
        return self._nursery.status(self._number)


class _Spawning:
    """Starts each invigilator from nothing."""

    def __init__(self) -> None:
        self._context = get_context("spawn")
        self._handles: list[_Spawned] = []

    def warm(self, modules: list[str]) -> None:
        """Nothing is kept from one start to the next."""

    def start(self, job: Job) -> Handle:
        from autograder.nursery_process import work

        ours, theirs = self._context.Pipe(duplex=True)
        process = self._context.Process(target=work, args=(theirs,))
        environ = dict(os.environ)
        try:
            # The child takes the environment as it is at its start.
            os.environ.clear()
            os.environ.update(scrubbed())
            process.start()
        finally:
            os.environ.clear()
            os.environ.update(environ)
        theirs.close()
        _hand_over(ours, job)
        handle = _Spawned(process, job, ours)
        self._handles = [other for other in self._handles if other.process.is_alive()] + [handle]
        return handle

    def close(self) -> None:
        for handle in self._handles:
            handle.kill()
        for handle in self._handles:
            handle.process.join()


class _Spawned:
    def __init__(self, process: Any, job: Job, connection: Connection) -> None:
        self.process, self.job, self.connection = process, job, connection

    def kill(self) -> None:
        self.process.kill()

    def status(self) -> int | None:
        self.process.join()
        return self.process.exitcode  # type: ignore[no-any-return]
