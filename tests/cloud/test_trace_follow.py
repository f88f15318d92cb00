"""Following a trace while it grows: feeds, waiting, a live cloud that is looked at, and a trace of one block only."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest
from jsonschema import Draft202012Validator

import bentocola
from bentocola.cloud import trace as trace_module
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request
from bentocola.cloud.trace import Feed, Trace, json_schema
from tests.cloud.folding import check_against_services, folded
from tests.cloud.scene import Scene
from tests.cloud.test_trace_resources import mapped as mapped  # noqa: PLC0414

SCHEMA = json_schema()
FEEDS = Draft202012Validator({"$ref": "#/$defs/feed", "$defs": SCHEMA["$defs"], "properties": SCHEMA["properties"]})


def follow_all(trace: Trace, limit: int = 1000) -> tuple[list[Feed], dict[str, Any]]:
    """Follow a trace from the beginning; return the feeds, and what they are together, as a trace."""
    feeds = [trace.follow("", 0, limit)]
    while feeds[-1]["more"]:
        feeds.append(trace.follow(feeds[0]["story"], feeds[-1]["steps"][-1]["n"], limit))
    steps = [step for feed in feeds for step in feed["steps"]]
    return feeds, {"initial": feeds[0]["initial"], "steps": steps}


def numbers(feed: Feed) -> list[int]:
    """Return the numbers of a feed's steps."""
    return [step["n"] for step in feed["steps"]]


# Feeds


def test_feed_begins_with_the_state(scene: Scene) -> None:
    """Who knows no story gets it from the beginning, with the state before it, the actors and the present."""
    scene.put()
    scene.cloud.trace.clear()
    scene.upload("a")
    feed = scene.cloud.trace.follow("", 7)
    data = scene.cloud.trace.data()

    assert json.loads(json.dumps(feed["steps"])) == data["steps"]
    assert (feed["initial"], feed["actors"], feed["schema"]) == (data["initial"], data["actors"], data["schema"])
    assert (feed["live"], feed["more"], feed["now_ms"]) == (False, False, scene.cloud.clock.elapsed_ms())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", feed["at"])


def test_feed_is_what_is_new(scene: Scene) -> None:
    """Who knows the story gets what came after a step, without the state; a number beyond the end is no mistake."""
    scene.send("a", "b", "c")
    trace = scene.cloud.trace
    story = trace.story

    assert numbers(trace.follow(story, 1)) == [2, 3]
    assert "initial" not in trace.follow(story, 1)
    assert numbers(trace.follow(story, 3)) == numbers(trace.follow(story, 99)) == []
    assert numbers(trace.follow(story, -5)) == [1, 2, 3]


@pytest.mark.parametrize("memory", [10, 10_000])
@pytest.mark.parametrize("limit", [1, 7, 1000])
def test_feeds_are_the_whole_trace(scene: Scene, monkeypatch: pytest.MonkeyPatch, memory: int, limit: int) -> None:
    """A long story comes in parts, each as long as it may be, wherever its steps are kept."""
    monkeypatch.setattr(trace_module, "STEPS_IN_MEMORY", memory)
    monkeypatch.setattr(trace_module, "_LINES_BETWEEN_MARKS", 4)
    for number in range(33):
        scene.put("lucia", number)
    feeds, whole = follow_all(scene.cloud.trace, limit)

    assert [len(feed["steps"]) for feed in feeds[:-1]] == [limit] * (len(feeds) - 1)
    assert json.loads(json.dumps(whole["steps"])) == scene.cloud.trace.data()["steps"]
    assert scene.cloud.trace.data(since=30)["steps"] == scene.cloud.trace.data()["steps"][30:]


def test_feeds_have_the_documented_form(scene: Scene) -> None:
    """A first feed and a later one are as the schema says."""
    story = scene.cloud.trace.follow("", 0)["story"]
    scene.upload("pedidos/a")
    scene.put()
    for feed in (scene.cloud.trace.follow("", 0), scene.cloud.trace.follow(story, 1)):
        assert [error.message for error in FEEDS.iter_errors(json.loads(json.dumps(feed)))] == []


