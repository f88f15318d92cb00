"""What comes of a run, in processes and inline alike: payload, error, log, environment, calls."""

from __future__ import annotations

import datetime
import json
import os
import re
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from bentocola.cloud.door import Caller, Lost, Request, Response, Stopped, caller
from bentocola.cloud.functions.inline import Inline
from bentocola.cloud.functions.processes import Processes
from bentocola.cloud.functions.runtime import EventTooLargeError, Outcome, Runtime
from tests.cloud.deployed import ARN, EVERYTHING, ROLE, Answers, deployed

NOW = datetime.datetime(2026, 3, 1, 9, 30, tzinfo=datetime.UTC)
SPEC = deployed(EVERYTHING)
answers = Answers()
waits: list[float] = []


@pytest.fixture(scope="module")
def runtimes() -> Iterator[dict[str, Runtime]]:
    """One of each, for all tests here: what is warm stays warm."""
    made: dict[str, Runtime] = {
        "processes": Processes(answers, now=lambda: NOW, unique=lambda: "0" * 32, wait=waits.append),
        "inline": Inline(answers, now=lambda: NOW, unique=lambda: "0" * 32, wait=waits.append),
    }
    yield made
    for one in made.values():
        one.close()


@pytest.fixture(params=["processes", "inline"])
def runtime(request: pytest.FixtureRequest, runtimes: dict[str, Runtime]) -> Runtime:
    """Each of them. What was asked before is forgotten."""
    answers.__init__()  # type: ignore[misc]
    waits.clear()
    return runtimes[request.param]


def ask(runtime: Runtime, do: str, **more: Any) -> Outcome:
    """Let the function that can do everything do this."""
    options = more.pop("options", {})
    return runtime.run(SPEC, json.dumps({"do": do, **more}), request_id="r-1", credentials=ROLE, **options)


def test_handler_gets_the_event_and_its_answer_comes_back(runtime: Runtime) -> None:
    """The payload is what was returned, as JSON; text is escaped down to ASCII, as Python 3.11's runtime does."""
    outcome = ask(runtime, "echo", text="弁当", number=1.5, nothing=None)

    assert json.loads(outcome.payload) == {"do": "echo", "text": "弁当", "number": 1.5, "nothing": None}
    assert outcome.payload.isascii()
    assert (outcome.error, outcome.result) == (None, "ok")


def test_log_has_start_end_and_report(runtime: Runtime) -> None:
    """Their lines are as on AWS, each event with its line end."""
    ask(runtime, "echo")
    outcome = ask(runtime, "echo")
    start, end, report = outcome.log

    assert start == "START RequestId: r-1 Version: $LATEST\n"
    assert end == "END RequestId: r-1\n"
    assert re.fullmatch(
        r"REPORT RequestId: r-1\tDuration: \d+\.\d\d ms\tBilled Duration: \d+ ms\tMemory Size: 256 MB\t"
        r"(Max Memory Used: \d+ MB\t)?\n",
        report,
    )
    assert outcome.log_stream == f"2026/03/01/[$LATEST]{'0' * 32}"


def test_cold_start_is_told_and_billed(runtime: Runtime) -> None:
    """The run that imports the code says how long that took; what the import printed stands before START."""
    spec = deployed("print('hello')\ndef lambda_handler(event, context): pass\n", name="cold", arn=f"{ARN}-cold")
    outcome = runtime.run(spec, "{}", request_id="r-1", credentials=ROLE)
    again = runtime.run(spec, "{}", request_id="r-2", credentials=ROLE)

    assert outcome.log[:2] == ["hello\n", "START RequestId: r-1 Version: $LATEST\n"]
    assert outcome.init_ms is not None
    assert f"\tInit Duration: {outcome.init_ms:.2f} ms\t" in outcome.log[-1]
    assert outcome.billed_ms >= outcome.duration_ms + outcome.init_ms
    assert again.init_ms is None
    assert again.log[0] == "START RequestId: r-2 Version: $LATEST\n"


def test_module_keeps_its_state_between_runs(runtime: Runtime) -> None:
    """A warm environment's module is not imported again; other code, configuration or credentials make a new one."""
    first, second = (json.loads(ask(runtime, "count").payload)["runs"] for _ in range(2))
    other = deployed(EVERYTHING, environment={"MODE": "other"})
    anew = json.loads(runtime.run(other, '{"do": "count"}', request_id="r-1", credentials=ROLE).payload)["runs"]
    back = json.loads(ask(runtime, "count").payload)["runs"]

    assert second == first + 1
    assert (anew, back) == (1, 1)


