"""moto's mocks in the candidate: `mock_aws` in all its forms, with nothing behind it here.

It touches moto: what its mocks do when the first one starts and the last one ends is asked of the examiner instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Mocks", "connect"]

Ask = Callable[..., Any]


def connect(ask: Ask) -> Mocks:
    """Put it in place. `ask(name, **asked)`: see `candidate.Connection.ask`."""
    return Mocks(ask)


class Mocks:
    """The former ways of moto's mocks, to be put back."""

    def __init__(self, ask: Ask) -> None:
        from moto.core import models

        def enable(mock: Any, reset: bool = True) -> None:
            ask("mock_start", reset=bool(reset))

        def disable(mock: Any, remove_data: bool) -> None:
            ask("mock_stop", remove_data=bool(remove_data))

        def reset(mock: Any) -> None:
            ask("mock_reset")

        # The decorator, the context manager, counting and the credentials stay moto's own, for functions, classes and all.
        new = {"_enable_patching": enable, "_disable_patching": disable, "reset": reset}
        self._former: list[tuple[Any, str, Any]] = []
        for kind in (models.MockAWS, models.ServerModeMockAWS, models.ProxyModeMockAWS):
            for name, function in new.items():
                self._former.append((kind, name, vars(kind)[name]))
                setattr(kind, name, function)

    def disconnect(self) -> None:
        """Give moto its own back."""
        for kind, name, function in self._former:
            setattr(kind, name, function)
