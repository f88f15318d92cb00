"""Other Pythons on this machine, to compare with."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def python_3_12() -> str | None:
    """Return the path of a Python 3.12 that starts, or None."""
    candidates = [shutil.which("python3.12"), *map(str, Path.home().glob(".pyenv/versions/3.12*/bin/python"))]
    for python in filter(None, candidates):
        if subprocess.run([python, "--version"], capture_output=True, check=False).returncode == 0:
            return python
    return None
