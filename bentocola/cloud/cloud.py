"""Cloud: one set of mocked services with its clock, recorder, access, faults and functions.

This module puts the parts together; they do not know each other.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import ModuleType
from typing import Any, TypeVar, overload

from bentocola.cloud import amendments, clock, sessions
from bentocola.cloud.access import Access
from bentocola.cloud.amendments import lambda_functions, lambda_mappings, looks, s3_events, sqs_moves
from bentocola.cloud.clock import CALL_SECONDS, Clock
from bentocola.cloud.door import ACCOUNT, DEFAULT_REGION, OFFERED, Call, Door, Request, Response
from bentocola.cloud.environment import FAKE, AwsEnvironment
from bentocola.cloud.faults import Faults
from bentocola.cloud.functions import poller
from bentocola.cloud.functions.inline import Inline
from bentocola.cloud.functions.invocations import Invocations
from bentocola.cloud.functions.mappings import Live, Poller
from bentocola.cloud.functions.poller import Handler, Round
from bentocola.cloud.functions.processes import Processes
from bentocola.cloud.functions.runtime import Outcome, Runtime
from bentocola.cloud.functions.spec import Credentials, FunctionSpec
from bentocola.cloud.imports import TESTED_MOTO
from bentocola.cloud.names import EDITIONS, Names
from bentocola.cloud.recorder import Recorder
from bentocola.cloud.story import tell
from bentocola.cloud.trace import Trace
from bentocola.cloud.wires.guard import NetworkGuard
from bentocola.cloud.wires.in_process import InProcessWire
from bentocola.errors import NothingLeavesError, UnknownEditionError, UntestedMotoError
from bentocola.messages import translate

__all__ = ["TESTED_MOTO", "Cloud", "divert", "running", "start", "start_here"]

_running: Cloud | None = None
_starter: Callable[..., Cloud] | None = None
_running_elsewhere: Callable[[], Cloud | None] | None = None


class Cloud:
    """A running local cloud. `names`: the edition's names; `clock`: its time; `trace`: what happened; `faults`: what is to fail.

    Made by `start`. A live one follows real time and works by itself, with threads; any other stands still, and its mappings
    and asynchronous events do their work in `poll_once` and `settle`.
    """

    def __init__(self, edition: str, *, live: bool = False, runtime: Runtime | None = None) -> None:
        """`runtime`: what runs functions, where it is not to be this process or its children."""
        self.edition = edition
        self.names: Names = EDITIONS[edition]
        lock = threading.RLock()
        self.clock = Clock(say=self.say, real_seconds=time.monotonic if live else None, lock=lock)
        self._recorder = Recorder(self.clock, partial(tell, edition), lock)
        self.faults = Faults(self._recorder.fault, self._recorder.fault_after, self.clock.call_later, self.say)
        self._access = Access(say=self.say)
        # A clock that stands still wants the same names each time.
        numbers = random.Random(0)
        new_id = uuid.uuid4 if live else lambda: uuid.UUID(int=numbers.getrandbits(128), version=4)
        self._roles = _Roles(self._access, self._recorder.hide)
        wait = None if live else self.clock.advance
        self._runtime = runtime or _Later(lambda: _runtime(self.handle, self.clock, self.say, wait))
        self._invocations = Invocations(
            lambda: self._door, self.clock, self._recorder, self._runtime, self._roles, new_id, self.say
        )
        self._door = Door(
            [self.faults.between, self._recorder, self._access, self.faults, self._invocations],
            before_call=self.clock.tick,
            after_call=self._after_call,
            say=self.say,
            lock=lock,
        )
        self._poller = Poller(self._door, self.clock, self._invocations.run, self._roles.key_of)
        self._live = Live(self._poller, self._door, self.clock, self._invocations.next_event) if live else None
        self._wire = InProcessWire(self._door.handle, wait=wait, say=self.say)
        self._guard = NetworkGuard(self._refuse)
        self._ends = ExitStack()
        # What has begun ends, also when what comes after it cannot begin.
        with ExitStack() as begun:
            begun.callback(self._door.listen, False)
            begun.callback(self._runtime.close)
            self._environment = AwsEnvironment()
            begun.callback(self._environment.restore)
            self._session = sessions.Default()
            begun.callback(self._session.restore)
            begun.enter_context(_hooked_in(self._hooks()))
            self.clock.install()
            begun.callback(self.clock.uninstall)
            self._wire.connect()
            begun.callback(self._wire.disconnect)
            self._guard.connect()
            begun.callback(self._guard.disconnect)
            self._door.empty()
            begun.callback(self._door.close)
            begun.callback(self.trace.end)
            if self._live:
                self._live.start()
                begun.callback(self._live.stop, self._end_runs)
            self._ends = begun.pop_all()

    @property
    def trace(self) -> Trace:
        """What happened since the start, or since `trace.clear()`. Print it to read it as a numbered list."""
        return self._recorder.trace

    def look(self) -> None:
        """Tell in the trace what is due by now, though nobody calls: for who follows a live cloud.

        On a clock that stands still nothing falls due by itself, and what is told does not depend on who looks.
        """
        with self.lock:
            if self._door.is_open and not self.clock.stands_still:
                self.clock.run_due()
                self._recorder.look()

    @contextmanager
    def record(self, *, fresh: bool = False) -> Iterator[Trace]:
        """Give a trace of what happens in this block only, begun with the present state; `trace` does not hold its steps.

        `fresh`: it knows no message yet, so that the first one that is sent in it is m1.
        """
        self.look()
        with self._recorder.record(fresh) as trace:
            try:
                yield trace
            finally:
                self.look()

    @property
    def lock(self) -> threading.RLock:
        """What each call holds. Hold it to look at the trace, or to plan faults, while a live cloud works by itself."""
        return self._door.lock

    @property
    def set_aside(self) -> list[str]:
        """The names of the AWS settings that were found on this machine and are not used here."""
        return self._environment.set_aside

    def handle(self, request: Request) -> Response:
        """Answer any AWS request, from whichever wire it comes."""
        return self._door.handle(request)

    def say(self, message: str, /, **values: object) -> str:
        """Return a message of the catalogue in this cloud's language."""
        return translate(self.edition, message, **values)

    @overload
    def poll_once(self) -> list[Round]: ...
    @overload
    def poll_once(self, queue_url: str, handler: Handler, **options: Any) -> Round: ...

    def poll_once(
        self, queue_url: str | None = None, handler: Handler | None = None, **options: Any
    ) -> Round | list[Round]:
        """Do what Lambda does, once.

        Without arguments: run the asynchronous events whose time has come, then do one round of every event source mapping
        that is enabled; the rounds that found messages are returned. With a queue and a handler that is a function of this
        process: one round for them, with the options of `functions.poller.poll_once`.
        """
        if queue_url is not None and handler is not None:
            options = {"region": DEFAULT_REGION, "access_key": FAKE["AWS_ACCESS_KEY_ID"], **options}
            return poller.poll_once(self._door, self._recorder, queue_url, handler, **options)
        with self._door.lock:
            # What was just made is ready two calls later, and polling is none.
            for _ in range(round(lambda_mappings.TRANSITION_SECONDS / CALL_SECONDS)):
                self.clock.tick()
        self._invocations.run_waiting()
        return self._poller.poll_once()

    def settle(self, rounds: int = 1000) -> list[Round]:
        """Poll until nothing is left to do at the clock's present time, and return all rounds that found messages.

        `rounds`: how many at the most, for a pipeline that feeds itself never settles.
        """
        done: list[Round] = []
        for _ in range(rounds):
            found = self.poll_once()
            if not found and not self._invocations.waiting:
                break
            done += found
        return done

    def stop(self) -> None:
        """End the local cloud: what it held is gone, and this process's AWS settings are as `start` found them.

        One that has ended already, or was replaced by a later `start`, is left alone.
        """
        global _running
        self._ends.close()
        if _running is self:
            _running = None

    def _end_runs(self) -> None:
        self._door.close()
        self._runtime.close()

    def _hooks(self) -> list[tuple[ModuleType, str, Any]]:
        """What the amendments need of this cloud: its time, its faults, what roles may do."""

        def allowed(role: str, action: str, resource: str) -> bool:
            return self._access.allowed(role, action, resource) is None

        return [
            (lambda_mappings, "call_later", self.clock.call_later),
            (lambda_mappings, "allowed", allowed),
            (lambda_mappings, "went_on", self._recorder.mapping_went_on),
            (sqs_moves, "call_later", self.clock.call_later),
            (s3_events, "send_later", self.faults.send_event),
            (s3_events, "invoke_function", self._invocations.invoke_later),
            (lambda_functions, "on_event", lambda arn, text: self._invocations.invoke_later(arn, json.loads(text))),
        ]

    def _after_call(self, call: Call) -> None:
        """Let whoever waits look again, when the call may have brought what they wait for."""
        if call.service == "lambda" and isinstance(self._runtime, _Later):
            self._runtime.deployed(call.operation)
            if call.operation == "DeleteFunction":
                self._runtime.look(self._door.has_function)
        if self._live and (call.service in ("s3", "lambda") or _brings_messages(call)):
            self.clock.wake()
            if call.service == "lambda":
                self._live.look()

    def _refuse(self, host: str) -> NothingLeavesError:
        return NothingLeavesError(
            self.say(
                "{host} is an address of AWS, and nothing leaves this machine while the local cloud runs. "
                "Ask with a boto3 client, or end the local cloud first: cloud.stop()",
                host=host,
            )
        )

    def __repr__(self) -> str:
        return self.say(
            "Local cloud: {services}. Account {account}, region {region}. Nothing leaves this machine.",
            services=self.say(", ").join(OFFERED.values()),
            account=ACCOUNT,
            region=DEFAULT_REGION,
        )


