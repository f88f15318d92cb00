"""Seeds: the same everywhere, and those of the graded schedules only for who has the course's secret."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bentocola.checks import seeds


@pytest.fixture(autouse=True)
def nothing_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret, neither of the environment nor given."""
    monkeypatch.delenv(seeds.VARIABLE, raising=False)
    monkeypatch.setattr(seeds, "_given", None)


def test_a_shown_check_has_the_same_seed_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """It depends on the scenario alone: on no secret, no process and no machine."""
    before = seeds.seed_of("save-once-repeat", False)
    monkeypatch.setenv(seeds.VARIABLE, "of the course")
    code = "from bentocola.checks.seeds import seed_of; print(seed_of('save-once-repeat', False))"
    elsewhere = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert seeds.seed_of("save-once-repeat", False) == before == int(elsewhere.stdout)
    assert seeds.seed_of("handler", False) != before


def test_a_secret_makes_other_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each secret gives seeds of its own, one a scenario; without one they are public, and the module says so."""
    assert seeds.is_public()
    found = {seeds.seed_of("handler", True)}
    for secret in ("one", "other"):
        monkeypatch.setenv(seeds.VARIABLE, f" {secret}\n")
        assert not seeds.is_public()
        found |= {seeds.seed_of("handler", True), seeds.seed_of("save-once", True)}

    assert len(found) == 5
    assert all(0 <= seed < 2**32 for seed in found)


def test_an_empty_secret_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable with nothing in it hides nothing."""
    monkeypatch.setenv(seeds.VARIABLE, " \n")

    assert seeds.is_public()


def test_a_secret_can_be_given_without_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is given counts before the environment, and gives the same seeds as it would there."""
    monkeypatch.setenv(seeds.VARIABLE, "given")
    expected = seeds.seed_of("handler", True)
    monkeypatch.setenv(seeds.VARIABLE, "other")
    seeds.use("given")

    assert seeds.seed_of("handler", True) == expected
    seeds.use("")
    assert seeds.is_public()
