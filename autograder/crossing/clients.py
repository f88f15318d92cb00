"""boto3's clients, resources, paginators and waiters: each process makes its own, for the same service and region.

Touches boto3, which is imported when the first one crosses, and its default session.
"""

from __future__ import annotations

import re
import sys
import threading
from typing import Any

from autograder.frames import ProtocolError
from autograder.kept import keep

__all__ = ["Clients"]

keep(globals())

Node = list[Any]
_SERVICE = re.compile(r"[a-z0-9-]{1,60}")
_REGION = re.compile(r"[a-z0-9-]{1,40}")


class Clients:
    """Those of one process. A client that came over once is the same object the next time."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], Any] = {}
        self._session: Any = None
        self._lock = threading.Lock()
        self._last: dict[str, Any] = {}

    def write(self, value: Any) -> Node | None:
        """Return the node of something of boto3's that the other process can make too, None for anything else."""
        if "botocore" not in sys.modules:
            return None
        kind = type(value)
        module = str(getattr(kind, "__module__", ""))
        if module == "botocore.client" and _is_client(kind):
            address = self._address(value)
            # What comes back later, as a client of this service and region, is this one.
            self._made[self._key("client", address)] = value
            return ["client", *address]
        if module.startswith("boto3.resources.factory"):
            return self._resource(value)
        return self._part_of_client(value, kind)

    def _address(self, client: Any) -> list[Any]:
        """Service, region, and the credentials if they are the client's own."""
        service = client.meta.service_model.service_name
        self._last[service] = client
        credentials: Any = getattr(getattr(client, "_request_signer", None), "_credentials", None)
        own = None
        if getattr(credentials, "method", None) == "explicit":
            own = [credentials.access_key, credentials.secret_key, credentials.token]
        return [service, client.meta.region_name, own]

    def _resource(self, value: Any) -> Node | None:
        meta: Any = getattr(value, "meta", None)
        identifiers = getattr(meta, "identifiers", None)
        if identifiers is None or getattr(meta, "client", None) is None:
            return None
        name = type(value).__name__.rpartition(".")[2]
        return [
            "resource",
            *self._address(meta.client),
            name,
            [getattr(value, identifier) for identifier in identifiers],
        ]

    def _part_of_client(self, value: Any, kind: type) -> Node | None:
        if not _has_base(kind, ("botocore.paginate", "Paginator"), ("botocore.waiter", "Waiter")):
            return None
        client = None
        if _has_base(kind, ("botocore.paginate", "Paginator")):
            client = getattr(getattr(value, "_method", None), "__self__", None)
            method = getattr(getattr(value, "_method", None), "__name__", "")
            return None if client is None else ["paginator", *self._address(client), method]
        operation = getattr(getattr(value, "_operation_method", None), "_client_method", None)
        client = getattr(operation, "__self__", None)
        if client is None:
            return None
        return ["waiter", *self._address(client), re.sub(r"(?<!^)(?=[A-Z])", "_", value.name).lower()]

    def read(self, node: Node) -> Any:
        """Return what a node stands for. Raises ProtocolError for a bad one, botocore's for an unknown service."""
        kind, service, region, own, *rest = node
        if type(service) is not str or not _SERVICE.fullmatch(service):
            raise ProtocolError("A client has the name of a service.")
        if region is not None and (type(region) is not str or not _REGION.fullmatch(region)):
            raise ProtocolError("A client has the name of a region.")
        if own is not None and (type(own) is not list or not all(part is None or type(part) is str for part in own)):
            raise ProtocolError("Credentials are texts.")
        if kind == "client":
            return self._client(service, region, own)
        (name, *identifiers) = rest
        if type(name) is not str or not name.isidentifier() or name.startswith("_"):
            raise ProtocolError("What is a client's has a name.")
        if kind == "paginator":
            return self._client(service, region, own).get_paginator(name)
        if kind == "waiter":
            return self._client(service, region, own).get_waiter(name)
        found = self._resource_for(service, region, own)
        if name == "ServiceResource":
            return found
        if type(identifiers[0]) is not list or not all(type(part) is str for part in identifiers[0]):
            raise ProtocolError("A resource's identifiers are texts.")
        return getattr(found, name)(*identifiers[0])

    def exceptions_of(self, service: Any) -> Any:
        """Return the exceptions of a service's client, of the one that crossed last or of a new one."""
        if type(service) is not str or not _SERVICE.fullmatch(service):
            raise ProtocolError("An error of a service has the name of the service.")
        client = self._last.get(service)
        if client is None:
            client = self._client(service, None, None)
        return client.exceptions

    def service_of(self, kind: type) -> str | None:
        """Return the service that an exception class of a client belongs to, if it is known."""
        import boto3

        session: Any = getattr(boto3.DEFAULT_SESSION, "_session", None)
        made = {} if session is None else session._get_internal_component("exceptions_factory")._client_exceptions_cache
        for service, client in list(self._last.items()):
            made = {**made, service: client.exceptions}
        for service, exceptions in made.items():
            if vars(type(exceptions)).get(kind.__name__) is kind:
                return str(service)
        return None

    def _client(self, service: str, region: str | None, own: list[str | None] | None) -> Any:
        found = self._remembered("client", service, region, own)
        self._last[service] = found
        return found

    def _resource_for(self, service: str, region: str | None, own: list[str | None] | None) -> Any:
        return self._remembered("resource", service, region, own)

    def _key(self, kind: str, address: list[Any]) -> tuple[Any, ...]:
        import boto3

        if boto3.DEFAULT_SESSION is not self._session or self._session is None:
            # A cloud was started or ended: what was made before leads to the former one.
            self._made.clear()
            self._last.clear()
            self._session = boto3.DEFAULT_SESSION
        service, region, own = address
        return (kind, service, region, own and tuple(own))

    def _remembered(self, kind: str, service: str, region: str | None, own: list[str | None] | None) -> Any:
        import boto3

        with self._lock:
            key = self._key(kind, [service, region, own])
            if key not in self._made:
                keys = dict(
                    zip(("aws_access_key_id", "aws_secret_access_key", "aws_session_token"), own or (), strict=False)
                )
                options = {**keys, "region_name": region or "us-east-1"}
                self._made[key] = getattr(boto3, kind)(service, **options)
            self._session = boto3.DEFAULT_SESSION
            return self._made[key]


def _is_client(kind: type) -> bool:
    return _has_base(kind, ("botocore.client", "BaseClient"))


def _has_base(kind: type, *names: tuple[str, str]) -> bool:
    bases = type.__dict__["__mro__"].__get__(kind)
    return any((getattr(base, "__module__", None), getattr(base, "__name__", None)) in names for base in bases)
