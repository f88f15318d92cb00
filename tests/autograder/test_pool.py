"""The pool: how many run at once, what comes of those that die, and that a class of any size takes no more memory."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.leashed import can_fork
from autograder.nursery import Handle, Nursery
from autograder.pool import Pool
from autograder.records import Job
from tests.autograder.classroom import EXPECTED, Classroom

pytestmark = pytest.mark.skipif(not can_fork(), reason="There is no fork here.")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Yield a nursery."""
    with Nursery() as nursery:
        yield nursery


class Counting(Nursery):
    """A nursery that knows what it started, and ends the first `kills` of them at once."""

    def __init__(self, kills: int = 0) -> None:
        super().__init__()
        self.kills = kills
        self.started: list[Handle] = []

    def start(self, job: Job) -> Handle:
        """Start it, and perhaps end it."""
        handle = super().start(job)
        self.started.append(handle)
        if len(self.started) <= self.kills:
            handle.kill()
        return handle


def job(number: int = 0) -> Job:
    """Return a job that cannot be done, for there is no paper: it ends at once."""
    nowhere = Path("/nonexistent")
    return Job("ps1", f"s{number}", (), nowhere, nowhere, nowhere, nowhere, "digest", "A")


def test_each_job_ends_once(nursery: Nursery) -> None:
    """However many there are, and however few workers."""
    ended = [finished.job.student for finished in Pool(2, nursery).run(job(n) for n in range(7))]

    assert sorted(ended) == [f"s{n}" for n in range(7)]


def test_an_error_of_ours_is_named(nursery: Nursery) -> None:
    """It is no verdict about a student: there is no record, and the reason is said."""
    [finished] = Pool(1, nursery).run([job()])

    assert finished.records == ()
    assert finished.crash is not None
    assert finished.crash.code == "error"
    assert "prepare it again" in finished.crash.values["error"]


def test_no_more_run_than_there_are_workers() -> None:
    """A job is asked for when a worker is free, and not before: of a class of thousands, two are held."""
    asked = 0

    def jobs() -> Iterator[Job]:
        nonlocal asked
        for n in range(6):
            asked += 1
            yield job(n)

    with Counting() as nursery:
        for count, _ in enumerate(Pool(2, nursery).run(jobs()), 1):
            assert len(nursery.started) <= count + 2
            assert asked <= count + 2
    assert asked == 6


def test_one_that_is_killed_again_and_again_is_named() -> None:
    """After a second try there is a reason in place of a result, and the others are graded."""
    with Counting(kills=2) as nursery:
        first, second = Pool(1, nursery).run([job(1), job(2)])

    assert len(nursery.started) == 3
    assert first.job.student == "s1"
    assert first.crash is not None
    assert (first.crash.code, first.crash.values) == ("killed", {"signal": "SIGKILL"})
    assert second.crash is not None
    assert second.crash.code == "error"


def test_no_worker_is_no_pool(nursery: Nursery) -> None:
    """It would wait for ever."""
    with pytest.raises(ValueError, match="at least one worker"):
        Pool(0, nursery)


def test_left_early_it_ends_what_runs(tmp_path: Path) -> None:
    """As Ctrl-C does: the submissions that still run are ended at once."""
    room = Classroom(tmp_path)
    loop = room.changed("loop", {"sol1": "while True:\n    pass"})
    with Counting() as nursery:
        with contextlib.closing(Pool(2, nursery).run([loop, job()])) as ended:
            assert next(ended).job.student == "s0"
        assert nursery.started[0].status() == -signal.SIGKILL


@pytest.mark.slow
def test_one_that_is_killed_is_tried_again(tmp_path: Path) -> None:
    """A worker that the system ends costs a student nothing."""
    with Counting(kills=1) as nursery:
        [finished] = Pool(1, nursery).run([Classroom(tmp_path).bench("s08")])

    assert len(nursery.started) == 2
    assert finished.crash is None
    assert finished.records[0].earned == EXPECTED["s08"]
