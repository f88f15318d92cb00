"""Where an amendment's functions stand in moto: how they are put there, and how it shows that a newer moto has moved."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Place", "expect_signatures", "put"]

Place = tuple[Any, str, Callable[..., Any]]
"""A module or class of moto, the name of a function or method in it, and ours for it."""


def put(places: Iterable[Place], theirs: dict[str, Callable[..., Any]]) -> None:
    """Put ours in each place, and keep moto's own in `theirs` by their names. Doing it again changes nothing."""
    for holder, name, ours in places:
        if (found := getattr(holder, name)) is not ours:
            theirs[name] = found
            setattr(holder, name, ours)


def expect_signatures(places: Iterable[Place]) -> None:
    """Raise TypeError or AttributeError where what stands in a place takes other parameters than ours."""
    for holder, name, ours in places:
        expected, got = (list(inspect.signature(function).parameters) for function in (ours, getattr(holder, name)))
        if got != expected:
            raise TypeError(f"{name} takes {got}, expected {expected}")
