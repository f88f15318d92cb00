"""What the rules of `diagnosis` ask about a breach: one question a function, over the facts of the schedule.

It reads facts, touches nothing, and knows no misconception.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bentocola.checks.facts import Facts, Run, messages_of
from bentocola.checks.invariants import Breach

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


def sent_kind(*kinds: str) -> Callable[[Case], bool]:
    return lambda case: case.breach.sent is not None and case.breach.sent.kind in kinds


def raises(*texts: str) -> Callable[[Case], bool]:
    return lambda case: any(text in case.error for text in texts)


def raises_or_prints(text: str) -> Callable[[Case], bool]:
    """Whether its error says so, or what it printed of an error that it kept to itself."""
    return lambda case: text in case.error or (case.run is not None and text in case.run.called.printed)


def refused_in_run(case: Case) -> bool:
    return any(write.error == REFUSED for write in case.writes())


def other_error_in_run(case: Case) -> bool:
    return any(not write.accepted and write.error != REFUSED for write in case.writes())


def key_of_message(case: Case) -> bool:
    """Whether an item that nobody ordered stands under something of the message, not of the order."""
    run, item = case.run, case.breach.values.get("item") or {}
    ids = [sent.id for sent in case.known.sent] + [sent.message for sent in case.known.sent]
    texts = [str(value) for value in item.values()]
    return run is not None and any(_UUID.search(text) or any(id_ and id_ in text for id_ in ids) for text in texts)


def still_encoded(case: Case) -> bool:
    """Whether an upload's item or its key is as it stands in the event: URL-encoded."""
    values = case.breach.values
    is_job = case.facts.jobs if case.facts is not None else isinstance(values.get("wanted"), dict)
    text = str(values.get("item") or values.get("got") or "")
    return not is_job and ("%" in text or "+" in text)


def status(case: Case) -> bool:
    returned = case.run.called.returned if case.run else None
    if isinstance(returned, dict):
        return any(name in returned for name in _STATUS)
    return returned is False


def reported(case: Case) -> bool:
    returned = case.run.called.returned if case.run else None
    is_on = case.facts is not None and not case.facts.jobs  # the mapping of assignment 01 has the setting
    return not is_on and isinstance(returned, dict) and bool(returned.get("batchItemFailures"))


def another_failed(case: Case) -> bool:
    """Whether the batch of the call held a message that had to fail besides this one."""
    if case.run is None or case.facts is None:
        return False
    return any(sent.bad for sent in case.known.handed(case.run))


def tricky(case: Case) -> bool:
    """Whether the order's key has characters that S3 encodes, or the value seen is still encoded."""
    return sent_kind("tricky")(case) or still_encoded(case)


def as_many(case: Case) -> bool:
    """Whether as many values came back as were expected: then one of them is another, and none is left over or missing."""
    got, wanted = case.breach.values.get("got"), case.breach.values.get("wanted")
    return isinstance(got, list) and isinstance(wanted, list) and len(got) == len(wanted)


def deleted_already(case: Case) -> bool:
    """Whether the answer had deleted the message that it is about before."""
    message = case.breach.sent.message if case.breach.sent else ""
    return case.facts is not None and any(n < case.breach.n and name == message for n, name, _ in case.facts.deletes)


def deleted_before_work(case: Case) -> bool:
    """Of a consumer: whether it deleted the message that it is about before it handed it to `work`, or without doing that."""
    message = case.breach.sent.message if case.breach.sent else ""
    deleted = next((n for n, name, _ in case.known.deletes if name == message), 0)
    return bool(deleted) and not any(n <= deleted and worked == message for n, worked in case.known.worked)


def deleted_in_vain(case: Case) -> bool:
    """Whether the answer asked to delete the message that it is about, and it stayed: by an old handle, or by what is none."""
    message = case.breach.sent.message if case.breach.sent else ""
    named = [messages_of(step) for step in case.calls("DeleteMessage", "DeleteMessageBatch")]
    return any(message in messages for messages in named) or bool(named and not any(named))


def own_claim(case: Case) -> bool:
    """Whether the write that changed an item came after another one of the same call, under the same key."""
    write = case.breach.write
    return write is not None and any(
        other.n < write.n and other.key == write.key and other.accepted for other in case.writes()
    )


def left_the_rest(case: Case) -> bool:
    """Whether a handler answered with the first bad message and all that came after it, as one does for a FIFO queue."""
    returned = case.run.called.returned if case.run else None
    if case.run is None or case.facts is None or not isinstance(returned, dict):
        return False
    handed = case.known.handed(case.run)
    first_bad = next((n for n, sent in enumerate(handed) if sent.bad), len(handed))
    failures = returned.get("batchItemFailures") or ()
    named = [entry.get("itemIdentifier") for entry in failures if isinstance(entry, dict)]
    return first_bad + 1 < len(handed) and named == [sent.id for sent in handed[first_bad:]]


def worked_before(case: Case) -> bool:
    """Of a consumer: whether the message was handed to `work` before it was deleted."""
    message, run = case.breach.sent.message if case.breach.sent else "", case.run
    return run is not None and any(
        run.first <= n <= case.breach.n for n, worked in case.known.worked if worked == message
    )


def worked_earlier(case: Case) -> bool:
    """Of a consumer: whether the message was handed to `work` in an earlier call of it only."""
    message, run = case.breach.sent.message if case.breach.sent else "", case.run
    return (
        run is not None
        and not worked_before(case)
        and any(worked == message and n < run.first for n, worked in case.known.worked)
    )


