"""Functions in processes of their own: started when needed, kept warm, killed at their timeout.

A process serves one run at a time, and one version of a function with one configuration. The waiting thread itself talks to it:
it writes the log down and lets the door answer calls until the result comes. Nothing but `handle` reaches into the cloud.
"""

from __future__ import annotations

import contextlib
import datetime as _datetime
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import weakref
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

from bentocola.cloud import leftovers
from bentocola.cloud.door import Caller, Request, Response, caller
from bentocola.cloud.functions import child, environment, package
from bentocola.cloud.functions.alarms import Alarms, Later
from bentocola.cloud.functions.runtime import (
    INIT_SECONDS,
    MAX_RESPONSE_BYTES,
    Failure,
    Outcome,
    Run,
    check_event,
    environment_key,
    log_stream_name,
    response_too_large,
    runtime_exited,
    timed_out,
)
from bentocola.cloud.functions.spec import Credentials, FunctionSpec
from bentocola.cloud.wires import pipe

__all__ = ["Processes"]

Handle = Callable[[Request], Response]
_Key = tuple[Any, ...]
_WINDOWS = sys.platform == "win32"


class Processes:
    """The runtime of a machine of one's own. Each method can be called from any thread."""

    def __init__(
        self,
        handle: Handle,
        *,
        now: Callable[[], _datetime.datetime] = lambda: _datetime.datetime.now(_datetime.UTC),
        say: Callable[..., str] = str.format,
        later: Later | None = None,
        timer: Callable[[], float] = time.perf_counter,
        unique: Callable[[], str] = lambda: uuid.uuid4().hex,
        wait: Callable[[float], None] | None = None,
        idle: int = 6,
    ) -> None:
        """`handle` answers the functions' calls: `Door.handle`.

        `now`: the course's present, for names and lines of logs. `say`: words what only this cloud tells, in the reader's own.
        `later`: rings at a timeout; in real time, unless a test hands in another. `timer`: measures durations, in seconds.
        `unique`: 32 hexadecimal digits that no other log stream has. `wait`: how boto3 in a function waits before it tries a call
        again, on the course's time say; it sleeps if this is left out. `idle`: how many processes may wait warm, in all.
        """
        self._handle, self._now, self._say, self._timer = handle, now, say, timer
        self._unique, self._wait, self._idle_limit = unique, wait, idle
        self._given_later = later
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing: when this is made, and in a fork of the process that made it."""
        self._process_id = os.getpid()
        self._alarms = Alarms()
        self._later = self._given_later or self._alarms.call_later
        self._lock = threading.Lock()
        self._is_closed = False
        self._spare: _Process | None = None
        self._idle: list[_Environment] = []
        self._busy: set[_Environment] = set()
        self._current: dict[_Key, _Key] = {}
        self._failed: set[_Key] = set()
        self._folders: _Folders | None = None

    def run(
        self,
        spec: FunctionSpec,
        event: str,
        *,
        request_id: str,
        credentials: Credentials,
        run: str | None = None,
        trace_id: str | None = None,
        client_context: str | None = None,
        invoked_arn: str | None = None,
    ) -> Outcome:
        """Run a function once: see `runtime.Runtime.run`."""
        check_event(event)
        if os.getpid() != self._process_id:  # a fork: what the other process started is not its own
            self._begin()
        record = Run(spec, request_id, self._say)
        who = Caller("lambda", run)
        key = environment_key(spec, credentials)
        found = self._warm(key)
        was_cold = found is None
        try:
            began, init_ms = self._timer(), None
            if found is None:
                found, init_ms, ended = self._cold(spec, credentials, key, record, who)
                if ended is not None:
                    record.start()
                    ms = spec.timeout * 1000.0 if found.late else (self._timer() - began) * 1000
                    return self._outcome(found, record, ended, ms, None)
                began = began if init_ms is None else self._timer()
            left = spec.timeout - (self._timer() - began)
            head: dict[str, Any] = {
                "id": request_id,
                "arn": invoked_arn or spec.arn,
                "seconds": left,
                "trace": trace_id or environment.trace_header(request_id, self._now().timestamp()),
                "client": client_context,
                "ahead": self._now().timestamp() - time.time(),
            }
            record.start()
            got = found.ask(child.RUN, head, event.encode(), record, who, left)
            ms = spec.timeout * 1000.0 if found.late else (self._timer() - began) * 1000
            return self._outcome(found, record, got, ms, init_ms)
        except BaseException:
            if found is not None:
                found.end()
            raise
        finally:
            if found is not None:
                self._give_back(found)
            if was_cold:
                self.prepare()

    def prepare(self) -> None:
        """Start a spare process, if there is none, for the next cold start: it readies itself meanwhile. Returns at once."""
        with self._lock:
            if self._spare is None and not self._is_closed:
                self._spare = self._start()

    def forget(self, arn: str) -> None:
        """End the warm processes of a function that is no more."""
        with self._lock:
            gone = [waiting for waiting in self._idle if waiting.key[0] == arn]
            self._idle = [waiting for waiting in self._idle if waiting.key[0] != arn]
            for version in [version for version in self._current if version[0] == arn]:
                del self._current[version]
        self._end(gone)

    def close(self) -> None:
        """End all processes, those that run something too."""
        if os.getpid() != self._process_id:
            return
        with self._lock:
            self._is_closed = True
            spare, self._spare = self._spare, None
            idle, self._idle = self._idle, []
            busy = list(self._busy)
        for one in idle:
            one.end()
        for one in busy:
            one.process.kill()  # the thread that waits for it ends it
        if spare is not None:
            spare.end()
        self._alarms.close()
        with self._lock:
            if self._folders is not None and not self._busy:
                self._folders.close()

    # Environments

    def _warm(self, key: _Key) -> _Environment | None:
        """Return an environment that waits. Those of the same version with older code or configuration end."""
        version = key[:2]
        with self._lock:
            if self._is_closed:
                raise RuntimeError("The runtime is closed.")
            old = []
            if self._current.get(version) != key:
                self._current[version] = key
                old = [one for one in self._idle if one.key[:2] == version and one.key != key]
                self._idle = [one for one in self._idle if one not in old]
            found = None
            for number in reversed(range(len(self._idle))):
                if self._idle[number].key == key:
                    candidate = self._idle.pop(number)
                    if candidate.process.is_alive():
                        found = candidate
                        self._busy.add(found)
                        break
                    old.append(candidate)
        self._end(old)
        return found

    def _cold(
        self, spec: FunctionSpec, credentials: Credentials, key: _Key, record: Run, who: Caller
    ) -> tuple[_Environment, float | None, Failure | str | None]:
        """Make an environment and import the code in it, twice if need be, as Lambda does.

        Returns it, how long that took if it went well at once, and how the run ends if it went wrong.
        """
        ways: list[tuple[Literal["init", "invoke"], float]] = [("init", INIT_SECONDS), ("invoke", spec.timeout)]
        for phase, seconds in ways[1:] if key in self._failed else ways:
            began = self._timer()
            made = self._make(spec, credentials, key)
            try:
                ended = made.init(spec, record, who, seconds, self._say, self._now().timestamp() - time.time())
            except BaseException:
                made.end()
                self._give_back(made)
                raise
            ms = (self._timer() - began) * 1000
            if ended is None:
                return made, ms if phase == "init" else None, None
            made.end()
            if made.was_stopped:
                break
            kind = ended.type if isinstance(ended, Failure) else json.loads(ended).get("errorType")
            record.init_report(ms, phase, "Status: timeout" if made.late else f"Status: error\tError Type: {kind}")
            if phase == "init":
                self._give_back(made)
        self._failed.add(key)
        return made, None, ended

    def _make(self, spec: FunctionSpec, credentials: Credentials, key: _Key) -> _Environment:
        with self._lock:
            if self._is_closed:
                raise RuntimeError("The runtime is closed.")
            folders = self._folders = self._folders or _Folders()
            process, self._spare = self._spare, None
            if process is None or not process.is_alive():
                process = self._start()
            stream = log_stream_name(self._now(), spec.version, self._unique())
            try:
                task, folder = folders.task(spec), folders.temporary()
            except BaseException:
                self._spare = process
                raise
            variables = environment.of_function(
                spec, credentials, os.environ, task=task, folder=folder, log_stream=stream
            )
            made = _Environment(
                key, process, self._handle, self._wait, self._later, self._now, stream, variables, folder
            )
            self._busy.add(made)
        return made

    def _give_back(self, used: _Environment) -> None:
        """Keep an environment warm, unless it ended or is not wanted any more."""
        with self._lock:
            self._busy.discard(used)
            ending = [used]
            if not self._is_closed and not used.has_ended and self._current.get(used.key[:2]) == used.key:
                self._idle.append(used)
                surplus = max(0, len(self._idle) - self._idle_limit)
                ending, self._idle = self._idle[:surplus], self._idle[surplus:]
        self._end(ending)

    def _end(self, environments: list[_Environment]) -> None:
        """End environments, and take the code away that no other uses."""
        for one in environments:
            one.end()
        with self._lock:
            if environments and self._folders is not None:
                self._folders.keep({one.variables["LAMBDA_TASK_ROOT"] for one in (*self._idle, *self._busy)})
                if self._is_closed and not self._busy:
                    self._folders.close()

    def _start(self) -> _Process:
        self._folders = self._folders or _Folders()
        return _Process(self._folders.root)

    # Outcomes

    def _outcome(
        self, used: _Environment, record: Run, got: Failure | str | tuple[Any, bytes], ms: float, init_ms: float | None
    ) -> Outcome:
        answer: Failure | str
        result: Literal["ok", "error", "died"]
        if isinstance(got, Failure):
            answer, result = got, "died"
        elif isinstance(got, str):
            answer, result = got, "error"
        elif len(got[1]) > MAX_RESPONSE_BYTES:
            answer, result = response_too_large(), "error"
            used.end()
        else:
            answer, result = got[1].decode(errors="replace"), "error" if got[0].get("error") else "ok"
        return record.outcome(
            answer, result, duration_ms=ms, init_ms=init_ms, memory_mb=used.memory_mb, log_stream=used.log_stream
        )


class _Environment:
    """A process that has become one function's: its log stream, its folders, and the talk with it."""

    def __init__(
        self,
        key: _Key,
        process: _Process,
        handle: Handle,
        wait: Callable[[float], None] | None,
        later: Later,
        now: Callable[[], _datetime.datetime],
        log_stream: str,
        variables: dict[str, str],
        folder: str,
    ) -> None:
        self.key, self.process, self.log_stream, self.variables = key, process, log_stream, variables
        self.memory_mb: int | None = None
        self.late = self.was_stopped = self.has_ended = False
        self._handle, self._wait, self._later, self._now, self._folder = handle, wait, later, now, folder

    def init(
        self, spec: FunctionSpec, record: Run, who: Caller, seconds: float, say: Callable[..., str], ahead: float
    ) -> Failure | str | None:
        """Import the code. Returns what the caller gets if that fails, as JSON or as Lambda's failure."""
        head = {
            "task": self.variables["LAMBDA_TASK_ROOT"],
            "handler": spec.handler,
            "environment": self.variables,
            "runtime": spec.runtime,
            "memory": spec.memory,
            "ahead": ahead,
            "waits_there": self._wait is not None,
            "say": {
                "fork": say(
                    "A forked process of a function cannot call AWS on this local cloud. Call from the process that runs "
                    "the handler, or from a thread of it."
                ),
                "host": say(
                    "{host} is an address of AWS, and nothing leaves this machine from a function of the local cloud. "
                    "Ask with a boto3 client instead.",
                    host="{host}",
                ),
            },
        }
        got = self.ask(child.INIT, head, b"", record, who, seconds)
        if isinstance(got, Failure):
            return got
        error = got[0].get("error")
        return None if error is None else json.dumps(error)

    def ask(
        self, kind: bytes, head: dict[str, Any], body: bytes, record: Run, who: Caller, seconds: float
    ) -> Failure | tuple[Any, bytes]:
        """Tell the process something and serve it until it is done. Returns what it says then, or how it ended."""
        call_off = self._later(seconds, self._time_is_up)
        channel = self.process.channel
        try:
            with contextlib.suppress(OSError):  # a process that is gone has its last words in the pipe all the same
                channel.send(kind, *pipe.pack(head, body))
            while (frame := channel.receive()) is not None:
                kind, content = frame
                if kind == child.LOG:
                    record.written(content)
                elif kind == child.EVENT:
                    record.event(content)
                elif kind in (pipe.CALL, pipe.WAIT):
                    self._answer(kind, content, who)
                elif kind == child.MEMORY:
                    self.memory_mb = record.spec.memory
                elif kind in (child.READY, child.DONE):
                    done, payload = pipe.unpack(content)
                    self.memory_mb = done.get("memory")
                    return done, payload
                else:
                    raise pipe.FrameError(f"A frame of kind {kind!r} is unknown.")
        except pipe.FrameError:  # the code wrote into the pipe, past all that is meant to
            self.process.kill()
            return self._ended(record)
        else:
            return self._ended(record)
        finally:
            call_off()

    def _answer(self, kind: bytes, content: bytes, who: Caller) -> None:
        if self.late or self.was_stopped:
            return
        token = caller.set(who)
        try:
            if not pipe.answer(self.process.channel, kind, content, self._handle, self._wait or time.sleep):
                self.was_stopped = True
                self.process.kill()
        except OSError:  # killed while it was answered
            pass
        finally:
            caller.reset(token)

    def _time_is_up(self) -> None:
        self.late = True
        self.memory_mb = self.process.memory_mb() or self.memory_mb
        self.process.kill()

    def _ended(self, record: Run) -> Failure:
        reason = self.process.wait()
        record.written(self.process.unread())
        self.end()
        if self.late:
            return timed_out(record.request_id, record.spec.timeout, self._now())
        return runtime_exited(record.request_id, reason)

    def end(self) -> None:
        """End the process and take its folder away."""
        if not self.has_ended:
            self.has_ended = True
            self.process.end()
            shutil.rmtree(self._folder, ignore_errors=True)


