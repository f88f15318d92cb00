"""Step 2 of lab 05: the first write of a job, by the student's own code and under its condition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History, Run
from bentocola.labs.idempotent_consumer import runs, trials
from bentocola.labs.idempotent_consumer.commands import delete_command, send_command
from bentocola.labs.idempotent_consumer.jobs import Job, job_id
from bentocola.labs.verdict import Missing, Say

__all__ = ["first_write", "how_it_was_sent", "latest_fault", "look", "told_of"]


def look(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what is proven. Raises Missing."""
    job = Job.of(lab, "repeated")
    made = first_write(lab, history, say, job)
    trials.look_for_wrong_ones(lab, history, say)
    yield say("{function} no longer runs the starter's code, but yours.", function=lab.names["function"])
    yield told_of(made, job, say)
    yield from trials.refused_as_they_should(lab, history, say)


def told_of(made: Run, job: Job, say: Say) -> str:
    """Return the sentence for a first write."""
    return say(
        "Run {run} stored {key}, total {total}. Nothing was there before, and the condition {condition} was met.",
        run=made.id,
        key=job.id,
        total=job.item["total_cents"],
        condition=runs.writes(made, job)[0]["condition"],
    )


def first_write(lab: Lab, history: History, say: Say, job: Job) -> Run:
    """Return the good run that made the job's item as it is now. Raises Missing where there is none."""
    orders, function = lab.names["orders"], lab.names["function"]
    starter = (history.given.get(f"function/{function}") or {}).get("code")
    now = (history.held("function").get(function) or {}).get("code")
    ours = [run for run in history.runs if run.function == function]
    since = _there_since(history, orders, job.id)
    made = next((run for run in ours if since in [write["n"] for write in run.writes]), None)
    if made and made.code != starter and not runs.fault(made, job, lab, say):
        return made
    if now == starter:
        _say_that_it_is_the_starter(history, say, function)
    if made and made.code == now:
        raise Missing(runs.fault(made, job, lab, say))
    tried = [run for run in ours if run.code == now and job_id(run.record()) in (job.id, "")]
    if tried and tried[-1].error.startswith("Runtime."):  # the package is of no use, whatever is stored
        raise Missing(runs.fault(tried[-1], job, lab, say))
    if since is not None:
        raise Missing(
            say(
                "{key} was stored before your present code was there, so nothing shows its first write. "
                "Delete the item, and send the job again: {command}",
                key=job.id,
                command=f"{delete_command(orders, job.id)}\n{send_command(job.body)}",
            )
        )
    if tried:
        # A good run, whose item somebody has deleted since, has no fault.
        was_repeat = any(write["result"] == "refused" for write in tried[-1].writes)
        raise Missing(
            runs.fault(tried[-1], job, lab, say, repeat=was_repeat)
            or say(
                "{key} is no longer in {orders}. Send the job again: {command}",
                key=job.id,
                orders=orders,
                command=send_command(job.body),
            )
        )
    raise Missing(_why_no_run_got_it(lab, history, say, job))


def latest_fault(lab: Lab, history: History, say: Say, job: Job) -> str:
    """Return what is wrong with the latest run for a job: of the present code, else of the student's earlier code.

    Empty where nothing is, or the lab is cleaned up.
    """
    function = lab.names["function"]
    starter = (history.given.get(f"function/{function}") or {}).get("code")
    now = (history.held("function").get(function) or {}).get("code")
    if lab.names["queue"] not in history.held("queue"):
        return ""
    tried = [
        run
        for run in history.runs
        if run.function == function
        and run.code != starter
        and not run.by_hand
        and run.result
        and (Job.read(run.body(), lab) == job or _overwrote(run, job))
        and not _had_to_fail(run, job)
    ]
    latest = next((run for run in reversed(tried) if run.code == now), tried[-1] if tried else None)
    if latest is None:
        return ""
    repeat = any(write["before"] is not None for write in runs.writes(latest, job))
    said = runs.fault(latest, job, lab, say, repeat=repeat)
    return trials.untried(said, send_command(job.body), say) if said and latest.code != now else said


