"""The worlds: what a schedule says happens, and is over afterwards; nothing of it stays in the student's cloud."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from bentocola.checks import worlds
from bentocola.checks.facts import Facts
from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.schedule import Job, Schedule, Slip
from bentocola.checks.stage import Stage
from bentocola.checks.worlds import Consumed, Handled, Saved
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.trace import Step
from tests.checks.students import CONSUMER, HANDLER_05, SAVE, function

WRITE, DELETE = "dynamodb:[PUT]*", "sqs:DeleteMessage*"
ORDER, OTHER, BROKEN = Job("order"), Job("order", 1), Job("broken")


@pytest.fixture
def stage(one_cloud: Cloud) -> Iterator[Stage]:
    """A stage for jobs."""
    with Stage(one_cloud, Jobs.key) as made:
        yield made


@pytest.fixture
def uploads(one_cloud: Cloud) -> Iterator[Stage]:
    """A stage for uploads."""
    with Stage(one_cloud, Uploads.key) as made:
        yield made


def handled(stage: Stage, source: str = HANDLER_05) -> Handled:
    """A world in which a handler of assignment 05 works."""
    return Handled(stage, Jobs(stage.cloud.names, None), function(source), reports=False)


def consumed(stage: Stage, source: str = CONSUMER) -> Consumed:
    """A world in which a consumer of our own works."""
    return Consumed(stage, Uploads(stage.cloud.names, None), function(source), (ValueError,))


def saved(stage: Stage, source: str = SAVE) -> Saved:
    """A world in which items are saved."""
    return Saved(stage, Jobs(stage.cloud.names, None), function(source))


def faults(facts: Facts) -> list[str]:
    """The faults that struck."""
    return [step["fault"] for step in facts.slips]


def verdicts(facts: Facts) -> list[Any]:
    """What each call came to: its value, or its exception's name."""
    return [type(run.called.raised).__name__ if run.called.raised else run.called.returned for run in facts.runs]


def own(facts: Facts, kind: str) -> list[Step]:
    """The steps of a kind that are the answer's doing."""
    return [step for step in facts.steps if step["kind"] == kind and step["n"] not in facts.others]


# What goes wrong, and is over


@pytest.mark.parametrize(
    ("slip", "struck"),
    [
        (Slip("throttle", WRITE), ["throttle"]),
        (Slip("busy", WRITE), ["throttle"] * 10),
        (Slip("deny", WRITE), ["deny"]),
        (Slip("lost", WRITE), ["lost_response"]),
        (Slip("stop_before", WRITE), ["stop"]),
        (Slip("stop_after", WRITE), ["stop"]),
        (Slip("timeout", WRITE), ["stop"]),
        (Slip("again"), ["deliver_again"]),
        (Slip("stop_before", WRITE, 2), ["stop"]),
    ],
    ids=lambda value: f"{value.kind} {value.on}" if isinstance(value, Slip) else "",
)
def test_a_fault_strikes_once_and_is_over(stage: Stage, slip: Slip, struck: list[str]) -> None:
    """It is told where it strikes; the jobs get through afterwards, and the next schedule knows nothing of it."""
    world = handled(stage)
    facts = world.play(Schedule((ORDER, OTHER), (slip,), 1))

    assert faults(facts) == struck
    assert set(facts.stored) == {"dedup-order", "other-order"}
    assert facts.waiting == frozenset()
    assert stage.cloud.faults.planned == []

    assert faults(world.play(Schedule((ORDER,), (), 1))) == []


def test_a_fault_that_nothing_meets_is_forgotten(stage: Stage) -> None:
    """One for a second write, where there is one write, is not still to come in the next schedule."""
    world = handled(stage)
    world.play(Schedule((ORDER,), (Slip("stop_before", WRITE, 5),), 1))
    facts = world.play(Schedule((ORDER, OTHER, Job("order", 2)), (), 1))

    assert faults(facts) == []


def test_a_stop_after_a_write_leaves_the_order_and_the_message(stage: Stage) -> None:
    """The write is done, the message comes again, and is a duplicate then."""
    facts = handled(stage).play(Schedule((ORDER,), (Slip("stop_after", WRITE),), 1))

    assert [run.called.stopped for run in facts.runs] == [True, False]
    assert [step["decision"]["result"] for step in own(facts, "write")] == ["accepted", "refused"]
    assert '"duplicate": true' in facts.runs[1].called.printed


def test_a_rival_writes_right_before(stage: Stage) -> None:
    """Another program stores another order under the key in the middle of the call; it is not the answer's doing."""
    facts = saved(stage).play(Schedule((ORDER,), (Slip("rival", WRITE),)))

    assert list(facts.rivals) == ["dedup-order"]
    assert [step["decision"]["result"] for step in own(facts, "write")] == ["refused"]
    assert verdicts(facts) == ["ValueError"]


