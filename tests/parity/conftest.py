"""A course of small notebooks, built in a temporary folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parity.building import SmallCourse


@pytest.fixture
def course(tmp_path: Path) -> SmallCourse:
    """An empty course."""
    return SmallCourse(tmp_path)
