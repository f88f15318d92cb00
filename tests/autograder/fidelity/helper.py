"""A module beside the notebook, as an assignment brings one."""

from __future__ import annotations

LIMIT = 3


def shout(text: str) -> str:
    """Return the text in capitals."""
    return text.upper()


def fail(depth: int) -> None:
    """Raise from a few calls below."""
    if depth:
        fail(depth - 1)
    raise ValueError("from the helper")
