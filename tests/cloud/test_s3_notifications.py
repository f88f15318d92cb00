"""PutBucketNotificationConfiguration: what is refused, in AWS's words, and what is kept.

https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketNotificationConfiguration.html
"""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.amendments import s3_events, s3_notifications
from bentocola.cloud.cloud import Cloud
from tests.cloud.scene import Scene

CREATED = ["s3:ObjectCreated:*"]
ACCOUNT = "123456789012"
FUNCTION = f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:pedidos"
ALLOW = {"Effect": "Allow", "Principal": {"Service": "s3.amazonaws.com"}, "Action": "lambda:InvokeFunction"}
UNREACHABLE = "Unable to validate the following destination configurations"
AMBIGUOUS = (
    "Configuration is ambiguously defined. Cannot have overlapping suffixes in two rules if the prefixes are "
    "overlapping for the same event type."
)


def queue_arn(name: str, region: str = "us-east-1", account: str = ACCOUNT) -> str:
    """Return the ARN of a queue."""
    return f"arn:aws:sqs:{region}:{account}:{name}"


def put(scene: Scene, *rules: dict[str, Any], **options: Any) -> None:
    """Put rules for queues, and for functions where they name one, in the place of the bucket's."""
    configuration: dict[str, Any] = {}
    for rule in rules:
        kind = next(iter({"QueueArn", "LambdaFunctionArn", "TopicArn"} & set(rule))).removesuffix("Arn")
        configuration.setdefault(f"{kind}Configurations", []).append({"Events": CREATED, **rule})
    scene.s3.put_bucket_notification_configuration(
        Bucket=scene.bucket, NotificationConfiguration=configuration, **options
    )


def refused(scene: Scene, *rules: dict[str, Any], **options: Any) -> dict[str, str]:
    """Put rules that are refused. Return the error without its ids, and see that the bucket keeps what it had."""
    before = kept(scene)
    with pytest.raises(ClientError) as raised:
        put(scene, *rules, **options)
    assert kept(scene) == before
    assert raised.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    error = dict(raised.value.response["Error"])
    return {name: value for name, value in error.items() if name not in ("RequestId", "HostId")}


def kept(scene: Scene) -> dict[str, Any]:
    """Return the bucket's configuration."""
    answer = scene.s3.get_bucket_notification_configuration(Bucket=scene.bucket)
    return {name: value for name, value in answer.items() if name != "ResponseMetadata"}


def invalid(message: str, **arguments: str) -> dict[str, str]:
    """Return the error for an invalid argument."""
    return {"Code": "InvalidArgument", "Message": message, **arguments}


def filters(**values: str) -> dict[str, Any]:
    """Return a rule's filter: prefix, suffix."""
    return {"Filter": {"Key": {"FilterRules": [{"Name": name, "Value": value} for name, value in values.items()]}}}


def test_self_test() -> None:
    """This moto has what the amendments build on."""
    s3_events.self_test()
    s3_notifications.self_test()


@pytest.fixture
def two(scene: Scene) -> tuple[dict[str, Any], dict[str, Any]]:
    """Targets of two rules: the scene's queue and another that lets S3 send as well."""
    scene.let_s3_send(scene.new_queue("otra"))
    return {"QueueArn": queue_arn(scene.cloud.names.queue)}, {"QueueArn": queue_arn("otra")}


# Queues


def test_queue_must_exist(scene: Scene) -> None:
    """A queue that is not there is told by its ARN."""
    assert refused(scene, {"QueueArn": queue_arn("nadie")}) == invalid(
        UNREACHABLE, ArgumentName1=queue_arn("nadie"), ArgumentValue1="The destination queue does not exist"
    )


def test_queue_of_another_account_does_not_exist(scene: Scene) -> None:
    """There is one account here."""
    arn = queue_arn(scene.cloud.names.queue, account="999999999999")

    assert refused(scene, {"QueueArn": arn})["ArgumentValue1"] == "The destination queue does not exist"


def test_queue_must_let_s3_send(scene: Scene) -> None:
    """A queue without a policy takes nothing from S3."""
    scene.new_queue("sin-permiso")

    assert refused(scene, {"QueueArn": queue_arn("sin-permiso")}) == invalid(
        UNREACHABLE,
        ArgumentName1=queue_arn("sin-permiso"),
        ArgumentValue1="Permissions on the destination queue do not allow S3 to publish notifications from this bucket",
    )


