"""The paper: what is read from a source, and that what students were handed is what nbgrader itself would hand them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from traitlets.config import Config, PyFileConfigLoader

from autograder import paper
from autograder.release import modules_of
from autograder.sheet import Paper, PaperCell, PaperError
from tests.autograder.handed_in import nbgrader_cell, source
from tests.autograder.small_course import nbgrader

ROOT = Path(__file__).parents[2]
BENCH = Path(__file__).parent / "bench_course"
COURSES = (BENCH, ROOT / "assignments" / "es", ROOT / "assignments" / "ja")
ASSIGNMENT = "01-upload-to-table"


ANSWER = nbgrader_cell(
    "code", "answer", "def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION", solution=True
)
TEST = nbgrader_cell(
    "code",
    "test",
    "assert f() == 1\n### BEGIN HIDDEN TESTS\nassert f() == 1.0\n### END HIDDEN TESTS",
    grade=True,
    locked=True,
    points=3,
)


def prepare(folder: Path, **options: Any) -> Paper:
    """Prepare a source folder of the tests."""
    return paper.prepare(folder, assignment="ps", language="", **options)


def cell_of(made: Paper, grade_id: str) -> PaperCell:
    """Return a cell of the only notebook."""
    cell = made.notebooks[0].cell(grade_id)
    assert cell is not None
    return cell


# What is in it


def test_bench_course() -> None:
    """Roles, points, hidden lines and modules of an ordinary nbgrader assignment."""
    made = paper.prepare(BENCH / "source" / "ps1", assignment="ps1", language="")

    (notebook,) = made.notebooks
    assert notebook.name == "pipeline"
    assert [(cell.grade_id, cell.role, cell.points, cell.hidden) for cell in notebook.cells] == [
        ("intro", "locked", 0, ()),
        ("setup", "locked", 0, ()),
        ("sol1", "answer", 0, ()),
        ("test1", "test", 2, ((2, 4),)),
        ("sol2", "answer", 0, ()),
        ("test2", "test", 3, ()),
        ("sol3", "answer", 0, ()),
        ("test3", "test", 5, ((3, 6),)),
    ]
    assert notebook.modules == ("boto3", "botocore.exceptions", "json", "moto", "os", "urllib.parse")
    assert notebook.metadata["kernelspec"]["name"] == "python3"


def test_released_text_is_what_students_have() -> None:
    """The tests of a real submission are, byte for byte, what the paper says was released."""
    made = paper.prepare(BENCH / "source" / "ps1", assignment="ps1", language="")
    submitted = nbformat.read(BENCH / "submitted" / "s00" / "ps1" / "pipeline.ipynb", as_version=4)

    for cell in submitted.cells:
        known = cell_of(made, cell.metadata.nbgrader.grade_id)
        if known.kept_whole:
            assert cell.source == known.released_text
        else:
            assert "YOUR CODE HERE" in known.released_text
            assert "BEGIN SOLUTION" in known.text


@pytest.mark.parametrize(
    ("language", "stub"), [("es", "# Escribe aquí tu respuesta."), ("ja", "# ここに答えを書きましょう。")]
)
def test_own_assignment_has_the_stubs_of_its_course(language: str, stub: str) -> None:
    """What stands in the place of a solution is what the course's configuration says."""
    course = ROOT / "assignments" / language
    settings = PyFileConfigLoader(str(course / "nbgrader_config.py")).load_config()
    made = paper.prepare(
        course / "source" / ASSIGNMENT, assignment=ASSIGNMENT, language=language, clear_settings=settings
    )

    cells = made.notebooks[0].cells
    assert stub in cell_of(made, "handler").released_text
    assert sum(cell.points for cell in cells) == 30
    assert [cell.grade_id for cell in cells if cell.role == "manual"] == ["answer-in-words"]
    assert all("BEGIN" not in place.text for place in made.notebooks[0].layout)
    assert len(made.notebooks[0].layout) > len(cells)


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder",
    [folder for course in COURSES for folder in sorted((course / "source").iterdir())],
    ids=lambda path: f"{path.parents[1].name}-{path.name}",
)
def test_layout_equals_nbgraders_release(folder: Path, tmp_path: Path) -> None:
    """`nbgrader generate_assignment` releases, cell by cell, the very texts and types of the layout."""
    course = folder.parents[1]
    (tmp_path / "nbgrader_config.py").write_bytes((course / "nbgrader_config.py").read_bytes())
    (tmp_path / "source" / folder.name).mkdir(parents=True)
    for path in folder.glob("*.ipynb"):
        (tmp_path / "source" / folder.name / path.name).write_bytes(path.read_bytes())
    nbgrader(tmp_path, "generate_assignment", folder.name)
    settings = PyFileConfigLoader(str(course / "nbgrader_config.py")).load_config()

    made = paper.prepare(folder, assignment=folder.name, language="", clear_settings=settings)

    for notebook in made.notebooks:
        released = nbformat.read(tmp_path / "release" / folder.name / f"{notebook.name}.ipynb", as_version=4)
        assert [(place.cell_type, place.text) for place in notebook.layout] == [
            (cell.cell_type, cell.source) for cell in released.cells
        ]


