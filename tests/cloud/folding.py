"""A trace's state, folded forward and back, and held against what the services have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bentocola.cloud.door import Door
from bentocola.cloud.items import key_text, plain
from bentocola.cloud.trace import Trace

__all__ = ["check_against_services", "folded"]


def folded(data: Mapping[str, Any]) -> dict[str, Any]:
    """Fold a trace forward and back again, and return the state at its end. Each old value must be what stands there."""
    state = dict(data["initial"])
    assert None not in state.values()
    for step in data["steps"]:
        for path, old, new in step["set"]:
            assert (step["n"], path, old) == (step["n"], path, state.get(path))
            assert old != new
            _put(state, path, new)
    end = dict(state)
    for step in reversed(data["steps"]):
        for path, old, new in reversed(step["set"]):
            assert (step["n"], path, new) == (step["n"], path, state.get(path))
            _put(state, path, old)

    assert state == data["initial"]
    return end


def _put(state: dict[str, Any], path: str, value: Any) -> None:
    if value is None:
        state.pop(path, None)
    else:
        state[path] = value


def check_against_services(trace: Trace) -> None:
    """Hold all that a trace says of resources, items and the messages that it names against what there is."""
    services = ("s3", "sqs", "dynamodb", "lambda", "logs")
    there = {path: shown for service in services for path, shown in Door.resources(service).items()}
    tables = {path.partition("/")[2]: shown["key"] for path, shown in there.items() if path.startswith("table/")}
    for table, key in tables.items():
        for item in Door.items(table):
            there[f"item/{table}/{key_text({name: item[name] for name in key})}"] = plain(item)
    kinds = ("bucket/", "queue/", "function/", "mapping/", "table/", "log_group/", "item/")

    assert {path: trace.state(path) for path in trace.paths(*kinds)} == there

    held = {trace.short_id(seen.id): (queue, seen.state) for queue, seen in Door.messages() if trace.names(seen.id)}
    told = {path.partition("/")[2]: trace.state(path) for path in trace.paths("message/")}
    alive = {short: (m["queue"], m["state"]) for short, m in told.items() if m["state"] not in ("deleted", "expired")}

    assert alive == held
