"""What was observed when an invariant broke, in one to three sentences with the student's own values. Never the answer.

It says what the facts say and no more: what a breach teaches is for `misconceptions`. Each breach's name has its sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bentocola.checks.facts import Facts
from bentocola.checks.guard import MOST_STEPS
from bentocola.checks.invariants import Breach
from bentocola.checks.observed_answers import ANSWERS
from bentocola.checks.seen import Seen

__all__ = ["SENTENCES", "observed"]


def observed(language: str, breach: Breach, facts: Facts | None, answer: str) -> str:
    """Return what was observed of `answer`, the name of a function. Raises KeyError for a breach without a sentence."""
    return SENTENCES[breach.name](Seen(language, breach, facts, answer))


# Of any answer


def _endless(seen: Seen) -> str:
    return seen.say(
        "{answer} did not come to an end. After {steps} steps the test ended the call.",
        answer=seen.answer,
        steps=MOST_STEPS,
    )


def _too_many_calls(seen: Seen) -> str:
    made = seen.facts.calls_of(seen.breach.run) if seen.facts and seen.breach.run else []
    calls = [step for step in made if step["kind"] != "fault"]
    ((operation, count),) = Counter(step["api"].partition(":")[2] for step in calls).most_common(1) or [("–", 0)]
    return seen.say(
        "In one call, {answer} called AWS {calls} times, and there the test ended it. {count} of them were {operation}.",
        answer=seen.answer,
        calls=len(calls),
        count=count,
        operation=seen.words.code(operation),
    )


def _argument_changed(seen: Seen) -> str:
    arguments = seen.breach.run.called.arguments if seen.breach.run else ()
    return seen.say(
        "{answer} changed its argument {name}. It belongs to the caller, who goes on using it.",
        answer=seen.answer,
        name=seen.words.code("item" if len(arguments) == 3 else "event"),
    )


def _raised(seen: Seen) -> str:
    return seen.at_line(seen.say("{answer} stopped with {error}.", answer=seen.answer, error=seen.error))


def _another_error(seen: Seen) -> str:
    return seen.at_line(
        seen.say(
            "{answer} stopped with {error}. The test expects {expected} here.",
            answer=seen.answer,
            error=seen.error,
            expected=seen.words.code("ValueError"),
        )
    )


# Of the table


def _order_changed(seen: Seen) -> str:
    write = seen.breach.write
    changes = seen.words.changes(write.before or {}, write.after or {}) if write else "–"
    return seen.say(
        "{answer} wrote over {key}, which was stored already. This changed: {changes}.",
        answer=seen.answer,
        key=seen.key,
        changes=changes,
    )


def _order_removed(seen: Seen) -> str:
    return seen.say(
        "{key} was stored already, and {answer} deleted it from the table.", answer=seen.answer, key=seen.key
    )


def _extra_item(seen: Seen) -> str:
    return seen.say(
        "At the end there is an item in the table that nobody ordered: {item}.",
        item=seen.words.shown(seen.values.get("item")),
    )


def _wrong_item(seen: Seen) -> str:
    return seen.say(
        "{key} is in the table, but not as it was ordered. What was ordered → what is stored: {changes}.",
        key=seen.key,
        changes=seen.words.changes(seen.values["wanted"], seen.values["item"]),
    )


def _not_stored(seen: Seen) -> str:
    if seen.facts and not seen.facts.deliveries:
        return seen.say(
            "{answer} was called with {key}, and at the end {key} is not in the table.",
            answer=seen.answer,
            key=seen.key,
        )
    return seen.say("{msg} brought the order {key}. At the end it is not in the table.", msg=seen.msg, key=seen.key)


# Of the queue


def _deleted_unsaved(seen: Seen) -> str:
    if seen.is_consumed:
        return seen.say(
            "{answer} deleted {msg} before `work` stored its order, {key}.",
            answer=seen.answer,
            msg=seen.msg,
            key=seen.key,
        )
    return seen.say(
        "{who} deleted {msg} when its order {key} was not in the table.", who=seen.who, msg=seen.msg, key=seen.key
    )


def _deleted_bad(seen: Seen) -> str:
    return seen.say(
        "{msg} is one of the messages that have to fail and stay in the queue. {who} deleted it.",
        who=seen.who,
        msg=seen.msg,
    )


def _deleted_in_handler(seen: Seen) -> str:
    steps = seen.facts.steps if seen.facts else []
    operation = next((step.get("api", "") for step in steps if step["n"] == seen.breach.n), "").partition(":")[2]
    return seen.say(
        "{answer} itself called {operation}, before Lambda had its answer.",
        answer=seen.answer,
        operation=seen.words.code(operation or "DeleteMessage"),
    )


def _lost(seen: Seen) -> str:
    if not seen.values.get("key"):
        return seen.say(
            "{msg} is one of the messages that have to fail. At the end it is no longer in the queue.", msg=seen.msg
        )
    return seen.say(
        "The order {key} came in {msg}. At the end it is neither in the table nor in the queue.",
        msg=seen.msg,
        key=seen.key,
    )


def _kept_though_done(seen: Seen) -> str:
    sent = seen.breach.sent
    if sent is None or not sent.orders:
        return seen.say(
            "{msg} brings no order, so there is nothing to save. At the end it is still in the queue.", msg=seen.msg
        )
    return seen.say(
        "{key} is in the table, but {msg}, which brings that order, is still in the queue at the end.",
        key=seen.words.keys(sent.orders),
        msg=seen.msg,
    )


def _contradiction_acknowledged(seen: Seen) -> str:
    return seen.say(
        "{msg} brings {key} with another content than the one that is stored (stored → this time: {changes}). "
        "{who} deleted {msg} all the same.",
        who=seen.who,
        msg=seen.msg,
        key=seen.key,
        changes=seen.words.changes(seen.values["stored"], seen.values["wanted"]),
    )


def _sent_again(seen: Seen) -> str:
    return seen.say(
        "In this call, {answer} sent another message to the queue. A copy has an id of its own, and its receives are "
        "counted anew.",
        answer=seen.answer,
    )


def _swallowed(seen: Seen) -> str:
    if "got" in seen.values:
        return seen.say(
            "DynamoDB refused to write {key} with {error}, and nothing was stored. {answer} returned {got}, "
            "as if it had ended well.",
            answer=seen.answer,
            key=seen.key,
            error=seen.error,
            got=seen.got,
        )
    return seen.say(
        "DynamoDB refused to write {key} with {error}. {answer} ended without an error, and {msg} was deleted.",
        answer=seen.answer,
        key=seen.key,
        error=seen.error,
        msg=seen.msg,
    )


SENTENCES: dict[str, Callable[[Seen], str]] = ANSWERS | {
    "another-error": _another_error,
    "argument-changed": _argument_changed,
    "contradiction-acknowledged": _contradiction_acknowledged,
    "deleted-bad": _deleted_bad,
    "deleted-in-handler": _deleted_in_handler,
    "deleted-unsaved": _deleted_unsaved,
    "endless": _endless,
    "extra-item": _extra_item,
    "kept-though-done": _kept_though_done,
    "lost": _lost,
    "not-stored": _not_stored,
    "order-changed": _order_changed,
    "order-removed": _order_removed,
    "raised": _raised,
    "sent-again": _sent_again,
    "swallowed": _swallowed,
    "too-many-calls": _too_many_calls,
    "wrong-item": _wrong_item,
}
