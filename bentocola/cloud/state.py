"""The state by resource: what stands under each path of a trace's `set`, and which paths a call can have changed.

It asks the door what the services hold, and looks only at what a call can have changed: most calls cost a look at one queue.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_plus

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import DEFAULT_REGION, Call, Door, Seen
from bentocola.cloud.items import key_text, plain
from bentocola.cloud.masking import Mask
from bentocola.cloud.trace import Trace

__all__ = ["Changes", "State", "is_from_s3", "queue_name"]

Changes = dict[str, Any]
"""What now stands under each path, or None."""

_LONGEST_LABEL = 80
_MAKING = {
    "s3": re.compile(r"(?:Create|Delete)Bucket$"),
    "sqs": re.compile(r"(?:Create|Delete)Queue$|SetQueueAttributes$"),
    "dynamodb": re.compile(r"(?:Create|Delete|Update|Restore|Import)(?!Item$)"),
    "lambda": re.compile(r"(?:Create|Delete|Update)"),
    "logs": re.compile(r"(?:Create|Delete)LogGroup$"),
}
"""The operations that make, change or remove resources."""
_PATHS = {
    "s3": ("bucket/",),
    "sqs": ("queue/",),
    "dynamodb": ("table/",),
    "lambda": ("function/", "mapping/"),
    "logs": ("log_group/",),
}
_STATEMENTS = {"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"}


class State:
    """Says what of a trace's state is another now. The trace is handed in: there may be several, one after the other."""

    def __init__(self, clock: Clock, mask: Mask) -> None:
        self._clock = clock
        self._mask = mask

    def resources(self, trace: Trace, call: Call) -> Changes:
        """Return what a call that was answered can have made of resources, and what went, or came, with them."""
        making = _MAKING.get(call.service)
        if making is None or not making.match(call.operation):
            if call.operation == "PurgeQueue":
                return _purged(trace, call)
            return _items_of_statements(trace, call) if call.operation in _STATEMENTS else {}
        changes: Changes = dict.fromkeys(trace.paths(*_PATHS[call.service]))
        changes |= Door.resources(call.service)
        for path, new in list(changes.items()):
            kind, _, name = path.partition("/")
            if kind == "queue" and new is None:
                changes |= dict.fromkeys(_messages_in(trace, name))
            elif kind == "table" and new is None:
                changes |= dict.fromkeys(trace.paths(f"item/{name}/"))
            elif kind == "table" and trace.state(path) is None:
                changes |= _items(name, new)
        return changes

    def queue(self, trace: Trace, name: str) -> Changes:
        """Return a queue with what it holds now. The rest of it changes with calls for that only."""
        path = f"queue/{name}"
        was = trace.state(path)
        alone, _, region = name.partition("@")
        counts = Door.queue(alone, region or DEFAULT_REGION)
        if counts is None:
            return {path: None} if was else {}
        return {path: {**was, **counts} if was else Door.resources("sqs").get(path)}

    def message(self, trace: Trace, queue: str, seen: Seen, state: str = "") -> Changes:
        """Return a message as it is now. `state` says better than the queue what became of it."""
        path = f"message/{trace.short_id(seen.id)}"
        was = trace.state(path)
        return {path: self.shown_message(trace, queue, seen, was["label"] if was else "", state)}

    @staticmethod
    def gone(trace: Trace, message_id: str) -> Changes:
        """Return a message that was taken out of its queue."""
        path = f"message/{trace.short_id(message_id)}"
        was = trace.state(path)
        return {path: _deleted(was)} if was else {}

    def shown_message(self, trace: Trace, queue: str, seen: Seen, label: str = "", state: str = "") -> dict[str, Any]:
        """Return what stands in the state of a message."""
        return {
            "queue": queue,
            "state": state or seen.state,
            "deliveries": trace.deliveries(seen.id),
            "until": None if seen.until is None else self._clock.elapsed_at(seen.until),
            "label": label or _label(self._mask.masked(seen.body)),
        }

    def messages(self, trace: Trace) -> dict[str, dict[str, Any]]:
        """Return what stands in the state of each message that there is, by its id."""
        return {seen.id: self.shown_message(trace, queue, seen) for queue, seen in Door.messages()}


def _messages_in(trace: Trace, queue: str) -> list[str]:
    return [path for path in trace.paths("message/") if trace.state(path)["queue"] == queue]


def _purged(trace: Trace, call: Call) -> Changes:
    """The messages of a queue that was emptied: they are deleted."""
    paths = _messages_in(trace, Door.named(queue_name(call), call.region))
    return {path: _deleted(trace.state(path)) for path in paths}


def _deleted(was: Mapping[str, Any]) -> dict[str, Any]:
    return {**was, "state": "deleted", "until": None} if was["state"] != "expired" else dict(was)


def queue_name(call: Call) -> str:
    """Return the name of the queue that a call of SQS is for."""
    return str(call.parameters.get("QueueUrl", "")).rpartition("/")[2]


def _items_of_statements(trace: Trace, call: Call) -> Changes:
    """The items of all tables that a call's PartiQL statements name, when one of them may write."""
    text = json.dumps(dict(call.parameters), ensure_ascii=False)
    if not re.search(r'"Statement": "\s*(?!select\b)\w', text, re.IGNORECASE):
        return {}
    changes: Changes = {}
    for path in trace.paths("table/"):
        name = path.partition("/")[2]
        if name.partition("@")[0] in text:
            changes |= {**dict.fromkeys(trace.paths(f"item/{name}/")), **_items(name, trace.state(path))}
    return changes


def _items(table: str, shown: Mapping[str, Any]) -> Changes:
    found: Changes = {}
    for item in Door.items(table):
        key = key_text({name: item[name] for name in shown["key"]})
        found[f"item/{table}/{key}"] = plain(item)
    return found


def is_from_s3(body: str) -> bool:
    """Whether a message is an event of S3, or its test."""
    return '"aws:s3"' in body or '"s3:TestEvent"' in body


def _label(body: str) -> str:
    """What a person knows a message by."""
    if is_from_s3(body):
        try:
            told = json.loads(body)
            return str(told["Event"]) if "Event" in told else unquote_plus(told["Records"][0]["s3"]["object"]["key"])
        except (ValueError, LookupError, TypeError):  # anybody can send a message that looks like one
            pass
    return body[:_LONGEST_LABEL]
