"""Imports nbformat and nbclient without a grammar that nothing here needs. For speed alone: it is a second of every start.

`jsonschema` builds a parser of international web addresses (`rfc3987_syntax`) as soon as it is imported, for two formats that no
schema of a notebook names. While `light` is open, jsonschema finds that package missing, which it allows for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["light"]

_GRAMMAR = "rfc3987_syntax"


@contextmanager
def light() -> Iterator[None]:
    """While it is open, imports of jsonschema (by nbformat, by nbclient) leave the grammar out; none that came before."""
    if _GRAMMAR in sys.modules or "jsonschema" in sys.modules:
        yield
        return
    sys.modules[_GRAMMAR] = None  # type: ignore[assignment]  # Python's own sign for "not to be imported"
    try:
        yield
    finally:
        del sys.modules[_GRAMMAR]
