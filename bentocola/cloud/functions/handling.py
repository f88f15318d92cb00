"""What Lambda's Python runtime does around a handler: finds it, hands it event and context, words what goes wrong.

Used in a function's own process and inline. Standard library only: a process that starts waits for what is imported here.

Payloads and log lines are those of AWS's own runtime client (awslambdaric, Apache 2.0, on PyPI; a test compares the two), and
https://docs.aws.amazon.com/lambda/latest/dg/python-exceptions.html,
https://docs.aws.amazon.com/lambda/latest/dg/python-context.html,
https://docs.aws.amazon.com/lambda/latest/dg/python-logging.html. Left out: the JSON log format, the general warning that newer
clients log before an initialization error, and simplejson's way of returning a named tuple (here it is an array).
"""

from __future__ import annotations

import decimal
import importlib
import json
import logging
import math
import os
import re
import sys
import time
import traceback
import uuid
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, TextIO

__all__ = [
    "Context",
    "Fault",
    "LogHandler",
    "Paths",
    "client_context",
    "describe",
    "error_event",
    "find_handler",
    "frames",
    "marshal",
    "unmarshal",
]

Handler = Callable[[Any, Any], Any]
Description = dict[str, Any]


class Fault(Exception):
    """What the runtime, not the function's code, has to say. `type`: such as "Runtime.ImportModuleError"."""

    def __init__(self, type: str, message: str, trace: list[str] | None = None) -> None:
        super().__init__(message)
        self.type = type
        self.trace = trace


class Paths:
    """Names files as they are named on AWS, so that a traceback is the same on every machine and shows none of its folders."""

    def __init__(self, task: str, libraries: list[str]) -> None:
        """`task`: the folder of the function's code. `libraries`: those in which boto3 and what it needs were found."""
        python = f"/var/lang/lib/python{sys.version_info.major}.{sys.version_info.minor}"
        known = [(task, "/var/task"), *((folder, f"{python}/site-packages") for folder in libraries)]
        known.append((os.path.dirname(os.__file__), python))
        self._folders = [
            (form, there) for here, there in known for form in dict.fromkeys((here, os.path.realpath(here)))
        ]

    def file(self, name: str | None) -> str:
        """Return a file's name on AWS."""
        if name == __file__:
            return "/var/runtime/bootstrap.py"
        for here, there in self._folders:
            if name and name.startswith(here + os.sep):
                return there + name[len(here) :].replace(os.sep, "/")
        return str(name)

    def text(self, text: str) -> str:
        """Return a text with all the folders in it renamed."""
        for here, there in self._folders:
            text = text.replace(here, there)
        return text


def find_handler(name: str, paths: Paths) -> Handler:
    """Import a handler by its configured name: "file.function" or "folder/file.function". Raises Fault."""
    module_name, dot, function = name.rpartition(".")
    if not dot:
        raise Fault(
            "Runtime.MalformedHandlerName", f"Bad handler '{name}': not enough values to unpack (expected 2, got 1)"
        )
    if module_name.partition(".")[0] in sys.builtin_module_names:
        raise Fault("Runtime.BuiltInModuleConflict", f"Cannot use built-in module {module_name} as a handler module")
    try:
        module = importlib.import_module(module_name.replace("/", "."))
    except ImportError as error:
        raise Fault("Runtime.ImportModuleError", f"Unable to import module '{module_name}': {error}") from error
    except SyntaxError as error:
        where = [f'  File "{paths.file(error.filename)}" Line {error.lineno}\n    {error.text}']
        raise Fault("Runtime.UserCodeSyntaxError", f"Syntax error in module '{module_name}': {error}", where) from error
    try:
        found: Handler = getattr(module, function)
    except AttributeError as error:
        raise Fault("Runtime.HandlerNotFound", f"Handler '{function}' missing on module '{module_name}'") from error
    return found


def unmarshal(event: bytes) -> Any:
    """Return the event that a handler gets. Raises Fault when it is no JSON."""
    try:
        return json.loads(event)
    except Exception as error:
        raise Fault("Runtime.UnmarshalError", f"Unable to unmarshal input: {error}") from error


def marshal(returned: Any, runtime: str) -> bytes:
    """Return what a handler returned as JSON. Raises Fault when it cannot be. Decimals are numbers; bytes stay as they are.

    `runtime`: from python3.12 on, text stays readable; up to python3.11 it is escaped down to ASCII.
    """
    if isinstance(returned, bytes):
        return returned
    numbers: list[str] = []
    mark = ""

    def number(value: Any) -> Any:
        nonlocal mark
        if not isinstance(value, decimal.Decimal):
            raise TypeError(f"Object of type {value.__class__.__name__} is not JSON serializable")
        if value.is_nan():
            return math.nan
        mark = mark or uuid.uuid4().hex
        numbers.append(str(value))
        return f"{mark}{len(numbers) - 1}"

    ascii_only = runtime in ("python3.8", "python3.9", "python3.10", "python3.11")
    try:
        text = json.dumps(returned, default=number, ensure_ascii=ascii_only)
    except Exception as error:
        raise Fault("Runtime.MarshalError", f"Unable to marshal response: {error}") from error
    if numbers:  # the json module writes no number of ours as it stands: put them in afterwards
        text = re.sub(f'"{mark}(\\d+)"', lambda found: numbers[int(found[1])], text)
    return text.encode(errors="surrogatepass")


