"""Preflight: which tests cannot run apart from the reference solution, what is wrong with the others, and what becomes of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from rich.console import Console

from autograder import preflight, rehearsal, secret
from autograder.apartness import why
from autograder.app import main
from autograder.findings import Findings, keep, kept
from autograder.nursery import Nursery, can_fork
from autograder.preflight import Examined
from autograder.records import Limits, Note, Record
from autograder.rehearsal import Stage
from autograder.sheet import PaperCell, PaperNotebook, Place
from autograder.voice import voice
from tests.autograder.classroom import level
from tests.autograder.small_course import ASSIGNMENT, GOOD, hand_in

forks = pytest.mark.skipif(not can_fork(), reason="There is no fork here.")

SETUP = "import inspect\nfrom unittest import mock\nseen = []\n"
ANSWERS = {
    "double": "def double(x):\n    return 2 * x",
    "others": (
        "class Box:\n    def __init__(self, size):\n        self.size = size\n"
        "def note(x):\n    seen.append(x)\n"
        "def save():\n    with open('notes.txt', 'w') as file:\n        file.write('hi')\n"
        "def ask():\n    return input()\n"
        "def rate():\n    return 0.5"
    ),
}
APART = {
    "t-plain": "assert double(2) == 4",
    "t-points": "1 * (double(2) == 4) + 1",
    "t-free": "assert 1 + 1 == 2",
}
TOGETHER = {
    "t-source": "assert 'return' in inspect.getsource(double)",
    "t-file": "save()\nassert open('notes.txt').read() == 'hi'",
    "t-patch": "with mock.patch('builtins.input', return_value='x'):\n    assert ask() == 'x'",
    "t-shared": "note(7)\nassert seen == [7]",
    "t-names": "assert sum(getattr(v, '__module__', '') == '__main__' and k == 'double' for k, v in globals().items()) == 1",
}
DRAWN_IN = {"t-binds": "bound = 3\nassert double(bound) == 6"}
"""Holds apart; but a test that runs together reads what it binds."""
DRAWS = {"t-reads": "assert len(inspect.getsource(double)) > bound"}
FAULTS = {
    "t-wrong": "assert double(2) == 5, 'no such double'",
    "t-false": "double(2) == 5",
    "t-partial": "rate()",
    "t-report": (
        "from bentocola.checks import check\n"
        "class cloud:\n    edition = 'es'\n    say = staticmethod(lambda text, **named: text.format(**named))\n"
        "with check(cloud, 'double', 2) as test:\n    test.equal(double(2), 5)\ntest.result"
    ),
}
TESTS = {**APART, **TOGETHER, **DRAWN_IN, **DRAWS, **FAULTS}
MARKED = {*TOGETHER, *DRAWN_IN, *DRAWS}


def _cell(grade_id: str, text: str, points: float | None = None, **flags: bool) -> Any:
    cell = new_code_cell(text, id=grade_id)
    said = {"grade": False, "solution": False, "locked": False, "task": False, **flags}
    cell.metadata["nbgrader"] = {"grade_id": grade_id, "schema_version": 3, "cell_type": "code", **said}
    if points is not None:
        cell.metadata["nbgrader"]["points"] = points
    return cell


def write_source(folder: Path, tests: dict[str, str]) -> None:
    """Write the assignment's source: a locked cell, two answers, tests of 2 points each."""
    folder.mkdir(parents=True, exist_ok=True)
    cells = [_cell("setup", SETUP, locked=True)]
    cells += [
        _cell(name, f"### BEGIN SOLUTION\n{text}\n### END SOLUTION", solution=True) for name, text in ANSWERS.items()
    ]
    cells += [_cell(name, text, 2, grade=True, locked=True) for name, text in tests.items()]
    notebook = new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, folder / "tests.ipynb")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Yield a nursery."""
    with Nursery() as nursery:
        yield nursery


@pytest.fixture(scope="module")
def examined(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Examined:
    """What preflight finds of the course above."""
    from autograder import paper as papers

    folder = tmp_path_factory.mktemp("preflight")
    write_source(folder / "source", TESTS)
    paper = papers.prepare(folder / "source", assignment="hw", language="es")

    def room(name: str) -> Path:
        made = folder / name
        made.mkdir()
        return made

    stage = Stage(folder / "source", room, nursery, level(), Limits(cell_seconds=20, submission_seconds=100))
    examined = preflight.examine(stage, paper, {"source": "s"}, both=True)
    assert {path.name for path in folder.iterdir()} == {"source"}, "A sitting's folder was left behind."
    return examined


def codes(examined: Examined, code: str) -> set[str | None]:
    """Return the cells with a finding of that code."""
    return {finding.note.cell for finding in examined.findings.found if finding.note.code == code}


@forks
@pytest.mark.slow
def test_tests_that_cannot_run_apart_are_found(examined: Examined) -> None:
    """They, and the test that binds what one of them reads, run together; all others run apart."""
    assert set(examined.findings.together["tests"]) == MARKED
    assert codes(examined, "together") == MARKED
    [sheet] = examined.paper.notebooks
    assert {cell.grade_id for cell in sheet.cells if cell.together} == MARKED


@forks
@pytest.mark.slow
def test_reference_has_its_points_as_it_will_be_graded(examined: Examined) -> None:
    """With the tests marked, the reference solution gets all points of each test without a fault of its own."""
    final = examined.ways.final.tests
    assert {cell for (_, cell), tried in final.items() if not tried.holds} == set(FAULTS)


@forks
@pytest.mark.slow
def test_faults_of_the_assignment_are_named(examined: Examined) -> None:
    """A test that holds neither way, one without a score, one with less than all points: grave, with what came."""
    found = {finding.note.cell: finding for finding in examined.findings.found if finding.grave}
    assert {cell: finding.note.code for cell, finding in found.items()} == {
        "t-wrong": "fails",
        "t-false": "no-score",
        "t-partial": "partial",
        "t-report": "fails",
    }
    assert "gave 4" in found["t-report"].note.values["error"]
    assert "no such double" in found["t-wrong"].note.values["error"]
    assert found["t-false"].note.values["got"].startswith("False")
    assert found["t-partial"].note.values == {"earned": "0.5", "points": "2"}
    assert not examined.findings.gradable


@forks
@pytest.mark.slow
def test_points_for_nothing_are_a_warning(examined: Examined) -> None:
    """A test that a blank submission passes is named, and is no reason not to grade."""
    assert codes(examined, "blank") == {"t-free"}


@forks
@pytest.mark.slow
def test_table_is_in_the_teachers_language(examined: Examined) -> None:
    """Each test has a row with its points both ways; the findings follow, the grave ones first."""
    out = io.StringIO()
    preflight.show(voice("es"), examined, Limits(), Console(file=out, width=200, highlight=False))
    text = out.getvalue()
    rows = {line.split("│")[1].strip(): line for line in text.splitlines() if line.startswith("│")}
    assert set(rows) == set(TESTS)
    assert [part.strip() for part in rows["t-plain"].split("│")[2:5]] == ["2 / 2", "2 / 2", "0 / 2"]
    assert [part.strip() for part in rows["t-shared"].split("│")[2:4]] == ["0 / 2", "2 / 2"]
    marks = [line[0] for line in text.splitlines() if line[:1] in "✗•" and line]
    assert marks == sorted(marks, key="✗•".index)
    assert marks.count("✗") == len(FAULTS)


@pytest.mark.parametrize(
    ("test", "sentence"),
    [
        ("import inspect\ninspect.getsource(f)", "It looks at the code of what the student wrote."),
        ("mock.patch('a.b')", "It puts something in the place of what the student's code uses."),
        ("helper.rate = 3", "It puts something in the place of what the student's code uses."),
        ("isinstance(f(), Box)", "It asks whether something is of a class of the student's."),
        ("assert 'f' in globals()", "It looks at the names of the whole notebook."),
        ("open('notes.txt')", "It looks at a file, and the student's code has a working folder of its own."),
        ("assert seen == [1]", "It may need a value that the student's code shares with it: {names}."),
        ("assert isinstance(f(), int)", "No reason can be told from its text."),
        ("not python at all", "No reason can be told from its text."),
    ],
)
def test_reason_is_told_from_the_text(test: str, sentence: str) -> None:
    """Each kind of test that cannot run apart has a sentence; what is not known is said to be so."""
    cells = (
        PaperCell("setup", "code", "locked", "seen = []"),
        PaperCell("answer", "code", "answer", "class Box: pass\ndef f():\n    seen.append(1)"),
        PaperCell("test", "code", "test", test, 1),
    )
    layout = tuple(Place(cell.grade_id, "code", cell.text, cell.grade_id) for cell in cells)
    assert why(PaperNotebook("n", cells, layout=layout), cells[2]).message == sentence


def test_findings_of_another_source_say_nothing(tmp_path: Path) -> None:
    """What is kept is read again for the same source, and for no other; nor is a file that is none."""
    path = tmp_path / "hw" / ".preflight.json"
    found = Findings(
        {"source": "a"}, {"tests": ["t"]}, (preflight.Finding("tests", Note("m", {}, "t", "fails"), True),)
    )
    keep(found, path)
    assert kept(path, "a") == found
    assert kept(path, "b") is None
    path.write_text("[]", encoding="utf-8")
    assert kept(path, "a") is None


def test_cells_of_header_and_footer_are_in_the_reference(tmp_path: Path) -> None:
    """What the course's settings put around a release is put around the source, which does not have it."""
    write_source(tmp_path, APART)
    ids = ["setup", *ANSWERS, *APART]
    layout = (
        Place("", "code", "import header"),
        *(Place(name, "code", "x", name) for name in ids),
        Place("", "markdown", "footer"),
    )
    made = rehearsal._reference(tmp_path, PaperNotebook("tests", (), layout=layout))
    assert [made.cells[0].source, made.cells[-1].source] == ["import header", "footer"]
    assert len(made.cells) == len(ids) + 2


