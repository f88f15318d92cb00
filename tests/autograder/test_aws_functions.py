"""Deployed functions run in the candidate, for the examiner's cloud: outcomes, whose calls they make, roles, failures."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from typing import Any

import boto3
import pytest

import bentocola
from autograder.aws.examiner import CandidateRuntime, Hit
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.functions.package import PackageError
from tests.autograder.aws_rooms import Room, examiner, room
from tests.cloud.deployed import ROLE, deployed, zipped

__all__ = ["examiner", "room"]
pytestmark = pytest.mark.usefixtures("examiner")

CODE = """
import boto3, json, os, threading
runs = 0

def work(event, context):
    global runs
    runs += 1
    print("run", runs)
    boto3.client("dynamodb").put_item(TableName="orders", Item={"id": {"S": event["id"]}})
    return {"runs": runs, "parent": os.getppid(), "pid": os.getpid()}

def deliver(event, context):
    for record in event["Records"]:
        boto3.client("dynamodb").put_item(TableName="orders", Item={"id": {"S": record["body"]}})

def again(event, context):
    answer = boto3.client("lambda").invoke(FunctionName="worker", Payload=json.dumps({"depth": event["depth"] + 1}))
    got = json.loads(answer["Payload"].read())
    return got if isinstance(got, int) else event["depth"]

def forbidden(event, context):
    boto3.client("sqs").list_queues()

def fails(event, context):
    raise ValueError("no such order")

def leaves(event, context):
    os._exit(3)

def endless(event, context):
    threading.Event().wait()
"""
TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
        ],
    }
)
ACTIONS = ["dynamodb:*", "logs:*", "lambda:*", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]
MAY = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ACTIONS, "Resource": "*"}]})


@pytest.fixture
def cloud(examiner: None, room: Room) -> Cloud:
    """A cloud with a table and a role; the candidate has clients."""
    return prepared(room.new())


def prepared(room: Room) -> Cloud:
    """Start such a cloud for a room."""
    cloud = bentocola.start("es")
    boto3.client("dynamodb").create_table(
        TableName="orders",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    )
    boto3.client("iam").create_role(RoleName="role", AssumeRolePolicyDocument=TRUST)
    boto3.client("iam").put_role_policy(RoleName="role", PolicyName="may", PolicyDocument=MAY)
    room.do("import boto3, bentocola, json; cloud = bentocola.start('es')")
    return cloud


def deploy(handler: str, **changed: Any) -> Any:
    """Deploy the function as `worker`, and return a client of Lambda."""
    client = boto3.client("lambda")
    role = boto3.client("iam").get_role(RoleName="role")["Role"]["Arn"]
    given = {"Timeout": 30, **changed}
    client.create_function(
        FunctionName="worker",
        Runtime="python3.11",
        Role=role,
        Handler=f"lambda_function.{handler}",
        Code={"ZipFile": zipped({"lambda_function.py": CODE})},
        **given,
    )
    client.get_waiter("function_active_v2").wait(FunctionName="worker")
    return client


def invoke(client: Any, event: Any) -> tuple[Any, str | None]:
    """Invoke it, and return its answer and the kind of its error."""
    answer = client.invoke(FunctionName="worker", Payload=json.dumps(event))
    return json.loads(answer["Payload"].read()), answer.get("FunctionError")


def test_code_runs_below_the_candidate(room: Room, cloud: Cloud) -> None:
    """A function is a child of the candidate, never of the examiner; it stays warm, and its calls are its run's in the trace."""
    client = deploy("work")
    first, second = invoke(client, {"id": "1"})[0], invoke(client, {"id": "2"})[0]

    assert first["parent"] == second["parent"] == room.process.pid
    assert [first["runs"], second["runs"]] == [1, 2]
    assert first["pid"] == second["pid"]
    writes = [step for step in cloud.trace if step["kind"] == "write"]
    assert [(step["from"], step["ids"]["run"]) for step in writes] == [("lambda", "r1"), ("lambda", "r2")]
    runs = [step["run"] for step in cloud.trace if step["kind"] == "run_end"]
    assert "run 1" in runs[0]["log"]
    logs = boto3.client("logs").filter_log_events(logGroupName="/aws/lambda/worker")["events"]
    assert sum("run " in event["message"] for event in logs) == 2
    assert os.getpid() not in (first["parent"], first["pid"])


def test_a_run_sees_the_course_s_time(cloud: Cloud) -> None:
    """Its log is of the course's day, on a clock that was moved on."""
    cloud.clock.advance(400 * 86_400)
    invoke(deploy("work"), {"id": "1"})
    (stream,) = boto3.client("logs").describe_log_streams(logGroupName="/aws/lambda/worker")["logStreams"]

    assert stream["logStreamName"].startswith(f"{cloud.clock.now():%Y/%m/%d}/[$LATEST]")