def test_feed_can_be_written_and_sent(scene: Scene) -> None:
    """Half a surrogate pair, which JSON can spell and no encoding can hold, is a question mark wherever it comes."""
    item = {"customer": {"S": "\ud800"}, "order_id": {"N": "1"}, "word": {"S": "配達\udfff"}}
    request = {"TableName": scene.table, "Item": item, "ConditionExpression": "attribute_not_exists(customer)"}
    headers = {"X-Amz-Target": "DynamoDB_20120810.PutItem"}
    scene.cloud.handle(
        Request("POST", "https://dynamodb.us-east-1.amazonaws.com/", headers, json.dumps(request).encode())
    )
    feed = scene.cloud.trace.follow("", 0)

    json.dumps(feed, ensure_ascii=False).encode()
    assert feed["steps"][-1]["decision"]["after"] == {"customer": "?", "order_id": 1, "word": "配達?"}
    assert scene.cloud.trace.state(f"item/{scene.table}/?#1")["word"] == "配達?"


def test_story_is_another_one_after_each_beginning(cloud: Cloud) -> None:
    """A clear, and a new cloud, are new stories, and who knew the old one begins anew."""
    boto3.client("sqs").list_queues()
    trace = cloud.trace
    stories = [trace.story]
    trace.clear()
    stories.append(trace.story)
    boto3.client("sqs").list_queues()

    assert numbers(trace.follow(stories[0], 1)) == [1]
    assert trace.follow(stories[0], 1)["initial"] == trace.data()["initial"]

    stories.append(bentocola.start("es").trace.story)

    assert len(set(stories)) == 3


def test_followed_move_of_the_clock_stays(scene: Scene) -> None:
    """Moves in a row are one step, but one that somebody has followed does not change any more."""
    clock, trace = scene.cloud.clock, scene.cloud.trace
    clock.advance(1)
    clock.advance(1)
    feed = trace.follow("", 0)
    seen = json.dumps(feed["steps"])
    clock.advance(1)
    clock.advance(1)

    assert [step["set"] for step in trace] == [[("clock.seconds", None, 2)], [("clock.seconds", 2, 4)]]
    assert json.dumps(feed["steps"]) == seen
    assert numbers(trace.follow(feed["story"], 1)) == [2]


# Waiting


def waiting(trace: Trace) -> None:
    """Return once somebody waits for the trace."""
    while True:
        with trace._lock:
            if trace._waiting:
                return


def test_wait_ends_with_the_next_step(scene: Scene) -> None:
    """Who waits goes on when something happens, when the story ends, and when the cloud does; not before."""
    trace = scene.cloud.trace
    with ThreadPoolExecutor(1) as other:
        for happens in (lambda: scene.send("a"), trace.clear, lambda: scene.send("b"), scene.cloud.stop):
            done = other.submit(trace.wait, trace.story, len(trace), 600)
            waiting(trace)

            assert not done.done()

            happens()
            done.result(60)

    assert trace.has_ended


def test_wait_is_over_at_once_when_there_is_something(scene: Scene) -> None:
    """New steps, another story, no time, and a cloud that has ended: nobody waits for these."""
    trace = scene.cloud.trace
    scene.send("a")
    trace.wait(trace.story, 0, 600)
    trace.wait("other", 1, 600)
    trace.wait(trace.story, 1, 0)
    scene.cloud.stop()
    trace.wait(trace.story, 1, float("inf"))


# A live cloud