def describe(error: BaseException, request_id: str, paths: Paths, own_files: tuple[str, ...] = ()) -> Description:
    """Return the error as the caller gets it: errorMessage, errorType, requestId, stackTrace.

    `own_files`: whose frames, at the beginning, are not the function's.
    """
    if isinstance(error, Fault):
        described, kind, trace = str(error), error.type, error.trace or []
    else:
        described, kind = str(error), type(error).__name__
        trace = traceback.format_list(frames(error.__traceback__, paths, own_files))
    return {"errorMessage": described, "errorType": kind, "requestId": request_id, "stackTrace": trace}


def frames(
    trace: TracebackType | None, paths: Paths, own_files: tuple[str, ...]
) -> list[tuple[str, int, str, str | None]]:
    """Return the frames that Lambda shows of a traceback."""
    found = traceback.extract_tb(trace)
    own = {__file__, *own_files}
    first = next((number for number, frame in enumerate(found) if frame.filename not in own), 0)
    return [(paths.file(frame.filename), frame.lineno or 0, frame.name, frame.line) for frame in found[first:]]


def error_event(described: Description) -> str:
    """Return an error as the one event that it is in the log. Its lines are indented with no-break spaces, as on AWS."""
    named = ": ".join(text for text in (described["errorType"], described["errorMessage"]) if text)
    lines = [f"[ERROR] {named}" if named else "[ERROR]", "Traceback (most recent call last):"]
    for entry in described["stackTrace"]:
        for line in entry.splitlines():
            text = line.lstrip(" ")
            lines.append("\u00a0" * (len(line) - len(text)) + text)
    return "\n".join(lines)


class LogHandler(logging.Handler):
    """The handler that Lambda's root logger has from the start. The level is WARNING until the code sets another."""

    def __init__(self, event: Callable[[str], None], paths: Paths, seconds_ahead: float = 0.0) -> None:
        """`event` takes each record's text, one event of the log. `seconds_ahead`: of the course's clock before the real one."""
        super().__init__()
        self._event = event
        self.request_id = ""
        self.seconds_ahead = seconds_ahead
        self.setFormatter(_Formatter(paths))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record down."""
        record.aws_request_id = self.request_id
        moment = record.created + self.seconds_ahead
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
        record.lambda_time = f"{stamp}.{int(moment % 1 * 1000):03d}Z"
        try:
            self._event(self.format(record))
        except Exception:
            self.handleError(record)


class _Formatter(logging.Formatter):
    def __init__(self, paths: Paths) -> None:
        super().__init__("[%(levelname)s]\t%(lambda_time)s\t%(aws_request_id)s\t%(message)s\n")
        self._paths = paths

    def formatException(self, ei: Any) -> str:
        return self._paths.text(super().formatException(ei))


class Context:
    """The second argument of a handler: https://docs.aws.amazon.com/lambda/latest/dg/python-context.html."""

    def __init__(
        self,
        request_id: str,
        invoked_function_arn: str,
        remaining_ms: Callable[[], float],
        client_context: Mapping[str, Any] | None,
        environment: Mapping[str, str],
        stdout: Callable[[], TextIO] = lambda: sys.stdout,
    ) -> None:
        self.aws_request_id = request_id
        self.invoked_function_arn = invoked_function_arn
        self.function_name = environment.get("AWS_LAMBDA_FUNCTION_NAME")
        self.function_version = environment.get("AWS_LAMBDA_FUNCTION_VERSION")
        self.memory_limit_in_mb = environment.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        self.log_group_name = environment.get("AWS_LAMBDA_LOG_GROUP_NAME")
        self.log_stream_name = environment.get("AWS_LAMBDA_LOG_STREAM_NAME")
        self.identity = CognitoIdentity()
        self.client_context = None if client_context is None else ClientContext(client_context)
        self.tenant_id = None
        self._remaining_ms = remaining_ms
        self._stdout = stdout

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds that are left before the timeout, at least 0."""
        return max(0, int(self._remaining_ms()))

    def log(self, message: object) -> None:
        """Write to the log."""
        self._stdout().write(str(message))

    def __repr__(self) -> str:
        shown = (
            "aws_request_id",
            "log_group_name",
            "log_stream_name",
            "function_name",
            "memory_limit_in_mb",
            "function_version",
            "invoked_function_arn",
            "client_context",
            "identity",
            "tenant_id",
        )
        return f"LambdaContext([{','.join(f'{name}={getattr(self, name)}' for name in shown)}])"


Context.__name__ = Context.__qualname__ = "LambdaContext"  # what a handler that prints its type sees


class CognitoIdentity:
    """Who calls, for calls from a mobile app. There is none here."""

    cognito_identity_id: str | None = None
    cognito_identity_pool_id: str | None = None

    def __repr__(self) -> str:
        return (
            f"CognitoIdentity([cognito_identity_id={self.cognito_identity_id},"
            f"cognito_identity_pool_id={self.cognito_identity_pool_id}])"
        )


class ClientContext:
    """What the caller passed in Invoke's parameter ClientContext."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.custom = given.get("custom")
        self.env = given.get("env")
        client = given.get("client")
        self.client = _Client(client) if isinstance(client, Mapping) else None

    def __repr__(self) -> str:
        return f"ClientContext([custom={self.custom},env={self.env},client={self.client}])"


def client_context(given: str | None) -> Mapping[str, Any] | None:
    """Return what was passed as JSON. Raises Fault when it is none."""
    try:
        return json.loads(given) if given else None
    except Exception as error:
        message = f"Unable to parse Client Context JSON: {error}"
        raise Fault("Runtime.LambdaContextUnmarshalError", message) from error


class _Client:
    def __init__(self, given: Mapping[str, Any]) -> None:
        for name in ("installation_id", "app_title", "app_version_name", "app_version_code", "app_package_name"):
            setattr(self, name, given.get(name))