def test_the_role_decides_what_a_run_may(cloud: Cloud) -> None:
    """A call that the role does not allow is refused: it is made with the role's keys."""
    answer, error = invoke(deploy("forbidden"), {})

    assert error == "Unhandled"
    assert "AccessDenied" in answer["errorMessage"]
    refused = next(step for step in cloud.trace if step.get("api") == "sqs:ListQueues")
    assert refused["from"] == "lambda"


@pytest.mark.parametrize(
    ("handler", "kind", "result"),
    [
        ("fails", "ValueError", "error"),
        ("leaves", "Runtime.ExitError", "died"),
        ("endless", "Sandbox.Timedout", "died"),
    ],
)
def test_what_goes_wrong_is_lambda_s_own_error(cloud: Cloud, handler: str, kind: str, result: str) -> None:
    """An exception, an exit and a timeout, as in the student's own JupyterLab."""
    answer, error = invoke(deploy(handler, Timeout=1), {})

    assert error == "Unhandled"
    assert answer["errorType"] == kind
    assert [step["run"]["result"] for step in cloud.trace if step["kind"] == "run_end"] == [result]


def test_the_student_invokes_and_the_time_of_the_run_does_not_count(room: Room) -> None:
    """A candidate's call that waits for a function: the examiner serves the run meanwhile, whatever a request's limit."""
    prepared(room.new(request_seconds=0.2))
    deploy("endless", Timeout=1)
    told = room.do(
        """
        answer = boto3.client("lambda").invoke(FunctionName="worker", Payload=b"{}")
        result = json.loads(answer["Payload"].read())["errorType"]
        """
    )
    assert told == "Sandbox.Timedout"
    assert room.gate.hits == []


def test_a_mapping_works_from_both_sides(room: Room, cloud: Cloud) -> None:
    """`poll_once` and `settle`, called in the examiner and in the candidate, run the functions of queues."""
    client = deploy("deliver")
    sqs = boto3.client("sqs")
    url = sqs.create_queue(QueueName="q")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    client.create_event_source_mapping(FunctionName="worker", EventSourceArn=arn)
    for body in "abc":
        sqs.send_message(QueueUrl=url, MessageBody=body)
    rounds = cloud.settle()
    assert [len(done.deleted) for done in rounds] == [3]
    sqs.send_message(QueueUrl=url, MessageBody="d")
    told = room.do("done, = cloud.poll_once(); result = [len(done.deleted), done.response, done.error]")
    assert told == [1, None, None]
    sqs.send_message(QueueUrl=url, MessageBody="e")
    told = room.do("result = [len(done.deleted) for done in cloud.settle()]")
    assert told == [1]
    assert boto3.client("dynamodb").scan(TableName="orders")["Count"] == 5


def test_calls_of_many_threads_do_not_wait_for_ever(room: Room, cloud: Cloud) -> None:
    """Student threads invoke and write at once, while the examiner's thread waits for them: each is answered, as who it is."""
    deploy("work")
    told = room.do(
        """
        import threading
        answers = []
        def invoke(number):
            client = boto3.client("lambda")
            answer = client.invoke(FunctionName="worker", Payload=json.dumps({"id": f"run-{number}"}))
            answers.append(json.loads(answer["Payload"].read())["runs"])
        def write(number):
            boto3.client("dynamodb").put_item(TableName="orders", Item={"id": {"S": f"mine-{number}"}})
        threads = [threading.Thread(target=do, args=(n,)) for n in range(3) for do in (invoke, write)]
        for thread in threads: thread.start()
        for thread in threads: thread.join(60)
        result = [len(answers), any(thread.is_alive() for thread in threads)]
        """
    )
    assert told == [3, False]
    writes = {step["decision"]["key"]: step["from"] for step in cloud.trace if step["kind"] == "write"}
    assert len(writes) == 6
    assert all((who == "lambda") is ("run-" in key) for key, who in writes.items()), writes


def test_threads_of_the_examiner_run_functions_at_once(cloud: Cloud) -> None:
    """As a live cloud's do: each waits for its own run."""
    client = deploy("work")
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda n=n: answers.append(invoke(client, {"id": str(n)}))) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert [error for _, error in answers] == [None] * 3


@pytest.mark.slow
def test_a_function_that_invokes_itself_ends(cloud: Cloud) -> None:
    """It is stopped after as many runs as Lambda lets pass, and the innermost sees why."""
    answer, error = invoke(deploy("again", Timeout=60), {"depth": 1})

    assert (answer, error) == (16, None)


@pytest.fixture
def runtime(room: Room) -> CandidateRuntime:
    """The runtime alone."""
    room.new()
    return CandidateRuntime(room.peer)


