"""What the recorder writes: the steps of each kind, their links, the state they lead to, and no secret."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

import bentocola
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request
from bentocola.cloud.trace import Step, Trace, TraceData
from tests.cloud.folding import folded
from tests.cloud.form import faults
from tests.cloud.scene import CONDITION, TABLE, Scene


def save(scene: Scene) -> Any:
    """Return a handler that writes Lucía's third order, on condition that it is new."""

    def handler(event: dict[str, Any], context: Any) -> None:
        scene.put()

    return handler


def fail(event: dict[str, Any], context: Any) -> None:
    """A handler that fails."""
    raise ValueError("no es un pedido")


def play(scene: Scene) -> None:
    """Let something of every kind happen."""
    scene.announce("s3:ObjectCreated:*")
    scene.upload("pedidos/lucía/3.json")
    scene.cloud.poll_once(scene.queue, fail)
    scene.cloud.clock.advance(30)
    scene.cloud.poll_once(scene.queue, save(scene))
    scene.send("a", "b")
    scene.delete(scene.receive(MaxNumberOfMessages=1)[0])
    scene.receive(WaitTimeSeconds=2, VisibilityTimeout=5)
    scene.receive(WaitTimeSeconds=2)
    for call in (
        lambda: scene.put(),
        lambda: scene.put(status="received", condition=None),
        lambda: scene.dynamodb.delete_item(TableName=scene.table, Key=scene.item()),
        lambda: scene.dynamodb.get_item(TableName="otra-tabla", Key=scene.item()),
        lambda: scene.s3.get_object(Bucket=scene.bucket, Key="nada"),
        lambda: scene.sqs.send_message(QueueUrl=scene.queue + "x", MessageBody="a"),
    ):
        with contextlib.suppress(ClientError):
            call()
    scene.s3.delete_object(Bucket=scene.bucket, Key="pedidos/lucía/3.json")
    scene.cloud.clock.advance(0)
    scene.sqs.delete_queue(QueueUrl=scene.queue)


# The form


def test_form(scene: Scene) -> None:
    """A whole trace, with every kind of step that there is, has the documented form."""
    play(scene)
    data = scene.cloud.trace.data()

    assert list(faults(data, TraceData)) == []
    assert data["schema"] == "bentocola.trace/1"
    assert {step["kind"] for step in data["steps"]} == {
        "call",
        "clock",
        "delete",
        "deliver",
        "event",
        "message",
        "resource",
        "run_end",
        "run_start",
        "timeout",
        "write",
    }


def test_form_is_really_looked_at() -> None:
    """The check finds a missing field, an unknown one and a wrong type, wherever it is."""
    step = {"n": 1, "t": 0, "kind": "call", "from": "you", "to": "s3", "set": []}

    assert list(faults(step, Step)) == []
    assert list(faults({**step, "n": "1"}, Step)) == [".n: '1' is no <class 'int'>"]
    assert list(faults({**step, "kind": "other"}, Step)) != []
    assert list(faults({**step, "set": [["a", 1]]}, Step)) != []
    assert list(faults({**step, "extra": 1}, Step)) == [": extra is not in Step"]
    assert list(faults({k: v for k, v in step.items() if k != "t"}, Step)) == [": t is missing"]


def test_trace_is_plain_json(scene: Scene) -> None:
    """What `data` returns is JSON and nothing else: it survives being written and read."""
    play(scene)
    data = scene.cloud.trace.data()

    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_steps_are_numbered_and_in_time(scene: Scene) -> None:
    """Numbers go up one by one, times never go back, a cause is an earlier step, and actors are those that are named."""
    play(scene)
    data = scene.cloud.trace.data()
    actors = {actor["id"] for actor in data["actors"]}

    assert [step["n"] for step in data["steps"]] == list(range(1, len(data["steps"]) + 1))
    assert [step["t"] for step in data["steps"]] == sorted(step["t"] for step in data["steps"])
    assert all(step["cause"] < step["n"] for step in data["steps"] if "cause" in step)
    assert {actor for step in data["steps"] for actor in (step["from"], step["to"])} <= actors


# The state


def test_state_forward_is_the_fold_of_set_and_back_again(scene: Scene) -> None:
    """Each step's old values are what the steps before it left; undone in reverse they lead to the initial state."""
    play(scene)
    state = folded(scene.cloud.trace.data())

    assert state == {path: scene.cloud.trace.state(path) for path in scene.cloud.trace.paths("")}


