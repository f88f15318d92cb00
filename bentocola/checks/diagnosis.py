"""From a broken invariant to the belief behind it: rules that can be read, tried from top to bottom.

A rule names a misconception only where the facts leave no other reading. Where none fits, nothing more is claimed than what was
observed; a slip, that happens to everybody, only gets something to try.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bentocola.checks.facts import Facts, Run
from bentocola.checks.finding import Kind
from bentocola.checks.invariants import Breach

__all__ = ["RULES", "Diagnosis", "Rule", "diagnose"]

_NUMBER_AS_TEXT = re.compile(r'"(order_id|quantity|total_cents)": ?\{"S"')
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_STATUS = ("statusCode", "status_code", "status", "error", "errorType", "errorMessage", "ok", "success")
REFUSED = "ConditionalCheckFailedException"


@dataclass(frozen=True)
class Case:
    """What the rules ask about: a breach, and the facts of the schedule (None for a pure function)."""

    breach: Breach
    facts: Facts | None

    @property
    def known(self) -> Facts:
        """The facts, where there are some."""
        assert self.facts is not None
        return self.facts

    @property
    def error(self) -> str:
        """What the answer raised: class and message."""
        return str(self.breach.values.get("error") or "")

    @property
    def run(self) -> Run | None:
        """The call in which it broke."""
        return self.breach.run

    def writes(self) -> list[Any]:
        """The answer's writes in that call."""
        if self.facts is None or self.run is None:
            return []
        return [write for write in self.facts.writes if self.run.first <= write.n <= self.run.last]

    def calls(self, *operations: str) -> list[Any]:
        """Its calls of these operations, in that call; or in all of them, where it is not known in which."""
        if self.facts is None:
            return []
        runs = [self.run] if self.run else list(self.facts.runs)
        return [
            step for run in runs for step in self.facts.calls_of(run) if step["api"].partition(":")[2] in operations
        ]

    def unconditional(self) -> bool:
        """Whether the write that broke it, or one of that call's, had no condition."""
        writes = [self.breach.write] if self.breach.write else self.writes()
        texts = {step["n"]: step.get("wire", {}).get("text", "") for step in self.facts.steps} if self.facts else {}
        return any(
            write.condition is None and write.accepted and "if_not_exists" not in texts.get(write.n, "")
            for write in writes
        )

    def looked(self) -> bool:
        """Whether the answer read from the table before it wrote."""
        first = min((write.n for write in self.writes()), default=0)
        return any(
            step["n"] < first for step in self.calls("GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems")
        )

    def own_deletes(self) -> bool:
        """Whether the answer itself deleted a message in a call of Lambda's."""
        return bool(self.calls("DeleteMessage", "DeleteMessageBatch"))


@dataclass(frozen=True)
class Rule:
    """`breaches`: the names of those that it is about. `when`: what else must be so."""

    misconception: str
    breaches: tuple[str, ...]
    when: Callable[[Case], bool] = lambda case: True


@dataclass(frozen=True)
class Diagnosis:
    """What a breach comes from. `misconception`: an id of a misconception or a slip, or None."""

    kind: Kind
    misconception: str | None


def _sent_kind(*kinds: str) -> Callable[[Case], bool]:
    return lambda case: case.breach.sent is not None and case.breach.sent.kind in kinds


def _raises(*texts: str) -> Callable[[Case], bool]:
    return lambda case: any(text in case.error for text in texts)


def _refused_in_run(case: Case) -> bool:
    return any(write.error == REFUSED for write in case.writes())


def _other_error_in_run(case: Case) -> bool:
    return any(not write.accepted and write.error != REFUSED for write in case.writes())


def _key_of_message(case: Case) -> bool:
    """Whether an item that nobody ordered stands under something of the message, not of the order."""
    run, item = case.run, case.breach.values.get("item") or {}
    ids = [sent.id for sent in case.known.sent] + [sent.message for sent in case.known.sent]
    texts = [str(value) for value in item.values()]
    return run is not None and any(_UUID.search(text) or any(id_ and id_ in text for id_ in ids) for text in texts)


def _still_encoded(case: Case) -> bool:
    """Whether an upload's item or its key is as it stands in the event: URL-encoded."""
    values = case.breach.values
    is_job = case.facts.jobs if case.facts is not None else isinstance(values.get("wanted"), dict)
    text = str(values.get("item") or values.get("got") or "")
    return not is_job and ("%" in text or "+" in text)


def _status(case: Case) -> bool:
    returned = case.run.called.returned if case.run else None
    if isinstance(returned, dict):
        return any(name in returned for name in _STATUS)
    return returned is False


