"""IPython as Jupyter runs it, for one of our rooms: made before the fork, adopted after it, cells in, messages out.

Touches `sys.stdout`, `sys.stderr`, `sys.stdin`, `sys.argv`, `sys.path`, descriptors 1 and 2, `comm`, `pdb`, `sys.breakpointhook`,
asyncio's event loop, the handler of SIGINT and some environment variables of its process. It writes no file and opens no socket.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import inspect
import os
import pdb  # noqa: T100
import random
import signal
import sys
import threading
import types
import uuid
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

import comm
import ipykernel.ipkernel
from ipykernel.compiler import XCachingCompiler, get_file_name
from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core import debugger
from traitlets import Any as AnyTrait
from traitlets import observe
from traitlets.config import Config

from autograder import interrupts
from autograder.records import Limits
from autograder.shell.kernel import Kernel
from autograder.shell.streams import Allowance, OutStream, Relay
from autograder.shell.wire import Publish, Wire

__all__ = ["Ran", "Shell", "make_shell", "warm"]

_MOST_TRIES = 100
"""How often a cell may upset the event loop that it runs in."""
_INLINE = "module://matplotlib_inline.backend_inline"
_LAUNCHER = os.path.join(os.path.dirname(os.path.dirname(ipykernel.ipkernel.__file__)), "ipykernel_launcher.py")

# Taken once: the code of a notebook may put something else into these modules.
_getpid, _write, _urandom = os.getpid, os.write, os.urandom
_signal, _SIGINT, _raise_interrupt = signal.signal, signal.SIGINT, signal.default_int_handler
_current_thread, _main_thread = threading.current_thread, threading.main_thread


@dataclass(frozen=True)
class Ran:
    """What came of a cell. `value` is the last expression's (None if there was none), `error` the exception that ended it."""

    status: str
    ename: str = ""
    evalue: str = ""
    traceback: tuple[str, ...] = ()
    execution_count: int | None = None
    value: Any = None
    error: BaseException | None = None
    payload: list[dict[str, Any]] = field(default_factory=list)


class _Compiler(XCachingCompiler):
    """ipykernel's. `inspect`, which goes through all of `sys.modules` for each frame otherwise, finds its cells at once."""

    def get_code_name(self, raw_code: str, code: str, number: int) -> str:
        name = str(super().get_code_name(raw_code, code, number))  # type: ignore[no-untyped-call]
        inspect.modulesbyfile[name] = "__main__"
        return name