def test_state_is_what_the_services_hold(scene: Scene) -> None:
    """Counts of objects, items and messages are the services' own after each step."""
    scene.upload("a")
    scene.send("x")
    scene.receive(MaxNumberOfMessages=1)
    scene.put()
    state = scene.cloud.trace.state

    assert {path: state(path) for path in ("s3.objects", "sqs.visible", "sqs.in_flight", "sqs.dead", "ddb.items")} == {
        "s3.objects": 1,
        "sqs.visible": 1,
        "sqs.in_flight": 1,
        "sqs.dead": 0,
        "ddb.items": 1,
    }


def test_dead_letters_are_counted_apart(scene: Scene) -> None:
    """A message that SQS moves to the dead-letter queue is neither visible nor in flight, but dead."""
    dead = scene.new_queue("muertos")
    arn = scene.sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 1})
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"RedrivePolicy": redrive})
    scene.send("a")
    scene.receive()
    scene.cloud.clock.advance(30)
    scene.receive()

    assert {path: scene.cloud.trace.state(f"sqs.{path}") for path in ("visible", "in_flight", "dead")} == {
        "visible": 0,
        "in_flight": 0,
        "dead": 1,
    }


def test_clear_begins_a_new_story(scene: Scene) -> None:
    """After `clear` there are no steps; numbers and message names begin again, and the state goes on."""
    scene.upload("a")
    before = scene.cloud.trace.state("s3.objects")
    scene.cloud.trace.clear()

    assert scene.cloud.trace.data()["steps"] == []
    assert scene.cloud.trace.data()["initial"]["s3.objects"] == before

    scene.upload("b")
    steps = scene.cloud.trace.data()["steps"]

    assert [step["n"] for step in steps] == [1, 2, 3]
    assert steps[0]["set"] == [["s3.objects", before, before + 1]]
    assert steps[2]["ids"] == {"msg": "m1"}


def test_clear_forgets_no_message(scene: Scene) -> None:
    """A message from before the clear is named anew when it comes, with its true number of deliveries."""
    scene.send("a")
    scene.receive()
    scene.cloud.clock.advance(30)
    scene.cloud.trace.clear()
    scene.receive()

    assert [step["ids"] for step in scene.steps("deliver")] == [{"msg": "m1", "delivery": 2}]


def test_moves_of_the_clock_are_one_step(scene: Scene) -> None:
    """Moves with nothing in between are one step that is exact both ways, a move by nothing included."""
    for seconds in (0, 5, 0, 2.5, 0):
        scene.cloud.clock.advance(seconds)

    assert [step["set"] for step in scene.steps("clock")] == [[("clock.seconds", None, 7.5)]]
    assert scene.cloud.trace.state("clock.seconds") == 7.5


@pytest.mark.parametrize("moves", [(0,), (0, 0), (0, 3), (3, 0)])
def test_fold_holds_for_moves_by_nothing(moves: tuple[int, ...]) -> None:
    """A clock that moved by nothing leaves nothing that the steps do not tell."""
    cloud = bentocola.start("es")
    try:
        for seconds in moves:
            cloud.clock.advance(seconds)
        (step,) = cloud.trace.data()["steps"]

        assert step["set"] == [["clock.seconds", None, sum(moves)]]
    finally:
        cloud.stop()


def test_reading_changes_nothing(scene: Scene) -> None:
    """Looking at the trace, however often, is not an act: no step, no delivery, no time."""
    scene.send("a")
    scene.receive()
    seen = [(scene.cloud.trace.data(), str(scene.cloud.trace), scene.cloud.clock.elapsed_ms()) for _ in range(3)]

    assert seen[0] == seen[1] == seen[2]
    assert len(scene.steps("deliver")) == 1


def test_data_is_not_changed_by_what_happens_later(scene: Scene) -> None:
    """A trace that was taken stays as it was, even where the next move joins its last step."""
    scene.cloud.clock.advance(5)
    scene.put()
    taken = scene.cloud.trace.data()
    scene.cloud.clock.advance(5)
    before = json.dumps(taken)
    scene.cloud.clock.advance(5)
    taken["steps"].clear()
    scene.put("marta", 7)

    assert json.dumps(scene.cloud.trace.data()["steps"][:2]) == json.dumps(json.loads(before)["steps"])


