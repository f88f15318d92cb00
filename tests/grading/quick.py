"""Grading in this process: the cells of a notebook run in order, and a test cell gives what its result says."""

from __future__ import annotations

import copy
from collections.abc import Collection
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions
from traitlets.config import PyFileConfigLoader

from tests.notebooks.editions import code_cells
from tests.notebooks.session import Outcome, session
from tests.samples import reference_answers


def blanks(source: NotebookNode, folder: Path) -> dict[str, str]:
    """Return what the student's cells hold in the release of `source`, under the settings of the course in `folder`."""
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    released, _ = ClearSolutions(config=settings).preprocess(copy.deepcopy(source), {})
    return {cell.id: cell.source for cell in released.cells if cell.id in reference_answers(source)}


def run(notebook: NotebookNode, left_out: Collection[str] = ()) -> dict[str, Outcome]:
    """Run a notebook's code cells but those `left_out`, whatever they raise, and return what each did."""
    with session() as running:
        return {cell: running.run(source) for cell, source in code_cells(notebook).items() if cell not in left_out}
