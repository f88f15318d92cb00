"""Two rooms that talk: calls with an answer, in both directions, nested, from any thread. Both ends use the same class.

It owns its connection, a thread that reads from it and one that writes to it. Nothing but JSON and bytes crosses (`frames`).

A call that A makes and the calls that B makes while it works on it are one chain. Each frame of B's says which of A's calls it
belongs to (`within`), and A runs it in the very thread that waits for that call, as if everything were in one process. What
belongs to no chain, say a request from a thread that a student started, runs where a thread waits already.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import socket
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from autograder import interrupts
from autograder.frames import MAX_FRAME_BYTES, Frame, ProtocolError, pack, unpack
from autograder.kept import keep
from autograder.records import Limits
from bentocola.errors import CourseError
from bentocola.messages import both

__all__ = ["ForkedError", "Peer", "PeerError", "PeerGone", "ProtocolError"]

keep(globals())

# Taken once: the code of a notebook may put something else into these modules.
_getpid, _exit, _close, _dup = os.getpid, os._exit, os.close, os.dup
_Thread, _SimpleQueue, _suppress, _socket = threading.Thread, queue.SimpleQueue, contextlib.suppress, socket.socket

Handler = Callable[[Any, bytes], Any]

_ANSWER, _FAULT = "answer", "fault"
_MAX_WAITING_BYTES = 2 * MAX_FRAME_BYTES
"""Of requests that nobody has got round to. An honest other side waits for an answer before it asks again."""
_TEXT_WEIGHS = 16
"""What JSON becomes takes so many times its memory."""
_MAX_WAITING = 100_000
_MAX_THREADS = 64
_SHORT = 16_000
"""Bytes that the system takes at once or not at all, also when a signal comes meanwhile."""


class PeerError(RuntimeError):
    """The other side could not answer: no such op, or its part broke. The message is the other side's."""


class PeerGone(RuntimeError):
    """The other side has ended, so that no answer will come."""


class ForkedError(CourseError, RuntimeError):
    """A copy of the process, made by fork, used a connection that only the original may use."""

    def __init__(self) -> None:
        super().__init__(
            both(
                "This process is a copy, made by fork. Only the process that runs the cell can ask for anything here. "
                "Use threads instead of forked processes."
            )
        )


class _Waiter:
    """A thread that waits: for the answer to one call, or for work."""

    __slots__ = ("answer", "answer_at", "busy", "inbox", "tokens")

    def __init__(self) -> None:
        self.busy = False  # of the thread in `serve`: whether it is running a request
        self.inbox: deque[tuple[int, Frame, int]] = deque()
        self.tokens: queue.SimpleQueue[None] = _SimpleQueue()
        self.answer: Frame | None = None
        self.answer_at = 0

    def wake(self) -> None:
        self.tokens.put(None)


_peers: weakref.WeakSet[Peer] = weakref.WeakSet()


def _close_in_copy() -> None:
    """A forked copy lets go of the pipes, so that the end of the original is seen at the other side."""
    for peer in list(_peers):
        peer._lose()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_copy)


