"""Message move tasks: a dead-letter queue's messages on their way back, some a second, while everything else goes on.

AWS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html, API_ListMessageMoveTasks
and API_CancelMessageMoveTask; https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/
sqs-configure-dead-letter-queue-redrive.html ("all redriven messages are considered new messages with a new messageID and
enqueueTime", oldest first, both queues of one kind) and troubleshooting-dlq-redrive.html (the reasons of a failure).
moto 5.2.5: does not have these operations.

How soon a task moves its first message is not documented: here a second after it was started, so that one sees that it is not
done when the call returns. Without MaxNumberOfMessagesPerSecond it moves up to 500 a second. It ends when nothing is available
in its source; what is in flight stays there.
"""

from __future__ import annotations

import base64
import copy
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bentocola.cloud.amendments import sqs_store

__all__ = ["call_later", "install", "self_test"]

_STEP_SECONDS = 1.0
_FASTEST = 500
_MOST_RESULTS = 10
CallLater = Callable[[float, Callable[[], None]], object]


class _AtOnce:
    """What stands in for a clock when none was handed in: everything is due at once, one thing after the other."""

    def __init__(self) -> None:
        self._due: deque[Callable[[], None]] = deque()
        self._is_running = False

    def __call__(self, seconds: float, action: Callable[[], None]) -> None:
        self._due.append(action)
        if self._is_running:
            return
        self._is_running = True
        try:
            while self._due:
                self._due.popleft()()
        finally:
            self._due.clear()
            self._is_running = False


call_later: CallLater = _AtOnce()
"""Lets a task proceed with `call_later(seconds, action)`. The cloud sets it.

`action` works on moto's queues: whoever calls it sees to it that nobody else does meanwhile.
"""


@dataclass
class _Task:
    id: str
    source: str
    destination: str | None
    rate: int | None
    started: int
    to_move: int
    moved: int = 0
    status: str = "RUNNING"
    failure: str | None = None

    def handle(self) -> str:
        """Return what names the task: its id and its source."""
        return base64.b64encode(json.dumps({"taskId": self.id, "sourceArn": self.source}).encode()).decode()

    def shown(self) -> dict[str, Any]:
        """Return its entry in ListMessageMoveTasks."""
        entry = {
            "TaskHandle": self.handle() if self.status == "RUNNING" else None,
            "Status": self.status,
            "SourceArn": self.source,
            "DestinationArn": self.destination,
            "MaxNumberOfMessagesPerSecond": self.rate,
            "ApproximateNumberOfMessagesMoved": self.moved,
            "ApproximateNumberOfMessagesToMove": self.to_move,
            "FailureReason": self.failure,
            "StartedTimestamp": self.started,
        }
        return {name: value for name, value in entry.items() if value is not None}


def _tasks(backend: Any) -> list[_Task]:
    """The backend's tasks, oldest first. They are kept with it, so that they go when it is emptied."""
    found: list[_Task] = backend.__dict__.setdefault("_move_tasks", [])
    return found


def _queue(backend: Any, arn: str | None) -> Any | None:
    queue = backend.queues.get((arn or "").rpartition(":")[2])
    return queue if queue is not None and queue.queue_arn == arn else None


# The operations


def _start_message_move_task(response: Any) -> Any:
    from moto.core.responses import ActionResult
    from moto.moto_api._internal import mock_random

    backend = response.sqs_backend
    source_arn, destination_arn = response._get_param("SourceArn"), response._get_param("DestinationArn")
    rate = response._get_param("MaxNumberOfMessagesPerSecond")
    source = _existing(backend, "SourceArn", source_arn)
    if not backend.list_dead_letter_source_queues(source.name):
        raise _error("InvalidParameterValue", "Source queue must be configured as a Dead Letter Queue.")
    if destination_arn is not None:
        if destination_arn == source_arn:
            raise _error("InvalidParameterValue", "Source queue arn and destination queue arn cannot be the same.")
        destination = _existing(backend, "DestinationArn", destination_arn)
        if bool(destination.fifo_queue) != bool(source.fifo_queue):
            raise _error(
                "InvalidParameterValue", "The source queue and destination queue must be of the same queue type."
            )
    if rate is not None and not 1 <= int(rate) <= _FASTEST:
        raise _error(
            "InvalidParameterValue",
            "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 "
            "and 500.",
        )
    if any(task.source == source_arn and task.status in ("RUNNING", "CANCELLING") for task in _tasks(backend)):
        raise _error(
            "InvalidParameterValue",
            "There is already a task running. Only one active task is allowed for a source queue arn at a given time.",
        )
    task = _Task(
        id=str(mock_random.uuid4()),
        source=source_arn,
        destination=destination_arn,
        rate=None if rate is None else int(rate),
        started=sqs_store.now(),
        to_move=sqs_store.counts(source)[0],
    )
    _tasks(backend).append(task)
    call_later(_STEP_SECONDS, lambda: _step(backend, task))
    return ActionResult({"TaskHandle": task.handle()})


