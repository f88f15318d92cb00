"""The level of protection, for the teacher: asked of the jail, named in words, and required to be enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.voice import Say, Stop

if TYPE_CHECKING:
    from autograder.jail import Protection

__all__ = ["ENOUGH", "found", "in_words", "require"]

ENOUGH = ("A", "B")
"""The levels with which a run needs no consent."""


def found() -> Protection:
    """Return what this machine can give, tried."""
    from autograder.jail import probe

    return probe()


def in_words(say: Say, protection: Protection) -> str:
    """Return the level and what it means, in a sentence."""
    meaning = {
        "A": say("Protection level A: students' code is kept apart by namespaces, Landlock, seccomp and limits."),
        "B": say(
            "Protection level B: students' code is kept apart by Landlock, seccomp and limits, without namespaces."
        ),
        "C": say("Protection level C: limits alone. Students' code can read and change your files."),
        "D": say("Protection level D: none. Students' code can read and change your files."),
    }
    return meaning[protection.level]


def require(protection: Protection, *, accept_unjailed: bool) -> None:
    """Raise Stop below level B, unless the teacher accepts it."""
    if protection.level in ENOUGH or accept_unjailed:
        return
    level = protection.level
    raise Stop(
        lambda say: say(
            "This machine gives protection level {level}: students' code could read and change your files. Grade on Linux,"
            " or accept it with --accept-unjailed (c.AutograderApp.accept_unjailed = True). More: autograder doctor",
            level=level,
        )
    )
