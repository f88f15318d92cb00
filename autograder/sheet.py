"""The sheets of a paper: what an assignment's source says, as plain data. It reads no file and imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Paper", "PaperCell", "PaperError", "PaperNotebook", "Place", "Role"]

Role = Literal["locked", "test", "answer", "manual", "task"]


class PaperError(ValueError):
    """The source folder, or a paper on disk, is not what it should be. The text says what was expected and what to do."""


@dataclass(frozen=True)
class PaperCell:
    """A cell of the source that nbgrader knows."""

    grade_id: str
    cell_type: str
    role: Role
    """"manual": graded by a person; "answer": solution only; "task": a task cell of nbgrader's."""
    text: str
    """As in the source: hidden tests and solutions included, with their marks."""
    points: float = 0.0
    hidden: tuple[tuple[int, int], ...] = ()
    """1-based ranges of lines of `text` that no student may see, marks included: hidden tests, or a mark scheme."""
    together: bool = False
    """It cannot run apart from the student's code, as preflight found."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """Of the source's cell, whole, with what nbgrader adds at release (locks, checksum)."""
    released_text: str = ""
    """What the student was handed."""
    cell_id: str = ""
    attachments: dict[str, Any] = field(default_factory=dict)

    @property
    def kept_whole(self) -> bool:
        """Whether its text is the teacher's, so that it is restored from the source."""
        return self.role in ("locked", "test") or (
            self.role == "task" and bool(self.metadata["nbgrader"].get("locked"))
        )

    def restored_text(self) -> str:
        """Return what stands in a graded notebook if the student handed in nothing for it."""
        return self.text if self.kept_whole or self.role == "task" else self.released_text


@dataclass(frozen=True)
class Place:
    """One cell of the released notebook, in its order: also those that nbgrader does not know."""

    cell_id: str
    cell_type: str
    text: str
    """As released."""
    grade_id: str | None = None


@dataclass(frozen=True)
class PaperNotebook:
    """One notebook of an assignment."""

    name: str
    """Without ending."""
    cells: tuple[PaperCell, ...]
    metadata: dict[str, Any] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    """Imported anywhere in the source notebook, as dotted names: the examiner imports them beforehand."""
    layout: tuple[Place, ...] = ()

    def cell(self, grade_id: str) -> PaperCell | None:
        """Return the cell of that id, or None."""
        return next((cell for cell in self.cells if cell.grade_id == grade_id), None)


@dataclass(frozen=True)
class Paper:
    """A prepared assignment."""

    assignment: str
    language: str
    """The edition of the course: "es", "ja", or "" for a course of somebody else's."""
    notebooks: tuple[PaperNotebook, ...]
    files: tuple[str, ...] = ()
    """What lies beside the notebooks, as paths with "/", relative to the source folder."""
    digest: str = ""
    """SHA-256 of all of it, the files' bytes included."""
    made_from: str = ""
    """`autograder.paper.fingerprint` of what it was prepared from."""

    def notebook(self, name: str) -> PaperNotebook | None:
        """Return the notebook of that name, or None."""
        return next((notebook for notebook in self.notebooks if notebook.name == name), None)
