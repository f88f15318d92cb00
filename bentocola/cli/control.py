"""The control door of a served cloud: its time, its trace and its faults, for other programs on this machine.

Requests below `/_bentocola/` come here in place of the services, JSON in and out. A refusal is `{"error": sentence}`, in the
cloud's language. The wire has said by then who may ask. It uses what the cloud offers a notebook, and touches nothing else.
Whoever serves may add rooms of their own.

    GET    /_bentocola/clock          {"now": ISO 8601 in UTC, "elapsed_ms": since the start}
    POST   /_bentocola/clock          {"advance": seconds}; answers like GET
    GET    /_bentocola/trace?since=N  the trace, as `trace.schema.json` describes it; of the steps, those after number N
    DELETE /_bentocola/trace          begins a new story; answers with it
    GET    /_bentocola/steps?story=ID&since=N&wait=SECONDS
                                      a feed (`trace.schema.json`): what is new after step N of a story, all from the beginning
                                      for another story or none. Where nothing is, it waits until something is, up to 25 s
    GET    /_bentocola/faults         {"planned": [Fault, ...], "by_chance": what was last posted with a seed, or null}
    POST   /_bentocola/faults         {"kind": ..., "operation": ..., "on": 1, "times": 1, "by": ..., "seconds": ...}, the kind by
                                      Fault's word or by that of `bentocola fault`, or
                                      {"seed": 7, "chances": {"throttle": 0.1}, "delay_seconds": 30}; answers like GET
    DELETE /_bentocola/faults         forgets what is planned; answers like GET
"""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, get_args
from urllib.parse import parse_qs, urlsplit

from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request, Response
from bentocola.cloud.faults import Kind
from bentocola.cloud.wires.http import CONTROL
from bentocola.errors import CourseError

__all__ = ["FOLLOWERS", "Action", "Control", "Refusal", "Rooms"]

Action = Callable[[Request], Any]
"""Answers a request: with what becomes JSON, or with a `Response` of its own form. A CourseError or a Refusal is told as such."""
Rooms = Mapping[str, Mapping[str, Action]]
"""What is asked for, and how: {"/_bentocola/clock": {"GET": action, …}, …}."""

FOLLOWERS = 32
"""How many requests may wait for steps at a time. One more ends the wait of the oldest, whose page may be long gone."""
_LONGEST_WAIT = 25
_LOOK_SECONDS = 0.1
"""How often whoever waits has the cloud look at what is due: it shows within this time."""

_LONGEST_SECONDS = 10**9
"""As far as the clock can be moved at a time."""

_STRIKING = ("operation", "on", "by")
_TAKES: dict[Kind, tuple[str, ...]] = {
    "throttle": ("operation", "on", "times", "by"),
    "lost_response": _STRIKING,
    "stop_before": _STRIKING,
    "stop_after": _STRIKING,
    "deliver_again": ("on",),
    "reorder": ("on",),
    "delay_event": ("seconds", "on"),
}
"""What can be said of each kind of fault."""
_NEEDED = {"operation", "seconds"}
_BY_CHANCE = ("seed", "chances", "delay_seconds")


