"""The layer that writes down what happens: calls, messages, deliveries, runs and write decisions, as steps of a trace.

It sees the requests and responses that pass the door, and asks the door what the services hold. It decides nothing.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import Answer, Call, Door, Response
from bentocola.cloud.trace import Actor, Decision, Kind, Run, Step, Trace, TraceData

__all__ = ["ACTORS", "Recorder"]

ACTORS: list[Actor] = [
    {"id": "you", "service": "terminal", "name": "boto3"},
    {"id": "s3", "service": "s3", "name": "S3"},
    {"id": "sqs", "service": "sqs", "name": "SQS"},
    {"id": "lambda", "service": "lambda", "name": "Lambda"},
    {"id": "ddb", "service": "dynamodb", "name": "DynamoDB"},
]
_LANE = {"s3": "s3", "sqs": "sqs", "dynamodb": "ddb"}
_WRITES = {"PutItem": "Item", "UpdateItem": "Key", "DeleteItem": "Key"}

# What a signed address or form carries: who calls, and what proves it.
_SECRET = re.compile(
    r"(?i)(?<![\w-])(?:x-amz-(?:credential|signature|security-token)|awsaccesskeyid|signature)=[^&]*&?"
)


class Recorder:
    """Writes the steps of `trace`."""

    def __init__(self, clock: Clock, tell: Callable[[TraceData], list[str]]) -> None:
        self.trace = Trace(tell, ACTORS)
        self._clock = clock
        self._visible: set[str] = set()
        self._run: str | None = None
        self._runs = 0
        self._lambda = False
        clock.on_advance(self._clock_moved)

    def __call__(self, call: Call, answer: Answer) -> Response:
        """Let the call go on, and write down what it was."""
        if call.service == "dynamodb" and call.operation in (*_WRITES, "TransactWriteItems", "BatchWriteItem"):
            return self._writes(call, answer)
        known = Door.messages() if call.service == "s3" else None
        receipts = _receipts(call)
        messages = {receipt: Door.message_of_receipt(receipt) for receipt in receipts}
        response = answer(call)
        error = _error_code(response)
        if call.service == "sqs" and not error:
            self._sqs(call, response, messages)
        else:
            self._step(self._kind(call), self._caller(), _LANE[call.service], call, error=error)
        if known is not None:
            self._sent_by_s3(known)
        return response

    # SQS

    def _sqs(self, call: Call, response: Response, messages: Mapping[str, str | None]) -> None:
        answered = response.json() or {}
        sends = {"SendMessage": [answered], "SendMessageBatch": answered.get("Successful")}.get(call.operation)
        if sends:
            for sent in sends:
                self._step("message", self._caller(), "sqs", call, ids={"msg": self.trace.short_id(sent["MessageId"])})
        elif call.operation == "ReceiveMessage" and answered.get("Messages"):
            for message in answered["Messages"]:
                ids = {
                    "msg": self.trace.short_id(message["MessageId"]),
                    "delivery": self.trace.delivered(message["MessageId"]),
                }
                self._step(
                    "deliver", "sqs", self._caller(), call, ids=ids, text=json.dumps(message, ensure_ascii=False)
                )
        elif messages:
            for message_id in messages.values():
                ids = {"msg": self.trace.short_id(message_id)} if message_id else {}
                self._step("delete", self._caller(), "sqs", call, ids=ids)
        else:
            self._step(self._kind(call), self._caller(), "sqs", call)
        self._visible = Door.visible_messages()

    def _sent_by_s3(self, known: Mapping[str, str]) -> None:
        """Show what S3 itself sent while it answered: the event on its way, and the message that now waits."""
        cause = len(self.trace)
        for message_id, body in Door.messages().items():
            if message_id not in known:
                ids = {"msg": self.trace.short_id(message_id)}
                self._step("event", "s3", "sqs", api="sqs:SendMessage", text=body, cause=cause)
                self._step("message", "sqs", "sqs", ids=ids, cause=len(self.trace), changes=Door.counts("sqs"))
        self._visible = Door.visible_messages()

    # DynamoDB

    def _writes(self, call: Call, answer: Answer) -> Response:
        planned = list(_planned_writes(call))
        before = [self._stored(call, write) for write in planned]
        response = answer(call)
        error = _error_code(response)
        if not planned:
            self._step("call", self._caller(), "ddb", call, error=error)
        for (table, op, request), (key, old) in zip(planned, before, strict=True):
            decision: Decision = {
                "table": table,
                "op": op,
                "condition": _condition(request),
                "key": "#".join(map(str, (_plain(key) or {}).values())),
                "result": "refused" if error else "accepted",
                "before": _plain(old),
                "after": _plain(Door.item(call.region, table, key)) if key else None,
            }
            if error:
                decision["error"] = error
            self._step(
                "write", self._caller(), "ddb", call, ids={"item": decision["key"]}, decision=decision, error=error
            )
        return response

    @staticmethod
    def _stored(call: Call, write: tuple[str, str, dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """The key that a write aims at, and what is stored there before it."""
        table, op, request = write
        holder = request.get(_WRITES[op]) or {}
        names = Door.key_names(call.region, table)
        if not names or not isinstance(holder, dict) or any(name not in holder for name in names):
            return {}, None
        key = {name: holder[name] for name in names}
        return key, Door.item(call.region, table, key)

    # Functions

    @contextmanager
    def run(self, event: Mapping[str, Any]) -> Iterator[Run]:
        """Write down one run of a handler. What is called meanwhile is its doing; the caller fills in `result` and `log`."""
        self._runs += 1
        run: Run = {"id": f"r{self._runs}", "log": []}
        self._run = run["id"]
        # The last delivery led to the run; with a batch of one message, the run is that delivery's own.
        came = next((step for step in reversed(self.trace.steps) if step["kind"] == "deliver"), None)
        alone = came is not None and len(event["Records"]) == 1
        self._step(
            "run_start",
            "lambda",
            "lambda",
            api="lambda:Invoke",
            ids={"run": run["id"], **(came["ids"] if came and alone else {})},
            text=json.dumps(event, ensure_ascii=False),
            cause=came["n"] if came else None,
            changes={"lambda.runs": self._runs},
        )
        try:
            yield run
        finally:
            self._run = None
            self._step("run_end", "lambda", "lambda", ids={"run": run["id"]}, run=run)

    @contextmanager
    def as_lambda(self) -> Iterator[None]:
        """What is called meanwhile is the Lambda service's own doing: the deletion that follows a run."""
        self._lambda = True
        try:
            yield
        finally:
            self._lambda = False

    # The clock

    def _clock_moved(self, seconds: float) -> None:
        moved = (self.trace.state("clock.seconds") or 0) + seconds
        self._step("clock", "you", "you", changes={"clock.seconds": moved})
        self.trace.merge_clock_steps()
        back = Door.visible_messages() - self._visible
        for message_id in Door.messages():
            if message_id in back and self.trace.names(message_id):
                ids = {"msg": self.trace.short_id(message_id)}
                self._step("timeout", "sqs", "sqs", ids=ids, changes=Door.counts("sqs"))
        self._visible |= back

    # Steps

    def _caller(self) -> str:
        return "lambda" if self._run or self._lambda else "you"

    @staticmethod
    def _kind(call: Call) -> Kind:
        made = re.match(r"(Create|Delete)(Bucket|Queue|Table)$", call.operation)
        return "resource" if made or call.operation == "PutBucketNotificationConfiguration" else "call"

    def _step(
        self,
        kind: Kind,
        source: str,
        target: str,
        call: Call | None = None,
        *,
        api: str | None = None,
        error: str | None = None,
        ids: dict[str, Any] | None = None,
        text: str | None = None,
        cause: int | None = None,
        decision: Decision | None = None,
        run: Run | None = None,
        changes: Mapping[str, Any] | None = None,
    ) -> None:
        step: Step = {"n": 0, "t": self._clock.elapsed_ms(), "kind": kind, "from": source, "to": target, "set": []}
        if call is not None:
            api = f"{call.service}:{call.operation}"
            step["name"] = _name(call)
            text = _wire_text(call) if text is None else text
        if api:
            step["api"] = api
        if error:
            step["error"] = error
        if self._run:
            ids = {"run": self._run, **(ids or {})}
        if ids:
            step["ids"] = ids
        if cause:
            step["cause"] = cause
        if text is not None:
            step["wire"] = {"text": text, "mark": []}
        if decision:
            step["decision"] = decision
        if run:
            step["run"] = run
        changed = {**(Door.counts(call.service) if call else {}), **(changes or {})}
        step["set"] = [
            (path, self.trace.state(path), new) for path, new in changed.items() if self.trace.state(path) != new
        ]
        self.trace.append(step)


