"""The course's local cloud as a candidate's cell has it: the same names and methods, and nothing of the cloud itself.

What it answers is the examiner's. Words and names are the edition's own, and known here.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from bentocola import errors
from bentocola.cloud.account import ACCOUNT, DEFAULT_REGION
from bentocola.cloud.door import OFFERED, Request, Response
from bentocola.cloud.faults import Fault
from bentocola.cloud.functions.mappings import FunctionFailed
from bentocola.cloud.functions.poller import Context, Handler, Round
from bentocola.cloud.names import EDITIONS, Names
from bentocola.cloud.trace import Feed, Kind, Step, Trace, TraceData
from bentocola.errors import CourseError, WorkerStopped
from bentocola.messages import translate

__all__ = ["CandidateCloud", "own_exception"]

_ERRORS = {kind.__name__: kind for kind in (CourseError, errors.FaultError, errors.SecondsError, errors.ViewError)} | {
    kind.__name__: kind for kind in (TypeError, ValueError, LookupError, KeyError, IndexError, RecursionError)
}


def own_exception(name: str, text: str) -> Exception:
    """Return an error that the examiner named: of a known class, or a RuntimeError."""
    return _ERRORS.get(name, RuntimeError)(text)


class Connection(Protocol):
    """What `candidate.Connection` gives."""

    def ask(self, name: str, /, **asked: Any) -> Any: ...
    def lend(self, handler: Callable[[int, bytes], tuple[Any, bytes]]) -> int: ...
    def take_back(self, number: int) -> None: ...
    def handle(self, request: Request) -> Response: ...


class CandidateCloud:
    """What `bentocola.start` gives in a candidate. See `bentocola.cloud.cloud.Cloud` for what its methods do."""

    def __init__(self, connection: Connection, edition: str, stands_still: bool, set_aside: list[str]) -> None:
        self._connection = connection
        self.edition = edition
        self.names: Names = EDITIONS[edition]
        self.set_aside = set_aside
        self.clock = CandidateClock(connection, stands_still)
        self.faults = CandidateFaults(connection)
        self.trace = CandidateTrace(connection, 0)
        self.lock = threading.RLock()
        """Of this process alone: the cloud's own is the examiner's, and each thing asked of it is one whole already."""

    def say(self, message: str, /, **values: object) -> str:
        """Return a message of the catalogue in this cloud's language."""
        return translate(self.edition, message, **values)

    def handle(self, request: Request) -> Response:
        """Answer any AWS request."""
        return self._connection.handle(request)

    def poll_once(
        self, queue_url: str | None = None, handler: Handler | None = None, **options: Any
    ) -> Round | list[Round]:
        """Do what Lambda does, once: for a queue and a function of this process, or for all mappings."""
        if queue_url is None or handler is None:
            return [_round(done) for done in self._connection.ask("poll_all")]
        lent = _Lent(handler)
        number = self._connection.lend(lent)
        try:
            done = self._connection.ask("poll_once", handler=number, queue_url=queue_url, named=options)
        finally:
            self._connection.take_back(number)
        if lent.raised is not None and not isinstance(lent.raised, Exception | SystemExit | WorkerStopped):
            raise lent.raised
        return _round(done, lent.raised)

    def settle(self, rounds: int = 1000) -> list[Round]:
        """Poll until nothing is left to do."""
        return [_round(done) for done in self._connection.ask("settle", rounds=rounds)]

    @contextmanager
    def record(self) -> Iterator[CandidateTrace]:
        """Give a trace of what happens in this block only."""
        trace = CandidateTrace(self._connection, self._connection.ask("record"))
        try:
            yield trace
        finally:
            self._connection.ask("recorded", number=trace.number)

    def look(self) -> None:
        """Tell in the trace what is due by now."""
        self._connection.ask("look")

    def view(self) -> View:
        """Return the cloud's trace as a list, in the place of the view."""
        return View(self)

    def stop(self) -> None:
        """End the cloud if a cell of one's own started it. The one that a locked cell started is there for the tests."""
        self._connection.ask("stop")

    def __repr__(self) -> str:
        return self.say(
            "Local cloud: {services}. Account {account}, region {region}. Nothing leaves this machine.",
            services=self.say(", ").join(OFFERED.values()),
            account=ACCOUNT,
            region=DEFAULT_REGION,
        )


class _Lent:
    """A handler that the examiner calls. `raised`: what it raised itself, as the object that it is."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self.raised: BaseException | None = None

    def __call__(self, request_id: int, body: bytes) -> tuple[Any, bytes]:
        try:
            answer = self._handler(json.loads(body), Context(aws_request_id=str(request_id)))
            return {}, json.dumps(answer).encode()
        except WorkerStopped as stopped:
            self.raised = stopped
            return {"stopped": True}, b""
        except BaseException as raised:  # it belongs to the round, or goes on where the round ends
            self.raised = raised
            text = ""
            with suppress(Exception):
                text = str(raised)
            return {"raised": [type(raised).__name__, text[:10_000]]}, b""


def _round(told: dict[str, Any], raised: BaseException | None = None) -> Round:
    error = raised
    if error is None and told["error"] is not None:
        name, text = told["error"]
        error = FunctionFailed(text) if name == FunctionFailed.__name__ else own_exception(name, text)
    return Round(told["deleted"], told["kept"], told["response"], error)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it. What JSON does not have, the cloud is only to name in a refusal."""
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            own = kind(value)
            return own if own == own and own not in (float("inf"), float("-inf")) else repr(value)
    return repr(value)