def test_queue_must_let_this_bucket(scene: Scene) -> None:
    """A policy for another bucket's events does not do."""
    url = scene.new_queue("de-otra")
    scene.bucket, bucket = "otra-tienda", scene.bucket
    scene.let_s3_send(url)
    scene.bucket = bucket

    assert refused(scene, {"QueueArn": queue_arn("de-otra")})["Message"] == UNREACHABLE


def test_all_targets_that_cannot_be_reached_are_told(scene: Scene) -> None:
    """They are numbered."""
    scene.new_queue("sin-permiso")
    error = refused(
        scene,
        {"QueueArn": queue_arn("nadie"), "Events": ["s3:ObjectCreated:Put"]},
        {"QueueArn": queue_arn("sin-permiso"), "Events": ["s3:ObjectRemoved:*"]},
    )

    assert (error["ArgumentName1"], error["ArgumentName2"]) == (queue_arn("nadie"), queue_arn("sin-permiso"))


def test_no_test_event_for_a_refused_configuration(scene: Scene, two: tuple[dict[str, Any], ...]) -> None:
    """The whole is refused: the queue that could be reached hears nothing."""
    refused(scene, two[0], {"QueueArn": queue_arn("nadie"), "Events": ["s3:ObjectRemoved:*"]})

    assert scene.drain() == []


def test_fifo_queue_is_refused(scene: Scene) -> None:
    """S3 does not send to FIFO queues, whatever their policy says."""
    scene.let_s3_send(scene.new_queue("cola.fifo", FifoQueue="true"))

    assert refused(scene, {"QueueArn": queue_arn("cola.fifo")})["Message"] == "FIFO SQS queues are not supported."


def test_queue_of_another_region_is_refused(scene: Scene) -> None:
    """The target must be in the bucket's region, even if nobody checks whether it is there."""
    said = "The notification destination service region is not valid for the bucket location constraint"
    rule = {"QueueArn": queue_arn("cola", region="eu-west-1")}

    assert refused(scene, rule)["Message"] == said
    assert refused(scene, rule, SkipDestinationValidation=True)["Message"] == said


@pytest.mark.parametrize(
    "arn", ["cola", "arn:aws:sqs:us-east-1:123456789012", "arn:aws:sns:us-east-1:123456789012:cola"]
)
def test_arn_that_is_none(scene: Scene, arn: str) -> None:
    """What is no queue's ARN is refused before anything is looked up, and whether it is to be looked up or not."""
    said = invalid("The ARN could not be parsed", ArgumentName="Queue", ArgumentValue=arn)

    assert refused(scene, {"QueueArn": queue_arn("nadie")}, {"QueueArn": arn}) == said
    assert refused(scene, {"QueueArn": arn}, SkipDestinationValidation=True) == said


def test_topic_does_not_exist(scene: Scene) -> None:
    """There are no topics here."""
    arn = f"arn:aws:sns:us-east-1:{ACCOUNT}:tema"

    assert refused(scene, {"TopicArn": arn}) == invalid(
        UNREACHABLE, ArgumentName1=arn, ArgumentValue1="The destination topic does not exist"
    )


def test_validation_can_be_skipped(scene: Scene) -> None:
    """Then the target need not be there, and gets no test event; once it is there, it gets events."""
    put(scene, {"QueueArn": queue_arn("luego"), "Id": "a"}, SkipDestinationValidation=True)
    scene.upload("a")
    scene.queue = scene.new_queue("luego")
    scene.let_s3_send(scene.queue)
    scene.upload("b")

    assert kept(scene) == {"QueueConfigurations": [{"Id": "a", "QueueArn": queue_arn("luego"), "Events": CREATED}]}
    assert [body["Records"][0]["s3"]["object"]["key"] for body in scene.drain()] == ["b"]


def test_bucket_must_exist(scene: Scene) -> None:
    """A bucket that is not there is told before anything else."""
    scene.bucket = "nadie"
    with pytest.raises(scene.s3.exceptions.NoSuchBucket):
        put(scene, {"QueueArn": "no ARN"})


# Events


