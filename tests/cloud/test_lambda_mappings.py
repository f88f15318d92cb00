"""Event source mappings of queues: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html and so on."""

from __future__ import annotations

import json
import re
from typing import Any

import boto3
import pytest

from bentocola.cloud.amendments import lambda_mappings
from bentocola.cloud.cloud import Cloud
from tests.cloud.lambda_scene import ACCOUNT, REGION, LambdaScene, refusal

INVALID = "InvalidParameterValueException"
NOBODY = "00000000-0000-0000-0000-000000000000"
FUNCTION = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:pedidos"


@pytest.fixture
def scene(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> LambdaScene:
    """The function `pedidos`; states change at the next look, and roles may do everything."""
    monkeypatch.setattr(lambda_mappings, "call_later", lambda_mappings._at_the_next_look)
    monkeypatch.setattr(lambda_mappings, "allowed", lambda role, action, resource: True)
    scene = LambdaScene()
    scene.make_function()
    return scene


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch, scene: LambdaScene) -> list[Any]:
    """What was asked to be called later: it is not called by itself."""
    actions: list[Any] = []
    monkeypatch.setattr(lambda_mappings, "call_later", lambda seconds, action: actions.append((seconds, action)))
    return actions


def state(scene: LambdaScene, uuid: str) -> str:
    """Return a mapping's state as the API says it."""
    return str(scene.awslambda.get_event_source_mapping(UUID=uuid)["State"])


def test_mapping_is_creating_and_then_enabled(scene: LambdaScene) -> None:
    """202 with Creating and the documented defaults; the next look finds it enabled."""
    queue = scene.make_queue()
    created = scene.make_mapping(queue)
    uuid = created["UUID"]

    assert created["ResponseMetadata"]["HTTPStatusCode"] == 202
    assert (created["State"], created["StateTransitionReason"]) == ("Creating", "USER_INITIATED")
    assert (created["BatchSize"], created["MaximumBatchingWindowInSeconds"]) == (10, 0)
    assert created["FunctionResponseTypes"] == []
    assert (created["EventSourceArn"], created["FunctionArn"]) == (queue, FUNCTION)
    assert created["EventSourceMappingArn"] == f"arn:aws:lambda:{REGION}:{ACCOUNT}:event-source-mapping:{uuid}"
    assert not {"StartingPosition", "LastProcessingResult", "Tags", "FilterCriteria"} & set(created)
    assert state(scene, uuid) == "Enabled"


def test_mapping_that_begins_disabled(scene: LambdaScene) -> None:
    """Enabled=False: Creating, and then Disabled."""
    created = scene.make_mapping(scene.make_queue(), Enabled=False)

    assert (created["State"], state(scene, created["UUID"])) == ("Creating", "Disabled")


def test_states_of_an_update(scene: LambdaScene) -> None:
    """Disabling, Enabling and Updating, each followed by where it leads."""
    uuid = scene.make_mapping(scene.make_queue())["UUID"]
    seen = []
    for change in ({"Enabled": False}, {"BatchSize": 5}, {"Enabled": True}, {"BatchSize": 7}):
        answered = scene.awslambda.update_event_source_mapping(UUID=uuid, **change)
        seen += [answered["State"], state(scene, uuid)]

    assert answered["ResponseMetadata"]["HTTPStatusCode"] == 202
    assert seen == ["Disabling", "Disabled", "Updating", "Disabled", "Enabling", "Enabled", "Updating", "Enabled"]


def test_deletion(scene: LambdaScene) -> None:
    """202 with Deleting; then it is unknown, and the same can be made again."""
    queue = scene.make_queue()
    uuid = scene.make_mapping(queue)["UUID"]
    deleted = scene.awslambda.delete_event_source_mapping(UUID=uuid)

    assert (deleted["State"], deleted["ResponseMetadata"]["HTTPStatusCode"]) == ("Deleting", 202)
    assert lambda_mappings.mappings() == []
    assert refusal(scene.awslambda.get_event_source_mapping, UUID=uuid)[0] == "ResourceNotFoundException"
    assert scene.make_mapping(queue)["UUID"] != uuid


def test_mapping_in_a_passing_state_is_in_use(scene: LambdaScene, waiting: list[Any]) -> None:
    """Neither update nor delete goes through while it is created, updated or deleted."""
    uuid = scene.make_mapping(scene.make_queue())["UUID"]
    update, delete = scene.awslambda.update_event_source_mapping, scene.awslambda.delete_event_source_mapping
    for step in (lambda: update(UUID=uuid, BatchSize=2), lambda: delete(UUID=uuid), lambda: None):
        for call, verb in ((update, "update"), (delete, "delete")):
            assert refusal(call, UUID=uuid) == (
                "ResourceInUseException",
                f"Cannot {verb} the event source mapping because it is in use.",
                400,
            )
        seconds, arrive = waiting.pop(0)
        arrive()
        step()

        assert seconds == lambda_mappings.TRANSITION_SECONDS

    assert refusal(scene.awslambda.get_event_source_mapping, UUID=uuid)[0] == "ResourceNotFoundException"


