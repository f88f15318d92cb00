"""The sentences in which a test cell says how an answer fared, and at which line of whose cell it stopped. It reads `linecache`.

`say` is `Cloud.say`; what is returned is one line each.
"""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable
from types import TracebackType

__all__ = ["blank", "did_not_hold", "fell", "is_prediction", "missing", "not_set_up", "own_line", "passed"]

Say = Callable[..., str]

# Put together, so that this file is not taken for one that gives a test away.
_BEGIN, _END = (" ".join(("###", mark, "HIDDEN", "TESTS")) for mark in ("BEGIN", "END"))
_LONGEST = 1000


def is_prediction(answer: str) -> bool:
    """Whether the answer is a value that a student predicts, and no function."""
    return answer.startswith("prediction")


def passed(say: Say, answer: str, cases: int) -> str:
    """Return that all holds. `cases`: how many schedules were tried."""
    if is_prediction(answer):
        return say("{answer}: its type is right. The value is looked at in grading.", answer=answer)
    if cases:
        return say(
            "{answer}: all that this cell tests holds, in {cases} different stories.", answer=answer, cases=cases
        )
    return say("{answer}: all that this cell tests holds.", answer=answer)


def blank(say: Say, answer: str, points: float) -> str:
    """Return that an answer is still to be written, and how many points wait for it."""
    if is_prediction(answer):
        return say(
            "{answer} is still empty. Write your prediction in the cell above, run it and repeat this test. "
            "So far: 0 of {points} points.",
            answer=answer,
            points=f"{points:g}",
        )
    return say(
        "{answer} has no code yet, or still raises NotImplementedError. Mend the cell above, run it and repeat this test. "
        "So far: 0 of {points} points.",
        answer=answer,
        points=f"{points:g}",
    )


def missing(say: Say, answer: str) -> str:
    """Return that nothing of that name exists."""
    return say(
        "{answer} does not exist. Was its name changed, or did its cell end with an error? Look at the cell above, "
        "run it and repeat this test.",
        answer=answer,
    )


def not_set_up(say: Say, answer: str, name: str) -> str:
    """Return that the test cell itself lacks a name, which the set-up cell gives it."""
    return say(
        "What happened: this test cell does not know {name}. That is not the fault of {answer}. "
        "Run the set-up cell and come back here.",
        name=name,
        answer=answer,
    )


def fell(say: Say, answer: str, error: Exception, where: TracebackType | None) -> str:
    """Return with what exception the student's code stopped, and at which line of theirs. `where`: its traceback."""
    said = " ".join(f"{type(error).__name__}: {error}"[:_LONGEST].split())
    frames = [frame for frame in traceback.extract_tb(where) if _is_cell(frame.filename)]
    # The first one is the test cell's own, and so is a helper of its that the answer called back.
    frames = [frame for frame in frames if frame.filename != frames[0].filename]
    if not frames:
        return say("What happened: {answer} stopped with {error}.", answer=answer, error=said)
    line = linecache.getline(frames[-1].filename, frames[-1].lineno or 0).strip()
    return say(
        "What happened: {answer} stopped with {error} at line {number}: {line}",
        answer=answer,
        error=said,
        number=frames[-1].lineno,
        line=line,
    )


def did_not_hold(say: Say, error: AssertionError, line: str) -> str:
    """Return that an `assert` of the test cell did not hold. `line`: as the student sees it; "" for one that they do not see."""
    told = " ".join(str(error)[:_LONGEST].split())
    if line and told:
        return say(
            "What happened: a line of this test did not hold: {line} It says: {message}", line=line, message=told
        )
    if line:
        return say("What happened: a line of this test did not hold: {line}", line=line)
    if told:
        return say("What happened: a line of this test did not hold. It says: {message}", message=told)
    return say("What happened: a line of this test did not hold.")


def own_line(where: TracebackType | None) -> str | None:
    """Return the line that raised if it is the test cell's own, else None. One between nbgrader's marks of hidden tests is "".

    `where`: the traceback, from the test cell on.
    """
    frames = traceback.extract_tb(where)
    if not frames or frames[-1].filename != frames[0].filename:
        return None
    lines = linecache.getlines(frames[-1].filename)
    number = frames[-1].lineno or 0
    marks = [line.strip() for line in lines[:number] if line.strip() in (_BEGIN, _END)]
    return "" if marks[-1:] == [_BEGIN] or number > len(lines) else lines[number - 1].strip()


def _is_cell(filename: str) -> bool:
    """Whether a frame's file is a notebook cell: ipykernel compiles each under a name of its own."""
    return "ipykernel" in filename or filename.startswith("<ipython-input")
