"""The time that every mocked service sees. It stands still until somebody moves it, so that a lesson is the same each time.

May touch moto's internals: `moto.core.utils`, through which all of its services read the time, and the wait of a long poll.
The notebook's own clock, and Python's, are left alone.
"""

from __future__ import annotations

import datetime as _datetime
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, cast

from bentocola.errors import SecondsError
from bentocola.messages import both

__all__ = ["CALL_SECONDS", "Clock", "self_test"]

CALL_SECONDS = 0.001
"""What one call to a service takes on the course's clock: enough to keep two calls apart."""

_LONGEST_MOVE = 10**9
"""Some thirty years, in seconds. Python's calendar ends with the year 9999, and so does the clock."""


class Clock:
    """The course's time. `advance` moves it; each call moves it by `CALL_SECONDS`; nothing else does."""

    def __init__(self, start: _datetime.datetime | None = None, say: Callable[..., str] = both) -> None:
        """`start`: an aware time; the present, cut to the second, when it is left out. `say` words a refusal."""
        self._say = say
        self._start = start or _datetime.datetime.now(_datetime.UTC).replace(microsecond=0)
        self._now = self._start
        self._listeners: list[Callable[[float], None]] = []
        self._of_moto: tuple[Any, Any] | None = None

    def now(self) -> _datetime.datetime:
        """Return the course's present, in UTC."""
        return self._now

    def elapsed_ms(self) -> int:
        """Return the milliseconds since the clock's start."""
        return round((self._now - self._start).total_seconds() * 1000)

    def advance(self, seconds: float) -> None:
        """Move the course's time forward. Nobody waits: what was due in between is due at once.

        Raises SecondsError, a ValueError, when `seconds` is no number of 0 or more: time does not go back.
        """
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= _LONGEST_MOVE:
            raise SecondsError(
                self._say("advance() expects a number of seconds, 0 or more; it got {got!r}.", got=seconds)
            )
        self._now += _datetime.timedelta(seconds=seconds)
        for listener in self._listeners:
            listener(seconds)

    def tick(self) -> None:
        """Let one call's time pass. It wakes nobody."""
        self._now += _datetime.timedelta(seconds=CALL_SECONDS)

    def on_advance(self, listener: Callable[[float], None]) -> None:
        """Call `listener(seconds)` after each move."""
        self._listeners.append(listener)

    def install(self) -> None:
        """Make this clock the one that moto reads, and the one that a long poll of an empty queue moves."""
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
            # Between two looks moto would sleep; on a clock that stands still, for ever.
            found = receive(backend, queue_name, count, 0, *rest, **named)
            for _ in range(wait_seconds_timeout):
                if found:
                    break
                clock.advance(1)
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


def self_test() -> None:
    """Raise if this moto no longer reads the time, or receives, as the clock builds on."""
    import moto.core.utils
    from moto.sqs.models import SQSBackend

    if not hasattr(moto.core.utils, "datetime"):
        raise TypeError("moto.core.utils has no datetime")
    expected = ["self", "queue_name", "count", "wait_seconds_timeout"]
    if (got := list(inspect.signature(SQSBackend.receive_message).parameters)[:4]) != expected:
        raise TypeError(f"receive_message takes {got}, expected {expected}")
