"""A notebook to grade, made from the paper and what a student handed in. Pure: data in, a new notebook and notes out.

What is the teacher's comes whole from the paper: text, metadata, tags, type, points, attachments. A student's cell gives its text
(and pictures in an answer in words), and no output, metadata or tag of it stays.

Order: known cells stand in the source's order, each with the student's own cells that stood before it. So in a notebook in which
no known cell was moved, nothing moves; and where one was, its helper cells come with it. A test that had been deleted comes as
late as the release allows: after the student's own cells that follow the answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode, from_dict

from autograder.intake.handed import Handed, HandedCell
from autograder.intake.likeness import same_text
from autograder.intake.matching import Matched
from autograder.intake.notes import note
from autograder.records import Note
from autograder.sheet import PaperCell, PaperNotebook

__all__ = ["Restored", "restore"]

_VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_FLAGS = ("grade", "solution", "locked", "task")


@dataclass(frozen=True)
class Restored:
    """What `restore` made."""

    notebook: NotebookNode
    """Valid, of format 4.5, without outputs."""
    notes: tuple[Note, ...]
    untouched: frozenset[str]
    """The answer cells (grade_id) that are as released, or were not handed in."""


@dataclass
class _Item:
    """A cell of the notebook in the making: one of the paper, or one of the student's own."""

    paper: int | None
    at: int | None
    place: int | None = None


def restore(sheet: PaperNotebook, handed: Handed, matched: Matched) -> Restored:
    """Return the notebook to grade."""
    notes = _kernel_notes(sheet, handed)
    papers = {at: paper for paper, at in matched.at.items()}
    items = []
    for at, cell in enumerate(handed.cells):
        copied = matched.copies.get(at)
        if copied is not None and same_text(cell.text, sheet.cells[copied].released_text):
            continue
        if at in papers or cell.text.strip() or cell.attachments:
            items.append(_Item(papers.get(at), at, matched.places.get(at)))
    items = _ordered(items, sheet, matched, notes)
    _put_back(items, sheet, matched)
    notes += _cell_notes(sheet, handed, matched)
    cells = _Cells(sheet, handed)
    made = [node for item in items for node in cells.nodes(item)]
    ids = [cell.cell_id for cell in handed.cells if cell.cell_id]
    if len(set(ids)) < len(ids) or not all(_VALID_ID.fullmatch(cell_id) for cell_id in ids):
        notes.append(note("cell-ids"))
    untouched = frozenset(
        cell.grade_id
        for paper, cell in enumerate(sheet.cells)
        if cell.role in ("answer", "manual")
        and (paper not in matched.at or same_text(handed.cells[matched.at[paper]].text, cell.released_text))
    )
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": sheet.metadata, "cells": made}
    return Restored(from_dict(whole), tuple(notes), untouched)  # type: ignore[no-untyped-call]


# Order


def _ordered(items: list[_Item], sheet: PaperNotebook, matched: Matched, notes: list[Note]) -> list[_Item]:
    known = [item.paper for item in items if item.paper is not None]
    if known == sorted(known):
        return items
    still = _longest_run(known)
    notes += [note("moved", sheet.cells[paper].grade_id) for paper in known if paper not in still]
    groups: list[list[_Item]] = [[]]
    for item in items:
        groups[-1].append(item)
        if item.paper is not None:
            groups.append([])
    tail = groups.pop()
    groups.sort(key=lambda group: group[-1].paper or 0)
    made = [item for group in groups for item in group] + tail
    # An earlier copy of an answer must not come to stand behind the one that counts.
    for copy in [item for item in made if item.at in matched.copies]:
        keeper = next(item for item in made if item.paper == matched.copies[copy.at or 0])
        if made.index(copy) > made.index(keeper) and (copy.at or 0) < (keeper.at or 0):
            made.remove(copy)
            made.insert(made.index(keeper), copy)
    return made


def _longest_run(numbers: list[int]) -> set[int]:
    """Return the numbers of a longest increasing subsequence: what need not move."""
    ends: list[int] = []
    chains: list[tuple[int, ...]] = []
    for number in numbers:
        n = bisect_left(ends, number)
        chain = (*(chains[n - 1] if n else ()), number)
        ends[n : n + 1], chains[n : n + 1] = [number], [chain]
    return set(chains[-1]) if chains else set()


def _put_back(items: list[_Item], sheet: PaperNotebook, matched: Matched) -> None:
    """Put each missing cell of the paper into the items, in place."""
    places = {place.grade_id: n for n, place in enumerate(sheet.layout) if place.grade_id is not None}
    for paper, cell in enumerate(sheet.cells):
        if paper in matched.at:
            continue
        place = places.get(cell.grade_id, len(sheet.layout))
        known = [(n, item.paper) for n, item in enumerate(items) if item.paper is not None]
        first = max((n + 1 for n, other in known if other < paper), default=0)
        last = min((n for n, other in known if other > paper), default=len(items))
        plain = (n for n in range(first, last) if (there := items[n].place) is not None and there > place)
        items.insert(next(plain, last), _Item(paper, None, place))


# What is said


