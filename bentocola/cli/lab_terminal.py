"""`bentocola lab terminal`: what a student's JupyterLab opens as its terminals, the shell of the lab that is open.

Where none is yet, it waits for one. Ctrl+C ends the waiting; in JupyterLab's terminal, which would be empty then, an ordinary
shell takes its place.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bentocola.cli import finding, ready
from bentocola.cli.language import speak
from bentocola.cli.options import Parser
from bentocola.cli.shell import open_ordinary, open_shell, unfrozen
from bentocola.labs.folder import Folder
from bentocola.messages import both

__all__ = ["terminal"]

_LOOK_SECONDS = 0.3


def terminal(arguments: list[str]) -> int:
    """Open the shell, and return its exit status."""
    parser = Parser("lab terminal")
    # The terminal is JupyterLab's, and its only program is this.
    parser.add_argument("--jupyterlab", action="store_true")
    options = parser.parse(arguments)
    with unfrozen():
        try:
            found = _chosen(_waited_for(finding.labs, time.sleep, options.jupyterlab))
        except KeyboardInterrupt:
            if not options.jupyterlab:
                print(flush=True)
                return 128 + signal.SIGINT
            print(both("An ordinary shell. For the lab's: bentocola lab terminal"), flush=True)
            return open_ordinary()
        except EOFError:
            return 0
    if found.lab is None:
        return 0
    speak(found.lab["language"])
    folder = Folder(Path(found.lab["folder"]))
    return open_shell(found, str(folder.ready_file), folder=str(folder.path))


def _waited_for(
    labs: Callable[[], list[ready.Ready]], sleep: Callable[[float], None], is_jupyterlab: bool
) -> list[ready.Ready]:
    """Return the labs that are open, once there is one."""
    found = labs()
    if not found:
        print(
            both(
                "No lab is open yet. Run the first cell of the lab's notebook: its shell then opens here. "
                "Ctrl+C opens an ordinary shell."
            )
            if is_jupyterlab
            else both("No lab is open yet. Open one: this becomes its terminal. Ctrl+C ends the waiting."),
            flush=True,
        )
    while not found:
        sleep(_LOOK_SECONDS)
        found = labs()
    return found


def _chosen(labs: list[ready.Ready]) -> ready.Ready:
    """Return the only one, or the one that the person chooses. Raises EOFError when they end it instead."""
    if len(labs) == 1:
        return labs[0]
    print(both("Several labs are open. Which one? Type its number."), flush=True)
    for number, one in enumerate(labs, start=1):
        if one.lab is not None:
            print(f"  {number}  {one.lab['prefix']}  {one.lab['name']}  {one.lab['folder']}", flush=True)
    while True:
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if line.strip().isdecimal() and 1 <= int(line) <= len(labs):
            return labs[int(line) - 1]
        print(both("A number from 1 to {last}, please.", last=len(labs)), flush=True)
