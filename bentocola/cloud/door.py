"""The one entrance to the local cloud: an AWS request in, a response out, through the layers in order.

The only place that calls moto. What it answers never leaves the machine: a request for a service that is not offered gets an
error of that service's own kind. It may touch moto's internals, and so may not the layers and wires around it.
"""

from __future__ import annotations

import importlib
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from bentocola.cloud import imports

__all__ = ["ACCOUNT", "DEFAULT_REGION", "OFFERED", "Call", "Door", "Layer", "Request", "Response"]

ACCOUNT = "123456789012"
DEFAULT_REGION = "us-east-1"
OFFERED = {"s3": "S3", "sqs": "SQS", "dynamodb": "DynamoDB"}
"""Signing name of each service that the local cloud has, and what people call it."""

# Credential=KEY/date/region/service/aws4_request, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-signing-elements.html
_SCOPE = re.compile(r"Credential=(?P<key>[^/,]+)/\d{8}/(?P<region>[^/]*)/(?P<service>[^/]+)/aws4_request")
_XML_SERVICES = {"cloudfront", "route53", "s3", "s3-object-lambda", "s3control", "s3express"}
# Services that sign, or are signed, under the name of one that is offered: by the version that their requests carry.
_TARGETS = {"DynamoDB_20120810": "dynamodb", "DynamoDBStreams_20120810": "dynamodbstreams", "AmazonSQS": "sqs"}
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
        return next((value for key, value in self.headers.items() if key.lower() == name.lower()), "")


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
        except ValueError:
            return None


@dataclass(frozen=True)
class Call:
    """A request and what its signature says of it: who calls, which service, where, which operation."""

    request: Request
    access_key: str
    service: str
    region: str
    operation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The body of a JSON service's request. For S3: Bucket and Key, as far as the address names them."""


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
        say: Callable[..., str] = str.format,
    ) -> None:
        """`say` puts what only this cloud tells, in no service's name, into the reader's language."""
        self.lock = threading.RLock()
        self._say = say
        self._before_call = before_call
        self._answer: Answer = _answer
        for layer in reversed(layers):
            self._answer = _bind(layer, self._answer)

    def handle(self, request: Request) -> Response:
        """Answer any AWS request. Never raises for what the request holds: every refusal is a response."""
        call = read_call(request)
        with self.lock:
            if call.service not in OFFERED:
                return self._not_offered(call)
            self._before_call()
            return self._answer(call)

    def _not_offered(self, call: Call) -> Response:
        said = self._say(
            "The service '{service}' is not part of this local cloud. It has: {offered}. Nothing was sent to AWS.",
            service=call.service,
            offered=", ".join(OFFERED.values()),
        )
        return error_response(call, 501, "ServiceNotOffered", said)

    @staticmethod
    def empty() -> None:
        """Forget everything that the services hold."""
        from moto.core.base_backend import BackendDict

        BackendDict.reset()

    # What the recorder shows beside a call. It is read from moto without a call, so that looking changes nothing: a queue
    # that is looked at has received nothing.

    @staticmethod
    def counts(service: str) -> dict[str, int]:
        """Return how much `service` holds in all its regions, by the paths that a trace uses."""
        if service == "s3":
            return {
                "s3.objects": sum(
                    len(bucket.keys) for backend in _backends("s3") for bucket in backend.buckets.values()
                )
            }
        if service == "dynamodb":
            tables = [table for backend in _backends("dynamodb") for table in backend.tables.values()]
            return {"ddb.items": sum(len(list(table.all_items())) for table in tables)}
        queues = [queue for backend in _backends("sqs") for queue in backend.queues.values()]
        dead = {id(queue.dead_letter_queue) for queue in queues if queue.dead_letter_queue is not None}
        seen = {"sqs.visible": 0, "sqs.in_flight": 0, "sqs.dead": 0}
        for queue in queues:
            for message in queue._messages:
                state = "visible" if message.visible and not message.delayed else "in_flight"
                if id(queue) in dead:
                    state = "dead"
                seen[f"sqs.{state}"] += 1
        return seen

    @staticmethod
    def visible_messages() -> set[str]:
        """Return the ids of the messages that a receive could return now."""
        return {m.id for backend in _backends("sqs") for queue in backend.queues.values() for m in queue.messages}

    @staticmethod
    def messages() -> dict[str, str]:
        """Return the bodies of all messages by their ids, oldest first in each queue."""
        return {
            m.id: m.body for backend in _backends("sqs") for queue in backend.queues.values() for m in queue._messages
        }

    @staticmethod
    def message_of_receipt(receipt_handle: str) -> str | None:
        """Return the id of the message that was once received under `receipt_handle` and is not deleted."""
        for backend in _backends("sqs"):
            for queue in backend.queues.values():
                for message in queue._messages:
                    if receipt_handle == message.receipt_handle or receipt_handle in message._old_receipt_handles:
                        return str(message.id)
        return None

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
    scope = _SCOPE.search(request.header("Authorization")) or _SCOPE.search(_credential_of_query(request.url))
    host = urlsplit(request.url).hostname or ""
    if scope:
        access_key, region, service = scope["key"], scope["region"], scope["service"]
    else:
        access_key, region = "", _region_in(host) or DEFAULT_REGION
        service = next((name for name in OFFERED if name in re.split(r"[.-]", host)), _first_labels(host))
    service = _TARGETS.get(request.header("X-Amz-Target").rpartition(".")[0], service)
    if service == "s3" and urlsplit(request.url).path.startswith(_S3_CONTROL) and request.header("x-amz-account-id"):
        service = "s3control"
    region = region if region and region != "aws-global" else DEFAULT_REGION
    if service == "s3":
        operation, parameters = _s3_operation(request)
    else:
        operation = request.header("X-Amz-Target").rpartition(".")[2]
        try:
            parameters = json.loads(request.body or b"{}")
        except ValueError:
            parameters = {}
    return Call(request, access_key, service, region, operation, parameters if isinstance(parameters, dict) else {})


