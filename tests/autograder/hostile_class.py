"""A class of hostile submissions among good ones, graded in a place full of what nobody may see, reach or change: `Class`.

The teacher's text stands in files that everybody may read and write, in the environment of the run, and in each hidden test,
solution and mark scheme of the course. Two sockets listen on loopback.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from autograder import paper as papers
from autograder.feedback import Grades, make
from autograder.nursery import Nursery
from autograder.pool import Finished, Pool
from autograder.records import Job, Limits, Record
from autograder.results import Store
from autograder.sheet import Paper
from tests.autograder.classroom import level
from tests.autograder.hostile_cases import Canary, Case, build
from tests.autograder.hostile_courses import Course, reference_notebook

__all__ = ["Class", "Graded", "watched"]

_TASK = "Comenta tu trabajo.\n\n=== BEGIN MARK SCHEME ===\n\n{text}-SCHEME\n\n=== END MARK SCHEME ==="


@dataclass
class Watch:
    """What must stay as it is while the class is graded."""

    canary: Canary
    _tcp: socket.socket
    _udp: socket.socket
    _before: str = ""

    def begin(self) -> None:
        """From now on."""
        self._before = _digest(self.canary.folder.parent)

    @property
    def touched(self) -> bool:
        """Whether a file was changed, added or taken away."""
        return _digest(self.canary.folder.parent) != self._before

    @property
    def calls(self) -> list[str]:
        """Who has called on loopback."""
        found = []
        for name, take in (("tcp", self._tcp.accept), ("udp", lambda: self._udp.recvfrom(1000))):
            try:
                found.append(f"{name}: {take()}")
            except BlockingIOError:
                continue
        return found


@contextmanager
def watched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Make the place: a course with a gradebook and others' work, a home, the sockets and the variables of the run."""
    canary = Canary(folder / "watched", folder / "watched" / "course")
    home = canary.folder / "home"
    for name in (
        "note.txt",
        "home/.aws/credentials",
        "home/.aws/config",
        "course/gradebook.db",
        "course/source/ps1/pipeline.ipynb",
        "course/source/t1/avisos.ipynb",
        "course/submitted/lucia/ps1/pipeline.ipynb",
        "course/submitted/lucia/t1/avisos.ipynb",
        "course/autograded/lucia/ps1/pipeline.ipynb",
        "course/.autograder/ps1/.paper.json",
    ):
        file = canary.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"cells": [], "metadata": {"text": canary.text}}), encoding="utf-8")
    # So that nothing but the jail stands before them.
    for found in (folder, canary.folder, *canary.folder.rglob("*")):
        found.chmod(0o777 if found.is_dir() else 0o666)
    monkeypatch.setenv("HOME", str(home))
    for name in ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "TEACHERS_OWN"):
        monkeypatch.setenv(name, canary.text)
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(tcp.getsockname())
        for listener in (tcp, udp):
            listener.setblocking(False)
        watch = Watch(dataclasses.replace(canary, port=tcp.getsockname()[1]), tcp, udp)
        watch.begin()
        yield watch


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(str(path).encode() + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()


@dataclass(frozen=True)
class Graded:
    """What came of one submission."""

    job: Job
    record: Record
    notebook: Mapping[str, Any] | None

    @property
    def points(self) -> dict[str, float | None]:
        """What was earned, by test cell."""
        return {check.cell: check.earned for check in self.record.checks if check.cell != "rubric"}

    @property
    def students_outputs(self) -> str:
        """All that the cells put out that are no test cells."""
        tests = {check.cell for check in self.record.checks}
        return json.dumps(
            [
                cell.get("outputs", [])
                for cell in (self.notebook or {"cells": []})["cells"]
                if cell["metadata"].get("nbgrader", {}).get("grade_id") not in tests
            ],
            ensure_ascii=False,
        )


@dataclass
class Class:
    """One course with a class. `folder`: where it is made; `watch`: the place around it."""

    course: Course
    folder: Path
    watch: Watch
    paper: Paper = field(init=False)
    _jobs: list[Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        source = self.folder / "source"
        shutil.copytree(self.course.source, source)
        text = self.watch.canary.text
        file = source / f"{self.course.notebook}.ipynb"
        notebook = json.loads(file.read_text(encoding="utf-8"))
        for number, cell in enumerate(notebook["cells"]):
            settings = cell["metadata"].get("nbgrader", {})
            lines = "".join(cell["source"])
            if settings.get("grade"):
                hidden = f'### BEGIN HIDDEN TESTS\nassert "{text}-TEST-{number}"\n### END HIDDEN TESTS\n'
                lines = hidden + lines
            lines = lines.replace("### BEGIN SOLUTION\n", f"### BEGIN SOLUTION\n    # {text}-SOLUTION-{number}\n")
            cell["source"] = lines
        settings = {"grade": False, "solution": False, "locked": False, "task": True, "points": 1, "schema_version": 3}
        task = {"cell_type": "markdown", "id": "rubric", "source": _TASK.format(text=text)}
        notebook["cells"].append(task | {"metadata": {"nbgrader": settings | {"grade_id": "rubric"}}})
        file.write_text(json.dumps(notebook), encoding="utf-8")
        self.paper = papers.prepare(
            source, assignment=self.course.assignment, language="es", clear_settings=self.course.settings()
        )
        papers.write(self.paper, self.folder / "paper.json")

    def add(self, student: str, submitted: Path, limits: Limits) -> None:
        """Let a student hand in a folder."""
        out = self.folder / "out" / student
        out.mkdir(parents=True)
        self._jobs.append(
            Job(
                assignment=self.course.assignment,
                student=student,
                notebooks=(self.course.notebook,),
                source=self.folder / "source",
                submitted=submitted,
                paper=self.folder / "paper.json",
                out=out,
                digest=f"digest of {student}",
                level=level(),
                limits=limits,
            )
        )

    def add_case(self, case: Case) -> None:
        """Let somebody hand in a case."""
        submitted = self.folder / "submitted" / case.name / self.course.assignment
        submitted.mkdir(parents=True)
        build(case, submitted, self.watch.canary)
        kinds = {limit.name: type(limit.default) for limit in dataclasses.fields(Limits)}
        self.add(case.name, submitted, Limits(**{name: kinds[name](value) for name, value in case.settings.items()}))

    def add_good(self, student: str) -> None:
        """Let somebody hand in the right answers."""
        submitted = self.folder / "submitted" / student / self.course.assignment
        submitted.mkdir(parents=True)
        notebook = json.dumps(reference_notebook(self.course), ensure_ascii=False)
        (submitted / f"{self.course.notebook}.ipynb").write_text(notebook, encoding="utf-8")
        self.add(student, submitted, Limits())

    def grade(self, workers: int) -> dict[str, Graded]:
        """Grade all of them as the command does, and keep the records. Good ones and hostile ones take turns."""
        store = Store(self.folder / "store")
        found: dict[str, Graded] = {}
        with Nursery() as nursery:
            nursery.warm({module for notebook in self.paper.notebooks for module in notebook.modules})
            for ended in Pool(workers, nursery).run(self._jobs):
                found[ended.job.student] = self._kept(store, ended)
        return found

    def _kept(self, store: Store, ended: Finished) -> Graded:
        assert ended.crash is None, (ended.job.student, ended.crash)
        [record] = ended.records
        store.write(record)
        kept = store.read(record.assignment, record.student, record.notebook)
        assert kept == record
        file = ended.job.out / f"{self.course.notebook}.ipynb"
        notebook = json.loads(file.read_bytes()) if record.state == "graded" else None
        return Graded(ended.job, kept, notebook)

    def pages(self, graded: Graded) -> list[str]:
        """Return what the student gets back, in both languages."""
        return [
            make(graded.record, graded.notebook, Grades(), self.paper, language) for language in ("es", "ja", "both")
        ]


def workers() -> int:
    """Return how many to grade at the same time."""
    return os.cpu_count() or 1
