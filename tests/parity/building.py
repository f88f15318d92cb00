"""Builds the small notebooks that these tests compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tools.parity.__main__ import main
from tools.parity.check import check
from tools.parity.notebooks import Cell, Node, read, write

__all__ = ["SmallCourse", "code", "markdown", "notebook", "graded"]


def code(name: str, source: str, **metadata: Any) -> Cell:
    """Return a code cell with the id `name`."""
    cell: Cell = {"id": name, "cell_type": "code", "source": source, "metadata": metadata}
    return cell | {"outputs": [], "execution_count": None}


def markdown(name: str, source: str, **metadata: Any) -> Cell:
    """Return a Markdown cell with the id `name`."""
    return {"id": name, "cell_type": "markdown", "source": source, "metadata": metadata}


def graded(name: str, source: str, points: int = 1) -> Cell:
    """Return an autograded test cell with the id `name`."""
    grading = {"grade": True, "grade_id": name, "locked": True, "points": points, "schema_version": 3}
    return code(name, source, nbgrader=grading | {"solution": False, "task": False})


def notebook(cells: list[Cell], **metadata: Any) -> Node:
    """Return a notebook of these cells."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel} | metadata, "nbformat": 4, "nbformat_minor": 5}


class SmallCourse:
    """A course in a folder of its own, and the command run on it."""

    lesson = "lessons/{edition}/01-upload.ipynb"
    assignment = "assignments/{edition}/source/01-upload/01-upload.ipynb"

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, edition: str, place: str = lesson) -> Path:
        """Return the file of a notebook."""
        return self.root / place.format(edition=edition)

    def put(self, edition: str, cells: list[Cell], place: str = lesson, **metadata: Any) -> None:
        """Write a notebook of these cells."""
        write(self.path(edition, place), notebook(cells, **metadata))

    def cells(self, edition: str, place: str = lesson) -> list[Cell]:
        """Return the cells of a notebook as it stands."""
        cells: list[Cell] = read(self.path(edition, place))["cells"]
        return cells

    def run(self, *arguments: str) -> int:
        """Run `python -m tools.parity` with these arguments and return its exit status."""
        return main(arguments, self.root)

    def differences(self) -> list[str]:
        """Return what `check` says."""
        return [str(finding) for finding in check(self.root)]

    def compared(self, es: list[Cell], ja: list[Cell], place: str = lesson) -> list[str]:
        """Write a notebook in both editions, agree to its texts, and return what `check` says."""
        self.put("es", es, place)
        self.put("ja", ja, place)
        self.run("agree", "01")
        return self.differences()

    def compared_code(self, es: str, ja: str) -> list[str]:
        """Compare one code cell, `m01-run`, and return what `check` says."""
        return self.compared([code("m01-run", es)], [code("m01-run", ja)])
