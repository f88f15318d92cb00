"""The live cloud: threads that poll, keep the time and run events; what they survive, and that they end.

Runs are played by the tests themselves unless a test says otherwise, so that each can hold one for as long as it needs.
"""

from __future__ import annotations

import gc
import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

import bentocola
from bentocola.cloud import cloud as cloud_module
from bentocola.cloud.amendments import lambda_mappings, s3_events
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request
from bentocola.cloud.functions import mappings
from bentocola.cloud.wires.http import HttpWire
from tests.cloud.folding import folded
from tests.cloud.played import Played
from tests.cloud.test_pipeline import Pipeline

LOOKS = 300
"""How often a test looks before it gives up; there is a fifth of a second in between at the most."""


class Live(Pipeline):
    """The scene of the pipeline in a live cloud whose runs are played."""

    def __init__(self, cloud: Cloud, played: Played) -> None:
        super().__init__(cloud)
        self.played = played

    def until(self, holds: Callable[[], Any]) -> None:
        """Wait until something holds."""
        for _ in range(LOOKS):
            with self.cloud.lock:
                if holds():
                    return
                self.cloud.clock.pause(1.0)
        raise AssertionError("It never came to that.")

    def result(self, uuid: str) -> str:
        """Return the mapping's LastProcessingResult."""
        return str(self.lambda_.get_event_source_mapping(UUID=uuid).get("LastProcessingResult"))

    def bodies(self) -> list[str]:
        """Return the bodies that the function got, in the order of its runs."""
        return [record["body"] for event in list(self.played.events) for record in event["Records"]]


@pytest.fixture
def live() -> Iterator[Live]:
    """A live Spanish cloud."""
    played = Played()
    cloud = cloud_module.start("es", live=True, runtime=played)
    scene = Live(cloud, played)
    scene.deploy("def handler(event, context): pass")
    yield scene
    played.closed.set()
    cloud.stop()


def threads() -> set[threading.Thread]:
    """Return the threads that run."""
    return set(threading.enumerate())


# Waiting


def test_message_reaches_the_function_by_itself(live: Live) -> None:
    """Nobody polls: a message that is sent is delivered, run and deleted."""
    uuid = live.map()
    live.send("a")
    live.until(lambda: live.cloud.trace.last("delete"))

    assert live.bodies() == ["a"]
    assert live.result(uuid) == "OK"


def test_long_poll_lets_others_call(live: Live) -> None:
    """Who waits for messages holds nobody up, and gets the one that is sent meanwhile."""
    with ThreadPoolExecutor() as others:
        waiting = others.submit(live.receive, WaitTimeSeconds=20)
        live.send("a")
        (message,) = waiting.result(10)

    assert message["Body"] == "a"


def test_long_poll_ends_with_the_course_s_time(live: Live) -> None:
    """Moving the clock forward ends a wait for messages that do not come."""
    with ThreadPoolExecutor() as others:
        waiting = others.submit(live.receive, WaitTimeSeconds=20)
        live.until(lambda: (live.cloud.clock.advance(20), waiting.done())[1])

        assert waiting.result() == []


def test_long_poll_of_a_function_that_another_fills(live: Live) -> None:
    """A function waits for a message in a run; the run's wait lets the call through that brings it."""
    other = live.new_queue("otra")
    live.played.handler = lambda event: live.sqs.receive_message(QueueUrl=other, WaitTimeSeconds=20)["Messages"][0][
        "Body"
    ]
    with ThreadPoolExecutor() as others:
        invoked = others.submit(live.lambda_.invoke, FunctionName="worker")
        live.until(lambda: live.played.now)
        live.sqs.send_message(QueueUrl=other, MessageBody="por fin")

        assert json.loads(invoked.result(10)["Payload"].read()) == "por fin"