class _Process:
    """A child process and the pipes to it."""

    def __init__(self, folder: str) -> None:
        read = write = -1
        more: dict[str, Any] = {
            "creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0),
            "stderr": subprocess.DEVNULL,
        }
        if not _WINDOWS:
            # Both have the reading end: what the process wrote last, before it was killed, is still in there.
            read, write = os.pipe()
            more = {"start_new_session": True, "stderr": write, "pass_fds": (read,)}
        program = [sys.executable, "-I", "-S", "-X", "utf8", str(Path(child.__file__).resolve()), str(read)]
        try:
            self._popen = subprocess.Popen(
                [*program, *_libraries()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment.bare(os.environ, folder),
                cwd=folder,
                **more,
            )
        finally:
            if write >= 0:
                os.close(write)
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._source, self._sink = self._popen.stdout, self._popen.stdin
        self.channel = pipe.Channel(self._source, self._sink.fileno())
        self._written = read
        self._is_over = False
        self._lock = threading.Lock()
        if read >= 0:
            os.set_blocking(read, False)

    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._popen.poll() is None

    def memory_mb(self) -> int | None:
        """Return the most it had in memory so far, where the system tells of another process."""
        try:
            status = Path(f"/proc/{self._popen.pid}/status").read_text(encoding="ascii", errors="replace")
            return -(-int(status.partition("VmHWM:")[2].split(None, 1)[0]) // 1024)
        except (OSError, IndexError, ValueError):
            return None

    def kill(self) -> None:
        """Kill it and those that it started."""
        with self._lock:
            if self._is_over:
                return
            with contextlib.suppress(OSError):
                if _WINDOWS:
                    subprocess.run(
                        ["taskkill", "/F", "/T", "/PID", str(self._popen.pid)], capture_output=True, check=False
                    )
                else:
                    os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.kill()

    def wait(self) -> str:
        """Wait for its end and return how it ended, in Lambda's words."""
        status = self._popen.wait()
        self.kill()  # what it started and left behind
        if status < 0:
            return f"signal: {(signal.strsignal(-status) or f'signal {-status}').lower()}"
        return f"exit status {status}" if status else ""

    def unread(self) -> bytes:
        """Return what was written to its stdout and stderr and not passed on."""
        parts = []
        with contextlib.suppress(OSError):
            while self._written >= 0 and (part := os.read(self._written, 65536)):
                parts.append(part)
        return b"".join(parts)

    def end(self) -> None:
        """Kill it and close the pipes."""
        self.kill()
        self._popen.wait()
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
        for stream in (self._source, self._sink):
            with contextlib.suppress(OSError):
                stream.close()
        if self._written >= 0:
            os.close(self._written)


class _Folders:
    """Where code is unpacked, once a package, and where each environment has its temporary folder."""

    def __init__(self) -> None:
        self.root = tempfile.mkdtemp(prefix="bentocola-")
        self._tasks: dict[str, str] = {}
        self._close = weakref.finalize(self, _remove, self.root, os.getpid(), leftovers.hold(self.root))

    def task(self, spec: FunctionSpec) -> str:
        """Return the folder with a function's code. Raises PackageError."""
        if spec.code_sha256 not in self._tasks:
            folder = tempfile.mkdtemp(prefix="task-", dir=self.root)
            try:
                package.unpack(spec.code, Path(folder))
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            self._tasks[spec.code_sha256] = folder
        return self._tasks[spec.code_sha256]

    def temporary(self) -> str:
        """Make a temporary folder."""
        return tempfile.mkdtemp(prefix="tmp-", dir=self.root)

    def keep(self, used: set[str]) -> None:
        """Take the code away that no environment uses."""
        for digest, folder in list(self._tasks.items()):
            if folder not in used:
                del self._tasks[digest]
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Take all away."""
        self._close()


def _remove(folder: str, process: int, held: int | None) -> None:
    if os.getpid() == process:  # a fork that ends leaves the folders to whom they belong
        shutil.rmtree(folder, ignore_errors=True)
        if held is not None:
            os.close(held)


@cache
def _libraries() -> tuple[str, ...]:
    """Return the folders in which the packages lie that Lambda's runtime brings along."""
    found = []
    for name in child.SHIPPED:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin:
            path = Path(spec.origin)
            found.append(str(path.parents[1] if path.name == "__init__.py" else path.parent))
    return tuple(dict.fromkeys(found))
