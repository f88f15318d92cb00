"""Tries an answer with the checks of its assignment, in this process: a local cloud, the reference answers, its cells."""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import os
from dataclasses import dataclass
from typing import Any

import boto3

import bentocola
from bentocola.checks import diagnosis
from bentocola.checks.explore import Broken, search
from bentocola.checks.observed import observed
from bentocola.checks.scenarios import SCENARIOS
from bentocola.checks.telling import tell
from bentocola.shop import Shop
from tests.mutants import CELLS, Mutant
from tests.mutants.reference import reference
from tests.notebooks.editions import fill


def namespace(mutant: Mutant, language: str) -> dict[str, Any]:
    """Return what the notebook's cells bind: the set-up's names, the reference answers, and the answer in their place.

    What a cell raises is left out: its function is missing then.
    """
    with contextlib.redirect_stdout(io.StringIO()):
        cloud = bentocola.start(language)
    names: dict[str, Any] = {"json": json, "os": os, "boto3": boto3, "bentocola": bentocola, "cloud": cloud}
    names |= {service: boto3.client(service) for service in ("s3", "sqs", "dynamodb")}
    names["shop"] = Shop(cloud)
    own = dict(mutant.sections)
    for cell, source in {**reference(mutant.assignment, language), **own}.items():
        if cell not in CELLS[mutant.assignment] and cell not in own:
            continue
        text, file = fill(source, language), f"<student {mutant.name} {cell}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, file, "exec"), names)
    return names


def _tried(mutant: Mutant, names: dict[str, Any], scenario: str, seed: int, shrink: bool) -> Broken | str | None:
    cell = next(cell for cell, listed in CELLS[mutant.assignment].items() if scenario in listed)
    function = names.get(cell.replace("-", "_"))
    if function is None:
        return "missing"
    try:
        return search(names["cloud"], SCENARIOS[scenario], function, seed=seed, secret=True, shrink=shrink)[0]
    except NotImplementedError:
        return "blank"


def catch(mutant: Mutant, seed: int, language: str) -> tuple[str | None, int]:
    """Return the first scenario that fails the answer, with its breach, or None; and how many checks were run."""
    names = namespace(mutant, language)
    for n, scenario in enumerate(mutant.scenarios, 1):
        broken = _tried(mutant, names, scenario, seed, shrink=False)
        if broken is not None:
            told = (
                broken if isinstance(broken, str) else f"{broken.breach.name} {broken.schedule} {broken.breach.values}"
            )
            return f"{scenario}: {told}", n
    return None, max(1, len(mutant.scenarios))


@dataclass(frozen=True)
class Story:
    """What a test cell says of an answer. `events`: how many things happen in the shortest schedule."""

    scenario: str
    breach: str
    named: str | None
    events: int


def stories(mutant: Mutant, seed: int, language: str) -> list[Story]:
    """Return what each test cell that fails the answer says, in the notebook's order; of a missing function, the first one."""
    names = namespace(mutant, language)
    told = []
    for scenario in mutant.scenarios:
        broken = _tried(mutant, names, scenario, seed, shrink=True)
        if isinstance(broken, str):
            return [*told, Story(scenario, broken, None, 0)]
        if broken is not None:
            named = diagnosis.diagnose(broken.breach, broken.facts).misconception
            told.append(Story(scenario, broken.breach.name, named, broken.schedule.events))
    return told


def all_told(mutant: Mutant, seed: int, language: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return, of each scenario that fails the answer, what was observed and the story, in the language."""
    names = namespace(mutant, language)
    told = []
    for scenario in mutant.scenarios:
        broken = _tried(mutant, names, scenario, seed, shrink=True)
        if isinstance(broken, Broken):
            said = observed(language, broken.breach, broken.facts, "f"), tell(language, broken.breach, broken.facts)
            told.append((scenario, *said))
    return told