# The links


def test_order_is_followed_from_upload_to_delete(scene: Scene) -> None:
    """By its ids and causes one order can be followed: upload, event, message, delivery, run, write, deletion."""
    scene.upload("pedidos/lucía/3.json")
    scene.cloud.poll_once(scene.queue, save(scene))
    upload, event, message, deliver, start, write, end, delete = scene.cloud.trace.data()["steps"]

    assert [(s["kind"], s["from"], s["to"]) for s in (upload, event, message, deliver, start, write, end, delete)] == [
        ("call", "you", "s3"),
        ("event", "s3", "sqs"),
        ("message", "sqs", "sqs"),
        ("deliver", "sqs", "lambda"),
        ("run_start", "lambda", "lambda"),
        ("write", "lambda", "ddb"),
        ("run_end", "lambda", "lambda"),
        ("delete", "lambda", "sqs"),
    ]
    assert upload["name"] == "tienda-subidas/pedidos/lucía/3.json"
    assert event["cause"] == upload["n"]
    assert message["cause"] == event["n"]
    assert message["ids"] == {"msg": "m1"}
    assert deliver["ids"] == {"msg": "m1", "delivery": 1}
    assert deliver["cause"] == message["n"]
    assert start["cause"] == deliver["n"]
    assert start["ids"] == {"run": "r1", "msg": "m1", "delivery": 1}
    assert write["ids"] == {"run": "r1", "item": "lucia#3"}
    assert end["ids"] == {"run": "r1"}
    assert delete["ids"] == {"msg": "m1"}


def test_run_of_a_batch(scene: Scene) -> None:
    """A run of several messages is no single one's: its deliveries stand just before it."""
    scene.send("a", "b")
    scene.cloud.poll_once(scene.queue, lambda event, context: None)
    *_, second = scene.steps("deliver")
    (start,) = scene.steps("run_start")

    assert start["ids"] == {"run": "r1", "msgs": ["m1", "m2"]}
    assert start["cause"] == second["n"]
    assert [step["ids"]["msg"] for step in scene.steps("delete")] == ["m1", "m2"]


def test_text_that_crosses(scene: Scene) -> None:
    """A step carries the exact text: the message's body as S3 wrote it, the event as the handler got it."""
    seen = []
    scene.upload("pedidos/peña/3.json")
    scene.cloud.poll_once(scene.queue, lambda event, context: seen.append(event))
    (event,), (deliver,), (start,) = scene.steps("event"), scene.steps("deliver"), scene.steps("run_start")

    assert json.loads(start["wire"]["text"]) == seen[0]
    assert json.loads(deliver["wire"]["text"])["Body"] == event["wire"]["text"] == seen[0]["Records"][0]["body"]


def test_answer_of_a_run_crosses(scene: Scene) -> None:
    """What the handler answers is the text of the run's end; where it fails there is none."""
    ids: list[str] = []
    handlers = [lambda event, context: {"batchItemFailures": [{"itemIdentifier": "ñ"}]}, lambda event, context: ids[0]]
    for handler in handlers:
        scene.send("a")
        scene.cloud.poll_once(scene.queue, handler)
    answered, failed = scene.steps("run_end")

    assert answered["wire"]["text"] == '{"batchItemFailures": [{"itemIdentifier": "ñ"}]}'
    assert "wire" not in failed


def test_second_delivery_is_counted(scene: Scene) -> None:
    """The same message keeps its name, and its deliveries are counted."""
    scene.send("a", "b")
    scene.receive(MaxNumberOfMessages=1)
    scene.cloud.clock.advance(30)
    scene.receive()

    assert [step["ids"] for step in scene.steps("deliver")] == [
        {"msg": "m1", "delivery": 1},
        {"msg": "m1", "delivery": 2},
        {"msg": "m2", "delivery": 1},
    ]
    assert [step["ids"] for step in scene.steps("timeout")] == [{"msg": "m1"}]


def test_timeout_is_told_once(scene: Scene) -> None:
    """A message that is visible again, and stays so, is not told of at each later move of the clock."""
    scene.send("a", "b")
    scene.receive(MaxNumberOfMessages=1)
    for _ in range(3):
        scene.cloud.clock.advance(30)
        scene.put(condition=None)

    assert [step["ids"] for step in scene.steps("timeout")] == [{"msg": "m1"}]


