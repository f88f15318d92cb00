"""`bentocola lab terminal`: what a student's JupyterLab opens as its terminals, the shell of the lab that is open.

Where none is yet, it waits for one. Ctrl+C gives an ordinary shell instead.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bentocola.cli import ready
from bentocola.cli.language import speak
from bentocola.cli.options import Parser
from bentocola.cli.shell import open_shell, own_shell
from bentocola.labs.folder import Folder
from bentocola.messages import both

__all__ = ["terminal"]

_LOOK_SECONDS = 0.3


def terminal(arguments: list[str]) -> int:
    """Open the shell, and return its exit status."""
    Parser("lab terminal").parse(arguments)
    try:
        found = _chosen(_waited_for(ready.labs, time.sleep))
    except KeyboardInterrupt:
        print(both("An ordinary shell. For the lab's: bentocola lab terminal"), flush=True)
        program = own_shell()
        os.execvp(program, [program])
    except EOFError:
        return 0
    if found.lab is None:
        return 0
    speak(found.lab["language"])
    folder = Folder(Path(found.lab["folder"]))
    return open_shell(found, str(folder.ready_file), folder=str(folder.path))


def _waited_for(labs: Callable[[], list[ready.Ready]], sleep: Callable[[float], None]) -> list[ready.Ready]:
    """Return the labs that are open, once there is one."""
    found = labs()
    if not found:
        print(
            both(
                "No lab is open yet. Run the first cell of the lab's notebook: its shell then opens here. "
                "Ctrl+C opens an ordinary shell."
            ),
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
