"""The local cloud in either language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import bentocola
from bentocola.cloud.cloud import Cloud


@pytest.fixture(params=["es", "ja"])
def cloud(request: pytest.FixtureRequest) -> Iterator[Cloud]:
    """A running cloud of each edition."""
    running = bentocola.start(request.param)
    yield running
    running.stop()


@pytest.fixture
def one_cloud() -> Iterator[Cloud]:
    """A running cloud, where the language makes no difference."""
    running = bentocola.start("es")
    yield running
    running.stop()
