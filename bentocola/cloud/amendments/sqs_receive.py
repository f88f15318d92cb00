"""ReceiveMessage's own checks and answer, DeadLetterQueueSourceArn included.

AWS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html and
https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html (messages in flight).
moto 5.2.5 (`moto/sqs/responses.py`): accepts a negative VisibilityTimeout and names of attributes that do not exist, never
answers OverLimit, and leaves out DeadLetterQueueSourceArn, the queue from which a message came to a dead-letter queue.

ReceiveRequestAttemptId is accepted and does nothing, as in moto. There are no words for OverLimit in the documentation.
"""

from __future__ import annotations

import base64
import inspect
import json
from collections.abc import Callable
from typing import Any

from bentocola.cloud.amendments import sqs_store

__all__ = ["answer", "install", "receive_message", "self_test"]

_SYSTEM_ATTRIBUTES: dict[str, Callable[[Any], Any]] = {
    "AWSTraceHeader": lambda message: (message.system_attributes or {}).get("AWSTraceHeader", {}).get("StringValue"),
    "ApproximateFirstReceiveTimestamp": lambda message: message.approximate_first_receive_timestamp,
    "ApproximateReceiveCount": lambda message: message.approximate_receive_count,
    "DeadLetterQueueSourceArn": lambda message: message.dead_letter_source,
    "MessageDeduplicationId": lambda message: message.deduplication_id,
    "MessageGroupId": lambda message: message.group_id,
    "SenderId": lambda message: message.sender_id,
    "SentTimestamp": lambda message: message.sent_timestamp,
    "SequenceNumber": lambda message: message.sequence_number,
}
_LONGEST_WAIT = 20
_LONGEST_TIMEOUT = 43_200


def receive_message(response: Any) -> Any:
    """moto's handler of a ReceiveMessage request, which `response` is."""
    queue_name = response._get_queue_name()
    queue = response.sqs_backend.get_queue(queue_name)
    asked = response._get_param
    count = _number(asked, "MaxNumberOfMessages", 1, 1, 10, "Must be between 1 and 10, if provided.")
    wait = _number(
        asked,
        "WaitTimeSeconds",
        queue.receive_message_wait_time_seconds,
        0,
        _LONGEST_WAIT,
        "Must be >= 0 and <= 20, if provided.",
    )
    timeout = _number(
        asked,
        "VisibilityTimeout",
        queue.visibility_timeout,
        0,
        _LONGEST_TIMEOUT,
        "Must be >= 0 and <= 43200, if provided.",
    )
    names = _names(asked("AttributeNames", []), asked("MessageSystemAttributeNames", []))
    if not wait and not queue.fifo_queue and sqs_store.counts(queue)[1] >= sqs_store.MOST_IN_FLIGHT:
        raise _error("OverLimit", "The maximum number of in flight messages is reached.")
    received = response.sqs_backend.receive_message(
        queue_name, count, wait, timeout, asked("MessageAttributeNames", [])
    )
    messages = [_shown(message, names) for message in received]
    return answer(response, {"Messages": messages} if messages else {})


def answer(response: Any, result: dict[str, Any]) -> Any:
    """Return what a handler returns for `result`, which has the names and order of the API's own shape.

    moto's serialiser, which looks for each member under all of its names, takes longer than everything else in a receipt. JSON
    needs none: binary values are base64, and the rest is as it is.
    """
    from moto.core.responses import ActionResult

    if "json" not in response.headers.get("Content-Type", ""):
        return ActionResult(result)
    body = json.dumps(result, default=lambda value: base64.b64encode(value).decode())
    return body, {"Content-Type": "application/x-amz-json-1.0"}


def _number(asked: Any, name: str, otherwise: int, least: int, most: int, reason: str) -> int:
    value = asked(name)
    value = int(otherwise if value is None else value)
    if not least <= value <= most:
        raise _error("InvalidParameterValue", f"Value {value} for parameter {name} is invalid. Reason: {reason}")
    return value


def _names(attributes: list[str], system_attributes: list[str]) -> set[str]:
    """Return the system attributes that were asked for. `attributes`: the older parameter, which takes queues' names too."""
    from moto.sqs.exceptions import InvalidAttributeName
    from moto.sqs.models import Queue

    of_queues = {*Queue.BASE_ATTRIBUTES, *Queue.FIFO_ATTRIBUTES, *Queue.KMS_ATTRIBUTES}
    for given, others in ((attributes, of_queues), (system_attributes, set[str]())):
        for name in given:
            if name != "All" and name not in _SYSTEM_ATTRIBUTES and name not in others:
                raise InvalidAttributeName(name)
    names = {*attributes, *system_attributes}
    return set(_SYSTEM_ATTRIBUTES) if "All" in names else names & set(_SYSTEM_ATTRIBUTES)


def _shown(message: Any, names: set[str]) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "MessageId": message.id,
        "ReceiptHandle": message.receipt_handle,
        "MD5OfBody": message.body_md5,
        "Body": message.body,
    }
    if message.message_attributes:
        shown["MessageAttributes"] = message.message_attributes
        shown["MD5OfMessageAttributes"] = message.attribute_md5
    if names:
        found = {name: read(message) for name, read in _SYSTEM_ATTRIBUTES.items() if name in names}
        shown["Attributes"] = {name: str(value) for name, value in found.items() if value is not None}
    return shown


def _error(code: str, message: str) -> Exception:
    from moto.sqs.exceptions import SQSException

    return SQSException(code, message)


def install() -> None:
    """Put this handler in the place of moto's."""
    from moto.sqs.responses import SQSResponse

    if not hasattr(SQSResponse.receive_message, "__wrapped__"):  # which `sqs_checks` has put around ours
        setattr(SQSResponse, "receive_message", receive_message)  # noqa: B010 - in the place of a method of another type


def self_test() -> None:
    """Raise if this moto no longer receives through a handler without parameters, or messages lack what it shows."""
    from moto.sqs.models import Message, Queue
    from moto.sqs.responses import SQSResponse

    if list(inspect.signature(SQSResponse.receive_message).parameters) not in (["self"], ["response"]):
        raise TypeError("SQSResponse.receive_message takes parameters")
    message = Message("id", "body")
    for name in ("sender_id", "sent_timestamp", "sequence_number", "system_attributes", "body_md5", "attribute_md5"):
        getattr(message, name)
    for name in ("BASE_ATTRIBUTES", "FIFO_ATTRIBUTES", "KMS_ATTRIBUTES"):
        getattr(Queue, name)
