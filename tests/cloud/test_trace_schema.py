"""The trace's form for other programs: `trace.schema.json` and the types say the same, and whatever happens has that form.

Random stories are played from a seed, with faults of every kind; each is also folded forward and back, and told in words.
"""

from __future__ import annotations

import contextlib
import json
import random
import types
import typing
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NotRequired, Required, get_args, get_origin

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from jsonschema import Draft202012Validator

from bentocola.cloud import cloud as cloud_module
from bentocola.cloud import faults, trace
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.story import tell
from bentocola.errors import WorkerStopped
from tests.cloud.folding import check_against_services, folded
from tests.cloud.played import Played
from tests.cloud.test_mappings import Scene

SCHEMA = trace.json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
ONCE = Config(retries={"total_max_attempts": 1})


# The schema and the types

PARTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "trace": (trace.TraceData, SCHEMA),
    "actor": (trace.Actor, SCHEMA["properties"]["actors"]["items"]),
    "step": (trace.Step, SCHEMA["$defs"]["step"]),
    **{
        name: (form, SCHEMA["$defs"]["step"]["properties"][name])
        for name, form in (("wire", trace.Wire), ("decision", trace.Decision), ("run", trace.Run))
    },
    "feed": (trace.Feed, SCHEMA["$defs"]["feed"]),
}


def test_schema_is_one() -> None:
    """The file is a JSON Schema of the draft that it names."""
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("part", PARTS)
def test_schema_and_types_have_the_same_fields(part: str) -> None:
    """Each object has the same fields in both, and the same ones may be left out."""
    form, schema = PARTS[part]
    hints = typing.get_type_hints(form, include_extras=True)
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}

    assert set(schema["properties"]) == set(hints)
    assert set(schema["required"]) == set(hints) - optional
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("part", PARTS)
def test_schema_and_types_have_the_same_values(part: str) -> None:
    """Where only certain words are allowed they are the same in both, and types are what JSON makes of them."""
    form, schema = PARTS[part]
    for name, hint in typing.get_type_hints(form, include_extras=True).items():
        while get_origin(hint) in (NotRequired, Required):
            (hint,) = get_args(hint)
        said = schema["properties"][name]
        if get_origin(hint) is typing.Literal:
            assert (name, set(said["enum"])) == (name, set(get_args(hint)))
        elif "type" in said:
            assert (name, {*([said["type"]] if isinstance(said["type"], str) else said["type"])}) == (name, kinds(hint))


def kinds(hint: Any) -> set[str]:
    """Return JSON's names for a type."""
    if get_origin(hint) in (typing.Union, types.UnionType):
        return set().union(*map(kinds, get_args(hint)))
    names = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null", dict: "object"}
    plain = get_origin(hint) or hint
    return {"object" if typing.is_typeddict(plain) else "array" if plain is list else names[plain]}


def test_faults_of_the_schema_are_those_that_there_are() -> None:
    """A step's fault is one of those that can be put in; both stops are one to a reader."""
    there_are = {kind.partition("_before")[0].partition("_after")[0] for kind in get_args(faults.Kind)}

    assert set(SCHEMA["$defs"]["step"]["properties"]["fault"]["enum"]) == there_are


# Random stories


