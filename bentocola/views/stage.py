"""The stage of a story: a queue, a table and perhaps a bucket, which are made for it and removed after it.

Plain boto3. What is done to set the stage, to clear it and to take it down shows in no trace.
"""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass, field

import boto3

from bentocola.cloud.cloud import Cloud
from bentocola.shop import ORDER_KEY, VISIBILITY_TIMEOUT, announce, make_orders_table

__all__ = ["Stage"]

_SUFFIX = {"es": "historia", "ja": "story"}
_numbers = itertools.count(1)


@dataclass
class Stage:
    """What a story plays with. Entering makes it, leaving removes it."""

    cloud: Cloud
    with_bucket: bool
    bucket: str = ""
    queue: str = ""
    table: str = ""
    queue_url: str = ""
    _ends: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __post_init__(self) -> None:
        # A new name each time: SQS wants a minute before a queue's name is used again.
        names, suffix = self.cloud.names, f"{_SUFFIX[self.cloud.edition]}-{next(_numbers)}"
        self.bucket, self.queue, self.table = (f"{name}-{suffix}" for name in (names.bucket, names.queue, names.table))
        self.s3, self.sqs, self.dynamodb = (boto3.client(service) for service in ("s3", "sqs", "dynamodb"))

    def __enter__(self) -> Stage:
        with self.cloud.record(), contextlib.ExitStack() as begun:
            begun.callback(self._remove)
            attributes = {"VisibilityTimeout": str(VISIBILITY_TIMEOUT)}
            self.queue_url = self.sqs.create_queue(QueueName=self.queue, Attributes=attributes)["QueueUrl"]
            make_orders_table(self.dynamodb, self.table)
            if self.with_bucket:
                self._connect_bucket()
            self._ends = begun.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        with self.cloud.record():
            self._ends.close()

    def _connect_bucket(self) -> None:
        self.s3.create_bucket(Bucket=self.bucket)
        announce(self.s3, self.sqs, self.bucket, self.queue_url)
        self._empty_queue()  # of S3's test event

    def clear(self) -> None:
        """Leave it empty, for the next telling."""
        with self.cloud.record():
            self._empty_queue()
            for item in self.dynamodb.scan(TableName=self.table)["Items"]:
                self.dynamodb.delete_item(TableName=self.table, Key={name: item[name] for name in ORDER_KEY})
            self._empty_bucket()

    def _empty_queue(self) -> None:
        # PurgeQueue is allowed once a minute.
        counts = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        while True:
            for message in self.sqs.receive_message(QueueUrl=self.queue_url).get("Messages", []):
                self.sqs.delete_message(QueueUrl=self.queue_url, ReceiptHandle=message["ReceiptHandle"])
            found = self.sqs.get_queue_attributes(QueueUrl=self.queue_url, AttributeNames=counts)["Attributes"]
            visible, hidden = (int(found[name]) for name in counts)
            if not visible:
                if not hidden:
                    return
                self.cloud.clock.advance(VISIBILITY_TIMEOUT)

    def _empty_bucket(self) -> None:
        if self.with_bucket:
            for found in self.s3.list_objects_v2(Bucket=self.bucket).get("Contents", []):
                self.s3.delete_object(Bucket=self.bucket, Key=found["Key"])

    def _remove(self) -> None:
        gone = (self.sqs.exceptions.QueueDoesNotExist, self.s3.exceptions.NoSuchBucket)
        with contextlib.suppress(*gone):
            self._empty_bucket()
            if self.with_bucket:
                self.s3.delete_bucket(Bucket=self.bucket)
        with contextlib.suppress(*gone):
            self.sqs.delete_queue(QueueUrl=self.queue_url)
        with contextlib.suppress(self.dynamodb.exceptions.ResourceNotFoundException):
            self.dynamodb.delete_table(TableName=self.table)
