"""What comes of calling a student's function: a loop without an end, a flood, a changed argument, and what goes through."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from bentocola.checks import guard
from bentocola.errors import WorkerStopped
from tests.checks.students import function

_TRIES = "def f():\n    while True:\n        try:\n            "
LOOPS = {
    "several lines": "def f():\n    n = 0\n    while True:\n        n += 1\n        n -= 1\n",
    "one line": "def f():\n    while True: pass\n",
    "a helper in it": "def f():\n    def helper():\n        while True: pass\n    return helper()\n",
    "a helper beside it": "def g():\n    while True: pass\ndef f():\n    return [g() for _ in 'a']\n",
    "a comprehension": "def f():\n    return [n for n in iter(int, 1)]\n",
    "a generator": "def f():\n    return sum(1 for n in iter(int, 1))\n",
    "except Exception": _TRIES + "int('x')\n        except Exception:\n            pass\n",
    "a bare except": _TRIES + "int('x')\n        except:\n            pass\n",
    "a loop in a bare except's loop": _TRIES
    + "while True: pass\n        except BaseException as e:\n            str(e)\n",
    "a method": "class Worker:\n    def work(self):\n        while True: pass\nf = Worker().work\n",
    "a partial": "from functools import partial\ndef g(n):\n    while True: pass\nf = partial(g, 1)\n",
    "finally": _TRIES + "while True: pass\n        finally:\n            continue\n",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_without_an_end_is_stopped(loop: str) -> None:
    """Whatever form it has, it ends after so many instructions, and is told as endless."""
    called = guard.call(function(LOOPS[loop]))

    assert (called.endless, called.raised, called.stopped) == (True, None, False)
    assert not called.ended
    assert sys.exc_info() == (None, None, None)


@pytest.mark.parametrize("former", [None, lambda frame, event, argument: None], ids=["none", "a debugger's"])
def test_the_former_trace_function_is_set_back(former: Any) -> None:
    """A debugger, or a coverage tool, goes on after each kind of end; boto3 is itself again too."""
    from botocore.client import BaseClient

    before, outer = sys.gettrace(), BaseClient._make_api_call
    found = []
    try:
        sys.settrace(former)
        for source in ("def f():\n    return 1\n", "def f():\n    1 / 0\n", LOOPS["one line"], LOOPS["a bare except"]):
            guard.call(function(source))
            found.append(sys.gettrace())
    finally:
        sys.settrace(before)

    assert found == [former] * 4
    assert BaseClient._make_api_call is outer


def test_only_a_student_s_instructions_count() -> None:
    """A library may take as long as it likes: what an answer asks of it is not the answer's loop."""
    assert guard.call(function("def f():\n    return len(json.dumps(list(range(300_000))))\n")).ended


def test_what_it_returns_and_prints_is_kept() -> None:
    """Both streams are kept in the order of printing, and show nowhere else."""
    called = guard.call(
        function("import sys\ndef f(a):\n    print(a)\n    print('b', file=sys.stderr)\n    return 3\n"), "a"
    )

    assert (called.returned, called.printed, called.left_out) == (3, "a\nb\n", 0)
    assert called.ended


def test_a_flood_of_prints_is_cut_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """So many characters are kept; of the rest it is known how many they were."""
    called = guard.call(function("def f():\n    for n in range(5000):\n        print('x' * 99)\n"))

    assert called.ended
    assert len(called.printed) == guard.MOST_PRINTED
    assert called.left_out == 5000 * 100 - guard.MOST_PRINTED
    assert capsys.readouterr().out == ""


def test_a_changed_argument_is_noticed() -> None:
    """Of the arguments that must stay, also deep inside; `arguments` has them as they were."""
    event = {"Records": [{"body": "{}"}]}
    called = guard.call(function("def f(event):\n    event['Records'][0]['seen'] = True\n"), event, kept=(0,))

    assert called.changed
    assert called.arguments == ({"Records": [{"body": "{}"}]},)
    assert not guard.call(function("def f(items):\n    items.append(1)\n"), []).changed


def test_a_changed_argument_is_noticed_after_an_exception_too() -> None:
    """What it changed before it fell is changed."""
    called = guard.call(function("def f(event):\n    event.clear()\n    1 / 0\n"), {"a": 1}, kept=(0,))

    assert called.changed
    assert isinstance(called.raised, ZeroDivisionError)


def test_an_exception_is_told_with_the_student_s_own_line() -> None:
    """The innermost line of the student's own, not that of the library that raised."""
    called = guard.call(function("def f():\n    text = 'x'\n    return json.loads(text)\n"))

    assert isinstance(called.raised, ValueError)
    assert called.line is not None
    assert called.line[0] == 3


def test_an_iterator_s_end_is_an_exception_as_any_other() -> None:
    """`next` of an empty iterator raises what a generator cannot."""
    assert isinstance(guard.call(function("def f():\n    return next(iter(()))\n")).raised, StopIteration)


def test_a_blank_answer_goes_through() -> None:
    """NotImplementedError is no verdict of an answer: the frame tells it."""
    with pytest.raises(NotImplementedError):
        guard.call(function("def f():\n    raise NotImplementedError\n"))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit], ids=lambda one: str(one.__name__))
def test_an_interrupt_goes_through(stop: type[BaseException]) -> None:
    """Who stops a cell stops it."""
    with pytest.raises(stop):
        guard.call(function("def f(stop):\n    raise stop\n"), stop)

    assert sys.gettrace() is None or sys.gettrace().__module__ != guard.__name__


def test_a_planned_stop_is_told() -> None:
    """A worker that a fault stopped neither returned nor raised."""

    def stopped() -> None:
        raise WorkerStopped(lambda message: message)

    called = guard.call(function("def f(stop):\n    stop()\n"), stopped)

    assert (called.stopped, called.raised, called.ended) == (True, None, False)


def test_endless_recursion_is_an_exception() -> None:
    """Python's own limit comes first, and it is an error as any other."""
    assert isinstance(guard.call(function("def f():\n    return f()\n")).raised, RecursionError)
