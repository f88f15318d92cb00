"""The wire from another process: its AWS calls come as frames through a pipe, among whatever else the two say to each other.

`Channel` is the framing, the same on both sides. `PipeWire` stands in the other process, in the place of botocore's way of
sending; `answer` is this side's part. Nothing is imported here that the other process would have to wait for.

A frame is one byte (what it is), four (how long), and its content. What a call and an answer carry is JSON up front, with the
length of that before it, and behind it the body's bytes as they are.
"""

from __future__ import annotations

import json
import os
import struct
import threading
import time
from collections.abc import Callable
from typing import IO, Any

from bentocola.cloud.door import Request, Response, Stopped

__all__ = ["ANSWER", "CALL", "MAX_FRAME_BYTES", "Channel", "FrameError", "PipeWire", "WAIT", "answer", "pack", "unpack"]

CALL, WAIT, ANSWER = b"C", b"W", b"A"
"""The kinds of frame that are this wire's own: a call, or some seconds to wait, and what ends either.

Those who share the channel choose others.
"""

MAX_FRAME_BYTES = 256_000_000
"""What no request of the course comes near. It keeps one broken length from taking all memory."""

_HEAD = struct.Struct("<cI")
_SIZE = struct.Struct("<I")


class FrameError(Exception):
    """What came is no frame, or not what its kind promises. The other side is not to be trusted any further."""


class Channel:
    """Frames over two pipes. Any thread may send; only one may receive at a time."""

    def __init__(self, source: IO[bytes], sink: int) -> None:
        """`source`: buffered, to read from. `sink`: a file descriptor to write to."""
        self._read = source.read
        self._sink = sink
        self._lock = threading.Lock()

    def send(self, kind: bytes, *parts: bytes) -> None:
        """Send a frame whole, whoever else sends. Raises OSError when the other side is gone, ValueError when it is too long."""
        size = sum(map(len, parts))
        if size > MAX_FRAME_BYTES:
            raise ValueError(f"A frame holds at most {MAX_FRAME_BYTES} bytes; this one has {size}.")
        data = b"".join((_HEAD.pack(kind, size), *parts))
        with self._lock:
            written = os.write(self._sink, data)
            while written < len(data):
                written += os.write(self._sink, memoryview(data)[written:])

    def receive(self) -> tuple[bytes, bytes] | None:
        """Wait for a frame and return its kind and content; None when the other side is gone. Raises FrameError."""
        head = self._read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        kind, size = _HEAD.unpack(head)
        if size > MAX_FRAME_BYTES:
            raise FrameError(f"A frame holds at most {MAX_FRAME_BYTES} bytes; one of {size} was announced.")
        content = self._read(size)
        return (kind, content) if len(content) == size else None


def pack(head: Any, body: bytes = b"") -> tuple[bytes, bytes, bytes]:
    """Return the parts of a frame that holds JSON and a body."""
    text = json.dumps(head, separators=(",", ":")).encode()
    return _SIZE.pack(len(text)), text, body


def unpack(content: bytes) -> tuple[Any, bytes]:
    """Return the JSON and the body of a frame. Raises FrameError when they are not in it."""
    try:
        (size,) = _SIZE.unpack_from(content)
        start = _SIZE.size + size
        return json.loads(content[_SIZE.size : start]), content[start:]
    except (struct.error, ValueError, RecursionError) as error:
        raise FrameError(str(error)) from error


# This side


def answer(
    channel: Channel,
    kind: bytes,
    content: bytes,
    handle: Callable[[Request], Response],
    wait: Callable[[float], None] = time.sleep,
) -> bool:
    """Let `handle` answer a call, or `wait` wait, and send the answer back. False when the caller is to be stopped instead.

    Raises OSError when the caller is gone, and FrameError for what is neither.
    """
    head, body = unpack(content)
    try:
        if kind == WAIT:
            seconds = max(0.0, float(head))
        else:
            method, url, headers = head
            request = Request(str(method), str(url), {str(name): str(value) for name, value in headers.items()}, body)
    except (AttributeError, TypeError, ValueError) as error:
        raise FrameError(f"This is no call: {error}") from error
    if kind == WAIT:
        wait(seconds)
        channel.send(ANSWER, *pack(None))
        return True
    response = handle(request)
    if isinstance(response, Stopped):
        return False
    channel.send(ANSWER, *pack([response.status, dict(response.headers)], response.body))
    return True


# The other side


class PipeWire:
    """In the place of botocore's way of sending, from `connect` on: each request goes through the channel and waits its turn.

    Calls can be made from any thread, one at a time, as the door takes them; only between `open` and `close`, though: at other
    times somebody else reads the channel, and a call waits, as on AWS, where an environment is frozen between two runs.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._turn = threading.Lock()
        self._is_open = threading.Event()
        self._process = os.getpid()
        self.not_from_a_fork = (
            "A forked process of a function cannot call AWS here: call from the handler's own process."
        )
        """What a forked process is told, in the reader's language."""
        self.waits_there = False
        """Whether the other side waits between two tries of a call, and not this process."""

    def connect(self) -> None:
        """Put the wire in place. Imports botocore."""
        from bentocola.cloud.wires.in_process import InProcessWire

        InProcessWire(self._ask, self._wait).connect()

    def open(self) -> None:
        """Let calls through: the other side listens."""
        self._is_open.set()

    def close(self) -> None:
        """Hold calls back. Waits for the one that is under way."""
        with self._turn:
            self._is_open.clear()

    def _ask(self, request: Request) -> Response:
        head = [request.method, request.url, dict(request.headers)]
        (status, headers), body = self._send(CALL, head, request.body)
        return Response(status, headers, body)

    def _wait(self, seconds: float) -> None:
        """Wait between two tries of a call: as long as the other side does, if that has a time of its own."""
        if self.waits_there:
            self._send(WAIT, seconds)
        else:
            time.sleep(seconds)

    def _send(self, kind: bytes, head: Any, body: bytes = b"") -> tuple[Any, bytes]:
        if os.getpid() != self._process:
            raise RuntimeError(self.not_from_a_fork)
        parts = pack(head, body)
        while True:
            self._is_open.wait()
            with self._turn:
                if self._is_open.is_set():
                    self._channel.send(kind, *parts)
                    received = self._channel.receive()
                    break
        if received is None or received[0] != ANSWER:
            raise RuntimeError("The local cloud is gone.")
        return unpack(received[1])
