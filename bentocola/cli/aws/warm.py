"""The warm process: it has awscli loaded, listens on a socket, and forks once a command.

`python -I -m bentocola.cli.aws.warm NUMBER`, with a listening socket's file number, in the course's environment and with a
pipe as its standard input: when whoever started it closes the pipe, or dies, it ends and its commands with it. It has no
threads, for it forks; the commands may.

A command comes as 8 bytes of length, with the files 0, 1, 2 and the working folder beside them, then as texts between zero
bytes: umask, how many words, the words (endpoint, arguments), the environment. The answer is "+" once it runs, then "e" and
its exit status or "s" and the signal that ended it. In between, each byte that comes is a signal for it.
"""

from __future__ import annotations

import array
import gc
import io
import locale
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from typing import NoReturn, TextIO, cast

from bentocola.cli.aws import driver

__all__ = ["main"]

_FILES = 4
_LONGEST = 64 * 1024 * 1024
"""Far above what any system lets a program be started with."""


@dataclass(eq=False)
class _Asked:
    """A connection, and what came over it so far."""

    connection: socket.socket
    files: list[int] = field(default_factory=list)
    came: bytearray = field(default_factory=bytearray)
    process: int | None = None

    def is_whole(self) -> bool:
        return len(self.came) >= 8 and len(self.came) >= 8 + int.from_bytes(self.came[:8], "big")

    def close(self) -> None:
        for number in self.files:
            os.close(number)
        self.files = []
        self.connection.close()


