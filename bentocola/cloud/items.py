"""Items and writes of DynamoDB as a person means them: plain JSON, the text of a key, the single writes of one call.

It reads what a request or an answer says, and asks nobody.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bentocola.cloud.door import Call

__all__ = ["WRITES", "condition", "key_text", "objects", "plain", "planned_writes"]

WRITES = {"PutItem": "Item", "UpdateItem": "Key", "DeleteItem": "Key"}
"""The single writes, and where each has the key."""


def objects(value: Any) -> list[dict[str, Any]]:
    """The JSON objects of a list; a request may hold anything, and what it holds wrongly is the service's to refuse."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def planned_writes(call: Call) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The single writes of one call: table, operation, and the part of the request that is this write's own."""
    parameters = call.parameters
    if call.operation in WRITES:
        yield str(parameters.get("TableName")), call.operation, dict(parameters)
    elif call.operation == "TransactWriteItems":
        for entry in objects(parameters.get("TransactItems")):
            for name, request in entry.items():
                if f"{name}Item" in WRITES and isinstance(request, dict):
                    yield str(request.get("TableName")), f"{name}Item", request
    elif call.operation == "BatchWriteItem":
        for tables in objects([parameters.get("RequestItems")]):
            for table, entries in tables.items():
                for entry in objects(entries):
                    for name, request in entry.items():
                        if (op := name.replace("Request", "Item")) in WRITES and isinstance(request, dict):
                            yield table, op, request


def condition(request: Mapping[str, Any]) -> str | None:
    """The condition of a write, in today's form or in the one that came before it (`Expected`)."""
    if "ConditionExpression" in request:
        return str(request["ConditionExpression"])
    return json.dumps(request["Expected"], ensure_ascii=False) if "Expected" in request else None


def plain(item: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Typed JSON as plain JSON: what a person means by the item."""
    if item is None:
        return None
    try:
        return {name: _plain_value(value) for name, value in item.items()}
    except (TypeError, ValueError, AttributeError):  # a request may hold anything; the trace then shows it as it came
        return dict(item)


def key_text(key: Mapping[str, Any]) -> str:
    """Return a key, given as typed JSON, as the text by which a trace knows the item."""
    return "#".join(map(str, (plain(key) or {}).values()))


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
        case "SS":
            return sorted(value)
        case "BS":
            return sorted(_plain_value({"B": member}) for member in value)
        case _:
            raise ValueError(kind)


def _number(text: str) -> int | float:
    number = float(text)
    return int(text) if re.fullmatch(r"-?\d+", text) else int(number) if number.is_integer() else number
