"""The small course, released once for all tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.autograder.small_course import GOOD, hand_in, release


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small course, released, with nothing handed in. Not to be changed."""
    folder = tmp_path_factory.mktemp("small")
    release(folder)
    return folder


@pytest.fixture
def empty_course(released: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    course = tmp_path / "course"
    shutil.copytree(released, course)
    return course


@pytest.fixture
def course_folder(empty_course: Path) -> Path:
    """A copy of it with two students."""
    hand_in(empty_course, "ana", GOOD, timestamp="2026-01-10 10:00:00 UTC")
    hand_in(empty_course, "ken", {})
    return empty_course
