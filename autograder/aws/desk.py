"""What a candidate may ask of the examiner's cloud beside AWS: one function an operation, by name, and nothing else.

No attribute of a cloud is reached by a name that came through the pipe, but for the faults and the trace's readings listed here.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import Any

from autograder.aws.alarm import unlimited
from autograder.aws.clouds import Mocks, mocks_are_on
from autograder.aws.recording import Recording
from autograder.peer import Peer
from bentocola.cloud import cloud as clouds
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.faults import Faults
from bentocola.cloud.functions.poller import Context, Round
from bentocola.cloud.functions.runtime import MAX_RESPONSE_BYTES
from bentocola.cloud.trace import Trace
from bentocola.errors import CourseError, WorkerStopped
from bentocola.views.viewed import ViewedCloud

__all__ = ["FAULTS", "Desk"]

FAULTS = ("throttle", "lose_response", "stop_worker", "deliver_again", "reorder", "delay_event", "plan")
"""The methods of `Faults` that plan something."""
_MOST_OPEN = 32
"""`with cloud.record()` in each other: more are a mistake."""
_MOST_ENDED = 100
"""Traces of such blocks that can still be read."""
_MOST_ROUNDS = 100_000


class Desk:
    """Answers the operations. `replay`: what the examiner's run of a locked cell brought, while the candidate runs it.

    `in_test`: while a test runs, what it planned strikes, and what happens is told in its trace: then nothing that is asked here
    plans or forgets a fault, or leads the trace elsewhere. Time may be let pass, functions may be polled, all may be read.
    """

    def __init__(self, peer: Peer, say: Callable[..., str]) -> None:
        self._peer = peer
        self._say = say
        self.replay: Recording | None = None
        self.in_test = False
        self._own: Cloud | None = None
        self._mocks = Mocks()
        self._numbers = itertools.count(1)
        self._traces: dict[int, Trace] = {}
        self._recording: dict[int, AbstractContextManager[Trace]] = {}
        self._aside: dict[int, AbstractContextManager[None]] = {}

    def ask(self, head: Any) -> Any:
        """Do what a head asks for, and return what it comes to, as JSON. Raises what the cloud raises, and TypeError."""
        name, asked = head.get("do"), {key: value for key, value in head.items() if key != "do"}
        operation = _OPERATIONS.get(name) if isinstance(name, str) else None
        if operation is None:
            raise TypeError(f"There is no operation {name!r}.")
        if self.in_test and operation in _OF_THE_TEST:
            raise CourseError(self._say("A test is running: faults and traces are the test's own until it ends."))
        return operation(self, **asked)

    # Starting and stopping. What the source's cells started is there for the tests, and nothing that a candidate does ends it:
    # where a notebook in Jupyter would begin anew with an empty cloud, a graded one goes on with the one that runs. What a
    # candidate's own cell started, in a notebook whose source starts none, is the candidate's, to begin anew and to end.

    def start(self, edition: str, live: bool) -> dict[str, Any]:
        """Describe the cloud that runs, or start one.

        `goes_on`: whether it is the source's, and holds what it held; `anew`: whether another one of the candidate's ended.
        """
        running = clouds.running()
        anew = False
        if self.replay is None and (running is None or running is self._own):
            if mocks_are_on():
                raise CourseError(
                    self._say(
                        "This notebook's cloud is moto's mock_aws. bentocola.start() cannot put another one in its place "
                        "while it is graded."
                    )
                )
            anew = running is not None
            self.stop()
            running = self._own = clouds.start(edition, live=live, kind=ViewedCloud)
        goes_on = running is not None and running is not self._own and self.replay is None
        return {
            "edition": edition if running is None else running.edition,
            "stands_still": running is None or running.clock.stands_still,
            "goes_on": goes_on,
            "anew": anew,
        }

    def stop(self) -> None:
        """End the candidate's own cloud."""
        if self._own is not None and self.replay is None:
            self._own.stop()
            self._own = None

    def mock_start(self, reset: bool) -> None:
        """The candidate's first mock of those that are on at once."""
        if self.replay is None and clouds.running() is None and (self._mocks.are_on or not mocks_are_on()):
            self._mocks.start(reset)

    def mock_stop(self, remove_data: bool) -> None:
        """The candidate's last one ends."""
        if self.replay is None:
            self._mocks.stop(remove_data)

    def mock_reset(self) -> None:
        """The candidate wants its mocks empty."""
        if self.replay is None:
            self._mocks.reset()

    @property
    def _cloud(self) -> Cloud:
        if (running := clouds.running()) is None:
            raise CourseError(self._say("No local cloud runs. Start one first: bentocola.start()"))
        return running

    # The clock

    def advance(self, seconds: float) -> None:
        """Move the time, unless the examiner has done so in this very cell."""
        if self.replay is None:
            self._cloud.clock.advance(seconds)

    def now(self) -> tuple[str, int]:
        """The present, in ISO 8601, and the milliseconds since the clock's start."""
        clock = self._cloud.clock
        return clock.now().isoformat(), clock.elapsed_ms()

    def wait(self, seconds: float) -> bool:
        """Let the time between two tries of a call pass on a clock that stands still. False: the caller is to wait itself."""
        if self.replay is not None:  # the examiner's run of this cell has waited
            return True
        running = clouds.running()
        if running is None or not running.clock.stands_still or mocks_are_on():
            return False
        running.clock.advance(seconds)
        return True

    # Faults

    def fault(self, name: str, arguments: list[Any], named: dict[str, Any]) -> dict[str, Any] | None:
        """Plan a fault and describe it; in a locked cell, describe it only."""
        if name not in FAULTS:
            raise TypeError(f"There is no fault {name!r}.")
        faults = self._cloud.faults
        if self.replay is not None:
            faults = Faults(lambda kind, call: None, lambda kind, call: None, lambda seconds, do: None, self._cloud.say)
        planned = getattr(faults, name)(*arguments, **named)
        return None if planned is None else asdict(planned)

    def faults_clear(self) -> None:
        """Forget what is planned."""
        if self.replay is None:
            self._cloud.faults.clear()

    def faults_planned(self) -> list[dict[str, Any]]:
        """Describe what is planned."""
        return [asdict(fault) for fault in self._cloud.faults.planned]

    def faults_text(self) -> str:
        """What printing them shows."""
        return repr(self._cloud.faults)

    def faults_aside(self) -> int:
        """Set them aside until `faults_back`."""
        number = next(self._numbers)
        if self.replay is None and len(self._aside) < _MOST_OPEN:
            aside = self._cloud.faults.set_aside()
            aside.__enter__()
            self._aside[number] = aside
        return number

    def faults_back(self, number: int) -> None:
        """Bring back what was set aside."""
        if (aside := self._aside.pop(number, None)) is not None:
            aside.__exit__(None, None, None)

    # The trace: number 0 is the cloud's own, the others are those of `record`

    def record(self) -> int:
        """Begin a trace of its own, and return its number."""
        if len(self._recording) >= _MOST_OPEN:
            raise CourseError(self._say("Too many traces are recorded at once: {count}.", count=len(self._recording)))
        number = next(self._numbers)
        recording = self._cloud.record()
        self._traces[number] = recording.__enter__()
        self._recording[number] = recording
        while len(self._traces) > _MOST_OPEN + _MOST_ENDED:
            del self._traces[min(self._traces.keys() - self._recording.keys())]
        return number

    def recorded(self, number: int) -> None:
        """End it: nothing more is written into it. Those begun later end with it."""
        for later in [begun for begun in reversed(self._recording) if begun >= number]:
            self._recording.pop(later).__exit__(None, None, None)

    def _trace(self, number: int) -> Trace:
        return self._traces[number] if number else self._cloud.trace

    def trace_steps(self, number: int, since: int) -> list[Any]:
        """The steps after one."""
        return list(self._trace(number).since(since))

    def trace_data(self, number: int, named: dict[str, Any]) -> Any:
        """The whole trace."""
        return self._trace(number).data(**named)

    def trace_text(self, number: int) -> str:
        """What printing it shows."""
        return str(self._trace(number))

    def trace_length(self, number: int) -> int:
        """How many steps."""
        return len(self._trace(number))

    def trace_last(self, number: int, kind: str, message: str | None) -> Any:
        """The latest step of a kind."""
        return self._trace(number).last(kind, message)  # type: ignore[arg-type]

    def trace_follow(self, number: int, story: str, since: int, limit: int) -> Any:
        """What is new."""
        return self._trace(number).follow(story, since, limit)

    def trace_clear(self, number: int) -> None:
        """Begin a new story."""
        if self.replay is None:
            self._trace(number).clear()

    # Polling

    def poll_once(self, handler: int, queue_url: str, named: dict[str, Any]) -> dict[str, Any]:
        """One round for a queue and a function of the candidate's, which knows it under a number."""
        if self.replay is not None:
            return _told(self.replay.next_poll() or Round())

        def handle(event: dict[str, Any], context: Any) -> Any:
            return self._handle(handler, event, context)

        return _told(self._cloud.poll_once(queue_url, handle, **named))

    def _handle(self, handler: int, event: dict[str, Any], context: Context) -> Any:
        head = {"handler": handler, "request_id": context.aws_request_id}
        asked = json.dumps(event).encode()
        answered, body = unlimited(lambda: self._peer.call("cloud_handler", head, asked))
        if not isinstance(answered, dict):
            raise RuntimeError("The handler's process sent no answer.")
        if answered.get("stopped") is True:
            raise WorkerStopped(self._cloud.say)
        if "raised" in answered:
            raise _exception(answered["raised"])
        if len(body) > MAX_RESPONSE_BYTES:
            raise ValueError(f"An answer has at most {MAX_RESPONSE_BYTES} bytes.")
        return json.loads(body)

    def poll_all(self) -> list[dict[str, Any]]:
        """One round of every mapping."""
        rounds = self._cloud.poll_once() if self.replay is None else self.replay.next_poll()
        return list(map(_told, rounds or []))

    def settle(self, rounds: int) -> list[dict[str, Any]]:
        """Poll until nothing is left to do."""
        if self.replay is not None:
            return list(map(_told, self.replay.next_poll() or []))
        return list(map(_told, self._cloud.settle(min(rounds, _MOST_ROUNDS))))

    def look(self) -> None:
        """Tell in the trace what is due."""
        self._cloud.look()

    def close(self) -> None:
        """End what a candidate's cells left open."""
        self.recorded(0)
        for number in list(self._aside):
            self.faults_back(number)


