"""A process without AWS settings of its own, and local clouds that end with the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import boto3
import pytest

import bentocola
from bentocola.views.viewed import ViewedCloud


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No AWS_* variable, no default session, and no name of a table."""
    for name in [name for name in os.environ if name.startswith("AWS_") or name == "TABLE_NAME"]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)


@pytest.fixture
def start() -> Iterator[Callable[..., ViewedCloud]]:
    """Start a local cloud in place of the one before, as a notebook does."""
    started: list[ViewedCloud] = []

    def begin(edition: str = "es", *, live: bool = False) -> ViewedCloud:
        started.append(bentocola.start(edition, live=live))
        return started[-1]

    yield begin
    for cloud in started:
        cloud.stop()


@pytest.fixture
def cloud(start: Callable[..., ViewedCloud]) -> ViewedCloud:
    """The Spanish edition's cloud, whose time stands still."""
    return start()