def test_own_delimiters(tmp_path: Path) -> None:
    """Hidden tests and solutions are found by the course's own marks."""
    settings = Config()
    settings.ClearHiddenTests.begin_test_delimeter = "OCULTO"
    settings.ClearHiddenTests.end_test_delimeter = "VISIBLE"
    settings.ClearSolutions.begin_solution_delimeter = "DESDE"
    settings.ClearSolutions.end_solution_delimeter = "HASTA"
    settings.ClearSolutions.code_stub = {"python": "..."}
    folder = source(
        tmp_path,
        nbgrader_cell("code", "answer", "x = 1\n# DESDE\ny = 2\n# HASTA", solution=True),
        nbgrader_cell("code", "test", "a\n# OCULTO\nb\n# VISIBLE\nc\n# OCULTO\nd\n# VISIBLE", grade=True, points=1),
    )

    made = prepare(folder, clear_settings=settings)

    assert cell_of(made, "answer").released_text == "x = 1\n..."
    assert cell_of(made, "test").released_text == "a\nc"
    assert cell_of(made, "test").hidden == ((2, 4), (6, 8))


def test_roles(tmp_path: Path) -> None:
    """Each kind of cell has its role; a cell that states nothing has none."""
    folder = source(
        tmp_path,
        new_markdown_cell("plain"),
        nbgrader_cell("markdown", "read", "only", locked=True),
        nbgrader_cell(
            "markdown", "words", "### BEGIN SOLUTION\nso\n### END SOLUTION", grade=True, solution=True, points=2
        ),
        nbgrader_cell("code", "by-hand", "1", grade=True, solution=True, points=2),
        nbgrader_cell(
            "markdown",
            "task",
            "Do.\n### BEGIN MARK SCHEME\n2 for it\n### END MARK SCHEME",
            task=True,
            points=4,
            locked=True,
        ),
        nbgrader_cell("code", "nothing", "1"),
        ANSWER,
        TEST,
    )

    made = prepare(folder)

    assert [(cell.grade_id, cell.role) for cell in made.notebooks[0].cells] == [
        ("read", "locked"),
        ("words", "manual"),
        ("by-hand", "manual"),
        ("task", "task"),
        ("answer", "answer"),
        ("test", "test"),
    ]
    assert cell_of(made, "task").hidden == ((2, 4),)
    assert cell_of(made, "task").released_text == "Do."
    assert cell_of(made, "words").released_text == "YOUR ANSWER HERE"
    assert [place.grade_id for place in made.notebooks[0].layout][0] is None


