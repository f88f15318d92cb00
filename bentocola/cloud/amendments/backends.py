"""How moto finds what a service holds, and what it remembers of it: for speed and memory alone, what is found stays the same.

moto 5.2.5 (`moto/core/base_backend.py`, `BackendDict`): each look takes a lock and compares the service with all others that are
in use, a tenth of the time of a call. Whoever is there already has been through that.
moto 5.2.5 (`moto/core/common_models.py`, `BaseModel`): keeps every message, item and version that it ever made, for its own
dashboard alone. A live cloud would grow with each call.
"""

from __future__ import annotations

from typing import Any

__all__ = ["install", "self_test"]

_THEIRS: dict[str, Any] = {}


def _getitem(backends: Any, account_id: str) -> Any:
    found = dict.get(backends, account_id)
    return found if found is not None else _THEIRS["__getitem__"](backends, account_id)


def _new(cls: type, *arguments: Any, **named: Any) -> Any:
    return object.__new__(cls)


def install() -> None:
    """Let moto's look-up of an account answer at once when the account is there, and let moto forget what nothing holds."""
    from moto.core.base_backend import BackendDict
    from moto.core.common_models import BaseModel

    BaseModel.__new__ = _new  # type: ignore[method-assign]
    if BackendDict.__getitem__ is not _getitem:
        _THEIRS["__getitem__"] = BackendDict.__getitem__
        BackendDict.__getitem__ = _getitem  # type: ignore[method-assign]


def self_test() -> None:
    """Raise if this moto's look-up no longer is a dict's."""
    from moto.core.base_backend import BackendDict
    from moto.core.common_models import BaseModel

    if not callable(vars(BaseModel).get("__new__")):
        raise TypeError("BaseModel makes its instances in another way")
    if not issubclass(BackendDict, dict):
        raise TypeError("BackendDict is no dict")
    if not hasattr(BackendDict, "_create_account_specific_backend"):
        raise TypeError("BackendDict makes its accounts in another way")
