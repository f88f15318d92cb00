"""The feedback page of one notebook: one HTML file that asks nobody for anything and runs no script. It writes no file.

Whatever comes from a student goes through `text`, and the template escapes all else. The page's own policy forbids scripts,
so that even markup that slipped through could not run.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.feedback.filling import sheet_of
from autograder.feedback.labels import Labels
from autograder.feedback.sheet import Grades
from autograder.feedback.text import clean, code, depths, inline
from autograder.records import Record
from autograder.sheet import Paper
from autograder.voice import voice
from bentocola.messages import LANGUAGES

__all__ = ["make"]

_HERE = Path(__file__).parent


def make(
    record: Record,
    notebook: Mapping[str, Any] | None,
    grades: Grades,
    paper: Paper,
    language: str = "both",
) -> str:
    """Return the page as HTML.

    `notebook` is the graded one (None where nothing could be graded), `grades` what the gradebook has for it. `language` is "es",
    "ja", or "both": then the page has a switch, and begins with the course's language. Raises ValueError for another one.
    """
    if language not in (*LANGUAGES, "both"):
        raise ValueError(f"Expected the language {', '.join(LANGUAGES)} or both, got {language!r}.")
    first = paper.language if paper.language in LANGUAGES else LANGUAGES[0]
    languages = sorted(LANGUAGES, key=lambda name: name != first) if language == "both" else [language]
    editions = []
    for name in languages:
        say = voice(name)
        editions.append((sheet_of(record, notebook, grades, paper, name, say), Labels(name, say)))
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            editions=editions,
            style=Markup(style),
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        )
    )


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"inline": inline, "code": code, "depths": depths, "clean": clean}
    return made
