"""What a run stops with, once it has begun: sentences for a full disk, a read-only folder, a source that cannot be used."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from autograder.records import Note
from autograder.sheet import PaperError
from autograder.voice import Say, Stop

if TYPE_CHECKING:
    from autograder.course import Course

__all__ = ["disk_full", "not_writable", "nursery_ended", "tells_of_a_full_disk", "unusable"]


def tells_of_a_full_disk(crash: Note) -> bool:
    said = crash.values.get("error", "")
    return any(f"[Errno {number}]" in said or os.strerror(number) in said for number in (errno.ENOSPC, errno.EDQUOT))


def disk_full() -> Stop:
    def sentence(say: Say) -> str:
        return say(
            "The disk is full, so the run has paused. What was graded is saved. Make room and run the same command: it goes on"
            " from there."
        )

    return Stop(sentence)


def nursery_ended(error: Exception) -> Stop:
    return Stop(
        lambda say: say(
            "The process that starts the students' processes has ended ({error}). What was graded is saved. Run the same command,"
            " and if it happens again: autograder doctor",
            error=error,
        )
    )


def not_writable(course: Course, error: Exception) -> Stop:
    path = getattr(error, "filename", None) or course.directory.db_url.removeprefix("sqlite:///")
    reason = getattr(error, "strerror", None) or getattr(error, "orig", error)
    return Stop(
        lambda say: say(
            "{path} cannot be written: {reason}. Make the course folder writable and run again.",
            path=path,
            reason=reason,
        )
    )


def unusable(assignment: str, error: PaperError) -> Stop:
    cause: BaseException | None = error
    while cause is not None:
        if type(cause).__name__ == "SchemaTooNewError":
            return Stop(
                lambda say: say(
                    "The source of {name} was made with a newer nbgrader than is installed here. Install that version.",
                    name=assignment,
                )
            )
        cause = cause.__cause__ or cause.__context__
    return Stop(lambda say: say("The source of {name} cannot be used: {reason}", name=assignment, reason=error))
