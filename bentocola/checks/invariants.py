"""What must hold of an answer, whatever happens to it: each invariant said once, as a question to the facts.

An invariant returns the first breach that it finds, or None. What a breach teaches is for `diagnosis`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bentocola.checks.facts import Facts, Run, Sent, Write
from bentocola.checks.world import MOST_CALLS

__all__ = [
    "Breach",
    "Invariant",
    "arguments_stay",
    "batches_are_answered",
    "calls_are_bounded",
    "duplicates_are_proven",
    "each_message_is_tried",
    "errors_come_out",
    "every_job_is_stored",
    "first_broken",
    "is_condition",
    "lists_name_the_messages",
    "nothing_else_is_stored",
    "nothing_is_lost",
    "nothing_is_sent",
    "only_failures_return",
    "only_lambda_deletes",
    "one_receive",
    "orders_never_change",
    "results_are_told",
    "saved_before_deleted",
    "verdict_of_each_save",
]


@dataclass(frozen=True)
class Breach:
    """An invariant that did not hold. `n`: the step at which it shows, or 0; `run`: in which call of the answer."""

    name: str
    n: int = 0
    run: Run | None = None
    sent: Sent | None = None
    write: Write | None = None
    values: dict[str, Any] = field(default_factory=dict)
    """What was seen, for the message."""


Invariant = Callable[[Facts], Breach | None]


def first_broken(facts: Facts, invariants: tuple[Invariant, ...]) -> Breach | None:
    """Return the breach of the first invariant, in this order, that does not hold."""
    return next(filter(None, (holds(facts) for holds in invariants)), None)


def calls_are_bounded(facts: Facts) -> Breach | None:
    """A call ends: after some thousands of lines, and with a handful of AWS calls for each message."""
    for run in facts.runs:
        if run.called.endless:
            return Breach("endless", run.last, run)
        if len(facts.calls_of(run)) >= MOST_CALLS:
            return Breach("too-many-calls", run.last, run, values={"calls": MOST_CALLS})
    return None


def arguments_stay(facts: Facts) -> Breach | None:
    """What an answer is handed belongs to the caller."""
    return next((Breach("argument-changed", run.last, run) for run in facts.runs if run.called.changed), None)


def orders_never_change(facts: Facts) -> Breach | None:
    """What is stored under a key stays as it was stored."""
    for write in facts.writes:
        if write.accepted and write.before is not None and write.after != write.before:
            name = "order-removed" if write.after is None else "order-changed"
            return Breach(name, write.n, _run_at(facts, write.n), write=write)
    return None


def saved_before_deleted(facts: Facts) -> Breach | None:
    """When a message is deleted, every order in it is stored; a message that must fail is not deleted at all."""
    for n, message, _ in facts.deletes:
        sent = facts.by_message.get(message)
        if sent is None:
            continue
        stored = facts.stored_at(n)
        missing = [key for key in sent.orders if key not in stored]
        if missing:
            return Breach("deleted-unsaved", n, _run_of(facts, message, n), sent, values={"key": missing[0]})
        if sent.bad:
            return Breach("deleted-bad", n, _run_of(facts, message, n), sent)
    return None


def nothing_is_lost(facts: Facts) -> Breach | None:
    """Each job is stored, or still queued, or a dead letter."""
    for sent in facts.sent:
        if sent.message in facts.waiting:
            continue
        gone = [key for key in sent.orders if key not in facts.stored]
        if gone or sent.bad:
            return Breach("lost", 0, None, sent, values={"key": gone[0] if gone else ""})
    return None


def nothing_is_sent(facts: Facts) -> Breach | None:
    """Nobody sends a job again that is still in the queue."""
    for run in facts.runs:
        for step in facts.calls_of(run):
            if step["api"] in ("sqs:SendMessage", "sqs:SendMessageBatch"):
                return Breach("sent-again", step["n"], run, _cause(facts, run))
    return None


def only_lambda_deletes(facts: Facts) -> Breach | None:
    """A handler leaves the deletion of its messages to Lambda, which waits for its answer."""
    for run in facts.runs:
        for step in facts.calls_of(run):
            if step["api"] in ("sqs:DeleteMessage", "sqs:DeleteMessageBatch", "sqs:PurgeQueue"):
                return Breach("deleted-in-handler", step["n"], run, _cause(facts, run))
    return None


def duplicates_are_proven(facts: Facts) -> Breach | None:
    """Without a write of its own, a message is only deleted when an equal order is stored: then it is a duplicate.

    For jobs that carry the whole order. (An upload is announced by its key alone: whatever is stored there is it.)
    """
    for n, message, _ in facts.deletes:
        sent = facts.by_message.get(message)
        stored = facts.stored_at(n)
        for key, item in (sent.orders if sent else {}).items():
            if key in stored and stored[key] != item:
                values = {"key": key, "stored": stored[key], "wanted": item}
                return Breach("contradiction-acknowledged", n, _run_of(facts, message, n), sent, values=values)
    return None


def nothing_else_is_stored(facts: Facts) -> Breach | None:
    """The table holds what was ordered, as it was ordered, and each order once."""
    for key, item in facts.stored.items():
        if key not in facts.allowed:
            made = next((write for write in facts.writes if write.key == key and write.accepted), None)
            run = _run_at(facts, made.n) if made else None
            return Breach(
                "extra-item", made.n if made else 0, run, _cause(facts, run), made, {"key": key, "item": item}
            )
        if item not in facts.allowed[key]:
            made = next((write for write in facts.writes if write.key == key and write.accepted), None)
            run = _run_at(facts, made.n) if made else None
            values = {"key": key, "item": item, "wanted": facts.allowed[key][0]}
            return Breach("wrong-item", made.n if made else 0, run, _cause(facts, run), made, values)
    return None


def every_job_is_stored(facts: Facts) -> Breach | None:
    """When all faults are over and each message has come again, every valid job is stored."""
    for sent in facts.sent:
        for key in sent.orders:
            if key not in facts.stored:
                run = next((run for run in reversed(facts.runs) if sent.message in run.messages), None)
                return Breach("not-stored", run.last if run else 0, run, sent, values={"key": key})
    return None


def only_failures_return(facts: Facts) -> Breach | None:
    """When all is over, no message is left in the queue whose orders are stored and equal."""
    for sent in facts.sent:
        if sent.bad or sent.message not in facts.waiting:
            continue
        if any(facts.stored.get(key) != item and not _is_done_anyway(facts, key) for key, item in sent.orders.items()):
            continue
        run = next((run for run in reversed(facts.runs) if sent.message in run.messages), None)
        return Breach("kept-though-done", run.last if run else 0, run, sent)
    return None


def _is_done_anyway(facts: Facts, key: str) -> bool:
    """Whether an order counts as stored whatever it looks like: an upload that somebody has dealt with already."""
    return "order_id" in facts.stored.get(key, {})


def batches_are_answered(facts: Facts) -> Breach | None:
    """A handler answers with batchItemFailures, a list of the ids of messages of this batch, in their order, once each."""
    for run in facts.runs:
        if not run.called.ended:
            continue
        answer = run.called.returned
        failures = answer.get("batchItemFailures") if isinstance(answer, dict) else None
        if not isinstance(failures, list):
            return Breach("no-failures-list", run.last, run, values={"got": answer})
        ids = [entry.get("itemIdentifier") if isinstance(entry, dict) else None for entry in failures]
        known = {sent.id: sent.message for sent in facts.sent}
        named = [known.get(id_) if isinstance(id_, str) else None for id_ in ids]
        if None in named or any(name not in run.messages for name in named):
            return Breach("unknown-failure", run.last, run, values={"got": failures})
        if len(set(named)) < len(named):
            return Breach("failure-twice", run.last, run, values={"got": failures})
        if named != [message for message in run.messages if message in named]:
            return Breach("failures-out-of-order", run.last, run, values={"got": failures})
    return None


def each_message_is_tried(facts: Facts) -> Breach | None:
    """A call that nothing struck does not end with an exception: one bad message is no reason to fail the others.

    For a batch of bad messages alone it makes no difference; and when the table itself is out of reach, failing the whole batch
    loses nothing either.
    """
    for run in facts.runs:
        if any(
            not write.accepted and not is_condition(write) for write in facts.writes if _within(run, write.n)
        ) or _blocked(facts, run):
            continue
        alone = all(sent.bad for sent in facts.handed(run))
        if run.called.raised is not None and not alone and not facts.struck(run):
            return Breach("raised", run.last, run, _cause(facts, run), values=_raised(run))
    return None


def verdict_of_each_save(facts: Facts) -> Breach | None:
    """A save says True when it stored the item and False when it was there; another error comes out of it."""
    for turn, run in enumerate(facts.runs, 1):
        if run.called.stopped:
            continue
        (sent,) = facts.handed(run)
        ((key, item),) = sent.orders.items()
        writes = [write for write in facts.writes if run.first <= write.n <= run.last]
        stored = any(write.accepted and write.key == key and write.before is None for write in writes)
        refusals = [write for write in writes if not write.accepted]
        before = facts.stored_at(run.first - 1).get(key) or facts.rivals.get(key)
        error = refusals[-1].error if refusals and not is_condition(refusals[-1]) else None
        if any(slip.kind == "no_table" and slip.on == turn for slip in facts.schedule.slips):
            error = "ResourceNotFoundException"
        failed = error is not None and not stored
        conflict = before is not None and "id" in item and before != item
        replaced = any(write.accepted and write.key == key and write.before is not None for write in writes)
        values = {"key": key, "before": before, "item": item, "stored": stored, "replaced": replaced} | _raised(run)
        if run.called.raised is not None:
            if failed:
                if error != _code(run.called.raised):
                    return Breach("another-error", run.last, run, sent, refusals[-1] if refusals else None, values)
                continue
            if conflict and isinstance(run.called.raised, ValueError):
                continue
            if conflict:
                return Breach("another-error", run.last, run, sent, values=values)
            return Breach("raised", run.last, run, sent, refusals[-1] if refusals else None, values)
        got = run.called.returned
        if failed:
            write = refusals[-1] if refusals else None
            return Breach("swallowed", run.last, run, sent, write, values | {"got": got, "error": error})
        if type(got) is not bool:
            return Breach("no-verdict", run.last, run, sent, values=values | {"got": got})
        if conflict and not stored:
            return Breach("contradiction-accepted", run.last, run, sent, values=values | {"got": got})
        if got is False and before is None and not stored:
            return Breach("said-there", run.last, run, sent, values=values | {"got": got})
        is_lost = stored and refusals  # the answer to the first try was lost: either can be said
        if not is_lost and got is not stored:
            name = "said-stored" if got else "said-there"
            return Breach(name, run.last, run, sent, values=values | {"got": got})
    return None


def errors_come_out(facts: Facts) -> Breach | None:
    """After an error that is no refused condition, a call does not end as if all were well."""
    for run in facts.runs:
        writes = [write for write in facts.writes if run.first <= write.n <= run.last]
        if not run.called.ended or not writes or writes[-1].accepted:
            continue
        if is_condition(writes[-1]):
            continue
        for n, message, _ in facts.deletes:
            if message in run.messages and n > writes[-1].n:
                values = {"error": writes[-1].error, "key": writes[-1].key}
                return Breach("swallowed", n, run, facts.by_message.get(message), writes[-1], values)
    return None


def one_receive(facts: Facts) -> Breach | None:
    """A consumer of one batch receives once a call."""
    for run in facts.runs:
        # Messages that came with one call came at one time.
        asked = {step["t"] for step in facts.calls_of(run) if step["api"] == "sqs:ReceiveMessage"}
        if len(asked) > 1 and not facts.struck(run):
            return Breach("received-again", run.last, run)
    return None


def lists_name_the_messages(facts: Facts) -> Breach | None:
    """A consumer returns the ids of what it has done and of what is left: each message that it received, in one of two lists."""
    for run in facts.runs:
        if not run.called.ended:
            if run.called.raised is not None and not facts.struck(run):
                return Breach("raised", run.last, run, values=_raised(run))
            continue
        got = run.called.returned
        if not (isinstance(got, tuple | list) and len(got) == 2 and all(isinstance(part, list) for part in got)):
            return Breach("no-lists", run.last, run, values={"got": got})
        received = {message for n, message in facts.deliveries if run.first <= n <= run.last}
        known = {sent.id: sent.message for sent in facts.sent}
        done, left = ([known.get(id_) if isinstance(id_, str) else None for id_ in part] for part in got)
        if None in done or None in left:
            return Breach("no-ids", run.last, run, values={"got": got})
        good = [message for message in received if message in facts.by_message and not facts.by_message[message].bad]
        bad = [message for message in received if message in facts.by_message and facts.by_message[message].bad]
        if sorted(map(str, done)) != sorted(good) or sorted(map(str, left)) != sorted(bad):
            values = {"done": done, "left": left, "good": sorted(good), "bad": sorted(bad)}
            return Breach("wrong-lists", run.last, run, values=values)
    return None


def results_are_told(facts: Facts) -> Breach | None:
    """A run prints EVENT, JOB and RESULT lines; RESULT is true, and comes only once the order is safe."""
    import json

    for run in facts.runs:
        lines = run.called.printed.splitlines()
        sents = facts.handed(run)
        if not sents:
            continue
        told = [line.removeprefix("RESULT").strip() for line in lines if line.startswith("RESULT")]
        if run.called.raised is not None or run.called.stopped:
            ok = sum(_saved_in(facts, run, sent) for sent in sents)
            if len(told) > ok:
                return Breach("result-too-early", run.last, run, sents[0], values={"line": f"RESULT {told[-1]}"})
            continue
        if run.called.endless:
            continue
        for word in ("EVENT", "JOB", "RESULT"):
            found = [line for line in lines if line.startswith(word)]
            count = 1 if word == "EVENT" else len(sents)
            if len(found) != count and not (word == "EVENT" and len(found) == len(sents)):
                return Breach("line-missing", run.last, run, sents[0], values={"word": word, "count": len(found)})
            for line in found:
                try:
                    json.loads(line.removeprefix(word))
                except ValueError:
                    return Breach("line-no-json", run.last, run, sents[0], values={"word": word, "line": line})
        for sent, text in zip(sents, told, strict=True):
            result = json.loads(text)
            ((key, _),) = sent.orders.items() if sent.orders else ((None, None),)
            if key is None:
                continue
            writes = [write for write in facts.writes if run.first <= write.n <= run.last and write.key == key]
            stored = any(write.accepted for write in writes)
            either = stored and any(not write.accepted for write in writes)
            wanted = {"id": key, "processed": stored, "duplicate": not stored}
            shown = result if not isinstance(result, dict) else {name: result.get(name) for name in wanted}
            other = {"id": key, "processed": not stored, "duplicate": stored}
            if shown != wanted and not (either and shown == other):
                values = {"got": f"RESULT {text}", "wanted": wanted}
                return Breach("wrong-result", run.last, run, sent, writes[-1] if writes else None, values)
    return None


def _saved_in(facts: Facts, run: Run, sent: Sent) -> bool:
    stored = facts.stored_at(run.last)
    return bool(sent.orders) and all(stored.get(key) == item for key, item in sent.orders.items())


def _within(run: Run, n: int) -> bool:
    return run.first <= n <= run.last


def _blocked(facts: Facts, run: Run) -> bool:
    """Whether the table did not exist for a call of the answer."""
    turn = facts.runs.index(run) + 1
    return any(slip.kind == "no_table" and slip.on == turn for slip in facts.schedule.slips)


def is_condition(write: Write) -> bool:
    """Whether a write was refused because of its condition; in a transaction, the refusal goes by another name."""
    return write.error in ("ConditionalCheckFailedException", "TransactionCanceledException")


def _code(error: Exception) -> str | None:
    """The code of an error of AWS's."""
    response = getattr(error, "response", None)
    return response.get("Error", {}).get("Code") if isinstance(response, dict) else None


def _raised(run: Run) -> dict[str, Any]:
    error = run.called.raised
    if error is None:
        return {}
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return {"error": told, "line": run.called.line}


def _run_at(facts: Facts, n: int) -> Run | None:
    return next((run for run in facts.runs if run.first <= n <= run.last), None)


def _run_of(facts: Facts, message: str, n: int) -> Run | None:
    """The run that a message's deletion at step `n` belongs to, or follows."""
    handed = [run for run in facts.runs if run.first <= n and (message in run.messages or run.first <= n <= run.last)]
    return handed[-1] if handed else None


def _cause(facts: Facts, run: Run | None) -> Sent | None:
    """The message that a run was about, where it was about one, or the first bad one of them."""
    return next(_preferred(facts.handed(run) if run else []), None)


def _preferred(sents: list[Sent]) -> Iterator[Sent]:
    yield from (sent for sent in sents if sent.bad)
    yield from sents
