"""The state by resource, as the trace alone tells it: queues, messages, mappings, functions, tables, items, logs, buckets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from bentocola.cloud import cloud as cloud_module
from bentocola.cloud import trace as trace_module
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.story import tell
from bentocola.cloud.trace import Step
from tests.cloud.folding import check_against_services, folded
from tests.cloud.played import Played
from tests.cloud.scene import Scene
from tests.cloud.test_mappings import Scene as Mapped
from tests.cloud.test_pipeline import Pipeline, package

ACCOUNT = "arn:aws:sqs:us-east-1:123456789012"


def told(scene: Scene, path: str) -> list[Any]:
    """Return what stood under a path, one value after the other."""
    return [new for step in scene.cloud.trace for changed, _, new in step["set"] if changed == path]


def values(scene: Scene, path: str, *names: str) -> list[Any]:
    """Return of each of these values only some fields."""
    return [value and tuple(value[name] for name in names) for value in told(scene, path)]


@pytest.fixture
def mapped(home: object) -> Iterator[Mapped]:
    """A function whose runs are played, and an empty trace."""
    cloud = cloud_module.start("es", runtime=(played := Played()))
    scene = Mapped(cloud, played)
    cloud.trace.clear()
    yield scene
    cloud.stop()


# Messages and queues


def test_message_from_upload_to_deletion(scene: Scene) -> None:
    """It is visible, in flight until its timeout ends, and deleted; its label is the object's key, decoded."""
    scene.upload("pedidos/lucía ruiz/3.json")
    (message,) = scene.receive()
    received = scene.cloud.clock.elapsed_ms()
    scene.delete(message)

    label = "pedidos/lucía ruiz/3.json"
    common = {"queue": scene.cloud.names.queue, "label": label}
    assert told(scene, "message/m1") == [
        {**common, "state": "visible", "deliveries": 0, "until": None},
        {**common, "state": "in_flight", "deliveries": 1, "until": received + 30_000},
        {**common, "state": "deleted", "deliveries": 1, "until": None},
    ]
    queue = f"queue/{scene.cloud.names.queue}"
    assert values(scene, queue, "visible", "in_flight") == [(1, 0), (0, 1), (0, 0)]


@pytest.mark.parametrize(
    ("body", "label"),
    [
        ("hola", "hola"),
        ("弁当" * 100, "弁当" * 40),
        ('{"Event":"s3:TestEvent"}', "s3:TestEvent"),
        ('"aws:s3" and no JSON', '"aws:s3" and no JSON'),
        ('{"Records": "aws:s3"}', '{"Records": "aws:s3"}'),
        ('["aws:s3"]', '["aws:s3"]'),
    ],
)
def test_label_is_the_beginning_of_the_body(scene: Scene, body: str, label: str) -> None:
    """What is no event of S3, or only looks like one, has its first 80 characters; and who sent it by hand is said to have."""
    scene.send(body)

    assert [value["label"] for value in told(scene, "message/m1")] == [label]
    assert [(step["kind"], step["from"]) for step in scene.cloud.trace] == [("message", "you")]


def test_message_returns_with_its_name(scene: Scene) -> None:
    """Steps about a message name its queue, also those that come by themselves."""
    scene.send("a")
    scene.receive()
    scene.cloud.clock.advance(30)

    assert values(scene, "message/m1", "state", "deliveries") == [("visible", 0), ("in_flight", 1), ("visible", 1)]
    steps = scene.steps("message", "deliver", "timeout")
    assert [step["name"] for step in steps] == [scene.cloud.names.queue] * 3


def test_delayed_message_appears(scene: Scene) -> None:
    """A message that waits is delayed until a moment, and a step tells when it is visible."""
    scene.sqs.send_message(QueueUrl=scene.queue, MessageBody="a", DelaySeconds=20)
    sent = scene.cloud.clock.elapsed_ms()
    scene.cloud.clock.advance(20)

    assert values(scene, "message/m1", "state", "until") == [("delayed", sent + 20_000), ("visible", None)]
    assert [step["ids"] for step in scene.steps("timeout")] == [{"msg": "m1"}]
    assert str(scene.cloud.trace).splitlines()[-1].endswith("m1 ya está visible: terminó su retraso.")