def _kernel_notes(sheet: PaperNotebook, handed: Handed) -> list[Note]:
    spec = sheet.metadata.get("kernelspec")
    if not spec or spec.get("language", "python") != "python" or handed.python:
        return []
    return [note("kernel-missing") if handed.kernel is None else note("kernel", kernel=handed.kernel)]


def _cell_notes(sheet: PaperNotebook, handed: Handed, matched: Matched) -> list[Note]:
    notes = []
    known = {cell.grade_id for cell in sheet.cells}
    for paper, cell in enumerate(sheet.cells):
        copies = [at for at, copied in matched.copies.items() if copied == paper]
        stubs = [at for at in copies if same_text(handed.cells[at].text, cell.released_text)]
        if paper not in matched.at:
            notes.append(note("missing" if cell.kept_whole else "answer-missing", cell.grade_id))
            continue
        got = handed.cells[matched.at[paper]]
        if copies and cell.kept_whole:
            notes.append(note("duplicate", cell.grade_id))
        elif copies:
            notes.append(note("stub-copy" if len(stubs) == len(copies) else "duplicate-answer", cell.grade_id))
        if paper in matched.recognised:
            notes.append(note("recognised", cell.grade_id))
        if got.cell_type != cell.cell_type:
            code = "type" if cell.kept_whole else "answer-type"
            notes.append(note(code, cell.grade_id, got=got.cell_type, expected=cell.cell_type))
        if cell.kept_whole and not same_text(got.text, cell.released_text):
            notes.append(note("edited", cell.grade_id))
        if names := _changed_settings(cell, got, recognised=paper in matched.recognised):
            notes.append(note("settings", cell.grade_id, names=", ".join(names)))
    taken = set(matched.at.values())
    for at, handed_cell in enumerate(handed.cells):
        claimed = handed_cell.claimed
        if claimed is not None and claimed not in known and at not in taken:
            notes.append(note("unknown-cell", got=claimed))
    return notes


def _changed_settings(cell: PaperCell, got: HandedCell, *, recognised: bool) -> list[str]:
    """Return the names of the settings that a cell states otherwise than the paper. What it does not state is no change."""
    if got.settings is None or (recognised and got.claimed != cell.grade_id):
        return []
    expected = cell.metadata.get("nbgrader", {})
    names = [name for name in _FLAGS if name in got.settings and got.settings[name] != bool(expected.get(name))]
    if "points" in expected and _number(got.settings.get("points", expected["points"])) != _number(expected["points"]):
        names.append("points")
    if set(got.tags) - set(cell.metadata.get("tags", [])):
        names.append("tags")
    return names


def _number(points: object) -> float | None:
    # Old versions of nbgrader wrote texts.
    try:
        return float(points) if isinstance(points, (int, float, str)) and not isinstance(points, bool) else None
    except (ValueError, OverflowError):
        return None


# Cells


class _Cells:
    """Makes the cells of the notebook, each with an id of its own."""

    def __init__(self, sheet: PaperNotebook, handed: Handed) -> None:
        self._sheet = sheet
        self._handed = handed
        self._used: set[str] = set()
        self._numbers: Counter[str] = Counter()
        self._paper_ids = [self._new_id(cell.cell_id, cell.grade_id[:64]) for cell in sheet.cells]

    def _new_id(self, wanted: str, otherwise: str) -> str:
        made = wanted if _VALID_ID.fullmatch(wanted) else otherwise if _VALID_ID.fullmatch(otherwise) else "cell"
        while made in self._used:
            self._numbers[otherwise] += 1
            made = f"{otherwise[:50] or 'cell'}-{self._numbers[otherwise]}"
        self._used.add(made)
        return made

    def nodes(self, item: _Item) -> list[dict[str, Any]]:
        got = self._handed.cells[item.at] if item.at is not None else None
        if item.paper is None:
            assert got is not None
            return [self._own(got, got.cell_type)]
        cell = self._sheet.cells[item.paper]
        made = self._graded(cell, got, self._paper_ids[item.paper])
        if got is not None and cell.kept_whole and not same_text(got.text, cell.released_text) and got.text.strip():
            # What the student had there does not run, but a person who grades can see it.
            return [self._own(got, "raw"), made]
        return [made]

    def _own(self, got: HandedCell, cell_type: str) -> dict[str, Any]:
        made: dict[str, Any] = {"cell_type": cell_type, "metadata": {}, "source": got.text}
        if cell_type == "code":
            made |= {"execution_count": None, "outputs": []}
        elif got.attachments and got.cell_type != "code":
            made["attachments"] = got.attachments
        made["id"] = self._new_id(got.cell_id, "own")
        return made

    def _graded(self, cell: PaperCell, got: HandedCell | None, cell_id: str) -> dict[str, Any]:
        if got is not None and not cell.kept_whole:
            text, attachments = got.text, got.attachments
        elif got is None and not cell.kept_whole and cell.cell_type == "code":
            # A released stub could take the place of a function that the student wrote elsewhere.
            text, attachments = "", {}
        else:
            text, attachments = cell.restored_text(), cell.attachments
        made: dict[str, Any] = {"cell_type": cell.cell_type, "id": cell_id, "metadata": cell.metadata, "source": text}
        if cell.cell_type == "code":
            return made | {"execution_count": None, "outputs": []}
        return made | ({"attachments": attachments} if attachments else {})