class Stage(Scene):
    """Everything that a story needs: queues with a dead-letter queue, a FIFO queue, a mapping, and clients that try once."""

    def __init__(self, cloud: Cloud, played: Played, seed: int) -> None:
        super().__init__(cloud, played)
        self.chance = random.Random(seed)
        self.once = {
            name: boto3.client(name, config=ONCE) for name in ("s3", "sqs", "dynamodb", "lambda", "logs", "iam")
        }
        self.dead = self.new_queue("muertos")
        redrive = {"deadLetterTargetArn": "arn:aws:sqs:us-east-1:123456789012:muertos", "maxReceiveCount": 2}
        self.sqs.set_queue_attributes(
            QueueUrl=self.queue, Attributes={"RedrivePolicy": json.dumps(redrive), "MessageRetentionPeriod": "600"}
        )
        self.line = self.new_queue("cola.fifo", FifoQueue="true", ContentBasedDeduplication="true")
        self.received: list[tuple[str, str]] = []
        self.map(BatchSize=3, FunctionResponseTypes=["ReportBatchItemFailures"])
        played.handler = self.handler

    def handler(self, event: Any) -> Any:
        """A function that writes, and often fails in one way or another."""
        if self.chance.random() < 0.2:
            raise ValueError("no")
        failed = []
        for record in event.get("Records", []):
            self.write("put_item")
            if self.chance.random() < 0.3:
                failed.append({"itemIdentifier": record["messageId"]})
        return {"batchItemFailures": failed}

    def write(self, operation: str | None = None) -> None:
        """One write, with a condition or without, of few keys, so that they meet."""
        operation = operation or self.chance.choice(["put_item", "update_item", "delete_item", "transact", "batch"])
        key = self.item("lucia", self.chance.randrange(3))
        condition = self.chance.choice([{}, {"ConditionExpression": "attribute_not_exists(customer)"}])
        table, client = {"TableName": self.table}, self.once["dynamodb"]
        if operation == "put_item":
            client.put_item(**table, Item={**key, "n": {"N": "1.50"}, "s": {"SS": ["a", "ñ"]}}, **condition)
        elif operation == "transact":
            put = {"Put": {**table, "Item": key, **condition}}
            client.transact_write_items(TransactItems=[put, {"Delete": {**table, "Key": self.item("marta", 1)}}])
        elif operation == "batch":
            client.batch_write_item(RequestItems={self.table: [{"DeleteRequest": {"Key": key}}]})
        else:
            getattr(client, operation)(**table, Key=key, **condition)

    def receive_some(self) -> None:
        """Receive from one of the queues."""
        queue = self.chance.choice([self.queue, self.queue, self.dead, self.line])
        wait = self.chance.choice([0, 0, 3])
        found = self.once["sqs"].receive_message(
            QueueUrl=queue, MaxNumberOfMessages=self.chance.randint(1, 10), WaitTimeSeconds=wait
        )
        self.received += [(queue, message["ReceiptHandle"]) for message in found.get("Messages", [])]

    def answer_some(self) -> None:
        """Delete or change what was received, whether that is still possible or not."""
        if self.received:
            queue, receipt = self.chance.choice(self.received)
            named: dict[str, Any] = {"QueueUrl": queue, "ReceiptHandle": receipt}
            if self.chance.random() < 0.6:
                self.once["sqs"].delete_message(**named)
            else:
                self.once["sqs"].change_message_visibility(
                    **named, VisibilityTimeout=self.chance.choice([0, 5, 99_999])
                )

    def acts(self) -> list[Callable[[], Any]]:
        """What can happen next."""
        chance, once = self.chance, self.once
        entries = [{"Id": str(n), "MessageBody": text} for n, text in enumerate(("a", "", "注文"))]
        arn = "arn:aws:sqs:us-east-1:123456789012:muertos"
        return [
            self.write,
            self.receive_some,
            self.receive_some,
            self.answer_some,
            self.answer_some,
            lambda: once["s3"].put_object(
                Bucket=self.bucket, Key=f"pedidos/lucía {chance.randrange(9)}.json", Body=b"\xff{}"
            ),
            lambda: once["s3"].delete_object(Bucket=self.bucket, Key="pedidos/lucía 1.json"),
            lambda: once["sqs"].send_message(QueueUrl=self.queue, MessageBody="a", DelaySeconds=chance.choice([0, 7])),
            lambda: once["sqs"].send_message_batch(QueueUrl=self.queue, Entries=entries),
            lambda: once["sqs"].send_message(QueueUrl=self.line, MessageBody=str(chance.random()), MessageGroupId="g"),
            lambda: once["sqs"].start_message_move_task(SourceArn=arn),
            lambda: once["sqs"].purge_queue(QueueUrl=self.dead),
            lambda: once["sqs"].get_queue_url(QueueName="ninguna"),
            lambda: once["dynamodb"].scan(TableName="ninguna"),
            lambda: once["lambda"].invoke(FunctionName=chance.choice(["worker", "ninguna"])),
            lambda: once["lambda"].invoke(FunctionName="worker", InvocationType="Event"),
            lambda: once["logs"].describe_log_groups(),
            lambda: once["iam"].create_role(RoleName="otro", AssumeRolePolicyDocument="{}"),
            lambda: once["s3"].create_bucket(Bucket=f"otro-{chance.randrange(3)}"),
            lambda: self.cloud.clock.advance(chance.choice([0, 0.5, 10, 31, 700])),
            self.cloud.poll_once,
            self.cloud.poll_once,
            lambda: self.cloud.poll_once(self.queue, lambda event, context: self.handler(event)),
        ]


