"""The labs of the course: a folder of data and checks each, and what runs them.

`open_lab` is what a notebook imports. The engine is in the modules beside this one; it knows no lab by name.
"""

from __future__ import annotations

from typing import Any

__all__ = ["open_lab"]


def __getattr__(name: str) -> Any:
    """The server, too, imports from this package, and has no use for what a notebook needs."""
    if name != "open_lab":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bentocola.labs.notebook import open_lab

    return open_lab
