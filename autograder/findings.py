"""What preflight found of an assignment, and the file in which it is kept until the source, the settings or the machine change.

Data and one JSON file beside the prepared assignment. Nothing here runs a cell.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.records import Note
from autograder.results import write_whole

__all__ = ["SCHEMA", "Finding", "Findings", "Together", "keep", "kept"]

SCHEMA = 1

Together = Mapping[str, AbstractSet[str]]
"""By notebook, the tests that cannot run apart."""


@dataclass(frozen=True)
class Finding:
    """One thing to tell the teacher of a cell. `grave`: the assignment cannot be graded with it."""

    notebook: str
    note: Note
    grave: bool = False


@dataclass(frozen=True)
class Findings:
    """All that was found. `made_from`: digests by name. Other ones make it stale; "source" alone says whose tests they are."""

    made_from: dict[str, str]
    together: dict[str, list[str]] = field(default_factory=dict)
    found: tuple[Finding, ...] = ()

    @property
    def marks(self) -> Together:
        """The tests that run with the student's code."""
        return {name: frozenset(cells) for name, cells in self.together.items()}

    @property
    def gradable(self) -> bool:
        """Whether nothing of what was found is grave."""
        return not any(finding.grave for finding in self.found)


def keep(findings: Findings, path: Path) -> None:
    """Put it on disk, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {"schema": SCHEMA, **dataclasses.asdict(findings)}
    text = json.dumps(said, ensure_ascii=False, indent=1, sort_keys=True)
    write_whole(path, text.encode("utf-8", "backslashreplace"))


def kept(path: Path, source: str) -> Findings | None:
    """Return what `keep` put there for a source of that digest; None for anything else."""
    try:
        said: Any = json.loads(path.read_bytes())
        if said.pop("schema") != SCHEMA or said["made_from"]["source"] != source:
            return None
        found = tuple(Finding(**{**finding, "note": Note(**finding["note"])}) for finding in said["found"])
        together = {str(name): [str(cell) for cell in cells] for name, cells in said["together"].items()}
        return Findings(dict(said["made_from"]), together, found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
