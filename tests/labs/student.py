"""A student who does lab 05 with boto3, on a cloud that stands still; and the mistakes that they can make."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import ClientError

from bentocola.cli.lab_room import Room
from bentocola.cloud.cloud import Cloud, start
from bentocola.cloud.door import Request
from bentocola.cloud.functions.inline import Inline
from bentocola.labs.catalogue import read_lab
from bentocola.labs.folder import Folder

__all__ = ["DEDUP", "OTHER", "SOLUTION", "Student", "open_room", "packed", "still_cloud"]

SOLUTION = (Path(__file__).parent / "solutions" / "idempotent_consumer.py").read_text(encoding="utf-8")
DEDUP = {"id": "dedup-order", "quantity": 4}
OTHER = {"id": "other-order", "quantity": 1}
ACCOUNT = "arn:aws:{}:us-east-1:123456789012:{}"


def still_cloud(edition: str) -> Cloud:
    """A cloud whose functions run in this process, and whose time moves when it is told to."""
    runtime = Inline(lambda request: cloud.handle(request), now=lambda: cloud.clock.now())
    cloud = start(edition, runtime=runtime)
    return cloud


def open_room(folder: Path, language: str = "es", prefix: str = "lab05", **options: Any) -> Room:
    """Open the lab in a folder."""
    lab = read_lab("idempotent-consumer", prefix)
    opened = Folder(folder)
    opened.open()
    opened.remember(name=lab.name, prefix=prefix, language=language)
    opened.hand_out(lab.starter(language))
    return Room(lab, language, opened, "http://127.0.0.1:5005", options.pop("start", still_cloud), **options)


def packed(source: str = SOLUTION, name: str = "app.py") -> bytes:
    """A deployment package with one file in it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), source)  # without the time of day
    return made.getvalue()


class Student:
    """Each method is one thing that somebody does in the lab."""

    def __init__(self, room: Room) -> None:
        self.room, self.names = room, room.lab.names
        self.sqs, self.awslambda, self.dynamodb, self.logs = (
            boto3.client(service) for service in ("sqs", "lambda", "dynamodb", "logs")
        )
        self.url = ""
        self.mapping = ""

    # Step 1

    def make_queue(self, name: str = "", seconds: int = 30) -> None:
        """Make the lab's queue, or another."""
        made = self.sqs.create_queue(
            QueueName=name or self.names["queue"], Attributes={"VisibilityTimeout": str(seconds)}
        )
        self.url = made["QueueUrl"]

    def map(self, queue: str = "", batch_size: int = 1, function: str = "", **options: Any) -> None:
        """Map the queue to the function, and wait until that is done."""
        made = self.awslambda.create_event_source_mapping(
            FunctionName=function or self.names["function"],
            EventSourceArn=ACCOUNT.format("sqs", queue or self.names["queue"]),
            BatchSize=batch_size,
            **options,
        )
        self.mapping = made["UUID"]
        self.settle()

    def connect(self) -> None:
        """Do all of step 1."""
        self.make_queue()
        self.map()

    # Step 2

    def upload(self, source: str = SOLUTION, name: str = "app.py", content: bytes | None = None) -> None:
        """Upload a package with this file in it."""
        self.awslambda.update_function_code(
            FunctionName=self.names["function"], ZipFile=packed(source, name) if content is None else content
        )

    def upload_with(self, *changes: tuple[str, str]) -> None:
        """Upload the solution with changes, each an old and a new text."""
        source = SOLUTION
        for old, new in changes:
            assert old in source, old
            source = source.replace(old, new)
        self.upload(source)

    def send(self, job: Any, url: str = "") -> None:
        """Send a job, or a body as it is, and let come what comes of it."""
        body = job if isinstance(job, str) else json.dumps(job)
        self.sqs.send_message(QueueUrl=url or self.url, MessageBody=body)
        self.settle()

    def guard(self) -> None:
        """Do all of step 2."""
        self.upload()
        self.send(DEDUP)

    # Step 3

    def repeat(self) -> None:
        """Do all of step 3."""
        for job in (DEDUP, DEDUP, OTHER):
            self.send(job)

    # Step 4

    def delete_mapping(self) -> None:
        """Delete the mapping, and wait until that is done."""
        self.awslambda.delete_event_source_mapping(UUID=self.mapping)
        self.settle()

    def delete_queue(self) -> None:
        """Delete the queue."""
        self.sqs.delete_queue(QueueUrl=self.url)

    def delete_order(self, key: str) -> None:
        """Delete one order."""
        self.dynamodb.delete_item(TableName=self.names["orders"], Key={"id": {"S": key}})

    def delete_log(self) -> None:
        """Delete the log group."""
        self.logs.delete_log_group(logGroupName=self.names["log_group"])

    def clean_up(self) -> None:
        """Do all of step 4."""
        self.delete_mapping()
        self.delete_queue()
        for job in (DEDUP, OTHER):
            self.delete_order(job["id"])
        self.delete_log()

    # Whenever

    def put(self, table: str, **item: str) -> None:
        """Write an item of texts."""
        typed = {name: {"S": value} for name, value in item.items()}
        self.dynamodb.put_item(TableName=self.names[table], Item=typed)

    def invoke(self, *jobs: Any) -> None:
        """Invoke the function by hand."""
        records = [{"messageId": "by-hand", "body": json.dumps(job)} for job in jobs]
        self.awslambda.invoke(FunctionName=self.names["function"], Payload=json.dumps({"Records": records}))

    def fails(self, call: Any, *given: Any, **named: Any) -> str:
        """Do something that AWS refuses, and return the code."""
        try:
            call(*given, **named)
        except ClientError as error:
            return str(error.response["Error"]["Code"])
        raise AssertionError("It was accepted.")

    def settle(self, seconds: float = 0) -> None:
        """Let time pass, and come what comes of it."""
        if seconds:
            self.room.cloud.clock.advance(seconds)
        self.room.cloud.settle()

    def ask(self, what: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        """Ask the lab's control door; return the status and what it says."""
        request = Request("POST", f"http://127.0.0.1:5005/_bentocola/{what}", {}, json.dumps(body).encode())
        response = self.room.control(request)
        return response.status, response.json()

    def check(self, step: int | None = None) -> dict[str, Any]:
        """Ask whether a step is done, or all of them."""
        status, told = self.ask("lab/check", {"step": step})
        assert status == 200, told
        return told

    def cleanup_check(self) -> dict[str, Any]:
        """Ask whether the clean-up is done."""
        status, told = self.ask("lab/cleanup-check")
        assert status == 200, told
        return told