@pytest.mark.parametrize("version", [0, 1, 2])
def test_older_metadata_is_brought_up_to_date(version: int, tmp_path: Path) -> None:
    """A source of an older nbgrader is read as nbgrader itself would upgrade it."""
    settings = {
        "grade": True,
        "solution": False,
        "locked": False,
        "grade_id": "test",
        "points": 2,
        "schema_version": version,
    }
    if version == 0:
        settings |= {"points": "2", "extra": 1}
        del settings["schema_version"]
    folder = source(tmp_path, new_code_cell("assert True", metadata={"nbgrader": settings}))

    cell = cell_of(prepare(folder), "test")

    assert (cell.role, cell.points) == ("test", 2)
    assert cell.metadata["nbgrader"]["schema_version"] == 3
    assert "extra" not in cell.metadata["nbgrader"]


def test_header_and_footer_of_the_course(tmp_path: Path) -> None:
    """Notebooks that the course puts before and after each one are in the paper, wherever the command is run."""
    folder = source(tmp_path, ANSWER, TEST)
    header = new_notebook(cells=[nbgrader_cell("code", "imports", "import math", locked=True)])
    nbformat.write(header, tmp_path / "header.ipynb")
    settings = Config()
    settings.IncludeHeaderFooter.header = "header.ipynb"

    made = prepare(folder, clear_settings=settings)

    assert [cell.grade_id for cell in made.notebooks[0].cells] == ["imports", "answer", "test"]
    assert made.notebooks[0].modules == ("math",)
    assert settings.IncludeHeaderFooter.header == "header.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("another")]), tmp_path / "header.ipynb")
    assert paper.fingerprint(folder, clear_settings=settings) != made.made_from


def test_tests_that_run_together_are_marked(tmp_path: Path) -> None:
    """The cells that preflight named are marked, and no other; one that is not there is told."""
    folder = source(tmp_path, ANSWER, TEST)

    assert cell_of(prepare(folder, together={"one": {"test"}}), "test").together
    assert not cell_of(prepare(folder), "test").together
    with pytest.raises(PaperError, match="no cell gone"):
        prepare(folder, together={"one": {"gone"}})


def test_modules_are_found_anywhere() -> None:
    """Imports in functions, after magics and in hidden tests count; relative ones and broken cells do not."""
    cells = [
        "import a.b as c, d\n%matplotlib inline\nfiles = !ls",
        "def f():\n    from e.f import g\n    from . import h\n    from __future__ import annotations",
        "%%bash\nimport nothing",
        "import broken (",
        "x = await thing()\nimport i",
    ]

    assert modules_of(cells) == ("a.b", "d", "e.f", "i")


# Sources that are none


def test_sources_that_cannot_be_released(tmp_path: Path) -> None:
    """Each is told in a sentence that names the file."""
    twice = source(tmp_path / "a", TEST, nbgrader_cell("code", "test", "", grade=True, points=1))
    nested = source(tmp_path / "b", nbgrader_cell("code", "x", "### BEGIN SOLUTION\n### BEGIN SOLUTION", solution=True))
    broken = source(tmp_path / "c", ANSWER)
    (broken / "one.ipynb").write_text("{")
    empty = tmp_path / "d"
    empty.mkdir()

    for folder, said in (
        (twice, "Duplicate grade id: test"),
        (nested, "nested"),
        (broken, "one.ipynb"),
        (empty, "at least one notebook"),
        (tmp_path / "nowhere", "there is none"),
    ):
        with pytest.raises(PaperError, match=said):
            prepare(folder)


# On disk


