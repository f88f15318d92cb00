"""A function's own process: a program, started by `processes` with a pipe to it and one back.

It starts without site-packages: a function finds the standard library, boto3 and what belongs to it, and its own package, as on
AWS. Its calls to AWS go through the pipe (`wires.pipe`), and nothing else reaches AWS (`wires.guard`). All that it, a thread or a
process of its own, or a library in C writes to stdout and stderr goes through the pipe as well, in order, and ends in the log.

When the pipe breaks, the process ends, and those that it started with it.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import json
import logging
import os
import select
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bentocola.cloud.functions.handling import Handler, LogHandler, Paths
    from bentocola.cloud.wires.pipe import Channel, PipeWire

INIT, RUN, READY, DONE, LOG, EVENT, MEMORY = b"I", b"R", b"Y", b"D", b"L", b"E", b"M"
"""The kinds of frame beside the wire's own: two that come, and five that go."""

SHIPPED = ("boto3", "botocore", "dateutil", "jmespath", "s3transfer", "six", "urllib3")
"""What Lambda's Python runtime brings along: https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html."""

_MEGABYTE = 1_048_576
_LONGEST = 6_291_557
"""One byte more than an answer may have: that it is too long is all that is asked."""
_WINDOWS = sys.platform == "win32"


class Shipped:
    """Finds the packages of `SHIPPED` in their folders, and none that lies beside them there."""

    def __init__(self, folders: list[str]) -> None:
        self._folders = folders

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find a module. Modules inside of a package are found by the package."""
        return PathFinder.find_spec(name, self._folders) if name in SHIPPED else None


class Log:
    """What is written in this process, on its way through the channel: by Python at once, by others through a pipe of our own.

    Before Python writes, what others wrote is taken from the pipe, so that the order stays. A thread takes it otherwise.
    """

    def __init__(self, channel: Channel, pipe: int) -> None:
        self._channel = channel
        self._pipe = pipe
        self._lock = threading.RLock()
        self._process = os.getpid()

    def write(self, data: bytes) -> None:
        """Send what was written to stdout or stderr."""
        if os.getpid() != self._process:  # a fork: the channel is not its own, but the pipe is
            os.write(1, data)
            return
        with self._lock:
            self.drain()
            self._channel.send(LOG, data)

    def event(self, text: str) -> None:
        """Send one event of the log."""
        data = text.encode(errors="backslashreplace")
        if os.getpid() != self._process:
            os.write(1, data)
            return
        with self._lock:
            self.drain()
            self._channel.send(EVENT, data)

    def drain(self) -> None:
        """Send what waits in the pipe."""
        with self._lock:
            while waiting := self._waiting():
                self._channel.send(LOG, waiting)

    def _waiting(self) -> bytes:
        try:
            if _WINDOWS and not _peek(self._pipe):
                return b""
            return os.read(self._pipe, 65536)
        except BlockingIOError:
            return b""


def _peek(pipe: int) -> int:
    """Windows: how many bytes wait. Raises BrokenPipeError when the other end is closed."""
    import _winapi
    import msvcrt

    handle: Any = msvcrt.get_osfhandle(pipe)  # type: ignore[attr-defined,unused-ignore]
    waiting: int = _winapi.PeekNamedPipe(handle, 0)[0]  # type: ignore[attr-defined,unused-ignore]
    return waiting


class Stream(io.RawIOBase):
    """stdout and stderr of Python code."""

    def __init__(self, log: Log, number: int) -> None:
        super().__init__()
        self._log, self._number = log, number

    def write(self, data: Any) -> int:
        """Write at once, as Lambda's runtime does: a process that is killed has logged what it printed before."""
        written = bytes(data)
        self._log.write(written)
        return len(written)

    def writable(self) -> bool:
        """Whether it can be written to."""
        return True

    def fileno(self) -> int:
        """Return the file descriptor, for processes that are to write here too."""
        return self._number


