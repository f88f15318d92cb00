"""A queue's messages in a store where nothing is searched for: receiving, deleting and counting cost the same in any queue.

AWS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/ (visibility timeout, delay queues, dead-letter
queues, FIFO delivery logic, quotas) and the API reference of ReceiveMessage, DeleteMessage and ChangeMessageVisibility.
moto 5.2.5 (`moto/sqs/models.py`) keeps a list and walks through it for every step; draining is quadratic, and:

- it compares floats that it made from milliseconds, and hides a message for longer than its timeout. A clock that stands still
  meets the exact moment each time: `advance(30)` after a timeout of 30 seconds. Here moments are whole milliseconds.
- an expired message can hide valid ones, and expired messages are counted.
- DeleteMessage with an old receipt handle deletes. AWS: "the request will succeed, but the message might not be deleted". Here
  it stays, in a standard queue, so that whoever relies on it learns so. In a FIFO queue "the action fails with an error".
- ChangeMessageVisibility hides a message that is visible again. On AWS nothing happens then. AWS counts the twelve hours from
  the receipt, moto from the moment of sending.
- a FIFO queue mixes message groups. AWS returns as many messages of one group as possible first.
- SetQueueAttributes takes the queue's policy away unless it is set anew. On AWS what is not named stays.
- a FIFO queue's DelaySeconds holds for the messages that are in it as well ("retroactive").
- a message that a FIFO queue moves to its dead-letter queue gets its id as deduplication id, and its retention begins anew.
- DeadLetterQueueSourceArn is missing.
- standard queues refuse a short poll (OverLimit) with about 120,000 messages in flight; FIFO queues hand out nothing more.

moto's event source mappings, which fire inside SendMessage, are left out: `functions` polls as Lambda does. The documentation
is silent on a dead-letter queue that was deleted: here its sources keep the message and hand it out again.

What others look at (`counts`, `journal` …) is at the end. All of it is to be called as moto is: by one thread at a time.
"""

from __future__ import annotations

import base64
import copy
import inspect
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from bentocola.cloud.amendments.sqs_line import Held, Line

__all__ = [
    "Entry",
    "add",
    "counts",
    "deliver_again",
    "install",
    "journal",
    "line",
    "listen",
    "message_of_receipt",
    "next_due",
    "now",
    "promote",
    "promote_all",
    "self_test",
    "shuffle_next",
    "take_out",
    "waiting",
]

MOST_IN_FLIGHT = 120_000
_LONGEST_HIDDEN = 43_200_000
_MOST_ENTRIES = 100_000
_of_moto: dict[str, Any] = {}


What = Literal["added", "returned", "appeared", "dead", "expired"]


class Entry(NamedTuple):
    """Something that happened to a message.

    added: sent by a client or by S3, or redriven. returned: visible again, because its visibility timeout ended or was set to 0.
    appeared: visible for the first time, because its delay is over. dead: moved to a dead-letter queue. expired: its retention
    period is over.
    """

    what: What
    queue: Any
    """The queue that it happened in; for "dead", the dead-letter queue, in which the message is now."""
    message: Any
    at: int
    """When, in milliseconds since 1970. It may have been noticed later."""


_journal: deque[Entry] = deque(maxlen=_MOST_ENTRIES)
_listening = False


def now() -> int:
    """Return the time that moto sees, in whole milliseconds since 1970."""
    from moto.core.utils import unix_time_millis

    return round(unix_time_millis())


def _note(what: What, queue: Any, message: Any, at: int) -> None:
    if _listening:
        _journal.append(Entry(what, queue, message, at))


# The store of a queue


def line(queue: Any) -> Line:
    """Return the queue's store."""
    found: Line | None = queue.__dict__.get("_line")
    if found is None or found.fifo != bool(queue.fifo_queue):
        # A queue learns that it is FIFO while it is made, and holds nothing then.
        found = queue.__dict__["_line"] = Line(bool(queue.fifo_queue))
    return found


class _Messages:
    """moto's list of a queue's messages, as far as others use it: in the order of arrival."""

    def __init__(self, queue: Any) -> None:
        self._queue = queue

    def __iter__(self) -> Iterator[Any]:
        return iter(list(line(self._queue).held))

    def __len__(self) -> int:
        return len(line(self._queue).held)

    def __contains__(self, message: object) -> bool:
        return message in line(self._queue).held

    def __getitem__(self, index: Any) -> Any:
        return list(line(self._queue).held)[index]

    def append(self, message: Any) -> None:
        add(self._queue, message, now())

    def remove(self, message: Any) -> None:
        take_out(self._queue, message)


def _get_messages(queue: Any) -> _Messages:
    return _Messages(queue)


