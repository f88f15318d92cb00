"""A student's folder under `autograded/`, as stock nbgrader lays it out: graded notebooks, other files, the source's.

It copies regular files of a submission only: a link that a student made leads to whatever it likes.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course
from autograder.records import Job, Limits
from autograder.results import is_disk_full, remove_tree
from autograder.sheet import Paper

__all__ = ["Layout", "fill"]


@dataclass(frozen=True)
class Layout:
    """What an assignment's graded folders have in common."""

    course: Course
    files: tuple[str, ...]
    """Of the source, beside its notebooks."""
    largest: int
    """In bytes, of what a student handed in beside notebooks: what is over it stays under `submitted/` alone."""
    permissions: int
    shared: bool
    """nbgrader's `groupshared`."""

    @classmethod
    def of(cls, course: Course, assignment: str, paper: Paper, limits: Limits) -> Layout:
        """Return the layout that the course's configuration asks for."""
        shared = bool(course.directory.groupshared)
        asked = [
            course.config[section].get("permissions")
            for section in ("Autograde", "BaseConverter")
            if section in course.config and course.config[section].get("permissions") is not None
        ]
        permissions = int(str(asked[0]), 8) if asked else 0o664 if shared else 0o444
        kept = course.kept_as_submitted(assignment)
        return cls(
            course, tuple(name for name in paper.files if name not in kept), limits.disk_bytes, permissions, shared
        )

    def share(self, folder: Path) -> None:
        """Let the group write into a folder and what is in it, where the course is shared."""
        if self.shared:
            for inner, _, _ in os.walk(folder):
                with suppress(PermissionError):
                    os.chmod(inner, (os.stat(inner).st_mode | 0o2770) & 0o2777)


def fill(new: Path, layout: Layout, job: Job, kept: Path | None = None) -> None:
    """Make the folder `new` of a job's results. `kept`: an earlier graded folder, whose other notebooks stay."""
    new.mkdir()
    _copy_handed_in(job.submitted, new, layout)
    for name in layout.files:
        _copy(job.source / name, new / name)
    if kept is not None:
        for path in kept.glob("*.ipynb"):
            if path.stem not in job.notebooks:
                _copy(path, new / path.name)
    for name in job.notebooks:
        with suppress(FileNotFoundError):  # a refused one has none
            os.replace(job.out / f"{name}.ipynb", new / f"{name}.ipynb")
    for inner, _, files in os.walk(new):
        for file in files:
            os.chmod(os.path.join(inner, file), layout.permissions)


def _copy_handed_in(submitted: Path, new: Path, layout: Layout) -> None:
    left = layout.largest
    for inner, folders, files in os.walk(submitted):
        folders[:] = [name for name in folders if not layout.course.is_ignored(name)]
        for name in files:
            path = Path(inner, name)
            if name.endswith(".ipynb") or layout.course.is_ignored(name):
                continue
            try:
                status = os.lstat(path)
                if stat.S_ISREG(status.st_mode) and status.st_size <= left:
                    left -= status.st_size
                    _copy(path, new / path.relative_to(submitted))
            except OSError as error:  # a name too long, a file that may not be read: it stays under submitted/
                if is_disk_full(error):
                    raise


def _copy(path: Path, to: Path) -> None:
    """Copy a regular file. What stands in its way, of a student's making, goes."""
    for there in [folder for folder in to.parents if folder.is_file()]:
        there.unlink()
    if to.is_dir() and not to.is_symlink():
        remove_tree(to)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.unlink(missing_ok=True)
    shutil.copyfile(path, to, follow_symlinks=sys.platform == "win32")
