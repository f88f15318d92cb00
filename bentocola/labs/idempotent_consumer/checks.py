"""What lab 05 must show, step by step. The engine (`bentocola.labs.verdict`) finds these two functions here.

The rules. They look at what happened, whoever's command it was:

1. At one moment a mapping from the lab's queue to its function was Enabled, with batch size 1, while the queue's visibility
   timeout was 30 s.
2. The function's code is not the starter's, and a *good run* of it made the item of the repeated job: through the queue, with one
   conditional PutItem on the job's id that was accepted where nothing was before; the item is the job's; RESULT says processed.
3. From that write on, no other write on the item was accepted; good runs for two more messages of the same job were refused,
   and their RESULT says duplicate. A good run made the other job's item in the same way. At that moment the orders are these
   two, the queue is there with nothing in it, and the reference item is as it was.

A good run got one message from the mapping, ended without an error, and printed no secret. What failed before is no obstacle: the
message comes back and is run again, and an item that was stored wrongly is deleted and made anew. More repeats than two prove
the same. The clean-up asks for what is there now, and that there was something to clean up.

What the student's code did last with a job counts, as long as the lab's queue is there: a run that went wrong takes steps 2 and 3
back. An upload alone does not, nor does it give them back: that takes the same kind of job for the new code. So it is with the
jobs that have to fail, once one was tried.

Of what is missing a student is told the first thing, in the order in which they can act.
"""

from __future__ import annotations

from collections.abc import Iterator

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History
from bentocola.labs.idempotent_consumer import cleaning, connecting, guarding, repeating, trials
from bentocola.labs.idempotent_consumer.jobs import Job
from bentocola.labs.verdict import Disproven, Missing, Say

__all__ = ["cleanup", "remarks", "step"]

_JOBS = {1: (), 2: ("repeated",), 3: ("repeated", "other")}
"""The jobs that each step is about."""


def step(lab: Lab, history: History, say: Say, number: int) -> Iterator[str]:
    """Look for what a step must show."""
    looks = (connecting.look, guarding.look, repeating.look)
    wrong = next(
        filter(None, (guarding.latest_fault(lab, history, say, Job.of(lab, name)) for name in _JOBS[number])), ""
    )
    try:
        yield from looks[number - 1](lab, history, say)
    except Missing as missing:
        if wrong:
            raise Disproven(str(missing)) from None
        raise
    if wrong:
        raise Disproven(wrong)


def cleanup(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Look for what the clean-up must show."""
    return cleaning.look(lab, history, say)


def remarks(lab: Lab, history: History, say: Say, number: int | None) -> Iterator[str]:
    """Yield what is worth knowing of a step that holds, or of the clean-up."""
    if number is None:
        yield from cleaning.remarks(lab, history, say)
    elif number == 1:
        yield from connecting.remarks(history, say)
    else:
        yield from trials.remarks(lab, history, say)
