"""Why a check gave no points, by name, from a real submission to all places where it is told: record, table, page, explain."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from autograder.feedback.advice import of_cause
from autograder.leashed import can_fork
from autograder.records import Record
from autograder.voice import cause_in_words, voice
from tests.autograder.classroom import level
from tests.autograder.commands import autograder, cell, write_source
from tests.autograder.small_course import nbgrader

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_fork(), reason="There is no fork here.")]

SETUP = """
import hashlib, os
os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")
import boto3
from moto import mock_aws
_mock = mock_aws(); _mock.start()
s3 = boto3.client("s3")
s3.create_bucket(Bucket="colas")
"""
SOURCE = [
    cell("code", "setup", SETUP.strip(), locked=True),
    cell("code", "first", "### BEGIN SOLUTION\none = 1\n### END SOLUTION", solution=True),
    cell("code", "test-first", "assert one == 1", 1, grade=True, locked=True),
    cell("code", "work", "def work():\n    ### BEGIN SOLUTION\n    return 2\n    ### END SOLUTION", solution=True),
    cell(
        "code",
        "test-work",
        # What it does with an answer takes as long as the answer says, and cannot be interrupted.
        "rounds = work()\nassert rounds == 2 or not hashlib.pbkdf2_hmac('sha256', b'a', b'b', rounds)",
        2,
        grade=True,
        locked=True,
    ),
    cell("code", "last", "### BEGIN SOLUTION\nthree = 3\n### END SOLUTION", solution=True),
    cell("code", "test-last", "assert three == 3", 3, grade=True, locked=True),
]
LIMITS = {
    "cell_seconds": 5,
    "grace_seconds": 1,
    "submission_seconds": 120,
    "memory_bytes": 600 << 20,
    "processes": 12,
    "disk_bytes": 8 << 20,
    "cloud_bytes": 1 << 20,
}
GARBAGE = """
    import os
    for handle in range(3, 64):
        try: os.write(handle, b"x" * 100)
        except OSError: pass
    return 2"""


@dataclass(frozen=True)
class Case:
    """What a student's `work` does, and what comes of it. `last`: the cause of the third test, if it gives nothing."""

    body: str
    last: str | None = None


CASES = {
    "error": Case("return 3 if False else 1 / 0"),
    "time": Case("while True: pass"),
    "memory": Case("return len(bytearray(4 << 30))"),
    "exit": Case("import os; os._exit(3)", "gone"),
    "signal": Case("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "gone"),
    "processes": Case(
        "import threading, time\n    for n in range(99): threading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
    ),
    "disk": Case("open('big', 'wb').write(b'x' * (20 << 20))"),
    "cloud": Case("s3.put_object(Bucket='colas', Key='big', Body=b'x' * (2 << 20))"),
    "protocol": Case(GARBAGE.strip(), "gone"),
    "examiner": Case("return 2_000_000_000", "examiner"),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course in which one student met each cause, and nobody graded by hand; pages included."""
    folder = tmp_path_factory.mktemp("causes")
    write_source(folder, "hw", SOURCE)
    (folder / "nbgrader_config.py").write_text(
        f'c = get_config()\nc.CourseDirectory.course_id = "causes"\nc.AutograderApp.language = "es"\n'
        f"c.AutograderApp.limits = {LIMITS!r}\nc.AutograderApp.accept_unjailed = True\n",
        encoding="utf-8",
    )
    nbgrader(folder, "generate_assignment", "hw")
    for name, case in CASES.items():
        there = folder / "submitted" / f"who-{name}" / "hw"
        shutil.copytree(folder / "release" / "hw", there)
        notebook = nbformat.read(there / "one.ipynb", as_version=4)
        answers = {"first": "one = 1", "work": f"def work():\n    {case.body}", "last": "three = 3"}
        for each in notebook.cells:
            each.source = answers.get(each.metadata.nbgrader.grade_id, each.source)
        nbformat.write(notebook, there / "one.ipynb")
    done = autograder(folder, "grade", "hw", "--language=es")
    (folder / "table-es.txt").write_text(done.stdout, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    done = autograder(folder, "grade", "hw", "--language=ja")
    (folder / "table-ja.txt").write_text(done.stdout, encoding="utf-8")
    autograder(folder, "feedback", "hw")
    return folder


def record_of(folder: Path, name: str) -> Record:
    """Return a student's record."""
    text = (folder / ".autograder" / "hw" / f"who-{name}" / "one.json").read_text(encoding="utf-8")
    return Record.from_json(json.loads(text))


@pytest.mark.parametrize("name", CASES)
def test_cause_is_in_the_record(graded: Path, name: str) -> None:
    """At the test that met it and nowhere else; the points before it stay, and so do those after it where somebody is left."""
    record = record_of(graded, name)
    causes = {check.cell: check.cause for check in record.checks}
    earned = {check.cell: check.earned for check in record.checks}

    assert causes == {"test-first": None, "test-work": name, "test-last": CASES[name].last}
    assert earned == {"test-first": 1, "test-work": 0, "test-last": 0 if CASES[name].last else 3}
    assert record.faults == ()
    if name != "error":
        assert ("test-work", name) in [(hit.cell, hit.cause) for hit in record.limits]


@pytest.mark.parametrize("language", ["es", "ja"])
@pytest.mark.parametrize("name", [name for name in CASES if name != "error"])
def test_cause_is_told_to_the_teacher(graded: Path, name: str, language: str) -> None:
    """In the closing table beside the student, and by `explain` in the test's row, in the teacher's language."""
    words = cause_in_words(voice(language), name)
    table = (graded / f"table-{language}.txt").read_text(encoding="utf-8")
    told = autograder(graded, "explain", f"who-{name}", "hw", f"--language={language}", COLUMNS="200").stdout

    assert [line for line in table.splitlines() if words in line and f"who-{name}" in line]
    assert [line for line in told.splitlines() if "test-work" in line and words in line and "0 / 2" in line]


@pytest.mark.parametrize("language", ["es", "ja"])
@pytest.mark.parametrize("name", [name for name in CASES if name != "error"])
def test_cause_is_told_to_the_student(graded: Path, name: str, language: str) -> None:
    """The page says what happened, in both languages."""
    page = (graded / "feedback" / f"who-{name}" / "hw" / "one.html").read_text(encoding="utf-8")
    words = of_cause(name, voice(language), shown=True, seconds="5" if name == "time" else "")

    assert words.happened.partition("`")[0].strip() in page


def test_level_is_said_everywhere(graded: Path) -> None:
    """Table and record say under which protection it was graded."""
    assert record_of(graded, "time").level == level()
    for language in ("es", "ja"):
        assert f"{level()}" in (graded / f"table-{language}.txt").read_text(encoding="utf-8").splitlines()[0]
