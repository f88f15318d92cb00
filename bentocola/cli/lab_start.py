"""`bentocola lab start NAME`: a lab in the foreground, with its own cloud and the student's folder, until it is told to end."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bentocola.cli import ready
from bentocola.cli.asking import output
from bentocola.cli.language import CommandError, of_environment, say, speak, tell
from bentocola.cli.options import Parser, port
from bentocola.cli.serve import chosen_language, host, is_free, leave_waiting_threads, start_cloud, until_told
from bentocola.labs import catalogue
from bentocola.labs.folder import Folder, InUse
from bentocola.messages import LANGUAGES

if TYPE_CHECKING:
    from bentocola.cli.lab_room import Room

__all__ = ["start"]

_LOOK_SECONDS = 0.1
_PATIENCE_SECONDS = 10
"""How long a server that ends is waited for, or one that begins."""


def start(arguments: list[str]) -> int:
    """Open the lab until SIGINT, SIGTERM or `lab stop`. Raises CommandError when it cannot begin."""
    parser = Parser("lab start")
    parser.add_argument("name", nargs="?")
    for option in ("--prefix", "--language", "--port", "--dir", "--ready-file"):
        parser.add_argument(option)
    parser.add_argument("--while", dest="owner", type=int)  # a process with which it ends: a notebook's JupyterLab
    options = parser.parse(arguments)
    name = _name(options.name)
    asked_port = None if options.port is None else port(options.port)
    language = chosen_language(options.language)
    with ExitStack() as stack:
        folder = Folder(_path(name, options.dir))
        remembered = folder.settings
        if remembered.get("name", name) != name:
            raise CommandError(
                say(
                    "The folder {path} belongs to the lab {name}. Choose another with --dir.",
                    path=folder.path,
                    name=remembered["name"],
                )
            )
        language = language or remembered.get("language") or of_environment() or LANGUAGES[0]
        speak(language)
        prefix = remembered.get("prefix") if options.prefix is None else options.prefix
        lab = catalogue.read_lab(name, _prefix(name, prefix, language))
        _open(folder, stack)
        _check_open_labs(lab, folder)
        there = _hand_out(folder, lab, language)
        told = stack.enter_context(until_told())
        found, room = _serve(stack, folder, lab, language, asked_port, options.ready_file, told.end)
        _tell_what_to_do(lab, found, folder, there, room.journal.kept)
        told.wait(_gone(options.owner))
    tell(say("The lab {prefix} has ended. Your folder {path} stays as it is.", prefix=lab.prefix, path=folder.path))
    leave_waiting_threads()
    return 0


def _name(given: str | None) -> str:
    known = catalogue.labs()
    if given in known:
        return given
    listed = say(", ").join(known)
    if given is None:
        raise CommandError(say("bentocola lab start expects the name of a lab. There are: {known}.", known=listed))
    raise CommandError(say("There is no lab '{got}'. There are: {known}.", got=given, known=listed))


def _path(name: str, given: str | None) -> Path:
    """The student's folder: as given, or of the lab's name, beside where one is; or where one is, when that is it."""
    here = Path.cwd()
    if given is None and Folder(here).settings.get("name") == name:
        return here
    return Path(os.path.abspath(given or name))


def _prefix(name: str, prefix: str | None, language: str) -> str | None:
    fault = catalogue.prefix_fault(name, prefix, language) if prefix is not None else None
    if fault:
        raise CommandError(fault)
    return prefix


def _open(folder: Folder, stack: ExitStack) -> None:
    """Hold the folder. A server that is about to end there is waited for. Raises CommandError."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            folder.open()
        except InUse:
            if said := _open_already(folder):
                raise CommandError(said) from None
            time.sleep(_LOOK_SECONDS)
        except OSError as error:
            raise _unwritable(folder, error) from None
        else:
            stack.callback(folder.close)
            return
    raise CommandError(
        say("The lab is just being opened or closed in {path}. Try again in a moment.", path=folder.path)
    )


def _open_already(folder: Folder) -> str:
    """Say where the lab of the folder is open and how to join it; an empty text where it does not answer."""
    try:
        found = ready.read(folder.ready_file)
    except CommandError:
        return ""
    if not found.answers:
        return ""
    return say(
        "The lab is open in {path} already, at {endpoint}. Join it: {command}",
        path=folder.path,
        endpoint=found.endpoint,
        command=_join(folder.ready_file),
    )


