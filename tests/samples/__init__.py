"""Submissions of assignment 01 as data: right answers written differently, and wrong ones with the points they must get.

A submission is a file in `right/` or `wrong/`, said once for both languages, in percent format. Its header is:

    # points: 25                            of the 27 that are given automatically
    # loses: test-save-once-keeps, …        the test cells that give nothing (absent: none; `all`)
    # misconceptions: put-inserts, …        what its writer believes, by the course's ids (wrong ones; absent: a slip)
    # why: …                                why a student would write it
    # rest: blank                           what is not written is as released (absent: as in the reference answer)

Then a section a cell: `# %% save-once`, and what the student wrote there. The id of no cell makes one of the student's own,
after the section before it. A section for one language only says so: `# %% answer-in-words es`. The words of
`tests.notebooks.editions.fill` stand for an edition's own names.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tests.notebooks.editions import LANGUAGES, assignment_source, fill

FOLDER = Path(__file__).parent
_HEADER = re.compile(r"# (points|loses|misconceptions|why|rest): (.+)")
_SECTION = re.compile(rf"# %% (?P<cell>[a-z0-9-]+)(?: (?P<language>{'|'.join(LANGUAGES)}))?")
_MARKER = re.compile(r"\s*### (BEGIN|END) SOLUTION")

# The ids of what the course exists to correct, in all its modules.
COURSE_MISCONCEPTIONS = frozenset(
    {
        "once",
        "delete-first",
        "event-once",
        "message-id-key",
        "key-as-is",
        "test-event",
        "refused-is-crash",
        "receive-removes",
        "number-is-number",
        "handler-deletes",
        "put-inserts",
        "check-then-write",
        "catch-all",
        "condition-scans",
        "status-500",
        "timeouts-apart",
        "count-errors",
        "only-bad-returns",
        "partial-not-on",
        "partial-survives",
        "dlq-clock",
        "delete-by-id",
        "sole-consumer",
        "empty-is-done",
        "exactly-once",
        "order",
        "deleted-is-gone",
        "s3-fifo",
        "fifo-forever",
        "fifo-runs-once",
    }
)

# Any answer in words is left for a person to grade. This one is as good as it needs to be.
WORDS = {
    "es": "El id nombra un envío: el pedido 3 de Lucía, enviado dos veces, llega con dos ids.",
    "ja": "IDは送信ごとに付きます。佐藤さんの注文3を2回送ると、IDは2つになります。",
}


@dataclass(frozen=True)
class Section:
    """What a student wrote in one cell; in one language only, unless `language` is None."""

    cell: str
    language: str | None
    source: str


@dataclass(frozen=True)
class Sample:
    """A submission, and what it must get."""

    name: str
    right: bool
    points: int
    loses: frozenset[str]
    misconceptions: tuple[str, ...]
    why: str
    rest_is_blank: bool
    sections: tuple[Section, ...]

    def __str__(self) -> str:
        return self.name


@cache
def samples() -> tuple[Sample, ...]:
    """Return all samples by name, the right ones first."""
    return tuple(read(path) for folder in ("right", "wrong") for path in sorted((FOLDER / folder).glob("*.py")))


def turn(sample: Sample) -> str:
    """Return the language in which the everyday check takes this sample: the samples take turns."""
    return LANGUAGES[samples().index(sample) % len(LANGUAGES)]


def read(path: Path) -> Sample:
    """Return the sample in a file. Raises ValueError for a line that is neither header nor section."""
    lines = path.read_text(encoding="utf-8").splitlines()
    header: dict[str, str] = {}
    while lines and not _SECTION.fullmatch(lines[0]):
        line = lines.pop(0)
        if found := _HEADER.fullmatch(line):
            header[found[1]] = found[2].strip()
        elif line:
            raise ValueError(f"{path.name}: no header line and in no section: {line!r}")
    return Sample(
        name=path.stem,
        right=path.parent.name == "right",
        points=int(header["points"]),
        loses=test_cells() if header.get("loses") == "all" else frozenset(_listed(header.get("loses", ""))),
        misconceptions=tuple(_listed(header.get("misconceptions", ""))),
        why=header.get("why", ""),
        rest_is_blank=header.get("rest") == "blank",
        sections=tuple(_sections(lines)),
    )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _sections(lines: list[str]) -> Iterator[Section]:
    starts = [n for n, line in enumerate(lines) if _SECTION.fullmatch(line)]
    for start, end in pairwise([*starts, len(lines)]):
        found = _SECTION.fullmatch(lines[start])
        assert found is not None
        yield Section(found["cell"], found["language"], "\n".join(lines[start + 1 : end]).strip("\n"))


@cache
def test_cells() -> frozenset[str]:
    """Return the ids of the cells that give points automatically. They are the same in both languages."""
    return frozenset(points_of(assignment_source(LANGUAGES[0])))


def points_of(notebook: NotebookNode) -> dict[str, int]:
    """Return the points of each test cell of an assignment by its id. What a person grades is not among them."""
    graded = {cell.id: cell.metadata.get("nbgrader", {}) for cell in notebook.cells if cell.cell_type == "code"}
    return {cell: settings["points"] for cell, settings in graded.items() if settings.get("grade")}


def reference_answers(source: NotebookNode) -> dict[str, str]:
    """Return what a teacher's notebook has in the cells that a student writes, without the marks around the solutions."""
    answers = {cell.id: cell.source for cell in source.cells if cell.metadata.get("nbgrader", {}).get("solution")}
    return {
        cell: "\n".join(line for line in text.split("\n") if not _MARKER.match(line)) for cell, text in answers.items()
    }


def submission(sample: Sample, language: str, notebook: NotebookNode, reference: dict[str, str]) -> NotebookNode:
    """Return `notebook` (as released, or its source) with a student's answers in it.

    What the sample leaves out is taken from `reference`, by cell id, or stays as it stands if the sample says so.
    Raises ValueError for a section that writes into a cell that is not the student's.
    """
    written = [section for section in sample.sections if section.language in (None, language)]
    answers = {} if sample.rest_is_blank else {**reference, "answer-in-words": WORDS[language]}
    made = copy.deepcopy(notebook)
    cells = {cell.id: cell for cell in made.cells}
    for cell, answer in answers.items():
        cells[cell].source = answer
    before = None
    for section in written:
        text = fill(section.source, language)
        if section.cell not in cells:
            own = new_code_cell(text, id=section.cell)
            position = 0 if before is None else [cell.id for cell in made.cells].index(before)
            made.cells.insert(position + 1, own)
        elif section.cell in reference:
            cells[section.cell].source = text
        else:
            raise ValueError(f"{sample.name}: {section.cell} is no cell for a student's answer")
        before = section.cell
    return made
