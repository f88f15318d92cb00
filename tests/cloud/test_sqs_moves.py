"""Message move tasks: what they move, when, where to, and what they refuse. Plain moto has none."""

from __future__ import annotations

import base64
import datetime
import json
from typing import Any

import pytest

from bentocola.cloud.amendments import sqs_moves, sqs_store
from bentocola.cloud.cloud import Cloud
from tests.cloud.sqs import Queue, with_dead_letters
from tests.cloud.test_sqs_queues import refused


class Later:
    """What is due later, until somebody lets the time pass."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self.due: list[tuple[float, Any]] = []

    def __call__(self, seconds: float, action: Any) -> None:
        self.due.append((seconds, action))

    def second(self) -> None:
        """Let a second pass, and what is due by then happen."""
        self._cloud.clock.advance(1)
        due, self.due = self.due, []
        for _, action in due:
            action()


@pytest.fixture
def later(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Later:
    later = Later(cloud)
    monkeypatch.setattr(sqs_moves, "call_later", later)
    return later


@pytest.fixture
def at_once(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqs_moves, "call_later", sqs_moves._AtOnce())


def dead_letters(*bodies: str, name: str = "work", suffix: str = "") -> tuple[Queue, Queue]:
    """Return a queue and its dead-letter queue, with messages in the latter."""
    queue, dead = with_dead_letters(name, suffix=suffix)
    for body in bodies:
        queue.send(body, **({"MessageGroupId": "g"} if suffix else {}))
        queue.receive(VisibilityTimeout=0)
    queue.receive()
    return queue, dead


def start(source: Queue, **options: Any) -> str:
    return str(source.sqs.start_message_move_task(SourceArn=source.arn, **options)["TaskHandle"])


def tasks(source: Queue, most: int = 10) -> list[dict[str, Any]]:
    return list(source.sqs.list_message_move_tasks(SourceArn=source.arn, MaxResults=most)["Results"])


def test_back_to_where_they_came_from(later: Later) -> None:
    """By default each message goes back to its original source, a while after the call."""
    one, dead = dead_letters("a", name="work")
    two = Queue("two", RedrivePolicy=json.dumps({"deadLetterTargetArn": dead.arn, "maxReceiveCount": 1}))
    two.send("b")
    two.receive(VisibilityTimeout=0)
    two.receive()
    start(dead)

    assert (one.counts(), two.counts(), dead.counts()) == ((0, 0, 0), (0, 0, 0), (2, 0, 0))

    later.second()

    assert dead.counts() == (0, 0, 0)
    assert one.bodies() == ["a"]
    assert two.bodies() == ["b"]


def test_moved_messages_are_new(cloud: Cloud, later: Later) -> None:
    """They have a new id, are sent now, were never received, and come from no dead-letter queue."""
    queue, dead = with_dead_letters()
    color = {"color": {"DataType": "String", "StringValue": "red"}}
    sent = queue.send(MessageAttributes=color)
    queue.receive(VisibilityTimeout=0)
    queue.receive()
    before = round(cloud.clock.now().timestamp() * 1000)
    start(dead)
    later.second()
    (message,) = queue.receive(MessageAttributeNames=["All"])

    assert message["MessageId"] != sent
    assert message["MessageAttributes"] == color
    assert message["Attributes"]["ApproximateReceiveCount"] == "1"
    assert int(message["Attributes"]["SentTimestamp"]) > before
    assert "DeadLetterQueueSourceArn" not in message["Attributes"]
    assert sqs_store.message_of_receipt(queue.moto, message["ReceiptHandle"]).redriven_from[0] == sent


def test_retention_begins_anew(cloud: Cloud, later: Later) -> None:
    """A moved message is kept as long as a new one."""
    queue, dead = dead_letters("a")
    queue.set(MessageRetentionPeriod="60")
    cloud.clock.advance(3600)
    start(dead)
    later.second()
    cloud.clock.advance(58)

    assert queue.bodies() == ["a"]


def test_another_destination(later: Later) -> None:
    """They go where the task says."""
    _, dead = dead_letters("a", "b")
    other = Queue("other")
    start(dead, DestinationArn=other.arn)
    later.second()

    assert other.bodies() == ["a", "b"]
    assert tasks(dead)[0]["DestinationArn"] == other.arn


def test_fifo(later: Later) -> None:
    """A FIFO queue's dead letters go back with their message group."""
    queue, dead = dead_letters("a", suffix=".fifo")
    start(dead)
    later.second()

    assert [message["Attributes"]["MessageGroupId"] for message in queue.receive()] == ["g"]


def test_so_many_a_second(later: Later) -> None:
    """With a rate, it moves so many a second, the oldest first, and the list tells how far it is."""
    queue, dead = dead_letters(*"abc")
    handle = start(dead, MaxNumberOfMessagesPerSecond=2)
    (task,) = tasks(dead)

    assert task["Status"] == "RUNNING"
    assert task["TaskHandle"] == handle
    assert task["MaxNumberOfMessagesPerSecond"] == 2
    assert (task["ApproximateNumberOfMessagesMoved"], task["ApproximateNumberOfMessagesToMove"]) == (0, 3)

    later.second()

    assert queue.bodies() == ["a", "b"]
    assert tasks(dead)[0]["ApproximateNumberOfMessagesMoved"] == 2

    later.second()
    (task,) = tasks(dead)

    assert queue.bodies() == ["c"]
    assert (task["Status"], task["ApproximateNumberOfMessagesMoved"]) == ("COMPLETED", 3)
    assert "TaskHandle" not in task
    assert "DestinationArn" not in task
    assert later.due == []


