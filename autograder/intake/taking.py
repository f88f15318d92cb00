"""Which file of a student's folder is a notebook of the assignment, and what becomes of it. It reads files, and writes none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder.intake.decoding import decode
from autograder.intake.files import Entry, Refused, entries, is_notebook, rank, read_regular, same_name
from autograder.intake.handed import Handed
from autograder.intake.likeness import same_text
from autograder.intake.matching import match
from autograder.intake.notes import note
from autograder.intake.restoring import restore
from autograder.records import Limits, Note
from autograder.sheet import Paper, PaperNotebook

__all__ = ["Taken", "take_in"]

# How many files that could be one notebook are looked into.
_MOST_CANDIDATES = 8


@dataclass(frozen=True)
class Taken:
    """What came of a notebook: something to grade, or the reason why there is nothing."""

    notebook: NotebookNode | None
    """Valid, of format 4.5, with tests restored and without outputs. A cell with nbgrader's metadata is the paper's."""
    repairs: list[Note]
    refusal: Note | None
    untouched: frozenset[str] = frozenset()
    """The answer cells (grade_id) that are as released, or were not handed in."""
    file: str | None = None
    """The file's name, relative to the folder, with "/"; None if none was found."""


def take_in(folder: Path, paper: Paper, notebook: str, limits: Limits) -> Taken:
    """Return what is in a student's folder for one notebook of the assignment.

    Raises ValueError for a notebook that the paper does not have, and nothing for what a student may have done.
    """
    sheet = paper.notebook(notebook)
    if sheet is None:
        raise ValueError(f"Expected a notebook of {paper.assignment}, got {notebook!r}: check the name.")
    tried = [_Try(entry, sheet, limits) for entry in _candidates(folder, paper, sheet, limits)]
    if not tried:
        return Taken(None, [], note("no-notebook", notebook=notebook))
    readable = [one for one in tried if one.handed is not None]
    if not readable:
        return Taken(None, [], tried[0].refusal, file=tried[0].entry.name)
    best = next((one for one in readable if not one.is_blank()), readable[0])
    assert best.handed is not None
    repairs = [*_name_notes(best, tried, notebook), *best.notes]
    restored = restore(sheet, best.handed, match(sheet, best.handed.cells))
    return Taken(restored.notebook, [*repairs, *restored.notes], None, restored.untouched, best.entry.name)


class _Try:
    """A file that may be the notebook, read."""

    def __init__(self, entry: Entry, sheet: PaperNotebook, limits: Limits) -> None:
        self.entry = entry
        self.handed: Handed | None = None
        self.notes: list[Note] = []
        self.refusal: Note | None = None
        self._sheet = sheet
        try:
            data = read_regular(entry.path, limits.notebook_bytes, entry.name)
            self.handed, self.notes = decode(data, entry.name, [place.text for place in sheet.layout])
        except Refused as refused:
            self.refusal = refused.note

    def is_blank(self) -> bool:
        """Whether every answer cell is as released."""
        answers = {cell.grade_id: cell.released_text for cell in self._sheet.cells if cell.role in ("answer", "manual")}
        cells = self.handed.cells if self.handed else ()
        claimed = [cell for cell in cells if cell.claimed in answers]
        return bool(claimed) and all(same_text(cell.text, answers[cell.claimed or ""]) for cell in claimed)

    def score(self, sheet: PaperNotebook) -> int:
        """Count the cells that claim to be, or look like, cells of a notebook of the paper."""
        ids = {cell.grade_id for cell in sheet.cells}
        texts = {place.text for place in sheet.layout if len(place.text) > 20}
        return sum((cell.claimed in ids) + (cell.text in texts) for cell in (self.handed.cells if self.handed else ()))


def _candidates(folder: Path, paper: Paper, sheet: PaperNotebook, limits: Limits) -> list[Entry]:
    """Return the files that may be the notebook, the likeliest first: by name, else by content, else the only one left."""
    found = [entry for entry in entries(folder) if is_notebook(entry.name)]
    ranks = {entry.name: {other.name: rank(entry, other.name) for other in paper.notebooks} for entry in found}
    named: dict[str, list[Entry]] = {other.name: [] for other in paper.notebooks}
    left: list[Entry] = []
    for entry in found:
        likely = {name: n for name, n in ranks[entry.name].items() if n is not None}
        # Of two names that fit ("lab1" and "lab10"), the longer one says more.
        best = min(likely, key=lambda name: (likely[name], -len(name))) if likely else None
        (named[best] if best is not None else left).append(entry)
    if mine := named[sheet.name]:
        return sorted(mine, key=lambda entry: (ranks[entry.name][sheet.name], entry.name))[:_MOST_CANDIDATES]
    open_names = [other for other in paper.notebooks if not named[other.name]]
    if len(left) == 1 and len(open_names) == 1:
        return left
    tried = [_Try(entry, sheet, limits) for entry in left[:_MOST_CANDIDATES]]
    fitting = [
        (score, one)
        for one in tried
        if (score := one.score(sheet)) and all(one.score(other) <= score for other in open_names)
    ]
    if not fitting and len(open_names) == 1:
        return left[:_MOST_CANDIDATES]
    return [one.entry for _, one in sorted(fitting, key=lambda pair: (-pair[0], pair[1].entry.name))]


def _name_notes(best: _Try, tried: list[_Try], notebook: str) -> list[Note]:
    own = next((one for one in tried if same_name(one.entry, notebook)), None)
    if best is own:
        return []
    if own is not None and own.handed is not None:
        return [note("other-file", file=best.entry.name, notebook=notebook)]
    if len(tried) > 1:
        return [note("several-files", file=best.entry.name, notebook=notebook)]
    return [note("renamed", file=best.entry.name, notebook=notebook)]
