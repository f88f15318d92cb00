"""What is handed from part to part: a job, the limits, and the record of what came of it. Data only, as JSON on disk.

A record is what a point traces to: which check, where it ran, under which digests and protection. Times stand apart, in `ran`:
everything else is the same in two runs.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

__all__ = [
    "CAUSES",
    "SCHEMA",
    "CheckResult",
    "Job",
    "LimitHit",
    "Limits",
    "Note",
    "Outcome",
    "Record",
    "Said",
    "TestFault",
]

SCHEMA = 1
"""The version of what is on disk; a record of another one is made anew."""

Cause = Literal[
    "error",
    "time",
    "memory",
    "exit",
    "signal",
    "output",
    "processes",
    "disk",
    "cloud",
    "gone",
    "protocol",
    "examiner",
    "test-fault",
    "missing",
]
CAUSES: dict[str, str] = {
    "error": "the code under test raised, or an assertion did not hold",
    "time": "the cell's or the submission's time was over",
    "memory": "more memory was asked for than is allowed",
    "exit": "the candidate's process ended itself (os._exit, say)",
    "signal": "the candidate's process was ended by a signal of its own making",
    "output": "more output than is kept: what is over the limit was dropped",
    "processes": "more processes than are allowed",
    "disk": "the working folder was full",
    "cloud": "the local cloud refused: too many bytes, or a request that took too long",
    "gone": "there was no candidate any more: an earlier cell had ended it",
    "protocol": "what the candidate's process sent was no answer",
    "examiner": "the examiner did not end in time or died over what it was given",
    "test-fault": "the test cell itself did not give a score: for the teacher, never a grade",
    "missing": "nothing was handed in for it",
}
"""Why a check did not give its points, or a cell was stopped, by name; the value is for maintainers."""


@dataclass(frozen=True)
class Limits:
    """How much a submission may use. Seconds, bytes, counts."""

    cell_seconds: float = 30
    submission_seconds: float = 300
    grace_seconds: float = 2
    """How long an interrupted cell may take to stop, before its process is killed."""
    memory_bytes: int = 2 << 30
    processes: int = 64
    file_bytes: int = 64 << 20
    disk_bytes: int = 64 << 20
    output_bytes: int = 1 << 20
    """Of one cell, as nbgrader's notebook keeps it."""
    output_lines: int = 1000
    notebook_bytes: int = 20 << 20
    request_seconds: float = 10
    """What one request to the local cloud may take in the examiner."""
    cloud_bytes: int = 256 << 20
    """All that a submission sends to the local cloud."""
    nesting: int = 64
    """How deep values, and calls between examiner and candidate, may be nested."""


_PATHS = ("source", "submitted", "paper", "out")


@dataclass(frozen=True)
class Job:
    """One student's submission of one assignment, as paths and digests: all that a worker on another machine would need."""

    assignment: str
    student: str
    notebooks: tuple[str, ...]
    """The names of the assignment's notebooks, without ending, in the source's order."""
    source: Path
    """The assignment's folder under `source/`."""
    submitted: Path
    """The student's folder for the assignment under `submitted/`."""
    paper: Path
    """The prepared assignment, as `paper.write` left it."""
    out: Path
    """An empty folder that is the worker's own: it writes NAME.ipynb and NAME.json into it, and nothing else elsewhere."""
    digest: str
    """Of submission, tests, environment and settings."""
    level: str
    """The level of protection to apply: "A" to "D"."""
    limits: Limits = field(default_factory=Limits)
    exclude: tuple[str, ...] = ()
    """Files of the source that do not overwrite the student's (nbgrader's exclude_overwriting)."""

    def as_json(self) -> dict[str, Any]:
        """Return it as what `json.dump` takes."""
        return {**dataclasses.asdict(self), **{name: str(getattr(self, name)) for name in _PATHS}}

    @classmethod
    def from_json(cls, data: Any) -> Job:
        """Return the job that `as_json` gave. It comes from our own main process: anything else is a TypeError or a KeyError."""
        return cls(
            **{
                **data,
                **{name: Path(data[name]) for name in _PATHS},
                "notebooks": tuple(data["notebooks"]),
                "limits": Limits(**data["limits"]),
                "exclude": tuple(data["exclude"]),
            }
        )


