"""What both views are in a notebook: one ES module, drawn by the page, and what keeps it in step with what it shows.

While the page draws, it gets each step as it happens. Where nobody draws, because the notebook runs without a page, the widget's
own state is what there is at the end of each cell: that is what such a notebook shows when it is opened or exported.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, cast

import anywidget
import traitlets
from IPython.core.getipython import get_ipython

from bentocola.cloud.trace import Feed
from bentocola.views.embedded import BUNDLE
from bentocola.views.pump import Pump, add, place
from bentocola.views.sources import Lost, Source

__all__ = ["View"]


class View(anywidget.AnyWidget):
    """A view of `static/views.mjs`."""

    _esm = BUNDLE

    kind = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    feed = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    """What there was to tell when it was made, or, where nobody draws it, when the last cell ended. The page adds to its own."""
    connected = traitlets.Bool(False).tag(sync=True)

    _source: Source | None = None
    _pump: Pump | None = None
    _is_drawn = False

    def __init__(self, source: Source | None = None, **traits: Any) -> None:
        """`source`: what to follow, if anything."""
        if source is not None:
            self._source, self._pump = source, Pump(source, self._send_feed, self._reached)
            # Of a long story the beginning, for a start: the page asks for the rest.
            with suppress(Lost):
                traits["feed"] = source.next(*place(None))
                traits["connected"] = not source.has_ended
        super().__init__(**traits)
        self.on_msg(self._asked)
        if source is not None and (shell := get_ipython()) is not None:
            shell.events.register("post_run_cell", self._cell_ended)
            _replace_those_of_the_last_time(shell, self)

    def close(self) -> None:
        """Take it from the page, and follow no further."""
        self.end()
        super().close()

    def end(self) -> None:
        """Follow no further. What it shows stays."""
        if self._pump is None:
            return
        self._pump.end()
        self._pump = None
        self._reached(False)
        if (shell := get_ipython()) is not None:
            shell.events.unregister("post_run_cell", self._cell_ended)

    def _asked(self, widget: Any, content: Any, buffers: Any) -> None:
        """Do what a message of the page asks for."""
        if not isinstance(content, dict) or self._pump is None:
            return
        if content.get("type") == "ready":
            story, since = content.get("story"), content.get("since")
            self._is_drawn = True
            is_known = isinstance(story, str) and type(since) is int and since >= 0
            self._pump.begin(*(story, since) if is_known else ("", 0))

    def _cell_ended(self, result: Any = None) -> None:
        """Show what the cell did."""
        if self._pump is None or self._source is None:
            return
        if self._is_drawn:
            self._pump.flush()
        else:
            has_ended = self._source.has_ended
            try:
                self.feed = cast("Any", _all(self._source, cast("Feed | None", self.feed)))
                self.connected = not has_ended
            except Lost:
                self.connected = False

    def told(self) -> Feed | None:
        """Return all that there is to tell now, as one feed; what was told last where the source is lost."""
        feed = cast("Feed | None", self.feed)
        try:
            return _all(self._source, feed) if self._source is not None else feed
        except Lost:
            return feed

    def _send_feed(self, feed: Feed) -> None:
        self.send({"type": "feed", "feed": feed})

    def _reached(self, is_reached: bool) -> None:
        self.connected = is_reached
        if not is_reached:
            self.send({"type": "lost"})


_of_cells: dict[str, tuple[str, list[View]]] = {}
"""The views that each cell has made, and in which run of it."""


def _replace_those_of_the_last_time(shell: Any, view: View) -> None:
    """End the views that this cell made when it ran before: the page has taken them away, and nobody says so."""
    # Only ipykernel's shell knows what asked for the cell.
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, run = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id", "")
    if cell is None:
        return
    made_in, views = _of_cells.get(cell, (run, []))
    if made_in != run:
        for earlier in views:
            earlier.end()
        views = []
    _of_cells[cell] = run, [*views, view]


def _all(source: Source, feed: Feed | None) -> Feed | None:
    """Return this feed and all that follows it, as one. Raises Lost."""
    while (more := source.next(*place(feed))) is not None and (more["steps"] or "initial" in more):
        feed = add(feed, more)
    return feed
