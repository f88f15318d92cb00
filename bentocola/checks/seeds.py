"""From which seed a scenario's schedules are drawn: for everybody's eyes, or from the course's secret.

It reads the environment variable BENTOCOLA_SECRET, and touches nothing else. A seed tells nothing of the secret.
"""

from __future__ import annotations

import hashlib
import os

__all__ = ["VARIABLE", "is_public", "seed_of", "use"]

VARIABLE = "BENTOCOLA_SECRET"
_PUBLIC = "bentocola"
"""What seeds are made from where there is no secret: anybody can make them too."""
_given: str | None = None


def seed_of(scenario: str, secret: bool) -> int:
    """Return the seed of a scenario, from 0 to 2**32 - 1: of the visible check, or, if `secret`, of the graded one.

    The same on every machine. The graded one is as public as the visible one while `is_public`.
    """
    source = _secret() if secret else _PUBLIC
    kind = "graded" if secret else "shown"
    digest = hashlib.sha256("\0".join((source, kind, scenario)).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big")


def is_public() -> bool:
    """Whether the course has no secret, so that the graded schedules can be known beforehand."""
    return _secret() == _PUBLIC


def use(secret: str) -> None:
    """Take this secret, whatever the environment says: for a process whose environment is not to hold it. "": the public one."""
    global _given
    _given = secret.strip() or _PUBLIC


def _secret() -> str:
    return _given if _given is not None else os.environ.get(VARIABLE, "").strip() or _PUBLIC
