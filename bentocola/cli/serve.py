"""`bentocola serve`: a live local cloud over HTTP, until it is told to end; and the parts of it that a lab needs too.

It starts the cloud, the wire and the warm `aws` process, and takes all of them away again, with the files that tell of them.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bentocola.cli import places, ready
from bentocola.cli.language import CommandError, of_environment, say, speak, tell
from bentocola.cli.options import Parser, port
from bentocola.cli.surroundings import prepared
from bentocola.messages import LANGUAGES, listed
from bentocola.reasons import why

if TYPE_CHECKING:
    from bentocola.cloud.cloud import Cloud
    from bentocola.cloud.door import Request, Response

__all__ = [
    "Hosted",
    "chosen_language",
    "host",
    "is_free",
    "leave_waiting_threads",
    "serve",
    "start_cloud",
    "until_told",
]

_LOOK_SECONDS = 0.1
"""How often it looks whether it is to end."""
_PATIENCE_SECONDS = 5
"""How long an ended process is waited for before it is killed."""


class Hosted(Protocol):
    """What answers behind the wire, until `stop`."""

    def handle(self, request: Request) -> Response:
        """Answer an AWS request."""

    def control(self, request: Request) -> Response:
        """Answer a request to the control door."""

    def stop(self) -> None:
        """End the cloud."""


def serve(arguments: list[str]) -> int:
    """Serve until SIGINT or SIGTERM. Raises CommandError when it cannot begin."""
    parser = Parser("serve")
    parser.add_argument("--port", default=str(ready.DEFAULT_PORT))
    parser.add_argument("--ready-file")
    parser.add_argument("--language")
    options = parser.parse(arguments)
    language = chosen_language(options.language)
    number = port(options.port)
    edition = language or of_environment() or LANGUAGES[0]
    files = [Path(options.ready_file)] if options.ready_file is not None else []
    in_use = say(
        "Port {port} is in use. Choose another with --port, or let a free one be found: bentocola serve --port 0",
        port=number,
    )
    with until_told() as told, ExitStack() as stack:
        found = host(
            stack,
            lambda endpoint: _Plain(start_cloud(edition)),
            number=number,
            in_use=in_use,
            edition=edition,
            language=language,
            files=files,
        )
        tell(say("The local cloud answers at {endpoint}. Ctrl+C ends it.", endpoint=found.endpoint))
        told.wait()
    tell(say("The local cloud has ended, and what it held is gone."))
    leave_waiting_threads()
    return 0


def chosen_language(given: str | None) -> str | None:
    """Speak the language that was asked for, and return it. Raises CommandError for another."""
    if given not in (None, *LANGUAGES):
        raise CommandError(say("--language expects {choices}; it got '{got}'.", choices=listed(LANGUAGES), got=given))
    speak(given)
    return given


class _Plain:
    """A cloud with nothing beside it."""

    def __init__(self, cloud: Cloud) -> None:
        from bentocola.cli.control import Control

        self.handle = cloud.handle
        self.control = Control(cloud)
        self.stop = cloud.stop


def leave_waiting_threads() -> None:
    """A request that still waits, say a long poll, has a thread, for which Python would wait: end without."""
    others = [one for one in threading.enumerate() if one is not threading.main_thread() and not one.daemon]
    for one in others:
        one.join(_PATIENCE_SECONDS / 10)
    if any(one.is_alive() for one in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def host(
    stack: ExitStack,
    make: Callable[[str], Hosted],
    *,
    number: int,
    in_use: str,
    edition: str,
    language: str | None,
    files: Sequence[Path],
    lab: dict[str, str] | None = None,
) -> ready.Ready:
    """Begin all, and leave in `stack` how each ends. `make(endpoint)` starts the cloud; `files`: the ready files to write.

    Raises CommandError: with `in_use` when another program has the port, or when a file cannot be written.
    """
    from bentocola.cloud import leftovers
    from bentocola.cloud.environment import FAKE
    from bentocola.cloud.wires.http import HttpWire

    hosted: Hosted  # once it is made, and before anybody asks
    # Before the cloud: who cannot listen need not wait for it.
    wire = HttpWire(
        lambda request: hosted.handle(request), port=number, say=say, control=lambda request: hosted.control(request)
    )
    with _port_in_words(number, in_use):
        wire.bind()
    stack.callback(wire.disconnect)
    leftovers.sweep()
    for file in files:
        _check_writable(file)
    course = {**FAKE, "AWS_ENDPOINT_URL": wire.endpoint}
    if language:
        course["BENTOCOLA_LANGUAGE"] = language
    folder = _folder(wire.port, stack)
    aws = ""
    if folder is not None:
        socket_file = folder / _socket_name(lab)
        aws = stack.enter_context(_warm_aws(socket_file, prepared(os.environ, course)))
    hosted = make(wire.endpoint)
    stack.callback(hosted.stop)
    wire.connect()
    stack.callback(wire.disconnect)  # before the cloud ends, too
    found = ready.Ready(wire.endpoint, os.getpid(), edition, course, aws, lab)
    if folder is not None:
        ready.write(folder / "ready.json", found)
    for file in files:
        try:
            ready.write(file, found)
        except OSError as error:
            raise _unwritable(file, error) from None
        stack.callback(_remove_own, file, found)
    return found


def is_free(number: int) -> bool:
    """Whether nobody has a port."""
    with socket.socket() as probe:
        if os.name != "nt":  # a connection that has just ended leaves it free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", number))
        except OSError:
            return False
    return True


def start_cloud(edition: str) -> Cloud:
    """Start a live cloud. What it would say of a notebook goes unsaid."""
    from bentocola.cloud.imports import quick

    with quick(), contextlib.redirect_stdout(io.StringIO()):
        from bentocola.cloud.cloud import start

        return start(edition, live=True)


def _folder(port: int, stack: ExitStack) -> Path | None:
    """The folder for the socket and for whoever looks by the port; None where there can be none, and aws takes longer."""
    try:
        folder = places.private_folder(port)
    except OSError:
        return None
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    with suppress(OSError):
        for left in folder.glob("aws*"):  # of a cloud that was killed
            left.unlink()
    return folder


def _socket_name(lab: dict[str, str] | None) -> str:
    """The same for a lab that is started again, and another for another lab: an open shell's `aws` finds its own, or none."""
    if lab is None:
        return "aws"
    return f"aws-{hashlib.sha256(ready.identity(lab).encode()).hexdigest()[:12]}"