@dataclass(frozen=True)
class Note:
    """Something to tell a teacher or a student: an English msgid of the catalogues, and what goes into its places."""

    message: str
    values: dict[str, str] = field(default_factory=dict)
    cell: str | None = None
    """The cell that it is about: a grade_id or a cell's id."""
    code: str = ""
    """A short name, for tests and for counting: "duplicate-cell", "bom", …"""


@dataclass(frozen=True)
class LimitHit:
    """A cell that was stopped, or cut, at a limit."""

    cell: str
    cause: str
    detail: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TestFault:
    """A test cell that gave no score: what came instead. For the teacher."""

    cell: str
    got: str


@dataclass(frozen=True)
class Said:
    """One thing that feedback may tell the student about a check. Nothing here shows a line or a value of a hidden test.

    `kind`: "course" (a message of `bentocola.checks`), "assertion" (a visible assert: its line and message), "raised" (an
    exception of the student's own code), "hidden" (a hidden test did not hold, and no more is to be said), "cause" (see CAUSES).
    """

    kind: Literal["course", "assertion", "raised", "hidden", "cause"]
    texts: dict[str, str] = field(default_factory=dict)
    """By language ("es", "ja"), where it is known in several; else under "" alone."""
    line: str | None = None
    """The line of source that it is about: of a visible test, or of the student's own cell."""
    cause: str | None = None
    number: int | None = None
    """Of a line of the student's own: which line of its cell it is, from 1, as the candidate tells."""
    story: dict[str, list[str]] = field(default_factory=dict)
    """By language: the shortest sequence of events that shows it, a sentence each. Not told where it is empty."""


@dataclass(frozen=True)
class CheckResult:
    """One graded cell. `earned` is None where a person gives the points."""

    cell: str
    possible: float
    earned: float | None
    cause: str | None = None
    where: Literal["examiner", "candidate", "nobody"] = "examiner"
    """"candidate": a test that cannot run apart, marked so; "nobody": it was not run (or needs no run)."""
    said: tuple[Said, ...] = ()
    answered: bool = True
    """False for a solution cell that is as it was released."""
    seed: int | None = None
    """Of the schedules that the test tried last, if it tried any: a run with it finds the same."""
    digest: str = ""
    """Of the test cell's source."""


@dataclass(frozen=True)
class Outcome:
    """What a room answers when it has run a cell."""

    status: Literal["ok", "error"]
    ename: str = ""
    evalue: str = ""
    traceback: tuple[str, ...] = ()
    execution_count: int | None = None
    earned: float | None = None
    """Of a test cell, in points; None when `fault` says why there is none."""
    fault: str | None = None
    """What a test cell gave in the place of a score. For the teacher."""
    cause: str | None = None
    said: tuple[Said, ...] = ()
    seed: int | None = None
    """See `CheckResult.seed`."""


@dataclass(frozen=True)
class Record:
    """What came of one notebook of one submission."""

    assignment: str
    student: str
    notebook: str
    digest: str
    level: str
    state: Literal["graded", "refused"] = "graded"
    refusal: Note | None = None
    repairs: tuple[Note, ...] = ()
    limits: tuple[LimitHit, ...] = ()
    faults: tuple[TestFault, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    digests: dict[str, str] = field(default_factory=dict)
    """"submission", "source", "environment", "settings": what `digest` is made from."""
    ran: dict[str, Any] = field(default_factory=dict)
    """"at" (UTC, ISO 8601), "seconds", "opened" (until the rooms were ready), "cells" (by cell): all in which two runs differ."""
    schema: int = SCHEMA

    @property
    def earned(self) -> float:
        """Points so far, without what a person gives."""
        return sum(check.earned or 0 for check in self.checks)

    def as_json(self) -> dict[str, Any]:
        """Return it as what `json.dump` takes."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """Return the record that `as_json` gave. Raises ValueError for anything else."""
        try:
            if data["schema"] != SCHEMA:
                raise ValueError(f"Expected a record of schema {SCHEMA}, got {data['schema']!r}.")
            return cls(
                **{
                    **data,
                    "refusal": data["refusal"] and Note(**data["refusal"]),
                    "repairs": tuple(Note(**note) for note in data["repairs"]),
                    "limits": tuple(LimitHit(**hit) for hit in data["limits"]),
                    "faults": tuple(TestFault(**fault) for fault in data["faults"]),
                    "checks": tuple(_check(check) for check in data["checks"]),
                }
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"This is no record of a graded notebook: {error}") from error


def _check(data: dict[str, Any]) -> CheckResult:
    return CheckResult(**{**data, "said": tuple(Said(**said) for said in data["said"])})
