"""A schedule: what happens to an answer, as data. Which jobs come, what goes wrong, how many messages Lambda hands over at once.

`find_shortest` draws schedules and shrinks the first one that breaks something. Only `sampled_from` and booleans are drawn:
other strategies draw constants that hypothesis gathers from whatever modules are loaded, so that the same seed would not give
the same schedules. Budgets count executions, never time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

__all__ = ["Job", "Schedule", "Slip", "Space", "find_shortest"]

_SHRINKS = 150
"""How many more schedules may be played to find the shortest one."""


@dataclass(frozen=True)
class Job:
    """One message to come. `kind`: what a world knows to write; `number`: which of the seed's orders it is about."""

    kind: str
    number: int = 0
    variant: str = ""


@dataclass(frozen=True)
class Slip:
    """One thing that goes wrong outside of the answer.

    `kind`: "throttle", "busy" (throttled for longer than boto3 tries), "deny" (the permission is missing), "no_table" (in a call
    of the answer, its table does not exist), "lost", "stop_before", "stop_after", "timeout", "again", "reorder", "late", "rival"
    (another program writes right before), "gone" (it removes the first order right before the answer reads), "slow" (the call
    takes longer than a message stays hidden), "held" (another consumer has the messages when ours asks first), "long" (what
    fails comes back five times). `operation`: such as "dynamodb:PutItem". `on`: which of those calls it strikes; which message
    is late; in which call of the answer there is no table.
    """

    kind: str
    operation: str = ""
    on: int = 1


@dataclass(frozen=True)
class Schedule:
    """What happens, in this order: what is stored already, the jobs that come, what goes wrong, how they are handed over."""

    jobs: tuple[Job, ...]
    slips: tuple[Slip, ...] = ()
    batch: int = 10
    stored: tuple[Job, ...] = ()

    @property
    def events(self) -> int:
        """How many things happen in it."""
        return len(self.jobs) + len(self.slips) + len(self.stored)


@dataclass(frozen=True)
class Space:
    """What schedules are drawn from. Each slot lists what can stand in it, the simplest first; None leaves it empty."""

    jobs: tuple[tuple[Job | None, ...], ...]
    slips: tuple[tuple[Slip | None, ...], ...] = ()
    batches: tuple[int, ...] = (10,)
    stored: tuple[Job | None, ...] = (None,)
    sent_again: bool = False
    """Whether the first job can come once more at the end, in a message of its own."""

    def strategy(self) -> Any:
        """Return what hypothesis draws from."""
        from hypothesis import strategies

        def made(drawn: tuple[Any, ...]) -> Schedule:
            jobs, slips, batch, stored, again = drawn
            sent = tuple(job for job in jobs if job is not None)
            return Schedule(
                jobs=sent + (sent[:1] if again else ()),
                slips=tuple(slip for slip in slips if slip is not None),
                batch=batch,
                stored=() if stored is None else (stored,),
            )

        sampled = strategies.sampled_from
        return strategies.tuples(
            strategies.tuples(*(sampled(slot) for slot in self.jobs)),
            strategies.tuples(*(sampled(slot) for slot in self.slips)),
            sampled(self.batches),
            sampled(self.stored),
            strategies.booleans() if self.sent_again else strategies.just(False),
        ).map(made)


@dataclass
class _Count:
    tried: int = 0
    broken: int = 0
    known: dict[Schedule, bool] = field(default_factory=dict)


def find_shortest(
    space: Space,
    breaks: Callable[[Schedule], object],
    *,
    seed: int,
    tries: int,
    first: tuple[Schedule, ...] = (),
    shrink: bool = True,
) -> tuple[Schedule | None, int]:
    """Return the shortest schedule found for which `breaks` gives something true, or None; and how many schedules were tried.

    `first`: schedules that are tried before any is drawn. `tries`: how many are drawn; shrinking may play `_SHRINKS` more.
    A schedule is never played twice.
    """
    count = _Count()

    def is_broken(schedule: Schedule) -> bool:
        if schedule not in count.known:
            if count.broken and count.broken > _SHRINKS:
                return False
            count.tried += not count.broken
            count.broken += bool(count.broken)
            count.known[schedule] = bool(breaks(schedule))
            if count.known[schedule] and not count.broken:
                count.broken = 1
        return count.known[schedule]

    found = next(filter(is_broken, first), None)
    if found is None:
        found = _drawn(space, is_broken, seed, tries, shrink)
    # To hypothesis, what stands in an earlier slot weighs more than how much there is.
    while found and shrink and (fewer := next(filter(is_broken, _fewer(found)), None)) is not None:
        found = fewer
    return found, count.tried


def _drawn(space: Space, is_broken: Callable[[Schedule], bool], seed: int, tries: int, shrink: bool) -> Schedule | None:
    """Draw schedules from the space, and return the first that is broken; with `shrink`, the simplest that hypothesis finds."""
    from hypothesis import HealthCheck, Phase, Verbosity, find, settings
    from hypothesis.errors import NoSuchExample

    quiet = settings(
        database=None,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        max_examples=max(1, tries),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    try:
        with _nothing_gathered():
            found: Schedule = find(space.strategy(), is_broken, settings=quiet, random=Random(seed))
    except NoSuchExample:
        return None
    return found


def _fewer(schedule: Schedule) -> Iterator[Schedule]:
    """Yield the schedule without one of the things that happen in it, each in turn. One job stays."""
    for n in range(len(schedule.slips)):
        yield replace(schedule, slips=schedule.slips[:n] + schedule.slips[n + 1 :])
    if schedule.stored:
        yield replace(schedule, stored=())
    for n in range(len(schedule.jobs) if len(schedule.jobs) > 1 else 0):
        yield replace(schedule, jobs=schedule.jobs[:n] + schedule.jobs[n + 1 :])


@contextmanager
def _nothing_gathered() -> Iterator[None]:
    """Keep hypothesis from reading the source of whatever is loaded, for constants, and from leaving a folder of them behind.

    What is drawn here is the same without. A hypothesis that has no such place is left as it is.
    """
    from hypothesis.internal.conjecture import providers

    name = "_get_local_constants"
    gather = getattr(providers, name, None)
    if gather is not None:
        setattr(providers, name, lambda: _NOTHING)
    try:
        yield
    finally:
        if gather is not None:
            setattr(providers, name, gather)


class _Nothing:
    """No constants of any type."""

    @staticmethod
    def set_for_type(name: str) -> tuple[()]:
        return ()


_NOTHING = _Nothing()
