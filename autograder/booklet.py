"""What the examiner holds of the sheet of one notebook: whose names are whose at each cell, and what no student may see. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

from autograder.names import Owners, Source, owners
from autograder.sheet import PaperCell, PaperNotebook, Place
from autograder.verdicts import CellText, Secrets

__all__ = ["Booklet"]

_NOTHING = PaperNotebook("", ())


class Booklet:
    """Made from a sheet and the language of the course ("es", "ja" or "")."""

    def __init__(self, sheet: PaperNotebook = _NOTHING, language: str = "") -> None:
        self.language = language
        self.modules = sheet.modules
        self._cells = {cell.grade_id: cell for cell in sheet.cells}
        self._sources = tuple(_sources(sheet))
        self._places = {
            place.grade_id: index for index, place in enumerate(_layout(sheet)) if place.grade_id is not None
        }
        self.owners = cache(self._owners)

    @classmethod
    def from_json(cls, data: dict[str, Any], language: str) -> Booklet:
        """Return the booklet of a `PaperNotebook` as `dataclasses.asdict` and JSON made it."""
        cells = tuple(
            PaperCell(**{**cell, "hidden": tuple((a, b) for a, b in cell["hidden"])}) for cell in data["cells"]
        )
        layout = tuple(Place(**place) for place in data["layout"])
        return cls(
            PaperNotebook(**{**data, "cells": cells, "layout": layout, "modules": tuple(data["modules"])}), language
        )

    def _owners(self, grade_id: str) -> Owners:
        """Return whose names are whose while the cell runs."""
        return owners(self._sources, self._places.get(grade_id, len(self._places)))

    @cached_property
    def secrets(self) -> Secrets:
        """What stands in hidden tests of this notebook and nowhere else."""
        return Secrets(CellText(cell.text, cell.hidden) for cell in self._cells.values())

    def texts(self, file_name: Callable[[str], str]) -> dict[str, CellText]:
        """Return the cells that the examiner runs, by the name that `file_name` says each is compiled under."""
        return {
            file_name(cell.text): CellText(cell.text, cell.hidden)
            for cell in self._cells.values()
            if cell.cell_type == "code" and cell.role in ("locked", "test") and not cell.together
        }


def _layout(sheet: PaperNotebook) -> tuple[Place, ...]:
    """Return the notebook's cells in their order; without a layout, those that nbgrader knows."""
    return sheet.layout or tuple(Place(cell.cell_id, cell.cell_type, cell.text, cell.grade_id) for cell in sheet.cells)


def _sources(sheet: PaperNotebook) -> list[Source]:
    """Return the code cells of the source with the side that runs them. What an answer binds is what its reference binds."""
    found: list[Source] = []
    for index, place in enumerate(_layout(sheet)):
        if place.cell_type != "code":
            continue
        cell = sheet.cell(place.grade_id) if place.grade_id is not None else None
        if cell is None:
            found.append(Source(index, "candidate", place.text))
        elif cell.role in ("locked", "test") and not cell.together:
            found.append(Source(index, "examiner", cell.text))
        else:
            found += (Source(index, "candidate", text) for text in {cell.text, cell.released_text})
    return found
