"""The stage on which schedules are played: a queue and a table of their own in the cloud that runs, made once and emptied often.

Plain boto3. What is done to set it and to clear it shows in no trace; the cloud's time moves on by what is waited for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import boto3
from botocore.config import Config

from bentocola.cloud.cloud import Cloud
from bentocola.cloud.trace import Trace
from bentocola.shop import VISIBILITY_TIMEOUT

__all__ = ["Stage"]

_MOST_REMOVED = 25
"""How many items one call can remove."""
_EXACT = 2**53
"""Up to here a number in JSON is the number that was stored."""
_SUFFIX = {"es": "prueba", "ja": "test"}


class Stage:
    """Entering makes the queue and the table, leaving removes them.

    `key`: the table's key attributes and their types, in order. Attributes: `queue`, `table` (names), `queue_url`, the clients
    `sqs` and `dynamodb` that are handed to answers, and `others`, a client that is nobody's answer's.
    """

    def __init__(self, cloud: Cloud, key: dict[str, str]) -> None:
        suffix = _SUFFIX[cloud.edition]
        self.cloud = cloud
        self.key = key
        self.queue, self.table = f"{cloud.names.queue}-{suffix}", f"{cloud.names.table}-{suffix}"
        self.queue_url = ""
        self.sqs, self.dynamodb = boto3.client("sqs"), boto3.client("dynamodb")
        self.others = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
        self._ends = contextlib.ExitStack()

    def __enter__(self) -> Stage:
        with contextlib.ExitStack() as begun:
            begun.enter_context(self.cloud.faults.set_aside())
            with self.cloud.record():
                begun.callback(self._remove)
                self._make_queue()
                self._make_table()
            self._ends = begun.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ends.close()

    @contextlib.contextmanager
    def playing(self) -> Iterator[Trace]:
        """Give the trace of what happens in this block, and leave queue, table and faults empty after it."""
        with self.cloud.record(fresh=True) as trace:
            try:
                yield trace
            finally:
                self.cloud.faults.clear()
                left = [trace.state(path) for path in trace.paths(f"item/{self.table}/")]
                queue, table = trace.state(f"queue/{self.queue}"), trace.state(f"table/{self.table}")
                # PurgeQueue is allowed once a minute: what one schedule did is not to tell in the next.
                purged = any(step.get("api") == "sqs:PurgeQueue" for step in trace.since(0))
        with self.cloud.record():
            if table is None:
                self._make_table()
            elif left:
                self._empty_table(left)
            if purged or queue is None or any(queue[count] for count in ("visible", "in_flight", "delayed")):
                self._remove_queue()
                self._make_queue()

    def _empty_table(self, left: list[dict[str, Any]]) -> None:
        """Remove these items, which are plain JSON. What cannot be named so exactly makes a new table the shorter way."""
        keys = [{name: _typed(item.get(name)) for name in self.key} for item in left]
        if len(keys) > _MOST_REMOVED or any(None in key.values() for key in keys):
            self._remove_table()
            self._make_table()
            return
        requests = [{"DeleteRequest": {"Key": key}} for key in keys]
        self.others.batch_write_item(RequestItems={self.table: requests})

    def _make_table(self) -> None:
        keys = zip(self.key, ("HASH", "RANGE"), strict=False)
        self.others.create_table(
            TableName=self.table,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in keys],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in self.key.items()],
        )

    def _remove_table(self) -> None:
        with contextlib.suppress(self.others.exceptions.ResourceNotFoundException):
            self.others.delete_table(TableName=self.table)

    def _make_queue(self) -> None:
        attributes = {"VisibilityTimeout": str(VISIBILITY_TIMEOUT)}
        self.queue_url = self.sqs.create_queue(QueueName=self.queue, Attributes=attributes)["QueueUrl"]

    def _remove_queue(self) -> None:
        with contextlib.suppress(self.sqs.exceptions.QueueDoesNotExist):
            self.sqs.delete_queue(QueueUrl=self.queue_url)

    def _remove(self) -> None:
        with self.cloud.record():
            self._remove_queue()
            self._remove_table()


def _typed(value: object) -> dict[str, str] | None:
    """Return a key's value as DynamoDB takes it; None for what a trace may not show to the last digit."""
    if isinstance(value, str):
        return {"S": value}
    return {"N": str(value)} if type(value) is int and abs(value) < _EXACT else None