def _reported(case: Case) -> bool:
    returned = case.run.called.returned if case.run else None
    is_on = case.facts is not None and not case.facts.jobs  # the mapping of assignment 01 has the setting
    return not is_on and isinstance(returned, dict) and bool(returned.get("batchItemFailures"))


def _another_failed(case: Case) -> bool:
    """Whether the batch of the call held a message that had to fail besides this one."""
    if case.run is None or case.facts is None:
        return False
    handed = [case.known.by_message[message] for message in case.run.messages if message in case.known.by_message]
    return any(sent.bad for sent in handed)


def _tricky(case: Case) -> bool:
    """Whether the order's key has characters that S3 encodes, or the value seen is still encoded."""
    return _sent_kind("tricky")(case) or _still_encoded(case)


def _worked_before(case: Case) -> bool:
    """Of a consumer: whether the message was handed to `work` before it was deleted."""
    message, run = case.breach.sent.message if case.breach.sent else "", case.run
    return run is not None and any(
        run.first <= n <= case.breach.n for n, worked in case.known.worked if worked == message
    )


def _worked_earlier(case: Case) -> bool:
    """Of a consumer: whether the message was handed to `work` in an earlier call of it only."""
    message, run = case.breach.sent.message if case.breach.sent else "", case.run
    return (
        run is not None
        and not _worked_before(case)
        and any(worked == message and n < run.first for n, worked in case.known.worked)
    )


def _struck(*kinds: str) -> Callable[[Case], bool]:
    """Whether one of these faults is in the schedule."""
    return lambda case: bool(case.facts) and any(slip.kind in kinds for slip in case.known.schedule.slips)


def _typed_as_text(case: Case) -> bool:
    """Whether a number was sent to the table as if it were a text."""
    steps = case.facts.steps if case.facts else ()
    texts = (step["wire"]["text"] for step in steps if "wire" in step and step["kind"] == "write")
    return any(_NUMBER_AS_TEXT.search(text) for text in texts)


def _under_its_id(case: Case) -> bool:
    """Whether, instead of the order, an item was stored that carries the message's id."""
    id_ = case.breach.sent.id if case.breach.sent else ""
    return bool(id_) and any(write.accepted and id_ in f"{write.key}{write.after}" for write in case.writes())


def _with_test_event(case: Case) -> bool:
    """Whether S3's test event was in the batch."""
    handed = case.run.messages if case.run and case.facts else ()
    sents = [case.known.by_message[message] for message in handed if message in case.known.by_message]
    return any(sent.kind in ("test-event", "no-records") for sent in sents)


def _wrote_nothing(case: Case) -> bool:
    """Whether the call ended well without having tried to write."""
    return case.run is not None and case.run.called.ended and not case.writes()


def _listed(case: Case, place: int) -> bool:
    """Of a consumer: whether the message's id is in the first (done) or second (left) list that it returned."""
    returned = case.run.called.returned if case.run else None
    sent = case.breach.sent
    return sent is not None and isinstance(returned, tuple | list) and len(returned) == 2 and sent.id in returned[place]


def _others_saved(case: Case) -> bool:
    """Whether, in the failed call, the good messages that came after a bad one were saved all the same."""
    if case.run is None or case.facts is None:
        return False
    handed = [case.known.by_message[message] for message in case.run.messages if message in case.known.by_message]
    first_bad = next((n for n, sent in enumerate(handed) if sent.bad), len(handed))
    stored = case.known.stored_at(case.run.last)
    after = [key for sent in handed[first_bad:] if not sent.bad for key in sent.orders]
    return all(key in stored for key in after)


def _number_untyped(case: Case) -> bool:
    """Whether an item came back with a number that is none in DynamoDB's typed JSON."""
    got = case.breach.values.get("got")
    values = list(got.values()) if isinstance(got, dict) else []
    return any(
        type(value) in (int, float) or (isinstance(value, dict) and "N" in value and not isinstance(value["N"], str))
        for value in values
    )


def _condition_elsewhere(case: Case) -> bool:
    """Whether the write that went over an order only asked whether some attribute exists: not one of the key."""
    written = [write for write in case.writes() if write.accepted]
    condition = written[-1].condition if written else None
    return not case.known.jobs and bool(
        condition and re.fullmatch(r"\s*attribute_not_exists\s*\([^()]*\)\s*", condition)
    )


def _number_in_customer(case: Case) -> bool:
    """Whether an order was stored under a customer's name that holds the order's number too."""
    for write in case.writes():
        after = write.after or {}
        if write.accepted and "order_id" in after and str(after["order_id"]) in str(after.get("customer")):
            return True
    return False


