"""Step 3 of lab 05: repeats that are refused and acknowledged, another job that is not, and what is there in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History, Run
from bentocola.labs.idempotent_consumer import guarding, runs
from bentocola.labs.idempotent_consumer.guarding import first_write, how_it_was_sent, shown, told_of
from bentocola.labs.idempotent_consumer.runs import Job, delete_command, send_command
from bentocola.labs.verdict import Disproven, Missing, Say

__all__ = ["look", "look_at_reference", "remarks"]

_WAITING = ("visible", "in_flight", "delayed")


def look(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what is proven. Raises Missing."""
    repeated, other = Job.of(lab, "repeated"), Job.of(lab, "other")
    look_at_reference(lab, history, say)
    first = first_write(lab, history, say, repeated)
    yield told_of(first, repeated, say)
    later = [run for run in history.runs if run.function == first.function and run.began > first.began]
    _look_for_overwriting(lab, history, say, repeated, first.began)
    guarding.look_for_what_was_wrongly_acknowledged(lab, history, say)
    repeats = [run for run in later if not runs.fault(run, repeated, lab, say, repeat=True)]
    messages = {message for run in repeats for message in run.messages} - set(first.messages)
    if len(messages) < lab.shows["repeats"]:
        raise Missing(_what_the_repeats_lack(lab, history, say, later, len(messages), repeated))
    yield say(
        "DynamoDB refused {count} more writes of {key}, and the item stayed as it was ({runs}).",
        count=len(messages),
        key=repeated.id,
        runs=say(", ").join(run.id for run in repeats),
    )
    second = first_write(lab, history, say, other)
    yield told_of(second, other, say)
    _look_at_orders(lab, history, say, repeated, other)
    _look_at_queue(lab, history, say)
    yield say(
        "{count} real runs. {queue} is empty, there are two orders, and the reference item is as it was.",
        count=2 + len(repeats),
        queue=lab.names["queue"],
    )


def remarks(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what the present code has not been tried with, as long as it can be."""
    function = lab.names["function"]
    now = (history.held("function").get(function) or {}).get("code")
    if lab.names["queue"] not in history.held("queue"):
        return
    ours = [run for run in history.runs if (run.function, run.code) == (function, now) and runs.job_id(run.record())]
    jobs = [(run, Job.read(run.body(), lab)) for run in ours]
    job = Job.of(lab, "repeated")
    untried = False
    if not any(met and write["before"] not in (None, met.item) for run, met in jobs for write in run.writes):
        untried = True
        yield say(
            "Not tried here: a job that contradicts the stored order. Its run has to fail: {command}",
            command=send_command(replace(job, quantity=job.quantity + 1)),
        )
    if all(met for _, met in jobs):
        untried = True
        yield say(
            "Not tried here: an impossible quantity. Its run has to fail before it writes: {command}",
            command=send_command(replace(job, quantity=True)),
        )
    if untried:
        yield say(
            "The message of a run that fails comes back every {seconds} s until you empty the queue: {command}",
            seconds=lab.shows["visibility_timeout"],
            command='aws sqs purge-queue --queue-url "$QUEUE_URL"',
        )


def look_at_reference(lab: Lab, history: History, say: Say) -> None:
    """Raise Disproven where the table that is to stay as it is has changed."""
    table = lab.names["reference"]
    start = f"item/{table}/"
    before = {path: value for path, value in history.given.items() if path.startswith(start)}
    now = {f"item/{name}": value for name, value in history.held("item").items() if name.startswith(f"{table}/")}
    for path in {**before, **now}:
        if now.get(path) != before.get(path):
            raise Disproven(
                say(
                    "{table} was to stay as it is. {key} in it was {before} and is now {got}: put back what was there.",
                    table=table,
                    key=path.removeprefix(start),
                    before=shown(before.get(path), say),
                    got=shown(now.get(path), say),
                )
            )


def _look_for_overwriting(lab: Lab, history: History, say: Say, job: Job, since: int) -> None:
    orders = lab.names["orders"]
    for step in history.steps[since:]:
        decision = step.get("decision")
        if not decision or (decision["table"], decision["key"], decision["result"]) != (orders, job.id, "accepted"):
            continue
        if decision["before"] is None:  # the first write itself
            continue
        if decision["condition"] is None:
            raise Missing(
                say(
                    "A second write of {key} had no condition and was accepted (step {number}): the order was written again. "
                    "Mend app.py, delete the item, and send the job again: {command}",
                    key=job.id,
                    number=step["n"],
                    command=delete_command(orders, job.id),
                )
            )
        raise Missing(
            say(
                "The condition {condition} let a second write of {key} pass (step {number}). It has to look at the key: "
                "attribute_not_exists(id). Mend app.py, delete the item, and send the job again: {command}",
                condition=decision["condition"],
                key=job.id,
                number=step["n"],
                command=delete_command(orders, job.id),
            )
        )


def _what_the_repeats_lack(lab: Lab, history: History, say: Say, later: list[Run], count: int, job: Job) -> str:
    tried = [run for run in later if runs.job_id(run.record()) in (job.id, "") and not run.by_hand]
    return (
        (runs.fault(tried[-1], job, lab, say, repeat=True) if tried else "")
        or how_it_was_sent(history, say, lab.names["queue"], job)
        or say(
            "{count} of {expected} repeats of {key} have come through the queue so far. Send it again: {command}",
            count=count,
            expected=lab.shows["repeats"],
            key=job.id,
            command=send_command(job),
        )
    )


def _look_at_orders(lab: Lab, history: History, say: Say, *jobs: Job) -> None:
    orders = lab.names["orders"]
    held = history.held("item")
    for key in sorted(name.removeprefix(f"{orders}/") for name in held if name.startswith(f"{orders}/")):
        if key not in [job.id for job in jobs]:
            raise Missing(
                say(
                    "{orders} also holds {key}, and the lab asks for exactly two orders. Delete it: {command}",
                    orders=orders,
                    key=key,
                    command=delete_command(orders, key),
                )
            )


def _look_at_queue(lab: Lab, history: History, say: Say) -> None:
    name = lab.names["queue"]
    queue = history.held("queue").get(name)
    if queue is None or not any(queue[count] for count in _WAITING):
        return
    left = {
        short: message
        for short, message in history.held("message").items()
        if message["queue"] == name and message["state"] in _WAITING
    }
    failed = [run for run in history.runs if run.result in ("error", "died") and set(run.messages) & set(left)]
    if failed:
        raise Missing(
            say(
                "A message of {queue} comes back again and again, because its run fails ({run}: {body}). "
                "Mend app.py if the job is right; else empty the queue: {command}",
                queue=name,
                run=failed[-1].id,
                body=failed[-1].body(),
                command='aws sqs purge-queue --queue-url "$QUEUE_URL"',
            )
        )
    raise Missing(
        say(
            "{queue} still has {visible} messages waiting and {in_flight} in flight. Look again in a moment.",
            queue=name,
            visible=queue["visible"] + queue["delayed"],
            in_flight=queue["in_flight"],
        )
    )
