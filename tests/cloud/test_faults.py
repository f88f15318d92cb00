"""The faults that can be put in: each strikes the call that it is planned for, has the service's own face, and is told."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ConnectionClosedError

import bentocola
from bentocola.cloud.story import fault
from bentocola.errors import FaultError, WorkerStopped
from tests.cloud.scene import Scene

ONCE = Config(retries={"max_attempts": 0})


@pytest.fixture
def once(scene: Scene) -> Scene:
    """A scene whose clients try once."""
    scene.dynamodb, scene.sqs = boto3.client("dynamodb", config=ONCE), boto3.client("sqs", config=ONCE)
    return scene


def faults(scene: Scene) -> list[str]:
    """Return the faults that the trace tells of."""
    return [step["fault"] for step in scene.steps("fault")]


THROTTLED = {
    "dynamodb": ("describe_table", {"TableName": "tienda-tabla"}, "ProvisionedThroughputExceededException"),
    "sqs": ("list_queues", {}, "RequestThrottled"),
    "s3": ("list_buckets", {}, "SlowDown"),
    "lambda": ("list_functions", {}, "TooManyRequestsException"),
    "logs": ("describe_log_groups", {}, "ThrottlingException"),
    "iam": ("list_roles", {}, "Throttling"),
    "sts": ("get_caller_identity", {}, "Throttling"),
}


@pytest.mark.parametrize("service", THROTTLED)
def test_throttle_has_the_error_of_the_service(scene: Scene, service: str) -> None:
    """A throttled call ends with the code that the service has for it, and the call after it goes through."""
    operation, parameters, code = THROTTLED[service]
    client = boto3.client(service, config=ONCE)
    scene.cloud.faults.throttle(f"{service}:*")
    with pytest.raises(ClientError) as refusal:
        getattr(client, operation)(**parameters)

    assert refusal.value.response["Error"]["Code"] == code

    getattr(client, operation)(**parameters)

    assert faults(scene) == ["throttle"]


def test_throttled_write_has_no_effect(once: Scene) -> None:
    """What is refused as too much is not done."""
    once.cloud.faults.throttle("dynamodb:PutItem")
    with pytest.raises(once.dynamodb.exceptions.ProvisionedThroughputExceededException):
        once.put()

    assert once.dynamodb.scan(TableName=once.table)["Count"] == 0


def test_sdk_tries_again_without_waiting(scene: Scene) -> None:
    """botocore tries a throttled call again; its wait passes on the course's clock, the same each time."""
    before = scene.cloud.clock.elapsed_ms()
    scene.cloud.faults.throttle("dynamodb:PutItem", times=3)
    scene.put()

    assert faults(scene) == ["throttle"] * 3
    assert [step["decision"]["result"] for step in scene.steps("write")] == ["refused"] * 3 + ["accepted"]
    assert scene.cloud.clock.elapsed_ms() - before == 4 + 500 + 1000 + 2000


def test_nth_call(once: Scene) -> None:
    """A fault can be for the n-th call from now on."""
    once.cloud.faults.throttle("dynamodb:PutItem", on=3)
    once.put("lucia", 1)
    once.put("lucia", 2)
    with pytest.raises(ClientError):
        once.put("lucia", 3)
    once.put("lucia", 3)

    assert once.cloud.faults.planned == []


def test_lost_response_comes_after_the_effect(once: Scene) -> None:
    """The caller sees a broken connection; what it asked for is done."""
    once.cloud.faults.lose_response("dynamodb:PutItem")
    with pytest.raises(ConnectionClosedError):
        once.put()

    assert once.dynamodb.scan(TableName=once.table)["Count"] == 1
    assert [(step["kind"], step.get("fault")) for step in once.steps("write", "fault")] == [
        ("write", None),
        ("fault", "lost_response"),
    ]


def test_retry_after_a_lost_response_meets_its_own_write(scene: Scene) -> None:
    """The SDK repeats a conditional write whose answer got lost, and is refused: the order was stored by itself."""
    scene.cloud.faults.lose_response("dynamodb:PutItem")
    with pytest.raises(scene.dynamodb.exceptions.ConditionalCheckFailedException):
        scene.put()

    assert [step["decision"]["result"] for step in scene.steps("write")] == ["accepted", "refused"]


