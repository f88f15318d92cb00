"""What must not be read in a trace: the keys that a function's runs call with, wherever a handler puts them."""

from __future__ import annotations

import json
from typing import Any, TypeVar
from urllib.parse import quote

__all__ = ["MASK", "Mask"]

MASK = "***"
Value = TypeVar("Value")


class Mask:
    """Knows secrets, and puts `MASK` in their place."""

    def __init__(self) -> None:
        self._secrets: tuple[str, ...] = ()

    def hide(self, *secrets: str) -> None:
        """Have these left out of all that is masked from here on, also as an address spells them."""
        spelled = {form for secret in secrets for form in (secret, quote(secret, safe="")) if form}
        self._secrets = tuple(sorted({*self._secrets, *spelled}, key=len, reverse=True))

    def count(self, text: str) -> int:
        """Return how many secrets stand in a text."""
        found = 0
        for secret in self._secrets:
            if secret in text:
                found += text.count(secret)
                text = text.replace(secret, MASK)
        return found

    def masked(self, value: Value) -> Value:
        """Return the value, without secrets in any of its texts. One that has none is returned as it is."""
        return self._put(value) if self._is_in(value) else value

    def masked_start(self, body: bytes, most: int) -> bytes:
        """Return at most so many bytes of a body, and no part of a secret that is cut there."""
        start = body[: most + max(map(len, self._secrets), default=0)]
        for secret in self._secrets:
            start = start.replace(secret.encode(), MASK.encode())
        return start[:most]

    def _is_in(self, value: Any) -> bool:
        if not self._secrets:
            return False
        # As JSON a key looks as it does by itself, and to write it is faster than to go through the value.
        text = value if isinstance(value, str) else json.dumps(value)
        return any(secret in text for secret in self._secrets)

    def _put(self, value: Any) -> Any:
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, MASK)
            return value
        if isinstance(value, dict):
            return {self._put(name): self._put(held) for name, held in value.items()}
        return type(value)(map(self._put, value)) if isinstance(value, list | tuple) else value
