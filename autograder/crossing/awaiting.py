"""Waiting for a coroutine on behalf of the other process. It has an event loop of its own, made when it is first needed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import Any

__all__ = ["Driver"]


class Driver:
    """Runs awaitables to their end."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def drive(self, awaitable: Awaitable[Any]) -> Any:
        """Return what an awaitable gives, or raise what it raises.

        In this thread, and in one loop for all, so that what one coroutine left in it another finds there. Where a loop is under
        way already, a thread has to do.
        """
        if self._is_running() or not self._lock.acquire(blocking=False):
            return _aside(awaitable)
        try:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
            return self._loop.run_until_complete(_wait_for(awaitable))
        finally:
            self._lock.release()

    def _is_running(self) -> bool:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return False
        return True


async def _wait_for(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


def _aside(awaitable: Awaitable[Any]) -> Any:
    done: Future[Any] = Future()

    def run() -> None:
        try:
            done.set_result(asyncio.run(_wait_for(awaitable)))
        except BaseException as error:  # it is the awaitable's own, and raised where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, name="awaits", daemon=True).start()
    return done.result()
