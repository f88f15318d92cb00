"""From a broken invariant to the belief behind it: rules that can be read, tried from top to bottom.

A rule names a misconception only where the facts leave no other reading. Where none fits, nothing more is claimed than what was
observed; a slip, that happens to everybody, only gets something to try. What rules ask stands in `cases`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bentocola.checks.cases import (
    REFUSED,
    Case,
    another_failed,
    as_many,
    asked_nothing,
    condition_elsewhere,
    deleted_already,
    deleted_before_work,
    deleted_in_vain,
    failed_earlier,
    id_of_its_own,
    is_handled,
    key_of_message,
    left_the_rest,
    listed,
    number_in_customer,
    number_untyped,
    other_error_in_run,
    others_saved,
    own_claim,
    raises,
    raises_or_prints,
    refused_in_run,
    reported,
    says_nothing,
    sent_kind,
    status,
    struck,
    told_as_new,
    tricky,
    typed_as_text,
    under_its_id,
    with_test_event,
    worked_at_all,
    worked_before,
    worked_earlier,
    wrote_blindly,
    wrote_nothing,
)
from bentocola.checks.facts import Facts
from bentocola.checks.finding import Kind
from bentocola.checks.invariants import Breach

__all__ = ["RULES", "Diagnosis", "Rule", "diagnose"]


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


RULES: tuple[Rule, ...] = (
    # What the words of an error say by themselves.
    Rule("number-is-number", ("raised", "swallowed", "another-error", "not-stored"), raises_or_prints(".N, value")),
    Rule("handler-deletes", ("raised",), lambda case: is_handled(case) and raises("DeleteMessage")(case)),
    Rule("delete-by-id", ("raised",), raises("ReceiptHandle")),
    Rule("test-event", ("raised", "another-error"), raises("KeyError: 'Records'")),
    Rule(
        "test-event",
        ("raised", "another-type", "no-return", "another-error", "kept-though-done"),
        sent_kind("test-event", "no-records"),
    ),
    Rule("check-then-write", ("raised",), struck("gone")),
    Rule("refused-is-crash", ("raised",), raises(REFUSED, "TransactionCanceledException")),
    Rule("refused-is-crash", ("kept-though-done", "raised"), refused_in_run),
    # Keys.
    Rule("key-as-is", ("raised",), sent_kind("tricky")),
    Rule("key-as-is", ("another-value",), lambda case: tricky(case) and as_many(case)),
    Rule("key-as-is", ("extra-item", "not-stored", "deleted-unsaved", "wrong-item"), tricky),
    Rule("number-is-number", ("another-value",), number_untyped),
    Rule("message-id-key", ("extra-item", "wrong-item"), key_of_message),
    Rule(
        "message-id-key",
        ("wrong-result",),
        lambda case: case.breach.sent is not None and case.breach.sent.id in str(case.breach.values.get("got")),
    ),
    Rule("message-id-key", ("deleted-unsaved", "not-stored"), under_its_id),
    Rule("message-id-key", ("another-value",), id_of_its_own),
    Rule("once", ("wrong-result",), told_as_new),
    Rule("test-event", ("deleted-unsaved", "not-stored"), lambda case: with_test_event(case) and not case.writes()),
    Rule(
        "check-then-write",
        ("raised",),
        lambda case: bool(case.calls("Query", "Scan", "GetItem")) and wrote_blindly(case),
    ),
    Rule(
        "condition-scans",
        ("said-there", "not-stored", "deleted-unsaved", "raised"),
        lambda case: bool(case.calls("Query", "Scan")) and not struck("no_table")(case),
    ),
    # Writes.
    Rule("exactly-once", ("order-changed",), own_claim),
    Rule("check-then-write", ("order-changed",), lambda case: case.unconditional() and case.looked()),
    Rule(
        "put-inserts",
        ("order-changed", "order-removed", "said-stored", "said-there", "contradiction-accepted"),
        Case.unconditional,
    ),
    Rule("condition-scans", ("order-changed", "said-stored"), condition_elsewhere),
    Rule("condition-scans", ("extra-item", "deleted-unsaved"), number_in_customer),
    Rule(
        "check-then-write",
        ("contradiction-acknowledged",),
        lambda case: bool(case.calls("GetItem", "Query", "Scan")) and not case.writes(),
    ),
    Rule("exactly-once", ("said-there",), lambda case: asked_nothing(case) and case.known.jobs),
    Rule("check-then-write", ("said-there",), lambda case: asked_nothing(case)),
    Rule("delete-first", ("sent-again",), deleted_already),
    Rule("receive-removes", ("sent-again",)),
    # Deletions.
    Rule(
        "handler-deletes",
        ("deleted-unsaved", "deleted-bad", "lost"),
        lambda case: case.own_deletes() and is_handled(case),
    ),
    Rule("handler-deletes", ("deleted-in-handler",)),
    Rule("order", ("deleted-unsaved",), lambda case: struck("reorder")(case) and not worked_before(case)),
    Rule("once", ("deleted-unsaved", "deleted-bad"), lambda case: case.own_deletes() and worked_earlier(case)),
    Rule(
        "delete-first", ("deleted-unsaved", "deleted-bad"), lambda case: case.own_deletes() and not worked_before(case)
    ),
    Rule("catch-all", ("deleted-bad",), lambda case: case.own_deletes() and listed(case, 0)),
    Rule(
        "catch-all", ("wrong-lists",), lambda case: bool({*case.breach.values["done"]} & {*case.breach.values["bad"]})
    ),
    Rule("order", ("not-stored", "kept-though-done"), left_the_rest),
    Rule("delete-by-id", ("kept-though-done",), lambda case: deleted_in_vain(case) and not is_handled(case)),
    Rule("partial-not-on", ("deleted-unsaved", "deleted-bad", "swallowed", "contradiction-acknowledged"), reported),
    Rule(
        "status-500",
        ("deleted-unsaved", "deleted-bad", "no-failures-list", "swallowed", "contradiction-acknowledged"),
        lambda case: is_handled(case) and status(case),
    ),
    Rule("catch-all", ("swallowed", "deleted-unsaved", "another-error"), other_error_in_run),
    Rule("status-500", ("no-error",), lambda case: isinstance(case.breach.values.get("got"), dict) and status(case)),
    Rule("count-errors", ("deleted-bad", "deleted-unsaved", "lost"), struck("long")),
    Rule(
        "count-errors",
        ("deleted-bad", "deleted-unsaved", "contradiction-acknowledged"),
        lambda case: failed_earlier(case) > 1,
    ),
    Rule("exactly-once", ("deleted-bad", "contradiction-acknowledged"), lambda case: failed_earlier(case) > 0),
    Rule("catch-all", ("deleted-bad", "contradiction-acknowledged", "swallowed"), says_nothing),
    Rule("exactly-once", ("deleted-unsaved",), lambda case: wrote_nothing(case) and case.known.jobs),
    Rule("once", ("deleted-unsaved",), lambda case: wrote_nothing(case) and is_handled(case)),
    Rule(
        "partial-survives",
        ("raised",),
        lambda case: is_handled(case) and another_failed(case) and others_saved(case),
    ),
    Rule("only-bad-returns", ("raised", "kept-though-done"), lambda case: is_handled(case) and another_failed(case)),
    Rule(
        "receive-removes",
        ("kept-though-done",),
        lambda case: not case.own_deletes() and not is_handled(case) and worked_at_all(case),
    ),
    Rule("delete-first", ("lost",), lambda case: not is_handled(case) and deleted_before_work(case)),
    Rule("empty-is-done", ("received-again",), lambda case: not is_handled(case)),
    Rule("empty-is-done", ("lost",), lambda case: bool(case.calls("PurgeQueue"))),
)


_SLIPS: tuple[Rule, ...] = (
    Rule("number-type", ("not-stored", "kept-though-done", "raised", "deleted-unsaved"), typed_as_text),
    Rule("endless", ("endless",)),
    Rule("too-many-calls", ("too-many-calls",)),
    Rule("argument-changed", ("argument-changed",)),
    Rule("no-return", ("no-return",)),
    Rule(
        "no-return", ("no-verdict", "no-lists", "no-failures-list"), lambda case: case.breach.values.get("got") is None
    ),
    Rule("answer-ids", ("no-failures-list", "unknown-failure", "failure-twice", "failures-out-of-order")),
    Rule("another-type", ("another-type", "no-verdict", "no-lists")),
    Rule("several", ("another-value",), sent_kind("two", "three")),
    Rule("item-differs", ("another-value",), lambda case: isinstance(case.breach.values.get("got"), dict)),
    Rule("job-unchecked", ("no-error",)),
    Rule("result-line", ("line-missing", "line-no-json", "wrong-result", "result-too-early")),
    Rule("received-again", ("received-again",)),
    Rule("bad-key", ("deleted-bad", "extra-item"), sent_kind("wrong")),
    Rule("one-by-one", ("not-stored", "wrong-lists"), another_failed),
    Rule("one-by-one", ("kept-though-done",), lambda case: not is_handled(case) and not worked_at_all(case)),
    Rule("lists-differ", ("wrong-lists", "no-ids")),
    Rule("hidden-error", ("not-stored",), lambda case: is_handled(case) and not case.writes()),
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
