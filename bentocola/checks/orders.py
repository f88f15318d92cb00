"""The orders that schedules are about: from a seed to customers, numbers and quantities, from a job to its message.

Data only. For the public seed the orders are the edition's own; a secret seed makes others up.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from bentocola.checks.facts import Sent
from bentocola.checks.schedule import Job
from bentocola.cloud.names import Names
from bentocola.shop import event_body, order_item, test_event_body

__all__ = ["Jobs", "Uploads", "plain"]

_SYLLABLES = ("ka", "ri", "mo", "ta", "lu", "ne", "so", "vi", "pa", "do", "ze", "hi")
_TRICKY = (
    "{} ruiz",
    "{}-peña",
    "{}-佐藤",
    "{}+bento",
    "bar {} 100%",
    "{} & ana",
    "{}=müller",
    "山田 {}",
    "{}#2",
    "{} o'hara",
    '{} "lola"',
    "bar%41-{}",
)
_NUMBERS = (3, 7, 9, 12)


def plain(item: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return an item in typed JSON (S and N only) as the trace shows it."""
    found: dict[str, Any] = {}
    for name, typed in item.items():
        ((kind, value),) = typed.items()
        number = float(value) if kind == "N" else 0.0
        found[name] = value if kind != "N" else int(number) if number.is_integer() else number
    return found


class _Pool:
    def __init__(self, names: Names, seed: int | None) -> None:
        """`seed`: None for the public orders."""
        self.names = names
        self._random = Random(seed)
        self.customers: tuple[str, ...] = names.customers
        self.numbers: tuple[int, ...] = _NUMBERS
        if seed is not None:
            drawn = [
                "".join(self._random.choice(_SYLLABLES) for _ in range(self._random.choice((2, 3)))) for _ in range(40)
            ]
            self.customers = tuple(dict.fromkeys(name for name in drawn if name not in names.customers))[:3]
            self.numbers = tuple(self._random.sample(range(10, 5000), len(_NUMBERS)))


class Uploads(_Pool):
    """Orders as files in a bucket, announced by S3: assignment 01. An item's key is customer and order_id."""

    key = {"customer": "S", "order_id": "N"}

    def __init__(self, names: Names, seed: int | None) -> None:
        super().__init__(names, seed)
        self.tricky = tuple(form.replace("{}", self.customers[n % 3]) for n, form in enumerate(_TRICKY))

    def order(self, number: int) -> tuple[str, int]:
        """Return customer and number of an order. 0 and 3 are the same customer's; 1 and 4 have the same number."""
        customer = self.customers[(0, 1, 2, 0, 2)[number]]
        return customer, self.numbers[(0, 1, 2, 3, 1)[number]]

    def item(self, number: int, status: str = "received") -> dict[str, dict[str, str]]:
        """Return an order as typed JSON."""
        return order_item(*self.order(number), status)

    def path(self, number: int) -> str:
        """Return the key of an order's file."""
        customer, order = self.order(number)
        return f"{self.names.prefix}{customer}/{order}.json"

    def _wrong_path(self, job: Job) -> str:
        customer, order = self.order(job.number)
        prefix = self.names.prefix
        return {
            "prefix": f"x{prefix}{customer}/{order}.json",
            "folder": f"{prefix}{order}.json",
            "deep": f"{prefix}{customer}/2026/{order}.json",
            "word": f"{prefix}{customer}/x.json",
            "half": f"{prefix}{customer}/{order}.5.json",
            "blank": f"{prefix}{customer}/.json",
            "letter": f"{prefix}{customer}/n{order}.json",
            "glued": f"{prefix.rstrip('/')}x/{customer}/{order}.json",
            "double": f"{prefix}{customer}//{order}.json",
        }[job.variant]

    def sent(self, job: Job, message: str = "") -> Sent:
        """Return what a job's message is, and what is to become of it. `message`: its name in the trace."""
        bucket = self.names.bucket
        match job.kind:
            case "order":
                return self._announce(message, job, [self.path(job.number)], [job.number])
            case "two":
                numbers = [job.number, (job.number + 1) % 3]
                return self._announce(message, job, [self.path(n) for n in numbers], numbers)
            case "three":
                return self._announce(message, job, [self.path(n) for n in (2, 0, 3)], [2, 0, 3])
            case "tricky":
                customer, number = self.tricky[job.number], self.numbers[0]
                item = plain(order_item(customer, number))
                path = f"{self.names.prefix}{customer}/{number}.json"
                return Sent(message, event_body(bucket, path), {f"{customer}#{number}": item}, kind=job.kind)
            case "mixed":
                paths = [self._wrong_path(Job("", job.number, job.variant or "prefix")), self.path(job.number)]
                return self._announce(message, job, paths, [job.number], bad=True)
            case "mixed-after":
                paths = [self.path(job.number), self._wrong_path(Job("", job.number, job.variant or "prefix"))]
                return self._announce(message, job, paths, [job.number], bad=True)
            case "wrong":
                return self._announce(message, job, [self._wrong_path(job)], [], bad=True)
            case "test-event":
                return Sent(message, test_event_body(bucket), {}, kind=job.kind)
            case "none":
                return Sent(message, event_body(bucket), {}, kind=job.kind)
            case "no-records":
                return Sent(message, "{}", {}, kind=job.kind)
            case "broken":
                text = {"": self.names.broken, "cut": event_body(bucket, self.path(job.number))[:-3], "empty": " "}
                return Sent(message, text[job.variant], {}, bad=True, kind=job.kind)
        raise ValueError(f"There is no kind of job {job.kind!r}.")

    def _announce(self, message: str, job: Job, paths: list[str], numbers: list[int], bad: bool = False) -> Sent:
        items = {f"{customer}#{order}": number for number in numbers for customer, order in (self.order(number),)}
        orders = {key: plain(self.item(number)) for key, number in items.items()}
        return Sent(message, event_body(self.names.bucket, *paths), orders, bad, job.kind)