class Seconds:
    """A count of seconds that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def live(home: object) -> Iterator[tuple[Cloud, Seconds]]:
    """A live cloud whose threads sleep, on a time that the test moves."""
    cloud = bentocola.start("es", live=True)
    seconds = Seconds()
    with cloud.lock:
        cloud.clock._real_seconds, cloud.clock._real_start = seconds, 0.0
        assert cloud._live is not None
        cloud._live._stopped = True  # nothing but `look` looks
    yield cloud, seconds
    cloud.stop()


def test_live_cloud_is_looked_at(live: tuple[Cloud, Seconds]) -> None:
    """Messages that return, appear and expire are told when they are due, though nobody calls."""
    cloud, seconds = live
    sqs = boto3.client("sqs")
    url = sqs.create_queue(QueueName="cola", Attributes={"MessageRetentionPeriod": "120"})["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="a")
    sqs.send_message(QueueUrl=url, MessageBody="b", DelaySeconds=10)
    sqs.receive_message(QueueUrl=url)
    story, n = cloud.trace.story, len(cloud.trace)
    told = []
    for moment in (9.999, 10.0, 29.9, 30.1, 121.0):
        seconds.now = moment
        cloud.look()
        feed = cloud.trace.follow(story, n)
        n += len(feed["steps"])
        told.append([(step["kind"], step["ids"]["msg"]) for step in feed["steps"]])

    assert told == [[], [("timeout", "m2")], [], [("timeout", "m1")], [("delete", "m1"), ("delete", "m2")]]
    assert feed["live"]
    assert feed["now_ms"] == 121_000
    folded(cloud.trace.data())


def test_live_mapping_is_enabled_when_it_is_looked_at(live: tuple[Cloud, Seconds]) -> None:
    """A mapping that is being made is enabled once its time has come."""
    from tests.cloud.test_pipeline import Pipeline

    cloud, seconds = live
    scene = Pipeline(cloud)
    scene.deploy("def handler(event, context): pass")
    uuid = scene.map()
    seconds.now = 1.0
    cloud.look()

    assert cloud.trace.state(f"mapping/{uuid}")["state"] == "Enabled"


def test_still_cloud_is_the_same_whoever_looks(scene: Scene) -> None:
    """On a clock that stands still looking tells nothing: what is told does not depend on who draws it."""
    scene.send("a")
    scene.receive()
    scene.cloud.clock._now = scene.cloud.clock._now + (scene.cloud.clock._now - scene.cloud.clock._start) * 1000
    before = len(scene.cloud.trace)
    scene.cloud.look()

    assert len(scene.cloud.trace) == before


def test_cloud_that_has_ended_is_not_looked_at(live: tuple[Cloud, Seconds]) -> None:
    """What another cloud does is none of its business."""
    cloud, _ = live
    new = bentocola.start("es")
    url = boto3.client("sqs").create_queue(QueueName="cola")["QueueUrl"]
    new.clock.advance(1)
    boto3.client("sqs").send_message(QueueUrl=url, MessageBody="a")
    before = len(cloud.trace), len(new.trace)
    cloud.look()

    assert (len(cloud.trace), len(new.trace)) == before
    new.stop()


# A trace of one block


def test_recorded_block_is_a_trace_of_its_own(scene: Scene) -> None:
    """It begins with the present state and m1, the cloud's own trace has none of its steps, and goes on exactly."""
    scene.send("a", "b")
    scene.put()
    before = json.dumps(scene.cloud.trace.data())
    with scene.cloud.record() as trace:
        (message,) = scene.receive(MaxNumberOfMessages=1)
        scene.delete(message)
        scene.put("marta", 7)
        scene.dynamodb.delete_item(TableName=scene.table, Key=scene.item())
        scene.send("c")

        assert json.dumps(scene.cloud.trace.data()) == before

    data = trace.data()
    assert [step["kind"] for step in data["steps"]] == ["deliver", "delete", "write", "write", "message"]
    assert [step["n"] for step in data["steps"]] == [1, 2, 3, 4, 5]
    assert data["initial"]["message/m1"]["state"] == data["initial"]["message/m2"]["state"] == "visible"
    assert data["initial"][f"item/{scene.table}/lucia#3"] == {"customer": "lucia", "order_id": 3}
    assert [step["ids"]["msg"] for step in data["steps"] if "msg" in step["ids"]] == ["m1", "m1", "m3"]
    folded(data)
    assert json.dumps(scene.cloud.trace.data()) == before

    scene.upload("z")

    assert trace.data() == data
    folded(scene.cloud.trace.data())
    check_against_services(scene.cloud.trace)
    assert scene.cloud.trace.state("message/m1")["state"] == "deleted"