def _check_open_labs(lab: catalogue.Lab, folder: Folder) -> None:
    """Raise CommandError where a lab with this prefix is open, say in another folder."""
    for one in ready.labs():
        if one.lab is None or one.lab["prefix"] != lab.prefix:
            continue
        there = Folder(Path(one.lab["folder"]))
        if there.path == folder.path:  # where the system does not let a folder be held
            raise CommandError(_open_already(folder))
        raise CommandError(
            say(
                "A lab with the prefix {prefix} is open already, at {endpoint}, in {path}. "
                "Choose another prefix with --prefix, or join it: {command}",
                prefix=lab.prefix,
                endpoint=one.endpoint,
                path=there.path,
                command=_join(there.ready_file),
            )
        )


def _join(ready_file: Path) -> str:
    return f"bentocola shell --ready-file {shlex.quote(str(ready_file))}"


def _hand_out(folder: Folder, lab: catalogue.Lab, language: str) -> list[str]:
    """Write what the student begins with; return the names of the files that were there."""
    try:
        folder.remember(name=lab.name, prefix=lab.prefix, language=language)
        return folder.hand_out(lab.starter(language))
    except OSError as error:
        raise _unwritable(folder, error) from None


def _unwritable(folder: Folder, error: OSError) -> CommandError:
    return CommandError(
        say(
            "The lab's folder {path} cannot be written: {why}. Choose another with --dir.",
            path=folder.path,
            why=error.strerror or error,
        )
    )


def _serve(
    stack: ExitStack,
    folder: Folder,
    lab: catalogue.Lab,
    language: str,
    asked_port: int | None,
    ready_file: str | None,
    end: Callable[[], None],
) -> tuple[ready.Ready, Room]:
    """Begin to answer. What was on a port before is on the same one again, so that open terminals go on working."""
    from bentocola.cli.lab_room import Room

    rooms: list[Room] = []

    def make(endpoint: str) -> Room:
        try:
            rooms.append(Room(lab, language, folder, endpoint, start_cloud, end))
        except OSError as error:
            raise _unwritable(folder, error) from None
        return rooms[0]

    remembered = folder.settings.get("port")
    number = asked_port
    if number is None:
        number = remembered if isinstance(remembered, int) and is_free(remembered) else 0
        if number == 0 and remembered:
            tell(
                say(
                    "Port {port}, where the lab was before, is in use. It gets another one: open its terminals anew.",
                    port=remembered,
                )
            )
    found = host(
        stack,
        make,
        number=number,
        in_use=say(
            "Port {port} is in use. Choose another with --port, or leave --port out and a free one is found.",
            port=number,
        ),
        edition=language,
        language=language,
        files=[folder.ready_file, *([Path(ready_file)] if ready_file is not None else [])],
        lab={"name": lab.name, "prefix": lab.prefix, "language": language, "folder": str(folder.path)},
    )
    folder.remember(port=urlsplit(found.endpoint).port)
    return found, rooms[0]


def _tell_what_to_do(
    lab: catalogue.Lab, found: ready.Ready, folder: Folder, there: list[str], kept: Path | None
) -> None:
    lines = [
        say("Lab {module}: {title}", module=lab.module, title=catalogue.title(lab, say)),
        say(
            "Its local cloud answers at {endpoint}. The prefix is {prefix}, your folder {path}.",
            endpoint=found.endpoint,
            prefix=lab.prefix,
            path=folder.path,
        ),
    ]
    files = say(", ").join(lab.starter(found.edition))
    if there:
        lines.append(say("Your {files} stays as you left it.", files=files))
    else:
        lines.append(say("In it is what you begin with: {files}", files=files))
    if kept is not None:
        lines.append(say("The trace so far is kept in {path}.", path=kept))
    lines += [
        say("Next, in another terminal: {command}", command="bentocola lab terminal"),
        say("Watch it in a browser: {address}", address=f"{found.endpoint}/_bentocola/view"),
        say("Check a step there: {command}. Ctrl+C here ends the lab.", command="bentocola lab check 1"),
    ]
    output("\n".join(lines))


def _gone(owner: int | None) -> Callable[[], bool]:
    """Whether the process that the lab belongs to is no more; a lab without one goes on."""
    if owner is None or os.name == "nt":  # there, to ask for a process would end it
        return lambda: False

    def gone() -> bool:
        try:
            os.kill(owner, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False

    return gone
