"""Asks the control door of a served cloud, and prints what it says. The standard library is all that it needs.

So commands are there at once; boto3 and moto would cost each of them a second.
"""

from __future__ import annotations

import http.client
import io
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

__all__ = ["NotAnswered", "Refused", "Silent", "ask", "output", "until_closed"]

_PATIENCE_SECONDS = 60
"""A move of the clock ends once all that was due has happened."""


class Refused(Exception):
    """The door's own sentence for what it does not do."""


class NotAnswered(Exception):
    """Nobody is there, or it is no control door."""


class Silent(NotAnswered):
    """Somebody takes the connection, and does not answer: a program that Ctrl+Z has stopped does so."""


def ask(
    endpoint: str, method: str, what: str, asked: dict[str, Any] | None = None, patience: float = _PATIENCE_SECONDS
) -> Any:
    """Ask for what is below `/_bentocola/`. Raises Refused, NotAnswered, and Silent after so many seconds."""
    # urllib would send what is for this machine to the person's proxy.
    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=patience)
    is_connected = False
    try:
        connection.connect()
        is_connected = True
        connection.request(method, f"/_bentocola/{what}", None if asked is None else json.dumps(asked))
        response = connection.getresponse()
        told = json.loads(response.read())
    except TimeoutError:
        raise (Silent if is_connected else NotAnswered) from None
    except (OSError, http.client.HTTPException, ValueError):
        raise NotAnswered from None
    finally:
        connection.close()
    if isinstance(told, dict) and response.status == 200:
        return told
    if isinstance(told, dict) and "error" in told:
        raise Refused(told["error"])
    raise NotAnswered


@contextmanager
def until_closed(endpoint: str) -> Iterator[None]:
    """At the end of the block, wait until nobody listens at an address any more. Raises NotAnswered where nobody does."""
    parts = urlsplit(endpoint)
    try:
        line = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PATIENCE_SECONDS)
    except OSError:
        raise NotAnswered from None
    with line:
        yield
        with suppress(OSError):
            line.recv(1)  # it asks nothing, and so it stays open until the server closes it


def output(text: str) -> None:
    """Print a command's output."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name of a bucket's key may hold what a terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        # In one piece, as `print` does not write where Python is unbuffered: who reads may have enough after a line.
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:  # `head` has seen enough; Python's own last flush would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
