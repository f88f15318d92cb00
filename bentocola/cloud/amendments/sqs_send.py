"""Sending: deduplication for five minutes, sequence numbers, and batches of which each entry has its own result.

AWS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html, API_SendMessageBatch.html and
https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/high-throughput-fifo.html (deduplication scope).
moto 5.2.5 (`moto/sqs/models.py`):

- deduplicates against messages that are still queued only. AWS "continues to keep track of the message deduplication ID even
  after the message is received and deleted", for five minutes, in the queue or, with DeduplicationScope `messageGroup`, in the
  message group. The answer to a duplicate names the first message; AWS does so, without documenting it.
- makes up a SequenceNumber of random digits, and none where deduplication is by content. AWS's are of 20 digits and grow.
- lets content-based deduplication need no MessageGroupId, and computes all attributes of the queue several times a message.
- refuses a whole batch for one entry. AWS reports each result individually. A FIFO queue without the ids that it needs refuses
  the whole: so it does on AWS.
"""

from __future__ import annotations

import hashlib
import inspect
import itertools
from collections import deque
from typing import Any

from bentocola.cloud.amendments.sqs_store import now

__all__ = ["FAULT", "failed", "install", "self_test"]

FAULT = "fault"
"""Where a batch's entry carries the error that `sqs_checks` found in it."""

_INTERVAL = 300_000
_LONGEST_DELAY = 900
_numbers = itertools.count(18_850_000_000_000_000_000, 256)


class _Sent:
    """What was sent to a FIFO queue in the last five minutes: message id and sequence number by deduplication id."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[str, str]] = {}
        self._times: deque[tuple[int, tuple[str, str]]] = deque()

    def first(self, key: tuple[str, str], moment: int) -> tuple[str, str] | None:
        """Return the message that was sent first under `key`, unless that is too long ago."""
        while self._times and self._times[0][0] <= moment - _INTERVAL:
            self._known.pop(self._times.popleft()[1], None)
        return self._known.get(key)

    def remember(self, key: tuple[str, str], moment: int, message: tuple[str, str]) -> None:
        self._known[key] = message
        self._times.append((moment, key))


def _send_message(
    backend: Any,
    queue_name: str,
    message_body: str,
    message_attributes: dict[str, Any] | None = None,
    delay_seconds: int | None = None,
    deduplication_id: str | None = None,
    group_id: str | None = None,
    system_attributes: dict[str, Any] | None = None,
    validate_group_id: bool = True,
) -> Any:
    from moto.moto_api._internal import mock_random
    from moto.sqs.exceptions import InvalidParameterValue
    from moto.sqs.models import Message

    queue = backend.get_queue(queue_name)
    delay = int(queue.delay_seconds if delay_seconds is None else delay_seconds)
    backend._validate_message(
        queue, message_body, int(delay_seconds or 0), deduplication_id, group_id, validate_group_id
    )
    if not 0 <= delay <= _LONGEST_DELAY:
        raise InvalidParameterValue(
            f"Value {delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900."
        )
    moment = now()
    message: Any = Message(str(mock_random.uuid4()), message_body, system_attributes)
    message.sent_timestamp = moment
    message.message_attributes = message_attributes or {}
    message.group_id, message.deduplication_id = group_id, deduplication_id
    if queue.fifo_queue:
        if deduplication_id is None:
            message.deduplication_id = hashlib.sha256(message_body.encode()).hexdigest()
        message.sequence_number = str(next(_numbers))
        sent: _Sent = queue.__dict__.setdefault("_sent", _Sent())
        scope = str(group_id) if queue.deduplication_scope == "messageGroup" else ""
        key = scope, str(message.deduplication_id)
        if first := sent.first(key, moment):
            message.id, message.sequence_number = first
            return message
        sent.remember(key, moment, (message.id, message.sequence_number))
    if delay:
        message.delayed_until = float(moment + delay * 1000)
    queue.add_message(message)
    return message


def _validate_message(
    backend: Any,
    queue: Any,
    message_body: str,
    delay_seconds: int,
    deduplication_id: str | None = None,
    group_id: str | None = None,
    validate_group_id: bool = True,
) -> None:
    """What holds for any sender, other services included."""
    from moto.sqs.exceptions import InvalidParameterValue, MissingParameter

    if queue.fifo_queue:
        if not group_id:
            raise MissingParameter("MessageGroupId")
        if not deduplication_id and not queue.content_based_deduplication:
            raise InvalidParameterValue(
                "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
            )
        if delay_seconds:
            raise InvalidParameterValue(
                f"Value {delay_seconds} for parameter DelaySeconds is invalid. Reason: The request include parameter that "
                "is not valid for this queue type."
            )
    if len(message_body.encode("utf-8", "surrogatepass")) > queue.maximum_message_size:
        raise InvalidParameterValue(
            "One or more parameters are invalid. Reason: Message must be shorter than "
            f"{queue.maximum_message_size} bytes."
        )


def _send_message_batch(
    backend: Any, queue_name: str, entries: dict[str, dict[str, Any]]
) -> tuple[list[Any], list[dict[str, Any]]]:
    from moto.sqs.exceptions import SQSException

    messages, failures = [], []
    for entry in entries.values():
        try:
            if entry.get(FAULT):
                raise entry[FAULT]
            message = backend.send_message(
                queue_name,
                entry["MessageBody"],
                message_attributes=entry["MessageAttributes"],
                delay_seconds=entry["DelaySeconds"],
                deduplication_id=entry.get("MessageDeduplicationId"),
                group_id=entry.get("MessageGroupId"),
                system_attributes=entry.get("MessageSystemAttributes"),
            )
        except SQSException as error:
            failures.append(failed(entry["Id"], error))
        else:
            message.user_id = entry["Id"]
            messages.append(message)
    return messages, failures


def failed(entry_id: str, error: Any) -> dict[str, Any]:
    """Return what a batch's answer says of an entry that was refused."""
    return {"Id": entry_id, "SenderFault": True, "Code": error.code, "Message": error.message}


_OF_BACKEND: dict[str, Any] = {
    "send_message": _send_message,
    "_validate_message": _validate_message,
    "send_message_batch": _send_message_batch,
}


def install() -> None:
    """Let moto's queues send as AWS's do."""
    from moto.sqs.models import SQSBackend

    for name, ours in _OF_BACKEND.items():
        setattr(SQSBackend, name, ours)


def self_test() -> None:
    """Raise if this moto no longer sends through the functions that are replaced here, called as they are here."""
    from moto.sqs import models

    for name, ours in _OF_BACKEND.items():
        expected, got = (list(inspect.signature(f).parameters)[1:] for f in (ours, getattr(models.SQSBackend, name)))
        if got != expected:
            raise TypeError(f"SQSBackend.{name} takes {got}, expected {expected}")
    make: Any = models.Queue
    queue = make("queue.fifo", "us-east-1", "123456789012", FifoQueue="true")
    for name in ("deduplication_scope", "content_based_deduplication", "maximum_message_size", "delay_seconds"):
        getattr(queue, name)
