"""The stories that lessons tell with the stepper: the way of one order, once for each thing that can go wrong on it.

A story runs on the student's own cloud, on a stage of its own: a bucket, a queue and a table that are made for it and removed
after it. Neither shows in the student's trace. Plain boto3; what happened is read from the trace, and so is the right answer
to each question: nothing is claimed that did not happen.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

import boto3
from botocore.config import Config

from bentocola.cloud.cloud import Cloud
from bentocola.cloud.cut import cut
from bentocola.cloud.functions.poller import Handler
from bentocola.cloud.trace import Step, TraceData
from bentocola.errors import ViewError
from bentocola.shop import VISIBILITY_TIMEOUT
from bentocola.views.stage import Stage

__all__ = ["STORIES", "TABLE_VARIABLE", "Story", "play"]

TABLE_VARIABLE = "TABLE_NAME"
"""The environment variable that names the table, for handlers."""

_MOST_RUNS = 3
"""A message that fails each time would come for ever."""

Say = Callable[..., str]
Judge = Callable[[list[Step]], tuple[str, int]]


@dataclass(frozen=True)
class Question:
    """What is asked before a story, and what came of it: `judge` reads the answer and the step that decides from the steps."""

    question: str
    options: dict[str, str]
    ends: dict[str, str]
    judge: Judge


@dataclass(frozen=True)
class Fault:
    """One thing that can go wrong. `plan` puts it in; `handler` is what runs, where it is not the story's."""

    label: str
    question: Question
    plan: Callable[[Cloud], object] = lambda cloud: None
    handler: Handler | None = None


@dataclass(frozen=True)
class Story:
    """What happens, and how it is told."""

    title: str
    subtitle: str
    faults: dict[str, Fault]
    tiles: list[dict[str, Any]]
    begin: Callable[[], object]
    """The student's part: an upload, or a message."""
    handler: Handler


# What was decided, from the steps


def _of(steps: list[Step], kind: str) -> list[Step]:
    return [step for step in steps if step["kind"] == kind]


def _how_many_writes(steps: list[Step]) -> tuple[str, int]:
    writes = _of(steps, "write")
    accepted = [write for write in writes if write["decision"]["result"] == "accepted"]
    answer = {(0, 0): "none", (1, 1): "one", (2, 2): "two"}.get((len(writes), len(accepted)), _OTHER)
    return answer, (writes or steps)[-1]["n"]


def _second_write(steps: list[Step]) -> tuple[str, int]:
    writes = _of(steps, "write")
    if len(writes) < 2:
        return ("never" if not _of(steps, "deliver")[1:] else _OTHER), steps[-1]["n"]
    decision = writes[1]["decision"]
    if decision["result"] == "accepted":
        return ("new" if decision["before"] is None else "over"), writes[1]["n"]
    is_condition = decision.get("error") == "ConditionalCheckFailedException"
    return ("refused" if is_condition else _OTHER), writes[1]["n"]


def _what_becomes_of_the_message(steps: list[Step]) -> tuple[str, int]:
    again = _of(steps, "deliver")[1:]
    if again:
        return "again", again[0]["n"]
    deleted = _of(steps, "delete")
    return ("deleted", deleted[0]["n"]) if deleted else ("lost", steps[-1]["n"])


def _what_becomes_of_the_order(steps: list[Step]) -> tuple[str, int]:
    writes = _of(steps, "write")
    accepted = [write for write in writes if write["decision"]["result"] == "accepted"]
    if not accepted:
        return "lost", steps[-1]["n"]
    runs = {write["ids"].get("run") for write in writes}
    return ("twice" if accepted[1:] else "later" if runs - {writes[0]["ids"].get("run")} else _OTHER), accepted[-1]["n"]


_OTHER = "other"
"""What came of it when it is none of the options. Only a handler of the student's own can bring that about."""


# The stories


def _once() -> Any:
    """A client that does not try again by itself: what is refused is seen."""
    return boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))