def test_error_is_a_payload_and_a_log_event(runtime: Runtime) -> None:
    """Files are named as on AWS; the log has the error as one event with no-break spaces."""
    outcome = ask(runtime, "fail")
    described = json.loads(outcome.payload)

    assert (outcome.error, outcome.result) == ("Unhandled", "error")
    assert (described["errorMessage"], described["errorType"]) == ("no such order", "ValueError")
    assert described["requestId"] == "r-1"
    assert [re.sub(r"line \d+", "line N", entry) for entry in described["stackTrace"]] == [
        '  File "/var/task/lambda_function.py", line N, in lambda_handler\n    return globals()[event["do"]](event, context)\n',
        '  File "/var/task/lambda_function.py", line N, in fail\n    deeper()\n',
        '  File "/var/task/lambda_function.py", line N, in deeper\n    raise ValueError("no such order")\n',
    ]
    logged = next(event for event in outcome.log if event.startswith("[ERROR]"))
    assert logged.startswith("[ERROR] ValueError: no such order\nTraceback (most recent call last):\n\u00a0\u00a0File ")
    assert logged.endswith('\n\u00a0\u00a0\u00a0\u00a0raise ValueError("no such order")\n')


@pytest.mark.parametrize(
    ("code", "handler", "kind", "message"),
    [
        ("import moton", None, "Runtime.ImportModuleError", "Unable to import module 'lambda_function': No module named 'moton'"),
        ("x = (", None, "Runtime.UserCodeSyntaxError",
         "Syntax error in module 'lambda_function': '(' was never closed (lambda_function.py, line 1)"),
        ("", None, "Runtime.HandlerNotFound", "Handler 'lambda_handler' missing on module 'lambda_function'"),
        ("", "nowhere", "Runtime.MalformedHandlerName", "Bad handler 'nowhere': not enough values to unpack (expected 2, got 1)"),
        ("", "sys.exit", "Runtime.BuiltInModuleConflict", "Cannot use built-in module sys as a handler module"),
        ("1 / 0", None, "ZeroDivisionError", "division by zero"),
    ],
)  # fmt: skip
def test_code_that_cannot_be_imported(code: str, handler: str | None, kind: str, message: str) -> None:
    """It is tried twice, as Lambda does, and both tries are in the log before START. Later runs try once."""
    runtime = Inline(Answers())
    spec = deployed(code, handler=handler or "lambda_function.lambda_handler")
    outcome = runtime.run(spec, "{}", request_id="r-1", credentials=ROLE)
    again = runtime.run(spec, "{}", request_id="r-2", credentials=ROLE)

    described = json.loads(outcome.payload)
    assert (described["errorType"], described["errorMessage"]) == (kind, message)
    assert described["requestId"] == ""
    assert [event.split(" ")[0] for event in outcome.log] == [
        "[ERROR]", "INIT_REPORT", "[ERROR]", "INIT_REPORT", "START", "END", "REPORT"
    ]  # fmt: skip
    assert f"\tPhase: init\tStatus: error\tError Type: {kind}\n" in outcome.log[1]
    assert [event.split(" ")[0] for event in again.log] == ["[ERROR]", "INIT_REPORT", "START", "END", "REPORT"]


@pytest.mark.parametrize(
    ("returned", "payload"),
    [
        ("{1, 2}", "Unable to marshal response: Object of type set is not JSON serializable"),
        ("__import__('decimal').Decimal('1.50')", 1.5),
        ("[__import__('decimal').Decimal('10')]", [10]),
        ("b'{\"raw\": 1}'", {"raw": 1}),
        ("None", None),
    ],
)
def test_what_a_handler_may_return(returned: str, payload: Any) -> None:
    """JSON, decimals as numbers, bytes as they are; anything else is Runtime.MarshalError."""
    spec = deployed(f"def lambda_handler(event, context): return {returned}\n")
    got = json.loads(Inline(Answers()).run(spec, "{}", request_id="r-1", credentials=ROLE).payload)

    if isinstance(payload, str):
        assert (got["errorType"], got["errorMessage"]) == ("Runtime.MarshalError", payload)
    else:
        assert got == payload


def test_printed_lines_are_events_and_a_log_record_is_one(runtime: Runtime) -> None:
    """stdout is split at line ends, a record of `logging` is not. The root logger's level is WARNING from the start."""
    outcome = ask(runtime, "log")

    record, *printed = outcome.log[1 if outcome.init_ms is None else 2 : -2]
    assert re.fullmatch(r"\[WARNING\]\t2026-03-01T09:\d\d:\d\d\.\d{3}Z\tr-1\ttwo\nlines\n", record)
    assert printed == ["one\n", "two\n", "no end\n"]


