"""What runs a function, as the rest of the cloud sees it: the protocol, what comes of a run, the lines Lambda adds to its log.

Nothing here runs anything: `processes` and `inline` do, and a grader brings a runtime of its own.
Sources: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html,
https://docs.aws.amazon.com/lambda/latest/dg/python-logging.html and
https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-invocation.html.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from bentocola.cloud.functions.spec import Credentials, FunctionSpec

__all__ = [
    "INIT_SECONDS",
    "MAX_ASYNC_EVENT_BYTES",
    "MAX_EVENT_BYTES",
    "MAX_RESPONSE_BYTES",
    "EventTooLargeError",
    "Failure",
    "Outcome",
    "Run",
    "Runtime",
    "check_event",
    "environment_key",
    "log_stream_name",
    "response_too_large",
    "runtime_exited",
    "timed_out",
]

INIT_SECONDS = 10
"""What importing a function's code may take. Then it is tried once more, within the function's own timeout.

https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html (Init phase).
"""
MAX_EVENT_BYTES = 6_291_456
MAX_ASYNC_EVENT_BYTES = 1_048_576
MAX_RESPONSE_BYTES = 6_291_556


@dataclass(frozen=True)
class Outcome:
    """What came of one run."""

    payload: str
    """JSON: what the handler returned, or an object with errorMessage and errorType."""
    error: Literal["Unhandled", "Handled"] | None
    """The value of the header X-Amz-Function-Error. Lambda's Python runtime knows "Unhandled" only."""
    log: list[str]
    """The log events in order, each with the line end that it has in CloudWatch Logs. Joined, they are the log's text."""
    result: Literal["ok", "error", "died"]
    """"died": the process ended before it answered, by itself, at its timeout, or because it was stopped."""
    duration_ms: float
    billed_ms: int
    init_ms: float | None
    """How long importing the code took, in the run that did."""
    max_memory_mb: int | None
    """The process's highest so far; None where the system does not tell."""
    log_stream: str


class Runtime(Protocol):
    """Runs functions. Safe to call from several threads: runs of one function that overlap get an environment each."""

    def run(
        self,
        spec: FunctionSpec,
        event: str,
        *,
        request_id: str,
        credentials: Credentials,
        run: str | None = None,
        trace_id: str | None = None,
        client_context: str | None = None,
        invoked_arn: str | None = None,
    ) -> Outcome:
        """Run a function once and wait for it. Whatever its code does becomes an outcome.

        `event`: JSON. `credentials`: of the function's role; others than last time mean a new environment. `run`: how the trace
        calls this run; the AWS calls that it makes reach the door under this name. `client_context`: JSON, decoded.
        `invoked_arn`: the ARN as the caller named it (with an alias, say); the function's own by default.

        Raises `package.PackageError` when the code cannot be unpacked, and EventTooLargeError.
        """
        ...

    def close(self) -> None:
        """End all that runs. It can be called again."""
        ...


class EventTooLargeError(ValueError):
    """An event over Lambda's limit: its text is the message of a RequestTooLargeException (status 413)."""


def check_event(event: str, *, asynchronous: bool = False) -> None:
    """Raise EventTooLargeError for an event that Invoke would refuse: 6 MB, or 1 MB for one that nobody waits for."""
    kind, limit = ("Event", MAX_ASYNC_EVENT_BYTES) if asynchronous else ("RequestResponse", MAX_EVENT_BYTES)
    if len(event) * 4 > limit and (size := len(event.encode(errors="surrogatepass"))) > limit:
        raise EventTooLargeError(
            f"{size} byte payload is too large for the {kind} invocation type (limit {limit} bytes)"
        )


def environment_key(spec: FunctionSpec, credentials: Credentials) -> tuple[Any, ...]:
    """What has to be the same for an environment to be used again. It begins with the function's ARN and version."""
    return (
        spec.arn,
        spec.version,
        spec.name,
        spec.region,
        spec.runtime,
        spec.handler,
        spec.code_sha256,
        spec.timeout,
        spec.memory,
        tuple(sorted(spec.environment.items())),
        spec.role_arn,
        spec.log_group,
        credentials,
    )


def log_stream_name(now: datetime, version: str, unique: str) -> str:
    """Name an environment's log stream: "2026/03/01/[$LATEST]" and 32 hexadecimal digits."""
    return f"{now:%Y/%m/%d}/[{version}]{unique}"


@dataclass(frozen=True)
class Failure:
    """What Lambda itself says of a run that its code did not answer."""

    type: str
    message: str
    line: str
    """Its line in the log, or nothing."""
    status: str
    """What follows in the REPORT line, or nothing."""

    @property
    def payload(self) -> str:
        """What the caller gets."""
        return json.dumps({"errorType": self.type, "errorMessage": self.message}, separators=(",", ":"))


