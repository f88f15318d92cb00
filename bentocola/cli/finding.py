"""Which local cloud a command uses, or which lab: one that is named, or the only one; and what is said where none answers."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from bentocola.cli import places, ready
from bentocola.cli.language import CommandError, say
from bentocola.cli.ready import Ready

__all__ = ["all_labs", "ended", "find", "find_lab", "labs", "of_folder", "silent"]

_START_LAB = "bentocola lab start NAME"


def find(given: str | None) -> Ready:
    """Return the local cloud to use: of the file that is given, of the variable's, or this user's only one.

    Of several, it is the one on the default port. Raises CommandError, which says how to start one or how to choose, when none
    can be found.
    """
    named = given or os.environ.get(ready.VARIABLE)
    if named:
        return _named(Path(named), "bentocola serve")
    running, hung = _running()
    for one in running:
        if len(running) == 1 or urlsplit(one.endpoint).port == ready.DEFAULT_PORT:
            return one
    if running:
        raise CommandError(_several(running))
    if hung:
        raise CommandError(silent(hung[0].endpoint))
    raise CommandError(say("No local cloud is running. Start one in another terminal with: bentocola serve"))


def find_lab(given: str | None) -> Ready:
    """Return the lab to ask: of the file that is given, of the variable's, or this user's only one. Raises CommandError."""
    named = given or os.environ.get(ready.VARIABLE)
    running, hung = ([_named(Path(named), _START_LAB)], []) if named else _running()
    found = running if named else _of_labs(running)
    if len(found) > 1:
        raise CommandError(_several(found))
    if not found and _of_labs(hung):
        raise CommandError(silent(_of_labs(hung)[0].endpoint))
    if not found:
        raise CommandError(
            say("No lab is open. Run the first cell of the lab's notebook, or start one: bentocola lab start NAME")
        )
    if found[0].lab is None:
        raise CommandError(
            say(
                "The local cloud at {endpoint} is not a lab's. Start one: bentocola lab start NAME",
                endpoint=found[0].endpoint,
            )
        )
    return found[0]


def labs() -> list[Ready]:
    """Return this user's labs that answer."""
    return _of_labs(_running()[0])


def all_labs() -> tuple[list[Ready], list[Ready]]:
    """Return this user's labs that answer, and those that take a connection and do not."""
    running, hung = _running()
    return _of_labs(running), _of_labs(hung)


def of_folder(folder: Path, among: list[Ready]) -> list[Ready]:
    """Return the labs whose folder it is."""
    return [one for one in among if one.lab and _is_same(Path(one.lab["folder"]), folder)]


def ended(again: str) -> str:
    """Return the sentence for a shell whose cloud has ended. `again`: the command that starts it."""
    if again.startswith("bentocola lab"):
        return say(
            "The lab's local cloud has ended. Run the first cell of its notebook again, or this in another terminal: {command}",
            command=again,
        )
    return say("The local cloud of this shell has ended. Start it again in another terminal: {command}", command=again)


def silent(endpoint: str) -> str:
    """Return the sentence for a cloud that takes a connection and does not answer."""
    return say(
        "The local cloud at {endpoint} does not answer, but its program is there. Was it stopped with Ctrl+Z? "
        "Type fg in its terminal.",
        endpoint=endpoint,
    )


def _several(found: list[Ready]) -> str:
    lines = []
    if _of_labs(found) == found:
        lines.append(say("Several labs are open. Do it in the lab's own terminal: bentocola lab terminal"))
    else:
        lines.append(say("Several local clouds are running. A lab has its own terminal: bentocola lab terminal"))
    lines.append(say("Or enter the one that you want with its command:"))
    for one in found:
        file = _own_file(one) or places.private_folder(urlsplit(one.endpoint).port or 0) / "ready.json"
        name = one.lab["prefix"] if one.lab else one.endpoint
        lines.append(f"  {name}  bentocola shell --ready-file {shlex.quote(str(file))}")
    return "\n".join(lines)


def _own_file(one: Ready) -> Path | None:
    """The ready file in a lab's folder."""
    from bentocola.labs.folder import Folder

    return Folder(Path(one.lab["folder"])).ready_file if one.lab else None


def _named(path: Path, start: str) -> Ready:
    """Return the local cloud of a ready file. Raises CommandError where it does not answer."""
    if not path.exists():
        # Somebody may have deleted the file of a lab that runs.
        for one in labs():
            if Path(os.path.abspath(path)) in (_own_file(one), Path((one.lab or {}).get("ready_file", ""))):
                return one
        if again := os.environ.get(ready.AGAIN):
            raise CommandError(ended(again))
    found = ready.read(path, start)
    presence = found.presence
    if presence == "silent":
        raise CommandError(silent(found.endpoint))
    if presence == "gone":
        if found.lab is not None:
            raise CommandError(ended(found.again))
        raise CommandError(
            say(
                "The local cloud of {path} no longer answers at {endpoint}. "
                "Start it again with: bentocola serve --ready-file {path}",
                path=path,
                endpoint=found.endpoint,
            )
        )
    return found


def _running() -> tuple[list[Ready], list[Ready]]:
    """This user's clouds that answer, and those that take a connection and do not."""
    running, hung = [], []
    for file in places.ready_files():
        with suppress(CommandError):
            found = ready.read(file)
            presence = found.presence
            if presence == "here":
                running.append(found)
            elif presence == "silent":
                hung.append(found)
    return running, hung


def _of_labs(found: list[Ready]) -> list[Ready]:
    return [one for one in found if one.lab is not None]


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one == other