@pytest.mark.parametrize(("when", "stored"), [("before", 0), ("after", 1)])
def test_worker_stops_at_a_point(scene: Scene, when: str, stored: int) -> None:
    """A worker that stops before a call has not made it, one that stops after it has; its batch stays in the queue."""

    def handler(event: dict[str, Any], context: Any) -> None:
        try:
            scene.put()
        except Exception:
            pytest.fail("no handler lives on after its machine died")

    scene.send("a")
    scene.cloud.faults.stop_worker(**{when: "dynamodb:PutItem"})
    done = scene.cloud.poll_once(scene.queue, handler)
    (end,) = scene.steps("run_end")

    assert isinstance(done.error, WorkerStopped)
    assert len(scene.steps("write")) == stored
    assert end["run"]["result"] == "died"
    assert scene.dynamodb.scan(TableName=scene.table)["Count"] == stored
    assert len(done.kept) == 1
    assert faults(scene) == ["stop"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("operation", ["SendMessage", "ReceiveMessage", "DeleteMessage"])
def test_stop_is_told_with_what_really_happened(scene: Scene, when: str, operation: str) -> None:
    """A call that a stop came before is none and is not told; one that had its effect is told with its message."""
    scene.send("a")
    (message,) = scene.receive(VisibilityTimeout=0)
    scene.cloud.trace.clear()
    acts = {
        "SendMessage": lambda: scene.send("b"),
        "ReceiveMessage": scene.receive,
        "DeleteMessage": lambda: scene.delete(message),
    }
    scene.cloud.faults.stop_worker(**{when: f"sqs:{operation}"})
    with pytest.raises(WorkerStopped):
        acts[operation]()
    kinds = {"SendMessage": "message", "ReceiveMessage": "deliver", "DeleteMessage": "delete"}
    told = [(step["kind"], step.get("ids")) for step in scene.steps()]

    assert told == [(kinds[operation], told[0][1])] * (when == "after") + [("fault", None)]
    assert str(scene.cloud.trace).count("\n") == len(told) - 1


@pytest.mark.parametrize("operation", ["SendMessage", "ReceiveMessage"])
def test_lost_answer_is_told_with_its_message(scene: Scene, operation: str) -> None:
    """The trace knows which message an answer was about that nobody received."""
    scene.sqs = boto3.client("sqs", config=ONCE)
    scene.send("a")
    scene.cloud.faults.lose_response(f"sqs:{operation}")
    with pytest.raises(ConnectionClosedError):
        scene.send("b") if operation == "SendMessage" else scene.receive()

    assert [step["kind"] for step in scene.steps()][-2:] == [
        {"SendMessage": "message", "ReceiveMessage": "deliver"}[operation],
        "fault",
    ]
    assert scene.steps()[-2]["ids"]["msg"] == {"SendMessage": "m2", "ReceiveMessage": "m1"}[operation]


def test_you_can_be_stopped_too(scene: Scene) -> None:
    """In a notebook's own loop the stop is an error that no `except Exception` catches, in the cloud's language."""
    scene.cloud.faults.stop_worker(before="dynamodb:PutItem")
    with pytest.raises(WorkerStopped) as stopped:
        scene.put()

    assert not isinstance(stopped.value, Exception)
    assert str(stopped.value) == "El proceso se detiene aquí, como estaba previsto."


def test_fault_of_one_caller(scene: Scene) -> None:
    """A fault can be for a function's calls alone."""
    scene.cloud.faults.stop_worker(before="dynamodb:PutItem", by="lambda")
    scene.put()

    assert faults(scene) == []


def test_message_is_delivered_again_after_it_was_deleted(scene: Scene) -> None:
    """SQS delivers at least once: the same message, with its id and a higher count, though it was handled and deleted."""
    seen: list[tuple[str, str]] = []

    def handler(event: dict[str, Any], context: Any) -> None:
        seen.extend((r["messageId"], r["attributes"]["ApproximateReceiveCount"]) for r in event["Records"])

    scene.send("a")
    scene.cloud.faults.deliver_again()
    for _ in range(3):
        scene.cloud.poll_once(scene.queue, handler)

    assert [count for _, count in seen] == ["1", "2"]
    assert seen[0][0] == seen[1][0]
    assert faults(scene) == ["deliver_again"]
    assert scene.receive() == []


def test_messages_come_in_another_order(scene: Scene) -> None:
    """The next receive has the same messages in another order, once; the order is the same in each run."""
    ids = scene.send(*"abcdefgh")
    scene.cloud.faults.reorder()
    first = [message["MessageId"] for message in scene.receive()]

    assert sorted(first) == sorted(ids)
    assert first != ids
    assert faults(scene) == ["reorder"]


def test_reorder_waits_for_several_messages(scene: Scene) -> None:
    """An empty receive, or one that finds a single message, does not use the fault up."""
    scene.cloud.faults.reorder()
    scene.receive()
    scene.send("a")
    scene.delete(scene.receive()[0])

    assert faults(scene) == []

    ids = scene.send("b", "c")

    assert [message["MessageId"] for message in scene.receive()] == ids[::-1]
    assert faults(scene) == ["reorder"]


def test_event_comes_late(scene: Scene) -> None:
    """A delayed event of S3 is not there until its time, and then it is what it would have been."""
    scene.announce("s3:ObjectCreated:*")
    scene.drain()
    scene.cloud.faults.delay_event(60)
    scene.upload("pedidos/lucía/3.json")
    scene.upload("pedidos/marta/7.json")

    assert [record["s3"]["object"]["key"] for record in scene.records()] == ["pedidos/marta/7.json"]

    scene.cloud.clock.advance(59)

    assert scene.receive() == []

    scene.cloud.clock.advance(1)

    assert [record["s3"]["object"]["key"] for record in scene.records()] == ["pedidos/luc%C3%ADa/3.json"]
    assert faults(scene) == ["delay_event"]


def story(seed: int) -> tuple[list[str], list[str]]:
    """Play a fixed series of calls under a seeded plan; return the faults, and what the writes came to."""
    cloud = bentocola.start("es")
    scene = Scene(cloud)
    try:
        cloud.faults.plan(seed, throttle=0.1, lost_response=0.1, deliver_again=0.3, reorder=0.3, delay_event=0.2)
        for number in range(30):
            with contextlib.suppress(ClientError, BotoCoreError):
                scene.put("lucia", number % 7)
            with contextlib.suppress(ClientError, BotoCoreError):
                scene.send(str(number))
            with contextlib.suppress(ClientError):
                scene.cloud.poll_once(scene.queue, lambda event, context: None)
        return faults(scene), [step["decision"]["result"] for step in scene.steps("write")]
    finally:
        cloud.stop()


def test_seeded_plan_is_repeatable() -> None:
    """One seed gives the same faults each time, another one others."""
    first, again, other = story(7), story(7), story(8)

    assert first == again
    assert first != other
    assert {"throttle", "lost_response", "deliver_again"} <= set(first[0])


def test_clear_forgets_what_is_planned(once: Scene) -> None:
    """After `clear` nothing fails, neither what was planned nor what a seed would have brought."""
    once.cloud.faults.throttle("dynamodb:PutItem")
    once.cloud.faults.plan(1, throttle=1.0)
    once.cloud.faults.clear()
    once.put()

    assert faults(once) == []


@pytest.mark.parametrize(
    "plan",
    [
        lambda f: f.throttle("PutItem"),
        lambda f: f.throttle("dynamo:PutItem"),
        lambda f: f.throttle("dynamodb:putitem"),
        lambda f: f.throttle("sqs:PutItem"),
        lambda f: f.throttle("dynamodb:PutItem", on=0),
        lambda f: f.throttle("dynamodb:PutItem", times=0),
        lambda f: f.stop_worker(),
        lambda f: f.stop_worker(before="sqs:*", after="sqs:*"),
        lambda f: f.throttle("dynamodb:PutItem", on="2"),
        lambda f: f.throttle("dynamodb:PutItem", on=1.5),
        lambda f: f.throttle("dynamodb:PutItem", by="yo"),
        lambda f: f.throttle(None),
        lambda f: f.delay_event(-1),
        lambda f: f.delay_event("5"),
        lambda f: f.plan(1, thunder=0.5),
        lambda f: f.plan(1, throttle=2),
    ],
    ids=[
        "no service",
        "unknown service",
        "mistyped",
        "of another service",
        "on",
        "times",
        "neither",
        "both",
        "on as text",
        "half a call",
        "somebody else",
        "nothing",
        "past",
        "seconds as text",
        "unknown kind",
        "chance",
    ],
)
def test_fault_that_cannot_happen_is_refused(scene: Scene, plan: Any) -> None:
    """A plan that makes no sense is refused in a sentence, and plans nothing."""
    with pytest.raises(FaultError) as refusal:
        plan(scene.cloud.faults)

    assert str(refusal.value).endswith((".", "'", ")"))
    assert scene.cloud.faults.planned == []


def test_planned_faults_are_shown(scene: Scene) -> None:
    """Printing the faults shows what is still to come."""
    assert repr(scene.cloud.faults) == "No hay ningún fallo planeado."

    scene.cloud.faults.throttle("dynamodb:PutItem", on=2)

    assert repr(scene.cloud.faults) == "throttle dynamodb:PutItem on=2 times=1"


def test_poison_message_reaches_the_dead_letter_queue_without_waiting(scene: Scene) -> None:
    """By the clock alone a message that always fails becomes a dead letter, and the story says so."""
    dead = scene.new_queue("muertos")
    arn = scene.sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 3})
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"RedrivePolicy": redrive})
    scene.send("roto")

    def handler(event: dict[str, Any], context: Any) -> None:
        raise ValueError("no es un pedido")

    for _ in range(4):
        scene.cloud.poll_once(scene.queue, handler)
        scene.cloud.clock.advance(30)

    assert scene.cloud.trace.state("sqs.dead") == 1
    assert len(scene.steps("run_end")) == 3
    assert [step["ids"] for step in scene.steps("dead")] == [{"msg": "m1"}]


