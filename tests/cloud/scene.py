"""What most tests play on: a bucket, a queue that hears of its uploads, an orders table, and short ways to use them."""

from __future__ import annotations

import json
from typing import Any

import boto3

from bentocola.cloud.cloud import Cloud
from bentocola.cloud.trace import Step

CONDITION = "attribute_not_exists(customer)"
TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [
        {"AttributeName": "customer", "KeyType": "HASH"},
        {"AttributeName": "order_id", "KeyType": "RANGE"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": "customer", "AttributeType": "S"},
        {"AttributeName": "order_id", "AttributeType": "N"},
    ],
}


class Scene:
    """Clients and resources in `cloud`. Each method is one call, or says otherwise."""

    def __init__(self, cloud: Cloud, events: str = "s3:ObjectCreated:*", **rule: Any) -> None:
        self.cloud = cloud
        self.s3, self.sqs, self.dynamodb = (boto3.client(name) for name in ("s3", "sqs", "dynamodb"))
        self.bucket, self.table = cloud.names.bucket, cloud.names.table
        self.s3.create_bucket(Bucket=self.bucket)
        self.queue = self.new_queue(cloud.names.queue)
        self.let_s3_send(self.queue)
        self.dynamodb.create_table(TableName=self.table, **TABLE)
        self.announce(events, **rule)
        self.drain()
        cloud.trace.clear()

    def new_queue(self, name: str, **attributes: str) -> str:
        """Make a queue and return its URL."""
        return str(self.sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"])

    def let_s3_send(self, queue: str) -> None:
        """Give the queue a policy that lets S3 send it the bucket's events. Two calls."""
        arn = self.sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        allow = {
            "Effect": "Allow",
            "Principal": {"Service": "s3.amazonaws.com"},
            "Action": "sqs:SendMessage",
            "Resource": arn,
            "Condition": {"ArnLike": {"aws:SourceArn": f"arn:aws:s3:::{self.bucket}"}},
        }
        policy = json.dumps({"Version": "2012-10-17", "Statement": [allow]})
        self.sqs.set_queue_attributes(QueueUrl=queue, Attributes={"Policy": policy})

    def announce(self, *events: str, **rule: Any) -> None:
        """Let the bucket announce `events` to the queue. S3 sends its test event at once."""
        to_queue = {
            "QueueArn": f"arn:aws:sqs:us-east-1:123456789012:{self.cloud.names.queue}",
            "Events": list(events),
            **rule,
        }
        self.s3.put_bucket_notification_configuration(
            Bucket=self.bucket, NotificationConfiguration={"QueueConfigurations": [to_queue]}
        )

    def upload(self, key: str, body: bytes = b"{}", **options: Any) -> Any:
        """Upload an object."""
        return self.s3.put_object(Bucket=self.bucket, Key=key, Body=body, **options)

    def send(self, *bodies: str) -> list[str]:
        """Send a message a body, one call each, and return their ids."""
        return [self.sqs.send_message(QueueUrl=self.queue, MessageBody=body)["MessageId"] for body in bodies]

    def receive(self, **options: Any) -> list[dict[str, Any]]:
        """Receive up to ten messages."""
        return list(
            self.sqs.receive_message(QueueUrl=self.queue, **{"MaxNumberOfMessages": 10, **options}).get("Messages", [])
        )

    def delete(self, message: dict[str, Any]) -> None:
        """Delete a received message."""
        self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])

    def drain(self) -> list[Any]:
        """Receive and delete everything that is visible; return the bodies, read as JSON. As many calls as it takes."""
        bodies = []
        while messages := self.receive():
            for message in messages:
                bodies.append(json.loads(message["Body"]))
                self.delete(message)
        return bodies

    def records(self) -> list[dict[str, Any]]:
        """Drain the queue; return the records of all S3 events in it."""
        return [record for body in self.drain() for record in body.get("Records", [])]

    def put(self, customer: str = "lucia", order_id: int = 3, condition: str | None = CONDITION, **others: str) -> None:
        """Write an order, with the condition that none is stored under its key."""
        options = {"ConditionExpression": condition} if condition else {}
        self.dynamodb.put_item(TableName=self.table, Item=self.item(customer, order_id, **others), **options)

    @staticmethod
    def item(customer: str = "lucia", order_id: int = 3, **others: str) -> dict[str, dict[str, str]]:
        """Return an order in DynamoDB's typed JSON."""
        return {
            "customer": {"S": customer},
            "order_id": {"N": str(order_id)},
            **{name: {"S": value} for name, value in others.items()},
        }

    def steps(self, *kinds: str) -> list[Step]:
        """Return the steps of the trace, of some kinds only if any is named."""
        return [step for step in self.cloud.trace if not kinds or step["kind"] in kinds]
