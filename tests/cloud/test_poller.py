"""What Lambda does for a queue, by what AWS documents.

https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html and
https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.functions.poller import Round
from tests.cloud.scene import Scene

Event = dict[str, Any]


def answering(response: Any) -> Callable[[Event, Any], Any]:
    """Return a handler that answers with `response`, or with what it makes of the message ids."""

    def handler(event: Event, context: Any) -> Any:
        ids = [record["messageId"] for record in event["Records"]]
        return response(ids) if callable(response) else response

    return handler


def listing(*identifiers: Any) -> dict[str, Any]:
    """Return the documented response for these identifiers."""
    return {"batchItemFailures": [{"itemIdentifier": identifier} for identifier in identifiers]}


def in_queue(scene: Scene) -> list[str]:
    """Let every visibility timeout end, and return what is then in the queue."""
    scene.cloud.clock.advance(30)
    return sorted(message["Body"] for message in scene.receive())


def polled(scene: Scene, handler: Callable[[Event, Any], Any], **options: Any) -> tuple[Round, list[str]]:
    """Send three messages and poll once; return the round and what is in the queue when the timeout is over."""
    scene.send("a", "b", "c")
    done = scene.cloud.poll_once(scene.queue, handler, **options)
    return done, in_queue(scene)


ALL = ["a", "b", "c"]


# Success


SUCCESSES = {
    "null": None,
    "empty": {},
    "empty list": {"batchItemFailures": []},
    "null list": {"batchItemFailures": None},
    "other keys": {"statusCode": 500, "body": "error"},
    "misspelt": {"batchitemfailures": [{"itemIdentifier": "x"}]},
    # Not in the documentation; observed on AWS in the tests of LocalStack (test_kinesis_report_batch_item_success_scenarios).
    "empty text": "",
    "list without anything": [],
}


@pytest.mark.parametrize("response", SUCCESSES.values(), ids=list(SUCCESSES))
def test_success_deletes_all(scene: Scene, response: Any) -> None:
    """An empty or null response, or list, is a complete success: the whole batch is deleted."""
    done, left = polled(scene, answering(response))

    assert left == []
    assert (len(done.deleted), done.kept, done.error, done.response) == (3, [], None, response)


def test_returned_error_status_is_no_failure(scene: Scene) -> None:
    """The word of a status code is not listened to."""
    _, left = polled(scene, answering({"statusCode": 500}))

    assert left == []


# Failure


FAILURES = {
    "empty identifier": listing(""),
    "null identifier": listing(None),
    "unknown identifier": listing("no-such-message"),
    "one unknown of two": lambda ids: listing(ids[0], "no-such-message"),
    "bad key name": lambda ids: {"batchItemFailures": [{"itemidentifier": ids[0]}]},
    "no key": {"batchItemFailures": [{}]},
    "identifier is a number": listing(3),
    "identifier is a list": lambda ids: listing([ids[0]]),
    "bare identifiers": lambda ids: {"batchItemFailures": ids[:1]},
    "null entry": {"batchItemFailures": [None]},
    "list is a text": {"batchItemFailures": "a"},
    "list is an object": lambda ids: {"batchItemFailures": {"itemIdentifier": ids[0]}},
    "list is a number": {"batchItemFailures": 1},
    # "An invalid JSON response": of another form than the one that is documented.
    "a text": "ok",
    "a list": [1],
    "a list of identifiers": lambda ids: ids,
    "a number": 200,
    "true": True,
}


@pytest.mark.parametrize("response", FAILURES.values(), ids=list(FAILURES))
def test_response_that_lambda_cannot_read_keeps_all(scene: Scene, response: Any) -> None:
    """A malformed response is a complete failure: the whole batch returns when its visibility timeout is over."""
    done, left = polled(scene, answering(response))

    assert left == ALL
    assert (done.deleted, len(done.kept), done.error) == ([], 3, None)


def test_exception_keeps_all(scene: Scene) -> None:
    """An exception is a complete failure, whatever was done before it."""

    def handler(event: Event, context: Any) -> None:
        raise KeyError("customer")

    done, left = polled(scene, handler)

    assert left == ALL
    assert (done.deleted, len(done.kept), done.response, repr(done.error)) == ([], 3, None, "KeyError('customer')")


def test_exception_that_counts_as_false_keeps_all(scene: Scene) -> None:
    """An exception is one even where its class says that it is empty."""

    class Empty(Exception):
        def __len__(self) -> int:
            return 0

    def handler(event: Event, context: Any) -> None:
        raise Empty

    _, left = polled(scene, handler)

    assert left == ALL


def test_exit_keeps_all(scene: Scene) -> None:
    """A handler that leaves the process fails its batch; the notebook goes on."""
    done, left = polled(scene, lambda event, context: sys.exit(1))

    assert left == ALL
    assert isinstance(done.error, SystemExit)


def test_interrupt_of_the_notebook_is_none_of_lambda_s(scene: Scene) -> None:
    """The student's own Ctrl+C stops the cell, and the batch stays hidden."""

    def handler(event: Event, context: Any) -> None:
        raise KeyboardInterrupt

    scene.send(*ALL)
    with pytest.raises(KeyboardInterrupt):
        scene.cloud.poll_once(scene.queue, handler)

    assert in_queue(scene) == ALL
    assert scene.steps("run_end")[0]["run"] == {"id": "r1", "log": []}


