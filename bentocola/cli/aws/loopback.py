"""Nothing that `aws` does leaves this machine: every address is looked at, where it is given and where it is used.

It changes the sending of the botocore that awscli brings, and Python's audit hooks, in this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from bentocola.cli.language import CommandError, say
from bentocola.cloud.wires.loopback import is_loopback

__all__ = ["check", "endpoint_for", "stay"]

# The service's id in the variables' names, where it is not the command's:
# https://docs.aws.amazon.com/sdkref/latest/guide/ss-endpoints-table.html
_IDS = {"s3api": "S3", "logs": "CLOUDWATCH_LOGS"}


def check(address: str) -> str:
    """Return the address if it leads to this machine. Raises CommandError."""
    host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    if not is_loopback(host):
        raise CommandError(
            say(
                "{address} is not on this machine, and in the course nothing leaves it. "
                "Leave the address out, and aws talks to the local cloud.",
                address=address,
            )
        )
    return address


def endpoint_for(
    command: str, given: str | None, variables: Mapping[str, str], profile: Mapping[str, Any], course: str
) -> str:
    """Return the address for a command, in the order of precedence that AWS documents for all of its SDKs.

    `given`: --endpoint-url. `profile`: the settings of the profile in force. `course`: the local cloud's address, where nothing
    else is said. Raises CommandError for any of them that leads elsewhere, whether it would be used or not.
    Source: https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
    """
    if given is not None:
        return check(given)
    told = {name: value for name, value in variables.items() if name.startswith("AWS_ENDPOINT_URL") and value}
    for address in (*told.values(), *_addresses(profile)):
        check(address)
    own = _IDS.get(command, command.upper().replace("-", "_"))
    return told.get(f"AWS_ENDPOINT_URL_{own}") or told.get("AWS_ENDPOINT_URL") or course


def _addresses(settings: Mapping[str, Any]) -> list[str]:
    """The values of each `endpoint_url`, also of a service's own section."""
    found = []
    for name, value in settings.items():
        if isinstance(value, Mapping):
            found += _addresses(value)
        elif name == "endpoint_url" and value:
            found.append(str(value))
    return found


def stay() -> None:
    """From here on, this process sends nothing to, and looks up nothing of, another machine."""
    from botocore.httpsession import URLLib3Session

    send = URLLib3Session.send

    def checked(session: Any, request: Any) -> Any:
        check(request.url)
        return send(session, request)

    URLLib3Session.send = checked
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        del os.environ[name]
    os.environ["no_proxy"] = "*"  # macOS would ask the system's settings
    sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        return
    host = arguments[1] if event in ("socket.connect", "socket.sendto") else arguments[0]
    if isinstance(host, tuple):
        host = host[0]
    elif event in ("socket.connect", "socket.sendto"):
        return  # a socket in the file system
    if isinstance(host, bytes):
        host = host.decode(errors="replace")
    if isinstance(host, str) and host:
        check(host if ":" not in host else f"[{host}]")