class Jobs(_Pool):
    """Orders as jobs in JSON: assignment 05. An item's key is id."""

    key = {"id": "S"}
    _QUANTITIES = (4, 1, 10)

    def __init__(self, names: Names, seed: int | None) -> None:
        super().__init__(names, seed)
        self.ids: tuple[str, ...] = ("dedup-order", "other-order", "third-order")
        self.quantities = self._QUANTITIES
        if seed is not None:
            first, other, third = self.numbers[:3]
            # The third is of the first's customer, with a lower number: whoever takes the number for the order is found out.
            named = ((0, max(first, third)), (1, other), (0, min(first, third)))
            self.ids = tuple(f"{self.customers[customer]}-{number}" for customer, number in named)
            self.quantities = tuple(self._random.sample(range(1, 11), 3))  # type: ignore[assignment]

    def item(self, number: int, more: int = 0) -> dict[str, dict[str, str]]:
        """Return an order as typed JSON. `more`: how many more of it than in the order."""
        quantity = self._quantity(number, more)
        return {
            "id": {"S": self.ids[number]},
            "quantity": {"N": str(quantity)},
            "total_cents": {"N": str(250 * quantity + 100)},
        }

    def _quantity(self, number: int, more: int) -> int:
        return (self.quantities[number] + more - 1) % 10 + 1

    def sent(self, job: Job, message: str = "") -> Sent:
        """Return what a job's message is, and what is to become of it."""
        fields = {"id": self.ids[job.number], "quantity": self._quantity(job.number, 0)}
        match job.kind:
            case "order":
                if job.variant == "more":
                    fields = {"note": "gift", **fields}
                if job.variant == "lines":
                    return self._good(message, job, fields, 0, indent=1)
                if job.variant == "order":
                    fields = dict(reversed(fields.items()))
                return self._good(message, job, fields, 0)
            case "quantity":
                quantity = int(job.variant)
                item = {"id": fields["id"], "quantity": quantity, "total_cents": 250 * quantity + 100}
                body = json.dumps({"id": fields["id"], "quantity": quantity})
                return Sent(message, body, {str(item["id"]): item}, kind=job.kind)
            case "changed":
                fields["quantity"] = self._quantity(job.number, 1)
                return self._good(message, job, fields, 1)
            case "bad":
                return Sent(message, _BAD[job.variant](fields), {}, bad=True, kind=job.kind)
            case "broken":
                text = {"": self.names.broken, "cut": json.dumps(fields)[:-2], "empty": " "}
                return Sent(message, text[job.variant], {}, bad=True, kind=job.kind)
        raise ValueError(f"There is no kind of job {job.kind!r}.")

    def _good(self, message: str, job: Job, fields: dict[str, Any], more: int, indent: int | None = None) -> Sent:
        item = plain(self.item(job.number, more))
        return Sent(
            message, json.dumps(fields, ensure_ascii=False, indent=indent), {str(item["id"]): item}, kind=job.kind
        )


def _with(**changed: Any) -> Callable[[dict[str, Any]], str]:
    return lambda fields: json.dumps({**fields, **changed})


def _without(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda fields: json.dumps({key: value for key, value in fields.items() if key != name})


_BAD: dict[str, Callable[[dict[str, Any]], str]] = {
    "zero": _with(quantity=0),
    "eleven": _with(quantity=11),
    "negative": _with(quantity=-1),
    "bool": _with(quantity=True),
    "float": _with(quantity=4.0),
    "half": _with(quantity=2.5),
    "text": _with(quantity="4"),
    "null": _with(quantity=None),
    "list": _with(quantity=[4]),
    "no-quantity": _without("quantity"),
    "no-id": _without("id"),
    "empty-id": _with(id=""),
    "number-id": _with(id=3),
    "null-id": _with(id=None),
    "list-id": _with(id=["a"]),
    "is-list": lambda fields: json.dumps([fields]),
    "is-text": lambda fields: json.dumps("job"),
    "is-number": lambda fields: "7",
    "is-null": lambda fields: "null",
}