@pytest.mark.parametrize("response", [Decimal(3), b"a", {1, 2}, object()], ids=["Decimal", "bytes", "set", "object"])
def test_answer_that_is_no_json_keeps_all(scene: Scene, response: Any) -> None:
    """What cannot be written as JSON fails the run, as an exception does."""
    done, left = polled(scene, answering(response))

    assert left == ALL
    assert isinstance(done.error, TypeError)
    assert scene.steps("run_end")[0]["run"]["result"] == "error"


# The partial response


def test_listed_messages_stay_and_the_rest_is_deleted(scene: Scene) -> None:
    """Only what the list names returns."""
    done, left = polled(scene, answering(lambda ids: listing(ids[1])))

    assert left == ["b"]
    assert (len(done.deleted), len(done.kept)) == (2, 1)
    assert set(done.deleted) & set(done.kept) == set()


def test_every_message_listed(scene: Scene) -> None:
    """A list of all of them keeps all, and the run has not failed."""
    done, left = polled(scene, answering(lambda ids: listing(*ids)))

    assert left == ALL
    assert done.deleted == []
    assert scene.steps("run_end")[0]["run"]["result"] == "ok"
    assert scene.steps("delete") == []


def test_identifier_twice(scene: Scene) -> None:
    """Named twice is named."""
    _, left = polled(scene, answering(lambda ids: listing(ids[0], ids[0])))

    assert left == ["a"]


def test_tuple_is_a_list_in_json(scene: Scene) -> None:
    """The answer is read as the JSON that it becomes, where a tuple is a list."""
    done, left = polled(scene, answering(lambda ids: {"batchItemFailures": ({"itemIdentifier": ids[0]},)}))

    assert left == ["a"]
    assert done.response == listing(done.kept[0])


def test_without_the_setting_the_list_is_ignored(scene: Scene) -> None:
    """Unless the mapping has `ReportBatchItemFailures`, a returned list means nothing and everything is deleted."""
    done, left = polled(scene, answering(lambda ids: listing(*ids)), report_batch_item_failures=False)

    assert left == []
    assert len(done.deleted) == 3


def test_without_the_setting_a_malformed_response_is_a_success(scene: Scene) -> None:
    """Nor is the response looked at."""
    _, left = polled(scene, answering("ok"), report_batch_item_failures=False)

    assert left == []


def test_without_the_setting_an_exception_keeps_all(scene: Scene) -> None:
    """An exception fails the batch with or without it."""
    _, left = polled(scene, lambda event, context: 1 / 0, report_batch_item_failures=False)

    assert left == ALL


# Visibility


def test_failed_batch_stays_hidden_until_its_timeout(scene: Scene) -> None:
    """After a failure nothing returns at once: the batch comes back when its visibility timeout is over."""
    polls: list[int] = []
    handler = answering(lambda ids: (polls.append(len(ids)), listing(*ids))[1])
    scene.send(*ALL)
    scene.cloud.poll_once(scene.queue, handler)
    scene.cloud.clock.advance(29.9)
    between = scene.cloud.poll_once(scene.queue, handler)
    scene.cloud.clock.advance(0.1)
    after = scene.cloud.poll_once(scene.queue, handler)

    assert polls == [3, 3]
    assert (between, len(after.kept)) == (Round(), 3)


def test_receives_are_counted(scene: Scene) -> None:
    """Each delivery counts, with a failure or without."""
    counted: list[str] = []
    scene.send("a")
    for _ in range(3):
        scene.cloud.poll_once(
            scene.queue,
            lambda event, context: (
                counted.append(event["Records"][0]["attributes"]["ApproximateReceiveCount"]) or 1 / 0
            ),
        )
        scene.cloud.clock.advance(30)

    assert counted == ["1", "2", "3"]


# The batch


def test_empty_queue_runs_nothing(scene: Scene) -> None:
    """Without a message there is no run."""
    done = scene.cloud.poll_once(scene.queue, lambda event, context: 1 / 0)

    assert done == Round([], [], None, None)
    assert scene.steps("run_start", "run_end") == []


@pytest.mark.parametrize(("size", "batches"), [(1, [1, 1, 1]), (2, [2, 1]), (10, [3])])
def test_batch_size(scene: Scene, size: int, batches: list[int]) -> None:
    """A run gets no more messages than the batch size, and one round is one run."""
    seen: list[int] = []
    scene.send(*ALL)
    while scene.cloud.poll_once(
        scene.queue, lambda event, context: seen.append(len(event["Records"])), batch_size=size
    ).deleted:
        pass

    assert seen == batches


