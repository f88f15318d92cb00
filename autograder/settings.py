"""What a course's nbgrader_config.py may set for us: `c.AutograderApp.…`. Data only."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from traitlets import Bool, Dict, Enum, Integer, Unicode
from traitlets.config import Configurable

from autograder.records import Limits
from autograder.voice import Stop

__all__ = ["AutograderApp"]

_OPTIONS = {"workers": "--workers", "pages": "--pages", "speak": "--language"}
"""The settings that have an option of another name than their own."""


class AutograderApp(Configurable):
    """The settings of one course. Its name is the section's: `c.AutograderApp.language = "es"`."""

    language = Enum(("", "es", "ja"), "", help="The course's edition: what its students read.").tag(config=True)
    speak = Enum(("", "es", "ja"), "", help="What a teacher reads. Empty: the edition's, else the locale's.").tag(
        config=True
    )
    accept_unjailed = Bool(False, help="Grade though this machine cannot jail the students' code.").tag(config=True)
    force = Bool(False, help="Grade again what has been graded and has not changed.").tag(config=True)
    workers = Integer(0, help="Submissions at the same time. 0: one for each processor.").tag(config=True)
    student = Unicode("", help="Whom to grade: globs with commas between. Empty: CourseDirectory.student_id.").tag(
        config=True
    )
    pages = Enum(("both", "es", "ja"), "both", help="The language of the pages that students get back.").tag(
        config=True
    )
    limits = Dict(help="Limits of a submission, by the names in autograder.records.Limits.").tag(config=True)

    @staticmethod
    def require_valid(said: Mapping[str, Any], *, on_the_line: bool) -> None:
        """Raise Stop for a value that a setting does not take. `on_the_line`: an option's, else the configuration's."""
        for name, value in said.items():
            trait = AutograderApp.class_traits().get(name)
            shown = _OPTIONS.get(name, f"--AutograderApp.{name}") if on_the_line else f"c.AutograderApp.{name}"
            if isinstance(trait, Enum) and str(value) not in (trait.values or ()):
                raise _not_one_of(shown, value, [each for each in trait.values or () if each])
            if isinstance(trait, Integer) and not _is_count(value, least=1 if on_the_line else 0):
                raise _no_count(shown, value, least=1 if on_the_line else 0)

    def how_many(self) -> int:
        """Return how many submissions to run at the same time."""
        if self.workers > 0:
            return int(self.workers)
        able = getattr(os, "sched_getaffinity", None)  # what this process may use, where the system tells
        return len(able(0)) if able else os.cpu_count() or 1

    def limits_for(self, config: Any) -> Limits:
        """Return the limits: ours where they are set, else what nbgrader's configuration says of the same thing."""
        known = {field.name: field.type for field in dataclasses.fields(Limits)}
        unknown = sorted(set(self.limits) - set(known))
        if unknown:
            raise Stop(
                lambda say: say(
                    "c.AutograderApp.limits has {unknown}, which is no limit. There are: {known}.",
                    unknown=", ".join(unknown),
                    known=", ".join(known),
                ),
                code=2,
            )
        asked: dict[str, Any] = _of_nbgrader(config) | dict(self.limits)
        for name, value in asked.items():
            if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
                raise _no_limit(name, value)
        limits = dataclasses.replace(Limits(), **asked)
        if limits.cell_seconds > limits.submission_seconds:
            limits = dataclasses.replace(limits, submission_seconds=limits.cell_seconds * 2)
        return limits


def _is_count(value: object, *, least: int) -> bool:
    try:
        return int(str(value)) >= least
    except ValueError:
        return False


def _not_one_of(name: str, value: object, there: list[str]) -> Stop:
    return Stop(
        lambda say: say(
            "{name} is {value}; expected one of these: {there}.", name=name, value=value, there=", ".join(there)
        ),
        code=2,
    )


def _no_count(name: str, value: object, *, least: int) -> Stop:
    return Stop(
        lambda say: say(
            "{name} is {value}; expected a whole number, {least} or more.", name=name, value=value, least=least
        ),
        code=2,
    )


def _no_limit(name: str, value: object) -> Stop:
    return Stop(
        lambda say: say(
            "c.AutograderApp.limits: {name} is {value}; expected a number above 0.", name=name, value=value
        ),
        code=2,
    )


def _of_nbgrader(config: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for section in ("NotebookClient", "ExecutePreprocessor", "Execute"):
        seconds = config[section].get("timeout") if section in config else None
        if isinstance(seconds, int | float):
            # nbgrader's -1 is "no limit": then the submission's own is the one.
            found["cell_seconds"] = seconds if seconds > 0 else Limits().submission_seconds
    lines = config["LimitOutput"].get("max_lines") if "LimitOutput" in config else None
    if isinstance(lines, int) and lines > 0:
        found["output_lines"] = lines
    return found
