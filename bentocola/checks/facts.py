"""What happened to an answer under one schedule, as facts that can be asked about: read from the trace and from what calls gave.

It reads a trace and knows no cloud. Steps are named by their number in the trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bentocola.checks.guard import Called
from bentocola.checks.schedule import Schedule
from bentocola.cloud.trace import Step

__all__ = ["Facts", "Run", "Sent", "Write", "messages_of"]

Item = dict[str, Any]
"""An item as plain JSON, as the trace has it."""


@dataclass(frozen=True)
class Sent:
    """A message that was sent: its name in the trace, its body, and what an answer must make of it."""

    message: str
    body: str
    orders: Mapping[str, Item]
    """By key, what must be stored of it."""
    bad: bool = False
    """Whether it must fail: it stays in the queue."""
    kind: str = "order"
    """The kind of the job."""
    id: str = ""
    """SQS's id of it."""


@dataclass(frozen=True)
class Write:
    """A write decision of the answer's own."""

    n: int
    run: str | None
    key: str
    condition: str | None
    accepted: bool
    error: str | None
    before: Item | None
    after: Item | None
    op: str


@dataclass(frozen=True)
class Run:
    """One call of the answer. `messages`: those that it was handed; `first` and `last`: the steps that belong to it."""

    id: str
    first: int
    last: int
    called: Called
    messages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Facts:
    """All that is known of one schedule that was played."""

    schedule: Schedule
    sent: tuple[Sent, ...]
    runs: tuple[Run, ...]
    steps: Sequence[Step]
    others: frozenset[int]
    """The steps that are not the answer's doing: of the producer, of the world, of another program."""
    stored: Mapping[str, Item]
    """What the table holds at the end, by key."""
    waiting: frozenset[str]
    """The messages that are in the queue at the end, visible or not."""
    given: Mapping[str, Item] = field(default_factory=dict)
    """What another program stored, by key: it is to stay as it is."""
    jobs: bool = False
    """Whether messages bring jobs with all that an order is made of (assignment 05); else they announce uploads by their keys."""
    worked: tuple[tuple[int, str], ...] = ()
    """Of a consumer: before which step it handed which message's body to `work`; "" for a text that is none's."""
    rivals: Mapping[str, Item] = field(default_factory=dict)
    """What another program stored in the middle of a call, by key."""
    failed: frozenset[int] = frozenset()
    """Of a consumer: before which steps `work` raised an exception."""

    @cached_property
    def writes(self) -> tuple[Write, ...]:
        """The answer's write decisions, in order."""
        return tuple(
            Write(
                n=step["n"],
                run=step.get("ids", {}).get("run"),
                key=step["decision"]["key"],
                condition=step["decision"]["condition"],
                accepted=step["decision"]["result"] == "accepted",
                error=step["decision"].get("error"),
                before=step["decision"]["before"],
                after=step["decision"]["after"],
                op=step["decision"]["op"],
            )
            for step in self.steps
            if step["kind"] == "write" and step["n"] not in self.others
        )

    @cached_property
    def deletes(self) -> tuple[tuple[int, str, str], ...]:
        """Each deletion of a message: step, message, and who deleted it ("you" or "lambda" with its run's id, if in one)."""
        return tuple(
            (step["n"], message, step.get("ids", {}).get("run") or "")
            for step in self.steps
            if step["kind"] == "delete" and step["n"] not in self.others and "error" not in step
            for message in messages_of(step)
        )

    @cached_property
    def deliveries(self) -> tuple[tuple[int, str], ...]:
        """Each delivery: step and message."""
        return tuple(
            (step["n"], message) for step in self.steps if step["kind"] == "deliver" for message in messages_of(step)
        )

    @cached_property
    def slips(self) -> tuple[Step, ...]:
        """The faults that struck."""
        return tuple(step for step in self.steps if step["kind"] == "fault")

    @cached_property
    def by_message(self) -> dict[str, Sent]:
        """The messages by their names."""
        return {sent.message: sent for sent in self.sent}

    @cached_property
    def allowed(self) -> dict[str, list[Item]]:
        """What the table may hold in the end, by key: what others stored, else any of the orders that came under the key."""
        found: dict[str, list[Item]] = {}
        for sent in self.sent:
            for key, item in sent.orders.items():
                found.setdefault(key, []).append(dict(item))
        return found | {key: [dict(item)] for key, item in {**self.rivals, **self.given}.items()}

    def stored_at(self, n: int) -> dict[str, Item]:
        """What the table held after step `n`, by key."""
        found: dict[str, Item] = {}
        for step in self.steps:
            if step["n"] > n:
                break
            if step["kind"] == "write" and step["decision"]["key"] and step["decision"]["result"] == "accepted":
                key, after = step["decision"]["key"], step["decision"]["after"]
                if after is None:
                    found.pop(key, None)
                else:
                    found[key] = after
        return found

    def calls_of(self, run: Run) -> list[Step]:
        """The calls of AWS that one run made."""
        return [
            step
            for step in self.steps
            if run.first <= step["n"] <= run.last and "api" in step and step["n"] not in self.others
        ]

    def handed(self, run: Run) -> list[Sent]:
        """The messages that a run was handed, but for those that the answer sent itself."""
        return [self.by_message[message] for message in run.messages if message in self.by_message]

    def struck(self, run: Run) -> bool:
        """Whether a fault struck in a run, or another program came between."""
        within = range(run.first, run.last + 1)
        return any(step["n"] in within for step in self.slips) or run.called.stopped


def messages_of(step: Step) -> list[str]:
    """Return the names of the messages that a step is about."""
    ids = step.get("ids", {})
    return list(ids.get("msgs") or ([ids["msg"]] if "msg" in ids else []))