def test_deleting_mapping_is_not_polled(scene: LambdaScene, waiting: list[Any]) -> None:
    """While it is being deleted it is in no list for the poller, and shows its state to who asks for it."""
    uuid = scene.make_mapping(scene.make_queue())["UUID"]
    waiting.pop()[1]()
    scene.awslambda.delete_event_source_mapping(UUID=uuid)
    found = lambda_mappings.mapping(uuid)

    assert lambda_mappings.mappings() == []
    assert found is not None
    assert (found.state, state(scene, uuid)) == ("Deleting", "Deleting")


def test_late_arrival_in_a_new_cloud_does_nothing(scene: LambdaScene, waiting: list[Any]) -> None:
    """What was due when the cloud was emptied finds nothing to change."""
    from bentocola.cloud.door import Door

    scene.make_mapping(scene.make_queue())
    Door.empty()
    waiting.pop()[1]()

    assert lambda_mappings.mappings() == []


@pytest.mark.parametrize("operation", ["get", "update", "delete"])
def test_unknown_uuid(scene: LambdaScene, operation: str) -> None:
    """There is no such resource."""
    call = getattr(scene.awslambda, f"{operation}_event_source_mapping")

    assert refusal(call, UUID=NOBODY) == (
        "ResourceNotFoundException",
        "The resource you requested does not exist.",
        404,
    )
    assert refusal(call, UUID="x")[0] == "ValidationException"


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"BatchSize": 0}, "ValidationException", "Value '0' at 'batchSize' failed .* greater than or equal to 1"),
        ({"BatchSize": 10_001}, "ValidationException", "'10001' at 'batchSize' failed .* less than or equal to 10000"),
        ({"BatchSize": 11}, INVALID, "Maximum batch window in seconds must be greater than 0 if maximum batch size is"),
        ({"BatchSize": "5"}, "SerializationException", "STRING_VALUE can not be converted to an Integer"),
        (
            {"MaximumBatchingWindowInSeconds": 301},
            "ValidationException",
            "'301' at 'maximumBatchingWindowInSeconds' failed .* less than or equal to 300",
        ),
        ({"MaximumBatchingWindowInSeconds": -1}, "ValidationException", "greater than or equal to 0"),
        ({"ScalingConfig": {"MaximumConcurrency": 1}}, "ValidationException", "'scalingConfig.maximumConcurrency'"),
        ({"ScalingConfig": {"MaximumConcurrency": 1001}}, "ValidationException", "less than or equal to 1000"),
        ({"FunctionResponseTypes": ["All"]}, "ValidationException", r"enum value set: \[ReportBatchItemFailures\]"),
        ({"StartingPosition": "LATEST"}, INVALID, "StartingPosition is not valid for SQS event sources."),
        ({"StartingPosition": "0"}, "ValidationException", "'0' at 'startingPosition' failed .* enum value set"),
        ({"ParallelizationFactor": 2}, INVALID, "Unsupported ParallelizationFactor parameter"),
        ({"FilterCriteria": {"Filters": [{"Pattern": "{"}]}}, INVALID, r"^Invalid filter pattern definition\.$"),
        ({"FilterCriteria": {"Filters": [{"Pattern": '{"body": "x"}'}]}}, INVALID, "Invalid filter pattern"),
        ({"FilterCriteria": {"Filters": [{}]}}, INVALID, "Invalid filter pattern"),
        ({"FilterCriteria": {"Filters": [{"Pattern": '{"body": ["x"]}'}] * 6}}, INVALID, "6 filters"),
        ({"FunctionName": "nadie"}, INVALID, "^Function does not exist$"),
        ({"FunctionName": "pedidos:7"}, INVALID, "^Function does not exist$"),
        ({"FunctionName": "no!"}, "ValidationException", "at 'functionName' failed"),
        ({"EventSourceArn": None}, INVALID, "Unrecognized event source"),
        ({"EventSourceArn": "cola"}, "ValidationException", "at 'eventSourceArn' failed"),
        (
            {"EventSourceArn": f"arn:aws:sqs:{REGION}:{ACCOUNT}:nadie"},
            INVALID,
            "Error occurred while ReceiveMessage. SQS Error Code: AWS.SimpleQueueService.NonExistentQueue.",
        ),
    ],
)
def test_mapping_that_cannot_be(scene: LambdaScene, changes: dict[str, Any], code: str, message: str) -> None:
    """Each is refused with its code and AWS's words, and makes nothing."""
    asked = {"EventSourceArn": scene.make_queue(), "FunctionName": "pedidos", **changes}
    parameters = {name: value for name, value in asked.items() if value is not None}
    got_code, got_message, _ = refusal(scene.awslambda.create_event_source_mapping, **parameters)

    assert (got_code, bool(re.search(message, got_message))) == (code, True), got_message
    assert lambda_mappings.mappings() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"BatchSize": 11}, "Maximum batch size must be between 1 and 10 inclusive"),
        ({"MaximumBatchingWindowInSeconds": 1}, "Batching window is not supported for FIFO queues"),
    ],
)
def test_fifo_queue(scene: LambdaScene, changes: dict[str, Any], message: str) -> None:
    """10 messages at most, and no window."""
    queue = scene.make_queue("cola.fifo", FifoQueue="true")
    refused = refusal(
        scene.awslambda.create_event_source_mapping, EventSourceArn=queue, FunctionName="pedidos", **changes
    )

    assert refused == (INVALID, message, 400)
    assert scene.make_mapping(queue, BatchSize=10)["BatchSize"] == 10


