"""A course to grade in tests: the bench course's paper, and jobs for its submissions, or for notebooks made of cells."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from autograder import paper as papers
from autograder.imports import light
from autograder.records import Job, Limits
from autograder.sheet import Paper

with light():
    import nbformat

__all__ = ["BENCH", "EXPECTED", "Classroom", "level"]

BENCH = Path(__file__).parent / "bench_course"
EXPECTED: dict[str, int] = json.loads((BENCH / "expected.json").read_text(encoding="utf-8"))


@cache
def level() -> str:
    """Return the level of protection of this machine."""
    from autograder.jail import probe

    return probe().level


@cache
def _paper() -> Paper:
    return papers.prepare(BENCH / "source" / "ps1", assignment="ps1", language="es")


@dataclass
class Classroom:
    """Where jobs are prepared. `folder` is the test's own."""

    folder: Path
    paper: Path = field(init=False)

    def __post_init__(self) -> None:
        self.paper = self.folder / "paper.json"
        papers.write(_paper(), self.paper)

    def bench(self, student: str, **limits: Any) -> Job:
        """Return the job of one of the bench course's submissions."""
        kind = "hostile" if student.startswith("h") else "submitted"
        return self._job(student, BENCH / kind / student / "ps1", limits)

    def changed(self, student: str, cells: Mapping[str, str], more: Iterable[str] = (), **limits: Any) -> Job:
        """Return a job for s00's submission with other texts in the cells of some ids, and more cells at its end."""
        submitted = self.folder / "submitted" / student / "ps1"
        submitted.mkdir(parents=True)
        notebook = nbformat.read(BENCH / "submitted" / "s00" / "ps1" / "pipeline.ipynb", as_version=4)
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = cells.get(grade_id, cell.source)
        notebook.cells += [nbformat.v4.new_code_cell(text) for text in more]
        nbformat.write(notebook, submitted / "pipeline.ipynb")
        return self._job(student, submitted, limits)

    def _job(self, student: str, submitted: Path, limits: Mapping[str, Any]) -> Job:
        out = self.folder / "out" / student
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        return Job(
            assignment="ps1",
            student=student,
            notebooks=("pipeline",),
            source=BENCH / "source" / "ps1",
            submitted=submitted,
            paper=self.paper,
            out=out,
            digest=f"digest of {student}",
            level=level(),
            limits=Limits(**limits),
        )