def test_deletion_of_nothing(scene: Scene) -> None:
    """A second deletion succeeds, as on AWS, and the step says that there was nothing."""
    scene.send("a")
    (message,) = scene.receive()
    scene.delete(message)
    scene.delete(message)

    assert [step.get("ids") for step in scene.steps("delete")] == [{"msg": "m1"}, None]


def test_who_calls(scene: Scene) -> None:
    """What a handler calls is the function's doing, what Lambda itself does is Lambda's, the rest is yours."""
    scene.send("a")
    scene.cloud.poll_once(scene.queue, save(scene))
    scene.put("marta", 7)

    assert [(step["from"], step.get("ids", {}).get("run")) for step in scene.steps("write")] == [
        ("lambda", "r1"),
        ("you", None),
    ]
    assert [(step["to"], step["from"]) for step in scene.steps("deliver", "delete")] == [
        ("lambda", "sqs"),
        ("sqs", "lambda"),
    ]


def test_failed_run(scene: Scene) -> None:
    """A run that raised says so, with the error in its log, and nothing is deleted."""
    scene.send("a")
    scene.cloud.poll_once(scene.queue, fail)
    (end,) = scene.steps("run_end")

    assert end["run"] == {"id": "r1", "result": "error", "log": ["ValueError: no es un pedido"]}
    assert scene.steps("delete") == []


def test_batch_of_sends(scene: Scene) -> None:
    """One call that sends several messages is a step each; what is refused in it is none."""
    entries = [{"Id": "a", "MessageBody": "a"}, {"Id": "b", "MessageBody": "b", "DelaySeconds": 5}]
    scene.sqs.send_message_batch(QueueUrl=scene.queue, Entries=entries)

    assert [step["ids"] for step in scene.steps("message")] == [{"msg": "m1"}, {"msg": "m2"}]


@pytest.mark.parametrize(
    ("service", "operation", "parameters", "error"),
    [
        ("s3", "get_object", {"Bucket": "tienda-subidas", "Key": "nada"}, "NoSuchKey"),
        ("s3", "head_object", {"Bucket": "tienda-subidas", "Key": "nada"}, "404"),
        ("sqs", "get_queue_url", {"QueueName": "otra"}, "QueueDoesNotExist"),
        ("dynamodb", "describe_table", {"TableName": "otra"}, "ResourceNotFoundException"),
    ],
    ids=["s3", "s3 head", "sqs", "dynamodb"],
)
def test_error(scene: Scene, service: str, operation: str, parameters: dict[str, str], error: str) -> None:
    """A call that fails is a step with the error's code."""
    with pytest.raises(ClientError):
        getattr(boto3.client(service), operation)(**parameters)
    (step,) = scene.steps()

    assert (step["kind"], step["error"].rpartition(".")[2]) == ("call", error)


def test_errors_have_the_code_that_boto3_raises(scene: Scene) -> None:
    """The code in the step is the one in `error.response`."""
    with pytest.raises(ClientError) as refusal:
        scene.sqs.get_queue_url(QueueName="otra")

    assert scene.steps()[0]["error"] in (
        refusal.value.response["Error"]["Code"],
        refusal.value.response["Error"].get("QueryErrorCode"),
    )


# Decisions


def decisions(scene: Scene) -> list[Any]:
    """Return the decisions of the trace, in order."""
    return [step["decision"] for step in scene.steps("write")]


def test_accepted_new(scene: Scene) -> None:
    """A first write: nothing before, the item after, and the condition as it was sent."""
    scene.put(status="received")

    assert decisions(scene) == [
        {
            "table": "tienda-tabla",
            "op": "PutItem",
            "condition": CONDITION,
            "key": "lucia#3",
            "result": "accepted",
            "before": None,
            "after": {"customer": "lucia", "order_id": 3, "status": "received"},
        }
    ]


def test_accepted_overwrite(scene: Scene) -> None:
    """A write without a condition over another item: both are told."""
    scene.put(status="received")
    scene.put(status="shipped", condition=None)
    decision = decisions(scene)[1]

    assert (decision["result"], decision["condition"]) == ("accepted", None)
    assert decision["before"]["status"] == "received"
    assert decision["after"]["status"] == "shipped"


