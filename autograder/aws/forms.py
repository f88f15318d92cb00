"""What crosses between the two ends, as JSON and bytes: AWS requests and answers, functions and what came of their runs.

Pure. What comes from the candidate is checked for form and size here, and a ValueError says what is wrong with it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, cast
from urllib.parse import urlsplit

from autograder.frames import MAX_FRAME_BYTES
from bentocola.cloud.door import Lost, Request, Response, Stopped
from bentocola.cloud.functions.runtime import MAX_RESPONSE_BYTES, Outcome
from bentocola.cloud.functions.spec import Credentials, FunctionSpec

__all__ = [
    "MAX_HEADER_BYTES",
    "MAX_LOG_BYTES",
    "left_out_of",
    "outcome_of",
    "packed_credentials",
    "packed_outcome",
    "packed_request",
    "packed_response",
    "packed_run",
    "request_of",
    "response_of",
    "run_of",
]

MAX_HEADER_BYTES = 256 << 10
"""Of a request's address and headers together: more than any service takes, and than botocore sends."""
MAX_LOG_BYTES = 8 << 20
"""Of one run. The runtime itself keeps 4 MB of what a function writes, and adds lines of its own."""
_MAX_BODY_BYTES = MAX_FRAME_BYTES - (1 << 20)

_METHOD = re.compile(r"[A-Z]{1,16}")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header's name, as RFC 9110 has it."""


# AWS requests: the head is {"method", "url", "headers", "chained"}, the body is the request's


def packed_request(request: Request, *, chained: bool = False) -> tuple[dict[str, Any], bytes]:
    """Return a request's head and body. `chained`: whether it is made while the other side waits for who makes it."""
    head: dict[str, Any] = {"method": request.method, "url": request.url, "headers": dict(request.headers)}
    if chained:
        head["chained"] = True
    if len(request.body) > _MAX_BODY_BYTES:
        return {**head, "left_out": len(request.body)}, b""
    return head, request.body


def left_out_of(head: dict[str, Any]) -> int:
    """Return the size of a body that is too long to cross; 0 if it came along."""
    size = head.get("left_out")
    return size if type(size) is int and size > 0 else 0


def request_of(head: Any, body: bytes) -> Request:
    """Return the request. Raises ValueError for what is none."""
    if not isinstance(head, dict):
        raise ValueError("a request is an object")
    method, url, headers = head.get("method"), head.get("url"), head.get("headers")
    if not isinstance(method, str) or not _METHOD.fullmatch(method):
        raise ValueError("a method is a word in capitals")
    if not isinstance(url, str) or not isinstance(headers, dict):
        raise ValueError("an address is a text, and headers are an object")
    size = len(url)
    for name, value in headers.items():
        if not isinstance(value, str) or not _TOKEN.fullmatch(name) or "\n" in value or "\r" in value:
            raise ValueError("a header is a name and a line of text")
        size += len(name) + len(value)
    if size > MAX_HEADER_BYTES:
        raise ValueError(f"address and headers have {size} bytes, at most {MAX_HEADER_BYTES} are read")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address begins with https:// and a host")
    _ = parts.port  # raises ValueError for what is no number
    return Request(method, url, headers, body)


# Answers: the head is [status, headers, wait]; status 0 is a connection that broke, and "stopped" ends who called


def packed_response(response: Response, wait: int = 0) -> tuple[list[Any], bytes]:
    """Return an answer's head and body. `wait`: for how many seconds it may be asked for again."""
    status = "stopped" if isinstance(response, Stopped) else response.status
    return [status, dict(response.headers), wait], response.body


def response_of(head: Any, body: bytes) -> tuple[Response, int]:
    """Return the answer that `packed_response` packed, and its `wait`."""
    status, headers, wait = head
    if status == "stopped":
        return Stopped(), wait
    return Response(status, headers, body) if status else Lost(), wait


# A run: the head holds the specification, the body the event and the package, if that is not known already


def packed_run(spec: FunctionSpec, event: str, code: bytes, options: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Return a run's head and body. `code`: the package, or nothing if the other side has it. `options`: JSON."""
    told = event.encode(errors="surrogatepass")
    described = {name: value for name, value in vars(spec).items() if name != "code"}
    head = {**options, "spec": {**described, "environment": dict(spec.environment)}, "event_bytes": len(told)}
    return head, told + code


def run_of(head: Any, body: bytes) -> tuple[dict[str, Any], str, bytes, dict[str, Any]]:
    """Return a run's specification without its code, the event, the code if it came along, and the options."""
    options = dict(head)
    spec, size = options.pop("spec"), options.pop("event_bytes")
    return spec, body[:size].decode(errors="surrogatepass"), body[size:], options


def packed_credentials(credentials: Credentials) -> list[str]:
    """Return a role's credentials as JSON."""
    return [credentials.access_key, credentials.secret_key, credentials.session_token]


# What came of a run: all of it is in the body, for it may be long


def packed_outcome(outcome: Outcome) -> bytes:
    """Return an outcome as JSON."""
    return json.dumps(asdict(outcome)).encode()


def outcome_of(body: bytes) -> Outcome:
    """Return the outcome that a candidate sent. Raises ValueError for what is none: it may be of anybody's making."""
    if len(body) > 6 * (MAX_RESPONSE_BYTES + MAX_LOG_BYTES):  # JSON writes a character in six bytes at the most
        raise ValueError("it is too long")
    said = _json(body)
    if not isinstance(said, dict) or set(said) != set(Outcome.__dataclass_fields__):
        raise ValueError("it has other fields")
    log = said["log"]
    fits = (
        isinstance(said["payload"], str)
        and len(said["payload"]) <= MAX_RESPONSE_BYTES
        and said["error"] in (None, "Unhandled", "Handled")
        and said["result"] in ("ok", "error", "died")
        and (said["result"] == "ok") is (said["error"] is None)
        and isinstance(log, list)
        and all(isinstance(line, str) for line in log)
        and sum(map(len, log)) <= MAX_LOG_BYTES
        and isinstance(said["log_stream"], str)
        and len(said["log_stream"]) <= 512
        and all(_is_time(said[name]) for name in ("duration_ms", "billed_ms"))
        and (said["init_ms"] is None or _is_time(said["init_ms"]))
        and (said["max_memory_mb"] is None or _is_time(said["max_memory_mb"]))
    )
    if not fits:
        raise ValueError("its fields hold something else")
    _json(said["payload"])  # what a caller reads is JSON
    return Outcome(**cast("dict[str, Any]", said))


def _json(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _is_time(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(cast("float", value)) and 0 <= cast("float", value) < 1e12
