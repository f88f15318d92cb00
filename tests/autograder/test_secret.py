"""The course's secret: where it comes from, what is said where there is none, and that nobody but the examiner is told it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from traitlets.config import PyFileConfigLoader

from autograder import nbgrader_plugin, secret
from autograder import paper as papers
from autograder.grading import Summary
from autograder.leashed import can_fork
from autograder.nursery import Nursery
from autograder.records import Job, Limits
from autograder.report import closing_lines
from autograder.results import digest_of_settings
from autograder.sheet import Paper, PaperCell, PaperNotebook
from autograder.voice import voice
from bentocola.checks import seeds
from tests.autograder.classroom import level
from tests.repository import ROOT

CANARY = "canary-0123456789abcdef"


@pytest.fixture(autouse=True)
def no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret before a test, and the environment as it was after it."""
    monkeypatch.setenv(secret.VARIABLE, "")
    monkeypatch.setattr(secret, "_adopted", None)
    monkeypatch.setattr(seeds, "_given", None)


def kept(folder: Path, text: str) -> Path:
    """Return a course's file with a secret."""
    path = folder / secret.FILE
    path.write_text(text, encoding="utf-8")
    return path


def test_both_sides_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable, and when its value is as public as none, for the course's commands and for its checks."""
    assert secret.VARIABLE == seeds.VARIABLE
    for value in ("", " \n", "bentocola", " bentocola ", CANARY):
        monkeypatch.setenv(secret.VARIABLE, value)
        assert secret.is_public() == seeds.is_public() == (CANARY not in value)


def test_a_file_s_secret_is_put_into_the_environment(tmp_path: Path) -> None:
    """Without the line's end; a file that is not there changes nothing."""
    secret.adopt(tmp_path / secret.FILE)
    assert secret.current() == ""
    secret.adopt(kept(tmp_path, f"{CANARY}\n"))
    assert os.environ[secret.VARIABLE] == CANARY


def test_the_environment_s_secret_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a teacher has set counts before what lies in the folder."""
    monkeypatch.setenv(secret.VARIABLE, "set")
    secret.adopt(kept(tmp_path, CANARY))
    assert secret.current() == "set"


def test_a_course_does_not_take_another_one_s_secret(tmp_path: Path) -> None:
    """Where two courses' settings are read in one process, each has its own file's secret, or none."""
    secret.adopt(kept(tmp_path, CANARY))
    secret.adopt(tmp_path / "elsewhere" / secret.FILE)
    assert secret.is_public()


@pytest.mark.parametrize("language", ["es", "ja"])
def test_a_course_s_settings_read_its_secret(language: str, tmp_path: Path) -> None:
    """Both editions' nbgrader_config.py take it from the file beside them, which git leaves alone."""
    shutil.copy(ROOT / "assignments" / language / "nbgrader_config.py", tmp_path)
    kept(tmp_path, CANARY)
    PyFileConfigLoader("nbgrader_config.py", path=str(tmp_path)).load_config()
    ignored = subprocess.run(
        ["git", "check-ignore", "-q", f"assignments/{language}/{secret.FILE}"], cwd=ROOT, check=False
    )

    assert secret.current() == CANARY
    assert ignored.returncode == 0


def test_another_secret_grades_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts among what a score depends on, and is not to be read there."""
    before = digest_of_settings(Limits(), "A", ())
    monkeypatch.setenv(secret.VARIABLE, CANARY)

    assert digest_of_settings(Limits(), "A", ()) != before
    assert CANARY not in secret.fingerprint()


# What a teacher is told


def paper(text: str) -> Paper:
    """Return a paper with one test."""
    return Paper("hw", "es", (PaperNotebook("nb", (PaperCell("test-a", "code", "test", text, 2),)),))


def test_only_tests_that_ask_for_a_secret_want_one() -> None:
    """A course of plain asserts needs none."""
    assert secret.is_wanted(paper('test.survives(save, "repeat", secret=True)'))
    assert not secret.is_wanted(paper('test.survives(save, "repeat")'))


@pytest.mark.parametrize("language", ["es", "ja"])
def test_the_closing_table_says_that_there_is_none(language: str, tmp_path: Path) -> None:
    """With the command that makes one, in the course's folder; nothing is said where all is well."""
    summary = Summary("hw", "A")
    lines = closing_lines(voice(language), summary)
    told = closing_lines(voice(language), replace(summary, without_secret=tmp_path))

    assert len(told) == len(lines) + 1
    assert any(f"> {tmp_path / secret.FILE}" in line for line in told)


def test_the_command_that_is_told_makes_a_secret(tmp_path: Path) -> None:
    """As it stands in the warning."""
    told = secret.warning(voice("es"), tmp_path)
    command = told[told.index("python -c") :].replace("python", sys.executable, 1)
    subprocess.run(command, shell=True, check=True)
    secret.adopt(tmp_path / secret.FILE)

    assert len(secret.current()) == 32


