"""The streams of a shell: `sys.stdout`, `sys.stderr` and the file descriptors below them, without a socket.

ipykernel's own OutStream does the work. What it takes for its sending thread is a `Relay`: it sends from the thread that
flushes, and once more after the usual fifth of a second. It also reads what child processes and C code write to 1 and 2.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from io import StringIO
from typing import Any

from ipykernel.iostream import IOPubThread
from ipykernel.iostream import OutStream as StockStream

from autograder.records import Limits

__all__ = ["Allowance", "OutStream", "Relay"]

_CHUNK = 1 << 16
"""Bytes that are read at once, and characters that are kept before they are sent without being asked."""
_WATCHABLE = sys.platform.startswith(("linux", "darwin"))
"""Where ipykernel too relays what is written to descriptors 1 and 2."""

# Taken once: the code of a notebook may put something else into these modules.
_getpid, _read, _write, _monotonic = os.getpid, os.read, os.write, time.monotonic


class Allowance:
    """How much one cell may still put out. What is over is dropped, and `on_full` is called once, with "bytes" or "lines"."""

    def __init__(self, limits: Limits, on_full: Callable[[str], None]) -> None:
        self._limits = limits
        self._on_full = on_full
        self.renew()

    def renew(self) -> None:
        """Begin a new cell."""
        self.bytes = self._limits.output_bytes
        self.lines = self._limits.output_lines
        self.full = False

    def text(self, text: str) -> str:
        """Return as much of `text` as may go out, and take it off."""
        if self.full:
            return ""
        lines = text.count("\n")
        if lines > self.lines or (lines == self.lines and not text.endswith("\n") and text):
            text = "".join(part + "\n" for part in text.split("\n", self.lines)[: self.lines])
            self._fill("lines")
        size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
        if size > self.bytes:
            text = text.encode("utf-8", "replace")[: self.bytes].decode("utf-8", "ignore")
            self._fill("bytes")
        self.lines -= text.count("\n")
        self.bytes -= min(size, self.bytes)
        return text

    def message(self, size: int) -> bool:
        """Whether a message of `size` bytes may go out; if so, take it off."""
        if not self.full and size > self.bytes:
            self._fill("bytes")
        if self.full:
            return False
        self.bytes -= size
        return True

    def _fill(self, what: str) -> None:
        if not self.full:
            self.full = True
            self._on_full(what)


class _Buffer(StringIO):
    """What was written and not yet sent: never more than the allowance, and sent at once when it is long."""

    def __init__(self, stream: OutStream) -> None:
        super().__init__()
        self._stream = stream

    def write(self, text: str, /) -> int:
        if not self._stream.allowance.full:
            super().write(self._stream.allowance.text(text))
            if self.tell() > _CHUNK:
                self._stream._flush()
        return len(text)


class OutStream(StockStream):
    """ipykernel's stream, sending through a relay, within an allowance. (It has the same name because students see it.)"""

    def __init__(self, session: Any, relay: Relay, name: str, allowance: Allowance) -> None:
        self.allowance = allowance
        super().__init__(session, relay, name, watchfd=False)  # type: ignore[no-untyped-call]
        self._relay = relay
        # One lock for everything: the relay writes to a stream while it sends, and a stream that is full sends while it writes.
        self._buffer_lock = relay.sending
        self._buffers = defaultdict(lambda: _Buffer(self))
        # What a child process is given as its output by name (`stdout=sys.stdout`) is not shown in stock Jupyter either.
        self._original_stdstream_copy = relay.nowhere

    def write(self, string: str) -> int:
        """As the base class does, after what a child process has written before."""
        if not self._relay.taking:
            self._relay.drain()
        return super().write(string)  # type: ignore[return-value]  # None in a forked child, as in ipykernel

    def _rotate_buffers(self) -> Any:
        with self._buffer_lock:
            buffers, self._buffers = self._buffers, defaultdict(lambda: _Buffer(self))
        return buffers

    def _flush(self) -> None:
        # One at a time, so that what was written first is sent first.
        with self._relay.sending:
            super()._flush()  # type: ignore[no-untyped-call]


class Relay(IOPubThread):
    """In the place of ipykernel's sending thread: sends at once, and later what nobody flushed.

    `watch()` begins to read descriptors 1 and 2; `drain()` takes in all that is there to read now.
    """

    thread: Any = None

    def __init__(self) -> None:  # IOPubThread's own would open sockets
        self.io_loop: Any = self
        self.sending = threading.RLock()
        self.nowhere = os.open(os.devnull, os.O_RDWR)
        self.streams: dict[int, OutStream] = {}
        self._process = _getpid()
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._poll: Any = None
        self._wake = -1
        self.taking = False
        """Whether something is being taken in right now: it need not be looked for."""

    def schedule(self, function: Callable[[], Any]) -> None:
        """Do it now: there is no other thread to do it in."""
        function()

    def call_later(self, delay: float, function: Callable[[], None]) -> None:
        """Call `function` in `delay` seconds, where there is a thread for it; a cell's end flushes in any case."""
        if self._wake >= 0:
            self._due.append((_monotonic() + delay, function))
            with contextlib.suppress(OSError):
                _write(self._wake, b"\0")

    def watch(self, streams: dict[int, OutStream]) -> None:
        """Put pipes in the place of descriptors 1 and 2, and relay what comes out of them to the streams."""
        if not _WATCHABLE:
            return
        self._poll = select.poll()
        for number, stream in streams.items():
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            os.dup2(writer, number)
            os.close(writer)
            self.streams[reader] = stream
            self._poll.register(reader, select.POLLIN)
        bell, self._wake = os.pipe()
        for end in (bell, self._wake):
            os.set_blocking(end, False)
        # A fork in the middle of a print must not leave the lock taken in the child.
        os.register_at_fork(
            before=self.sending.acquire, after_in_parent=self.sending.release, after_in_child=self.sending.release
        )
        threading.Thread(target=self._run, args=(bell,), daemon=True, name="IOPub").start()

    def drain(self) -> None:
        """Take in what child processes and C code have written until now."""
        if self._poll is None or _getpid() != self._process:
            return
        with self.sending:
            while ready := self._poll.poll(0):
                taken = [self._take_in(reader, self._poll) for reader, _ in ready]
                # At the end of a pipe there is only a hang-up left.
                if not any(taken):
                    return

    def _take_in(self, reader: int, poll: Any) -> bool:
        """Read once; return whether there was anything. A pipe that has ended is not polled again."""
        try:
            data = _read(reader, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if data:
            self.taking = True
            try:
                self.streams[reader].write(data.decode(errors="replace"))
            finally:
                self.taking = False
        else:
            with contextlib.suppress(KeyError, OSError):
                poll.unregister(reader)
        return bool(data)

    def _run(self, bell: int) -> None:
        everything = select.poll()
        for reader in (*self.streams, bell):
            everything.register(reader, select.POLLIN)
        while True:
            wait = None if not self._due else max(0.0, self._due[0][0] - _monotonic()) * 1000
            for reader, _ in everything.poll(wait):
                if reader == bell:
                    if not self._hear(bell):
                        everything.unregister(bell)
                    continue
                with self.sending:
                    self._take_in(reader, everything)
            now = _monotonic()
            while self._due and self._due[0][0] <= now:
                self._due.pop(0)[1]()

    def _hear(self, bell: int) -> bool:
        try:
            return bool(_read(bell, _CHUNK))
        except BlockingIOError:
            return True
        except OSError:
            return False