KINDS: set[str] = set()
FAULTS: set[str] = set()


@contextlib.contextmanager
def stage(seed: int) -> Iterator[Stage]:
    """A still cloud with everything in it."""
    played = Played()
    cloud = cloud_module.start("es", runtime=played)
    try:
        yield Stage(cloud, played, seed)
    finally:
        cloud.stop()


def play(scene: Stage, acts: int) -> None:
    """Let things happen by chance, under a plan of faults."""
    chances = dict.fromkeys(get_args(faults.Kind), 0.05)
    scene.cloud.faults.plan(scene.chance.randrange(1000), **chances)
    for _ in range(acts):
        act = scene.chance.choice(scene.acts())
        with contextlib.suppress(ClientError, BotoCoreError, WorkerStopped):
            act()


def check(cloud: Cloud) -> trace.TraceData:
    """Hold a trace against the schema, fold it forward and back, and tell it; return it."""
    data = cloud.trace.data()
    faulty = [f"{'/'.join(map(str, found.path))}: {found.message}" for found in VALIDATOR.iter_errors(data)]

    assert faulty == []

    named = {actor["id"] for actor in data["actors"]}
    for number, step in enumerate(data["steps"], 1):
        assert step["n"] == number
        assert step.get("cause", 0) < number
        assert {step["from"], step["to"]} <= named

    assert folded(data) == {path: cloud.trace.state(path) for path in cloud.trace.paths("")}
    assert all(later["t"] >= earlier["t"] for earlier, later in pairwise(data["steps"]))

    for language in ("es", "ja"):
        assert tell(language, data)
    return data


@pytest.mark.parametrize("seed", range(12))
def test_random_stories_have_the_form(seed: int) -> None:
    """Whatever happens, in whatever order, with faults of every kind: the trace is as it is promised."""
    with stage(seed) as scene:
        play(scene, 60)
        data = check(scene.cloud)
        counted = (
            scene.cloud._door.counts("sqs") | scene.cloud._door.counts("dynamodb") | scene.cloud._door.counts("s3")
        )
        scene.cloud.faults.clear()
        scene.once["sqs"].list_queues()
        scene.once["dynamodb"].list_tables()
        scene.once["s3"].list_buckets()
        told = {path: scene.cloud.trace.state(path) for path in counted}
        check_against_services(scene.cloud.trace)
        scene.cloud.trace.clear()
        play(scene, 20)
        check(scene.cloud)
    KINDS.update(step["kind"] for step in data["steps"])
    FAULTS.update(step["fault"] for step in data["steps"] if "fault" in step)

    assert told == counted


def test_every_kind_of_step_has_the_form() -> None:
    """The stories above had every kind of step in them, and every fault."""
    known = set(SCHEMA["$defs"]["step"]["properties"]["fault"]["enum"])
    for seed in range(100, 140):
        if set(get_args(trace.Kind)) == KINDS and known == FAULTS:
            break
        test_random_stories_have_the_form(seed)

    assert set(get_args(trace.Kind)) - KINDS == set()
    assert known == FAULTS


