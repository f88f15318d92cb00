"""The story of a result as a stepper, folded up below the cell's own output: only in a notebook that can draw one.

It may import the views, and puts one callback into IPython's events for the cell that runs. It raises nothing where there is no
kernel, no widget or no page; there is no replay then.
"""

from __future__ import annotations

import importlib.util
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bentocola.checks.result import Result
from bentocola.messages import translate

if TYPE_CHECKING:
    from bentocola.views import Stepper

__all__ = ["after_the_cell", "never", "stepper"]

_is_wanted = True


def never() -> None:
    """Show no replay in this process: for one in which nobody looks."""
    global _is_wanted
    _is_wanted = False


def stepper(result: Result, *, folded: bool = False) -> Stepper | None:
    """Return the stepper of a result's story, or None where there is no story. `folded`: it opens when it is clicked."""
    if result.trace is None:
        return None
    from bentocola.views import Stepper

    story = {"tiles": [], "faults": [], "questions": {}, "rules": {}, "why": _observed(result)}
    trace = {**result.trace, "verdict": result.trace["verdict"] or {"rule": result.kind, "ok": False}}
    made = Stepper(trace, language=result.language)
    made.set_trait("story", story)
    if folded:
        made.fold = translate(result.language, "Walk through the story step by step")
    return made


_of_cells: dict[str, tuple[str, list[Stepper]]] = {}
"""The steppers that each cell has shown, and in which run of it."""


def after_the_cell(result: Result) -> None:
    """Have the story's stepper shown, folded up, when the cell that runs has put out all else.

    Those that this cell has shown when it ran before are closed: else a notebook would keep one for each time that it was tried.
    """
    if not _is_wanted or (shell := _kernel_s_shell()) is None:
        return
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, run = parent.get("metadata", {}).get("cellId") or result.answer, parent.get("header", {}).get("msg_id", "")
    shown_in, shown = _of_cells.get(cell, (run, []))
    if shown_in != run:
        for earlier in shown:
            earlier.close()
        shown = []
    _of_cells[cell] = run, shown
    if result.trace is None:
        return

    def show(*_: Any) -> None:
        shell.events.unregister("post_run_cell", show)
        # The result stands there already: whatever is wrong with its picture is no fault of the answer.
        with suppress(Exception):
            if (made := stepper(result, folded=True)) is not None:
                shown.append(made)
                _display(made)

    shell.events.register("post_run_cell", show)


def _display(made: Stepper) -> None:
    from IPython import display

    show: Any = display.display
    show(made)


def _kernel_s_shell() -> Any:
    """Return the shell of a notebook that draws widgets, or None: a terminal's has no kernel."""
    if "IPython" not in sys.modules or importlib.util.find_spec("anywidget") is None:
        return None
    from IPython.core.getipython import get_ipython

    shell: Any = get_ipython()
    return shell if hasattr(shell, "kernel") else None


def _observed(result: Result) -> str:
    """What was observed, as plain text: without its label, and without the marks of code, which the view would show."""
    return result.happened.removeprefix(translate(result.language, "What happened:")).replace("`", "").strip()