# With the commands


class Told:
    """Counts how often the reference solution is tried."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        real = preflight.examine

        def examine(*arguments: Any, **named: Any) -> Examined:
            self.count += 1
            return real(*arguments, **named)

        monkeypatch.setattr(preflight, "examine", examine)


@pytest.fixture
def course(empty_course: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small course, in which one of two tests cannot run apart, with one student. Commands run in this process."""
    monkeypatch.setenv("JUPYTER_NO_CONFIG", "1")
    hand_in(empty_course, "ana", GOOD)
    change(
        empty_course, "test-double", "double_of = globals()['double']\nassert 'double' in dir() and double_of(2) == 4"
    )
    return empty_course


def change(course: Path, grade_id: str, text: str) -> None:
    """Put another text into a cell of the source."""
    path = course / "source" / ASSIGNMENT / "first.ipynb"
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if cell.metadata.nbgrader.grade_id == grade_id).source = text
    nbformat.write(notebook, path)


def in_course(folder: Path, *arguments: str) -> int:
    """Run a command."""
    more = ["--accept-unjailed"] if arguments[0] == "grade" else []
    return main([*arguments, f"--course-dir={folder}", *more])


def record(course: Path) -> Record:
    """Return ana's record of the first notebook."""
    path = course / ".autograder" / ASSIGNMENT / "ana" / "first.json"
    return Record.from_json(json.loads(path.read_bytes()))