@pytest.mark.parametrize("event", ["s3:ObjectCreated", "ObjectCreated:Put", "s3:", "s3:*", "s3:ObjectRead:Get", ""])
def test_unknown_event(scene: Scene, event: str) -> None:
    """An event that S3 does not have is refused, and the answer lists those it has."""
    error = refused(scene, {"QueueArn": queue_arn(scene.cloud.names.queue), "Events": [event]})

    assert error["Code"] == "InvalidArgument"
    assert error["Message"].startswith(f"The event '{event}' is not supported for notifications.")


# Filters


def test_filter_names_have_no_case(scene: Scene) -> None:
    """AWS gives them back with a capital."""
    put(scene, {"QueueArn": queue_arn(scene.cloud.names.queue), **filters(PREFIX="pedidos/", suffix=".json")})
    scene.drain()
    for key in ("pedidos/a.json", "pedidos/a.txt", "otros/a.json"):
        scene.upload(key)

    assert [record["s3"]["object"]["key"] for record in scene.records()] == ["pedidos/a.json"]
    (rule,) = kept(scene)["QueueConfigurations"]
    assert rule["Filter"]["Key"]["FilterRules"] == [
        {"Name": "Prefix", "Value": "pedidos/"},
        {"Name": "Suffix", "Value": ".json"},
    ]


def test_filter_of_another_name(scene: Scene) -> None:
    """moto fails at it."""
    error = refused(scene, {"QueueArn": queue_arn(scene.cloud.names.queue), **filters(regex=".*")})

    assert error == invalid(
        "filter rule name must be either prefix or suffix", ArgumentName="FilterRule.Name", ArgumentValue="regex"
    )


@pytest.mark.parametrize("name", ["prefix", "suffix"])
def test_two_filters_of_one_name(scene: Scene, name: str) -> None:
    """A rule has one prefix and one suffix at most."""
    rules = [{"Name": name, "Value": "a"}, {"Name": name.upper(), "Value": "b"}]
    error = refused(scene, {"QueueArn": queue_arn(scene.cloud.names.queue), "Filter": {"Key": {"FilterRules": rules}}})

    assert error["Message"] == f"Cannot specify more than one {name} rule in a filter."


def test_long_filter(scene: Scene) -> None:
    """A value has up to 1,024 bytes."""
    target = {"QueueArn": queue_arn(scene.cloud.names.queue)}
    put(scene, {**target, **filters(prefix="ñ" * 512)})
    error = refused(scene, {**target, **filters(prefix="ñ" * 512 + "a")})

    assert error["Message"] == "Size of filter rule value cannot exceed 1024 bytes in UTF-8 representation"


def test_empty_filter(scene: Scene) -> None:
    """An empty value fits everything."""
    put(scene, {"QueueArn": queue_arn(scene.cloud.names.queue), **filters(prefix="", suffix="")})
    scene.drain()
    scene.upload("a")

    assert len(scene.records()) == 1


# Overlaps


@pytest.mark.parametrize(
    ("events", "others", "told"),
    [
        (["s3:ObjectCreated:*"], ["s3:ObjectCreated:*"], "s3:ObjectCreated:*, s3:ObjectCreated:*"),
        (["s3:ObjectCreated:*"], ["s3:ObjectCreated:Put"], "s3:ObjectCreated:*, s3:ObjectCreated:Put"),
        (
            ["s3:ObjectRemoved:*", "s3:ObjectCreated:Copy"],
            ["s3:ObjectCreated:Copy"],
            "s3:ObjectCreated:Copy, s3:ObjectCreated:Copy",
        ),
    ],
)
def test_two_rules_for_one_event(
    scene: Scene, two: tuple[dict[str, Any], ...], events: list[str], others: list[str], told: str
) -> None:
    """Two rules without filters have no event in common."""
    assert refused(scene, {**two[0], "Events": events}, {**two[1], "Events": others}) == invalid(
        "Configurations overlap. Configurations on the same bucket cannot share a common event type.",
        ArgumentName="Event",
        ArgumentValue=told,
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"prefix": "pedidos/"}),
        ({"prefix": "pedidos/"}, {"prefix": "pedidos/2026/"}),
        ({"prefix": "pedidos/"}, {"suffix": ".json"}),
        ({"prefix": "pedidos/", "suffix": ".json"}, {"prefix": "ped", "suffix": "n"}),
        ({"suffix": ".json"}, {"suffix": "json"}),
        ({"prefix": "a b"}, {"prefix": "a+b"}),
    ],
)
def test_rules_that_overlap(
    scene: Scene, two: tuple[dict[str, Any], ...], one: dict[str, str], other: dict[str, str]
) -> None:
    """Two rules for one event must not fit the same key: prefixes and suffixes overlap both."""
    first = {**two[0], **(filters(**one) if one else {})}
    second = {**two[1], **filters(**other)}

    assert refused(scene, first, second) == invalid(AMBIGUOUS)
    assert refused(scene, second, first, SkipDestinationValidation=True) == invalid(AMBIGUOUS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"prefix": "pedidos/"}, {"prefix": "facturas/"}),
        ({"suffix": ".json"}, {"suffix": ".txt"}),
        ({"prefix": "pedidos/", "suffix": ".json"}, {"prefix": "pedidos/", "suffix": ".txt"}),
        ({"prefix": "pedidos/", "suffix": ".json"}, {"prefix": "facturas/", "suffix": ".json"}),
    ],
)
def test_rules_that_do_not_overlap(
    scene: Scene, two: tuple[dict[str, Any], ...], one: dict[str, str], other: dict[str, str]
) -> None:
    """Apart in the prefix or in the suffix is enough."""
    put(scene, {**two[0], **filters(**one)}, {**two[1], **filters(**other)})

    assert len(kept(scene)["QueueConfigurations"]) == 2


