"""Calls a student's function and tells what came of it: what it returned, raised or printed, whether it changed what it got.

A loop without an end is stopped after so many instructions of the student's own code: counted, not timed, and without threads,
so that it is the same in a browser. What runs in another process (a stand-in, in grading) has that process's own limits.
"""

from __future__ import annotations

import contextlib
import copy
import io
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, wraps
from types import FrameType, FunctionType, MethodType
from typing import Any

from boto3 import Session
from botocore.client import BaseClient

from bentocola.errors import WorkerStopped

__all__ = ["MOST_STEPS", "MOST_PRINTED", "Called", "Endless", "call", "floods", "is_students"]

MOST_STEPS = 1_000_000
"""Instructions of a student's code in one call. What an assignment asks for takes some thousand."""
_WAYS_TO_AWS: tuple[tuple[Any, str], ...] = (
    (BaseClient, "_make_api_call"),
    *((Session, name) for name in ("__init__", "client", "resource")),
)
_STEPS_OF_AN_API_CALL = 5_000
"""What each of these counts as: it takes as long as so many instructions."""
MOST_PRINTED = 20_000
"""Characters of what one call prints that are kept."""


class Endless(BaseException):
    """A call ran too many instructions. No `except Exception` of the student's goes on after it.

    A bare `except:` does; Python has dropped its trace function by then, so `again` puts it back once the exception is gone.
    """

    def __init__(self, again: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._again = again

    def __del__(self) -> None:
        self._again()


@dataclass
class Called:
    """What came of one call. Exactly one of `raised`, `stopped`, `endless` is set, or none: then it returned."""

    arguments: tuple[Any, ...]
    """As they were before the call."""
    returned: Any = None
    raised: Exception | None = None
    stopped: bool = False
    """A planned fault stopped it."""
    endless: bool = False
    printed: str = ""
    left_out: int = 0
    """How many characters it printed beyond what is kept."""
    changed: bool = False
    """Whether it changed an argument."""
    line: tuple[int, str] | None = None
    """The innermost line of the student's own code that an exception came through, and its number."""

    @property
    def ended(self) -> bool:
        """Whether it returned by itself."""
        return self.raised is None and not self.stopped and not self.endless


class _Printed(io.StringIO):
    """Keeps the beginning of what is printed, and counts the rest."""

    left_out = 0

    def write(self, text: str) -> int:
        room = MOST_PRINTED - self.tell()
        super().write(text[: max(0, room)])
        self.left_out += max(0, len(text) - max(0, room))
        return len(text)


_watching: list[list[int]] = []


@contextlib.contextmanager
def floods() -> Iterator[list[int]]:
    """Give a list that gets, for each call in this block that printed more than is kept, how many characters were left out."""
    seen: list[int] = []
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching[:] = [other for other in _watching if other is not seen]


def call(function: Callable[..., Any], *arguments: Any, kept: tuple[int, ...] = ()) -> Called:
    """Call it. `kept`: the positions of arguments that must stay as they are; those are plain data.

    NotImplementedError, and what is no Exception, goes through (but for a planned stop, which is told).
    """
    before = tuple(copy.deepcopy(value) if n in kept else value for n, value in enumerate(arguments))
    called = Called(before)
    printed = _Printed()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), _counted(function):
            called.returned, stopped = next(_apart(function, arguments))
            if stopped is not None:
                raise stopped
    except NotImplementedError:
        raise
    except WorkerStopped:
        called.stopped = True
    except Endless:
        called.endless = True
    except Exception as error:
        called.raised = error
        called.line = _own_line(error)
    called.printed, called.left_out = printed.getvalue(), printed.left_out
    if called.left_out:
        for seen in _watching:
            seen.append(called.left_out)
    called.changed = any(arguments[n] != before[n] for n in kept)
    return called


def _apart(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[tuple[Any, StopIteration | None]]:
    """Yield what a call returns. Other exceptions come out of here, but a generator cannot raise StopIteration.

    An Endless strikes between any two instructions, and can leave behind an exception that Python takes for one being handled:
    a generator has that to itself.
    """
    try:
        returned = function(*arguments)
    except StopIteration as error:
        yield None, error
    else:
        yield returned, None


def is_students(filename: str) -> bool:
    """Whether code of this file is a notebook cell's, or was typed elsewhere: no file of a library."""
    return "ipykernel" in filename or filename.startswith("<ipython-input") or filename.startswith("<student")


def _own_line(error: Exception) -> tuple[int, str] | None:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_students(frame.filename)]
    return (frames[-1].lineno or 0, (frames[-1].line or "").strip()) if frames else None


class _Count:
    """Counts the instructions that run in a student's code in this thread, and raises Endless beyond the limit."""

    def __init__(self) -> None:
        self._left = MOST_STEPS
        self._own: dict[str, bool] = {}
        self._is_open = self._is_within = False

    def __enter__(self) -> None:
        self._is_open = True
        self._former = sys.gettrace()
        self._ways = [(kind, name, getattr(kind, name)) for kind, name in _WAYS_TO_AWS]
        for kind, name, way in self._ways:
            setattr(kind, name, self._around(way))
        # Python 3.12 only looks for instructions from the next settrace on after some frame has asked for them.
        sys._getframe().f_trace_opcodes = True
        sys.settrace(self._enter)

    def __exit__(self, *exception: object) -> None:
        self._is_open = False
        sys.settrace(self._former)
        for kind, name, way in self._ways:
            setattr(kind, name, way)

    def _around(self, way: Callable[..., Any]) -> Callable[..., Any]:
        """Return a way of boto3's untraced: nothing of it is the student's, and traced it takes up to three times as long."""

        @wraps(way)
        def untraced(*arguments: Any, **named: Any) -> Any:
            if self._is_within:  # a call within a call
                return way(*arguments, **named)
            self._left -= _STEPS_OF_AN_API_CALL
            if self._left < 0:
                raise Endless
            tracing = sys.gettrace()
            self._is_within = True
            sys.settrace(None)
            try:
                return way(*arguments, **named)
            finally:
                self._is_within = False
                sys.settrace(tracing)

        return untraced

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in self._own:
            self._own[name] = is_students(name)
        return self._follow(frame) if self._own[name] else None

    def _follow(self, frame: FrameType) -> Any:
        # A loop on one line is one line to Python, however often it goes round.
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return self._step

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":
            self._left -= 1
            if self._left < 0:
                raise Endless(self._again)
        return self._step

    def _again(self) -> None:
        """Go on counting after an Endless that was caught: the next instruction raises another."""
        frame: FrameType | None = sys._getframe()
        while self._is_open and frame is not None:
            if is_students(frame.f_code.co_filename):
                frame.f_trace = self._follow(frame)
            frame = frame.f_back
        if self._is_open:
            sys.settrace(self._enter)


def _counted(function: Callable[..., Any]) -> contextlib.AbstractContextManager[None]:
    """Count what runs of a student's code, where it is a student's function that is called."""
    return _Count() if isinstance(function, FunctionType | MethodType | partial) else contextlib.nullcontext()
