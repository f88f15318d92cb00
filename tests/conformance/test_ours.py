"""Our cloud holds what AWS documents: each behaviour, in this process, on a clock that nobody waits for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.catalogue import Behaviour, behaviours, setups
from tests.conformance.player import play
from tests.conformance.targets import InProcess, in_process


@pytest.fixture(scope="module")
def ours(no_settings: None) -> Iterator[InProcess]:
    """One cloud for all: a behaviour's names are its own."""
    with in_process() as target:
        yield target


@pytest.mark.parametrize("behaviour", [pytest.param(one, id=one.id) for one in behaviours()])
def test_ours_in_process(behaviour: Behaviour, ours: InProcess) -> None:
    """What the behaviour says, on the page that it names."""
    outcome = play(behaviour.data, setups(), ours)
    assert (outcome.verdict, outcome.why) == ("holds", "")