def test_faults_count_the_same_calls(once: Scene) -> None:
    """Of two planned faults each counts every call that matches it: the first and the second call are struck, not the third."""
    once.cloud.faults.throttle("dynamodb:PutItem", on=1)
    once.cloud.faults.throttle("dynamodb:PutItem", on=2)
    once.cloud.faults.throttle("dynamodb:PutItem", on=4)
    struck = []
    for number in range(1, 6):
        try:
            once.put("lucia", number)
        except ClientError:
            struck.append(number)

    assert struck == [1, 2, 4]
    assert once.cloud.faults.planned == []


def test_two_faults_for_the_next_call_strike_two_calls(once: Scene) -> None:
    """Planned twice for the next call, a fault strikes that one and the one after it."""
    once.cloud.faults.throttle("dynamodb:PutItem")
    once.cloud.faults.throttle("dynamodb:PutItem")
    for _ in range(2):
        with pytest.raises(ClientError):
            once.put()
    once.put()


def test_delays_are_each_their_event_s(scene: Scene) -> None:
    """Two delays, of the first event and of the second, each have their own length."""
    scene.cloud.faults.delay_event(60, on=1)
    scene.cloud.faults.delay_event(10, on=2)
    scene.upload("a")
    scene.upload("b")
    scene.cloud.clock.advance(11)

    assert [record["s3"]["object"]["key"] for record in scene.records()] == ["b"]


