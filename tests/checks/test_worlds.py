"""The worlds: what a schedule says happens, strikes where it is to, and is over afterwards; what never ends is stopped."""

from __future__ import annotations

from typing import Any

import pytest

from bentocola.checks.facts import Facts
from bentocola.checks.schedule import Job, Schedule, Slip
from bentocola.checks.stage import Stage
from bentocola.checks.world import MOST_CALLS
from bentocola.cloud.trace import Step
from tests.checks.playing import BROKEN, ORDER, OTHER, WRITE, consumed, handled, saved


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


def test_after_the_last_fault_there_is_a_round_for_every_message(stage: Stage) -> None:
    """One message a batch, two bad ones before a good one, and a stop in each of its first two runs: the third one ends well."""
    stops = (Slip("stop_after", WRITE), Slip("stop_after", WRITE, 2))
    facts = handled(stage).play(Schedule((BROKEN, BROKEN, ORDER), stops, 1))

    assert faults(facts) == ["stop", "stop"]
    assert facts.waiting == {"m1", "m2"}


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
            assert len(calls) <= MOST_CALLS
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