def test_refused(scene: Scene) -> None:
    """A refused write changes nothing: before and after are the same, and the error is named."""
    scene.put(status="received")
    with pytest.raises(scene.dynamodb.exceptions.ConditionalCheckFailedException):
        scene.put(status="shipped")
    decision = decisions(scene)[1]

    assert (decision["result"], decision["error"]) == ("refused", "ConditionalCheckFailedException")
    assert decision["before"] == decision["after"] == {"customer": "lucia", "order_id": 3, "status": "received"}
    assert scene.steps("write")[1]["set"] == []


def test_update(scene: Scene) -> None:
    """An update tells the whole item before and after, not only what it names."""
    scene.put(status="received", note="a")
    scene.dynamodb.update_item(
        TableName=scene.table,
        Key=scene.item(),
        UpdateExpression="SET #s = :s",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":s": {"S": "shipped"}},
    )
    decision = decisions(scene)[1]

    assert decision["op"] == "UpdateItem"
    assert decision["before"] == {"customer": "lucia", "order_id": 3, "status": "received", "note": "a"}
    assert decision["after"] == {"customer": "lucia", "order_id": 3, "status": "shipped", "note": "a"}


def test_delete(scene: Scene) -> None:
    """A deletion leaves nothing, and so does one of nothing."""
    scene.put()
    for _ in range(2):
        scene.dynamodb.delete_item(TableName=scene.table, Key=scene.item())

    assert [(d["op"], d["before"] is None, d["after"]) for d in decisions(scene)[1:]] == [
        ("DeleteItem", False, None),
        ("DeleteItem", True, None),
    ]


def test_transaction(scene: Scene) -> None:
    """A transaction is one decision a write, all with the same result."""
    scene.dynamodb.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": scene.table, "Item": scene.item(), "ConditionExpression": CONDITION}},
            {"Put": {"TableName": scene.table, "Item": scene.item("marta", 7)}},
        ]
    )

    assert [(d["op"], d["key"], d["condition"], d["result"]) for d in decisions(scene)] == [
        ("PutItem", "lucia#3", CONDITION, "accepted"),
        ("PutItem", "marta#7", None, "accepted"),
    ]


def test_refused_transaction(scene: Scene) -> None:
    """One refused write refuses them all, and each keeps what was there."""
    scene.put()
    with pytest.raises(scene.dynamodb.exceptions.TransactionCanceledException):
        scene.dynamodb.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": scene.table, "Item": scene.item("marta", 7)}},
                {"Delete": {"TableName": scene.table, "Key": scene.item(), "ConditionExpression": CONDITION}},
            ]
        )

    assert [(d["op"], d["result"], d["error"], d["before"] == d["after"]) for d in decisions(scene)[1:]] == [
        ("PutItem", "refused", "TransactionCanceledException", True),
        ("DeleteItem", "refused", "TransactionCanceledException", True),
    ]


def test_batch_write(scene: Scene) -> None:
    """A batch is one decision a write; it has no conditions."""
    scene.put()
    scene.dynamodb.batch_write_item(
        RequestItems={
            scene.table: [
                {"DeleteRequest": {"Key": scene.item()}},
                {"PutRequest": {"Item": scene.item("marta", 7)}},
            ]
        }
    )

    assert [(d["op"], d["key"], d["before"] is None, d["after"] is None) for d in decisions(scene)[1:]] == [
        ("DeleteItem", "lucia#3", False, True),
        ("PutItem", "marta#7", True, False),
    ]


def test_write_to_a_table_that_is_not_there(scene: Scene) -> None:
    """The decision says what was asked, and that nothing is anywhere."""
    with pytest.raises(ClientError):
        scene.dynamodb.put_item(TableName="otra-tabla", Item=scene.item())
    (decision,) = decisions(scene)

    assert (decision["table"], decision["result"], decision["error"]) == (
        "otra-tabla",
        "refused",
        "ResourceNotFoundException",
    )
    assert decision["before"] is decision["after"] is None


def test_every_type_of_value(scene: Scene) -> None:
    """Items are told as plain JSON, whatever DynamoDB can hold."""
    scene.dynamodb.put_item(
        TableName=scene.table,
        Item={
            **scene.item(),
            "price": {"N": "7.5"},
            "tags": {"SS": ["b", "a"]},
            "sizes": {"NS": ["2", "1"]},
            "picture": {"B": b"\x00\xff"},
            "paid": {"BOOL": True},
            "note": {"NULL": True},
            "lines": {"L": [{"M": {"bento": {"S": "弁当"}, "count": {"N": "2"}}}]},
        },
    )

    assert decisions(scene)[0]["after"] == {
        "customer": "lucia",
        "order_id": 3,
        "price": 7.5,
        "tags": ["a", "b"],
        "sizes": [1, 2],
        "picture": "AP8=",
        "paid": True,
        "note": None,
        "lines": [{"bento": "弁当", "count": 2}],
    }


