"""A deployed function's code is a student's: it runs in the candidate's jail, and never as a child of the examiner.

The examiner waits for it, and answers the AWS calls that it makes meanwhile; they are the run's, in the trace and for its role.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from autograder.aws.alarm import unlimited
from autograder.aws.forms import outcome_of, packed_credentials, packed_run
from autograder.peer import Peer, PeerError, PeerGone, ProtocolError
from bentocola.cloud import cloud as clouds
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.functions.package import PackageError
from bentocola.cloud.functions.runtime import Outcome, Run, Runtime, check_event, log_stream_name, runtime_exited
from bentocola.cloud.functions.spec import Credentials, FunctionSpec
from bentocola.messages import both

__all__ = ["CandidateRuntime", "use"]

MOST_NESTED = 16
"""Runs that wait for each other: a function that invokes itself. Lambda stops such a chain after about as many.

https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
"""
_here = threading.local()
"""How deep this thread is in runs that wait for each other."""


class CandidateRuntime:
    """The runtime of `bentocola.cloud.functions.runtime`, over the pipe to the candidate. Any thread may call it."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._is_closed = False
        self._known: set[str] = set()

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
        """Run a function once: see `runtime.Runtime.run`. A candidate that is gone, or sends no outcome, makes one as well."""
        check_event(event)
        if self._is_closed:
            raise RuntimeError("The runtime is closed.")
        cloud = clouds.running()
        say = cloud.say if cloud is not None else both
        options = {
            "request_id": request_id,
            "credentials": packed_credentials(credentials),
            "run": run,
            "trace_id": trace_id,
            "client_context": client_context,
            "invoked_arn": invoked_arn,
            "language": cloud.edition if cloud is not None else "",
            "now": cloud.clock.now().timestamp() if cloud is not None else None,
            "stands_still": cloud is not None and cloud.clock.stands_still,
        }
        depth = getattr(_here, "depth", 0)
        if depth >= MOST_NESTED:
            message = "This function was stopped: {count} runs wait for each other already."
            return _ended(spec, options, say(message, count=depth))
        _here.depth = depth + 1
        try:
            return unlimited(lambda: self._ask(spec, event, options, say))
        finally:
            _here.depth = depth

    def _ask(self, spec: FunctionSpec, event: str, options: dict[str, Any], say: Callable[..., str]) -> Outcome:
        code = b"" if spec.code_sha256 in self._known else spec.code
        try:
            head, body = self._peer.call("function_run", *packed_run(spec, event, code, options))
            if head == {"unknown_code": True} and not code:
                head, body = self._peer.call("function_run", *packed_run(spec, event, spec.code, options))
            self._known.add(spec.code_sha256)
            refused = head.get("package_error") if isinstance(head, dict) else None
            if not isinstance(refused, str):
                return outcome_of(body)
        except PeerGone:
            return _ended(spec, options, say("The process in which this function runs has ended."))
        except (PeerError, ProtocolError, RecursionError, ValueError) as error:
            message = "The process in which this function runs sent no outcome: {reason}."
            return _ended(spec, options, say(message, reason=error))
        raise PackageError(refused[:1000])

    def close(self) -> None:
        """Run nothing any more."""
        if not self._is_closed:
            self._is_closed = True
            with suppress(PeerGone, ProtocolError):
                self._peer.notify("function_close", {})


def _ended(spec: FunctionSpec, options: dict[str, Any], why: str) -> Outcome:
    """What Lambda makes of an environment that ended."""
    request_id = options["request_id"]
    record = Run(spec, request_id, str.format)
    record.start()
    record.event(why.encode())
    now = datetime.fromtimestamp(options["now"] or 0, UTC)
    return record.outcome(
        runtime_exited(request_id, "signal: killed"),
        "died",
        duration_ms=0.0,
        init_ms=None,
        memory_mb=None,
        log_stream=log_stream_name(now, spec.version, uuid.uuid4().hex),
    )


def use(peer: Peer) -> None:
    """Let every local cloud that is started in this process from now on run its functions in the candidate's jail."""

    def start(edition: str, *, live: bool = False, runtime: Runtime | None = None, kind: type[Cloud] = Cloud) -> Cloud:
        return clouds.start_here(edition, live=live, runtime=runtime or CandidateRuntime(peer), kind=kind)

    clouds.divert(start)
