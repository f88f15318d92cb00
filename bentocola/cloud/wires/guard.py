"""What does not go through botocore: a presigned URL opened with urllib or requests, a connection of one's own.

Python's audit events tell of every look-up and connection that is about to be made in this process, by whatever library
(https://docs.python.org/3/library/audit_events.html). While the guard stands, those to a host of AWS end with an error;
all others are none of its business. A program that is started (curl, aws) is out of its reach.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["AWS_DOMAINS", "NetworkGuard"]

AWS_DOMAINS = (
    "amazonaws.com",
    "amazonaws.com.cn",
    "amazonaws.eu",
    "amazonwebservices.com.cn",
    "amazonwebservices.eu",
    "api.aws",
    "on.aws",
    "c2s.ic.gov",
    "aws.ic.gov",
    "sc2s.sgov.gov",
    "aws.scloud",
    "csp.hci.ic.gov",
    "aws.hci.ic.gov",
    "adc-e.uk",
)
"""Where AWS answers, in all of its partitions. A test compares this with what botocore knows."""

_standing: list[NetworkGuard] = []

# What a proxy is sent for an address without TLS: "GET http://host/path HTTP/1.1".
_PROXY_REQUEST = re.compile(rb"[A-Z]+ http://(?P<host>[^/:\s]+)\S* HTTP/1")


class NetworkGuard:
    """Raises `refuse(host)` for each attempt to reach a host of AWS, from `connect` on, until `disconnect`."""

    def __init__(self, refuse: Callable[[str], Exception]) -> None:
        self._refuse = refuse

    def connect(self) -> None:
        """Put the guard in place."""
        _add_hook()
        _standing.append(self)

    def disconnect(self) -> None:
        """Let everything pass again."""
        if self in _standing:
            _standing.remove(self)

    def check(self, host: str) -> None:
        """Raise if `host` is one of AWS."""
        name = host.lower().rstrip(".")
        if any(name == domain or name.endswith(f".{domain}") for domain in AWS_DOMAINS):
            raise self._refuse(host)


@cache
def _add_hook() -> None:
    """Once a process: an audit hook cannot be taken away again. It asks each time whether a guard stands."""
    sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if _standing and event in _HOST_OF:
        host = _HOST_OF[event](arguments)
        if isinstance(host, bytes):
            host = host.decode(errors="replace")
        if isinstance(host, str):
            _standing[-1].check(host)


_HOST_OF: dict[str, Callable[[tuple[Any, ...]], Any]] = {
    "socket.getaddrinfo": lambda arguments: arguments[0],
    "socket.gethostbyname": lambda arguments: arguments[0],
    "socket.connect": lambda arguments: arguments[1][0] if isinstance(arguments[1], tuple) else None,
    # Through a proxy, only the connection knows where it leads.
    "http.client.connect": lambda arguments: getattr(arguments[0], "_tunnel_host", None),
    "http.client.send": lambda arguments: _host_of_request(arguments[1]),
}


def _host_of_request(data: Any) -> bytes | None:
    found = _PROXY_REQUEST.match(data) if isinstance(data, bytes) else None
    return found["host"] if found else None
