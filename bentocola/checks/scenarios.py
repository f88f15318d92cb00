"""What is tried with each answer of the assignments: for each graded test cell which schedules, in which world, under what.

A scenario's name is its test cell's id without `test-`. Nothing here knows what a right answer looks like.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from bentocola.checks import invariants as must
from bentocola.checks.invariants import Invariant
from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.schedule import Job, Schedule, Slip, Space
from bentocola.checks.stage import Stage
from bentocola.checks.world import World
from bentocola.checks.worlds import Consumed, Handled, Saved

__all__ = ["SCENARIOS", "TRIES", "Scenario"]

TRIES = {"visible": 6, "browser": 3, "secret": 18}
"""How many schedules are drawn for the visible part of a test and for the hidden one. Executions, not seconds.

In a page's own Python the visible part draws fewer: everything takes several times as long there.
"""


@dataclass(frozen=True)
class Scenario:
    """`world`: "pure" calls the answer with one body after the other, without a cloud; the others are those of `worlds`."""

    world: Literal["pure", "handled", "consumed", "saved"]
    orders: type[Uploads] | type[Jobs]
    space: Space
    invariants: tuple[Invariant, ...] = ()
    first: tuple[Schedule, ...] = ()
    """Schedules that are always played, before any is drawn."""
    reports: bool = True
    """Whether Lambda's mapping has ReportBatchItemFailures."""

    def make(self, stage: Stage, orders: Uploads | Jobs, function: Callable[..., Any]) -> World:
        """Return the world to play in. Not for "pure"."""
        match self.world:
            case "handled":
                return Handled(stage, orders, function, reports=self.reports)
            case "consumed":
                return Consumed(stage, orders, function, (ValueError, RuntimeError, KeyError, ZeroDivisionError))
            case "saved":
                return Saved(stage, orders, function)
        raise ValueError(f"There is no world {self.world!r}.")


WRITE = "dynamodb:[PUT]*"
"""PutItem, UpdateItem, and writes in a transaction."""
DELETE = "sqs:DeleteMessage*"


def _jobs(*kinds: str) -> tuple[Job, ...]:
    """Jobs in short: "order", "order:1", "wrong:0:word"."""
    found = []
    for kind in kinds:
        name, _, rest = kind.partition(":")
        number, _, variant = rest.partition(":")
        found.append(Job(name, int(number or 0), variant))
    return tuple(found)


def _slips(*kinds: str) -> tuple[Slip | None, ...]:
    """Faults in short: "stop_after write", "again", "rival write 2", "no_table". Each slot may stay empty."""
    names = {"write": WRITE, "delete": DELETE}
    found: list[Slip | None] = [None]
    for kind in kinds:
        name, *rest = kind.split()
        operation = names[rest.pop(0)] if rest and rest[0] in names else ""
        found.append(Slip(name, operation, int(rest[0]) if rest else 1))
    return tuple(found)


def _space(
    *jobs: str,
    most: int = 3,
    slips: tuple[str, ...] = (),
    faults: int = 1,
    batches: tuple[int, ...] = (10,),
    stored: tuple[str, ...] = (),
    again: bool = False,
) -> Space:
    """Return a space of up to `most` of these jobs, the first one simplest, and up to so many faults."""
    known = _jobs(*jobs)
    return Space(
        jobs=(known, *((None, *known),) * (most - 1)),
        slips=(_slips(*slips),) * (faults if slips else 0),
        batches=batches,
        stored=(None, *_jobs(*stored)),
        sent_again=again,
    )


def _slots(*slots: str, slips: tuple[str, ...] = (), batches: tuple[int, ...] = (10,)) -> Space:
    """Return a space in which each job can come once: one slot a job, or one of several ("mixed/mixed-after")."""
    known = [_jobs(*slot.split("/")) for slot in slots]
    return Space(
        jobs=(known[0], *((None, *jobs) for jobs in known[1:])),
        slips=(_slips(*slips),) if slips else (),
        batches=batches,
    )


def _first(*plays: str, batch: int = 10) -> tuple[Schedule, ...]:
    """Schedules in short: "order order | again", "order | rival write", "shipped > order"."""
    found = []
    for play in plays:
        given, arrow, rest = play.rpartition(">")
        jobs, _, slips = rest.partition("|")
        planned = tuple(slip for part in slips.split(",") if part.strip() for slip in _slips(part.strip())[1:] if slip)
        found.append(Schedule(_jobs(*jobs.split()), planned, batch, _jobs(*given.split()) if arrow else ()))
    return tuple(found)