@pytest.mark.parametrize("size", [0, 11, -1])
def test_batch_size_that_sqs_does_not_take(scene: Scene, size: int) -> None:
    """A receive takes one to ten messages; another number is the service's to refuse."""
    scene.send("a")
    with pytest.raises(ClientError):
        scene.cloud.poll_once(scene.queue, answering(None), batch_size=size)


def test_queue_that_is_not_there(scene: Scene) -> None:
    """A queue that does not exist is the service's to refuse as well, and Lambda's role ends with it."""
    with pytest.raises(ClientError):
        scene.cloud.poll_once(scene.queue + "x", answering(None))
    scene.send("a")

    assert scene.steps("message")[0]["from"] == "you"


# The event


def test_record(scene: Scene) -> None:
    """A record has the documented fields and no other, in the documented spelling."""
    seen: list[Event] = []
    (message_id,) = scene.send("hola")
    sent = str(round(scene.cloud.clock.now().timestamp() * 1000))
    scene.cloud.poll_once(scene.queue, lambda event, context: seen.append(event))
    (event,) = seen
    (record,) = event["Records"]
    received = record["attributes"].pop("ApproximateFirstReceiveTimestamp")

    assert list(event) == ["Records"]
    assert record.pop("receiptHandle")
    assert abs(int(record["attributes"].pop("SentTimestamp")) - int(sent)) <= 1
    assert int(received) >= int(sent)
    assert record["attributes"].pop("SenderId")
    assert record == {
        "messageId": message_id,
        "body": "hola",
        "attributes": {"ApproximateReceiveCount": "1"},
        "messageAttributes": {},
        "md5OfBody": hashlib.md5(b"hola").hexdigest(),
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:123456789012:tienda-pedidos",
        "awsRegion": "us-east-1",
    }


def test_message_attributes(scene: Scene) -> None:
    """Message attributes come in Lambda's spelling, not in boto3's; bytes come as base64."""
    seen: list[Event] = []
    scene.sqs.send_message(
        QueueUrl=scene.queue,
        MessageBody="a",
        MessageAttributes={
            "shop": {"DataType": "String", "StringValue": "bento"},
            "number": {"DataType": "Number", "StringValue": "3"},
            "raw": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
        },
    )
    scene.cloud.poll_once(scene.queue, lambda event, context: seen.append(event))
    empty: dict[str, list[Any]] = {"stringListValues": [], "binaryListValues": []}

    assert seen[0]["Records"][0]["messageAttributes"] == {
        "shop": {"stringValue": "bento", **empty, "dataType": "String"},
        "number": {"stringValue": "3", **empty, "dataType": "Number"},
        "raw": {"binaryValue": "AP8=", **empty, "dataType": "Binary"},
    }


def test_body_is_the_text_that_was_sent(scene: Scene) -> None:
    """A body crosses as it is, whatever it holds."""
    seen: list[str] = []
    text = '{"a": "注文/佐藤 ñ 🍱", "b": "<&>\\u0000"}\n'
    scene.send(text)
    scene.cloud.poll_once(scene.queue, lambda event, context: seen.append(event["Records"][0]["body"]))

    assert seen == [text]


def test_attributes_of_a_fifo_queue(scene: Scene) -> None:
    """A FIFO queue's record has the group, the deduplication id and the sequence number."""
    seen: list[Event] = []
    queue = scene.new_queue("cola.fifo", FifoQueue="true")
    scene.sqs.send_message(QueueUrl=queue, MessageBody="a", MessageGroupId="g", MessageDeduplicationId="d")
    scene.cloud.poll_once(queue, lambda event, context: seen.append(event["Records"][0]["attributes"]))

    assert {name: seen[0][name] for name in ("MessageGroupId", "MessageDeduplicationId")} == {
        "MessageGroupId": "g",
        "MessageDeduplicationId": "d",
    }
    assert seen[0]["SequenceNumber"]


def test_context(scene: Scene) -> None:
    """The context names the run, as the trace does."""
    seen: list[Any] = []
    scene.send("a")
    scene.cloud.poll_once(scene.queue, lambda event, context: seen.append(context))

    assert [context.aws_request_id for context in seen] == ["r1"]


@pytest.mark.parametrize(("succeeds", "expected"), [(True, []), (False, ALL)], ids=["success", "exception"])
def test_handler_may_change_its_event(scene: Scene, succeeds: bool, expected: list[str]) -> None:
    """What a handler does to its event does not change what Lambda deletes, or keeps."""

    def handler(event: Event, context: Any) -> None:
        for record in event["Records"]:
            record["messageId"] = record["receiptHandle"] = "other"
        event["Records"].clear()
        assert succeeds

    _, left = polled(scene, handler)

    assert left == expected


def test_handler_may_receive_by_itself(scene: Scene) -> None:
    """A handler that deletes its messages itself, as it need not, leaves Lambda nothing to do and no error."""

    def handler(event: Event, context: Any) -> None:
        for record in event["Records"]:
            scene.sqs.delete_message(QueueUrl=scene.queue, ReceiptHandle=record["receiptHandle"])

    done, left = polled(scene, handler)

    assert left == []
    assert done.error is None
