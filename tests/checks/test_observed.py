"""What was observed of an answer, in a sentence: one for each breach, with the student's own values, and the same each time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bentocola
from bentocola.checks import invariants, pure
from bentocola.checks.facts import Run
from bentocola.checks.guard import Called
from bentocola.checks.invariants import Breach
from bentocola.checks.misconceptions import MISCONCEPTIONS, SLIPS
from bentocola.checks.observed import SENTENCES, observed
from bentocola.checks.schedule import Job, Slip
from bentocola.cloud.cloud import Cloud
from tests.checks.stories import ORDER, WRITE, broken
from tests.samples import COURSE_MISCONCEPTIONS


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    """A running cloud of the Spanish edition: nothing that a story says stays in it."""
    running = bentocola.start("es")
    yield running
    running.stop()


def breaches() -> set[str]:
    """Return the names of all breaches, as they stand in the code."""
    found: set[str] = set()
    for module in (invariants, pure):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        named = {
            target.id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name) and isinstance(node.value, ast.IfExp)
        }
        chosen = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp)]
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if not (isinstance(call.func, ast.Name) and call.func.id == "Breach"):
                continue
            first = call.args[0]
            if isinstance(first, ast.Name):
                assert first.id in named
                above = max((node for node in chosen if node.lineno < call.lineno), key=lambda node: node.lineno)
                first = above.value
            found |= {
                part.value for part in ast.walk(first) if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
    return found


def test_each_breach_has_its_sentence() -> None:
    """No breach is without a sentence, and no sentence is there that no breach uses."""
    assert set(SENTENCES) == breaches()


def test_the_module_knows_the_course_s_misconceptions() -> None:
    """What the module can explain is what the course exists to correct; a slip is none of it."""
    assert set(MISCONCEPTIONS) == COURSE_MISCONCEPTIONS
    assert set(SLIPS) & COURSE_MISCONCEPTIONS == set()


OVERWRITES = """
def save_once(dynamodb, table, item):
    dynamodb.put_item(TableName=table, Item=item)
    return True
"""
SWALLOWS = """
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except Exception:
        return False
    return True
"""
FALLS = """
def order_keys(body):
    import json
    return [record["s3"]["object"]["key"] for record in json.loads(body)["Records"]]
"""
WRONG_IDS = """
def work_batch(sqs, queue_url, work):
    done = []
    for message in sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", []):
        work(message["Body"])
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["ReceiptHandle"])
    return done, []
"""


def said(cloud: Cloud, language: str, answer: str, *played: object, **options: object) -> str:
    """Return what is observed of an answer's source."""
    found = broken(cloud, *played, **options)  # type: ignore[arg-type]
    return observed(language, found.breach, found.facts, answer)


@pytest.mark.parametrize("language", ["es", "ja"])
def test_an_overwrite_is_told_with_what_changed(cloud: Cloud, language: str) -> None:
    """The key, and each attribute that is another now."""
    told = said(cloud, language, "save_once", "save-once-keeps", OVERWRITES, ORDER, slips=(Slip("rival", WRITE),))

    assert "`save_once`" in told
    assert "`lucia#3`" in told
    assert "`shipped` → `received`" in told


def test_a_swallowed_error_is_told_with_what_was_returned(cloud: Cloud) -> None:
    """AWS's error, and the value that came in its place."""
    told = said(cloud, "es", "save_once", "save-once-other-errors", SWALLOWS)

    assert "`ResourceNotFoundException`" in told
    assert "`False`" in told


def test_an_exception_is_told_with_its_line(cloud: Cloud) -> None:
    """The number of the line and the line, of the student's own code."""
    told = said(cloud, "es", "order_keys", "order-keys-no-records", FALLS)

    assert "`KeyError: 'Records'`" in told
    assert " 4 " in told
    assert """json.loads(body)["Records"]]`""" in told


def test_what_is_said_is_the_same_each_time(cloud: Cloud) -> None:
    """A receipt handle, which is another one each time, is cut down to its beginning."""
    told = [said(cloud, "es", "work_batch", "work-batch-ids", WRONG_IDS, ORDER) for _ in range(2)]

    assert told[0] == told[1]
    assert "AQEB…" in told[0]


STOPS_WORKING = """
def work_batch(sqs, queue_url, work):
    done, left = [], []
    for message in sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", []):
        try:
            if left:
                raise ValueError
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    return done, left
"""


def test_a_message_that_work_never_got_is_told_so(cloud: Cloud) -> None:
    """It is not said that `work` ended well with it, and the one that failed is named."""
    told = said(cloud, "es", "work_batch", "work-batch-ids", STOPS_WORKING, Job("broken"), ORDER)

    assert told == "`work_batch` puso m2 en `left` sin llamar a `work` con su cuerpo. `work` solo falló con m1."


def test_an_object_has_no_address() -> None:
    """An object that shows nothing of itself is shown without its place in memory."""
    breach = Breach("no-lists", values={"got": object()})

    assert "`<object object>`" in observed("es", breach, None, "work_batch")


def test_a_backtick_does_not_end_the_code() -> None:
    """What a student returned cannot end the code that it is shown in."""
    run = Run("r1", 1, 1, Called(()))
    breach = Breach("no-verdict", run=run, values={"got": "a`b", "key": "x`y"})

    assert observed("ja", breach, None, "save_once").count("`") % 2 == 0


def test_a_line_that_is_not_known_is_left_out() -> None:
    """An exception in a library's own code names no line of the student's."""
    values = {"error": "ValueError: x", "line": None}

    assert observed("es", Breach("raised", values=values), None, "handler").count(".") == 1


def test_a_missing_result_line_is_counted(cloud: Cloud) -> None:
    """How many lines there were, and of which word."""
    silent = """
def handler(event, context):
    import json, os, boto3
    job = json.loads(event["Records"][0]["body"])
    total = 250 * job["quantity"] + 100
    item = {"id": {"S": job["id"]}, "quantity": {"N": str(job["quantity"])}, "total_cents": {"N": str(total)}}
    boto3.client("dynamodb").put_item(TableName=os.environ["TABLE_NAME"], Item=item)
"""
    told = said(cloud, "es", "handler", "handler-saves", silent, Job("order"), batch=1)

    assert "`EVENT`" in told
    assert " 0" in told