def _set_messages(queue: Any, messages: list[Any]) -> None:
    """moto sets an empty list to make a queue, and to purge it. What was in it counts as deleted."""
    if "_line" in queue.__dict__:
        queue.deleted_messages.update(line(queue).by_receipt)
        line(queue).clear()
    for message in messages:
        add(queue, message, now())


def _pending(queue: Any) -> set[Any]:
    return {held.message for held in line(queue).held.values() if held.state == "flight"}


def _set_pending(queue: Any, pending: set[Any]) -> None:
    """What is in flight is known of each message."""


def _visible_messages(queue: Any) -> list[Any]:
    promote(queue)
    return [held.message for held in line(queue).held.values() if held.state == "ready"]


def add(queue: Any, message: Any, moment: int, *, enqueued: int | None = None) -> None:
    """Put a message into the queue, without asking whether it was sent before."""
    if enqueued is None:
        enqueued = moment if message.sent_timestamp is None else int(message.sent_timestamp)
    message.held = line(queue).add(
        message, moment, enqueued=enqueued, due=round(message.delayed_until), group=message.group_id or message.id
    )
    with queue._messages_lock:
        queue._messages_lock.notify_all()


def take_out(queue: Any, message: Any) -> None:
    """Take a message out of the queue. Its receipt handles are those of a deleted message then."""
    held = line(queue).held.get(message)
    if held is not None:
        _forget(queue, held)


def _forget(queue: Any, held: Held) -> None:
    line(queue).remove(held)
    for handle in held.message.all_receipt_handles:
        if line(queue).by_receipt.pop(handle, None) is not None:
            queue.deleted_messages.add(handle)


def waiting(queue: Any, most: int) -> list[Any]:
    """Return the messages that are available, oldest first, at most so many."""
    promote(queue)
    ready = (held.message for held in line(queue).held.values() if held.state == "ready")
    return list(itertools.islice(ready, most))


# moto's operations


def _add_message(queue: Any, message: Any) -> None:
    moment = now()
    add(queue, message, moment)
    _note("added", queue, message, moment)


def _receive_message(
    self: Any,
    queue_name: str,
    count: int,
    wait_seconds_timeout: int,
    visibility_timeout: int,
    message_attribute_names: list[str] | None = None,
) -> list[Any]:
    """Receive up to `count` messages. Waits on the real clock: `clock` calls it with no wait."""
    queue = self.get_queue(queue_name)
    moment = now()
    end = moment + wait_seconds_timeout * 1000
    while True:
        found = _receive_now(self, queue, count, int(visibility_timeout or 0), message_attribute_names or [], moment)
        if found or moment >= end:
            return found
        queue.wait_for_messages(1)
        moment = now()


def _receive_now(
    backend: Any, queue: Any, count: int, visibility_timeout: int, names: list[str], moment: int
) -> list[Any]:
    store = line(queue)
    _promote(queue, moment)
    count = min(count, MOST_IN_FLIGHT - store.counted["flight"])
    if count < 1:
        return []
    grave, most = _dead_letters(backend, queue)
    found, buried = store.take(count, lambda held: grave is not None and held.message.approximate_receive_count >= most)
    for held in buried:
        _bury(queue, held, grave, moment)
    received = []
    for held in found:
        message = held.message
        held.received = moment
        _mark_received(message, moment)
        store.by_receipt[message.receipt_handle] = held
        if visibility_timeout:
            message.visible_at = float(moment + visibility_timeout * 1000)
            store.hide(held, moment + visibility_timeout * 1000)
        else:
            store.give_back(held)
        received.append(_shown(message, names))
    return received


def _mark_received(message: Any, moment: int) -> None:
    if not message.approximate_first_receive_timestamp:
        message.approximate_first_receive_timestamp = moment
    message.approximate_receive_count += 1
    if message.receipt_handle is not None:
        message._old_receipt_handles.append(message.receipt_handle)
    message.receipt_handle = _receipt_handle()


def _receipt_handle() -> str:
    """Return a handle of the look and length of AWS's."""
    from moto.moto_api._internal import mock_random

    return "AQEB" + base64.b64encode(mock_random.getrandbits(8 * 135).to_bytes(135, "big")).decode()


def _shown(message: Any, names: list[str]) -> Any:
    """A copy with the message attributes that were asked for; it stays as it is when the message is received again."""
    shown = copy.copy(message)
    if message.message_attributes:
        _of_moto["_filter_message_attributes"](shown, names)
    return shown


def _dead_letters(backend: Any, queue: Any) -> tuple[Any, int]:
    """Return the queue's dead-letter queue, or None, and how often it is to receive a message at most."""
    policy = queue.redrive_policy
    if queue.dead_letter_queue is None or not policy:
        return None, 0
    # By its name: it may have been deleted and made anew.
    return backend.queues.get(queue.dead_letter_queue.name), int(policy["maxReceiveCount"])