def timed_out(request_id: str, seconds: float, now: datetime) -> Failure:
    """The function's time was up, and it was killed. `now` is the time in the log."""
    said = f"Task timed out after {seconds:.2f} seconds"
    stamp = f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"
    return Failure(
        "Sandbox.Timedout",
        f"RequestId: {request_id} Error: {said}",
        f"{stamp} {request_id} {said}\n",
        "Status: timeout",
    )


def runtime_exited(request_id: str, reason: str) -> Failure:
    """The process ended. `reason`: "" for status 0, "exit status 3", "signal: killed"."""
    said = f"Runtime exited with error: {reason}" if reason else "Runtime exited without providing a reason"
    message = f"RequestId: {request_id} Error: {said}"
    return Failure(
        "Runtime.ExitError", message, f"{message}\nRuntime.ExitError\n", "Status: error\tError Type: Runtime.ExitError"
    )


def response_too_large() -> Failure:
    """The handler returned more than a response may hold. On AWS this ends the environment's process."""
    message = f"Response payload size exceeded maximum allowed payload size ({MAX_RESPONSE_BYTES} bytes)."
    return Failure("Function.ResponseSizeTooLarge", message, "", "Status: error\tError Type: Runtime.ExitError")


_MAX_LOG_BYTES = 4_000_000


class Run:
    """The log of one run while it is made, and in the end its outcome.

    What a handler prints is one event a line; what goes through Lambda's `logging` handler, and an error's traceback, is one
    event whatever its lines. So it is on AWS, where the runtime client frames the latter for the platform and the former reach
    it through a plain pipe.
    """

    def __init__(self, spec: FunctionSpec, request_id: str, say: Callable[..., str]) -> None:
        self.spec, self.request_id = spec, request_id
        self.events: list[str] = []
        self._say = say
        self._partial = bytearray()
        self._room = _MAX_LOG_BYTES

    def start(self) -> None:
        """Write the START line."""
        self.end_line()
        self.events.append(f"START RequestId: {self.request_id} Version: {self.spec.version}\n")

    def written(self, data: bytes) -> None:
        """Add what was written to stdout or stderr."""
        if self._has_room(len(data)):
            self._partial += data
            if b"\n" in data:
                *lines, self._partial = self._partial.split(b"\n")
                self.events += [f"{line.decode(errors='replace')}\n" for line in lines]

    def event(self, data: bytes) -> None:
        """Add one event."""
        if self._has_room(len(data)):
            self.end_line()
            text = data.decode(errors="replace")
            self.events.append(text if text.endswith("\n") else f"{text}\n")

    def end_line(self) -> None:
        """End the line that was begun, if any."""
        if self._partial:
            self.events.append(f"{self._partial.decode(errors='replace')}\n")
            self._partial = bytearray()

    def init_report(self, ms: float, phase: Literal["init", "invoke"], status: str) -> None:
        """Write the line on an initialization that failed. `status`: of both kinds, "timeout" and "error" with its type."""
        self.end_line()
        self.events.append(f"INIT_REPORT Init Duration: {ms:.2f} ms\tPhase: {phase}\t{status}\n")

    def _has_room(self, size: int) -> bool:
        self._room, before = self._room - size, self._room
        if self._room < 0 <= before:
            self.end_line()
            said = self._say(
                "This run wrote more than {megabytes} MB of log. What follows is left out: write less, for example by "
                "printing once a message and not once a step.",
                megabytes=_MAX_LOG_BYTES // 1_000_000,
            )
            self.events.append(f"{said}\n")
        return self._room >= 0

    def outcome(
        self,
        answer: str | Failure,
        result: Literal["ok", "error", "died"],
        *,
        duration_ms: float,
        init_ms: float | None,
        memory_mb: int | None,
        log_stream: str,
    ) -> Outcome:
        """Write the last lines and return the outcome. `answer`: the handler's own, or Lambda's failure.

        Since August 2025 an initialization is billed too (https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/).
        """
        self.end_line()
        failure = answer if isinstance(answer, Failure) else None
        if failure and failure.line:
            self.events.append(failure.line)
        self.events.append(f"END RequestId: {self.request_id}\n")
        billed = math.ceil(duration_ms + (init_ms or 0))
        used = None if memory_mb is None else min(memory_mb, self.spec.memory)
        fields = [
            f"REPORT RequestId: {self.request_id}",
            f"Duration: {duration_ms:.2f} ms",
            f"Billed Duration: {billed} ms",
            f"Memory Size: {self.spec.memory} MB",
        ]
        if used is not None:
            fields.append(f"Max Memory Used: {used} MB")
        if init_ms is not None:
            fields.append(f"Init Duration: {init_ms:.2f} ms")
        fields.append(failure.status if failure else "")
        self.events.append("\t".join(fields) + "\n")
        return Outcome(
            payload=failure.payload if failure else str(answer),
            error=None if result == "ok" else "Unhandled",
            log=self.events,
            result=result,
            duration_ms=duration_ms,
            billed_ms=billed,
            init_ms=init_ms,
            max_memory_mb=used,
            log_stream=log_stream,
        )
