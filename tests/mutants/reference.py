"""The reference answers of an assignment, by cell: from the teacher's notebook."""

from __future__ import annotations

from functools import cache

from tests.mutants import ASSIGNMENTS
from tests.notebooks.editions import course_folder, read
from tests.samples import reference_answers


@cache
def reference(assignment: str, language: str) -> dict[str, str]:
    """Return the source of each answer cell."""
    name = ASSIGNMENTS[assignment]
    notebook = read(course_folder(language) / "source" / name / f"{name}.ipynb")
    return {cell.id: text for cell, text in _code(notebook, reference_answers(notebook))}


def _code(notebook: object, answers: dict[str, str]) -> list[tuple[object, str]]:
    cells = getattr(notebook, "cells", [])
    return [(cell, answers[cell.id]) for cell in cells if cell.id in answers and cell.cell_type == "code"]