def test_long_poll_over_http(live: Live) -> None:
    """Many clients that wait over HTTP are each served, whoever calls meanwhile."""
    wire = HttpWire(live.cloud.handle)
    wire.connect()
    try:
        with ThreadPoolExecutor(4) as others:
            waiting = [others.submit(receive_over_http, wire.endpoint, live.queue) for _ in range(4)]
            live.send("a", "b", "c", "d")
            bodies = [one.result(20) for one in waiting]
    finally:
        wire.disconnect()

    assert sorted(bodies) == ["a", "b", "c", "d"]


def receive_over_http(endpoint: str, queue: str) -> str:
    """Wait for a message, over a socket of one's own."""
    import http.client
    from urllib.parse import urlsplit

    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=30)
    scope = "AKIABENTOCOLASTUDENT/20260101/us-east-1/sqs/aws4_request"
    headers = {
        "X-Amz-Target": "AmazonSQS.ReceiveMessage",
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": f"AWS4-HMAC-SHA256 Credential={scope}",
    }
    connection.request("POST", "/", json.dumps({"QueueUrl": queue, "WaitTimeSeconds": 20}), headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return str(answer["Messages"][0]["Body"])


def test_function_may_invoke_functions(live: Live) -> None:
    """A run that waits for another run lets that one make its calls."""
    live.played.handler = lambda event: (
        json.loads(
            live.lambda_.invoke(FunctionName="worker", Payload=json.dumps({"n": event["n"] - 1}))["Payload"].read()
        )
        + 1
        if event["n"]
        else len(live.sqs.list_queues()["QueueUrls"])
    )
    answer = live.lambda_.invoke(FunctionName="worker", Payload=b'{"n": 3}')

    assert json.loads(answer["Payload"].read()) == 4


def test_what_falls_due_may_call_and_move_the_time(live: Live) -> None:
    """An action of the clock sends a message and moves the clock itself: nobody is stuck, and time goes forward only."""
    live.map()
    live.cloud.clock.call_later(30, lambda: (live.send("tarde"), live.cloud.clock.advance(5)))
    live.cloud.clock.advance(31)
    live.until(lambda: live.bodies() == ["tarde"])


def test_clock_may_be_moved_in_a_run(live: Live) -> None:
    """A handler that moves the clock, and one that is moved meanwhile, hold nobody up."""
    live.map()
    live.played.handler = lambda event: live.cloud.clock.advance(1)
    live.send("a", "b", "c")
    live.until(lambda: len(live.bodies()) == 3)


def test_action_that_fails_stops_no_clock(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    """What falls due may fail: what falls due after it happens, and events are run."""
    happened = threading.Event()

    def fail() -> None:
        raise ValueError("no")

    with live.cloud.lock:
        live.cloud.clock.call_later(0, fail)
        live.cloud.clock.call_later(0, happened.set)
    live.until(happened.is_set)
    live.lambda_.invoke(FunctionName="worker", InvocationType="Event")
    live.until(lambda: live.played.events)

    assert "ValueError: no" in caplog.text


# Mappings


def test_mapping_says_that_its_function_is_gone(live: Live) -> None:
    """The poller of a deleted function goes on, says why it takes nothing, and serves the function that is made anew."""
    uuid = live.map()
    live.lambda_.delete_function(FunctionName="worker")
    live.send("a")
    live.until(lambda: "ResourceNotFoundException" in live.result(uuid))
    live.deploy("def handler(event, context): pass")
    live.until(lambda: live.bodies() == ["a"])
    live.until(lambda: live.result(uuid) == "OK")


def test_mapping_says_that_its_queue_is_gone(live: Live) -> None:
    """So it is with a deleted queue: the mapping says so, and the queue that is made anew works."""
    uuid = live.map()
    live.sqs.delete_queue(QueueUrl=live.queue)
    live.until(lambda: "QueueDoesNotExist" in live.result(uuid))
    live.new_queue(live.cloud.names.queue)
    live.send("a")
    live.until(lambda: live.result(uuid) == "OK")

    assert live.bodies() == ["a"]


def test_poller_survives_what_it_cannot_do(live: Live, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """Whatever goes wrong while messages are taken is told by the mapping and in the log, and the next look goes on."""
    record, failures = mappings.batches.record, [RecursionError("too deep")]

    def once(message: Any, arn: str) -> Any:
        if failures:
            raise failures.pop()
        return record(message, arn)

    monkeypatch.setattr(mappings.batches, "record", once)
    uuid = live.map()
    live.send("a")
    live.until(lambda: live.result(uuid) == "PROBLEM: RecursionError: too deep")
    live.cloud.clock.advance(30)
    live.until(lambda: live.bodies() == ["a"])

    assert "RecursionError: too deep" in caplog.text


def held(live: Live, number: int) -> threading.Event:
    """Let runs wait for the event that is returned, and send messages, each for a run of its own."""
    go_on = threading.Event()

    def handler(event: Any) -> None:
        while not (go_on.wait(0.01) or live.played.closed.is_set()):
            pass

    live.played.handler = handler
    for first in range(0, number, 10):
        entries = [{"Id": str(n), "MessageBody": str(n)} for n in range(first, min(first + 10, number))]
        live.sqs.send_message_batch(QueueUrl=live.queue, Entries=entries)
    return go_on


def test_mapping_begins_with_five_runs_at_once(live: Live) -> None:
    """Without a maximum there are five runs at once, and not more."""
    live.map(BatchSize=1)
    go_on = held(live, 12)
    live.until(lambda: live.played.now == 5)
    for _ in range(3):
        live.cloud.clock.advance(1)
        live.cloud.clock.advance(1)
    go_on.set()
    live.until(lambda: len(live.bodies()) == 12)

    assert live.played.most == 5


@pytest.mark.parametrize(("maximum", "expected"), [(2, 2), (12, 12)])
def test_maximum_concurrency_is_kept_and_reached(live: Live, maximum: int, expected: int) -> None:
    """A mapping with a MaximumConcurrency has that many runs at once: never more, and as many when messages wait."""
    live.map(BatchSize=1, ScalingConfig={"MaximumConcurrency": maximum})
    go_on = held(live, 20)
    live.until(lambda: live.played.now == min(5, expected))
    live.until(lambda: (live.cloud.clock.advance(0.5), live.played.now == expected)[1])
    live.cloud.clock.advance(3)
    go_on.set()
    live.until(lambda: len(live.bodies()) == 20)

    assert live.played.most == expected


def test_reserved_concurrency_is_kept(live: Live) -> None:
    """A function with a reserved concurrency has no more runs at once, whoever asks; throttled batches are tried again."""
    live.lambda_.put_function_concurrency(FunctionName="worker", ReservedConcurrentExecutions=2)
    live.map(BatchSize=1)
    go_on = held(live, 5)
    live.until(lambda: live.played.now == 2)
    once = boto3.client("lambda", config=Config(retries={"total_max_attempts": 1}))
    with pytest.raises(ClientError) as refusal:
        once.invoke(FunctionName="worker")
    live.until(lambda: live.cloud.trace.state("sqs.in_flight") == 5)
    go_on.set()
    live.until(lambda: (live.cloud.clock.advance(1), len(live.bodies()) == 5)[1])

    assert refusal.value.response["Error"]["Code"] == "TooManyRequestsException"
    assert refusal.value.response["ResponseMetadata"]["HTTPStatusCode"] == 429
    assert live.played.most == 2
    assert [step["ids"]["delivery"] for step in live.steps("deliver")] == [1] * 5


def test_throttled_batch_comes_back_when_its_time_is_over(live: Live) -> None:
    """A batch is tried again for as long as it is hidden, and then received once more."""
    live.lambda_.put_function_concurrency(FunctionName="worker", ReservedConcurrentExecutions=0)
    uuid = live.map(BatchSize=1)
    live.send("a")
    live.until(lambda: "TooManyRequestsException" in live.result(uuid))
    live.until(lambda: (live.cloud.clock.advance(10), len(live.steps("deliver")) > 1)[1])
    live.lambda_.delete_function_concurrency(FunctionName="worker")
    live.until(lambda: (live.cloud.clock.advance(10), live.bodies() == ["a"])[1])


def test_run_that_outlives_the_visibility_timeout(live: Live) -> None:
    """A message whose run takes too long is delivered again, and the late run's deletion does not take it away."""
    live.map(BatchSize=1)
    go_on = held(live, 1)
    live.until(lambda: live.played.now == 1)
    live.cloud.clock.advance(31)
    live.until(lambda: live.played.now == 2)
    go_on.set()
    live.until(lambda: live.played.now == 0 and live.cloud.trace.state("sqs.in_flight") == 0)

    assert live.bodies() == ["0", "0"]
    assert live.cloud.trace.state("sqs.visible") == 0


def test_run_ends_though_its_mapping_is_disabled_or_deleted(live: Live) -> None:
    """What runs when a mapping is disabled or deleted ends, and its messages are deleted; nothing new begins."""
    uuid = live.map(BatchSize=1)
    go_on = held(live, 1)
    live.until(lambda: live.played.now == 1)
    live.lambda_.update_event_source_mapping(UUID=uuid, Enabled=False)
    live.until(lambda: live.lambda_.get_event_source_mapping(UUID=uuid)["State"] == "Disabled")
    live.lambda_.delete_event_source_mapping(UUID=uuid)
    live.send("b")
    go_on.set()
    live.until(lambda: live.played.now == 0)
    live.until(lambda: not any(uuid in thread.name for thread in threads()))

    assert live.bodies() == ["0"]
    assert [message["Body"] for message in live.receive()] == ["b"]


def test_fifo_queue_keeps_the_order_of_each_group(live: Live) -> None:
    """However many runs there are at once, a group's messages are run one batch after the other, in order."""
    queue = live.new_queue("cola.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    seen: dict[str, list[str]] = {"a": [], "b": [], "c": []}

    def handler(event: Any) -> None:
        for record in event["Records"]:
            seen[record["attributes"]["MessageGroupId"]].append(record["body"])

    live.played.handler = handler
    for number in range(12):
        group = "abc"[number % 3]
        live.sqs.send_message(QueueUrl=queue, MessageBody=f"{group}{number:02}", MessageGroupId=group)
    live.queue_arn = "arn:aws:sqs:us-east-1:123456789012:cola.fifo"
    live.map(BatchSize=2)
    live.until(lambda: sum(map(len, seen.values())) == 12)

    assert all(bodies == sorted(bodies) for bodies in seen.values())


# Asynchronous events


def test_events_do_not_wait_for_each_other(live: Live) -> None:
    """Several asynchronous events run at once, and the time goes on meanwhile."""
    go_on = threading.Event()
    live.played.handler = lambda event: go_on.wait(10)
    for _ in range(3):
        live.lambda_.invoke(FunctionName="worker", InvocationType="Event")
    live.until(lambda: live.played.now == 3)
    happened = threading.Event()
    live.cloud.clock.call_later(0, happened.set)
    live.until(happened.is_set)
    go_on.set()
    live.until(lambda: live.played.now == 0)


def test_event_is_tried_again_by_itself(live: Live) -> None:
    """A failing event is run three times as the course's time goes on."""
    live.played.handler = lambda event: 1 / 0
    live.lambda_.invoke(FunctionName="worker", InvocationType="Event")
    live.until(lambda: len(live.played.events) == 1 and not live.played.now)
    live.until(lambda: (live.cloud.clock.advance(60), len(live.played.events) == 3)[1])


# The trace, and faults


def test_trace_is_read_while_others_write(live: Live) -> None:
    """However often a trace is read while runs go on, it is exact: numbers, causes, and the state by each step's `set`."""
    live.map(BatchSize=2)
    live.played.handler = lambda event: live.put("lucia", int(event["Records"][0]["body"]))
    with ThreadPoolExecutor(2) as others:
        sending = [others.submit(live.send, *map(str, range(first, 40, 2))) for first in (0, 1)]
        while not all(one.done() for one in sending):
            check_exact(live)
            live.cloud.clock.advance(0)
    live.until(lambda: len(live.bodies()) == 40)
    check_exact(live)


def check_exact(live: Live) -> None:
    """Fold the trace forward."""
    data = live.cloud.trace.data()
    folded(data)
    for number, step in enumerate(data["steps"], 1):
        assert step["n"] == number
        assert step.get("cause", 0) < number


def test_seeded_plan_in_a_live_cloud(live: Live) -> None:
    """Under a plan of all faults at once the pollers go on, everything is delivered in the end, and the trace is exact."""
    live.map(BatchSize=2)
    live.cloud.faults.plan(
        3, throttle=0.1, lost_response=0.1, deliver_again=0.1, reorder=0.2, stop_before=0.05, stop_after=0.05
    )
    sender = boto3.client("sqs", config=Config(retries={"total_max_attempts": 1}))
    for number in range(30):
        try:
            sender.send_message(QueueUrl=live.queue, MessageBody=str(number))
        except Exception:
            continue
    live.until(lambda: (live.cloud.clock.advance(10), len(live.bodies()) > 20)[1])
    live.cloud.faults.clear()
    live.until(lambda: (live.cloud.clock.advance(31), sum(live.cloud._door.counts("sqs").values()) == 0)[1])
    check_exact(live)

    assert str(live.cloud.trace)


# The end


def test_stop_ends_waits_and_runs(live: Live) -> None:
    """A stop waits for nobody: long polls end with an error, runs are ended, and no thread is left."""
    before = threads()
    uuid = live.map(BatchSize=1)
    held(live, 3)
    live.lambda_.invoke(FunctionName="worker", InvocationType="Event")
    live.until(lambda: live.played.now == 4)
    with ThreadPoolExecutor() as others:
        waiting = others.submit(live.receive, WaitTimeSeconds=20)
        invoked = others.submit(live.lambda_.invoke, FunctionName="worker")
        live.until(lambda: live.played.now == 5)
        live.cloud.stop()
        with pytest.raises(Exception, match=r".+"):
            waiting.result(5)
        invoked.exception(5)

    assert uuid
    assert {thread.name for thread in threads() - before} == set()


def test_nothing_of_one_cloud_is_in_the_next(live: Live) -> None:
    """A cloud that takes another's place is empty, and calls of the former one are answered no more."""
    live.map(BatchSize=1)
    held(live, 3)
    live.until(lambda: live.played.now == 3)
    former = live.cloud
    again = bentocola.start("es")
    try:
        request = Request("GET", "https://s3.us-east-1.amazonaws.com/", {}, b"")

        assert former.handle(request).status == 0
        assert again.handle(request).status == 200
        assert boto3.client("logs").describe_log_groups()["logGroups"] == []
        assert len(again.trace) == 2
    finally:
        again.stop()


def test_threads_end_with_the_cloud() -> None:
    """Ten clouds one after the other leave no thread, no process, no file behind."""
    before, files = threads(), open_files()
    for _ in range(10):
        played = Played()
        cloud = cloud_module.start("es", live=True, runtime=played)
        scene = Live(cloud, played)
        scene.deploy("def handler(event, context): pass")
        scene.map()
        scene.send("a")
        scene.until(scene.bodies)
        cloud.stop()
    gc.collect()

    assert threads() - before == set()
    assert len(open_files()) <= len(files)


def open_files() -> list[str]:
    """Return this process's open files, where the system tells."""
    folder = Path("/proc/self/fd")
    return os.listdir(folder) if folder.exists() else []


def test_start_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong in a start, everything is as it was before it."""
    from botocore.httpsession import URLLib3Session

    def looked_after() -> tuple[Any, ...]:
        hooks = lambda_mappings.call_later, lambda_mappings.allowed, s3_events.send_later, s3_events.invoke_function
        return dict(os.environ), URLLib3Session.send, boto3.DEFAULT_SESSION, hooks, threads()

    def fail(self: object) -> None:
        raise OSError("no more threads")

    before = looked_after()
    monkeypatch.setattr(mappings.Live, "start", fail)
    with pytest.raises(OSError, match="no more threads"):
        bentocola.start("es", live=True)

    assert looked_after() == before
    assert cloud_module._running is None


def test_hooks_end_with_the_cloud() -> None:
    """What the amendments were given of a cloud is theirs no longer when it has ended."""
    before = lambda_mappings.call_later, lambda_mappings.allowed, s3_events.send_later, s3_events.invoke_function
    bentocola.start("es").stop()

    assert (
        lambda_mappings.call_later,
        lambda_mappings.allowed,
        s3_events.send_later,
        s3_events.invoke_function,
    ) == before


# Real processes


def test_stop_kills_what_runs() -> None:
    """A function that sleeps for a minute does not keep a cloud from ending, and its processes are gone."""
    before = threads()
    cloud = bentocola.start("es", live=True)
    scene = Live(cloud, Played())
    scene.deploy("import time\ndef handler(event, context): time.sleep(60)", Timeout=30)
    scene.map(BatchSize=1)
    scene.send("a", "b")
    scene.until(lambda: len(scene.steps("run_start")) == 2)
    runtime = cloud._runtime._runtime
    cloud.stop()

    assert {step["run"].get("result") for step in scene.steps("run_end")} <= {"died", None}
    assert (runtime._busy, runtime._idle, runtime._spare) == (set(), [], None)
    assert not Path(runtime._folders.root).exists()
    assert threads() - before == set()


def test_new_function_of_an_old_name_starts_cold() -> None:
    """A function that is deleted and made anew, of the very same code, knows nothing of the former one's state."""
    cloud = bentocola.start("es")
    scene = Pipeline(cloud)
    counting = "count = 0\ndef handler(event, context):\n    global count\n    count += 1\n    return count"
    try:
        counted = []
        for _ in range(2):
            scene.deploy(counting)
            counted += [json.loads(scene.lambda_.invoke(FunctionName="worker")["Payload"].read()) for _ in range(2)]
            scene.lambda_.delete_function(FunctionName="worker")
    finally:
        cloud.stop()

    assert counted == [1, 2, 1, 2]


# However often a thread holds the lock


def test_run_that_is_begun_by_what_falls_due_lets_others_call(live: Live) -> None:
    """An action of the clock invokes a function, with the lock held already: others call while that runs."""
    other = live.new_queue("otra")
    live.played.handler = lambda event: live.sqs.receive_message(QueueUrl=other, WaitTimeSeconds=20)["Messages"][0][
        "Body"
    ]
    answers: list[Any] = []
    action = lambda: answers.append(live.lambda_.invoke(FunctionName="worker")["Payload"].read())  # noqa: E731
    with ThreadPoolExecutor() as others:
        live.cloud.clock.call_later(60, action)
        moving = others.submit(live.cloud.clock.advance, 60)
        live.until(lambda: live.played.now)
        live.sqs.send_message(QueueUrl=other, MessageBody="por fin")
        moving.result(10)

    assert answers == [b'"por fin"']


def test_released_gives_back_what_was_held(live: Live) -> None:
    """Held twice, released, taken twice again: another thread gets in between, and none after that."""

    def taken() -> bool:
        got = live.cloud.lock.acquire(blocking=False)
        if got:
            live.cloud.lock.release()
        return got

    quiet = bentocola.start("es")
    door = quiet._door
    try:
        with ThreadPoolExecutor(1) as other, door.lock, door.lock:
            live.cloud = quiet
            before = other.submit(taken).result()
            with door.released():
                between = other.submit(taken).result()
            after = other.submit(taken).result()
    finally:
        quiet.stop()

    assert (before, between, after) == (False, True, False)


# Faults over HTTP


@pytest.mark.parametrize(("kind", "sent"), [("lost", 1), ("before", 0), ("after", 1)])
def test_fault_over_http(live: Live, kind: str, sent: int) -> None:
    """Who calls over HTTP sees the connection close, whether the answer is lost or whoever calls is stopped."""
    import http.client
    from urllib.parse import urlsplit

    wire = HttpWire(live.cloud.handle)
    wire.connect()
    connection = http.client.HTTPConnection(urlsplit(wire.endpoint).netloc, timeout=30)
    faults = live.cloud.faults
    planned = {
        "lost": lambda: faults.lose_response("sqs:SendMessage", by="you", on=2),
        "before": lambda: faults.stop_worker(before="sqs:SendMessage", by="you", on=2),
        "after": lambda: faults.stop_worker(after="sqs:SendMessage", by="you", on=2),
    }
    planned[kind]()
    live.send("en proceso")
    scope = "AKIABENTOCOLASTUDENT/20260101/us-east-1/sqs/aws4_request"
    headers = {
        "X-Amz-Target": "AmazonSQS.SendMessage",
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": f"AWS4-HMAC-SHA256 Credential={scope}",
    }
    try:
        connection.request("POST", "/", json.dumps({"QueueUrl": live.queue, "MessageBody": "por HTTP"}), headers)
        with pytest.raises(http.client.RemoteDisconnected):
            connection.getresponse()
    finally:
        connection.close()
        wire.disconnect()

    assert [message["Body"] for message in live.receive()] == ["en proceso", "por HTTP"][: 1 + sent]
    assert [step["fault"] for step in live.steps("fault")] == ["lost_response" if kind == "lost" else "stop"]
    check_exact(live)


def test_fault_of_a_function_strikes_no_other(live: Live) -> None:
    """A fault `by` a function counts the calls of functions alone, while others call at the same time."""
    live.map(BatchSize=1)
    live.played.handler = lambda event: live.put("lucia", int(event["Records"][0]["body"]))
    live.cloud.faults.throttle("dynamodb:PutItem", by="lambda", on=2)
    live.put("marta", 1)
    live.send("1")
    live.until(lambda: live.cloud.trace.last("delete"))
    live.put("marta", 2)
    live.send("2")
    live.until(lambda: live.cloud.trace.last("fault"))

    assert live.cloud.trace.last("fault")["from"] == "lambda"


def test_calls_during_a_stop_are_answered_or_lost() -> None:
    """Whoever calls while the cloud ends gets an answer, an error of the service, or none; nothing is raised."""
    cloud = bentocola.start("es", live=True)
    scene = Pipeline(cloud)
    scene.deploy("def handler(event, context): pass")
    scope = "AKIABENTOCOLASTUDENT/20260101/us-east-1/lambda/aws4_request"
    headers = {"Authorization": f"AWS4-HMAC-SHA256 Credential={scope}"}
    base = "https://lambda.us-east-1.amazonaws.com/2015-03-31/functions"
    invoke = Request("POST", f"{base}/worker/invocations", headers, b"{}")
    update = Request("PUT", f"{base}/worker/code", headers, b'{"ZipFile": "UEsFBg=="}')

    def call(request: Request) -> list[int]:
        statuses = [cloud.handle(request).status]
        while statuses[-1]:
            statuses.append(cloud.handle(request).status)
        return statuses

    with ThreadPoolExecutor(4) as others:
        calling = [others.submit(call, request) for request in (invoke, update) * 2]
        while len(scene.steps("run_end")) < 3:
            cloud.clock.advance(0)
        cloud.stop()
        answered = [one.result(10) for one in calling]

    assert {status for statuses in answered for status in statuses} <= {200, 400, 404, 500, 0}
    assert [statuses[-1] for statuses in answered] == [0] * 4