def test_largest_mapping(scene: LambdaScene) -> None:
    """Each setting at its documented bound is taken, and shown."""
    criteria = {"Filters": [{"Pattern": json.dumps({"body": {"n": [number]}})} for number in range(5)]}
    created = scene.make_mapping(
        scene.make_queue(),
        BatchSize=10_000,
        MaximumBatchingWindowInSeconds=300,
        ScalingConfig={"MaximumConcurrency": 1000},
        FunctionResponseTypes=["ReportBatchItemFailures"],
        FilterCriteria=criteria,
    )
    (found,) = lambda_mappings.mappings()

    assert created["FilterCriteria"] == criteria
    assert (found.batch_size, found.window_seconds, found.maximum_concurrency) == (10_000, 300, 1000)
    assert found.report_batch_item_failures
    assert len(found.filters) == 5


def test_second_mapping_of_a_queue_and_a_function(scene: LambdaScene) -> None:
    """It is a conflict, in whatever form the function is named; another function, or queue, is none."""
    queue = scene.make_queue()
    uuid = scene.make_mapping(queue)["UUID"]
    for name in ("pedidos", FUNCTION, f"{ACCOUNT}:function:pedidos"):
        assert refusal(scene.awslambda.create_event_source_mapping, EventSourceArn=queue, FunctionName=name) == (
            "ResourceConflictException",
            f'An event source mapping with SQS arn (" {queue} ") and function (" pedidos ") already exists. '
            f"Please update or delete the existing mapping with UUID {uuid}",
            409,
        )
    scene.make_function(FunctionName="otra")
    scene.make_mapping(queue, FunctionName="otra")
    scene.make_mapping(scene.make_queue("otra"))
    assert len(lambda_mappings.mappings()) == 3
    refused = refusal(scene.awslambda.update_event_source_mapping, UUID=uuid, FunctionName="otra")
    assert refused[0] == "ResourceConflictException"


def test_function_that_outlasts_the_visibility(scene: LambdaScene) -> None:
    """A queue that shows its messages again before the function must end is refused, new and in an update."""
    scene.make_function(FunctionName="lenta", Timeout=60)
    queue = scene.make_queue()
    expected = (INVALID, "Queue visibility timeout: 30 seconds is less than Function timeout: 60 seconds", 400)
    uuid = scene.make_mapping(queue)["UUID"]

    assert refusal(scene.awslambda.create_event_source_mapping, EventSourceArn=queue, FunctionName="lenta") == expected
    assert refusal(scene.awslambda.update_event_source_mapping, UUID=uuid, FunctionName="lenta") == expected
    assert scene.make_mapping(scene.make_queue("larga", VisibilityTimeout="60"), FunctionName="lenta")


