"""The whole pipeline, with a function that was deployed: S3, the queue, the mapping, the function, the table, the log."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

import bentocola
from bentocola.cloud.cloud import Cloud
from tests.cloud.scene import Scene

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"},
    ],
}
SAVE = """
    import json, urllib.parse
    import boto3

    dynamodb = boto3.client("dynamodb")

    def handler(event, context):
        failed = []
        for record in event["Records"]:
            body = json.loads(record["body"])
            for found in body.get("Records", []):
                key = urllib.parse.unquote_plus(found["s3"]["object"]["key"])
                _, customer, name = key.split("/")
                print("guardo", key)
                try:
                    dynamodb.put_item(
                        TableName="tienda-tabla",
                        Item={"customer": {"S": customer}, "order_id": {"N": name.removesuffix(".json")}},
                        ConditionExpression="attribute_not_exists(customer)",
                    )
                except dynamodb.exceptions.ConditionalCheckFailedException:
                    print("ya estaba", key)
        return {"batchItemFailures": failed}
"""


class Pipeline(Scene):
    """The scene, with a role that may what a worker needs, and functions to deploy."""

    def __init__(self, cloud: Cloud) -> None:
        super().__init__(cloud)
        self.lambda_, self.iam, self.logs = (boto3.client(name) for name in ("lambda", "iam", "logs"))
        role = self.iam.create_role(RoleName="worker", AssumeRolePolicyDocument=json.dumps(TRUST))
        self.role = role["Role"]["Arn"]
        self.iam.attach_role_policy(
            RoleName="worker", PolicyArn="arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"
        )
        self.allow("dynamodb:PutItem")
        self.queue_arn = f"arn:aws:sqs:us-east-1:123456789012:{cloud.names.queue}"

    def allow(self, *actions: str) -> None:
        """Let the role do these actions, and no others besides the queue's and the log's."""
        statement = {"Effect": "Allow", "Action": actions, "Resource": "*"}
        document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
        self.iam.put_role_policy(RoleName="worker", PolicyName="table", PolicyDocument=document)

    def deploy(self, source: str, name: str = "worker", **options: Any) -> None:
        """Create the function."""
        self.lambda_.create_function(
            FunctionName=name,
            Role=self.role,
            Handler="app.handler",
            Code={"ZipFile": package(source)},
            **{"Timeout": 10, "Runtime": "python3.11", **options},
        )

    def map(self, **options: Any) -> str:
        """Create the mapping from the queue to the function, and return its UUID."""
        made = self.lambda_.create_event_source_mapping(FunctionName="worker", EventSourceArn=self.queue_arn, **options)
        return str(made["UUID"])

    def log(self, pattern: str = "") -> list[str]:
        """Return the function's own log lines, without those of Lambda."""
        found = self.logs.filter_log_events(logGroupName="/aws/lambda/worker", filterPattern=pattern)
        lines = [event["message"].rstrip("\n") for event in found["events"]]
        return [line for line in lines if not line.startswith(("START ", "END ", "REPORT "))]