@contextmanager
def _hooked_in(hooks: list[tuple[ModuleType, str, Any]]) -> Iterator[None]:
    """Set names of modules, and set them back."""
    former = [(module, name, getattr(module, name)) for module, name, _ in hooks]
    try:
        for module, name, value in hooks:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in former:
            setattr(module, name, value)


_BRINGING = {
    "SendMessage",
    "SendMessageBatch",
    "ChangeMessageVisibility",
    "ChangeMessageVisibilityBatch",
    "StartMessageMoveTask",
}


def _brings_messages(call: Call) -> bool:
    """Whether a call makes a message available. In a FIFO queue a deletion does, for the next one of its group."""
    if call.operation.startswith("DeleteMessage"):
        return str(call.parameters.get("QueueUrl")).endswith(".fifo")
    return call.operation in _BRINGING


class _Roles:
    """What runs of functions and mappings need to know of a role."""

    def __init__(self, access: Access, hide: Callable[..., None]) -> None:
        """`hide` is told what nobody is to read."""
        self._access = access
        self._hide = hide
        self._issued: dict[tuple[str, str], Credentials] = {}

    def credentials(self, spec: FunctionSpec) -> Credentials:
        """Return the credentials of the function's role; the same ones each time."""
        key = spec.role_arn, spec.name
        if key not in self._issued:
            issued = self._access.issue(*key)
            self._hide(issued.secret_key, issued.session_token)
            self._issued[key] = Credentials(issued.access_key, issued.secret_key, issued.session_token)
        return self._issued[key]

    def key_of(self, mapping: lambda_mappings.Mapping) -> str:
        """Return the access key that a mapping's poller calls with: its function's role's."""
        spec = Door.function(mapping.region, mapping.function_arn, None)
        return self.credentials(spec).access_key

    def may_log(self, spec: FunctionSpec) -> bool:
        """Whether the role lets the function write its log. Without the right to, a run leaves none, as on AWS."""
        group = f"arn:aws:logs:{spec.region}:{ACCOUNT}:log-group:{spec.log_group}"
        needs = (("logs:CreateLogStream", f"{group}:*"), ("logs:PutLogEvents", f"{group}:log-stream:run"))
        return all(self._access.allowed(spec.role_arn, *need) is None for need in needs)


