"""The trace: what happened, as plain JSON that knows no language. Everything that shows or judges a run reads this.

The form is `bentocola.trace/1`, described for other programs in `trace.schema.json` (`json_schema()`). A trace holds no secret:
keys and signatures never reach it. `Trace` keeps the steps; the sentences are written by `story.py`.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal, NotRequired, TypedDict, cast

__all__ = ["Actor", "Decision", "Kind", "Run", "Step", "Trace", "TraceData", "Wire", "json_schema"]

SCHEMA = "bentocola.trace/1"
STEPS_IN_MEMORY = 10_000
"""How many of the latest steps stay in memory; older ones go to a temporary file."""


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a whole trace."""
    return dict(json.loads(Path(__file__).with_name("trace.schema.json").read_text(encoding="utf-8")))


Kind = Literal[
    "call",
    "event",
    "message",
    "deliver",
    "run_start",
    "write",
    "run_end",
    "fault",
    "timeout",
    "delete",
    "dead",
    "resource",
    "clock",
]


class Actor(TypedDict):
    """Who takes part: `id` is what a step's `from` and `to` name."""

    id: str
    service: str
    name: str
    dlq: NotRequired[bool]
    """Whether it is a dead-letter queue; of actors that a lesson draws."""


class Wire(TypedDict):
    """The exact text that crosses. `mark`: [start, end, reason] with offsets in UTF-16 units."""

    text: str
    mark: list[tuple[int, int, str]]


class Decision(TypedDict):
    """What DynamoDB made of one write. `before` and `after` are the whole item as plain JSON, or None where there is none."""

    table: str
    op: str
    condition: str | None
    key: str
    result: Literal["accepted", "refused"]
    error: NotRequired[str]
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Run(TypedDict):
    """One run of a function's handler. `died`: its process ended before it could answer (a time limit, an exit, a fault)."""

    id: str
    function: NotRequired[str]
    result: NotRequired[Literal["ok", "error", "died"]]
    duration_ms: NotRequired[float]
    log: list[str]


# `from` is a keyword, so this one is written in the functional form.
Step = TypedDict(
    "Step",
    {
        "n": int,
        "t": int,  # milliseconds on the course's clock since its start
        "kind": Kind,
        "from": str,
        "to": str,
        "api": NotRequired[str],  # "sqs:SendMessage"
        "error": NotRequired[str],  # the error code of a call that failed
        "name": NotRequired[str],  # of the resource that a call is about: a bucket and key, a queue, a table
        "ids": NotRequired[dict[str, Any]],  # msg, delivery, run, item
        "cause": NotRequired[int],  # n of the step that led to this one
        "fault": NotRequired[str],
        "wire": NotRequired[Wire],
        "decision": NotRequired[Decision],
        "run": NotRequired[Run],
        "set": list[tuple[str, Any, Any]],  # [path, old, new]: the old value is kept, so that stepping back is exact
    },
)


class TraceData(TypedDict):
    """A whole trace, as it is saved, sent and drawn."""

    schema: str
    id: str
    mode: Literal["lesson", "counterexample", "session"]
    fault: dict[str, Any] | None
    predict: dict[str, Any] | None
    actors: list[Actor]
    initial: dict[str, Any]
    steps: list[Step]
    verdict: dict[str, Any] | None


