"""What all worlds share in which a schedule is played on a stage: a producer, faults, other programs, what is written down.

Single-threaded, and the same each time. How the answer comes to be called is for each of `worlds`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from bentocola.checks import guard
from bentocola.checks.facts import Facts, Run, Sent
from bentocola.checks.orders import Jobs, Uploads, plain
from bentocola.checks.schedule import Job, Schedule, Slip
from bentocola.checks.stage import Stage
from bentocola.cloud.cut import cut
from bentocola.cloud.trace import Step, TraceData
from bentocola.shop import VISIBILITY_TIMEOUT

__all__ = ["MOST_CALLS", "NO_TABLE", "World"]

MOST_CALLS = 60
"""Calls of AWS in one call of an answer. More than that, and it is stopped: ten messages take some thirty."""
NO_TABLE = "no-such-table"
_TRIED = 10
"""How often boto3 sends a request to DynamoDB in its standard settings."""
_SLOW_SECONDS = VISIBILITY_TIMEOUT + 10


class World:
    """What all worlds share: a producer, faults, what is written down."""

    def __init__(self, stage: Stage, orders: Uploads | Jobs, function: Callable[..., Any]) -> None:
        self.stage = stage
        self.orders = orders
        self.function = function
        self._others: set[int] = set()
        self._runs: list[Run] = []
        self._sent: list[Sent] = []
        self._worked: list[tuple[int, list[str]]] = []
        """Before which step `work` was called with the body of which messages."""
        self._failed: set[int] = set()
        self._given: dict[str, dict[str, Any]] = {}
        self._rivals: dict[str, dict[str, Any]] = {}
        self.steps: list[Step] = []
        self.data: TraceData | None = None

    def play(self, schedule: Schedule, *, tell: bool = False) -> Facts:
        """Play it, and return what happened. NotImplementedError of the answer goes through.

        `tell`: keep it in `data` too, as a trace to show.
        """
        for kept in (self._others, self._runs, self._sent, self._given, self._rivals, self._worked, self._failed):
            kept.clear()
        with self.stage.playing() as trace:
            self._trace = trace
            with self._apart():
                for job in schedule.stored:
                    self._store(job)
            with self._apart():
                self._produce(schedule)
            for slip in schedule.slips:
                self._plan(slip)
            self._work(schedule)
            self.stage.cloud.faults.clear()
            own = {self.stage.queue, self.stage.table, NO_TABLE}
            self.data = cut(trace.data(mode="counterexample"), own) if tell else None
            self.steps = list(trace.since(0))
            prefix = f"item/{self.stage.table}/"
            stored = {path.removeprefix(prefix): trace.state(path) for path in trace.paths(prefix)}
            waiting = self._waiting()
        return Facts(
            schedule,
            tuple(self._sent),
            tuple(self._runs),
            self.steps,
            frozenset(self._others),
            stored,
            frozenset(waiting),
            dict(self._given),
            isinstance(self.orders, Jobs),
            tuple(self._in_turn()),
            dict(self._rivals),
            frozenset(self._failed),
        )

    def _in_turn(self) -> Iterator[tuple[int, str]]:
        """Yield before which step `work` was called for which message.

        A text can be the body of several messages: those that the call received are taken in turn, then one that the answer sent.
        """
        known = {sent.message for sent in self._sent}
        for run in self._runs:
            told: set[str] = set()
            for n, alike in self._worked:
                if run.first <= n <= run.last + 1:
                    left = [message for message in run.messages if message not in told]
                    own = [message for message in left if message not in known]
                    name = next(iter([*(message for message in left if message in alike), *own, *alike]), "")
                    told.add(name)
                    yield n, name

    by: Any = "lambda"
    """Whose calls the faults strike."""

    def _work(self, schedule: Schedule) -> None:
        raise NotImplementedError

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """What happens here is not the answer's doing, and no fault strikes it."""
        first = len(self._trace) + 1
        with self.stage.cloud.faults.set_aside():
            yield
        self._others |= set(range(first, len(self._trace) + 1))

    def _store(self, job: Job) -> None:
        """Let another program have stored an order already."""
        item = self._item(job)
        self.stage.others.put_item(TableName=self.stage.table, Item=item)
        self._given["#".join(str(plain(item)[name]) for name in self.orders.key)] = plain(item)

    def _item(self, job: Job) -> dict[str, dict[str, str]]:
        if isinstance(self.orders, Uploads):
            if job.kind == "bare":  # a key and nothing else
                item = self.orders.item(job.number)
                return {name: item[name] for name in self.orders.key}
            return self.orders.item(job.number, "shipped" if job.kind == "shipped" else "received")
        order = self.orders.item(job.number, 1 if job.kind == "changed" else 0)
        if job.kind == "bare":
            return {"id": order["id"]}
        if job.kind == "other-total":
            return order | {"total_cents": {"N": "1"}}
        return order

    def _produce(self, schedule: Schedule) -> None:
        late = {slip.on for slip in schedule.slips if slip.kind == "late"}
        entries = []
        for n, job in enumerate(schedule.jobs, 1):
            entry = {"Id": str(n), "MessageBody": self.orders.sent(job).body}
            entries.append(entry | ({"DelaySeconds": 5} if n in late else {}))
        # Each at its own moment where the order matters.
        size = 1 if any(slip.kind == "reorder" for slip in schedule.slips) else 10
        ids: dict[str, str] = {}
        for start in range(0, len(entries), size):
            batch = entries[start : start + size]
            answered = self.stage.sqs.send_message_batch(QueueUrl=self.stage.queue_url, Entries=batch)
            ids |= {entry["Id"]: entry["MessageId"] for entry in answered["Successful"]}
        for n, job in enumerate(schedule.jobs, 1):
            sent = self.orders.sent(job, self._trace.short_id(ids[str(n)]))
            self._sent.append(dataclasses.replace(sent, id=ids[str(n)]))

    def _plan(self, slip: Slip) -> None:
        faults, by = self.stage.cloud.faults, self.by
        match slip.kind:
            case "throttle":
                faults.throttle(slip.operation, on=slip.on, by=by)
            case "deny":
                faults.deny(slip.operation, on=slip.on, by=by)
            case "busy":  # for longer than boto3 tries
                faults.throttle(slip.operation, on=slip.on, times=_TRIED, by=by)
            case "lost":
                faults.lose_response(slip.operation, on=slip.on, by=by)
            case "stop_before" | "timeout":
                faults.stop_worker(before=slip.operation, on=slip.on, by=by)
            case "stop_after":
                faults.stop_worker(after=slip.operation, on=slip.on, by=by)
            case "again":
                faults.deliver_again(on=slip.on)
            case "reorder":
                faults.reorder(shuffle=list.reverse)
            case "late" | "no_table" | "held" | "long":
                pass  # a message's own, a call's own, another consumer's, and for how many rounds
            case "rival":
                faults.meanwhile(self._rival, before=slip.operation, on=slip.on, by=by)
            case "gone":
                faults.meanwhile(self._remove, before="dynamodb:[GQS]*", on=slip.on, by=by)
            case "slow":
                faults.meanwhile(
                    lambda: self.stage.cloud.clock.advance(_SLOW_SECONDS), before=slip.operation, on=slip.on, by=by
                )
            case _:
                raise ValueError(f"There is no kind of fault {slip.kind!r}.")

    def _rival(self) -> None:
        """Another program stores what the answer is about to store, but with another content."""
        with self._apart():
            job = Job("shipped" if isinstance(self.orders, Uploads) else "changed", 0)
            item = self._item(job)
            name = next(iter(self.orders.key))
            with suppress(self.stage.others.exceptions.ConditionalCheckFailedException):
                self.stage.others.put_item(
                    TableName=self.stage.table,
                    Item=item,
                    ConditionExpression="attribute_not_exists(#key)",
                    ExpressionAttributeNames={"#key": name},
                )
                self._rivals["#".join(str(plain(item)[key]) for key in self.orders.key)] = plain(item)

    def _remove(self) -> None:
        """Another program removes the first order."""
        with self._apart():
            item = self.orders.item(0)
            key = {name: item[name] for name in self.orders.key}
            self.stage.others.delete_item(TableName=self.stage.table, Key=key)

    def _called(self, *arguments: Any, kept: tuple[int, ...] = (), messages: tuple[str, ...] = ()) -> guard.Called:
        """Call the answer, and write the run down."""
        first = len(self._trace) + 1
        faults = self.stage.cloud.faults
        limit = faults.stop_worker(before="*:*", on=MOST_CALLS + 1, by=self.by)
        limit.times = 1_000_000  # and each one after it: a bare `except` would go on
        try:
            called = guard.call(self.function, *arguments, kept=kept)
        finally:
            faults.cancel(limit)
        if not messages:
            steps = self._trace.since(first - 1)
            messages = tuple(
                step["ids"]["msg"] for step in steps if step["kind"] == "deliver" and step["n"] not in self._others
            )
        self._runs.append(Run(f"r{len(self._runs) + 1}", first, len(self._trace), called, messages))
        return called

    def _table(self, schedule: Schedule) -> str:
        """The table's name for the next call of the answer; one that does not exist, where that is the fault."""
        turns = {slip.on for slip in schedule.slips if slip.kind == "no_table"}
        return NO_TABLE if len(self._runs) + 1 in turns else self.stage.table

    def _queue(self) -> dict[str, Any]:
        return self._trace.state(f"queue/{self.stage.queue}") or {"visible": 0, "in_flight": 0, "delayed": 0}

    def _waiting(self) -> set[str]:
        """The messages that the queue has, visible or not."""
        states = {path.removeprefix("message/"): self._trace.state(path) for path in self._trace.paths("message/")}
        return {
            message
            for message, held in states.items()
            if held["queue"] == self.stage.queue and held["state"] not in ("deleted", "expired")
        }

    def _rounds(self, most: int, schedule: Schedule) -> Iterator[int]:
        """Yield as often as there is something to receive, at most so often; the clock moves on where all is hidden.

        It ends when every message that is left has failed, as it must; with faults, twice.
        """
        bad = {sent.message: sent.id for sent in self._sent if sent.bad}
        enough = 2 if schedule.slips else 1
        if any(slip.kind == "long" for slip in schedule.slips):
            most, enough = most + 4, 5
        for n in range(most):
            queue = self._queue()
            if not queue["visible"]:
                if not queue["in_flight"] and not queue["delayed"]:
                    return
                left = self._waiting()
                if n and left <= bad.keys() and all(self._trace.deliveries(bad[message]) >= enough for message in left):
                    return
                self.stage.cloud.clock.advance(VISIBILITY_TIMEOUT)
            yield n
