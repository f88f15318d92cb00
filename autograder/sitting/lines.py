"""Which lines of a notebook feedback may name: the student's own and what a student sees of the tests. Pure.

The line at which an exception was raised is what the candidate says, and a candidate may say anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.records import Outcome, Said
from autograder.sheet import PaperNotebook

__all__ = ["Lines"]

_CUT = "…"


class Lines:
    """Those of one restored notebook. `paper`: of the same."""

    def __init__(self, notebook: NotebookNode, paper: PaperNotebook) -> None:
        self._tests = {cell.grade_id: cell for cell in paper.cells if cell.role == "test"}
        self._known = frozenset(self._seen(notebook))

    def _seen(self, notebook: NotebookNode) -> Iterator[str]:
        for cell in notebook.cells:
            test = self._tests.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
            for number, line in enumerate(cell.source.split("\n"), start=1):
                if test is None or not any(first <= number <= last for first, last in test.hidden):
                    yield line.strip()

    def checked(self, outcome: Outcome) -> Outcome:
        """Return an outcome of a test without the lines that are in no cell that the student sees."""
        return dataclasses.replace(outcome, said=tuple(map(self._checked, outcome.said)))

    def _checked(self, said: Said) -> Said:
        if said.line is None or self._is_known(said.line):
            return said
        return dataclasses.replace(said, line=None, number=None)

    def _is_known(self, line: str) -> bool:
        if line.endswith(_CUT):
            return any(known.startswith(line.removesuffix(_CUT)) for known in self._known)
        return line in self._known
