"""What passes between a queue and a function's handler: the event of a batch, and what the handler's answer says of it.

Pure: it calls nothing. https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html (the event) and
https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html (the answer).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["failed", "queue_arn", "queue_url", "record"]

_ATTRIBUTES = {
    "ApproximateReceiveCount",
    "SentTimestamp",
    "SenderId",
    "ApproximateFirstReceiveTimestamp",
    "MessageDeduplicationId",
    "MessageGroupId",
    "SequenceNumber",
    "AWSTraceHeader",
    "DeadLetterQueueSourceArn",
}


def queue_arn(url: str, region: str) -> str:
    """Return the ARN of the queue at `url`."""
    account, name = url.rstrip("/").split("/")[-2:]
    return f"arn:aws:sqs:{region}:{account}:{name}"


def queue_url(arn: str) -> str:
    """Return the address of the queue with this ARN."""
    region, account, name = arn.split(":")[3:6]
    return f"https://sqs.{region}.amazonaws.com/{account}/{name}"


def record(message: Mapping[str, Any], arn: str) -> dict[str, Any]:
    """Return a message, as ReceiveMessage's JSON has it, as the record that a handler gets."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": {k: v for k, v in message.get("Attributes", {}).items() if k in _ATTRIBUTES},
        "messageAttributes": {k: _attribute(v) for k, v in message.get("MessageAttributes", {}).items()},
        "md5OfBody": message["MD5OfBody"],
        **({"md5OfMessageAttributes": message["MD5OfMessageAttributes"]} if message.get("MessageAttributes") else {}),
        "eventSource": "aws:sqs",
        "eventSourceARN": arn,
        "awsRegion": arn.split(":")[3],
    }


def _attribute(value: Mapping[str, Any]) -> dict[str, Any]:
    """A message attribute in the spelling of a Lambda event. A binary value is Base64 in both."""
    named = {"StringValue": "stringValue", "BinaryValue": "binaryValue"}
    return {
        **{ours: value[theirs] for theirs, ours in named.items() if theirs in value},
        "stringListValues": [],
        "binaryListValues": [],
        "dataType": value["DataType"],
    }


def failed(response: Any, ids: Sequence[str]) -> set[str]:
    """Return the ids that a response under `ReportBatchItemFailures` leaves in the queue.

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
