"""Exported notebooks: our views are drawn from what the notebook holds, and the page asks nobody for anything."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from traitlets.config import Config

from bentocola.views.exported import embed_views
from tests.repository import ROOT
from tests.views.chromium import browser_test, opened, shoot

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
SETTINGS = ROOT / "jupyterlab-settings"
OURS = {
    "_anywidget_id": "bentocola.views.aws.AwsView",
    "_esm": "export default {render({model, el}) {el.textContent = '</script><b>' + model.get('kind')}}",
    "kind": "aws",
    "language": "es",
    "connected": True,
    "feed": {"steps": [{"wire": {"text": "</script><script>alert(1)</script>"}}]},
}
OTHER = {"_model_module": "@jupyter-widgets/controls", "_model_name": "IntSliderModel"}


def notebook(models: dict[str, dict[str, Any]], *cells: Any) -> Any:
    """Return a notebook whose widgets have these states, each shown under a cell of its own."""
    book = nbformat.v4.new_notebook()
    for model in models:
        data = {"text/plain": "<Vista>", VIEW: {"version_major": 2, "version_minor": 0, "model_id": model}}
        book.cells.append(nbformat.v4.new_code_cell("view", outputs=[nbformat.v4.new_output("display_data", data)]))
    book.cells += cells
    held = {
        model: {"model_name": "AnyModel", "model_module": "anywidget", "state": state}
        for model, state in models.items()
    }
    if models:
        book.metadata["widgets"] = {STATE: {"version_major": 2, "version_minor": 0, "state": held}}
    return book


def exported(book: Any) -> str:
    """Export a notebook under the course's settings, as nbconvert does."""
    settings = Config(json.loads((SETTINGS / "jupyter_nbconvert_config.json").read_text(encoding="utf-8")))
    text: str = HTMLExporter(config=settings).from_notebook_node(book)[0]
    return text


def loads(page: str) -> list[str]:
    """The addresses that a page would load from elsewhere."""
    return re.findall(r'(?:src="|href="|import\("|Src = \')(https?://[^"\']+)', page)


def test_both_programs_that_export_know_of_it() -> None:
    """nbconvert's settings and JupyterLab's name the same function."""
    named = [
        json.loads((SETTINGS / name).read_text(encoding="utf-8"))["HTMLExporter"]["preprocessors"]
        for name in ("jupyter_nbconvert_config.json", "jupyter_lab_config.json")
    ]

    assert named == [[f"{embed_views.__module__}.{embed_views.__name__}"]] * 2


def test_a_notebook_keeps_its_views() -> None:
    """JupyterLab saves what widgets show."""
    settings = json.loads((SETTINGS / "overrides.json").read_text(encoding="utf-8"))
    schema = json.loads(
        next(Path(sys.prefix).glob("share/**/jupyterlab-manager/plugin.json")).read_text(encoding="utf-8")
    )

    assert settings["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}
    assert schema["properties"]["saveState"]["type"] == "boolean"


def test_a_view_becomes_a_snapshot() -> None:
    """The module stands in the page once, each state as data, the text for who runs no scripts; nothing is left to be loaded."""
    page = exported(notebook({"one": OURS, "two": OURS}))

    assert page.count("textContent = '") == 1
    assert page.count('id="bentocola-1-state"') == page.count('id="bentocola-2-state"') == 1
    assert page.count("&lt;Vista&gt;") == 2
    assert '"connected":false' in page
    assert "alert(1)</script>" not in page
    assert loads(page) == []


@pytest.mark.parametrize("name", ["_esm", "language"])
def test_half_a_state_is_no_view(name: str) -> None:
    """Anybody can write a notebook: what looks like a view and is none is no obstacle."""
    page = exported(notebook({"one": {key: value for key, value in OURS.items() if key != name}}))

    assert "bentocola-1" not in page


def test_the_notebook_itself_stays_as_it_is() -> None:
    """What is exported is a copy."""
    book = notebook({"one": OURS})
    before = copy.deepcopy(book)

    exported(book)

    assert book == before


def test_widgets_of_others_are_left_alone() -> None:
    """A slider beside our view is exported as nbconvert does it, with its state and what draws it; ours goes without."""
    page = exported(notebook({"slider": OTHER, "one": OURS}))

    assert "IntSliderModel" in page
    assert '"one": {"model' not in page
    assert any("html-manager" in address or "unpkg" in address for address in loads(page))


@pytest.mark.parametrize(
    ("cell", "needed"),
    [
        (nbformat.v4.new_markdown_cell("Cuesta `$5`.\n\n```\necho $HOME\n```"), set()),
        (nbformat.v4.new_markdown_cell("Sea $x^2$."), {"mathjax"}),
        (nbformat.v4.new_markdown_cell("```mermaid\ngraph TD\n```"), {"mermaid"}),
        (
            nbformat.v4.new_code_cell("x", outputs=[nbformat.v4.new_output("display_data", {"text/latex": "x"})]),
            {"mathjax"},
        ),
        (
            nbformat.v4.new_code_cell(
                "x", outputs=[nbformat.v4.new_output("display_data", {"application/javascript": "require(['x'])"})]
            ),
            {"require.js"},
        ),
    ],
)
def test_a_page_loads_what_it_uses_and_nothing_else(cell: Any, needed: set[str]) -> None:
    """Mathematics, diagrams and scripts still get what they need; a page without them asks nobody."""
    addresses = loads(exported(notebook({}, cell)))

    assert {name for name in ("mathjax", "mermaid", "require.js") if any(name in one for one in addresses)} == needed
    assert bool(addresses) == bool(needed)


CELLS = [
    'import boto3, bentocola\ncloud = bentocola.start("es")\ncloud.view()',
    'sqs = boto3.client("sqs")\nurl = sqs.create_queue(QueueName="jobs")["QueueUrl"]',
    'from bentocola.views import Stepper\nStepper.story(cloud, "twice")',
]


@browser_test
def test_a_notebook_that_ran_without_a_page_is_drawn(tmp_path: Path) -> None:
    """Executed and exported on the command line: what happened after the view's own cell is in it, and it asks nobody."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbformat.write(book, tmp_path / "book.ipynb")
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "book.ipynb"],
        cwd=tmp_path,
        env={**os.environ, "JUPYTER_CONFIG_PATH": str(SETTINGS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

    with opened((tmp_path / "book.html").as_uri()) as (page, asked):
        page.get_by_text("Copia guardada").first.wait_for()
        page.get_by_text("jobs").nth(1).wait_for()
        page.get_by_role("radio", name="Se entrega dos veces").check()
        page.get_by_role("radio", name="La rechaza").check()
        page.get_by_role("button", name="Ejecutar").click()
        page.get_by_role("button", name="Siguiente").click()
        page.get_by_text("1 de 14").first.wait_for()
        shoot(page, "exported-es")

    assert asked[0].startswith("file:")
    assert [address for address in asked[1:] if not address.startswith(("blob:", "data:"))] == []
