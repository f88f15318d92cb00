"""The layer that writes down what happens: calls, messages, deliveries, runs and write decisions, as steps of a trace.

It sees the requests and responses that pass the door, and asks the door what the services hold. It decides nothing.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import OFFERED, Answer, Call, Caller, Door, Response, Unanswered, caller
from bentocola.cloud.trace import Actor, Decision, Kind, Run, Step, Trace, TraceData

__all__ = ["ACTORS", "Recorder"]

ACTORS: list[Actor] = [
    {"id": "you", "service": "terminal", "name": "boto3"},
    {"id": "s3", "service": "s3", "name": "S3"},
    {"id": "sqs", "service": "sqs", "name": "SQS"},
    {"id": "lambda", "service": "lambda", "name": "Lambda"},
    {"id": "ddb", "service": "dynamodb", "name": "DynamoDB"},
]
Told = Callable[[Call], Response | None]
_LANE = {"s3": "s3", "sqs": "sqs", "dynamodb": "ddb", "lambda": "lambda"}
_WRITES = {"PutItem": "Item", "UpdateItem": "Key", "DeleteItem": "Key"}
_WRITE_CALLS = {*_WRITES, "TransactWriteItems", "BatchWriteItem"}
_COUNTED = {"s3", "sqs", "dynamodb"}
_RESOURCES = re.compile(r"(?:Create|Delete)(?:Bucket|Queue|Table|Function|EventSourceMapping|Role)$")
_LONGEST_TEXT = 65_536
"""Characters of a text that crosses: a message can hold a million, and the trace stays in memory."""

# What a signed address or form carries: who calls, and what proves it; and what forms of IAM and STS are given to keep.
_SECRET = re.compile(
    r"(?i)(?<![\w-])(?:x-amz-(?:credential|signature|security-token)|(?:aws)?accesskeyid|signature"
    r"|(?:old|new)?password|privatekey|webidentitytoken|samlassertion|tokencode|authenticationcode\d)=[^&]*&?"
)


class Recorder:
    """Writes the steps of `trace`."""

    def __init__(self, clock: Clock, tell: Callable[[TraceData], list[str]], lock: threading.RLock) -> None:
        """`lock`: the door's. What is written outside a call is written under it."""
        self.trace = Trace(tell, ACTORS, lock)
        self._clock = clock
        self._lock = lock
        self._runs = 0
        self._runs_inline: list[str] = []
        self._invocation: Call | None = None
        self._after: list[tuple[str, Call | None]] = []
        Door.listen()
        clock.on_advance(self._clock_moved)

    def __call__(self, call: Call, answer: Answer) -> Response:
        """Let the call go on, and write down what it was."""
        given: list[Response] = []

        def told(call: Call) -> Response | None:
            """What the service said, whatever becomes of it on its way back; None where it was never asked."""
            response = answer(call)
            given.append(response)
            return response.answered if isinstance(response, Unanswered) else response

        service = call.service
        if service == "sqs":
            self._sqs(call, told)
        elif service == "dynamodb" and call.operation in _WRITE_CALLS:
            self._writes(call, told)
        elif service == "lambda" and call.operation.startswith("Invoke"):
            self._invoke(call, told)
        else:
            self._call(call, told(call))
            if service == "s3":
                self._notice(cause=len(self.trace))
        while self._after:
            self._fault_step(*self._after.pop(0))
        return given[0]

    def _call(self, call: Call, response: Response | None) -> None:
        if response is None:
            return
        self._step(_kind(call), self._who(), self._lane(call.service), call, error=_error_code(response))

    def _lane(self, service: str) -> str:
        """The actor of a service; CloudWatch Logs, IAM and STS take part once they are called."""
        lane = _LANE.get(service)
        if lane is None:
            lane = "iam" if service == "sts" else service
            self.trace.takes_part({"id": lane, "service": lane, "name": OFFERED[lane]})
        return lane

    # SQS

    def _sqs(self, call: Call, told: Told) -> None:
        Door.promote()
        self._notice()
        receipts = _receipts(call)
        messages = [Door.message_of_receipt(receipt) for receipt in receipts]
        response = told(call)
        operation = call.operation
        if response is None:
            return
        self._notice(sent_by="you" if operation.startswith("SendMessage") else "sqs")
        if error := _error_code(response):
            self._step("call", self._who(), "sqs", call, error=error)
            return
        answered = response.json() or {} if operation in _ANSWERED else {}
        sent = [answered] if operation == "SendMessage" else answered.get("Successful") or []
        if operation.startswith("SendMessage") and sent:
            for message in sent:
                self._message(call, message["MessageId"])
        elif answered.get("Messages"):
            self._deliveries(call, answered["Messages"])
        elif receipts:
            for message_id in messages:
                ids = {"msg": self.trace.short_id(message_id)} if message_id else {}
                self._step("delete", self._who(), "sqs", call, ids=ids)
        elif operation != "ReceiveMessage" or self._who() != "lambda":
            # Lambda asks an empty queue again and again, which tells nobody anything.
            self._step(_kind(call), self._who(), "sqs", call)

    def _message(self, call: Call, message_id: str) -> None:
        self._step("message", self._who(), "sqs", call, ids={"msg": self.trace.short_id(message_id)})
        self.trace.sent(message_id)

    def _deliveries(self, call: Call, messages: Sequence[Mapping[str, Any]]) -> None:
        for message in messages:
            message_id = message["MessageId"]
            ids = {"msg": self.trace.short_id(message_id), "delivery": self.trace.delivered(message_id)}
            self._step(
                "deliver",
                "sqs",
                self._who(),
                call,
                ids=ids,
                text=json.dumps(message, ensure_ascii=False),
                cause=self.trace.sent_by(message_id),
            )

    def _notice(self, cause: int | None = None, sent_by: str = "sqs") -> None:
        """Show what the queues did by themselves: what S3 or a redrive sent, what is visible again, dead or expired."""
        for what, message_id, body in Door.journal():
            ids = (
                {"msg": self.trace.short_id(message_id)} if self.trace.names(message_id) or what != "returned" else None
            )
            counts = Door.counts("sqs")
            if what == "added" and _is_from_s3(body):
                self._step("event", "s3", "sqs", api="sqs:SendMessage", text=body, cause=cause)
                self._step("message", "sqs", "sqs", ids=ids, cause=len(self.trace), changes=counts)
                self.trace.sent(message_id)
            elif what == "added" and sent_by == "sqs":
                self._step("message", "sqs", "sqs", ids=ids, cause=cause, changes=counts)
                self.trace.sent(message_id)
            elif what == "returned" and ids:
                self._step("timeout", "sqs", "sqs", ids=ids, changes=counts)
            elif what == "dead":
                self._step("dead", "sqs", "sqs", ids=ids, changes=counts)
            elif what == "expired":
                self._step("delete", "sqs", "sqs", ids=ids, changes=counts)

    # DynamoDB

    def _writes(self, call: Call, told: Told) -> None:
        planned = list(_planned_writes(call))
        before = [self._stored(call, write) for write in planned]
        response = told(call)
        if response is None:
            return
        error = _error_code(response)
        if not planned:
            self._step("call", self._who(), "ddb", call, error=error)
        for (table, op, request), (key, old) in zip(planned, before, strict=True):
            before_item = _plain(old)
            decision: Decision = {
                "table": table,
                "op": op,
                "condition": _condition(request),
                "key": "#".join(map(str, (_plain(key) or {}).values())),
                "result": "refused" if error else "accepted",
                "before": before_item,
                "after": before_item if error else _plain(Door.item(call.region, table, key)) if key else None,
            }
            if error:
                decision["error"] = error
            self._step("write", self._who(), "ddb", call, ids={"item": decision["key"]}, decision=decision, error=error)

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

    def _invoke(self, call: Call, told: Told) -> None:
        """An invocation is told before the run that it starts; one that starts none, afterwards."""
        self._invocation = call
        response = told(call)
        if self._invocation is call:
            self._invocation = None
            self._call(call, response)

    @contextmanager
    def run(self, event: str, function: str = "", message_ids: Sequence[str] = ()) -> Iterator[Run]:
        """Write down one run of a function. What is called meanwhile in this context is its doing.

        `event`: the JSON that the handler gets; `message_ids`: the SQS messages in it. The caller fills in the run's `result`,
        `log` and `duration_ms`.
        """
        with self._lock:
            self._runs += 1
            run: Run = {"id": f"r{self._runs}", "log": []}
            if function:
                run["function"] = function
            ids: dict[str, Any] = {"run": run["id"]}
            cause = None
            if self._invocation is not None:
                invocation, self._invocation = self._invocation, None
                self._step("call", self._who(), "lambda", invocation)
                cause = len(self.trace)
            elif message_ids:
                # The last delivery led to the run; with a batch of one message, the run is that delivery's own.
                came = self.trace.last("deliver")
                cause = came["n"] if came else None
                if came and len(message_ids) == 1:
                    ids |= came["ids"]
                else:
                    ids["msgs"] = [self.trace.short_id(message_id) for message_id in message_ids]
            self._step(
                "run_start",
                "lambda",
                "lambda",
                api="lambda:Invoke",
                name=function,
                ids=ids,
                text=event,
                cause=cause,
                changes={"lambda.runs": self._runs},
            )
        token = caller.set(Caller("lambda", run["id"]))
        try:
            yield run
        finally:
            caller.reset(token)
            with self._lock:
                self._step("run_end", "lambda", "lambda", name=function, ids={"run": run["id"]}, run=run)

    # Faults

    def fault(self, kind: str, call: Call | None = None) -> None:
        """Write down a fault that is put in now, before the call that it strikes."""
        self._fault_step(kind, call)

    def fault_after(self, kind: str, call: Call | None = None) -> None:
        """Write down a fault once the call that goes on has been told."""
        self._after.append((kind, call))

    def _fault_step(self, kind: str, call: Call | None) -> None:
        target = self._lane(call.service) if call else "sqs"
        self._step(
            "fault",
            self._who() if call else target,
            target,
            api=_api(call) if call else None,
            name=_name(call) if call else "",
            fault=kind,
        )

    # The clock

    def _clock_moved(self, seconds: float) -> None:
        moved = (self.trace.state("clock.seconds") or 0) + seconds
        self._step("clock", "you", "you", changes={"clock.seconds": moved})
        self.trace.merge_clock_steps()
        Door.promote()
        self._notice()

    # Steps

    @staticmethod
    def _who() -> str:
        known = caller.get()
        return known.actor if known else "you"

    def _step(
        self,
        kind: Kind,
        source: str,
        target: str,
        call: Call | None = None,
        *,
        api: str | None = None,
        name: str = "",
        error: str | None = None,
        ids: dict[str, Any] | None = None,
        text: str | None = None,
        cause: int | None = None,
        decision: Decision | None = None,
        run: Run | None = None,
        fault: str | None = None,
        changes: Mapping[str, Any] | None = None,
    ) -> None:
        step: Step = {"n": 0, "t": self._clock.elapsed_ms(), "kind": kind, "from": source, "to": target, "set": []}
        if call is not None:
            step["api"] = _api(call)
            step["name"] = _name(call)
            text = _wire_text(call) if text is None else text
        elif api:
            step["api"] = api
        if name:
            step["name"] = name
        if error:
            step["error"] = error
        known = caller.get()
        if known and known.run and call is not None:
            ids = {"run": known.run, **(ids or {})}
        if ids:
            step["ids"] = ids
        if cause:
            step["cause"] = cause
        if fault:
            step["fault"] = fault
        if text is not None:
            if len(text) > _LONGEST_TEXT:
                text = text[:_LONGEST_TEXT] + "…"
            step["wire"] = {"text": text, "mark": []}
        if decision:
            step["decision"] = decision
        if run:
            step["run"] = run
        if call is not None and call.service in _COUNTED and not error:
            changes = {**Door.counts(call.service), **(changes or {})}
        if changes:
            state = self.trace.state
            step["set"] = [(path, state(path), new) for path, new in changes.items() if state(path) != new]
        self.trace.append(step)