@forks
@pytest.mark.slow
def test_grade_tries_the_reference_once_for_a_source(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fresh course is graded without a preflight of its own; a changed source is tried again."""
    told = Told(monkeypatch)
    assert in_course(course, "grade", ASSIGNMENT) == 0
    assert told.count == 1
    check = next(check for check in record(course).checks if check.cell == "test-double")
    assert (check.where, check.earned) == ("candidate", 2)
    output = capsys.readouterr().out
    row = next(line for line in output.splitlines() if "test-double" in line)
    assert voice("es")("Tests run with the student's code").split()[0] in row

    assert in_course(course, "explain", "ana", ASSIGNMENT) == 0
    assert voice("es")("with the student's code").split()[0] in capsys.readouterr().out

    assert in_course(course, "grade", ASSIGNMENT) == 0
    assert told.count == 1

    change(course, "test-double", "assert double(2) == 4")
    assert in_course(course, "grade", ASSIGNMENT) == 0
    assert told.count == 2
    check = next(check for check in record(course).checks if check.cell == "test-double")
    assert (check.where, check.earned) == ("examiner", 2)


@forks
@pytest.mark.slow
def test_command_keeps_what_it_found_and_its_status_tells(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 0 if it can be graded, 1 if not; `grade` does not try again what preflight has tried."""
    assert in_course(course, "preflight", ASSIGNMENT) == 0
    assert "test-double" in capsys.readouterr().out
    told = Told(monkeypatch)
    assert in_course(course, "grade", ASSIGNMENT) == 0
    assert told.count == 0
    assert next(check.where for check in record(course).checks if check.cell == "test-double") == "candidate"
    capsys.readouterr()

    monkeypatch.delenv(secret.VARIABLE, raising=False)
    change(course, "test-double", "assert double(2) == 5, 'secret=True'")
    assert in_course(course, "preflight", ASSIGNMENT) == 1
    output = capsys.readouterr().out
    assert "✗ first: test-double" in output
    assert secret.FILE in output
    # The class is graded all the same, and the table says what is wrong.
    assert in_course(course, "grade", ASSIGNMENT) == 0
    output = capsys.readouterr().out
    assert "test-double" in output
    assert secret.FILE in output
    monkeypatch.setenv(secret.VARIABLE, "of the course")
    assert in_course(course, "grade", ASSIGNMENT) == 0
    assert secret.FILE not in capsys.readouterr().out
