"""The candidate: the process in which a student's cells run, jailed. It knows no test but those marked together.

Nothing that happens here decides a grade of its own accord: what this process answers is checked where it arrives. It holds three
things: its shell, the pipe to the invigilator ("control"), and the pipe to the examiner ("exam").
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

from autograder import verdicts, whereabouts
from autograder.aws import candidate as aws
from autograder.crossing import Crossing
from autograder.folder import put_file
from autograder.jail import JailSettings, enter_candidate
from autograder.peer import Handler, Peer, PeerError, PeerGone, ProtocolError
from autograder.records import Limits
from autograder.shell import make_shell, warm
from bentocola.checks import replay

__all__ = ["main"]

# Taken once: the code of a notebook may put something else into these modules.
_exit, _fstat = os._exit, os.fstat
_signal, _SIGINT, _raise_interrupt = signal.signal, signal.SIGINT, signal.default_int_handler
_current_thread, _main_thread = threading.current_thread, threading.main_thread


def main(control: Connection, exam: Connection, settings: dict[str, Any]) -> None:
    """Lock this process, and run what the invigilator sends until it is gone. Does not return.

    `settings`: JailSettings, as JSON.
    """
    jail = JailSettings.from_json(settings)
    warm()
    enter_candidate(jail, (control, exam))
    try:
        _Candidate(control, exam, jail.limits).serve()
    finally:
        # No handler that a student's code has left behind is asked.
        _exit(0)


class _Candidate:
    def __init__(self, control: Connection, exam: Connection, limits: Limits) -> None:
        _signal(_SIGINT, _raise_interrupt)
        self._control = Peer(control, limits=limits, name="invigilator")
        self._exam = Peer(exam, limits=limits, name="examiner")
        # What one thread of a test waits for may be what another brings.
        self._exam.own_threads = True
        self._shell = make_shell(self._publish, limits)
        self._shell.part_builtins()
        self._ends = [(end, _fstat(end).st_ino) for end in (control.fileno(), exam.fileno())]
        self._in_cell = False
        self._calls = _Calls(self._shell, self._forward)
        around: Any = _Around(self._exam, self._called)
        self._crossing = Crossing(around, "candidate", namespace=self._shell.user_ns)
        self._aws = aws.connect(self._exam, limits)
        replay.never()
        self._exam.handle("spots", self._spots)
        self._control.handle("cell", self._cell)
        self._control.handle("ping", lambda head, body: {})
        self._control.handle("files", put_file)

    def serve(self) -> None:
        """The main loop."""
        self._control.serve(self._exam)

    # Cells

    def _cell(self, head: Any, body: bytes) -> dict[str, Any]:
        kind, source, count = head["kind"], head["source"], head.get("count")
        self._in_cell = True
        try:
            if kind == "locked":
                with self._as_in_the_examiner(head["id"]):
                    ran = self._shell.run(source, self._publish, count)
            else:
                ran = self._shell.run(source, self._publish, count)
        finally:
            self._in_cell = False
            self._check_ends()
        found = failed = None
        if kind == "together":
            # A test that cannot run apart: its score has the same types as in the examiner.
            found = verdicts.score(ran.value, head["points"]) if ran.status == "ok" else verdicts.Score(0.0)
            failed = verdicts.failure(ran.value)
        went_wrong = ran.status == "error" or failed is not None
        return asdict(verdicts.outcome(ran, found, "error" if went_wrong else None, failed=failed))

    @contextmanager
    def _as_in_the_examiner(self, cell: str) -> Iterator[None]:
        """Around a locked cell: it gets from the cloud what the examiner's run of it got, and afterwards its plain values."""
        with suppress(PeerGone, PeerError, ProtocolError):
            self._exam.call("replay", {"cell": cell})
        try:
            yield
        finally:
            with suppress(PeerGone, PeerError, ProtocolError):
                self._exam.call("settle", {"cell": cell})

    # Output

    def _publish(self, message: dict[str, Any]) -> None:
        with suppress(PeerGone, ProtocolError):
            self._control.notify("output", message)

    def _forward(self, message: dict[str, Any]) -> None:
        """What a call of the examiner's puts out is the test's output."""
        with suppress(PeerGone, ProtocolError):
            self._exam.notify("output", message)

    def _spots(self, head: Any, body: bytes) -> list[list[Any]]:
        """Tell which lines of the student's cells an exception came through."""
        error: Any = self._crossing.outside.handles.own(head["handle"])
        return whereabouts.tell(error, self._cell_number)

    def _cell_number(self, file_name: str) -> int | None:
        named = self._shell.compile.format_code_name(file_name)
        number = named[1].removeprefix("In[").removesuffix("]") if named else ""
        return int(number) if number.isdigit() else None

    def _check_ends(self) -> None:
        """End at once if a cell has closed our pipes: nobody would hear us, and somebody would wait."""
        try:
            if all(_fstat(end).st_ino == number for end, number in self._ends):
                return
        except OSError:
            pass
        _exit(1)

    def _called(self, function: Callable[[], Any], in_loop: bool) -> Any:
        """Run what the examiner asks for. `in_loop`: inside of the loop that cells run in."""
        if self._in_cell and _current_thread() is _main_thread():
            # The cell that runs has asked for it, by way of the examiner.
            return function()
        try:
            return self._calls.run(function, in_loop)
        finally:
            self._check_ends()


class _Calls:
    """Runs what the examiner calls. Their output is forwarded, also when several threads of a test call at the same time."""

    def __init__(self, shell: Any, forward: Callable[[dict[str, Any]], None]) -> None:
        self._shell = shell
        self._forward = forward
        self._lock = threading.Lock()
        self._depth = 0
        self._telling: Any = None

    def run(self, function: Callable[[], Any], in_loop: bool) -> Any:
        """Call a function, and return or raise what it does."""
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                # A test that tries an answer often, and reads what it prints, gets all of it each time.
                self._shell.allowance.renew()
                self._telling = self._shell.telling(self._forward)
                self._telling.__enter__()
        try:
            return self._shell.call(function) if in_loop else function()
        finally:
            self._shell.send_all()
            with self._lock:
                self._depth -= 1
                if not self._depth:
                    telling, self._telling = self._telling, None
                    telling.__exit__(None, None, None)


class _Around:
    """A peer for the crossing, which runs in `around` what is done with the student's objects."""

    def __init__(self, peer: Peer, around: Callable[[Callable[[], Any], bool], Any]) -> None:
        self._peer = peer
        self._around = around

    def __getattr__(self, name: str) -> Any:
        return getattr(self._peer, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            setattr(self._peer, name, value)

    def handle(self, op: str, function: Handler) -> None:
        """As `Peer.handle`."""
        if op != "do":
            self._peer.handle(op, function)
            return

        def around(head: Any, body: bytes) -> Any:
            # A coroutine is waited for in a loop of the crossing's own, which cannot be one inside of ours.
            return self._around(lambda: function(head, body), head.get("what") != "await")

        self._peer.handle(op, around)
