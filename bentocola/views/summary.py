"""What the views say as plain text: for a terminal, a log, and whoever has no page that draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from bentocola.cloud.story import tell
from bentocola.cloud.trace import Feed, Step, TraceData
from bentocola.messages import translate

__all__ = ["aws", "stepper"]


def stepper(language: str, story: Mapping[str, Any] | None, traces: Mapping[str, TraceData]) -> str:
    """Return what the stepper walks through, as numbered sentences; of a lesson's story, for each fault."""
    say = partial(translate, language)
    labels = {fault["id"]: fault["label"] for fault in (story or {}).get("faults", [])}
    lines = [(story or {}).get("title") or say("Stepper")]
    for fault, trace in traces.items():
        lines += [*(["", labels[fault]] if fault in labels else []), *tell(language, trace)]
    return "\n".join(lines)


def aws(language: str, feed: Feed | None) -> str:
    """Return what the AWS view shows of this, a line for each thing: what there is, what ran, what was decided."""
    say = partial(translate, language)
    state = dict(feed["initial"]) if feed else {}
    steps = feed["steps"] if feed else []
    for step in steps:
        state |= {path: value for path, _, value in step["set"]}
    lines = [*_queues(say, state), *_mappings(say, state), *_tables(say, state), *_happened(say, steps)]
    return "\n".join([say("AWS view"), *(lines or [say("There is nothing yet.")])])


def _found(state: dict[str, Any], kind: str) -> list[tuple[str, Any]]:
    """The names and values of a kind of resource, as far as they exist."""
    named = ((path.partition("/"), value) for path, value in state.items() if value is not None)
    return [(name, value) for (found, _, name), value in named if found == kind]


def _queues(say: Callable[..., str], state: dict[str, Any]) -> list[str]:
    lines = []
    for name, queue in _found(state, "queue"):
        counts = {count: queue[count] for count in ("visible", "in_flight", "delayed")}
        if queue["sources"]:
            lines.append(say("Dead-letter queue {name}: {visible} messages", name=name, visible=queue["visible"]))
        else:
            message = "Queue {name}: {visible} visible, {in_flight} in flight, {delayed} delayed"
            lines.append(say(message, name=name, **counts))
    return lines


def _mappings(say: Callable[..., str], state: dict[str, Any]) -> list[str]:
    message = "Event source mapping {queue} → {function}: {state}"
    return [
        say(message, queue=mapping["queue"], function=mapping["function"], state=mapping["state"])
        for _, mapping in _found(state, "mapping")
    ]


def _tables(say: Callable[..., str], state: dict[str, Any]) -> list[str]:
    items = Counter(name.partition("/")[0] for name, _ in _found(state, "item"))
    return [say("Table {name}: {count} items", name=name, count=items[name]) for name, _ in _found(state, "table")]


def _happened(say: Callable[..., str], steps: list[Step]) -> list[str]:
    lines = []
    results = Counter(step["run"].get("result") for step in steps if step["kind"] == "run_end")
    if results:
        failed = results.total() - results["ok"]
        lines.append(say("Runs: {count}, of which {failed} failed", count=results.total(), failed=failed))
    verdicts = Counter(step["decision"]["result"] for step in steps if step["kind"] == "write")
    if verdicts:
        message = "Write decisions: {accepted} accepted, {refused} refused"
        lines.append(say(message, accepted=verdicts["accepted"], refused=verdicts["refused"]))
    return lines
