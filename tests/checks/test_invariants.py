"""Each invariant is broken by a small wrong answer, and holds for a right one under the same schedule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from bentocola.checks import invariants
from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.scenarios import SCENARIOS
from bentocola.checks.schedule import Job, Schedule, Slip
from bentocola.checks.stage import Stage
from bentocola.checks.world import World
from bentocola.checks.worlds import Consumed, Handled, Saved
from bentocola.cloud.cloud import Cloud
from tests.checks.students import CONSUMER, HANDLER_01, HANDLER_05, SAVE, handler

ALL = sorted(name for name in invariants.__all__ if name.islower() and name not in ("first_broken", "is_condition"))
RIGHT = {"01": HANDLER_01, "05": HANDLER_05, "consumer": CONSUMER, "save": SAVE}
DENIED = (Slip("deny", "dynamodb:[PUT]*"),)


@dataclass(frozen=True)
class Wrong:
    """A right answer (`of`) in which `old` is `new`: what it breaks, with which jobs and faults."""

    invariant: str
    breach: str
    of: str
    old: str
    new: str
    jobs: str = "order"
    slips: tuple[Slip, ...] = field(default=())
    batch: int = 10

    def __str__(self) -> str:
        return f"{self.invariant}: {self.breach}"

    @property
    def schedule(self) -> Schedule:
        """What is played."""
        jobs = (kind.partition(":") for kind in self.jobs.split())
        return Schedule(tuple(Job(name, int(number or 0)) for name, _, number in jobs), self.slips, self.batch)


DELETES = 'sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])'
CONDITION = 'ConditionExpression="attribute_not_exists(id)",'
LOOP_05 = '    for record in event["Records"]:\n'
RETURN_01 = 'return {"batchItemFailures": failed}'
IN_HANDLER = (
    "    sqs = boto3.client('sqs')\n    url = sqs.list_queues()['QueueUrls'][0]\n"
    "    sqs.delete_message(QueueUrl=url, ReceiptHandle=event['Records'][0]['receiptHandle'])\n"
)
SAVED_TWICE = "    return True\n"
CASES = (
    Wrong("calls_are_bounded", "endless", "save", "    try:", "    while True: pass\n    try:"),
    Wrong(
        "calls_are_bounded",
        "too-many-calls",
        "save",
        "    try:",
        "    for n in range(99): dynamodb.get_item(TableName=table, Key={'id': item['id']})\n    try:",
    ),
    Wrong("arguments_stay", "argument-changed", "05", LOOP_05, "    event['seen'] = 1\n" + LOOP_05),
    Wrong("orders_never_change", "order-changed", "05", CONDITION, "", "order changed", batch=1),
    Wrong(
        "orders_never_change",
        "order-removed",
        "save",
        SAVED_TWICE,
        "    dynamodb.delete_item(TableName=table, Key={'id': item['id']})\n    return True\n",
    ),
    Wrong("saved_before_deleted", "deleted-unsaved", "consumer", "        try:", f"        {DELETES}\n        try:"),
    Wrong(
        "saved_before_deleted",
        "deleted-bad",
        "consumer",
        "            left",
        f"            {DELETES}\n            left",
        "broken",
    ),
    Wrong(
        "nothing_is_lost", "lost", "consumer", "            left", f"            {DELETES}\n            left", "broken"
    ),
    Wrong(
        "nothing_is_sent",
        "sent-again",
        "consumer",
        "            left",
        "            sqs.send_message(QueueUrl=queue_url, MessageBody=message['Body'])\n            left",
        "broken",
    ),
    Wrong("only_lambda_deletes", "deleted-in-handler", "05", LOOP_05, IN_HANDLER + LOOP_05),
    Wrong(
        "duplicates_are_proven",
        "contradiction-acknowledged",
        "05",
        'if error.response["Item"] != item',
        "if False",
        "order changed",
        batch=1,
    ),
    Wrong("nothing_else_is_stored", "wrong-item", "05", "+ 100", "+ 0"),
    Wrong("nothing_else_is_stored", "extra-item", "05", '{"S": name}', '{"S": record["messageId"]}'),
    Wrong("every_job_is_stored", "not-stored", "05", LOOP_05, "    1 / 0\n" + LOOP_05),
    Wrong("only_failures_return", "kept-though-done", "consumer", DELETES, "pass"),
    Wrong("batches_are_answered", "no-failures-list", "01", RETURN_01, "return None"),
    Wrong("batches_are_answered", "unknown-failure", "01", 'record["messageId"]', 'record["receiptHandle"]', "broken"),
    Wrong(
        "batches_are_answered", "failure-twice", "01", RETURN_01, 'return {"batchItemFailures": failed * 2}', "broken"
    ),
    Wrong(
        "batches_are_answered",
        "failures-out-of-order",
        "01",
        RETURN_01,
        'return {"batchItemFailures": failed[::-1]}',
        "broken broken",
    ),
    Wrong(
        "each_message_is_tried",
        "raised",
        "01",
        "        except Exception:\n",
        "        except LookupError:\n",
        "broken order",
    ),
    Wrong("verdict_of_each_save", "no-verdict", "save", SAVED_TWICE, ""),
    Wrong("verdict_of_each_save", "said-stored", "save", "return False", "return True", "order order"),
    Wrong("verdict_of_each_save", "said-there", "save", SAVED_TWICE, "    return False\n"),
    Wrong("verdict_of_each_save", "raised", "save", "return False", "raise", "order order"),
    Wrong(
        "verdict_of_each_save", "contradiction-accepted", "save", 'if "id" in item and', "if False and", "order changed"
    ),
    Wrong(
        "verdict_of_each_save",
        "swallowed",
        "save",
        SAVED_TWICE,
        "    except Exception:\n        return False\n    return True\n",
        slips=DENIED,
    ),
    Wrong(
        "errors_come_out",
        "swallowed",
        "05",
        "            stored = False\n",
        "            stored = False\n        except Exception:\n            stored = False\n",
        slips=DENIED,
        batch=1,
    ),
    Wrong(
        "one_receive",
        "received-again",
        "consumer",
        "    return done, left",
        "    sqs.receive_message(QueueUrl=queue_url)\n    return done, left",
    ),
    Wrong("lists_name_the_messages", "no-lists", "consumer", "return done, left", "return done"),
    Wrong("lists_name_the_messages", "no-ids", "consumer", "return done, left", "return ['a'], left"),
    Wrong("lists_name_the_messages", "wrong-lists", "consumer", "return done, left", "return left, done"),
    Wrong(
        "lists_name_the_messages",
        "raised",
        "consumer",
        "        except Exception:\n",
        "        except LookupError:\n",
        "broken",
    ),
    Wrong("results_are_told", "line-missing", "05", 'print("JOB", json.dumps(job))', "pass"),
    Wrong("results_are_told", "line-no-json", "05", 'print("EVENT", json.dumps(event))', 'print("EVENT", event)'),
    Wrong("results_are_told", "wrong-result", "05", '"duplicate": not stored', '"duplicate": stored'),
    Wrong(
        "results_are_told",
        "result-too-early",
        "05",
        "        stored = True\n",
        '        stored = True\n        print("RESULT", "{}")\n',
        slips=DENIED,
        batch=1,
    ),
)


def world(stage: Stage, of: str, source: str) -> World:
    """Return the world in which an answer works."""
    orders: Any = (Uploads if of in ("01", "consumer") else Jobs)(stage.cloud.names, None)
    answer = handler(stage.cloud, source)
    if of == "consumer":
        return Consumed(stage, orders, answer, (ValueError,))
    return Saved(stage, orders, answer) if of == "save" else Handled(stage, orders, answer, reports=of == "01")


@pytest.mark.parametrize("wrong", CASES, ids=str)
def test_an_invariant_is_broken_by_a_wrong_answer_and_kept_by_a_right_one(one_cloud: Cloud, wrong: Wrong) -> None:
    """The wrong answer differs in one place; its breach has the name that it is judged by."""
    holds = getattr(invariants, wrong.invariant)
    assert wrong.old in RIGHT[wrong.of]
    with Stage(one_cloud, (Uploads if wrong.of in ("01", "consumer") else Jobs).key) as stage:
        right = world(stage, wrong.of, RIGHT[wrong.of]).play(wrong.schedule)
        facts = world(stage, wrong.of, RIGHT[wrong.of].replace(wrong.old, wrong.new)).play(wrong.schedule)
    breach = holds(facts)

    assert holds(right) is None
    assert breach is not None
    assert breach.name == wrong.breach


@pytest.mark.parametrize("name", ALL)
def test_every_invariant_is_used_and_has_a_wrong_answer(name: str) -> None:
    """None is left that no scenario asks for, and none that nothing breaks."""
    assert any(getattr(invariants, name) in scenario.invariants for scenario in SCENARIOS.values())
    assert name in {wrong.invariant for wrong in CASES}