# Requests that hold nonsense


JSON_SERVICES = {"sqs": "AmazonSQS", "dynamodb": "DynamoDB_20120810"}
NONSENSE: list[Any] = [
    b"",
    b"{",
    b"[]",
    b"null",
    {"TableName": ["a"], "Item": "a"},
    {"TableName": "tienda-tabla", "Item": {"customer": "lucia", "order_id": 3}},
    {"TableName": "tienda-tabla", "Item": {"customer": {"S": 1}, "order_id": {"N": "x"}}},
    {"TableName": "tienda-tabla", "Key": {"customer": {"X": "a"}, "order_id": {"N": "3"}}},
    {"TransactItems": ["a", {"Put": None}, {"Put": {"TableName": 3}}, {"Other": {}}]},
    {"TransactItems": "a"},
    {"RequestItems": []},
    {"RequestItems": {"tienda-tabla": [{"OtherRequest": {}}, {"PutRequest": None}, "a"], "otra": None}},
    {"Entries": None, "QueueUrl": 3},
    {"Entries": ["a"], "QueueUrl": "https://sqs.us-east-1.amazonaws.com/123456789012/tienda-pedidos"},
    {"ReceiptHandle": ["a"], "QueueUrl": "https://sqs.us-east-1.amazonaws.com/123456789012/tienda-pedidos"},
]
OPERATIONS = [
    *(("dynamodb", f"{name}Item") for name in ("Put", "Update", "Delete")),
    *(("dynamodb", name) for name in ("TransactWriteItems", "BatchWriteItem")),
    *(("sqs", f"{name}Message{batch}") for name in ("Send", "Delete") for batch in ("", "Batch")),
    ("sqs", "ReceiveMessage"),
]


@pytest.mark.parametrize(("service", "operation"), OPERATIONS)
@pytest.mark.parametrize("region", ["us-east-1", "xx-nowhere-9"])
def test_nonsense_is_answered(scene: Scene, service: str, operation: str, region: str) -> None:
    """Whatever a request holds, the door answers it, and the trace keeps its form."""
    for body in NONSENSE:
        scope = f"Credential=AKIABENTOCOLASTUDENT/20300102/{region}/{service}/aws4_request"
        headers = {
            "X-Amz-Target": f"{JSON_SERVICES[service]}.{operation}",
            "Authorization": f"AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=abc",
            "Content-Type": "application/x-amz-json-1.0",
        }
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = Request("POST", f"https://{service}.{region}.amazonaws.com/", headers, text)
        response = scene.cloud._door.handle(request)

        assert isinstance(response.status, int)

    assert list(faults(scene.cloud.trace.data(), TraceData)) == []


# No secret


def watch(client: Any, sent: list[str]) -> None:
    """Keep in `sent` the headers and addresses that the client sends from now on."""

    def keep(request: Any, **_: Any) -> None:
        sent.extend(v.decode() if isinstance(v, bytes) else str(v) for v in request.headers.values())
        sent.append(request.url)

    client.meta.events.register("before-send", keep)


SIGNATURE = re.compile(r"(?i)signature=([^&,\s]+)|AWS [^:]+:(\S+)")
SECRETS = ("AKIAREALREALREALREAL", "a-real-secret", "a-real-token")


