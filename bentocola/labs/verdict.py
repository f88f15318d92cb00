"""What a check comes to, and how a check is asked: at each moment that could be the one that proves it.

What was once proven stays so: a check that holds at any moment of the history holds after the clean-up too. In a sentence a
command stands on lines of its own, which begin with `INDENT`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History
from bentocola.labs.wrapping import wrapped

__all__ = ["INDENT", "Checks", "Disproven", "Missing", "Say", "Verdict", "check", "cleanup_check"]

INDENT = "    "
"""What a line with a command begins with; no other line does."""

Say = Callable[..., str]
"""Words a message of the catalogue in the student's language."""

_MOMENTS = 100
"""How many of the latest moments are looked at: a lab has a dozen, and a session that goes on and on should not take longer."""


class Verdict(NamedTuple):
    """What is proven, as sentences, the first thing that is missing, and what is worth a remark where it holds."""

    holds: bool
    proven: list[str]
    missing: list[str]
    remarks: list[str]
    is_final: bool = True
    """Whether an earlier moment makes no difference."""

    def told(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"holds": self.holds, "proven": self.proven, "missing": self.missing, "remarks": self.remarks}


class Missing(Exception):
    """The first thing that a check misses, as a sentence for the student."""


class Disproven(Missing):
    """What happened speaks against a step, also where an earlier moment would prove it."""


class Checks(Protocol):
    """What a lab's module `checks` offers. Each function yields what is proven, and raises Missing for what is not."""

    def step(self, lab: Lab, history: History, say: Say, number: int) -> Iterator[str]:
        """Look for what a step must show."""
        ...

    def cleanup(self, lab: Lab, history: History, say: Say) -> Iterator[str]:
        """Look for what the clean-up must show."""
        ...

    def remarks(self, lab: Lab, history: History, say: Say, number: int | None) -> Iterator[str]:
        """Yield what is worth knowing of a step that holds, or of the clean-up. It reads the whole history."""
        ...


def _checks_of(lab: Lab) -> Checks:
    """Return a lab's checks."""
    module: Any = importlib.import_module(f"bentocola.labs.{lab.name.replace('-', '_')}.checks")
    return module  # type: ignore[no-any-return]


def check(lab: Lab, history: History, say: Say, number: int | None = None) -> Verdict:
    """Check one step, or all of them up to the first that does not hold."""
    checks, say = _checks_of(lab), _with_commands_apart(say)
    proven: list[str] = []
    remarks: list[str] = []
    for step in range(1, len(lab.steps) + 1) if number is None else [number]:

        def ask(moment: History, step: int = step) -> Verdict:
            return _gather(checks.step(lab, moment, say, step))

        verdict = ask(history)
        if not verdict.is_final:
            earlier = (ask(moment) for moment in _moments(history))
            verdict = next((found for found in earlier if found.holds), verdict)
        proven += [sentence for sentence in verdict.proven if sentence not in proven]
        if not verdict.holds:
            return Verdict(False, proven, verdict.missing, remarks)
        remarks += [remark for remark in checks.remarks(lab, history, say, step) if remark not in remarks]
    return Verdict(True, proven, [], remarks)


def cleanup_check(lab: Lab, history: History, say: Say) -> Verdict:
    """Check what is there now, and what was there before."""
    checks, say = _checks_of(lab), _with_commands_apart(say)
    verdict = _gather(checks.cleanup(lab, history, say))
    return verdict._replace(remarks=list(checks.remarks(lab, history, say, None))) if verdict.holds else verdict


def _with_commands_apart(speak: Say) -> Say:
    """Return a `say` that puts the value `command`, one command a line, on lines of their own, broken at its options."""

    def say(message: str, /, **values: object) -> str:
        if "command" in values:
            values["command"] = "".join(f"\n{INDENT}{line}" for line in wrapped(str(values["command"])).splitlines())
        return re.sub(r" +(?=\n)", "", speak(message, **values))

    return say


def _gather(found: Iterator[str]) -> Verdict:
    proven: list[str] = []
    try:
        for sentence in found:
            proven.append(sentence)
    except Missing as missing:
        return Verdict(False, proven, [str(missing)], [], is_final=isinstance(missing, Disproven))
    return Verdict(True, proven, [], [])


def _moments(history: History) -> Iterator[History]:
    """Yield the history at its turning points, the latest first: before something changed, and when a queue was empty again."""
    turns = []
    for step in history.steps:
        for path, old, new in step["set"]:
            kind = path.partition("/")[0]
            if kind == "queue" and _waiting(old) and not _waiting(new):
                turns.append(step["n"])
            if old is not None and (new is None or kind in ("mapping", "function")) and kind != "message":
                turns.append(step["n"] - 1)
    for turn in list(dict.fromkeys(reversed(turns)))[:_MOMENTS]:
        yield history.until(turn)


def _waiting(queue: dict[str, Any] | None) -> int:
    return sum(queue[name] for name in ("visible", "in_flight", "delayed")) if queue else 0