def test_rules_for_different_events(scene: Scene, two: tuple[dict[str, Any], ...]) -> None:
    """Creations to one queue and removals to another."""
    put(scene, two[0], {**two[1], "Events": ["s3:ObjectRemoved:*"]})
    scene.drain()
    scene.upload("a")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a")

    assert [record["eventName"] for record in scene.records()] == ["ObjectCreated:Put"]


# What is kept


def test_test_event_to_every_queue(scene: Scene, two: tuple[dict[str, Any], ...]) -> None:
    """Each queue gets one, however many rules it has, and again at each configuration."""
    put(scene, two[0], {**two[0], "Events": ["s3:ObjectRemoved:*"]}, {**two[1], "Events": ["s3:ObjectTagging:*"]})
    first = scene.drain()
    scene.queue = scene.sqs.get_queue_url(QueueName="otra")["QueueUrl"]
    other = scene.drain()
    put(scene, two[1])
    again = scene.drain()

    assert [[event["Event"] for event in events] for events in (first, other, again)] == [["s3:TestEvent"]] * 3
    assert first == other
    assert again[0]["RequestId"] != first[0]["RequestId"]


def test_empty_configuration_ends_notifications(scene: Scene) -> None:
    """Nothing is announced any more, and no test event comes."""
    put(scene)
    scene.upload("a")

    assert kept(scene) == {}
    assert scene.drain() == []


def test_event_bridge_stays(scene: Scene) -> None:
    """A configuration for EventBridge is taken as before, alone or beside others."""
    scene.s3.put_bucket_notification_configuration(
        Bucket=scene.bucket, NotificationConfiguration={"EventBridgeConfiguration": {}}
    )
    scene.upload("a")

    assert scene.drain() == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<a/>",
        b"<NotificationConfiguration><QueueConfiguration/></NotificationConfiguration>",
        b"<NotificationConfiguration><QueueConfiguration><Queue>a</Queue></QueueConfiguration></NotificationConfiguration>",
    ],
)
def test_malformed_configuration(scene: Scene, body: bytes) -> None:
    """What has not the form of a configuration is malformed."""

    def replace(request: Any, **_: Any) -> None:
        request.data = body

    scene.s3.meta.events.register("before-sign.s3.PutBucketNotificationConfiguration", replace)
    with pytest.raises(ClientError) as raised:
        put(scene, {"QueueArn": queue_arn(scene.cloud.names.queue)})

    assert raised.value.response["Error"]["Code"] == "MalformedXML"


