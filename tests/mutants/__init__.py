"""Answers as data, to measure the checks with: wrong ones with the belief that must be named, and right ones in many styles.

A file is one answer, in percent format, said once for both languages. `01/` and `05/` are the assignments; `blind/` holds those
that were written by somebody who had not seen the rules. The header is `# misconception: …` (`a|b`: either is right; `none`: a
slip, of which no misconception may be claimed) and `# why: …`; then a section a cell that differs from the reference answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from bentocola.checks.scenarios import SCENARIOS

FOLDER = Path(__file__).parent
_HEADER = re.compile(r"# (misconception|why): (.+)")
_SECTION = re.compile(r"# %% (?P<cell>[a-z0-9-]+)")
ASSIGNMENTS = {"01": "01-upload-to-table", "05": "05-idempotent-consumer"}
CELLS = {
    "01": {
        "order-keys": ("order-keys-several", "order-keys-encoded", "order-keys-no-records"),
        "save-once": ("save-once-repeat", "save-once-keeps", "save-once-second-order", "save-once-other-errors"),
        "work-batch": (
            "work-batch-ids",
            "work-batch-delete-after",
            "work-batch-comes-back",
            "work-batch-until-empty",
        ),
        "handler": ("handler-stores", "handler-bad-keys", "handler-mixed", "handler-twice"),
    },
    "05": {
        "order-of": ("order-of-item", "order-of-rejects"),
        "save-job": ("save-job-repeat", "save-job-conflict", "save-job-meanwhile", "save-job-other-errors"),
        "handler": ("handler-saves", "handler-repeats", "handler-fails", "handler-stops"),
    },
}
"""By assignment and answer cell: the scenarios that try it, in the notebook's order."""


@dataclass(frozen=True)
class Mutant:
    """One answer. `names`: what may be named of a wrong one, "none" among them where naming nothing is right too."""

    name: str
    assignment: str
    right: bool
    blind: bool
    names: frozenset[str]
    why: str
    sections: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{'blind/' if self.blind else ''}{self.assignment}/{'right' if self.right else 'wrong'}/{self.name}"

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Those that try its cells, in the notebook's order."""
        cells = {cell for cell, _ in self.sections}
        return tuple(name for cell, names in CELLS[self.assignment].items() if cell in cells for name in names)


@cache
def mutants() -> tuple[Mutant, ...]:
    """Return all of them, by path."""
    return tuple(read(path) for path in sorted(FOLDER.rglob("*.py")) if path.parent.name in ("wrong", "right"))


def read(path: Path) -> Mutant:
    """Return the answer in a file. Raises ValueError for what is neither header nor section."""
    header: dict[str, str] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    while lines and not _SECTION.fullmatch(lines[0].strip()):
        line = lines.pop(0)
        if found := _HEADER.fullmatch(line.strip()):
            header[found[1]] = found[2].strip()
        elif line.strip():
            raise ValueError(f"{path}: no header line and in no section: {line!r}")
    named = header.get("misconception", "none").split("(")[0].strip()
    return Mutant(
        name=path.stem,
        assignment=path.parent.parent.name,
        right=path.parent.name == "right",
        blind="blind" in path.parts,
        names=frozenset(part.strip() for part in named.split("|")) if path.parent.name == "wrong" else frozenset(),
        why=header.get("why", ""),
        sections=tuple(_sections(lines)),
    )


def _sections(lines: list[str]) -> Iterator[tuple[str, str]]:
    starts = [n for n, line in enumerate(lines) if _SECTION.fullmatch(line.strip())]
    for start, end in pairwise([*starts, len(lines)]):
        found = _SECTION.fullmatch(lines[start].strip())
        assert found is not None
        yield found["cell"], "\n".join(lines[start + 1 : end]).strip("\n")


assert {name for cells in CELLS.values() for names in cells.values() for name in names} == set(SCENARIOS)
