"""Stands for `bentocola.labs` where there is no terminal: it says so, in the lab's language."""

from __future__ import annotations

from typing import NoReturn

from bentocola.errors import CourseError
from bentocola.messages import translate

__all__ = ["open_lab"]


def open_lab(name: str, language: str, **options: object) -> NoReturn:
    """Raise CourseError."""
    said = translate(
        language,
        "**This lab needs a terminal, and a page has none.** You can read it here. To do it, open the course on your computer.",
    )
    raise CourseError(said.replace("*", ""))
