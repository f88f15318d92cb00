"""The control door and its commands: time is moved, the trace is told and faults are planned from outside, and by no web page."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

import bentocola
from bentocola.cli import ready
from bentocola.cli.control import FOLLOWERS, Control, Refusal
from bentocola.cli.language import speak
from bentocola.cli.main import main
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request, Response
from bentocola.cloud.faults import Fault
from bentocola.cloud.wires.http import HttpWire
from bentocola.errors import SecondsError
from tests.cli.conftest import Served


class Desk:
    """A cloud that stands still, behind the wire over HTTP. `to_services` has what went to the services."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.to_services: list[Request] = []
        self.wire = HttpWire(self._handle, say=cloud.say, control=Control(cloud))

    def _handle(self, request: Request) -> Response:
        self.to_services.append(request)
        return self.cloud.handle(request)

    def raw(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send one request in a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.wire.port, timeout=20)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        said = response.read()
        connection.close()
        return response, said

    def ask(self, method: str, what: str, asked: Any = None, status: int = 200) -> Any:
        """Ask the control door, and return the JSON that it answers with."""
        body = None if asked is None else json.dumps(asked).encode()
        response, said = self.raw(method, f"/_bentocola/{what}", body)
        assert (response.status, response.headers["Content-Type"]) == (status, "application/json"), said
        return json.loads(said)

    def refused(self, method: str, what: str, asked: Any = None, status: int = 400) -> str:
        """Return the sentence of a refusal."""
        told = self.ask(method, what, asked, status)
        assert set(told) == {"error"}
        return str(told["error"])


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    """One cloud for all tests; each begins with nothing planned and nothing told."""
    cloud = bentocola.start("es")
    yield cloud
    cloud.stop()