def package(source: str) -> bytes:
    """Return a deployment package with the source as app.py."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("app.py", dedent(source))
    return packed.getvalue()


@pytest.fixture
def pipeline() -> Iterator[Pipeline]:
    """A Spanish cloud with a role, whose functions run in child processes."""
    cloud = bentocola.start("es")
    yield Pipeline(cloud)
    cloud.stop()


def test_upload_starts_everything(pipeline: Pipeline) -> None:
    """From the upload to the empty queue every step happens by itself, and can be followed in the trace."""
    pipeline.deploy(SAVE)
    pipeline.map(FunctionResponseTypes=["ReportBatchItemFailures"])
    pipeline.announce("s3:ObjectCreated:*", Filter={"Key": {"FilterRules": [{"Name": "prefix", "Value": "pedidos/"}]}})
    pipeline.drain()
    pipeline.cloud.trace.clear()
    pipeline.upload("pedidos/lucía/3.json")
    (done,) = pipeline.cloud.settle()
    items = pipeline.dynamodb.scan(TableName=pipeline.table)["Items"]

    assert items == [{"customer": {"S": "lucía"}, "order_id": {"N": "3"}}]
    assert (len(done.deleted), done.kept, done.error) == (1, [], None)
    assert pipeline.log() == ["guardo pedidos/lucía/3.json"]
    assert [(s["kind"], s["from"], s["to"]) for s in pipeline.steps()][:8] == [
        ("call", "you", "s3"),
        ("event", "s3", "sqs"),
        ("message", "sqs", "sqs"),
        ("deliver", "sqs", "lambda"),
        ("run_start", "lambda", "lambda"),
        ("write", "lambda", "ddb"),
        ("run_end", "lambda", "lambda"),
        ("delete", "lambda", "sqs"),
    ]
    assert pipeline.steps("write")[0]["ids"] == {"run": "r1", "item": "lucía#3"}
    assert pipeline.cloud.trace.state("sqs.visible") == pipeline.cloud.trace.state("sqs.in_flight") == 0


def test_poison_message_becomes_a_dead_letter_without_a_wait(pipeline: Pipeline) -> None:
    """A message that always fails is tried as often as the queue says and then lies in the dead-letter queue."""
    dead = pipeline.new_queue("muertos")
    redrive = {"deadLetterTargetArn": "arn:aws:sqs:us-east-1:123456789012:muertos", "maxReceiveCount": 3}
    pipeline.sqs.set_queue_attributes(QueueUrl=pipeline.queue, Attributes={"RedrivePolicy": json.dumps(redrive)})
    pipeline.deploy("""
        def handler(event, context):
            raise ValueError("intento " + event["Records"][0]["attributes"]["ApproximateReceiveCount"])
    """)
    uuid = pipeline.map(BatchSize=1)
    pipeline.send("roto")
    for _ in range(4):
        pipeline.cloud.settle()
        pipeline.cloud.clock.advance(30)
    (letter,) = pipeline.sqs.receive_message(QueueUrl=dead)["Messages"]
    result = pipeline.lambda_.get_event_source_mapping(UUID=uuid)["LastProcessingResult"]

    assert letter["Body"] == "roto"
    assert [line.splitlines()[0] for line in pipeline.log("ValueError")] == [
        f"[ERROR] ValueError: intento {n}" for n in (1, 2, 3)
    ]
    assert result == "PROBLEM: Function call failed"


def test_function_may_do_what_its_role_allows_and_nothing_else(pipeline: Pipeline) -> None:
    """A call that no policy allows is refused with AWS's words, inside the function; the table stays as it was."""
    pipeline.deploy("""
        import boto3

        def handler(event, context):
            boto3.client("dynamodb").delete_item(TableName="tienda-tabla", Key=event)
    """)
    answer = pipeline.lambda_.invoke(FunctionName="worker", Payload=json.dumps(pipeline.item()))
    error = json.loads(answer["Payload"].read())
    (refused,) = pipeline.steps("write")

    assert answer["FunctionError"] == "Unhandled"
    assert error["errorMessage"] == (
        "An error occurred (AccessDeniedException) when calling the DeleteItem operation: "
        "User: arn:aws:sts::123456789012:assumed-role/worker/worker is not authorized to perform: dynamodb:DeleteItem "
        "on resource: arn:aws:dynamodb:us-east-1:123456789012:table/tienda-tabla "
        "because no identity-based policy allows the dynamodb:DeleteItem action"
    )
    assert (refused["decision"]["result"], refused["error"]) == ("refused", "AccessDeniedException")


def test_partial_batch(pipeline: Pipeline) -> None:
    """Of a batch only the records that the function names come back."""
    pipeline.deploy("""
        def handler(event, context):
            bad = [r["messageId"] for r in event["Records"] if r["body"] == "malo"]
            return {"batchItemFailures": [{"itemIdentifier": i} for i in bad]}
    """)
    pipeline.map(FunctionResponseTypes=["ReportBatchItemFailures"])
    sent = pipeline.send("a", "malo", "c")
    (done,) = pipeline.cloud.settle()

    assert (done.deleted, done.kept) == ([sent[0], sent[2]], [sent[1]])

    pipeline.cloud.clock.advance(30)
    (again,) = pipeline.cloud.poll_once()

    assert again.kept == [sent[1]]