@pytest.mark.parametrize(
    ("arguments", "value", "is_told"),
    [
        (("autograde", "hw"), "", True),
        (("autograde", "hw"), CANARY, False),
        (("generate_assignment", "hw"), "", False),
    ],
)
def test_stock_nbgrader_warns_on_the_terminal(
    arguments: tuple[str, ...],
    value: str,
    is_told: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """When the settings are read for `autograde`, and there is no secret."""
    import nbgrader.converters  # noqa: F401 (as nbgrader's own commands)

    monkeypatch.setenv(nbgrader_plugin.STOCK, "1")
    monkeypatch.setenv(secret.VARIABLE, value)
    monkeypatch.setattr(sys, "argv", ["nbgrader", *arguments])
    nbgrader_plugin.use(secret=tmp_path / secret.FILE)

    assert (str(tmp_path) in capsys.readouterr().err.replace("\n", "")) == is_told


# Who knows it

SEARCH = """
import gc, os, re

seen = set()
pattern = re.compile(rb"canary-[0-9a-f]{16}")

def look(data):
    seen.update(pattern.findall(data))

look(repr(dict(os.environ)).encode())
for held in gc.get_objects():
    if type(held) in (dict, list, tuple, set):
        for one in list(held.values()) if type(held) is dict else list(held):
            if type(one) in (str, bytes):
                look(one.encode("utf-8", "replace") if type(one) is str else one)
for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
    try:
        with open(f"/proc/{name}/environ", "rb") as file:
            look(file.read())
    except OSError:
        pass
try:
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            ends, rights = line.split()[:2]
            begin, end = (int(one, 16) for one in ends.split("-"))
            while rights.startswith("r") and begin < end:
                try:
                    memory.seek(begin)
                    look(memory.read(min(end - begin, 1 << 22)))
                except (OSError, ValueError, OverflowError):
                    break
                begin += 1 << 22
except OSError:
    pass
print("SEEN", len(seen))
"""


def test_the_search_finds_a_secret_that_is_there() -> None:
    """So that finding nothing says something."""
    found = subprocess.run(
        [sys.executable, "-c", SEARCH], env={secret.VARIABLE: CANARY}, capture_output=True, text=True, check=True
    )

    assert found.stdout == "SEEN 1\n"


def cell(grade_id: str, text: str, **flags: Any) -> Any:
    """Return a code cell that nbgrader knows."""
    made = nbformat.v4.new_code_cell(text, id=grade_id)  # type: ignore[no-untyped-call]
    known = {"grade": False, "solution": False, "locked": False, "task": False}
    made.metadata["nbgrader"] = {"grade_id": grade_id, "schema_version": 3, "cell_type": "code", **known, **flags}
    return made


@pytest.mark.skipif(not can_fork(), reason="There is no fork here.")
def test_the_examiner_alone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its seeds are the secret's. The student's code finds nothing of it in memory or /proc, and no file has it."""
    monkeypatch.setenv(secret.VARIABLE, CANARY)
    expected = seeds.seed_of("repeat", True)
    test = f"from bentocola.checks import seeds\nassert seeds.seed_of('repeat', True) == {expected}\nanswer()"
    book = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
    book.cells = [
        cell("setup", "import os", locked=True),
        cell("answer", "### BEGIN SOLUTION\ndef answer(): pass\n### END SOLUTION", solution=True),
        cell("test-a", test, grade=True, locked=True, points=2),
    ]
    source, submitted, out = (tmp_path / name for name in ("source", "submitted", "out"))
    for folder in (source, submitted, out):
        folder.mkdir()
    nbformat.write(book, source / "nb.ipynb")  # type: ignore[no-untyped-call]
    book.cells[1].source = f"{SEARCH}\ndef answer():\n    print('CALLED', os.environ.get({secret.VARIABLE!r}))"
    nbformat.write(book, submitted / "nb.ipynb")  # type: ignore[no-untyped-call]
    papers.write(papers.prepare(source, assignment="hw", language="es"), tmp_path / "paper.json")
    job = Job("hw", "ana", ("nb",), source, submitted, tmp_path / "paper.json", out, "digest", level())
    with Nursery() as nursery:
        handle = nursery.start(job)
        report = json.loads(handle.connection.recv_bytes())
        handle.status()
    record = json.loads((out / "nb.json").read_text(encoding="utf-8"))
    written = (out / "nb.ipynb").read_text(encoding="utf-8")

    assert report == {"notebooks": ["nb"]}
    assert [check["earned"] for check in record["checks"]] == [2.0], record
    assert "SEEN 0" in written
    assert "CALLED None" in written
    assert CANARY not in json.dumps(job.as_json())
    assert all(CANARY.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