def _receipts(call: Call) -> list[str]:
    if call.operation == "DeleteMessage":
        return [str(call.parameters.get("ReceiptHandle"))]
    if call.operation == "DeleteMessageBatch":
        return [str(entry.get("ReceiptHandle")) for entry in _objects(call.parameters.get("Entries"))]
    return []


def _objects(value: Any) -> list[dict[str, Any]]:
    """The JSON objects of a list; a request may hold anything, and what it holds wrongly is the service's to refuse."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _planned_writes(call: Call) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The single writes of one call: table, operation, and the part of the request that is this write's own."""
    parameters = call.parameters
    if call.operation in _WRITES:
        yield str(parameters.get("TableName")), call.operation, dict(parameters)
    elif call.operation == "TransactWriteItems":
        for entry in _objects(parameters.get("TransactItems")):
            for name, request in entry.items():
                if f"{name}Item" in _WRITES and isinstance(request, dict):
                    yield str(request.get("TableName")), f"{name}Item", request
    elif call.operation == "BatchWriteItem":
        for tables in _objects([parameters.get("RequestItems")]):
            for table, entries in tables.items():
                for entry in _objects(entries):
                    for name, request in entry.items():
                        if (op := name.replace("Request", "Item")) in _WRITES and isinstance(request, dict):
                            yield table, op, request


