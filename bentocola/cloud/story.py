"""A trace told as a numbered list, one sentence a step, in the edition's language.

It reads the trace alone. Calls that only look (Get…, List…, Describe…) change nothing and are left out of the story.
"""

from __future__ import annotations

import re
from typing import Any

from bentocola.cloud.trace import Step, TraceData
from bentocola.messages import translate

__all__ = ["tell"]

_LOOKING = re.compile(r":(Get|List|Describe|Head|Scan|Query|BatchGet)")
_WHO = {"you": "You", "s3": "S3", "sqs": "SQS", "lambda": "Lambda", "ddb": "DynamoDB"}


def tell(language: str, trace: TraceData) -> list[str]:
    """Return one numbered line for each step that did something, under the step's own number."""
    lines = [
        f"{step['n']:>3}. {_sentence(language, step)}"
        for step in trace["steps"]
        if not _LOOKING.search(step.get("api", ""))
    ]
    return lines or [translate(language, "Nothing has happened yet.")]


def _sentence(language: str, step: Step) -> str:
    def say(message: str, **values: Any) -> str:
        return translate(language, message, **values)

    ids = step.get("ids", {})
    who = say(_WHO[step["from"]])
    name = step.get("name", "")
    operation = step.get("api", "").rpartition(":")[2]
    if step.get("error") and "decision" not in step:
        message = "{who} called {operation} on {name}: refused with {error}."
        return say(message, who=who, operation=operation, name=name, error=step["error"])
    match step["kind"]:
        case "resource":
            return say("{who} called {operation}: {name}.", who=who, operation=operation, name=name)
        case "event":
            if '"s3:TestEvent"' in step["wire"]["text"]:
                return say("S3 sends a test event to the queue.")
            return say("S3 sends an event to the queue.")
        case "message":
            if step["from"] == "sqs":
                return say("The queue holds {msg}.", msg=ids["msg"])
            return say("{who} sent {msg} to the queue.", who=who, msg=ids["msg"])
        case "deliver":
            to = say(_WHO[step["to"]])
            if ids["delivery"] > 1:
                return say("{to} received {msg} again (delivery {delivery}).", to=to, **ids)
            return say("{to} received {msg}.", to=to, **ids)
        case "delete":
            if "msg" not in ids:
                return say("{who} called DeleteMessage: nothing was left to delete.", who=who)
            return say("{who} deleted {msg}.", who=who, msg=ids["msg"])
        case "timeout":
            return say("{msg} is visible again: nobody deleted it.", msg=ids["msg"])
        case "clock":
            moved = next((new - (old or 0) for path, old, new in step["set"] if path == "clock.seconds"), 0)
            return say("The clock moved {seconds} s forward.", seconds=f"{moved:g}")
        case "run_start":
            return say("Run {run} of the function starts.", run=ids["run"])
        case "run_end":
            if step["run"].get("result") == "ok":
                return say("Run {run} ends.", run=ids["run"])
            return say(
                "Run {run} fails: {log}", run=ids["run"], log=" ".join(" ".join(step["run"]["log"][-1:]).split())
            )
        case "write":
            return _write(language, step)
        case _:
            if operation == "ReceiveMessage":
                return say("{who} asked the queue for messages: none came.", who=who)
            return say("{who} called {operation}: {name}.", who=who, operation=operation, name=name)


def _write(language: str, step: Step) -> str:
    decision = step["decision"]
    values = {
        "who": translate(language, _WHO[step["from"]]),
        "op": decision["op"],
        "key": decision["key"],
        "error": decision.get("error"),
    }
    if decision["result"] == "refused":
        return translate(
            language, "{who} called {op} for {key}: refused with {error}; the table stays as it was.", **values
        )
    if decision["op"] == "DeleteItem":
        return translate(language, "{who} deleted the item {key}.", **values)
    if decision["before"] is None:
        return translate(language, "{who} wrote the item {key}: it is new.", **values)
    if decision["before"] == decision["after"]:
        return translate(language, "{who} wrote the item {key} over an equal one.", **values)
    return translate(language, "{who} wrote over the item {key}: it was another before.", **values)
