"""Functions in this very process: where there are no subprocesses (in a browser), or by choice. One run at a time.

The outcomes are those of `processes`, as far as one process allows. What it does not: a timeout is never enforced, nor is a limit
of memory, and `os._exit` ends everything; what code writes past `sys.stdout` (`os.write(1, …)`, a library in C) is not in its
log; it can import all that is installed here. Its modules, environment variables, working folder, logging and boto3's default
session are the function's own while it is imported and runs, and the process's former ones again afterwards.
"""

from __future__ import annotations

import contextlib
import datetime as _datetime
import importlib
import io
import json
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from bentocola.cloud.door import Caller, Request, Response, caller
from bentocola.cloud.functions import child, environment, handling, package
from bentocola.cloud.functions.runtime import (
    MAX_RESPONSE_BYTES,
    Failure,
    Outcome,
    Run,
    check_event,
    environment_key,
    log_stream_name,
    response_too_large,
    runtime_exited,
)
from bentocola.cloud.functions.spec import Credentials, FunctionSpec
from bentocola.cloud.wires.in_process import InProcessWire
from bentocola.errors import WorkerStopped

__all__ = ["Inline"]

Handle = Callable[[Request], Response]


class Inline:
    """The runtime of a place without processes."""

    def __init__(
        self,
        handle: Handle,
        *,
        now: Callable[[], _datetime.datetime] = lambda: _datetime.datetime.now(_datetime.UTC),
        say: Callable[..., str] = str.format,
        timer: Callable[[], float] = time.perf_counter,
        unique: Callable[[], str] = lambda: uuid.uuid4().hex,
        wait: Callable[[float], None] | None = None,
        session: Callable[[], Any] = lambda: None,
    ) -> None:
        """The parameters are those of `Processes`. `session`: makes a function's default session of boto3, called in its
        environment; boto3 makes its own when this returns None.
        """
        self._handle, self._now, self._say, self._timer = handle, now, say, timer
        self._unique, self._wait, self._session = unique, wait, session
        self._lock = threading.RLock()
        self._warm: dict[tuple[Any, ...], _Place] = {}
        self._failed: set[tuple[Any, ...]] = set()

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
        """Run a function once: see `runtime.Runtime.run`. A KeyboardInterrupt is the caller's, and goes through."""
        check_event(event)
        record = Run(spec, request_id, self._say)
        key = environment_key(spec, credentials)
        with self._lock:
            for other in [other for other in self._warm if other[:2] == key[:2] and other != key]:
                self._warm.pop(other).end()
            # Out of the way while it runs: a function that invokes itself gets a second one.
            place = self._warm.pop(key, None)
            began, init_ms = self._timer(), None
            try:
                if place is None:
                    place, init_ms, ended = self._cold(spec, credentials, key, record, run)
                    if ended is not None:
                        record.start()
                        return self._outcome(place, record, ended, (self._timer() - began) * 1000, None)
                    began = began if init_ms is None else self._timer()
                record.start()
                place.variables["_X_AMZN_TRACE_ID"] = trace_id or environment.trace_header(
                    request_id, self._now().timestamp()
                )
                with self._inside(place, record, run):
                    place.log_handler.request_id = request_id
                    got = place.run(spec, event, request_id, invoked_arn or spec.arn, client_context, self._timer)
                return self._outcome(place, record, got, (self._timer() - began) * 1000, init_ms)
            except BaseException:
                if place is not None:
                    place.end()
                raise
            finally:
                if place is not None and not place.has_ended:
                    if key in self._warm:
                        place.end()
                    else:
                        self._warm[key] = place

    def forget(self, arn: str) -> None:
        """End what is warm of a function that is no more."""
        with self._lock:
            for key in [key for key in self._warm if key[0] == arn]:
                self._warm.pop(key).end()

    def close(self) -> None:
        """Take all folders away."""
        with self._lock:
            for place in self._warm.values():
                place.end()
            self._warm.clear()

    def _cold(
        self, spec: FunctionSpec, credentials: Credentials, key: tuple[Any, ...], record: Run, run: str | None
    ) -> tuple[_Place, float | None, Failure | str | None]:
        """Import the code, twice if need be, as Lambda does. See `Processes`."""
        ways: list[Literal["init", "invoke"]] = ["init", "invoke"]
        for phase in ways[1:] if key in self._failed else ways:
            began = self._timer()
            place = _Place(spec, credentials, log_stream_name(self._now(), spec.version, self._unique()))
            try:
                with self._inside(place, record, run):
                    place.session = self._session()
                    self._use_session(place.session)
                    ended = place.load(spec, record.request_id)
            except BaseException:
                place.end()
                raise
            ms = (self._timer() - began) * 1000
            if ended is None:
                return place, ms if phase == "init" else None, None
            place.end()
            if place.was_stopped:
                break
            kind = ended.type if isinstance(ended, Failure) else json.loads(ended)["errorType"]
            record.init_report(ms, phase, f"Status: error\tError Type: {kind}")
        self._failed.add(key)
        return place, None, ended

    def _outcome(
        self, place: _Place, record: Run, got: Failure | str | bytes, ms: float, init_ms: float | None
    ) -> Outcome:
        result: Literal["ok", "error", "died"] = "died" if isinstance(got, Failure) else "error"
        if isinstance(got, bytes):
            result = "ok"
            if len(got) > MAX_RESPONSE_BYTES:
                got, result = response_too_large(), "error"
                place.end()
            else:
                got = got.decode(errors="replace")
        return record.outcome(got, result, duration_ms=ms, init_ms=init_ms, memory_mb=None, log_stream=place.log_stream)

    @contextlib.contextmanager
    def _inside(self, place: _Place, record: Run, run: str | None) -> Iterator[None]:
        """Make this process the function's, and afterwards what it was."""
        who = Caller("lambda", run)

        def handle(request: Request) -> Response:
            token = caller.set(who)
            try:
                return self._handle(request)
            finally:
                caller.reset(token)

        ahead = self._now().timestamp() - time.time()
        wire = InProcessWire(handle, self._wait)
        with contextlib.ExitStack() as stack:
            stack.enter_context(place.entered(record, ahead))
            stack.enter_context(self._default_session(place))
            wire.connect()
            stack.callback(wire.disconnect)
            yield

    @contextlib.contextmanager
    def _default_session(self, place: _Place) -> Iterator[None]:
        import boto3

        former = boto3.DEFAULT_SESSION
        self._use_session(place.session)
        try:
            yield
        finally:
            place.session, boto3.DEFAULT_SESSION = boto3.DEFAULT_SESSION, former

    @staticmethod
    def _use_session(session: Any) -> None:
        import boto3

        boto3.DEFAULT_SESSION = session


