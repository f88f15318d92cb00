"""The layer that writes down what happens: calls, messages, deliveries, runs and write decisions, as steps of a trace.

It sees the requests and responses that pass the door, and asks the door what the services hold. It decides nothing.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NotRequired, TypeVar, cast

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import OFFERED, Answer, Call, Caller, Door, Noticed, Response, Seen, Unanswered, caller
from bentocola.cloud.items import WRITES, condition, key_text, objects, plain, planned_writes
from bentocola.cloud.masking import Mask
from bentocola.cloud.state import Changes, State, is_from_s3, queue_name
from bentocola.cloud.trace import Actor, Decision, Kind, Run, Step, Trace, TraceData
from bentocola.cloud.wire_text import wire_text

__all__ = ["ACTORS", "Recorder"]

ACTORS: list[Actor] = [
    {"id": "you", "service": "terminal", "name": "boto3"},
    {"id": "s3", "service": "s3", "name": "S3"},
    {"id": "sqs", "service": "sqs", "name": "SQS"},
    {"id": "lambda", "service": "lambda", "name": "Lambda"},
    {"id": "ddb", "service": "dynamodb", "name": "DynamoDB"},
]
Told = Callable[[Call], Response | None]
_Value = TypeVar("_Value")
_LANE = {"s3": "s3", "sqs": "sqs", "dynamodb": "ddb", "lambda": "lambda"}
_WRITE_CALLS = {*WRITES, "TransactWriteItems", "BatchWriteItem"}
_COUNTED = {"s3", "sqs", "dynamodb"}
_RESOURCES = re.compile(r"(?:Create|Delete)(?:Bucket|Queue|Table|Function|EventSourceMapping|Role)$")
_LONGEST_TEXT = 65_536
"""Characters of a text that crosses: a message can hold a million, and the trace stays in memory."""


class Running(Run):
    """A run while it is being written down."""

    answer: NotRequired[str]
    """JSON. It crosses, so in the trace it is the step's text."""