@pytest.mark.parametrize("missing", ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"])
def test_role_that_may_not_read_the_queue(scene: LambdaScene, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """The function's role needs all three actions on the queue."""
    queue = scene.make_queue()
    asked: list[tuple[str, str, str]] = []

    def allowed(role: str, action: str, resource: str) -> bool:
        asked.append((role, action, resource))
        return action != f"sqs:{missing}"

    monkeypatch.setattr(lambda_mappings, "allowed", allowed)

    assert refusal(scene.awslambda.create_event_source_mapping, EventSourceArn=queue, FunctionName="pedidos") == (
        INVALID,
        f"The provided execution role does not have permissions to call {missing} on SQS",
        400,
    )
    assert asked[-1] == (scene.role, f"sqs:{missing}", queue)


def test_update_keeps_what_it_does_not_name(scene: LambdaScene) -> None:
    """Settings are changed one by one, checked together, and removed by an empty value."""
    criteria = {"Filters": [{"Pattern": '{"body": ["x"]}'}]}
    uuid = scene.make_mapping(
        scene.make_queue(), BatchSize=100, MaximumBatchingWindowInSeconds=1, FilterCriteria=criteria
    )["UUID"]
    update = scene.awslambda.update_event_source_mapping

    assert refusal(update, UUID=uuid, MaximumBatchingWindowInSeconds=0)[0] == INVALID
    update(UUID=uuid, ScalingConfig={"MaximumConcurrency": 2}, FunctionResponseTypes=["ReportBatchItemFailures"])
    (found,) = lambda_mappings.mappings()
    assert (found.batch_size, found.window_seconds, found.maximum_concurrency) == (100, 1, 2)
    assert (found.report_batch_item_failures, len(found.filters)) == (True, 1)
    answered = update(UUID=uuid, ScalingConfig={}, FilterCriteria={}, FunctionResponseTypes=[])
    (found,) = lambda_mappings.mappings()
    assert (found.maximum_concurrency, found.filters, found.report_batch_item_failures) == (None, (), False)
    assert not {"ScalingConfig", "FilterCriteria"} & set(answered)


def test_mapping_of_a_version(scene: LambdaScene) -> None:
    """The mapping invokes the version or alias that it names, and is another mapping than the function's own."""
    queue = scene.make_queue()
    scene.awslambda.publish_version(FunctionName="pedidos")
    scene.awslambda.create_alias(FunctionName="pedidos", Name="vivo", FunctionVersion="1")
    arns = [scene.make_mapping(queue, FunctionName=name)["FunctionArn"] for name in ("pedidos", "pedidos:vivo")]

    assert arns == [FUNCTION, f"{FUNCTION}:vivo"]


def test_list(scene: LambdaScene) -> None:
    """By queue, by function in any form, and in pages."""
    scene.make_function(FunctionName="otra")
    first, second = scene.make_queue("a"), scene.make_queue("b")
    made = [
        scene.make_mapping(queue, FunctionName=name)["UUID"]
        for queue in (first, second)
        for name in ("pedidos", "otra")
    ]

    def listed(**asked: Any) -> list[str]:
        return [one["UUID"] for one in scene.awslambda.list_event_source_mappings(**asked)["EventSourceMappings"]]

    assert listed() == made
    assert listed(EventSourceArn=first) == made[:2]
    assert listed(FunctionName=FUNCTION) == listed(FunctionName="pedidos") == made[::2]
    page = scene.awslambda.list_event_source_mappings(MaxItems=3)
    assert listed(Marker=page["NextMarker"]) == made[3:]


def test_last_processing_result(scene: LambdaScene) -> None:
    """What the poller says of its last round is shown."""
    uuid = scene.make_mapping(scene.make_queue())["UUID"]
    lambda_mappings.set_result(uuid, "OK")
    lambda_mappings.set_result(NOBODY, "OK")

    assert scene.awslambda.get_event_source_mapping(UUID=uuid)["LastProcessingResult"] == "OK"


def test_sending_a_message_runs_nothing(scene: LambdaScene) -> None:
    """The message waits for the poller, received by nobody, and moto's queue knows of no mapping."""
    from moto.sqs.models import sqs_backends

    queue = scene.make_queue()
    scene.make_mapping(queue)
    url = scene.sqs.get_queue_url(QueueName="cola")["QueueUrl"]
    scene.sqs.send_message(QueueUrl=url, MessageBody="hola")
    received = scene.sqs.receive_message(QueueUrl=url, AttributeNames=["ApproximateReceiveCount"])

    assert [one["Attributes"]["ApproximateReceiveCount"] for one in received["Messages"]] == ["1"]
    assert sqs_backends[ACCOUNT][REGION].queues["cola"].lambda_event_source_mappings == {}


def test_mapping_outlives_its_function(scene: LambdaScene) -> None:
    """Deleting a function deletes none of its mappings."""
    uuid = scene.make_mapping(scene.make_queue())["UUID"]
    scene.awslambda.delete_function(FunctionName="pedidos")

    assert state(scene, uuid) == "Enabled"


def test_mapping_of_a_stream_is_moto_s(scene: LambdaScene) -> None:
    """Other sources are left as they are."""
    table = boto3.client("dynamodb", region_name=REGION).create_table(
        TableName="pedidos",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    )
    arn = table["TableDescription"]["LatestStreamArn"]
    uuid = scene.make_mapping(arn, StartingPosition="TRIM_HORIZON")["UUID"]
    scene.awslambda.update_event_source_mapping(UUID=uuid, BatchSize=7)

    assert scene.awslambda.get_event_source_mapping(UUID=uuid)["BatchSize"] == 7
    assert lambda_mappings.mappings() == []
    assert lambda_mappings.mapping(uuid) is None
    assert scene.awslambda.delete_event_source_mapping(UUID=uuid)["State"] == "Deleting"
