"""What SQS refuses: messages, batches, addresses and requests that are not as AWS documents them.

Plain moto accepts nearly all of these, or fails on them.
"""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request
from tests.cloud.sqs import Queue
from tests.cloud.test_sqs_queues import refused

BYTES = 1_048_576


@pytest.fixture
def queue(cloud: Cloud) -> Queue:
    return Queue()


@pytest.fixture
def fifo(cloud: Cloud) -> Queue:
    return Queue("queue.fifo", ContentBasedDeduplication="false")


def text(value: str, data_type: str = "String") -> dict[str, str]:
    return {"DataType": data_type, "StringValue": value}


# Bodies


def test_empty_body(queue: Queue) -> None:
    """A body has one character at least."""
    assert refused(queue.send, "") == ("MissingParameter", "The request must contain the parameter MessageBody.")


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\x1f", "\ufffe", "\uffff", "\ud800"], ids=ascii)
def test_characters_outside_the_set(queue: Queue, character: str) -> None:
    """Others than the documented ones are refused, wherever they stand."""
    with pytest.raises(queue.sqs.exceptions.InvalidMessageContents, match="Valid unicode characters are #x9"):
        queue.send(f"a\n{character}b")


@pytest.mark.parametrize(
    "character", ["\t", "\n", "\r", " ", "\x7f", "\ud7ff", "\ue000", "\ufffd", "\U00010000", "\U0010ffff"], ids=ascii
)
def test_characters_of_the_set(queue: Queue, character: str) -> None:
    """The ends of the documented ranges are in them."""
    queue.send(character)

    assert queue.bodies() == [character]