def worked_at_all(case: Case) -> bool:
    """Of a consumer: whether the message was ever handed to `work`."""
    return case.breach.sent is not None and any(name == case.breach.sent.message for _, name in case.known.worked)


def struck(*kinds: str) -> Callable[[Case], bool]:
    """Whether one of these faults is in the schedule."""
    return lambda case: bool(case.facts) and any(slip.kind in kinds for slip in case.known.schedule.slips)


def typed_as_text(case: Case) -> bool:
    """Whether a number was sent to the table as if it were a text."""
    steps = case.facts.steps if case.facts else ()
    texts = (step["wire"]["text"] for step in steps if "wire" in step and step["kind"] == "write")
    return any(_NUMBER_AS_TEXT.search(text) for text in texts)


def id_of_its_own(case: Case) -> bool:
    """Whether an answer that makes an item of a job got all right but the id, which has nothing of the job's own."""
    got, wanted = case.breach.values.get("got"), case.breach.values.get("wanted")
    if not isinstance(got, dict) or not isinstance(wanted, dict) or "id" not in wanted or got.keys() != wanted.keys():
        return False
    own = wanted["id"]["S"].casefold()
    return got == {**wanted, "id": got["id"]} and own not in str(got["id"]).casefold()


def told_as_new(case: Case) -> bool:
    """Whether a handler of jobs told an order as processed that had been stored before."""
    got, wanted = str(case.breach.values.get("got")), case.breach.values.get("wanted") or {}
    return wanted.get("duplicate") is True and '"processed": true' in got and '"duplicate": false' in got


def under_its_id(case: Case) -> bool:
    """Whether, instead of the order, an item was stored that carries the message's id."""
    id_ = case.breach.sent.id if case.breach.sent else ""
    return bool(id_) and any(write.accepted and id_ in f"{write.key}{write.after}" for write in case.writes())


def with_test_event(case: Case) -> bool:
    """Whether S3's test event was in the batch."""
    handed = case.known.handed(case.run) if case.run and case.facts else []
    return any(sent.kind in ("test-event", "no-records") for sent in handed)


def wrote_nothing(case: Case) -> bool:
    """Whether the call ended well without having tried to write."""
    return case.run is not None and case.run.called.ended and not case.writes()


def listed(case: Case, place: int) -> bool:
    """Of a consumer: whether the message's id is in the first (done) or second (left) list that it returned."""
    returned = case.run.called.returned if case.run else None
    sent = case.breach.sent
    return sent is not None and isinstance(returned, tuple | list) and len(returned) == 2 and sent.id in returned[place]


def others_saved(case: Case) -> bool:
    """Whether, in the failed call, the good messages that came after a bad one were saved all the same."""
    if case.run is None or case.facts is None:
        return False
    handed = case.known.handed(case.run)
    first_bad = next((n for n, sent in enumerate(handed) if sent.bad), len(handed))
    stored = case.known.stored_at(case.run.last)
    after = [key for sent in handed[first_bad:] if not sent.bad for key in sent.orders]
    return all(key in stored for key in after)


def number_untyped(case: Case) -> bool:
    """Whether an item came back with a number that is none in DynamoDB's typed JSON."""
    got = case.breach.values.get("got")
    values = list(got.values()) if isinstance(got, dict) else []
    return any(
        type(value) in (int, float) or (isinstance(value, dict) and "N" in value and not isinstance(value["N"], str))
        for value in values
    )


def condition_elsewhere(case: Case) -> bool:
    """Whether the write that went over an order only asked whether some attribute exists: not one of the key."""
    written = [write for write in case.writes() if write.accepted]
    condition = written[-1].condition if written else None
    return not case.known.jobs and bool(
        condition and re.fullmatch(r"\s*attribute_not_exists\s*\([^()]*\)\s*", condition)
    )


def number_in_customer(case: Case) -> bool:
    """Whether an order was stored under a customer's name that holds the order's number too."""
    for write in case.writes():
        after = write.after or {}
        if write.accepted and "order_id" in after and str(after["order_id"]) in str(after.get("customer")):
            return True
    return False


def asked_nothing(case: Case) -> bool:
    """Whether a save answered from memory: nothing is stored, and it made no call."""
    return case.breach.values.get("before") is None and case.run is not None and not case.known.calls_of(case.run)


def failed_earlier(case: Case) -> int:
    """How often a handler of jobs failed over the message, before it ended well without a write: from memory, or by counting."""
    message, run = case.breach.sent.message if case.breach.sent else "", case.run
    if case.facts is None or not case.facts.jobs or run is None or case.writes():
        return 0
    earlier = [other for other in case.facts.runs if other.first < run.first and message in other.messages]
    return sum(other.called.raised is not None for other in earlier)


def says_nothing(case: Case) -> bool:
    """Whether a run of a handler of jobs ended well without its RESULT line: an error was swallowed."""
    run = case.run
    return (
        bool(case.facts)
        and case.known.jobs
        and is_handled(case)
        and run is not None
        and "RESULT" not in run.called.printed
    )


def wrote_blindly(case: Case) -> bool:
    """Whether some call read from the table and then wrote without a condition."""
    return any(write.condition is None for write in case.known.writes)


def is_handled(case: Case) -> bool:
    """Whether Lambda called the answer: its calls are a run's."""
    return bool(case.facts) and any(step["kind"] == "run_start" for step in case.known.steps)
