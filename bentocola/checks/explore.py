"""Tries an answer under many schedules of a scenario, and tells the shortest story under which it fails.

The same seed gives the same schedules and the same story: in a notebook, in grading, in a browser. No threads, no time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from bentocola.checks import clients, diagnosis, guard, pure, seeds
from bentocola.checks.facts import Facts
from bentocola.checks.finding import Finding
from bentocola.checks.invariants import Breach, first_broken
from bentocola.checks.notyet import FrameError
from bentocola.checks.observed import observed
from bentocola.checks.scenarios import SCENARIOS, TRIES, Scenario
from bentocola.checks.schedule import Schedule, find_shortest
from bentocola.checks.stage import Stage
from bentocola.checks.telling import tell
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.trace import TraceData
from bentocola.messages import LANGUAGES

__all__ = ["Broken", "explore", "search"]

_FLOOD = (
    "Your code printed more than {kept} characters in one call, and the rest was left out here. That costs no points."
)


class Broken:
    """The shortest schedule that breaks an answer, what broke, and the facts (None for a pure function)."""

    def __init__(self, schedule: Schedule, breach: Breach, facts: Facts | None, trace: TraceData | None) -> None:
        self.schedule = schedule
        self.breach = breach
        self.facts = facts
        self.trace = trace


def explore(cloud: Cloud, scenario: str, function: Callable[..., Any], *, answer: str, secret: bool = False) -> Finding:
    """Try `function`, the answer of that name, and return what showed. NotImplementedError goes through.

    `secret`: with the course's secret seed and more schedules. Raises FrameError for a scenario that does not exist.
    """
    if scenario not in SCENARIOS:
        raise FrameError(f'There is no scenario {scenario!r}: a scenario has its test cell\'s id, without "test-".')
    seed = seeds.seed_of(scenario, secret)
    with guard.floods() as cut:
        broken, cases = search(cloud, SCENARIOS[scenario], function, seed=seed, secret=secret)
    notes = (cloud.say(_FLOOD, kept=guard.MOST_PRINTED),) if cut else ()
    if broken is None:
        return Finding("passed", cases, seed, notes=notes)
    told = diagnosis.diagnose(broken.breach, broken.facts)
    in_words = {
        language: (
            observed(language, broken.breach, broken.facts, answer),
            tell(language, broken.breach, broken.facts),
        )
        for language in LANGUAGES
    }
    saw, story = in_words.pop(cloud.edition)
    return Finding(
        kind=told.kind,
        cases=cases,
        seed=seed,
        misconception=told.misconception,
        observed=saw,
        story=story,
        trace=_marked(broken),
        also=in_words,
        notes=notes,
    )


def _marked(broken: Broken) -> TraceData | None:
    """The trace, with the step at which it broke."""
    if broken.trace is None:
        return None
    # Steps that are not the stage's own were cut from it: those that are left have other numbers.
    kept = [step["n"] for step in broken.facts.steps] if broken.facts else []
    blame = [broken.breach.n] if len(kept) == len(broken.trace["steps"]) and broken.breach.n in kept else []
    return {**broken.trace, "verdict": {"rule": broken.breach.name, "ok": False, "blame": blame}}


def search(
    cloud: Cloud,
    scenario: Scenario,
    function: Callable[..., Any],
    *,
    seed: int,
    secret: bool,
    tries: int | None = None,
    shrink: bool = True,
) -> tuple[Broken | None, int]:
    """Return what breaks the answer, if anything, and how many schedules were tried.

    `secret`: the orders are made up from the seed; else they are the edition's own. `shrink`: look for the shortest one.
    """
    if tries is None:
        tries = TRIES["secret" if secret else "browser" if sys.platform == "emscripten" else "visible"]
    orders = scenario.orders(cloud.names, seed if secret else None)
    if scenario.world == "pure":
        schedule, cases = find_shortest(
            scenario.space,
            lambda schedule: pure.play(orders, schedule, function),
            seed=seed,
            tries=tries,
            first=scenario.first,
            shrink=shrink,
        )
        breach = pure.play(orders, schedule, function) if schedule else None
        return (Broken(schedule, breach, None, None) if schedule and breach else None), cases
    with Stage(cloud, orders.key) as stage, clients.kept():
        world = scenario.make(stage, orders, function)
        seen: dict[Schedule, tuple[Breach, Facts]] = {}

        def breaks(schedule: Schedule) -> bool:
            facts = world.play(schedule)
            breach = first_broken(facts, scenario.invariants)
            if breach is not None:
                seen[schedule] = breach, facts
            return breach is not None

        schedule, cases = find_shortest(
            scenario.space, breaks, seed=seed, tries=tries, first=scenario.first, shrink=shrink
        )
        if schedule is None:
            return None, cases
        facts = world.play(schedule, tell=True)
        breach = first_broken(facts, scenario.invariants)
    if breach is None:
        # An answer that remembers fares otherwise each time: what was seen is told, and cannot be replayed.
        return Broken(schedule, *seen[schedule], None), cases
    return Broken(schedule, breach, facts, world.data), cases
