"""Which cell of a submission is which of the paper, and in which order the restored notebook has them."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import nbformat

from autograder import paper as papers
from autograder.intake.likeness import ALIKE, likeness
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

# Order


def test_deleted_test_comes_back_after_the_cells_that_the_answer_needs(tmp_path: Path) -> None:
    """It stands as late as the release allows: after the student's own cells, before the next answer."""

    def change(cells: list[Notebook]) -> None:
        cells[at(cells, "test1")] = own("helper")

    assert order(handed_in(tmp_path, change)) == [*KNOWN[:3], "helper", *KNOWN[3:]]


def test_deleted_test_comes_back_before_the_next_task(tmp_path: Path) -> None:
    """A text of the release that follows it is a place that is known."""
    folder = source(
        tmp_path,
        nbgrader_cell("code", "a", "### BEGIN SOLUTION\n### END SOLUTION", solution=True),
        nbgrader_cell("code", "test-a", "assert a", grade=True, points=1),
        nbformat.v4.new_markdown_cell("## The next task"),
        nbgrader_cell("code", "b", "### BEGIN SOLUTION\n### END SOLUTION", solution=True),
    )
    paper = papers.prepare(folder, assignment="ps", language="")
    notebook = json.loads((folder / "one.ipynb").read_text(encoding="utf-8"))
    notebook["cells"][1:2] = [own("helper of a")]
    notebook["cells"].insert(3, own("helper of b"))

    result = taken(put(tmp_path / "handed", notebook, "one.ipynb"), paper, "one")

    assert order(result) == ["a", "helper of a", "test-a", "## The next task", "helper of b", "b"]


def test_moved_answer_takes_its_helper_along(tmp_path: Path) -> None:
    """Known cells stand in the source's order, each with the student's own cells before it."""

    def change(cells: list[Notebook]) -> None:
        first = [cells.pop(at(cells, "sol1")), own("helper of 1"), cells.pop(at(cells, "test1"))]
        cells.insert(at(cells, "sol2"), own("helper of 2"))
        cells[at(cells, "test2") + 1 : at(cells, "test2") + 1] = first

    result = handed_in(tmp_path, change)

    assert order(result) == [*KNOWN[:3], "helper of 1", "test1", "helper of 2", *KNOWN[4:]]
    assert {*said(result)} in ({"moved:sol1", "moved:test1"}, {"moved:sol2", "moved:test2"})


def test_own_cells_stay_where_they_are(tmp_path: Path) -> None:
    """Where no known cell was moved, nothing moves."""

    def change(cells: list[Notebook]) -> None:
        cells[:] = [cell for n, known in enumerate(cells) for cell in (known, own(f"own {n}"))]

    result = handed_in(tmp_path, change)

    assert order(result) == [name for n, known in enumerate(KNOWN) for name in (known, f"own {n}")]
    assert said(result) == []


# Duplicates


def test_last_answer_with_something_in_it_counts(tmp_path: Path) -> None:
    """A copied answer runs too, before the one that counts; a copied stub does not run."""

    def change(cells: list[Notebook]) -> None:
        n = at(cells, "sol2")
        stub = BENCH.paper().notebooks[0].cell("sol2")
        assert stub is not None
        tries = [copy.deepcopy(cells[n]) for _ in range(3)]
        tries[0]["source"], tries[1]["source"], tries[2]["source"] = "try 1", "try 2", stub.released_text
        cells[n : n + 1] = tries

    result = handed_in(tmp_path, change)

    assert order(result) == [*KNOWN[:4], "try 1", "sol2", *KNOWN[5:]]
    assert result.notebook is not None
    assert result.notebook.cells[5].source == "try 2"
    assert "duplicate-answer:sol2" in said(result)


def test_later_answer_counts_though_its_copy_stood_at_the_end(tmp_path: Path) -> None:
    """An earlier try never comes to stand behind the one that counts."""

    def change(cells: list[Notebook]) -> None:
        again = copy.deepcopy(cells[at(cells, "sol1")])
        again["source"] = "the better one"
        cells[at(cells, "sol1")]["source"] = "the first try"
        cells.append(again)

    result = handed_in(tmp_path, change)

    assert order(result) == ["intro", "setup", "the first try", "sol1", *KNOWN[3:]]
    assert result.notebook is not None
    assert result.notebook.cells[3].source == "the better one"


def test_answer_under_the_name_of_a_test_is_not_lost(tmp_path: Path) -> None:
    """A solution whose cell claims to be a test is found again, and the test is the one that looks like it."""

    def change(cells: list[Notebook]) -> None:
        cells[at(cells, "sol1")]["metadata"]["nbgrader"]["grade_id"] = "test1"

    result = handed_in(tmp_path, change)

    assert order(result) == KNOWN
    assert result.notebook is not None
    assert "unquote_plus" in result.notebook.cells[2].source
    assert "recognised:sol1" in said(result)


# Found again by content


def test_answer_in_a_cell_without_a_name_is_found_by_its_place(tmp_path: Path) -> None:
    """A cell typed anew in the place of a deleted answer is that answer, however it looks."""

    def change(cells: list[Notebook]) -> None:
        cells[at(cells, "sol3")] = own("handler = lambda event, context=None: {}")

    result = handed_in(tmp_path, change)

    assert order(result) == KNOWN
    assert said(result) == ["recognised:sol3"]


def test_edited_test_without_a_name_is_found_and_restored(tmp_path: Path) -> None:
    """A test that lost its metadata and was changed a little is not run beside the real one."""

    def change(cells: list[Notebook]) -> None:
        cell = cells[at(cells, "test2")]
        cell["metadata"], cell["source"] = {}, cell["source"].replace("score = 0.0", "score = 3.0")
        del cell["id"]

    result = handed_in(tmp_path, change)

    assert [name for name in order(result) if name in KNOWN] == KNOWN
    assert {"recognised:test2", "edited:test2"} <= set(said(result))


def test_cells_of_another_assignment_run_as_ones_own(tmp_path: Path) -> None:
    """An id that the paper does not have is told, and the cell keeps its place."""

    def change(cells: list[Notebook]) -> None:
        cells.insert(2, own("elsewhere = 1", metadata={"nbgrader": {"grade_id": "other", "solution": True}}))

    result = handed_in(tmp_path, change)

    assert order(result) == ["intro", "setup", "elsewhere = 1", *KNOWN[2:]]
    assert said(result) == ["unknown-cell"]


def test_likeness_of_texts() -> None:
    """A changed form of a text is more like it than another text; the order of words counts."""
    stub = "def send(messages):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    answer = "def send(messages):\n    for message in messages:\n        print(message)"

    assert likeness(stub, stub + "  ") == 1
    assert likeness(stub, stub.replace("CODE", "ANSWER")) > ALIKE
    assert 0.3 < likeness(stub, answer) < ALIKE
    assert likeness("a b c d", "d c b a") < ALIKE
    assert likeness("", "a") < likeness("", " ") == 1