class Refusal(Exception):
    """What was asked is not done. The text is for whoever asked."""

    def __init__(self, said: str, status: int = 400, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(said)
        self.status, self.headers = status, headers or {}


class Control:
    """Answers the requests of the control door, from whatever thread."""

    def __init__(
        self, cloud: Cloud, rooms: Rooms | None = None, real_seconds: Callable[[], float] = time.monotonic
    ) -> None:
        """`rooms`: what whoever serves answers beside the cloud's own, by the whole path."""
        self._cloud = cloud
        self._say = cloud.say
        self._real_seconds = real_seconds
        self._followers: deque[object] = deque(maxlen=FOLLOWERS)
        self._by_chance: dict[str, Any] | None = None
        self._rooms: Rooms = {
            f"{CONTROL}clock": {"GET": self._time, "POST": self._advance},
            f"{CONTROL}trace": {"GET": self._trace, "DELETE": self._clear_trace},
            f"{CONTROL}steps": {"GET": self._steps},
            f"{CONTROL}faults": {"GET": self._faults, "POST": self._plan, "DELETE": self._clear_faults},
            **(rooms or {}),
        }

    def __call__(self, request: Request) -> Response:
        """Answer a request. Never raises for what it holds."""
        try:
            told = self._action(request)(request)
            return told if isinstance(told, Response) else _json(200, told)
        except CourseError as error:
            return _json(400, {"error": str(error)})
        except Refusal as refusal:
            return _json(refusal.status, {"error": str(refusal)}, refusal.headers)

    def _action(self, request: Request) -> Action:
        path = urlsplit(request.url).path
        room = self._rooms.get(path)
        if room is None:
            known = self._say(", ").join(self._rooms)
            raise Refusal(
                self._say("The local cloud has no {path}. It has: {known}.", path=path, known=known), status=404
            )
        if request.method not in room:
            known = ", ".join(room)
            said = self._say("{path} expects {known}; it got {got}.", path=path, known=known, got=request.method)
            raise Refusal(said, status=405, headers={"Allow": known})
        return room[request.method]

    def _asked(self, request: Request) -> dict[str, Any]:
        """The request's JSON object, without what is null."""
        try:
            asked = json.loads(request.body)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            example = (
                '{"advance": 30}' if request.method == "POST" and "/clock" in request.url else '{"kind": "reorder"}'
            )
            raise Refusal(self._say("The request expects a JSON object, such as {example}.", example=example))
        return {name: value for name, value in asked.items() if value is not None}

    # The clock

    def _time(self, _: Request) -> dict[str, Any]:
        clock = self._cloud.clock
        with self._cloud.lock:
            now, elapsed = clock.now(), clock.elapsed_ms()
        return {"now": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "elapsed_ms": elapsed}

    def _advance(self, request: Request) -> dict[str, Any]:
        seconds = self._asked(request).get("advance")
        try:
            self._cloud.clock.advance(seconds)  # type: ignore[arg-type]  # it says itself what it expects
        except OverflowError:
            raise Refusal(
                self._say("The clock ends with the year 9999, and {seconds} s lead beyond it.", seconds=seconds)
            ) from None
        return self._time(request)

    # The trace

    def _trace(self, request: Request) -> dict[str, Any]:
        return {**self._cloud.trace.data(since=self._since(request))}

    def _since(self, request: Request) -> int:
        since = _of_query(request, "since", "0")
        if not re.fullmatch("[0-9]{1,15}", since):
            raise Refusal(self._say("since= expects the number of a step, 0 or more; it got {got!r}.", got=since))
        return int(since)

    def _wait(self, request: Request) -> float:
        wait = _of_query(request, "wait", "0")
        if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,9})?", wait) or float(wait) > _LONGEST_WAIT:
            raise Refusal(
                self._say("wait= expects seconds from 0 to {most}; it got {got!r}.", most=_LONGEST_WAIT, got=wait)
            )
        return float(wait)

    def _steps(self, request: Request) -> dict[str, Any]:
        story, since, wait = _of_query(request, "story", ""), self._since(request), self._wait(request)
        trace, end = self._cloud.trace, self._real_seconds() + wait
        follower = object()
        self._followers.append(follower)
        try:
            self._cloud.look()
            while (left := end - self._real_seconds()) > 0 and follower in self._followers and not trace.has_ended:
                if story != trace.story or since < len(trace):
                    break
                trace.wait(story, since, min(left, _LOOK_SECONDS))
                self._cloud.look()
        finally:
            with suppress(ValueError):  # a later one took its place
                self._followers.remove(follower)
        return {**trace.follow(story, since)}

    def _clear_trace(self, _: Request) -> dict[str, Any]:
        with self._cloud.lock:
            self._cloud.trace.clear()
            return {**self._cloud.trace.data()}

    # The faults

    def _faults(self, _: Request) -> dict[str, Any]:
        with self._cloud.lock:
            planned = [asdict(fault) for fault in self._cloud.faults.planned]
            return {"planned": planned, "by_chance": self._by_chance}

    def _clear_faults(self, request: Request) -> dict[str, Any]:
        with self._cloud.lock:
            self._cloud.faults.clear()
            self._by_chance = None
        return self._faults(request)

    def _plan(self, request: Request) -> dict[str, Any]:
        asked = self._asked(request)
        with self._cloud.lock:
            if "seed" in asked:
                self._plan_by_chance(asked)
            else:
                self._plan_one(asked)
            return self._faults(request)

    def _plan_one(self, asked: dict[str, Any]) -> None:
        named = str(asked.pop("kind", ""))
        kind = named.replace("-", "_").replace("lose_", "lost_")
        if kind not in _TAKES:
            known = self._say(", ").join(one.replace("_", "-").replace("lost-", "lose-") for one in _TAKES)
            raise Refusal(self._say("There is no fault '{got}'. There are: {known}.", got=named, known=known))
        takes = _TAKES[kind]
        self._check_names(named, asked, takes)
        for name in takes:
            if name in _NEEDED and name not in asked:
                raise Refusal(self._say("The fault {kind} expects {name} as well.", kind=named, name=name))
        self._check_values(asked)
        self._plan_checked(kind, asked)

    def _plan_checked(self, kind: str, asked: dict[str, Any]) -> None:
        faults = self._cloud.faults
        match kind:
            case "throttle":
                faults.throttle(**asked)
            case "lost_response":
                faults.lose_response(**asked)
            case "stop_before":
                faults.stop_worker(before=asked.pop("operation"), **asked)
            case "stop_after":
                faults.stop_worker(after=asked.pop("operation"), **asked)
            case "deliver_again":
                faults.deliver_again(**asked)
            case "reorder":
                faults.reorder(**asked)
            case _:
                faults.delay_event(**asked)

    def _plan_by_chance(self, asked: dict[str, Any]) -> None:
        self._check_names("seed", asked, _BY_CHANCE)
        seed, chances = asked["seed"], asked.get("chances", {})
        if not _is_whole(seed):
            raise Refusal(self._say("seed expects a whole number; it got {got!r}.", got=seed))
        if not isinstance(chances, dict):
            raise Refusal(self._say("plan() expects a chance from 0 to 1; it got {got!r}.", got=chances))
        for kind, chance in chances.items():
            if kind not in get_args(Kind):  # as a keyword it might be one of another meaning
                known = ", ".join(get_args(Kind))
                raise Refusal(self._say("plan() knows the faults {known}; it got {got!r}.", known=known, got=kind))
            if not _is_number(chance):
                raise Refusal(self._say("plan() expects a chance from 0 to 1; it got {got!r}.", got=chance))
        delay = asked.get("delay_seconds", 30.0)
        self._check_values({"seconds": delay})
        self._cloud.faults.plan(seed, delay_seconds=delay, **chances)
        self._by_chance = {"seed": seed, "chances": chances, "delay_seconds": delay} if chances else None

    def _check_names(self, fault: str, asked: Mapping[str, Any], takes: tuple[str, ...]) -> None:
        for name in asked:
            if name not in takes:
                raise Refusal(
                    self._say(
                        "The fault {kind} does not take {name}. It takes: {known}.",
                        kind=fault,
                        name=name,
                        known=self._say(", ").join(takes),
                    )
                )

    def _check_values(self, asked: Mapping[str, Any]) -> None:
        """Refuse what is of another type than the methods of `Faults` are written for."""
        for name, value in asked.items():
            if name in ("on", "times") and not _is_whole(value):
                raise Refusal(self._say("on= and times= expect a whole number from 1 on; they got {got!r}.", got=value))
            if name == "by" and value not in ("you", "lambda"):
                raise Refusal(self._say('by expects "you" or "lambda"; it got {got!r}.', got=value))
            if name == "seconds" and not (_is_number(value) and 0 <= value <= _LONGEST_SECONDS):
                raise Refusal(self._say("delay_event() expects seconds of 0 or more; it got {got!r}.", got=value))
            if name == "operation" and not isinstance(value, str):
                raise Refusal(
                    self._say(
                        'A fault expects an operation such as "dynamodb:PutItem" or "sqs:*"; it got {got!r}.', got=value
                    )
                )


def _of_query(request: Request, name: str, default: str) -> str:
    """The last value that the address has for a name."""
    return parse_qs(urlsplit(request.url).query, keep_blank_values=True).get(name, [default])[-1]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _json(status: int, told: Any, headers: Mapping[str, str] | None = None) -> Response:
    # Nobody keeps an answer: the next one is another.
    always = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return Response(status, {**always, **(headers or {})}, json.dumps(told).encode())
