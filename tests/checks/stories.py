"""Plays small wrong answers, written in a test, until one breaks; and gives what broke and what is said of it."""

from __future__ import annotations

import linecache
from dataclasses import replace
from types import FunctionType
from typing import Any

from bentocola.checks.explore import Broken, search
from bentocola.checks.scenarios import SCENARIOS
from bentocola.checks.schedule import Job, Schedule, Slip
from bentocola.cloud.cloud import Cloud

__all__ = ["ORDER", "broken", "function"]

ORDER = Job("order")
WRITE = "dynamodb:[PUT]*"


def function(source: str) -> Any:
    """Return the function that `source` defines last, as a student's: with lines that a traceback can show."""
    name = f"<student {abs(hash(source))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(source, name, "exec"), names)
    return [value for value in names.values() if isinstance(value, FunctionType)][-1]


def broken(
    cloud: Cloud, scenario: str, source: str, *jobs: Job, slips: tuple[Slip, ...] = (), batch: int = 10
) -> Broken:
    """Return how an answer breaks in a scenario: under a schedule of these jobs, if there are some, else under the first one."""
    played = SCENARIOS[scenario]
    if jobs:
        played = replace(played, first=(Schedule(jobs, slips, batch),))
    found, _ = search(cloud, played, function(source), seed=1, secret=False, tries=5, shrink=False)
    assert found is not None, "the answer holds"
    return found
