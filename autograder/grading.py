"""The run: plan what is to be graded, hand it to the pool, save each submission as it ends.

Here alone is written under `autograded/`, in the order that makes a run resumable: the graded folder, the gradebook, the record.
Killed at any point and run again, the gradebook is as after an uninterrupted run: what has no record is graded again.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from autograder import results, secret, stops
from autograder.course import Course
from autograder.findings import Finding
from autograder.gradebook import Book, Mark, marks_of, with_comments
from autograder.graded_folder import Layout, fill
from autograder.nursery import Nursery, NurseryError
from autograder.pool import Finished, Pool
from autograder.preflight import made_sure
from autograder.preparing import prepared
from autograder.records import Job, Limits, Note, Record
from autograder.sheet import Paper, PaperNotebook
from autograder.voice import Stop

__all__ = ["Observer", "Options", "Protected", "Result", "Summary", "grade"]


@dataclass(frozen=True)
class Options:
    """How a run is to be done."""

    students: str = "*"
    """Globs, with commas between."""
    notebooks: str = "*"
    """A glob of notebooks' names: others are left as they are."""
    workers: int = 1
    force: bool = False
    create_students: bool = True
    language: str = ""
    limits: Limits = field(default_factory=Limits)


class Protected(Protocol):
    """The protection of this machine, as `jail.probe` found it."""

    @property
    def level(self) -> str:
        """ "A" to "D"."""


@dataclass(frozen=True)
class Result:
    """What came of one student's submission."""

    student: str
    state: Literal["graded", "kept", "failed"]
    """"kept": nothing had changed since it was graded; "failed": there is no result."""
    records: tuple[Record, ...] = ()
    failure: Note | None = None


class Observer(Protocol):
    """Who is told how a run goes on."""

    def begins(self, total: int, kept: int) -> None:
        """`total`: submissions to grade now; `kept`: those whose result stands."""

    def starts(self, student: str) -> None:
        """A submission is handed to a worker."""

    def ended(self, result: Result) -> None:
        """A submission has been saved, or has failed."""


@dataclass
class Summary:
    """A whole run."""

    assignment: str
    level: str
    results: list[Result] = field(default_factory=list)
    found: tuple[Finding, ...] = ()
    """What is grave about the assignment itself, as preflight found."""
    tried: bool = False
    """Whether the reference solution was tried in this run: the source, a setting or a program is new."""

    without_secret: Path | None = None
    """The course's folder, where its tests ask for a secret and there is none."""
    waiting: frozenset[tuple[str, str, str]] = frozenset()
    """What a person has yet to grade, of the whole class: student, notebook, cell."""

    @property
    def complete(self) -> bool:
        """Whether each submission has a result."""
        return all(result.state != "failed" for result in self.results)


@dataclass(frozen=True)
class _Planned:
    student: str
    digest: str
    digests: Mapping[str, str]


def grade(
    course: Course, assignment: str, options: Options, protection: Protected, nursery: Nursery, observer: Observer
) -> Summary:
    """Grade an assignment and return what came of each submission. Raises Stop where it cannot begin, or go on."""
    try:
        return _Run(course, assignment, options, protection, nursery, observer).run()
    except Exception as error:
        if results.is_disk_full(error):
            raise stops.disk_full() from error
        if isinstance(error, NurseryError | ConnectionError):
            raise stops.nursery_ended(error) from error
        if results.is_refused(error):
            raise stops.not_writable(course, error) from error
        raise


