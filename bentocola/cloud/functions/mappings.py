"""Event source mappings at work: the poller that Lambda runs between a queue and a function that somebody deployed.

It reaches queues through the door, with the function's role, and knows mappings as the door shows them. `poll_once` is one round
of all of them, without a thread; `Live` keeps a thread a mapping, for the live cloud.
https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html and .../services-sqs-errorhandling.html
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import Caller, Door, ServiceError, caller
from bentocola.cloud.functions import batches, filters
from bentocola.cloud.functions.poller import Round

__all__ = ["Live", "Poller", "Ran"]

LONGEST_EVENT = 6 * 1024 * 1024
"""Bytes of an event. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""
CONCURRENCY = 5
"""How many runs at once a mapping begins with. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html"""


class Ran(Protocol):
    """What a run of a function came to: the handler's answer as JSON, and "Unhandled" or such when it failed."""

    @property
    def payload(self) -> str: ...
    @property
    def error(self) -> str | None: ...


Run = Callable[[str, str, str, list[str]], Ran]
"""`run(region, function_arn, event, message_ids)`. Raises ServiceError when there is no such function, or it may not run."""


@dataclass
class _Batch:
    """What was received and waits to be enough."""

    began: datetime
    messages: list[dict[str, Any]] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    size: int = len('{"Records": []}')

    def add(self, message: dict[str, Any], record: dict[str, Any], size: int) -> None:
        self.messages.append(message)
        self.records.append(record)
        self.size += size


class Poller:
    """Takes batches for mappings, runs their functions, and deletes what counts as done."""

    def __init__(self, door: Door, clock: Clock, run: Run, key_of: Callable[[Any], str]) -> None:
        """`key_of(mapping)` gives the access key under which its function's role calls."""
        self._door = door
        self._clock = clock
        self._run = run
        self._key_of = key_of
        self._batches: dict[str, _Batch] = {}
        self._over: dict[str, list[dict[str, Any]]] = {}

    def poll_once(self) -> list[Round]:
        """Do one round for every mapping that is enabled, oldest first; those that found something are in the answer."""
        rounds = (self.round(mapping.uuid) for mapping in self._door.mappings())
        return [done for done in rounds if done is not None]

    def round(self, uuid: str) -> Round | None:
        """Take a batch for one mapping and run its function; None when there is nothing, or not enough yet."""
        batch = self.take(uuid)
        return self.process(uuid, batch) if batch is not None else None

    def take(self, uuid: str) -> _Batch | None:
        """Receive for the mapping until its batch is full, or its window over, and return the batch; None when it is not yet.

        What does not match its filters is deleted at once. Nothing is taken for a mapping that is not enabled, so that nothing is
        delivered once a deletion is answered.
        """
        with self._door.lock:
            mapping = self._door.mapping(uuid)
            if mapping is None or mapping.state != "Enabled":
                # What was received meanwhile comes back by its visibility timeout.
                self._batches.pop(uuid, None)
                self._over.pop(uuid, None)
                return None
            batch = self._batches.pop(uuid, None) or _Batch(self._clock.now())
            try:
                self._fill(mapping, batch)
            except ServiceError as refused:
                self._door.mapping_result(uuid, f"PROBLEM: {refused}")
                return None
            if not batch.messages:
                return None
            waited = (self._clock.now() - batch.began).total_seconds()
            full = len(batch.messages) >= mapping.batch_size or uuid in self._over
            if full or waited >= mapping.window_seconds:
                return batch
            self._batches[uuid] = batch
            return None

    def _fill(self, mapping: Any, batch: _Batch) -> None:
        received = self._over.pop(mapping.uuid, [])
        is_more = True
        while len(batch.messages) < mapping.batch_size and (received or is_more):
            if not received:
                most = min(10, mapping.batch_size - len(batch.messages))
                received = self._receive(mapping, most)
                is_more = len(received) == most
            if not received:
                return
            if not batch.messages:
                batch.began = self._clock.now()
            unwanted = []
            for message in received:
                record = batches.record(message, mapping.queue_arn)
                if mapping.filters and not any(filters.matches(pattern, record) for pattern in mapping.filters):
                    unwanted.append(message)
                    continue
                size = len(json.dumps(record)) + 2
                over = self._over.get(mapping.uuid, [])
                if over or (batch.messages and batch.size + size > LONGEST_EVENT):
                    self._over[mapping.uuid] = [*over, message]
                    continue
                batch.add(message, record, size)
            received = []
            self._delete(mapping, unwanted)
            if mapping.uuid in self._over:
                return

    def _receive(self, mapping: Any, most: int) -> list[dict[str, Any]]:
        answer = self._ask(
            mapping,
            "ReceiveMessage",
            MaxNumberOfMessages=most,
            AttributeNames=["All"],
            MessageAttributeNames=["All"],
        )
        return list(answer.get("Messages") or [])

    def _delete(self, mapping: Any, messages: list[dict[str, Any]]) -> None:
        for first in range(0, len(messages), 10):
            some = messages[first : first + 10]
            entries = [{"Id": str(n), "ReceiptHandle": message["ReceiptHandle"]} for n, message in enumerate(some)]
            self._ask(mapping, "DeleteMessageBatch", Entries=entries)

    def _ask(self, mapping: Any, operation: str, **parameters: Any) -> dict[str, Any]:
        token = caller.set(Caller("lambda"))
        try:
            return self._door.ask(
                "sqs",
                operation,
                {"QueueUrl": batches.queue_url(mapping.queue_arn), **parameters},
                region=mapping.region,
                access_key=self._key_of(mapping),
            )
        finally:
            caller.reset(token)

    def process(self, uuid: str, batch: _Batch) -> Round | None:
        """Run the mapping's function on a batch, and delete what it finished."""
        with self._door.lock:
            mapping = self._door.mapping(uuid)
        if mapping is None:
            return None
        ids = [message["MessageId"] for message in batch.messages]
        event = json.dumps({"Records": batch.records}, ensure_ascii=False)
        try:
            ran = self._run(mapping.region, mapping.function_arn, event, ids)
        except ServiceError as refused:  # throttled, or no such function: the messages come back
            self._door.mapping_result(uuid, f"PROBLEM: {refused}")
            return Round([], ids, None, refused)
        if ran.error:
            self._door.mapping_result(uuid, "PROBLEM: Function call failed")
            return Round([], ids, _json(ran.payload), FunctionFailed(ran.payload))
        response = _json(ran.payload)
        kept = batches.failed(response, ids) if mapping.report_batch_item_failures else set()
        done = [message for message in batch.messages if message["MessageId"] not in kept]
        try:
            self._delete(mapping, done)
        except ServiceError as refused:
            self._door.mapping_result(uuid, f"PROBLEM: {refused}")
            return Round([], ids, response, refused)
        self._door.mapping_result(uuid, "OK")
        return Round([m["MessageId"] for m in done], [i for i in ids if i in kept], response, None)


