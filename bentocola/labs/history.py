"""A trace as a lab's checks read it: the state after its last step, the runs with what each did, what was sent and refused.

It reads plain JSON in the form of `trace.schema.json`, and knows no lab and no language.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from textwrap import shorten
from typing import Any

__all__ = ["History", "Run"]

Json = dict[str, Any]


@dataclass
class Run:
    """One run of a function."""

    id: str
    function: str
    began: int
    """The number of the step."""
    code: str
    """The digest of the code that it ran."""
    by_hand: bool
    """Whether somebody invoked it, and no mapping."""
    messages: list[str]
    """Its SQS messages, m1, m2, …; with `records`, one each."""
    records: list[Json]
    """What its event holds of each message."""
    ended: int = 0
    result: str = ""
    """"ok", "error" or "died"; empty while it runs."""
    log: list[str] = field(default_factory=list)
    masked: int = 0
    writes: list[Json] = field(default_factory=list)
    """Its write decisions, each with the number of its step as "n"."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Its calls that were refused: operation and error."""

    @property
    def error(self) -> str:
        """The first line of what its log says of the error that ended it, without [ERROR]; empty where there is none.

        Where that line only announces what follows, the message's next lines stand with it, up to 200 characters in all.
        """
        told = next((line for line in self.log if line.startswith("[ERROR]")), "")
        first, *more = told.removeprefix("[ERROR]").strip().splitlines() or [""]
        message = takewhile(lambda line: not line.startswith("Traceback"), more if first.endswith(":") else ())
        return shorten(" ".join([first, *message]), 200, placeholder=" …") if more and first.endswith(":") else first

    def record(self) -> Json:
        """What its event holds of its only message; nothing where it has none, or several."""
        return self.records[0] if len(self.records) == 1 else {}

    def body(self) -> str:
        """The body of its only message; empty where it has none, or several."""
        return str(self.record().get("body", ""))


class History:
    """What happened up to one moment."""

    def __init__(
        self,
        initial: Mapping[str, Any],
        steps: Sequence[Mapping[str, Any]],
        given: Mapping[str, Any],
        whole: History | None = None,
    ) -> None:
        """`given`: the state in which the lab began; `initial`: that in which the trace does, which may have been cleared.

        `whole`: the history up to now, where this is an earlier moment of it.
        """
        self.whole = whole
        self.initial = initial
        self.given = given
        self.steps = steps
        self.state: Json = dict(initial)
        self.runs: list[Run] = []
        self._runs: dict[str, Run] = {}
        for step in steps:
            for path, _, new in step["set"]:
                self.state[path] = new
            self._read(step)

    def _read(self, step: Mapping[str, Any]) -> None:
        ids = step.get("ids", {})
        run = self._runs.get(ids.get("run", ""))
        if step["kind"] == "run_start":
            self._begin(step)
        elif run is None:
            return
        elif step["kind"] == "run_end":
            told = step["run"]
            run.ended, run.result = step["n"], told.get("result", "")
            run.log, run.masked = told["log"], told.get("masked", 0)
        elif step["kind"] == "write":
            run.writes.append({**step["decision"], "n": step["n"]})
        if run is not None and "error" in step:
            run.refused.append((step.get("api", ""), step["error"]))

    def _begin(self, step: Mapping[str, Any]) -> None:
        ids = step["ids"]
        name = step.get("name", "")
        messages = [ids["msg"]] if "msg" in ids else list(ids.get("msgs", ()))
        function = self.state.get(f"function/{name}") or {}
        run = Run(
            ids["run"], name, step["n"], function.get("code", ""), not messages, messages, _records(step, len(messages))
        )
        self.runs.append(run)
        self._runs[run.id] = run

    def until(self, step: int) -> History:
        """Return the history as it was after that step."""
        return History(self.initial, self.steps[:step], self.given, self.whole or self)

    def held(self, kind: str) -> dict[str, Any]:
        """Return what there is of a kind now, by name: queue, message, mapping, function, item, log_group."""
        start = f"{kind}/"
        return {
            path.removeprefix(start): value
            for path, value in self.state.items()
            if path.startswith(start) and value is not None
        }

    def ever(self, kind: str) -> Iterator[tuple[int, str, Any]]:
        """Yield each value that something of a kind took, as step, name and value; None where it went."""
        start = f"{kind}/"
        yield from (
            (0, path.removeprefix(start), value) for path, value in self.initial.items() if path.startswith(start)
        )
        for step in self.steps:
            for path, _, new in step["set"]:
                if path.startswith(start):
                    yield step["n"], path.removeprefix(start), new

    def calls(self, *apis: str) -> list[Mapping[str, Any]]:
        """Return the steps of calls by a person, in the order in which they were made."""
        return [step for step in self.steps if step.get("api") in apis and step["from"] == "you"]


def _records(step: Mapping[str, Any], count: int) -> list[Json]:
    """The records of a run's event; none where it is not of SQS's form, or was too long for the trace."""
    try:
        records = json.loads(step["wire"]["text"])["Records"]
    except (ValueError, KeyError, TypeError):
        return []
    sound = isinstance(records, list) and all(isinstance(record, dict) for record in records)
    return records if sound and (not count or len(records) == count) else []