def test_a_package_is_sent_once(room: Room, runtime: CandidateRuntime) -> None:
    """The second run has no package in it, unless the candidate has forgotten it."""
    sent = room.do(
        """
        sizes = []
        run = connected._functions.run
        def counted(head, body):
            sizes.append(len(body))
            return run(head, body)
        connected._peer.handle("function_run", counted)
        result = sizes
        """
    )
    spec = deployed("def lambda_handler(event, context):\n    return event\n" + "# " + "x" * 10_000)
    for _ in range(2):
        assert runtime.run(spec, "[1]", request_id="r", credentials=ROLE).payload == "[1]"
    room.do("connected._functions._packages.clear()")
    assert runtime.run(spec, "[1]", request_id="r", credentials=ROLE).payload == "[1]"
    sent = room.do("result = list(sizes); connected._peer.handle('function_run', run)")
    assert [size > 1000 for size in sent] == [True, False, False, True]


def test_a_package_that_lambda_refuses(runtime: CandidateRuntime) -> None:
    """It is the error that the local cloud knows."""
    spec = replace(deployed("x = 1"), code=b"no zip", code_sha256="other")
    with pytest.raises(PackageError):
        runtime.run(spec, "{}", request_id="r", credentials=ROLE)


@pytest.mark.parametrize(
    "answer",
    [
        "None",
        "({}, b'')",
        "({}, b'{}')",
        "({}, b'[' * 200_000)",
        "([], b'')",
        "({'unknown_code': True}, b'')",
        "({'package_error': 3}, b'')",
        "({}, json.dumps(made | {'payload': 'no json'}).encode())",
        "({}, json.dumps(made | {'payload': 3}).encode())",
        "({}, json.dumps(made | {'payload': '[' * 100_000}).encode())",
        "({}, json.dumps(made | {'payload': '\"' + 'x' * 7_000_000 + '\"'}).encode())",
        "({}, json.dumps(made | {'log': 'x'}).encode())",
        "({}, json.dumps(made | {'log': ['x' * 9_000_000]}).encode())",
        "({}, json.dumps(made | {'log': [1]}).encode())",
        "({}, json.dumps(made | {'result': 'perfect'}).encode())",
        "({}, json.dumps(made | {'error': 'Unhandled'}).encode())",
        "({}, json.dumps(made | {'duration_ms': float('nan')}).encode())",
        "({}, json.dumps(made | {'duration_ms': -1}).encode())",
        "({}, json.dumps(made | {'billed_ms': True}).encode())",
        "({}, json.dumps(made | {'init_ms': 'x'}).encode())",
        "({}, json.dumps(made | {'log_stream': ['x']}).encode())",
        "({}, json.dumps(made | {'more': 1}).encode())",
        "1 / 0",
    ],
)
def test_what_is_no_outcome_makes_one(room: Room, runtime: CandidateRuntime, answer: str) -> None:
    """A candidate that answers for its functions itself can say what they might have said, and nothing else."""
    room.do(
        f"""
        import json
        made = {{"payload": "1", "error": None, "log": [], "result": "ok", "duration_ms": 1.5, "billed_ms": 2, "init_ms": None,
                "max_memory_mb": 30, "log_stream": "s"}}
        connected._peer.handle("function_run", lambda head, body: {answer})
        """
    )
    try:
        outcome = runtime.run(deployed("x = 1"), "{}", request_id="r", credentials=ROLE)
    finally:
        room.do("connected._peer.handle('function_run', connected._functions.run)")

    assert (outcome.result, outcome.error) == ("died", "Unhandled")
    assert json.loads(outcome.payload)["errorType"] == "Runtime.ExitError"
    assert len(outcome.log) >= 3


def test_a_candidate_that_is_gone_makes_an_outcome() -> None:
    """It ends while the function is waited for, or before: the run died, its log says why, and the cloud goes on."""
    room = Room().new()
    cloud = prepared(room)
    client = deploy("work")
    room.do("import os; connected._peer.handle('function_run', lambda head, body: os._exit(1))")
    for _ in range(2):
        answer, error = invoke(client, {"id": "1"})
        assert (answer["errorType"], error) == ("Runtime.ExitError", "Unhandled")
    runs = [step["run"] for step in cloud.trace if step["kind"] == "run_end"]
    assert [run["result"] for run in runs] == ["died", "died"]
    said = cloud.say("The process in which this function runs has ended.")
    assert all(said in run["log"] for run in runs)
    assert boto3.client("dynamodb").list_tables()["TableNames"] == ["orders"]
    room.end()


def test_a_closed_runtime_runs_nothing(runtime: CandidateRuntime) -> None:
    """As the local cloud's own."""
    runtime.close()
    runtime.close()
    with pytest.raises(RuntimeError, match="closed"):
        runtime.run(deployed("x = 1"), "{}", request_id="r", credentials=ROLE)


def test_nothing_was_noted(room: Room) -> None:
    """A limit is something else than an error."""
    room.new()
    assert room.gate.take_hits() == []
    assert Hit("bytes", "s3:PutObject") != Hit("time", "s3:PutObject")
