"""Event source mappings at work: the poller that Lambda runs between a queue and a function that somebody deployed.

It reaches queues through the door, with the function's role, and knows mappings as the door shows them. `poll_once` is one round
of all of them, without a thread; `Live` keeps a thread a mapping, for the live cloud.
https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html and .../services-sqs-errorhandling.html
"""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from bentocola.cloud.clock import Clock
from bentocola.cloud.door import Caller, Door, ServiceError, caller
from bentocola.cloud.functions import batches, filters
from bentocola.cloud.functions.poller import Round

__all__ = ["Live", "Poller", "Ran"]

LONGEST_EVENT = 6 * 1024 * 1024
"""Bytes of an event. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""
CONCURRENCY = 5
"""How many runs at once a mapping begins with. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html

On AWS it goes on from there to MaximumConcurrency, or as far as the account lets it. Here it stays where it is unless a
MaximumConcurrency says more: a machine is no region.
"""
MOST_AT_ONCE = 32
"""How many runs at once a mapping has at the most, whatever its MaximumConcurrency. Each is a process with boto3 in it."""
_WIDER_EVERY = 1.0
"""Seconds in which there are five more while messages wait: "up to 300 more instances per minute"."""
EVENTS_AT_ONCE = 5
"""How many asynchronous events are run at once."""
_FIRST_BACKOFF, _LONGEST_BACKOFF = 1.0, 30.0
"""Seconds until a throttled batch is tried again. The documentation says "gradually"."""
_GONE = {"QueueDoesNotExist", "ResourceNotFoundException"}
"""The queue or the function is no more, and what was gathered leads nowhere."""

_log = logging.getLogger(__name__)


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
    records: list[str] = field(default_factory=list)
    """Each as JSON."""
    size: int = len('{"Records": []}')
    """Of the event, in bytes."""

    def add(self, message: dict[str, Any], record: str, size: int) -> None:
        self.messages.append(message)
        self.records.append(record)
        self.size += size

    def event(self) -> str:
        return f'{{"Records": [{", ".join(self.records)}]}}'


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
                if refused.code in _GONE:
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
                text = json.dumps(record, ensure_ascii=False)
                size = len(text.encode(errors="surrogatepass")) + 2
                over = self._over.get(mapping.uuid, [])
                is_full = len(batch.messages) >= mapping.batch_size or batch.size + size > LONGEST_EVENT
                if over or (batch.messages and is_full):
                    self._over[mapping.uuid] = [*over, message]
                    continue
                batch.add(message, text, size)
            received = []
            if refused := self._delete(mapping, unwanted)[1]:
                raise refused
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

    def _delete(self, mapping: Any, messages: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], ServiceError | None]:
        """Delete messages. Returns those that the queue was told to, and how it refused the others."""
        done: list[dict[str, Any]] = []
        error = None
        for first in range(0, len(messages), 10):
            some = messages[first : first + 10]
            entries = [{"Id": str(n), "ReceiptHandle": message["ReceiptHandle"]} for n, message in enumerate(some)]
            try:
                self._ask(mapping, "DeleteMessageBatch", Entries=entries)
                done += some
            except ServiceError as refused:
                error = refused
        return done, error

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
        """Run the mapping's function on a batch, and delete what it finished.

        A batch of a mapping that is being deleted is left: it comes back by its visibility timeout.
        """
        with self._door.lock:
            mapping = self._door.mapping(uuid)
        if mapping is None or mapping.state == "Deleting":
            return None
        ids = [message["MessageId"] for message in batch.messages]
        try:
            ran = self._run(mapping.region, mapping.function_arn, batch.event(), ids)
        except ServiceError as refused:  # throttled, or no such function: the messages come back
            self._door.mapping_result(uuid, f"PROBLEM: {refused}")
            return Round([], ids, None, refused)
        if ran.error:
            self._door.mapping_result(uuid, "PROBLEM: Function call failed")
            return Round([], ids, _json(ran.payload), FunctionFailed(ran.payload))
        response = _json(ran.payload)
        kept = batches.failed(response, ids) if mapping.report_batch_item_failures else set()
        done, undeleted = self._delete(mapping, [m for m in batch.messages if m["MessageId"] not in kept])
        self._door.mapping_result(uuid, f"PROBLEM: {undeleted}" if undeleted else "OK")
        deleted = [message["MessageId"] for message in done]
        return Round(deleted, [i for i in ids if i not in deleted], response, undeleted)

    def is_hidden(self, uuid: str, batch: _Batch, seconds: float) -> bool:
        """Whether the messages of a batch will still be hidden from others in so many seconds."""
        with self._door.lock:
            mapping = self._door.mapping(uuid)
            timeout = self._door.visibility_timeout(mapping.queue_arn) if mapping else None
            return timeout is not None and self._clock.now() + timedelta(seconds=seconds) < batch.began + timedelta(
                seconds=timeout
            )


class FunctionFailed(Exception):
    """A function that was deployed failed; its error as JSON, `errorType` and `errorMessage` among it."""


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


class Live:
    """A thread for each mapping, which takes batches as they come and has several runs at once; and one that keeps the time."""

    def __init__(
        self, poller: Poller, door: Door, clock: Clock, next_event: Callable[[], Callable[[], None] | None]
    ) -> None:
        """`next_event` takes an asynchronous event whose time has come, and returns what runs it; None when there is none."""
        self._poller = poller
        self._door = door
        self._clock = clock
        self._next_event = next_event
        self._threads: dict[str, threading.Thread] = {}
        self._running: Counter[str] = Counter()
        self._full: set[str] = set()
        self._stopped = False

    def start(self) -> None:
        """Start the thread that does what falls due, and has asynchronous events run."""
        with self._door.lock:
            self._begin("timekeeper", self._keep_time)

    def look(self) -> None:
        """Start a thread for each mapping that has none. To be called with the door's lock held."""
        for mapping in self._door.mappings():
            if mapping.uuid not in self._threads and not self._stopped:
                self._begin(mapping.uuid, self._serve, mapping.uuid)

    def _begin(self, name: str, serve: Callable[..., None], *arguments: str) -> None:
        thread = threading.Thread(target=serve, args=arguments, daemon=True, name=f"bentocola-{name}")
        thread.start()
        self._threads[name] = thread

    def stop(self, end_runs: Callable[[], None]) -> None:
        """Begin nothing more, let `end_runs` end what runs, and wait for the threads."""
        with self._door.lock:
            self._stopped = True
            self._clock.wake()
            threads = list(self._threads.values())
        end_runs()
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join()

    # The time

    def _keep_time(self) -> None:
        runs = ThreadPoolExecutor(EVENTS_AT_ONCE, thread_name_prefix="bentocola-event")
        while True:
            with self._door.lock:
                if self._stopped:
                    break
                self._clock.run_due()
                run = self._next_event()
                if run is None:
                    left = self._clock.seconds_to_next()
                    self._clock.pause(1.0 if left is None else left)
                    continue
            runs.submit(self._attempt, run)
        runs.shutdown(cancel_futures=True)

    def _attempt(self, run: Callable[..., None], *arguments: Any) -> None:
        try:
            run(*arguments)
        except Exception:
            if not self._stopped:
                _log.exception("A run failed.")

    # A mapping

    def _serve(self, uuid: str) -> None:
        runs = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="bentocola-mapping")
        limit, wider_at = CONCURRENCY, self._clock.now()
        while True:
            with self._door.lock:
                mapping = self._door.mapping(uuid)
                if self._stopped or mapping is None:
                    break
                running = self._running[uuid]
                most = min(mapping.maximum_concurrency or CONCURRENCY, MOST_AT_ONCE)
                if running < CONCURRENCY:
                    limit, wider_at = CONCURRENCY, self._clock.now() + timedelta(seconds=_WIDER_EVERY)
                elif running >= limit and self._clock.now() >= wider_at:
                    limit, wider_at = limit + CONCURRENCY, self._clock.now() + timedelta(seconds=_WIDER_EVERY)
                if running < min(limit, most):
                    self._full.discard(uuid)
                    batch = self._take(uuid)
                else:
                    self._full.add(uuid)
                    batch = None
                if batch is None:
                    self._clock.pause(1.0)
                    continue
                self._running[uuid] += 1
            runs.submit(self._attempt, self._process, uuid, batch)
        runs.shutdown(cancel_futures=True)
        with self._door.lock:
            self._threads.pop(uuid, None)
            self._full.discard(uuid)

    def _take(self, uuid: str) -> _Batch | None:
        try:
            return self._poller.take(uuid)
        except Exception as error:  # a fault of ours, say: the mapping tells of it, and goes on
            _log.exception("Taking messages failed.")
            self._door.mapping_result(uuid, f"PROBLEM: {type(error).__name__}: {error}")
            return None

    def _process(self, uuid: str, batch: _Batch) -> None:
        """Run a batch. A throttled one is tried again for as long as its messages are hidden."""
        backoff = _FIRST_BACKOFF
        try:
            while True:
                done = self._poller.process(uuid, batch)
                is_throttled = (
                    done is not None
                    and isinstance(done.error, ServiceError)
                    and done.error.code == "TooManyRequestsException"
                )
                if not is_throttled or not self._poller.is_hidden(uuid, batch, backoff) or not self._wait(backoff):
                    return
                backoff = min(2 * backoff, _LONGEST_BACKOFF)
        finally:
            with self._door.lock:
                self._running[uuid] -= 1
                if uuid in self._full:  # its thread waits for a run to end
                    self._clock.wake()

    def _wait(self, seconds: float) -> bool:
        """Wait on the course's clock. False when all is to end."""
        with self._door.lock:
            until = self._clock.now() + timedelta(seconds=seconds)
            while not self._stopped and (left := (until - self._clock.now()).total_seconds()) > 0:
                self._clock.pause(left)
            return not self._stopped