def test_written_and_read_again(tmp_path: Path) -> None:
    """A paper comes back equal, and nobody else may read the file."""
    made = prepare(source(tmp_path, ANSWER, TEST))

    paper.write(made, tmp_path / "paper.json")

    assert paper.read(tmp_path / "paper.json") == made
    assert list(tmp_path.glob(".paper*")) == []
    if sys.platform != "win32":
        assert (tmp_path / "paper.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"schema": 99}', b'{"schema": 1, "notebooks": [{}]}', b"\xff"])
def test_something_else_on_disk(data: bytes, tmp_path: Path) -> None:
    """What is no paper of this version is told, with what to do."""
    (tmp_path / "paper.json").write_bytes(data)

    with pytest.raises(PaperError, match="prepare it again"):
        paper.read(tmp_path / "paper.json")


def test_reading_and_fingerprints_are_light(tmp_path: Path) -> None:
    """Neither imports nbgrader or nbformat: they would cost each room a second."""
    folder = source(tmp_path, ANSWER, TEST)
    made = prepare(folder)
    paper.write(made, tmp_path / "paper.json")
    program = (
        "import sys, pathlib\nfrom autograder import paper\n"
        "made = paper.read(pathlib.Path(sys.argv[1]))\n"
        "assert paper.fingerprint(pathlib.Path(sys.argv[2])) == made.made_from\n"
        "print([name for name in ('nbgrader', 'nbformat', 'IPython', 'traitlets') if name in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "paper.json"), str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )

    assert done.stdout.strip() == "[]"


def test_digests(tmp_path: Path) -> None:
    """The same source gives the same digest; another text, file, setting or mark gives another."""
    folder = source(tmp_path, ANSWER, TEST)
    first = prepare(folder)
    settings = Config()
    settings.ClearSolutions.code_stub = {"python": "..."}

    assert prepare(folder).digest == first.digest
    assert prepare(folder, clear_settings=settings).digest != first.digest
    assert prepare(folder, together={"one": {"test"}}).digest != first.digest
    assert paper.fingerprint(folder, clear_settings=settings) != first.made_from
    assert paper.fingerprint(folder, together={"one": {"test"}}) != first.made_from
    (folder / "data.csv").write_text("1")
    second = prepare(folder)
    (folder / "data.csv").write_text("2")
    third = prepare(folder)
    assert len({first.digest, second.digest, third.digest}) == 3
    assert len({first.made_from, second.made_from, third.made_from}) == 3


@pytest.mark.parametrize("major", [3, 4])
def test_source_without_cell_ids(major: int, tmp_path: Path) -> None:
    """An older notebook has no ids; none is made up, so the digest stays the same."""
    folder = source(tmp_path, ANSWER, TEST)
    notebook = json.loads((folder / "one.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        del cell["id"]
        if major == 3:
            cell |= {"input": cell.pop("source"), "language": "python", "collapsed": False, "prompt_number": None}
    notebook["nbformat_minor"] = 4
    if major == 3:
        notebook |= {"worksheets": [{"cells": notebook.pop("cells")}], "nbformat": 3, "nbformat_minor": 0}
    (folder / "one.ipynb").write_text(json.dumps(notebook), encoding="utf-8")

    first = prepare(folder)

    assert [cell.cell_id for cell in first.notebooks[0].cells] == ["", ""]
    assert [cell.role for cell in first.notebooks[0].cells] == ["answer", "test"]
    assert prepare(folder).digest == first.digest


def test_files_beside_the_notebook(tmp_path: Path) -> None:
    """Data and modules are named, with their folders; caches, links and the notebooks themselves are not."""
    folder = source(tmp_path, ANSWER, TEST)
    for name in (
        "data/a.csv",
        "helper.py",
        "data/inner.ipynb",
        "__pycache__/x.pyc",
        ".ipynb_checkpoints/one.ipynb",
        "old.pyc",
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    if sys.platform != "win32":
        (folder / "link.csv").symlink_to(folder / "data" / "a.csv")

    assert prepare(folder).files == ("data/a.csv", "data/inner.ipynb", "helper.py")


def test_paper_is_plain_json(tmp_path: Path) -> None:
    """What is on disk needs nothing but JSON to be read."""
    paper.write(prepare(source(tmp_path, ANSWER, TEST)), tmp_path / "paper.json")

    data = json.loads((tmp_path / "paper.json").read_text(encoding="utf-8"))

    assert data["notebooks"][0]["cells"][1]["hidden"] == [[2, 4]]
