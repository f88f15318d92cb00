"""What CreateQueue and SetQueueAttributes accept.

AWS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html, API_SetQueueAttributes.html and
https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
moto 5.2.5 (`moto/sqs/models.py`): accepts any attribute and nearly any value, maxReceiveCount 0, a dead-letter queue of the
other kind for a standard queue, and a `.fifo` name without FifoQueue. It does not know RedriveAllowPolicy.

The documentation names codes and limits; the words are those that AWS answers with, as far as they are known in public. Left
alone, because it is silent: which texts besides "true" and "false" stand for these. Left out: the 60 seconds between deleting a
queue and making another of its name (`QueueDeletedRecently`), because a lab that begins anew must not wait.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bentocola.cloud.amendments import places

__all__ = ["check_create", "check_set", "install", "self_test"]

_RANGES = {
    "DelaySeconds": (0, 900),
    "KmsDataKeyReusePeriodSeconds": (60, 86_400),
    "MaximumMessageSize": (1024, 1_048_576),
    "MessageRetentionPeriod": (60, 1_209_600),
    "ReceiveMessageWaitTimeSeconds": (0, 20),
    "VisibilityTimeout": (0, 43_200),
}
_CHOICES = {
    "ContentBasedDeduplication": ("true", "false"),
    "DeduplicationScope": ("queue", "messageGroup"),
    "FifoQueue": ("true", "false"),
    "FifoThroughputLimit": ("perQueue", "perMessageGroupId"),
    "SqsManagedSseEnabled": ("true", "false"),
}
_OTHERS = ("KmsMasterKeyId", "Policy", "RedriveAllowPolicy", "RedrivePolicy")
_FIFO_ONLY = ("ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")
_FIFO_NAME = re.compile(r"[A-Za-z0-9_-]{1,75}\.fifo")
_of_moto: dict[str, Any] = {}
_ARN = re.compile(r"arn:aws[a-z-]*:sqs:[^:]+:[^:]+:[^:]+")


def check_create(response: Any) -> None:
    """Raise what CreateQueue answers with when name or attributes are wrong, or the queue exists with other attributes."""
    name, attributes = response._get_param("QueueName"), response._get_param("Attributes", {})
    fifo = str(attributes.get("FifoQueue", "")).lower() == "true"
    if fifo and not _FIFO_NAME.fullmatch(name):
        raise _error(
            "InvalidParameterValue",
            "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo "
            "suffix and be 1 to 80 in length.",
        )
    if not fifo and not _NAME.fullmatch(name):
        raise _error(
            "InvalidParameterValue",
            "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length",
        )
    _check(response, attributes, fifo, {}, name)
    if name in response.sqs_backend.queues:
        _compare(response.sqs_backend.queues[name], attributes)


def check_set(response: Any) -> None:
    """Raise what SetQueueAttributes answers with when an attribute is wrong."""
    queue = response.sqs_backend.get_queue(response._get_queue_name())
    attributes = response._get_param("Attributes", {})
    if "FifoQueue" in attributes:
        if not queue.fifo_queue:
            raise _error("InvalidAttributeName", "Unknown Attribute FifoQueue.")
        if attributes["FifoQueue"].lower() != "true":
            raise _error(
                "InvalidAttributeValue",
                "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.",
            )
    _check(response, attributes, bool(queue.fifo_queue), queue.attributes, queue.name)


def _check(response: Any, attributes: Mapping[str, str], fifo: bool, present: Mapping[str, Any], name: str) -> None:
    for attribute, value in attributes.items():
        if (attribute in _FIFO_ONLY and not fifo) or attribute not in (*_RANGES, *_CHOICES, *_OTHERS):
            raise _error("InvalidAttributeName", f"Unknown Attribute {attribute}.")
        if attribute in _RANGES:
            least, most = _RANGES[attribute]
            if not re.fullmatch(r"[0-9]{1,9}", value) or not least <= int(value) <= most:
                raise _invalid(attribute)
        elif attribute in _CHOICES and value not in _CHOICES[attribute]:
            if "true" not in _CHOICES[attribute] or value.lower() not in _CHOICES[attribute]:
                raise _invalid(attribute)
        elif attribute in _DOCUMENTS and value:
            _DOCUMENTS[attribute](response, value, fifo, name)
    if attributes.get("FifoThroughputLimit") == "perMessageGroupId" and (
        attributes.get("DeduplicationScope", present.get("DeduplicationScope")) != "messageGroup"
    ):
        # "The perMessageGroupId value is allowed only when the value for DeduplicationScope is messageGroup."
        raise _invalid("FifoThroughputLimit")


def _compare(queue: Any, attributes: Mapping[str, str]) -> None:
    present = {**queue.attributes, "RedriveAllowPolicy": queue.redrive_allow_policy}
    for name, value in attributes.items():
        if _plain(name, value) != _plain(name, present.get(name)):
            raise _error(
                "QueueAlreadyExists",
                f"A queue already exists with the same name and a different value for attribute {name}",
            )


def _plain(name: str, value: Any) -> Any:
    if value in (None, ""):
        return None
    if name in _CHOICES:
        return str(value).lower()
    if name not in _DOCUMENTS:
        return str(value)
    document = json.loads(value)
    if name == "RedrivePolicy":
        return {key: str(part) for key, part in document.items()}
    return document


def _check_policy(response: Any, value: str, fifo: bool, name: str) -> None:
    if _object(value) is None:
        raise _invalid("Policy")


def _check_redrive(response: Any, value: str, fifo: bool, name: str) -> None:
    policy = _object(value)
    if policy is None:
        raise _invalid("RedrivePolicy", "Redrive policy is not a valid JSON map.")
    if not policy:  # which takes a policy away
        return
    for part in ("maxReceiveCount", "deadLetterTargetArn"):
        if part not in policy:
            raise _wrong_redrive(value, f"Redrive policy does not contain mandatory attribute: {part}.")
    if set(policy) - {"maxReceiveCount", "deadLetterTargetArn"}:
        raise _wrong_redrive(value, "Only following attributes are supported: [deadLetterTargetArn, maxReceiveCount].")
    most, arn = policy["maxReceiveCount"], policy["deadLetterTargetArn"]
    if isinstance(most, bool) or not re.fullmatch("[0-9]{1,4}", str(most)) or not 1 <= int(most) <= 1000:
        raise _wrong_redrive(
            value, f"Invalid value for maxReceiveCount: {most}, valid values are from 1 to 1000 both inclusive."
        )
    if not isinstance(arn, str) or not _ARN.fullmatch(arn):
        raise _wrong_redrive(value, "Invalid value for deadLetterTargetArn.")
    target = next((queue for queue in response.sqs_backend.queues.values() if queue.queue_arn == arn), None)
    if target is None:
        raise _wrong_redrive(value, "Dead letter target does not exist.")
    if bool(target.fifo_queue) != fifo:
        raise _wrong_redrive(value, "Dead-letter queue must be same type of queue as the source.")
    allowed = _object(target.redrive_allow_policy or "{}") or {}
    source = f"{arn.rpartition(':')[0]}:{name}"
    permission = allowed.get("redrivePermission", "allowAll")
    if permission == "denyAll" or (permission == "byQueue" and source not in allowed.get("sourceQueueArns", ())):
        raise _wrong_redrive(value, "The dead-letter queue's redrive allow policy does not allow this source queue.")


def _check_redrive_allow(response: Any, value: str, fifo: bool, name: str) -> None:
    policy = _object(value) or {}
    sources = policy.get("sourceQueueArns", [])
    if (
        policy.get("redrivePermission") not in ("allowAll", "denyAll", "byQueue")
        or set(policy) - {"redrivePermission", "sourceQueueArns"}
        or not isinstance(sources, list)
        or (policy["redrivePermission"] == "byQueue") != bool(sources)
        or len(sources) > 10
    ):
        raise _invalid("RedriveAllowPolicy")


_DOCUMENTS: dict[str, Callable[[Any, str, bool, str], None]] = {
    "Policy": _check_policy,
    "RedriveAllowPolicy": _check_redrive_allow,
    "RedrivePolicy": _check_redrive,
}


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _invalid(attribute: str, reason: str = "") -> Exception:
    because = f" Reason: {reason}" if reason else ""
    return _error("InvalidAttributeValue", f"Invalid value for the parameter {attribute}.{because}")


def _wrong_redrive(value: str, reason: str) -> Exception:
    return _error("InvalidParameterValue", f"Value {value} for parameter RedrivePolicy is invalid. Reason: {reason}")


def _error(code: str, message: str) -> Exception:
    from moto.sqs.exceptions import SQSException

    return SQSException(code, message)


def _create_queue(backend: Any, name: str, tags: dict[str, str] | None = None, **attributes: Any) -> Any:
    """moto compares an existing queue's attributes as texts. `check_create` has compared what they say."""
    if name not in backend.queues:
        return _of_moto["create_queue"](backend, name, tags, **attributes)
    queue = backend.queues[name]
    queue.tags = tags or queue.tags
    return queue


