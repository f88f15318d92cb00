"""`bentocola lab start NAME`: a lab in the foreground, with its own cloud and the student's folder, until it is told to end."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from bentocola.cli import ready
from bentocola.cli.asking import output
from bentocola.cli.lab_hold import hold, unwritable
from bentocola.cli.language import CommandError, of_environment, say, speak, tell
from bentocola.cli.options import Parser, port
from bentocola.cli.serve import chosen_language, host, is_free, leave_waiting_threads, start_cloud, until_told
from bentocola.labs import catalogue
from bentocola.labs.folder import Folder
from bentocola.messages import LANGUAGES, listed

if TYPE_CHECKING:
    from bentocola.cli.lab_room import Room

__all__ = ["start"]


class Asked(NamedTuple):
    """With what the lab was started: None where an option was left out."""

    port: int | None
    prefix: str | None
    language: str | None
    ready_file: str | None
    """As an absolute path."""

    def options(self) -> str:
        """Return them as they are typed, but for the port, which the folder remembers."""
        given = {"--prefix": self.prefix, "--language": self.language, "--ready-file": self.ready_file}
        return shlex.join(word for option, value in given.items() if value is not None for word in (option, value))


def start(arguments: list[str]) -> int:
    """Open the lab until SIGINT, SIGTERM or `lab stop`. Raises CommandError when it cannot begin."""
    parser = Parser("lab start")
    parser.add_argument("name", nargs="?")
    for option in ("--prefix", "--language", "--port", "--dir", "--ready-file"):
        parser.add_argument(option)
    parser.add_argument("--while", dest="owner", type=int)  # a process with which it ends: a notebook's JupyterLab
    options = parser.parse(arguments)
    language = chosen_language(options.language)
    name = _name(options.name)
    asked_port = None if options.port is None else port(options.port)
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
        _check_files(folder, lab, language)
        hold(lab, folder, stack)
        there = _hand_out(folder, lab, language)
        told = stack.enter_context(until_told())
        asked = Asked(asked_port, options.prefix, options.language, _absolute(options.ready_file))
        found, room = _serve(stack, folder, lab, language, asked, told.end)
        _tell_what_to_do(lab, found, folder, there, room.journal.kept)
        told.wait(_gone(options.owner))
    tell(say("The lab {prefix} has ended. Your folder {path} stays as it is.", prefix=lab.prefix, path=folder.path))
    leave_waiting_threads()
    return 0


def _name(given: str | None) -> str:
    known = catalogue.labs()
    if given in known:
        return given
    if given is None:
        raise CommandError(
            say("bentocola lab start expects the name of a lab. There are: {known}.", known=listed(known))
        )
    raise CommandError(say("There is no lab '{got}'. There are: {known}.", got=given, known=listed(known)))


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


def _check_files(folder: Folder, lab: catalogue.Lab, language: str) -> None:
    for name in lab.starter(language):
        if (folder.path / name).is_dir():
            raise CommandError(
                say(
                    "In {path}, {name} is a folder, and the lab needs a file of that name. Rename the folder.",
                    path=folder.path,
                    name=name,
                )
            )


def _hand_out(folder: Folder, lab: catalogue.Lab, language: str) -> list[str]:
    """Write what the student begins with; return the names of the files that were there."""
    try:
        folder.remember(name=lab.name, prefix=lab.prefix, language=language)
        return folder.hand_out(lab.starter(language))
    except OSError as error:
        raise unwritable(folder, error) from None


def _absolute(path: str | None) -> str | None:
    return None if path is None else os.path.abspath(path)


def _remembered_file(folder: Folder) -> str | None:
    """The ready file that the lab was last asked to write, where it can be written and is no other cloud's by now."""
    remembered = folder.settings.get("ready_file")
    if not isinstance(remembered, str) or not os.access(os.path.dirname(remembered), os.W_OK):
        return None
    path = Path(remembered)
    if not path.exists():
        return remembered
    try:
        found = ready.read(path)
    except CommandError:
        return None
    return remembered if found.lab and found.lab["folder"] == str(folder.path) else None


def _serve(
    stack: ExitStack,
    folder: Folder,
    lab: catalogue.Lab,
    language: str,
    asked: Asked,
    end: Callable[[], None],
) -> tuple[ready.Ready, Room]:
    """Begin to answer. What was on a port before is on the same one again, so that open terminals go on working."""
    from bentocola.cli.lab_room import Room

    rooms: list[Room] = []
    beside = asked.ready_file or _remembered_file(folder)
    told = {"name": lab.name, "prefix": lab.prefix, "language": language, "folder": str(folder.path)}
    told["options"] = asked.options()
    if beside:
        told["ready_file"] = beside

    def make(endpoint: str) -> Room:
        again = ready.Ready(endpoint, os.getpid(), language, {}, lab=told).again
        try:
            rooms.append(Room(lab, language, folder, endpoint, start_cloud, end, again))
        except OSError as error:
            raise unwritable(folder, error) from None
        return rooms[0]

    remembered = folder.settings.get("port")
    number = asked.port
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
        files=[folder.ready_file, *([Path(beside)] if beside else [])],
        lab=told,
    )
    folder.remember(port=urlsplit(found.endpoint).port, ready_file=beside)
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
    files = listed(lab.starter(found.edition))
    if there:
        lines.append(say("Your {files} stays as you left it.", files=files))
    else:
        lines.append(say("In it is what you begin with: {files}", files=files))
    if kept is not None:
        if there:
            lines.append(
                say("The lab's cloud is new. Your code is still there: begin again with step 1, and upload it again.")
            )
        lines.append(say("Set the variables in your terminals again: what they name, such as QUEUE_URL, is gone."))
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
