"""The same behaviours elsewhere: our cloud over HTTP, and moto as it comes, which must fail enough of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.catalogue import behaviours
from tests.conformance.player import Outcome

ROOT = Path(__file__).parents[2]
ASKED = 60
"""How many behaviours moto must fail at the least; else they ask for what any mock does."""


def played_apart(target: str) -> dict[str, Outcome]:
    """Play all behaviours on a target in a process of its own."""
    command = [sys.executable, "-m", "tests.conformance", "--json", "--target", target]
    answer = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, timeout=900)
    return {name: Outcome(**outcome) for name, outcome in json.loads(answer.stdout).items()}


@pytest.mark.slow
def test_moto_fails_enough() -> None:
    """For the right reason: an expectation that was not met, and not a mock that broke, or a clock that it does not have."""
    outcomes = played_apart("moto")
    assert set(outcomes) == {behaviour.id for behaviour in behaviours()}
    assert sum(outcome.verdict == "fails" for outcome in outcomes.values()) >= ASKED


@pytest.mark.slow
def test_ours_over_http() -> None:
    """Behind `bentocola serve`, in real time that can be moved forward, ours holds all of them as well."""
    outcomes = played_apart("http")
    assert {name: one.why for name, one in outcomes.items() if one.verdict != "holds"} == {}