def test_context_has_the_documented_fields(runtime: Runtime) -> None:
    """https://docs.aws.amazon.com/lambda/latest/dg/python-context.html."""
    options = {"invoked_arn": f"{ARN}:live", "client_context": '{"custom": {"a": 1}}'}
    described = json.loads(ask(runtime, "describe", options=options).payload)

    assert 0 < described.pop("left") <= 30_000
    assert described == {
        "id": "r-1",
        "name": "bento-worker",
        "version": "$LATEST",
        "arn": f"{ARN}:live",
        "memory": "256",
        "group": "/aws/lambda/bento-worker",
        "stream": f"2026/03/01/[$LATEST]{'0' * 32}",
        "identity": None,
        "client": {"a": 1},
    }


def test_environment_is_the_function_s_alone(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The documented variables, the configured ones, what a process needs to start; nothing of the student's."""
    monkeypatch.setenv("STUDENT_SECRET", "x")
    monkeypatch.setenv("AWS_PROFILE", "student")
    spec = deployed(EVERYTHING, environment={"TABLE": "orders"}, arn=f"{ARN}-env")
    outcome = runtime.run(spec, '{"do": "environment"}', request_id="r-1", credentials=ROLE, trace_id="Root=1-a")
    found = json.loads(outcome.payload)

    theirs = {name: value for name, value in found.items() if name.startswith(("AWS", "_X", "_H", "LAMBDA", "T"))}
    assert theirs == {
        "AWS_ACCESS_KEY_ID": ROLE.access_key,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_EXECUTION_ENV": "AWS_Lambda_python3.11",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
        "AWS_LAMBDA_FUNCTION_NAME": "bento-worker",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/bento-worker",
        "AWS_LAMBDA_LOG_STREAM_NAME": outcome.log_stream,
        "AWS_REGION": "us-east-1",
        "AWS_SECRET_ACCESS_KEY": ROLE.secret_key,
        "AWS_SESSION_TOKEN": ROLE.session_token,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "LAMBDA_TASK_ROOT": found["LAMBDA_TASK_ROOT"],
        "TABLE": "orders",
        "TEMP": found["HOME"],
        "TMP": found["HOME"],
        "TMPDIR": found["HOME"],
        "TZ": ":UTC",
        "_HANDLER": "lambda_function.lambda_handler",
        "_X_AMZN_TRACE_ID": "Root=1-a",
    }
    assert "STUDENT_SECRET" not in found
    assert found["HOME"] != os.environ["HOME"]


def test_calls_reach_the_door_as_the_run_s(runtime: Runtime) -> None:
    """With the role's credentials, and under the run's name; the answers come back, errors of the service too."""
    callers = []

    def rule(request: Request) -> Response:
        callers.append(caller.get())
        body = b'{"__type": "ConditionalCheckFailedException", "message": "The conditional request failed"}'
        return Response(400, {"x-amzn-errortype": "ConditionalCheckFailedException"}, body)

    answers.rule = rule
    outcome = ask(runtime, "put", id="o-1", options={"run": "run-7"})

    assert json.loads(outcome.payload)["errorType"] == "ConditionalCheckFailedException"
    assert callers == [Caller("lambda", "run-7")]
    assert f"Credential={ROLE.access_key}/" in answers.requests[0].header("Authorization")
    assert answers.requests[0].header("X-Amz-Security-Token") == ROLE.session_token
    assert json.loads(answers.requests[0].body)["Item"] == {"id": {"S": "o-1"}}
    assert caller.get() is None


def test_bodies_stay_as_they_are(runtime: Runtime) -> None:
    """Any bytes, both ways."""
    data = bytes(range(256)) * 1000
    answers.rule = lambda request: Response(200, {}, data if request.method == "GET" else b"")
    outcome = ask(runtime, "upload")

    assert json.loads(outcome.payload) == len(data)
    assert data in answers.requests[0].body or answers.requests[0].body == data


def test_lost_answer_is_tried_again_on_the_course_s_time(runtime: Runtime) -> None:
    """boto3 sees a broken connection, waits (not really) and calls again."""
    lost = [Lost(), Lost()]
    answers.rule = lambda request: lost.pop() if lost else Response(200, {}, b"{}")
    outcome = ask(runtime, "put", id="o-1")

    assert outcome.result == "ok"
    assert len(answers.requests) == 3
    assert len(waits) == 2


def test_stopped_caller_dies_in_its_call(runtime: Runtime) -> None:
    """Nothing of the code goes on, and what was warm is lost."""
    before = json.loads(ask(runtime, "count").payload)["runs"]
    answers.rule = lambda request: Stopped()
    outcome = ask(runtime, "put", id="o-1")

    assert (outcome.result, outcome.error) == ("died", "Unhandled")
    assert json.loads(outcome.payload) == {
        "errorType": "Runtime.ExitError",
        "errorMessage": "RequestId: r-1 Error: Runtime exited with error: signal: killed",
    }
    assert before >= 1
    assert json.loads(ask(runtime, "count").payload)["runs"] == 1


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (3, "Runtime exited with error: exit status 3"),
        (None, "Runtime exited without providing a reason"),
        ("bye", "Runtime exited with error: exit status 1"),
    ],
)
def test_exit_is_a_failed_run(runtime: Runtime, status: object, reason: str) -> None:
    """The process is gone, whatever status it gave; the log says so before END."""
    outcome = ask(runtime, "leave", status=status)

    assert outcome.result == "died"
    assert json.loads(outcome.payload) == {
        "errorType": "Runtime.ExitError",
        "errorMessage": f"RequestId: r-1 Error: {reason}",
    }
    assert outcome.log[-3] == f"RequestId: r-1 Error: {reason}\nRuntime.ExitError\n"
    assert outcome.log[-1].endswith("\tStatus: error\tError Type: Runtime.ExitError\n")
    assert ("bye\n" in outcome.log) == (status == "bye")


