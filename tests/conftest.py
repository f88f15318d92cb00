"""What holds for every test: it reaches nothing but this machine, and leaves no language behind."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bentocola.cli import language

_attempts: list[str] = []


class NetworkReachedError(RuntimeError):
    """A test tried to reach another machine."""


def _is_here(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost", socket.gethostname()):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _allow(event: str, host: Any, *arguments: Any) -> None:
    """Raise for a host that is not this machine, after Python's own audit event, as the real function would have raised it."""
    if not _is_here(host):
        sys.audit(event, *arguments)
        _attempts.append(f"{event}: {host}")
        raise NetworkReachedError(f"A test tried to reach {host!r}.")


@pytest.fixture(autouse=True, scope="session")
def _only_this_machine() -> Iterator[None]:
    """Look-ups and connections that lead elsewhere raise, in whatever test."""
    look_up, by_name = socket.getaddrinfo, socket.gethostbyname
    connect, connect_ex, send_to = socket.socket.connect, socket.socket.connect_ex, socket.socket.sendto

    def getaddrinfo(host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0) -> Any:
        _allow("socket.getaddrinfo", host, host, port, family, type, proto)
        return look_up(host, port, family, type, proto, flags)

    def gethostbyname(host: str) -> str:
        _allow("socket.gethostbyname", host, host)
        return by_name(host)

    def checked(method: Any, where: int = 0) -> Any:
        def call(self: socket.socket, *arguments: Any) -> Any:
            address = arguments[where]
            if isinstance(address, tuple):
                _allow("socket.connect", address[0], self, address)
            return method(self, *arguments)

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", getaddrinfo)
        patch.setattr(socket, "gethostbyname", gethostbyname)
        patch.setattr(socket.socket, "connect", checked(connect))
        patch.setattr(socket.socket, "connect_ex", checked(connect_ex))
        patch.setattr(socket.socket, "sendto", checked(send_to, where=-1))
        yield


@pytest.fixture(autouse=True)
def _reaches_nothing() -> Iterator[None]:
    """A test that tried to reach another machine fails, even where the library that it used hid the error."""
    _attempts.clear()
    yield
    assert _attempts == []


@pytest.fixture(autouse=True)
def _speaks_as_before() -> Iterator[None]:
    """The language that a command spoke in a test is that of no later one."""
    before = os.environ.get("BENTOCOLA_LANGUAGE")
    yield
    language.speak(None)
    if before is None:
        os.environ.pop("BENTOCOLA_LANGUAGE", None)
    else:
        os.environ["BENTOCOLA_LANGUAGE"] = before
