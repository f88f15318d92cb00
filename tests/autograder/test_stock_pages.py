"""nbgrader's own pages, made by nbconvert: formgrader's for grading by hand, and those of its `generate_feedback`."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

SCORES = {"score": 0, "max_score": 0, "late_penalty": 0}
RESOURCES = {
    "submission_id": "1",
    "base_url": "",
    "index": 0,
    "total": 1,
    "filename": "one",
    "nbgrader": {**SCORES, "comments": {}},
}


@pytest.mark.parametrize("template", ["formgrade", "feedback"])
def test_pages_of_nbgrader_name_no_other_place(template: str) -> None:
    """Neither asks another machine for MathJax, which nbconvert's own template does."""
    settings = Config()
    settings.HTMLExporter.template_name = template
    settings.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    settings.HTMLExporter.extra_template_paths = [f"{handlers.static_path}/node_modules/bootstrap/dist/css"]
    exporter = HTMLExporter(config=settings)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Sea $x^2$.")])

    html, _ = exporter.from_notebook_node(notebook, resources=RESOURCES)

    assert "x^2" in html
    assert re.findall(r"""(?:src|href)=["']?(?:https?:)?//[^"' >]+""", html) == []
