"""Records what the views are tested with: a feed of the real cloud, the same one each time, in both editions.

    python -m tests.views.record              writes recorded/pipeline.es.json and pipeline.ja.json (a Feed each), and
                                              trace.es.json and trace.ja.json (the same as a whole trace)
    python -m tests.views.record large FILE   writes a feed of 10,000 steps

Nothing in it depends on the day, on chance, or on the machine: the clock begins on 1 April 2030, moto's random numbers have a
seed, and the function runs in this process in no measured time.
"""

from __future__ import annotations

import contextlib
import datetime
import io
import itertools
import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import boto3
from botocore.exceptions import ClientError

from bentocola.cloud import cloud as cloud_module
from bentocola.cloud.amendments import s3_events
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Caller, caller
from bentocola.cloud.functions.runtime import Outcome, Run
from bentocola.cloud.functions.spec import FunctionSpec
from bentocola.cloud.trace import Feed

__all__ = ["LARGE", "RECORDED", "large", "pipeline", "recordings"]

RECORDED = Path(__file__).with_name("recorded")
LARGE = 10_000
EDITIONS = ("es", "ja")
_BEGAN = datetime.datetime(2030, 4, 1, 9, 0, tzinfo=datetime.UTC)
_TRUST = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}


class _InThisProcess:
    """A runtime that calls `handler`, and says of each run that it took 12.5 ms."""

    def __init__(self) -> None:
        self.handler: Callable[[Any], Any] = lambda event: None

    def run(self, spec: FunctionSpec, event: str, *, request_id: str, run: str | None = None, **_: Any) -> Outcome:
        """Run it, as a call of the function that it is."""
        log = Run(spec, request_id, str.format)
        log.start()
        printed = io.StringIO()
        token = caller.set(Caller("lambda", run))
        payload, result = "", "ok"
        try:
            with contextlib.redirect_stdout(printed):
                payload = json.dumps(self.handler(json.loads(event)))
        except Exception as error:
            payload, result = json.dumps({"errorMessage": str(error), "errorType": type(error).__name__}), "error"
            printed.write(f"[ERROR] {type(error).__name__}: {error}\n")
        finally:
            caller.reset(token)
        log.written(printed.getvalue().encode())
        stream = f"2030/04/01/[$LATEST]{'0' * 32}"
        return log.outcome(
            payload,
            "ok" if result == "ok" else "error",
            duration_ms=12.5,
            init_ms=None,
            memory_mb=64,
            log_stream=stream,
        )

    def close(self) -> None:
        """Nothing runs."""


@contextlib.contextmanager
def _cloud(edition: str) -> Iterator[tuple[Cloud, _InThisProcess]]:
    """A still cloud, the same one each time."""
    from moto.moto_api._internal import mock_random

    runtime = _InThisProcess()
    with contextlib.redirect_stdout(io.StringIO()):
        cloud = cloud_module.start(edition, runtime=runtime)
    cloud.clock._start = cloud.clock._now = _BEGAN
    mock_random.seed(5)
    s3_events._sequence = itertools.count(1)
    try:
        yield cloud, runtime
    finally:
        cloud.stop()


def pipeline(edition: str) -> tuple[Feed, dict[str, Any]]:
    """Return the feed and the trace of a pipeline that is built, used and taken down.

    An order is saved; the same file comes again and is refused; a broken one ends in the dead-letter queue; another is written
    over and deleted by hand; at the end the mapping, the source queue and the table are deleted.
    """
    with _cloud(edition) as (cloud, runtime):
        _play(cloud, runtime)
        feed = cloud.trace.follow("", 0, LARGE)
        return {**feed, "story": "recorded"}, {**cloud.trace.data()}


