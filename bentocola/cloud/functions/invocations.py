"""Invoke: the layer that answers Lambda's invocations, by running the function that was deployed. Innermost, before moto.

It puts a run together: the function as the door shows it, its role's credentials, the runtime, the trace and the log.
https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
"""

from __future__ import annotations

import base64
import json
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import Answer, Call, Door, Response, ServiceError, error_response
from bentocola.cloud.functions.runtime import EventTooLargeError, Outcome, Runtime, check_event
from bentocola.cloud.functions.spec import Credentials, FunctionSpec
from bentocola.cloud.recorder import Recorder

__all__ = ["Invocations"]

RETRY_AFTER = (60.0, 120.0)
"""Seconds until an asynchronous event is tried again. https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html"""
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
    tries: int = 0


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
    ) -> None:
        """`door` is asked for late: this is one of its layers."""
        self._door = door
        self._clock = clock
        self._recorder = recorder
        self._runtime = runtime
        self._roles = roles
        self._new_id = new_id
        self.waiting: deque[_Event] = deque()

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
        if Door.reserved_concurrency(spec) == 0:
            raise ServiceError("TooManyRequestsException", "Rate Exceeded.")
        if kind == "Event":
            self.waiting.append(_Event(call.region, function, qualifier, text, request_id))
            return Response(202, headers, b"")
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
        with self._door().lock:
            spec = Door.function(region, function, None)
            if Door.reserved_concurrency(spec) == 0:
                raise ServiceError("TooManyRequestsException", "Rate Exceeded.")
        return self._run(spec, event, str(self._new_id()), message_ids, locked=False)

    def invoke_later(self, arn: str, event: dict[str, Any]) -> None:
        """Let an event wait for its run, as a service does that invokes a function: S3, for a bucket's notification."""
        self.waiting.append(
            _Event(arn.split(":")[3], arn, None, json.dumps(event, ensure_ascii=False), str(self._new_id()))
        )

    def run_waiting(self) -> int:
        """Run the asynchronous events whose time has come; return how many. One that fails is tried twice more, later."""
        count = 0
        while self.waiting:
            event = self.waiting.popleft()
            count += 1
            try:
                with self._door().lock:
                    spec = Door.function(event.region, event.function, event.qualifier)
                    retries = Door.retry_attempts(spec)
                failed = bool(self._run(spec, event.text, event.request_id, locked=False).error)
            except ServiceError:  # the function is gone
                continue
            if failed and event.tries < min(retries, len(RETRY_AFTER)):
                delay = RETRY_AFTER[event.tries]
                event.tries += 1
                self._clock.call_later(delay, lambda event=event: self.waiting.append(event))  # type: ignore[misc]
        return count

    def _run(
        self, spec: FunctionSpec, event: str, request_id: str, message_ids: list[str] | None = None, locked: bool = True
    ) -> Outcome:
        """Run it, tell the trace, and write the log. `locked`: whether this is a call's own context, which holds the door."""
        door = self._door()
        with self._recorder.run(event, spec.name, message_ids or []) as run:

            def go() -> Outcome:
                return self._runtime.run(
                    spec,
                    event,
                    request_id=request_id,
                    credentials=self._roles.credentials(spec),
                    run=run["id"],
                )

            if locked:
                with door.released():
                    outcome = go()
            else:
                outcome = go()
            run["result"] = outcome.result
            run["log"] = [line.rstrip("\n") for line in outcome.log]
            run["duration_ms"] = round(outcome.duration_ms, 2)
        if self._roles.may_log(spec):
            now = round(self._clock.now().timestamp() * 1000)
            with door.lock:
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
    "TooManyRequestsException": 429,
}


def _refusal(call: Call, refused: ServiceError) -> Response:
    return error_response(call, _STATUS.get(refused.code, 400), refused.code, refused.message)
