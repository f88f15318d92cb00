"""`bentocola preview`: the course as a static site. What makes it stands in the course's own folder, not in a wheel."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from bentocola.cli.language import CommandError, say

__all__ = ["preview"]


def preview(arguments: Sequence[str]) -> int:
    """Run the command, and return the exit status. Raises CommandError where the course is installed without its folder."""
    try:
        command = importlib.import_module("preview.command")
    except ModuleNotFoundError as error:
        if error.name not in ("preview", "preview.command"):
            raise
        raise CommandError(
            say("The site is made from the course's own folder: clone the course, and run this there.")
        ) from None
    status: int = command.main(arguments)
    return status
