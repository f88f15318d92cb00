"""In which of a student's own cells a line of theirs stands, and at which number. Pure.

The number is what the candidate told: it counts only where the cell has that very line there.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from autograder.records import Said
from autograder.sheet import PaperNotebook
from autograder.voice import Say

__all__ = ["own_lines", "where_is"]

_CUT = "…"


def own_lines(notebook: Mapping[str, Any] | None, handed: PaperNotebook) -> list[tuple[str, str]]:
    """Return the student's own code cells of a graded notebook: each one's id ("" for a cell that they added) and text."""
    answers: list[tuple[str, str]] = []
    added: list[tuple[str, str]] = []
    for cell in (notebook or {}).get("cells", ()):
        about = cell.get("metadata", {}).get("nbgrader")
        name = about.get("grade_id") if isinstance(about, dict) else None
        known = handed.cell(name) if isinstance(name, str) else None
        if cell.get("cell_type") != "code":
            continue
        text = "".join(cell.get("source", ""))
        if known is None:
            added.append(("", text))
        elif known.role in ("answer", "manual"):
            answers.append((known.grade_id, text))
    return answers + added


def where_is(said: Said, cells: list[tuple[str, str]], say: Say) -> str:
    """Return the place of a line of the student's, in words; "" where it is not theirs, or not known."""
    if said.line is None or said.number is None:
        return ""
    for name, text in cells:
        lines = text.split("\n")
        # IPython leaves out empty lines at the top.
        number = said.number + next((n for n, line in enumerate(lines) if line.strip()), 0)
        if number <= len(lines) and _same(lines[number - 1].strip(), said.line):
            if not name:
                return say("In a cell of your own, line {number}:", number=number)
            return say("In {name}, line {number}:", name=_function(text, number) or name, number=number)
    return ""


def _same(line: str, told: str) -> bool:
    return line.startswith(told.removesuffix(_CUT)) if told.endswith(_CUT) else line == told


def _function(text: str, number: int) -> str:
    """Return the name of the cell's function, or class, that the line stands in, or ""."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and (
            statement.lineno <= number <= (statement.end_lineno or statement.lineno)
        ):
            return statement.name
    return ""