def test_functions_that_run_have_the_form() -> None:
    """So has the trace of functions in processes of their own: one that answers, one that fails, one that ends its process."""
    from tests.cloud.test_pipeline import Pipeline

    cloud = cloud_module.start("es")
    try:
        scene = Pipeline(cloud)
        scene.deploy("""
            import os, sys
            def handler(event, context):
                print("注文", event)
                return {"ok": lambda: 1, "fails": lambda: 1 / 0, "dies": lambda: os._exit(3)}[event["do"]]()
        """)
        for do in ("ok", "fails", "dies"):
            scene.lambda_.invoke(FunctionName="worker", Payload=json.dumps({"do": do}))
        data = check(cloud)
    finally:
        cloud.stop()

    assert [step["run"]["result"] for step in data["steps"] if step["kind"] == "run_end"] == ["ok", "error", "died"]


def test_any_name_of_an_operation_has_the_form(scene: Scene) -> None:
    """What calls itself by a name that no operation has is told by a name that the form allows."""
    from bentocola.cloud.door import Request

    for name in ("Send Message", "a:b", "ñ", "", "x" * 1000, '"<>"'):
        headers = {"X-Amz-Target": f"AmazonSQS.{name}", "Content-Type": "application/x-amz-json-1.0"}
        scene.cloud.handle(Request("POST", "https://sqs.us-east-1.amazonaws.com/", headers, b"{}"))
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        scene.cloud.handle(Request("POST", "https://iam.amazonaws.com/", form, f"Action={name}".encode()))
    check(scene.cloud)


# Long traces


@pytest.fixture
def scene() -> Iterator[Stage]:
    """A still cloud with everything in it, and an empty trace."""
    with stage(0) as made:
        made.cloud.clock.advance(1)  # the mapping is enabled
        made.cloud.trace.clear()
        yield made


@pytest.fixture
def _short_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace that keeps ten to twenty steps in memory."""
    monkeypatch.setattr(trace, "STEPS_IN_MEMORY", 10)


@pytest.mark.usefixtures("_short_memory")
def test_long_trace_is_whole(scene: Stage) -> None:
    """More steps than memory keeps: numbers, state and text are as in a short trace, and memory holds no more than twenty."""
    for number in range(45):
        scene.put("lucia", number)
        assert len(scene.cloud.trace._latest) < 20
    data = check(scene.cloud)

    assert len(scene.cloud.trace) == len(data["steps"]) == 45
    assert [step["ids"]["item"] for step in data["steps"]] == [f"lucia#{n}" for n in range(45)]
    assert json.loads(json.dumps(list(scene.cloud.trace))) == data["steps"]


@pytest.mark.usefixtures("_short_memory")
@pytest.mark.parametrize("n", [0, 1, 9, 10, 11, 19, 20, 21, 29, 34, 35, 36])
def test_steps_since_a_number(scene: Stage, n: int) -> None:
    """`since` gives what came after a step, wherever that is kept."""
    for number in range(35):
        scene.put("lucia", number)

    assert [step["n"] for step in scene.cloud.trace.since(n)] == list(range(n + 1, 36))


@pytest.mark.usefixtures("_short_memory")
def test_steps_are_those_of_one_moment(scene: Stage) -> None:
    """While somebody goes through the steps more are written and older ones leave memory: none is missed or comes twice."""
    for number in range(25):
        scene.put("lucia", number)
    seen = []
    for step in scene.cloud.trace.since(0):
        seen.append(step["n"])
        scene.put("marta", step["n"])

    assert seen == list(range(1, 26))


@pytest.mark.usefixtures("_short_memory")
def test_clear_of_a_long_trace(scene: Stage) -> None:
    """A long trace that was cleared begins anew, and can be long again."""
    for number in range(33):
        scene.put("lucia", number)
    scene.cloud.trace.clear()

    assert (len(scene.cloud.trace), scene.cloud.trace.steps) == (0, [])

    for number in range(33):
        scene.put("marta", number)
    data = check(scene.cloud)

    assert [step["ids"]["item"] for step in data["steps"]] == [f"marta#{n}" for n in range(33)]


@pytest.mark.usefixtures("_short_memory")
def test_moves_of_the_clock_are_one_step_at_the_edge_of_memory(scene: Stage) -> None:
    """Moves are joined wherever the trace is cut."""
    for number in range(40):
        scene.put("lucia", number)
        scene.cloud.clock.advance(1)
        scene.cloud.clock.advance(2)
    data = check(scene.cloud)

    assert len(data["steps"]) == 80


def test_step_that_somebody_has_does_not_change(scene: Stage) -> None:
    """A move of the clock that is joined with the one before makes a new step: the old one stays as it was read."""
    scene.cloud.clock.advance(1)
    (step,) = scene.cloud.trace.since(0)
    before = json.dumps(step)
    scene.cloud.clock.advance(1)

    assert json.dumps(step) == before


def test_cause_is_never_one_of_another_story(scene: Stage) -> None:
    """A message from before the clear has no cause in the new story, though a step there has the old one's number."""
    scene.send("a")
    scene.cloud.trace.clear()
    scene.put()
    scene.put("lucia", 4)
    scene.receive()

    assert [step.get("cause") for step in scene.steps("deliver")] == [None]