def _condition(request: Mapping[str, Any]) -> str | None:
    """The condition of a write, in today's form or in the one that came before it (`Expected`)."""
    if "ConditionExpression" in request:
        return str(request["ConditionExpression"])
    return json.dumps(request["Expected"], ensure_ascii=False) if "Expected" in request else None


def _plain(item: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Typed JSON as plain JSON: what a person means by the item."""
    if item is None:
        return None
    from boto3.dynamodb.types import Binary, TypeDeserializer

    def plain(value: Any) -> Any:
        if isinstance(value, Decimal):
            return int(value) if value == value.to_integral_value() else float(value)
        if isinstance(value, Binary | bytes):
            return base64.b64encode(bytes(value)).decode()
        if isinstance(value, set | frozenset):
            return sorted((plain(member) for member in value), key=str)
        if isinstance(value, list):
            return [plain(member) for member in value]
        if isinstance(value, dict):
            return {name: plain(member) for name, member in value.items()}
        return value

    deserialize = TypeDeserializer().deserialize
    try:
        return {name: plain(deserialize(value)) for name, value in item.items()}
    except (TypeError, ValueError, AttributeError):  # a request may hold anything; the trace then shows it as it came
        return dict(item)


def _error_code(response: Response) -> str | None:
    """The error code of a response, in JSON's or XML's form; None for a response that is no error."""
    if response.status < 400:
        return None
    body = response.json()
    if isinstance(body, dict):
        found = body.get("__type") or body.get("code") or ""
    else:
        match = re.search(r"<Code>([^<]+)</Code>", response.body.decode(errors="replace"))
        found = match[1] if match else ""
    return str(found).rpartition("#")[2] or str(response.status)


def _name(call: Call) -> str:
    parameters = call.parameters
    if call.service == "s3":
        return "/".join(str(parameters[part]) for part in ("Bucket", "Key") if part in parameters)
    name = parameters.get("QueueName") or parameters.get("QueueUrl") or parameters.get("TableName") or ""
    return str(name).rpartition("/")[2]


def _wire_text(call: Call) -> str:
    """What a person would see cross: the JSON of a call, or the first line and the body of an upload."""
    request = call.request
    if call.service != "s3":
        text = request.body.decode(errors="replace")
        is_form = request.header("Content-Type").startswith("application/x-www-form-urlencoded")
        return _SECRET.sub("", text) if is_form else text
    path = _SECRET.sub("", re.sub(r"^\w+://[^/]*", "", request.url)).rstrip("?&")
    if request.header("Content-Type").startswith("multipart/form-data"):
        # A browser's form, which carries its signature.
        return f"{request.method} {path} HTTP/1.1"
    body = request.body if len(request.body) <= 4096 else request.body[:4096] + b"\xe2\x80\xa6"
    return f"{request.method} {path} HTTP/1.1\n\n{body.decode(errors='replace')}".rstrip()
