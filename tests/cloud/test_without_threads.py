"""In a browser there are no threads and no processes: the whole pipeline works there all the same."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

import bentocola
from tests.cloud.test_pipeline import SAVE, Pipeline


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipeline]:
    """A pipeline on a system that says what a browser's Python says, and has what that has."""

    def none(*arguments: object, **named: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(threading.Thread, "start", none)
    monkeypatch.setattr(subprocess, "Popen", none)
    cloud = bentocola.start("ja")
    yield Pipeline(cloud)
    cloud.stop()


def test_upload_reaches_the_table_in_a_page(page: Pipeline) -> None:
    """Upload, event, queue, mapping, function, table and log, with a function that runs inline with its role's keys."""
    page.deploy(SAVE.replace("tienda-tabla", page.table))
    page.map()
    page.announce("s3:ObjectCreated:*")
    page.drain()
    page.upload("orders/sato/3.json")
    (done,) = page.cloud.settle()

    assert len(done.deleted) == 1
    assert page.log() == ["guardo orders/sato/3.json"]
    assert page.steps("write")[0]["from"] == "lambda"
    assert page.steps("write")[0]["ids"] == {"run": "r1", "item": "sato#3"}


def test_poison_message_becomes_a_dead_letter_in_a_page(page: Pipeline) -> None:
    """The clock, the retries and the dead-letter queue need no thread either."""
    dead = page.new_queue("dead")
    redrive = {"deadLetterTargetArn": "arn:aws:sqs:us-east-1:123456789012:dead", "maxReceiveCount": 2}
    page.sqs.set_queue_attributes(QueueUrl=page.queue, Attributes={"RedrivePolicy": json.dumps(redrive)})
    page.deploy("def handler(event, context): raise ValueError('no')")
    page.map()
    page.send("broken")
    for _ in range(3):
        page.cloud.settle()
        page.cloud.clock.advance(30)

    assert [m["Body"] for m in page.sqs.receive_message(QueueUrl=dead)["Messages"]] == ["broken"]


def test_role_is_in_force_in_a_page(page: Pipeline) -> None:
    """A function that runs inline calls with its role, and the notebook with the student's own key afterwards."""
    page.deploy("import boto3\ndef handler(event, context): return boto3.client('sts').get_caller_identity()['Arn']")
    answer = page.lambda_.invoke(FunctionName="worker")["Payload"].read()

    assert json.loads(answer) == "arn:aws:sts::123456789012:assumed-role/worker/worker"
    assert page.lambda_.list_functions()["Functions"][0]["FunctionName"] == "worker"


def test_worker_can_be_stopped_in_a_page(page: Pipeline) -> None:
    """A planned stop ends an inline run too, whatever its code catches."""
    page.deploy("""
        import boto3
        def handler(event, context):
            try:
                boto3.client("dynamodb").put_item(TableName="orders", Item={})
            except Exception:
                return "alive"
    """)
    page.cloud.faults.stop_worker(before="dynamodb:PutItem", by="lambda")
    answer = page.lambda_.invoke(FunctionName="worker")

    assert answer["FunctionError"] == "Unhandled"
    assert page.steps("run_end")[0]["run"]["result"] == "died"
