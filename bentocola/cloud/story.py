"""A trace told as a numbered list, one sentence a step, in the edition's language.

It reads the trace alone. Calls that only look (Get…, List…, Describe…) change nothing and are left out of the story.
"""

from __future__ import annotations

import re
from typing import Any

from bentocola.cloud.trace import Step, TraceData
from bentocola.messages import translate

__all__ = ["fault", "tell"]

_LOOKING = re.compile(r":(Get|List|Describe|Filter|Head|Scan|Query|BatchGet)")
_WHO = {"you": "You", "s3": "S3", "sqs": "SQS", "lambda": "Lambda", "ddb": "DynamoDB"}


def tell(language: str, trace: TraceData) -> list[str]:
    """Return one numbered line for each step that did something, under the step's own number."""
    lines = []
    deleted: set[str] = set()
    for step in trace["steps"]:
        if not _LOOKING.search(step.get("api", "")):
            lines.append(f"{step['n']:>3}. {_sentence(language, step, deleted)}")
        if step["kind"] == "delete" and "msg" in step.get("ids", {}):
            deleted.add(step["ids"]["msg"])
    return lines or [translate(language, "Nothing has happened yet.")]


def _sentence(language: str, step: Step, deleted: set[str]) -> str:
    """`deleted`: the messages that were deleted before. One of them can come again: SQS delivers at least once."""

    def say(message: str, **values: Any) -> str:
        return translate(language, message, **values)

    ids = step.get("ids", {})
    who = say(_WHO[step["from"]])
    name = step.get("name", "")
    operation = step.get("api", "").rpartition(":")[2]
    if step.get("error") and "decision" not in step:
        if not name:
            return say(
                "{who} called {operation}: refused with {error}.", who=who, operation=operation, error=step["error"]
            )
        message = "{who} called {operation} on {name}: refused with {error}."
        return say(message, who=who, operation=operation, name=name, error=step["error"])
    match step["kind"]:
        case "resource" if not operation:
            return _mapping(language, step)
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
        case "dead":
            return say("SQS moved {msg} to the dead-letter queue: it was received too often.", msg=ids["msg"])
        case "fault":
            return fault(language, step)
        case "delete":
            if step["from"] == "sqs":
                return say("SQS dropped {msg}: its retention period is over.", msg=ids["msg"])
            if "msg" not in ids:
                return say("{who} called DeleteMessage: nothing was left to delete.", who=who)
            return say("{who} deleted {msg}.", who=who, msg=ids["msg"])
        case "timeout":
            if any(old and old["state"] == "delayed" for path, old, _ in step["set"] if path.startswith("message/")):
                return say("{msg} is visible now: its delay is over.", msg=ids["msg"])
            if ids["msg"] in deleted:
                return say(
                    "{msg} is visible again: its deletion did not reach the delivery that came later.", msg=ids["msg"]
                )
            return say("{msg} is visible again: nobody deleted it.", msg=ids["msg"])
        case "clock":
            moved = next((new - (old or 0) for path, old, new in step["set"] if path == "clock.seconds"), 0)
            return say("The clock moved {seconds} s forward.", seconds=f"{moved:g}")
        case "run_start":
            return say("Run {run} of the function starts.", run=ids["run"])
        case "run_end":
            if step["run"].get("result") == "died" and not step["run"]["log"]:
                return say("Run {run} is stopped.", run=ids["run"])
            if step["run"].get("result") == "ok":
                return say("Run {run} ends.", run=ids["run"])
            return say("Run {run} fails: {log}", run=ids["run"], log=_why(step["run"]["log"]))
        case "write":
            return _write(language, step)
        case _:
            if operation == "ReceiveMessage":
                return say("{who} asked the queue for messages: none came.", who=who)
            return say("{who} called {operation}: {name}.", who=who, operation=operation, name=name)


def _mapping(language: str, step: Step) -> str:
    """What became of an event source mapping by itself."""
    was, now = next((old or {}, new) for path, old, new in step["set"] if path.startswith("mapping/"))
    names = {"queue": was.get("queue"), "function": was.get("function")}
    if now is None:
        return translate(language, "The event source mapping of {queue} to {function} is gone.", **names)
    if now["state"] != was.get("state"):
        message = "The event source mapping of {queue} to {function} is in the state {state} now."
        return translate(language, message, state=now["state"], **names)
    message = "The event source mapping of {queue} to {function} tells its last result: {result}"
    return translate(language, message, result=now["last_result"], **names)


_FAULTS = {
    "throttle": "Fault: {service} refuses {operation} as called too often.",
    "deny": "Fault: {service} refuses {operation}: the permission is missing.",
    "lost_response": "Fault: the answer of {service} to {operation} gets lost. What was asked is done.",
    "stop": "Fault: whoever called {operation} stops here.",
    "deliver_again": "Fault: SQS will deliver a message once more.",
    "reorder": "Fault: SQS hands the messages out in another order.",
    "delay_event": "Fault: the event of S3 comes late.",
}


def fault(language: str, step: Step) -> str:
    """Return which fault struck, in a sentence. `step`: one of kind "fault"."""
    service, _, operation = step.get("api", ":").partition(":")
    message = _FAULTS[step["fault"]]
    return translate(language, message, service=_WHO.get(step["to"], service), operation=operation)


def _why(log: list[str]) -> str:
    """What a log says of a failure: its error, without the traceback; else the last thing that the handler itself wrote."""
    lines = [line for line in log if not line.startswith(("START ", "END ", "REPORT "))]
    errors = [line for line in lines if line.startswith("[ERROR]") or "timed out" in line or "Runtime exited" in line]
    if errors:
        return " ".join(errors[0].splitlines()[0].removeprefix("[ERROR]").split())
    return " ".join(" ".join(lines[-1:]).split())


def _write(language: str, step: Step) -> str:
    decision = step["decision"]
    values = {
        "who": translate(language, _WHO[step["from"]]),
        "op": decision["op"],
        "key": decision["key"],
        "error": decision.get("error"),
    }
    is_deletion = decision["op"] == "DeleteItem"
    if decision["result"] == "refused":
        if not decision["key"] or decision["error"] == "ResourceNotFoundException":
            message = "{who} called {operation} on {name}: refused with {error}."
            return translate(language, message, operation=decision["op"], name=decision["table"], **values)
        if is_deletion:
            return translate(
                language,
                "{who} tried to delete the item {key}: refused with {error}; the table stays as it was.",
                **values,
            )
        return translate(
            language, "{who} called {op} for {key}: refused with {error}; the table stays as it was.", **values
        )
    if is_deletion and decision["before"] is None:
        return translate(language, "{who} called DeleteItem for {key}: there was no such item.", **values)
    if is_deletion:
        return translate(language, "{who} deleted the item {key}.", **values)
    if decision["before"] is None:
        return translate(language, "{who} wrote the item {key}: it is new.", **values)
    if decision["before"] == decision["after"]:
        return translate(language, "{who} wrote the item {key} over an equal one.", **values)
    return translate(language, "{who} wrote over the item {key}: it was another before.", **values)
