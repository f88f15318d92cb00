"""Calls a function of one text with the bodies of jobs, without a cloud, and says where it answers otherwise than expected."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_plus

from bentocola.checks import guard
from bentocola.checks.facts import Run, Sent
from bentocola.checks.invariants import Breach
from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.schedule import Schedule

__all__ = ["expected", "play"]


def expected(orders: Uploads | Jobs, sent: Sent) -> Any:
    """Return what `order_keys` or `order_of` gives for a body; ValueError, the class, where it has to raise one."""
    if isinstance(orders, Uploads):
        try:
            announced = json.loads(sent.body)
        except ValueError:
            return ValueError
        return [unquote_plus(record["s3"]["object"]["key"]) for record in announced.get("Records", [])]
    if sent.bad:
        return ValueError
    (item,) = sent.orders.values()
    return {name: {"S": value} if isinstance(value, str) else {"N": str(value)} for name, value in item.items()}


def play(orders: Uploads | Jobs, schedule: Schedule, function: Callable[[str], Any]) -> Breach | None:
    """Call the function once for each job, and return the first answer that is not as expected."""
    for n, job in enumerate(schedule.jobs, 1):
        sent = orders.sent(job, f"m{n}")
        wanted = expected(orders, sent)
        called = guard.call(function, sent.body)
        run = Run(f"r{n}", 0, 0, called, (sent.message,))
        values: dict[str, Any] = {"body": sent.body, "got": called.returned, "wanted": wanted}
        if called.endless:
            return Breach("endless", 0, run, sent, values=values)
        if called.raised is not None:
            told = " ".join(f"{type(called.raised).__name__}: {called.raised}".split())
            values |= {"error": told, "line": called.line}
            if wanted is not ValueError:
                return Breach("raised", 0, run, sent, values=values)
            if not isinstance(called.raised, ValueError):
                return Breach("another-error", 0, run, sent, values=values)
        elif wanted is ValueError:
            return Breach("no-error", 0, run, sent, values=values)
        elif called.returned is None:
            return Breach("no-return", 0, run, sent, values=values)
        elif type(called.returned) is not type(wanted):
            return Breach("another-type", 0, run, sent, values=values)
        elif called.returned != wanted:
            return Breach("another-value", 0, run, sent, values=values)
    return None
