"""A long test does not grow: stand-ins are released on both sides, in both directions."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

from tests.autograder.exam_rooms import Candidate, candidate

SOURCE = """
import gc
class Thing:
    def method(self): return 1
def make(): return Thing()
def same(x): return x
def raises(): raise ValueError([Thing()])
def calls(work): return work()
def catches(work):
    try: work()
    except Exception: return 1
def handles(): gc.collect(); return len(crossing.outside.handles)
def drops(things): return len(things)
"""


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


def counted(student: Candidate) -> tuple[int, int]:
    """Return how many objects each side holds for the other, when all messages about them have gone."""
    gc.collect()
    handles = student("handles")
    handles()
    return len(student.crossing.outside.handles), handles()


def test_stand_ins_are_released(student: Candidate) -> None:
    """Thousands of instances, methods, functions and exceptions later each side holds what it held before."""
    make, same, raises, calls, catches = (student(name) for name in ("make", "same", "raises", "calls", "catches"))
    before = counted(student)

    def failing() -> None:
        raise KeyError

    for number in range(300):
        thing = make()
        assert thing.method() == 1
        assert same(thing) is thing
        assert calls(lambda number=number: number) == number
        assert catches(failing) == 1
        with pytest.raises(ValueError, match="Thing"):
            raises()
        del thing
    after = counted(student)

    assert after[0] - before[0] < 10
    assert after[1] - before[1] < 10


def test_what_is_still_held_is_kept(student: Candidate) -> None:
    """A stand-in that somebody holds leads to its object after others of the same object were let go."""
    make, same = student("make"), student("same")
    things = [make() for _ in range(50)]
    for _ in range(5):
        assert [same(thing) for thing in things] == things
        gc.collect()

    assert sum(thing.method() for thing in things) == 50


def test_handle_released_while_it_comes_again(student: Candidate) -> None:
    """An object that is let go and comes again, over and over, is never lost."""
    kept: list[Any] = [student("make")()]
    same = student("same")
    for _ in range(200):
        kept[0] = same(kept.pop()) if False else same(kept[0])
        assert kept[0].method() == 1


def test_released_more_often_than_sent_is_harmless(student: Candidate) -> None:
    """Counts that make no sense free nothing that is in use by others."""
    handles = student.crossing.outside.handles
    number = handles.hand_over(student)
    handles.release([[number, 0], [number, -3], ["x", 1], [number], None, [number + 999, 1]])
    assert handles.own(number) is student
    handles.release("nonsense")
    handles.release([[number, 10**9]])
    with pytest.raises(Exception, match="not handed over"):
        handles.own(number)