class Told:
    """Whether this program is to end."""

    def __init__(self) -> None:
        self.is_so = False

    def end(self) -> None:
        """Have it end."""
        self.is_so = True

    def wait(self, also: Callable[[], bool] = lambda: False) -> None:
        """Wait until it is so, or until `also` says so."""
        # Not a lock's wait: a signal that another thread gets does not end it, and its own lock is no place for a handler.
        while not (self.is_so or also()):
            time.sleep(_LOOK_SECONDS)


@contextmanager
def until_told() -> Iterator[Told]:
    """While this lasts, the signals that end a program are told instead."""
    told = Told()
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    former = {}
    for name in names:
        number = signal.Signals[name]
        if signal.getsignal(number) != signal.SIG_IGN or name != "SIGHUP":  # as nohup leaves it
            former[number] = signal.signal(number, lambda number, frame: told.end())
    try:
        yield told
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


@contextmanager
def _port_in_words(number: int, in_use: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", None)):
            raise CommandError(in_use) from None
        raise CommandError(
            say(
                "The local cloud cannot listen on port {port}: {why}. Choose another with --port.",
                port=number,
                why=why(error),
            )
        ) from None


@contextmanager
def _warm_aws(file: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Run the warm `aws` process; give its socket, or an empty text where the system cannot have one."""
    path = os.fspath(file)
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
        raise _unwritable(file, IsADirectoryError(errno.EISDIR, ""))
    try:
        probe = file.parent / f".{file.name}.{os.getpid()}"
        probe.touch()
        probe.unlink()
        file.unlink(missing_ok=True)  # one of an earlier cloud would look as if this one answered
    except OSError as error:
        raise _unwritable(file, error) from None


def _unwritable(file: Path, error: OSError) -> CommandError:
    return CommandError(
        say(
            "The ready file {path} cannot be written: {why}. Choose another with --ready-file.",
            path=file,
            why=why(error),
        )
    )


def _remove_own(file: Path, found: ready.Ready) -> None:
    """Remove the ready file, unless it is another cloud's by now."""
    with suppress(CommandError, OSError):
        if ready.read(file).pid == found.pid:
            file.unlink()
