"""A process without AWS settings of its own, and a lab in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest

from bentocola.cli.lab_room import Room
from tests.labs.student import Student, open_room


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty home folder, no AWS_* variable, no default session."""
    for name in [name for name in os.environ if name.startswith(("AWS_", "BENTOCOLA_", "JPY_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)


@pytest.fixture
def open_lab(tmp_path: Path) -> Iterator[Callable[..., Student]]:
    """Opens the lab for a student; `language`, `prefix`."""
    rooms: list[Room] = []

    def opened(**options: str) -> Student:
        rooms.append(open_room(tmp_path / "idempotent-consumer", **options))
        return Student(rooms[-1])

    yield opened
    for room in rooms:
        room.stop()


@pytest.fixture
def student(open_lab: Callable[..., Student]) -> Student:
    """A student in the Spanish lab."""
    return open_lab()
