"""What nbgrader makes of a source notebook at release: run here, without a gradebook, to know what a student was handed.

It imports nbgrader and IPython, so it belongs to the main process (`paper.prepare`), never to a room. A source with AUTOTEST
cells starts a kernel here, as it does in `nbgrader generate_assignment`: a source is the teacher's own.
"""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.converters.generate_assignment import GenerateAssignment
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme
from nbgrader.utils import is_grade, is_locked, is_solution, is_task
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from autograder.sheet import PaperCell, PaperError, PaperNotebook, Place, Role

__all__ = ["line_ranges", "modules_of", "notebook_of"]


def notebook_of(path: Path, settings: Config | None, together: AbstractSet[str]) -> PaperNotebook:
    """Return the prepared notebook of a source file. Raises PaperError where nbgrader itself refuses to release it."""
    settings = settings or Config()
    try:
        source = _read(path)
        MetadataValidator().upgrade_notebook_metadata(source)
        whole, graded, released = _stages(source, settings, path.parent)
    except Exception as error:  # Each preprocessor has exceptions of its own, down to RuntimeError.
        # nbgrader raises a general sentence over what it found.
        found = (str(error.__context__ or "").strip() or str(error)).split("\n")[0]
        raise PaperError(
            f"nbgrader cannot release the source notebook {path}: {found.removesuffix('.')}. Correct the source."
        ) from error
    known = [cell for cell in graded.cells if _role(cell)]
    ids = [cell.metadata.nbgrader.grade_id for cell in known]
    if twice := sorted({grade_id for grade_id in ids if ids.count(grade_id) > 1}):
        raise PaperError(
            f"Expected each grade_id once in {path}; these come twice: {', '.join(twice)}. Rename one of each."
        )
    if unknown := sorted(set(together) - set(ids)):
        raise PaperError(
            f"{path} has no cell {', '.join(unknown)}, though it is to run together: run the preflight again."
        )
    reference = {cell.metadata.nbgrader.grade_id: cell.source for cell in whole.cells if _role(cell)}
    handed = {cell.metadata.nbgrader.grade_id: cell.source for cell in released.cells if _role(cell)}
    hidden, scheme = ClearHiddenTests(config=settings), ClearMarkScheme(config=settings)
    cells = []
    for cell in known:
        grade_id, role = cell.metadata.nbgrader.grade_id, _role(cell)
        assert role is not None
        text = reference.get(grade_id, cell.source) if role in ("answer", "manual") else cell.source
        ranges = line_ranges(text, hidden.begin_test_delimeter, hidden.end_test_delimeter) + line_ranges(
            text, scheme.begin_mark_scheme_delimeter, scheme.end_mark_scheme_delimeter
        )
        cells.append(
            PaperCell(
                grade_id=grade_id,
                cell_type=cell.cell_type,
                role=role,
                text=text,
                points=float(cell.metadata.nbgrader.get("points") or 0),
                hidden=tuple(sorted(ranges)),
                together=grade_id in together,
                metadata=_plain(cell.metadata),
                released_text=handed.get(grade_id, ""),
                cell_id=str(cell.get("id", "")),
                attachments=_plain(cell.get("attachments", {})),
            )
        )
    layout = tuple(
        Place(
            str(cell.get("id", "")),
            cell.cell_type,
            cell.source,
            cell.metadata.nbgrader.grade_id if _role(cell) else None,
        )
        for cell in released.cells
    )
    modules = modules_of(cell.source for cell in whole.cells if cell.cell_type == "code")
    return PaperNotebook(path.stem, tuple(cells), _plain(graded.metadata), modules, layout)


def _read(path: Path) -> NotebookNode:
    """Return a source as format 4. A cell without an id stays so: one made up by nbformat would differ each time."""
    data = path.read_bytes().decode("utf-8-sig")
    source: NotebookNode = nbformat.reads(data, as_version=4)  # type: ignore[no-untyped-call]
    written = json.loads(data)
    ids = [cell.get("id") for cell in written.get("cells", [])] or [None] * len(source.cells)
    for cell, cell_id in zip(source.cells, ids, strict=True):
        cell.source = cell.source.replace("\r\n", "\n")
        cell.pop("id", None)
        if cell_id is not None:
            cell.id = cell_id
    return source


def line_ranges(text: str, begin: str, end: str) -> list[tuple[int, int]]:
    """Return the 1-based ranges of lines from a line with `begin` to the next with `end`, both included."""
    ranges: list[tuple[int, int]] = []
    first = 0
    for n, line in enumerate(text.split("\n"), start=1):
        if begin in line:
            first = n
        elif end in line:
            ranges.append((first or n, n))
            first = 0
    return ranges


def modules_of(cells: Iterable[str]) -> tuple[str, ...]:
    """Return the dotted names of the modules that code cells import anywhere, sorted. A broken cell has none."""
    found: set[str] = set()
    for text in cells:
        try:
            tree = ast.parse(TransformerManager().transform_cell(text))  # type: ignore[no-untyped-call]
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
    return tuple(sorted(found - {"__future__"}))


def _stages(source: NotebookNode, settings: Config, folder: Path) -> tuple[NotebookNode, NotebookNode, NotebookNode]:
    """Return the notebook before solutions are cleared, as nbgrader would save it in a gradebook, and as released."""
    resources = ResourcesDict(metadata=ResourcesDict(path=str(folder), name="source"), nbgrader={})
    notebook, whole, graded = copy.deepcopy(source), None, None
    for item in GenerateAssignment(config=settings).preprocessors:
        kind = import_item(item) if isinstance(item, str) else item
        name = getattr(kind, "__name__", type(kind).__name__)
        if name == "ClearSolutions":
            whole = copy.deepcopy(notebook)
        # SaveCells writes a gradebook; what it would save is what a graded notebook gets back.
        if name == "SaveCells" or (name == "ClearHiddenTests" and graded is None):
            graded = copy.deepcopy(notebook)
        if name != "SaveCells":
            step = kind(config=settings) if isinstance(kind, type) else kind
            notebook, resources = step(notebook, resources)
    return whole or copy.deepcopy(source), graded or copy.deepcopy(notebook), notebook


def _role(cell: NotebookNode) -> Role | None:
    if not isinstance(cell.metadata.get("nbgrader"), dict) or not cell.metadata.nbgrader.get("grade_id"):
        return None
    if is_task(cell):
        return "task"
    if is_grade(cell):
        return "manual" if is_solution(cell) or cell.cell_type != "code" else "test"
    if is_solution(cell):
        return "answer"
    return "locked" if is_locked(cell) else None


def _plain(node: Any) -> dict[str, Any]:
    if isinstance(node, dict):
        return {str(name): _plain(value) for name, value in node.items()}
    return [_plain(value) for value in node] if isinstance(node, list) else node  # type: ignore[return-value]