def test_list_is_ignored_where_the_mapping_does_not_ask_for_it(pipeline: Pipeline) -> None:
    """Without `ReportBatchItemFailures` a list of failures means nothing: everything is deleted."""
    pipeline.deploy("""
        def handler(event, context):
            return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in event["Records"]]}
    """)
    pipeline.map()
    pipeline.send("a", "b")
    (done,) = pipeline.cloud.settle()

    assert (len(done.deleted), done.kept) == (2, [])


def test_batch_window_gathers(pipeline: Pipeline) -> None:
    """With a window messages wait for each other, hidden, until the batch is full or the window is over."""
    pipeline.deploy("def handler(event, context): print(len(event['Records']))")
    pipeline.map(BatchSize=3, MaximumBatchingWindowInSeconds=10)
    pipeline.send("a", "b")

    assert pipeline.cloud.poll_once() == []
    assert pipeline.receive() == []

    pipeline.send("c", "d")
    pipeline.cloud.settle()

    assert pipeline.log() == ["3"]

    pipeline.cloud.clock.advance(10)
    pipeline.cloud.settle()

    assert pipeline.log() == ["3", "1"]


def test_large_batches_take_several_receives(pipeline: Pipeline) -> None:
    """A batch may be larger than the ten messages of one receive."""
    pipeline.deploy("def handler(event, context): print(len(event['Records']))")
    pipeline.map(BatchSize=25, MaximumBatchingWindowInSeconds=1)
    pipeline.send(*map(str, range(27)))
    pipeline.cloud.poll_once()
    pipeline.cloud.clock.advance(1)
    pipeline.cloud.settle()
    pipeline.cloud.clock.advance(1)
    pipeline.cloud.settle()

    assert pipeline.log() == ["25", "2"]


def test_event_is_at_most_six_megabytes(pipeline: Pipeline) -> None:
    """Large messages make smaller batches: an event holds 6 MB, and what is over waits for the next."""
    pipeline.deploy("def handler(event, context): print(len(event['Records']))")
    pipeline.map()
    pipeline.sqs.set_queue_attributes(QueueUrl=pipeline.queue, Attributes={"MaximumMessageSize": "1048576"})
    pipeline.send(*["x" * 1_000_000] * 8)
    pipeline.cloud.settle()

    assert pipeline.log() == ["6", "2"]


def test_filters_drop_what_does_not_match(pipeline: Pipeline) -> None:
    """A message that matches no filter never reaches the function, and is gone from the queue."""
    pipeline.deploy("def handler(event, context): print([r['body'] for r in event['Records']])")
    pattern = json.dumps({"body": {"kind": ["order"]}})
    pipeline.map(FilterCriteria={"Filters": [{"Pattern": pattern}]})
    pipeline.send('{"kind": "order"}', '{"kind": "note"}', "texto")
    pipeline.cloud.settle()

    assert pipeline.log() == ["""['{"kind": "order"}']"""]
    assert pipeline.cloud.trace.state("sqs.in_flight") == pipeline.cloud.trace.state("sqs.visible") == 0


def test_nothing_is_delivered_after_the_mapping_is_deleted(pipeline: Pipeline) -> None:
    """Once the deletion is answered no message reaches the function, also none that was already gathered."""
    pipeline.deploy("def handler(event, context): print('ejecución')")
    uuid = pipeline.map(BatchSize=10, MaximumBatchingWindowInSeconds=5)
    pipeline.send("a")
    pipeline.cloud.poll_once()
    pipeline.lambda_.delete_event_source_mapping(UUID=uuid)
    pipeline.send("b")
    pipeline.cloud.clock.advance(5)
    pipeline.cloud.settle()

    assert pipeline.steps("run_start") == []

    pipeline.cloud.clock.advance(30)

    assert sorted(message["Body"] for message in pipeline.receive()) == ["a", "b"]


def test_disabled_mapping_takes_nothing(pipeline: Pipeline) -> None:
    """A mapping that is not enabled leaves the queue alone, and goes on when it is enabled again."""
    pipeline.deploy("def handler(event, context): pass")
    uuid = pipeline.map(Enabled=False)
    pipeline.send("a")

    assert pipeline.cloud.settle() == []

    pipeline.lambda_.update_event_source_mapping(UUID=uuid, Enabled=True)

    assert len(pipeline.cloud.settle()) == 1


