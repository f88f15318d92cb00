"""The one entrance to the local cloud: an AWS request in, a response out, through the layers in order.

The only place that calls moto. What it answers never leaves the machine: a request for a service that is not offered gets an
error of that service's own kind. It may touch moto's internals, and so may not the layers and wires around it.
"""

from __future__ import annotations

import importlib
import io
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Literal, Protocol
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from bentocola.cloud import imports, operations
from bentocola.cloud.account import ACCOUNT, DEFAULT_REGION
from bentocola.cloud.amendments import (
    dynamodb_items,
    lambda_functions,
    lambda_mappings,
    lambda_requests,
    logs_events,
    looks,
    s3_events,
    sqs_store,
)
from bentocola.cloud.amendments.looks import Noticed, Seen
from bentocola.cloud.functions.spec import FunctionSpec

__all__ = [
    "ACCOUNT",
    "DEFAULT_REGION",
    "Lost",
    "OFFERED",
    "Answer",
    "Call",
    "Caller",
    "Door",
    "Layer",
    "Noticed",
    "Request",
    "Response",
    "Seen",
    "ServiceError",
    "Stopped",
    "Unanswered",
    "caller",
    "error_response",
    "read_call",
]

OFFERED = {
    "s3": "S3",
    "sqs": "SQS",
    "lambda": "Lambda",
    "dynamodb": "DynamoDB",
    "logs": "CloudWatch Logs",
    "iam": "IAM",
    "sts": "STS",
}
"""Signing name of each service that the local cloud has, and what people call it."""

# Credential=KEY/date/region/service/aws4_request, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-signing-elements.html
_SCOPE = re.compile(r"Credential=(?P<key>[^/,]+)/\d{8}/(?P<region>[^/]*)/(?P<service>[^/]+)/aws4_request")
_XML_SERVICES = {"cloudfront", "route53", "s3", "s3-object-lambda", "s3control", "s3express"}
# Services that sign, or are signed, under the name of one that is offered: by the version that their requests carry.
_TARGETS = {"DynamoDB_20120810": "dynamodb", "DynamoDBStreams_20120810": "dynamodbstreams", "AmazonSQS": "sqs"}
# Names that services of other names sign under, "lambda-core" among them: the host tells which one it is.
_SHARED_NAMES = {"iam", "lambda"}
_AWS = (".amazonaws.com", ".api.aws")
_TARGET_OF = {"dynamodb": "DynamoDB_20120810", "sqs": "AmazonSQS", "logs": "Logs_20140328"}
_S3_CONTROL = "/v20180820/"
_REGION = r"[a-z]{2,4}(?:-[a-z]+)+-\d"
_ERROR_XML = (
    "<?xml version='1.0'?><ErrorResponse><Error><Type>Sender</Type>"
    "<Code>{code}</Code><Message>{message}</Message></Error></ErrorResponse>"
)
_ERROR_S3 = "<?xml version='1.0'?><Error><Code>{code}</Code><Message>{message}</Message></Error>"


@dataclass(frozen=True)
class Request:
    """An AWS request as it would go over HTTP. `body` is the whole body; header names are as sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes = b""

    def header(self, name: str) -> str:
        """Return the header's value whatever its case, or an empty text."""
        return self._lowered.get(name.lower(), "")

    @cached_property
    def _lowered(self) -> dict[str, str]:
        return {key.lower(): value for key, value in self.headers.items()}


@dataclass(frozen=True)
class Response:
    """An AWS response as it would come over HTTP."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body as JSON, or None where it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True)
class Unanswered(Response):
    """No answer reaches who called. `answered`: what the service said all the same; None where it was never asked."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    answered: Response | None = None


class Lost(Unanswered):
    """The call had its effect, and the connection broke before the answer came."""


class Stopped(Unanswered):
    """Who called is stopped at this point, and never learns of an answer."""


@dataclass(frozen=True)
class Caller:
    """Whose call it is, as far as a wire knows."""

    actor: Literal["you", "lambda"]
    run: str | None = None
    """The function's run that makes the call, if one does."""


