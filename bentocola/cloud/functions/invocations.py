"""Invoke: the layer that answers Lambda's invocations, by running the function that was deployed. Innermost, before moto.

It puts a run together: the function as the door shows it, its role's credentials, the runtime, the trace and the log.
https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
"""

from __future__ import annotations

import base64
import json
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import Answer, Call, Door, Response, ServiceError, error_response
from bentocola.cloud.functions.package import PackageError
from bentocola.cloud.functions.runtime import EventTooLargeError, Outcome, Runtime, check_event
from bentocola.cloud.functions.spec import Credentials, FunctionSpec
from bentocola.cloud.recorder import Recorder

__all__ = ["Invocations"]

RETRY_AFTER = (60.0, 120.0)
"""Seconds until an asynchronous event is tried again. https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html"""
LONGEST_BACKOFF = 300.0
"""Seconds. One that is throttled is tried again after one second, then after twice as many each time, up to this."""
_THROTTLED = "TooManyRequestsException"
_LOG_TAIL = 4096


class Roles(Protocol):
    """What the access layer knows of a role."""

    def credentials(self, spec: FunctionSpec) -> Credentials:
        """Return the credentials that the function's runs call with."""

    def may_log(self, spec: FunctionSpec) -> bool:
        """Whether the role may write the function's log."""


@dataclass
class _Event:
    """An asynchronous event that waits for its run."""

    region: str
    function: str
    qualifier: str | None
    text: str
    request_id: str
    since: datetime
    tries: int = 0
    throttles: int = 0