def _bury(queue: Any, held: Held, grave: Any, moment: int) -> None:
    message = held.message
    _forget(queue, held)
    message.dead_letter_source = queue.queue_arn
    message.visible_at = message.delayed_until = 0.0
    enqueued = held.enqueued
    if grave.fifo_queue:
        message.deduplication_id, enqueued = message.id, moment
    add(grave, message, moment, enqueued=enqueued)
    _note("dead", grave, message, moment)


def _delete_message(queue: Any, receipt_handle: str) -> None:
    from moto.sqs.exceptions import InvalidParameterValue

    if receipt_handle in queue.deleted_messages:
        return
    _promote(queue, now())
    held = line(queue).by_receipt.get(receipt_handle)
    if held is None:
        if receipt_handle in queue.deleted_messages:  # expired just now
            return
        raise _no_receipt(receipt_handle)
    is_old = receipt_handle != held.message.receipt_handle
    if queue.fifo_queue and (is_old or held.state != "flight"):
        raise InvalidParameterValue(
            f"Value {receipt_handle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."
        )
    if not is_old:
        _forget(queue, held)


def _no_receipt(receipt_handle: str) -> Exception:
    """The words of https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/troubleshooting-api-errors.html"""
    from moto.sqs.exceptions import ReceiptHandleIsInvalid

    error = ReceiptHandleIsInvalid()
    error.message = f'The input receipt handle "{receipt_handle}" is not a valid receipt handle.'
    return error


def _change_message_visibility(backend: Any, queue_name: str, receipt_handle: str, visibility_timeout: int) -> None:
    from moto.sqs.exceptions import InvalidParameterValue, SQSException

    queue = backend.get_queue(queue_name)
    moment = now()
    _promote(queue, moment)
    held = line(queue).by_receipt.get(receipt_handle)
    if held is None:
        if receipt_handle in queue.deleted_messages:
            raise InvalidParameterValue(
                f"Value {receipt_handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is "
                "not available for visibility timeout change."
            )
        raise _no_receipt(receipt_handle)
    until = moment + int(visibility_timeout) * 1000
    if until - held.received > _LONGEST_HIDDEN:
        raise InvalidParameterValue(
            f"Value {visibility_timeout} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for "
            "the message is beyond the limit [43200 seconds]"
        )
    if held.state != "flight":
        # https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
        raise SQSException("AWS.SimpleQueueService.MessageNotInflight", "The specified message isn't in flight.")
    if receipt_handle != held.message.receipt_handle:
        return
    held.message.visible_at = float(until)
    if until > moment:
        line(queue).hide(held, until)
    else:
        line(queue).give_back(held)
        _note("returned", queue, held.message, moment)


def _set_attributes(queue: Any, attributes: dict[str, Any], moment: float | None = None) -> None:
    before, policy = queue.__dict__.get("delay_seconds"), queue.__dict__.get("_policy_json")
    _of_moto["_set_attributes"](queue, attributes, moment)
    if policy is not None and "Policy" not in attributes:
        queue._policy_json = policy
    if queue.fifo_queue and before not in (None, queue.delay_seconds):
        present = now()
        _promote(queue, present)
        for held in list(line(queue).held.values()):
            if not held.message.approximate_receive_count and held.message.sent_timestamp is not None:
                until = int(held.message.sent_timestamp) + int(queue.delay_seconds) * 1000
                held.message.delayed_until = float(until)
                line(queue).delay(held, until, present)


def _visible(message: Any) -> bool:
    return bool(now() >= round(message.visible_at))


def _delayed(message: Any) -> bool:
    return bool(now() < round(message.delayed_until))


_OF_QUEUE: dict[str, Any] = {
    "_messages": property(_get_messages, _set_messages),
    "_pending_messages": property(_pending, _set_pending),
    "messages": property(_visible_messages),
    "approximate_number_of_messages": property(lambda queue: counts(queue)[0]),
    "approximate_number_of_messages_not_visible": property(lambda queue: counts(queue)[1]),
    "approximate_number_of_messages_delayed": property(lambda queue: counts(queue)[2]),
    "add_message": _add_message,
    "delete_message": _delete_message,
    "_set_attributes": _set_attributes,
}
_OF_BACKEND: dict[str, Any] = {
    "receive_message": _receive_message,
    "change_message_visibility": _change_message_visibility,
}
_OF_MESSAGE: dict[str, Any] = {
    "visible": property(_visible),
    "delayed": property(_delayed),
    "dead_letter_source": None,
    "held": None,
}


