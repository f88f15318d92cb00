"""What a student's file says, as plain data in one shape, whatever its format was. Nothing in it is believed yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Handed", "HandedCell"]


@dataclass(frozen=True)
class HandedCell:
    """A cell as handed in. Outputs are not in it."""

    cell_type: str
    """"code", "markdown" or "raw"."""
    text: str
    """With "\\n" at the end of lines."""
    cell_id: str = ""
    tags: tuple[str, ...] = ()
    settings: dict[str, Any] | None = None
    """nbgrader's metadata, as the student's file has it; None if there is none."""
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def claimed(self) -> str | None:
        """The grade_id that the cell claims."""
        claimed = (self.settings or {}).get("grade_id")
        return claimed if isinstance(claimed, str) and claimed else None


@dataclass(frozen=True)
class Handed:
    """A notebook as handed in."""

    cells: tuple[HandedCell, ...]
    kernel: str | None
    """What its metadata call its kernel; None if they name none."""
    python: bool
    """Whether that kernel, or the language named beside it, is Python."""
