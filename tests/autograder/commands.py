"""The commands as a teacher runs them: processes of their own, real rooms, a real gradebook."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.repository import ROOT

__all__ = ["autograder", "cell", "command", "environment", "scores", "write_source"]


def environment(**more: str) -> dict[str, str]:
    """Return a teacher's environment, Spanish unless `more` says otherwise."""
    away = ("AWS_", "JUPYTER_", "AUTOGRADER", "LC_", "LANG", "PYTHONUNBUFFERED", "COLUMNS")
    own = {name: value for name, value in os.environ.items() if not name.startswith(away)}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**own, "JUPYTER_NO_CONFIG": "1", "LANG": "es_ES.UTF-8", "PATH": path, "PYTHONPATH": str(ROOT), **more}


def command(*arguments: str) -> list[str]:
    """Return the command line of `autograder`."""
    return [sys.executable, "-m", "autograder", *arguments]


def autograder(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `autograder` in a folder, to its end. `more`: of the environment."""
    return subprocess.run(
        command(*arguments), cwd=folder, env=environment(**more), capture_output=True, text=True, check=False
    )


def scores(gradebook: Path) -> dict[str, float]:
    """Return the automatic points of each student, over all notebooks of all assignments."""
    query = (
        "SELECT a.student_id, TOTAL(g.auto_score) FROM submitted_assignment a"
        " LEFT JOIN submitted_notebook n ON n.assignment_id = a.id LEFT JOIN grade g ON g.notebook_id = n.id"
        " GROUP BY a.student_id"
    )
    with closing(sqlite3.connect(gradebook)) as database:
        return dict(database.execute(query).fetchall())


def cell(kind: str, grade_id: str, text: str, points: float | None = None, **flags: bool) -> NotebookNode:
    """Return a cell of a source. `flags`: grade, solution, locked, task."""
    made = (new_code_cell if kind == "code" else new_markdown_cell)(text, id=grade_id)
    said = {"grade": False, "solution": False, "locked": False, "task": False, **flags}
    made.metadata["nbgrader"] = {"grade_id": grade_id, "schema_version": 3, "cell_type": kind, **said}
    if points is not None:
        made.metadata["nbgrader"]["points"] = points
    return made


def write_source(folder: Path, assignment: str, cells: list[NotebookNode], notebook: str = "one") -> None:
    """Write a notebook of an assignment's source."""
    made = new_notebook(cells=cells)
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = folder / "source" / assignment / f"{notebook}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(made, path)
