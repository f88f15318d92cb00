"""Intake of honest submissions, and of changed ones: what stays of a student's cells, and what is said."""

from __future__ import annotations

import copy
import json
import string
from pathlib import Path

import nbformat
import pytest
from traitlets.config import PyFileConfigLoader

from autograder import paper as papers
from autograder.intake import MESSAGES, TAMPERING
from autograder.intake.notes import shown
from autograder.records import Note
from autograder.sheet import Paper
from tests import samples
from tests.autograder.handed_in import (
    BENCH,
    KNOWN,
    Notebook,
    at,
    handed_in,
    nbgrader_cell,
    order,
    own,
    put,
    said,
    source,
    taken,
)
from tests.notebooks.editions import assignment_source

ROOT = Path(__file__).parents[2]
ASSIGNMENT = "01-upload-to-table"


# Honest students


@pytest.mark.parametrize("student", [f"s{n:02}" for n in range(20)])
def test_ordinary_submission_is_left_alone(student: str) -> None:
    """Nothing is repaired and no alarm raised; answers are the student's, tests the source's."""
    folder = BENCH.folder / "submitted" / student / "ps1"
    result = taken(folder)
    submitted = nbformat.read(folder / "pipeline.ipynb", as_version=4)

    assert (result.repairs, result.refusal, result.file) == ([], None, "pipeline.ipynb")
    assert order(result) == KNOWN
    assert result.notebook is not None
    for cell, before in zip(result.notebook.cells, submitted.cells, strict=True):
        known = BENCH.paper().notebooks[0].cell(cell.metadata.nbgrader.grade_id)
        assert known is not None
        assert cell.source == (known.text if known.kept_whole else before.source)
        assert cell.id == known.cell_id


@pytest.mark.parametrize(
    ("student", "expected"),
    [
        ("h02_deleted_solution_cell", ["answer-missing:sol2"]),
        ("h04_duplicate_solution_cell", ["duplicate-answer:sol1"]),
        ("h06_no_kernelspec", ["kernel-missing"]),
        ("h18_tampered_points", ["settings:test3"]),
        ("h26_emoji_file_name", ["renamed"]),
        ("h28_utf8_bom", ["bom"]),
        ("h30_nbformat3", ["nbformat"]),
        ("h32_nbformat5", ["nbformat"]),
        ("h38_locked_cell_edited_setup", ["edited:setup"]),
    ],
)
def test_broken_submissions_of_the_bench_course(student: str, expected: list[str]) -> None:
    """Each repair is told, and no other."""
    result = taken(BENCH.folder / "hostile" / student / "ps1")

    assert said(result) == expected
    assert [name for name in order(result) if name in KNOWN] == KNOWN


def own_assignment(language: str) -> Paper:
    """Return the paper of the course's first assignment."""
    course = ROOT / "assignments" / language
    settings = PyFileConfigLoader(str(course / "nbgrader_config.py")).load_config()
    folder = course / "source" / ASSIGNMENT
    return papers.prepare(folder, assignment=ASSIGNMENT, language=language, clear_settings=settings)


def released(paper: Paper) -> list[Notebook]:
    """Return the cells of a paper's only notebook, as students get them."""
    cells: list[Notebook] = []
    for place in paper.notebooks[0].layout:
        known = paper.notebooks[0].cell(place.grade_id or "")
        metadata = copy.deepcopy(known.metadata) if known else {}
        cell = {"cell_type": place.cell_type, "id": place.cell_id, "metadata": metadata, "source": place.text}
        cells.append(cell | ({"execution_count": None, "outputs": []} if place.cell_type == "code" else {}))
    return cells


