"""`autograder preflight ASSIGNMENT`."""

from __future__ import annotations

from autograder.app import Command
from autograder.voice import Say

__all__ = ["Preflight"]


class Preflight(Command):
    """Finds the tests that cannot run apart from the student's code."""

    name = "preflight"
    usage = "ASSIGNMENT [--course-dir=FOLDER]"
    arguments = (1, 1)

    def described(self, say: Say) -> str:
        """Return what the command does."""
        return say("Runs the reference solution both ways before a release, and names the tests that cannot run apart.")

    def run(self) -> int:
        """Run it, and print what it found."""
        from autograder.preflight import run

        return int(run(self.course(), self.extra_args[0], self.say))
