"""The jobs that lab 05's guard has to refuse: those that were tried, what became of them, and how to try one.

A job contradicts the stored order, or it is impossible: its id is no text, or its quantity no integer from 1 to 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History, Run
from bentocola.labs.idempotent_consumer import runs
from bentocola.labs.idempotent_consumer.commands import PURGE, send_command
from bentocola.labs.idempotent_consumer.jobs import Job, job_id, shown
from bentocola.labs.verdict import Disproven, Say
from bentocola.messages import listed

__all__ = ["look_for_wrong_ones", "refused_as_they_should", "remarks", "returning", "untried"]

_WAITING = ("visible", "in_flight", "delayed")


@dataclass(frozen=True)
class _Trial:
    """A run that got such a job from the queue."""

    run: Run
    is_impossible: bool
    is_refused: bool
    """Whether the run failed as it has to."""
    key: str = ""
    stored: str = ""
    """The order that the job contradicts, as JSON."""


def look_for_wrong_ones(lab: Lab, history: History, say: Say) -> None:
    """Raise Disproven where such a job was taken, by the present code, or by earlier code since which none was tried."""
    now = _code(lab, history)
    for is_impossible in (False, True):
        trials = [trial for trial in _trials(lab, history) if trial.is_impossible is is_impossible]
        present = [trial for trial in trials if trial.run.code == now]
        wrong = [trial for trial in present or trials[-1:] if not trial.is_refused]
        if wrong:
            said = _fault(wrong[0], say)
            raise Disproven(said if present else untried(said, send_command(wrong[0].run.body()), say))


def untried(said: str, command: str, say: Say) -> str:
    """Return what is said of a run of earlier code, and that the present code has yet to be tried."""
    return (
        f"{said}\n{say('Your present code has not been tried with such a job. Send one: {command}', command=command)}"
    )


def refused_as_they_should(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield a sentence for each kind of job that the present code refused as it has to."""
    history = history.whole or history
    now = _code(lab, history)
    for is_impossible in (False, True):
        last = next(
            (
                trial
                for trial in reversed(list(_trials(lab, history)))
                if (trial.run.code, trial.is_impossible, trial.is_refused) == (now, is_impossible, True)
            ),
            None,
        )
        if last and is_impossible:
            yield say(
                "Run {run} failed as it should: {body} is an impossible job, and nothing was written.",
                run=last.run.id,
                body=last.run.body(),
            )
        elif last:
            yield say(
                "Run {run} failed as it should: {body} contradicts the stored order {stored}.",
                run=last.run.id,
                body=last.run.body(),
                stored=last.stored,
            )


def remarks(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what the present code has not been tried with, and how to be rid of what comes back, while the queue is there."""
    if lab.names["queue"] not in history.held("queue"):
        return
    now = _code(lab, history)
    tried = {trial.is_impossible for trial in _trials(lab, history) if trial.run.code == now}
    job = Job.of(lab, "repeated")
    if False not in tried:
        yield say(
            "Not tried here: a job that contradicts the stored order. Its run has to fail: {command}",
            command=send_command(replace(job, quantity=job.quantity + 1).body),
        )
    if True not in tried:
        yield say(
            "Not tried here: an impossible quantity. Its run has to fail before it writes: {command}",
            command=send_command(replace(job, quantity=True).body),
        )
    seconds = lab.shows["visibility_timeout"]
    if back := returning(lab, history):
        yield say(
            "{messages} comes back every {seconds} s, because its run fails. When you have tried enough, empty the queue, "
            "once every 60 s at the most: {command}",
            messages=listed(back),
            seconds=seconds,
            command=PURGE,
        )
    elif len(tried) < 2:
        yield say(
            "The message of a run that fails comes back every {seconds} s. Try what you want to try, then empty the queue "
            "once: AWS takes one purge-queue every 60 s. {command}",
            seconds=seconds,
            command=PURGE,
        )


def returning(lab: Lab, history: History, *, only_refused: bool = False) -> list[str]:
    """Return the messages in the lab's queue whose runs failed; or only those of jobs that the guard refused as it has to."""
    if only_refused:
        now = _code(lab, history)
        those = [trial.run for trial in _trials(lab, history) if trial.is_refused and trial.run.code == now]
    else:
        those = [run for run in history.runs if run.result in ("error", "died")]
    failed = {message for run in those for message in run.messages}
    return [
        name
        for name, message in history.held("message").items()
        if message["queue"] == lab.names["queue"] and message["state"] in _WAITING and name in failed
    ]


def _code(lab: Lab, history: History) -> str | None:
    return (history.held("function").get(lab.names["function"]) or {}).get("code")


def _trials(lab: Lab, history: History) -> Iterator[_Trial]:
    """The runs of the student's own code that show how it deals with such a job."""
    function = lab.names["function"]
    starter = (history.given.get(f"function/{function}") or {}).get("code")
    for run in history.runs:
        # A run that could not begin, or was cut off, shows nothing of the guard.
        shows = run.result == "ok" or (run.result == "error" and not run.error.startswith("Runtime."))
        if run.function != function or run.code == starter or not run.messages or not shows:
            continue
        job = Job.read(run.body(), lab)
        if job is None and job_id(run.record()):
            yield _Trial(run, True, run.result == "error" and not run.writes)
        elif job:
            met = next((one for one in runs.writes(run, job) if one["before"] not in (None, job.item)), None)
            # Where the other order was written over, more is wrong than how the job was dealt with.
            if met and met["result"] == "refused":
                yield _Trial(run, False, run.result == "error", job.id, shown(met["before"]))


def _fault(trial: _Trial, say: Say) -> str:
    if trial.is_impossible:
        return say(
            "Run {run} took the job {body}. A quantity is an integer from 1 to 10, and anything else has to fail "
            "before it is written.",
            run=trial.run.id,
            body=trial.run.body(),
        )
    return say(
        "Run {run} acknowledged the job {body}, though another order is stored as {key}: {stored}. "
        "That is no duplicate: compare the two, and let the run fail.",
        run=trial.run.id,
        body=trial.run.body(),
        key=trial.key,
        stored=trial.stored,
    )