def test_mapping_whose_role_lost_its_rights_says_so(pipeline: Pipeline) -> None:
    """The poller calls with the function's role: without the right to receive it takes nothing, and the mapping tells why."""
    pipeline.deploy("def handler(event, context): pass")
    uuid = pipeline.map()
    pipeline.iam.detach_role_policy(
        RoleName="worker", PolicyArn="arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"
    )
    pipeline.send("a")

    assert pipeline.cloud.settle() == []

    result = pipeline.lambda_.get_event_source_mapping(UUID=uuid)["LastProcessingResult"]

    assert result.startswith("PROBLEM: ")
    assert "sqs:receivemessage" in result.lower()


def test_log_needs_the_right_to_write_it(pipeline: Pipeline) -> None:
    """A function whose role may not write logs runs, and leaves none."""
    pipeline.iam.detach_role_policy(
        RoleName="worker", PolicyArn="arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"
    )
    pipeline.deploy("def handler(event, context): print('hola')")
    answer = pipeline.lambda_.invoke(FunctionName="worker")

    assert answer["StatusCode"] == 200
    assert pipeline.logs.describe_log_groups()["logGroups"] == []
    assert "hola" in pipeline.steps("run_end")[0]["run"]["log"]


# Invoke


def test_invoke_waits_for_the_answer(pipeline: Pipeline) -> None:
    """RequestResponse gives the handler's answer, the version, and the end of the log when asked."""
    pipeline.deploy("""
        def handler(event, context):
            print("hola", event["who"])
            return {"twice": event["n"] * 2}
    """)
    answer = pipeline.lambda_.invoke(FunctionName="worker", Payload=b'{"who": "lucia", "n": 21}', LogType="Tail")
    log = base64.b64decode(answer["LogResult"]).decode()

    assert json.loads(answer["Payload"].read()) == {"twice": 42}
    assert (answer["StatusCode"], answer["ExecutedVersion"], "FunctionError" in answer) == (200, "$LATEST", False)
    assert "\nhola lucia\nEND RequestId: " in log
    call, start, end = pipeline.steps()[-3:]

    assert [step["kind"] for step in (call, start, end)] == ["call", "run_start", "run_end"]
    assert start["cause"] == call["n"]


def test_invoke_dry_run_runs_nothing(pipeline: Pipeline) -> None:
    """DryRun says that the caller may, and does nothing."""
    pipeline.deploy("def handler(event, context): print('hola')")

    assert pipeline.lambda_.invoke(FunctionName="worker", InvocationType="DryRun")["StatusCode"] == 204
    assert pipeline.steps("run_start") == []


def test_invoke_event_is_tried_again_later(pipeline: Pipeline) -> None:
    """An asynchronous event is accepted at once, and tried twice more, after one minute and after two."""
    pipeline.deploy("""
        def handler(event, context):
            raise ValueError("no")
    """)

    assert pipeline.lambda_.invoke(FunctionName="worker", InvocationType="Event", Payload=b"{}")["StatusCode"] == 202

    runs = []
    for seconds in (0, 59, 1, 119, 1, 600):
        pipeline.cloud.clock.advance(seconds)
        pipeline.cloud.settle()
        runs.append(len(pipeline.steps("run_end")))

    assert runs == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("parameters", "code", "status"),
    [
        ({"FunctionName": "nadie"}, "ResourceNotFoundException", 404),
        ({"FunctionName": "worker", "Payload": b"{"}, "InvalidRequestContentException", 400),
        ({"FunctionName": "worker", "Payload": b'"' + b"x" * 6_291_456 + b'"'}, "RequestTooLargeException", 413),
        (
            {"FunctionName": "worker", "InvocationType": "Event", "Payload": b'"' + b"x" * 1_048_576 + b'"'},
            "RequestTooLargeException",
            413,
        ),
        ({"FunctionName": "worker", "Qualifier": "9"}, "ResourceNotFoundException", 404),
    ],
    ids=["unknown", "no json", "large", "large event", "no such version"],
)
def test_invoke_refuses(pipeline: Pipeline, parameters: dict[str, Any], code: str, status: int) -> None:
    """What cannot be invoked is refused with Lambda's own code and status, and nothing runs."""
    pipeline.deploy("def handler(event, context): pass")
    with pytest.raises(ClientError) as refusal:
        pipeline.lambda_.invoke(**parameters)

    assert refusal.value.response["Error"]["Code"] == code
    assert refusal.value.response["ResponseMetadata"]["HTTPStatusCode"] == status
    assert pipeline.steps("run_start") == []