def test_something_is_gone_right_before_a_read(stage: Stage) -> None:
    """Who reads first finds nothing, though the order was there."""
    reads = "def f(dynamodb, table, item):\n    dynamodb.put_item(TableName=table, Item=item)\n" + (
        "    return 'Item' in dynamodb.get_item(TableName=table, Key={'id': item['id']})\n"
    )
    facts = saved(stage, reads).play(Schedule((ORDER,), (Slip("gone"),)))

    assert verdicts(facts) == [False]
    assert facts.stored == {}


def test_a_table_that_is_not_there_is_there_in_the_next_call(stage: Stage) -> None:
    """In that call of the answer alone, the table's name leads nowhere."""
    facts = saved(stage).play(Schedule((ORDER, OTHER), (Slip("no_table", "", 1),)))

    assert verdicts(facts) == ["ResourceNotFoundException", True]
    assert set(facts.stored) == {"other-order"}


def test_messages_come_in_another_order(stage: Stage) -> None:
    """In the reverse of the one in which they were sent."""
    facts = handled(stage).play(Schedule((ORDER, OTHER, Job("order", 2)), (Slip("reorder"),), 10))

    assert [message for _, message in facts.deliveries] == ["m3", "m2", "m1"]


def test_a_late_message_comes_after_the_others(stage: Stage) -> None:
    """Its delay passes on the course's clock."""
    facts = handled(stage).play(Schedule((ORDER, OTHER), (Slip("late", "", 1),), 1))

    assert [message for _, message in facts.deliveries] == ["m2", "m1"]
    assert facts.waiting == frozenset()


def test_a_slow_call_outlasts_the_visibility_timeout(stage: Stage) -> None:
    """While the answer waits for a write, its message is visible again; the order is stored once, and nothing is left."""
    facts = handled(stage).play(Schedule((ORDER,), (Slip("slow", WRITE),), 1))
    (run,) = facts.runs

    assert [run.first <= step["n"] <= run.last for step in facts.steps if step["kind"] == "timeout"] == [True]
    assert (set(facts.stored), facts.waiting) == ({"dedup-order"}, frozenset())


def test_another_consumer_holds_the_messages_for_a_while(uploads: Stage) -> None:
    """The first call finds nothing; later they come."""
    facts = consumed(uploads).play(Schedule((ORDER, OTHER), (Slip("held"),)))

    assert verdicts(facts)[0] == ([], [])
    assert len(facts.stored) == 2


def test_a_broken_message_comes_back_several_times(uploads: Stage) -> None:
    """Once by itself, and five times where the schedule says so; it is never lost."""
    short = consumed(uploads).play(Schedule((BROKEN,)))
    long = consumed(uploads).play(Schedule((BROKEN,), (Slip("long"),)))

    assert len(long.deliveries) >= 5 > len(short.deliveries)
    assert short.waiting == long.waiting == {"m1"}


def test_every_kind_of_fault_is_known(stage: Stage) -> None:
    """A schedule with a fault that does not exist is an error of ours, and leaves the stage as it was."""
    world = handled(stage)
    with pytest.raises(ValueError, match="thunder"):
        world.play(Schedule((ORDER,), (Slip("thunder"),)))

    assert set(world.play(Schedule((ORDER,), (), 1)).stored) == {"dedup-order"}


# What stays


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


# Answers that go on and on

CALLS = {
    "asks for ever": "    while True: dynamodb.get_item(TableName=table, Key={'id': item['id']})\n",
    "in a bare except": (
        "    while True:\n        try:\n            dynamodb.get_item(TableName=table, Key={'id': item['id']})\n"
        "        except:\n            pass\n"
    ),
    "without a call": "    while True: pass\n",
}


@pytest.mark.parametrize("loop", CALLS)
def test_an_endless_loop_is_stopped_in_each_call(stage: Stage, loop: str) -> None:
    """Also in the next call, and the next schedule: after so many calls of AWS, or so many instructions."""
    world = saved(stage, "def f(dynamodb, table, item):\n" + CALLS[loop])
    for _ in range(2):
        facts = world.play(Schedule((ORDER, OTHER)))

        assert len(facts.runs) == 2
        for run in facts.runs:
            assert run.called.stopped or run.called.endless
            calls = [step for step in facts.calls_of(run) if step["kind"] != "fault"]
            assert len(calls) <= worlds.MOST_CALLS
    assert stage.cloud.faults.planned == []


def test_as_many_calls_as_ten_messages_need_are_let_through(uploads: Stage) -> None:
    """A consumer of ten messages is far from the limit."""
    facts = consumed(uploads).play(Schedule(tuple(Job("order", n % 5) for n in range(10))))

    assert facts.waiting == frozenset()
    assert not any(run.called.stopped for run in facts.runs)


def test_what_another_program_stored_is_not_the_answer_s(stage: Stage) -> None:
    """Given items, the producer's messages and what `work` saves count as others' steps."""
    facts = saved(stage).play(Schedule((ORDER,), (), 10, (Job("changed"),)))

    assert set(facts.given) == {"dedup-order"}
    assert [step["decision"]["result"] for step in own(facts, "write")] == ["refused"]
    assert verdicts(facts) == ["ValueError"]
