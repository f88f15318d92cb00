"""Before a lab opens: nobody has its folder or its prefix, and from then on both are held for it.

It makes the folder, and nothing else; a start that is refused makes nothing.
"""

from __future__ import annotations

import shlex
import time
from contextlib import ExitStack
from pathlib import Path

from bentocola.cli import finding, places
from bentocola.cli.language import CommandError, say
from bentocola.cli.ready import Ready
from bentocola.labs import catalogue
from bentocola.labs.folder import Folder, InUse
from bentocola.reasons import why

__all__ = ["hold", "unwritable"]

_LOOK_SECONDS = 0.1
_PATIENCE_SECONDS = 10
"""How long a server that ends is waited for, or one that begins."""


def hold(lab: catalogue.Lab, folder: Folder, stack: ExitStack) -> None:
    """Hold the prefix and the folder. A server that is about to end is waited for. Raises CommandError."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        _check_open_labs(lab, folder)
        with ExitStack() as so_far:
            try:
                if (held := places.hold_prefix(lab.prefix)) is not None:
                    so_far.enter_context(held)
                folder.open()
            except (BlockingIOError, InUse):
                pass
            except OSError as error:
                raise unwritable(folder, error) from None
            else:
                so_far.callback(folder.close)
                stack.enter_context(so_far.pop_all())
                return
        if time.monotonic() > end:
            raise CommandError(
                say("The lab is just being opened or closed in {path}. Try again in a moment.", path=folder.path)
            )
        time.sleep(_LOOK_SECONDS)


def unwritable(folder: Folder, error: OSError) -> CommandError:
    """Return the sentence for a folder that the system refuses."""
    return CommandError(
        say(
            "The lab's folder {path} cannot be written: {why}. Choose another with --dir.",
            path=folder.path,
            why=why(error),
        )
    )


def _check_open_labs(lab: catalogue.Lab, folder: Folder) -> None:
    """Raise CommandError where a lab is open in this folder, or with this prefix in another."""
    found, hung = finding.all_labs()
    for one in [*finding.of_folder(folder.path, hung), *_of_prefix(lab.prefix, hung)]:
        raise CommandError(finding.silent(one.endpoint))
    for one in finding.of_folder(folder.path, found):
        raise CommandError(
            say(
                "The lab is open in {path} already, at {endpoint}. Join it: {command}",
                path=folder.path,
                endpoint=one.endpoint,
                command=_join(folder),
            )
        )
    for one in _of_prefix(lab.prefix, found):
        there = Folder(Path((one.lab or {})["folder"]))
        raise CommandError(
            say(
                "A lab with the prefix {prefix} is open already, at {endpoint}, in {path}. "
                "Choose another prefix with --prefix, or join it: {command}",
                prefix=lab.prefix,
                endpoint=one.endpoint,
                path=there.path,
                command=_join(there),
            )
        )


def _of_prefix(prefix: str, among: list[Ready]) -> list[Ready]:
    return [one for one in among if one.lab and one.lab["prefix"] == prefix]


def _join(folder: Folder) -> str:
    return f"bentocola shell --ready-file {shlex.quote(str(folder.ready_file))}"