# Secrets


def test_no_secret_of_iam_or_sts_in_the_trace(scene: Stage) -> None:
    """Neither what IAM and STS hand out nor what they are given to keep is told."""
    iam, sts = scene.iam, boto3.client("sts")
    iam.create_user(UserName="lucia")
    key = iam.create_access_key(UserName="lucia")["AccessKey"]
    trust = {"Effect": "Allow", "Principal": {"AWS": "123456789012"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    role = iam.create_role(RoleName="visita", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    session = sts.assume_role(RoleArn=role, RoleSessionName="sesion")["Credentials"]
    secrets = [key["AccessKeyId"], key["SecretAccessKey"]]
    secrets += [session[name] for name in ("AccessKeyId", "SecretAccessKey", "SessionToken")]
    given = {"MyPassw0rd&1": "Password", "OldPassw0rd": "OldPassword", "NewPassw0rd": "NewPassword"}
    for call in (
        lambda: iam.create_login_profile(UserName="lucia", Password="MyPassw0rd&1"),
        lambda: iam.update_login_profile(UserName="lucia", Password="MyPassw0rd&1"),
        lambda: iam.change_password(OldPassword="OldPassw0rd", NewPassword="NewPassw0rd"),
        lambda: iam.upload_server_certificate(
            ServerCertificateName="c", CertificateBody="body", PrivateKey="the-private-key"
        ),
        lambda: iam.update_access_key(UserName="lucia", AccessKeyId=key["AccessKeyId"], Status="Inactive"),
        lambda: iam.delete_access_key(UserName="lucia", AccessKeyId=key["AccessKeyId"]),
        lambda: sts.get_access_key_info(AccessKeyId=key["AccessKeyId"]),
        lambda: sts.assume_role_with_web_identity(
            RoleArn=scene.role, RoleSessionName="sesion", WebIdentityToken="web-token"
        ),
        lambda: sts.get_session_token(SerialNumber="arn:aws:iam::123456789012:mfa/m", TokenCode="123987"),
    ):
        with contextlib.suppress(ClientError):
            call()
    text = json.dumps(scene.cloud.trace.data(), ensure_ascii=False)

    assert [name for name in secrets if name in text] == []
    assert [name for name in (*given, "Passw0rd", "the-private-key", "web-token", "123987") if name in text] == []
    assert "UserName=lucia" in text