class Function:
    """The one function that this process runs, once it knows which."""

    def __init__(self, channel: Channel, wire: PipeWire, log: Log, libraries: list[str]) -> None:
        self._channel, self._wire, self._log, self._libraries = channel, wire, log, libraries
        self._handler: Handler | None = None
        self._paths: Paths
        self._log_handler: LogHandler
        self._runtime = ""
        self._memory = _Memory()

    def init(self, given: dict[str, Any]) -> None:
        """Set the environment and import the code. `given`: task, handler, environment, runtime, memory, ahead, say."""
        task = str(given["task"])
        self._runtime = given["runtime"]
        os.environ.update(given["environment"])
        if hasattr(time, "tzset"):
            time.tzset()
        tempfile.tempdir = None
        os.chdir(task)
        sys.path.insert(0, task)
        self._paths = handling.Paths(task, self._libraries)
        self._log_handler = handling.LogHandler(self._log.event, self._paths, given["ahead"])
        logging.getLogger().addHandler(self._log_handler)
        logging.Formatter.converter = time.gmtime
        self._wire.not_from_a_fork = given["say"]["fork"]
        self._wire.waits_there = given["waits_there"]
        guard.NetworkGuard(lambda host: RuntimeError(given["say"]["host"].replace("{host}", host))).connect()
        self._memory.limit(given["memory"])
        error = None
        self._wire.open()
        try:
            self._handler = handling.find_handler(given["handler"], self._paths)
        except MemoryError:
            self._out_of_memory()
        except Exception as raised:
            error = handling.describe(raised, "", self._paths, (__file__,))
            self._log.event(handling.error_event(error))
        self._finish(READY, {"error": error})

    def run(self, given: dict[str, Any], event: bytes) -> None:
        """Run the handler once. `given`: id, arn, seconds, trace, client, ahead."""
        deadline = time.monotonic() + given["seconds"]
        self._log_handler.request_id = given["id"]
        self._log_handler.seconds_ahead = given["ahead"]
        os.environ["_X_AMZN_TRACE_ID"] = given["trace"]
        self._wire.open()
        try:
            context = handling.Context(
                given["id"],
                given["arn"],
                lambda: (deadline - time.monotonic()) * 1000,
                handling.client_context(given["client"]),
                os.environ,
            )
            assert self._handler is not None
            result = self._handler(handling.unmarshal(event), context)
            payload, is_error = handling.marshal(result, self._runtime), False
        except MemoryError:
            self._out_of_memory()
        except Exception as error:
            described = handling.describe(error, given["id"], self._paths, (__file__,))
            self._log.event(handling.error_event(described))
            payload, is_error = json.dumps(described).encode(), True
        self._finish(DONE, {"error": is_error}, payload)

    def show(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Print what ends the process as Python would, without this program's own part in it."""
        if isinstance(error, SystemExit):
            return
        import traceback

        print("Traceback (most recent call last):", file=sys.stderr)
        for line in traceback.format_list(handling.frames(trace, self._paths, (__file__,))):
            sys.stderr.write(line)
        for line in traceback.format_exception_only(kind, error):
            sys.stderr.write(line)

    def _finish(self, kind: bytes, head: dict[str, Any], payload: bytes = b"") -> None:
        """Hold further calls back, send the rest of the log, and then the result."""
        self._wire.close()
        self._log.drain()
        head["memory"] = used = self._memory.used()
        if self._memory.is_over(used):
            self._out_of_memory()
        self._channel.send(kind, *pipe.pack(head, payload[:_LONGEST]))

    def _out_of_memory(self) -> None:
        """End as a process does that the system kills for its memory."""
        self._log.drain()
        self._channel.send(MEMORY)
        os.kill(os.getpid(), signal.SIGTERM if _WINDOWS else signal.SIGKILL)


class _Memory:
    """How much this process uses, and may. Known and limited on Linux; on macOS it is known; on Windows neither.

    The limit is what the function is configured with, by the most that the process ever had in memory, and it is looked at when
    a run ends. What is taken beyond it is refused at once (MemoryError), counted from what the process had before the code came.
    Lambda kills the process in both cases.
    """

    def __init__(self) -> None:
        self._limit: int | None = None
        self._status = None
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                self._status = open("/proc/self/status", "rb", buffering=0)  # noqa: SIM115 (as long as the process)

    def limit(self, megabytes: int) -> None:
        """Set the limit."""
        if self._status is not None:
            import resource

            self._limit = megabytes
            room = self._field(b"VmData:") + megabytes * _MEGABYTE
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            if hard == resource.RLIM_INFINITY or room < hard:
                resource.setrlimit(resource.RLIMIT_DATA, (room, hard))

    def used(self) -> int | None:
        """Return the most that it had so far, in megabytes."""
        if self._status is not None:  # not getrusage: there a process begins with what its parent had
            return -(-self._field(b"VmHWM:") // _MEGABYTE)
        try:
            import resource
        except ImportError:
            return None
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return int(-(-used // (_MEGABYTE if sys.platform == "darwin" else 1024)))

    def is_over(self, used: int | None) -> bool:
        """Whether it had more than it may."""
        return self._limit is not None and used is not None and used > self._limit

    def _field(self, name: bytes) -> int:
        assert self._status is not None
        text = os.pread(self._status.fileno(), 8192, 0)
        return int(text.partition(name)[2].split(None, 1)[0]) * 1024


def preload(wire: PipeWire, is_awaited: Callable[[], bool]) -> None:
    """Import boto3, and while nobody waits, read what its clients for the course's services need: their first calls are quick.

    All sessions share one loader of botocore's descriptions, which reads them as plain dicts: asked for an OrderedDict, as
    botocore does, Python's JSON reader cannot go its quick way.
    """
    try:
        import boto3
        import botocore.loaders
        import botocore.session
    except ImportError:  # a machine without boto3 has no wire to it either
        return
    wire.connect()
    read = botocore.loaders.JSONFileLoader._load_file

    def load_file(self: Any, file_path: str, open_method: Any) -> Any:
        if not os.path.isfile(file_path):
            return None
        with open_method(file_path, "rb") as file:
            return json.loads(file.read().decode("utf-8"))

    botocore.loaders.JSONFileLoader._load_file = load_file
    shared = botocore.loaders.create_loader()
    create = botocore.session.create_loader
    botocore.session.create_loader = lambda paths=None: create(paths) if paths else shared
    try:
        session = boto3.Session("none", "none", region_name="us-east-1")
        for service in ("dynamodb", "s3", "sqs"):
            if not is_awaited():
                session.client(service)
    except Exception:  # an unknown botocore: it goes its own way, only slower
        botocore.loaders.JSONFileLoader._load_file = read
        botocore.session.create_loader = create


def watch(log: Log, source: int, written: int) -> None:
    """Take what others than Python write, and end everything when the pipe from the cloud breaks. In a thread, for ever."""
    try:
        if _WINDOWS:  # there is nothing to wait on both pipes with
            while True:
                _peek(source)
                log.drain()
                time.sleep(0.05)
        poll = select.poll()
        poll.register(written, select.POLLIN)
        poll.register(source, 0)
        while True:
            for number, _ in poll.poll():
                if number == source:
                    end()
                log.drain()
    except OSError:
        end()


def end() -> None:
    """End this process and those that it started."""
    if not _WINDOWS and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def main() -> None:
    """Say and do what comes through the pipe. Arguments: the log pipe's reading end, or -1; the folders of `SHIPPED`."""
    import site

    gc.disable()  # while much is made that is there to stay
    pipe_read, libraries = int(sys.argv[1]), sys.argv[2:]
    sys.argv = ["/var/runtime/bootstrap.py"]
    source, sink = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if pipe_read < 0:
        pipe_read, pipe_write = os.pipe()
        os.dup2(pipe_write, 2)
        os.close(pipe_write)
    else:
        os.set_inheritable(pipe_read, False)
        os.set_blocking(pipe_read, False)
    os.dup2(2, 1)
    site.setquit()  # exit() and quit(), which a Python without site-packages lacks
    channel = pipe.Channel(source, sink)
    log = Log(channel, pipe_read)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (as long as the process)
    sys.stdout = io.TextIOWrapper(Stream(log, 1), encoding="utf-8", errors="backslashreplace", write_through=True)  # type: ignore[type-var,unused-ignore]
    sys.stderr = io.TextIOWrapper(Stream(log, 2), encoding="utf-8", errors="backslashreplace", write_through=True)  # type: ignore[type-var,unused-ignore]
    sys.meta_path.append(Shipped(libraries))  # type: ignore[arg-type,unused-ignore]
    wire = pipe.PipeWire(channel)
    preload(wire, lambda: bool(_peek(source.fileno()) if _WINDOWS else select.select([source], [], [], 0)[0]))
    forget_own_modules()
    function = Function(channel, wire, log, libraries)
    sys.excepthook = function.show
    atexit.register(log.drain)
    threading.Thread(target=watch, args=(log, source.fileno(), pipe_read), daemon=True).start()
    gc.freeze()  # what is there now is there to stay
    gc.enable()
    while (frame := channel.receive()) is not None:
        kind, content = frame
        given, rest = pipe.unpack(content)
        if kind == INIT:
            function.init(given)
        else:
            function.run(given, rest)
    end()


def own_modules() -> tuple[Any, Any, Any]:
    """Import what this program needs of the package, from the folder that it lies in."""
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(3):
        folder = os.path.dirname(folder)
    sys.path.append(folder)
    try:
        from bentocola.cloud.functions import handling
        from bentocola.cloud.wires import guard, pipe
    finally:
        sys.path.remove(folder)
    return handling, guard, pipe


def forget_own_modules() -> None:
    """Leave a function no trace of the package: on AWS there is none to import."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "bentocola"]:
        del sys.modules[name]


if __name__ == "__main__":
    handling, guard, pipe = own_modules()
    main()
