"""A page where nbgrader looks for it: `feedback/STUDENT/ASSIGNMENT/NOTEBOOK.html`, in the course's own layout.

`nbgrader release_feedback` reads two more files there, which `nbgrader submit` made: timestamp.txt and submission_secret.txt.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from autograder.course import Course
from autograder.records import Record
from autograder.results import write_whole

__all__ = ["put"]

_OF_THE_EXCHANGE = ("timestamp.txt", "submission_secret.txt")
_LARGEST = 4096
"""Bytes of such a file: what nbgrader writes has a tenth of it."""


def put(course: Course, record: Record, page: str) -> Path:
    """Write the page of a record, with what a release needs beside it, and return its path. Raises OSError as writing does."""
    folder = course.feedback(record.assignment, record.student)
    folder.mkdir(parents=True, exist_ok=True)
    mode = _permissions(course)
    path = folder / f"{record.notebook}.html"
    _write(path, page.encode("utf-8", "replace"), mode)
    handed_in = course.submitted(record.assignment, record.student)
    for name in _OF_THE_EXCHANGE:
        data = _small(course.autograded(record.assignment, record.student) / name) or _small(handed_in / name)
        if data is not None:
            _write(folder / name, data, mode)
    if course.directory.groupshared:
        for shared in (folder, folder.parent):
            with suppress(PermissionError):
                shared.chmod((shared.stat().st_mode | 0o2770) & 0o2777)
    return path


def _permissions(course: Course) -> int:
    """Return the mode that nbgrader's generate_feedback would give the files."""
    asked = course.config.get("GenerateFeedback", {}).get("permissions")
    return int(str(asked), 8) if asked is not None else 0o664 if course.directory.groupshared else 0o644


def _write(path: Path, data: bytes, mode: int) -> None:
    write_whole(path, data, mode=mode)
    path.chmod(mode)  # whatever the umask


def _small(path: Path) -> bytes | None:
    """Return the bytes of a small regular file. A link leads elsewhere, and counts as none."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        return None
    return path.read_bytes()
