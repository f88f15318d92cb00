"""The course itself: both editions of every lesson and assignment agree."""

from __future__ import annotations

from pathlib import Path

from tools.parity.check import check
from tools.parity.notebooks import find_twins

ROOT = Path(__file__).resolve().parents[2]


def test_there_are_lessons_and_assignments() -> None:
    """A check that finds nothing to compare proves nothing."""
    kinds = {twins.kind for twins in find_twins(ROOT)}

    assert "lesson" in kinds, "no lessons found"
    assert "assignment" in kinds, "no assignments found"


def test_both_editions_agree() -> None:
    """`python -m tools.parity check` has nothing to say."""
    messages = [str(finding) for finding in check(ROOT)]

    assert not messages, "\n\n".join(["The editions differ:", *messages])
