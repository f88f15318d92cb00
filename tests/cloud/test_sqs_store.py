"""Receiving, deleting, hiding and counting, as AWS documents them, and what the rest of the cloud looks at and does.

Those of what `sqs_store` names as a difference fail on plain moto; the others hold what is to stay as it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.amendments import sqs_send, sqs_store
from bentocola.cloud.clock import CALL_SECONDS
from bentocola.cloud.cloud import Cloud
from tests.cloud.scene import Scene
from tests.cloud.sqs import Queue, with_dead_letters


@pytest.fixture
def queue(cloud: Cloud) -> Queue:
    return Queue()


class Time:
    """moto's time, moved by hand, and its backend: what is done there passes no recorder, which would read the journal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from moto.sqs.models import sqs_backends

        self.backend: Any = sqs_backends["123456789012"]["us-east-1"]
        self.now = sqs_store.now()
        monkeypatch.setattr(sqs_store, "now", lambda: self.now)
        monkeypatch.setattr(sqs_send, "now", lambda: self.now)

    def send(self, queue: Queue, body: str = "a") -> None:
        self.backend.send_message(queue.name, body)

    def receive(self, queue: Queue, timeout: int, most: int = 10) -> list[Any]:
        return list(self.backend.receive_message(queue.name, most, 0, timeout))

    def hide(self, queue: Queue, message: Any, timeout: int) -> None:
        self.backend.change_message_visibility(queue.name, message.receipt_handle, timeout)

    @staticmethod
    def heard() -> list[tuple[str, str]]:
        """Return what the journal has to tell: what happened, and to which body."""
        return [(entry.what, entry.message.body) for entry in sqs_store.journal()]