@pytest.fixture
def desk(cloud: Cloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """The served cloud, which the commands of a person in Spanish find."""
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    monkeypatch.delenv("BENTOCOLA_LANGUAGE", raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    cloud.faults.clear()
    cloud.trace.clear()
    desk = Desk(cloud)
    desk.wire.connect()
    ready.write(tmp_path / "r", ready.Ready(desk.wire.endpoint, os.getpid(), "es", {}, ""))
    monkeypatch.setenv(ready.VARIABLE, str(tmp_path / "r"))
    yield desk
    desk.wire.disconnect()
    speak(None)


# The clock


def test_clock_is_read_and_moved(desk: Desk) -> None:
    """It tells the course's time, and a move is exact: asking takes none."""
    clock = desk.cloud.clock
    told = desk.ask("GET", "clock")
    assert told == {"now": f"{clock.now():%Y-%m-%dT%H:%M:%S}.{clock.now().microsecond // 1000:03}Z"} | {
        "elapsed_ms": clock.elapsed_ms()
    }

    moved = desk.ask("POST", "clock", {"advance": 30.5})

    assert moved["elapsed_ms"] - told["elapsed_ms"] == 30_500
    assert moved == desk.ask("GET", "clock")


@pytest.mark.parametrize("seconds", [-1, "30", True, [], {}, float("inf"), float("nan"), 10**12, 10**400])
def test_clock_refuses_what_is_no_seconds(desk: Desk, seconds: Any) -> None:
    """In the clock's own sentence, and it stays where it was."""
    before = desk.ask("GET", "clock")
    with pytest.raises(SecondsError) as own:
        desk.cloud.clock.advance(seconds)

    assert desk.refused("POST", "clock", {"advance": seconds}) == str(own.value)
    assert desk.ask("GET", "clock") == before


def test_clock_refuses_to_leave_the_calendar(cloud: Cloud) -> None:
    """What Python has no date for is refused with a sentence."""
    control = Control(cloud)
    moves = Request("POST", "http://localhost/_bentocola/clock", {}, b'{"advance": 1000000000}')
    cloud.clock._now, before = cloud.clock._now.replace(year=9999), cloud.clock._now
    answer = control(moves)
    cloud.clock._now = before

    assert answer.status == 400
    assert "9999" in answer.json()["error"]


# The trace


def test_trace_is_the_cloud_s_own(desk: Desk) -> None:
    """Whole, or after a step; asking for it is no step."""
    sqs = boto3.client("sqs")
    for name in ("a", "b", "c"):
        sqs.create_queue(QueueName=name)
    whole = desk.ask("GET", "trace")

    assert whole == json.loads(json.dumps(desk.cloud.trace.data()))
    assert [step["n"] for step in whole["steps"]] == [1, 2, 3]
    assert desk.ask("GET", "trace?since=2") == {**whole, "steps": whole["steps"][2:]}
    assert desk.ask("GET", "trace?since=9")["steps"] == []


@pytest.mark.parametrize("since", ["-1", "x", "", "1.5", "٣", "9" * 5000])
def test_trace_refuses_what_is_no_number_of_a_step(desk: Desk, since: str) -> None:
    """With what came."""
    assert repr(since) in desk.refused("GET", f"trace?since={quote(since)}")


def test_trace_is_cleared(desk: Desk) -> None:
    """The next story begins at step 1."""
    boto3.client("sqs").create_queue(QueueName="d")
    assert desk.ask("DELETE", "trace")["steps"] == []
    boto3.client("sqs").create_queue(QueueName="e")

    assert [step["n"] for step in desk.ask("GET", "trace")["steps"]] == [1]


# Following


def steps(desk: Desk, story: str = "", since: int = 0, wait: float = 0) -> Any:
    """Ask for what is new."""
    return desk.ask("GET", f"steps?story={story}&since={since}&wait={wait}")


def waiting(desk: Desk, most: int = 1) -> None:
    """Return once so many wait for the trace."""
    while True:
        with desk.cloud.lock:
            if desk.cloud.trace._waiting >= most:
                return


def test_steps_are_the_trace_s_feed(desk: Desk) -> None:
    """From the beginning with the state before it, or after a step of the story; asking is no step."""
    sqs = boto3.client("sqs")
    for name in ("a", "b", "c"):
        sqs.create_queue(QueueName=name)
    trace = desk.cloud.trace

    assert desk.ask("GET", "steps") == json.loads(json.dumps(trace.follow("", 0)))
    assert steps(desk, trace.story, 2) == json.loads(json.dumps(trace.follow(trace.story, 2)))
    assert [step["n"] for step in steps(desk, "another", 2)["steps"]] == [1, 2, 3]
    assert steps(desk, trace.story, 99)["steps"] == []


@pytest.mark.parametrize(
    ("query", "word"),
    [("since=x", "since"), ("since=-1", "since"), ("since=", "since"), ("since=1&since=1e3", "since")]
    + [(f"wait={wait}", "wait") for wait in ("", "x", "-1", "26", "25.1", "1e1", "nan", "inf", "999", "1" * 1000)],
)
def test_steps_refuse_what_is_no_number(desk: Desk, query: str, word: str) -> None:
    """In a sentence that says what is expected."""
    assert desk.refused("GET", f"steps?{query}").startswith(f"{word}= ")


def test_steps_are_waited_for(desk: Desk) -> None:
    """Where nothing is new, the answer comes with the next step, or with the end of the story."""
    boto3.client("sqs").list_queues()
    story = desk.cloud.trace.story
    with ThreadPoolExecutor(1) as page:
        answer = page.submit(steps, desk, story, 1, 25)
        waiting(desk)

        assert not answer.done()

        boto3.client("sqs").list_queues()

        assert [step["n"] for step in answer.result(20)["steps"]] == [2]

        answer = page.submit(steps, desk, story, 2, 25)
        waiting(desk)
        desk.ask("DELETE", "trace")

        assert answer.result(20)["story"] == desk.cloud.trace.story != story


def test_wait_ends_with_its_time(cloud: Cloud) -> None:
    """When the seconds are over the answer is what there is: nothing new, and the present."""
    cloud.trace.clear()
    moments = iter([0.0, 0.0, 24.95, 25.0])
    control = Control(cloud, real_seconds=lambda: next(moments))
    url = f"http://localhost/_bentocola/steps?story={cloud.trace.story}&wait=25"
    answer = control(Request("GET", url, {})).json()

    assert (answer["steps"], answer["now_ms"]) == ([], cloud.clock.elapsed_ms())
    assert list(moments) == []


def test_who_waits_looks_at_the_cloud(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits has the cloud tell what is due, again and again: a message that returns ends the wait."""
    cloud.trace.clear()
    looks = iter(range(3))

    def look() -> None:
        if next(looks) == 2:
            boto3.client("sqs").list_queues()

    monkeypatch.setattr(cloud, "look", look)
    control = Control(cloud)
    url = f"http://localhost/_bentocola/steps?story={cloud.trace.story}&wait=25"

    assert len(control(Request("GET", url, {})).json()["steps"]) == 1
    assert list(looks) == []


def test_many_who_wait_hold_nobody_up(desk: Desk) -> None:
    """While sixty-four wait, services and other rooms answer, thirty-two go on waiting, and all end with the cloud."""
    story = desk.cloud.trace.story
    with ThreadPoolExecutor(64) as pages:
        answers = [pages.submit(steps, desk, story, 0, 25) for _ in range(64)]
        for answer in islice(as_completed(answers, timeout=20), 64 - FOLLOWERS):
            assert answer.result()["steps"] == []
        waiting(desk, FOLLOWERS)
        sqs = boto3.client("sqs", endpoint_url=desk.wire.endpoint)
        desk.ask("GET", "clock")

        assert [answer.done() for answer in answers].count(False) == FOLLOWERS

        sqs.create_queue(QueueName="z")
        told = [answer.result(20)["steps"] for answer in answers]

    assert sum(map(len, told)) == FOLLOWERS


def test_who_waits_is_answered_when_the_cloud_ends(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the cloud ends each wait at once."""
    cloud.trace.clear()
    monkeypatch.setattr(cloud.trace, "has_ended", False)  # so again after the test
    url = f"http://localhost/_bentocola/steps?story={cloud.trace.story}&wait=25"
    with ThreadPoolExecutor(1) as page:
        answer = page.submit(Control(cloud), Request("GET", url, {}))
        while not cloud.trace._waiting:
            pass
        cloud.trace.end()

        assert answer.result(5).json()["steps"] == []


# Rooms of whoever serves


def test_rooms_are_added(cloud: Cloud) -> None:
    """An added room answers with JSON, with an answer of its own form, or with a refusal; the others stay."""

    def refuse(_: Request) -> Any:
        raise Refusal("No.", status=409)

    page = Response(200, {"Content-Type": "text/html; charset=utf-8"}, b"<!doctype html>")
    rooms = {
        "/_bentocola/x": {"GET": lambda _: page, "POST": lambda request: {"got": len(request.body)}, "DELETE": refuse}
    }
    control = Control(cloud, rooms)

    def ask(method: str, path: str, body: bytes = b"") -> Response:
        return control(Request(method, f"http://localhost/_bentocola/{path}", {}, body))

    assert ask("GET", "x") is page
    assert ask("POST", "x", b"abc").json() == {"got": 3}
    assert (ask("DELETE", "x").status, ask("DELETE", "x").json()) == (409, {"error": "No."})
    assert ask("PUT", "x").status == 405
    assert ask("GET", "clock").status == 200
    assert "/_bentocola/x" in ask("GET", "y").json()["error"]


VISIT = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def test_link_of_another_page_may_be_followed(desk: Desk) -> None:
    """A link in JupyterLab leads to a page of ours: the browser opens it, and the page with the link reads nothing."""
    assert desk.raw("GET", "/_bentocola/clock", headers=VISIT)[0].status == 200


@pytest.mark.parametrize(
    ("method", "path", "changed"),
    [
        ("POST", "/_bentocola/clock", {}),
        ("DELETE", "/_bentocola/trace", {}),
        ("GET", "/bucket/key", {}),
        ("GET", "/_bentocola/clock", {"Sec-Fetch-Dest": "iframe"}),
        ("GET", "/_bentocola/clock", {"Sec-Fetch-Mode": "cors"}),
        ("GET", "/_bentocola/clock", {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}),
        ("GET", "/_bentocola/clock", {"Origin": "http://localhost:8888"}),
    ],
)
def test_another_page_may_do_nothing_else(desk: Desk, method: str, path: str, changed: dict[str, str]) -> None:
    """No form, no frame, no script, and no service."""
    assert desk.raw(method, path, b"{}" if method == "POST" else None, {**VISIT, **changed})[0].status == 403


# The faults

KINDS: list[tuple[dict[str, Any], Fault]] = [
    ({"kind": "throttle", "operation": "dynamodb:PutItem"}, Fault("throttle", "dynamodb:PutItem")),
    (
        {"kind": "throttle", "operation": "sqs:*", "on": 2, "times": 3, "by": "lambda"},
        Fault("throttle", "sqs:*", 2, 3, "lambda"),
    ),
    (
        {"kind": "lost_response", "operation": "s3:PutObject", "by": "you"},
        Fault("lost_response", "s3:PutObject", by="you"),
    ),
    ({"kind": "lose-response", "operation": "s3:PutObject"}, Fault("lost_response", "s3:PutObject")),
    ({"kind": "stop-before", "operation": "sqs:*", "on": 4}, Fault("stop_before", "sqs:*", 4)),
    ({"kind": "stop_after", "operation": "sqs:*", "on": None}, Fault("stop_after", "sqs:*")),
    ({"kind": "deliver_again", "on": 2}, Fault("deliver_again", "sqs:ReceiveMessage", 2)),
    ({"kind": "reorder"}, Fault("reorder", "sqs:ReceiveMessage")),
    ({"kind": "delay-event", "seconds": 2.5, "on": 2}, Fault("delay_event", on=2, seconds=2.5)),
]


@pytest.mark.parametrize(("asked", "planned"), KINDS)
def test_fault_is_planned(desk: Desk, asked: dict[str, Any], planned: Fault) -> None:
    """Each kind, in Python's word for it or in the command's, as its own method plans it."""
    told = desk.ask("POST", "faults", asked)

    assert desk.cloud.faults.planned == [planned]
    assert told == {"planned": [asdict(planned)], "by_chance": None} == desk.ask("GET", "faults")
    assert desk.ask("DELETE", "faults") == {"planned": [], "by_chance": None}


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({}, "throttle"),
        ({"kind": "wat"}, "'wat'"),
        ({"kind": ["throttle"]}, "throttle"),
        ({"kind": "throttle"}, "operation"),
        ({"kind": "throttle", "operation": 1}, "1"),
        ({"kind": "throttle", "operation": ["sqs:*"]}, "sqs:*"),
        ({"kind": "throttle", "operation": "nonsense"}, "nonsense"),
        ({"kind": "throttle", "operation": "ec2:RunInstances"}, "ec2:RunInstances"),
        ({"kind": "throttle", "operation": "sqs:*", "on": 0}, "0"),
        ({"kind": "throttle", "operation": "sqs:*", "on": "1"}, "'1'"),
        ({"kind": "throttle", "operation": "sqs:*", "times": 1.5}, "1.5"),
        ({"kind": "throttle", "operation": "sqs:*", "times": True}, "True"),
        ({"kind": "throttle", "operation": "sqs:*", "by": "s3"}, "'s3'"),
        ({"kind": "throttle", "operation": "sqs:*", "by": []}, "[]"),
        ({"kind": "throttle", "operation": "sqs:*", "seconds": 1}, "seconds"),
        ({"kind": "lose-response", "operation": "sqs:*", "times": 2}, "times"),
        ({"kind": "reorder", "operation": "sqs:*"}, "operation"),
        ({"kind": "reorder", "self": 1}, "self"),
        ({"kind": "delay-event"}, "seconds"),
        ({"kind": "delay-event", "seconds": -1}, "-1"),
        ({"kind": "delay-event", "seconds": float("inf")}, "inf"),
        ({"kind": "delay-event", "seconds": "1"}, "'1'"),
        ({"seed": "x"}, "'x'"),
        ({"seed": 1, "chances": 0.5}, "0.5"),
        ({"seed": 1, "chances": {"throttle": 2}}, "2"),
        ({"seed": 1, "chances": {"throttle": "0.1"}}, "'0.1'"),
        ({"seed": 1, "chances": {"seed": 0.1}}, "'seed'"),
        ({"seed": 1, "delay_seconds": -1}, "-1"),
        ({"seed": 1, "kind": "throttle"}, "kind"),
    ],
)
def test_fault_that_cannot_be_is_refused(desk: Desk, asked: dict[str, Any], named: str) -> None:
    """With a sentence that names what came or what is missing; nothing is planned."""
    assert named in desk.refused("POST", "faults", asked)
    assert desk.ask("GET", "faults") == {"planned": [], "by_chance": None}


def test_faults_come_by_chance(desk: Desk) -> None:
    """What a seed was given is told, and strikes, until it is cleared."""
    sqs = boto3.client("sqs", config=Config(retries={"max_attempts": 0}))
    asked = {"seed": 7, "chances": {"throttle": 1}}
    told = desk.ask("POST", "faults", asked)
    assert told == {"planned": [], "by_chance": {**asked, "delay_seconds": 30.0}}
    with pytest.raises(ClientError, match="RequestThrottled"):
        sqs.list_queues()
    assert desk.ask("DELETE", "faults")["by_chance"] is None
    sqs.list_queues()


# The door itself


def test_unknown_path_and_method(desk: Desk) -> None:
    """A sentence that says what there is, and for a method the header that HTTP has for it."""
    assert "/_bentocola/trace" in desk.refused("GET", "wat", status=404)
    assert "PUT" in desk.refused("PUT", "clock", status=405)
    response, _ = desk.raw("DELETE", "/_bentocola/clock")

    assert response.headers["Allow"] == "GET, POST"
    assert desk.to_services == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"1", b"\xff", b"[" * 100_000])
