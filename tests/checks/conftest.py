"""The local cloud in either language, and stages in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import bentocola
from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.stage import Stage
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


@pytest.fixture
def stage(one_cloud: Cloud) -> Iterator[Stage]:
    """A stage for jobs."""
    with Stage(one_cloud, Jobs.key) as made:
        yield made


@pytest.fixture
def uploads(one_cloud: Cloud) -> Iterator[Stage]:
    """A stage for uploads."""
    with Stage(one_cloud, Uploads.key) as made:
        yield made
