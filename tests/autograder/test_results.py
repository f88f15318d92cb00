"""The run and its store: what is graded is kept, what has changed is graded again, and nothing half done is taken for done."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import grading, results
from autograder.course import Course
from autograder.grading import Options, Result, Summary, grade
from autograder.records import Job
from autograder.results import Store, digest_of_folder, is_disk_full
from autograder.sheet import PaperCell
from autograder.voice import Stop
from tests.autograder.small_course import ASSIGNMENT, GOOD, Rooms, hand_in


@dataclass(frozen=True)
class Protected:
    """A machine that jails."""

    level: str = "A"


@dataclass
class Watching:
    """Keeps what it is told."""

    begun: tuple[int, int] = (0, 0)
    results: list[Result] = field(default_factory=list)

    def begins(self, total: int, kept: int) -> None:
        self.begun = (total, kept)

    def starts(self, student: str) -> None:
        pass

    def ended(self, result: Result) -> None:
        self.results.append(result)


def course_in(folder: Path, **settings: Any) -> Course:
    """Return the course of a folder."""
    config = Config({**settings, "CourseDirectory": {"root": str(folder), "course_id": "small"}})
    return Course(CourseDirectory(config=config), config)


def run(
    folder: Path, rooms: Rooms | None = None, level: str = "A", settings: dict[str, Any] | None = None, **options: Any
) -> Summary:
    """Grade the small course. `settings`: of its configuration; `options`: of the run."""
    return grade(
        course_in(folder, **settings or {}),
        ASSIGNMENT,
        Options(**options),
        Protected(level),
        rooms or Rooms(),
        Watching(),  # type: ignore[arg-type]
    )


def states(summary: Summary) -> dict[str, str]:
    """Return each student's state."""
    return {result.student: result.state for result in summary.results}


TABLES = (
    "SELECT s.student_id, s.timestamp, n.name, b.late_submission_penalty, b.flagged FROM submitted_assignment s"
    " JOIN submitted_notebook b ON b.assignment_id = s.id JOIN notebook n ON n.id = b.notebook_id",
    "SELECT s.student_id, n.name, c.name, c.type, g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade FROM grade g"
    " JOIN submitted_notebook b ON g.notebook_id = b.id JOIN submitted_assignment s ON s.id = b.assignment_id"
    " JOIN notebook n ON n.id = b.notebook_id JOIN base_cell c ON c.id = g.cell_id",
    "SELECT s.student_id, n.name, c.name, c.type, m.auto_comment, m.manual_comment FROM comment m"
    " JOIN submitted_notebook b ON m.notebook_id = b.id JOIN submitted_assignment s ON s.id = b.assignment_id"
    " JOIN notebook n ON n.id = b.notebook_id JOIN base_cell c ON c.id = m.cell_id",
    "SELECT id FROM student",
    "SELECT id FROM course",
)


def rows(folder: Path) -> list[list[tuple[Any, ...]]]:
    """Return what the gradebook holds of submissions, without its random ids."""
    with sqlite3.connect(folder / "gradebook.db") as book:
        return [sorted(book.execute(query), key=repr) for query in TABLES]


def test_second_run_grades_nothing(course_folder: Path) -> None:
    """What has a result and has not changed is kept: no worker starts, and the records are the same."""
    first = run(course_folder)
    rooms = Rooms()

    again = run(course_folder, rooms)

    assert states(first) == {"ana": "graded", "ken": "graded"}
    assert rooms.graded == []
    assert states(again) == {"ana": "kept", "ken": "kept"}
    assert [r.records for r in again.results] == [r.records for r in sorted(first.results, key=lambda r: r.student)]
    assert first.complete
    assert again.complete


def test_force_grades_again(course_folder: Path) -> None:
    """`--force` asks nothing of records."""
    run(course_folder)
    rooms = Rooms()

    run(course_folder, rooms, force=True)

    assert sorted(rooms.graded) == ["ana", "ken"]


def _handed_in_anew(folder: Path) -> None:
    (folder / "submitted" / "ana" / ASSIGNMENT / "notes.txt").write_text("new", encoding="utf-8")


