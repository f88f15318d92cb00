"""What a locked cell's run in the examiner got from the cloud, so that the candidate's run of the same cell gets the same.

A cell that makes a table, or moves the clock, does so once: in the examiner.
"""

from __future__ import annotations

import functools
import threading
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograder.aws.clouds import operation_of, witnessed
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request, Response, caller

__all__ = ["Recording"]


class Recording:
    """Answers, by service and operation, each list in the order in which they came; and what polling brought."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: defaultdict[tuple[str, str], deque[Response]] = defaultdict(deque)
        self._polled: deque[Any] = deque()

    @contextmanager
    def of_this_process(self) -> Iterator[None]:
        """Record while it is open."""
        with witnessed(self.add), self._polls():
            yield

    def add(self, request: Request, response: Response) -> None:
        """Keep an answer, unless a run got it, which does not happen a second time: an inline handler's, say."""
        if caller.get() is not None:
            return
        with self._lock:
            self._answers[operation_of(request)].append(response)

    def next(self, request: Request) -> Response | None:
        """Take the next answer of the request's operation, or None when there is no more."""
        with self._lock:
            waiting = self._answers.get(operation_of(request))
            return waiting.popleft() if waiting else None

    def next_poll(self) -> Any:
        """Take what the next `poll_once` or `settle` returned, or None when there is no more."""
        with self._lock:
            return self._polled.popleft() if self._polled else None

    @contextmanager
    def _polls(self) -> Iterator[None]:
        own = {name: getattr(Cloud, name) for name in ("poll_once", "settle")}
        depth = 0  # settle() polls

        def recorded(name: str) -> Any:
            @functools.wraps(own[name])
            def call(*arguments: Any, **named: Any) -> Any:
                nonlocal depth
                depth += 1
                try:
                    found = own[name](*arguments, **named)
                finally:
                    depth -= 1
                if not depth:
                    self._polled.append(found)
                return found

            return call

        for name in own:
            setattr(Cloud, name, recorded(name))
        try:
            yield
        finally:
            for name, function in own.items():
                setattr(Cloud, name, function)