def test_size_in_bytes(queue: Queue) -> None:
    """A message has at most 1,048,576 bytes, as UTF-8."""
    queue.send("ñ" * (BYTES // 2))

    assert refused(queue.send, "ñ" * (BYTES // 2) + "n") == (
        "InvalidParameterValue",
        f"One or more parameters are invalid. Reason: Message must be shorter than {BYTES} bytes.",
    )


def test_size_of_the_queue(queue: Queue) -> None:
    """The queue's own limit holds, and attributes count: name, type and value."""
    queue.set(MaximumMessageSize="1024")
    queue.send("a" * (1024 - 16), MessageAttributes={"color": text("white")})
    queue.send("a" * (1024 - 14), MessageAttributes={"color": {"DataType": "Binary", "BinaryValue": b"\x00\x01\x02"}})

    assert (
        refused(queue.send, "a" * (1024 - 15), MessageAttributes={"color": text("white")})[0] == "InvalidParameterValue"
    )
    assert refused(queue.send, "a" * 1025)[1].endswith("shorter than 1024 bytes.")


@pytest.mark.parametrize("delay", [-1, 901])
def test_delay(queue: Queue, delay: int) -> None:
    """A message is delayed by 0 to 900 seconds."""
    assert refused(queue.send, DelaySeconds=delay) == (
        "InvalidParameterValue",
        f"Value {delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.",
    )


# FIFO


def test_fifo_needs_ids(fifo: Queue) -> None:
    """A message group always, and a deduplication id unless it is by content."""
    assert refused(fifo.send, MessageDeduplicationId="1") == (
        "MissingParameter",
        "The request must contain the parameter MessageGroupId.",
    )
    assert refused(fifo.send, MessageGroupId="g") == (
        "InvalidParameterValue",
        "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
    )

    fifo.set(ContentBasedDeduplication="true")

    assert refused(fifo.send)[0] == "MissingParameter"
    fifo.send(MessageGroupId="g")


def test_fifo_delays_as_a_queue_only(fifo: Queue) -> None:
    """A message of a FIFO queue has no delay of its own."""
    ids = {"MessageGroupId": "g", "MessageDeduplicationId": "1"}
    code, message = refused(fifo.send, DelaySeconds=2, **ids)

    assert (code, message[:44]) == ("InvalidParameterValue", "Value 2 for parameter DelaySeconds is invali")
    fifo.send(DelaySeconds=0, **ids)


@pytest.mark.parametrize("name", ["MessageGroupId", "MessageDeduplicationId"])
@pytest.mark.parametrize("value", ["a b", "ñ", "a" * 129])
def test_ids(fifo: Queue, name: str, value: str) -> None:
    """1 to 128 letters, digits and punctuation characters."""
    ids = {"MessageGroupId": "g", "MessageDeduplicationId": "1", name: value}
    code, message = refused(fifo.send, **ids)

    assert code == "InvalidParameterValue"
    assert message.endswith(f"{name} can only include alphanumeric and punctuation characters. 1 to 128 in length.")


def test_ids_of_a_standard_queue(queue: Queue) -> None:
    """A message group makes a fair queue; a deduplication id is for FIFO queues."""
    queue.send(MessageGroupId="tenant")

    assert refused(queue.send, MessageDeduplicationId="1")[0] == "InvalidParameterValue"


# Message attributes

WRONG_ATTRIBUTES: list[tuple[dict[str, Any], str]] = [
    ({"x": text("")}, "Message (user) attribute 'x' must contain a non-empty value of type 'String'."),
    ({"x": {"DataType": "String"}}, "Message (user) attribute 'x' must contain a non-empty value of type 'String'."),
    ({"x": {"DataType": "Binary", "BinaryValue": b""}}, "Message (user) attribute 'x' must contain a non-empty value"),
    ({"x": text("1", "")}, "The message (user) attribute 'x' must contain a non-empty message attribute type."),
    ({"x": text("1", "Text")}, "The type of message (user) attribute 'x' is invalid."),
    ({"x": text("1", "Binary")}, "Message (user) attribute 'x' with type 'Binary' must use field 'Binary'."),
    ({"x": text("one", "Number")}, "Can't cast the value of message (user) attribute 'x' to a number."),
    ({"x": text("nan", "Number.float")}, "Can't cast the value of message (user) attribute 'x' to a number."),
    ({"x": text("\x00")}, "Message (user) attribute 'x' contains characters outside the allowed set."),
    ({"": text("1")}, "The request must contain non-empty message (user) attribute names."),
    ({"a" * 257: text("1")}, "Message (user) attribute name must be shorter than 256 bytes."),
    ({"x": text("1", "String." + "a" * 250)}, "Message (user) attribute type must be shorter than 256 bytes."),
    ({"aWs.x": text("1")}, "You can't use message attribute names beginning with 'AWS.'"),
    ({"amazon.x": text("1")}, "You can't use message attribute names beginning with 'AWS.'"),
    ({".x": text("1")}, "Message (user) attribute name must not begin with character '.'."),
    ({"x.": text("1")}, "Message (user) attribute name must not end with character '.'."),
    ({"x..y": text("1")}, "Message (user) attribute name must not have successive '.' characters."),
    ({"x y": text("1")}, "Invalid non-alphanumeric character was found in the message attribute name 'x y'."),
    ({f"x{n}": text("1") for n in range(11)}, "Number of message attributes [11] exceeds the allowed maximum [10]."),
]


@pytest.mark.parametrize(("attributes", "message"), WRONG_ATTRIBUTES)
def test_wrong_attributes(queue: Queue, attributes: dict[str, Any], message: str) -> None:
    """Name, type and value are not empty, the type is one of three, the name has its rules, and there are ten at most."""
    code, came = refused(queue.send, MessageAttributes=attributes)

    assert code == "InvalidParameterValue"
    assert came.startswith(message)


def test_right_attributes(queue: Queue) -> None:
    """Types may have a label of one's own; numbers may have a sign, a fraction and an exponent."""
    attributes = {
        "a" * 256: text("1"),
        "x.y-z_1": text("ñ", "String.name"),
        "n": text("-1.5e+3", "Number.float"),
        "b": {"DataType": "Binary.png", "BinaryValue": b"\x00"},
    }
    queue.send(MessageAttributes=attributes)

    assert queue.receive(MessageAttributeNames=["All"])[0]["MessageAttributes"] == attributes


def test_system_attributes(queue: Queue) -> None:
    """There is one, and it is shown to who asks for it, sent alone or in a batch."""
    header = {"AWSTraceHeader": text("Root=1-5759e988-bd862e3fe1be46a994272793")}
    queue.send(MessageSystemAttributes=header)
    entry = {"Id": "1", "MessageBody": "a", "MessageSystemAttributes": header}
    queue.sqs.send_message_batch(QueueUrl=queue.url, Entries=[entry])

    assert [message["Attributes"]["AWSTraceHeader"][:6] for message in queue.receive()] == ["Root=1", "Root=1"]
    assert refused(queue.send, MessageSystemAttributes={"Other": text("1")}) == (
        "InvalidParameterValue",
        "Message system attribute name 'Other' is invalid.",
    )


# Batches

BATCHES = ["send_message_batch", "delete_message_batch", "change_message_visibility_batch"]


def entries(*ids: str) -> list[dict[str, Any]]:
    return [{"Id": entry, "ReceiptHandle": entry, "VisibilityTimeout": 10, "MessageBody": "a"} for entry in ids]


def batch(queue: Queue, operation: str, given: list[dict[str, Any]]) -> Any:
    """Call, with of each entry what the operation takes."""
    names = {"send": ("MessageBody",), "delete": ("ReceiptHandle",), "change": ("ReceiptHandle", "VisibilityTimeout")}
    taken = ("Id", *names[operation.partition("_")[0]])
    rows = [{name: entry[name] for name in taken} for entry in given]
    return getattr(queue.sqs, operation)(QueueUrl=queue.url, Entries=rows)


@pytest.mark.parametrize("operation", BATCHES)
@pytest.mark.parametrize(
    ("ids", "code"),
    [
        ([], "EmptyBatchRequest"),
        ([str(number) for number in range(11)], "TooManyEntriesInBatchRequest"),
        (["a", "b", "a"], "BatchEntryIdsNotDistinct"),
        (["a b"], "InvalidBatchEntryId"),
        (["ñ"], "InvalidBatchEntryId"),
        (["a" * 81], "InvalidBatchEntryId"),
    ],
)
def test_wrong_batches(queue: Queue, operation: str, ids: list[str], code: str) -> None:
    """One to ten entries, with distinct ids of up to 80 letters, digits, hyphens and underscores."""
    assert refused(batch, queue, operation, entries(*ids))[0] == f"AWS.SimpleQueueService.{code}"


def test_size_of_a_batch(queue: Queue) -> None:
    """All messages of a batch together have at most 1,048,576 bytes."""
    rows = [{"Id": str(number), "MessageBody": "ñ" * (BYTES // 4)} for number in range(2)]
    queue.sqs.send_message_batch(QueueUrl=queue.url, Entries=rows)
    rows[0]["MessageBody"] += "n"

    assert refused(queue.sqs.send_message_batch, QueueUrl=queue.url, Entries=rows) == (
        "AWS.SimpleQueueService.BatchRequestTooLong",
        f"Batch requests cannot be longer than {BYTES} bytes. You have sent {BYTES + 1} bytes.",
    )


@pytest.mark.parametrize("operation", BATCHES[1:])
def test_receipt_handles_in_a_batch(queue: Queue, operation: str) -> None:
    """A wrong handle fails by itself; the same handle twice is no error."""
    queue.send()
    handle = queue.receive()[0]["ReceiptHandle"]
    rows = [{**entry, "ReceiptHandle": handle} for entry in entries("a", "b")] + entries("c")
    answer = batch(queue, operation, rows)

    assert [entry["Id"] for entry in answer["Successful"]] == ["a", "b"]
    assert [(entry["Id"], entry["Code"]) for entry in answer["Failed"]] == [("c", "ReceiptHandleIsInvalid")]


# Receiving and hiding

WRONG_RECEIPTS = [
    ("MaxNumberOfMessages", 0, "Must be between 1 and 10, if provided."),
    ("MaxNumberOfMessages", 11, "Must be between 1 and 10, if provided."),
    ("WaitTimeSeconds", -1, "Must be >= 0 and <= 20, if provided."),
    ("WaitTimeSeconds", 21, "Must be >= 0 and <= 20, if provided."),
    ("VisibilityTimeout", -1, "Must be >= 0 and <= 43200, if provided."),
    ("VisibilityTimeout", 43_201, "Must be >= 0 and <= 43200, if provided."),
]


@pytest.mark.parametrize(("name", "value", "reason"), WRONG_RECEIPTS)
def test_wrong_receipts(queue: Queue, name: str, value: int, reason: str) -> None:
    """Each number has its range."""
    assert refused(queue.sqs.receive_message, QueueUrl=queue.url, **{name: value}) == (
        "InvalidParameterValue",
        f"Value {value} for parameter {name} is invalid. Reason: {reason}",
    )


@pytest.mark.parametrize("parameter", ["AttributeNames", "MessageSystemAttributeNames"])
def test_unknown_attribute_of_a_message(queue: Queue, parameter: str) -> None:
    """A name that does not exist is refused; the older parameter takes the queues' names as well."""
    ask = queue.sqs.receive_message

    assert refused(ask, QueueUrl=queue.url, **{parameter: ["Sender"]}) == (
        "InvalidAttributeName",
        "Unknown Attribute Sender.",
    )
    ask(QueueUrl=queue.url, AttributeNames=["All", "Policy", "SenderId"])


@pytest.mark.parametrize("timeout", [-1, 43_201])
def test_wrong_timeouts(queue: Queue, timeout: int) -> None:
    """A message is hidden for up to twelve hours; in a batch, the entry fails."""
    queue.send()
    (message,) = queue.receive()
    entry = {"Id": "1", "ReceiptHandle": message["ReceiptHandle"], "VisibilityTimeout": timeout}
    answer = queue.sqs.change_message_visibility_batch(QueueUrl=queue.url, Entries=[entry])

    assert refused(queue.hide, message, timeout)[0] == "InvalidParameterValue"
    assert [failure["Code"] for failure in answer["Failed"]] == ["InvalidParameterValue"]


def test_unknown_attribute_of_a_queue(queue: Queue) -> None:
    """GetQueueAttributes refuses a name that does not exist."""
    assert refused(queue.sqs.get_queue_attributes, QueueUrl=queue.url, AttributeNames=["Size"]) == (
        "InvalidAttributeName",
        "Unknown Attribute Size.",
    )


# Addresses


def test_queue_of_another_account(queue: Queue) -> None:
    """It is not to be reached, under its URL nor by its owner."""
    url = queue.url.replace("123456789012", "210987654321")
    gone = (
        "AWS.SimpleQueueService.NonExistentQueue",
        "The specified queue does not exist or you do not have access to it.",
    )

    assert refused(queue.sqs.send_message, QueueUrl=url, MessageBody="a") == gone
    assert refused(queue.sqs.get_queue_url, QueueName="queue", QueueOwnerAWSAccountId="210987654321") == gone
    assert queue.sqs.get_queue_url(QueueName="queue", QueueOwnerAWSAccountId="123456789012")["QueueUrl"] == queue.url


@pytest.mark.parametrize("host", ["sqs.eu-west-1.amazonaws.com", "eu-west-1.queue.amazonaws.com"])
def test_queue_of_another_region(queue: Queue, host: str) -> None:
    """A client asks in its own region only."""
    url = f"https://{host}/123456789012/queue"

    assert refused(queue.sqs.send_message, QueueUrl=url, MessageBody="a") == (
        "InvalidAddress",
        f"The address https://{host}/ is not valid for this endpoint.",
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://sqs.us-east-1.amazonaws.com/123456789012/queue",
        "https://queue.amazonaws.com/123456789012/queue",
        "http://127.0.0.1:4566/123456789012/queue",
        "queue",
    ],
)
def test_addresses_of_the_same_queue(queue: Queue, url: str) -> None:
    """The service's hosts, new and old, a local endpoint, and the bare name lead to it."""
    queue.sqs.send_message(QueueUrl=url, MessageBody="a")

    assert queue.counts() == (1, 0, 0)


def test_queue_that_does_not_exist(queue: Queue) -> None:
    """It is so under the code that older SDKs know."""
    with pytest.raises(queue.sqs.exceptions.QueueDoesNotExist) as refusal:
        queue.sqs.receive_message(QueueUrl=f"{queue.url}x")

    assert refusal.value.response["Error"]["Code"] == "AWS.SimpleQueueService.NonExistentQueue"


# Requests that no SDK sends


def ask(cloud: Cloud, operation: str, body: Any) -> tuple[int, dict[str, Any]]:
    """Send this JSON, and return status and answer."""
    headers = {
        "X-Amz-Target": f"AmazonSQS.{operation}",
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/sqs/aws4_request",
    }
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    response = cloud._door.handle(Request("POST", "https://sqs.us-east-1.amazonaws.com/", headers, data))
    return response.status, response.json()


URL = "https://sqs.us-east-1.amazonaws.com/123456789012/queue"
MISTYPED: list[tuple[str, Any, str]] = [
    ("SendMessage", {"QueueUrl": URL, "MessageBody": 5}, "NUMBER_VALUE can not be converted to a String"),
    ("SendMessage", {"QueueUrl": 5, "MessageBody": "a"}, "NUMBER_VALUE can not be converted to a String"),
    ("SendMessage", {"QueueUrl": URL, "MessageBody": ["a"]}, "Start of structure or map found where not expected."),
    (
        "SendMessage",
        {"QueueUrl": URL, "MessageBody": "a", "DelaySeconds": "x"},
        "STRING_VALUE can not be converted to an Integer",
    ),
    (
        "SendMessage",
        {"QueueUrl": URL, "MessageBody": "a", "DelaySeconds": True},
        "TRUE_VALUE can not be converted to an Integer",
    ),
    (
        "SendMessage",
        {"QueueUrl": URL, "MessageBody": "a", "DelaySeconds": 1.5},
        "NUMBER_VALUE can not be converted to an Integer",
    ),
    ("SendMessage", {"QueueUrl": URL, "MessageBody": "a", "MessageAttributes": []}, "Expected map or null"),
    ("SendMessage", {"QueueUrl": URL, "MessageBody": "a", "MessageAttributes": {"x": 1}}, "Expected structure or null"),
    (
        "SendMessage",
        {"QueueUrl": URL, "MessageBody": "a", "MessageAttributes": {"x": {"DataType": "Binary", "BinaryValue": "?"}}},
        "STRING_VALUE can not be converted to a Blob",
    ),
    ("SendMessageBatch", {"QueueUrl": URL, "Entries": {}}, "Expected list or null"),
    ("SendMessageBatch", {"QueueUrl": URL, "Entries": ["a"]}, "Expected structure or null"),
    (
        "CreateQueue",
        {"QueueName": "queue", "Attributes": {"DelaySeconds": 5}},
        "NUMBER_VALUE can not be converted to a String",
    ),
    ("CreateQueue", {"QueueName": 5}, "NUMBER_VALUE can not be converted to a String"),
    ("ReceiveMessage", [], "Expected structure or null"),
    ("ReceiveMessage", b"{", "The request body is not valid JSON."),
]


@pytest.mark.parametrize(("operation", "body", "message"), MISTYPED)
def test_wrong_types(cloud: Cloud, queue: Queue, operation: str, body: Any, message: str) -> None:
    """A request of the wrong JSON types gets the protocol's error, and nothing fails inside."""
    status, answer = ask(cloud, operation, body)

    assert status == 400
    assert answer["__type"].rpartition("#")[2] == "SerializationException"
    assert message in (answer.get("message") or answer.get("Message"))


@pytest.mark.parametrize(
    ("operation", "body", "missing"),
    [
        ("SendMessage", {"MessageBody": "a"}, "QueueUrl"),
        ("SendMessage", {"QueueUrl": URL}, "MessageBody"),
        ("SendMessage", {"QueueUrl": URL, "MessageBody": None}, "MessageBody"),
        ("SendMessageBatch", {"QueueUrl": URL, "Entries": [{"Id": "1"}]}, "MessageBody"),
        ("DeleteMessage", {"QueueUrl": URL}, "ReceiptHandle"),
        ("CreateQueue", {}, "QueueName"),
    ],
)
def test_missing_parameters(cloud: Cloud, queue: Queue, operation: str, body: Any, missing: str) -> None:
    """What a request must contain is named."""
    status, answer = ask(cloud, operation, body)

    assert status == 400
    assert f"The request must contain the parameter {missing}." in answer.values()


def test_no_number_in_the_query_protocol(cloud: Cloud, queue: Queue) -> None:
    """The older protocol sends texts: one that is no number is an error of the query."""
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/sqs/aws4_request",
    }
    body = b"Action=ReceiveMessage&Version=2012-11-05&MaxNumberOfMessages=ten"
    response = cloud._door.handle(Request("POST", URL, headers, body))

    assert response.status == 400
    assert b"<Code>MalformedQueryString</Code>" in response.body


def test_clients_of_other_regions(cloud: Cloud) -> None:
    """Each region has its own queues, under its own addresses."""
    there = boto3.client("sqs", region_name="eu-west-1")
    url = there.create_queue(QueueName="queue")["QueueUrl"]
    there.send_message(QueueUrl=url, MessageBody="a")

    assert "eu-west-1" in url
    assert "QueueUrls" not in boto3.client("sqs").list_queues()