def _record_lost(folder: Path) -> None:
    Store(folder / ".autograder").path(ASSIGNMENT, "ana", "second").unlink()


def _record_cut(folder: Path) -> None:
    Store(folder / ".autograder").path(ASSIGNMENT, "ana", "second").write_text('{"schema": 1', encoding="utf-8")


def _graded_folder_lost(folder: Path) -> None:
    results.remove_tree(folder / "autograded" / "ana")


def _scores_lost(folder: Path) -> None:
    with sqlite3.connect(folder / "gradebook.db") as book:
        book.execute(
            "UPDATE grade SET auto_score = NULL WHERE notebook_id IN (SELECT b.id FROM submitted_notebook b"
            " JOIN submitted_assignment s ON s.id = b.assignment_id WHERE s.student_id = 'ana')"
        )


@pytest.mark.parametrize(
    "change",
    [_handed_in_anew, _record_lost, _record_cut, _graded_folder_lost, _scores_lost],
    ids=lambda f: f.__name__[1:],
)
def test_only_what_changed_is_graded_again(course_folder: Path, change: Any) -> None:
    """Another file of the student's, or any part of a result that is not in place: that student alone is graded again."""
    run(course_folder)
    before = rows(course_folder)
    change(course_folder)
    rooms = Rooms()

    run(course_folder, rooms)

    assert rooms.graded == ["ana"]
    assert rows(course_folder) == before


def test_changed_tests_grade_everybody_again(course_folder: Path) -> None:
    """A file that the tests may read is part of what a score comes from."""
    run(course_folder)
    (course_folder / "source" / ASSIGNMENT / "data.csv").write_text("a,b\n3,4\n", encoding="utf-8")
    rooms = Rooms()

    run(course_folder, rooms)

    assert sorted(rooms.graded) == ["ana", "ken"]
    assert (course_folder / "autograded" / "ana" / ASSIGNMENT / "data.csv").read_text(encoding="utf-8") == "a,b\n3,4\n"


def test_levels_a_and_b_are_one(course_folder: Path) -> None:
    """A result that was made in a jail stands for another jail, but not for none."""
    run(course_folder, level="A")
    jailed, free = Rooms(), Rooms()

    run(course_folder, jailed, level="B")
    run(course_folder, free, level="D")

    assert jailed.graded == []
    assert sorted(free.graded) == ["ana", "ken"]


class Killed(BaseException):
    """The process ends here: nothing that comes after is done. (A real one is killed in the torture test.)"""


STEPS = ("fill", "rename-away", "rename-in", "save", "record-first", "record-second")


