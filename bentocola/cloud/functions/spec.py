"""What a function is to its runtime: code, configuration, and the credentials of its role. Plain values, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Credentials", "FunctionSpec"]


@dataclass(frozen=True)
class FunctionSpec:
    """A function's version as the Lambda API describes it (GetFunctionConfiguration)."""

    arn: str
    name: str
    version: str
    """A number, or "$LATEST"."""
    region: str
    runtime: str
    """Such as "python3.11": it names the environment; the code runs on this machine's Python."""
    handler: str
    """As configured: "file.function"."""
    code: bytes = field(repr=False)
    """The deployment package, a zip."""
    code_sha256: str
    """Base64 of the package's SHA-256. It tells one package from another, so it has to belong to `code`."""
    timeout: int
    """Seconds that one run may take."""
    memory: int
    """Megabytes."""
    environment: Mapping[str, str] = field(default_factory=dict)
    role_arn: str = ""
    log_group: str = ""


@dataclass(frozen=True)
class Credentials:
    """The temporary keys of a function's role, as its code finds them in the environment."""

    access_key: str
    secret_key: str = field(repr=False)
    session_token: str = field(repr=False)