def install() -> None:
    """Give moto's queues the store."""
    from moto.sqs import models

    if _of_moto:
        return
    _of_moto["_filter_message_attributes"] = models._filter_message_attributes
    _of_moto["_set_attributes"] = models.Queue._set_attributes
    for owner, ours in ((models.Queue, _OF_QUEUE), (models.SQSBackend, _OF_BACKEND), (models.Message, _OF_MESSAGE)):
        for name, what in ours.items():
            setattr(owner, name, what)


def self_test() -> None:
    """Raise if this moto's queues no longer have what is replaced here, called as it is here."""
    from moto.sqs import models

    for owner, ours in ((models.Queue, _OF_QUEUE), (models.SQSBackend, _OF_BACKEND), (models.Message, _OF_MESSAGE)):
        for name, what in ours.items():
            if isinstance(what, property):
                if name not in ("_messages", "_pending_messages") and not isinstance(getattr(owner, name), property):
                    raise TypeError(f"{owner.__name__}.{name} is no property")
            elif callable(what):
                got = list(inspect.signature(getattr(owner, name)).parameters)
                if (expected := len(inspect.signature(what).parameters)) != len(got):
                    raise TypeError(f"{owner.__name__}.{name} takes {got}, expected {expected}")
    message = models.Message("id", "body")
    for name in ("receipt_handle", "_old_receipt_handles", "approximate_receive_count", "visible_at", "delayed_until"):
        getattr(message, name)
    make: Any = models.Queue
    queue = make("queue", "us-east-1", "123456789012")
    for name in ("_messages_lock", "deleted_messages", "dead_letter_queue", "redrive_policy", "delay_seconds"):
        getattr(queue, name)
    inspect.signature(models._filter_message_attributes).bind(message, [])


# What others look at, and do. None of it is a call: a queue that is looked at has received nothing.


def counts(queue: Any) -> tuple[int, int, int]:
    """Return how many messages are visible, in flight and delayed."""
    promote(queue)
    counted = line(queue).counted
    return counted["ready"] + line(queue).copies, counted["flight"], counted["delayed"]


def message_of_receipt(queue: Any, handle: str) -> Any | None:
    """Return the message that was once received under `handle`, also an old one, and is not deleted."""
    held = line(queue).by_receipt.get(handle)
    return None if held is None else held.message


def next_due(queue: Any) -> float | None:
    """Return when the next hidden or delayed message becomes available, in milliseconds since 1970."""
    due = line(queue).next_due()
    return None if due is None else float(due)


def listen(on: bool) -> None:
    """Keep the journal, or keep none. Either way it begins empty."""
    global _listening
    _listening = on
    _journal.clear()


def journal() -> list[Entry]:
    """Return what was noticed since the last ask, in that order. If nobody asks, the oldest entries are forgotten."""
    entries = list(_journal)
    _journal.clear()
    return entries


def promote(queue: Any) -> None:
    """Notice what is due in a queue: what is available again, and what has expired."""
    _promote(queue, now())


def promote_all() -> None:
    """Notice what is due in all queues. The journal has it in the order of time."""
    from moto.sqs.models import sqs_backends

    known, moment = len(_journal), now()
    for account in list(sqs_backends.values()):
        for backend in list(account.values()):
            for queue in list(backend.queues.values()):
                _promote(queue, moment)
    if len(_journal) > known + 1:
        noticed = [_journal.pop() for _ in range(len(_journal) - known)]
        noticed.reverse()
        _journal.extend(sorted(noticed, key=lambda entry: entry.at))


def _promote(queue: Any, moment: int) -> None:
    store = line(queue)
    retained = int(queue.message_retention_period) * 1000
    for held in store.expire(moment - retained):
        _forget(queue, held)
        _note("expired", queue, held.message, held.enqueued + retained)
    for held, at, was_in_flight in store.promote(moment):
        _note("returned" if was_in_flight else "appeared", queue, held.message, at)


def deliver_again(queue: Any, message: Any) -> None:
    """Hand a message out once more, as SQS may do: under the same id, with the receive count going on.

    One that is in flight, or was deleted, is available at once; one that nobody has received yet, once more after its first
    receipt. Raises ValueError for a FIFO queue, which does not do that, and for a message that is nobody's.
    """
    if queue.fifo_queue:
        raise ValueError("A FIFO queue hands out a message once.")
    if message.held is None:
        raise ValueError("This message is in no queue.")
    line(queue).hand_out_again(message.held)


def shuffle_next(queue: Any, order: Callable[[list[Any]], list[Any]]) -> None:
    """Let `order` arrange the available messages for the next receipt that finds any.

    It is called with all of them, oldest first, and returns those that may be received then, in their order. Raises ValueError
    for a FIFO queue, which keeps its order.
    """
    if queue.fifo_queue:
        raise ValueError("A FIFO queue keeps its order.")
    line(queue).shuffle = order
