"""Step 3 of lab 05: repeats that are refused and acknowledged, another job that is not, and what is there in the end."""

from __future__ import annotations

from collections.abc import Iterator

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History, Run
from bentocola.labs.idempotent_consumer import runs, trials
from bentocola.labs.idempotent_consumer.commands import PURGE, delete_command, put_command, send_command
from bentocola.labs.idempotent_consumer.guarding import first_write, how_it_was_sent, told_of
from bentocola.labs.idempotent_consumer.jobs import Job, job_id, shown
from bentocola.labs.verdict import Disproven, Missing, Say
from bentocola.messages import listed

__all__ = ["look", "look_at_reference"]

_WAITING = ("visible", "in_flight", "delayed")


def look(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what is proven. Raises Missing."""
    repeated, other = Job.of(lab, "repeated"), Job.of(lab, "other")
    look_at_reference(lab, history, say)
    first = first_write(lab, history, say, repeated)
    yield told_of(first, repeated, say)
    later = [run for run in history.runs if run.function == first.function and run.began > first.began]
    _look_for_overwriting(lab, history, say, repeated, first.began)
    trials.look_for_wrong_ones(lab, history, say)
    repeats = [run for run in later if not runs.fault(run, repeated, lab, say, repeat=True)]
    # One run a message: a message that came twice is one sending.
    sent = {run.messages[0]: run for run in reversed(repeats) if run.messages != first.messages}
    if len(sent) < lab.shows["repeats"]:
        raise Missing(_what_the_repeats_lack(lab, history, say, later, len(sent), repeated))
    repeats = [run for run in repeats if run in sent.values()]
    yield say(
        "DynamoDB refused {count} writes of {key}, and the item stayed as it was ({runs}).",
        count=len(repeats),
        key=repeated.id,
        runs=listed(run.id for run in repeats),
    )
    second = first_write(lab, history, say, other)
    yield told_of(second, other, say)
    _look_at_orders(lab, history, say, repeated, other)
    _look_at_queue(lab, history, say)
    counted = sorted((first, *repeats, second), key=lambda run: run.began)
    yield say("{count} runs count: {runs}.", count=len(counted), runs=listed(run.id for run in counted))
    if history.whole is None:
        yield say(
            "{queue} is empty, there are two orders, and the reference item is as it was.", queue=lab.names["queue"]
        )
    else:
        yield say(
            "After step {number} {queue} was empty, there were two orders, and the reference item was as it had been.",
            number=len(history.steps),
            queue=lab.names["queue"],
        )
    yield from trials.refused_as_they_should(lab, history, say)


def look_at_reference(lab: Lab, history: History, say: Say) -> None:
    """Raise Disproven where the table that is to stay as it is has changed."""
    table = lab.names["reference"]
    start = f"item/{table}/"
    before = {path: value for path, value in history.given.items() if path.startswith(start)}
    now = {f"item/{name}": value for name, value in history.held("item").items() if name.startswith(f"{table}/")}
    for path in {**before, **now}:
        key, was, got = path.removeprefix(start), before.get(path), now.get(path)
        if got == was:
            continue
        if was is None:
            raise Disproven(
                say(
                    "{table} was to stay as it is, and {key} is new in it. Delete it: {command}",
                    table=table,
                    key=key,
                    command=delete_command(table, key),
                )
            )
        if got is None:
            raise Disproven(
                say(
                    "{table} was to stay as it is, and {key} is no longer in it. Put it back: {command}",
                    table=table,
                    key=key,
                    command=put_command(table, was),
                )
            )
        raise Disproven(
            say(
                "{table} was to stay as it is. {key} in it was {before} and is now {got}. Put back what was there: {command}",
                table=table,
                key=key,
                before=shown(was),
                got=shown(got),
                command=put_command(table, was),
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
                    command=f"{delete_command(orders, job.id)}\n{send_command(job.body)}",
                )
            )
        raise Missing(
            say(
                "The condition {condition} let a second write of {key} pass (step {number}). It has to look at the key: "
                "attribute_not_exists(id). Mend app.py, delete the item, and send the job again: {command}",
                condition=decision["condition"],
                key=job.id,
                number=step["n"],
                command=f"{delete_command(orders, job.id)}\n{send_command(job.body)}",
            )
        )


def _what_the_repeats_lack(lab: Lab, history: History, say: Say, later: list[Run], count: int, job: Job) -> str:
    tried = [run for run in later if job_id(run.record()) in (job.id, "") and not run.by_hand]
    return (
        (runs.fault(tried[-1], job, lab, say, repeat=True) if tried else "")
        or how_it_was_sent(history, say, lab.names["queue"], job)
        or say(
            "{count} of {expected} repeats of {key} have come through the queue so far. Send it again: {command}",
            count=count,
            expected=lab.shows["repeats"],
            key=job.id,
            command=send_command(job.body),
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
    if queue is None:
        raise Missing(
            say(
                "{queue} is gone, and it was never empty while the four runs and both orders were there. "
                "Make the queue and its mapping again (step 1), and check once more.",
                queue=name,
            )
        )
    if not any(queue[count] for count in _WAITING):
        return
    left = {
        short: message
        for short, message in history.held("message").items()
        if message["queue"] == name and message["state"] in _WAITING
    }
    failed = [run for run in history.runs if run.result in ("error", "died") and set(run.messages) & set(left)]
    tried = trials.returning(lab, history, only_refused=True)
    if tried and set(tried) == set(left):
        raise Missing(
            say(
                "{queue} holds only what was tried, and is to be empty: {messages} comes back every {seconds} s, because its "
                "run fails, as it should. Empty the queue, once every 60 s at the most: {command}",
                queue=name,
                messages=listed(tried),
                seconds=lab.shows["visibility_timeout"],
                command=PURGE,
            )
        )
    if failed:
        raise Missing(
            say(
                "A message of {queue} comes back again and again, because its run fails ({run}: {body}). "
                "Mend app.py if the job is right; else empty the queue, once every 60 s at the most: {command}",
                queue=name,
                run=failed[-1].id,
                body=failed[-1].body(),
                command=PURGE,
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
