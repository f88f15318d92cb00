"""The course folder, as nbgrader's CourseDirectory and the course's configuration see it. Reads folders; changes nothing."""

from __future__ import annotations

import datetime
import fnmatch
import glob
import os
import re
import stat
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.voice import Stop

if TYPE_CHECKING:
    from nbgrader.coursedir import CourseDirectory

__all__ = ["OURS", "Course"]

OURS = ".autograder"
"""The folder of the course that holds records, prepared assignments and the lock."""
_TIMESTAMP_BYTES = 1000


@dataclass(frozen=True)
class Course:
    """One course. `config` is the whole of its traitlets configuration."""

    directory: CourseDirectory
    config: Any = field(repr=False)

    @cached_property
    def root(self) -> Path:
        """The course's folder, absolute."""
        return Path(self.directory.root)

    @property
    def ours(self) -> Path:
        """Where records are kept."""
        return self.root / OURS

    def source(self, assignment: str) -> Path:
        """The assignment's folder under `source/`."""
        return self._path(self.directory.source_directory, ".", assignment)

    def submitted(self, assignment: str, student: str) -> Path:
        """What a student handed in."""
        return self._path(self.directory.submitted_directory, student, assignment)

    def autograded(self, assignment: str, student: str) -> Path:
        """Where nbgrader and formgrader look for a graded notebook."""
        return self._path(self.directory.autograded_directory, student, assignment)

    def feedback(self, assignment: str, student: str) -> Path:
        """Where nbgrader looks for the pages that a student gets back."""
        return self._path(self.directory.feedback_directory, student, assignment)

    def assignments(self) -> list[str]:
        """The names of the assignments that have a source folder, sorted."""
        return sorted(
            name
            for name in self._matches(self.directory.source_directory, student=".")
            if list(self.source(name).glob("*.ipynb"))
        )

    def require(self, assignment: str) -> None:
        """Raise Stop if there is no such assignment, with the nearest names."""
        there = self.assignments()
        if assignment in there:
            return
        folder = self.source(assignment).parent
        if not there:
            raise Stop(
                lambda say: say(
                    "{folder} holds no assignment: expected a folder per assignment, with a notebook. Check --course-dir.",
                    folder=folder,
                )
            )
        names = ", ".join(get_close_matches(assignment, there, n=3, cutoff=0.4) or there[:5])
        raise Stop(
            lambda say: say("There is no assignment {name}. The nearest: {names}.", name=assignment, names=names)
        )

    def students(self, assignment: str, wanted: str) -> list[str]:
        """The students with a folder under `submitted/`, sorted.

        `wanted` is a glob, or several with commas between. Who stands in `CourseDirectory.student_id_exclude` is left out.
        Raises Stop where nobody is left.
        """
        there = self._matches(self.directory.submitted_directory, assignment=assignment)
        excluded = self.directory.student_id_exclude.split(",") if self.directory.student_id_exclude else []
        globs = [part.strip() for part in wanted.split(",") if part.strip()] or ["*"]
        found = sorted(
            name for name in there if name not in excluded and any(fnmatch.fnmatchcase(name, each) for each in globs)
        )
        if found:
            return found
        folder = self.submitted(assignment, "*")
        if not there:
            raise Stop(
                lambda say: say(
                    "Nobody has handed in {name}: expected a folder like {folder}. Collect the submissions first.",
                    name=assignment,
                    folder=folder,
                )
            )
        nearest = ", ".join(get_close_matches(wanted, there, n=3, cutoff=0.4) or sorted(there)[:5])
        raise Stop(
            lambda say: say(
                "No student {wanted} has handed in {name}. The nearest: {names}.",
                wanted=wanted,
                name=assignment,
                names=nearest,
            )
        )

    def timestamp(self, folder: Path) -> datetime.datetime | None:
        """When it was handed in (UTC, without zone), by the folder's timestamp.txt; None without one that can be read."""
        from nbgrader.utils import parse_utc

        path = folder / "timestamp.txt"
        try:
            with open(
                os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)), "rb"
            ) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return None
                text = file.read(_TIMESTAMP_BYTES).decode().strip()
            parsed: datetime.datetime | None = parse_utc(text) if text else None
        except (OSError, ValueError, OverflowError):
            return None
        return parsed

    def is_ignored(self, name: str) -> bool:
        """Whether nbgrader leaves files or folders of this name behind when it copies (`CourseDirectory.ignore`)."""
        return any(fnmatch.fnmatchcase(name, each) for each in self.directory.ignore)

    def kept_as_submitted(self, assignment: str) -> tuple[str, ...]:
        """Files that the source does not overwrite (`Autograde.exclude_overwriting`)."""
        section = self.config.get("Autograde", {})
        return tuple(dict(section.get("exclude_overwriting", {})).get(assignment, ()))

    def _path(self, step: str, student: str, assignment: str) -> Path:
        return Path(os.path.normpath(self.directory.format_path(step, student, assignment)))

    def _matches(self, step: str, *, student: str = "*", assignment: str = "*") -> list[str]:
        """The names that stand in the place of the one that is "*", for folders that there are."""
        asked = "student_id" if student == "*" else "assignment_id"
        names = {"student_id": student, "assignment_id": assignment}
        globs = {key: "*" if key == asked else glob.escape(name) for key, name in names.items()}
        wanted = {key: f"(?P<{key}>[^/]+)" if key == asked else re.escape(name) for key, name in names.items()}
        structure = Path(self.directory.directory_structure)
        pattern = os.path.join(
            glob.escape(str(self.root)), str(structure).format(nbgrader_step=glob.escape(step), **globs)
        )
        parts = [part.format(nbgrader_step=re.escape(step), **wanted) for part in structure.parts]
        expected = re.compile("/".join(part for part in parts if part != re.escape(".")))
        found = set()
        for path in glob.glob(os.path.normpath(pattern)):
            matched = expected.fullmatch(Path(os.path.relpath(path, self.root)).as_posix())
            if os.path.isdir(path) and matched and not matched.group(asked).startswith("."):
                found.add(matched.group(asked))
        return sorted(found)
