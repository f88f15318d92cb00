"""Brings what a source tells to whoever draws it: each step once, in order, from where they say that they are."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from bentocola.cloud.trace import Feed
from bentocola.views.sources import Lost, Source

__all__ = ["Pump", "add", "place"]

_GATHER_SECONDS = 0.1
"""What happens within this time is sent together."""
_LONGEST_PAUSE = 5.0
"""Seconds between two tries to reach a source that is lost."""

Place = tuple[str, int]


def place(feed: Feed | None) -> Place:
    """Return where somebody is who has been told this."""
    if feed is None:
        return "", 0
    return feed["story"], feed["steps"][-1]["n"] if feed["steps"] else 0


def add(feed: Feed | None, more: Feed) -> Feed:
    """Return both feeds as one; of two stories, the later one."""
    if feed is None or "initial" in more:
        return more
    return {**more, "initial": feed.get("initial", {}), "steps": [*feed["steps"], *more["steps"]]}


class Pump:
    """Follows a source, in a thread of its own where there can be one, else each time that `flush` is called."""

    def __init__(self, source: Source, send: Callable[[Feed], None], reached: Callable[[bool], None]) -> None:
        """`send` is given each feed. `reached` is told when the source is lost or has ended, and when it is there again."""
        self._source = source
        self._send = send
        self._reached = reached
        self._place: Place = ("", 0)
        self._is_reached: bool | None = None
        self._is_asked = False
        self._lock = threading.RLock()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, story: str, since: int) -> None:
        """Send what follows step `since` of that story, from now on. Whoever draws may ask again, from anywhere.

        They get an answer in any case, be it that nothing is new.
        """
        with self._lock:
            self._place = (story, since)
            self._is_reached = None  # whoever draws is told in any case
            self._is_asked = True
        self.flush()
        if self._thread is None and not self._source.has_ended:
            self._thread = threading.Thread(target=self._run, name="bentocola-view", daemon=True)
            # A browser's Python has no threads: what happens is sent at the end of each cell.
            with suppress(RuntimeError):
                self._thread.start()

    def flush(self) -> None:
        """Send all that there is to tell."""
        has_ended = self._source.has_ended
        try:
            while self._hand_over():
                pass
        except Lost:
            self._tell(False)
        else:
            self._tell(not has_ended)

    def end(self) -> None:
        """Follow no further."""
        self._ending.set()
        self._source.close()

    def _run(self) -> None:
        pause = _GATHER_SECONDS
        while not self._ending.is_set():
            # Asked before: what happened until then is sent.
            has_ended = self._source.has_ended
            try:
                while self._hand_over(0.0 if has_ended else self._source.longest_wait):
                    pass
                pause = _GATHER_SECONDS
                self._tell(not has_ended)
            except Lost:
                self._tell(False)
                pause = min(2 * pause, _LONGEST_PAUSE)
            if has_ended:
                return
            self._ending.wait(pause)

    def _hand_over(self, wait: float = 0.0) -> bool:
        """Send what follows, and return whether there is more already."""
        with self._lock:
            asked = self._place
        feed = self._source.next(*asked, wait)
        with self._lock:
            if asked != self._place:
                return True  # asked again meanwhile, or sent by another thread
            if feed is None or not (feed["steps"] or "initial" in feed or self._is_asked) or self._ending.is_set():
                return False
            if feed["steps"] or "initial" in feed:
                self._place = place(feed)
            self._is_asked = False
            self._tell(True)
            self._send(feed)
            return bool(feed["more"])

    def _tell(self, is_reached: bool) -> None:
        if is_reached != self._is_reached and not self._ending.is_set():
            self._is_reached = is_reached
            self._reached(is_reached)
