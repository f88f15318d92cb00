"""The invigilator's hold on a room: interrupt it, end it and all that it started, say why it ended. Touches that room only."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from multiprocessing.process import BaseProcess

from .endings import Ended, from_exit_code

__all__ = ["Jailed"]


class Jailed:
    """A room by the process that was started for it (`multiprocessing`'s, of any start method)."""

    def __init__(self, process: BaseProcess) -> None:
        self.process = process
        self._stopped = False

    def interrupt(self) -> bool:
        """Send SIGINT to the room's own process and to nothing that it started. False where that is not possible (Windows)."""
        pid = self.process.pid
        if sys.platform == "win32" or pid is None or not self.process.is_alive():
            return False
        # On Linux it goes to the room's keeper, which hands it on.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)
        return True

    def kill(self, seconds: float = 5) -> None:
        """End the room and every process that it started, daemons too, and wait for that. Nothing happens if it has ended.

        `seconds` is how long its keeper may take; then that one is killed as well.
        """
        pid = self.process.pid
        if pid is None or not self.process.is_alive():
            return
        self._stopped = True
        if sys.platform == "linux":
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
            self.wait(seconds)
        elif hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) == pid:
                    os.killpg(pid, signal.SIGKILL)
        if self.process.is_alive():
            self.process.kill()
        self.wait(seconds)

    def wait(self, seconds: float) -> bool:
        """Wait for the room to have ended, `seconds` at the most; whether it has.

        Unlike the process's own `join(seconds)`, it does not trust in the pipe by which multiprocessing hears of an end: whoever
        closes all descriptors in a process has closed that one too, and `join` then waits for ever.
        """
        pid = self.process.pid
        if pid is None or not self.process.is_alive():
            return True
        if sys.platform != "linux":
            self.process.join(seconds)
            return not self.process.is_alive()
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            return True
        try:
            poll = select.poll()  # a `select` knows no descriptor over 1023
            poll.register(descriptor, select.POLLIN)
            poll.poll(seconds * 1000)
        finally:
            os.close(descriptor)
        return not self.process.is_alive()

    def why(self) -> Ended | None:
        """Return why the room ended, None while it runs."""
        code = self.process.exitcode
        return None if code is None else from_exit_code(code, stopped=self._stopped)
