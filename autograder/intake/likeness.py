"""How alike two cells' texts are. Pure, and quick for any text: a long one is compared by its beginning.

Pairs of neighbouring words are counted, as Dice's coefficient does. `difflib`'s ratio would take half a second for two long texts
of few different words, and a student chooses the words.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

__all__ = ["ALIKE", "likeness", "same_text"]

ALIKE = 0.6
"""From here on, one text is taken for a changed form of the other."""
_WORDS = re.compile(r"\w+|[^\w\s]")
_MOST_WORDS = 400
_MOST_LETTERS = 8000


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same to a reader: white space that an editor adds or removes by itself aside."""
    return one == other or _tidy(one) == _tidy(other)


def likeness(one: str, other: str) -> float:
    """Return from 0 (nothing in common) to 1 (the same)."""
    first, second = _pairs(one), _pairs(other)
    count = first.total() + second.total()
    return 2 * (first & second).total() / count if count else float(same_text(one, other))


@lru_cache(maxsize=4096)
def _pairs(text: str) -> Counter[tuple[str, str]]:
    return Counter(pairwise(("", *_WORDS.findall(text[:_MOST_LETTERS])[:_MOST_WORDS], "")))


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