def test_other_languages_are_deployed_and_do_not_run(pipeline: Pipeline) -> None:
    """A function for another runtime can be created, as on AWS; whoever invokes it is told, in the reader's language."""
    pipeline.deploy("def handler(event, context): pass", Runtime="nodejs22.x")
    with pytest.raises(ClientError) as refusal:
        boto3.client("lambda", config=Config(retries={"max_attempts": 0})).invoke(FunctionName="worker")

    assert refusal.value.response["Error"] == {
        "Code": "InvalidRuntimeException",
        "Message": "La nube local solo ejecuta Python, y esta función pide nodejs22.x. Despliégala con el runtime python3.11.",
    }


def test_reserved_concurrency_of_zero_throttles(pipeline: Pipeline) -> None:
    """A function that may not run at all refuses as called too often, and a mapping's messages come back."""
    pipeline.deploy("def handler(event, context): pass")
    pipeline.map()
    pipeline.lambda_.put_function_concurrency(FunctionName="worker", ReservedConcurrentExecutions=0)
    pipeline.send("a")
    (done,) = pipeline.cloud.settle(1)

    assert len(done.kept) == 1
    assert pipeline.steps("run_start") == []


def test_s3_invokes_a_function_directly(pipeline: Pipeline) -> None:
    """A bucket can announce to a function that lets it; the event waits for its run like any asynchronous one."""
    pipeline.deploy("def handler(event, context): print(event['Records'][0]['s3']['object']['key'])")
    pipeline.lambda_.add_permission(
        FunctionName="worker", StatementId="s3", Action="lambda:InvokeFunction", Principal="s3.amazonaws.com"
    )
    arn = pipeline.lambda_.get_function(FunctionName="worker")["Configuration"]["FunctionArn"]
    pipeline.s3.put_bucket_notification_configuration(
        Bucket=pipeline.bucket,
        NotificationConfiguration={
            "LambdaFunctionConfigurations": [{"LambdaFunctionArn": arn, "Events": ["s3:ObjectCreated:*"]}]
        },
    )
    pipeline.cloud.settle()
    pipeline.upload("pedidos/1.json")
    pipeline.cloud.settle()

    assert pipeline.log()[-1] == "pedidos/1.json"


def test_log_subscription_invokes_a_function(pipeline: Pipeline) -> None:
    """What is written to a log group reaches the function that subscribes to it, as an asynchronous event."""
    pipeline.deploy("""
        import base64, gzip, json

        def handler(event, context):
            data = json.loads(gzip.decompress(base64.b64decode(event["awslogs"]["data"])))
            print([one["message"] for one in data["logEvents"]])
    """)
    arn = pipeline.lambda_.get_function(FunctionName="worker")["Configuration"]["FunctionArn"]
    pipeline.logs.create_log_group(logGroupName="tienda")
    pipeline.logs.create_log_stream(logGroupName="tienda", logStreamName="uno")
    pipeline.logs.put_subscription_filter(
        logGroupName="tienda", filterName="todo", filterPattern="", destinationArn=arn
    )
    now = round(pipeline.cloud.clock.now().timestamp() * 1000)
    pipeline.logs.put_log_events(
        logGroupName="tienda", logStreamName="uno", logEvents=[{"timestamp": now, "message": "hola"}]
    )
    pipeline.cloud.settle()

    assert pipeline.log()[-1] == "['hola']"


# Faults in a function