class Recorder:
    """Writes the steps of `trace`, or for a while (`record`) those of another."""

    def __init__(self, clock: Clock, tell: Callable[[TraceData], list[str]], lock: threading.RLock) -> None:
        """`lock`: the door's. What is written outside a call is written under it."""
        self.trace = self._writing = Trace(tell, ACTORS, clock, lock)
        self._mask = Mask()
        self._state = State(clock, self._mask)
        self._clock = clock
        self._lock = lock
        self._runs = 0
        self._runs_inline: list[str] = []
        self._invocation: Call | None = None
        self._faults_after: list[tuple[str, Call | None]] = []
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
                self._notice(cause=len(self._writing))
        while self._faults_after:
            self._fault_step(*self._faults_after.pop(0))
        return given[0]

    def _call(self, call: Call, response: Response | None) -> None:
        if response is None:
            return
        error = _error_code(response)
        self._step(
            _kind(call),
            self._who(),
            self._lane(call.service),
            call,
            error=error,
            changes=None if error else self._after(call),
        )

    def _after(self, call: Call) -> Changes:
        """What a call that was answered can have changed, as far as no step of its own tells of it."""
        changes: Changes = Door.counts(call.service) if call.service in _COUNTED else {}
        if call.service == "sqs" and (name := self._queue(call)):
            changes |= self._state.queue(self._writing, name)
        return changes | self._state.resources(self._writing, call)

    def _lane(self, service: str) -> str:
        """The actor of a service; CloudWatch Logs, IAM and STS take part once they are called."""
        lane = _LANE.get(service)
        if lane is None:
            lane = "iam" if service == "sts" else service
            self._writing.takes_part({"id": lane, "service": lane, "name": OFFERED[lane]})
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
        added = self._notice(sent_by="you" if operation.startswith("SendMessage") else "sqs")
        if error := _error_code(response):
            self._step("call", self._who(), "sqs", call, error=error)
            return
        answered = response.json() or {} if operation in _ANSWERED else {}
        sent = [answered] if operation == "SendMessage" else answered.get("Successful") or []
        changes = self._after(call)
        if operation.startswith("SendMessage") and sent:
            for message in sent:
                self._message(call, message["MessageId"], added.get(message["MessageId"]), changes)
        elif answered.get("Messages"):
            self._deliveries(call, answered["Messages"], changes)
        elif operation.startswith("DeleteMessage") and receipts:
            for look in messages:
                ids, changed = self._seen(call, look)
                self._step(
                    "delete", self._who(), "sqs", call, name=self._queue(call), ids=ids, changes=changes | changed
                )
        elif operation != "ReceiveMessage" or self._who() != "lambda":
            # Lambda asks an empty queue again and again, which tells nobody anything.
            seen = [self._seen(call, look) for look in messages]
            for _, changed in seen:
                changes |= changed
            self._step(
                _kind(call), self._who(), "sqs", call, ids=seen[0][0] if len(seen) == 1 else None, changes=changes
            )
        if operation == "SetQueueAttributes":
            self.look()  # with another retention period messages may be over at once

    def _queue(self, call: Call) -> str:
        """The queue that a call is for, as the state calls it."""
        name = queue_name(call)
        return name and Door.named(name, call.region)

    def _seen(self, call: Call, look: Callable[[], Seen] | None) -> tuple[dict[str, Any], Changes]:
        """The ids and the state of a message that a call was about; nothing where there is none."""
        if look is None:
            return {}, {}
        seen = look()
        changed = self._state.message(self._writing, self._queue(call), seen)
        return {"msg": self._writing.short_id(seen.id)}, changed

    def _message(self, call: Call, message_id: str, entry: Noticed | None, changes: Changes) -> None:
        ids = {"msg": self._writing.short_id(message_id)}
        # A FIFO queue answers a second send of the same as it did the first, and nothing is added.
        changed = self._state.message(self._writing, entry.queue, entry.message) if entry else {}
        name = self._queue(call)
        self._step("message", self._who(), "sqs", call, name=name, ids=ids, changes=changes | changed)
        self._writing.sent(message_id)

    def _deliveries(self, call: Call, messages: Sequence[Mapping[str, Any]], changes: Changes) -> None:
        name = self._queue(call)
        for message in messages:
            message_id = message["MessageId"]
            ids = {"msg": self._writing.short_id(message_id), "delivery": self._writing.delivered(message_id)}
            look = Door.message_of_receipt(message["ReceiptHandle"])
            changed = self._state.message(self._writing, name, look()) if look else {}
            self._step(
                "deliver",
                "sqs",
                self._who(),
                call,
                name=name,
                ids=ids,
                text=json.dumps(message, ensure_ascii=False),
                cause=self._writing.sent_by(message_id),
                changes=changes | changed,
            )

    def look(self) -> None:
        """Tell what the queues have done by themselves by now. To be called with the lock held."""
        Door.promote()
        self._notice()

    def _notice(self, cause: int | None = None, sent_by: str = "sqs") -> dict[str, Noticed]:
        """Show what the queues did by themselves: what S3 or a redrive sent, what is visible again, dead or expired.

        Returns what was added and is not told here, by the messages' ids: whoever `sent_by` names has sent it.
        """
        untold = {}
        for entry in Door.journal():
            what, message, trace = entry.what, entry.message, self._writing
            if what in ("returned", "appeared") and not trace.names(message.id):
                continue
            if what == "added" and sent_by != "sqs":
                untold[message.id] = entry
                continue
            is_event = what == "added" and not entry.source and is_from_s3(message.body)
            ids = {"msg": trace.short_id(message.id)}
            changes: Changes = {**Door.counts("sqs"), **self._state.queue(trace, entry.queue)}
            if entry.source:
                changes |= self._state.queue(trace, entry.source)
            if message.redriven_from and trace.names(message.redriven_from):
                changes |= self._state.gone(trace, message.redriven_from)
            changes |= self._state.message(trace, entry.queue, message, "expired" if what == "expired" else "")
            if is_event:
                self._step(
                    "event", "s3", "sqs", api="sqs:SendMessage", name=entry.queue, text=message.body, cause=cause
                )
                cause = len(trace)
            if what == "added":
                self._step("message", "sqs", "sqs", name=entry.queue, ids=ids, cause=cause, changes=changes)
                trace.sent(message.id)
            else:
                self._step(_NOTICED[what], "sqs", "sqs", name=entry.queue, ids=ids, changes=changes)
        return untold

    # DynamoDB

    def _writes(self, call: Call, told: Told) -> None:
        planned = list(planned_writes(call))
        before = [self._stored(call, write) for write in planned]
        response = told(call)
        if response is None:
            return
        error = _error_code(response)
        changes = {} if error else self._after(call)
        if not planned:
            self._step("call", self._who(), "ddb", call, error=error, changes=changes)
        for (table, op, request), (key, old) in zip(planned, before, strict=True):
            before_item = plain(old)
            decision: Decision = {
                "table": Door.named(table, call.region),
                "op": op,
                "condition": condition(request),
                "key": key_text(key),
                "result": "refused" if error else "accepted",
                "before": before_item,
                "after": before_item if error else plain(Door.item(call.region, table, key)) if key else None,
            }
            if error:
                decision["error"] = error
            item = {f"item/{decision['table']}/{decision['key']}": decision["after"]} if key else {}
            self._step(
                "write",
                self._who(),
                "ddb",
                call,
                ids={"item": decision["key"]},
                decision=decision,
                error=error,
                changes=changes | item,
            )

    @staticmethod
    def _stored(call: Call, write: tuple[str, str, dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """The key that a write aims at, and what is stored there before it."""
        table, op, request = write
        holder = request.get(WRITES[op]) or {}
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
    def run(
        self, event: str, function: str = "", message_ids: Sequence[str] = (), log_group: str = ""
    ) -> Iterator[Running]:
        """Write down one run of a function. What is called meanwhile in this context is its doing.

        `event`: the JSON that the handler gets; `message_ids`: the SQS messages in it; `log_group`: where it logs, as the state
        calls it. The caller fills in the run's `result`, `log` and `duration_ms`, and its `answer` where there is one.
        """
        with self._lock:
            self._runs += 1
            run: Running = {"id": f"r{self._runs}", "log": []}
            if function:
                run["function"] = function
            ids: dict[str, Any] = {"run": run["id"]}
            cause = None
            if self._invocation is not None:
                invocation, self._invocation = self._invocation, None
                self._step("call", self._who(), "lambda", invocation)
                cause = len(self._writing)
            elif message_ids:
                # Its last message's delivery led to the run; with a batch of one message, the run is that delivery's own.
                came = self._writing.last("deliver", self._writing.short_id(message_ids[-1]))
                cause = came["n"] if came else None
                if came and len(message_ids) == 1:
                    ids |= came["ids"]
                else:
                    ids["msgs"] = [self._writing.short_id(message_id) for message_id in message_ids]
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
                answer = run.pop("answer", None)
                if count := sum(map(self._mask.count, run["log"])):
                    run["masked"] = count
                path = f"log_group/{log_group}"
                is_new = bool(log_group) and self._writing.state(path) is None and path in Door.resources("logs")
                self._step(
                    "run_end",
                    "lambda",
                    "lambda",
                    name=function,
                    ids={"run": run["id"]},
                    text=answer,
                    run=run,
                    changes={path: {}} if is_new else None,
                )

    def mapping_went_on(self, uuid: str) -> None:
        """Write down what became of an event source mapping by itself."""
        with self._lock:
            changes = {f"mapping/{uuid}": Door.mapping_shown(uuid)}
            if any(self._writing.state(path) != new for path, new in changes.items()):
                self._step("resource", "lambda", "lambda", name=uuid, changes=changes)

    # Secrets, and a trace of its own

    def hide(self, *secrets: str) -> None:
        """Leave these out of all that is written from here on."""
        with self._lock:
            self._mask.hide(*secrets)

    @contextmanager
    def record(self, fresh: bool = False) -> Iterator[Trace]:
        """Write into another trace for a while, which begins with the present state; of messages too, unless `fresh`."""
        with self._lock:
            outer = self._writing
            self._writing = own = outer.begun({} if fresh else self._state.messages(outer))
        try:
            yield own
        finally:
            with self._lock:
                self._writing = outer
                outer.resume(own)

    # Faults

    def fault(self, kind: str, call: Call | None = None) -> None:
        """Write down a fault that is put in now, before the call that it strikes."""
        self._fault_step(kind, call)

    def fault_after(self, kind: str, call: Call | None = None) -> None:
        """Write down a fault once the call that goes on has been told."""
        self._faults_after.append((kind, call))

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
        moved = (self._writing.state("clock.seconds") or 0) + seconds
        self._step("clock", "you", "you", changes={"clock.seconds": moved})
        self._writing.merge_clock_steps()
        self.look()

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
        changes: Changes | None = None,
    ) -> None:
        step: Step = {"n": 0, "t": self._clock.elapsed_ms(), "kind": kind, "from": source, "to": target, "set": []}
        if call is not None:
            step["api"] = _api(call)
            step["name"] = _name(call)
            text = wire_text(call, self._mask) if text is None else text
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
        if decision:
            step["decision"] = decision
        if run:
            step["run"] = run
        trace = self._writing
        changes = _encodable(self._mask.masked({**trace.missed(), **(changes or {})}))
        step = _encodable(self._mask.masked(step))
        if text is not None:
            text = _encodable(self._mask.masked(text))
            if len(text) > _LONGEST_TEXT:
                text = text[:_LONGEST_TEXT] + "…"
            step["wire"] = {"text": text, "mark": []}
        for path, new in changes.items():
            if (old := trace.state(path)) != new:
                step["set"].append((path, old, new))
                if new and path.startswith("message/") and new["state"] in ("deleted", "expired"):
                    step["set"] += trace.is_gone(path)
        trace.append(step)


_NOTICED: dict[str, Kind] = {"returned": "timeout", "appeared": "timeout", "dead": "dead", "expired": "delete"}
_ANSWERED = {"SendMessage", "SendMessageBatch", "ReceiveMessage"}


def _encodable(value: _Value) -> _Value:
    """Return the value with ? for each half of a surrogate pair: JSON can spell one, and no file or page can hold it."""
    if "\\ud" not in json.dumps(value):
        return value
    return cast("_Value", json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace")))


def _api(call: Call) -> str:
    name = call.operation
    if not (name.isascii() and name.isalnum()):  # a request may name anything
        name = re.sub(r"[^A-Za-z0-9]", "", name)
    return f"{call.service}:{name}"


def _kind(call: Call) -> Kind:
    made = _RESOURCES.match(call.operation) or call.operation == "PutBucketNotificationConfiguration"
    return "resource" if made else "call"


def _receipts(call: Call) -> list[str]:
    """The receipts of the messages that a call is about."""
    if call.operation in ("DeleteMessage", "ChangeMessageVisibility"):
        return [str(call.parameters.get("ReceiptHandle"))]
    if call.operation in ("DeleteMessageBatch", "ChangeMessageVisibilityBatch"):
        return [str(entry.get("ReceiptHandle")) for entry in objects(call.parameters.get("Entries"))]
    return []


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
