"""A student's folder as `make lab` makes it, in a home of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.repository import ROOT
from tools import student_copies

__all__ = ["make_home"]


def make_home(home: Path) -> Path:
    """Make the student's copies in an empty home, and return the folder of the course. JupyterLab there draws every cell."""
    for folder in ("lessons", "assignments"):
        generated = shutil.ignore_patterns("release", "submitted", "autograded", "gradebook.db")
        shutil.copytree(ROOT / folder, home / folder, ignore=generated)
    list(student_copies.make(home))
    # Also those out of view: what stands under each is what these tests read.
    tracker = home / ".config/lab/user-settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    tracker.parent.mkdir(parents=True)
    tracker.write_text('{"windowingMode": "none"}')
    return home / "course"
