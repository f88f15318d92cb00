"""What lies beside a notebook of the source is there in both rooms: a module of the teacher's, and data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder import paper as papers
from autograder.leashed import can_fork
from autograder.nursery import Nursery
from autograder.pool import Pool
from autograder.records import Job, Record
from tests.autograder.classroom import level
from tests.autograder.handed_in import nbgrader_cell, source

pytestmark = pytest.mark.skipif(not can_fork(), reason="There is no fork here.")

HELPER = """
from pathlib import Path

def rows(name="data/rows.csv"):
    return [int(line) for line in Path(__file__).with_name("data").joinpath("rows.csv").read_text().split()]
"""
ANSWER = (
    "def total():\n    with open('data/rows.csv') as file:\n        return sum(map(int, file)) + len(helper.rows())"
)
TEST = "assert rows == helper.rows() == [1, 2, 3]\nassert total() == 9"


def graded(folder: Path, files: dict[str, str], answer: str = ANSWER) -> Record:
    """Return what came of a submission with these files beside its notebook."""
    made = source(
        folder,
        nbgrader_cell("code", "setup", "import helper\n\nrows = helper.rows()", locked=True),
        nbgrader_cell("code", "total", f"### BEGIN SOLUTION\n{ANSWER}\n### END SOLUTION", solution=True),
        nbgrader_cell("code", "test", TEST, grade=True, locked=True, points=2),
    )
    (made / "data").mkdir()
    (made / "helper.py").write_text(HELPER, encoding="utf-8")
    (made / "data" / "rows.csv").write_text("1\n2\n3\n", encoding="utf-8")
    paper = papers.prepare(made, assignment="ps", language="es")
    assert set(paper.files) == {"helper.py", "data/rows.csv"}
    papers.write(paper, folder / "paper.json")
    submitted = folder / "submitted"
    for name, text in files.items():
        (submitted / name).parent.mkdir(parents=True, exist_ok=True)
        (submitted / name).write_text(text, encoding="utf-8")
    notebook = json.loads((made / "one.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"]["nbgrader"]["grade_id"] == "total":
            cell["source"] = answer
    submitted.mkdir(exist_ok=True)
    (submitted / "one.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    out = folder / "out"
    out.mkdir()
    job = Job("ps", "ana", ("one",), made, submitted, folder / "paper.json", out, "digest", level())
    with Nursery() as nursery:
        [finished] = Pool(1, nursery).run([job])
    assert finished.crash is None
    return finished.records[0]


def test_a_locked_cell_imports_the_teachers_module(tmp_path: Path) -> None:
    """So do the answer and, in the examiner, the test; data is read by its path in the source's folder."""
    record = graded(tmp_path, {})
    assert (record.earned, record.limits) == (2, ())


def test_the_teachers_files_stand_in_for_changed_ones(tmp_path: Path) -> None:
    """As nbgrader overwrites what was handed in under a name of the source's."""
    record = graded(tmp_path, {"helper.py": "def rows():\n    return [1, 2]\n", "data/rows.csv": "4\n"})
    assert (record.earned, record.limits) == (2, ())


def test_a_module_of_the_students_own_is_the_candidates_alone(tmp_path: Path) -> None:
    """The answer may import it; what it does to the teacher's module stays in its own process."""
    mine = "import helper\nhelper.rows = lambda: []\nSIX = 6\n"
    answer = "from mine import SIX\n\n\ndef total():\n    return SIX + 3"
    assert graded(tmp_path, {"mine.py": mine}, answer).earned == 2