_SAVE = (
    must.calls_are_bounded,
    must.arguments_stay,
    must.orders_never_change,
    must.nothing_else_is_stored,
    must.verdict_of_each_save,
)
_HANDLER_01 = (
    must.calls_are_bounded,
    must.arguments_stay,
    must.orders_never_change,
    must.saved_before_deleted,
    must.nothing_is_lost,
    must.each_message_is_tried,
    must.nothing_else_is_stored,
    must.every_job_is_stored,
    must.batches_are_answered,
    must.only_failures_return,
)
_HANDLER_01_AGAIN = (must.only_lambda_deletes, must.nothing_is_sent, *_HANDLER_01)
_HANDLER_05 = (
    must.calls_are_bounded,
    must.arguments_stay,
    must.orders_never_change,
    must.saved_before_deleted,
    must.nothing_is_lost,
    must.nothing_else_is_stored,
    must.duplicates_are_proven,
    must.errors_come_out,
    must.every_job_is_stored,
    must.only_failures_return,
    must.results_are_told,
)
_HANDLER_05_AGAIN = (must.only_lambda_deletes, must.nothing_is_sent, *_HANDLER_05)
_WRONG = tuple(
    f"wrong:0:{how}" for how in ["prefix", "folder", "deep", "word", "half", "blank", "letter", "glued", "double"]
)
_TRICKY = tuple(f"tricky:{n}" for n in range(12))
_BAD = (
    ("zero", "eleven", "negative", "bool", "float", "half", "text", "null", "list", "no-quantity"),
    ("no-id", "empty-id", "number-id", "null-id", "list-id", "is-list", "is-text", "is-number", "is-null"),
)
_BAD_JOBS = tuple(f"bad:0:{variant}" for part in _BAD for variant in part)

