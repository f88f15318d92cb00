"""What stands on a feedback page, in one language, as plain data: the template only lays it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from autograder.feedback.advice import Words
from autograder.feedback.text import Excerpt

__all__ = ["Answer", "Given", "Grades", "Item", "Limit", "Part", "Sheet", "Verdict", "verdict_of"]

Verdict = Literal["full", "part", "none", "blank", "zero", "waiting"]
"""`blank`: nothing was written; `zero`: a person has read it, and gave no points; `none`: a test did not hold."""


@dataclass(frozen=True)
class Given:
    """What the gradebook has for one cell."""

    score: float | None
    """None while it waits for a person."""
    by_hand: bool = False
    comment: str = ""


@dataclass(frozen=True)
class Grades:
    """What the gradebook has for one notebook of one student. Points."""

    cells: Mapping[str, Given] = field(default_factory=dict)
    late_penalty: float = 0.0


@dataclass(frozen=True)
class Item:
    """One graded cell."""

    anchor: str
    cell: str
    kind: Literal["test", "manual", "task"]
    number: int
    count: int
    """The place among the tests of its part, from 1, and how many there are."""
    earned: float | None
    possible: float
    verdict: Verdict
    by_hand: bool
    words: tuple[Words, ...] = ()
    shown: Excerpt | None = None
    """The test, as the student has it in their notebook."""
    text: Excerpt | None = None
    """The student's own text, of an answer that a person reads."""
    is_code: bool = False
    blank: bool = False
    comment: str = ""


@dataclass(frozen=True)
class Answer:
    """The student's code of one cell."""

    cell: str
    text: Excerpt
    comment: str = ""
    kind: Literal["answer"] = "answer"


@dataclass
class Part:
    """A part of the assignment: what stands under one heading, in the notebook's order."""

    anchor: str
    title: str
    entries: list[Answer | Item] = field(default_factory=list)

    @property
    def items(self) -> list[Item]:
        """The graded cells of the part."""
        return [entry for entry in self.entries if isinstance(entry, Item)]

    @property
    def possible(self) -> float:
        """The points of the part."""
        return sum(item.possible for item in self.items)

    @property
    def earned(self) -> float:
        """The points so far."""
        return sum(item.earned or 0 for item in self.items)

    @property
    def waiting(self) -> float:
        """The points that a person has still to give."""
        return sum(item.possible for item in self.items if item.earned is None)

    @property
    def shown_earned(self) -> float | None:
        """The points so far; None while there are none but those that a person will give."""
        return None if self.waiting == self.possible else self.earned

    @property
    def verdict(self) -> Verdict:
        """The part as a whole."""
        kinds = {item.verdict for item in self.items}
        if len(kinds) == 1:
            return kinds.pop()
        if self.waiting:
            return "waiting"
        return verdict_of(self.earned, self.possible)


@dataclass(frozen=True)
class Limit:
    """Cells of one part that were stopped, or cut, for one cause."""

    title: str
    """Of the part, if they stand in one."""
    cells: tuple[tuple[str, str], ...]
    """Each one's id; and where it is a graded cell, of which more is said, that one's anchor, else ""."""
    words: Words


@dataclass(frozen=True)
class Sheet:
    """A page in one language."""

    language: str
    course_language: str
    """Of the headings; "" where it is not known."""
    title: str
    """The assignment's own title, or its name."""
    notebook: str
    student: str
    parts: list[Part]
    repairs: list[str]
    limits: list[Limit]
    refusal: Words | None
    possible: float
    waiting: float
    late_penalty: float
    earned: float
    level: str
    digest: str
    at: str

    @property
    def first_open(self) -> Item | None:
        """The first test that did not give all its points: where to begin."""
        items = (item for part in self.parts for item in part.items)
        return next((item for item in items if item.verdict in ("none", "part", "blank", "zero")), None)


def verdict_of(earned: float | None, possible: float) -> Verdict:
    """Return the verdict of some points; None waits for a person."""
    if earned is None:
        return "waiting"
    if earned >= possible:
        return "full"
    return "part" if earned > 0 else "none"
