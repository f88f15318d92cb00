"""Step 1 of lab 05: a queue, and a mapping from it to the function."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History
from bentocola.labs.verdict import Missing, Say
from bentocola.messages import listed

__all__ = ["look", "remarks"]

_PASSING = {"Creating", "Enabling", "Updating"}


def look(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what is proven. Raises Missing."""
    queue, seconds = _queue(lab, history, say)
    number = len(history.steps)
    if history.whole is None:
        yield say("In {queue} a received message stays hidden for {seconds} s.", queue=queue, seconds=seconds)
    else:
        yield say(
            "After step {number} a received message stayed hidden for {seconds} s in {queue}.",
            number=number,
            queue=queue,
            seconds=seconds,
        )
    uuid, mapping = _mapping(lab, history, say)
    if history.whole is not None:
        yield say(
            "The mapping {uuid} handed {function} one message of {queue} at a time, and was Enabled.",
            uuid=uuid,
            function=mapping["function"],
            queue=queue,
        )
        return
    yield say(
        "The mapping {uuid} hands {function} one message of {queue} at a time, and is Enabled.",
        uuid=uuid,
        function=mapping["function"],
        queue=queue,
    )


def remarks(history: History, say: Say) -> Iterator[str]:
    """Yield what is worth knowing of a step that holds."""
    if _was_made_twice(history):
        yield say(
            "A second create-event-source-mapping was refused with ResourceConflictException: one mapping is enough."
        )


def _queue(lab: Lab, history: History, say: Say) -> tuple[str, int]:
    name, expected = lab.names["queue"], lab.shows["visibility_timeout"]
    command = f"aws sqs create-queue --queue-name {name} --attributes VisibilityTimeout={expected}"
    queues = history.held("queue")
    if name not in queues and queues:
        raise Missing(
            say(
                "There is a queue {got}, and the lab works with {queue}. Make it: {command}",
                got=listed(queues),
                queue=name,
                command=command,
            )
        )
    if name not in queues:
        raise Missing(say("There is no queue {queue} yet. Make it: {command}", queue=name, command=command))
    got = int(queues[name]["visibility_timeout"])
    if got != expected:
        command = f'aws sqs set-queue-attributes --queue-url "$QUEUE_URL" --attributes VisibilityTimeout={expected}'
        if _too_short(lab, history):
            raise Missing(
                say(
                    "{queue} hides a received message for {got} s, and the lab asks for {expected}. That is why "
                    "create-event-source-mapping was refused. Set it, and then repeat point 3 of step 1: {command}",
                    queue=name,
                    got=got,
                    expected=expected,
                    command=command,
                )
            )
        raise Missing(
            say(
                "{queue} hides a received message for {got} s, and the lab asks for {expected}. Set it: {command}",
                queue=name,
                got=got,
                expected=expected,
                command=command,
            )
        )
    return name, got


def _mapping(lab: Lab, history: History, say: Say) -> tuple[str, Mapping[str, Any]]:
    queue, function, batch_size = lab.names["queue"], lab.names["function"], lab.shows["batch_size"]
    mappings = {uuid: one for uuid, one in history.held("mapping").items() if one["state"] != "Deleting"}
    ours = {uuid: one for uuid, one in mappings.items() if (one["queue"], one["function"]) == (queue, function)}
    if not ours:
        if told := _too_short(lab, history):
            raise Missing(
                say(
                    "create-event-source-mapping was refused: «{told}». That is mended by now: repeat point 3 of step 1.",
                    told=told,
                )
            )
        _say_why_there_is_none(history, say, queue, function, mappings)
    uuid, mapping = next(iter(ours.items()))
    if mapping["batch_size"] != batch_size:
        command = f"aws lambda update-event-source-mapping --uuid {uuid} --batch-size {batch_size}"
        if _was_made_twice(history):
            raise Missing(
                say(
                    "The mapping still hands over up to {got} messages at a time. Making a second one is refused with "
                    "ResourceConflictException, so change the one there is: {command}",
                    got=mapping["batch_size"],
                    command=command,
                )
            )
        raise Missing(
            say(
                "The mapping hands over up to {got} messages at a time, and the lab asks for {expected}. Change it: {command}",
                got=mapping["batch_size"],
                expected=batch_size,
                command=command,
            )
        )
    if mapping["state"] in _PASSING:
        raise Missing(say("The mapping is still {state}. Look again in a moment.", state=mapping["state"]))
    if mapping["state"] != "Enabled":
        command = f"aws lambda update-event-source-mapping --uuid {uuid} --enabled"
        raise Missing(
            say(
                "The mapping is {state}, so nobody fetches messages. Switch it on: {command}",
                state=mapping["state"],
                command=command,
            )
        )
    return uuid, mapping


def _say_why_there_is_none(
    history: History, say: Say, queue: str, function: str, others: Mapping[str, Mapping[str, Any]]
) -> NoReturn:
    for one in others.values():
        raise Missing(
            say(
                "The mapping leads from {got_queue} to {got_function}, and the lab asks for one from {queue} to {function}.",
                got_queue=one["queue"],
                got_function=one["function"],
                queue=queue,
                function=function,
            )
        )
    tried = history.calls("lambda:CreateEventSourceMapping")
    if tried and "error" in tried[-1]:
        raise Missing(
            say(
                "create-event-source-mapping was refused with {error}, so no mapping leads from {queue} to {function} yet. "
                "Compare the queue's ARN and the function's name with these.",
                error=tried[-1]["error"],
                queue=queue,
                function=function,
            )
        )
    raise Missing(
        say(
            "No event source mapping leads from {queue} to {function} yet. create-event-source-mapping makes one.",
            queue=queue,
            function=function,
        )
    )


def _too_short(lab: Lab, history: History) -> str:
    """What AWS said when it refused the latest mapping because of the queue's visibility timeout; empty where it did not."""
    tried = history.calls("lambda:CreateEventSourceMapping")
    if not tried or tried[-1].get("error") != "InvalidParameterValueException":
        return ""
    then = history.until(tried[-1]["n"])
    queue, function = (then.held(kind).get(lab.names[kind]) for kind in ("queue", "function"))
    if queue is None or function is None or _asked_queue(tried[-1]) != lab.names["queue"]:
        return ""
    hidden, limit = int(queue["visibility_timeout"]), int(function["timeout"])
    # The trace keeps the error's code, and not its message.
    return (
        f"Queue visibility timeout: {hidden} seconds is less than Function timeout: {limit} seconds"
        if hidden < limit
        else ""
    )


def _asked_queue(step: Mapping[str, Any]) -> str:
    """The name of the queue that a mapping was asked for; empty where the request is not legible."""
    try:
        return str(json.loads(step["wire"]["text"].partition("\n\n")[2])["EventSourceArn"]).rpartition(":")[2]
    except (KeyError, TypeError, ValueError):
        return ""


def _was_made_twice(history: History) -> bool:
    tried = history.calls("lambda:CreateEventSourceMapping")
    return any(step.get("error") == "ResourceConflictException" for step in tried)