class Shell(ZMQInteractiveShell):
    """One a process. `adopt` it before the first `run`."""

    wire: Any = AnyTrait()
    allowance: Any = AnyTrait()
    out: Any = AnyTrait()
    err: Any = AnyTrait()
    relay: Any = AnyTrait()
    loop: Any = AnyTrait()

    def adopt(self, publish: Publish, limits: Limits | None = None) -> None:
        """Make the shell this process's own: streams, event loop, environment. Starts one thread, on POSIX systems.

        `publish` gets every message; `limits` says how much a cell may put out.
        """
        # Nothing random may be the same in each process that was forked.
        random.seed()
        if numpy := sys.modules.get("numpy"):
            numpy.random.seed()
        sys.breakpointhook = _go_on
        self.init_environment()  # type: ignore[no-untyped-call]
        os.environ.setdefault("MPLBACKEND", _INLINE)
        self.ipython_dir = os.path.join(os.path.expanduser("~"), ".ipython")
        _look_like_a_kernel()
        self._listen(publish, limits or Limits())
        self.relay.watch({1: self.out, 2: self.err})
        self._new_loop()

    def take_namespace(self, namespace: dict[str, Any]) -> None:
        """Run cells in `namespace`, which may be of a class of its own, from now on."""
        self.init_create_namespaces(user_ns=namespace)  # type: ignore[no-untyped-call]
        self.init_sys_modules()  # type: ignore[no-untyped-call]
        self.init_user_ns()  # type: ignore[no-untyped-call]

    def part_builtins(self) -> None:
        """Give the notebook a `builtins` of its own, so that what it puts there changes nothing of ours, or of a library's."""
        own = types.ModuleType("builtins", builtins.__doc__)
        vars(own).update(vars(builtins))
        vars(own).update(input=self.kernel.raw_input, get_ipython=self.get_ipython)
        self.user_ns.update(__builtins__=own, __builtin__=own)
        sys.modules["builtins"] = own

    def file_name(self, source: str) -> str:
        """Return the name that a cell of this text is compiled under, as it stands in tracebacks."""
        return str(get_file_name(source))  # type: ignore[no-untyped-call]

    def run(self, source: str, publish: Publish | None = None, count: int | None = None) -> Ran:
        """Run a cell as Jupyter does, and return what came of it. Raises nothing for what the cell does.

        `publish`: where this cell's messages go. `count`: its number, if it is not the next one. A SIGINT raises
        KeyboardInterrupt in the cell; one that comes too late for that is dropped.
        """
        if count is not None:
            self.execution_count = count
        self.allowance.renew()
        self.last_execution_result = None
        self._mend_streams()
        with interrupts.held():
            with self.telling(publish):
                try:
                    reply = self._in_loop(self._execute(source))
                except BaseException as error:  # a SystemExit of a task, an interrupt outside of the cell's code
                    reply = {"status": "error", "ename": type(error).__name__, "evalue": _text(error)}
                    self._tell_error(error)
            with interrupts.idle():
                pass
        result = self.last_execution_result
        return Ran(
            status=str(reply["status"]),
            ename=str(reply.get("ename", "")),
            evalue=str(reply.get("evalue", "")),
            traceback=tuple(str(line) for line in reply.get("traceback", ())),
            execution_count=reply.get("execution_count"),
            value=None if result is None else result.result,
            error=None if result is None else (result.error_before_exec or result.error_in_exec),
            payload=list(reply.get("payload", ())),
        )

    def call(self, function: Callable[[], Any]) -> Any:
        """Call a function of the notebook's as a cell would: in a running loop, without input. Raises what it raises."""
        if _current_thread() is not _main_thread() or self.loop.is_running():
            return function()

        async def called() -> Any:
            self.kernel._forward_input(allow_stdin=False)
            try:
                return function()
            finally:
                self.kernel._restore_input()

        return self._in_loop(called())

    @contextlib.contextmanager
    def telling(self, publish: Publish | None = None) -> Iterator[None]:
        """An execution of its own: what is put out inside belongs to it, and goes to `publish`; all is sent at its end.

        May be nested: afterwards the outer one goes on.
        """
        before = (self.wire.current, self.wire.publish, self.kernel.get_parent())
        self.wire.current = uuid.UUID(bytes=_urandom(16)).hex
        if publish is not None:
            self.wire.publish = publish
        self._belong({"header": {"msg_id": self.wire.current, "msg_type": "execute_request"}})
        try:
            yield
        finally:
            self.send_all()
            self.wire.current, self.wire.publish, parent = before
            self._belong(parent)

    def send_all(self) -> None:
        """Send what was put out until now, by child processes too."""
        self.relay.drain()
        self.out.flush()
        self.err.flush()

    def _belong(self, parent: Any) -> None:
        """Say which execution it is that puts something out from now on."""
        self.kernel.set_parent([], parent, "shell")
        # A notebook that replaced them does not lose what goes to the first ones.
        for stream in (self.out, self.err):
            stream.set_parent(parent)

    async def _execute(self, source: str) -> dict[str, Any]:
        reply: dict[str, Any] = await self.kernel.do_execute(source, False, True, {}, False)
        # What tasks that the cell has left behind put out is no output of the cell: nbclient is gone by then.
        self.send_all()
        self.wire.current = ""
        return reply

    def _in_loop(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Run until it is done, with Ctrl-C as in Jupyter."""
        if self.loop.is_closed() or self.loop.is_running():
            self._new_loop()
        task = self.loop.create_task(coroutine)
        tries = _MOST_TRIES
        with interrupts.let_go():
            if _current_thread() is _main_thread():
                # Whatever handler an earlier cell has put there.
                _signal(_SIGINT, _raise_interrupt)
            while True:
                try:
                    return self.loop.run_until_complete(task)
                except BaseException as error:
                    tries -= 1
                    if task.done() or not tries:
                        raise
                    # The cell has stopped the loop, or another task has ended with SystemExit: it goes on all the same.
                    if isinstance(error, KeyboardInterrupt):
                        task.cancel()

    def _mend_streams(self) -> None:
        """Put our streams back where a cell has left something that IPython itself could not write to."""
        for name, ours in (("stdout", self.out), ("stderr", self.err)):
            stream = getattr(sys, name, None)
            if stream is ours:
                continue
            try:
                stream.write("")  # type: ignore[union-attr]
                stream.flush()  # type: ignore[union-attr]
            except Exception:  # None, a closed file, an object of the student's
                setattr(sys, name, ours)

    def _tell_error(self, error: BaseException) -> None:
        with contextlib.suppress(Exception):
            self._showtraceback(type(error), error, [f"{type(error).__name__}: {_text(error)}"])  # type: ignore[no-untyped-call]

    def _new_loop(self) -> None:
        """Make the event loop that cells run in. They find it running, as in Jupyter."""
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.kernel.use_loop(self.loop)

    def _listen(self, publish: Publish, limits: Limits) -> None:
        """Build the streams anew, and send what they and displays and errors bring to `publish`."""
        self.relay = Relay()
        self.wire.publish = publish
        self.wire.process = _getpid()
        self.wire.stray = _stray
        self.wire.allowance = self.allowance = Allowance(limits, self._full)
        self.out = OutStream(self.wire, self.relay, "stdout", self.allowance)
        self.err = OutStream(self.wire, self.relay, "stderr", self.allowance)
        sys.stdout, sys.stderr = self.out, self.err

    def _full(self, what: str) -> None:
        self.wire.publish({"msg_type": "limit", "content": {"what": what}, "metadata": {}, "parent": self.wire.current})

    def _format_exception_for_storage(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Keep no second copy of each traceback: there is no history for it."""
        return {}

    # What IPython would otherwise do with folders and windows

    ignore_cwd = False

    def init_ipython_dir(self, ipython_dir: Any) -> None:
        """Leave it empty: `adopt` names one."""

    def init_profile_dir(self, profile_dir: Any) -> None:
        """Leave it out: nothing is configured from files."""

    @observe("ipython_dir")
    def _ipython_dir_changed(self, change: Any) -> None:
        """Make no folder."""

    @property
    def db(self) -> Any:
        """What `%store` keeps, in the home folder of the process."""
        if self._db is None:
            from IPython.external.pickleshare import PickleShareDB

            self._db = PickleShareDB(os.path.join(self.ipython_dir, "profile_default", "db"))  # type: ignore[no-untyped-call]
        return self._db

    @db.setter
    def db(self, value: Any) -> None:
        self._db = value

    def enable_gui(self, gui: Any = None) -> None:
        """Only figures inside the notebook: there is no window to open."""
        if gui in (None, "inline", "asyncio"):
            self.active_eventloop = gui
        else:
            super().enable_gui(gui)


# What tells a notebook from a terminal asks for this name.
Shell.__name__ = Shell.__qualname__ = ZMQInteractiveShell.__name__
Shell.__module__ = ZMQInteractiveShell.__module__


def _look_like_a_kernel() -> None:
    """Give the process what a notebook's code finds in a kernel's: arguments, an empty stdin, its folder on the path."""
    home = os.path.expanduser("~")
    connection = os.path.join(home, ".local", "share", "jupyter", "runtime", f"kernel-{uuid.UUID(int=0)}.json")
    sys.argv[:] = [_LAUNCHER, "-f", connection, "--HistoryManager.hist_file=:memory:"]
    os.environ.setdefault("JPY_PARENT_PID", str(os.getppid()))
    # multiprocessing has put another one there, whose descriptor is somebody else's by now.
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", closefd=False)  # type: ignore[misc]
    # As IPython does, but also where Python itself was told not to (-P): what lies beside the notebook, after Python's own.
    if "" not in sys.path:
        places = [n for n, path in enumerate(sys.path) if os.path.basename(path) in ("site-packages", "dist-packages")]
        sys.path.insert(places[0] if places else 0, "")


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # of whatever class it is
        return ""


def _stray(name: str, text: str) -> None:
    """A forked child's print goes through the descriptor, which its parent reads."""
    data = text.encode("utf-8", "replace")
    while data:
        data = data[_write(1 if name == "stdout" else 2, data) :]


def _go_on(*_: Any, **__: Any) -> None:
    """`breakpoint()` goes on, as in Jupyter when no debugger is attached."""


def _config() -> Config:
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    # What tells a notebook from a terminal looks for it.
    config.IPKernelApp.connection_file = "kernel.json"
    return config


def _new() -> Shell:
    wire = Wire(key=b"")
    wire.process = _getpid()
    kernel = Kernel.instance(session=wire)
    shell = Shell.instance(config=_config(), kernel=kernel, compiler_class=_Compiler)
    kernel.shell = shell
    shell.wire = wire
    part: Any
    for part in (shell.displayhook, shell.display_pub):
        part.session = wire
        part.pub_socket = kernel.iopub_socket
    # As ipykernel's application does: a debugger asks for input as a cell does, and is refused as a cell is.
    own: Any = debugger
    own.Pdb = debugger.InterruptiblePdb
    stock: Any = pdb
    stock.Pdb, stock.set_trace = debugger.Pdb, debugger.set_trace
    # ipykernel's functions: something else may have put others there.
    comm.create_comm = ipykernel.ipkernel._create_comm
    comm.get_comm_manager = ipykernel.ipkernel._get_comm_manager
    shell.configurables.append(comm.get_comm_manager())  # type: ignore[no-untyped-call]
    # The one extension that IPython's applications load by themselves.
    extensions: Any = shell.extension_manager
    extensions.load_extension("storemagic")
    return shell


def warm() -> Shell:
    """Make the shell of this process, or return it: to be done before a fork. Starts no thread."""
    return Shell.instance() if Shell.initialized() else _new()


def make_shell(publish: Publish, limits: Limits | None = None) -> Shell:
    """Return this process's shell, ready to run cells. (IPython allows for one a process.)"""
    shell = warm()
    shell.adopt(publish, limits)
    return shell