class Trace:
    """The steps since the start, or since the last `clear`.

    Printing it tells them as a numbered list, in the edition's language. The latest `STEPS_IN_MEMORY` at least are in memory;
    `steps`, `data` and iterating give all of them. Who reads while others act gets the trace as it was at one moment.
    """

    def __init__(
        self, tell: Callable[[TraceData], list[str]], actors: list[Actor], lock: threading.RLock | None = None
    ) -> None:
        """`lock`: held by whoever writes. Reading and clearing take it."""
        self._tell = tell
        self._lock = lock or threading.RLock()
        self._actors = list(actors)
        self._latest: list[Step] = []
        self._spilled = 0
        self._file: IO[str] | None = None
        self._initial: dict[str, Any] = {}
        self._state: dict[str, Any] = {}
        self._short: dict[str, str] = {}
        self._deliveries: dict[str, int] = {}
        self._sent: dict[str, int] = {}

    def short_id(self, message_id: str) -> str:
        """Return this trace's name for an SQS message: m1, m2, … in the order in which they are first seen."""
        return self._short.setdefault(message_id, f"m{len(self._short) + 1}")

    def names(self, message_id: str) -> bool:
        """Whether this trace has told of the message."""
        return message_id in self._short

    def delivered(self, message_id: str) -> int:
        """Count one more delivery of the message and return how many that makes."""
        self._deliveries[message_id] = self._deliveries.get(message_id, 0) + 1
        return self._deliveries[message_id]

    def sent(self, message_id: str) -> None:
        """Remember that the latest step is the one in which this message came to be."""
        self._sent[message_id] = len(self)

    def sent_by(self, message_id: str) -> int | None:
        """Return the number of the step in which the message came to be, or None where this trace does not tell of it."""
        return self._sent.get(message_id)

    def takes_part(self, actor: Actor) -> None:
        """Add an actor that is not among those who always take part."""
        if actor not in self._actors:
            self._actors.append(actor)

    def append(self, step: Step) -> None:
        """Keep a step, under the next number; its `set` moves the state on."""
        step["n"] = len(self) + 1
        for path, old, new in step["set"]:
            self._initial.setdefault(path, old)
            self._state[path] = new
        self._latest.append(step)
        if len(self._latest) >= 2 * STEPS_IN_MEMORY:
            self._spill()

    def _spill(self) -> None:
        """Move the older half of the steps to the file, a line each."""
        if self._file is None:
            # Open as long as the trace is; it has no name, and is gone with it.
            self._file = tempfile.TemporaryFile("w+", encoding="utf-8", prefix="bentocola-")  # noqa: SIM115
        self._file.seek(0, 2)
        self._file.writelines(json.dumps(step) + "\n" for step in self._latest[:STEPS_IN_MEMORY])
        del self._latest[:STEPS_IN_MEMORY]
        self._spilled += STEPS_IN_MEMORY

    def merge_clock_steps(self) -> None:
        """Make one of the last two steps when both moved the clock: a long poll waits second by second."""
        if len(self._latest) > 1 and self._latest[-2]["kind"] == self._latest[-1]["kind"] == "clock":
            earlier, later = self._latest[-2:]
            olds = {path: old for path, old, _ in (*later["set"], *earlier["set"])}
            news = {path: new for path, _, new in (*earlier["set"], *later["set"])}
            # A new step: the earlier one may be in somebody's hands already.
            moved = [(path, old, news[path]) for path, old in olds.items()]
            self._latest[-2:] = [{**earlier, "t": later["t"], "set": moved}]

    def state(self, path: str) -> Any:
        """Return what the last step left under `path`, or None."""
        return self._state.get(path)

    def clear(self) -> None:
        """Begin a new story: no steps, and messages named from m1 again. What the old steps led to stays as its first state."""
        with self._lock:
            self._latest.clear()
            self._spilled = 0
            if self._file is not None:
                self._file.truncate(0)
            self._short.clear()
            self._sent.clear()
            self._initial = dict(self._state)

    def last(self, kind: Kind) -> Step | None:
        """Return the latest step of a kind, of those in memory."""
        return next((step for step in reversed(self._latest) if step["kind"] == kind), None)

    def since(self, n: int) -> Iterator[Step]:
        """Yield the steps after number `n`, oldest first, as they are when the first is asked for."""
        lines: list[str] = []
        # All at once: who asks may be about to let more happen, and others may act meanwhile.
        with self._lock:
            if n < self._spilled and self._file is not None:
                self._file.seek(0)
                lines = list(islice(self._file, n, self._spilled))
            latest = self._latest[max(0, n - self._spilled) :]
        yield from (cast("Step", json.loads(line)) for line in lines)
        yield from latest

    @property
    def steps(self) -> list[Step]:
        """The steps so far, oldest first."""
        return list(self.since(0))

    def data(
        self, trace_id: str = "session", mode: Literal["lesson", "counterexample", "session"] = "session"
    ) -> TraceData:
        """Return the trace as plain JSON, which what happens later does not change."""
        with self._lock:
            data = {
                "schema": SCHEMA,
                "id": trace_id,
                "mode": mode,
                "fault": None,
                "predict": None,
                "actors": list(self._actors),
                "initial": dict(self._initial),
                "steps": self.steps,
                "verdict": None,
            }
        return cast("TraceData", json.loads(json.dumps(data)))

    def __len__(self) -> int:
        return self._spilled + len(self._latest)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __str__(self) -> str:
        return "\n".join(self._tell(self.data()))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))
