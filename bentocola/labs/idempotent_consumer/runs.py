"""What lab 05 asks of one run of the student's function, and the sentence for what it did instead."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import Run
from bentocola.labs.idempotent_consumer.commands import PURGE, delete_command, send_command
from bentocola.labs.idempotent_consumer.jobs import Job, json_object, shown
from bentocola.labs.verdict import Say

__all__ = ["fault", "writes"]


def writes(run: Run, job: Job) -> list[dict[str, Any]]:
    """Return a run's write decisions on the job's key, without what the services could not decide."""
    return [write for write in run.writes if write["key"] == job.id and write.get("error") in (None, _REFUSED)]


def fault(run: Run, job: Job, lab: Lab, say: Say, *, repeat: bool = False) -> str:
    """Return what is wrong with a run that should have done the job; empty for a good one.

    `repeat`: the job had been done before.
    """
    return (
        _fault_of_job(run, job, lab, say)
        or _fault_of_end(run, job, lab, say)
        or _fault_of_write(run, job, lab, say, repeat)
        or _fault_of_log(run, job, lab, say, repeat)
    )


def _fault_of_job(run: Run, job: Job, lab: Lab, say: Say) -> str:
    if run.by_hand:
        return say(
            "Run {run} was invoked by hand, and that is not how the queue's jobs come. Send the job to the queue: {command}",
            run=run.id,
            command=send_command(job.body),
        )
    orders = lab.names["orders"]
    stored = dict.fromkeys(write["key"] for write in run.writes if write["result"] == "accepted")
    if len(run.messages) != 1:
        return say(
            "Run {run} got {count} messages at once, and the lab asks for one at a time: look at step 1 again. "
            "Then delete what it stored, and send the job again: {command}",
            run=run.id,
            count=len(run.messages),
            command="\n".join(filter(None, (delete_command(orders, *stored), send_command(job.body)))),
        )
    if Job.read(run.body(), lab) == job:
        return ""
    if stored:
        return say(
            "Run {run} got {body} and stored an order for it; the lab asks for {expected}. Delete that item, and send this "
            "one: {command}",
            run=run.id,
            body=run.body(),
            expected=job.body,
            command=f"{delete_command(orders, *stored)}\n{send_command(job.body)}",
        )
    if run.result in ("error", "died"):
        return say(
            "Run {run} got {body}, and the lab asks for {expected}. Its message comes back every {seconds} s, so empty the "
            "queue, once every 60 s at the most, and then send this one: {command}",
            run=run.id,
            body=run.body(),
            expected=job.body,
            seconds=lab.shows["visibility_timeout"],
            command=f"{PURGE}\n{send_command(job.body)}",
        )
    return say(
        "Run {run} got {body}, and the lab asks for {expected}. Send this one: {command}",
        run=run.id,
        body=run.body(),
        expected=job.body,
        command=send_command(job.body),
    )


def _fault_of_end(run: Run, job: Job, lab: Lab, say: Say) -> str:
    """What a run says that failed, or has not ended."""
    error, back = run.error, lab.shows["visibility_timeout"]
    if not run.result:
        return say("Run {run} is still at work. Look again in a moment.", run=run.id)
    if run.result == "ok":
        return ""
    module = lab.given["function"]["handler"].rpartition(".")[0]
    if error.startswith("Runtime.ImportModuleError") and f"'{module}'" in error.rpartition(":")[2]:
        return say(
            "Run {run} found no {file} at the root of the zip. Zip it from inside its folder and upload it again: {command}",
            run=run.id,
            file=f"{module}.py",
            command=f"python -m zipfile -c function.zip {module}.py",
        )
    denied = next((api for api, code in run.refused if code.startswith("AccessDenied")), None)
    if denied:
        return say(
            "Run {run} called {operation}, which the function's role does not allow. The refused write's own error brings the "
            "stored item: ReturnValuesOnConditionCheckFailure.",
            run=run.id,
            operation=denied,
        )
    refused = next((one for one in run.writes if one["result"] == "refused" and one["key"] == job.id), None)
    if refused and refused["before"] == job.item and error == "KeyError: 'Item'":
        return say(
            "Run {run} looked for the stored item in the error of a refused write, and it was not there. put_item brings it with "
            "ReturnValuesOnConditionCheckFailure='ALL_OLD'.",
            run=run.id,
        )
    if refused and refused["before"] == job.item:
        return say(
            "Run {run} failed on a refused write ({error}), though the stored order is the one that the job asks for. "
            "That is a finished duplicate: report it, and let the run end well.",
            run=run.id,
            error=_REFUSED if error.startswith(_REFUSED) else error,
        )
    if refused and refused["before"] is not None:
        return say(
            "Run {run} was right to fail: {stored} is stored, and the job asks for another order. "
            "Delete the stored one, and the message's next delivery makes it anew: {command}",
            run=run.id,
            stored=shown(refused["before"]),
            command=delete_command(lab.names["orders"], job.id),
        )
    if run.result == "died":
        return say(
            "Run {run} did not end by itself. Its message comes back {seconds} s after it was fetched.",
            run=run.id,
            seconds=back,
        )
    return say(
        "Run {run} failed: {error}. Mend app.py and upload it; the message comes back {seconds} s after it was fetched.",
        run=run.id,
        error=error.rstrip("."),
        seconds=back,
    )


def _fault_of_write(run: Run, job: Job, lab: Lab, say: Say, repeat: bool) -> str:
    """What is wrong with the one write of a run that ended well."""
    orders = lab.names["orders"]
    tried = [write for write in run.writes if write["table"] == orders]
    if not tried:
        return say(
            "Run {run} ended without a write to {orders}. {again}",
            run=run.id,
            orders=orders,
            again=_again(job, lab, say),
        )
    decided = [write for write in tried if write.get("error") in (None, _REFUSED)]
    if not decided:
        return say(
            "Run {run} acknowledged its message, though its write failed with {error}. "
            "Catch ConditionalCheckFailedException only: any other error has to fail the run.",
            run=run.id,
            error=tried[-1]["error"],
        )
    write = decided[0]
    again = _again(job, lab, say, write["key"])
    if write["key"] == run.record().get("messageId"):
        return say(
            "Run {run} stored the order under the message's id, {key}. A second sending has another one: "
            "the key is the job's own id. {again}",
            run=run.id,
            key=write["key"],
            again=again,
        )
    if write["key"] != job.id:
        return say(
            "Run {run} wrote the key {key}, and the job's id is {expected}. {again}",
            run=run.id,
            key=write["key"],
            expected=job.id,
            again=again,
        )
    if len(decided) > 1 or write["op"] != "PutItem":
        return say(
            "Run {run} wrote {count} times ({operation}). One put_item with its condition is enough. {again}",
            run=run.id,
            count=len(decided),
            operation=write["op"],
            again=again,
        )
    if write["condition"] is None:
        return say(
            "Run {run} wrote {key} without a condition, so a repeat would write it again. {again}",
            run=run.id,
            key=job.id,
            again=again,
        )
    if not repeat and not _looks_at_the_order(write["condition"], job):
        return say(
            "Run {run}: the condition {condition} looks at nothing that an order has, so a repeat would pass it. "
            "The key is id. {again}",
            run=run.id,
            condition=write["condition"],
            again=again,
        )
    if not repeat:
        return _fault_of_item(run, write["after"] or {}, job, lab, say, again)
    if write["result"] == "accepted":
        return say("Run {run} wrote {key} once more. {again}", run=run.id, key=job.id, again=again)
    return ""


def _again(job: Job, lab: Lab, say: Say, *keys: str) -> str:
    """What to do with code that is wrong: with the items that it stored under these keys, too."""
    if not keys:
        return say("Mend app.py, and send the job again: {command}", command=send_command(job.body))
    return say(
        "Mend app.py, delete the item, and send the job again: {command}",
        command=f"{delete_command(lab.names['orders'], *keys)}\n{send_command(job.body)}",
    )


def _looks_at_the_order(condition: str, job: Job) -> bool:
    """Whether a condition names an attribute of the order. What stands for #names the trace does not tell."""
    return "#" in condition or any(re.search(rf"\b{name}\b", condition) for name in job.item)


