"""Every lesson runs from top to bottom, and each of its code cells prints exactly what it should."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from nbclient import NotebookClient

from bentocola.cloud.names import EDITIONS
from tests.notebooks.editions import LANGUAGES, LESSONS, code_cells, lesson
from tests.notebooks.expectations import expected_output
from tests.notebooks.session import session
from tests.repository import ROOT

pytestmark = [pytest.mark.parametrize("language", LANGUAGES)]

# The last line of a cell that shows the stepper or the AWS view.
_VIEW = re.compile(r"Stepper\.|cloud\.view\(")
_WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_in_a_kernel(language: str, name: str, tmp_path: Path) -> None:
    """In a fresh kernel no cell raises, and each shows its text, or the view that it asks for, and nothing else."""
    notebook = lesson(language, name)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"IPYTHONDIR": str(tmp_path / "ipython"), "PYTHONPATH": str(ROOT)}
    client = NotebookClient(
        notebook, kernel_name="python3", timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute(env=environment)

    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    others = [(cell.id, output) for cell in cells for output in cell.outputs if output.get("name") != "stdout"]
    views = [cell.id for cell in cells if _VIEW.match(cell.source.splitlines()[-1])]
    assert [cell for cell, output in others if _WIDGET in output.get("data", {})] == views
    assert [output for _, output in others if _WIDGET not in output.get("data", {})] == []
    shown = {cell.id: "".join(output.get("text", "") for output in cell.outputs) for cell in cells}
    assert shown == expected_output(language, name)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_prints_what_it_should(language: str, name: str) -> None:
    """The same in this process: quick enough for every day."""
    with session() as running:
        outcomes = {cell: running.run(source) for cell, source in code_cells(lesson(language, name)).items()}

    assert [(cell, outcome.error) for cell, outcome in outcomes.items() if outcome.failed] == []
    assert {cell: outcome.stdout for cell, outcome in outcomes.items()} == expected_output(language, name)


def test_the_run_cells_print_what_the_course_specifies(language: str) -> None:
    """The three run cells of lesson 01 give the specified lines, told with the edition's own names."""
    names = EDITIONS[language]
    expected = expected_output(language, "01-upload-to-table")

    assert expected["m01-run-event"].splitlines() == ["str", names.first_key, str(names.first_key.split("/"))]
    assert expected["m01-run-put-once"].splitlines() == ["{}", "ConditionalCheckFailedException", "1"]
    assert expected["m01-run-batch"].splitlines() == [f"{names.done} ['m-1', 'm-3']", f"{names.left} ['m-2']"]