class _Run:
    def __init__(
        self,
        course: Course,
        assignment: str,
        options: Options,
        protection: Protected,
        nursery: Nursery,
        observer: Observer,
    ) -> None:
        self.course, self.assignment, self.options = course, assignment, options
        self.protection, self.nursery, self.observer = protection, nursery, observer
        self.store = results.Store(course.ours)
        self.summary = Summary(assignment, protection.level)

    def run(self) -> Summary:
        self.course.require(self.assignment)
        students = self.course.students(self.assignment, self.options.students)
        with self.store.one_run(self.assignment):
            self.paper = prepared(self.course, self.assignment, self.options.language)
            self.nursery.warm({module for notebook in self.paper.notebooks for module in notebook.modules})
            self.paper, self.summary.found, self.summary.tried = made_sure(
                self.course, self.assignment, self.paper, self.nursery, self.protection.level, self.options.limits
            )
            if secret.is_public() and secret.is_wanted(self.paper):
                self.summary.without_secret = self.course.root
            self.names = self._notebooks()
            with self._book() as self.book:
                self.book.require_cells(_graded_cells(self.paper))
                planned = self._plan(students)
                self._grade(planned)
                self.summary.waiting = self.book.waiting()
        return self.summary

    def _book(self) -> Book:
        directory = self.course.directory
        return Book(directory.db_url, directory.course_id, self.assignment, self.course.config)

    def _notebooks(self) -> tuple[str, ...]:
        there = tuple(notebook.name for notebook in self.paper.notebooks)
        names = tuple(name for name in there if fnmatch.fnmatchcase(name, self.options.notebooks))
        if not names:
            raise Stop(
                lambda say: say(
                    "{name} has no notebook {wanted}. It has: {names}.",
                    name=self.assignment,
                    wanted=self.options.notebooks,
                    names=", ".join(there),
                )
            )
        return names

    def _plan(self, students: list[str]) -> dict[str, _Planned]:
        """Return what is to be graded, by student; tell the summary of the rest."""
        exclude = self.course.kept_as_submitted(self.assignment)
        same = {
            "source": self.paper.digest,
            "environment": results.digest_of_environment(),
            "settings": results.digest_of_settings(self.options.limits, self.protection.level, exclude),
        }
        saved = self.book.saved()
        known = self.book.students() if not self.options.create_students else None
        planned = {}
        for student in students:
            if not _is_text(student):
                note = Note(
                    "The folder's name {student} is no valid text, so the gradebook cannot hold it. Rename the folder.",
                    {"student": ascii(student)},
                    code="name",
                )
                self.summary.results.append(Result(student, "failed", failure=note))
                continue
            if known is not None and student not in known:
                note = Note("The gradebook has no student {student}, and is not to be given one.", {"student": student})
                self.summary.results.append(Result(student, "failed", failure=note))
                continue
            digests = {"submission": results.digest_of_folder(self.course.submitted(self.assignment, student)), **same}
            one = _Planned(student, results.join_digests(digests), digests)
            kept = None if self.options.force else self._kept(one, saved.get(student))
            if kept is None:
                planned[student] = one
            else:
                self.summary.results.append(Result(student, "kept", kept))
        self.observer.begins(len(planned), len(self.summary.results))
        for result in self.summary.results:
            if result.state == "failed":
                self.observer.ended(result)
        return planned

    def _kept(self, one: _Planned, saved: Mapping[str, Mapping[str, float | None]] | None) -> tuple[Record, ...] | None:
        """Return the records that stand, if all that comes of them is in place."""
        if saved is None:
            return None
        records = []
        folder = self.course.autograded(self.assignment, one.student)
        for name in self.names:
            record = self.store.read(self.assignment, one.student, name)
            if record is None or record.digest != one.digest:
                return None
            if record.state == "graded" and not (folder / f"{name}.ipynb").is_file():
                return None
            scores = saved.get(name, {})
            for cell, mark in marks_of(record).items():
                if cell in scores and scores[cell] != mark.score:
                    return None
            records.append(record)
        return tuple(records)

    def _grade(self, planned: Mapping[str, _Planned]) -> None:
        pool = Pool(min(self.options.workers, max(1, len(planned))), self.nursery)
        with closing(pool.run(self._jobs(planned))) as ended:
            for finished in ended:
                self._end(planned[finished.job.student], finished)

    def _jobs(self, planned: Mapping[str, _Planned]) -> Iterator[Job]:
        for one in planned.values():
            self.observer.starts(one.student)
            room = self.store.room(self.assignment, one.student)
            out = room / "out"
            out.mkdir(mode=0o700)
            yield Job(
                assignment=self.assignment,
                student=one.student,
                notebooks=self.names,
                source=self.course.source(self.assignment),
                submitted=self.course.submitted(self.assignment, one.student),
                paper=self.store.paper(self.assignment),
                out=out,
                digest=one.digest,
                level=self.protection.level,
                limits=self.options.limits,
                exclude=self.course.kept_as_submitted(self.assignment),
            )

    def _end(self, one: _Planned, finished: Finished) -> None:
        if finished.crash is not None:
            if stops.tells_of_a_full_disk(finished.crash):
                raise stops.disk_full()
            result = Result(one.student, "failed", finished.records, finished.crash)
        else:
            records = tuple(
                dataclasses.replace(record, digest=one.digest, digests=dict(one.digests)) for record in finished.records
            )
            result = self._try_to_save(one, records, finished.job)
        results.throw_away(finished.job.out.parent)
        self.summary.results.append(result)
        self.observer.ended(result)

    def _try_to_save(self, one: _Planned, records: tuple[Record, ...], job: Job) -> Result:
        """Save a submission. What is wrong with it alone ends no run; what would be wrong with each one does."""
        try:
            self._save(one, records, job)
        except Exception as error:
            if results.is_disk_full(error) or results.is_refused(error):
                raise
            note = Note(
                "The result could not be saved: {error}", {"error": str(getattr(error, "orig", error))}, code="unsaved"
            )
            return Result(one.student, "failed", records, note)
        return Result(one.student, "graded", records)

    def _save(self, one: _Planned, records: tuple[Record, ...], job: Job) -> None:
        room = job.out.parent
        place = self.course.autograded(self.assignment, one.student)
        new = room / "new"
        layout = Layout.of(self.course, self.assignment, self.paper, self.options.limits)
        fill(new, layout, job, kept=place if self.names != tuple(n.name for n in self.paper.notebooks) else None)
        results.swap_in(new, place, room / "old")
        layout.share(place.parent)
        graded = {
            record.notebook: _marks(record, self.paper, place / f"{record.notebook}.ipynb")
            for record in records
            if record.state == "graded"
        }
        missing = [record.notebook for record in records if record.state != "graded"]
        self.book.save(one.student, self.course.timestamp(job.submitted), graded, missing)
        for record in records:
            self.store.write(record)