def test_started(cloud: Cloud, later: Later) -> None:
    """A task says when it was started, in milliseconds, and its handle names it and its source."""
    _, dead = dead_letters("a")
    named = json.loads(base64.b64decode(start(dead)))
    now = cloud.clock.now()

    assert datetime.datetime.fromtimestamp(tasks(dead)[0]["StartedTimestamp"] / 1000, datetime.UTC) == now
    assert named["sourceArn"] == dead.arn


def test_one_at_a_time(later: Later) -> None:
    """A source has one active task; afterwards it may have another. The newest is listed first, and alone by default."""
    _, dead = dead_letters("a")
    start(dead)

    assert refused(start, dead) == (
        "InvalidParameterValue",
        "There is already a task running. Only one active task is allowed for a source queue arn at a given time.",
    )

    later.second()
    start(dead)

    assert [task["Status"] for task in tasks(dead)] == ["RUNNING", "COMPLETED"]
    assert len(dead.sqs.list_message_move_tasks(SourceArn=dead.arn)["Results"]) == 1


def test_cancelled(later: Later) -> None:
    """A cancelled task moves nothing more, and takes nothing back."""
    queue, dead = dead_letters(*"abc")
    handle = start(dead, MaxNumberOfMessagesPerSecond=1)
    later.second()

    assert dead.sqs.cancel_message_move_task(TaskHandle=handle)["ApproximateNumberOfMessagesMoved"] == 1
    assert tasks(dead)[0]["Status"] == "CANCELLING"

    later.second()

    assert tasks(dead)[0]["Status"] == "CANCELLED"
    assert (queue.counts(), dead.counts()) == ((1, 0, 0), (2, 0, 0))
    assert refused(dead.sqs.cancel_message_move_task, TaskHandle=handle)[0] == "InvalidParameterValue"


def test_message_without_a_source(later: Later) -> None:
    """What was sent to the dead-letter queue directly has nowhere to go back to: the task fails."""
    _, dead = dead_letters()
    dead.send()
    start(dead)
    later.second()
    (task,) = tasks(dead)

    assert (task["Status"], task["FailureReason"]) == ("FAILED", "CouldNotDetermineMessageSource")
    assert dead.counts() == (1, 0, 0)


@pytest.mark.parametrize("gone", ["destination", "source"])
def test_queue_deleted_meanwhile(later: Later, gone: str) -> None:
    """Without its destination or its source the task fails."""
    queue, dead = dead_letters("a")
    start(dead)
    deleted = queue if gone == "destination" else dead
    deleted.sqs.delete_queue(QueueUrl=deleted.url)
    later.second()
    if gone == "source":
        Queue("work-dlq")
    (task,) = tasks(dead)

    assert (task["Status"], task["FailureReason"]) == ("FAILED", "AWS.SimpleQueueService.NonExistentQueue")


def test_cloud_begun_anew(cloud: Cloud, later: Later) -> None:
    """A task of a cloud that was emptied does nothing."""
    _, dead = dead_letters("a")
    start(dead)
    cloud._door.empty()
    queue, again = dead_letters("b")
    later.second()

    assert tasks(again) == []
    assert again.counts() == (1, 0, 0)


def test_without_a_clock(at_once: None) -> None:
    """By itself, with nothing to wait for, a task is done when the call returns."""
    queue, dead = dead_letters(*"abc")
    start(dead, MaxNumberOfMessagesPerSecond=1)

    assert tasks(dead)[0]["Status"] == "COMPLETED"
    assert queue.bodies() == ["a", "b", "c"]


def test_wrong_tasks(later: Later) -> None:
    """What a task needs, it says: a dead-letter queue to start from, a destination of its kind, a rate from 1 to 500."""
    queue, dead = dead_letters("a")
    fifo = Queue("queue.fifo")
    none = "The resource that you specified for the {} parameter doesn't exist."

    assert refused(start, queue) == ("InvalidParameterValue", "Source queue must be configured as a Dead Letter Queue.")
    assert refused(dead.sqs.start_message_move_task, SourceArn=f"{dead.arn}x") == (
        "ResourceNotFoundException",
        none.format("SourceArn"),
    )
    assert refused(start, dead, DestinationArn=f"{dead.arn}x") == (
        "ResourceNotFoundException",
        none.format("DestinationArn"),
    )
    assert refused(dead.sqs.list_message_move_tasks, SourceArn=f"{dead.arn}x")[0] == "ResourceNotFoundException"
    assert refused(start, dead, DestinationArn=dead.arn)[0] == "InvalidParameterValue"
    assert refused(start, dead, DestinationArn=fifo.arn)[0] == "InvalidParameterValue"
    for rate in (0, 501, -1):
        assert refused(start, dead, MaxNumberOfMessagesPerSecond=rate)[0] == "InvalidParameterValue"
    for most in (0, 11):
        assert refused(tasks, dead, most)[0] == "InvalidParameterValue"
    assert refused(dead.sqs.start_message_move_task, SourceArn="dlq")[0] == "InvalidParameterValue"


def test_wrong_handles(later: Later) -> None:
    """A handle that is none, one of another queue, and one of no task."""
    _, dead = dead_letters()

    def cancel(**named: str) -> tuple[str, str]:
        handle = base64.b64encode(json.dumps(named).encode()).decode()
        return refused(dead.sqs.cancel_message_move_task, TaskHandle=handle)

    assert refused(dead.sqs.cancel_message_move_task, TaskHandle="foobared") == (
        "InvalidParameterValue",
        "Value for parameter TaskHandle is invalid.",
    )
    assert cancel(taskId="1") == ("InvalidParameterValue", "Value for parameter TaskHandle is invalid.")
    assert cancel(taskId="1", sourceArn=f"{dead.arn}x")[0] == "ResourceNotFoundException"
    assert cancel(taskId="1", sourceArn=dead.arn) == ("ResourceNotFoundException", "Task does not exist.")
