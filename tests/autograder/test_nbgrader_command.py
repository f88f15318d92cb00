"""`nbgrader autograde` on the bench course, hostile submissions among the others: expected.json's scores, also when resumed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.leashed import can_fork
from tests.autograder.classroom import BENCH, EXPECTED
from tests.autograder.commands import environment, scores
from tests.autograder.small_course import nbgrader

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_fork(), reason="There is no fork here.")]

HONEST = EXPECTED | {
    # Its cell opens the teacher's gradebook before it defines the answer. That file does not exist in the jail: the cell
    # stops there, the name is never bound, and the five points of test3 are not earned.
    "h24_reads_gradebook": 5
}
LINES = """
from autograder.nbgrader_plugin import use

use()
c.AutograderApp.language = "es"
c.AutograderApp.accept_unjailed = True
c.AutograderApp.limits = {"cell_seconds": 10}
"""


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bench course with all its submissions handed in. Not to be changed."""
    folder = tmp_path_factory.mktemp("bench")
    shutil.copytree(BENCH / "source", folder / "source")
    for kind in ("submitted", "hostile"):
        shutil.copytree(BENCH / kind, folder / "submitted", dirs_exist_ok=True)
    settings = (BENCH / "nbgrader_config.py").read_text(encoding="utf-8")
    (folder / "nbgrader_config.py").write_text(settings + LINES, encoding="utf-8")
    nbgrader(folder, "generate_assignment", "ps1")
    return folder


@pytest.fixture
def course(released: Path, tmp_path: Path) -> Path:
    """Return a copy of it."""
    shutil.copytree(released, tmp_path / "course")
    return tmp_path / "course"


def test_fresh_run_gives_the_expected_scores(course: Path) -> None:
    """All forty, by one command; each hostile one gets what it earned."""
    done = nbgrader(course, "autograde", "ps1")

    assert done.returncode == 0
    assert scores(course / "gradebook.db") == HONEST
    assert sorted(path.name for path in (course / "autograded").iterdir()) == sorted(HONEST)


def test_killed_run_is_resumed(course: Path) -> None:
    """Killed after a few and run again: what was graded is kept, and the scores are the same."""
    running = subprocess.Popen(
        [sys.executable, "-m", "nbgrader", "autograde", "ps1"],
        cwd=course,
        env=environment(PYTHONUNBUFFERED="1", HOME=str(course.parent)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stderr is not None
    with running:
        for line in running.stderr:
            if "[7/40]" in line:
                break
        os.killpg(running.pid, signal.SIGKILL)
    assert 6 <= len(scores(course / "gradebook.db")) < 40

    done = nbgrader(course, "autograde", "ps1")

    kept = done.stderr.partition("Sin cambios: ")[2].partition(".")[0]
    assert 6 <= int(kept) < 40
    assert scores(course / "gradebook.db") == HONEST
