"""The layer that puts faults in: what can go wrong on AWS, when a student or a check asks for it.

It stands right before the services, so that a throttled call has no effect and a lost answer has one. It touches nothing else:
what it does to queues it asks of the door, and each fault is told in the trace.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args

from bentocola.cloud import operations
from bentocola.cloud.door import OFFERED, Answer, Call, Door, Lost, Response, Stopped, caller, error_response
from bentocola.errors import FaultError

__all__ = ["Fault", "Faults", "Kind"]

Kind = Literal[
    "throttle",
    "deny",
    "lost_response",
    "stop_before",
    "stop_after",
    "deliver_again",
    "reorder",
    "delay_event",
]

# What each service answers when it is asked too often: status, code, message.
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html and the errors of each API reference.
_THROTTLED = {
    "dynamodb": (
        400,
        "ProvisionedThroughputExceededException",
        "The level of configured provisioned throughput for the table was exceeded. "
        "Consider increasing your provisioning level with the UpdateTable API.",
    ),
    "s3": (503, "SlowDown", "Please reduce your request rate."),
    "sqs": (400, "RequestThrottled", "The request was denied due to request throttling."),
    "lambda": (429, "TooManyRequestsException", "Rate Exceeded."),
    "logs": (400, "ThrottlingException", "Rate exceeded"),
    "iam": (400, "Throttling", "Rate exceeded"),
    "sts": (400, "Throttling", "Rate exceeded"),
}


Planned = Kind | Literal["meanwhile"]
"""What can be planned. What happens meanwhile is told by its own steps, and is no fault by itself."""


@dataclass
class Fault:
    """A fault that is planned. `operation`: a pattern such as `dynamodb:PutItem` or `sqs:*`."""

    kind: Planned
    operation: str = "*"
    on: int = 1
    """Which of the matching calls it strikes, counted from 1, which is the next one."""
    times: int = 1
    """How many calls in a row."""
    by: Literal["you", "lambda"] | None = None
    """Whose calls; anybody's when it is left out."""
    seconds: float = 0.0
    """How long an event is delayed."""
    act: Callable[[], object] | None = None
    """What happens right before the call."""
    shuffle: Callable[[list[Any]], None] | None = None
    """How messages get into another order; by chance when it is left out."""


