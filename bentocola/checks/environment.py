"""Sets an environment variable for a while, and sets it back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["variable"]


@contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """While it is open, the environment variable has this value."""
    former = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if former is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = former