@pytest.fixture
def time(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    sqs_store.listen(True)
    yield Time(monkeypatch)
    sqs_store.listen(False)


# Receiving


def test_old_messages_come_first_and_back_in_their_place(cloud: Cloud, queue: Queue) -> None:
    """What comes back after its timeout is received before what was sent after it."""
    for body in "abc":
        queue.send(body)

    assert queue.bodies(1) == ["a"]

    cloud.clock.advance(30)

    assert queue.bodies() == ["a", "b", "c"]


def test_expired_message_hides_no_valid_one(cloud: Cloud, queue: Queue) -> None:
    """After the retention period a message is gone: it is neither received nor counted, and younger ones are received."""
    queue.set(MessageRetentionPeriod="60")
    queue.send("old")
    cloud.clock.advance(30)
    queue.send("young")
    cloud.clock.advance(30)

    assert queue.counts() == (1, 0, 0)
    assert queue.bodies() == ["young"]


def test_expired_in_flight(cloud: Cloud, queue: Queue) -> None:
    """A message in flight expires as well; deleting it afterwards succeeds."""
    queue.set(MessageRetentionPeriod="60")
    queue.send()
    (message,) = queue.receive(VisibilityTimeout=600)
    cloud.clock.advance(60)

    assert queue.counts() == (0, 0, 0)
    queue.delete(message)


def test_shorter_retention_holds_for_messages_that_are_there(cloud: Cloud, queue: Queue) -> None:
    """A new retention period concerns the messages in the queue."""
    queue.send()
    cloud.clock.advance(61)
    queue.set(MessageRetentionPeriod="60")

    assert queue.bodies() == []


def test_timeout_of_zero(queue: Queue) -> None:
    """Received with a visibility timeout of 0, a message is visible at once."""
    queue.send()

    assert [message["Attributes"]["ApproximateReceiveCount"] for message in queue.receive(VisibilityTimeout=0)] == ["1"]
    assert [message["Attributes"]["ApproximateReceiveCount"] for message in queue.receive(VisibilityTimeout=0)] == ["2"]
    assert queue.counts() == (1, 0, 0)


def test_delayed_message(cloud: Cloud, queue: Queue) -> None:
    """A delayed message is counted as such, and available exactly when its delay is over."""
    queue.send(DelaySeconds=10)

    assert queue.counts() == (0, 0, 1)

    cloud.clock.advance(10 - 3 * CALL_SECONDS)

    assert queue.bodies() == []
    assert queue.bodies() == ["a"]


def test_what_is_received_stays_as_it_was(queue: Queue) -> None:
    """Message attributes are those that were asked for; the message keeps the others."""
    color = {
        "color": {"DataType": "String", "StringValue": "red"},
        "shape": {"DataType": "String", "StringValue": "round"},
    }
    queue.send(MessageAttributes=color)

    assert "MessageAttributes" not in queue.receive(VisibilityTimeout=0)[0]
    assert list(queue.receive(VisibilityTimeout=0, MessageAttributeNames=["color"])[0]["MessageAttributes"]) == [
        "color"
    ]
    assert queue.receive(MessageAttributeNames=["All"])[0]["MessageAttributes"] == color


def test_short_poll_over_the_limit(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """With as many messages in flight as there may be, a short poll gets OverLimit, and a long poll no messages."""
    monkeypatch.setattr(sqs_store, "MOST_IN_FLIGHT", 2)
    for body in "abc":
        queue.send(body)

    assert queue.bodies() == ["a", "b"]
    with pytest.raises(queue.sqs.exceptions.OverLimit):
        queue.receive()
    assert queue.bodies(WaitTimeSeconds=1) == []


def test_fifo_over_the_limit(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """A FIFO queue hands out nothing more, and returns no error."""
    monkeypatch.setattr(sqs_store, "MOST_IN_FLIGHT", 1)
    queue = Queue("queue.fifo")
    for group in "ab":
        queue.send(group, MessageGroupId=group)

    assert queue.bodies() == ["a"]
    assert queue.bodies() == []


# Receipt handles


def test_old_receipt_handle_deletes_nothing(cloud: Cloud, queue: Queue) -> None:
    """Once the message was received again, deleting with the old handle succeeds, and the message stays."""
    queue.send()
    (first,) = queue.receive()
    cloud.clock.advance(30)
    (second,) = queue.receive()
    queue.delete(first)

    assert queue.counts() == (0, 1, 0)

    queue.delete(second)
    queue.delete(first)

    assert queue.counts() == (0, 0, 0)


def test_late_deletion(cloud: Cloud, queue: Queue) -> None:
    """After its timeout a message can be deleted, as long as nobody else has received it."""
    queue.send()
    (message,) = queue.receive()
    cloud.clock.advance(30)
    queue.delete(message)

    assert queue.counts() == (0, 0, 0)


def test_fifo_receipt_handle_expires(cloud: Cloud) -> None:
    """In a FIFO queue the receipt handle is good for the visibility timeout only."""
    queue = Queue("queue.fifo")
    queue.send(MessageGroupId="g")
    (message,) = queue.receive()
    cloud.clock.advance(30)
    with pytest.raises(ClientError, match="The receipt handle has expired") as refusal:
        queue.delete(message)

    assert refusal.value.response["Error"]["Code"] == "InvalidParameterValue"


def test_garbage_for_a_receipt_handle(queue: Queue) -> None:
    """What was never a receipt handle of the queue is refused."""
    with pytest.raises(queue.sqs.exceptions.ReceiptHandleIsInvalid, match='"garbage" is not a valid receipt handle'):
        queue.delete({"ReceiptHandle": "garbage"})
    with pytest.raises(queue.sqs.exceptions.ReceiptHandleIsInvalid):
        queue.hide({"ReceiptHandle": "garbage"}, 0)


# Visibility


def test_changed_visibility(cloud: Cloud, queue: Queue) -> None:
    """The new timeout begins at the change; 0 ends it."""
    queue.send()
    (message,) = queue.receive()
    queue.hide(message, 60)
    cloud.clock.advance(59)

    assert queue.bodies() == []

    queue.hide(message, 0)

    assert queue.bodies() == ["a"]


def test_changed_too_late(cloud: Cloud, queue: Queue) -> None:
    """After the timeout the message is no longer in flight: a change is refused, and hides nothing."""
    queue.send()
    (message,) = queue.receive()
    cloud.clock.advance(30)
    with pytest.raises(queue.sqs.exceptions.MessageNotInflight):
        queue.hide(message, 60)

    assert queue.counts() == (1, 0, 0)


def test_changed_after_deletion(queue: Queue) -> None:
    """The handle of a deleted message is refused."""
    queue.send()
    (message,) = queue.receive()
    queue.delete(message)
    with pytest.raises(ClientError, match="not available for visibility timeout change"):
        queue.hide(message, 60)


def test_twelve_hours_from_the_receipt(cloud: Cloud, queue: Queue) -> None:
    """A message may be hidden for twelve hours from its receipt on, however long it waited before."""
    queue.send()
    cloud.clock.advance(86_400)
    (message,) = queue.receive()
    queue.hide(message, 43_199)
    cloud.clock.advance(3600)
    with pytest.raises(ClientError, match=r"Total VisibilityTimeout .* \[43200 seconds\]"):
        queue.hide(message, 43_199)


# Message groups


def test_as_many_of_one_group_as_possible(cloud: Cloud) -> None:
    """A receipt has the messages of one group before those of others, each group in order."""
    queue = Queue("queue.fifo")
    for body in ("a1", "b1", "a2", "b2"):
        queue.send(body, MessageGroupId=body[0])

    assert queue.bodies(3) == ["a1", "a2", "b1"]
    assert queue.bodies() == []


def test_group_goes_on_after_deletion(cloud: Cloud) -> None:
    """A group is blocked by its message in flight, and goes on when that is deleted, or comes back."""
    queue = Queue("queue.fifo")
    for body in ("a1", "a2", "b1"):
        queue.send(body, MessageGroupId=body[0])
    (first,) = queue.receive(1)

    assert queue.bodies(1) == ["b1"]
    assert queue.bodies() == []

    queue.delete(first)

    assert queue.bodies() == ["a2"]

    cloud.clock.advance(30)

    assert queue.bodies() == ["a2", "b1"]


def test_delay_of_a_fifo_queue_is_retroactive(cloud: Cloud) -> None:
    """A new DelaySeconds concerns the messages that are in a FIFO queue."""
    queue = Queue("queue.fifo", DelaySeconds="600")
    queue.send(MessageGroupId="g")
    queue.set(DelaySeconds="0")

    assert queue.bodies() == ["a"]


# Dead-letter queues


def test_dead_letter_tells_where_it_comes_from(cloud: Cloud) -> None:
    """It keeps its id and its receive count, and has DeadLetterQueueSourceArn."""
    queue, dead = with_dead_letters()
    sent = queue.send()
    queue.receive(VisibilityTimeout=0)

    assert queue.receive() == []

    (message,) = dead.receive()

    assert message["MessageId"] == sent
    assert message["Attributes"]["ApproximateReceiveCount"] == "2"
    assert message["Attributes"]["DeadLetterQueueSourceArn"] == queue.arn


def test_dead_letters_take_no_place_in_an_answer(cloud: Cloud) -> None:
    """A receipt that moves messages away returns the next ones."""
    queue, dead = with_dead_letters()
    for body in "ab":
        queue.send(body)
    queue.receive(VisibilityTimeout=0)
    queue.send("c")

    assert queue.bodies(1) == ["c"]
    assert dead.counts() == (2, 0, 0)


def test_dead_letter_keeps_its_age(cloud: Cloud) -> None:
    """In a standard queue the retention period counts from the first sending, in the dead-letter queue too."""
    queue, dead = with_dead_letters()
    dead.set(MessageRetentionPeriod="60")
    queue.send()
    cloud.clock.advance(59)
    queue.receive(VisibilityTimeout=0)
    queue.receive()
    cloud.clock.advance(1)

    assert dead.bodies() == []


def test_fifo_dead_letter_begins_anew(cloud: Cloud) -> None:
    """In a FIFO queue its retention begins anew, and its own id becomes its deduplication id."""
    queue, dead = with_dead_letters(suffix=".fifo")
    dead.set(MessageRetentionPeriod="60")
    sent = queue.send(MessageGroupId="g")
    cloud.clock.advance(59)
    queue.receive(VisibilityTimeout=0)
    queue.receive()
    cloud.clock.advance(59)
    (message,) = dead.receive()

    assert message["Attributes"]["MessageDeduplicationId"] == sent


def test_deleted_dead_letter_queue_loses_nothing(cloud: Cloud) -> None:
    """Without its dead-letter queue a queue keeps its messages; one of the same name takes over."""
    queue, dead = with_dead_letters()
    queue.send()
    queue.receive(VisibilityTimeout=0)
    queue.sqs.delete_queue(QueueUrl=dead.url)

    assert queue.bodies(VisibilityTimeout=0) == ["a"]

    dead = Queue("work-dlq")

    assert queue.bodies() == []
    assert dead.bodies() == ["a"]


# moto's own view


def test_moto_s_list(queue: Queue) -> None:
    """What else in moto reads a queue finds its messages: all, the visible ones, those in flight."""
    for body in "abc":
        queue.send(body)
    queue.receive(1)
    moto = queue.moto

    assert [message.body for message in moto._messages] == ["a", "b", "c"]
    assert [message.body for message in moto.messages] == ["b", "c"]
    assert {message.body for message in moto.pending_messages} == {"a"}
    assert [(message.visible, message.delayed) for message in moto._messages] == [
        (False, False),
        (True, False),
        (True, False),
    ]


def test_purge(queue: Queue) -> None:
    """A purged queue is empty, in flight and all; a handle from before can be deleted."""
    queue.send()
    (message,) = queue.receive()
    queue.send()
    queue.sqs.purge_queue(QueueUrl=queue.url)

    assert queue.counts() == (0, 0, 0)
    queue.delete(message)


# What the cloud looks at


def test_counts(cloud: Cloud, queue: Queue) -> None:
    """They say what is visible, in flight and delayed now."""
    queue.send()
    queue.send()
    queue.send(DelaySeconds=60)
    queue.receive(1)

    assert sqs_store.counts(queue.moto) == (1, 1, 1)

    cloud.clock.advance(60)

    assert sqs_store.counts(queue.moto) == (3, 0, 0)


def test_message_of_receipt(cloud: Cloud, queue: Queue) -> None:
    """It is found under any handle that it ever had, until it is deleted."""
    sent = queue.send()
    (first,) = queue.receive(VisibilityTimeout=0)
    (second,) = queue.receive()
    found = sqs_store.message_of_receipt(queue.moto, first["ReceiptHandle"])

    assert found.id == sent
    assert sqs_store.message_of_receipt(queue.moto, second["ReceiptHandle"]) is found
    assert sqs_store.message_of_receipt(queue.moto, "garbage") is None

    queue.delete(second)

    assert sqs_store.message_of_receipt(queue.moto, first["ReceiptHandle"]) is None


def test_next_due(cloud: Cloud, queue: Queue) -> None:
    """It is the moment at which the next hidden or delayed message is available, in milliseconds."""
    assert sqs_store.next_due(queue.moto) is None

    queue.send(DelaySeconds=60)
    queue.send()
    queue.receive(VisibilityTimeout=20)
    now = round(cloud.clock.now().timestamp() * 1000)

    assert sqs_store.next_due(queue.moto) == now + 20_000


def test_journal(time: Time) -> None:
    """It tells what was sent, came back, died and expired, once, and in order."""
    queue, dead = with_dead_letters(most=2)
    queue.set(MessageRetentionPeriod="120")
    time.heard()
    time.send(queue, "a")
    time.send(queue, "b")
    (message,) = time.receive(queue, 30, most=1)

    assert time.heard() == [("added", "a"), ("added", "b")]

    time.hide(queue, message, 0)
    time.receive(queue, 50, most=1)

    assert time.heard() == [("returned", "a")]

    time.now += 60_000
    time.receive(queue, 30, most=1)

    assert time.heard() == [("returned", "a"), ("dead", "a")]

    time.now += 60_000
    sqs_store.promote(queue.moto)

    assert time.heard() == [("expired", "b")]
    assert time.heard() == []


def test_received_with_a_timeout_of_zero_it_never_left(time: Time) -> None:
    """A message that was never hidden does not come back."""
    queue = Queue()
    time.send(queue)
    time.heard()
    time.receive(queue, 0)
    time.receive(queue, 0)

    assert time.heard() == []


def test_journal_says_where_and_when(time: Time) -> None:
    """An entry names the queue, a dead letter's its new one, and the moment, though it may be noticed later."""
    queue, dead = with_dead_letters()
    time.send(queue)
    time.receive(queue, 20)
    received = time.now
    time.now += 100_000
    time.receive(queue, 20)
    entries = {entry.what: entry for entry in sqs_store.journal()}

    assert (entries["returned"].at, entries["returned"].queue) == (received + 20_000, queue.moto)
    assert (entries["dead"].at, entries["dead"].queue) == (time.now, dead.moto)


def test_journal_of_s3_s_own_messages(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """What S3 sends is there as well."""
    noted: list[str] = []
    monkeypatch.setattr(sqs_store, "_note", lambda what, queue, message, at: noted.append(what))
    scene.upload("order.json")

    assert noted == ["added"]


def test_all_that_is_due_in_the_order_of_time(time: Time) -> None:
    """After the clock has moved, everything due is noticed, in whatever queue, the earliest first."""
    for name, timeout in (("one", 30), ("two", 10), ("three", 20)):
        queue = Queue(name)
        time.send(queue, name)
        time.receive(queue, timeout)
    time.heard()
    time.now += 60_000
    sqs_store.promote_all()

    assert time.heard() == [("returned", "two"), ("returned", "three"), ("returned", "one")]


def test_no_journal_unless_somebody_listens(time: Time) -> None:
    """Without a listener nothing is kept, and with one that never asks, the oldest is forgotten."""
    sqs_store.listen(False)
    time.send(Queue())

    assert sqs_store.journal() == []
    assert sqs_store._journal.maxlen


# Faults


def test_delivered_again_while_in_flight(queue: Queue) -> None:
    """A message in flight is received once more: the same id, the receive count goes on."""
    sent = queue.send()
    (first,) = queue.receive()
    sqs_store.deliver_again(queue.moto, sqs_store.message_of_receipt(queue.moto, first["ReceiptHandle"]))

    (again,) = queue.receive()

    assert again["MessageId"] == sent
    assert again["Attributes"]["ApproximateReceiveCount"] == "2"
    assert queue.receive() == []


def test_delivered_again_after_deletion(cloud: Cloud, queue: Queue) -> None:
    """A deleted message is received once more, and is to be deleted once more."""
    sent = queue.send()
    (first,) = queue.receive()
    message = sqs_store.message_of_receipt(queue.moto, first["ReceiptHandle"])
    queue.delete(first)
    sqs_store.deliver_again(queue.moto, message)

    assert sqs_store.counts(queue.moto) == (1, 0, 0)

    (again,) = queue.receive()

    assert (again["MessageId"], again["Attributes"]["ApproximateReceiveCount"]) == (sent, "2")

    queue.delete(again)
    cloud.clock.advance(60)

    assert queue.receive() == []


def test_delivered_again_only_by_standard_queues(cloud: Cloud) -> None:
    """A FIFO queue hands out a message once, and keeps its order."""
    queue = Queue("queue.fifo")
    queue.send(MessageGroupId="g")
    (message,) = queue.moto._messages
    with pytest.raises(ValueError, match="FIFO"):
        sqs_store.deliver_again(queue.moto, message)
    with pytest.raises(ValueError, match="FIFO"):
        sqs_store.shuffle_next(queue.moto, list)


def test_shuffled(queue: Queue) -> None:
    """The next receipt has the messages in another order; those after it in their own again."""
    for body in "abcd":
        queue.send(body)
    sqs_store.shuffle_next(queue.moto, lambda messages: sorted(messages, key=lambda m: m.body, reverse=True))

    assert queue.bodies(2) == ["d", "c"]
    assert queue.bodies() == ["a", "b"]
