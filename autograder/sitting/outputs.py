"""The outputs of a notebook's cells, put together from messages as nbclient puts them together, up to a limit for each cell."""

from __future__ import annotations

import json
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from nbformat import NotebookNode, from_dict

from autograder.imports import light
from autograder.records import Limits
from autograder.sitting.messages import checked

with light():
    from nbclient import NotebookClient

__all__ = ["Outputs"]

_MOST_WIDGET_BYTES = 8 << 20
_MOST_CHANGED_BYTES = 64 << 20
"""Of one cell: of what replaces something, and so takes no room in the end."""
_MOST_ERRORS = 3
_ADDS = frozenset({"stream", "display_data", "execute_result"})
_CHANGES = frozenset({"update_display_data", "comm_open", "comm_msg", "comm_close"})


class _Client(NotebookClient):
    """nbclient without a kernel: what a front end would send back to one goes nowhere."""

    def __init__(self, notebook: NotebookNode) -> None:
        super().__init__(notebook)
        channel = SimpleNamespace(send=lambda message: None)
        session = SimpleNamespace(msg=lambda *arguments, **named: None)
        self.kc = SimpleNamespace(session=session, shell_channel=channel)  # type: ignore[assignment]


class Outputs:
    """Fills in the outputs of one notebook, in place. Call `begin` before a cell runs and `end` after it."""

    def __init__(self, notebook: NotebookNode, limits: Limits, too_much: str) -> None:
        """`too_much`: the sentence that stands in the place of what is over the limit."""
        self._client = _Client(notebook)
        self._notebook = notebook
        self._limits = limits
        self._too_much = too_much
        self._cell: NotebookNode | None = None
        self._index = 0
        self._bytes = self._lines = self._changed = self._errors = 0
        self._cut = self._full = False
        """Something was left out here; the room itself has stopped sending."""
        self._widget_bytes = 0

    def begin(self, index: int) -> None:
        """From here on, what comes belongs to the cell of that index."""
        self._index, self._cell = index, self._notebook.cells[index]
        self._cell.outputs = []
        self._client.clear_before_next_output = False
        self._bytes = self._lines = self._changed = self._errors = 0
        self._cut = self._full = False

    def take(self, message: Any) -> None:
        """Add what a message of a room's brings; between two cells it is dropped. Raises MessageError if it is none."""
        claimed = message.get("msg_type") if isinstance(message, dict) else None
        if (self._cut and claimed in _ADDS) or (self._changed > _MOST_CHANGED_BYTES and claimed in _CHANGES):
            return  # at once: a room that floods is not to be faster than this
        fine = checked(message)
        if self._cell is None:
            return
        kind, content = fine["msg_type"], fine["content"]
        if kind == "limit":
            self._full = True
        elif kind == "clear_output":
            self._client.process_message(fine, self._cell, self._index)
            self._measure()
        elif kind in _CHANGES:
            size = _size(content)
            self._changed += size
            if kind.startswith("comm"):
                self._comm(fine, size)
            elif size <= self._limits.output_bytes:
                self._client.process_message(fine, self._cell, self._index)
        elif kind == "error":
            self._error(fine)
        else:
            self._add(fine)

    def end(self, count: int | None) -> bool:
        """Close the cell, as number `count` of those that ran. Returns whether something of its output was dropped."""
        assert self._cell is not None
        self._cell.execution_count = count
        for output in self._cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
        cut = self._cut or self._full
        if cut:
            text = f"[{self._too_much}]\n"
            self._cell.outputs.append(from_dict({"output_type": "stream", "name": "stderr", "text": text}))  # type: ignore[no-untyped-call]
        self._cell = None
        return cut

    def add_error(self, name: str, sentence: str) -> None:
        """Say in the cell's outputs why it was stopped."""
        assert self._cell is not None
        error = {"output_type": "error", "ename": name, "evalue": sentence, "traceback": [f"{name}: {sentence}"]}
        self._cell.outputs.append(from_dict(error))  # type: ignore[no-untyped-call]

    def finish(self) -> None:
        """Keep the state of the notebook's widgets, as stock does."""
        self._client.set_widgets_metadata()

    def _add(self, message: dict[str, Any]) -> None:
        assert self._cell is not None
        if self._client.clear_before_next_output:
            self._bytes = self._lines = 0
        content = message["content"]
        if message["msg_type"] == "stream":
            content["text"] = self._fitting(content["text"])
            if not content["text"]:
                return
        else:
            size = _size(content)
            if self._bytes + size > self._limits.output_bytes:
                self._cut = True
                return
            self._bytes += size
        self._client.process_message(message, self._cell, self._index)
        self._join()

    def _fitting(self, text: str) -> str:
        """Return as much of a stream's text as there is room for."""
        lines_left = self._limits.output_lines - self._lines
        bytes_left = self._limits.output_bytes - self._bytes
        found = text.count("\n")
        if found > lines_left or (found == lines_left and not text.endswith("\n")):
            text = "".join(part + "\n" for part in text.split("\n", lines_left)[:lines_left])
            self._cut = True
        data = text.encode()
        if len(data) > bytes_left:
            text = data[:bytes_left].decode("utf-8", "ignore")
            self._cut = True
        self._lines += text.count("\n")
        self._bytes += min(len(data), bytes_left)
        return text

    def _join(self) -> None:
        """Make two streams of one name that follow each other one: where they part is a matter of timing alone."""
        assert self._cell is not None
        last = self._cell.outputs[-2:]
        if len(last) == 2 and all(output.output_type == "stream" for output in last) and last[0].name == last[1].name:
            last[0].text += last[1].text
            del self._cell.outputs[-1]

    def _measure(self) -> None:
        """Count anew what there is, after some of it went."""
        assert self._cell is not None
        outputs = self._cell.outputs
        texts = [output.text for output in outputs if output.output_type == "stream"]
        self._lines = sum(text.count("\n") for text in texts)
        self._bytes = sum(_size(output) for output in outputs)
        self._cut = self._cut and bool(outputs)

    def _error(self, message: dict[str, Any]) -> None:
        """Add an error, even where there is no room for more: it says what came of the cell. A shell sends one."""
        assert self._cell is not None
        self._errors += 1
        if self._errors <= _MOST_ERRORS and _size(message["content"]) <= self._limits.output_bytes:
            self._client.process_message(message, self._cell, self._index)

    def _comm(self, message: dict[str, Any], size: int) -> None:
        self._widget_bytes += size + sum(map(len, message["buffers"]))
        if self._widget_bytes > _MOST_WIDGET_BYTES:
            self._cut = True
            return
        assert self._cell is not None
        # nbclient expects what ipywidgets sends; a comm of somebody else's need not look like that.
        with suppress(Exception):
            self._client.process_message(message, self._cell, self._index)


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
