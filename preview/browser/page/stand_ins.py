"""Stands for what the course imports of Jupyter, where a page is all there is: anywidget's class, and IPython's few names.

It puts modules into `sys.modules`; what is not in them, a page does not have. A view here is what it is in a notebook: traits
that both sides know, and messages.
"""

from __future__ import annotations

import importlib.machinery
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import traitlets

__all__ = ["AnyWidget", "install", "pretty"]

_shell: Any = None


class AnyWidget(traitlets.HasTraits):
    """As anywidget's: traits marked `sync` are known to the page, `send` and `on_msg` carry messages."""

    models: ClassVar[dict[str, AnyWidget]] = {}

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.model_id = uuid.uuid4().hex
        self._listeners: list[Callable[[Any, Any, Any], None]] = []
        self._is_shown = self._is_hearing = False
        self.models[self.model_id] = self
        self.observe(self._changed)

    def send(self, content: Any) -> None:
        """Send the page a message."""
        _shell.tell(self.model_id, {"message": content})

    def on_msg(self, listener: Callable[[Any, Any, Any], None]) -> None:
        """Hear the page's messages."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Take it from the page."""
        self.models.pop(self.model_id, None)
        _shell.tell(self.model_id, {"closed": True})

    def shown(self) -> dict[str, Any]:
        """Return what the page needs to draw it: its name, and the state of its traits."""
        self._is_shown = True
        return {"id": self.model_id, "state": {name: getattr(self, name) for name in self.traits(sync=True)}}

    def heard(self, said: dict[str, Any]) -> None:
        """Take what the page's side says: `{"set": {…}}` or `{"message": …}`."""
        self._is_hearing = True
        try:
            for name, value in said.get("set", {}).items():
                if name in self.traits(sync=True):
                    self.set_trait(name, value)
        finally:
            self._is_hearing = False
        if "message" in said:
            for listener in self._listeners:
                listener(self, said["message"], [])

    def _changed(self, change: Any) -> None:
        if self._is_shown and not self._is_hearing and change["name"] in self.traits(sync=True):
            _shell.tell(self.model_id, {"set": {change["name"]: change["new"]}})


def install(shell: Any) -> None:
    """Put the modules in place. `shell`: what `get_ipython` returns from now on."""
    global _shell
    _shell = shell
    _module("anywidget", AnyWidget=AnyWidget)
    _module("IPython", get_ipython=lambda: shell)
    _module("IPython.core")
    _module("IPython.core.getipython", get_ipython=lambda: shell)
    _module("IPython.display", display=shell.display)
    # The one module of IPython itself that a page brings: `preview.browser.bundle` puts it there.
    _module("IPython.lib", __path__=[str(Path(__file__).with_name("ipython"))])


def pretty(value: Any) -> str:
    """Return a value's text as IPython writes it."""
    from IPython.lib.pretty import pretty as as_ipython_does

    written: Any = as_ipython_does
    return str(written(value))


def _module(name: str, **content: Any) -> None:
    made = ModuleType(name)
    made.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    made.__path__ = []
    vars(made).update(content)
    sys.modules[name] = made
    parent, _, own = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], own, made)