@pytest.fixture
def killed_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Let a run end at a step of saving, before or after it."""

    def kill(step: str, *, after: bool) -> None:
        owner, name, skip = {
            "fill": (grading, "fill", 0),
            "rename-away": (os, "rename", 0),
            "rename-in": (os, "rename", 1),
            "save": (grading.Book, "save", 0),
            "record-first": (Store, "write", 0),
            "record-second": (Store, "write", 1),
        }[step]
        real, calls = getattr(owner, name), []

        def stands_in(*arguments: Any, **named: Any) -> Any:
            calls.append(name)
            if len(calls) != skip + 1:
                return real(*arguments, **named)
            if after:
                real(*arguments, **named)
            raise Killed

        monkeypatch.setattr(owner, name, stands_in)

    yield kill
    monkeypatch.undo()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_killed_run_resumes(
    course_folder: Path, killed_at: Any, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    """Ended at any step of saving and run again, gradebook and files are as after an uninterrupted run."""

    def half(student: str, cell: PaperCell) -> float:
        return cell.points / 2

    # An earlier result, which a new submission replaces; a person has corrected it meanwhile.
    run(course_folder, Rooms(half))
    with sqlite3.connect(course_folder / "gradebook.db") as book:
        book.execute("UPDATE grade SET manual_score = 1, needs_manual_grade = 0")
    for student in ("ana", "ken"):
        (course_folder / "submitted" / student / ASSIGNMENT / "notes.txt").write_text("new", encoding="utf-8")
    whole = course_folder.with_name("whole")
    shutil.copytree(course_folder, whole)
    with sqlite3.connect(whole / "gradebook.db"):
        run(whole)
    killed_at(step, after=after)

    with pytest.raises(Killed):
        run(course_folder)
    monkeypatch.undo()
    summary = run(course_folder)

    assert summary.complete
    assert rows(course_folder) == rows(whole)
    assert tree(course_folder / "autograded") == tree(whole / "autograded")
    assert not (course_folder / ".autograder" / ".work").exists()


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return each file's bytes and permissions."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_second_run_at_once_is_refused(course_folder: Path) -> None:
    """While one run holds the course, another stops with a sentence that says who holds it, and changes nothing."""
    with Store(course_folder / ".autograder").one_run("other"), pytest.raises(Stop) as stopped:
        run(course_folder)

    assert str(os.getpid()) in str(stopped.value)
    assert not (course_folder / "autograded").exists()
    assert states(run(course_folder)) == {"ana": "graded", "ken": "graded"}


def _worker(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Rooms:
    def no_room(job: Job) -> None:
        if job.student == "ken":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return Rooms(before=no_room)


def _files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Rooms:
    real = shutil.copyfile

    def copyfile(source: Any, to: Any, **named: Any) -> Any:
        if "ken" in str(to):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(to))
        return real(source, to, **named)

    monkeypatch.setattr(shutil, "copyfile", copyfile)
    return Rooms()


def _database(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Rooms:
    """SQLite's own limit on pages gives the very error of a full disk."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    with sqlite3.connect(folder / "gradebook.db") as book:
        (pages,) = book.execute("PRAGMA page_count").fetchone()

    def limit(connection: sqlite3.Connection, record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(Engine, "connect", limit)
    monkeypatch.callback = lambda: event.remove(Engine, "connect", limit)  # type: ignore[attr-defined]
    return Rooms()


@pytest.mark.parametrize("where", [_worker, _files, _database], ids=lambda f: f.__name__[1:])
def test_full_disk_pauses_the_run(course_folder: Path, monkeypatch: pytest.MonkeyPatch, where: Any) -> None:
    """Wherever the disk is found full, the run stops with one sentence; with room again it goes on, and the result is whole."""
    for number in range(20):
        hand_in(course_folder, f"more{number:02}", GOOD)
    whole = course_folder.with_name("whole")
    shutil.copytree(course_folder, whole)
    run(whole)
    rooms = where(course_folder, monkeypatch)

    with pytest.raises(Stop) as stopped:
        run(course_folder, rooms)
    getattr(monkeypatch, "callback", lambda: None)()
    monkeypatch.undo()

    assert "El disco está lleno" in str(stopped.value)
    assert stopped.value.code == 1
    assert run(course_folder).complete
    assert rows(course_folder) == rows(whole)
    assert tree(course_folder / "autograded") == tree(whole / "autograded")


def test_crash_costs_nobody_else(course_folder: Path) -> None:
    """A submission whose worker fails has no result, and the run goes on; the status says that one is missing."""

    def fails(job: Job) -> None:
        if job.student == "ana":
            raise RuntimeError("something of ours")

    summary = run(course_folder, Rooms(before=fails))

    assert states(summary) == {"ana": "failed", "ken": "graded"}
    assert not summary.complete
    assert states(run(course_folder)) == {"ana": "graded", "ken": "kept"}


def test_graded_folder_is_as_nbgraders(course_folder: Path) -> None:
    """Notebooks, timestamp, the student's and the source's other files, read-only; ignored ones and links stay behind."""
    handed_in = course_folder / "submitted" / "ana" / ASSIGNMENT
    (handed_in / "sub").mkdir()
    (handed_in / "sub" / "mine.txt").write_text("mine", encoding="utf-8")
    (handed_in / "data.csv").write_text("forged", encoding="utf-8")
    (handed_in / "__pycache__").mkdir()
    (handed_in / "__pycache__" / "x.pyc").write_bytes(b"x")
    (handed_in / "other.ipynb").write_text("{}", encoding="utf-8")
    (handed_in / "link.txt").symlink_to(course_folder / "gradebook.db")
    (handed_in / "sub" / "pipe").parent.joinpath("there").symlink_to(course_folder)

    run(course_folder)

    place = course_folder / "autograded" / "ana" / ASSIGNMENT
    names = ("data.csv", "first.ipynb", "second.ipynb", "sub/mine.txt", "timestamp.txt")
    assert {name: mode for name, (_, mode) in tree(place).items()} == dict.fromkeys(names, 0o444)
    assert (place / "data.csv").read_text(encoding="utf-8") == "a,b\n1,2\n"


def test_student_cannot_stand_in_the_way(course_folder: Path) -> None:
    """A course_folder, or a file, where a file of the source belongs does not end the run."""
    handed_in = course_folder / "submitted" / "ana" / ASSIGNMENT
    (handed_in / "data.csv").unlink()
    (handed_in / "data.csv").mkdir()
    (handed_in / "data.csv" / "inner").write_text("x", encoding="utf-8")

    assert run(course_folder).complete
    assert (course_folder / "autograded" / "ana" / ASSIGNMENT / "data.csv").read_text(encoding="utf-8") == "a,b\n1,2\n"


def test_one_notebook_leaves_the_other(course_folder: Path) -> None:
    """With a notebook named, the other's file and scores stay as they were."""

    def one(student: str, cell: PaperCell) -> float:
        return 1

    run(course_folder)
    before = (course_folder / "autograded" / "ana" / ASSIGNMENT / "second.ipynb").read_bytes()

    run(course_folder, Rooms(one), notebooks="first", force=True)

    scores = {(student, cell): score for student, _, cell, _, score, *_ in rows(course_folder)[1]}
    assert (scores["ana", "test-double"], scores["ana", "test-half"]) == (1, 5)
    assert (course_folder / "autograded" / "ana" / ASSIGNMENT / "second.ipynb").read_bytes() == before


def test_digest_of_a_folder_follows_no_link(tmp_path: Path) -> None:
    """Names, kinds and bytes count; what a link leads to does not, and a pipe is not opened."""
    (tmp_path / "elsewhere").write_text("1", encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "pipe")
    digest = digest_of_folder(folder)

    (tmp_path / "elsewhere").write_text("2", encoding="utf-8")
    same = digest_of_folder(folder)
    (folder / "a").write_text("", encoding="utf-8")
    named = digest_of_folder(folder)
    (folder / "a").write_text("b", encoding="utf-8")
    filled = digest_of_folder(folder)

    assert same == digest
    assert len({digest, named, filled}) == 3


def test_names_cannot_escape_the_store(tmp_path: Path) -> None:
    """A name that would lead elsewhere is written so that it does not, and students are listed by their real names."""
    store = Store(tmp_path)

    for student in ("..", "a/b", ".work", "名前", "a%b"):
        path = store.path("hw", student, "n")
        assert path.parent.parent == tmp_path / "hw"
        path.parent.mkdir(parents=True)

    assert store.students("hw") == sorted(["..", "a/b", ".work", "名前", "a%b"])


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OSError(errno.ENOSPC, "x"), True),
        (OSError(errno.EDQUOT, "x"), True),
        (sqlite3.OperationalError("database or disk is full"), True),
        (OSError(errno.EACCES, "x"), False),
        (sqlite3.OperationalError("database is locked"), False),
    ],
)
def test_full_disk_is_known(error: BaseException, full: bool) -> None:
    """By number or by SQLite's words, also as the cause of another error."""
    wrapped = RuntimeError("wrapped")
    wrapped.__cause__ = error

    assert is_disk_full(error) is full
    assert is_disk_full(wrapped) is full


def test_record_says_what_it_was_made_from(course_folder: Path) -> None:
    """A record has the digests of submission, source, environment and settings, and is the same in two runs."""
    run(course_folder)
    path = Store(course_folder / ".autograder").path(ASSIGNMENT, "ana", "first")
    once = json.loads(path.read_bytes())
    run(course_folder, force=True)

    assert set(once["digests"]) == {"submission", "source", "environment", "settings"}
    assert json.loads(path.read_bytes()) == once