class Faults:
    """The faults to come. Each method plans one and returns it; `clear` forgets all; printing shows what is still to come."""

    def __init__(
        self,
        note: Callable[[str, Call | None], None],
        note_after: Callable[[str, Call | None], None],
        later: Callable[[float, Callable[[], None]], object],
        say: Callable[..., str],
    ) -> None:
        """`note` and `note_after` write a fault into the trace, before and after the call that goes on."""
        self._note = note
        self._note_after = note_after
        self._later = later
        self._say = say
        self._planned: list[Fault] = []
        self._rates: dict[str, float] = {}
        self._seconds = 0.0
        self._random = random.Random(0)

    # What can be planned

    def throttle(
        self, operation: str, *, on: int = 1, times: int = 1, by: Literal["you", "lambda"] | None = None
    ) -> Fault:
        """Refuse calls of `operation` as the service does when it is called too often. The SDK tries again by itself."""
        return self._plan(Fault("throttle", operation, on, times, by))

    def deny(self, operation: str, *, on: int = 1, times: int = 1, by: Literal["you", "lambda"] | None = None) -> Fault:
        """Refuse calls of `operation` as when the caller's role lacks the permission. The SDK does not try again."""
        return self._plan(Fault("deny", operation, on, times, by))

    def lose_response(self, operation: str, *, on: int = 1, by: Literal["you", "lambda"] | None = None) -> Fault:
        """Let a call have its effect, and break the connection before the answer comes."""
        return self._plan(Fault("lost_response", operation, on, 1, by))

    def stop_worker(
        self,
        *,
        before: str | None = None,
        after: str | None = None,
        on: int = 1,
        by: Literal["you", "lambda"] | None = None,
    ) -> Fault:
        """Stop whoever makes a call, right before it or right after its effect, as when a machine dies."""
        if (before is None) == (after is None):
            raise FaultError(self._say("stop_worker() expects either before= or after=, with an operation."))
        kind: Kind = "stop_before" if before is not None else "stop_after"
        return self._plan(Fault(kind, before or after or "", on, 1, by))

    def deliver_again(self, *, on: int = 1) -> Fault:
        """Let SQS deliver a message once more although it was received, and even if it is deleted: at least once."""
        return self._plan(Fault("deliver_again", "sqs:ReceiveMessage", on))

    def reorder(self, *, on: int = 1, shuffle: Callable[[list[Any]], None] | None = None) -> Fault:
        """Let a receive get its messages in another order. A FIFO queue keeps its own. `shuffle`: which one; else by chance."""
        return self._plan(Fault("reorder", "sqs:ReceiveMessage", on, shuffle=shuffle))

    def meanwhile(
        self,
        act: Callable[[], object],
        *,
        before: str,
        on: int = 1,
        by: Literal["you", "lambda"] | None = None,
    ) -> Fault:
        """Let something happen right before a call: another program comes in between, or time goes by. No fault strikes `act`."""
        return self._plan(Fault("meanwhile", before, on, 1, by, act=act))

    def delay_event(self, seconds: float, *, on: int = 1) -> Fault:
        """Let an event of S3 come `seconds` later on the course's clock."""
        holds = _is_number(seconds) and seconds >= 0
        self._expect(holds, "delay_event() expects seconds of 0 or more; it got {got!r}.", got=seconds)
        return self._plan(Fault("delay_event", on=on, seconds=seconds))

    def plan(self, seed: int, *, delay_seconds: float = 30.0, **chances: float) -> None:
        """Let faults come by chance, the same ones each time for one `seed`.

        `chances`: how likely each kind is where it can happen, from 0 to 1: `throttle`, `deny`, `lost_response`, `stop_before`,
        `stop_after` (functions only), `deliver_again`, `reorder`, `delay_event`.
        """
        known = get_args(Kind)
        for kind, chance in chances.items():
            self._expect(
                kind in known, "plan() knows the faults {known}; it got {got!r}.", known=", ".join(known), got=kind
            )
            self._expect(
                _is_number(chance) and 0 <= chance <= 1,
                "plan() expects a chance from 0 to 1; it got {got!r}.",
                got=chance,
            )
        self._random = random.Random(seed)
        self._rates = dict(chances)
        self._seconds = delay_seconds

    def cancel(self, fault: Fault) -> None:
        """Forget one that is planned, if it is still to come."""
        self._planned = [planned for planned in self._planned if planned is not fault]

    def clear(self) -> None:
        """Forget what is planned and has not happened."""
        self._planned = []
        self._rates.clear()

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """While this lasts nothing that was planned strikes; afterwards it is still to come."""
        planned, rates = self._planned, self._rates
        self._planned, self._rates = [], {}
        try:
            yield
        finally:
            self._planned, self._rates = planned, rates

    @property
    def planned(self) -> list[Fault]:
        """The faults that are still to come, as they were planned; those of a seed are not in it."""
        return list(self._planned)

    def _plan(self, fault: Fault) -> Fault:
        service, colon, operation = str(fault.operation).partition(":")
        is_operation = colon and any(
            fnmatchcase(name, operation)
            for offered in OFFERED
            if fnmatchcase(offered, service)
            for name in operations.names(offered)
        )
        self._expect(
            bool(is_operation) or fault.kind == "delay_event",
            'A fault expects an operation such as "dynamodb:PutItem" or "sqs:*"; it got {got!r}.',
            got=fault.operation,
        )
        for number in (fault.on, fault.times):
            holds = type(number) is int and number >= 1
            self._expect(holds, "on= and times= expect a whole number from 1 on; they got {got!r}.", got=number)
        self._expect(
            fault.by in (None, "you", "lambda"), 'by= expects "you" or "lambda"; it got {got!r}.', got=fault.by
        )
        self._planned.append(fault)
        return fault

    def _expect(self, holds: bool, message: str, **values: object) -> None:
        if not holds:
            raise FaultError(self._say(message, **values))

    # What happens

    def between(self, call: Call, answer: Answer) -> Response:
        """The layer that stands before all others: what happens right before a call is told, and seen, as earlier than it."""
        struck = self._struck("meanwhile", call) if self._planned else None
        if struck is not None and struck.act is not None:
            token = caller.set(None)  # it is nobody's run that acts here
            try:
                with self.set_aside():
                    struck.act()
            finally:
                caller.reset(token)
        return answer(call)

    def __call__(self, call: Call, answer: Answer) -> Response:
        """Let the call go on, or let happen to it what is planned."""
        if not self._planned and not self._rates:
            return answer(call)
        if self._strikes("throttle", call):
            self._note("throttle", call)
            return error_response(call, *_THROTTLED[call.service])
        if self._strikes("deny", call):
            self._note("deny", call)
            message = f"User is not authorized to perform: {call.service}:{call.operation}"
            return error_response(call, 400, "AccessDeniedException", message)
        if self._strikes("stop_before", call):
            self._note("stop", call)
            return Stopped()
        receives = call.service == "sqs" and call.operation == "ReceiveMessage" and Door.is_standard(call)
        # Of one message there is no other order: the fault waits for a receive that finds several.
        if receives and Door.available(call) > 1:
            reorder = self._struck("reorder", call)
            if reorder is not None or self._by_chance("reorder"):
                Door.shuffle_next(call, (reorder and reorder.shuffle) or self._random.shuffle)
                self._note("reorder", call)
        response = answer(call)
        if receives:
            self._deliver_again(call, response)
        if self._strikes("stop_after", call):
            self._note_after("stop", call)
            return Stopped(answered=response)
        if response.status < 400 and self._strikes("lost_response", call):
            self._note_after("lost_response", call)
            return Lost(answered=response)
        return response

    def _deliver_again(self, call: Call, response: Response) -> None:
        for message in (response.json() or {}).get("Messages") or []:
            if self._strikes("deliver_again", call):
                Door.deliver_again(call, message["ReceiptHandle"])
                self._note_after("deliver_again", call)

    def send_event(self, send: Callable[[], None]) -> None:
        """Send an event of S3: at once, or as late as it is planned."""
        seconds = self._delay()
        if seconds is None:
            send()
        else:
            self._note_after("delay_event", None)
            self._later(seconds, send)

    def _delay(self) -> float | None:
        struck = self._due([fault for fault in self._planned if fault.kind == "delay_event"])
        if struck is not None:
            return struck.seconds
        return self._seconds if self._by_chance("delay_event") else None

    def _strikes(self, kind: Kind, call: Call) -> bool:
        """Whether a fault of this kind strikes now."""
        known = caller.get()
        is_run = known is not None and known.run is not None
        return self._struck(kind, call) is not None or (
            (is_run or not kind.startswith("stop")) and self._by_chance(kind)
        )

    def _struck(self, kind: Planned, call: Call) -> Fault | None:
        """The planned fault of this kind that strikes now."""
        known = caller.get()
        actor = known.actor if known else "you"
        operation = f"{call.service}:{call.operation}"
        planned = [
            fault
            for fault in self._planned
            if fault.kind == kind and fault.by in (None, actor) and fnmatchcase(operation, fault.operation)
        ]
        return self._due(planned)

    def _due(self, planned: list[Fault]) -> Fault | None:
        """Count one more call for each of those that it matches; return the one whose turn it is.

        Where it is the turn of two, the second strikes the next call.
        """
        struck = None
        for fault in planned:
            if fault.on > 1:
                fault.on -= 1
            elif struck is None:
                struck = fault
        if struck is not None:
            struck.times -= 1
            if struck.times == 0:
                self._planned = [fault for fault in self._planned if fault is not struck]
        return struck

    def _by_chance(self, kind: Kind) -> bool:
        chance = self._rates.get(kind, 0.0)
        return chance > 0 and self._random.random() < chance

    def __repr__(self) -> str:
        if not self._planned:
            return self._say("No fault is planned.")
        return "\n".join(f"{fault.kind} {fault.operation} on={fault.on} times={fault.times}" for fault in self._planned)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
