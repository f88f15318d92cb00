"""Where a view's steps come from: a cloud of this process, or one that is served on this machine. They know nothing of who draws.

`next` gives a feed, or None where nothing is to be told yet.
"""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, cast
from urllib.parse import urlencode, urlsplit

from bentocola.cloud.trace import Feed

if TYPE_CHECKING:
    from bentocola.cloud.cloud import Cloud

__all__ = ["CHUNK", "CloudSource", "Lost", "ServedSource", "Source"]

CHUNK = 1000
"""The most steps of one feed."""


class Lost(Exception):
    """The source does not answer. It may later."""


class Source(Protocol):
    """What a view can follow."""

    longest_wait: float
    """Seconds that `next` may wait for something to tell."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing will follow any more."""

    def next(self, story: str, since: int, wait: float = 0.0) -> Feed | None:
        """Return what follows step `since` of that story, or another story from its beginning. Raises Lost."""

    def close(self) -> None:
        """End a `next` that waits."""


class CloudSource:
    """A cloud of this process. A later `start` puts another in its place; that one is not followed."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._trace = cloud.trace
        self._stands_still = cloud.clock.stands_still
        # What falls due on a live cloud is told when somebody looks; on one that stands still, all that happens is a step.
        self.longest_wait = 1.0 if self._stands_still else 0.1

    @property
    def has_ended(self) -> bool:
        """Whether the cloud was stopped or replaced."""
        return self._trace.has_ended

    def next(self, story: str, since: int, wait: float = 0.0) -> Feed | None:
        """Return what follows."""
        if wait:
            self._trace.wait(story, since, wait)
        with self._cloud.lock:
            limit = CHUNK
            self._cloud.look()
            if wait and self._stands_still and self._ends_with_a_move():
                # Who waits comes at any moment, and what was followed is not merged with the next move: the numbers of the
                # steps must not depend on it. When the cell has ended, it is told.
                told = since if story == self._trace.story else 0
                limit = min(limit, len(self._trace) - told - 1)
                if limit < 1:
                    return None
            return self._trace.follow(story, since, limit)

    def _ends_with_a_move(self) -> bool:
        return any(step["kind"] == "clock" for step in self._trace.since(len(self._trace) - 1))

    def close(self) -> None:
        """Nothing waits for long."""


class ServedSource:
    """A cloud that `bentocola serve` or a lab serves at `endpoint`, http://127.0.0.1:PORT. It may end, and be there again."""

    longest_wait = 20.0
    has_ended = False

    def __init__(self, endpoint: str) -> None:
        parts = urlsplit(endpoint)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._waiting: http.client.HTTPConnection | None = None

    def next(self, story: str, since: int, wait: float = 0.0) -> Feed | None:
        """Return what follows."""
        # No proxy stands between this machine and itself: http.client asks none.
        connection = http.client.HTTPConnection(self._host, self._port, timeout=wait + 10)
        if wait:
            self._waiting = connection
        query = urlencode({"story": story, "since": since, "wait": f"{wait:g}"})
        try:
            connection.request("GET", f"/_bentocola/steps?{query}")
            answer = connection.getresponse()
            feed = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Lost from error
        finally:
            if wait:
                self._waiting = None
            connection.close()
        if answer.status != 200 or not isinstance(feed, dict) or "steps" not in feed:  # another program has the port
            raise Lost
        return cast("Feed", feed)

    def close(self) -> None:
        """End a poll that waits."""
        if self._waiting is not None and self._waiting.sock is not None:
            with suppress(OSError):
                self._waiting.sock.shutdown(socket.SHUT_RDWR)