caller: ContextVar[Caller | None] = ContextVar("caller", default=None)
"""Who calls in this context. A wire that knows sets it around `Door.handle`."""


class ServiceError(Exception):
    """A service's refusal of one of the local cloud's own calls (`Door.ask`), under the service's own `code`."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(f"{code}: {message}")


@dataclass(frozen=True)
class Call:
    """A request and what its signature says of it: who calls, which service, where, which operation."""

    request: Request
    access_key: str
    service: str
    region: str
    operation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What was asked, by the API's own names: of a JSON body, a form (IAM, STS), or for Lambda of the address as well.

    For S3: Bucket and Key, as far as the address names them.
    """


Answer = Callable[[Call], Response]


class Layer(Protocol):
    """What stands between the wires and the services: it may look, refuse, or hand on."""

    def __call__(self, call: Call, answer: Answer) -> Response: ...


class Door:
    """The layers, and behind them the mocked services. One call at a time: moto's backends are not thread-safe."""

    def __init__(
        self,
        layers: Sequence[Layer] = (),
        before_call: Callable[[], None] = lambda: None,
        after_call: Callable[[Call], None] = lambda call: None,
        say: Callable[..., str] = str.format,
        lock: threading.RLock | None = None,
    ) -> None:
        """`before_call` and `after_call` run under `lock`, as the call itself does.

        `say` puts what only this cloud tells, in no service's name, into the reader's language.
        """
        self.lock = lock or threading.RLock()
        self.is_open = True
        self._say = say
        self._before_call = before_call
        self._after_call = after_call
        self._answer: Answer = _answer
        for layer in reversed(layers):
            self._answer = _bind(layer, self._answer)

    def handle(self, request: Request) -> Response:
        """Answer any AWS request. Never raises for what the request holds: every refusal is a response."""
        call = read_call(request)
        with self.lock:
            if not self.is_open:
                return Lost()
            if call.service not in OFFERED:
                return self._not_offered(call)
            self._before_call()
            try:
                return self._answer(call)
            finally:
                self._after_call(call)

    @contextmanager
    def released(self) -> Iterator[None]:
        """Let others call while this call waits: for a function to end, say. However often this thread holds the lock."""
        held = 0
        with suppress(RuntimeError):  # it is held no more
            while True:
                self.lock.release()
                held += 1
        try:
            yield
        finally:
            for _ in range(held):
                self.lock.acquire()

    def ask(
        self, service: str, operation: str, parameters: Mapping[str, Any], *, region: str, access_key: str
    ) -> dict[str, Any]:
        """Call SQS, DynamoDB or CloudWatch Logs as one of the cloud's own parts does, and return its answer.

        The call passes all layers. Raises ServiceError when the service refuses it, or when the answer is lost.
        """
        headers = {
            "X-Amz-Target": f"{_TARGET_OF[service]}.{operation}",
            "Content-Type": "application/x-amz-json-1.0",
            "Authorization": f"AWS4-HMAC-SHA256 Credential={access_key}/20260101/{region}/{service}/aws4_request",
        }
        request = Request(
            "POST", f"https://{service}.{region}.amazonaws.com/", headers, json.dumps(parameters).encode()
        )
        response = self.handle(request)
        answered = response.json() or {}
        if response.status == 200:
            return dict(answered)
        code = str(answered.get("__type", "NoAnswer")).rpartition("#")[2]
        raise ServiceError(code, str(answered.get("message") or answered.get("Message") or ""))

    def _not_offered(self, call: Call) -> Response:
        said = self._say(
            "The service '{service}' is not part of this local cloud. It has: {offered}. Nothing was sent to AWS.",
            service=call.service,
            offered=self._say(", ").join(OFFERED.values()),
        )
        return error_response(call, 501, "ServiceNotOffered", said)

    def close(self) -> None:
        """Answer no call from here on, also none that waits for its turn, and forget everything."""
        with self.lock:
            if self.is_open:
                self.is_open = False
                self.empty()

    @staticmethod
    def empty() -> None:
        """Forget everything that the services hold."""
        from moto.core.base_backend import BackendDict

        BackendDict.reset()

    # What the recorder shows beside a call. It is read from moto without a call, so that looking changes nothing: a queue
    # that is looked at has received nothing.

    @staticmethod
    def counts(service: str) -> dict[str, int]:
        """Return how much `service` (s3, sqs or dynamodb) holds in all its regions, by the paths that a trace uses."""
        if service == "s3":
            return {
                "s3.objects": sum(
                    len(bucket.keys) for backend in _backends("s3") for bucket in backend.buckets.values()
                )
            }
        if service == "dynamodb":
            tables = [table for backend in _backends("dynamodb") for table in backend.tables.values()]
            return {"ddb.items": sum(map(dynamodb_items.item_count, tables))}
        queues = _queues()
        dead = {id(queue.dead_letter_queue) for queue in queues if queue.dead_letter_queue is not None}
        seen = {"sqs.visible": 0, "sqs.in_flight": 0, "sqs.dead": 0}
        for queue in queues:
            visible, in_flight, delayed = sqs_store.counts(queue)
            if id(queue) in dead:
                seen["sqs.dead"] += visible + in_flight + delayed
            else:
                seen["sqs.visible"] += visible
                seen["sqs.in_flight"] += in_flight + delayed
        return seen

    @staticmethod
    def listen(on: bool = True) -> None:
        """Let the queues write down what they do by themselves, for `journal`; or no longer."""
        sqs_store.listen(on)

    @staticmethod
    def promote() -> None:
        """Let every queue notice what is due: messages that are visible again, or whose retention is over."""
        sqs_store.promote_all()

    @staticmethod
    def journal() -> list[Noticed]:
        """Return what the queues did by themselves since the last ask."""
        return looks.journal()

    @staticmethod
    def message_of_receipt(receipt_handle: str) -> Callable[[], Seen] | None:
        """Return what looks at the message that was once received under `receipt_handle` and is not deleted by now."""
        found = (sqs_store.message_of_receipt(queue, receipt_handle) for queue in _queues())
        message = next((message for message in found if message is not None), None)
        return None if message is None else lambda: looks.seen(message)

    @staticmethod
    def named(name: str, region: str) -> str:
        """Return what a resource is called in a trace: its name, and its region where that is not the default."""
        return looks.named(name, region)

    @staticmethod
    def messages() -> list[tuple[str, Seen]]:
        """Return all messages in all queues, in the order in which they came to be, each with its queue."""
        return looks.messages()

    @staticmethod
    def resources(service: str) -> dict[str, dict[str, Any]]:
        """Return all resources of a service, by the paths that a trace uses."""
        return looks.resources(service)

    @staticmethod
    def queue(name: str, region: str) -> dict[str, int] | None:
        """Return how many messages a queue holds, in which state; None when there is no such queue."""
        return looks.queue(name, region)

    @staticmethod
    def items(table: str) -> Iterator[dict[str, Any]]:
        """Yield all items of a table, under its name in a trace, as typed JSON."""
        return looks.items(table)

    @staticmethod
    def is_standard(call: Call) -> bool:
        """Whether `call` names a standard queue: one that may deliver again, and in another order."""
        queue = _queue_of(call)
        return queue is not None and not queue.fifo_queue

    @staticmethod
    def available(call: Call) -> int:
        """Return how many messages a receive from the queue that `call` names could get."""
        return sqs_store.counts(_queue_of(call))[0]

    @staticmethod
    def deliver_again(call: Call, receipt_handle: str) -> None:
        """Let the standard queue that `call` names hand out a message once more that it just handed out."""
        queue = _queue_of(call)
        sqs_store.deliver_again(queue, sqs_store.message_of_receipt(queue, receipt_handle))

    @staticmethod
    def shuffle_next(call: Call, shuffle: Callable[[list[Any]], None]) -> None:
        """Let `shuffle` bring a standard queue's messages into another order for the receive that `call` is.

        An order that comes out as it was is turned round.
        """

        def order(messages: list[Any]) -> list[Any]:
            shuffled = list(messages)
            shuffle(shuffled)
            return shuffled if shuffled != messages else shuffled[::-1]

        sqs_store.shuffle_next(_queue_of(call), order)

    @staticmethod
    def function(region: str, name: str, qualifier: str | None) -> FunctionSpec:
        """Return what is needed to run a function. Raises ServiceError with Lambda's words when there is none such."""
        try:
            return lambda_functions.function(region, name, qualifier)
        except lambda_requests.Refusal as refused:
            raise ServiceError(refused.code, refused.message) from refused

    @staticmethod
    def has_function(arn: str) -> bool:
        """Whether there is a function, version or alias with this ARN."""
        try:
            lambda_functions.function(arn.split(":")[3], arn)
        except lambda_requests.Refusal:
            return False
        return True

    @staticmethod
    def reserved_concurrency(spec: FunctionSpec) -> int | None:
        """Return how many runs at once the function may have; None without a limit of its own."""
        return lambda_functions.reserved_concurrency(spec.region, spec.name)

    @staticmethod
    def retry_attempts(spec: FunctionSpec) -> int:
        """Return how often an asynchronous event that failed is tried again, by the version or alias that `spec.arn` names."""
        return lambda_functions.retry_attempts(spec.region, spec.arn)

    @staticmethod
    def maximum_event_age(spec: FunctionSpec) -> int:
        """Return for how many seconds an asynchronous event may wait."""
        return lambda_functions.maximum_event_age(spec.region, spec.arn)

    @staticmethod
    def mappings() -> list[lambda_mappings.Mapping]:
        """Return the event source mappings of queues, oldest first, those that are being deleted left out."""
        return lambda_mappings.mappings()

    @staticmethod
    def mapping(uuid: str) -> lambda_mappings.Mapping | None:
        """Return one event source mapping, or None when it is gone."""
        return lambda_mappings.mapping(uuid)

    @staticmethod
    def mapping_shown(uuid: str) -> dict[str, Any] | None:
        """Return an event source mapping as a trace shows it, or None when it is gone."""
        found = lambda_mappings.mapping(uuid)
        return None if found is None else looks.mapping(found)

    @staticmethod
    def mapping_result(uuid: str, result: str) -> None:
        """Set a mapping's LastProcessingResult."""
        lambda_mappings.set_result(uuid, result)

    @staticmethod
    def visibility_timeout(queue_arn: str) -> int | None:
        """Return for how many seconds a queue hides what was received, or None when there is no such queue."""
        return next((int(queue.visibility_timeout) for queue in _queues() if queue.queue_arn == queue_arn), None)

    @staticmethod
    def write_log(spec: FunctionSpec, stream: str, lines: list[tuple[int, str]]) -> None:
        """Append lines, each with its time in milliseconds since 1970, to a function's log."""
        logs_events.put(spec.region, spec.log_group, stream, lines)

    @staticmethod
    def key_names(region: str, table: str) -> tuple[str, ...]:
        """Return the names of the table's key attributes, partition key first; empty when there is no such table."""
        found = _table(region, table)
        if found is None:
            return ()
        return tuple(name for name in (found.hash_key_attr, found.range_key_attr) if name)

    @staticmethod
    def item(region: str, table: str, key: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the stored item under `key` as typed JSON, or None."""
        if _table(region, table) is None:
            return None
        try:
            found = _region("dynamodb", region).get_item(table, dict(key))
        except Exception:  # a key that the table refuses: the call itself will say so, with the service's own words
            return None
        return None if found is None else dict(found.to_json()["Attributes"])


def read_call(request: Request) -> Call:
    """Read from the request who calls what. The signature's scope says it; an unsigned request is read by its host."""
    authorization = request.header("Authorization")
    scope = _SCOPE.search(authorization) or _SCOPE.search(_credential_of_query(request.url))
    host = urlsplit(request.url).hostname or ""
    if scope:
        access_key, region, service = scope["key"], scope["region"], scope["service"]
        if service in _SHARED_NAMES and host.endswith(_AWS) and (named := _first_labels(host)) != service:
            service = named
    else:
        access_key, region = _key_of_old_signature(authorization, request.url), _region_in(host) or DEFAULT_REGION
        service = next((name for name in OFFERED if name in re.split(r"[.-]", host)), _first_labels(host))
    service = _TARGETS.get(request.header("X-Amz-Target").rpartition(".")[0], service)
    if service == "s3" and urlsplit(request.url).path.startswith(_S3_CONTROL) and request.header("x-amz-account-id"):
        service = "s3control"
    region = region if region and region != "aws-global" else DEFAULT_REGION
    operation, parameters = operations.read(service, request.method, request.url, request.header, request.body)
    return Call(request, access_key, service, region, operation, parameters)


def _first_labels(host: str) -> str:
    """Return what a host of AWS says before its region or domain: the service's own name. Other hosts are given whole."""
    found = re.match(
        rf"(?P<name>.+?)\.(?:(?:{_REGION}|global)\.)?(?:amazonaws|api\.aws|api\.amazonwebservices)\.", f"{host}."
    )
    return found["name"] if found else host


def _credential_of_query(url: str) -> str:
    """A presigned URL carries the scope in its query; return it in the header's form."""
    return "".join(f"Credential={value}" for value in parse_qs(urlsplit(url).query).get("X-Amz-Credential", ()))


def _key_of_old_signature(authorization: str, url: str) -> str:
    """Version 2 of the signature names its key alone: "AWS KEY:signature", or in the query of a presigned URL."""
    if authorization.startswith("AWS "):
        return authorization[4:].partition(":")[0]
    return next(iter(parse_qs(urlsplit(url).query).get("AWSAccessKeyId", ())), "")


def _region_in(host: str) -> str:
    found = re.findall(rf"\b{_REGION}(?=\.)", host)
    return found[-1] if found else ""


def _bind(layer: Layer, answer: Answer) -> Answer:
    return lambda call: layer(call, answer)


def _backends(service: str) -> list[Any]:
    """What moto holds of a service in each region that was used."""
    held = _backend_dict(service).get(ACCOUNT)
    return list(held.values()) if held else []


def _region(service: str, region: str) -> Any:
    return _backend_dict(service)[ACCOUNT][region]


def _table(region: str, name: str) -> Any:
    held = (_backend_dict("dynamodb").get(ACCOUNT) or {}).get(region)
    return held.tables.get(name) if held else None


def _queues() -> list[Any]:
    return [queue for backend in _backends("sqs") for queue in backend.queues.values()]


def _queue_of(call: Call) -> Any:
    name = str(call.parameters.get("QueueUrl", "")).rpartition("/")[2]
    return next((queue for queue in _queues() if queue.name == name and queue.region == call.region), None)


_MODULES = {"lambda": "awslambda"}
"""What moto calls a service, where AWS signs under another name."""


@cache
def _backend_dict(service: str) -> Any:
    return getattr(importlib.import_module(f"moto.{_MODULES.get(service, service)}.models"), f"{service}_backends")


@cache
def _routes(
    service: str,
) -> list[tuple[re.Pattern[str], Callable[[Any, str, Any], tuple[int, Mapping[str, Any], Any]]]]:
    """moto's own table of addresses and handlers for one service. Importing it is what takes time, so only when asked."""
    with imports.quick():
        urls = importlib.import_module(f"moto.{_MODULES.get(service, service)}.urls")
        importlib.import_module("moto.iam.models")  # each of moto's services asks it who calls
    return [
        (re.compile(path.format(base)), handler) for base in urls.url_bases for path, handler in urls.url_paths.items()
    ]


def _canonical(call: Call) -> str:
    """The request's address at the service's public host: what came in may name a loopback endpoint or another partition."""
    parts = urlsplit(call.request.url)
    query = f"?{parts.query}" if parts.query else ""
    host = f"{call.service}.{call.region}.amazonaws.com"
    if call.service == "s3":
        bucket, path = operations.bucket_and_path(call.request.url)
        return f"https://{bucket + '.' if bucket else ''}{host}{path}{query}"
    return f"https://{host}{parts.path or '/'}{query}"


def _answer(call: Call) -> Response:
    """Let moto answer."""
    from moto.core.request import Request as MotoRequest
    from werkzeug.exceptions import HTTPException  # what moto's own errors are

    url = _canonical(call)
    address = url.partition("?")[0]
    handler = next((handler for pattern, handler in _routes(call.service) if pattern.match(address)), None)
    if handler is None:
        return error_response(call, 404, "UnknownOperationException", f"{OFFERED[call.service]} has no such address.")
    if call.request.header("X-Amz-Target"):
        request = _json_request(MotoRequest, call, url)
    else:
        request = MotoRequest.from_primitives(call.request.method, url, dict(call.request.headers), call.request.body)
    ids = s3_events.new_ids() if call.service == "s3" else None
    try:
        status, headers, body = handler(request, request.raw_url, request.headers)
    except HTTPException as error:
        status, headers, body = error.code or 500, dict(error.get_headers()), error.get_body()
    except Exception as error:
        if isinstance(error, KeyError) and error.args == (call.region,):
            return error_response(call, 400, "UnknownRegion", f"AWS has no region '{call.region}'.")
        # Anything else is moto failing on what it was sent. 400, because botocore would try a 500 again, and wait in between.
        return error_response(
            call,
            400,
            "InternalFailure",
            f"The local cloud could not answer {call.operation or call.request.method} in {call.region}: "
            f"{type(error).__name__}: {error}",
        )
    text = body.encode() if isinstance(body, str) else body
    answered = {name: str(value) for name, value in headers.items()}
    if ids:
        answered.pop("x-amzn-requestid", None)
        answered["x-amz-request-id"], answered["x-amz-id-2"] = ids
    return Response(int(status), answered, text or b"")


def _json_request(moto_request: Any, call: Call, url: str) -> Any:
    """A request of a JSON protocol as moto's own class, made without werkzeug's builder, which is a tenth of a call's time.

    Such a request has all that it says in its body: no form, no files, and a path that needs no decoding.
    """
    from werkzeug.datastructures import ImmutableMultiDict

    parts = urlsplit(url)
    environ = {
        "REQUEST_METHOD": call.request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": parts.path,
        "RAW_URI": parts.path,
        "QUERY_STRING": parts.query,
        "SERVER_NAME": parts.netloc,
        "SERVER_PORT": "443",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "https",
        "wsgi.input": io.BytesIO(call.request.body),
    }
    for name, value in call.request.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    environ |= {"HTTP_HOST": parts.netloc, "CONTENT_LENGTH": str(len(call.request.body))}
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    request = moto_request(environ)
    vars(request).update(form=ImmutableMultiDict(), files=ImmutableMultiDict())
    return request


def error_response(call: Call, status: int, code: str, message: str) -> Response:
    """An error in the form that the called service's protocol has for it, so that any SDK raises it under its code."""
    if call.request.header("smithy-protocol") == "rpc-v2-cbor":
        return Response(
            status,
            {"smithy-protocol": "rpc-v2-cbor", "Content-Type": "application/cbor"},
            b"\xa2" + b"".join(map(_cbor_text, ("__type", code, "message", message))),
        )
    # S3 on Outposts has two interfaces; the one that is S3 Control's speaks XML. The query protocol names its action.
    is_xml = call.service in _XML_SERVICES or urlsplit(call.request.url).path.startswith(_S3_CONTROL)
    if is_xml or re.search(rb"(?:^|&)Action=", call.request.body):
        form = _ERROR_S3 if call.service.startswith("s3") else _ERROR_XML
        return Response(status, {"Content-Type": "text/xml"}, form.format(code=code, message=escape(message)).encode())
    body = json.dumps({"__type": code, "message": message}).encode()
    return Response(status, {"Content-Type": "application/x-amz-json-1.0", "x-amzn-ErrorType": code}, body)


def _cbor_text(text: str) -> bytes:
    """A text in CBOR (RFC 8949, major type 3, length in two bytes)."""
    encoded = text.encode()
    return b"\x79" + len(encoded).to_bytes(2, "big") + encoded
