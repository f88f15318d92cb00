"""The lessons' stories: what happens in each is what the question's answer says, and the student's own cloud stays as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import boto3
import jsonschema
import pytest

from bentocola.cloud.trace import TraceData, json_schema
from bentocola.errors import ViewError
from bentocola.views import stories
from bentocola.views.viewed import ViewedCloud

# What each story is for: the answer that a lesson wants to be found.
ANSWERS = {
    ("twice", "none"): "one",
    ("twice", "duplicate"): "refused",
    ("twice", "die"): "again",
    ("twice", "refuse"): "later",
    ("crash", "none"): "one",
    ("crash", "die"): "refused",
    ("crash", "die_unguarded"): "over",
}
Played = tuple[dict[str, Any], dict[str, TraceData]]


def play_all(cloud: ViewedCloud) -> dict[str, Played]:
    """Play every story."""
    return {name: stories.play(cloud, name) for name in stories.STORIES}


def decisions(trace: TraceData) -> list[tuple[str, str | None]]:
    """What DynamoDB decided, in order, and why it refused."""
    writes = [step["decision"] for step in trace["steps"] if step["kind"] == "write"]
    return [(decision["result"], decision.get("error")) for decision in writes]


def folded(trace: TraceData, steps: int) -> dict[str, Any]:
    """The state after so many steps."""
    state = dict(trace["initial"])
    for step in trace["steps"][:steps]:
        for path, old, new in step["set"]:
            assert state.get(path) == old
            state[path] = new
    return state


@pytest.mark.parametrize("edition", ["es", "ja"])
def test_the_answer_is_what_happens(start: Callable[..., ViewedCloud], edition: str) -> None:
    """Each fault's answer is the one that the lesson wants, read from the steps; it is an option, and leads to a step."""
    played = play_all(start(edition))

    told = {
        (name, fault): question for name, (story, _) in played.items() for fault, question in story["questions"].items()
    }
    assert {key: question["answer"] for key, question in told.items()} == ANSWERS
    for (name, fault), question in told.items():
        trace = played[name][1][fault]
        assert question["answer"] in [option["id"] for option in question["options"]]
        assert 1 <= question["at"] <= len(trace["steps"])
        assert trace["predict"] == {"id": fault, "answer": question["answer"]}


def test_the_deciding_step_is_the_one_that_shows_it(cloud: ViewedCloud) -> None:
    """The step that a question leads to is the second write, the second delivery, or the write that came through."""
    for story, traces in play_all(cloud).values():
        for fault, question in story["questions"].items():
            step = traces[fault]["steps"][question["at"] - 1]
            match question["answer"]:
                case "one" | "later":
                    assert step["decision"]["result"] == "accepted"
                case "refused":
                    assert step["decision"]["error"] == "ConditionalCheckFailedException"
                case "over":
                    assert step["decision"]["before"] == step["decision"]["after"]
                case "again":
                    assert (step["kind"], step["ids"]["delivery"]) == ("deliver", 2)


def test_the_decisions_of_each_fault(cloud: ViewedCloud) -> None:
    """With the condition the second write is refused, whatever led to it; without it, it is accepted."""
    played = play_all(cloud)
    refused = ("refused", "ConditionalCheckFailedException")

    assert {
        (name, fault): decisions(trace) for name, (_, traces) in played.items() for fault, trace in traces.items()
    } == {
        ("twice", "none"): [("accepted", None)],
        ("twice", "duplicate"): [("accepted", None), refused],
        ("twice", "die"): [("accepted", None), refused],
        ("twice", "refuse"): [("refused", "ProvisionedThroughputExceededException"), ("accepted", None)],
        ("crash", "none"): [("accepted", None)],
        ("crash", "die"): [("accepted", None), refused],
        ("crash", "die_unguarded"): [("accepted", None), ("accepted", None)],
    }


def test_a_story_is_a_trace_of_its_own(cloud: ViewedCloud) -> None:
    """Numbers, messages and runs begin with 1, time with 0; old values fit the new ones; each cause is an earlier step."""
    queue = boto3.client("sqs").create_queue(QueueName="mine")["QueueUrl"]
    boto3.client("sqs").send_message(QueueUrl=queue, MessageBody="x")
    cloud.poll_once(queue, lambda event, context: None)

    for story, traces in play_all(cloud).values():
        for trace in traces.values():
            steps = trace["steps"]
            jsonschema.validate(trace, json_schema())
            assert [step["n"] for step in steps] == list(range(1, len(steps) + 1))
            assert steps[0]["t"] == 0
            assert all(step["cause"] < step["n"] for step in steps if "cause" in step)
            assert {step["ids"]["msg"] for step in steps if "msg" in step.get("ids", {})} == {"m1"}
            assert [step["run"]["id"] for step in steps if step["kind"] == "run_end"] in (["r1"], ["r1", "r2"])
            end = folded(trace, len(steps))
            assert end["message/m1"]["state"] == "deleted"
            shown = {tile["label"]: end.get(tile["path"]) for tile in story["tiles"]}
            assert all(value is not None for value in shown.values())
            assert end["ddb.items"] == 1