def _save_upload(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Save each uploaded order once, as module 01 does."""
    dynamodb = _once()
    for record in event["Records"]:
        for entry in json.loads(record["body"]).get("Records", []):
            _, customer, number = unquote_plus(entry["s3"]["object"]["key"]).removesuffix(".json").split("/")
            with contextlib.suppress(dynamodb.exceptions.ConditionalCheckFailedException):
                dynamodb.put_item(
                    TableName=os.environ[TABLE_VARIABLE],
                    Item={"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}},
                    ConditionExpression="attribute_not_exists(customer)",
                )
    return {"batchItemFailures": []}


def _order_of(body: str) -> dict[str, Any]:
    job = json.loads(body)
    return {
        "customer": {"S": job["customer"]},
        "order_id": {"N": str(job["order_id"])},
        "quantity": {"N": str(job["quantity"])},
        "total_cents": {"N": str(250 * job["quantity"] + 100)},
    }


def _save_job(event: dict[str, Any], context: Any) -> None:
    """Save each job's order once, as module 05's lesson does."""
    dynamodb = _once()
    for record in event["Records"]:
        order = _order_of(record["body"])
        try:
            dynamodb.put_item(
                TableName=os.environ[TABLE_VARIABLE],
                Item=order,
                ConditionExpression="attribute_not_exists(customer)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except dynamodb.exceptions.ConditionalCheckFailedException as refused:
            if refused.response.get("Item") != order:
                raise


def _save_job_unguarded(event: dict[str, Any], context: Any) -> None:
    """Save each job's order, whatever is stored under its key."""
    dynamodb = _once()
    for record in event["Records"]:
        dynamodb.put_item(TableName=os.environ[TABLE_VARIABLE], Item=_order_of(record["body"]))


def _stop_after_the_write(cloud: Cloud) -> object:
    return cloud.faults.stop_worker(after="dynamodb:PutItem", by="lambda")


def _nothing_fails(say: Say) -> Fault:
    question = Question(
        say("Nothing fails. How many writes reach the table?"),
        {"one": say("One, and it is accepted"), "two": say("Two that are alike"), "none": say("None reaches it")},
        {
            "one": say("One write reached the table, and it was accepted."),
            "two": say("Two writes reached the table, and both were accepted."),
            "none": say("No write reached the table."),
        },
        _how_many_writes,
    )
    return Fault(say("Nothing fails"), question)


def _second_write_question(say: Say, question: str) -> Question:
    return Question(
        question,
        {
            "refused": say("It refuses it: the order is there already"),
            "over": say("It accepts it, and writes over the order"),
            "new": say("It accepts it, and there are two orders"),
            "never": say("Nothing: no second write comes"),
        },
        {
            "refused": say("DynamoDB refused the second write, and the order stayed as it was."),
            "over": say("DynamoDB accepted the second write: it went over the order."),
            "new": say("DynamoDB accepted the second write, and now there are two orders."),
            "never": say("No second write came."),
        },
        _second_write,
    )


def _twice(say: Say, stage: Stage) -> Story:
    """Module 01, idea 2: the same upload, with a fault to choose."""
    names = stage.cloud.names
    key = names.first_key
    customer, number = names.customers[0], key.rpartition("/")[2].removesuffix(".json")
    stopped = Question(
        say("The function saves the order and stops before its message is deleted. What becomes of the message?"),
        {
            "deleted": say("Nothing more: the order is saved"),
            "again": say("It comes back to the queue and is delivered again"),
            "lost": say("It is lost"),
        },
        {
            "deleted": say("The message was deleted."),
            "again": say("The message came back and was delivered again."),
            "lost": say("The message did not come again."),
        },
        _what_becomes_of_the_message,
    )
    refused = Question(
        say("DynamoDB refuses the first write: too many requests at once. What becomes of the order?"),
        {
            "lost": say("The order is lost"),
            "later": say("The run fails, and a later one saves it"),
            "twice": say("It is saved twice"),
        },
        {
            "lost": say("The order was not saved."),
            "later": say("The first run failed, and a later one saved the order."),
            "twice": say("The order was saved twice."),
        },
        _what_becomes_of_the_order,
    )
    again = say("The same message is delivered twice. What does DynamoDB do with the second write?")
    return Story(
        title=say("An order's way to the table"),
        subtitle=key,
        faults={
            "none": _nothing_fails(say),
            "duplicate": Fault(
                say("It is delivered twice"),
                _second_write_question(say, again),
                lambda cloud: cloud.faults.deliver_again(),
            ),
            "die": Fault(say("It stops before deleting"), stopped, _stop_after_the_write),
            "refuse": Fault(
                say("The first write is refused"),
                refused,
                lambda cloud: cloud.faults.throttle("dynamodb:PutItem", by="lambda"),
            ),
        },
        tiles=[
            {"path": "s3.objects", "field": None, "label": say("Files in the bucket")},
            *_tiles(say, stage),
            {
                "path": f"item/{stage.table}/{customer}#{number}",
                "field": "status",
                "label": say("Status of {item}", item=f"{customer}#{number}"),
            },
        ],
        begin=lambda: stage.s3.put_object(Bucket=stage.bucket, Key=key, Body=b"{}"),
        handler=_save_upload,
    )


def _crash(say: Say, stage: Stage, is_own: bool) -> Story:
    """Module 05: a crash between the write and the deletion, with and without the condition."""
    customer = stage.cloud.names.customers[0]
    job = {"customer": customer, "order_id": 3, "quantity": 4}
    key = f"{customer}#3"
    question = _second_write_question(
        say,
        say(
            "The function saves the order and stops before its message is deleted. What does DynamoDB do with the second write?"
        ),
    )
    stops = Fault(say("It stops before deleting"), question, _stop_after_the_write)
    faults = {
        "die": Fault(say("It stops; it writes with a condition"), question, _stop_after_the_write),
        "die_unguarded": Fault(
            say("It stops; it writes without one"), question, _stop_after_the_write, _save_job_unguarded
        ),
    }
    return Story(
        title=say("A stop between the write and the deletion"),
        subtitle=key,
        faults={"none": _nothing_fails(say), **({"die": stops} if is_own else faults)},
        tiles=[
            *_tiles(say, stage),
            {
                "path": f"item/{stage.table}/{key}",
                "field": "total_cents",
                "label": say("Cents of {item}", item=key),
            },
        ],
        begin=lambda: stage.sqs.send_message(QueueUrl=stage.queue_url, MessageBody=json.dumps(job)),
        handler=_save_job,
    )


def _tiles(say: Say, stage: Stage) -> list[dict[str, Any]]:
    return [
        {"path": f"queue/{stage.queue}", "field": "visible", "label": say("Visible in the queue")},
        {"path": f"queue/{stage.queue}", "field": "in_flight", "label": say("In flight")},
        {"path": "lambda.runs", "field": None, "label": say("Runs")},
        {"path": "ddb.items", "field": None, "label": say("Items in the table")},
    ]


STORIES = ("twice", "crash")


def play(cloud: Cloud, name: str, handler: Handler | None = None) -> tuple[dict[str, Any], dict[str, TraceData]]:
    """Play a story under each of its faults, and return how it is told and a trace for each fault.

    `handler`: what receives the messages, in place of the story's own; it finds the table's name in `TABLE_NAME`. The cloud's
    time moves on by what is waited for. Raises ViewError for another story, and for a cloud that a story cannot be played on.
    """
    say = cloud.say
    if name not in STORIES:
        raise ViewError(say("There is no story {got!r}. There are: {known}.", got=name, known=", ".join(STORIES)))
    if handler is not None and not callable(handler):
        raise ViewError(
            say("handler= expects a function of two parameters, event and context; it got {got!r}.", got=handler)
        )
    if cloud.trace.has_ended:
        raise ViewError(say("This local cloud has ended. Start another, and tell the story there."))
    if not cloud.clock.stands_still:
        raise ViewError(
            say('A story needs a cloud whose time stands still: bentocola.start("{edition}")', edition=cloud.edition)
        )
    is_upload = name == "twice"
    with cloud.faults.set_aside(), Stage(cloud, with_bucket=is_upload) as stage, _table_named(stage.table):
        story = _twice(say, stage) if is_upload else _crash(say, stage, handler is not None)
        told, traces = {}, {}
        for fault_id, fault in story.faults.items():
            trace = _play(stage, story, fault, handler or fault.handler or story.handler)
            question = _told(say, fault.question, trace["steps"], handler is not None)
            trace["id"] = f"{name}-{fault_id}"
            trace["mode"] = "lesson"
            trace["fault"] = {"kind": fault_id}
            trace["predict"] = {"id": fault_id, "answer": question["answer"]}
            told[fault_id], traces[fault_id] = question, trace
            stage.clear()
    return {
        "id": name,
        "title": story.title,
        "subtitle": story.subtitle,
        "faults": [{"id": fault_id, "label": fault.label} for fault_id, fault in story.faults.items()],
        "questions": told,
        "tiles": story.tiles,
        "rules": {},
        "why": None,
    }, traces


def _play(stage: Stage, story: Story, fault: Fault, handler: Handler) -> TraceData:
    """Play it once, and return the trace of it."""
    cloud = stage.cloud
    logs: list[list[str]] = []

    def logged(event: dict[str, Any], context: Any) -> Any:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                return handler(event, context)
        finally:
            logs.append(printed.getvalue().splitlines())

    with cloud.record() as trace:
        fault.plan(cloud)
        story.begin()
        while len(logs) < _MOST_RUNS:
            before = len(logs)
            cloud.poll_once(stage.queue_url, logged)
            if len(logs) > before:
                continue
            queue = trace.state(f"queue/{stage.queue}") or {}
            if not queue.get("in_flight"):
                break
            cloud.clock.advance(VISIBILITY_TIMEOUT)
        cloud.faults.clear()  # what did not strike
    data = cut(trace.data(), {stage.bucket, stage.queue, stage.table})
    for step, lines in zip(_of(data["steps"], "run_end"), logs, strict=False):
        step["run"]["log"] = [*lines, *step["run"]["log"]]
    return data


def _told(say: Say, question: Question, steps: list[Step], is_own: bool) -> dict[str, Any]:
    answer, at = question.judge(steps)
    options = question.options | ({_OTHER: say("Something else")} if is_own else {})
    ends = question.ends | {_OTHER: say("Something else happened: the steps show what.")}
    return {
        "question": question.question,
        "options": [{"id": option, "text": text} for option, text in options.items()],
        "answer": answer,
        "end": ends[answer],
        "at": at,
    }


@contextlib.contextmanager
def _table_named(name: str) -> Iterator[None]:
    """Set the environment variable that handlers read, and set it back."""
    former = os.environ.get(TABLE_VARIABLE)
    os.environ[TABLE_VARIABLE] = name
    try:
        yield
    finally:
        if former is None:
            del os.environ[TABLE_VARIABLE]
        else:
            os.environ[TABLE_VARIABLE] = former
