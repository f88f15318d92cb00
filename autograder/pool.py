"""Many submissions at once: so many invigilators side by side, results in the order in which they end.

What is handed out is paths and digests only (`Job`), and what comes back is on disk, so that workers of a cluster could do the
same. It holds no more than the jobs that run: a class of any size takes the same memory.
"""

from __future__ import annotations

import json
import logging
import signal
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from autograder.nursery import Handle, Nursery
from autograder.records import Job, Note, Record

__all__ = ["Finished", "Pool"]

_log = logging.getLogger(__name__)
_LONGEST_REPORT = 1 << 16
_TRIES = 2
_SPARE_SECONDS = 120
"""What an invigilator may take beside the submission's own time: for bringing files in, writing results, a slow disk."""


@dataclass(frozen=True)
class Finished:
    """A job that has ended. `records`: of its notebooks, in their order, as far as they were finished."""

    job: Job
    records: tuple[Record, ...]
    crash: Note | None = None
    """Why there is no record for each notebook: the invigilator ended before it had reported, each time."""


@dataclass
class _Running:
    job: Job
    handle: Handle
    tries: int
    deadline: float
    report: dict[str, Any] | None = None
    late: bool = False


class Pool:
    """Runs jobs with at most `workers` invigilators at a time."""

    def __init__(self, workers: int, nursery: Nursery) -> None:
        """`nursery`: what starts them; whoever made it closes it."""
        if workers < 1:
            raise ValueError(f"Expected at least one worker, got {workers}.")
        self._workers = workers
        self._nursery = nursery

    def run(self, jobs: Iterable[Job]) -> Generator[Finished, None, None]:
        """Yield each job as it ends, a crashed one after a second try. Left early, by an interrupt say, it ends all that runs."""
        waiting = iter(jobs)
        running: dict[Connection, _Running] = {}
        try:
            more = True
            while more or running:
                while more and len(running) < self._workers:
                    job = next(waiting, None)
                    more = job is not None
                    if job is not None:
                        self._start(running, job, tries=1)
                for ended in _ended(running):
                    if ended.report is None and ended.tries < _TRIES and not ended.late:
                        ended.handle.status()
                        self._start(running, ended.job, ended.tries + 1)
                    else:
                        yield _finished(ended)
        finally:
            for one in running.values():
                one.handle.kill()
                one.handle.connection.close()

    def _start(self, running: dict[Connection, _Running], job: Job, tries: int) -> None:
        handle = self._nursery.start(job)
        seconds = len(job.notebooks) * job.limits.submission_seconds + _SPARE_SECONDS
        running[handle.connection] = _Running(job, handle, tries, time.monotonic() + seconds)


def _ended(running: dict[Connection, _Running]) -> list[_Running]:
    """Wait until something happens, and return, and forget, what has ended by then."""
    first = min((one.deadline for one in running.values()), default=0.0)
    ready = wait(list(running), max(0.0, first - time.monotonic()))
    ended = []
    for connection in ready:
        one = running[connection]  # type: ignore[index]
        try:
            one.report = json.loads(one.handle.connection.recv_bytes(_LONGEST_REPORT))
        except (EOFError, OSError, ValueError):
            one.handle.connection.close()
            ended.append(running.pop(one.handle.connection))
    now = time.monotonic()
    for one in running.values():
        if one.deadline < now and not one.late:
            one.late = True
            one.deadline = now + _SPARE_SECONDS
            one.handle.kill()
    return ended


def _finished(ended: _Running) -> Finished:
    records = tuple(_records(ended.job))
    status = ended.handle.status()
    if ended.report is not None and ended.report.get("error") is None and len(records) == len(ended.job.notebooks):
        return Finished(ended.job, records)
    return Finished(ended.job, records, _crash(ended, status))


def _records(job: Job) -> Iterator[Record]:
    for name in job.notebooks:
        with suppress(OSError, ValueError):
            yield Record.from_json(json.loads((job.out / f"{name}.json").read_bytes()))


def _crash(ended: _Running, status: int | None) -> Note:
    if ended.late:
        return Note("The process that graded this submission did not end in its time.", code="late")
    if ended.report is not None:
        _log.debug("%s", ended.report.get("trace"))
        error = str(ended.report.get("error"))
        return Note(
            "The process that graded this submission met an error of its own: {error}", {"error": error}, code="error"
        )
    if status is not None and status < 0:
        with suppress(ValueError):
            name = signal.Signals(-status).name
            return Note(
                "The process that graded this submission was ended by {signal}, twice.", {"signal": name}, code="killed"
            )
    return Note(
        "The process that graded this submission ended with status {status}, twice.",
        {"status": str(status)},
        code="ended",
    )
