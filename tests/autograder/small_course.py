"""A small course of two notebooks with cells of each kind, released by stock nbgrader, and a stand-in for the rooms.

The stand-in writes what an invigilator writes, by a rule that a test gives; the pool, the store, the gradebook are the real ones.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder import paper as papers
from autograder.records import CheckResult, Job, Note, Record
from autograder.rehearsal import REFERENCE
from autograder.sheet import PaperCell
from tests.repository import ROOT

ASSIGNMENT = "hw"
NOTEBOOKS = ("first", "second")
ANSWER = "### BEGIN SOLUTION\ndouble = lambda x: 2 * x\n### END SOLUTION"

GOOD = {"double": "double = lambda x: 2 * x", "essay": "Because.", "half": "half = lambda x: x / 2"}
"""Right answers, but for one that stays as it was released."""

Rule = Callable[[str, PaperCell], float | None]
"""Student and test cell in, the points out."""


def _cell(kind: str, grade_id: str, text: str, points: float | None = None, **flags: bool) -> NotebookNode:
    make = new_code_cell if kind == "code" else new_markdown_cell
    cell = make(text, id=grade_id)
    said = {"grade": False, "solution": False, "locked": False, "task": False, **flags}
    cell.metadata["nbgrader"] = {"grade_id": grade_id, "schema_version": 3, "cell_type": kind, **said}
    if points is not None:
        cell.metadata["nbgrader"]["points"] = points
    return cell


def source() -> dict[str, NotebookNode]:
    """Return the assignment's notebooks."""
    first = [
        _cell("code", "setup", "import math", locked=True),
        _cell("code", "double", ANSWER, solution=True),
        _cell("code", "test-double", "assert double(2) == 4", 2, grade=True, locked=True),
        _cell("markdown", "essay", "Say why.", 3, grade=True, solution=True),
        _cell("code", "by-hand", "### BEGIN SOLUTION\nplot = 1\n### END SOLUTION", 1, grade=True, solution=True),
        _cell(
            "markdown",
            "task",
            "Do something.\n### BEGIN MARK SCHEME\nsecret\n### END MARK SCHEME",
            4,
            task=True,
            locked=True,
        ),
    ]
    second = [
        _cell("code", "half", "### BEGIN SOLUTION\nhalf = lambda x: x / 2\n### END SOLUTION", solution=True),
        _cell("code", "test-half", "assert half(2) == 1", 5, grade=True, locked=True),
    ]
    made = {}
    for name, cells in zip(NOTEBOOKS, (first, second), strict=True):
        notebook = new_notebook(cells=cells)
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made[name] = notebook
    return made


def nbgrader(folder: Path, *arguments: str, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run nbgrader as in an activated environment, without the settings that this machine has for Jupyter and AWS."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    own = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JUPYTER_"))}
    own |= {
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_NO_CONFIG": "1",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    command = [sys.executable, "-m", "nbgrader", *arguments]
    with tempfile.TemporaryDirectory(prefix="jr") as runtime:  # a socket's path has to be short
        own["JUPYTER_RUNTIME_DIR"] = runtime
        done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, f"{' '.join(command)}\n{done.stderr[-4000:]}"
    return done


def release(folder: Path) -> None:
    """Make the course in `folder`: its source, its release and its gradebook."""
    where = folder / "source" / ASSIGNMENT
    where.mkdir(parents=True)
    for name, notebook in source().items():
        nbformat.write(notebook, where / f"{name}.ipynb")
    (where / "data.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (folder / "nbgrader_config.py").write_text(
        'c = get_config()\nc.CourseDirectory.course_id = "small"\nc.AutograderApp.language = "es"\n', encoding="utf-8"
    )
    nbgrader(folder, "generate_assignment", ASSIGNMENT)


def hand_in(
    course: Path,
    student: str,
    answers: dict[str, str],
    *,
    notebooks: Iterable[str] = NOTEBOOKS,
    timestamp: str | None = None,
) -> Path:
    """Hand in the release with other texts in some cells; return the folder."""
    folder = course / "submitted" / student / ASSIGNMENT
    shutil.copytree(course / "release" / ASSIGNMENT, folder)
    for name in NOTEBOOKS:
        path = folder / f"{name}.ipynb"
        if name not in notebooks:
            path.unlink()
            continue
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            cell.source = answers.get(cell.metadata.nbgrader.grade_id, cell.source)
        nbformat.write(notebook, path)
    if timestamp is not None:
        (folder / "timestamp.txt").write_text(timestamp, encoding="utf-8")
    return folder


@dataclass
class _Handle:
    job: Job
    connection: Connection
    killed: bool = False

    def kill(self) -> None:
        self.killed = True

    def status(self) -> int | None:
        return 0


def full_marks(student: str, cell: PaperCell) -> float | None:
    """Return all points."""
    return cell.points


@dataclass
class Rooms:
    """Stands where the nursery does. `rule` gives the points; `graded` lists who was graded, in order."""

    rule: Rule = full_marks
    before: Callable[[Job], None] = lambda job: None
    """Called in the place of a worker's work; what it raises is told as the worker's error."""
    graded: list[str] = field(default_factory=list)

    def warm(self, modules: Iterable[str]) -> None:
        """Nothing to warm."""

    def start(self, job: Job) -> _Handle:
        """Do the job at once. The reference solution, which preflight hands in, gets full marks and counts for nothing."""
        ours, theirs = Pipe()
        rehearsed = job.student == REFERENCE
        if not rehearsed:
            self.graded.append(job.student)
        try:
            if not rehearsed:
                self.before(job)
            self._sit(job, full_marks if rehearsed else self.rule)
            said = {"notebooks": list(job.notebooks)}
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        theirs.send_bytes(json.dumps(said).encode())
        theirs.close()
        return _Handle(job, ours)

    def _sit(self, job: Job, rule: Rule) -> None:
        paper = papers.read(job.paper)
        for sheet in paper.notebooks:
            if sheet.name not in job.notebooks:
                continue
            path = job.submitted / f"{sheet.name}.ipynb"
            there = path.exists()
            notebook = nbformat.read(path if there else job.source / f"{sheet.name}.ipynb", as_version=4)
            texts = {cell.metadata.nbgrader.get("grade_id"): cell.source for cell in notebook.cells}
            checks = []
            for cell in sheet.cells:
                answered = cell.role == "task" or texts.get(cell.grade_id) != cell.released_text
                if not there and cell.points:
                    checks.append(CheckResult(cell.grade_id, cell.points, 0.0, "missing", "nobody", answered=False))
                elif cell.role == "test":
                    earned = rule(job.student, cell)
                    cause = "test-fault" if earned is None else "error" if earned < cell.points else None
                    checks.append(CheckResult(cell.grade_id, cell.points, earned, cause))
                elif cell.role in ("manual", "task"):
                    checks.append(CheckResult(cell.grade_id, cell.points, None if answered else 0.0, answered=answered))
            record = Record(
                job.assignment,
                job.student,
                sheet.name,
                job.digest,
                job.level,
                state="graded" if there else "refused",
                refusal=None
                if there
                else Note("No file was handed in for {notebook}.ipynb.", {"notebook": sheet.name}),
                checks=tuple(checks),
                ran={"at": "2026-01-01T00:00:00+00:00", "seconds": 0.1, "cells": {}},
            )
            nbformat.write(notebook, job.out / f"{sheet.name}.ipynb")
            (job.out / f"{sheet.name}.json").write_text(json.dumps(record.as_json()), encoding="utf-8")
