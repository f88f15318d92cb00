"""The parts that a story of a schedule is made of, and which of them are told together. Data; it reads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bentocola.cloud.trace import Step

__all__ = ["Called", "Deletion", "Delivery", "Ended", "Happening", "Stored", "Throttle", "Worked", "together"]


@dataclass(frozen=True)
class Delivery:
    """Messages that come together. `to`: "lambda" or "you"; `again`: all of them came before; `seconds`: since the last one."""

    to: str
    messages: tuple[str, ...]
    again: bool
    seconds: float


@dataclass(frozen=True)
class Deletion:
    """Messages that are deleted together. `who`: in words."""

    who: str
    messages: tuple[str, ...]


@dataclass(frozen=True)
class Throttle:
    """A call that is refused as one too many, so many times in a row."""

    step: Step
    count: int = 1


@dataclass(frozen=True)
class Called:
    """The test calls the function with one item."""

    sentence: str
    key: str
    plain: bool
    """Whether the item's key says all that is worth saying of it."""


@dataclass(frozen=True)
class Stored:
    """Items that are new in the table. `who`: in words; `keys`: as code."""

    who: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """The function is over. `fine`: without an error, and it names no failure; `got`: what it returned, as code.

    `silent`: to Lambda it said no more than that it is over: with what it returned, or with nothing.
    """

    sentence: str
    fine: bool = False
    got: str = ""
    silent: Literal["", "value", "nothing"] = ""


@dataclass(frozen=True)
class Worked:
    """What a consumer calls has stored an order. The sentence."""

    sentence: str


Happening = Delivery | Deletion | Throttle | Called | Stored | Worked | Ended | str
"""What is a text is a sentence already."""


def together(former: Happening, later: Happening) -> Happening | None:
    """Return two things in a row as one, where they belong together."""
    match former, later:
        case Delivery(), Delivery() if not later.seconds:
            again = former.again and later.again
            return Delivery(former.to, (*former.messages, *later.messages), again, former.seconds)
        case Deletion(), Deletion() if former.who == later.who:
            return Deletion(former.who, (*former.messages, *later.messages))
        case Stored(), Stored() if former.who == later.who:
            return Stored(former.who, (*former.keys, *later.keys))
        case Throttle(), Throttle() if former.step["api"] == later.step["api"]:
            return Throttle(former.step, former.count + 1)
    return None