def test_nothing_of_the_student_changes(cloud: ViewedCloud) -> None:
    """The trace, the resources, the planned faults and the environment are after a story what they were before it."""
    sqs, dynamodb, s3 = (boto3.client(name) for name in ("sqs", "dynamodb", "s3"))
    queue = sqs.create_queue(QueueName="mine")["QueueUrl"]
    sqs.send_message(QueueUrl=queue, MessageBody="x")
    sqs.receive_message(QueueUrl=queue)
    planned = cloud.faults.throttle("dynamodb:PutItem")
    before = cloud.trace.data()

    play_all(cloud)

    assert cloud.trace.data() == before
    assert cloud.faults.planned == [planned]
    assert "TABLE_NAME" not in os.environ
    assert sqs.list_queues()["QueueUrls"] == [queue]
    assert dynamodb.list_tables()["TableNames"] == []
    assert s3.list_buckets()["Buckets"] == []


def test_a_message_of_the_student_is_not_in_the_story(cloud: ViewedCloud) -> None:
    """While a story waits, the student's own hidden message is visible again: that is no part of it."""
    sqs = boto3.client("sqs")
    queue = sqs.create_queue(QueueName="mine", Attributes={"VisibilityTimeout": "10"})["QueueUrl"]
    sqs.send_message(QueueUrl=queue, MessageBody="x")
    sqs.receive_message(QueueUrl=queue)

    _, traces = stories.play(cloud, "twice")

    assert [step["name"] for step in traces["die"]["steps"] if step["kind"] == "timeout"] == [
        traces["die"]["steps"][1]["name"]
    ]
    assert all(not path.startswith("queue/mine") for trace in traces.values() for path in trace["initial"])


def test_it_can_be_told_again(cloud: ViewedCloud) -> None:
    """The cell that tells a story can be run again: the same steps, on another stage."""
    once, again = (stories.play(cloud, "twice")[1] for _ in range(2))

    assert [[step["kind"] for step in trace["steps"]] for trace in once.values()] == [
        [step["kind"] for step in trace["steps"]] for trace in again.values()
    ]


def test_a_handler_of_the_student_is_told_as_it_is(cloud: ViewedCloud) -> None:
    """The story of a handler without a condition ends otherwise, and what it prints stands in its log, not under the cell."""

    def handler(event: dict[str, Any], context: Any) -> None:
        print("JOB", event["Records"][0]["body"])
        item = {"customer": {"S": "lucia"}, "order_id": {"N": "3"}, "total_cents": {"N": "1100"}}
        boto3.client("dynamodb").put_item(TableName=os.environ["TABLE_NAME"], Item=item)

    story, traces = stories.play(cloud, "crash", handler)

    assert list(traces) == ["none", "die"]
    assert story["questions"]["die"]["answer"] == "over"
    ends = [step["run"]["log"] for step in traces["die"]["steps"] if step["kind"] == "run_end"]
    assert [log[0] for log in ends] == ['JOB {"customer": "lucia", "order_id": 3, "quantity": 4}'] * 2


def test_a_handler_that_always_fails_ends(cloud: ViewedCloud, capsys: pytest.CaptureFixture[str]) -> None:
    """It gets the message three times; the answer is something else, and the stage is removed all the same."""

    def handler(event: dict[str, Any], context: Any) -> None:
        print("no")
        raise ValueError("no")

    story, traces = stories.play(cloud, "twice", handler)

    assert {question["answer"] for question in story["questions"].values()} <= {"none", "other", "again", "lost"}
    assert sum(step["kind"] == "run_start" for step in traces["none"]["steps"]) == 3
    assert boto3.client("sqs").list_queues().get("QueueUrls", []) == []
    assert "no" not in capsys.readouterr().out.splitlines()


def test_what_cannot_be_told_is_refused_in_a_sentence(start: Callable[..., ViewedCloud]) -> None:
    """Another name, no function, a cloud that has ended, one whose time goes on."""
    ended = start()
    ended.stop()
    with pytest.raises(ViewError, match="terminó"):
        stories.play(ended, "twice")
    still = start()
    with pytest.raises(ViewError, match="twice, crash"):
        stories.play(still, "thrice")
    with pytest.raises(ViewError, match="event y context"):
        stories.play(still, "twice", "app.handler")  # type: ignore[arg-type]
    with pytest.raises(ViewError, match=r'bentocola.start\("es"\)'):
        stories.play(start(live=True), "twice")