def test_changed_visibility(scene: Scene) -> None:
    """A message that is hidden longer, or shown at once, is so in the state; the call names it."""
    scene.send("a")
    (message,) = scene.receive()
    for seconds in (100, 0):
        scene.sqs.change_message_visibility(
            QueueUrl=scene.queue, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=seconds
        )

    states = values(scene, "message/m1", "state", "until")
    assert [state for state, _ in states] == ["visible", "in_flight", "in_flight", "visible"]
    assert states[2][1] - states[1][1] == 70_001
    assert [step["ids"] for step in scene.steps("call")] == [{"msg": "m1"}] * 2


def test_old_receipt_deletes_nothing(scene: Scene) -> None:
    """Deleting with the receipt of an earlier delivery succeeds, and the message stays in flight."""
    scene.send("a")
    (first,) = scene.receive()
    scene.cloud.clock.advance(30)
    scene.receive()
    scene.delete(first)

    assert scene.cloud.trace.state("message/m1")["state"] == "in_flight"


def test_expired_message(scene: Scene) -> None:
    """A message whose retention is over is told as expired, at once when the retention is made shorter."""
    scene.send("a")
    scene.cloud.clock.advance(100)
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"MessageRetentionPeriod": "60"})

    assert scene.cloud.trace.state("message/m1")["state"] == "expired"
    assert [(step["from"], step["ids"]) for step in scene.steps("delete")] == [("sqs", {"msg": "m1"})]


def test_purge(scene: Scene) -> None:
    """What was in a purged queue is deleted, in one step; another queue's messages stay."""
    other = scene.new_queue("otra")
    scene.sqs.send_message(QueueUrl=other, MessageBody="b")
    scene.send("a", "b")
    scene.receive(MaxNumberOfMessages=1)
    scene.sqs.purge_queue(QueueUrl=scene.queue)

    assert [scene.cloud.trace.state(f"message/m{n}")["state"] for n in (1, 2, 3)] == ["visible", "deleted", "deleted"]
    assert values(scene, f"queue/{scene.cloud.names.queue}", "visible", "in_flight")[-1] == (0, 0)


def dead_letters(scene: Scene, most: int = 1) -> str:
    """Give the queue a dead-letter queue, and return its address."""
    dead = scene.new_queue("muertos")
    redrive = {"deadLetterTargetArn": f"{ACCOUNT}:muertos", "maxReceiveCount": most}
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"RedrivePolicy": json.dumps(redrive)})
    return dead


def test_dead_letter_and_back(scene: Scene) -> None:
    """A dead letter is in the dead-letter queue; a move task makes a new message of it, and no event of S3."""
    dead_letters(scene)
    name = scene.cloud.names.queue

    assert scene.cloud.trace.state("queue/muertos")["sources"] == [name]
    assert values(scene, f"queue/{name}", "dead_letter_queue", "max_receive_count")[-1] == ("muertos", 1)

    scene.upload("pedidos/a")
    scene.receive()
    scene.cloud.clock.advance(30)
    scene.receive()

    assert values(scene, "message/m1", "queue", "state")[-1] == ("muertos", "visible")
    assert [step["name"] for step in scene.steps("dead")] == ["muertos"]

    events = len(scene.steps("event"))
    scene.sqs.start_message_move_task(SourceArn=f"{ACCOUNT}:muertos")
    scene.cloud.clock.advance(1)

    assert values(scene, "message/m1", "state")[-1] == ("deleted",)
    assert values(scene, "message/m2", "queue", "state") == [(name, "visible")]
    assert values(scene, "queue/muertos", "visible")[-1] == (0,)
    assert len(scene.steps("event")) == events
    check_against_services(scene.cloud.trace)


