"""Sittings of the teacher's own: the reference solution, or a blank notebook, handed in as a student would hand it in.

It writes into folders of the run's own, and removes them. Only the main process uses it, with the nursery of its run.
"""

from __future__ import annotations

import dataclasses
import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from autograder import paper as papers
from autograder import results
from autograder.findings import Together
from autograder.nursery import Nursery
from autograder.pool import Finished, Pool
from autograder.records import Job, Limits, Note, Record
from autograder.sheet import Paper, PaperNotebook

__all__ = ["REFERENCE", "Key", "RehearsalError", "Sat", "Sitting", "Stage", "Tried", "marked", "rehearse"]

REFERENCE = "reference"
"""What stands in the place of a student's name."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_TAG = re.compile(r"<[^>]*>")
_LONGEST_ERROR = 300

Key = tuple[str, str]
"""A notebook's name and a cell's id."""


class RehearsalError(RuntimeError):
    """A sitting gave no result, for no reason of the assignment's. `note` says why."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.message.format(**note.values))
        self.note = note


@dataclass(frozen=True)
class Stage:
    """What sittings need. `room` makes an empty folder for one, by its name."""

    source: Path
    room: Callable[[str], Path]
    nursery: Nursery
    level: str
    limits: Limits
    workers: int = 2


@dataclass(frozen=True)
class Sitting:
    """What is handed in, and under which paper."""

    paper: Paper
    handed: Literal["reference", "blank"] = "reference"


@dataclass(frozen=True)
class Tried:
    """What came of a test in a sitting. `error` is what ended it, in a line; `fault` what it gave in the place of a score."""

    points: float
    earned: float | None
    cause: str | None = None
    fault: str = ""
    error: str = ""
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether it gave all of its points."""
        return self.earned is not None and self.earned >= self.points


@dataclass(frozen=True)
class Sat:
    """What came of a sitting: of its tests, and of other cells that ended with an error."""

    tests: dict[Key, Tried] = field(default_factory=dict)
    broken: dict[Key, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    """By notebook."""


def marked(paper: Paper, together: Together) -> Paper:
    """Return a paper in which these tests, and no others, run with the student's code."""
    return dataclasses.replace(
        paper,
        notebooks=tuple(
            dataclasses.replace(
                sheet,
                cells=tuple(
                    dataclasses.replace(cell, together=cell.grade_id in together.get(sheet.name, ()))
                    for cell in sheet.cells
                ),
            )
            for sheet in paper.notebooks
        ),
    )


def rehearse(stage: Stage, sittings: Mapping[str, Sitting]) -> dict[str, Sat]:
    """Hold sittings, by name, side by side. Raises RehearsalError if one gives no result."""
    rooms = {name: stage.room(f"{REFERENCE}-{name}") for name in sittings}
    came: dict[str, Sat] = {}
    try:
        jobs = {_job(stage, rooms[name], sitting): name for name, sitting in sittings.items()}
        with closing(Pool(stage.workers, stage.nursery).run(jobs)) as ended:
            for finished in ended:
                name = jobs[finished.job]
                came[name] = _sat(finished, sittings[name].paper)
    finally:
        for room in rooms.values():
            results.throw_away(room)
    return {name: came[name] for name in sittings}


def _job(stage: Stage, room: Path, sitting: Sitting) -> Job:
    import nbformat

    from autograder.sitting.written import blank

    submitted, out, paper = room / "submitted", room / "out", room / "paper.json"
    for folder in (submitted, out):
        folder.mkdir(mode=0o700)
    papers.write(sitting.paper, paper)
    for sheet in sitting.paper.notebooks:
        handed = blank(sheet) if sitting.handed == "blank" else _reference(stage.source, sheet)
        nbformat.write(handed, submitted / f"{sheet.name}.ipynb")  # type: ignore[no-untyped-call]
    return Job(
        assignment=sitting.paper.assignment,
        student=REFERENCE,
        notebooks=tuple(sheet.name for sheet in sitting.paper.notebooks),
        source=stage.source,
        submitted=submitted,
        paper=paper,
        out=out,
        digest="",
        level=stage.level,
        limits=stage.limits,
    )


def _reference(source: Path, sheet: PaperNotebook) -> Any:
    """Return the source notebook, with the cells of the course's header and footer, which a release has and a source has not."""
    import nbformat

    data = (source / f"{sheet.name}.ipynb").read_bytes().decode("utf-8-sig")
    notebook = nbformat.reads(data, as_version=4)  # type: ignore[no-untyped-call]
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    places = [place.grade_id for place in sheet.layout]
    if known := [grade_id for grade_id in places if grade_id in ids]:
        above = places.index(known[0]) - ids.index(known[0])
        below = (len(places) - places.index(known[-1])) - (len(ids) - ids.index(known[-1]))
        make: dict[str, Any] = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
        header = sheet.layout[: max(0, above)]
        footer = sheet.layout[len(sheet.layout) - max(0, below) :]
        notebook.cells = [
            *(make[place.cell_type](place.text) for place in header if place.cell_type in make),
            *notebook.cells,
            *(make[place.cell_type](place.text) for place in footer if place.cell_type in make),
        ]
    return notebook


def _sat(finished: Finished, paper: Paper) -> Sat:
    if finished.crash is not None:
        raise RehearsalError(finished.crash)
    sat = Sat()
    for record in finished.records:
        if record.refusal is not None:
            raise RehearsalError(record.refusal)
        sheet = paper.notebook(record.notebook)
        assert sheet is not None
        graded = finished.job.out / f"{record.notebook}.ipynb"
        errors = dict(_errors(graded))
        reports = dict(_reports(graded))
        tests = {cell.grade_id for cell in sheet.cells if cell.role == "test"}
        sat.seconds[record.notebook] = sum(record.ran["cells"].values())
        sat.tests.update(_tests(record, tests, reports | errors))
        sat.broken.update({(sheet.name, cell): error for cell, error in errors.items() if cell not in tests})
    return sat


def _tests(record: Record, tests: AbstractSet[str], errors: Mapping[str, str]) -> Iterator[tuple[Key, Tried]]:
    faults = {fault.cell: fault.got for fault in record.faults}
    for check in record.checks:
        if check.cell in tests:
            yield (
                (record.notebook, check.cell),
                Tried(
                    check.possible,
                    check.earned,
                    check.cause,
                    faults.get(check.cell, ""),
                    errors.get(check.cell, ""),
                    record.ran["cells"].get(check.cell, 0.0),
                ),
            )


def _reports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the cells of a graded notebook whose value shows a report of its own, and the report's text in a line."""
    for cell in json.loads(path.read_bytes())["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        for output in cell.get("outputs", []):
            report = output.get("data", {}).get("text/html") if output["output_type"] == "execute_result" else None
            if name and report:
                text = html.unescape(_TAG.sub(" ", "".join(report)))
                yield name, " ".join(text.split())[:_LONGEST_ERROR]


def _errors(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the cells of a graded notebook that ended with an error they were not meant to, and the error in a line."""
    for n, cell in enumerate(json.loads(path.read_bytes())["cells"]):
        metadata = cell["metadata"]
        if "raises-exception" in metadata.get("tags", []):
            continue
        for output in cell.get("outputs", []):
            if output["output_type"] == "error":
                text = _COLOURS.sub("", output["evalue"]).strip().partition("\n")[0]
                said = f"{output['ename']}: {text}" if text else output["ename"]
                name = metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", str(n))
                yield name, said[:_LONGEST_ERROR]
                break
