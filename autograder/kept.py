"""The built-in functions as they were when this process began. Touches nothing but the names of the module that asks.

The code of a notebook may put something else into `builtins`. A module that has to go on working calls `keep(globals())` before
it defines a function: there Python looks up what a function does not find in its module.
"""

from __future__ import annotations

import builtins
from typing import Any

__all__ = ["keep"]

_BUILTINS: dict[str, Any] = dict(vars(builtins))


def keep(names: dict[str, Any]) -> None:
    """Give the functions that a module defines from here on the built-in names of now."""
    names["__builtins__"] = _BUILTINS
