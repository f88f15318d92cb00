"""The shop of the course: the bucket, queue and tables that stand ready, and the messages and items that lessons and tests use.

Plain boto3 against whatever cloud is running; nothing here knows what a right answer is.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

from bentocola.cloud.imports import quick

# Often the first import of a notebook that brings boto3 and moto in.
with quick():
    import boto3

    from bentocola.cloud.cloud import Cloud

__all__ = [
    "JOB_KEY",
    "ORDER_KEY",
    "VISIBILITY_TIMEOUT",
    "Shop",
    "announce",
    "event_body",
    "make_jobs_table",
    "make_orders_table",
    "order_item",
    "test_event_body",
]

ORDER_KEY = {"customer": "S", "order_id": "N"}
"""The key of every orders table: partition key and sort key, with their types."""

JOB_KEY = {"id": "S"}
"""The key of every jobs table: a job's own id, with its type."""

VISIBILITY_TIMEOUT = 30
"""Seconds that a received message stays hidden, in every queue of the course."""


class Shop:
    """Opens the shop in `cloud`: bucket → queue notifications and an orders table, empty, under the edition's names.

    Attributes: `bucket` and `table` (names), `queue_url`, and the edition's `names`.
    """

    def __init__(self, cloud: Cloud) -> None:
        self.names = cloud.names
        self._s3, self._sqs, self._dynamodb = (boto3.client(service) for service in ("s3", "sqs", "dynamodb"))
        self._numbers = itertools.count(1)
        self.bucket = self.names.bucket
        self._s3.create_bucket(Bucket=self.bucket)
        self.queue_url = self._queue(self.names.queue)
        self.table = self._orders_table(self.names.table)
        self.connect(self.queue_url)

    def connect(self, queue_url: str) -> None:
        """Let the bucket announce new objects to the queue, and the queue accept it. S3 sends its test event at once."""
        announce(self._s3, self._sqs, self.bucket, queue_url)

    def new_queue(self, *bodies: str) -> str:
        """Make another queue, send it one message a body, and return its URL."""
        url = self._queue(self._another_queue())
        for body in bodies:
            self._sqs.send_message(QueueUrl=url, MessageBody=body)
        return url

    def new_fifo_queue(self) -> str:
        """Make another empty queue, a FIFO one, and return its URL."""
        return self._queue(self._another_queue(".fifo"), FifoQueue="true")

    def new_table(self) -> str:
        """Make another empty orders table and return its name."""
        name = self._another_table()
        make_orders_table(self._dynamodb, name)
        return name

    def new_jobs_table(self) -> str:
        """Make another empty table for the orders of jobs, whose key is `JOB_KEY`, and return its name."""
        name = self._another_table()
        make_jobs_table(self._dynamodb, name)
        return name

    def waiting(self, queue_url: str) -> int:
        """Return how many messages the queue still has, visible or in flight. Looking receives none."""
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        attributes = self._sqs.get_queue_attributes(QueueUrl=queue_url, AttributeNames=names)["Attributes"]
        return sum(int(attributes[name]) for name in names)

    def items(self, table: str) -> list[dict[str, Any]]:
        """Return every item of the table as typed JSON: by customer and number, or by the job's id."""
        found = self._dynamodb.scan(TableName=table, ConsistentRead=True)["Items"]
        return sorted(found, key=_place)

    def key(self, customer: str, number: object) -> str:
        """Return the key under which a customer's order is uploaded."""
        return f"{self.names.prefix}{customer}/{number}.json"

    def body(self, *keys: str) -> str:
        """Return a message body as S3 sends it for these keys: the documented form, cut down to what the course reads."""
        return event_body(self.bucket, *keys)

    def test_event(self) -> str:
        """Return the body that S3 sends first, when the notification is set up: it has no `Records`."""
        return test_event_body(self.bucket)

    def item(self, customer: str, number: int, status: str = "received") -> dict[str, dict[str, str]]:
        """Return an order as an item in DynamoDB's typed JSON."""
        return order_item(customer, number, status)

    def job(self, id: object, quantity: object) -> str:
        """Return a job as a producer sends it: JSON text. Nothing is looked at, so that it can be a bad one too."""
        return json.dumps({"id": id, "quantity": quantity})

    def results(self, printed: str) -> list[Any]:
        """Return what each RESULT line of this text says: its JSON, or the whole line where that is none."""
        return [_result(line) for line in printed.splitlines() if line.startswith("RESULT")]

    def lambda_event(self, *bodies: str, first: int = 1) -> dict[str, Any]:
        """Return the event that Lambda hands to a handler for these bodies; their ids are m-1, m-2, … from `first` on."""
        return {
            "Records": [
                {"messageId": f"m-{n}", "receiptHandle": f"h-{n}", "body": body, "eventSource": "aws:sqs"}
                for n, body in enumerate(bodies, first)
            ]
        }

    def _others(self, name: str, ending: str = "") -> Iterator[str]:
        """Yield further names. Another shop in the same cloud has used some of them, perhaps."""
        return (f"{name}-{number}{ending}" for number in self._numbers)

    def _another_table(self) -> str:
        taken = self._dynamodb.list_tables()["TableNames"]
        return next(name for name in self._others(self.names.table) if name not in taken)

    def _another_queue(self, ending: str = "") -> str:
        urls = self._sqs.list_queues(QueueNamePrefix=f"{self.names.queue}-").get("QueueUrls", [])
        taken = {url.rpartition("/")[2] for url in urls}
        return next(name for name in self._others(self.names.queue, ending) if name not in taken)

    def _queue(self, name: str, **attributes: str) -> str:
        attributes["VisibilityTimeout"] = str(VISIBILITY_TIMEOUT)
        return str(self._sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"])

    def _orders_table(self, name: str) -> str:
        if name not in self._dynamodb.list_tables()["TableNames"]:
            make_orders_table(self._dynamodb, name)
        return name


def event_body(bucket: str, *keys: str) -> str:
    """Return a message body as S3 sends it for these keys of a bucket; see `Shop.body`."""
    records = [
        {
            "eventName": "ObjectCreated:Put",
            "s3": {"bucket": {"name": bucket}, "object": {"key": quote_plus(key, safe="/")}},
        }
        for key in keys
    ]
    return json.dumps({"Records": records})


def test_event_body(bucket: str) -> str:
    """Return the body that S3 sends first, see `Shop.test_event`."""
    return json.dumps({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": bucket})


def order_item(customer: str, number: int, status: str = "received") -> dict[str, dict[str, str]]:
    """Return an order as an item in DynamoDB's typed JSON, see `Shop.item`."""
    return {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": status}}


def announce(s3: Any, sqs: Any, bucket: str, queue_url: str) -> None:
    """Let a bucket announce new objects to a queue, and the queue accept it. S3 sends its test event at once."""
    arn = sqs.get_queue_attributes(QueueUrl=queue_url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    allow = {
        "Effect": "Allow",
        "Principal": {"Service": "s3.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": arn,
        "Condition": {"ArnLike": {"aws:SourceArn": f"arn:aws:s3:::{bucket}"}},
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allow]})
    sqs.set_queue_attributes(QueueUrl=queue_url, Attributes={"Policy": policy})
    to_queue = {"QueueArn": arn, "Events": ["s3:ObjectCreated:*"]}
    s3.put_bucket_notification_configuration(
        Bucket=bucket, NotificationConfiguration={"QueueConfigurations": [to_queue]}
    )


def make_orders_table(dynamodb: Any, name: str) -> None:
    """Make an empty orders table: its key is `ORDER_KEY`."""
    _make_table(dynamodb, name, ORDER_KEY)


def make_jobs_table(dynamodb: Any, name: str) -> None:
    """Make an empty jobs table: its key is `JOB_KEY`."""
    _make_table(dynamodb, name, JOB_KEY)


def _make_table(dynamodb: Any, name: str, key: dict[str, str]) -> None:
    """Make an empty table with this key: a partition key, and perhaps a sort key."""
    dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[
            {"AttributeName": attribute, "KeyType": kind}
            for attribute, kind in zip(key, ("HASH", "RANGE"), strict=False)
        ],
        AttributeDefinitions=[{"AttributeName": attribute, "AttributeType": kind} for attribute, kind in key.items()],
    )


def _place(item: dict[str, Any]) -> tuple[str] | tuple[str, float]:
    """Return where an item stands among those of its table. Only an order has both attributes of `ORDER_KEY`."""
    if ORDER_KEY.keys() <= item.keys():
        return item["customer"]["S"], float(item["order_id"]["N"])
    return (item["id"]["S"],)


def _result(line: str) -> Any:
    try:
        return json.loads(line.removeprefix("RESULT"))
    except ValueError:
        return line
