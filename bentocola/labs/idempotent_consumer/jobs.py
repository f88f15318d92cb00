"""A job of lab 05, the item that it becomes, and both as texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bentocola.labs.catalogue import Lab

__all__ = ["Job", "job_id", "json_object", "shown"]


@dataclass(frozen=True)
class Job:
    """A job that can be done, and the item that it becomes."""

    id: str
    quantity: int
    item: Mapping[str, Any]

    @classmethod
    def of(cls, lab: Lab, name: str) -> Job:
        """Return one of the jobs that the lab's data names."""
        return cls._priced(lab.shows[name]["id"], lab.shows[name]["quantity"], lab)

    @classmethod
    def read(cls, body: str, lab: Lab) -> Job | None:
        """Return the job in a message's body, or None where it is none that can be done."""
        told = json_object(body) or {}
        quantity = told.get("quantity")
        # A bool is an int in Python, and no quantity.
        if type(quantity) is not int or quantity not in range(1, 11):
            return None
        return cls._priced(told["id"], quantity, lab) if isinstance(told.get("id"), str) else None

    @classmethod
    def _priced(cls, job_id: str, quantity: int, lab: Lab) -> Job:
        total = lab.shows["cents_each"] * quantity + lab.shows["cents_always"]
        return cls(job_id, quantity, {"id": job_id, "quantity": quantity, "total_cents": total})

    @property
    def body(self) -> str:
        """As a message's body."""
        return json.dumps({"id": self.id, "quantity": self.quantity})


def job_id(record: Mapping[str, Any]) -> str:
    """Return the id of the job in a record; empty where there is none."""
    told = json_object(record.get("body")) or {}
    return str(told.get("id", ""))


def shown(item: object) -> str:
    """Return an item as a student reads it."""
    return json.dumps(item, ensure_ascii=False)


def json_object(text: Any) -> dict[str, Any] | None:
    """Return a text's JSON object, or None where it is none."""
    try:
        told = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None