_ORDER_KEYS = {
    "order-keys-several": Scenario(
        "pure",
        Uploads,
        _space("order", "two", "three", "none", "order:1", "two:1", "order:2", "mixed", "wrong:0:prefix", most=1),
        first=_first("two", "three", "none", "order", "wrong:0:prefix"),
    ),
    "order-keys-encoded": Scenario("pure", Uploads, _space(*_TRICKY, most=1), first=_first(*_TRICKY)),
    "order-keys-no-records": Scenario(
        "pure",
        Uploads,
        _space("test-event", "no-records", "broken", "broken:0:cut", "broken:0:empty", most=1),
        first=_first("test-event", "no-records", "broken", "broken:0:cut", "broken:0:empty"),
    ),
}
_SAVE_ONCE = {
    "save-once-repeat": Scenario(
        "saved",
        Uploads,
        _space("order", "order:1", "order:2", slips=("throttle write",), again=True),
        _SAVE,
        _first("order order", "order order:1 order", "order | throttle write"),
    ),
    "save-once-keeps": Scenario(
        "saved",
        Uploads,
        _space("order", "order:1", slips=("rival write", "lost write"), stored=("shipped", "bare"), again=True),
        _SAVE,
        _first("shipped > order", "order | rival write", "bare > order", "order | lost write"),
    ),
    "save-once-second-order": Scenario(
        "saved",
        Uploads,
        _slots("order", "order:3", "order:1", "order:4"),
        _SAVE,
        _first("order order:3", "order:1 order:4", "order order:3 order:1"),
    ),
    "save-once-other-errors": Scenario(
        "saved",
        Uploads,
        _space("order", "order:1", most=1, slips=("no_table", "deny write")),
        _SAVE,
        _first("order | no_table", "order | deny write", "order | busy write"),
    ),
}
_WORK_BATCH = {
    "work-batch-ids": Scenario(
        "consumed",
        Uploads,
        _space("order", "broken", "order:1", "order:2", most=4),
        (must.calls_are_bounded, must.nothing_is_sent, must.lists_name_the_messages, must.every_job_is_stored),
        _first(
            "order", "broken", "order broken order:1", "broken order", "broken broken order", "order order:1 order:2"
        ),
    ),
    "work-batch-delete-after": Scenario(
        "consumed",
        Uploads,
        _space(
            "order", "order:1", "order:2", slips=("stop_before delete", "stop_after delete", "stop_before delete 2")
        ),
        (must.calls_are_bounded, must.saved_before_deleted, must.nothing_is_lost, must.only_failures_return),
        _first("order", "order order:1", "order order:1 | stop_before delete"),
    ),
    "work-batch-comes-back": Scenario(
        "consumed",
        Uploads,
        _space("broken", "order", "order:1", slips=("again", "reorder", "held")),
        (
            must.calls_are_bounded,
            must.nothing_is_sent,
            must.saved_before_deleted,
            must.nothing_is_lost,
            must.only_failures_return,
        ),
        _first("broken", "order broken", "broken order", "order order:1 | reorder", "broken | long"),
    ),
    "work-batch-until-empty": Scenario(
        "consumed",
        Uploads,
        _space("order", "order:1", "order:2", "broken", most=4, slips=("held", "late", "again", "throttle delete")),
        (must.calls_are_bounded, must.one_receive, must.nothing_is_lost, must.only_failures_return),
        _first("order", "order order:1", "order | held", "order order:1 | late"),
    ),
}
_HANDLER = {
    "handler-stores": Scenario(
        "handled",
        Uploads,
        _slots("order/two/three/tricky:1", "test-event/none", "tricky:0/tricky:2/tricky:3", batches=(10, 1)),
        _HANDLER_01,
        _first("order", "two", "tricky:1", "tricky:2", "test-event order", "order order:1"),
    ),
    "handler-bad-keys": Scenario(
        "handled",
        Uploads,
        _slots("/".join(("order:1", *_WRONG)), "/".join(_WRONG), "/".join(_WRONG), batches=(10, 1)),
        _HANDLER_01,
        _first(*_WRONG, "wrong:0:word order:1", "order:1 wrong:0:prefix"),
    ),
    "handler-mixed": Scenario(
        "handled",
        Uploads,
        _slots(
            "order:1/mixed/mixed-after/broken",
            "broken/broken:0:cut",
            "order:2",
            slips=("no_table", "deny write"),
        ),
        (must.nothing_is_sent, *_HANDLER_01),
        _first(
            "mixed",
            "mixed-after",
            "broken order:1",
            "order:1 broken",
            "order | no_table",
            "order | deny write",
            "order | busy write",
            "broken | long",
        ),
    ),
    "handler-twice": Scenario(
        "handled",
        Uploads,
        _space(
            "order",
            "order:1",
            "test-event",
            "broken",
            slips=(
                "again",
                "stop_after write",
                "lost write",
                "throttle write",
                "stop_before write",
                "reorder",
                "rival write",
                "slow write",
                "timeout write 2",
            ),
            faults=2,
            batches=(10, 1),
            stored=("shipped",),
            again=True,
        ),
        _HANDLER_01_AGAIN,
        _first("order order", "shipped > order", "order | stop_after write", "order | again", "order | rival write"),
    ),
}
_ORDER_OF = {
    "order-of-item": Scenario(
        "pure",
        Jobs,
        _space("order", "order:1", "order:2", *(f"quantity:0:{n}" for n in range(1, 11)), "order:0:more", most=1),
        first=_first("order", "quantity:0:1", "quantity:0:10", "quantity:0:7", "order:0:more", "order:0:order"),
    ),
    "order-of-rejects": Scenario(
        "pure",
        Jobs,
        _space(*_BAD_JOBS, "broken", "broken:0:cut", "broken:0:empty", most=1),
        first=_first(*_BAD_JOBS, "broken", "broken:0:cut", "broken:0:empty"),
    ),
}
_SAVE_JOB = {
    "save-job-repeat": Scenario(
        "saved",
        Jobs,
        _space("order", "order:1", "order:2", slips=("throttle write",), again=True),
        _SAVE,
        _first("order order", "order order:1 order", "order | throttle write"),
    ),
    "save-job-conflict": Scenario(
        "saved",
        Jobs,
        _space("order", "changed", "order:1", stored=("order", "changed", "other-total", "bare")),
        _SAVE,
        _first("order changed", "changed > order", "other-total > order", "bare > order"),
    ),
    "save-job-meanwhile": Scenario(
        "saved",
        Jobs,
        _space("order", "order:1", slips=("rival write", "rival write 2", "gone", "lost write"), again=True),
        _SAVE,
        _first("order | rival write", "order order | rival write 2", "order order | gone", "order | lost write"),
    ),
    "save-job-other-errors": Scenario(
        "saved",
        Jobs,
        _space("order", "order:1", most=1, slips=("no_table", "deny write")),
        _SAVE,
        _first("order | no_table", "order | deny write", "order | busy write"),
    ),
}
_WORKER = {
    "handler-saves": Scenario(
        "handled",
        Jobs,
        _space("order", "quantity:1:10", "quantity:2:1", "order:0:more", "order:0:lines", batches=(1,)),
        _HANDLER_05,
        _first("order", "order quantity:1:10", "order:0:lines", "order order:2", batch=1),
        reports=False,
    ),
    "handler-repeats": Scenario(
        "handled",
        Jobs,
        _space("order", "order:1", slips=("again", "reorder", "late"), batches=(1,), again=True),
        _HANDLER_05_AGAIN,
        _first("order order", "order | again", "order order:1 order", "order > order", batch=1),
        reports=False,
    ),
    "handler-fails": Scenario(
        "handled",
        Jobs,
        _space(
            "order",
            "changed",
            *_BAD_JOBS[::4],
            "broken",
            slips=("no_table", "deny write"),
            batches=(1,),
            stored=("changed",),
        ),
        (must.nothing_is_sent, *_HANDLER_05),
        _first(
            "order | no_table",
            "order | deny write",
            "order | busy write",
            "order changed",
            "changed > order",
            "broken order",
            "bad:0:bool",
            "broken | long",
            batch=1,
        ),
        reports=False,
    ),
    "handler-stops": Scenario(
        "handled",
        Jobs,
        _space(
            "order",
            "order:1",
            "changed",
            slips=(
                "stop_after write",
                "stop_before write",
                "lost write",
                "throttle write",
                "again",
                "rival write",
                "slow write",
                "timeout write 2",
            ),
            faults=2,
            batches=(1,),
            again=True,
        ),
        _HANDLER_05_AGAIN,
        _first(
            "order | stop_after write",
            "order | lost write",
            "order | stop_before write",
            "order | rival write",
            batch=1,
        ),
        reports=False,
    ),
}

SCENARIOS: dict[str, Scenario] = {
    **_ORDER_KEYS,
    **_SAVE_ONCE,
    **_WORK_BATCH,
    **_HANDLER,
    **_ORDER_OF,
    **_SAVE_JOB,
    **_WORKER,
}
