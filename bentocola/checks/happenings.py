"""What happened under a schedule, event by event, up to where it broke: from the facts to the parts of a story.

Calls that only look, the clock and boto3's own waiting are left out, but where a story turns on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from bentocola.checks import arrivals
from bentocola.checks.facts import Facts, Run, messages_of
from bentocola.checks.invariants import Breach
from bentocola.checks.parts import Called, Deletion, Delivery, Ended, Happening, Stored, Throttle, Worked, together
from bentocola.checks.struck import fault
from bentocola.checks.wording import Words
from bentocola.cloud.trace import Step

__all__ = ["happenings"]

_LONG = 30
"""Seconds within one call that are worth a sentence. Less than that is what boto3 waits before it tries again."""
_LOOKING = ("GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems")


def happenings(words: Words, breach: Breach, facts: Facts) -> list[Happening]:
    """Return what happened, in order."""
    found: list[Happening] = []
    for happening in _Reader(words, breach, facts).read():
        joined = together(found[-1], happening) if found else None
        if joined is None:
            found.append(happening)
        else:
            found[-1] = joined
    return found


class _Reader:
    def __init__(self, words: Words, breach: Breach, facts: Facts) -> None:
        self.words = words
        self.say = words.say
        self.breach = breach
        self.facts = facts
        self.is_handled = any(step["kind"] == "run_start" for step in facts.steps)
        self._run: Run | None = None
        self._delivered: set[str] = set()
        self._seconds = 0.0
        self._tried = ""
        """What boto3 will call again by itself: its call was refused as one too many, or its answer got lost."""

    @property
    def function(self) -> str:
        """The student's function, as somebody who acts."""
        return self.say("Your function")

    def read(self) -> Iterator[Happening]:
        """Yield what happened, one after the other."""
        for event in self._events():
            if isinstance(event, str):
                yield self.say("`work` raises an exception for {msg}.", msg=event)
            elif not isinstance(event, Run):
                yield from self._step(event)
            elif self._run is None:
                self._run = event
                yield from self._begin(event)
            else:
                yield from self._end(event)
                self._run = None

    def _events(self) -> Iterator[Step | Run | str]:
        """Yield steps and runs in order, and messages that `work` failed over. A run comes when it begins and when it is over."""
        placed: list[tuple[tuple[int, int, int], Step | Run | str]] = [
            ((step["n"], 0, 0), step) for step in self.facts.steps
        ]
        for place, run in enumerate(self.facts.runs):
            placed.append(((run.first - 1, 1, 3 * place), run))
            placed += [((n - 1, 1, 3 * place + 1), message) for n, message in self._failed(run)]
            placed.append(((max(run.last, run.first - 1), 1, 3 * place + 2), run))
        last = self._last()
        yield from (event for at, event in sorted(placed, key=lambda one: one[0]) if at <= last)

    def _failed(self, run: Run) -> Iterator[tuple[int, str]]:
        """Yield over which messages `work` failed in a call of a consumer, and before which step."""
        for n, message in self.facts.worked:
            if run.first <= n <= run.last + 1 and n in self.facts.failed and message:
                yield n, message

    def _not_worked(self, run: Run) -> list[str]:
        """Of a consumer that works at all: which messages it received in a call and did not hand to `work`."""
        worked = {message for n, message in self.facts.worked if run.first <= n <= run.last + 1}
        return [sent.message for sent in self.facts.handed(run) if self.facts.worked and sent.message not in worked]

    def _last(self) -> tuple[int, int, int]:
        """Where the story ends: with the call in which it broke, or the step."""
        run, n = self.breach.run, self.breach.n
        everything = (max((step["n"] for step in self.facts.steps), default=0), 1, 3 * len(self.facts.runs))
        if run is not None and n <= max(run.last, run.first - 1):
            return max(run.last, run.first - 1), 1, 3 * self.facts.runs.index(run) + 2
        return (n, 1, 0) if n else everything

    def _begin(self, run: Run) -> Iterator[Happening]:
        sent = next(iter(self.facts.handed(run)), None)
        if sent is not None and not sent.id:
            yield Called(*arrivals.call(self.words, self.facts, sent))
        turn = self.facts.runs.index(run) + 1
        if any(slip.kind == "no_table" and slip.on == turn for slip in self.facts.schedule.slips):
            yield self.say("The test's fault: the table that this call is to write to does not exist.")

    def _end(self, run: Run) -> Iterator[Happening]:
        called = run.called
        if called.ended and (left := self._not_worked(run)):
            yield self.say("{who} does not call `work` for {msgs}.", who=self.function, msgs=self.words.several(left))
        if self.breach.run is run and self.breach.name == "too-many-calls":
            yield Ended(self.say("It goes on and on, and the test ends the call."))
        elif called.endless:
            yield Ended(self.say("It does not come to an end, and the test ends the call."))
        elif called.raised is not None:
            error = self.words.error(called.raised)
            yield Ended(self.say("{who} stops with {error}.", who=self.function, error=error))
        elif not called.stopped:
            yield self._returned(called.returned)

    def _returned(self, got: Any) -> Ended:
        failures = got.get("batchItemFailures") if isinstance(got, dict) and len(got) == 1 else None
        shown = self.words.shown(got)
        if self.is_handled and got is None:
            return Ended(self.say("{who} ends without an error.", who=self.function), True, shown, "nothing")
        if self.is_handled and failures == []:
            return Ended(
                self.say("{who} answers with an empty list `batchItemFailures`.", who=self.function), True, shown
            )
        named = arrivals.named(self.facts, failures) if isinstance(failures, list) else None
        if self.is_handled and named:
            msgs = self.words.several(named)
            return Ended(self.say("{who} names in `batchItemFailures`: {msgs}.", who=self.function, msgs=msgs))
        silent: Literal["", "value"] = "value" if self.is_handled and not failures else ""
        return Ended(self.say("{who} returns {got}.", who=self.function, got=shown), not failures, shown, silent)

    def _step(self, step: Step) -> Iterator[Happening]:
        match step["kind"]:
            case "deliver":
                yield from self._deliver(step)
            case "delete":
                if step["n"] not in self.facts.others and "error" not in step:
                    yield from self._delete(step)
            case "message":
                if self._run is not None and step["n"] not in self.facts.others:
                    for message in messages_of(step):
                        yield self.say(
                            "{who} sends {msg}, a new message, to the queue.", who=self.function, msg=message
                        )
            case "write":
                yield from self._write(step)
            case "fault":
                yield from self._fault(step)
            case "clock":
                moved = next((new - (old or 0) for path, old, new in step["set"] if path == "clock.seconds"), 0.0)
                if self._run is not None and moved >= _LONG:
                    yield self.say(
                        "The test's fault: this takes {seconds} s, and messages stay hidden for less.",
                        seconds=f"{moved:g}",
                    )
                elif self._run is None:
                    self._seconds += moved
            case "dead":
                yield self.say(
                    "SQS moved {msg} to the dead-letter queue: it was received too often.", msg=step["ids"]["msg"]
                )
            case "call":
                yield from self._call(step)

    def _deliver(self, step: Step) -> Iterator[Happening]:
        message = step["ids"]["msg"]
        yield Delivery(step["to"], (message,), message in self._delivered, self._seconds)
        self._delivered.add(message)
        self._seconds = 0.0

    def _delete(self, step: Step) -> Iterator[Happening]:
        who = self.function if self._run is not None else self.say("Lambda")
        if "msg" in step.get("ids", {}):
            yield Deletion(who, (step["ids"]["msg"],))

    def _call(self, step: Step) -> Iterator[Happening]:
        if self._run is None or step["n"] in self.facts.others:
            return
        operation = step.get("api", "").partition(":")[2]
        if operation == "ReceiveMessage":
            yield self.say("{who} asks the queue for messages, and none comes.", who=self.function)
        elif operation in _LOOKING and self.breach.name in ("order-changed", "order-removed", "contradiction-accepted"):
            yield self.say("{who} looks at what the table has ({operation}).", who=self.function, operation=operation)

    def _fault(self, step: Step) -> Iterator[Happening]:
        self._tried = step.get("api", "") if step["fault"] in ("throttle", "lost_response") else ""
        if step["fault"] == "throttle":
            yield Throttle(step)
        elif step["fault"] == "stop" and self.breach.name == "too-many-calls":
            return
        elif step["fault"] != "meanwhile":
            yield fault(self.words, step)

    def _write(self, step: Step) -> Iterator[Happening]:
        decision = step["decision"]
        key = self.words.key(decision["key"] or "–")
        before, after = decision["before"], decision["after"]
        is_accepted = decision["result"] == "accepted"
        if step["n"] in self.facts.others:
            yield from self._by_others(key, before, after, is_accepted)
        elif not is_accepted:
            error = decision.get("error")
            if error not in _THROTTLED:
                yield self._refused(step, key, error)
        elif after is None:
            yield self.say("{who} deleted the item {key}.", who=self.function, key=key)
        elif before is None:
            yield Stored(self._writer(step), (key,))
        elif before == after:
            yield self._equal(step, key)
        else:
            changes = self.words.changes(before, after)
            yield self.say("{who} writes over {key}: {changes}.", who=self._writer(step), key=key, changes=changes)

    def _equal(self, step: Step, key: str) -> str:
        if self._writer(step) == "boto3":
            return self.say(
                "boto3 got no answer, so it sends the same {operation} again. DynamoDB accepts it and writes over {key}, "
                "with the same content.",
                operation=step["decision"]["op"],
                key=key,
            )
        return self.say("{who} wrote the item {key} over an equal one.", who=self.function, key=key)

    def _writer(self, step: Step) -> str:
        tried, self._tried = self._tried, ""
        return "boto3" if tried and tried == step.get("api") else self.function

    def _refused(self, step: Step, key: str, error: str | None) -> str:
        who, operation = self._writer(step), step["decision"]["op"]
        if not step["decision"]["key"]:
            message = "{who} calls {operation}, and DynamoDB refuses it: {error}."
            return self.say(message, who=who, operation=operation, error=error)
        message = "{who} called {op} for {key}: refused with {error}; the table stays as it was."
        return self.say(message, who=who, op=operation, key=key, error=error)

    def _by_others(self, key: str, before: Any, after: Any, is_accepted: bool) -> Iterator[Happening]:
        if self._run is None or not is_accepted:
            return
        if after is None:
            yield self.say("At that very moment another program removes {key}.", key=key)
        elif not self.facts.worked:
            yield self.say(
                "At that very moment another program stores {key}: {fields}.", key=key, fields=self.words.fields(after)
            )
        else:
            yield Worked(self.say("`work` stores {key}.", key=key))


_THROTTLED = ("ProvisionedThroughputExceededException", "RequestThrottled")
