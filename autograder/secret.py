"""The course's secret, from which the graded schedules are drawn: where it is kept, and whether there is one.

It may set one environment variable of this process. The secret itself goes to the examiner alone, when the rooms are started
already (see `nursery`): it is in no job, record, log or page.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from autograder.sheet import Paper
from autograder.voice import Say

__all__ = ["FILE", "VARIABLE", "adopt", "current", "fingerprint", "is_public", "is_wanted", "warning"]

FILE = "secret.txt"
"""In the course's folder, beside nbgrader_config.py, and in no repository."""
VARIABLE = "BENTOCOLA_SECRET"
_PUBLIC = ("", "bentocola")
_LONGEST = 1000
_WANTS = "secret=True"
"""How a test asks for graded schedules."""
_adopted: str | None = None


def adopt(path: Path) -> None:
    """Put the secret of a file into the environment, unless the environment has one. A file that is not there is none.

    Raises OSError for one that cannot be read.
    """
    global _adopted
    if os.environ.get(VARIABLE) not in (None, "", _adopted):
        return
    _adopted = path.read_text(encoding="utf-8")[:_LONGEST].strip() if path.is_file() else None
    if _adopted:
        os.environ[VARIABLE] = _adopted
    else:
        os.environ.pop(VARIABLE, None)


def current() -> str:
    """Return the secret, or "" where there is none."""
    return os.environ.get(VARIABLE, "").strip()


def is_public() -> bool:
    """Whether anybody can draw the graded schedules too."""
    return current() in _PUBLIC


def is_wanted(paper: Paper) -> bool:
    """Whether a test of the assignment asks for graded schedules."""
    return any(_WANTS in cell.text for sheet in paper.notebooks for cell in sheet.cells if cell.role == "test")


def fingerprint() -> str:
    """Return what tells two secrets apart, and tells nothing of either: what was graded under another one is graded again."""
    return hashlib.sha256(f"fingerprint of a course's secret\0{current()}".encode("utf-8", "replace")).hexdigest()


def warning(say: Say, root: Path) -> str:
    """Return that there is no secret, and how to make one. `root`: the course's folder."""
    return say(
        "This course has no secret of its own, so its graded schedules are the public ones: a student can try them beforehand. "
        "Make one with: {command}",
        command=f'python -c "import secrets; print(secrets.token_hex(16))" > {root / FILE}',
    )
