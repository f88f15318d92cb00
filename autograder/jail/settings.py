"""What a room may use and see, as plain data that goes to another process as JSON."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from autograder.records import Limits

__all__ = ["FOLDER", "HOME", "TMPFS", "JailSettings"]

TMPFS = "tmpfs"
HOME = "/candidate"
"""The home folder, as a room at level A sees it."""
FOLDER = f"{HOME}/work"
"""The working folder, as a room at level A sees it."""


@dataclass(frozen=True)
class JailSettings:
    """How a room is to be locked.

    `level`: "A" to "D". `readable`: files and folders to show besides Python, its packages and the system's programs, read-only
    and at their own path. `folder`: "tmpfs" for a working folder that is the room's own and goes with it, or a folder's path.
    Such a folder has to be open to the room's user, and nothing limits what it holds at level A.
    `environ`: environment variables on top of the room's own.
    """

    level: str = "A"
    limits: Limits = field(default_factory=Limits)
    readable: tuple[str, ...] = ()
    folder: str = TMPFS
    environ: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as what `json.dump` takes."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> JailSettings:
        """Return the settings that `as_json` gave."""
        return cls(**{**data, "limits": Limits(**data["limits"]), "readable": tuple(data["readable"])})
