"""A process without AWS settings of its own, and the local cloud in it. No test here waits."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import boto3
import pytest

import bentocola
from bentocola.cloud.cloud import Cloud
from tests.cloud.scene import Scene


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty home folder, no AWS_* variable, no default session."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    return tmp_path


@pytest.fixture(autouse=True)
def _nobody_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sleep fails: the clock of the course stands in for it, and no error of the local cloud is worth a second try."""

    def sleep(seconds: float) -> NoReturn:
        raise AssertionError(f"Something slept {seconds} s.")

    monkeypatch.setattr(time, "sleep", sleep)


@pytest.fixture
def cloud(home: Path) -> Iterator[Cloud]:
    """The local cloud of the Spanish edition, running."""
    cloud = bentocola.start("es")
    yield cloud
    cloud.stop()


@pytest.fixture
def scene(cloud: Cloud) -> Scene:
    """A bucket that announces its uploads to a queue, and an orders table, empty; the trace begins after they are made."""
    return Scene(cloud)