def _runtime(
    handle: Callable[[Request], Response],
    clock: Clock,
    say: Callable[..., str],
    wait: Callable[[float], None] | None,
) -> Inline | Processes:
    """Child processes where the system has them; else this process."""
    if sys.platform == "emscripten":
        return Inline(handle, now=clock.now, say=say, wait=wait)
    return Processes(handle, now=clock.now, say=say, wait=wait)


class _Later:
    """A runtime that is made when the first function is deployed: most lessons deploy none."""

    def __init__(self, make: Callable[[], Inline | Processes]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: Inline | Processes | None = None
        self._is_closed = False
        self._ran: set[str] = set()

    @property
    def _runtime(self) -> Inline | Processes:
        with self._lock:
            if self._is_closed:
                raise RuntimeError("The runtime is closed.")
            if self._made is None:
                self._made = self._make()
            return self._made

    def deployed(self, operation: str) -> None:
        """Have a process at hand for code that was just deployed, so that its first run need not wait for one."""
        if self._is_closed or operation not in ("CreateFunction", "UpdateFunctionCode"):
            return
        if isinstance(self._runtime, Processes):
            self._runtime.prepare()

    def look(self, is_there: Callable[[str], bool]) -> None:
        """End what is warm of functions that are no more."""
        if self._made is not None:
            for arn in list(self._ran):
                if not is_there(arn):
                    self._ran.discard(arn)
                    self._made.forget(arn)

    def run(self, spec: FunctionSpec, event: str, **options: Any) -> Outcome:
        """Run a function once."""
        self._ran.add(spec.arn)
        return self._runtime.run(spec, event, **options)

    def close(self) -> None:
        """End all that runs."""
        with self._lock:
            self._is_closed = True
        if self._made is not None:
            self._made.close()


_C = TypeVar("_C", bound=Cloud)


@overload
def start(edition: str, *, live: bool = False, runtime: Runtime | None = None) -> Cloud: ...
@overload
def start(edition: str, *, live: bool = False, runtime: Runtime | None = None, kind: type[_C]) -> _C: ...


def start(edition: str, *, live: bool = False, runtime: Runtime | None = None, kind: type[Cloud] = Cloud) -> Cloud:
    """Start an empty local cloud in place of the one that runs, if any. See `bentocola.start`.

    `kind`: a class that offers more than `Cloud` does.
    """
    return (_starter or start_here)(edition, live=live, runtime=runtime, kind=kind)


def start_here(edition: str, *, live: bool = False, runtime: Runtime | None = None, kind: type[Cloud] = Cloud) -> Cloud:
    """Start a local cloud in this very process, wherever `start` leads."""
    global _running
    if edition not in list(EDITIONS):  # a list, because it compares: whatever a student passes need not be hashable
        raise UnknownEditionError(edition, list(EDITIONS))
    _check_moto()
    amendments.install()
    again = _running is not None
    if _running is not None:
        _running.stop()
    _running = cloud = kind(edition, live=live, runtime=runtime)
    if again:
        print(cloud.say("A local cloud was running already. This one starts empty in its place."))
    if cloud.set_aside:
        message = "Your own AWS settings stay as they are, and this notebook does not use them: {names}."
        print(cloud.say(message, names=", ".join(cloud.set_aside)))
    return cloud


def running() -> Cloud | None:
    """Return the local cloud of this process, if one runs."""
    return _running if _running_elsewhere is None else _running_elsewhere()


def divert(start: Callable[..., Cloud] | None, running: Callable[[], Cloud | None] | None = None) -> None:
    """Let others answer in the place of `start`, with its arguments, and of `running`; None: this module itself again.

    For a grader, which parts a notebook from its cloud. Whoever answers can still make one with `start_here`.
    """
    global _starter, _running_elsewhere
    _starter, _running_elsewhere = start, running


def _check_moto() -> None:
    from moto import __version__ as installed

    if installed != TESTED_MOTO and (broken := amendments.broken(clock, looks)):
        raise UntestedMotoError(installed, TESTED_MOTO, broken)