def _list_queues(backend: Any, queue_name_prefix: str | None) -> list[Any]:
    """moto takes the prefix for a regular expression."""
    return [queue for name, queue in backend.queues.items() if name.startswith(queue_name_prefix or "")]


def _add_permission(
    backend: Any, region_name: str, queue_name: str, actions: list[str], account_ids: list[str], label: str
) -> None:
    with _named_statements(backend.get_queue(queue_name)):
        _of_moto["add_permission"](backend, region_name, queue_name, actions, account_ids, label)


def _remove_permission(backend: Any, queue_name: str, label: str) -> None:
    with _named_statements(backend.get_queue(queue_name)):
        _of_moto["remove_permission"](backend, queue_name, label)


@contextmanager
def _named_statements(queue: Any) -> Iterator[None]:
    """Give the statements of a policy a name meanwhile: moto looks for each one's `Sid`, which is optional.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_sid.html
    """
    unnamed = [statement for statement in queue._policy_json["Statement"] if "Sid" not in statement]
    for statement in unnamed:
        statement["Sid"] = None
    try:
        yield
    finally:
        for statement in unnamed:
            del statement["Sid"]


_AMENDED: dict[str, Callable[..., Any]] = {
    "create_queue": _create_queue,
    "list_queues": _list_queues,
    "add_permission": _add_permission,
    "remove_permission": _remove_permission,
}