def _marks(record: Record, paper: Paper, notebook: Path) -> dict[str, Mark]:
    """Return what is written of a record into the gradebook. `notebook`: the graded one."""
    sheet = paper.notebook(record.notebook)
    assert sheet is not None
    # A task's points are a person's alone, and nbgrader does not touch them.
    tasks = {cell.grade_id for cell in sheet.cells if cell.role == "task"}
    scores = {cell: mark for cell, mark in marks_of(record).items() if cell not in tasks}
    return with_comments(scores, _answers(sheet, json.loads(notebook.read_bytes())))


def _is_text(name: str) -> bool:
    """Return whether a folder's name can be written as UTF-8. On Linux a name is any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _answers(sheet: PaperNotebook, notebook: dict[str, Any]) -> dict[str, bool]:
    """Return for each solution cell of a graded notebook whether it is another than was released."""
    expected = {cell.grade_id: cell for cell in sheet.cells if cell.role in ("answer", "manual")}
    answers = {}
    for cell in notebook["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if grade_id in expected:
            released = expected[grade_id]
            answers[grade_id] = (cell["cell_type"], "".join(cell["source"])) != (
                released.cell_type,
                released.released_text,
            )
    return answers


def _graded_cells(paper: Paper) -> dict[str, dict[str, float]]:
    """Return the cells with points, by notebook, as nbgrader's gradebook has them."""
    return {
        notebook.name: {
            cell.grade_id: float(cell.points) for cell in notebook.cells if cell.role in ("test", "manual", "task")
        }
        for notebook in paper.notebooks
    }