def test_answer_may_have_six_megabytes(runtime: Runtime) -> None:
    """One byte more is Function.ResponseSizeTooLarge. The limit counts the JSON, quotes included."""
    spec = deployed("def lambda_handler(event, context): return 'x' * event\n", arn=f"{ARN}-large")
    most, over = (runtime.run(spec, str(size), request_id="r-1", credentials=ROLE) for size in (6_291_554, 6_291_555))

    assert most.result == "ok"
    assert json.loads(over.payload) == {
        "errorType": "Function.ResponseSizeTooLarge",
        "errorMessage": "Response payload size exceeded maximum allowed payload size (6291556 bytes).",
    }


def test_event_has_a_limit(runtime: Runtime) -> None:
    """In AWS's words."""
    with pytest.raises(EventTooLargeError, match=r"^6291457 byte payload is too large for the RequestResponse"):
        runtime.run(SPEC, " " * 6_291_457, request_id="r-1", credentials=ROLE)


def test_inline_leaves_the_process_as_it_was() -> None:
    """Environment, working folder, modules, path, standard streams and boto3's default session, even after an exit."""
    import logging
    import sys

    def state() -> tuple[Any, ...]:
        root = logging.getLogger()
        return dict(os.environ), os.getcwd(), list(sys.path), sys.stdout, sys.stderr, root.level, list(root.handlers)

    before = state()
    session = boto3.DEFAULT_SESSION
    runtime = Inline(answers)
    ask(runtime, "log")
    ask(runtime, "leave", status=3)

    assert state() == before
    assert boto3.DEFAULT_SESSION is session
    assert "lambda_function" not in sys.modules
    runtime.close()


def test_inline_functions_do_not_share_modules() -> None:
    """Two packages with a module of the same name each see their own, on later imports too."""
    runtime = Inline(answers)
    code = "def lambda_handler(event, context):\n    import helper\n    return helper.NAME\n"
    first = deployed({"lambda_function.py": code, "helper.py": "NAME = 1"}, arn=f"{ARN}-1")
    second = deployed({"lambda_function.py": code, "helper.py": "NAME = 2"}, arn=f"{ARN}-2")

    got = [runtime.run(spec, "{}", request_id="r", credentials=ROLE).payload for spec in (first, second, first)]

    assert got == ["1", "2", "1"]
    runtime.close()


def test_inline_function_may_invoke_another() -> None:
    """A run within a run: each has its own environment, log and default session."""
    runtime = Inline(answers)
    inner = deployed(
        "import os\ndef lambda_handler(e, c):\n    print('inner')\n    return os.environ['WHO']\n",
        arn=f"{ARN}-in",
        environment={"WHO": "inner"},
    )
    outer = deployed(
        "import os, boto3\ndef lambda_handler(e, c):\n    print('before')\n"
        "    boto3.client('sqs').list_queues()\n    print('after')\n    return os.environ['WHO']\n",
        arn=f"{ARN}-out",
        environment={"WHO": "outer"},
    )
    got = []

    def rule(request: Request) -> Response:
        got.append(runtime.run(inner, "{}", request_id="in", credentials=ROLE))
        return Response(200, {}, b"{}")

    answers.rule = rule
    outcome = runtime.run(outer, "{}", request_id="out", credentials=ROLE)

    assert (outcome.payload, got[0].payload) == ('"outer"', '"inner"')
    assert outcome.log[1:3] == ["before\n", "after\n"]
    assert got[0].log[1] == "inner\n"
    runtime.close()


def test_inline_interrupt_is_the_reader_s() -> None:
    """Ctrl+C in a notebook stops the notebook's cell, not just the function."""
    runtime = Inline(answers)
    spec = deployed("def lambda_handler(event, context): raise KeyboardInterrupt\n")

    with pytest.raises(KeyboardInterrupt):
        runtime.run(spec, "{}", request_id="r-1", credentials=ROLE)
    runtime.close()
