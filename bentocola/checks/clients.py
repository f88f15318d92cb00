"""While schedules are played, who asks boto3 for the same client again gets the same one.

Handlers often make their client in each run; AWS advises to make it once, and hundreds of runs show why: to make one and to
warm it up takes longer than all of its calls. A client that somebody changed is given to nobody else.
May touch boto3's Session and botocore's, for as long as schedules are played.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any

import boto3
import botocore.session
from botocore.config import Config

from bentocola.cloud import models

__all__ = ["kept"]

_CHANGES = ("register", "register_first", "register_last", "unregister")
"""What changes how a client works, besides an attribute that is set on it."""
_OF_RESOURCES = "dynamodb-"
"""How the handlers are called that boto3's resources register for each table: they are there once, however often."""


@contextmanager
def kept() -> Iterator[None]:
    """Keep clients and resources of the default session in this block, by what they were asked for with.

    Other sessions make their own each time, and share what they read of botocore's files.
    """
    ways = [(name, getattr(boto3.Session, name)) for name in ("client", "resource")]
    create_loader = botocore.session.create_loader
    for name, way in ways:
        setattr(boto3.Session, name, _keeping(way))
    botocore.session.create_loader = cache(lambda path=None: create_loader(path) if path else models.loader())
    try:
        yield
    finally:
        for name, way in ways:
            setattr(boto3.Session, name, way)
        botocore.session.create_loader = create_loader


def _keeping(way: Callable[..., Any]) -> Callable[..., Any]:
    made: dict[tuple[Any, str], tuple[Any, frozenset[str]]] = {}

    @wraps(way)
    def keeping(session: Any, *arguments: Any, **named: Any) -> Any:
        if session is not boto3.DEFAULT_SESSION:
            return way(session, *arguments, **named)
        key = session, _key(arguments, named)
        client, attributes = made.get(key, (None, frozenset()))
        if client is None or vars(client).keys() != attributes:
            client = way(session, *arguments, **named)
            made[key] = client, frozenset(vars(client))
            _watch(client, lambda: made.pop(key, None))
        return client

    return keeping


def _key(arguments: tuple[Any, ...], named: dict[str, Any]) -> str:
    """What it was asked for with, and what boto3 reads from the environment besides."""
    told = [repr(vars(value) if isinstance(value, Config) else value) for value in arguments]
    told += [
        f"{name}={vars(named[name]) if isinstance(named[name], Config) else named[name]!r}" for name in sorted(named)
    ]
    return repr((told, sorted(item for item in os.environ.items() if item[0].startswith("AWS_"))))


def _watch(client: Any, changed: Callable[[], object]) -> None:
    """Tell when a handler is registered with the client (with a resource's), or taken from it."""
    meta = client.meta
    events = getattr(meta, "client", client).meta.events
    for name in _CHANGES:
        setattr(events, name, _telling(getattr(events, name), changed))


def _telling(change: Callable[..., Any], changed: Callable[[], object]) -> Callable[..., Any]:
    @wraps(change)
    def telling(*arguments: Any, **named: Any) -> Any:
        if not str(named.get("unique_id")).startswith(_OF_RESOURCES):
            changed()
        return change(*arguments, **named)

    return telling
