"""Sending: what counts as sent already, sequence numbers, and each entry's own result."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.cloud import Cloud
from tests.cloud.sqs import Queue


@pytest.fixture
def fifo(cloud: Cloud) -> Queue:
    return Queue("queue.fifo")


def test_duplicate_of_a_deleted_message(cloud: Cloud, fifo: Queue) -> None:
    """For five minutes a duplicate is accepted and not delivered, though the first message was deleted."""
    sent = fifo.send(MessageGroupId="g", MessageDeduplicationId="1")
    (message,) = fifo.receive()
    fifo.delete(message)

    assert fifo.send(MessageGroupId="g", MessageDeduplicationId="1") == sent
    assert fifo.receive() == []

    cloud.clock.advance(300)

    assert fifo.send(MessageGroupId="g", MessageDeduplicationId="1") != sent
    assert fifo.bodies() == ["a"]


def test_duplicates_do_not_prolong_the_interval(cloud: Cloud, fifo: Queue) -> None:
    """The five minutes count from the message that was accepted, not from its duplicates."""
    fifo.send(MessageGroupId="g")
    cloud.clock.advance(200)
    fifo.send(MessageGroupId="g")
    cloud.clock.advance(100)
    fifo.send(MessageGroupId="g")

    assert fifo.bodies() == ["a", "a"]


def test_same_content_under_its_hash(fifo: Queue) -> None:
    """Content-based deduplication takes the SHA-256 of the body; an explicit id overrides it."""
    fifo.send("a", MessageGroupId="g")
    fifo.send("a", MessageGroupId="g", MessageDeduplicationId="other")
    fifo.send(
        "b",
        MessageGroupId="g",
        MessageDeduplicationId="ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
    )

    assert fifo.bodies() == ["a", "a"]


@pytest.mark.parametrize(("scope", "bodies"), [("queue", ["a"]), ("messageGroup", ["a", "a"])])
def test_scope(fifo: Queue, scope: str, bodies: list[str]) -> None:
    """Deduplication holds in the queue, or in each message group."""
    fifo.set(DeduplicationScope=scope)
    for group in ("g", "h", "g"):
        fifo.send(MessageGroupId=group)

    assert fifo.bodies() == bodies


def test_sequence_numbers_grow(fifo: Queue) -> None:
    """Each message has one of 20 digits, larger than those before, also where deduplication is by content."""
    answers = [fifo.sqs.send_message(QueueUrl=fifo.url, MessageBody=body, MessageGroupId="g") for body in "abc"]
    numbers = [answer["SequenceNumber"] for answer in answers]

    assert {len(number) for number in numbers} == {20}
    assert numbers == sorted(set(numbers))
    assert [message["Attributes"]["SequenceNumber"] for message in fifo.receive()] == numbers


def test_each_entry_has_its_own_result(cloud: Cloud) -> None:
    """Of a batch, what is right is sent, and what is wrong is reported with its code."""
    queue = Queue()
    entries = [
        {"Id": "right", "MessageBody": "a"},
        {"Id": "empty", "MessageBody": ""},
        {"Id": "control", "MessageBody": "\x00"},
        {"Id": "late", "MessageBody": "b", "DelaySeconds": 901},
        {"Id": "nameless", "MessageBody": "c", "MessageAttributes": {"x": {"DataType": "String", "StringValue": ""}}},
    ]
    answer = queue.sqs.send_message_batch(QueueUrl=queue.url, Entries=entries)

    assert [entry["Id"] for entry in answer["Successful"]] == ["right"]
    assert {entry["Id"]: entry["Code"] for entry in answer["Failed"]} == {
        "empty": "MissingParameter",
        "control": "InvalidMessageContents",
        "late": "InvalidParameterValue",
        "nameless": "InvalidParameterValue",
    }
    assert all(entry["SenderFault"] for entry in answer["Failed"])
    assert queue.bodies() == ["a"]


@pytest.mark.parametrize("missing", ["MessageGroupId", "MessageDeduplicationId"])
def test_fifo_batch_without_ids_is_refused_whole(cloud: Cloud, missing: str) -> None:
    """A FIFO queue refuses the batch if an entry lacks an id that it needs."""
    queue = Queue("queue.fifo", ContentBasedDeduplication="false")
    whole = {"MessageBody": "a", "MessageGroupId": "g", "MessageDeduplicationId": "1"}
    entries = [{"Id": "1", **whole}, {"Id": "2", **{name: value for name, value in whole.items() if name != missing}}]
    with pytest.raises(ClientError, match=f"{missing}") as refusal:
        queue.sqs.send_message_batch(QueueUrl=queue.url, Entries=entries)

    assert refusal.value.response["Error"]["Code"] == "InvalidParameterValue"
    assert queue.bodies() == []
