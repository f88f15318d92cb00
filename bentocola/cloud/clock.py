"""The time that every mocked service sees. In a lesson it stands still until somebody moves it, so each run is the same.

May touch moto's internals: `moto.core.utils`, through which all of its services read the time, and the wait of a long poll.
The notebook's own clock, and Python's, are left alone.
"""

from __future__ import annotations

import datetime as _datetime
import functools
import heapq
import inspect
import itertools
import logging
import threading
import types
from collections.abc import Callable
from typing import Any, cast

from bentocola.errors import SecondsError
from bentocola.messages import both

__all__ = ["CALL_SECONDS", "Clock", "self_test"]

_log = logging.getLogger(__name__)

CALL_SECONDS = 0.001
"""What one call to a service takes on a clock that stands still: enough to keep two calls apart."""

_LONGEST_MOVE = 10**9
"""Some thirty years, in seconds. Python's calendar ends with the year 9999, and so does the clock."""
_LONGEST_WAIT = 0.2
"""Seconds. A message comes back by itself when its time is over, and nobody tells who waits for it."""


class Clock:
    """The course's time, of one of two kinds.

    It stands still, for lessons, tests and grades: `advance` moves it, each call moves it by `CALL_SECONDS`, and nothing else
    does. Or it follows real time, for the live cloud, and `advance` moves it further still.
    """

    def __init__(
        self,
        start: _datetime.datetime | None = None,
        say: Callable[..., str] = both,
        real_seconds: Callable[[], float] | None = None,
        lock: threading.RLock | None = None,
    ) -> None:
        """`start`: an aware time; the present, cut to the second, when it is left out. `say` words a refusal.

        `real_seconds`: a monotonic count of seconds to follow, as `time.monotonic`; without one the clock stands still.
        `lock`: held by whoever calls the services; what falls due runs under it.
        """
        self._say = say
        self._start = start or _datetime.datetime.now(_datetime.UTC).replace(microsecond=0)
        self._now = self._start
        self._real_seconds = real_seconds
        self._real_start = real_seconds() if real_seconds else 0.0
        self._lock = lock or threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._due: list[tuple[_datetime.datetime, int, Callable[[], None]]] = []
        self._number = itertools.count()
        self._listeners: list[Callable[[float], None]] = []
        self._of_moto: tuple[Any, Any] | None = None

    @property
    def stands_still(self) -> bool:
        """Whether only `advance` and calls move this clock."""
        return self._real_seconds is None

    def now(self) -> _datetime.datetime:
        """Return the course's present, in UTC."""
        if self._real_seconds is None:
            return self._now
        return self._now + _datetime.timedelta(seconds=self._real_seconds() - self._real_start)

    def elapsed_ms(self) -> int:
        """Return the milliseconds since the clock's start."""
        return round((self.now() - self._start).total_seconds() * 1000)

    def elapsed_at(self, moment_ms: int) -> int:
        """Return the milliseconds from the clock's start to a moment, given in milliseconds since 1970."""
        return moment_ms - round(self._start.timestamp() * 1000)

    def advance(self, seconds: float) -> None:
        """Move the course's time forward. Nobody waits: what was due in between happens now, each thing at its own time.

        Raises SecondsError, a ValueError, when `seconds` is no number of 0 or more: time does not go back.
        """
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= _LONGEST_MOVE:
            raise SecondsError(
                self._say("advance() expects a number of seconds, 0 or more; it got {got!r}.", got=seconds)
            )
        with self._lock:
            target = self.now() + _datetime.timedelta(seconds=seconds)
            while self._due and self._due[0][0] <= target:
                self._move_to(self._due[0][0])
                self._act(heapq.heappop(self._due)[2])
            self._move_to(target)
            for listener in self._listeners:
                listener(seconds)
            self._changed.notify_all()

    def _move_to(self, moment: _datetime.datetime) -> None:
        """Move forward to a moment, unless it is past: what fell due may have called a service, or moved the time itself."""
        if (ahead := moment - self.now()) > _datetime.timedelta():
            self._now += ahead

    def tick(self) -> None:
        """Let one call's time pass, and do what has fallen due."""
        if self._real_seconds is None:
            self._now += _CALL
        if self._due:
            self.run_due()

    def call_later(self, seconds: float, action: Callable[[], None]) -> None:
        """Run `action` once the course's time is `seconds` on, under the lock."""
        with self._lock:
            moment = self.now() + _datetime.timedelta(seconds=seconds)
            heapq.heappush(self._due, (moment, next(self._number), action))
            self._changed.notify_all()

    def run_due(self) -> None:
        """Do what has fallen due, oldest first, and let whoever waits look again. To be called with the lock held."""
        while self._due and self._due[0][0] <= self.now():
            self._act(heapq.heappop(self._due)[2])
            self._changed.notify_all()

    def _act(self, action: Callable[[], None]) -> None:
        try:
            action()
        except Exception:
            if self._real_seconds is None:
                raise
            # It falls due in whatever thread comes by, and that has nothing to do with it.
            _log.exception("What fell due failed.")

    def seconds_to_next(self) -> float | None:
        """Return how far away the next thing is that `call_later` was given, or None where there is none."""
        return max(0.0, (self._due[0][0] - self.now()).total_seconds()) if self._due else None

    def __repr__(self) -> str:
        return f"{self.now():%Y-%m-%d %H:%M:%S} UTC"

    def on_advance(self, listener: Callable[[float], None]) -> None:
        """Call `listener(seconds)` after each move."""
        self._listeners.append(listener)

    # Who waits

    def pause(self, seconds: float) -> None:
        """Let up to `seconds` pass, with the lock held once; others may call meanwhile. `wake` and `advance` end it early.

        On a clock that stands still nobody would ever come: it moves at once, by a second at the most.
        """
        if self._real_seconds is None:
            self.advance(min(seconds, 1.0))
        else:
            self._changed.wait(min(seconds, _LONGEST_WAIT))
            self.run_due()

    def wake(self) -> None:
        """Let whoever waits look again. To be called with the lock held."""
        self._changed.notify_all()

    # What moto sees

    def install(self) -> None:
        """Make this clock the one that moto reads, and the one that a long poll of an empty queue waits by."""
        import moto.core.utils
        from moto.sqs.models import SQSBackend

        clock = self
        self._of_moto = vars(moto.core.utils)["datetime"], SQSBackend.receive_message

        class CourseDatetime(_datetime.datetime):
            @classmethod
            def now(cls, tz: _datetime.tzinfo | None = None) -> _datetime.datetime:  # type: ignore[override]
                return clock.now().astimezone(tz) if tz else clock.now().replace(tzinfo=None)

        vars(moto.core.utils)["datetime"] = types.SimpleNamespace(**{**vars(_datetime), "datetime": CourseDatetime})

        receive: Any = SQSBackend.receive_message

        @functools.wraps(receive)
        def receive_message(
            backend: Any, queue_name: str, count: int, wait_seconds_timeout: int, *rest: Any, **named: Any
        ) -> Any:
            # Between two looks moto would sleep: on a clock that stands still, for ever; on a live one, with the door shut.
            found = receive(backend, queue_name, count, 0, *rest, **named)
            end = clock.now() + _datetime.timedelta(seconds=wait_seconds_timeout or 0)
            while not found and (left := (end - clock.now()).total_seconds()) > 0:
                clock.pause(left)
                found = receive(backend, queue_name, count, 0, *rest, **named)
            return found

        SQSBackend.receive_message = cast("Any", receive_message)  # type: ignore[method-assign]

    def uninstall(self) -> None:
        """Give moto its own time back: its mocks may be used without the local cloud afterwards."""
        import moto.core.utils
        from moto.sqs.models import SQSBackend

        if self._of_moto is not None:
            vars(moto.core.utils)["datetime"], receive_message = self._of_moto
            SQSBackend.receive_message = receive_message  # type: ignore[method-assign]
            self._of_moto = None


_CALL = _datetime.timedelta(seconds=CALL_SECONDS)


def self_test() -> None:
    """Raise if this moto no longer reads the time, or receives, as the clock builds on."""
    import moto.core.utils
    from moto.sqs.models import SQSBackend

    if not hasattr(moto.core.utils, "datetime"):
        raise TypeError("moto.core.utils has no datetime")
    expected = ["self", "queue_name", "count", "wait_seconds_timeout"]
    if (got := list(inspect.signature(SQSBackend.receive_message).parameters)[:4]) != expected:
        raise TypeError(f"receive_message takes {got}, expected {expected}")
