"""The ready file: where a local cloud is, for other commands. It reads and writes such files, and asks who is at an address."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from bentocola.cli.language import CommandError, say
from bentocola.cloud.wires.loopback import is_loopback

__all__ = [
    "AGAIN",
    "DEFAULT_PORT",
    "LAB",
    "VARIABLE",
    "Presence",
    "Ready",
    "answers",
    "identity",
    "lab_presence",
    "read",
    "write",
]

DEFAULT_PORT = 5000
VARIABLE = "BENTOCOLA_READY_FILE"
"""Names the ready file, for a shell that was given none."""
AGAIN = "BENTOCOLA_AGAIN"
"""Set in a shell of the course, to the command that starts its cloud again."""
LAB = "BENTOCOLA_LAB"
"""Set in a lab's shell, to the lab's `identity`."""

_LAB = ("name", "prefix", "language", "folder")
_PATIENCE_SECONDS = 5
"""How long a server is waited for that says whether it is there; one that Ctrl+Z has stopped says nothing."""

Presence = Literal["here", "silent", "gone"]
"""Of a server: `silent` takes a connection and answers nothing; `gone` is also where another one has its port."""


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
    """The lab whose cloud it is: its name, prefix, language and folder; `options`, those that it was started with; and
    `ready_file`, the one that was asked for, where there is one.
    """

    @property
    def again(self) -> str:
        """The command that starts it again, on the same port and with the same options."""
        if self.lab is None:
            return f"bentocola serve --port {urlsplit(self.endpoint).port}"
        options = self.lab.get("options", "")
        folder = shlex.quote(self.lab["folder"])
        return f"bentocola lab start {self.lab['name']} --dir {folder} {options}".rstrip()

    @property
    def presence(self) -> Presence:
        """Who is there; of a lab, whether it is this one: once it was killed, another may have its port."""
        if self.lab is None:
            return "here" if answers(self.endpoint) else "gone"
        return lab_presence(self.endpoint, identity(self.lab))

    @property
    def answers(self) -> bool:
        """Whether it is there, and answers."""
        return self.presence == "here"


def identity(lab: Mapping[str, str]) -> str:
    """Return what tells a lab from another one that has its port later."""
    return f"{lab.get('prefix')} {lab.get('folder')}"


def answers(endpoint: str) -> bool:
    """Whether somebody listens at an address."""
    import socket

    parts = urlsplit(endpoint)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PATIENCE_SECONDS).close()
    except OSError:
        return False
    return True


def lab_presence(endpoint: str, of: str) -> Presence:
    """Whether the lab of that `identity` is at an address."""
    # Most commands need no lab, and HTTP costs each some milliseconds.
    from bentocola.cli.asking import NotAnswered, Refused, Silent, ask

    try:
        told = ask(endpoint, "GET", "lab", patience=_PATIENCE_SECONDS)
    except Silent:
        return "silent"
    except (Refused, NotAnswered):
        return "gone"
    return "here" if identity(told) == of else "gone"


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


def read(path: Path, start: str = "bentocola serve") -> Ready:
    """Read a ready file. Raises CommandError for one that is missing, or is none; `start`: what would write one."""
    start = f"{start} --ready-file {shlex.quote(str(path))}"
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
            say("There is no ready file {path}. Start what would write it: {command}", path=path, command=start)
        ) from None
    except OSError as error:
        from bentocola.reasons import why

        raise CommandError(
            say(
                "The ready file {path} cannot be read: {why}. Choose another with --ready-file.",
                path=path,
                why=why(error),
            )
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise CommandError(
            say(
                "{path} is no ready file of the local cloud. Start what would write it: {command}",
                path=path,
                command=start,
            )
        )
    return ready
