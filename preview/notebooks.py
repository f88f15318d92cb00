"""The notebooks as a reader sees them: lessons with what their cells print, assignments as they are handed out.

Lessons are run once for each change of them or of the course's code, and kept in `build/preview/`. A student's own cells and
labs are not run: the first are blank, the others need their terminal.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from preview.places import Place
from tools.student_copies import ReleaseError, release

__all__ = ["NotebookError", "assignments", "is_foretold", "is_students", "lesson"]

_SECONDS = 120
"""For one cell. They take a second or two."""
_KEPT = Path("build") / "preview"


class NotebookError(Exception):
    """A notebook could not be run or released. The message says which, and why."""


def is_students(cell: Any) -> bool:
    """Whether a cell is the student's to fill in."""
    tags = cell.metadata.get("tags", ())
    return "student" in tags or bool(cell.metadata.get("nbgrader", {}).get("solution"))


def is_foretold(cell: Any) -> bool:
    """Whether the reader is to predict what a cell prints, before it is seen: it asks for that, or draws a story that does."""
    return "prediction = None" in cell.source or "Stepper.story(" in cell.source


def lesson(root: Path, place: Place, language: str) -> Any:
    """Return a lesson with its outputs, or a lab as it is. Raises NotebookError."""
    path = place.source(root, language)
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    if place.kind == "lab":
        return notebook
    kept = root / _KEPT / f"{language}-{place.name}-{_digest([path, Path(__file__), *_code(root)])}.ipynb"
    if not kept.exists():
        _run(notebook, path)
        kept.parent.mkdir(parents=True, exist_ok=True)
        for former in kept.parent.glob(f"{language}-{place.name}-*.ipynb"):
            former.unlink()
        unfinished = kept.with_suffix(".part")
        nbformat.write(notebook, unfinished)  # type: ignore[no-untyped-call]
        unfinished.replace(kept)
    ran: Any = nbformat.read(kept, as_version=4)  # type: ignore[no-untyped-call]
    return ran


def assignments(root: Path, language: str) -> dict[str, Any]:
    """Return what nbgrader hands out of each assignment, by its name. Raises NotebookError."""
    with tempfile.TemporaryDirectory() as temporary:
        try:
            released = release(root / "assignments" / language, Path(temporary))
        except ReleaseError as error:
            raise NotebookError(f"nbgrader could not release the assignments in {language}: {error}") from error
        paths = sorted(released.rglob("*.ipynb"))
        return {path.stem: nbformat.read(path, as_version=4) for path in paths}  # type: ignore[no-untyped-call]


def _run(notebook: Any, path: Path) -> None:
    """Run the notebook's cells in order, but for the student's and what tries them out."""
    names = {cell.id for cell in notebook.cells if is_students(cell)}
    whole = notebook.cells
    notebook.cells = [
        cell for cell in whole if not any(cell.id == name or cell.id.startswith(f"{name}-") for name in names)
    ]
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=_SECONDS,
            kernel_name="python3",
            coalesce_streams=True,  # else a line is cut in two where the kernel happened to send
            resources={"metadata": {"path": folder}},
        )
        # Whoever makes the site may have settings of their own for AWS, and a lesson would tell of them.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        try:
            # The kernel's own words are of its line to this process; that it died is told by the exception.
            client.execute(env=environment, stderr=subprocess.DEVNULL)
        except Exception as error:
            raise NotebookError(f"{path.name} could not be run for the site: {error}") from error
    notebook.cells = whole


def _code(root: Path) -> Iterable[Path]:
    """Yield the files that decide what a lesson's cells print."""
    yield root / "requirements.lock"
    for kind in ("*.py", "*.po", "*.js"):
        yield from sorted((root / "bentocola").rglob(kind))


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
