"""Where a local cloud can be found: the ready file that `bentocola serve` writes, and the folder of its socket.

It reads and writes these files only. Another user's folder of the same name is never trusted.
"""

from __future__ import annotations

import json
import os
import shlex
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from bentocola.cli.language import CommandError, say
from bentocola.cloud.wires.loopback import is_loopback

__all__ = [
    "AGAIN",
    "DEFAULT_PORT",
    "VARIABLE",
    "Ready",
    "answers",
    "ended",
    "find",
    "find_lab",
    "labs",
    "private_folder",
    "read",
    "write",
]

DEFAULT_PORT = 5000
VARIABLE = "BENTOCOLA_READY_FILE"
"""Names the ready file, for a shell that was given none."""
AGAIN = "BENTOCOLA_AGAIN"
"""Set in a shell of the course, to the command that starts its cloud again."""

_LAB = ("name", "prefix", "language", "folder")
_PATIENCE_SECONDS = 5
"""How long a server is waited for that says whether it is there; one that Ctrl+Z has stopped says nothing."""


class Ready(NamedTuple):
    """What a ready file holds."""

    endpoint: str
    """For `endpoint_url`: http://127.0.0.1:PORT."""
    pid: int
    """The process that serves."""
    edition: str
    environment: dict[str, str]
    """The AWS variables for programs that use it."""
    aws: str = ""
    """The socket of the warm `aws` process; empty where there is none."""
    lab: dict[str, str] | None = None
    """The lab whose cloud it is: its name, prefix, language and folder."""

    @property
    def again(self) -> str:
        """The command that starts it again, on the same port."""
        if self.lab is not None:
            return f"bentocola lab start {self.lab['name']} --dir {shlex.quote(self.lab['folder'])}"
        return f"bentocola serve --port {urlsplit(self.endpoint).port}"

    @property
    def answers(self) -> bool:
        """Whether somebody listens there; of a lab, whether it is this one: once it was killed, another may have its port."""
        if self.lab is None:
            return answers(self.endpoint)
        # Most commands need no lab, and HTTP costs each some milliseconds.
        from bentocola.cli.asking import NotAnswered, Refused, ask

        try:
            told = ask(self.endpoint, "GET", "lab", patience=_PATIENCE_SECONDS)
        except (Refused, NotAnswered):
            return False
        return all(told.get(name) == self.lab[name] for name in ("prefix", "folder"))


def answers(endpoint: str) -> bool:
    """Whether somebody listens at an address."""
    import socket

    parts = urlsplit(endpoint)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PATIENCE_SECONDS).close()
    except OSError:
        return False
    return True


def write(path: Path, ready: Ready) -> None:
    """Write the file whole: who finds it can read all of it. Raises OSError."""
    import tempfile

    handle, unfinished = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(ready._asdict(), file)
            file.write("\n")
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def read(path: Path) -> Ready:
    """Read a ready file. Raises CommandError for one that is missing, or is none."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        needed = ("endpoint", "pid", "edition", "environment", "aws")
        ready = Ready(**{name: told[name] for name in needed}, lab=told.get("lab"))
        sound = (
            (ready.lab is None or {*_LAB} <= set(ready.lab))
            and is_loopback(urlsplit(ready.endpoint).hostname or "")
            and urlsplit(ready.endpoint).port is not None
            and all(isinstance(value, str) for value in ready.environment.values())
        )
    except FileNotFoundError:
        raise CommandError(
            say(
                "There is no ready file {path}. Start the local cloud with: bentocola serve --ready-file {path}",
                path=path,
            )
        ) from None
    except OSError as error:
        raise CommandError(
            say("The ready file {path} cannot be read: {why}.", path=path, why=error.strerror or error)
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise CommandError(
            say(
                "{path} is no ready file of the local cloud. Start it again with: bentocola serve --ready-file {path}",
                path=path,
            )
        )
    return ready


def find(given: str | None) -> Ready:
    """Return the local cloud to use: of the file that is given, of the variable's, or this user's only one.

    Of several, it is the one on the default port. Raises CommandError, which says how to start one or how to choose, when none
    can be found.
    """
    named = given or os.environ.get(VARIABLE)
    if named:
        return _named(Path(named))
    running = _running()
    for ready in running:
        if len(running) == 1 or urlsplit(ready.endpoint).port == DEFAULT_PORT:
            return ready
    if running:
        raise CommandError(
            say(
                "Several local clouds are running: {endpoints}. Start each with --ready-file FILE, and name one: "
                "bentocola shell --ready-file FILE",
                endpoints=" ".join(ready.endpoint for ready in running),
            )
        )
    raise CommandError(say("No local cloud is running. Start one in another terminal with: bentocola serve"))


def find_lab(given: str | None) -> Ready:
    """Return the lab to ask: of the file that is given, of the variable's, or this user's only one. Raises CommandError."""
    named = given or os.environ.get(VARIABLE)
    found = [_named(Path(named))] if named else labs()
    if len(found) > 1:
        raise CommandError(
            say(
                "Several labs are open: {labs}. Say which with --ready-file, or ask in the lab's own terminal: "
                "bentocola lab terminal",
                labs=" ".join(f"{one.lab['prefix']} ({one.lab['folder']})" for one in found if one.lab),
            )
        )
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
    return [ready for ready in _running() if ready.lab is not None]


def _named(path: Path) -> Ready:
    """Return the local cloud of a ready file. Raises CommandError where it does not answer."""
    again = os.environ.get(AGAIN)
    if again and not path.exists():
        raise CommandError(ended(again))
    ready = read(path)
    if not ready.answers:
        if ready.lab is not None:
            raise CommandError(ended(ready.again))
        raise CommandError(
            say(
                "The local cloud of {path} no longer answers at {endpoint}. "
                "Start it again with: bentocola serve --ready-file {path}",
                path=path,
                endpoint=ready.endpoint,
            )
        )
    return ready


def ended(again: str) -> str:
    """Return the sentence for a shell whose cloud has ended. `again`: the command that starts it."""
    if again.startswith("bentocola lab"):
        return say(
            "The lab's local cloud has ended. Run the first cell of its notebook again, or this in another terminal: {command}",
            command=again,
        )
    return say("The local cloud of this shell has ended. Start it again in another terminal: {command}", command=again)


def _running() -> list[Ready]:
    """This user's clouds that answer."""
    above = _above()
    if not _is_ours(above):
        return []
    found = []
    for file in sorted(above.glob("*/ready.json")):
        with suppress(CommandError):
            ready = read(file)
            if ready.answers:
                found.append(ready)
    return found


def private_folder(port: int) -> Path:
    """Make that folder, for this user alone. Raises OSError where somebody else's is in its place."""
    above = _above()
    above.mkdir(mode=0o700, exist_ok=True)
    if not _is_ours(above):
        raise PermissionError(f"{above} is not this user's alone")
    folder = above / str(port)
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _above() -> Path:
    """A folder of this user in the system's temporary one. Its name is short: a socket's path has some hundred bytes."""
    import tempfile

    who = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"bentocola-{who}"


def _is_ours(folder: Path) -> bool:
    """Whether the folder is this user's, no link, and nobody else can look into it."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):  # Windows: the temporary folder is the user's own
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
