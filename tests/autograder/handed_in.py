"""Sources and submissions for the tests of paper and intake, made in a test's own folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.intake import Taken, take_in
from autograder.records import Limits
from autograder.sheet import Paper
from tests.autograder.hostile_courses import COURSES, reference_notebook

BENCH = COURSES["bench"]
KNOWN = ["intro", "setup", "sol1", "test1", "sol2", "test2", "sol3", "test3"]
"""The cells of the bench course's paper, in order."""
Notebook = dict[str, Any]
PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}


def nbgrader_cell(kind: str, grade_id: str, text: str, **settings: Any) -> nbformat.NotebookNode:
    """Return a cell with nbgrader's metadata."""
    make = new_markdown_cell if kind == "markdown" else new_code_cell
    ordinary = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    return make(text, metadata={"nbgrader": {**ordinary, "grade_id": grade_id, **settings}})


def source(folder: Path, *cells: nbformat.NotebookNode, name: str = "one") -> Path:
    """Put a source folder with one notebook there and return it."""
    made = folder / "source" / "ps"
    made.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells), metadata={"kernelspec": PYTHON}), made / f"{name}.ipynb")
    return made


def put(folder: Path, notebook: Notebook | list[Any] | str | bytes, name: str = "pipeline.ipynb") -> Path:
    """Write a submission's file and return the folder."""
    data = notebook if isinstance(notebook, (str, bytes)) else json.dumps(notebook, ensure_ascii=False)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    return folder


def taken(folder: Path, paper: Paper | None = None, notebook: str = "pipeline", **limits: Any) -> Taken:
    """Take a folder in, for the bench course unless another paper is given."""
    return take_in(folder, paper or BENCH.paper(), notebook, Limits(**limits))


def handed_in(folder: Path, change: Callable[[list[Any]], object]) -> Taken:
    """Change the cells of a right submission, hand it in, and take it in."""
    notebook = reference_notebook(BENCH)
    change(notebook["cells"])
    return taken(put(folder, notebook))


def own(text: str, **more: Any) -> Notebook:
    """Return a code cell of the student's own."""
    return {"cell_type": "code", "metadata": {}, "source": text, "execution_count": None, "outputs": [], **more}


def at(cells: list[Notebook], grade_id: str) -> int:
    """Return where a cell is, in a list of cells."""
    return [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells].index(grade_id)


def order(result: Taken) -> list[str]:
    """Return the order of a restored notebook: ids of the paper's cells, texts of the others."""
    assert result.notebook is not None
    return [cell.metadata.get("nbgrader", {}).get("grade_id", cell.source) for cell in result.notebook.cells]


def said(result: Taken) -> list[str]:
    """Return what was said, as code:cell."""
    return [f"{note.code}:{note.cell}" if note.cell else note.code for note in result.repairs]