@pytest.mark.parametrize(("when", "stored"), [("before", 0), ("after", 1)])
def test_function_is_stopped_at_a_point(pipeline: Pipeline, when: str, stored: int) -> None:
    """A function's process is gone before or after a call; its batch comes back, and the next run starts afresh."""
    pipeline.deploy(SAVE)
    pipeline.map()
    pipeline.announce("s3:ObjectCreated:*")
    pipeline.drain()
    pipeline.upload("pedidos/lucia/3.json")
    pipeline.cloud.faults.stop_worker(**{when: "dynamodb:PutItem"})
    (done,) = pipeline.cloud.settle()

    assert pipeline.dynamodb.scan(TableName=pipeline.table)["Count"] == stored
    assert len(done.kept) == 1
    assert pipeline.steps("run_end")[0]["run"]["result"] == "died"

    pipeline.cloud.clock.advance(30)
    (again,) = pipeline.cloud.settle()

    assert len(again.deleted) == 1
    assert pipeline.dynamodb.scan(TableName=pipeline.table)["Count"] == 1


def test_lost_response_in_a_function_is_retried_by_its_sdk(pipeline: Pipeline) -> None:
    """The function's SDK repeats the write whose answer got lost, and finds its own item there."""
    pipeline.deploy(SAVE)
    pipeline.map()
    pipeline.announce("s3:ObjectCreated:*")
    pipeline.drain()
    pipeline.upload("pedidos/lucia/3.json")
    pipeline.cloud.faults.lose_response("dynamodb:PutItem")
    pipeline.cloud.settle()

    assert pipeline.log() == ["guardo pedidos/lucia/3.json", "ya estaba pedidos/lucia/3.json"]
    assert [step["decision"]["result"] for step in pipeline.steps("write")] == ["accepted", "refused"]


def test_throttled_delete_brings_the_batch_back(pipeline: Pipeline) -> None:
    """When Lambda cannot delete what was done, it is done twice: the reason why a worker has to be idempotent."""
    pipeline.deploy("def handler(event, context): print('hecho')")
    pipeline.map()
    pipeline.send("a")
    pipeline.cloud.faults.throttle("sqs:DeleteMessageBatch", by="lambda")
    pipeline.cloud.settle()
    pipeline.cloud.clock.advance(30)
    pipeline.cloud.settle()

    assert pipeline.log() == ["hecho", "hecho"]


# Code and configuration


def test_new_code_is_what_runs(pipeline: Pipeline) -> None:
    """Code that was updated runs at the next invocation, with nothing left of the old one's state."""
    counting = """
        count = 0

        def handler(event, context):
            global count
            count += 1
            return ["{version}", count]
    """
    pipeline.deploy(counting.replace("{version}", "a"))
    first = [json.loads(pipeline.lambda_.invoke(FunctionName="worker")["Payload"].read()) for _ in range(2)]
    pipeline.lambda_.update_function_code(FunctionName="worker", ZipFile=package(counting.replace("{version}", "b")))
    second = json.loads(pipeline.lambda_.invoke(FunctionName="worker")["Payload"].read())

    assert first == [["a", 1], ["a", 2]]
    assert second == ["b", 1]


def test_environment_and_no_other_environment(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function sees the variables of its configuration, and none of the student's own."""
    monkeypatch.setenv("MY_REAL_TOKEN", "secreto")
    pipeline.deploy(
        "import os\ndef handler(event, context): return dict(os.environ)", Environment={"Variables": {"TABLE": "tabla"}}
    )
    seen = json.loads(pipeline.lambda_.invoke(FunctionName="worker")["Payload"].read())

    assert (seen["TABLE"], seen["AWS_LAMBDA_FUNCTION_NAME"], seen["_HANDLER"]) == ("tabla", "worker", "app.handler")
    assert "MY_REAL_TOKEN" not in seen
    assert seen["AWS_ACCESS_KEY_ID"].startswith("ASIA")


def test_no_secret_of_a_function_in_the_trace(pipeline: Pipeline) -> None:
    """Neither a function's code, nor its variables' values, nor its role's keys are in the trace."""
    pipeline.deploy("def handler(event, context): return 'ok'", Environment={"Variables": {"TOKEN": "muy-secreto"}})
    pipeline.lambda_.update_function_configuration(
        FunctionName="worker", Environment={"Variables": {"TOKEN": "otro-secreto"}}
    )
    pipeline.lambda_.invoke(FunctionName="worker")
    text = json.dumps(pipeline.cloud.trace.data())

    assert [secret for secret in ("muy-secreto", "otro-secreto", "ASIA", "UEsDB") if secret in text] == []