class _Place:
    """One environment of a function: what of this process is its own while it runs."""

    def __init__(self, spec: FunctionSpec, credentials: Credentials, log_stream: str) -> None:
        self.log_stream = log_stream
        self.session: Any = None
        self.was_stopped = self.has_ended = False
        root = tempfile.mkdtemp(prefix="bentocola-")
        self._root = root
        self._task, folder = os.path.join(root, "task"), os.path.join(root, "tmp")
        os.mkdir(self._task)
        os.mkdir(folder)
        try:
            package.unpack(spec.code, Path(self._task))
        except BaseException:
            shutil.rmtree(root, ignore_errors=True)
            raise
        self.variables = environment.of_function(
            spec, credentials, os.environ, task=self._task, folder=folder, log_stream=log_stream
        )
        self._paths = handling.Paths(
            self._task, [str(Path(importlib.import_module("boto3").__file__ or "").parents[1])]
        )
        self.log_handler = handling.LogHandler(self._event, self._paths)
        self._logging: tuple[list[logging.Handler], int] = ([self.log_handler], logging.WARNING)
        self._modules: dict[str, ModuleType] = {}
        self._handler: handling.Handler | None = None
        self._record: Run | None = None

    def load(self, spec: FunctionSpec, request_id: str) -> Failure | str | None:
        """Import the code. Returns what the caller gets if that fails."""

        def find() -> None:
            self._handler = handling.find_handler(spec.handler, self._paths)

        got = self._guarded(find, request_id, "")
        return None if isinstance(got, bytes) else got

    def run(
        self,
        spec: FunctionSpec,
        event: str,
        request_id: str,
        arn: str,
        client_context: str | None,
        timer: Callable[[], float],
    ) -> Failure | str | bytes:
        """Run the handler. Returns its answer, its error as JSON, or how it ended the function."""
        began = timer()

        def handle() -> bytes:
            context = handling.Context(
                request_id,
                arn,
                lambda: (began + spec.timeout - timer()) * 1000,
                handling.client_context(client_context),
                self.variables,
            )
            assert self._handler is not None
            return handling.marshal(self._handler(handling.unmarshal(event.encode()), context), spec.runtime)

        return self._guarded(handle, request_id, request_id)

    def _guarded(self, act: Callable[[], bytes | None], request_id: str, named: str) -> Failure | str | bytes:
        """Do something, and return what came of it. `named`: the request that an error names."""
        own = (__file__,)
        reason: str
        try:
            return act() or b""
        except KeyboardInterrupt:
            raise
        except (WorkerStopped, MemoryError) as error:
            self.was_stopped = isinstance(error, WorkerStopped)
            reason = "signal: killed"
        except Exception as error:
            described = handling.describe(error, named, self._paths, own)
            self._event(handling.error_event(described))
            return json.dumps(described)
        except SystemExit as error:
            code = error.code
            if isinstance(code, int) or code is None:
                reason = f"exit status {code & 255}" if code else ""
            else:
                print(code, file=sys.stderr)
                reason = "exit status 1"
        except BaseException as error:
            shown = traceback.format_list(handling.frames(error.__traceback__, self._paths, own))
            told = traceback.format_exception_only(type(error), error)
            sys.stderr.write("".join(["Traceback (most recent call last):\n", *shown, *told]))
            reason = "exit status 1"
        self.end()
        return runtime_exited(request_id, reason)

    def end(self) -> None:
        """Forget its modules and take its folders away."""
        self.has_ended = True
        self._modules.clear()
        shutil.rmtree(self._root, ignore_errors=True)

    @contextlib.contextmanager
    def entered(self, record: Run, seconds_ahead: float) -> Iterator[None]:
        """Put everything of this process but boto3 in the function's state, and back again."""
        root, level = logging.getLogger(), logging.getLogger().level
        former = (
            dict(os.environ),
            list(sys.path),
            self._hidden(),
            sys.stdout,
            sys.stderr,
            root.handlers[:],
            tempfile.tempdir,
            os.getcwd(),
        )
        before, self._record = self._record, record
        self.log_handler.seconds_ahead = seconds_ahead
        sys.stdout = io.TextIOWrapper(_Stream(record), "utf-8", "backslashreplace", write_through=True)  # type: ignore[type-var,unused-ignore]
        sys.stderr = io.TextIOWrapper(_Stream(record), "utf-8", "backslashreplace", write_through=True)  # type: ignore[type-var,unused-ignore]
        self._set_environment(self.variables)
        sys.path.insert(0, self._task)
        importlib.invalidate_caches()
        sys.modules.update(self._modules)
        root.handlers[:], root.level = self._logging
        root.setLevel(root.level)  # it also empties a cache
        tempfile.tempdir = None
        os.chdir(self._task)
        try:
            yield
        finally:
            variables, path, modules, sys.stdout, sys.stderr, handlers, tempfile.tempdir, folder = former
            os.chdir(folder)
            self._logging = root.handlers[:], root.level
            root.handlers[:] = handlers
            root.setLevel(level)
            self._modules = {} if self.has_ended else self._own_modules()
            for name in self._own_modules():
                del sys.modules[name]
            sys.modules.update(modules)
            sys.path[:] = path
            self.variables = dict(os.environ)
            self._set_environment(variables)
            self._record = before
            if self.has_ended:  # again: some systems keep the folder that one is in
                shutil.rmtree(self._root, ignore_errors=True)

    def _hidden(self) -> dict[str, ModuleType]:
        """Take modules out of the way that have the name of one in the package: a notebook's own, say. Returns them."""
        names = {entry.partition(".")[0] for entry in os.listdir(self._task)}
        names -= sys.stdlib_module_names | set(child.SHIPPED)  # as on AWS, where these are imported already
        hidden = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in names}
        for name in hidden:
            del sys.modules[name]
        return hidden

    def _own_modules(self) -> dict[str, ModuleType]:
        found = {}
        for name, module in list(sys.modules.items()):
            spec = getattr(module, "__spec__", None)
            places = [getattr(module, "__file__", None), *(getattr(spec, "submodule_search_locations", None) or ())]
            if any(place and str(place).startswith(self._task + os.sep) for place in places):
                found[name] = module
        return found

    @staticmethod
    def _set_environment(variables: dict[str, str]) -> None:
        os.environ.clear()
        os.environ.update(variables)
        if hasattr(time, "tzset"):
            time.tzset()

    def _event(self, text: str) -> None:
        if self._record is not None:
            self._record.event(text.encode(errors="backslashreplace"))


class _Stream(io.RawIOBase):
    """What `sys.stdout` and `sys.stderr` write to."""

    def __init__(self, record: Run) -> None:
        super().__init__()
        self._record = record

    def write(self, data: Any) -> int:
        written = bytes(data)
        self._record.written(written)
        return len(written)

    def writable(self) -> bool:
        return True
