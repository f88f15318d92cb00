"""A breach, ready to be put into words: what its sentences are made of, as text. It knows no sentence of its own."""

from __future__ import annotations

from bentocola.checks.facts import Facts
from bentocola.checks.invariants import Breach
from bentocola.checks.wording import Words

__all__ = ["Seen"]


class Seen:
    """A breach, ready to be put into words."""

    def __init__(self, language: str, breach: Breach, facts: Facts | None, answer: str) -> None:
        self.words = Words(language, facts)
        self.say = self.words.say
        self.breach = breach
        self.facts = facts
        self.values = breach.values
        self.answer = self.words.code(answer)

    @property
    def msg(self) -> str:
        """The message that it is about."""
        return self.breach.sent.message if self.breach.sent else "–"

    @property
    def key(self) -> str:
        """The key of the item that it is about."""
        write, sent = self.breach.write, self.breach.sent
        orders = [*sent.orders] if sent else []
        return self.words.key(self.values.get("key") or (write and write.key) or (orders or ["–"])[0])

    @property
    def got(self) -> str:
        """What was returned."""
        return self.words.shown(self.values.get("got"))

    @property
    def error(self) -> str:
        """What was raised, or AWS's error."""
        return self.words.error(str(self.values.get("error") or "–"))

    @property
    def is_consumed(self) -> bool:
        """Whether the answer is a consumer of our own, which hands bodies to `work`: it received, and Lambda did not."""
        handled = any(step["kind"] == "run_start" for step in self.facts.steps) if self.facts else True
        return not handled and bool(self.facts and self.facts.deliveries)

    @property
    def who(self) -> str:
        """Who deleted the message at the breach's step."""
        run = self.breach.run
        by_itself = run is not None and run.first <= self.breach.n <= run.last
        return self.answer if by_itself else self.say("Lambda")

    def type_of(self, value: object) -> str:
        """The type of a value, as code."""
        return self.words.code(type(value).__name__)

    def at_line(self, said: str) -> str:
        """Add the line of the student's own code, where it is known."""
        line = self.values.get("line")
        if not line:
            return said
        number, text = line
        if not text:
            return self.words.joined(said, self.say("It was line {number} of your code.", number=number))
        line_said = self.say("It was line {number} of your code: {line}", number=number, line=self.words.cut(text))
        return self.words.joined(said, line_said)
