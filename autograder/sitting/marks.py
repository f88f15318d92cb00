"""From what the rooms answered to what is written down: the outcome of a cell, checked, and the result of a check."""

from __future__ import annotations

import errno
import hashlib
import math
from collections.abc import Set as AbstractSet
from typing import Any, Literal

from autograder.records import CAUSES, CheckResult, Outcome, Said
from autograder.sheet import PaperCell
from autograder.sitting.messages import clean

__all__ = ["GRADED", "LIMITS", "details_of", "graded_by_person", "limit_met", "outcome_of", "result", "without_run"]

GRADED = ("test", "manual", "task")
"""The roles of cells with points."""
LIMITS = ("memory", "disk", "processes", "cloud")
"""The causes that are limits of a room, which a cell may meet and go on."""
_LONGEST = 20_000
_MOST_LINES = 10_000
_LARGEST_SEED = 1 << 64


def outcome_of(answer: Any, possible: float | None = None, *, trusted: bool) -> Outcome:
    """Return the outcome that a room answered. Raises ValueError for what is none.

    `possible`: the points of a test, None for any other cell. `trusted`: it comes from the examiner. Of what the candidate says
    of a test, only an error or points within reach are taken.
    """
    answer = clean(answer)
    if not isinstance(answer, dict) or answer.get("status") not in ("ok", "error"):
        raise ValueError("Expected the outcome of a cell.")
    earned, cause, fault = answer.get("earned"), answer.get("cause"), answer.get("fault")
    if possible is not None and answer["status"] == "ok" and earned is None and fault is None:
        raise ValueError("Expected the points of a test that went well.")
    if earned is not None and not _within(earned, possible or 0.0):
        raise ValueError(f"Expected points from 0 to {possible}, got {earned!r}.")
    return Outcome(
        status=answer["status"],
        ename=_text(answer.get("ename", "")),
        evalue=_text(answer.get("evalue", "")),
        earned=None if earned is None else float(earned),
        fault=None if fault is None else _text(fault),
        cause=cause if trusted and cause in CAUSES else None,
        said=tuple(_said(said) for said in answer.get("said", [])) if trusted else (),
        seed=answer.get("seed") if trusted and _is_seed(answer.get("seed")) else None,
    )


def _within(earned: Any, possible: float) -> bool:
    return type(earned) in (int, float) and math.isfinite(earned) and 0 <= earned <= possible


def _is_seed(value: Any) -> bool:
    return type(value) is int and 0 <= value < _LARGEST_SEED


def _said(data: Any) -> Said:
    if not isinstance(data, dict):
        raise ValueError("Expected something that feedback may say.")
    texts = data.get("texts") or {}
    story = data.get("story") or {}
    return Said(
        kind=data["kind"],
        texts={_text(language): _text(text) for language, text in texts.items()},
        line=None if data.get("line") is None else _text(data["line"]),
        cause=data.get("cause") if data.get("cause") in CAUSES else None,
        number=data["number"] if type(data.get("number")) is int and 0 < data["number"] < _MOST_LINES else None,
        story={_text(language): [_text(event) for event in events] for language, events in story.items()},
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"Expected a text, got {type(value).__name__}.")
    return value[:_LONGEST]


def details_of(answer: Any) -> list[dict[str, str]]:
    """Return the details of the limits of the cloud that the examiner tells of. Raises ValueError for what are none."""
    hits = answer.get("hits", []) if isinstance(answer, dict) else []
    return [{_text(name): _text(value) for name, value in hit.items()} for hit in hits]


def limit_met(outcome: Outcome) -> str | None:
    """Return the limit of the room that an outcome tells of, as Python words it."""
    if outcome.cause in LIMITS:
        return outcome.cause
    if outcome.status == "ok":
        return None
    if outcome.ename == "MemoryError":
        return "memory"
    if f"[Errno {errno.ENOSPC}]" in outcome.evalue:
        return "disk"
    no_more = "can't start new thread", f"[Errno {errno.EAGAIN}]"
    return "processes" if any(text in outcome.evalue for text in no_more) else None


def result(cell: PaperCell, outcome: Outcome, *, stopped: str | None = None, known: str | None = None) -> CheckResult:
    """Return what came of a test that ran.

    `stopped`: why it did not end by itself; then it has none of its points. `known`: why points may be missing, where the
    invigilator knows better than the room; it takes none away.
    """
    room: Literal["candidate", "examiner"] = "candidate" if cell.together else "examiner"
    earned: float | None
    cause: str | None
    if stopped is not None:
        earned, cause = 0.0, stopped
    elif outcome.fault is not None:
        # The teacher's own mistake: a person gives the points.
        earned, cause = None, "test-fault"
    else:
        earned = outcome.earned or 0.0
        failed = outcome.cause or ("error" if outcome.status == "error" else None)
        cause = None if earned >= cell.points else known or failed
    said = outcome.said
    if cause not in (None, "error", "test-fault") and (cause != outcome.cause or not said):
        said = (Said("cause", cause=cause),)
    return CheckResult(cell.grade_id, cell.points, earned, cause, room, said, seed=outcome.seed, digest=_digest(cell))


def without_run(cell: PaperCell, cause: str) -> CheckResult:
    """Return the result of a test that did not run: none of its points, and the cause by name."""
    said = (Said("cause", cause=cause),)
    return CheckResult(cell.grade_id, cell.points, 0.0, cause, "nobody", said, cause != "missing", digest=_digest(cell))


def graded_by_person(cell: PaperCell, untouched: AbstractSet[str]) -> CheckResult:
    """Return the result of a cell that a person grades: open, or nothing for an answer that is as it was released.

    `untouched`: the answers that are (see `intake.Taken`).
    """
    metadata = cell.metadata.get("nbgrader", {})
    # The answer to a task stands in cells of the student's own.
    answered = cell.role == "task" or cell.grade_id not in untouched
    if not answered and metadata.get("solution") and cell.role == "manual":
        said = (Said("cause", cause="missing"),)
        return CheckResult(cell.grade_id, cell.points, 0.0, "missing", "nobody", said, False, digest=_digest(cell))
    return CheckResult(cell.grade_id, cell.points, None, None, "nobody", answered=answered, digest=_digest(cell))


def _digest(cell: PaperCell) -> str:
    return hashlib.sha256(cell.text.encode("utf-8", "surrogatepass")).hexdigest()
