"""Runs a page's cells, one after the other in one namespace, as a notebook would. What they put out goes to one function.

An output is a dict that JSON can hold: `{"kind": "stream", "name": "stdout", "text": …}`,
`{"kind": "result", "text": …, "html": …}`, `{"kind": "view", "model": …, "text": …}` or
`{"kind": "error", "said": …, "trace": …}`.
"""

from __future__ import annotations

import ast
import io
import json
import linecache
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

from bentocola.messages import translate

from . import stand_ins
from .errors import told

__all__ = ["Shell"]

Put = Callable[[dict[str, Any]], None]


class Shell:
    """One page's Python. `put` is given what cells put out, and what views tell the page."""

    def __init__(self, language: str, put: Callable[[str], None]) -> None:
        """`put`: takes JSON."""
        self.language = language
        self.events = _Events()
        self.kernel = None
        """That there is such an attribute tells the course that views can be drawn."""
        self._send = put
        self._runs = 0
        self._cell = ""
        self._main = ModuleType("__main__")
        sys.modules["__main__"] = self._main
        vars(self._main)["display"] = self.display
        stand_ins.install(self)

    def run(self, cell: str, source: str) -> bool:
        """Run a cell, and return whether it came to its end. `cell`: its id."""
        self._runs += 1
        self._cell = cell
        name = f"<ipython-input-{cell}-{self._runs}>"
        lines = [f"{line}\n" for line in source.splitlines()]
        linecache.cache[name] = (len(source), None, lines, name)
        streams = [_Stream(kind, self._put) for kind in ("stdout", "stderr")]
        try:
            with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
                body, last = _compiled(source, name)
                exec(body, vars(self._main))
                value = eval(last, vars(self._main)) if last is not None else None
                if value is not None:
                    vars(self._main)["_"] = value
                    self.display(value)
        except BaseException as error:
            self._flush(streams)
            self._put({"kind": "error", **told(error, self.language, name)})
            return False
        finally:
            self._flush(streams)
            self.events.happened("post_run_cell")
        return True

    def display(self, *values: Any) -> None:
        """Show values as a notebook does: a view, HTML, or text."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        for value in values:
            if isinstance(value, stand_ins.AnyWidget):
                self._put({"kind": "view", "model": value.shown(), "text": repr(value)})
                continue
            html = getattr(value, "_repr_html_", None)
            self._put({"kind": "result", "text": stand_ins.pretty(value), "html": html() if callable(html) else None})

    def get_parent(self) -> dict[str, Any]:
        """Return what asked for the cell that runs, as ipykernel's shell does."""
        return {"metadata": {"cellId": self._cell}, "header": {"msg_id": str(self._runs)}}

    def heard(self, model: str, content: str) -> None:
        """Give a view what the page says to it, in JSON. A view that is no more hears nothing."""
        if (view := stand_ins.AnyWidget.models.get(model)) is not None:
            view.heard(json.loads(content))

    def tell(self, model: str, message: dict[str, Any]) -> None:
        """Tell the page's side of a view something."""
        self._send(json.dumps({"view": model, **message}, default=str))

    def say(self, message: str, /, **values: object) -> str:
        """Return a message in the page's language."""
        return translate(self.language, message, **values)

    def _put(self, output: dict[str, Any]) -> None:
        self._send(json.dumps({"output": output}))

    @staticmethod
    def _flush(streams: list[_Stream]) -> None:
        for stream in streams:
            stream.flush()


class _Events:
    """IPython's events, those that the course listens to."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Callable[..., Any]]] = {}

    def register(self, event: str, listener: Callable[..., Any]) -> None:
        """Call it when the event happens."""
        self._listeners.setdefault(event, []).append(listener)

    def unregister(self, event: str, listener: Callable[..., Any]) -> None:
        """Call it no more. Raises ValueError for one that was not registered, as IPython does."""
        self._listeners.setdefault(event, []).remove(listener)

    def happened(self, event: str) -> None:
        """Call the listeners. What is wrong with one is no fault of the cell's."""
        for listener in list(self._listeners.get(event, ())):
            with suppress(Exception):
                listener(SimpleNamespace())


class _Stream(io.TextIOBase):
    """Hands on what is written to it, a line or more at a time."""

    def __init__(self, name: str, put: Put) -> None:
        self._name, self._put = name, put
        self._kept = ""

    def writable(self) -> bool:
        """It is written to."""
        return True

    def write(self, text: str) -> int:
        """Keep the text until a line is whole."""
        self._kept += text
        if "\n" in text:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Hand on all."""
        if self._kept:
            text, self._kept = self._kept, ""
            self._put({"kind": "stream", "name": self._name, "text": text})


def _compiled(source: str, name: str) -> tuple[CodeType, CodeType | None]:
    """Return the code of a cell, and of its last expression where that is to be shown. Raises SyntaxError."""
    tree = ast.parse(source, name)
    last = None
    is_shown = not source.rstrip().endswith(";")
    if is_shown and tree.body and isinstance(tree.body[-1], ast.Expr):
        end = tree.body.pop()
        assert isinstance(end, ast.Expr)
        last = compile(ast.Expression(end.value), name, "eval")
    return compile(tree, name, "exec"), last