class FunctionFailed(Exception):
    """A function that was deployed failed; its error as JSON, `errorType` and `errorMessage` among it."""


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


class Live:
    """A thread for each mapping, which takes batches as they come and has several runs at once."""

    def __init__(self, poller: Poller, door: Door, clock: Clock, run_waiting: Callable[[], int]) -> None:
        """`run_waiting` runs the asynchronous events whose time has come."""
        self._poller = poller
        self._door = door
        self._clock = clock
        self._run_waiting = run_waiting
        self._threads: dict[str, threading.Thread] = {}
        self._stopped = False

    def start(self) -> None:
        """Start the thread that does what falls due, and runs asynchronous events."""
        thread = threading.Thread(target=self._keep_time, daemon=True, name="timekeeper")
        self._threads["timekeeper"] = thread
        thread.start()

    def _keep_time(self) -> None:
        while True:
            with self._door.lock:
                if self._stopped:
                    return
                self._clock.run_due()
            if not self._run_waiting():
                with self._door.lock:
                    if not self._stopped:
                        self._clock.pause(1.0)

    def look(self) -> None:
        """Start a thread for each mapping that has none. To be called with the door's lock held."""
        for mapping in self._door.mappings():
            if mapping.uuid not in self._threads and not self._stopped:
                thread = threading.Thread(target=self._serve, args=(mapping.uuid,), daemon=True)
                self._threads[mapping.uuid] = thread
                thread.start()

    def stop(self) -> None:
        """End all threads, and wait for the runs that they began."""
        with self._door.lock:
            self._stopped = True
            self._clock.wake()
        for thread in list(self._threads.values()):
            thread.join()

    def _serve(self, uuid: str) -> None:
        with ThreadPoolExecutor(max_workers=1000, thread_name_prefix="mapping") as runs:
            running: set[Any] = set()
            while True:
                with self._door.lock:
                    mapping = self._door.mapping(uuid)
                    if self._stopped or mapping is None:
                        break
                    running = {run for run in running if not run.done()}
                    if len(running) >= min(mapping.maximum_concurrency or CONCURRENCY, CONCURRENCY):
                        self._clock.pause(1.0)
                        continue
                    batch = self._poller.take(uuid)
                    if batch is None:
                        self._clock.pause(1.0)
                        continue
                running.add(runs.submit(self._process, uuid, batch))
        with self._door.lock:
            self._threads.pop(uuid, None)

    def _process(self, uuid: str, batch: _Batch) -> None:
        try:
            self._poller.process(uuid, batch)
        finally:
            with self._door.lock:
                self._clock.wake()