class Peer:
    """One end of a connection. Methods may be used from any thread, unless they say otherwise."""

    def __init__(self, connection: Connection, *, limits: Limits, name: str) -> None:
        """`connection`: from `Pipe(duplex=True)`; from now on it is the peer's alone. `name`: of the other side, for messages."""
        self.name = name
        self.own_threads = False
        """Whether a request that belongs to no chain gets a thread of its own when the thread in `serve` is busy.

        For the candidate: there, what one thread of a test waits for may be what another brings.
        """
        self._connection = connection
        self._limits = limits
        self._pid = _getpid()
        self._handlers: dict[str, Handler] = {}
        self._at_once: set[str] = set()
        self._numbers = itertools.count(1)
        self._asked = 0
        self._calls: dict[int, _Waiter] = {}
        self._lock = threading.Lock()
        self._blocked: dict[_Waiter, None] = {}
        self._server: _Waiter | None = None
        self._common: deque[tuple[int, Frame, int]] = deque()
        self._arrived = 0
        self._waiting = self._waiting_bytes = 0
        self._threads = self._starting = 0
        self._here = threading.local()
        self._sending = threading.Lock()
        self._outgoing: queue.SimpleQueue[bytes | int | None] = _SimpleQueue()
        self._unsent = 0
        self._why: Exception | None = None
        self._end_seen = threading.Event()
        _peers.add(self)
        self._writer = _Thread(target=self._write_on, name=f"peer {name} writes", daemon=True)
        self._writer.start()
        _Thread(target=self._read_on, name=f"peer {name} reads", daemon=True).start()

    @property
    def gone(self) -> bool:
        """Whether the other side has ended, or sent what is no frame."""
        return self._end_seen.is_set()

    @property
    def why(self) -> Exception | None:
        """The ProtocolError that ended the connection, if one did."""
        return self._why

    def ended(self, timeout: float | None = None) -> bool:
        """Wait until the other side has ended, or for so many seconds; return whether it has."""
        return self._end_seen.wait(timeout)

    def handle(self, op: str, function: Handler, *, at_once: bool = False) -> None:
        """Let `function(head, body)` answer `op`, with a head or with a head and a body.

        `at_once`: in the thread that reads, for a notification that takes no time and touches nothing that a thread holds.
        What the function raises reaches the caller as a `PeerError`; of a notification it is dropped.
        """
        self._handlers[op] = function
        if at_once:
            self._at_once.add(op)

    def call(self, op: str, head: Any, body: bytes = b"") -> tuple[Any, bytes]:
        """Ask, wait, and return the answer's head and body. What belongs to this chain is served meanwhile.

        Raises PeerError, PeerGone, ProtocolError (the other side sent what is no frame), ForkedError (in a forked copy),
        RecursionError (calls nested deeper than the limits say), ValueError (a frame too long).
        """
        self._check()
        depth: int = getattr(self._here, "depth", 0)
        if depth >= self._limits.nesting:
            raise RecursionError(f"Calls between the two processes are nested deeper than {self._limits.nesting}.")
        with interrupts.held():
            number = next(self._numbers)
            data = pack(op, number, self._within(), head, body)
            waiter = _Waiter()
            self._calls[number] = waiter
            self._asked = max(self._asked, number)
            self._here.depth = depth + 1
            try:
                self._send(data)
                answer = self._wait(waiter)
            finally:
                self._here.depth = depth
                self._abandon(number, waiter)
        if answer.op == _FAULT:
            raise PeerError(str(answer.head)[:2000])
        return answer.head, answer.body

    def notify(self, op: str, head: Any, body: bytes = b"") -> None:
        """Say something that needs no answer. Raises as `call` does, where it can be known already."""
        self._check()
        data = pack(op, None, self._within(), head, body)
        self._send(data)

    def serve(self, *others: Peer) -> None:
        """Serve what belongs to no chain, of this peer and of the others, until this one's other side has gone.

        The main loop of a room: it belongs into the main thread. A SIGINT that comes while nothing runs is dropped. Raises
        ProtocolError when this peer's other side sent what is no frame.
        """
        server, peers = _Waiter(), (self, *others)
        with interrupts.held():
            for peer in peers:
                peer._server = server
            try:
                while not self._serve_waiting(peers, server):
                    with interrupts.idle():
                        server.tokens.get()
                    for peer in peers:
                        peer._unblock(server)
            finally:
                for peer in peers:
                    peer._server = None
                    peer._unblock(server)
        if self._why is not None:
            raise self._why

    def close(self) -> None:
        """Send what is still to be sent, and end the connection: the other side sees that this one has gone."""
        self._outgoing.put(None)
        self._writer.join(timeout=1)
        self._end(None)

    # What follows runs with SIGINT held, or in a thread that gets none.

    def _serve_waiting(self, peers: tuple[Peer, ...], server: _Waiter) -> bool:
        """Serve what is there. Return True when this peer's other side has gone, False when there is nothing but to wait."""
        while True:
            gone = self.gone  # asked first: what came before the end is served
            served = [peer._serve_common(server=server) for peer in peers]
            if any(served):
                continue
            if gone:
                return True
            for peer in peers:
                if not peer._block(server):
                    break
            else:
                return False
            for peer in peers:
                peer._unblock(server)

    def _wait(self, waiter: _Waiter) -> Frame:
        while True:
            gone = self.gone
            while waiter.inbox:
                interrupts.check()
                if not self.own_threads:
                    # In the order in which they came: what two threads of the other side put out is one stream.
                    while self._serve_common(waiter.inbox[0][0]):
                        pass
                _, frame, size = waiter.inbox.popleft()
                self._taken(size)
                self._run(frame)
            if not self.own_threads:
                while self._serve_common(waiter.answer_at if waiter.answer else None):
                    pass
            if waiter.inbox:
                continue
            if waiter.answer is not None:
                return waiter.answer
            if gone:
                raise self._why or PeerGone(f"The other side ({self.name}) has ended; its answer will not come.")
            if self._block(waiter):
                try:
                    with interrupts.waiting():
                        waiter.tokens.get()
                finally:
                    self._unblock(waiter)

    def _block(self, waiter: _Waiter) -> bool:
        """Note that a thread is about to wait; False when there is something to do after all."""
        with self._lock:
            takes_common = waiter is self._server or not self.own_threads
            if waiter.inbox or waiter.answer is not None or (takes_common and self._common):
                return False
            if self.gone and waiter is not self._server:
                return False
            self._blocked[waiter] = None
            return True

    def _unblock(self, waiter: _Waiter) -> None:
        with self._lock:
            self._blocked.pop(waiter, None)

    def _serve_common(self, before: int | None = None, server: _Waiter | None = None) -> bool:
        """Run one request that belongs to no chain, if there is one that arrived before that; say whether there was."""
        with self._lock:
            if not self._common or (before is not None and self._common[0][0] >= before):
                return False
            _, frame, size = self._common.popleft()
            self._waiting -= 1
            self._waiting_bytes -= size
            if server is not None:
                server.busy = True
                if self.own_threads:
                    self._add_threads()
        self._run(frame, server)
        return True

    def _abandon(self, number: int, waiter: _Waiter) -> None:
        """A call is over. Usually nothing is left of it; after an interrupt there may be."""
        with self._lock:
            del self._calls[number]
            left = list(waiter.inbox)
        for _, frame, size in left:
            self._taken(size)
            self._outside_chain(frame, size)
        if self._common:
            self._wake_somebody()

    def _run(self, frame: Frame, server: _Waiter | None = None) -> None:
        """Run a request in this thread, and send its answer."""
        here = self._here
        before = getattr(here, "within", None)
        here.within = frame.id
        head: Any
        try:
            handler = self._handlers.get(frame.op)
            if handler is None:
                raise LookupError(f"Nothing here answers {frame.op[:100]!r}.")
            with interrupts.let_go():
                head = handler(frame.head, frame.body)
            op, body = _ANSWER, b""
            if type(head) is tuple:
                head, body = head
        except BaseException as error:  # whatever it is, somebody waits for an answer
            op, head, body = _FAULT, f"{type(error).__name__}: {error}"[:2000], b""
        finally:
            here.within = before
            if server is not None:
                server.busy = False  # before the answer goes out: what it brings next belongs into this thread
        if _getpid() != self._pid:
            _exit(0)  # a forked copy that came back from the code it was made in: its work is done
        if frame.id is not None and not self.gone:
            try:
                self._answer(frame.id, op, head, body)
            except BaseException:
                # As deep in a recursion as can be, say. Somebody waits: the thread that writes has room to tell so.
                self._outgoing.put(frame.id)
                raise

    def _answer(self, number: int, op: str, head: Any, body: bytes = b"") -> None:
        try:
            data = pack(op, number, None, head, body)
        except (TypeError, ValueError, RecursionError) as error:
            data = pack(_FAULT, number, None, f"{type(error).__name__}: {error}"[:2000])
        self._send(data)

    def _send(self, data: bytes) -> None:
        """Send a frame, in this thread if that cannot be cut short by a signal, or leave it to the thread that writes."""
        if len(data) <= _SHORT and not self._unsent and self._sending.acquire(blocking=False):
            try:
                if not self._unsent:
                    with _suppress(OSError, ValueError):  # the thread that reads sees that the other side has gone
                        self._connection.send_bytes(data)
                    return
            finally:
                self._sending.release()
        with self._lock:
            self._unsent += 1
        self._outgoing.put(data)

    def _within(self) -> int | None:
        return getattr(self._here, "within", None)

    def _check(self) -> None:
        if _getpid() != self._pid:
            raise ForkedError
        if self.gone:
            raise self._why or PeerGone(f"The other side ({self.name}) has ended; nothing can be asked of it.")

    # What follows runs in the two threads of the connection.

    def _read_on(self) -> None:
        try:
            while True:
                data = self._connection.recv_bytes(MAX_FRAME_BYTES)
                size, frame = len(data), unpack(data)
                del data  # while the next one is waited for
                self._sort(frame, len(frame.body) + _TEXT_WEIGHS * (size - len(frame.body)))
                del frame
        except ProtocolError as error:
            self._end(error)
        except OSError as error:  # EOFError is one of them, for `Connection` at least
            too_long = error.args == ("bad message length",)
            self._end(ProtocolError("A frame is longer than is allowed.") if too_long else None)
        except MemoryError:
            self._end(ProtocolError("A frame takes more memory than there is."))
        except EOFError:
            self._end(None)
        except Exception as error:
            # Closed here, under the read; or a mistake of ours, after which nothing more would be read.
            closed = self._connection.closed
            self._end(None if closed else ProtocolError(f"A frame could not be taken: {type(error).__name__}"))

    def _write_on(self) -> None:
        try:
            while (data := self._outgoing.get()) is not None:
                failed = type(data) is int
                text = pack(_FAULT, data, None, "The answer could not be given.") if isinstance(data, int) else data
                with self._sending:
                    self._connection.send_bytes(text)
                if not failed:
                    with self._lock:
                        self._unsent -= 1
            if sys.platform != "win32":
                # Closing alone would not end the read that the other thread is in.
                with _socket(fileno=_dup(self._connection.fileno())) as end:
                    end.shutdown(socket.SHUT_RDWR)
            self._connection.close()
        except (OSError, ValueError):
            # The other side has gone; the thread that reads will see it when it has read all that was sent before.
            pass

    def _sort(self, frame: Frame, size: int) -> None:
        """Hand a frame to whom it belongs. `size`: what it takes while it waits, in bytes."""
        self._arrived += 1
        if frame.op in (_ANSWER, _FAULT):
            waiter = self._calls.get(frame.id) if frame.id is not None else None
            if waiter is not None:
                waiter.answer_at = self._arrived
                waiter.answer = frame
                waiter.wake()
            elif frame.id is None or frame.id > self._asked:
                raise ProtocolError("An answer came to a call that nobody made.")
            return
        if frame.id is None and frame.op in self._at_once:
            # Whatever it raises, what comes after it is still to be read.
            with _suppress(Exception):
                self._handlers[frame.op](frame.head, frame.body)
            return
        if frame.within is not None:
            with self._lock:
                waiter = self._calls.get(frame.within)
                if waiter is not None:
                    waiter.inbox.append((self._arrived, frame, size))
                    self._count(size)
                    waiter.wake()
                    return
        self._outside_chain(frame, size)

    def _count(self, size: int) -> None:
        """Count a frame that is to wait. Under the lock. Raises ProtocolError when too much waits; one may be of any size."""
        self._waiting += 1
        self._waiting_bytes += size
        if self._waiting > _MAX_WAITING or (self._waiting > 1 and self._waiting_bytes > _MAX_WAITING_BYTES):
            raise ProtocolError("More requests came than can wait.")

    def _taken(self, size: int) -> None:
        with self._lock:
            self._waiting -= 1
            self._waiting_bytes -= size

    def _outside_chain(self, frame: Frame, size: int) -> None:
        if frame.within is not None and frame.id is not None:
            self._answer(frame.id, _FAULT, "The call that this belonged to was given up.")
            return
        with self._lock:
            self._common.append((self._arrived, frame, size))
            self._count(size)
        self._wake_somebody()

    def _wake_somebody(self) -> None:
        """Wake a thread that can serve what belongs to no chain. When all are busy, the first that comes to wait will see it."""
        with self._lock:
            if self.own_threads:
                if self._server is not None and not self._server.busy:
                    self._server.wake()
                self._add_threads()
            elif self._blocked:
                waiter, _ = self._blocked.popitem()  # the last one that came: the innermost of its thread
                waiter.wake()

    def _add_threads(self) -> None:
        """Start a thread for each request that neither the thread in `serve` nor one just started will take. Under the lock."""
        if self._server is None:
            return
        taken = self._starting + (not self._server.busy)
        while taken < len(self._common) and self._threads < _MAX_THREADS:
            try:
                _Thread(target=self._serve_aside, name=f"peer {self.name} serves", daemon=True).start()
            except RuntimeError:  # as many threads as the system gives: it has to wait for one of them
                return
            taken += 1
            self._starting += 1
            self._threads += 1

    def _serve_aside(self) -> None:
        """Serve in a thread of its own, until there is nothing more."""
        with self._lock:
            self._starting -= 1
        while True:
            while self._serve_common():
                pass
            with self._lock:
                if not self._common:
                    self._threads -= 1
                    return

    def _end(self, why: Exception | None) -> None:
        if self._end_seen.is_set():
            return
        self._why = why
        self._end_seen.set()
        with self._lock:
            waiters = [*self._calls.values(), *([self._server] if self._server else [])]
        for waiter in waiters:
            waiter.wake()

    def _lose(self) -> None:
        """In a forked copy: let go of the connection. Other threads do not exist there, and locks may be held for ever."""
        try:
            _close(self._connection.fileno())
            self._connection._handle = None  # type: ignore[attr-defined]
        except (OSError, ValueError):
            pass
