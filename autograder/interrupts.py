"""Keeps Ctrl-C out of code that must not be cut in half. It touches the handler of SIGINT, in the main thread, and nothing else.

Python runs signal handlers between any two steps of the main thread, and the usual one raises KeyboardInterrupt there. While
`hold` is in force a SIGINT is remembered; `let_go` gives the handler back that was there, and what was remembered with it.
"""

from __future__ import annotations

import importlib
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from autograder.kept import keep

__all__ = ["again", "check", "held", "idle", "let_go", "waiting"]

keep(globals())

_Handler = Callable[[int, FrameType | None], Any] | int | signal.Handlers | None


# Without the enums around it: it is called twice for each message.
_set: Callable[[int, _Handler], _Handler] = importlib.import_module("_signal").signal
_SIGINT = int(signal.SIGINT)
# The code of a notebook may put something else into these modules.
_DEFAULT, _raise_interrupt = signal.SIG_DFL, signal.default_int_handler
_current_thread, _main_thread = threading.current_thread, threading.main_thread


class _State:
    """Of the main thread only: which handler the code outside had, and what came meanwhile."""

    holding = False
    came = False
    former: _Handler = None
    when_it_comes = "remember"


_state = _State()


def _remember(number: int, frame: FrameType | None) -> None:
    if _state.when_it_comes == "raise":
        _hand_over(number, frame)
    elif _state.when_it_comes == "remember":
        _state.came = True


def _hand_over(number: int, frame: FrameType | None) -> None:
    """Do what the handler of the code outside does."""
    if callable(_state.former):
        _state.former(number, frame)
    elif _state.former == _DEFAULT:
        raise KeyboardInterrupt


def _hold() -> bool:
    """Begin to hold SIGINT back; False where there is nothing to begin: in another thread, or when it is held already."""
    if _state.holding or _current_thread() is not _main_thread():
        return False
    # Until this call is through, an interrupt still belongs to the code outside, which then has not begun anything.
    former = _set(_SIGINT, _remember)
    _state.former = _raise_interrupt if former is None else former
    _state.holding = True
    return True


def _release() -> None:
    _state.holding = False
    came, _state.came = _state.came, False
    _set(_SIGINT, _state.former)
    if came:
        _hand_over(_SIGINT, None)


def again() -> None:
    """Let an interrupt that was caught come once more, as soon as the main thread waits or leaves the block that holds it."""
    _state.came = True


def check() -> None:
    """Inside of `held`, at a point where the code may be left: raise what came meanwhile."""
    if _state.came and _state.holding and _current_thread() is _main_thread():
        _state.came = False
        _hand_over(_SIGINT, None)


@contextmanager
def held() -> Iterator[None]:
    """Hold SIGINT back in this block. What came meanwhile is raised at its end."""
    began = _hold()
    try:
        yield
    finally:
        if began:
            _release()


@contextmanager
def let_go() -> Iterator[None]:
    """Inside of `held`: a block of somebody else's code, which may be interrupted as ever."""
    ours = _state.holding and _current_thread() is _main_thread()
    try:
        if ours:
            _release()
        yield
    finally:
        if ours:
            try:
                _hold()
            except BaseException:  # one that came in the last moment: it is the block's own
                _hold()
                raise


@contextmanager
def _when_it_comes(what: str) -> Iterator[None]:
    if _current_thread() is not _main_thread():
        yield
        return
    before, _state.when_it_comes = _state.when_it_comes, what
    try:
        if what == "raise" and _state.came:
            _state.came = False
            _hand_over(_SIGINT, None)
        yield
    finally:
        _state.when_it_comes = before


def waiting() -> Any:
    """Inside of `held`: a block that only waits. An interrupt ends the wait."""
    return _when_it_comes("raise")


@contextmanager
def idle() -> Iterator[None]:
    """Inside of `held`: a block that waits for work. An interrupt has nothing to end, and is dropped."""
    with _when_it_comes("drop"):
        if _current_thread() is _main_thread():
            _state.came = False
        yield