def test_deleted_queue_takes_its_messages(scene: Scene) -> None:
    """With the queue its messages are no more; the dead-letter queue has one source less."""
    dead_letters(scene)
    scene.send("a", "b")
    scene.sqs.delete_queue(QueueUrl=scene.queue)
    (step,) = scene.steps("resource")[1:]

    assert {path: new for path, _, new in step["set"] if "/" in path and "muertos" not in path} == {
        f"queue/{scene.cloud.names.queue}": None,
        "message/m1": None,
        "message/m2": None,
    }
    assert scene.cloud.trace.state("queue/muertos")["sources"] == []


def test_other_regions_are_told_apart(scene: Scene) -> None:
    """A resource of another region has the region after its name, and so have the steps of its messages and writes."""
    sqs, dynamodb = (boto3.client(service, region_name="eu-west-1") for service in ("sqs", "dynamodb"))
    url = sqs.create_queue(QueueName=scene.cloud.names.queue)["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="a")
    dynamodb.create_table(
        TableName="tabla",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    )
    dynamodb.put_item(TableName="tabla", Item={"id": {"S": "x/y"}})
    name = f"{scene.cloud.names.queue}@eu-west-1"

    assert [step["name"] for step in scene.steps("message")] == [name]
    assert values(scene, f"queue/{name}", "visible") == [(0,), (1,)]
    assert values(scene, "message/m1", "queue") == [(name,)]
    assert told(scene, "table/tabla@eu-west-1") == [{"key": ["id"]}]
    assert told(scene, "item/tabla@eu-west-1/x/y") == [{"id": "x/y"}]
    assert [step["decision"]["table"] for step in scene.steps("write")] == ["tabla@eu-west-1"]


def test_fifo_queue_answers_the_same_send_again(scene: Scene) -> None:
    """What a FIFO queue takes for a repetition changes nothing."""
    line = scene.new_queue("cola.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    for _ in range(2):
        scene.sqs.send_message(QueueUrl=line, MessageBody="a", MessageGroupId="g")

    assert values(scene, "message/m1", "queue", "state") == [("cola.fifo", "visible")]
    assert values(scene, "queue/cola.fifo", "visible") == [(0,), (1,)]


def test_state_forgets_what_is_long_gone(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many deleted messages only the latest stay in the state: it does not grow without end, and stays exact."""
    monkeypatch.setattr(trace_module, "GONE_IN_STATE", 3)
    scene.send(*"abcdefg")
    for message in scene.receive():
        scene.delete(message)

    assert sorted(scene.cloud.trace.paths("message/")) == ["message/m5", "message/m6", "message/m7"]
    folded(scene.cloud.trace.data())


# Tables and items


def test_items_are_those_of_the_table(scene: Scene) -> None:
    """Each accepted write moves its item on; a refused one changes nothing; with the table they are no more."""
    path = f"item/{scene.table}/lucia#3"
    scene.put(status="new")
    with pytest.raises(ClientError):
        scene.put(status="again")
    scene.put(condition=None, status="over")
    scene.dynamodb.delete_item(TableName=scene.table, Key=scene.item())
    scene.put()
    scene.dynamodb.delete_table(TableName=scene.table)

    order = {"customer": "lucia", "order_id": 3}
    assert told(scene, path) == [{**order, "status": "new"}, {**order, "status": "over"}, None, order, None]
    assert told(scene, f"table/{scene.table}") == [None]


def test_writes_without_a_decision(scene: Scene) -> None:
    """PartiQL has no decisions; the items are those that there are all the same, also after a statement that only reads."""
    scene.dynamodb.create_table(
        TableName="tabla",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    )
    execute = scene.dynamodb.execute_statement
    execute(Statement="INSERT INTO tabla VALUE {'id': 'a', 'n': 1}")
    execute(Statement="SELECT * FROM tabla")
    scene.dynamodb.batch_execute_statement(Statements=[{"Statement": "DELETE FROM tabla WHERE id = 'a'"}])

    assert told(scene, "item/tabla/a") == [{"id": "a", "n": 1}, None]
    check_against_services(scene.cloud.trace)


def test_clear_keeps_what_there_is(scene: Scene) -> None:
    """A new story begins with the resources and items, and without messages: they are named anew when they come."""
    scene.put()
    scene.send("a")
    scene.cloud.trace.clear()
    initial = scene.cloud.trace.data()["initial"]

    assert initial[f"item/{scene.table}/lucia#3"] == {"customer": "lucia", "order_id": 3}
    assert initial[f"queue/{scene.cloud.names.queue}"]["visible"] == 1
    assert [path for path in initial if path.startswith("message/")] == []

    scene.receive()

    assert scene.cloud.trace.state("message/m1")["label"] == "a"
    folded(scene.cloud.trace.data())


# Functions, mappings, logs, buckets


def by_itself(scene: Scene) -> list[Step]:
    """Return the steps of mappings that nobody called for."""
    return [step for step in scene.steps("resource") if "api" not in step]


def test_mapping_lives_and_goes(mapped: Mapped) -> None:
    """Each of its states is told: by the call where one led to it, by a step of its own where it came by itself."""
    uuid = mapped.map(BatchSize=3, FunctionResponseTypes=["ReportBatchItemFailures"])
    path = f"mapping/{uuid}"

    assert told(mapped, path) == [
        {
            "queue": mapped.cloud.names.queue,
            "function": "worker",
            "state": "Creating",
            "batch_size": 3,
            "partial_responses": True,
            "last_result": None,
        }
    ]

    mapped.cloud.settle()
    mapped.send("a")
    mapped.cloud.settle()
    mapped.lambda_.update_event_source_mapping(UUID=uuid, BatchSize=5)
    mapped.cloud.clock.advance(1)
    mapped.lambda_.delete_event_source_mapping(UUID=uuid)
    mapped.cloud.clock.advance(1)

    assert values(mapped, path, "state", "batch_size", "last_result") == [
        ("Creating", 3, None),
        ("Enabled", 3, None),
        ("Enabled", 3, "OK"),
        ("Updating", 5, "OK"),
        ("Enabled", 5, "OK"),
        ("Deleting", 5, "OK"),
        None,
    ]
    assert [(step["from"], step["name"]) for step in by_itself(mapped)] == [("lambda", uuid)] * 4


def test_mapping_is_told_in_words(mapped: Mapped) -> None:
    """The list has a sentence for each, in both languages."""
    uuid = mapped.map()
    mapped.cloud.settle()
    mapped.played.handler = lambda event: 1 / 0
    mapped.send("a")
    mapped.cloud.settle()
    mapped.lambda_.delete_event_source_mapping(UUID=uuid)
    mapped.cloud.clock.advance(1)
    numbers = [step["n"] for step in by_itself(mapped)]
    lines = {language: tell(language, mapped.cloud.trace.data()) for language in ("es", "ja")}
    queue = mapped.cloud.names.queue

    told = {
        language: [line for line in lines[language] if int(line.partition(".")[0]) in numbers] for language in lines
    }
    for language, (enabled, result, gone) in told.items():
        assert all(f"{queue}" in line and "worker" in line for line in (enabled, result, gone)), language
        assert "Enabled" in enabled
        assert result.endswith("PROBLEM: Function call failed")


def test_functions_are_known_by_their_code(mapped: Mapped) -> None:
    """New code has another digest, a new timeout shows, and a deleted function is gone."""
    mapped.deploy("def handler(event, context): pass", name="other")
    mapped.lambda_.update_function_code(FunctionName="other", ZipFile=package("def handler(event, context): return 1"))
    mapped.lambda_.update_function_configuration(FunctionName="other", Timeout=4)
    mapped.lambda_.delete_function(FunctionName="other")
    first, second, third, gone = told(mapped, "function/other")

    assert first["handler"] == "app.handler"
    assert first["timeout"] == second["timeout"] == 10
    assert first["code"] != second["code"] == third["code"]
    assert third["timeout"] == 4
    assert gone is None


def test_log_group_comes_with_the_first_run(mapped: Mapped) -> None:
    """The end of the first run shows the log group that it made; a deleted one comes again with the next run."""
    path = "log_group//aws/lambda/worker"
    for _ in range(2):
        mapped.lambda_.invoke(FunctionName="worker", Payload=b"{}")
        mapped.lambda_.invoke(FunctionName="worker", Payload=b"{}")
        mapped.logs.delete_log_group(logGroupName="/aws/lambda/worker")

    assert told(mapped, path) == [{}, None, {}, None]
    assert all(any(p == path for p, *_ in step["set"]) for step in mapped.steps("run_end")[::2])


def test_buckets(cloud: Cloud) -> None:
    """A bucket has the same name in whatever region it is."""
    s3 = boto3.client("s3", region_name="eu-west-1")
    s3.create_bucket(Bucket="tienda", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})

    assert cloud.trace.state("bucket/tienda") == {}

    boto3.client("s3").delete_bucket(Bucket="tienda")

    assert cloud.trace.state("bucket/tienda") is None


# No secret of a run


SECRETS = """
    import json, os, boto3
    def handler(event, context):
        names = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
        secret, token = (os.environ[name] for name in names)
        print("key", secret, "token", token)
        print(json.dumps({"nested": [secret]}))
        boto3.client("sqs").send_message(QueueUrl=event["queue"], MessageBody="x" * 70 + secret)
        boto3.client("s3").put_object(Bucket=event["bucket"], Key="k", Body=b"y" * 4070 + token.encode())
        boto3.client("dynamodb").put_item(
            TableName=event["table"],
            Item={"customer": {"S": secret}, "order_id": {"N": "1"}, token: {"L": [{"S": token}]}},
        )
        raise ValueError(secret)
"""


def test_secrets_of_a_run_are_masked(home: object) -> None:
    """What a handler makes of its own keys is *** wherever it stands in the trace, and the run says how often; not so its log."""
    cloud = cloud_module.start("es")
    try:
        scene = Pipeline(cloud)
        scene.allow("dynamodb:*", "sqs:*", "s3:*")
        scene.deploy(SECRETS)
        event = {"queue": scene.queue, "bucket": scene.bucket, "table": scene.table}
        scene.lambda_.invoke(FunctionName="worker", Payload=json.dumps(event))
        (message,) = [m for m in scene.receive() if m["Body"].startswith("x")]
        secret = message["Body"].lstrip("x")
        logged = "".join(scene.log())
        token = logged.partition("token ")[2][: logged.partition("token ")[2].index("{")]
        text = json.dumps(cloud.trace.data())
        (end,) = scene.steps("run_end")
        data = cloud.trace.data()
    finally:
        cloud.stop()

    assert len(secret) == 40
    assert len(token) > 100
    assert logged.count(secret) == 3
    assert [len(found) for found in (secret, token) if found in text] == []
    assert token[:20] not in text
    assert end["run"]["masked"] == 4
    assert "key *** token ***" in end["run"]["log"]
    assert any(line.startswith("[ERROR] ValueError: ***") for line in end["run"]["log"])
    (write,) = [step for step in data["steps"] if step["kind"] == "write"]
    assert write["decision"]["after"] == {"customer": "***", "order_id": 1, "***": ["***"]}
    assert f"item/{event['table']}/***#1" in folded(data)


def test_run_without_secrets_masks_nothing(mapped: Mapped) -> None:
    """A run that keeps its keys to itself says nothing of masks."""
    mapped.lambda_.invoke(FunctionName="worker", Payload=b"{}")

    assert "masked" not in mapped.steps("run_end")[0]["run"]