class Invocations:
    """Answers Invoke and runs functions. `waiting`: asynchronous events whose time has come."""

    def __init__(
        self,
        door: Callable[[], Door],
        clock: Clock,
        recorder: Recorder,
        runtime: Runtime,
        roles: Roles,
        new_id: Callable[[], uuid.UUID] = uuid.uuid4,
        say: Callable[..., str] = str.format,
    ) -> None:
        """`door` is asked for late: this is one of its layers. `say` words what only this cloud tells."""
        self._say = say
        self._door = door
        self._clock = clock
        self._recorder = recorder
        self._runtime = runtime
        self._roles = roles
        self._new_id = new_id
        self.waiting: deque[_Event] = deque()
        self._running: Counter[tuple[str, str]] = Counter()

    def __call__(self, call: Call, answer: Answer) -> Response:
        """Answer an invocation; hand everything else on."""
        if call.service == "lambda" and call.operation in ("Invoke", "InvokeAsync"):
            try:
                return self._invoke(call)
            except ServiceError as refused:
                return _refusal(call, refused)
        return answer(call)

    def _invoke(self, call: Call) -> Response:
        request = call.request
        function, qualifier = str(call.parameters["FunctionName"]), call.parameters.get("Qualifier")
        kind = request.header("X-Amz-Invocation-Type") or "RequestResponse"
        if call.operation == "InvokeAsync":
            kind = "Event"
        spec = Door.function(call.region, function, qualifier)
        if kind not in ("RequestResponse", "Event", "DryRun"):
            raise ServiceError(
                "InvalidParameterValueException",
                f"Value '{kind}' at 'invocationType' failed to satisfy constraint: "
                "Member must satisfy enum value set: [Event, RequestResponse, DryRun]",
            )
        text = _event_text(request.body, asynchronous=kind == "Event")
        request_id = str(self._new_id())
        headers = {"Content-Type": "application/json", "x-amzn-RequestId": request_id}
        if kind == "DryRun":
            return Response(204, headers, b"")
        if kind == "Event":
            self.waiting.append(_Event(call.region, function, qualifier, text, request_id, self._clock.now()))
            return Response(202, headers, b"")
        with self._counted(call.region, function, qualifier):
            outcome = self._run(spec, text, request_id)
        headers["X-Amz-Executed-Version"] = spec.version
        if outcome.error:
            headers["X-Amz-Function-Error"] = outcome.error
        if request.header("X-Amz-Log-Type") == "Tail":
            tail = "".join(outcome.log).encode()[-_LOG_TAIL:]
            headers["X-Amz-Log-Result"] = base64.b64encode(tail).decode()
        return Response(200, headers, outcome.payload.encode())

    def run(self, region: str, function: str, event: str, message_ids: list[str]) -> Outcome:
        """Run a function for an event source mapping. Raises ServiceError when there is none, or it may not run."""
        with self._counted(region, function) as spec:
            return self._run(spec, event, str(self._new_id()), message_ids, locked=False)

    @contextmanager
    def _counted(self, region: str, function: str, qualifier: str | None = None) -> Iterator[FunctionSpec]:
        """Find the function, and count a run of it. Raises ServiceError when there is none, or when it may not run once more.

        "The maximum number of concurrent instances" is the function's, whatever version runs:
        https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
        """
        with self._door().lock:
            spec = Door.function(region, function, qualifier)
            key, reserved = (spec.region, spec.name), Door.reserved_concurrency(spec)
            if reserved is not None and self._running[key] >= reserved:
                raise ServiceError(_THROTTLED, "Rate Exceeded.")
            self._running[key] += 1
        try:
            yield spec
        finally:
            with self._door().lock:
                self._running[key] -= 1

    def invoke_later(self, arn: str, event: dict[str, Any]) -> None:
        """Let an event wait for its run, as a service does that invokes a function: S3, for a bucket's notification."""
        self.waiting.append(
            _Event(
                arn.split(":")[3],
                arn,
                None,
                json.dumps(event, ensure_ascii=False),
                str(self._new_id()),
                self._clock.now(),
            )
        )

    def run_waiting(self) -> int:
        """Run the asynchronous events whose time has come, one after the other; return how many."""
        count = 0
        while run := self.next_event():
            run()
            count += 1
        return count

    def next_event(self) -> Callable[[], None] | None:
        """Take the asynchronous event that waits longest, and return what runs it; None when none waits."""
        try:
            return partial(self._run_event, self.waiting.popleft())
        except IndexError:
            return None

    def _run_event(self, event: _Event) -> None:
        """Run it. If it fails it is tried twice more, later; if it is throttled as often as its age allows."""
        try:
            with self._door().lock:
                spec = Door.function(event.region, event.function, event.qualifier)
                retries = min(Door.retry_attempts(spec), len(RETRY_AFTER))
                age = (self._clock.now() - event.since).total_seconds()
                if age > Door.maximum_event_age(spec):
                    return
            with self._counted(event.region, event.function, event.qualifier) as spec:
                failed = bool(self._run(spec, event.text, event.request_id, locked=False).error)
        except ServiceError as refused:
            if refused.code == _THROTTLED:
                self._again(event, min(2.0**event.throttles, LONGEST_BACKOFF))
                event.throttles += 1
            return  # or the function is gone
        if failed and event.tries < retries:
            event.tries += 1
            self._again(event, RETRY_AFTER[event.tries - 1])

    def _again(self, event: _Event, seconds: float) -> None:
        self._clock.call_later(seconds, lambda: self.waiting.append(event))

    def _run(
        self, spec: FunctionSpec, event: str, request_id: str, message_ids: list[str] | None = None, locked: bool = True
    ) -> Outcome:
        """Run it, tell the trace, and write the log. `locked`: whether this is a call's own context, which holds the door."""
        door = self._door()
        if not spec.runtime.startswith("python"):
            said = self._say(
                "The local cloud runs Python only, and this function wants {runtime}. Deploy it with the runtime python3.11.",
                runtime=spec.runtime,
            )
            raise ServiceError("InvalidRuntimeException", said)
        name, group = (Door.named(one, spec.region) for one in (spec.name, spec.log_group))
        with self._recorder.run(event, name, message_ids or [], group) as run:

            def go() -> Outcome:
                try:
                    return self._runtime.run(
                        spec,
                        event,
                        request_id=request_id,
                        credentials=self._roles.credentials(spec),
                        run=run["id"],
                    )
                except PackageError as error:
                    raise ServiceError("InvalidZipFileException", str(error)) from error
                except RuntimeError as error:
                    if door.is_open:
                        raise
                    raise ServiceError("ServiceException", "The cloud has ended.") from error

            if locked:
                with door.released():
                    outcome = go()
            else:
                outcome = go()
            run["result"] = outcome.result
            run["answer"] = outcome.payload
            run["log"] = [line.rstrip("\n") for line in outcome.log]
            run["duration_ms"] = round(outcome.duration_ms, 2)
            now = round(self._clock.now().timestamp() * 1000)
            with door.lock:
                if door.is_open and self._roles.may_log(spec):
                    Door.write_log(spec, outcome.log_stream, [(now, line) for line in outcome.log])
        return outcome


def _event_text(body: bytes, *, asynchronous: bool) -> str:
    try:
        text = body.decode() or "{}"
        check_event(text, asynchronous=asynchronous)
        json.loads(text)
    except EventTooLargeError as error:
        raise ServiceError("RequestTooLargeException", str(error)) from error
    except ValueError as error:
        raise ServiceError(
            "InvalidRequestContentException", f"Could not parse request body into json: {error}"
        ) from error
    return text


_STATUS = {
    "ResourceNotFoundException": 404,
    "ResourceConflictException": 409,
    "RequestTooLargeException": 413,
    _THROTTLED: 429,
    "InvalidRuntimeException": 502,
    "InvalidZipFileException": 502,
    "ServiceException": 500,
}


def _refusal(call: Call, refused: ServiceError) -> Response:
    return error_response(call, _STATUS.get(refused.code, 400), refused.code, refused.message)
