"""Plays a schedule on a stage with a student's function, single-threaded and the same each time, and gives the facts.

Three worlds: `Handled` (Lambda hands batches to a handler), `Consumed` (our own consumer works on a queue) and `Saved` (a
function that saves one item is called for one item after the other).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bentocola.checks.environment import variable
from bentocola.checks.facts import Sent
from bentocola.checks.orders import Jobs, Uploads, plain
from bentocola.checks.schedule import Schedule
from bentocola.checks.stage import Stage
from bentocola.checks.world import World
from bentocola.errors import WorkerStopped

__all__ = ["Consumed", "Handled", "Saved"]


class Handled(World):
    """Lambda receives from the queue and hands batches to the answer, a handler."""

    def __init__(
        self, stage: Stage, orders: Uploads | Jobs, function: Callable[..., Any], *, reports: bool, rounds: int = 2
    ) -> None:
        """`reports`: whether the mapping has ReportBatchItemFailures."""
        super().__init__(stage, orders, function)
        self._reports = reports
        self._most_rounds = rounds

    def _work(self, schedule: Schedule) -> None:
        blank: list[NotImplementedError] = []

        def handler(event: dict[str, Any], context: Any) -> Any:
            messages = tuple(self._trace.short_id(record["messageId"]) for record in event["Records"])
            try:
                called = self._called(event, context, kept=(0,), messages=messages)
            except NotImplementedError as error:  # a failed run, to Lambda
                blank.append(error)
                raise
            if called.stopped or called.endless:
                raise WorkerStopped(self.stage.cloud.say)
            if called.raised is not None:
                raise called.raised
            return called.returned

        # Each fault may cost a message its round: in the one after the last of them, all is as it should be.
        most = (self._most_rounds + len(schedule.slips)) * (len(schedule.jobs) if schedule.batch == 1 else 1)
        for _ in self._rounds(most, schedule):
            with variable("TABLE_NAME", self._table(schedule)):
                self.stage.cloud.poll_once(
                    self.stage.queue_url, handler, batch_size=schedule.batch, report_batch_item_failures=self._reports
                )
            if blank:
                raise blank[0]


class Consumed(World):
    """The answer is a consumer of our own: it receives, hands each body to `work`, and deletes. `work` saves the order."""

    by = "you"

    def __init__(
        self, stage: Stage, orders: Uploads | Jobs, function: Callable[..., Any], errors: tuple[type[Exception], ...]
    ) -> None:
        """`errors`: what `work` raises for a bad job, in turn."""
        super().__init__(stage, orders, function)
        self._errors = errors

    def _work(self, schedule: Schedule) -> None:
        bad = {sent.body for sent in self._sent if sent.bad}
        orders = {sent.body: sent for sent in self._sent}

        def work(body: str) -> Any:
            n = len(self._trace) + 1
            self._worked.append((n, [sent.message for sent in self._sent if sent.body == body]))
            turn = len(self._worked)
            if body in bad or body not in orders:
                self._failed.add(n)
                raise self._errors[turn % len(self._errors)](body)
            with self._apart():
                for number in (job.number for job in schedule.jobs if self.orders.sent(job).body == body):
                    self.stage.others.put_item(TableName=self.stage.table, Item=self.orders.item(number))
                    break
            return (None, False, True, "")[turn % 4]  # what it returns means nothing

        if any(slip.kind == "held" for slip in schedule.slips):
            with self._apart():  # another consumer has them all, and takes its time
                self.stage.sqs.receive_message(QueueUrl=self.stage.queue_url, MaxNumberOfMessages=10)
            self._called(self.stage.sqs, self.stage.queue_url, work)
        for _ in self._rounds(2 + len(schedule.slips), schedule):
            self._called(self.stage.sqs, self.stage.queue_url, work)


class Saved(World):
    """The answer saves one item a call. The jobs are its items; nothing is sent to a queue."""

    by = "you"

    def _produce(self, schedule: Schedule) -> None:
        for n, job in enumerate(schedule.jobs, 1):
            item = plain(self._item(job))
            key = "#".join(str(item[name]) for name in self.orders.key)
            self._sent.append(Sent(f"c{n}", json.dumps(item), {key: item}, kind=job.kind))

    def _work(self, schedule: Schedule) -> None:
        for n, job in enumerate(schedule.jobs, 1):
            table = self._table(schedule)
            self._called(self.stage.dynamodb, table, self._item(job), kept=(2,), messages=(f"c{n}",))
