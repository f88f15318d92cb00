"""`autograder explain STUDENT ASSIGNMENT`."""

from __future__ import annotations

from autograder.app import Command
from autograder.voice import Say, voices

__all__ = ["Explain"]


class Explain(Command):
    """Shows what each point of a submission comes from."""

    name = "explain"
    usage = "STUDENT ASSIGNMENT [--course-dir=FOLDER]"
    arguments = (2, 2)
    aliases = {**Command.aliases, "notebook": "CourseDirectory.notebook_id"}

    def described(self, say: Say) -> str:
        """Return what the command does."""
        return say("Shows what each point of a submission comes from: check, place, cause, seed, time, digests.")

    def options(self, say: Say) -> dict[str, str]:
        """Return what each option does."""
        return {
            **super().options(say),
            "--notebook=NAME": say("Only these notebooks of the assignment: a name or a glob."),
        }

    def run(self) -> int:
        """Print the record."""
        from rich.console import Console

        from autograder.explain import explain, given_by_hand, records_of

        student, assignment = self.extra_args
        course = self.course()
        records = records_of(course, assignment, student, self.config.CourseDirectory.get("notebook_id", "*"))
        given = given_by_hand(course, assignment, student)
        console = Console(highlight=False)
        for say in voices(self.say):
            for record in records:
                explain(say, record, console, given.get(record.notebook))
        return 0
