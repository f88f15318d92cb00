"""Runs deployed functions for the examiner, in this jail, with the local cloud's own runtime: a child process for each."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any

from autograder.aws.forms import packed_outcome, run_of
from bentocola.cloud.door import Request, Response
from bentocola.cloud.functions.package import PackageError
from bentocola.cloud.functions.processes import Processes
from bentocola.cloud.functions.spec import Credentials, FunctionSpec
from bentocola.messages import both, translate

__all__ = ["Functions"]

_WARM = 2
"""Processes that may wait for their function's next run: each takes memory, and counts as a process of the submission."""
_MOST_PACKAGES = 64


class Functions:
    """Answers `function_run` and `function_close`."""

    def __init__(
        self,
        handle: Callable[[Request], Response],
        wait_there: Callable[[float], bool],
        speak: Callable[[str], None],
    ) -> None:
        """`wait_there(seconds)`: let time pass on the examiner's clock; False where that one follows real time."""
        self._handle = handle
        self._wait_there = wait_there
        self._speak = speak
        self._language = ""
        self._lock = threading.Lock()
        self._runtime: Processes | None = None
        self._packages: OrderedDict[str, bytes] = OrderedDict()

    def run(self, head: Any, body: bytes) -> tuple[Any, bytes]:
        """Run a function once, and return its outcome as the body."""
        described, event, code, options = run_of(head, body)
        package = self._package(described["code_sha256"], code)
        if package is None:
            return {"unknown_code": True}, b""
        if language := options.pop("language"):
            self._language = language
            self._speak(language)
        present = _Present(options.pop("now"), options.pop("stands_still"))
        token = _present.set(present)
        try:
            credentials = Credentials(*options.pop("credentials"))
            outcome = self._processes().run(
                FunctionSpec(code=package, **described), event, credentials=credentials, **options
            )
        except PackageError as error:
            return {"package_error": str(error)}, b""
        finally:
            _present.reset(token)
        return {}, packed_outcome(outcome)

    def close(self, head: Any = None, body: bytes = b"") -> None:
        """End all that runs."""
        with self._lock:
            runtime, self._runtime = self._runtime, None
        if runtime is not None:
            runtime.close()

    def _package(self, digest: str, code: bytes) -> bytes | None:
        with self._lock:
            if code:
                self._packages[digest] = code
            if digest in self._packages:
                self._packages.move_to_end(digest)
            while len(self._packages) > _MOST_PACKAGES:
                self._packages.popitem(last=False)
            return self._packages.get(digest)

    def _processes(self) -> Processes:
        with self._lock:
            if self._runtime is None:
                self._runtime = Processes(self._handle, now=_now, say=self._say, wait=self._wait, idle=_WARM)
            return self._runtime

    def _say(self, message: str, /, **values: object) -> str:
        return translate(self._language, message, **values) if self._language else both(message, **values)

    def _wait(self, seconds: float) -> None:
        if not self._wait_there(seconds):
            time.sleep(seconds)


class _Present:
    """The course's time as the examiner told it when the run began, going on if that clock does."""

    def __init__(self, now: float | None, stands_still: bool) -> None:
        self._told = datetime.now(UTC) if now is None else datetime.fromtimestamp(now, UTC)
        self._since = None if stands_still else time.monotonic()

    def now(self) -> datetime:
        """Return it, in UTC."""
        return self._told if self._since is None else self._told + timedelta(seconds=time.monotonic() - self._since)


_present: ContextVar[_Present | None] = ContextVar("present", default=None)


def _now() -> datetime:
    present = _present.get()
    return datetime.now(UTC) if present is None else present.now()
