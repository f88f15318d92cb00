"""The stage: empty after each schedule and gone in the end; nothing of it is left in the student's cloud."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.schedule import Schedule, Slip
from bentocola.checks.stage import Stage
from bentocola.cloud.cloud import Cloud
from tests.checks.playing import BROKEN, ORDER, OTHER, WRITE, consumed, handled, saved


def everything(cloud: Cloud) -> tuple[Any, ...]:
    """What a student sees of their cloud."""
    return (
        boto3.client("sqs").list_queues().get("QueueUrls", []),
        boto3.client("dynamodb").list_tables()["TableNames"],
        repr(cloud.faults),
    )


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule((ORDER, OTHER), (), 1),
        Schedule((ORDER, BROKEN), (), 1),
        Schedule((ORDER,), (Slip("stop_after", WRITE), Slip("again")), 1, (OTHER,)),
        Schedule((BROKEN,), (Slip("late"),), 1),
    ],
    ids=["stored", "left over", "stopped", "late"],
)
def test_stage_is_empty_after_each_schedule_and_gone_in_the_end(one_cloud: Cloud, schedule: Schedule) -> None:
    """No message and no item is left for the next schedule; afterwards there is no queue and no table."""
    before = everything(one_cloud)
    with Stage(one_cloud, Jobs.key) as stage:
        handled(stage).play(schedule)

        assert stage.others.scan(TableName=stage.table)["Items"] == []
        counts = stage.sqs.get_queue_attributes(QueueUrl=stage.queue_url, AttributeNames=["All"])["Attributes"]
        assert {counts[name] for name in counts if name.startswith("ApproximateNumber")} == {"0"}
    assert everything(one_cloud) == before


@pytest.mark.parametrize(
    "spoil",
    [
        "for n in range(40): client.put_item(TableName=t, Item={'id': {'S': str(n)}})",
        "client.put_item(TableName=t, Item={'id': {'S': 'ñ#/ 佐藤'}})",
        "client.delete_table(TableName=t)",
    ],
    ids=["many items", "a tricky key", "no table"],
)
def test_stage_is_empty_whatever_an_answer_left_there(stage: Stage, spoil: str) -> None:
    """More items than one call removes, a key with signs in it, or no table at all."""
    source = (
        f"def f(event, context):\n    client, t = boto3.client('dynamodb'), os.environ['TABLE_NAME']\n    {spoil}\n"
    )
    handled(stage, source).play(Schedule((ORDER,), (), 1))

    assert stage.others.scan(TableName=stage.table)["Items"] == []
    assert set(handled(stage).play(Schedule((ORDER,), (), 1)).stored) == {"dedup-order"}


@pytest.mark.parametrize("number", ["3.5", "12345678901234567890123", "1E+30"])
def test_stage_is_empty_of_numbers_that_json_does_not_hold(uploads: Stage, number: str) -> None:
    """A sort key of many digits goes too."""
    source = (
        "def f(sqs, queue_url, work):\n    item = {'customer': {'S': 'a'}, 'order_id': {'N': '" + number + "'}}\n"
        f"    boto3.client('dynamodb').put_item(TableName={uploads.table!r}, Item=item)\n    return [], []\n"
    )
    consumed(uploads, source).play(Schedule((ORDER,)))

    assert uploads.others.scan(TableName=uploads.table)["Items"] == []


def test_a_student_s_own_trace_messages_and_faults_are_untouched(one_cloud: Cloud) -> None:
    """What was planned is still to come, what waits in a queue waits, and the story tells of none of it."""
    sqs = boto3.client("sqs")
    queue = sqs.create_queue(QueueName="mine")["QueueUrl"]
    sqs.send_message(QueueUrl=queue, MessageBody="first")
    one_cloud.faults.throttle("sqs:ListQueues")
    story, planned = str(one_cloud.trace), repr(one_cloud.faults)
    with Stage(one_cloud, Jobs.key) as stage:
        for schedule in (Schedule((ORDER, BROKEN), (), 1), Schedule((ORDER,), (Slip("stop_before", WRITE),), 1)):
            handled(stage).play(schedule)

    assert str(one_cloud.trace) == story
    assert repr(one_cloud.faults) == planned
    sqs.send_message(QueueUrl=queue, MessageBody="second")
    ids = [step["ids"]["msg"] for step in one_cloud.trace.data()["steps"] if step["kind"] == "message"]
    assert ids == ["m1", "m2"]
    bodies = [m["Body"] for m in sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10)["Messages"]]
    assert bodies == ["first", "second"]


def test_messages_are_named_from_m1_whatever_went_before(one_cloud: Cloud) -> None:
    """In each schedule, also after a notebook that sent many, and the told story names them so too."""
    sqs = boto3.client("sqs")
    queue = sqs.create_queue(QueueName="mine")["QueueUrl"]
    for n in range(3):
        sqs.send_message(QueueUrl=queue, MessageBody=str(n))
    with Stage(one_cloud, Jobs.key) as stage:
        world = handled(stage)
        for _ in range(2):
            facts = world.play(Schedule((ORDER, OTHER), (), 1), tell=True)
            assert [sent.message for sent in facts.sent] == ["m1", "m2"]
    assert world.data is not None
    assert '"m3"' not in json.dumps(world.data)
    assert "mine" not in json.dumps(world.data)


def test_the_environment_is_as_it_was(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """TABLE_NAME names the stage's table in a call, and afterwards what it named before."""
    import os

    monkeypatch.setenv("TABLE_NAME", "mine")
    facts = handled(stage, "def f(event, context):\n    print(os.environ['TABLE_NAME'])\n").play(Schedule((ORDER,)))

    assert facts.runs[0].called.printed == f"{stage.table}\n"
    assert os.environ["TABLE_NAME"] == "mine"


@pytest.mark.parametrize("make", [handled, consumed, saved])
def test_a_blank_answer_goes_through_and_leaves_nothing(one_cloud: Cloud, make: Any) -> None:
    """NotImplementedError comes out of each world, and the stage is gone."""
    before = everything(one_cloud)
    key = Uploads.key if make is consumed else Jobs.key
    with pytest.raises(NotImplementedError), Stage(one_cloud, key) as stage:
        make(stage, "def f(*arguments):\n    raise NotImplementedError\n").play(Schedule((ORDER,)))

    assert everything(one_cloud) == before
