"""The story of what went wrong: who does what, in order, in few sentences, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import bentocola
from bentocola.checks.schedule import Job, Slip
from bentocola.checks.telling import tell
from bentocola.cloud.cloud import Cloud
from tests.checks.stories import ORDER, WRITE, broken
from tests.checks.test_observed import FALLS, OVERWRITES, SWALLOWS


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    """A running cloud of the Spanish edition."""
    running = bentocola.start("es")
    yield running
    running.stop()


def story(cloud: Cloud, scenario: str, source: str, *jobs: Job, language: str = "es", **options: object) -> list[str]:
    """Return the story of a wrong answer."""
    found = broken(cloud, scenario, source, *jobs, **options)  # type: ignore[arg-type]
    return list(tell(language, found.breach, found.facts))


NEVER_DELETES = """
def work_batch(sqs, queue_url, work):
    done = []
    for message in sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", []):
        work(message["Body"])
        done.append(message["MessageId"])
    return done, []
"""
CRASHES = """
def handler(event, context):
    import json, os, boto3
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        total = 250 * job["quantity"] + 100
        item = {"id": {"S": job["id"]}, "quantity": {"N": str(job["quantity"])}, "total_cents": {"N": str(total)}}
        dynamodb.put_item(
            TableName=os.environ["TABLE_NAME"], Item=item, ConditionExpression="attribute_not_exists(id)"
        )
        print("RESULT", json.dumps({"id": job["id"], "processed": True, "duplicate": False}))
"""


def test_another_program_comes_between(cloud: Cloud) -> None:
    """The write of another program stands where it happened, and the overwrite says what it changed."""
    assert story(cloud, "save-once-keeps", OVERWRITES, ORDER, slips=(Slip("rival", WRITE),)) == [
        "La prueba llama a tu función con `lucia#3` (`status`: `received`).",
        "Justo entonces, otro programa guarda `lucia#3`, con `status`: `shipped`.",
        "Tu función sobrescribe `lucia#3`: `status`: `shipped` → `received`.",
        "Tu función devuelve `True`.",
    ]


def test_a_message_that_nobody_deletes_comes_back(cloud: Cloud) -> None:
    """What happens again is told in one sentence, with the time in between; the end says what is left."""
    assert story(cloud, "work-batch-until-empty", NEVER_DELETES, ORDER) == [
        "Llega m1 a la cola, con el pedido `lucia#3`.",
        "Tu función recibe m1.",
        "`work` guarda `lucia#3`.",
        "Tu función devuelve `([m1], [])`.",
        "30 s después, tu función vuelve a recibir m1. Pasa lo mismo.",
        "Al final, la tabla tiene `lucia#3`, y la cola aún tiene m1.",
    ]


def test_a_run_that_stops_after_its_write(cloud: Cloud) -> None:
    """In Japanese: the fault, the message that comes back, the refusal, and how the function took it."""
    told = story(cloud, "handler-stops", CRASHES, ORDER, slips=(Slip("stop_after", WRITE),), batch=1, language="ja")

    assert told[:7] == [
        "注文`dedup-order`のm1がキューに入りました。",
        "Lambdaがm1を関数に渡しました。",
        "関数が項目`dedup-order`を書き込みました。新しい項目です。",
        "テストがわざと起こした障害：PutItemのところで、関数が止まりました。",
        "30秒後、Lambdaがm1をまた渡しました。",
        "関数がPutItemで`dedup-order`を書き込もうとしましたが、DynamoDBが断りました（ConditionalCheckFailedException）。"
        "テーブルは元のままです。",
        "関数がエラー`ConditionalCheckFailedException: The conditional request failed`で止まりました。",
    ]
    assert told[-1] == "最後に、テーブルには`dedup-order`があり、キューにはm1が残っています。"
    assert len(told) <= 9


def test_a_table_that_does_not_exist(cloud: Cloud) -> None:
    """The fault is told before the call that it strikes, and nothing is in the table."""
    told = story(cloud, "save-once-other-errors", SWALLOWS)

    assert told[1].startswith("Fallo provocado:")
    assert "ResourceNotFoundException" in told[2]
    assert told[-1] == "Al final, la tabla está vacía."


LOSES_THE_ANSWER = """
def save_once(dynamodb, table, item):
    return "Attributes" not in dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")
