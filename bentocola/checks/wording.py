"""How the values of a story stand in a sentence: shortened, as code, with the story's names instead of ids. Pure text."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bentocola.checks.facts import Facts
from bentocola.messages import translate

__all__ = ["Words"]

_short = reprlib.Repr()
_short.maxlist = _short.maxdict = _short.maxtuple = _short.maxset = 12
_short.maxstring = _short.maxother = 160
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory: another place each time."""
_HANDLE = re.compile(r"AQEB[\w+/=.…-]{20,}")
"""A receipt handle: another one each time."""
_OF_AWS = re.compile(
    r"\w+: An error occurred \((\w+)\) when calling the \w+ operation(?: \(reached max retries: \d+\))?: "
)
"""What botocore puts before the words of AWS."""
_KEYS = ("id", "customer", "order_id")
"""The attributes that make the key of an item."""


class Words:
    """Writes values for one story. `facts`: None where no message was sent and no item stored."""

    def __init__(self, language: str, facts: Facts | None) -> None:
        self.language = language
        self._names = {sent.id: sent.message for sent in facts.sent if sent.id} if facts else {}

    def say(self, message: str, /, **values: object) -> str:
        """Return a catalogue message in the story's language."""
        return translate(self.language, message, **values)

    def shown(self, value: object) -> str:
        """Return a value as code: its `repr`, shortened, and m1 where the id of that message stood."""
        return self.code(self._named(_ADDRESS.sub("", _short.repr(self._renamed(value)))))

    def code(self, text: object) -> str:
        """Return text as code, in one line."""
        line = " ".join(str(text).replace("`", "'").split())
        return f"`{line}`" if line else "`''`"

    def key(self, key: str) -> str:
        """Return the key of an item as code."""
        return self.code(self._named(key))

    def cut(self, text: str, most: int = 160) -> str:
        """Return text as code, cut in the middle where it is too long."""
        half = (most - 1) // 2
        return self.code(text if len(text) <= most else f"{text[:half]}…{text[-half:]}")

    def error(self, error: str | Exception) -> str:
        """Return an exception as code: class and message; of AWS's errors the code and what AWS said."""
        told = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        told = _OF_AWS.sub(r"\1: ", " ".join(told.split()))
        return self.cut(self._named(_ADDRESS.sub("", told)))

    def several(self, names: Iterable[str]) -> str:
        """Return names as an enumeration."""
        *most, last = list(names) or ["–"]
        if not most:
            return last
        if len(most) == 1:
            return self.say("{first} and {last}", first=most[0], last=last)
        return self.say("{first}, and {last}", first=self.say(", ").join(most), last=last)

    def joined(self, *sentences: str) -> str:
        """Return sentences as one text."""
        return ("" if self.language == "ja" else " ").join(sentences)

    def keys(self, keys: Iterable[str]) -> str:
        """Return the keys of items as an enumeration of code."""
        return self.several(self.key(key) for key in keys)

    def changes(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """Return what differs between two items: attribute, the value in the one, the value in the other."""
        colon = self.say(": ")
        names = [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]
        return self.say(", ").join(
            f"{self.code(name)}{colon}{self._part(before, after, name)} → {self._part(after, before, name)}"
            for name in names
        )

    def fields(self, item: Mapping[str, Any]) -> str:
        """Return what an item holds besides its key."""
        names = [name for name in item if name not in _KEYS]
        return self.say(", ").join(f"{self.code(name)}{self.say(': ')}{self._part(item, {}, name)}" for name in names)

    def _part(self, item: Mapping[str, Any], other: Mapping[str, Any], name: str) -> str:
        """A value of an item: text without quotation marks, unless it stands beside a number."""
        if name not in item:
            return "–"
        is_text = isinstance(item[name], str) and isinstance(other.get(name, ""), str)
        return self.cut(self._named(item[name]), 60) if is_text else self.shown(item[name])

    def _renamed(self, value: object) -> object:
        """Return plain data with the story's names in it, so that an id is not cut before it is known."""
        if type(value) is str:
            return self._names.get(value, value)
        if type(value) is list or type(value) is tuple:
            parts: Sequence[object] = [self._renamed(part) for part in value]
            return parts if type(value) is list else tuple(parts)
        if type(value) is dict:
            return {name: self._renamed(part) for name, part in value.items()}
        return value

    def _named(self, text: str) -> str:
        for id_, name in self._names.items():
            text = text.replace(id_, name).replace(f"'{name}'", name)
        return _HANDLE.sub("AQEB…", text)
