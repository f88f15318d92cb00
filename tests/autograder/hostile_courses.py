"""The two courses of the hostile fixtures, and what an honest student hands in for them.

`bench`: the bench course's assignment, plain nbgrader with `mock_aws`. `avisos`: one of ours, in Spanish, on the local cloud,
with a question for each way in which a value, an exception or a call can cross between examiner and candidate.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from traitlets.config import PyFileConfigLoader

from autograder import paper as papers
from autograder.sheet import Paper

__all__ = ["COURSES", "Course", "reference_notebook"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Course:
    """A course of the fixtures: one assignment with one notebook."""

    name: str
    folder: Path
    assignment: str
    notebook: str
    hidden: tuple[str, ...]
    """Texts that stand in hidden tests only."""
    wrong: Mapping[str, str] = field(default_factory=dict)
    """By answer cell: wrong answers, for a submission that tries to get points without work."""
    wrong_points: Mapping[str, float] = field(default_factory=dict)

    @property
    def source(self) -> Path:
        """The assignment's source folder."""
        return self.folder / "source" / self.assignment

    def settings(self) -> Any:
        """Return the course's traitlets Config."""
        return PyFileConfigLoader(str(self.folder / "nbgrader_config.py")).load_config()  # type: ignore[no-untyped-call]

    def paper(self) -> Paper:
        """Return the prepared assignment."""
        return _paper(self.name)


_WRONG = {
    "sol1": "def event_to_messages(event):\n    return []",
    "sol2": (
        "def send(messages):\n"
        "    entries = [{'Id': str(n), 'MessageBody': body} for n, body in enumerate(messages[:10])]\n"
        "    sqs.send_message_batch(QueueUrl=QUEUE, Entries=entries)"
    ),
    "sol3": (
        "def handler(event, context=None):\n"
        "    for record in event['Records']:\n"
        "        TABLE.put_item(Item=json.loads(record['body']))\n"
        "    return {'stored': len(event['Records'])}"
    ),
}
COURSES = {
    "bench": Course(
        "bench",
        HERE / "bench_course",
        "ps1",
        "pipeline",
        ("SECRETO-1", "SECRETO-3"),
        _WRONG,
        {"test1": 0, "test2": 1, "test3": 0},
    ),
    "avisos": Course(
        "avisos",
        HERE / "hostile_course",
        "t1",
        "avisos",
        tuple(f"CANARIO-OCULTO-{n}" for n in range(1, 9)),
    ),
}


@cache
def _paper(course: str) -> Paper:
    found = COURSES[course]
    return papers.prepare(found.source, assignment=found.assignment, language="es", clear_settings=found.settings())


_MARK = re.compile(r"\s*### (BEGIN|END) SOLUTION")


def reference_notebook(course: Course, answers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the released notebook as JSON, with the reference's answers in it, or with others by grade_id."""
    sheet = course.paper().notebooks[0]
    cells = []
    for place in sheet.layout:
        known = sheet.cell(place.grade_id) if place.grade_id else None
        text, metadata = place.text, {}
        if known is not None:
            metadata = copy.deepcopy(known.metadata)
            if known.role == "answer":
                lines = known.text.split("\n")
                text = "\n".join(line for line in lines if not _MARK.match(line))
                text = (answers or {}).get(known.grade_id, text)
        cell = {"cell_type": place.cell_type, "id": place.cell_id, "metadata": metadata, "source": text}
        if place.cell_type == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell)
    return {"cells": cells, "metadata": copy.deepcopy(sheet.metadata), "nbformat": 4, "nbformat_minor": 5}