def _overwrote(run: Run, job: Job) -> bool:
    """Whether a run wrote over the job's stored order, whatever its own message asked for."""
    return any(write["before"] is not None and write["result"] == "accepted" for write in runs.writes(run, job))


def _had_to_fail(run: Run, job: Job) -> bool:
    """Whether a run failed because of what was there, or of the services: that shows nothing of its code."""
    another = any(write["before"] not in (None, job.item) for write in runs.writes(run, job))
    undecided = len(run.writes) > len(runs.writes(run, job))
    return run.result != "ok" and (another or undecided)


def _there_since(history: History, table: str, key: str) -> int | None:
    """Return the step in which the item that is there now came to be, 0 for one from the beginning; None where there is none."""
    path = f"item/{table}/{key}"
    since = 0 if path in history.initial else None
    for step in history.steps:
        for changed, old, new in step["set"]:
            if changed == path and (old is None or new is None):
                since = step["n"] if new is not None else None
    return since


def _say_that_it_is_the_starter(history: History, say: Say, function: str) -> NoReturn:
    tried = history.calls("lambda:UpdateFunctionCode")
    if tried and "error" in tried[-1]:
        raise Missing(
            say(
                "update-function-code was refused with {error}, so {function} still has the starter's code. "
                "Look into the zip, and upload it again: {command}",
                error=tried[-1]["error"],
                function=function,
                command="python -m zipfile -l function.zip",
            )
        )
    command = f"aws lambda update-function-code --function-name {function} --zip-file fileb://function.zip"
    raise Missing(
        say(
            "{function} still has the starter's code. Put the guard into app.py, zip it and upload it: {command}",
            function=function,
            command=command,
        )
    )


def _why_no_run_got_it(lab: Lab, history: History, say: Say, job: Job) -> str:
    """Why no run of the present code has got a job through the queue."""
    queue, function = lab.names["queue"], lab.names["function"]
    for name, message in history.held("message").items():
        if message["queue"] != queue or job_id({"body": message["label"]}) != job.id:
            continue
        if message["state"] == "in_flight":
            return say(
                "Message {message} is with {function}, or hidden since a run that failed. Look again in a moment.",
                message=name,
                function=function,
            )
        if message["state"] in ("visible", "delayed"):
            return say(
                "Message {message} waits in {queue}, and nobody fetches it. Is the mapping Enabled? {command}",
                message=name,
                queue=queue,
                command=f"aws lambda list-event-source-mappings --function-name {function}",
            )
    if said := how_it_was_sent(history, say, queue, job):
        return said
    if any(run.by_hand and run.function == function for run in history.runs):
        return say(
            "{function} was invoked by hand, and that is not how the queue's jobs come. Send the job to the queue: {command}",
            function=function,
            command=send_command(job.body),
        )
    return say(
        "No run has got the job {key} from the queue yet. Send it: {command}",
        key=job.id,
        command=send_command(job.body),
    )


def how_it_was_sent(history: History, say: Say, queue: str, job: Job) -> str:
    """What the latest sending shows that went wrong; empty where nothing did."""
    sent = history.calls("sqs:SendMessage", "sqs:SendMessageBatch")
    if not sent:
        return ""
    error, name = sent[-1].get("error", ""), sent[-1].get("name", "")
    if error.endswith(("NonExistentQueue", "QueueDoesNotExist")):
        return say(
            "send-message went to a queue that does not exist ({error}). Ask for the right URL: {command}",
            error=error,
            command=f"aws sqs get-queue-url --queue-name {queue}",
        )
    if error:
        return say(
            "send-message was refused with {error}. Send the job again: {command}",
            error=error,
            command=send_command(job.body),
        )
    if name != queue:
        return say(
            "The last message went to {got}, and the lab's queue is {queue}. Send it there: {command}",
            got=name,
            queue=queue,
            command=send_command(job.body),
        )
    return ""