def _told(done: Any) -> dict[str, Any]:
    error = done.error
    return {
        "deleted": list(done.deleted),
        "kept": list(done.kept),
        "response": done.response,
        "error": None if error is None else [type(error).__name__, str(error)],
    }


def _exception(raised: Any) -> Exception:
    """What the handler raised, as an exception that has its name and text: the run's log tells of both."""
    name, text = raised if isinstance(raised, list) and len(raised) == 2 else ("Exception", "")
    known = name if isinstance(name, str) and name.isidentifier() and len(name) <= 100 else "Exception"
    kind: type[Exception] = type(known, (Exception,), {})
    return kind(str(text)[:10_000])


_OF_THE_TEST = frozenset(
    {Desk.fault, Desk.faults_clear, Desk.faults_aside, Desk.faults_back, Desk.record, Desk.recorded, Desk.trace_clear}
)
"""What would change what a test looks at."""
_OPERATIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        Desk.start,
        Desk.stop,
        Desk.mock_start,
        Desk.mock_stop,
        Desk.mock_reset,
        Desk.advance,
        Desk.now,
        Desk.wait,
        Desk.fault,
        Desk.faults_clear,
        Desk.faults_planned,
        Desk.faults_text,
        Desk.faults_aside,
        Desk.faults_back,
        Desk.record,
        Desk.recorded,
        Desk.trace_steps,
        Desk.trace_data,
        Desk.trace_text,
        Desk.trace_length,
        Desk.trace_last,
        Desk.trace_follow,
        Desk.trace_clear,
        Desk.poll_once,
        Desk.poll_all,
        Desk.settle,
        Desk.look,
    )
}
