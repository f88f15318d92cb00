"""What the code cells of the lessons print: data, by lesson, cell id and language."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "expected"


@cache
def expected_output(language: str, name: str) -> dict[str, str]:
    """Return what each code cell of a lesson prints when the lesson runs from top to bottom."""
    cells = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return {cell: texts.get("both", texts.get(language)) for cell, texts in cells.items()}
