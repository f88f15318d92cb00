"""A room's working folder: files that the invigilator sends are put there, and nowhere else."""

from __future__ import annotations

import importlib
import os
from pathlib import PurePosixPath
from typing import Any

__all__ = ["put_file"]


def put_file(head: Any, body: bytes) -> dict[str, Any]:
    """Put a file into the working folder. `head["path"]`: relative, with "/". Raises ValueError for any other path."""
    path = PurePosixPath(head["path"])
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"Expected a path inside the working folder, got {head['path']!r}.")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(body)
    # A folder's time may be the same before and after, and then a module in it would not be found.
    importlib.invalidate_caches()
    return {}
