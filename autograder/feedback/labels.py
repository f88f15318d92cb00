"""The fixed words of a feedback page, in one language. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from autograder.feedback.sheet import Item, Sheet, Verdict
from autograder.feedback.text import clean
from autograder.voice import Say

__all__ = ["Labels"]

# In Japan a tick means a mistake: there a circle stands for what is right.
_SYMBOLS: dict[str, dict[Verdict, str]] = {
    "es": {"full": "✓", "part": "◐", "none": "✗", "blank": "–", "zero": "✗", "waiting": "…"},
    "ja": {"full": "○", "part": "△", "none": "×", "blank": "–", "zero": "×", "waiting": "…"},
}


@dataclass(frozen=True)
class Labels:
    """What the template says, by name."""

    language: str
    say: Say

    @cached_property
    def texts(self) -> dict[str, str]:
        """What is said without any value, by the template's names."""
        say = self.say
        return {
            "title": say("Feedback on your work"),
            "skip": say("To the content"),
            "language": say("Language"),
            "points": say("Your points"),
            "refused": say("Your file could not be graded."),
            "teacher_sees": say("Your teacher sees the same reason."),
            "begin": say("Where to begin:"),
            "all_holds": say("All that was tested holds."),
            "by_part": say("Points by part"),
            "part": say("Part of the assignment"),
            "so_far": say("Points so far"),
            "whole": say("The whole notebook"),
            "before": say("Before you go on"),
            "mended": say("Mended in your file"),
            "repairs_free": say("Your file was graded after these repairs. They cost no points."),
            "limits": say("Limits"),
            "cell": say("cell"),
            "cells": say("cells"),
            "your_code": say("Your code"),
            "empty": say("This cell is empty."),
            "comment": say("Your teacher's comment:"),
            "by_hand": say("Your teacher gave these points by hand."),
            "as_given": say("The cell is as you were given it."),
            "test": say("The test as it stands in your notebook"),
            "graded": say("Graded:"),
            "number": say("Number of this result, if you want to ask about it:"),
            "happened": say("What happened:"),
            "story": say("The shortest story that shows it:"),
            "works": say("How it works: {fact}", fact="").strip(),
            "next": say("Try now: {experiment}", experiment="").strip(),
        }

    def symbol(self, verdict: Verdict) -> str:
        """Return the sign of a verdict. It stands beside its words, never alone."""
        return _SYMBOLS[self.language][verdict]

    def verdict(self, verdict: Verdict) -> str:
        """Return a verdict in words."""
        match verdict:
            case "full":
                return self.say("all of it holds")
            case "part":
                return self.say("a part of it holds")
            case "none":
                return self.say("not yet")
            case "blank":
                return self.say("blank")
            case "zero":
                return self.say("no points")
            case "waiting":
                return self.say("still to be graded")

    def points(self, earned: float | None, possible: float) -> str:
        """Return points of points."""
        if earned is None:
            if _is_one(possible):
                return self.say("… of 1 point")
            return self.say("… of {possible} points", possible=number(possible))
        if _is_one(possible):
            return self.say("{earned} of 1 point", earned=number(earned))
        return self.say("{earned} of {possible} points", earned=number(earned), possible=number(possible))

    def waiting(self, points: float) -> str:
        """Return how many points a person has still to give."""
        if _is_one(points):
            return self.say("1 point is still to be graded: your teacher gives it.")
        return self.say("{points} points are still to be graded: your teacher gives them.", points=number(points))

    def penalty(self, points: float) -> str:
        """Return what was taken off for coming late."""
        if _is_one(points):
            return self.say("Handed in late: 1 point less.")
        return self.say("Handed in late: {points} points less.", points=number(points))

    def item(self, item: Item) -> str:
        """Return the heading of a graded cell."""
        if item.kind == "manual":
            return self.say("Your answer")
        if item.kind == "task":
            return self.say("Your work on the task")
        if item.count == 1:
            return self.say("The test")
        return self.say("Test {number} of {count}", number=item.number, count=item.count)

    def cut(self, missing: int) -> str:
        """Return that a text was cut."""
        return self.say("Cut here: {count} more characters are in your file.", count=missing)

    def when(self, at: str) -> str:
        """Return a time (UTC, ISO 8601) to the minute."""
        return f"{clean(at)[:16].replace('T', ' ')} UTC"

    def level(self, sheet: Sheet) -> str:
        """Return under which protection it was graded."""
        if sheet.refusal:
            return self.say("Level of protection: {level}. None of your code was run.", level=sheet.level)
        match sheet.level:
            case "A":
                return self.say(
                    "Level of protection: A. The code ran apart, with files, processes and a network of its own."
                )
            case "B":
                return self.say("Level of protection: B. The code could open no other files and reach no network.")
            case _:
                return self.say("Level of protection: {level}. The code ran with few limits.", level=sheet.level)


def number(points: float) -> str:
    """Return points without zeros that say nothing."""
    return f"{round(points, 2):g}"


def _is_one(points: float) -> bool:
    return number(points) == "1"
