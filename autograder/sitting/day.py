"""A job's notebooks, one after the other: each is brought in, sat, and written down."""

from __future__ import annotations

import datetime
import time
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from typing import Any

from ipykernel.ipkernel import IPythonKernel
from nbformat import NotebookNode

from autograder import intake
from autograder import paper as papers
from autograder.peer import PeerError, PeerGone, ProtocolError
from autograder.records import CheckResult, Job, Note, Record
from autograder.sheet import Paper, PaperNotebook
from autograder.sitting import marks
from autograder.sitting.bell import bell
from autograder.sitting.rooms import Room
from autograder.sitting.sitting import Sat, Sitting
from autograder.sitting.written import blank, write_notebook, write_record
from autograder.voice import voice

__all__ = ["sit"]

_ENTER_SECONDS = 60
"""For locking two rooms and handing over files: long, because a busy machine is nobody's fault."""


def sit(job: Job, rooms: Mapping[str, tuple[Room, Room]], secret: str = "") -> None:
    """Grade each notebook of a job in its two rooms, and write notebooks and records into `job.out`.

    `secret`: the course's, for examiners only.
    """
    paper = papers.read(job.paper)
    for name, (candidate, examiner) in rooms.items():
        sheet = paper.notebook(name)
        if sheet is None:
            raise ValueError(f"The paper of {job.assignment} has no notebook {name}: prepare it again.")
        _one(job, paper, sheet, candidate, examiner, secret)


def _one(job: Job, paper: Paper, sheet: PaperNotebook, candidate: Room, examiner: Room, secret: str) -> None:
    begun, at = time.monotonic(), datetime.datetime.now(datetime.UTC)
    opened = 0.0
    taken = intake.take_in(job.submitted, paper, sheet.name, job.limits)
    notebook, notes, sat = taken.notebook, list(taken.repairs), Sat()
    with ExitStack() as rooms:
        rooms.callback(candidate.close)
        rooms.callback(examiner.close)
        if notebook is None:
            notebook = blank(sheet)
            checks = [marks.without_run(cell, "missing") for cell in sheet.cells if cell.role in marks.GRADED]
        else:
            notes += _prepare(job, paper, sheet, candidate, examiner, secret)
            opened = round(time.monotonic() - begun, 4)
            sat = Sitting(notebook, sheet, candidate, examiner, job.limits, voice(paper.language)).run()
            checks = _checks(sheet, taken.untouched, sat)
            notebook.metadata["language_info"] = NotebookNode(IPythonKernel.language_info)  # type: ignore[no-untyped-call]  # as stock does
        # They end while this is written down.
        examiner.dismiss()
        candidate.dismiss()
        seconds = round(time.monotonic() - begun, 3)
        record = Record(
            assignment=job.assignment,
            student=job.student,
            notebook=sheet.name,
            digest=job.digest,
            level=job.level,
            state="graded" if taken.notebook is not None else "refused",
            refusal=taken.refusal,
            repairs=tuple(notes),
            limits=tuple(sat.limits),
            faults=tuple(sat.faults),
            checks=tuple(checks),
            ran={"at": at.isoformat(timespec="seconds"), "seconds": seconds, "opened": opened, "cells": sat.seconds},
        )
        write_notebook(notebook, job.out / f"{sheet.name}.ipynb")
        write_record(record, job.out / f"{sheet.name}.json")


def _prepare(job: Job, paper: Paper, sheet: PaperNotebook, candidate: Room, examiner: Room, secret: str) -> list[Note]:
    """Hand both rooms their files, and the examiner the notebook's sheet. Returns what there is to tell of the student's files.

    Raises RuntimeError if a room does not answer: no line of the student's has run yet, so it is not the student's doing.
    """
    extras, notes = intake.extra_files(job.submitted, paper, job.limits, job.exclude)
    own = {extra.name for extra in extras}
    try:
        with bell((_ENTER_SECONDS, candidate.kill), (0, examiner.kill)):
            for name in paper.files:
                data = (job.source / name).read_bytes()
                examiner.peer.call("files", {"path": name}, data)
                if name not in own:
                    candidate.peer.call("files", {"path": name}, data)
            for extra in extras:
                try:
                    data = intake.read_regular(extra.path, job.limits.file_bytes, extra.name)
                except intake.Refused as refused:
                    notes.append(refused.note)
                else:
                    candidate.peer.call("files", {"path": extra.name}, data)
            opening = {"language": paper.language, "notebook": _as_json(sheet), "secret": secret}
            examiner.peer.call("open", opening)
            candidate.peer.call("ping", {})
    except (PeerError, PeerGone, ProtocolError) as error:
        for room in (candidate, examiner):
            if not room.alive:
                room.ended()
        raise RuntimeError(f"A room did not open: {error}") from error
    return notes


def _as_json(sheet: PaperNotebook) -> dict[str, Any]:
    """Return what `dataclasses.asdict` does, without its copies of everything."""
    return {
        **vars(sheet),
        "cells": [vars(cell) for cell in sheet.cells],
        "layout": [vars(place) for place in sheet.layout],
    }


def _checks(sheet: PaperNotebook, untouched: AbstractSet[str], sat: Sat) -> list[CheckResult]:
    """Return the results of all cells with points, in the paper's order."""
    checks = []
    for cell in sheet.cells:
        if cell.role == "test":
            checks.append(sat.checks.get(cell.grade_id) or marks.without_run(cell, "missing"))
        elif cell.role in marks.GRADED:
            checks.append(marks.graded_by_person(cell, untouched))
    return checks