@pytest.mark.parametrize("version", ["v4", "s3v4", "s3", "s3v4-query", "s3-query"])
def test_no_secret_in_the_trace(scene: Scene, version: str) -> None:
    """Key, secret, token and signature of a call are nowhere in its trace, however it is signed."""
    sent: list[str] = []
    keys = dict(zip(("aws_access_key_id", "aws_secret_access_key", "aws_session_token"), SECRETS, strict=True))
    services = ("sqs", "dynamodb") if version == "v4" else ("s3",)
    clients = {name: boto3.client(name, config=Config(signature_version=version), **keys) for name in services}
    for name, client in clients.items():
        watch(client, sent)
        if name == "s3":
            scene.upload("a")
            client.get_object(Bucket=scene.bucket, Key="a", ResponseContentType="text/plain")
        elif name == "sqs":
            client.send_message(QueueUrl=scene.queue, MessageBody="a")
            client.receive_message(QueueUrl=scene.queue)
        else:
            client.put_item(TableName=scene.table, Item=scene.item())
    text = json.dumps(scene.cloud.trace.data())
    signatures = {found for value in sent for pair in SIGNATURE.findall(value) for found in pair if found}

    assert signatures != set()
    assert any("a-real-token" in value for value in sent)
    assert [secret for secret in {*SECRETS, *signatures} if secret in text] == []


def test_rest_of_an_address_stays_in_the_trace(scene: Scene) -> None:
    """Only what proves the caller is left out of an address."""
    client = boto3.client("s3", config=Config(signature_version="s3v4-query"))
    scene.upload("a")
    client.get_object(Bucket=scene.bucket, Key="a", ResponseContentType="text/plain")
    first = scene.steps("call")[-1]["wire"]["text"].splitlines()[0]

    assert first.startswith("GET /a?response-content-type=text%2Fplain")
    assert "Signature=" not in first


@pytest.mark.parametrize("service", ["s3", "sqs"])
def test_no_secret_of_a_form(scene: Scene, service: str) -> None:
    """A browser's upload form and the old query signature carry key and signature in the body: neither is told."""
    fields = boto3.client("s3").generate_presigned_post(scene.bucket, "a")["fields"]
    fields |= {"x-amz-signature": "a-form-signature"}
    if service == "s3":
        parts = [f'--x\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
        parts.append('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhola\r\n--x--\r\n')
        body, kind = "".join(parts), "multipart/form-data; boundary=x"
        url = f"https://{scene.bucket}.s3.amazonaws.com/"
    else:
        body, kind = "Action=ListQueues&AWSAccessKeyId=AKIABENTOCOLASTUDENT&Signature=a-form-signature", ""
        kind, url = "application/x-www-form-urlencoded; charset=utf-8", "https://sqs.us-east-1.amazonaws.com/"
    scene.cloud._door.handle(Request("POST", url, {"Content-Type": kind}, body.encode()))
    text = json.dumps(scene.cloud.trace.data())

    assert len(scene.steps()) > 0
    assert [
        secret for secret in ("AKIABENTOCOLASTUDENT", "a-form-signature", fields["signature"]) if secret in text
    ] == []


# The clock and the recorder by themselves


def test_empty_trace_of_a_new_cloud(cloud: Cloud) -> None:
    """A new cloud has no steps, knows its actors and no state."""
    data = cloud.trace.data()

    assert (data["steps"], data["initial"]) == ([], {})
    assert [actor["id"] for actor in data["actors"]] == ["you", "s3", "sqs", "lambda", "ddb"]
    assert isinstance(cloud.trace, Trace)


def test_tables_and_buckets_are_resources(cloud: Cloud) -> None:
    """Making and removing a resource is a step of its own kind, under its name."""
    boto3.client("s3").create_bucket(Bucket="tienda")
    queue = boto3.client("sqs").create_queue(QueueName="cola")["QueueUrl"]
    boto3.client("dynamodb").create_table(TableName="tabla", **TABLE)
    boto3.client("sqs").delete_queue(QueueUrl=queue)

    assert [(step["kind"], step["api"], step["name"]) for step in cloud.trace] == [
        ("resource", "s3:CreateBucket", "tienda"),
        ("resource", "sqs:CreateQueue", "cola"),
        ("resource", "dynamodb:CreateTable", "tabla"),
        ("resource", "sqs:DeleteQueue", "cola"),
    ]


def test_run_is_of_its_own_message(scene: Scene) -> None:
    """Though somebody receives another one before the run begins."""
    scene.send("a")
    (mine,) = scene.receive()
    scene.send("b")
    scene.receive()
    with scene.cloud._recorder.run("{}", "f", [mine["MessageId"]]) as run:
        run["result"] = "ok"
    steps = scene.cloud.trace.steps
    began = [step for step in steps if step["kind"] == "run_start"][-1]

    assert began["ids"]["msg"] == "m1"
    assert steps[began["cause"] - 1]["ids"] == {"msg": "m1", "delivery": 1}