def test_body_that_is_no_object(desk: Desk, body: bytes) -> None:
    """An example says what was expected."""
    for what in ("clock", "faults"):
        response, said = desk.raw("POST", f"/_bentocola/{what}", body)

        assert response.status == 400
        assert "{" in json.loads(said)["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.com"},
        {"Origin": "http://localhost:8888"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "example.com"},
    ],
)
def test_no_page_moves_the_clock(desk: Desk, headers: dict[str, str]) -> None:
    """The control door is guarded as the services are."""
    before = desk.ask("GET", "clock")
    if "Host" in headers:
        headers = {"Host": f"{headers['Host']}:{desk.wire.port}"}
    response, _ = desk.raw("POST", "/_bentocola/clock", b'{"advance": 30}', headers)

    assert response.status == 403
    assert desk.ask("GET", "clock") == before


def test_only_the_cloud_s_own_address_has_the_control_door(desk: Desk) -> None:
    """Before a bucket's host the same path is an object's key, and the folder's bare name is S3's."""
    own = desk.wire.port
    desk.raw("GET", "/_bentocola/clock", headers={"Host": f"orders.localhost:{own}"})
    desk.raw("GET", "/_bentocola")
    assert [asked.url for asked in desk.to_services] == [
        f"http://orders.s3.amazonaws.com:{own}/_bentocola/clock",
        f"http://s3.amazonaws.com:{own}/_bentocola",
    ]
    for host in (f"localhost:{own}", f"LOCALHOST:{own}", f"[::1]:{own}"):
        response, _ = desk.raw("GET", "/_bentocola/clock", headers={"Host": host})
        assert response.status == 200