def test_fifo_queue_is_spared(scene: Scene) -> None:
    """A FIFO queue neither reorders nor delivers again: the faults wait for a standard queue, and nothing is told of them."""
    queue = scene.new_queue("cola.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    scene.sqs.send_message(QueueUrl=queue, MessageBody="a", MessageGroupId="g")
    scene.cloud.faults.deliver_again()
    scene.cloud.faults.reorder()
    scene.sqs.receive_message(QueueUrl=queue)

    assert faults(scene) == []
    assert len(scene.cloud.faults.planned) == 2

    scene.send("b", "c")
    scene.receive()

    assert sorted(faults(scene)) == ["deliver_again", "reorder"]


# Between calls, refusals for want of a permission, and faults that are taken back


def test_something_happens_right_before_a_call(scene: Scene) -> None:
    """Another program comes in between: what it does is told, and seen, as earlier than the call, and strikes once."""
    other = boto3.client("dynamodb")
    item = {"customer": {"S": "lucia"}, "order_id": {"N": "3"}, "status": {"S": "shipped"}}
    scene.cloud.faults.meanwhile(lambda: other.put_item(TableName=scene.table, Item=item), before="dynamodb:PutItem")
    with pytest.raises(scene.dynamodb.exceptions.ConditionalCheckFailedException):
        scene.put()

    assert [step["decision"]["result"] for step in scene.steps("write")] == ["accepted", "refused"]
    assert scene.steps("write")[1]["decision"]["before"]["status"] == "shipped"
    assert (faults(scene), scene.cloud.faults.planned) == ([], [])


def test_no_fault_strikes_what_happens_meanwhile(scene: Scene) -> None:
    """What is planned for the call is for the call: it neither strikes what comes between nor is used up by it."""
    scene.dynamodb = boto3.client("dynamodb", config=ONCE)
    acted: list[int] = []

    def act() -> None:
        boto3.client("dynamodb", config=ONCE).describe_table(TableName=scene.table)
        acted.append(1)

    scene.cloud.faults.throttle("dynamodb:*")
    scene.cloud.faults.meanwhile(act, before="dynamodb:PutItem")
    with pytest.raises(ClientError):
        scene.put()
    scene.put()

    assert (acted, faults(scene)) == ([1], ["throttle"])


def test_what_happens_meanwhile_is_nobody_s_run(scene: Scene) -> None:
    """In the middle of a function's call, it is not that run's doing."""
    other = boto3.client("sqs")

    def handler(event: dict[str, Any], context: Any) -> None:
        scene.put()

    scene.send("a")
    scene.cloud.faults.meanwhile(
        lambda: other.send_message(QueueUrl=scene.queue, MessageBody="b"), before="dynamodb:PutItem", by="lambda"
    )
    scene.cloud.poll_once(scene.queue, handler)
    (sent,) = [step for step in scene.steps("message") if step["ids"]["msg"] == "m2"]

    assert sent["from"] == "you"
    assert "run" not in sent["ids"]
    assert scene.steps("write")[0]["ids"]["run"] == "r1"


def test_time_goes_by_right_before_a_call(scene: Scene) -> None:
    """A call that takes long: the clock has moved when it is made."""
    scene.send("a")
    (message,) = scene.receive(VisibilityTimeout=30)
    scene.cloud.faults.meanwhile(lambda: scene.cloud.clock.advance(31), before="dynamodb:PutItem", on=2)
    scene.put("lucia", 1)

    assert scene.receive() == []

    scene.put("lucia", 2)

    assert [again["MessageId"] for again in scene.receive()] == [message["MessageId"]]


def test_a_refusal_for_want_of_a_permission_is_not_tried_again(scene: Scene) -> None:
    """boto3, with its standard settings, makes one call of it; the next one goes through, and nothing was written before."""
    scene.cloud.faults.deny("dynamodb:PutItem")
    with pytest.raises(ClientError) as refusal:
        scene.put()

    assert refusal.value.response["Error"]["Code"] == "AccessDeniedException"
    assert refusal.value.response["ResponseMetadata"]["RetryAttempts"] == 0
    assert scene.dynamodb.scan(TableName=scene.table)["Count"] == 0

    scene.put()

    assert faults(scene) == ["deny"]
    assert [step["decision"]["result"] for step in scene.steps("write")] == ["refused", "accepted"]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("es", "Fallo provocado: DynamoDB rechaza PutItem, porque falta el permiso."),
        ("ja", "仕込んだ障害：DynamoDBがPutItemを断りました。権限がありません。"),
    ],
)
def test_a_refusal_for_want_of_a_permission_is_told(scene: Scene, language: str, sentence: str) -> None:
    """The story has a sentence for it in each language."""
    scene.cloud.faults.deny("dynamodb:PutItem")
    with pytest.raises(ClientError):
        scene.put()
    (struck,) = scene.steps("fault")

    assert fault(language, struck) == sentence


def test_a_fault_is_taken_back(once: Scene) -> None:
    """The one that is named and no other; one that has struck, or was taken back before, is nothing to take back."""
    first = once.cloud.faults.throttle("dynamodb:PutItem")
    second = once.cloud.faults.throttle("dynamodb:PutItem", on=2)
    once.cloud.faults.cancel(first)
    once.cloud.faults.cancel(first)

    assert once.cloud.faults.planned == [second]

    once.put()
    with pytest.raises(ClientError):
        once.put("lucia", 9)
    once.cloud.faults.cancel(second)

    assert faults(once) == ["throttle"]


def test_messages_come_in_a_given_order(scene: Scene) -> None:
    """Whoever plans it can say which order; it is the receive's own messages that are put so."""
    ids = scene.send(*"abcd")
    scene.cloud.faults.reorder(shuffle=list.reverse)

    assert [message["MessageId"] for message in scene.receive()] == ids[::-1]
    assert faults(scene) == ["reorder"]