class _Server:
    def __init__(self, listener: socket.socket) -> None:
        self._selector = selectors.DefaultSelector()
        self._asked: set[_Asked] = set()
        self._listener = listener

    def serve(self) -> None:
        """Answer until standard input ends."""
        woken, waker = socket.socketpair()
        for one in (woken, waker, self._listener):
            one.setblocking(False)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        for source in (self._listener, woken, sys.stdin.fileno()):
            self._selector.register(source, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if isinstance(key.data, _Asked):
                    self._hear(key.data)
                elif key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is woken:
                    woken.recv(4096)
                elif not os.read(sys.stdin.fileno(), 1):
                    self._end()
                    return
            self._reap()

    def _accept(self) -> None:
        with suppress(BlockingIOError):
            connection, _ = self._listener.accept()
            connection.setblocking(False)
            asked = _Asked(connection)
            self._asked.add(asked)
            self._selector.register(connection, selectors.EVENT_READ, asked)

    def _hear(self, asked: _Asked) -> None:
        try:
            came, beside, _, _ = asked.connection.recvmsg(65536, socket.CMSG_SPACE(_FILES * 4))
        except BlockingIOError:
            return
        except OSError:
            came, beside = b"", []
        for level, kind, data in beside:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                asked.files += array.array("i", data[: len(data) - len(data) % 4]).tolist()
        if not came:  # who asked has gone: nobody reads what the command would say
            if asked.process is None:
                self._forget(asked)
            else:
                self._selector.unregister(asked.connection)
                _signal(asked.process, signal.SIGHUP)
        elif asked.process is not None:
            for number in came:
                _signal(asked.process, number)
        else:
            asked.came += came
            if len(asked.came) > _LONGEST:
                self._forget(asked)
            elif asked.is_whole():
                self._start(asked)

    def _start(self, asked: _Asked) -> None:
        if len(asked.files) != _FILES:
            self._forget(asked)
            return
        try:
            process = os.fork()
        except OSError:  # no room for one more: the client finds its own way
            self._forget(asked)
            return
        if process == 0:
            self._become(asked)
        asked.process = process
        for number in asked.files:
            os.close(number)
        asked.files, asked.came = [], bytearray()
        with suppress(OSError):
            asked.connection.send(b"+")

    def _become(self, asked: _Asked) -> NoReturn:
        """Be the command, from here to the process's end."""
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            for name in ("SIGCHLD", "SIGTERM", "SIGHUP", "SIGQUIT"):
                signal.signal(signal.Signals[name], signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._selector.close()
            self._listener.close()
            for other in self._asked - {asked}:
                other.close()
            asked.connection.close()
            status = _run(bytes(asked.came[8:]), asked.files)
        except KeyboardInterrupt:
            status = 130
        except BaseException:
            traceback.print_exc()
        finally:
            for stream in (sys.stdout, sys.stderr):
                with suppress(Exception):
                    stream.flush()
            os._exit(status & 0xFF)

    def _reap(self) -> None:
        """Tell the clients of the commands that have ended."""
        for asked in [asked for asked in self._asked if asked.process is not None]:
            try:
                process, status = os.waitpid(asked.process or 0, os.WNOHANG)
            except ChildProcessError:
                process, status = asked.process or 0, 0
            if not process:
                continue
            ended = (
                b"s" + bytes([os.WTERMSIG(status)])
                if os.WIFSIGNALED(status)
                else b"e" + bytes([os.WEXITSTATUS(status)])
            )
            with suppress(OSError):
                asked.connection.send(ended)
            self._forget(asked)

    def _forget(self, asked: _Asked) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(asked.connection)
        self._asked.discard(asked)
        asked.close()

    def _end(self) -> None:
        processes = [asked.process for asked in self._asked if asked.process is not None]
        for process in processes:
            _signal(process, signal.SIGTERM)
            _signal(process, signal.SIGCONT)
        for process in processes:
            with suppress(ChildProcessError):
                os.waitpid(process, 0)


def _signal(process: int, number: int) -> None:
    with suppress(ProcessLookupError, ValueError, OSError):
        os.kill(process, number)


def _run(message: bytes, files: list[int]) -> int:
    """Take over who asked's files, folder, umask and environment, and run the command."""
    umask, count, *rest = message.split(b"\0")
    words = [os.fsdecode(word) for word in rest[: int(count)]]
    endpoint, *arguments = words
    os.umask(int(umask))
    os.fchdir(files[3])
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    pairs = (variable.partition(b"=") for variable in rest[int(count) :])
    settings = {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
    os.environ.clear()
    os.environ.update(settings)
    time.tzset()
    _set_streams()
    gc.unfreeze()
    gc.set_threshold(100_000, 50, 50)
    return driver.run(arguments, endpoint)


def _set_streams() -> None:
    """Read and write as a Python that was started with this locale would; C means UTF-8 (PEP 538)."""
    with suppress(locale.Error):
        locale.setlocale(locale.LC_CTYPE, "")
    encoding = os.environ.get("PYTHONIOENCODING", "").partition(":")[0] or locale.getencoding()
    if encoding.upper() in ("ANSI_X3.4-1968", "ASCII", "US-ASCII", "646"):
        with suppress(locale.Error):
            locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
        encoding = "utf-8"
    # New ones: the old know of files that can be sought in, and these may be pipes.
    sys.stdin = _stream(0, "r", encoding, "surrogateescape", buffering=-1)
    sys.stdout = _stream(1, "w", encoding, "surrogateescape", buffering=-1)
    sys.stderr = _stream(2, "w", encoding, "backslashreplace", buffering=1)


def _stream(number: int, mode: str, encoding: str, errors: str, buffering: int) -> TextIO:
    return cast("TextIO", os.fdopen(number, mode, buffering, encoding, errors, closefd=False))


_REHEARSED = {
    "sqs list-queues": b"{}",
    "s3api list-buckets": b"<a/>",
    "s3 ls": b"<a/>",
    "dynamodb list-tables": b"{}",
    "lambda list-functions": b"{}",
    "logs describe-log-groups": b"{}",
    "iam list-roles": b"<a/>",
    "sts get-caller-identity": b"<a/>",
}
"""A command for each service that the local cloud has, and the body of an answer that says nothing."""


def _rehearse() -> None:
    """Run a command for each service, with an answer from here, so that all that commands need is in memory."""
    from botocore.awsrequest import AWSResponse
    from botocore.httpsession import URLLib3Session

    class Answer:
        def __init__(self, body: bytes) -> None:
            self._body = body

        def stream(self, **options: object) -> list[bytes]:
            return [self._body]

    real = URLLib3Session.send
    try:
        for command, body in _REHEARSED.items():
            URLLib3Session.send = lambda session, request, body=body: AWSResponse(request.url, 200, {}, Answer(body))
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), suppress(Exception, SystemExit):
                driver.new_driver("http://127.0.0.1:1").main(command.split())
    finally:
        URLLib3Session.send = real


def main() -> int:
    """Load everything and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the command, or for whoever started this
    listener = socket.socket(fileno=int(sys.argv[1]))  # who connects before this is ready waits in its queue
    listener.set_inheritable(False)
    _rehearse()
    gc.collect()
    gc.freeze()
    _Server(listener).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