def test_recorded_block_and_a_clear(scene: Scene) -> None:
    """A clear after the block, or in it, begins with what there is then."""
    for is_inside in (True, False):
        with scene.cloud.record() as trace:
            scene.put("lucia", 3 + is_inside)
            if is_inside:
                scene.cloud.trace.clear()
        scene.cloud.trace.clear()
        scene.put("marta", 7 + is_inside)
        folded(scene.cloud.trace.data())
        check_against_services(scene.cloud.trace)

        assert len(trace) == 1


def test_a_fresh_record_knows_no_message(scene: Scene) -> None:
    """What waits in a queue is not in its state, and the first message sent in it is m1; queues are counted as they are."""
    scene.send("before", "too")
    with scene.cloud.record() as usual:
        state = usual.data()["initial"]
    with scene.cloud.record(fresh=True) as fresh:
        scene.send("in it")
        data = fresh.data()

    assert [path for path in state if path.startswith("message/")] == ["message/m1", "message/m2"]
    assert [path for path in data["initial"] if path.startswith("message/")] == []
    assert [step["ids"]["msg"] for step in data["steps"] if step["kind"] == "message"] == ["m1"]
    assert data["initial"][f"queue/{scene.cloud.names.queue}"]["visible"] == 2


def test_after_a_fresh_record_the_own_trace_goes_on(scene: Scene) -> None:
    """Its messages keep their names, and what happened meanwhile is in its state."""
    scene.send("a")
    with scene.cloud.record(fresh=True):
        scene.send("b")
    scene.send("c")
    steps = scene.steps("message")

    assert [step["ids"]["msg"] for step in steps] == ["m1", "m2"]
    assert scene.cloud.trace.state("sqs.visible") == 3
    assert [message["Body"] for message in scene.receive()] == ["a", "b", "c"]


def test_block_that_only_holds_another_one(scene: Scene) -> None:
    """What the inner block did is in the state that its cloud goes on with, also where the outer one had no step itself."""
    with scene.cloud.record(), scene.cloud.record():
        scene.send("b")
        scene.delete(scene.receive()[0])
    scene.send("c")

    check_against_services(scene.cloud.trace)


def test_block_in_a_block(scene: Scene) -> None:
    """The outer one has none of the inner one's steps, and both are exact; an error in a block ends it all the same."""
    traces: list[Trace] = []

    def fails() -> None:
        with scene.cloud.record() as trace:
            traces.append(trace)
            scene.send("a")
            with scene.cloud.record() as trace:
                traces.append(trace)
                scene.send("b")
            scene.receive()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    scene.send("c")

    assert [[step["kind"] for step in trace] for trace in traces] == [["message", "deliver", "deliver"], ["message"]]
    for trace in (*traces, scene.cloud.trace):
        folded(trace.data())
    check_against_services(scene.cloud.trace)


def test_run_is_recorded_with_its_block(mapped: Any) -> None:
    """A whole pipeline in a block, with the mapping's own steps."""
    with mapped.cloud.record() as trace:
        mapped.map()
        mapped.cloud.settle()
        mapped.send("a")
        mapped.cloud.settle()
    mapped.send("b")
    mapped.cloud.settle()

    assert [step["kind"] for step in trace][-5:] == ["deliver", "run_start", "run_end", "delete", "resource"]
    folded(trace.data())
    folded(mapped.cloud.trace.data())
    check_against_services(mapped.cloud.trace)


def test_many_follow_while_much_happens(scene: Scene) -> None:
    """Each follower gets each step once, in order, whatever the others do."""
    trace, story = scene.cloud.trace, scene.cloud.trace.story
    go_on = threading.Event()

    def follow() -> list[int]:
        seen: list[int] = []
        while not (go_on.is_set() and len(seen) == len(trace)):
            trace.wait(story, len(seen), 0.05)
            seen += numbers(trace.follow(story, len(seen), 3))
        return seen

    with ThreadPoolExecutor(4) as followers:
        following = [followers.submit(follow) for _ in range(4)]
        for number in range(30):
            scene.put("lucia", number)
        go_on.set()

        assert [done.result(60) for done in following] == [list(range(1, 31))] * 4