"""


def test_boto3_repeats_a_call_without_an_answer(cloud: Cloud) -> None:
    """That boto3 asks again is not the function's doing, and the story says why it does."""
    told = story(cloud, "save-once-repeat", LOSES_THE_ANSWER, ORDER, slips=(Slip("lost", WRITE),))

    assert told[2:4] == [
        "Fallo provocado: PutItem ya está hecho, pero la respuesta de DynamoDB no llega.",
        "boto3 no recibió respuesta, así que repite PutItem. DynamoDB lo acepta y sobrescribe `lucia#3` con lo mismo.",
    ]


DELETES_FIRST = """
def work_batch(sqs, queue_url, work):
    done = []
    for message in sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", []):
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        work(message["Body"])
        done.append(message["MessageId"])
    return done, []
"""


def test_a_deletion_that_came_too_early_and_ended_well(cloud: Cloud) -> None:
    """The story says what would be lost, and at which of its steps."""
    told = story(cloud, "work-batch-delete-after", DELETES_FIRST, ORDER)

    assert told[3] == "`work` guarda `lucia#3`."
    assert told[-1].endswith("Si falla en el paso 4, ese pedido ya no está en ningún sitio.")


ENDS_WELL = """
def handler(event, context):
    return {"records": len(event["Records"])}
"""


def test_lambda_deletes_because_of_how_the_run_ended(cloud: Cloud) -> None:
    """What the function returned, and that Lambda saw no more than an end without an error."""
    told = story(cloud, "handler-fails", ENDS_WELL, ORDER, batch=1)

    assert told[2] == "Tu función devuelve `{'records': 1}` y acaba sin error, así que Lambda borra m1."


def test_what_goes_well_first_is_one_sentence(cloud: Cloud) -> None:
    """A delivery in which all goes well, before the one in which it breaks, is told in one sentence."""
    told = story(cloud, "handler-repeats", CRASHES, ORDER, ORDER, batch=1)

    assert told[:2] == [
        "Llegan m1 y m2 a la cola, con el mismo pedido: `dedup-order`.",
        "Con m1 todo va bien: tu función guarda `dedup-order`, y Lambda borra m1.",
    ]


def test_a_pure_function_has_three_sentences(cloud: Cloud) -> None:
    """What it got, what came of it, and what was asked for."""
    assert story(cloud, "order-keys-no-records", FALLS, Job("test-event")) == [
        'Tu función recibe este cuerpo: `{"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "tienda-subidas"}`.',
        "Tu función se detiene con `KeyError: 'Records'`.",
        "La tarea pide este valor: `[]`.",
    ]


def test_a_story_is_the_same_each_time(cloud: Cloud) -> None:
    """Ids of messages, which are others each time, are told by the story's own names, in keys too."""
    by_message = """
def handler(event, context):
    import os, boto3
    for record in event["Records"]:
        item = {"customer": {"S": "of " + record["messageId"]}, "order_id": {"N": "1"}}
        boto3.client("dynamodb").put_item(TableName=os.environ["TABLE_NAME"], Item=item)
    return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in event["Records"]]}
"""
    told = [story(cloud, "handler-stores", by_message, ORDER) for _ in range(2)]

    assert told[0] == told[1]
    assert any("`of m1#1`" in sentence for sentence in told[0])


@pytest.mark.parametrize("language", ["es", "ja"])
def test_a_loop_without_an_end_is_cut(cloud: Cloud, language: str) -> None:
    """The story ends where the test ends the call."""
    endless = """
def save_once(dynamodb, table, item):
    while True:
        item = dict(item)
"""
    assert len(story(cloud, "save-once-repeat", endless, ORDER, language=language)) == 2
