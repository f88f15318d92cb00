"""`autograder doctor`."""

from __future__ import annotations

from autograder.app import Command
from autograder.voice import Say, voices

__all__ = ["Doctor"]


class Doctor(Command):
    """Shows which protection this machine gives."""

    name = "doctor"

    def described(self, say: Say) -> str:
        """Return what the command does."""
        return say("Tries out which protection this machine gives, and says what is missing.")

    def run(self) -> int:
        """Print what was found. Status 1 where it is not enough to grade without consent."""
        from autograder import protection
        from autograder.doctor import examine

        found = protection.found()
        print("\n\n".join(examine(say, found) for say in voices(self.say)))
        return 0 if found.level in protection.ENOUGH else 1
