"""`bentocola serve`: a live local cloud over HTTP, until it is told to end.

It starts the cloud, the wire and the warm `aws` process, and takes all of them away again, with the files that tell of them.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import inspect
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from bentocola.cli import ready
from bentocola.cli.language import CommandError, of_environment, say, speak, tell
from bentocola.cli.options import Parser, port
from bentocola.cli.surroundings import prepared
from bentocola.messages import LANGUAGES

__all__ = ["serve"]

_LOOK_SECONDS = 0.1
"""How often it looks whether it is to end."""
_PATIENCE_SECONDS = 5
"""How long an ended process is waited for before it is killed."""


def serve(arguments: list[str]) -> int:
    """Serve until SIGINT or SIGTERM. Raises CommandError when it cannot begin."""
    parser = Parser("serve")
    parser.add_argument("--port", default=str(ready.DEFAULT_PORT))
    parser.add_argument("--ready-file", type=Path)
    parser.add_argument("--language")
    options = parser.parse(arguments)
    number = port(options.port)
    if options.language not in (None, *LANGUAGES):
        raise CommandError(
            say("--language expects {choices}; it got '{got}'.", choices=", ".join(LANGUAGES), got=options.language)
        )
    speak(options.language)
    if options.ready_file is not None:
        _check_writable(options.ready_file)
    signals: list[int] = []
    with _until_told(signals), ExitStack() as stack:
        _serve(options, number, stack)
        # Not a lock's wait: a signal that another thread gets does not end it, and its own lock is no place for a handler.
        while not signals:
            time.sleep(_LOOK_SECONDS)
    tell(say("The local cloud has ended, and what it held is gone."))
    _leave_waiting_threads()
    return 0


def _leave_waiting_threads() -> None:
    """A request that still waits, say a long poll, has a thread, for which Python would wait: end without."""
    others = [one for one in threading.enumerate() if one is not threading.main_thread() and not one.daemon]
    for one in others:
        one.join(_PATIENCE_SECONDS / 10)
    if any(one.is_alive() for one in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _serve(options: argparse.Namespace, number: int, stack: ExitStack) -> None:
    """Begin all, and leave in `stack` how each ends."""
    from bentocola.cloud.environment import FAKE
    from bentocola.cloud.wires.http import HttpWire

    edition = options.language or of_environment() or LANGUAGES[0]
    # Before the cloud: who cannot listen need not wait for it.
    wire = HttpWire(
        lambda request: cloud.handle(request), port=number, say=say, control=lambda request: control(request)
    )
    with _port_in_words(number):
        wire.bind()
    stack.callback(wire.disconnect)
    course = {**FAKE, "AWS_ENDPOINT_URL": wire.endpoint}
    if options.language:
        course["BENTOCOLA_LANGUAGE"] = options.language
    folder = _folder(wire.port, stack)
    aws = stack.enter_context(_warm_aws(folder, prepared(os.environ, course))) if folder is not None else ""
    cloud = _start(edition)
    stack.callback(cloud.stop)
    from bentocola.cli.control import Control

    control = Control(cloud)
    wire.connect()
    stack.callback(wire.disconnect)  # before the cloud ends, too
    found = ready.Ready(wire.endpoint, os.getpid(), edition, course, aws)
    if folder is not None:
        ready.write(folder / "ready.json", found)
    if options.ready_file is not None:
        try:
            ready.write(options.ready_file, found)
        except OSError as error:
            raise _unwritable(options.ready_file, error) from None
        stack.callback(_remove_own, options.ready_file, found)
    tell(say("The local cloud answers at {endpoint}. Ctrl+C ends it.", endpoint=wire.endpoint))


def _start(edition: str) -> Any:
    """Start the cloud. What it would say of a notebook goes unsaid."""
    from bentocola.cloud.imports import quick

    with quick(), contextlib.redirect_stdout(io.StringIO()):
        from bentocola.cloud.cloud import start

        live: dict[str, Any] = {"live": True} if "live" in inspect.signature(start).parameters else {}
        return start(edition, **live)


def _folder(port: int, stack: ExitStack) -> Path | None:
    """The folder for the socket and for whoever looks by the port; None where there can be none, and aws takes longer."""
    try:
        folder = ready.private_folder(port)
    except OSError:
        return None
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    return folder


@contextmanager
def _until_told(signals: list[int]) -> Iterator[None]:
    """While this lasts, the signals that end a program are kept in `signals`."""
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    former = {}
    for name in names:
        number = signal.Signals[name]
        if signal.getsignal(number) != signal.SIG_IGN or name != "SIGHUP":  # as nohup leaves it
            former[number] = signal.signal(number, lambda number, frame: signals.append(number))
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


@contextmanager
def _port_in_words(number: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", None)):
            raise CommandError(
                say(
                    "Port {port} is in use. Choose another with --port, or let a free one be found: "
                    "bentocola serve --port 0",
                    port=number,
                )
            ) from None
        raise CommandError(
            say(
                "The local cloud cannot listen on port {port}: {why}. Choose another with --port.",
                port=number,
                why=error.strerror or error,
            )
        ) from None


@contextmanager
def _warm_aws(folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Run the warm `aws` process; give its socket, or an empty text where the system cannot have one."""
    path = os.fspath(folder / "aws")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            with suppress(FileNotFoundError):
                os.unlink(path)
            listener.bind(path)
            listener.listen(64)
            process = subprocess.Popen(
                [sys.executable, "-I", "-m", "bentocola.cli.aws.warm", str(listener.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env=environment,
                pass_fds=[listener.fileno()],
                start_new_session=True,  # Ctrl+C is for this process, which then ends that one
            )
    except (AttributeError, OSError, ValueError):  # Windows; a path that is too long for a socket
        yield ""
        return
    try:
        yield path
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _check_writable(file: Path) -> None:
    """Raise CommandError for a file that could not be written when the time comes."""
    if file.is_dir():
        raise _unwritable(file, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    try:
        probe = file.parent / f".{file.name}.{os.getpid()}"
        probe.touch()
        probe.unlink()
        file.unlink(missing_ok=True)  # one of an earlier cloud would look as if this one answered
    except OSError as error:
        raise _unwritable(file, error) from None


def _unwritable(file: Path, error: OSError) -> CommandError:
    return CommandError(
        say("The ready file {path} cannot be written: {why}.", path=file, why=error.strerror or str(error))
    )


def _remove_own(file: Path, found: ready.Ready) -> None:
    """Remove the ready file, unless it is another cloud's by now."""
    with suppress(CommandError, OSError):
        if ready.read(file).pid == found.pid:
            file.unlink()
