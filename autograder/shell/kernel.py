"""ipykernel's kernel with nothing to listen to: what runs a cell, and what comms and `get_ipython().kernel` expect."""

from __future__ import annotations

import logging
import threading
from types import SimpleNamespace
from typing import Any

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelbase import Kernel as KernelBase
from traitlets import Any as AnyTrait

from autograder.shell.wire import Wire

__all__ = ["Kernel"]


class Kernel(IPythonKernel):
    """One a process. Its `do_execute` is stock's own."""

    # IPythonKernel's own trait, and its constructor, import the debugger.
    debugger_class = AnyTrait()

    def __init__(self, session: Wire) -> None:
        # As in a kernel, a notebook that turns its own logging on does not get the kernel's.
        log = logging.getLogger("ipykernel")
        log.propagate = False
        log.addHandler(logging.NullHandler())
        KernelBase.__init__(self, session=session, iopub_socket=object(), log=log)  # type: ignore[no-untyped-call]
        self.shell_channel_thread = SimpleNamespace(parent_thread=threading.main_thread())
        self.io_loop: Any = None

    def use_loop(self, loop: Any) -> None:
        """Name the asyncio loop that cells run in; `exit` does not stop it."""
        self.io_loop = SimpleNamespace(
            asyncio_loop=loop, add_callback=loop.call_soon_threadsafe, call_later=lambda *_: None, stop=lambda: None
        )