class View:
    """What `cloud.view()` is in a candidate, where nobody looks: the cloud in words."""

    def __init__(self, cloud: CandidateCloud) -> None:
        self._cloud = cloud

    def __repr__(self) -> str:
        return "\n".join(filter(None, (repr(self._cloud), str(self._cloud.trace))))


class CandidateClock:
    """The course's time. See `bentocola.cloud.clock.Clock`."""

    def __init__(self, connection: Connection, stands_still: bool) -> None:
        self._connection = connection
        self.stands_still = stands_still

    def now(self) -> datetime:
        """Return the course's present, in UTC."""
        return datetime.fromisoformat(self._connection.ask("now")[0]).astimezone(UTC)

    def elapsed_ms(self) -> int:
        """Return the milliseconds since the clock's start."""
        return int(self._connection.ask("now")[1])

    def advance(self, seconds: float) -> None:
        """Move the course's time forward. Raises SecondsError."""
        self._connection.ask("advance", seconds=_plain(seconds))

    def __repr__(self) -> str:
        return f"{self.now():%Y-%m-%d %H:%M:%S} UTC"


class CandidateFaults:
    """The faults to come. See `bentocola.cloud.faults.Faults`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def throttle(self, *arguments: Any, **named: Any) -> Fault:
        """Refuse calls of an operation."""
        return self._plan("throttle", arguments, named)

    def lose_response(self, *arguments: Any, **named: Any) -> Fault:
        """Let a call have its effect, and break the connection before the answer comes."""
        return self._plan("lose_response", arguments, named)

    def stop_worker(self, **named: Any) -> Fault:
        """Stop whoever makes a call."""
        return self._plan("stop_worker", (), named)

    def deliver_again(self, **named: Any) -> Fault:
        """Let SQS deliver a message once more."""
        return self._plan("deliver_again", (), named)

    def reorder(self, **named: Any) -> Fault:
        """Let a receive get its messages in another order."""
        return self._plan("reorder", (), named)

    def delay_event(self, *arguments: Any, **named: Any) -> Fault:
        """Let an event of S3 come later."""
        return self._plan("delay_event", arguments, named)

    def plan(self, *arguments: Any, **named: Any) -> None:
        """Let faults come by chance."""
        self._ask("plan", arguments, named)

    def clear(self) -> None:
        """Forget what is planned and has not happened."""
        self._connection.ask("faults_clear")

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """While this lasts nothing that was planned strikes."""
        number = self._connection.ask("faults_aside")
        try:
            yield
        finally:
            self._connection.ask("faults_back", number=number)

    @property
    def planned(self) -> list[Fault]:
        """The faults that are still to come."""
        return [Fault(**planned) for planned in self._connection.ask("faults_planned")]

    def _plan(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Fault:
        return Fault(**self._ask(name, arguments, named))

    def _ask(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        plain = {key: _plain(value) for key, value in named.items()}
        return self._connection.ask("fault", name=name, arguments=list(map(_plain, arguments)), named=plain)

    def __repr__(self) -> str:
        return str(self._connection.ask("faults_text"))


class CandidateTrace(Trace):
    """What happened, and a `Trace` to whoever draws one. Reading asks for the steps as they are by then."""

    def __init__(self, connection: Connection, number: int) -> None:
        """`number`: 0 for the cloud's own, else that of a block of `record`."""
        self._connection = connection
        self.number = number
        self.has_ended = False

    @property
    def steps(self) -> list[Step]:
        """The steps so far, oldest first."""
        return list(self.since(0))

    def since(self, n: int) -> Iterator[Step]:
        """Yield the steps after number `n`."""
        yield from self._connection.ask("trace_steps", number=self.number, since=n)

    def last(self, kind: Kind, message: str | None = None) -> Step | None:
        """Return the latest step of a kind."""
        found: Step | None = self._connection.ask("trace_last", number=self.number, kind=kind, message=message)
        return found

    def data(
        self,
        trace_id: str = "session",
        mode: Literal["lesson", "counterexample", "session"] = "session",
        since: int = 0,
    ) -> TraceData:
        """Return the trace as plain JSON."""
        named = {"trace_id": trace_id, "mode": mode, "since": since}
        data: TraceData = self._connection.ask("trace_data", number=self.number, named=named)
        return data

    def follow(self, story: str, since: int, limit: int = 1000) -> Feed:
        """Return what is new after a step."""
        asked = {"number": self.number, "story": story, "since": since, "limit": limit}
        feed: Feed = self._connection.ask("trace_follow", **asked)
        return feed

    def clear(self) -> None:
        """Begin a new story."""
        self._connection.ask("trace_clear", number=self.number)

    def __len__(self) -> int:
        return int(self._connection.ask("trace_length", number=self.number))

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __str__(self) -> str:
        return str(self._connection.ask("trace_text", number=self.number))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))
