"""The trace: what happened, as plain JSON that knows no language. Everything that shows or judges a run reads this.

The form is `bentocola.trace/1`, described for other programs in `trace.schema.json` (`json_schema()`). A trace holds no secret:
keys and signatures never reach it. `Trace` keeps the steps; the sentences are written by `story.py`. Who draws a trace while it
grows follows it: `follow` gives a `Feed` of what is new, and `wait` waits for it.
"""

from __future__ import annotations

import json
import secrets
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal, NotRequired, TypedDict, cast

from bentocola.cloud.clock import Clock

__all__ = ["SCHEMA", "Actor", "Decision", "Feed", "Kind", "Run", "Step", "Trace", "TraceData", "Wire", "json_schema"]

SCHEMA = "bentocola.trace/1"
STEPS_IN_MEMORY = 10_000
"""How many of the latest steps stay in memory; older ones go to a temporary file."""
GONE_IN_STATE = 10_000
"""How many of the latest messages that were deleted or have expired stay in the state."""
_LINES_BETWEEN_MARKS = 1000


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
    masked: NotRequired[int]
    """How often a secret stood in the log. The trace has *** there."""


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


class Feed(TypedDict):
    """What is new in a trace for who follows it."""

    schema: str
    story: str
    initial: NotRequired[dict[str, Any]]
    """Only where the steps are those from the beginning: the state before the first."""
    actors: list[Actor]
    now_ms: int
    """The present on the time scale of the steps."""
    at: str
    """The present, in ISO 8601 and UTC."""
    live: bool
    """Whether time goes on by itself."""
    steps: list[Step]
    more: bool
    """Whether there are more steps than these."""


