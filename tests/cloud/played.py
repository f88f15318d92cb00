"""A runtime whose functions are Python functions of the test: fast, and held for as long as a test needs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from bentocola.cloud.door import Caller, caller
from bentocola.cloud.functions.runtime import Outcome
from bentocola.cloud.functions.spec import FunctionSpec

Handler = Callable[[Any], Any]


class Played:
    """A runtime that calls `handler` in the thread that asks for a run, and counts the runs that are under way."""

    def __init__(self) -> None:
        self.handler: Handler = lambda event: None
        self.events: list[Any] = []
        self.most = self.now = 0
        self.closed = threading.Event()
        self._lock = threading.Lock()

    def run(self, spec: FunctionSpec, event: str, **options: Any) -> Outcome:
        """Run it, as a call of the function that it is."""
        with self._lock:
            self.events.append(json.loads(event))
            self.now += 1
            self.most = max(self.most, self.now)
        token = caller.set(Caller("lambda", options.get("run")))
        try:
            payload, failed = json.dumps(self.handler(json.loads(event))), False
        except Exception as error:
            payload, failed = json.dumps({"errorType": type(error).__name__, "errorMessage": str(error)}), True
        finally:
            caller.reset(token)
            with self._lock:
                self.now -= 1
        return Outcome(
            payload, "Unhandled" if failed else None, [], "error" if failed else "ok", 1.0, 1, None, None, "stream"
        )

    def close(self) -> None:
        """Let runs that wait for it end."""
        self.closed.set()