def install() -> None:
    """Let queues have a RedriveAllowPolicy. `sqs_checks` calls the checks."""
    from moto.sqs.models import Queue, SQSBackend

    if "RedriveAllowPolicy" not in Queue.BASE_ATTRIBUTES:
        Queue.BASE_ATTRIBUTES.append("RedriveAllowPolicy")
    Queue.redrive_allow_policy = None  # type: ignore[attr-defined]
    places.put(((SQSBackend, name, ours) for name, ours in _AMENDED.items()), _of_moto)


def self_test() -> None:
    """Raise if this moto's queues no longer take attributes as they are checked here."""
    from moto.sqs.models import Queue, SQSBackend

    make: Any = Queue
    queue = make("queue.fifo", "us-east-1", "123456789012", FifoQueue="true", RedriveAllowPolicy="{}")
    if getattr(queue, "redrive_allow_policy", None) != "{}" or queue.attributes.get("FifoQueue") != "true":
        raise TypeError("a queue's attributes are not those that it was made with")
    inspect.signature(SQSBackend.create_queue).bind(None, "queue", {}, DelaySeconds="1")
    inspect.signature(SQSBackend.list_queues).bind(None, "prefix")
    inspect.signature(SQSBackend.add_permission).bind(None, "us-east-1", "queue", ["SendMessage"], ["1"], "label")
    inspect.signature(SQSBackend.remove_permission).bind(None, "queue", "label")
