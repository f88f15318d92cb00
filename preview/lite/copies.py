"""The notebooks in JupyterLite: the students' copies, with the kernel that a page has. It reads the repository.

No solution and no hidden test comes along: `tools.student_copies` sees to that.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path, PurePosixPath
from typing import Any

from bentocola.messages import translate
from preview.notebooks import NotebookError
from preview.places import Place
from tools.student_copies import Course, ReleaseError, newer_files

__all__ = ["address", "copies"]

_WORKSPACE = ".jupyterlab-workspace"
_KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}


def address(place: Place, language: str) -> str:
    """Return where the notebook opens in JupyterLite, from the site's root; "" for a lab, which needs a terminal."""
    if place.kind == "lab":
        return ""
    folder = f"assignments/{place.name}/" if place.kind == "assignment" else ""
    return f"lite/{language}/lab/index.html?path={language}/{folder}{place.name}.ipynb"


def copies(root: Path) -> dict[str, bytes]:
    """Return them by their paths, a folder a language. Raises NotebookError where an assignment cannot be released."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = dict(newer_files(root, Course(Path(folder))))
        except ReleaseError as error:
            raise NotebookError(f"nbgrader could not release the assignments: {error}") from error
    kept = {path: content for path, content in found.items() if "/" in path and not path.endswith(_WORKSPACE)}
    return {path: _notebook(path, content) if path.endswith(".ipynb") else content for path, content in kept.items()}


def _notebook(path: str, content: bytes) -> bytes:
    """Return a notebook for the page's kernel. A workspace opens a terminal, which a page has not: its notebook opens instead."""
    notebook: dict[str, Any] = json.loads(content)
    notebook["metadata"]["kernelspec"] = _KERNEL
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = "".join(cell["source"]).replace(f"{_WORKSPACE})", ".ipynb)")
    if path.endswith("-lab.ipynb"):
        said = translate(
            PurePosixPath(path).parts[0],
            "**This lab needs a terminal, and a page has none.** You can read it here. To do it, open the course "
            "on your computer.",
        )
        note = {"cell_type": "markdown", "id": "needs-a-terminal", "metadata": {}, "source": said}
        notebook["cells"].insert(1, note)
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode()
