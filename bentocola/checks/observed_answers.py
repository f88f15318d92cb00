"""What was observed of an answer's own words: what a function returned and what a run printed. A sentence for each breach."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bentocola.checks.seen import Seen

__all__ = ["ANSWERS"]

# Of what a save returns


def _no_verdict(seen: Seen) -> str:
    return seen.say(
        "With {key}, {answer} returned {got}. The test expects `True` or `False`.",
        answer=seen.answer,
        key=seen.key,
        got=seen.got,
    )


def _contradiction_accepted(seen: Seen) -> str:
    return seen.say(
        "{key} was stored already, with another content (stored → this time: {changes}). {answer} returned {got}, "
        "without an error.",
        answer=seen.answer,
        key=seen.key,
        changes=seen.words.changes(seen.values["before"] or {}, seen.values["item"]),
        got=seen.got,
    )


def _said_stored(seen: Seen) -> str:
    if seen.values["replaced"]:
        return seen.say(
            "{answer} returned {got}, but {key} was stored before that call. Its write put another item in its place.",
            answer=seen.answer,
            key=seen.key,
            got=seen.got,
        )
    return seen.say(
        "{answer} returned {got}, but in that call DynamoDB accepted no write of {key}.",
        answer=seen.answer,
        key=seen.key,
        got=seen.got,
    )


def _said_there(seen: Seen) -> str:
    if not seen.values["stored"]:
        return seen.say(
            "{answer} returned {got}, as if {key} had been stored before. The table held no such item, and holds none now.",
            answer=seen.answer,
            key=seen.key,
            got=seen.got,
        )
    return seen.say(
        "{answer} returned {got}, but in that call DynamoDB had accepted its write of {key}.",
        answer=seen.answer,
        key=seen.key,
        got=seen.got,
    )


# Of what a handler answers


def _no_failures_list(seen: Seen) -> str:
    return seen.say(
        "{answer} returned {got}. The test looks for a dictionary with a list under `batchItemFailures`.",
        answer=seen.answer,
        got=seen.got,
    )


def _unknown_failure(seen: Seen) -> str:
    return seen.say(
        "The list `batchItemFailures` of {answer} is {got}. Something in it is no id of a message of this batch.",
        answer=seen.answer,
        got=seen.got,
    )


def _failure_twice(seen: Seen) -> str:
    return seen.say(
        "The list `batchItemFailures` of {answer} is {got}. It names a message more than once.",
        answer=seen.answer,
        got=seen.got,
    )


def _failures_out_of_order(seen: Seen) -> str:
    return seen.say(
        "The list `batchItemFailures` of {answer} is {got}. The messages came in another order: {msgs}.",
        answer=seen.answer,
        got=seen.got,
        msgs=seen.words.several(seen.breach.run.messages if seen.breach.run else ()),
    )


# Of a consumer


def _received_again(seen: Seen) -> str:
    return seen.say("In one call, {answer} asked the queue for messages more than once.", answer=seen.answer)


def _no_lists(seen: Seen) -> str:
    return seen.say("{answer} returned {got}. The test expects two lists.", answer=seen.answer, got=seen.got)


def _no_ids(seen: Seen) -> str:
    return seen.say(
        "{answer} returned {got}. Something in it is no `MessageId` of a message that was sent.",
        answer=seen.answer,
        got=seen.got,
    )


def _wrong_lists(seen: Seen) -> str:
    if said := _never_worked_on(seen):
        return said
    none = seen.say("no message")
    values: dict[str, Any] = {
        name: seen.words.several(map(str, seen.values[name])) if seen.values[name] else none
        for name in ("done", "left", "good", "bad")
    }
    return seen.say(
        "{answer} returned `done`: {done}; `left`: {left}. With `work`, these went well: {good}; these failed: {bad}.",
        answer=seen.answer,
        **values,
    )


def _never_worked_on(seen: Seen) -> str:
    """Return that messages were received whose body `work` never got, and where they were put; "" where it got all."""
    run, facts = seen.breach.run, seen.facts
    if run is None or facts is None:
        return ""
    # Of a call, `worked` has the step that comes next, which may lie behind its last one.
    given = {message for n, message in facts.worked if run.first <= n <= run.last + 1}
    skipped = [message for message in run.messages if message not in given]
    for name in ("left", "done"):
        if put := [message for message in skipped if message in seen.values[name]]:
            said = seen.say(
                "{answer} put {msgs} into {place} without calling `work` with the body.",
                answer=seen.answer,
                msgs=seen.words.several(put),
                place=seen.words.code(name),
            )
            failed = [message for message in seen.values["bad"] if message in given]
            if not failed:
                return said
            return seen.words.joined(
                said, seen.say("`work` failed with {msgs} alone.", msgs=seen.words.several(failed))
            )
    if not skipped:
        return ""
    return seen.say(
        "{answer} received {msgs} and did not call `work` with the body.",
        answer=seen.answer,
        msgs=seen.words.several(skipped),
    )


# Of what a run prints


def _result_too_early(seen: Seen) -> str:
    line = seen.words.cut(str(seen.values["line"]))
    if seen.breach.sent is not None and seen.breach.sent.bad:
        return seen.say(
            "The run with {msg} printed {line}, but there was no valid order in {msg}.", line=line, msg=seen.msg
        )
    return seen.say(
        "The run with {msg} printed {line}, but it did not come to its end. The order was not in the table.",
        line=line,
        msg=seen.msg,
    )


def _line_missing(seen: Seen) -> str:
    return seen.say(
        "The run with {msg} printed {count} lines that begin with {word}. The test expects one.",
        msg=seen.msg,
        count=seen.values["count"],
        word=seen.words.code(seen.values["word"]),
    )


def _line_no_json(seen: Seen) -> str:
    return seen.say(
        "The run with {msg} printed {line}. What follows {word} is no JSON.",
        msg=seen.msg,
        line=seen.words.cut(str(seen.values["line"])),
        word=seen.words.code(seen.values["word"]),
    )


def _wrong_result(seen: Seen) -> str:
    return seen.say(
        "The run with {msg} printed {got}. What happened in the table says: {wanted}.",
        msg=seen.msg,
        got=seen.words.cut(str(seen.values["got"])),
        wanted=seen.words.code(json.dumps(seen.values["wanted"], ensure_ascii=False)),
    )


# Of a pure function


def _no_error(seen: Seen) -> str:
    return seen.say(
        "With the body {body}, {answer} ended without an error. The task asks for {expected}.",
        body=seen.words.cut(seen.breach.sent.body if seen.breach.sent else "–"),
        answer=seen.answer,
        expected=seen.words.code("ValueError"),
    )


def _no_return(seen: Seen) -> str:
    return seen.say(
        "{answer} returned `None`. The test expects a value of type {kind}.",
        answer=seen.answer,
        kind=seen.type_of(seen.values["wanted"]),
    )


def _another_type(seen: Seen) -> str:
    return seen.say(
        "{answer} returned a value of type {type}. The test expects type {kind}.",
        answer=seen.answer,
        type=seen.type_of(seen.values["got"]),
        kind=seen.type_of(seen.values["wanted"]),
    )


def _another_value(seen: Seen) -> str:
    got, wanted = seen.values["got"], seen.values["wanted"]
    if isinstance(got, dict) and isinstance(wanted, dict):
        return seen.say(
            "{answer} returned another item than expected. Returned → expected: {changes}.",
            answer=seen.answer,
            changes=seen.words.changes(got, wanted),
        )
    if len(got) != len(wanted):
        return seen.say(
            "{answer} returned a list with {count} elements. The test expects {expected}.",
            answer=seen.answer,
            count=len(got),
            expected=len(wanted),
        )
    first = next(place for place in range(len(wanted)) if got[place] != wanted[place])
    return seen.say(
        "Element {number} of what {answer} returned is {got}. The test expects {expected}.",
        number=first,
        answer=seen.answer,
        got=seen.words.shown(got[first]),
        expected=seen.words.shown(wanted[first]),
    )


ANSWERS: dict[str, Callable[[Seen], str]] = {
    "another-type": _another_type,
    "another-value": _another_value,
    "contradiction-accepted": _contradiction_accepted,
    "failure-twice": _failure_twice,
    "failures-out-of-order": _failures_out_of_order,
    "line-missing": _line_missing,
    "line-no-json": _line_no_json,
    "no-error": _no_error,
    "no-failures-list": _no_failures_list,
    "no-ids": _no_ids,
    "no-lists": _no_lists,
    "no-return": _no_return,
    "no-verdict": _no_verdict,
    "received-again": _received_again,
    "result-too-early": _result_too_early,
    "said-stored": _said_stored,
    "said-there": _said_there,
    "unknown-failure": _unknown_failure,
    "wrong-lists": _wrong_lists,
    "wrong-result": _wrong_result,
}
