"""Cuts what happened elsewhere out of a trace: a story is told of its own queue and table, as if nothing else were there.

It reads and writes plain traces only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bentocola.cloud.trace import Step, TraceData

__all__ = ["cut"]

_COUNTERS = ("s3.objects", "ddb.items", "lambda.runs", "clock.seconds")
"""Of the whole cloud: what they say is what was added since the beginning."""
_NAMED = {"queue", "table", "bucket", "item", "log_group", "function", "mapping"}


def cut(trace: TraceData, own: set[str]) -> TraceData:
    """Return the part of a trace that is about these buckets, queues and tables; all is numbered from 1, and begins at 0 ms."""
    steps: list[Step] = []
    for step in trace["steps"]:
        if _is_about(step, own, steps):
            steps.append(step)
    numbers = {step["n"]: number for number, step in enumerate(steps, 1)}
    messages = _renamed("m", (name for step in steps for name in _messages(step)))
    runs = _renamed("r", (step["ids"]["run"] for step in steps if "run" in step.get("ids", {})))
    start = steps[0]["t"] if steps else 0
    counted = {path: trace["initial"].get(path) or 0 for path in _COUNTERS}

    def value(path: str, held: Any) -> Any:
        if path in counted:
            return (held or 0) - counted[path]
        if isinstance(held, dict) and held.get("until") is not None:
            return {**held, "until": held["until"] - start}
        return held

    def kept(path: str) -> str | None:
        """The path's name in what is told, or None for what is left out."""
        kind, _, rest = path.partition("/")
        if kind == "message":
            return f"message/{messages[rest]}" if rest in messages else None
        return path if path in counted or (kind in _NAMED and rest.partition("/")[0] in own) else None

    for step in steps:
        step["n"] = numbers[step["n"]]
        step["t"] -= start
        if step.get("cause") in numbers:
            step["cause"] = numbers[step["cause"]]
        else:
            step.pop("cause", None)
        ids = step.get("ids", {})
        if "msg" in ids:
            ids["msg"] = messages[ids["msg"]]
        if "msgs" in ids:
            ids["msgs"] = [messages[name] for name in ids["msgs"]]
        if "run" in ids:
            ids["run"] = runs[ids["run"]]
        if "run" in step:
            step["run"]["id"] = runs[step["run"]["id"]]
        # Lists, as JSON has them.
        changes: list[Any] = [[kept(path), value(path, old), value(path, new)] for path, old, new in step["set"]]
        step["set"] = [change for change in changes if change[0] is not None]
    initial = {path: value(path, held) for path, held in trace["initial"].items() if path in counted or kept(path)}
    return {**trace, "initial": {**dict.fromkeys(_COUNTERS, 0), **initial}, "steps": steps}


def _is_about(step: Step, own: set[str], earlier: list[Step]) -> bool:
    if step["kind"] in ("run_start", "run_end", "fault", "clock"):
        return True
    names = {step.get("name", "").partition("/")[0]}
    if "decision" in step:
        names.add(step["decision"]["table"])
    if names & own:
        return True
    return step.get("cause") in {one["n"] for one in earlier}


def _messages(step: Step) -> list[str]:
    ids = step.get("ids", {})
    return [*([ids["msg"]] if "msg" in ids else []), *ids.get("msgs", [])]


def _renamed(letter: str, names: Iterable[str]) -> dict[str, str]:
    return {name: f"{letter}{number}" for number, name in enumerate(dict.fromkeys(names), 1)}
