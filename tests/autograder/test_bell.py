"""The bell: what is done when a cell's time is over, in order, and never after the cell."""

from __future__ import annotations

import os
import threading

import pytest

from autograder.sitting.bell import bell

_LONG = 3600.0
_PATIENCE = 60.0


def test_steps_are_taken_one_after_the_other_when_their_time_has_come() -> None:
    """`rung` counts those that were."""
    taken: list[str] = []
    last = threading.Event()
    with bell((0, lambda: taken.append("first")), (0, last.set), (_LONG, lambda: taken.append("too soon"))) as rings:
        assert last.wait(_PATIENCE)

    assert taken == ["first"]
    assert rings.rung == 2


def test_a_block_that_ends_in_time_takes_no_step() -> None:
    """Also where the bell of another block rings while it runs."""
    taken: list[str] = []
    other = threading.Event()
    with bell((_LONG, lambda: taken.append("late"))) as rings, bell((0, other.set)):
        assert other.wait(_PATIENCE)

    assert (taken, rings.rung) == ([], 0)


def test_the_block_ends_when_the_step_that_is_being_taken_has_ended() -> None:
    """Nothing is still going on after it."""
    begun, may_end, taken = threading.Event(), threading.Event(), []

    def step() -> None:
        begun.set()
        may_end.wait(_PATIENCE)
        taken.append("whole")

    with bell((0, step)):
        assert begun.wait(_PATIENCE)
        threading.Timer(0, may_end.set).start()

    assert taken == ["whole"]


def test_a_step_that_fails_keeps_no_other_from_being_taken() -> None:
    """It may kill what has ended by itself in that moment."""

    def fail() -> None:
        raise ProcessLookupError

    second = threading.Event()
    with bell((0, fail), (0, second.set)):
        assert second.wait(_PATIENCE)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_it_rings_in_a_forked_process() -> None:
    """A copy has no thread of the original's."""
    with bell((_LONG, lambda: None)):
        child = os.fork()
        if child == 0:
            rung = threading.Event()
            with bell((0, rung.set)):
                os._exit(0 if rung.wait(_PATIENCE) else 1)
        _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0
