"""The real command killed, out of room, refused, or started twice: what it says, and that run again it ends with the same.

Everything here is in processes of its own: the killing adopts orphans, and a full disk is a small one that is mounted.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from bentocola.messages import translate
from tests.autograder import aftermath, torture
from tests.autograder.torture import ASSIGNMENT, STUDENTS
from tests.repository import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="It asks Linux for its processes.")]

KILLS = 20
SPANISH = "--language=es"


def said_in_spanish(message: str) -> str:
    """Return the beginning of a message that has places for values, as the teacher reads it."""
    return translate("es", message).partition("{")[0]


def test_killed_and_run_again_nothing_differs(tmp_path: Path) -> None:
    """SIGKILL at random points, of the command, its group, all its processes, or one of them; see `torture`."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.autograder.torture", f"--kills={KILLS}", f"--folder={tmp_path}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5_000:]
    assert f"{KILLS} kills, 0 courses with faults" in done.stdout


@dataclass(frozen=True)
class School:
    """A course that was never graded, and what a run of it leaves. `home`: the command's own folder."""

    home: Path
    course: Path
    result: dict[str, Any]
    size: int
    """In bytes: what a run adds to the course."""

    def grade(self, course: Path, *more: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        return subprocess.run(
            torture.command(course, "--accept-unjailed", SPANISH, "--workers=2", *more),
            env=torture.environment(self.home, course),
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> School:
    """The course, graded once without interruption."""
    made = torture.Torture(tmp_path_factory.mktemp("torture"), seed=0)
    course = made.folder / "course"
    torture.make_course(course)
    whole = made.folder / "whole"
    shutil.copytree(course, whole)
    before = _size(whole)
    school = School(made.folder, course, {}, 0)
    ended = school.grade(whole)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return School(made.folder, course, aftermath.result_of(whole), _size(whole) - before)


def _size(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*"))


Disk = Callable[[int], Path]
"""Bytes in, a disk of that size out."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Mount disks of some sizes, until the test has ended."""
    mounted: list[Path] = []

    def mount(size: int) -> Path:
        folder = tmp_path / f"disk-{len(mounted)}"
        folder.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"A disk cannot be mounted here: {done.stderr.strip()}")
        mounted.append(folder)
        return folder

    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("A disk can be mounted by root only.")
    yield mount
    for folder in mounted:
        subprocess.run(["umount", folder], check=True)


def leave(disk: Path, size: int) -> Path:
    """Fill a disk so that `size` bytes are left, and return the file that does it."""
    ballast = disk / "ballast"
    there = os.statvfs(disk)
    ballast.write_bytes(bytes(max(0, there.f_bavail * there.f_frsize - size)))
    return ballast


FULL = (
    "The disk is full, so the run has paused. What was graded is saved. Make room and run the same command: it goes on from"
    " there."
)


@pytest.mark.parametrize("part", [0.02, 0.15, 0.4, 0.7])
def test_full_disk_pauses_the_run(school: School, disk: Disk, part: float) -> None:
    """Wherever in a run the disk is full: one sentence, status 1; with room again it goes on, and the result is whole."""
    place = disk(256 << 20)
    course = place / "course"
    shutil.copytree(school.course, course)
    ballast = leave(place, int(school.size * part))

    paused = school.grade(course)
    ballast.unlink()
    resumed = school.grade(course)

    assert paused.returncode == 1, paused.stdout + paused.stderr
    assert translate("es", FULL) in paused.stderr
    assert "Traceback" not in paused.stderr
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert list(aftermath.differences(aftermath.result_of(course), school.result)) == []


@pytest.mark.parametrize("left", [0, 8 << 10, 20 << 10])
def test_full_disk_of_the_gradebook_pauses_the_run(school: School, disk: Disk, tmp_path: Path, left: int) -> None:
    """The gradebook alone may lie on another disk: there, too, nothing is lost."""
    course, place = tmp_path / "course", disk(8 << 20)
    shutil.copytree(school.course, course)
    book = place / "gradebook.db"
    shutil.move(course / "gradebook.db", book)
    ballast = leave(place, left)

    paused = school.grade(course, f"--db=sqlite:///{book}")
    ballast.unlink()
    resumed = school.grade(course, f"--db=sqlite:///{book}")
    shutil.copy(book, course)

    assert paused.returncode == 1, paused.stdout + paused.stderr
    assert translate("es", FULL) in paused.stderr
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert list(aftermath.differences(aftermath.result_of(course), school.result)) == []


def test_course_that_may_only_be_read_is_refused(school: School, disk: Disk) -> None:
    """One sentence that names what cannot be written; afterwards nothing has changed, and once it may be written it is graded."""
    place = disk(256 << 20)
    course = place / "course"
    shutil.copytree(school.course, course)
    names = sorted(course.rglob("*"))

    subprocess.run(["mount", "-o", "remount,ro", place], check=True)
    refused = school.grade(course)
    subprocess.run(["mount", "-o", "remount,rw", place], check=True)
    after = sorted(course.rglob("*"))
    graded = school.grade(course)

    assert refused.returncode == 1
    assert str(course) in refused.stderr
    assert "Traceback" not in refused.stderr
    assert len(refused.stderr.splitlines()) == 1, refused.stderr
    assert after == names
    assert graded.returncode == 0, graded.stdout + graded.stderr
    assert list(aftermath.differences(aftermath.result_of(course), school.result)) == []


def test_gradebook_that_may_only_be_read_is_refused(school: School, disk: Disk, tmp_path: Path) -> None:
    """The run stops before a submission is put under `autograded/` for nothing."""
    course, place = tmp_path / "course", disk(8 << 20)
    shutil.copytree(school.course, course)
    book = place / "gradebook.db"
    shutil.move(course / "gradebook.db", book)

    subprocess.run(["mount", "-o", "remount,ro", place], check=True)
    refused = school.grade(course, f"--db=sqlite:///{book}")
    subprocess.run(["mount", "-o", "remount,rw", place], check=True)
    graded = school.grade(course, f"--db=sqlite:///{book}")
    shutil.copy(book, course)

    assert refused.returncode == 1
    assert str(book) in refused.stderr
    assert "Traceback" not in refused.stderr
    assert graded.returncode == 0, graded.stdout + graded.stderr
    assert list(aftermath.differences(aftermath.result_of(course), school.result)) == []


def test_second_run_at_once_is_refused(school: School, tmp_path: Path) -> None:
    """While one run grades, another one of the same course says which process does, and disturbs nothing."""
    course = tmp_path / "course"
    shutil.copytree(school.course, course)
    first = subprocess.Popen(
        torture.command(course, "--accept-unjailed", SPANISH, "--workers=2"),
        env=torture.environment(school.home, course),
        cwd=school.home,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdout is not None
    with first.stdout as output:
        while not (line := output.readline()).startswith("["):
            assert line
        first.send_signal(signal.SIGSTOP)  # so that it cannot be over before the second one has come that far
        try:
            second = school.grade(course)
        finally:
            first.send_signal(signal.SIGCONT)
        output.read()

    assert first.wait() == 0
    assert second.returncode == 1
    assert str(first.pid) in second.stderr
    assert re.match(
        said_in_spanish(
            "Another run is grading {assignment} in this course: process {process} on {host}. Wait until it ends."
        ),
        second.stderr,
    )
    assert list(aftermath.differences(aftermath.result_of(course), school.result)) == []


def test_full_folder_of_a_student_costs_nobody_else(school: School, tmp_path: Path) -> None:
    """A worker writes into the course's disk and, for the student's code, into a small disk of its own: it alone is full."""
    course = tmp_path / "course"
    shutil.copytree(school.course, course)
    notebook = course / "submitted" / STUDENTS[0] / ASSIGNMENT / f"{torture.NOTEBOOK}.ipynb"
    made = nbformat.read(notebook, as_version=4)
    made.cells.append(nbformat.v4.new_code_cell("open('big', 'wb').write(bytes(200 << 20))"))
    nbformat.write(made, notebook)

    graded = school.grade(course)

    assert graded.returncode == 0, graded.stdout + graded.stderr
    assert translate("es", FULL) not in graded.stderr
    gradebook = aftermath.result_of(course)["gradebook"]
    assert gradebook == school.result["gradebook"]