@pytest.mark.parametrize("language", ["es", "ja"])
def test_own_assignment_as_released_and_run(language: str, tmp_path: Path) -> None:
    """A student of the course who runs all cells and saves, in whatever program, is told of nothing."""
    paper = own_assignment(language)
    cells: list[Notebook] = []
    for cell in released(paper):
        cell["metadata"] |= {"collapsed": False, "execution": {"iopub.status.busy": "2026-01-01T00:00:00Z"}}
        cell["source"] += "\n"
        if cell["cell_type"] == "code":
            output = {"output_type": "stream", "name": "stderr", "text": ["careful\n"]}
            cell |= {"execution_count": 3, "outputs": [output], "source": cell["source"].splitlines(keepends=True)}
        cells += [cell, own("scratch = 1  ", id=f"scratch-{len(cells)}")]
    kernel = {"kernelspec": {"display_name": ".venv (3.11)", "language": "python", "name": "venv"}}
    put(tmp_path, {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, f"{ASSIGNMENT}.ipynb")

    result = taken(tmp_path, paper, ASSIGNMENT)

    assert said(result) == []
    assert result.untouched == {cell.grade_id for cell in paper.notebooks[0].cells if cell.role in ("answer", "manual")}
    assert result.notebook is not None
    assert all(cell.get("outputs", []) == [] for cell in result.notebook.cells)
    assert result.notebook.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("language", ["es", "ja"])
def test_nobody_of_a_class_is_suspected(language: str, tmp_path: Path) -> None:
    """Of all the samples of assignment 01, right and wrong, none gives rise to a word, and each runs as it was written."""
    paper = own_assignment(language)
    kernel = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
    whole = {"cells": released(paper), "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    reference = samples.reference_answers(assignment_source(language))
    for sample in samples.samples():
        notebook = samples.submission(sample, language, nbformat.from_dict(copy.deepcopy(whole)), reference)
        put(tmp_path, notebook, f"{ASSIGNMENT}.ipynb")

        result = taken(tmp_path, paper, ASSIGNMENT)

        assert said(result) == [], sample.name
        assert result.notebook is not None
        assert [cell.id for cell in result.notebook.cells] == [cell.id for cell in notebook.cells], sample.name


def test_untouched_answers_are_told(tmp_path: Path) -> None:
    """An answer that is as released, or missing, is no answer; white space makes none."""
    sheet = BENCH.paper().notebooks[0]

    def change(cells: list[Notebook]) -> None:
        stub = sheet.cell("sol1")
        assert stub is not None
        cells[at(cells, "sol1")]["source"] = stub.released_text.replace("\n", "  \n") + "\n\n"
        del cells[at(cells, "sol2")]

    assert handed_in(tmp_path, change).untouched == {"sol1", "sol2"}


# What stays of a student's cells


def test_only_text_of_a_student_stays(tmp_path: Path) -> None:
    """Outputs, metadata, tags and counts go; ids stay where they are valid."""

    def change(cells: list[Notebook]) -> None:
        tags = {"tags": ["skip-execution"], "evil": {"a": 1}}
        cells.append(own("mine = 1", id="mine", metadata=tags, outputs=[{"output_type": "error"}], execution_count=9))
        cells[at(cells, "sol1")]["metadata"]["tags"] = ["raises-exception"]

    result = handed_in(tmp_path, change)

    assert result.notebook is not None
    last = result.notebook.cells[-1]
    assert dict(last) == {
        "cell_type": "code",
        "id": "mine",
        "metadata": {},
        "source": "mine = 1",
        "execution_count": None,
        "outputs": [],
    }
    assert "tags" not in result.notebook.cells[2].metadata
    assert said(result) == ["settings:sol1"]


def test_edited_cell_of_the_teacher_can_still_be_seen(tmp_path: Path) -> None:
    """What the student had there stands before the restored cell, and does not run."""
    result = handed_in(tmp_path, lambda cells: cells[at(cells, "test1")].update(source="assert True  # mine"))

    assert result.notebook is not None
    kept, restored = result.notebook.cells[3:5]
    assert (kept.cell_type, kept.source, dict(kept.metadata)) == ("raw", "assert True  # mine", {})
    assert "HIDDEN TESTS" in restored.source


def test_pictures_in_an_answer_in_words_stay(tmp_path: Path) -> None:
    """An answer in words keeps its attachments; the teacher's text has the teacher's."""
    picture = {"a.png": {"image/png": "iVBORw0KGgo="}}
    folder = source(
        tmp_path,
        nbgrader_cell("markdown", "read", "![x](attachment:a.png)", locked=True),
        nbgrader_cell(
            "markdown", "words", "### BEGIN SOLUTION\nso\n### END SOLUTION", grade=True, solution=True, points=2
        ),
    )
    notebook = json.loads((folder / "one.ipynb").read_text(encoding="utf-8"))
    notebook["cells"][0]["attachments"] = picture
    put(folder, notebook, "one.ipynb")
    paper = papers.prepare(folder, assignment="ps", language="")
    notebook["cells"][0]["attachments"] = {"a.png": {"image/png": "other"}}
    notebook["cells"][1] |= {
        "source": "mine ![](attachment:b.png)",
        "attachments": {"b.png": {"image/png": "b"}, "c": 5},
    }

    result = taken(put(tmp_path / "handed", notebook, "one.ipynb"), paper, "one")

    assert result.notebook is not None
    nbformat.validate(result.notebook)
    assert result.notebook.cells[0].attachments == picture
    assert result.notebook.cells[1].attachments == {"b.png": {"image/png": "b"}}


def test_same_file_gives_the_same_notebook(tmp_path: Path) -> None:
    """Nothing is made up at random, not even an id."""

    def change(cells: list[Notebook]) -> None:
        cells += [own("a"), own("b", id="c00"), own("c", id=" "), own("d", id="x" * 65)]
        del cells[at(cells, "test2")]

    first, second = handed_in(tmp_path, change), handed_in(tmp_path, change)

    assert first == second
    assert first.notebook is not None
    ids = [cell.id for cell in first.notebook.cells]
    assert len(set(ids)) == len(ids)


# What is said


def test_notes_fill_their_places(tmp_path: Path) -> None:
    """Each note that these tests can provoke has a value for each place of its message, safe to show."""
    notes: list[Note] = []
    for case in (
        "h02_deleted_solution_cell",
        "h18_tampered_points",
        "h26_emoji_file_name",
        "h38_locked_cell_edited_setup",
    ):
        notes += taken(BENCH.folder / "hostile" / case / "ps1").repairs
    refusal = taken(put(tmp_path, b"{")).refusal
    assert refusal is not None

    for note in [*notes, refusal]:
        assert note.message == MESSAGES[note.code]
        places = {name for _, name, _, _ in string.Formatter().parse(note.message) if name}
        assert places == set(note.values)
        assert note.message.format(**note.values)


def test_what_is_shown_of_a_student_is_harmless() -> None:
    """No control character, no sign that turns the direction of a line, and not too much of it."""
    assert (
        shown("a\x1b[31m\u202eb\n")
        == "a\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
    )
    assert len(shown("x" * 1000)) == 80


def test_signs_of_tampering_are_messages() -> None:
    """The codes that a teacher is warned of exist."""
    assert set(MESSAGES) > TAMPERING
