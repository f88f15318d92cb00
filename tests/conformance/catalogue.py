"""The behaviours: read from their files, and checked for form, so that a slip of the pen is found before anything runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.notation import read
from tests.conformance.player import STEPS

__all__ = ["Behaviour", "behaviours", "faults", "setups"]

FOLDER = Path(__file__).parent / "behaviours"
DOCUMENTATION = "https://docs.aws.amazon.com/"
_SETUPS = "setups.yaml"
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_ID = 44
"""A bucket's name has at most 63 characters, a role's 64: room for "-role" and a run's suffix."""


@dataclass(frozen=True)
class Behaviour:
    """One thing that AWS documents. `group`: its file; `data`: the entry as written (id, says, page, steps, ministack)."""

    group: str
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its name, unique among all."""
        return str(self.data["id"])

    def is_in(self, which: str) -> bool:
        """Whether `which` is its group, or the beginning of its id."""
        return self.group == which or self.id.startswith(which)


@cache
def behaviours() -> tuple[Behaviour, ...]:
    """Return all of them, file by file."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        if path.name != _SETUPS:
            found += [Behaviour(path.stem, entry) for entry in read(path)["behaviours"]]
    return tuple(found)


@cache
def setups() -> Mapping[str, Any]:
    """Return what `use` refers to, by name."""
    return dict(read(FOLDER / _SETUPS))


def faults() -> Iterator[str]:
    """Yield what is wrong with the form of the files, each as a sentence."""
    seen: set[str] = set()
    for behaviour in behaviours():
        entry, name = behaviour.data, f"{behaviour.group}: {behaviour.data.get('id')}"
        if unknown := set(entry) - {"id", "says", "page", "steps", "ministack"}:
            yield f"{name} has {sorted(unknown)}, which nobody reads."
        if missing := {"id", "says", "page", "steps"} - set(entry):
            yield f"{name} has no {sorted(missing)}."
            continue
        if not _ID.fullmatch(behaviour.id) or len(behaviour.id) > _LONGEST_ID:
            yield f"{name}: an id has small letters, digits and single hyphens, and at most {_LONGEST_ID} characters."
        if behaviour.id in seen:
            yield f"{name}: the id is there twice."
        seen.add(behaviour.id)
        if not str(entry["page"]).startswith(DOCUMENTATION):
            yield f"{name}: its page is not of {DOCUMENTATION}."
        if not re.fullmatch(r"\S.*\.", str(entry["says"])):
            yield f"{name}: what it says is not one sentence with a full stop."
        if not _claims(entry["steps"]):
            yield f"{name} expects nothing."
        yield from (f"{name}: {fault}" for fault in _wrong_steps(entry["steps"]))


def _claims(steps: list[Any]) -> bool:
    return any(
        step.get("expect")
        or "error" in step
        or "check" in step
        or "until" in step
        or _claims(step.get("eventually", []))
        for step in steps
    )


_WORDS = {
    "call": {"with", "also", "as", "in", "unchecked", "expect", "error", "save"},
    "check": set(),
    "use": {"given"},
    "deploy": {"source", "with", "role", "policy", "save"},
    "collect": {"until", "save", "tries"},
    "eventually": {"tries"},
    "advance": set(),
    "turn": set(),
}


def _wrong_steps(steps: list[Any]) -> Iterator[str]:
    for step in steps:
        kind = next((kind for kind in STEPS if kind in step), None)
        if kind is None:
            yield f"there is no step with {sorted(step)}."
        elif unknown := set(step) - _WORDS[kind] - {kind}:
            yield f"a step '{kind}' has no {sorted(unknown)}."
        elif kind == "use" and step["use"] not in setups():
            yield f"there is no setup '{step['use']}'."
        elif kind == "eventually":
            yield from _wrong_steps(step["eventually"])
