"""Interrupts, forks, threads and patched names in the middle of what crosses: afterwards the two processes still talk."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.crossing import CandidateExit
from autograder.frames import ProtocolError
from autograder.peer import PeerError
from tests.autograder.exam_rooms import Candidate, candidate

SOURCE = """
import builtins, os, signal, threading, time

def pid(): return os.getpid()
def add(x): return x + 1
def endless(started):
    started()
    while True: pass
def swallows(work):
    while True:
        try: return work()
        except Exception: pass
        except BaseException: pass
def once(work):
    try: work()
    except BaseException as error: return type(error).__name__
    return "nothing"
def forks(work):
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        try: work()
        except BaseException as error: os.write(sink, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    return os.read(source, 10_000).decode(), work()
def falls_through(work):
    child = os.fork()
    if child == 0: return "from the copy"
    os.waitpid(child, 0)
    return work()
def pool():
    import multiprocessing
    with multiprocessing.get_context("fork").Pool(2) as workers: return workers.map(abs, range(4))
def ignores():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return 1
def default():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return 1
def deep(n): return deep(n + 1)
def deep_work(work, n):
    work()
    return deep_work(work, n + 1)
def later(work):
    threading.Thread(target=lambda: [work(i) for i in range(20)]).start()
def patches():
    import json, queue
    kept = dict(vars(builtins)), json.loads, json.dumps, time.time, os.getpid
    try:
        for name in ("isinstance", "issubclass", "type", "str", "int", "any", "all", "map", "zip", "sorted", "sum", "max", "min",
                     "list", "dict", "set", "tuple", "enumerate", "reversed", "vars", "print", "hasattr", "abs", "range"):
            setattr(builtins, name, lambda *a, **k: True)
        json.loads = json.dumps = json.JSONEncoder.encode = lambda *a, **k: "{}"
        time.time = lambda: 0
        return crossing.do(told, "call", ((5,), {}))
    finally:
        builtins.__dict__.update(kept[0])
        json.loads, json.dumps, time.time, os.getpid = kept[1:]
def tell(number):
    global told
    told = number
"""


@pytest.fixture
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


def interrupt(process: int) -> None:
    os.kill(process, signal.SIGINT)


def test_interrupted_function_is_an_error(student: Candidate) -> None:
    """SIGINT to the candidate ends the student's loop; the test gets an error that says so, and goes on."""
    child = student("pid")()
    endless = student("endless")
    for _ in range(5):
        with pytest.raises(CandidateExit) as caught:
            endless(lambda: threading.Timer(0.01, interrupt, [child]).start())
        assert caught.value.kind == "KeyboardInterrupt"
        assert student("add")(1) == 2


def test_interrupted_test_leaves_the_call(student: Candidate) -> None:
    """SIGINT to the examiner ends its wait; the next call is answered though the first one still runs over there."""
    child = student("pid")()
    add, endless = student("add"), student("endless")
    with pytest.raises(KeyboardInterrupt):
        endless(lambda: threading.Timer(0.01, interrupt, [os.getpid()]).start())
    assert [add(n) for n in range(20)] == list(range(1, 21))
    interrupt(child)
    assert [add(n) for n in range(20)] == list(range(1, 21))


def test_student_cannot_swallow_the_test_s_interrupt(student: Candidate) -> None:
    """Interrupted in a call-back, the test ends, though the student's code catches everything and calls again."""
    calls: list[int] = []

    def work() -> None:
        calls.append(1)
        interrupt(os.getpid())
        for _ in range(10**7):
            pass

    with pytest.raises(KeyboardInterrupt):
        student("swallows")(work)
    assert len(calls) == 1
    with pytest.raises(KeyboardInterrupt):
        student("once")(work)


def test_candidate_that_ignores_interrupts(student: Candidate) -> None:
    """Whatever handler the student's code sets, it stays set, and the calls go on."""
    child = student("pid")()
    assert student("ignores")() == 1
    for number in range(20):
        interrupt(child)
        assert student("add")(number) == number + 1
    assert student("default")() == 1
    with pytest.raises(CandidateExit):
        student("endless")(lambda: threading.Timer(0.01, interrupt, [child]).start())


def test_forked_child_gets_a_sentence(student: Candidate) -> None:
    """A call-back from a forked copy is refused there with a sentence; the original's goes through."""
    said, answer = student("forks")(lambda: "here")

    assert said.startswith("ForkedError: ")
    assert "fork" in said
    assert answer == "here"
    assert student("falls_through")(lambda: "here") == "here"
    assert student("pool")() == [0, 1, 2, 3]


def test_recursion_to_the_end_leaves_no_call_waiting(student: Candidate) -> None:
    """At whatever depth the stack ends, in one process or across both, an error comes, and the next call is answered."""
    with pytest.raises(RecursionError):
        student("deep")(0)
    with pytest.raises(RecursionError):
        student("deep_work")(lambda: None, 0)
    once = student("once")

    def work() -> Any:
        return once(work)

    assert once(work) in ("nothing", "RecursionError", "PeerError", "RuntimeError")
    assert student("add")(1) == 2


def test_thread_that_outlives_its_call_is_served_later(student: Candidate) -> None:
    """What a thread asks after its function returned is answered whenever the test waits again."""
    got: list[int] = []
    student("later")(got.append)
    while len(got) < 20:
        student("add")(1)

    assert got == list(range(20))


def test_patched_names_change_nothing(student: Candidate) -> None:
    """A student's code that replaces built-in functions or `json` still reaches the test, and its answer is right."""
    seen = []

    def work(x: int) -> list[int]:
        seen.append(x)
        return [x, x]

    student("tell")(student.crossing.outside.handles.hand_over(work))
    assert student("patches")() == [5, 5]
    assert seen == [5]


def test_test_goes_on_after_a_value_that_cannot_cross(student: Candidate) -> None:
    """A result too large, or an argument that is not handed over, is an error of that call alone."""
    with candidate("def big(): return 'x' * 40_000_000\ndef add(x): return x + 1") as other:
        with pytest.raises((PeerError, ValueError)):
            other("big")()
        assert other("add")(1) == 2
    with pytest.raises(TypeError):
        student("add")(__import__("sys")._getframe())
    assert student("add")(1) == 2
    assert not isinstance(student.other.peer.why, ProtocolError)
