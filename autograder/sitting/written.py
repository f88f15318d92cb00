"""What a sitting leaves on disk: the graded notebook and the record, each whole or not there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.records import Record
from autograder.sheet import PaperNotebook
from autograder.sitting.messages import clean

__all__ = ["blank", "write_notebook", "write_record"]


def blank(sheet: PaperNotebook) -> NotebookNode:
    """Return the notebook as it was released, for a student of whom there is none: nbgrader's tools want one to look at."""
    cells = []
    for place in sheet.layout:
        known = sheet.cell(place.grade_id) if place.grade_id else None
        cell: dict[str, Any] = {"cell_type": place.cell_type, "id": place.cell_id, "metadata": {}, "source": place.text}
        if known is not None:
            cell.update(metadata=known.metadata, source=known.restored_text())
            if known.attachments:
                cell["attachments"] = known.attachments
        if place.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
        cells.append(cell)
    notebook = {"cells": cells, "metadata": sheet.metadata, "nbformat": 4, "nbformat_minor": 5}
    return nbformat.from_dict(notebook)  # type: ignore[no-untyped-call, no-any-return]


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook. Raises nbformat's ValidationError for one that is none."""
    nbformat.validate(notebook)
    _write(path, nbformat.writes(notebook).encode("utf-8", "replace"))  # type: ignore[no-untyped-call]


def write_record(record: Record, path: Path) -> None:
    """Write a record."""
    _write(path, json.dumps(clean(record.as_json()), ensure_ascii=False).encode())


def _write(path: Path, data: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.new")
    with unfinished.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(unfinished, path)
