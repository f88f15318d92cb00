"""What Lambda does for a queue: take a batch, run the handler, delete what it finished. One round at a time, in this process.

It has the public semantics of an event source mapping for SQS, and reaches the queue as everybody does: with boto3, through
the door. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bentocola.cloud.recorder import Recorder

__all__ = ["Context", "Handler", "Round", "poll_once"]

Handler = Callable[[dict[str, Any], Any], Any]
_ATTRIBUTES = {
    "ApproximateReceiveCount",
    "SentTimestamp",
    "SenderId",
    "ApproximateFirstReceiveTimestamp",
    "MessageDeduplicationId",
    "MessageGroupId",
    "SequenceNumber",
    "AWSTraceHeader",
}


@dataclass(frozen=True)
class Context:
    """The part of Lambda's context object that has a meaning when a handler runs inline."""

    aws_request_id: str
    function_name: str = "bentocola-inline"
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 128


@dataclass(frozen=True)
class Round:
    """What one round did: the message ids that Lambda deleted and kept, and what the handler answered or raised."""

    deleted: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    response: Any = None
    error: BaseException | None = None


def poll_once(
    sqs: Any,
    recorder: Recorder,
    queue_url: str,
    handler: Handler,
    *,
    batch_size: int = 10,
    report_batch_item_failures: bool = True,
) -> Round:
    """Receive up to `batch_size` messages, run `handler` on them once, and delete those that count as done.

    Without an error all of them are done; with `report_batch_item_failures`, all but those that the response lists. After an
    exception, or a list that Lambda cannot read, none is: the batch stays hidden until its visibility timeout ends.
    """
    with recorder.as_lambda():
        received = sqs.receive_message(
            QueueUrl=queue_url, MaxNumberOfMessages=batch_size, AttributeNames=["All"], MessageAttributeNames=["All"]
        ).get("Messages", [])
        if not received:
            return Round()
        arn = sqs.get_queue_attributes(QueueUrl=queue_url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    event = {"Records": [_record(message, arn) for message in received]}
    ids = [message["MessageId"] for message in received]
    response, error = None, None
    with recorder.run(event) as run:
        try:
            # Lambda hands the answer on as JSON, and reads it as such; one that is none fails the run.
            response = json.loads(json.dumps(handler(event, Context(aws_request_id=run["id"]))))
            run["result"] = "ok"
        except (Exception, SystemExit) as raised:  # the handler is the student's: whatever it raises fails the run
            error = raised
            run["result"] = "error"
            run["log"].append(f"{type(raised).__name__}: {raised}")
    kept = set(ids) if error is not None else _failed(response, ids) if report_batch_item_failures else set()
    done = [message for message in received if message["MessageId"] not in kept]
    if done:
        entries = [{"Id": str(n), "ReceiptHandle": message["ReceiptHandle"]} for n, message in enumerate(done)]
        with recorder.as_lambda():
            sqs.delete_message_batch(QueueUrl=queue_url, Entries=entries)
    return Round([m["MessageId"] for m in done], [i for i in ids if i in kept], response, error)


def _record(message: dict[str, Any], arn: str) -> dict[str, Any]:
    """A received message as the record that a handler gets."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": {k: v for k, v in message.get("Attributes", {}).items() if k in _ATTRIBUTES},
        "messageAttributes": {k: _attribute(v) for k, v in message.get("MessageAttributes", {}).items()},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": arn,
        "awsRegion": arn.split(":")[3],
    }


def _attribute(value: dict[str, Any]) -> dict[str, Any]:
    """A message attribute in the spelling of a Lambda event. https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html"""
    record: dict[str, Any] = {}
    if "StringValue" in value:
        record["stringValue"] = value["StringValue"]
    if "BinaryValue" in value:
        record["binaryValue"] = base64.b64encode(value["BinaryValue"]).decode()
    return {**record, "stringListValues": [], "binaryListValues": [], "dataType": value["DataType"]}


def _failed(response: Any, ids: list[str]) -> set[str]:
    """Return the ids that a response leaves in the queue.

    A complete success: an empty or null response, an empty or null list. A complete failure: an empty, null or unknown
    `itemIdentifier`, one under another name, and "an invalid JSON response", which here is whatever has another form.
    https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
    """
    if response in (None, {}, [], ""):
        return set()
    if not isinstance(response, dict):
        return set(ids)
    failures = response.get("batchItemFailures")
    if failures is None:
        return set()
    if not isinstance(failures, list):
        return set(ids)
    named = [failure.get("itemIdentifier") if isinstance(failure, dict) else None for failure in failures]
    return {str(name) for name in named} if all(name in ids for name in named) else set(ids)
