"""Lets what is written on stderr appear on stdout for a while: a log line or a warning is no failure.

Stock nbgrader takes any text on stderr under a test cell for one (`nbgrader.utils.determine_grade`).
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr

__all__ = ["stderr_on_stdout"]


@contextmanager
def stderr_on_stdout() -> Iterator[None]:
    """While it is open, `sys.stderr`, and every logging handler that writes there, write on `sys.stdout`."""
    with ExitStack() as undo:
        for handler in _handlers():
            if isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr:
                undo.callback(handler.setStream, handler.setStream(sys.stdout))
        undo.enter_context(redirect_stderr(sys.stdout))
        yield


def _handlers() -> Iterator[logging.Handler]:
    yield from logging.root.handlers
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            yield from logger.handlers
