"""Which pages the site has, in which order, and where they stand. It reads names of files and touches nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["Place", "places"]

Kind = Literal["lesson", "lab", "assignment"]
_ORDER: tuple[Kind, ...] = ("lesson", "lab", "assignment")
_NAME = re.compile(r"(?P<module>\d\d)-[a-z0-9-]+")


@dataclass(frozen=True, order=True)
class Place:
    """A notebook of the course, the same in every language. `name`: its file's, without an ending."""

    module: str
    rank: int
    name: str

    @property
    def kind(self) -> Kind:
        """What it is."""
        return _ORDER[self.rank]

    @property
    def page(self) -> str:
        """Its page's name in a language's folder, without an ending."""
        return f"{self.name}-assignment" if self.kind == "assignment" else self.name

    def source(self, root: Path, language: str) -> Path:
        """Return the notebook's file in the repository."""
        if self.kind == "assignment":
            return root / "assignments" / language / "source" / self.name / f"{self.name}.ipynb"
        return root / "lessons" / language / f"{self.name}.ipynb"


def places(root: Path, language: str) -> list[Place]:
    """Return the course's notebooks in the order of the work. Raises ValueError for a name without a module."""
    return sorted(_found(root, language))


def _found(root: Path, language: str) -> Iterator[Place]:
    lessons, assignments = root / "lessons" / language, root / "assignments" / language / "source"
    for path in [*lessons.glob("*.ipynb"), *assignments.glob("*/*.ipynb")]:
        named = _NAME.fullmatch(path.stem)
        if named is None:
            raise ValueError(
                f"Expected a notebook's name with its module first, such as 01-upload-to-table; got {path.name}."
            )
        kind: Kind = "assignment" if path.parent != lessons else "lab" if path.stem.endswith("-lab") else "lesson"
        yield Place(named["module"], _ORDER.index(kind), path.stem)