def _play(cloud: Cloud, runtime: _InThisProcess) -> None:
    names = cloud.names
    s3, sqs, dynamodb, awslambda, iam, logs = (
        boto3.client(service) for service in ("s3", "sqs", "dynamodb", "lambda", "iam", "logs")
    )
    shop = names.bucket.partition("-")[0]

    def handler(event: Any) -> None:
        for record in event["Records"]:
            body = json.loads(record["body"])
            for told in body["Records"]:
                key = unquote_plus(told["s3"]["object"]["key"])
                order = json.loads(s3.get_object(Bucket=names.bucket, Key=key)["Body"].read())
                print("EVENT", key)
                item = {
                    "customer": {"S": order["customer"]},
                    "order_id": {"N": str(order["order_id"])},
                    "status": {"S": "received"},
                }
                try:
                    dynamodb.put_item(
                        TableName=names.table, Item=item, ConditionExpression="attribute_not_exists(customer)"
                    )
                    print("RESULT", json.dumps({"processed": True}))
                except dynamodb.exceptions.ConditionalCheckFailedException:
                    print("RESULT", json.dumps({"processed": False, "duplicate": True}))

    runtime.handler = handler

    def queue(name: str, **attributes: str) -> tuple[str, str]:
        url = sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
        arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        return url, arn

    # What is given
    s3.create_bucket(Bucket=names.bucket)
    _, dead_arn = queue(f"{names.queue}-dlq")
    redrive = json.dumps({"deadLetterTargetArn": dead_arn, "maxReceiveCount": 2})
    url, arn = queue(names.queue, VisibilityTimeout="30", RedrivePolicy=redrive)
    allow = {
        "Effect": "Allow",
        "Principal": {"Service": "s3.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": arn,
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allow]})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": policy})
    dynamodb.create_table(
        TableName=names.table,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[
            {"AttributeName": "customer", "KeyType": "HASH"},
            {"AttributeName": "order_id", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "customer", "AttributeType": "S"},
            {"AttributeName": "order_id", "AttributeType": "N"},
        ],
    )
    role = iam.create_role(
        RoleName=f"{shop}-worker-role",
        AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [_TRUST]}),
    )["Role"]["Arn"]
    may = {"Effect": "Allow", "Action": ["sqs:*", "dynamodb:*", "logs:*", "s3:*"], "Resource": "*"}
    iam.put_role_policy(
        RoleName=f"{shop}-worker-role",
        PolicyName="worker",
        PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [may]}),
    )
    awslambda.create_function(
        FunctionName=f"{shop}-worker",
        Runtime="python3.11",
        Handler="app.handler",
        Role=role,
        Timeout=10,
        Code={"ZipFile": _package()},
    )
    mapping = awslambda.create_event_source_mapping(FunctionName=f"{shop}-worker", EventSourceArn=arn, BatchSize=1)[
        "UUID"
    ]
    to_queue = {"QueueArn": arn, "Events": ["s3:ObjectCreated:*"], "Filter": _filter(names.prefix)}
    s3.put_bucket_notification_configuration(
        Bucket=names.bucket, NotificationConfiguration={"QueueConfigurations": [to_queue]}
    )
    # The test event has no Records: a first look at it by hand
    for message in sqs.receive_message(QueueUrl=url).get("Messages", []):
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])

    def upload(key: str, body: str) -> None:
        s3.put_object(Bucket=names.bucket, Key=key, Body=body.encode())
        cloud.settle()

    def order(key: str) -> str:
        _, customer, name = key.split("/")
        return json.dumps({"customer": customer, "order_id": int(name.removesuffix(".json"))})

    # One order, once and again; another with a name to spell out; one that is broken
    upload(names.first_key, order(names.first_key))
    upload(names.first_key, order(names.first_key))
    upload(
        names.native_key, json.dumps({"customer": names.native_key.split("/")[1], "order_id": 3}, ensure_ascii=False)
    )
    upload(names.second_key, names.broken)
    for _ in range(2):
        cloud.clock.advance(30)
        cloud.settle()
    # By hand: a message that waits, one that comes back, writes without a condition
    sqs.send_message(QueueUrl=url, MessageBody='{"Records": []}', DelaySeconds=20)
    cloud.clock.advance(20)
    cloud.settle()
    key = {"customer": {"S": names.customers[1]}, "order_id": {"N": "7"}}
    dynamodb.put_item(TableName=names.table, Item={**key, "status": {"S": "received"}})
    dynamodb.update_item(
        TableName=names.table,
        Key=key,
        UpdateExpression="SET #s = :s",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":s": {"S": "sent"}},
    )
    with contextlib.suppress(ClientError):
        dynamodb.delete_item(TableName=names.table, Key=key, ConditionExpression="attribute_not_exists(customer)")
    dynamodb.delete_item(TableName=names.table, Key=key)
    # Taken down
    awslambda.delete_event_source_mapping(UUID=mapping)
    cloud.clock.advance(1)
    sqs.delete_queue(QueueUrl=url)
    logs.delete_log_group(logGroupName=f"/aws/lambda/{shop}-worker")
    dynamodb.delete_table(TableName=names.table)


def _filter(prefix: str) -> dict[str, Any]:
    return {"Key": {"FilterRules": [{"Name": "prefix", "Value": prefix}]}}


def _package() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("app.py"), "def handler(event, context): ...\n")
    return packed.getvalue()


def large() -> Feed:
    """Return a feed of 10,000 steps: messages that are sent, received, saved and deleted, many of them twice."""
    with _cloud("es") as (cloud, _):
        sqs, dynamodb = boto3.client("sqs"), boto3.client("dynamodb")
        url = sqs.create_queue(QueueName="tienda-pedidos")["QueueUrl"]
        dynamodb.create_table(
            TableName="tienda-tabla",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        )
        number = 0
        while len(cloud.trace) < LARGE:
            number += 1
            sqs.send_message(QueueUrl=url, MessageBody=json.dumps({"id": f"pedido-{number % 400}"}))
            (message,) = sqs.receive_message(QueueUrl=url)["Messages"]
            with contextlib.suppress(ClientError):
                dynamodb.put_item(
                    TableName="tienda-tabla",
                    Item={"id": {"S": json.loads(message["Body"])["id"]}, "quantity": {"N": str(number % 9 + 1)}},
                    ConditionExpression="attribute_not_exists(id)",
                )
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return {**cloud.trace.follow("", 0, LARGE), "story": "large"}


def recordings() -> dict[str, str]:
    """Return what the committed files hold, by their names."""
    files = {}
    for edition in EDITIONS:
        feed, trace = pipeline(edition)
        files[f"pipeline.{edition}.json"] = _text(feed)
        files[f"trace.{edition}.json"] = _text(trace)
    return files


def _text(recorded: Any) -> str:
    return json.dumps(recorded, ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str]) -> None:
    """Write the files."""
    if arguments[:1] == ["large"]:
        Path(arguments[1]).write_text(json.dumps(large(), ensure_ascii=False), encoding="utf-8")
        return
    RECORDED.mkdir(exist_ok=True)
    for name, text in recordings().items():
        (RECORDED / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
