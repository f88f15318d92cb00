"""`bentocola shell`: the person's own shell, or one command, in which `aws` and boto3 talk to the local cloud.

It writes a folder of its own, for `aws` and for what sets the shell up, and takes it away again. It changes nothing of the
person's: their shell reads its own files first, and the course's settings come last, because a profile may set them anew.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bentocola.cli import finding, ready
from bentocola.cli.language import CommandError, say
from bentocola.cli.shell_files import Look, set_up
from bentocola.cli.surroundings import MARK, prepared
from bentocola.cloud import leftovers
from bentocola.messages import both

__all__ = ["open_ordinary", "open_shell", "shell", "unfrozen"]


def shell(arguments: list[str]) -> int:
    """Run the shell, or the command, and return its exit status, 128 and the signal's number where one ended it."""
    from bentocola.cli.options import Parser

    parser = Parser("shell")
    parser.add_argument("--ready-file")
    parser.add_argument("-c", dest="command")
    options = parser.parse(arguments)
    return open_shell(finding.find(options.ready_file), options.ready_file, options.command)


def open_shell(
    found: ready.Ready, ready_file: str | None = None, command: str | None = None, folder: str | None = None
) -> int:
    """Run the shell, or a command, on the cloud that was found, in a folder, and return its exit status."""
    program = _own_shell()
    with _own_folder() as own:
        _write_aws(own / "bin" / "aws", found)
        settings = {**found.environment, MARK: found.endpoint, "PATH": _path(own / "bin"), ready.AGAIN: found.again}
        if ready_file:
            settings[ready.VARIABLE] = os.path.abspath(ready_file)
        if found.lab:
            settings[ready.LAB] = ready.identity(found.lab)
        environment = prepared(os.environ, settings)
        look = Look(f"(bentocola {found.lab['prefix']}) ", is_short=True) if found.lab else Look("(bentocola) ")
        words = set_up(program, own, environment, command, look)
        if found.lab and command is None:
            with unfrozen():
                return _run(words, environment, folder)
        return _run(words, environment, folder)


def open_ordinary() -> int:
    """Run the person's own shell, in a terminal of the course that is in no lab; `aws` says so there, whatever keys they have."""
    program = _own_shell()
    with _own_folder() as own:
        said = both("This terminal is not in the lab. Type: bentocola lab terminal")
        lines = " ".join(shlex.quote(line) for line in said.splitlines())
        _write_script(own / "bin" / "aws", f"printf '%s\\n' {lines} >&2\nexit 2\n")
        environment = {**os.environ, "PATH": _path(own / "bin")}
        words = set_up(program, own, environment, None, Look(), keeps_own=True)
        return _run(words, environment, None)


@contextmanager
def unfrozen() -> Iterator[None]:
    """While this lasts, Ctrl+S does not stop the terminal: a student is told to save with it, and may be in the terminal."""
    try:
        import termios

        former = termios.tcgetattr(0)
    except (ImportError, OSError, termios.error):  # Windows; no terminal
        yield
        return
    flags = [*former]
    flags[0] &= ~(termios.IXON | termios.IXOFF)
    termios.tcsetattr(0, termios.TCSANOW, flags)
    try:
        yield
    finally:
        # A shell that was killed has not handed the terminal back, and to set it from behind would stop this process.
        handler = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        with suppress(termios.error):
            termios.tcsetattr(0, termios.TCSANOW, former)
        signal.signal(signal.SIGTTOU, handler)


@contextmanager
def _own_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="bentocola-shell-") as name:
        leftovers.hold(name)
        (Path(name) / "bin").mkdir()
        yield Path(name)


def _own_shell() -> str:
    """The person's shell. Raises CommandError where there is none that could run the course's commands."""
    named = os.environ.get("SHELL", "")
    # Git Bash names it as its own programs see it, without .exe.
    found = shutil.which(named) or shutil.which(Path(named).name) if named else None
    if os.name == "nt" and not found:
        raise CommandError(
            say("bentocola shell needs a shell such as Git Bash or WSL. Open one of them, and run it again there.")
        )
    return found or "/bin/sh"


def _path(tools: Path) -> str:
    """The PATH: our `aws`, then the programs of this Python's environment, then what was there."""
    folders = [str(tools), str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    return os.pathsep.join([*dict.fromkeys(folders), os.environ.get("PATH", os.defpath)])


def _write_aws(script: Path, found: ready.Ready) -> None:
    client = Path(__file__).parent / "aws" / "client.py"
    # A script of the shell, because a first line that names an interpreter takes no long path and no space.
    words = [sys.executable, "-I", "-S", str(client), found.aws, found.endpoint]
    _write_script(script, f'exec {shlex.join(words)} "$@"\n')


def _write_script(script: Path, text: str) -> None:
    script.write_text(f"#!/bin/sh\n{text}", encoding="utf-8", newline="\n")
    script.chmod(0o755)


def _run(command: list[str], environment: dict[str, str], folder: str | None) -> int:
    """Run it in the foreground: the terminal's signals are for it, and this process waits."""
    names = [name for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name)]
    process = subprocess.Popen(command, env=environment, cwd=folder)
    former = {name: signal.signal(signal.Signals[name], signal.SIG_IGN) for name in names}
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            former[name] = signal.signal(signal.Signals[name], lambda number, frame: process.send_signal(number))
    try:
        status = process.wait()
    finally:
        for name, handler in former.items():
            signal.signal(signal.Signals[name], handler)
    return 128 - status if status < 0 else status