def _first_labels(host: str) -> str:
    """Return what a host of AWS says before its region or domain: the service's own name. Other hosts are given whole."""
    found = re.match(
        rf"(?P<name>.+?)\.(?:(?:{_REGION}|global)\.)?(?:amazonaws|api\.aws|api\.amazonwebservices)\.", f"{host}."
    )
    return found["name"] if found else host


def _credential_of_query(url: str) -> str:
    """A presigned URL carries the scope in its query; return it in the header's form."""
    return "".join(f"Credential={value}" for value in parse_qs(urlsplit(url).query).get("X-Amz-Credential", ()))


def _region_in(host: str) -> str:
    found = re.findall(rf"\b{_REGION}(?=\.)", host)
    return found[-1] if found else ""


def _bucket_and_path(url: str) -> tuple[str, str]:
    """Return the bucket that the host names (empty for a path-style address) and the path."""
    parts = urlsplit(url)
    bucket, found, _ = (parts.hostname or "").partition(".s3")
    return (bucket if found else ""), parts.path or "/"


_S3_SUBRESOURCES = {
    "notification": "NotificationConfiguration",
    "versioning": "Versioning",
    "policy": "Policy",
    "tagging": "Tagging",
    "acl": "Acl",
}
_S3_VERBS = {"GET": "Get", "PUT": "Put", "DELETE": "Delete", "HEAD": "Head", "POST": "Post"}


def _s3_operation(request: Request) -> tuple[str, dict[str, str]]:
    """Name the operation of an S3 request as the API reference does, as far as a trace needs to tell them apart."""
    bucket, path = _bucket_and_path(request.url)
    if not bucket:
        bucket, _, path = path.lstrip("/").partition("/")
    key = unquote(path.lstrip("/"))
    query = parse_qs(urlsplit(request.url).query, keep_blank_values=True)
    verb = _S3_VERBS.get(request.method, request.method.title())
    named = {name: value for name, value in (("Bucket", bucket), ("Key", key)) if value}
    if not bucket:
        return "ListBuckets", named
    if "uploads" in query and request.method == "POST":
        return "CreateMultipartUpload", named
    if "uploadId" in query:
        return {"PUT": "UploadPart", "POST": "CompleteMultipartUpload", "DELETE": "AbortMultipartUpload"}.get(
            request.method, "ListParts"
        ), named
    for subresource, name in _S3_SUBRESOURCES.items():
        if subresource in query:
            return f"{verb}{'Object' if key else 'Bucket'}{name}", named
    if key:
        return ("CopyObject" if request.header("x-amz-copy-source") else f"{verb}Object"), named
    if request.method == "POST":
        return ("DeleteObjects" if "delete" in query else "PostObject"), named
    return {"PUT": "CreateBucket", "DELETE": "DeleteBucket", "HEAD": "HeadBucket"}.get(
        request.method, "ListObjects"
    ), named


def _bind(layer: Layer, answer: Answer) -> Answer:
    return lambda call: layer(call, answer)


def _backends(service: str) -> list[Any]:
    return list(_backend_dict(service)[ACCOUNT].values())


def _region(service: str, region: str) -> Any:
    return _backend_dict(service)[ACCOUNT][region]


def _table(region: str, name: str) -> Any:
    try:
        return _region("dynamodb", region).tables.get(name)
    except KeyError:  # no such region
        return None


@cache
def _backend_dict(service: str) -> Any:
    return getattr(importlib.import_module(f"moto.{service}.models"), f"{service}_backends")


@cache
def _routes(
    service: str,
) -> list[tuple[re.Pattern[str], Callable[[Any, str, Any], tuple[int, Mapping[str, Any], Any]]]]:
    """moto's own table of addresses and handlers for one service. Importing it is what takes time, so only when asked."""
    with imports.quick():
        urls = importlib.import_module(f"moto.{service}.urls")
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
        bucket, path = _bucket_and_path(call.request.url)
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
    request = MotoRequest.from_primitives(call.request.method, url, dict(call.request.headers), call.request.body)
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
    return Response(int(status), {name: str(value) for name, value in headers.items()}, text or b"")


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