class Trace:
    """The steps since the start, or since the last `clear`.

    Printing it tells them as a numbered list, in the edition's language. The latest `STEPS_IN_MEMORY` at least are in memory;
    `steps`, `data` and iterating give all of them. Who reads while others act gets the trace as it was at one moment.
    """

    def __init__(
        self,
        tell: Callable[[TraceData], list[str]],
        actors: list[Actor],
        clock: Clock,
        lock: threading.RLock | None = None,
    ) -> None:
        """`lock`: held by whoever writes. Reading and clearing take it."""
        self._tell = tell
        self._clock = clock
        self._lock = lock or threading.RLock()
        self._grown = threading.Condition(self._lock)
        self._waiting = 0
        self._actors = list(actors)
        self.story = _new_story()
        """Another one for each beginning, in whatever cloud."""
        self.has_ended = False
        """Whether the cloud is no more: there is nothing to wait for."""
        self._latest: list[Step] = []
        self._spilled = 0
        self._file: IO[bytes] | None = None
        self._marks: list[int] = []
        self._followed = 0
        self._initial: dict[str, Any] = {}
        self._state: dict[str, Any] = {}
        self._gone: deque[str] = deque()
        self._missed: dict[str, Any] = {}
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

    def deliveries(self, message_id: str) -> int:
        """Return how often the message was delivered."""
        return self._deliveries.get(message_id, 0)

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
        for path, _, new in step["set"]:
            if new is None:
                self._state.pop(path, None)
            else:
                self._state[path] = new
        self._latest.append(step)
        if len(self._latest) >= 2 * STEPS_IN_MEMORY:
            self._spill()
        if self._waiting:
            self._grown.notify_all()

    def _spill(self) -> None:
        """Move the older half of the steps to the file, a line each."""
        if self._file is None:
            # Open as long as the trace is; it has no name, and is gone with it.
            self._file = tempfile.TemporaryFile("w+b", prefix="bentocola-")  # noqa: SIM115
        self._file.seek(0, 2)
        for number, step in enumerate(self._latest[:STEPS_IN_MEMORY], start=self._spilled):
            if number % _LINES_BETWEEN_MARKS == 0:
                self._marks.append(self._file.tell())
            self._file.write(json.dumps(step).encode() + b"\n")
        del self._latest[:STEPS_IN_MEMORY]
        self._spilled += STEPS_IN_MEMORY

    def merge_clock_steps(self) -> None:
        """Make one of the last two steps when both moved the clock: a long poll waits second by second.

        One that somebody has followed stays as it is.
        """
        if len(self._latest) > 1 and self._latest[-2]["kind"] == self._latest[-1]["kind"] == "clock":
            earlier, later = self._latest[-2:]
            if earlier["n"] <= self._followed:
                return
            olds = {path: old for path, old, _ in (*later["set"], *earlier["set"])}
            news = {path: new for path, _, new in (*earlier["set"], *later["set"])}
            # A new step: the earlier one may be in somebody's hands already.
            moved = [(path, old, news[path]) for path, old in olds.items()]
            self._latest[-2:] = [{**earlier, "t": later["t"], "set": moved}]

    # The state

    def state(self, path: str) -> Any:
        """Return what the last step left under `path`, or None."""
        return self._state.get(path)

    def paths(self, *prefixes: str) -> list[str]:
        """Return the paths of the state that begin in one of these ways."""
        return [path for path in self._state if path.startswith(prefixes)]

    def is_gone(self, path: str) -> list[tuple[str, Any, Any]]:
        """Remember that a message is deleted. Return a change that forgets one that is so for long, if there are many."""
        self._gone.append(path)
        if len(self._gone) <= GONE_IN_STATE:
            return []
        oldest = self._gone.popleft()
        held = self._state.get(oldest)
        return [(oldest, held, None)] if held and oldest != path and held["state"] in ("deleted", "expired") else []

    def missed(self) -> dict[str, Any]:
        """Return what another trace told meanwhile, for the next step to take up."""
        missed, self._missed = self._missed, {}
        return missed

    def begun(self, messages: dict[str, dict[str, Any]]) -> Trace:
        """Return a trace that begins with the present state, and with names of its own for messages.

        `messages`: what those that there are, by their ids, are in the state.
        """
        new = Trace(self._tell, self._actors, self._clock, self._lock)
        state = {**self._state, **self._missed}
        new._state = {path: value for path, value in state.items() if value is not None and not _is_message(path)}
        new._deliveries = dict(self._deliveries)
        for message_id, value in messages.items():
            new._state[f"message/{new.short_id(message_id)}"] = value
        new._initial = dict(new._state)
        return new

    def resume(self, other: Trace) -> None:
        """Go on after another trace that was begun with this one's state: the next step takes up where that one ended."""
        # What the other one took up itself and had no step for yet counts as well.
        led_to = {**other._state, **other._missed}
        paths = (path for path in {**self._state, **self._missed, **led_to} if not _is_message(path))
        now = {path: led_to.get(path) for path in paths}
        for message_id, short in other._short.items():
            if message_id in self._short:
                now[f"message/{self._short[message_id]}"] = led_to.get(f"message/{short}")
        self._missed = {path: value for path, value in now.items() if value != self._state.get(path)}
        self._deliveries = other._deliveries

    def clear(self) -> None:
        """Begin a new story: no steps, and messages named from m1 again. What the old steps led to stays as its first state."""
        with self._lock:
            self.story = _new_story()
            self._latest.clear()
            self._spilled = self._followed = 0
            self._marks.clear()
            if self._file is not None:
                self._file.truncate(0)
            self._short.clear()
            self._sent.clear()
            self._gone.clear()
            state = {**self._state, **self.missed()}
            self._state = {path: value for path, value in state.items() if value is not None and not _is_message(path)}
            self._initial = dict(self._state)
            self._grown.notify_all()

    # Reading

    def last(self, kind: Kind, message: str | None = None) -> Step | None:
        """Return the latest step of a kind, of those in memory; of one message, where it is named."""
        return next(
            (
                step
                for step in reversed(self._latest)
                if step["kind"] == kind and message in (None, step.get("ids", {}).get("msg"))
            ),
            None,
        )

    def since(self, n: int) -> Iterator[Step]:
        """Yield the steps after number `n`, oldest first, as they are when the first is asked for."""
        # All at once: who asks may be about to let more happen, and others may act meanwhile.
        with self._lock:
            lines, latest = self._between(n, len(self))
        yield from map(_step_of, lines)
        yield from latest

    def _between(self, n: int, last: int) -> tuple[list[bytes], list[Step]]:
        """The steps after number `n`, up to number `last`: those in the file as its lines, and those in memory."""
        lines: list[bytes] = []
        if n < self._spilled and self._file is not None:
            mark, rest = divmod(n, _LINES_BETWEEN_MARKS)
            self._file.seek(self._marks[mark])
            lines = list(islice(self._file, rest, rest + min(last, self._spilled) - n))
        return lines, self._latest[max(0, n - self._spilled) : max(0, last - self._spilled)]

    def follow(self, story: str, since: int, limit: int = 1000) -> Feed:
        """Return what is new after step `since` of a story, at most `limit` steps; all from the beginning for another story.

        The steps are the trace's own: to be read, or to be sent.
        """
        with self._lock:
            is_new = story != self.story
            first = 0 if is_new else min(max(0, since), len(self))
            last = min(first + limit, len(self))
            lines, latest = self._between(first, last)
            self._followed = max(self._followed, last)
            now = self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
            feed: Feed = {
                "schema": SCHEMA,
                "story": self.story,
                "actors": list(self._actors),
                "now_ms": self._clock.elapsed_ms(),
                "at": now,
                "live": not self._clock.stands_still,
                "steps": latest,
                "more": last < len(self),
            }
            if is_new:
                feed["initial"] = dict(self._initial)
        feed["steps"] = [*map(_step_of, lines), *latest]
        return feed

    def wait(self, story: str, since: int, timeout: float) -> None:
        """Wait until there is something to follow after that step, until the cloud ends, or for `timeout` seconds."""
        with self._grown:
            self._waiting += 1
            try:
                self._grown.wait_for(
                    lambda: self.has_ended or story != self.story or since < len(self),
                    min(timeout, threading.TIMEOUT_MAX),
                )
            finally:
                self._waiting -= 1

    def end(self) -> None:
        """Let nobody wait any longer."""
        with self._lock:
            self.has_ended = True
            self._grown.notify_all()

    @property
    def steps(self) -> list[Step]:
        """The steps so far, oldest first."""
        return list(self.since(0))

    def data(
        self,
        trace_id: str = "session",
        mode: Literal["lesson", "counterexample", "session"] = "session",
        since: int = 0,
    ) -> TraceData:
        """Return the trace as plain JSON, which what happens later does not change; of the steps, those after number `since`."""
        with self._lock:
            lines, latest = self._between(min(since, len(self)), len(self))
            actors, initial = list(self._actors), dict(self._initial)
        data = {
            "schema": SCHEMA,
            "id": trace_id,
            "mode": mode,
            "fault": None,
            "predict": None,
            "actors": actors,
            "initial": initial,
            "steps": [*map(_step_of, lines), *latest],
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


def _new_story() -> str:
    return secrets.token_hex(4)


def _is_message(path: str) -> bool:
    return path.startswith("message/")


def _step_of(line: bytes) -> Step:
    return cast("Step", json.loads(line))
