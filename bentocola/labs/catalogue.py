"""The labs of the course as data: what is given, what is to be shown, what a student begins with.

A lab is a folder here with `lab.toml`, `checks.py` and `starter/`. Nothing here knows a cloud.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from bentocola.cloud.account import ACCOUNT, DEFAULT_REGION
from bentocola.messages import listed, translate

__all__ = ["Lab", "exam_tasks", "labs", "longest_prefix", "messages", "prefix_fault", "read_lab", "title"]

_HERE = Path(__file__).parent
_PREFIX = re.compile(r"[a-z](?:[a-z0-9-]*[a-z0-9])?")
_LONGEST = {"function": 64, "role": 64, "queue": 80, "log_group": 512}
"""Characters that AWS lets a name have."""
_COMMENT = re.compile(r'(?P<before>^ *# |^""")(?P<text>.+?)(?P<after>"""$|$)')


@dataclass(frozen=True)
class Lab:
    """A lab under one prefix."""

    name: str
    prefix: str
    module: str
    title: str
    """A message of the catalogue; so are `steps` and `cleanup`."""
    steps: tuple[str, ...]
    cleanup: str
    names: Mapping[str, str]
    """Of its resources, by what they are to the lab."""
    given: Mapping[str, Any]
    shows: Mapping[str, Any]
    """The values that its checks look for."""
    exams: Mapping[str, str]
    """Task by exam."""
    exams_looked_up: date

    def starter(self, language: str) -> dict[str, str]:
        """Return the files that a student begins with, by name, with comments in their language."""
        return {
            path.name.removesuffix(".txt"): _in_language(path.read_text(encoding="utf-8"), language)
            for path in sorted((_folder(self.name) / "starter").iterdir())
            if path.suffix == ".txt"
        }


def labs() -> list[str]:
    """Return the names of the labs, in the order of the course's modules."""
    found = [path.parent.name.replace("_", "-") for path in _HERE.glob("*/lab.toml")]
    return sorted(found, key=lambda name: str(_read(name)["module"]))


def read_lab(name: str, prefix: str | None = None) -> Lab:
    """Return a lab under a prefix, or under its own. `name` is one of `labs()`."""
    told = _read(name)
    prefix = prefix or str(told["prefix"])
    filled = _filled(told, {"prefix": prefix, "region": DEFAULT_REGION, "account": ACCOUNT})
    return Lab(
        name=name,
        prefix=prefix,
        module=told["module"],
        title=told["title"],
        steps=tuple(told["steps"]),
        cleanup=told["cleanup"],
        names=filled["names"],
        given=filled["given"],
        shows=told["shows"],
        exams=_exam_topics().get(name, {}),
        exams_looked_up=_exam_topics()["looked_up"],
    )


def title(lab: Lab, say: Callable[..., str]) -> str:
    """Return what a lab is called."""
    return say(lab.title)


def exam_tasks(lab: Lab, say: Callable[..., str]) -> str:
    """Return which exams' tasks a lab practises, and of which day that is."""
    names = _exam_topics()["names"]
    tasks = listed(f"{names[exam]} ({exam}) {task}" for exam, task in lab.exams.items())
    return say("Exam tasks: {tasks} (looked up {day})", tasks=tasks, day=lab.exams_looked_up.isoformat())


def longest_prefix(name: str) -> int:
    """Return how many characters a prefix may have, so that AWS takes each name that begins with it."""
    names = _read(name)["names"]
    return min(_LONGEST[kind] - len(text.format(prefix="")) for kind, text in names.items() if kind in _LONGEST)


def prefix_fault(name: str, prefix: str, language: str) -> str | None:
    """Return what is wrong with a prefix as a sentence, or None."""
    longest = longest_prefix(name)
    if not _PREFIX.fullmatch(prefix):
        return translate(
            language,
            "The prefix begins with a letter and holds small letters, digits and inner hyphens only; it was '{got}'.",
            got=prefix,
        )
    if len(prefix) > longest:
        return translate(
            language,
            "The prefix has {length} characters, and {longest} at the most leave room for the names that AWS allows.",
            length=len(prefix),
            longest=longest,
        )
    return None


def messages() -> set[str]:
    """Return the messages of the catalogue that stand in the labs' data: titles, and the comments of starter files."""
    found: set[str] = set()
    for name in labs():
        told = _read(name)
        found |= {told["title"], told["cleanup"], *told["steps"]}
        for path in (_folder(name) / "starter").glob("*.txt"):
            lines = path.read_text(encoding="utf-8").splitlines()
            found |= {comment["text"] for line in lines if (comment := _COMMENT.match(line))}
    return found


def _in_language(source: str, language: str) -> str:
    said = (
        _COMMENT.sub(lambda found: found["before"] + translate(language, found["text"]) + found["after"], line)
        for line in source.splitlines()
    )
    return "\n".join(said) + "\n"


def _folder(name: str) -> Path:
    return _HERE / name.replace("-", "_")


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_folder(name) / "lab.toml").read_text(encoding="utf-8"))


@cache
def _exam_topics() -> dict[str, Any]:
    return tomllib.loads((_HERE / "exam_topics.toml").read_text(encoding="utf-8"))


def _filled(value: Any, places: Mapping[str, str]) -> Any:
    """The value with the places of its texts filled."""
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: places[found[1]], value)
    if isinstance(value, list):
        return [_filled(one, places) for one in value]
    if isinstance(value, dict):
        return {name: _filled(one, places) for name, one in value.items()}
    return value
