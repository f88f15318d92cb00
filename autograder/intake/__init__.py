"""Intake: a student's folder becomes, notebook by notebook, something to grade, its tests restored, or a refusal with the reason.

Nothing that a student handed in makes it raise, and nothing is changed or removed in the folder. What a student's notebook says
of itself (ids, settings, file names) helps to find things, and is believed nowhere else.
"""

from __future__ import annotations

from autograder.intake.extras import Extra, extra_files
from autograder.intake.files import Refused, read_regular
from autograder.intake.notes import MESSAGES, REFUSALS, TAMPERING
from autograder.intake.taking import Taken, take_in

__all__ = [
    "MESSAGES",
    "REFUSALS",
    "TAMPERING",
    "Extra",
    "Refused",
    "Taken",
    "extra_files",
    "read_regular",
    "take_in",
]