_ANSWERED = {"SendMessage", "SendMessageBatch", "ReceiveMessage"}


def _api(call: Call) -> str:
    name = call.operation
    if not (name.isascii() and name.isalnum()):  # a request may name anything
        name = re.sub(r"[^A-Za-z0-9]", "", name)
    return f"{call.service}:{name}"


def _kind(call: Call) -> Kind:
    made = _RESOURCES.match(call.operation) or call.operation == "PutBucketNotificationConfiguration"
    return "resource" if made else "call"


def _is_from_s3(body: str) -> bool:
    return '"aws:s3"' in body or '"s3:TestEvent"' in body


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
    try:
        return {name: _plain_value(value) for name, value in item.items()}
    except (TypeError, ValueError, AttributeError):  # a request may hold anything; the trace then shows it as it came
        return dict(item)


def _plain_value(typed: Mapping[str, Any]) -> Any:
    ((kind, value),) = typed.items()
    match kind:
        case "S" | "BOOL":
            return value
        case "N":
            return _number(value)
        case "NULL":
            return None
        case "M":
            return {name: _plain_value(member) for name, member in value.items()}
        case "L":
            return [_plain_value(member) for member in value]
        case "NS":
            return sorted(map(_number, value), key=str)
        case "B":
            return value if isinstance(value, str) else base64.b64encode(value).decode()
        case "SS" | "BS":
            return sorted(value)
        case _:
            raise ValueError(kind)