def _list_message_move_tasks(response: Any) -> Any:
    from moto.core.responses import ActionResult

    backend, arn = response.sqs_backend, response._get_param("SourceArn")
    most = response._get_param("MaxResults")
    _existing(backend, "SourceArn", arn)
    most = 1 if most is None else int(most)
    if not 1 <= most <= _MOST_RESULTS:
        raise _error(
            "InvalidParameterValue", "Value for parameter MaxResults is invalid. Reason: Must be between 1 and 10."
        )
    newest = [task.shown() for task in reversed(_tasks(backend)) if task.source == arn]
    return ActionResult({"Results": newest[:most]})


def _cancel_message_move_task(response: Any) -> Any:
    from moto.core.responses import ActionResult

    backend = response.sqs_backend
    try:
        named = json.loads(base64.b64decode(response._get_param("TaskHandle"), validate=True))
        task_id, arn = named["taskId"], named["sourceArn"]
    except (ValueError, KeyError, TypeError):
        raise _error("InvalidParameterValue", "Value for parameter TaskHandle is invalid.") from None
    _existing(backend, "SourceArn", arn)
    task = next((task for task in _tasks(backend) if task.id == task_id and task.source == arn), None)
    if task is None:
        raise _error("ResourceNotFoundException", "Task does not exist.")
    if task.status != "RUNNING":
        # "A message movement can only be cancelled when the current status is RUNNING."
        raise _error("InvalidParameterValue", "Only active tasks can be cancelled.")
    task.status = "CANCELLING"
    return ActionResult({"ApproximateNumberOfMessagesMoved": task.moved})


def _existing(backend: Any, parameter: str, arn: Any) -> Any:
    if not isinstance(arn, str) or len(arn.split(":")) != 6 or not arn.startswith("arn:"):
        raise _error(
            "InvalidParameterValue",
            f"You must use this format to specify the {parameter}: arn:aws:sqs:region:account:queue.",
        )
    queue = _queue(backend, arn)
    if queue is None:
        raise _error(
            "ResourceNotFoundException", f"The resource that you specified for the {parameter} parameter doesn't exist."
        )
    return queue


def _error(code: str, message: str) -> Exception:
    from moto.sqs.exceptions import SQSException

    return SQSException(code, message)


# The task


def _step(backend: Any, task: _Task) -> None:
    """Move what the task may move in a second, and come back if anything is left."""
    if task not in _tasks(backend):  # the backend was emptied meanwhile
        return
    if task.status == "CANCELLING":
        task.status = "CANCELLED"
        return
    source = _queue(backend, task.source)
    if source is None:
        task.status, task.failure = "FAILED", "AWS.SimpleQueueService.NonExistentQueue"
        return
    most = task.rate or _FASTEST
    available = sqs_store.waiting(source, most + 1)
    for message in available[:most]:
        arn = task.destination or message.dead_letter_source
        if arn is None:
            task.status, task.failure = "FAILED", "CouldNotDetermineMessageSource"
            return
        destination = _queue(backend, arn)
        if destination is None:
            task.status, task.failure = "FAILED", "AWS.SimpleQueueService.NonExistentQueue"
            return
        _move(source, destination, message)
        task.moved += 1
    if len(available) > most:
        call_later(_STEP_SECONDS, lambda: _step(backend, task))
    else:
        task.status = "COMPLETED"


def _move(source: Any, destination: Any, message: Any) -> None:
    from moto.moto_api._internal import mock_random
    from moto.sqs.models import Message

    sqs_store.take_out(source, message)
    moved: Any = Message(str(mock_random.uuid4()), message.body, message.system_attributes)
    moved.message_attributes = copy.copy(message.message_attributes)
    moved.sender_id = message.sender_id
    moved.group_id, moved.deduplication_id = message.group_id, message.deduplication_id
    moved.sequence_number = message.sequence_number
    moved.redriven_from = message.id, source.queue_arn
    moved.sent_timestamp = sqs_store.now()
    if destination.delay_seconds:
        moved.delayed_until = float(moved.sent_timestamp + int(destination.delay_seconds) * 1000)
    destination.add_message(moved)


_OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "start_message_move_task": _start_message_move_task,
    "list_message_move_tasks": _list_message_move_tasks,
    "cancel_message_move_task": _cancel_message_move_task,
}


def install() -> None:
    """Give moto's SQS the three operations."""
    from moto.sqs.models import Message
    from moto.sqs.responses import SQSResponse

    Message.redriven_from = None  # type: ignore[attr-defined]
    for name, ours in _OPERATIONS.items():
        if name not in vars(SQSResponse):
            setattr(SQSResponse, name, ours)


def self_test() -> None:
    """Raise if this moto no longer has what the operations are built on."""
    from moto.core.utils import get_service_model
    from moto.sqs.models import SQSBackend

    names = get_service_model("sqs").operation_names
    for name in ("StartMessageMoveTask", "ListMessageMoveTasks", "CancelMessageMoveTask"):
        if name not in names:
            raise TypeError(f"moto's description of SQS has no {name}")
    if not callable(SQSBackend.list_dead_letter_source_queues):
        raise TypeError("SQSBackend.list_dead_letter_source_queues is no function")