def _asked_nothing(case: Case) -> bool:
    """Whether a save answered from memory: nothing is stored, and it made no call."""
    return case.breach.values.get("before") is None and case.run is not None and not case.known.calls_of(case.run)


def _failed_earlier(case: Case) -> int:
    """How often a handler of jobs failed over the message, before it ended well without a write: from memory, or by counting."""
    message, run = case.breach.sent.message if case.breach.sent else "", case.run
    if case.facts is None or not case.facts.jobs or run is None or case.writes():
        return 0
    earlier = [other for other in case.facts.runs if other.first < run.first and message in other.messages]
    return sum(other.called.raised is not None for other in earlier)


def _says_nothing(case: Case) -> bool:
    """Whether a run of a handler of jobs ended well without its RESULT line: an error was swallowed."""
    run = case.run
    return (
        bool(case.facts)
        and case.known.jobs
        and _is_handled(case)
        and run is not None
        and "RESULT" not in run.called.printed
    )


RULES: tuple[Rule, ...] = (
    # What the words of an error say by themselves.
    Rule("number-is-number", ("raised", "swallowed", "another-error", "not-stored"), _raises(".N, value")),
    Rule("delete-by-id", ("raised",), _raises("ReceiptHandle")),
    Rule("test-event", ("raised", "another-error"), _raises("KeyError: 'Records'")),
    Rule(
        "test-event",
        ("raised", "another-value", "another-type", "no-return", "another-error", "kept-though-done"),
        _sent_kind("test-event", "no-records"),
    ),
    Rule("check-then-write", ("raised",), _struck("gone")),
    Rule("refused-is-crash", ("raised",), _raises(REFUSED, "TransactionCanceledException")),
    Rule("refused-is-crash", ("kept-though-done", "raised"), _refused_in_run),
    # Keys.
    Rule("key-as-is", ("raised",), _sent_kind("tricky")),
    Rule("key-as-is", ("another-value", "extra-item", "not-stored", "deleted-unsaved", "wrong-item"), _tricky),
    Rule("number-is-number", ("another-value",), _number_untyped),
    Rule("message-id-key", ("extra-item", "wrong-item"), _key_of_message),
    Rule(
        "message-id-key",
        ("wrong-result",),
        lambda case: case.breach.sent is not None and case.breach.sent.id in str(case.breach.values.get("got")),
    ),
    Rule("message-id-key", ("deleted-unsaved", "not-stored"), _under_its_id),
    Rule("test-event", ("deleted-unsaved", "not-stored"), lambda case: _with_test_event(case) and not case.writes()),
    Rule(
        "check-then-write",
        ("raised",),
        lambda case: bool(case.calls("Query", "Scan", "GetItem")) and _wrote_blindly(case),
    ),
    Rule(
        "condition-scans",
        ("said-there", "not-stored", "deleted-unsaved", "raised"),
        lambda case: bool(case.calls("Query", "Scan")) and not _struck("no_table")(case),
    ),
    # Writes.
    Rule("check-then-write", ("order-changed",), lambda case: case.unconditional() and case.looked()),
    Rule(
        "put-inserts",
        ("order-changed", "order-removed", "said-stored", "said-there", "contradiction-accepted"),
        Case.unconditional,
    ),
    Rule("condition-scans", ("order-changed", "said-stored"), _condition_elsewhere),
    Rule("condition-scans", ("extra-item", "deleted-unsaved"), _number_in_customer),
    Rule(
        "check-then-write",
        ("contradiction-acknowledged",),
        lambda case: bool(case.calls("GetItem", "Query", "Scan")) and not case.writes(),
    ),
    Rule("exactly-once", ("said-there",), lambda case: _asked_nothing(case) and case.known.jobs),
    Rule("check-then-write", ("said-there",), lambda case: _asked_nothing(case)),
    Rule("receive-removes", ("sent-again",)),
    # Deletions.
    Rule(
        "handler-deletes",
        ("deleted-unsaved", "deleted-bad", "lost"),
        lambda case: case.own_deletes() and _is_handled(case),
    ),
    Rule("handler-deletes", ("deleted-in-handler",)),
    Rule("order", ("deleted-unsaved",), lambda case: _struck("reorder")(case) and not _worked_before(case)),
    Rule("once", ("deleted-unsaved", "deleted-bad"), lambda case: case.own_deletes() and _worked_earlier(case)),
    Rule(
        "delete-first", ("deleted-unsaved", "deleted-bad"), lambda case: case.own_deletes() and not _worked_before(case)
    ),
    Rule("catch-all", ("deleted-bad",), lambda case: case.own_deletes() and _listed(case, 0)),
    Rule(
        "catch-all", ("wrong-lists",), lambda case: bool({*case.breach.values["done"]} & {*case.breach.values["bad"]})
    ),
    Rule("delete-by-id", ("kept-though-done",), lambda case: case.own_deletes() and not _is_handled(case)),
    Rule("catch-all", ("swallowed", "deleted-unsaved", "another-error"), _other_error_in_run),
    Rule("partial-not-on", ("deleted-unsaved", "deleted-bad", "swallowed", "contradiction-acknowledged"), _reported),
    Rule(
        "status-500",
        ("deleted-unsaved", "deleted-bad", "no-failures-list", "swallowed", "contradiction-acknowledged"),
        _status,
    ),
    Rule("count-errors", ("deleted-bad", "deleted-unsaved", "lost"), _struck("long")),
    Rule("count-errors", ("deleted-bad", "contradiction-acknowledged"), lambda case: _failed_earlier(case) > 1),
    Rule("exactly-once", ("deleted-bad", "contradiction-acknowledged"), lambda case: _failed_earlier(case) > 0),
    Rule("catch-all", ("deleted-bad", "contradiction-acknowledged", "swallowed"), _says_nothing),
    Rule("exactly-once", ("deleted-unsaved",), lambda case: _wrote_nothing(case) and case.known.jobs),
    Rule("once", ("deleted-unsaved",), lambda case: _is_handled(case) and _wrote_nothing(case)),
    Rule(
        "partial-survives",
        ("raised",),
        lambda case: _is_handled(case) and _another_failed(case) and _others_saved(case),
    ),
    Rule("only-bad-returns", ("raised", "kept-though-done"), lambda case: _is_handled(case) and _another_failed(case)),
    Rule("receive-removes", ("kept-though-done",), lambda case: not case.own_deletes() and not _is_handled(case)),
    Rule("delete-first", ("lost",), lambda case: bool(case.calls("DeleteMessage", "DeleteMessageBatch"))),
    Rule("empty-is-done", ("received-again", "lost"), lambda case: not _is_handled(case)),
)