def _number(text: str) -> int | float:
    number = float(text)
    return int(text) if re.fullmatch(r"-?\d+", text) else int(number) if number.is_integer() else number


def _error_code(response: Response) -> str | None:
    """The error code of a response, in JSON's or XML's form; None for a response that is no error."""
    if response.status < 400:
        return None
    body = response.json()
    if isinstance(body, dict):
        found = body.get("__type") or body.get("code") or response.headers.get("x-amzn-ErrorType") or ""
    else:
        match = re.search(r"<Code>([^<]+)</Code>", response.body.decode(errors="replace"))
        found = match[1] if match else ""
    return str(found).rpartition("#")[2] or str(response.status)


_NAMED_BY = (
    "QueueName",
    "QueueUrl",
    "TableName",
    "FunctionName",
    "UUID",
    "RoleName",
    "PolicyName",
    "UserName",
    "logGroupName",
    "RoleArn",
)


def _name(call: Call) -> str:
    parameters = call.parameters
    if call.service == "s3":
        return "/".join(str(parameters[part]) for part in ("Bucket", "Key") if part in parameters)
    name = str(next((parameters[by] for by in _NAMED_BY if parameters.get(by)), ""))
    return name if call.service == "logs" else name.rpartition("/")[2]


def _wire_text(call: Call) -> str:
    """What a person would see cross: the JSON of a call, or the first line and the body of an upload."""
    request = call.request
    if call.service == "lambda":
        return _lambda_text(call)
    if call.service != "s3":
        text = request.body.decode(errors="replace")
        is_form = request.header("Content-Type").startswith("application/x-www-form-urlencoded")
        return _SECRET.sub("", text) if is_form else text
    if request.header("Content-Type").startswith("multipart/form-data"):
        # A browser's form, which carries its signature.
        return _first_line(call)
    body = request.body if len(request.body) <= 4096 else request.body[:4096] + b"\xe2\x80\xa6"
    return f"{_first_line(call)}\n\n{body.decode(errors='replace')}".rstrip()


def _first_line(call: Call) -> str:
    path = _SECRET.sub("", re.sub(r"^\w+://[^/]*", "", call.request.url)).rstrip("?&")
    return f"{call.request.method} {path} HTTP/1.1"


def _lambda_text(call: Call) -> str:
    """The request without the code, which is a zip and says nothing to a reader, and without its variables' values.

    CloudTrail leaves those out as well: they are where secrets are kept.
    """
    text = call.request.body.decode(errors="replace")
    if call.operation in _CONFIGURING:
        try:
            text = json.dumps(_without_secrets(json.loads(text)), ensure_ascii=False)
        except ValueError:
            text = ""
    return f"{_first_line(call)}\n\n{text}".rstrip()


_CONFIGURING = {"CreateFunction", "UpdateFunctionCode", "UpdateFunctionConfiguration"}


def _without_secrets(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: "…" if name == "Variables" else _without_secrets(held, key) for key, held in value.items()}
    return "…" if name == "ZipFile" else value
