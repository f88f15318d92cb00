"""`autograder feedback ASSIGNMENT`."""

from __future__ import annotations

import sys

from autograder.app import Command
from autograder.voice import Say, put

__all__ = ["Feedback"]

_SHOWN = 12
"""Students named without a page; of more, only the count is said."""


class Feedback(Command):
    """Makes the pages that students get back."""

    name = "feedback"
    usage = "ASSIGNMENT [--course-dir=FOLDER] [--student=NAME]"
    arguments = (1, 1)
    aliases = {
        **Command.aliases,
        "student": "AutograderApp.student",
        "pages": "AutograderApp.pages",
        "db": "CourseDirectory.db_url",
    }

    def described(self, say: Say) -> str:
        """Return what the command does."""
        return say("Makes the pages that students get back, where nbgrader looks for them.")

    def options(self, say: Say) -> dict[str, str]:
        """Return what each option does."""
        return {
            **super().options(say),
            "--student=NAME": say("Only these students: names or globs, with commas between."),
            "--pages=es|ja|both": say("The language of the pages. Without it: both, with a switch."),
        }

    def run(self) -> int:
        """Make them."""
        from autograder.giving_back import give_back, without_result

        course = self.course()
        wanted = self.settings.student or course.directory.student_id
        assignment = self.extra_args[0]
        made = give_back(course, assignment, wanted, self.settings.pages, self.settings.language)
        said = self.say(
            "Pages made: {count}. They are in {folder}", count=len(made), folder=course.directory.feedback_directory
        )
        put(said, sys.stdout)
        if missing := without_result(course, assignment, wanted):
            names = ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "")
            said = self.say(
                "Submissions without a result, and so without a page: {count} ({names}). Grade them first.",
                count=len(missing),
                names=names,
            )
            put(said, sys.stderr)
        return 0