def _fault_of_item(run: Run, item: Mapping[str, Any], job: Job, lab: Lab, say: Say, again: str) -> str:
    if item == job.item:
        return ""
    for name in ("quantity", "total_cents"):
        if isinstance(item.get(name), str):
            return say(
                'Run {run} stored {name} as text, "{got}"; the lab asks for a number, N. {again}',
                run=run.id,
                name=name,
                got=item[name],
                again=again,
            )
    if item.get("quantity") == job.quantity and item.get("total_cents") not in (None, job.item["total_cents"]):
        return say(
            "Run {run} stored the total {got}, and {each} · {quantity} + {always} is {expected}. {again}",
            run=run.id,
            got=item.get("total_cents"),
            each=lab.shows["cents_each"],
            quantity=job.quantity,
            always=lab.shows["cents_always"],
            expected=job.item["total_cents"],
            again=again,
        )
    return say(
        "Run {run} stored {got}, and the job's item is {expected}. {again}",
        run=run.id,
        got=shown(item),
        expected=shown(job.item),
        again=again,
    )


_REFUSED = "ConditionalCheckFailedException"
_RESULT = re.compile(r"\bRESULT\b\s*(?P<told>.*)", re.DOTALL)


def _fault_of_log(run: Run, job: Job, lab: Lab, say: Say, repeat: bool) -> str:
    """What is wrong with what a run printed."""
    again = _again(job, lab, say, *([] if repeat else [job.id]))
    if run.masked:
        return say(
            "Run {run} printed a secret of its role, and a log keeps what is printed. {again}", run=run.id, again=again
        )
    lines = [found["told"].strip() for line in run.log if (found := _RESULT.search(line))]
    if not lines:
        return say("Run {run} printed no line that begins with RESULT. {again}", run=run.id, again=again)
    told = json_object(lines[-1])
    if told is None:
        return say(
            "After RESULT, run {run} printed {got}, which is no JSON object: json.dumps makes one. {again}",
            run=run.id,
            got=lines[-1],
            again=again,
        )
    got = told.get("processed"), told.get("duplicate")
    if got == (not repeat, repeat):
        return ""
    reported = json.dumps({"processed": got[0], "duplicate": got[1]})
    if repeat:
        return say(
            "DynamoDB refused the write of run {run}, and its RESULT says {got}. It has to report a duplicate. {again}",
            run=run.id,
            got=reported,
            again=again,
        )
    return say("Run {run} stored the order, and its RESULT says {got}. {again}", run=run.id, got=reported, again=again)
