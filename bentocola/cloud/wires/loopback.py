"""Which host names mean this machine: for who may ask the local cloud, and for where a command may lead. It touches nothing."""

from __future__ import annotations

__all__ = ["is_loopback"]


def is_loopback(host: str) -> bool:
    """Whether a host name, without port, means this machine whatever a name server says (RFC 6761, section 6.3)."""
    name = host.lower()
    return name in ("127.0.0.1", "localhost", "[::1]", "::1") or name.endswith(".localhost")
