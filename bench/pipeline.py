"""Send → function with one conditional write → deleted: messages a second and the time of a single one, ours against MiniStack.

Both run as servers of their own and are asked over HTTP by the same boto3 client, taking turns. MiniStack is an independent local
AWS, in an environment of its own.
"""

from __future__ import annotations

import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.measure import ROOT, run_program, versions
from tests.conformance import ministack

_CLIENT = """
import io, json, statistics, time, zipfile
import boto3

ENDPOINT, MESSAGES, BATCHES, SINGLES = {endpoint!r}, {messages}, {batches}, 30
sqs, dynamodb, functions, iam = (
    boto3.client(name, endpoint_url=ENDPOINT, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test")
    for name in ("sqs", "dynamodb", "lambda", "iam")
)
SOURCE = '''
import boto3
dynamodb = boto3.client("dynamodb")

def handler(event, context):
    for record in event["Records"]:
        dynamodb.put_item(
            TableName="orders", Item={{"id": {{"S": record["body"]}}}}, ConditionExpression="attribute_not_exists(id)"
        )
'''
packed = io.BytesIO()
with zipfile.ZipFile(packed, "w") as archive:
    archive.writestr("app.py", SOURCE)
trust = {{"Version": "2012-10-17", "Statement": [
    {{"Effect": "Allow", "Principal": {{"Service": "lambda.amazonaws.com"}}, "Action": "sts:AssumeRole"}}]}}
may = {{"Version": "2012-10-17", "Statement": [
    {{"Effect": "Allow", "Action": ["sqs:*", "dynamodb:*", "logs:*"], "Resource": "*"}}]}}
role = iam.create_role(RoleName="worker", AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]
iam.put_role_policy(RoleName="worker", PolicyName="all", PolicyDocument=json.dumps(may))
dynamodb.create_table(
    TableName="orders",
    KeySchema=[{{"AttributeName": "id", "KeyType": "HASH"}}],
    AttributeDefinitions=[{{"AttributeName": "id", "AttributeType": "S"}}],
    BillingMode="PAY_PER_REQUEST",
)
functions.create_function(
    FunctionName="worker",
    Runtime="python3.11",
    Role=role,
    Handler="app.handler",
    Code={{"ZipFile": packed.getvalue()}},
    Timeout=20,
)
functions.get_waiter("function_active_v2").wait(FunctionName="worker")

def left(queue):
    found = sqs.get_queue_attributes(
        QueueUrl=queue, AttributeNames=["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    )["Attributes"]
    return sum(map(int, found.values()))

def drained(queue):
    end = time.perf_counter() + 300
    while left(queue):
        if time.perf_counter() > end:
            raise SystemExit("the queue did not drain in 300 s")
        time.sleep(0.005)

report = {{}}
for size in BATCHES:
    queue = sqs.create_queue(QueueName=f"orders-{{size}}", Attributes={{"VisibilityTimeout": "60"}})["QueueUrl"]
    mapping = functions.create_event_source_mapping(
        FunctionName="worker", EventSourceArn=f"arn:aws:sqs:us-east-1:{account}:orders-{{size}}", BatchSize=size
    )
    sqs.send_message(QueueUrl=queue, MessageBody=f"warm-{{size}}")
    time.sleep(1)
    drained(queue)
    latencies = []
    if size == 1:
        for number in range(SINGLES):
            began = time.perf_counter()
            sqs.send_message(QueueUrl=queue, MessageBody=f"single-{{number}}")
            drained(queue)
            latencies.append(time.perf_counter() - began)
    began = time.perf_counter()
    for first in range(0, MESSAGES[size], 10):
        entries = [{{"Id": str(n), "MessageBody": f"{{size}}-{{first + n}}"}} for n in range(10)]
        sqs.send_message_batch(QueueUrl=queue, Entries=entries)
    drained(queue)
    report[size] = [MESSAGES[size] / (time.perf_counter() - began), statistics.median(latencies) if latencies else None]
    functions.delete_event_source_mapping(UUID=mapping["UUID"])
stored = sum(page["Count"] for page in dynamodb.get_paginator("scan").paginate(TableName="orders"))
report["stored"] = stored - len(BATCHES) - SINGLES
print("\\n" + json.dumps(report))
"""
_MESSAGES = {1: 300, 10: 2000}


def main(repetitions: int = 3) -> None:
    """Measure and print."""
    repetitions = min(repetitions, 5)
    print("pipeline: send → function with one conditional write → deleted, over HTTP")
    print(
        f"{repetitions} servers each, taking turns; {_MESSAGES[1]} messages at batch size 1, {_MESSAGES[10]} at 10.\n"
    )
    ministack.prepare()
    found: dict[str, list[dict[str, list[float]]]] = {"MiniStack": [], "bentocola": []}
    for _ in range(repetitions):
        for name, serve in (("MiniStack", _ministack), ("bentocola", _bentocola)):
            with serve() as endpoint:
                program = _CLIENT.format(
                    endpoint=endpoint, messages=_MESSAGES, batches=list(_MESSAGES), account="123456789012"
                )
                report = run_program(program)
                if report.pop("stored") != sum(_MESSAGES.values()):
                    raise SystemExit(f"{name} lost or doubled messages: {report}")
                found[name].append(report)
    rows = (
        ("messages a second, batch size 1", "1", 0, 1.0),
        ("messages a second, batch size 10", "10", 0, 1.0),
        ("one message, ms", "1", 1, 1e3),
    )
    print(f"{'median of the repetitions':<36} {'MiniStack':>10} {'bentocola':>10} {'ratio':>7}")
    for title, size, index, scale in rows:
        theirs, ours = (
            statistics.median(report[size][index] for report in found[name]) * scale
            for name in ("MiniStack", "bentocola")
        )
        print(f"  {title:<34} {theirs:>10.1f} {ours:>10.1f} {ours / theirs:>7.2f}")
    print(f"\n{versions()}, MiniStack {ministack.VERSION}")


@contextmanager
def _bentocola() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder, "ready.json")
        command = [sys.executable, "-m", "bentocola.cli", "serve", "--port", "0", "--ready-file", str(ready)]
        with _server(command, None, ready.exists):
            yield json.loads(ready.read_text())["endpoint"]


@contextmanager
def _ministack() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        port = ministack.free_port()
        command, environment = ministack.command(port, Path(folder), "123456789012")
        with _server(command, environment, lambda: ministack.answers(port)):
            yield f"http://127.0.0.1:{port}"


@contextmanager
def _server(command: list[str], environment: dict[str, str] | None, is_ready: Callable[[], bool]) -> Iterator[None]:
    server = subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        end = time.monotonic() + 60
        while not is_ready():
            if server.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"{command[0]} did not start")
            time.sleep(0.05)
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


if __name__ == "__main__":
    main()