def test_moto_alone_accepts_everything(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the amendment neither a missing queue nor two rules for one event are refused."""
    for place, name, _ in s3_notifications._amended():
        monkeypatch.setattr(place, name, s3_notifications._of_moto[name])
    put(scene, {"QueueArn": queue_arn("nadie")}, {"QueueArn": queue_arn("nadie")})

    assert len(kept(scene)["QueueConfigurations"]) == 2


# Functions


Invoked = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def invoked(monkeypatch: pytest.MonkeyPatch) -> Invoked:
    """What the function was invoked with. It lets S3 invoke it for the bucket."""
    calls: Invoked = []
    monkeypatch.setattr(s3_events, "invoke_function", lambda arn, event: calls.append((arn, event)))
    condition = {"ArnLike": {"AWS:SourceArn": "arn:aws:s3:::tienda-subidas"}}
    policies = {FUNCTION: {"Statement": [{**ALLOW, "Resource": FUNCTION, "Condition": condition}]}}
    monkeypatch.setattr(s3_events, "policy_in_moto", policies.get)
    return calls


def test_function_gets_each_event(scene: Scene, invoked: Invoked) -> None:
    """The function is invoked with the same event as a queue would get, and with no test event."""
    put(scene, {"LambdaFunctionArn": FUNCTION, "Id": "a-la-funcion"})
    assert invoked == []
    scene.upload("pedidos/a b.json")
    ((arn, event),) = invoked

    assert arn == FUNCTION
    assert (event["Records"][0]["s3"]["object"]["key"], len(event["Records"])) == ("pedidos/a+b.json", 1)
    assert kept(scene) == {
        "LambdaFunctionConfigurations": [{"Id": "a-la-funcion", "LambdaFunctionArn": FUNCTION, "Events": CREATED}]
    }
    assert json.loads(json.dumps(event)) == event


def test_function_may_be_invoked_later(scene: Scene, invoked: Invoked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its events go through the same hook as those for queues."""
    put(scene, {"LambdaFunctionArn": FUNCTION})
    waiting: list[Any] = []
    monkeypatch.setattr(s3_events, "send_later", waiting.append)
    scene.upload("a")
    assert invoked == []
    waiting[0]()

    assert len(invoked) == 1


def test_function_must_let_s3_invoke_it(scene: Scene, invoked: Invoked) -> None:
    """A function that is not there, or does not let S3, is told with its ARN as AWS writes it."""
    arn = f"{FUNCTION}-2"

    assert refused(scene, {"LambdaFunctionArn": arn}) == invalid(
        UNREACHABLE, ArgumentName1=f"{arn}, null", ArgumentValue1=f"Not authorized to invoke function [{arn}]"
    )


def test_function_that_no_longer_lets_s3_is_not_invoked(
    scene: Scene, invoked: Invoked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its policy is asked at each event."""
    put(scene, {"LambdaFunctionArn": FUNCTION})
    monkeypatch.setattr(s3_events, "policy_in_moto", lambda arn: None)
    scene.upload("a")

    assert invoked == []


def test_nothing_is_invoked_unless_somebody_hooks_in(
    scene: Scene, invoked: Invoked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """moto would run the function inside the upload."""
    monkeypatch.setattr(s3_events, "invoke_function", s3_events._invoke_nothing)
    put(scene, {"LambdaFunctionArn": FUNCTION})
    scene.upload("a")

    assert invoked == []


def test_policy_of_a_function(cloud: Cloud) -> None:
    """The policy that AddPermission makes is the one that is asked."""
    from moto.awslambda.models import lambda_backends

    assert s3_events.policy_in_moto(FUNCTION) is None
    role = {
        "Statement": {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    }
    arn = boto3.client("iam").create_role(RoleName="r", AssumeRolePolicyDocument=json.dumps(role))["Role"]["Arn"]
    lambda_backends[ACCOUNT]["us-east-1"].create_function(
        {"FunctionName": "pedidos", "Runtime": "python3.12", "Role": arn, "Handler": "a.b", "Code": {"ZipFile": ""}}
    )
    assert s3_events.policy_in_moto(FUNCTION) is None
    permission = {
        "FunctionName": "pedidos",
        "StatementId": "s3",
        "Action": "lambda:InvokeFunction",
        "Principal": "s3.amazonaws.com",
        "SourceArn": "arn:aws:s3:::tienda-subidas",
        "SourceAccount": ACCOUNT,
    }
    boto3.client("lambda").add_permission(**permission)

    assert s3_events.may_invoke(ACCOUNT, "tienda-subidas", FUNCTION)
    assert not s3_events.may_invoke(ACCOUNT, "otra", FUNCTION)