def _wrote_blindly(case: Case) -> bool:
    """Whether some call read from the table and then wrote without a condition."""
    return any(write.condition is None for write in case.known.writes)


def _is_handled(case: Case) -> bool:
    """Whether Lambda called the answer: its calls are a run's."""
    return bool(case.facts) and any(step["kind"] == "run_start" for step in case.known.steps)


_SLIPS: tuple[Rule, ...] = (
    Rule("number-type", ("not-stored", "kept-though-done", "raised", "deleted-unsaved"), _typed_as_text),
    Rule("endless", ("endless",)),
    Rule("too-many-calls", ("too-many-calls",)),
    Rule("argument-changed", ("argument-changed",)),
    Rule("no-return", ("no-return",)),
    Rule(
        "no-return", ("no-verdict", "no-lists", "no-failures-list"), lambda case: case.breach.values.get("got") is None
    ),
    Rule("answer-ids", ("no-failures-list", "unknown-failure", "failure-twice", "failures-out-of-order")),
    Rule("another-type", ("another-type", "no-verdict", "no-lists")),
    Rule("several", ("another-value",), _sent_kind("two", "three")),
    Rule("item-differs", ("another-value",), lambda case: isinstance(case.breach.values.get("got"), dict)),
    Rule("job-unchecked", ("no-error",)),
    Rule("result-line", ("line-missing", "line-no-json", "wrong-result", "result-too-early")),
    Rule("received-again", ("received-again",)),
    Rule("bad-key", ("deleted-bad", "extra-item"), _sent_kind("wrong")),
    Rule("one-by-one", ("not-stored", "wrong-lists"), _another_failed),
    Rule("lists-differ", ("wrong-lists", "no-ids")),
    Rule("hidden-error", ("not-stored",), lambda case: _is_handled(case) and not case.writes()),
)
_KINDS: dict[str, Kind] = {
    "endless": "endless",
    "too-many-calls": "endless",
    "argument-changed": "changed",
    "raised": "raised",
    "another-error": "raised",
    "no-return": "type",
    "another-type": "type",
    "no-lists": "type",
    "no-verdict": "type",
    "no-failures-list": "type",
    "another-value": "value",
    "no-error": "value",
}


def diagnose(breach: Breach, facts: Facts | None) -> Diagnosis:
    """Return what a breach comes from, by the first rule that fits."""
    case = Case(breach, facts)
    rules = (*RULES, *_SLIPS)
    found = next((rule.misconception for rule in rules if breach.name in rule.breaches and rule.when(case)), None)
    return Diagnosis(_KINDS.get(breach.name, "story"), found)
