"""A queue, and short ways to use it, for the tests of SQS's amendments."""

from __future__ import annotations

import json
from typing import Any

import boto3


class Queue:
    """A queue, and short ways to use it. Each method is one call."""

    def __init__(self, name: str = "queue", **attributes: str) -> None:
        self.name, self.sqs = name, boto3.client("sqs")
        if name.endswith(".fifo"):
            attributes = {"FifoQueue": "true", "ContentBasedDeduplication": "true", **attributes}
        self.url = self.sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
        self.arn = f"arn:aws:sqs:us-east-1:123456789012:{name}"

    @property
    def moto(self) -> Any:
        """moto's own queue."""
        from moto.sqs.models import sqs_backends

        return sqs_backends["123456789012"]["us-east-1"].queues[self.name]

    def send(self, body: str = "a", **options: Any) -> str:
        return str(self.sqs.send_message(QueueUrl=self.url, MessageBody=body, **options)["MessageId"])

    def receive(self, most: int = 10, **options: Any) -> list[dict[str, Any]]:
        answer = self.sqs.receive_message(
            QueueUrl=self.url, MaxNumberOfMessages=most, MessageSystemAttributeNames=["All"], **options
        )
        return list(answer.get("Messages", []))

    def bodies(self, most: int = 10, **options: Any) -> list[str]:
        return [message["Body"] for message in self.receive(most, **options)]

    def delete(self, message: dict[str, Any]) -> None:
        self.sqs.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])

    def hide(self, message: dict[str, Any], seconds: int) -> None:
        self.sqs.change_message_visibility(
            QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=seconds
        )

    def set(self, **attributes: str) -> None:
        self.sqs.set_queue_attributes(QueueUrl=self.url, Attributes=attributes)

    def counts(self) -> tuple[int, int, int]:
        """Return what its attributes say: visible, in flight, delayed."""
        names = [f"ApproximateNumberOfMessages{kind}" for kind in ("", "NotVisible", "Delayed")]
        found = self.sqs.get_queue_attributes(QueueUrl=self.url, AttributeNames=names)["Attributes"]
        return int(found[names[0]]), int(found[names[1]]), int(found[names[2]])


def with_dead_letters(name: str = "work", most: int = 1, suffix: str = "", **attributes: str) -> tuple[Queue, Queue]:
    """Return a queue and its dead-letter queue."""
    dead = Queue(f"{name}-dlq{suffix}")
    policy = json.dumps({"deadLetterTargetArn": dead.arn, "maxReceiveCount": most})
    return Queue(f"{name}{suffix}", RedrivePolicy=policy, **attributes), dead