# The commands


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that succeeds prints."""
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.removesuffix("\n")


def test_clock_command(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints the time, moved or not; a proxy of the person's is passed by."""
    now = run(capsys, "clock")
    assert now == desk.ask("GET", "clock")["now"]
    before = desk.cloud.clock.elapsed_ms()
    for seconds in ("30", "0.5", "1e1"):
        now = run(capsys, "clock", "advance", seconds)

    assert desk.cloud.clock.elapsed_ms() - before == 40_500
    assert now == desk.ask("GET", "clock")["now"]


def test_trace_command(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The story as a notebook prints it, or the data."""
    nothing = str(desk.cloud.trace)
    assert run(capsys, "trace") == nothing
    boto3.client("sqs").create_queue(QueueName="f")
    desk.cloud.clock.advance(30)

    assert run(capsys, "trace") == str(desk.cloud.trace) != nothing
    assert json.loads(run(capsys, "trace", "--json")) == json.loads(json.dumps(desk.cloud.trace.data()))
    assert run(capsys, "trace", "--clear") == "La historia queda vacía y empieza de nuevo."
    assert len(desk.cloud.trace) == 0


def test_fault_command(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints what is planned as one would ask for it: asked again, that plans the same."""
    asked = [
        "throttle dynamodb:PutItem --on 2 --times 3 --by lambda",
        "lose-response sqs:SendMessage",
        "stop-before sqs:* --by you",
        "stop-after s3:PutObject --on 2",
        "deliver-again",
        "reorder --on 3",
        "delay-event --seconds 2.5",
    ]
    for line in asked:
        printed = run(capsys, "fault", *line.split())
    planned = desk.cloud.faults.planned

    assert [fault.kind for fault in planned] == [
        *("throttle", "lost_response", "stop_before", "stop_after", "deliver_again", "reorder", "delay_event")
    ]
    assert printed.splitlines() == ["Fallos planeados:", *asked] == run(capsys, "fault").splitlines()
    assert run(capsys, "fault", "--clear") == repr(desk.cloud.faults)
    assert desk.cloud.faults.planned == []
    desk.ask("POST", "faults", {"seed": 7, "chances": {"throttle": 0.1}})
    assert run(capsys, "fault") == "Fallos planeados:\nseed=7 throttle=0.1 delay_seconds=30.0"


@pytest.mark.parametrize(
    "line",
    [
        *("clock wat", "clock advance", "clock advance x", "clock advance -1", "clock advance 1 2", "clock --wat"),
        *("trace wat", "trace --wat", "fault wat", "fault throttle", "fault throttle nonsense", "fault --on 2"),
        *("fault throttle sqs:* --on x", "fault throttle sqs:* --by me", "fault reorder sqs:*", "fault reorder --on"),
        *("fault delay-event", "fault delay-event --seconds x", "fault reorder --wat", "fault throttle sqs:* extra"),
    ],
)
def test_bad_use_is_one_sentence_and_status_2(desk: Desk, capsys: pytest.CaptureFixture[str], line: str) -> None:
    """On the error output; nothing moves, and nothing is planned."""
    before = desk.cloud.clock.elapsed_ms()
    assert main(line.split()) == 2
    out, err = capsys.readouterr()

    assert out == ""
    assert len(err.splitlines()) == 1
    assert (desk.cloud.clock.elapsed_ms(), desk.cloud.faults.planned) == (before, [])


@pytest.mark.parametrize("body", [b"<Error/>", b"{}", b"[]"])
def test_another_program_on_the_port(
    body: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is no control door is said to be none, with its address."""
    wire = HttpWire(lambda request: Response(404, {"Content-Type": "application/json"}, body))
    wire.connect()
    ready.write(tmp_path / "r", ready.Ready(wire.endpoint, os.getpid(), "es", {}, ""))
    monkeypatch.setenv(ready.VARIABLE, str(tmp_path / "r"))
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert main(["clock"]) == 2
    wire.disconnect()

    assert wire.endpoint in capsys.readouterr().err


def test_no_cloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command says how to start one."""
    monkeypatch.setenv(ready.VARIABLE, str(tmp_path / "r"))
    for command in ("clock", "trace", "fault"):
        assert main([command]) == 2
        assert "bentocola serve" in capsys.readouterr().err


def test_commands_are_quick_to_import() -> None:
    """Neither boto3 nor moto comes along, nor the cloud itself."""
    code = "import sys, bentocola.cli.steer, bentocola.cloud.story; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert "bentocola.cli.steer" in told
    assert {"boto3", "botocore", "moto", "tornado", "bentocola.cloud.cloud"} & set(told) == set()


@pytest.mark.slow
def test_every_step_behind_the_aws_command(served: Served) -> None:
    """A message comes back when the clock is moved, a write is throttled on purpose, and the trace tells of both."""
    queue = json.loads(served.aws("sqs", "create-queue", "--queue-name", "orders"))["QueueUrl"]
    served.aws("sqs", "send-message", "--queue-url", queue, "--message-body", "one")
    receive = ("sqs", "receive-message", "--queue-url", queue, "--query", "Messages[].Body")
    assert json.loads(served.aws(*receive)) == ["one"]
    assert served.aws(*receive).strip() in ("", "null")

    def done(*arguments: str) -> str:
        command = served.bentocola(*arguments)
        assert (command.returncode, command.stderr) == (0, "")
        return command.stdout

    before = done("clock")
    after = done("clock", "advance", "3600")
    assert before < after
    assert json.loads(served.aws(*receive)) == ["one"]

    served.aws(
        *("dynamodb", "create-table", "--table-name", "orders", "--billing-mode", "PAY_PER_REQUEST", "--key-schema"),
        *("AttributeName=id,KeyType=HASH", "--attribute-definitions", "AttributeName=id,AttributeType=S"),
    )
    put = """AWS_MAX_ATTEMPTS=1 aws dynamodb put-item --table-name orders --item '{"id": {"S": "one"}}'"""
    assert done("fault", "throttle", "dynamodb:PutItem").splitlines()[1:] == ["throttle dynamodb:PutItem"]
    refused = served.bentocola("shell", "-c", put)
    assert refused.returncode != 0
    assert "ProvisionedThroughputExceededException" in refused.stderr
    assert served.bentocola("shell", "-c", put).returncode == 0

    data = json.loads(done("trace", "--json"))
    kinds = [step["kind"] for step in data["steps"]]
    assert [kind for kind in kinds if kind in ("clock", "fault", "write")] == ["clock", "fault", "write", "write"]
    assert [step["decision"]["result"] for step in data["steps"] if step["kind"] == "write"] == ["refused", "accepted"]
    story = done("trace").splitlines()
    assert len(story) >= 6
    cut = subprocess.run(
        ["bash", "-o", "pipefail", "-c", '"$0" -m bentocola.cli trace | true', sys.executable],
        env={**served.environment, "BENTOCOLA_READY_FILE": str(served.ready_file)},
        cwd=served.folder,
        capture_output=True,
        check=False,
    )
    assert (cut.returncode, cut.stderr) == (0, b"")
    done("trace", "--clear")
    assert len(done("trace").splitlines()) == 1
