"""Which cell that a student handed in stands for which cell of the paper. Pure: it looks, and changes nothing.

First by the ids that the cells claim; then, for what is missing, by cell id, by likeness in the notebook's order, and by place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from autograder.intake.handed import HandedCell
from autograder.intake.likeness import ALIKE, likeness, same_text
from autograder.sheet import PaperCell, PaperNotebook

__all__ = ["Matched", "match"]

# A released stub and what a student made of it have little more in common than a name and a docstring.
_ANSWER_ALIKE = 0.3
# Comparing more pairs than this would take seconds: then only the same text is the same cell.
_MOST_PAIRS = 20_000


@dataclass
class Matched:
    """What `match` found. Indices are into `PaperNotebook.cells` (paper), its `layout` (place) and the cells handed in (at)."""

    at: dict[int, int] = field(default_factory=dict)
    """By paper: where its cell is."""
    recognised: set[int] = field(default_factory=set)
    """Paper: those whose cell had no id, or a wrong one."""
    copies: dict[int, int] = field(default_factory=dict)
    """By at: the paper cell whose id it claims beside another one."""
    places: dict[int, int] = field(default_factory=dict)
    """By at: the place in the release of a cell that is there as released, or is `at` some paper."""


def match(sheet: PaperNotebook, cells: tuple[HandedCell, ...]) -> Matched:
    """Find each paper cell among the cells handed in."""
    return _Search(sheet, cells).result


class _Search:
    def __init__(self, sheet: PaperNotebook, cells: tuple[HandedCell, ...]) -> None:
        self._sheet = sheet
        self._cells = cells
        self._free: set[int] = set(range(len(cells)))
        self._place = {place.grade_id: n for n, place in enumerate(sheet.layout) if place.grade_id is not None}
        self.result = Matched()
        self._by_claims()
        self._plain_places()
        if len(self.result.at) < len(sheet.cells):
            self._by_cell_id()
            self._by_likeness([paper for paper in self._missing() if self._sheet.cells[paper].kept_whole])
            self._by_text_anywhere()
            self._by_likeness(self._missing())
            self._by_window()

    def _missing(self) -> list[int]:
        return [n for n in range(len(self._sheet.cells)) if n not in self.result.at]

    def _take(self, paper: int, at: int, *, recognised: bool) -> None:
        self.result.at[paper] = at
        self._free.discard(at)
        place = self._place.get(self._sheet.cells[paper].grade_id)
        if place is not None:
            self.result.places[at] = place
        if recognised:
            self.result.recognised.add(paper)

    # By what the cells claim

    def _by_claims(self) -> None:
        paper_of = {cell.grade_id: n for n, cell in enumerate(self._sheet.cells)}
        claims: dict[int, list[int]] = {}
        for at, cell in enumerate(self._cells):
            if cell.claimed in paper_of:
                claims.setdefault(paper_of[cell.claimed], []).append(at)
        self._free -= {at for several in claims.values() for at in several}
        alone = {paper: several[0] for paper, several in claims.items() if len(several) == 1}
        for paper, several in sorted(claims.items()):
            known = self._sheet.cells[paper]
            keeper = self._keeper_whole(paper, several, alone) if known.kept_whole else self._keeper(known, several)
            for at in several:
                if at == keeper:
                    continue
                if known.kept_whole and likeness(self._cells[at].text, known.released_text) < ALIKE:
                    # Not a copy of the teacher's cell but something of the student's under its name.
                    self._free.add(at)
                else:
                    self.result.copies[at] = paper
            self._take(paper, keeper, recognised=keeper not in several)

    def _keeper(self, cell: PaperCell, several: list[int]) -> int:
        """Return the last one with something of the student's in it."""
        written = [at for at in several if not same_text(self._cells[at].text, cell.released_text)]
        return (written or several)[-1]

    def _keeper_whole(self, paper: int, several: list[int], alone: dict[int, int]) -> int:
        """Return the last one that is as released and stands in its order; or one of the same text that lost its id."""
        text = self._sheet.cells[paper].released_text
        same = [at for at in several if same_text(self._cells[at].text, text)]
        if not same:
            lost = [at for at in sorted(self._free) if text.strip() and same_text(self._cells[at].text, text)]
            if lost:
                return lost[-1]
        before = [at for other, at in alone.items() if other < paper]
        after = [at for other, at in alone.items() if other > paper]
        alike = [at for at in several if likeness(self._cells[at].text, text) >= ALIKE]
        best = same or alike or several
        ordered = [at for at in best if at > max(before, default=-1) and at < min(after, default=len(self._cells))]
        return (ordered or best)[-1]

    # Cells that nbgrader does not know, and that came with the release

    def _plain_places(self) -> None:
        plain = [(n, place) for n, place in enumerate(self._sheet.layout) if place.grade_id is None]
        by_id = {place.cell_id: n for n, place in plain if place.cell_id}
        open_places = {n for n, _ in plain}
        for at in sorted(self._free):
            cell = self._cells[at]
            n = by_id.get(cell.cell_id)
            if n in open_places and n is not None and self._sheet.layout[n].cell_type == cell.cell_type:
                self._settle(at, n, open_places)
        for n, place in plain:
            if n in open_places and place.text.strip():
                for at in sorted(self._free):
                    cell = self._cells[at]
                    if cell.cell_type == place.cell_type and same_text(cell.text, place.text):
                        self._settle(at, n, open_places)
                        break

    def _settle(self, at: int, place: int, open_places: set[int]) -> None:
        self.result.places[at] = place
        self._free.discard(at)
        open_places.discard(place)

    # By what they look like

    def _by_cell_id(self) -> None:
        by_id = {self._cells[at].cell_id: at for at in sorted(self._free) if self._cells[at].cell_id}
        for paper in self._missing():
            cell = self._sheet.cells[paper]
            at = by_id.get(cell.cell_id)
            if at in self._free and at is not None and (not cell.kept_whole or self._likeness(paper, at) >= ALIKE):
                self._take(paper, at, recognised=True)

    def _likeness(self, paper: int, at: int) -> float:
        cell, text = self._sheet.cells[paper], self._cells[at].text
        least = ALIKE if cell.kept_whole else _ANSWER_ALIKE
        alike = likeness(cell.released_text, text)
        if not cell.kept_whole:
            alike = max(alike, likeness(cell.text, text))
        return alike if alike >= least else 0.0

    def _by_likeness(self, papers: list[int]) -> None:
        """Align what is missing with what is left, in order, so that the sum of likenesses is greatest."""
        free = sorted(self._free)
        alike: Callable[[int, int], float] = self._likeness
        if len(papers) * len(free) > _MOST_PAIRS:
            texts = {paper: self._sheet.cells[paper].released_text for paper in papers}
            alike = lambda paper, at: float(texts[paper] == self._cells[at].text)  # noqa: E731
        # An answer is not looked for beyond its neighbours: it would have to move, away from what was written to follow it.
        windows = {paper: self._window(paper) for paper in papers if not self._sheet.cells[paper].kept_whole}
        scores = {
            (paper, at): alike(paper, at) if paper not in windows or at in windows[paper] else 0.0
            for paper in papers
            for at in free
        }
        for paper, at in _align(papers, free, scores):
            self._take(paper, at, recognised=True)

    def _window(self, paper: int) -> range:
        """Return where the cell can be without changing the order of those that are found."""
        place = self._place.get(self._sheet.cells[paper].grade_id, 0)
        known = {n: at for at, n in self.result.places.items()}
        before = max((n for n in known if n < place), default=None)
        after = min((n for n in known if n > place), default=None)
        first = known[before] + 1 if before is not None else 0
        return range(first, known[after] if after is not None else len(self._cells))

    def _by_window(self) -> None:
        """Give a missing answer what stands, without a name, between its neighbours."""
        for paper in self._missing():
            cell = self._sheet.cells[paper]
            if cell.kept_whole or cell.role == "task":
                continue
            window = self._window(paper)
            between = [at for at in sorted(self._free) if at in window and self._cells[at].text.strip()]
            between = [at for at in between if self._cells[at].cell_type == cell.cell_type]
            if between:
                best = max(between, key=lambda at: likeness(cell.text, self._cells[at].text))
                self._take(paper, best, recognised=True)

    def _by_text_anywhere(self) -> None:
        for paper in self._missing():
            text = self._sheet.cells[paper].released_text
            found = [at for at in sorted(self._free) if text.strip() and same_text(self._cells[at].text, text)]
            if self._sheet.cells[paper].kept_whole and found:
                self._take(paper, found[-1], recognised=True)


def _align(rows: list[int], columns: list[int], scores: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Return the pairs, both in order, whose scores add up to most. A pair of score 0 is none."""
    best = [[0.0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i in range(len(rows) - 1, -1, -1):
        for j in range(len(columns) - 1, -1, -1):
            score = scores[rows[i], columns[j]]
            paired = score + best[i + 1][j + 1] if score else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs, i, j = [], 0, 0
    while i < len(rows) and j < len(columns):
        score = scores[rows[i], columns[j]]
        if score and best[i][j] == score + best[i + 1][j + 1]:
            pairs.append((rows[i], columns[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
