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
from pathlib import Path

from bentocola.cli import ready
from bentocola.cli.language import CommandError, say
from bentocola.cli.surroundings import MARK, prepared

__all__ = ["open_shell", "own_shell", "shell"]


def shell(arguments: list[str]) -> int:
    """Run the shell, or the command, and return its exit status, 128 and the signal's number where one ended it."""
    from bentocola.cli.options import Parser

    parser = Parser("shell")
    parser.add_argument("--ready-file")
    parser.add_argument("-c", dest="command")
    options = parser.parse(arguments)
    return open_shell(ready.find(options.ready_file), options.ready_file, options.command)


def open_shell(
    found: ready.Ready, ready_file: str | None = None, command: str | None = None, folder: str | None = None
) -> int:
    """Run the shell, or a command, on the cloud that was found, in a folder, and return its exit status."""
    program = own_shell()
    with tempfile.TemporaryDirectory(prefix="bentocola-shell-") as name:
        own = Path(name)
        tools = own / "bin"
        tools.mkdir()
        _write_aws(tools / "aws", found)
        settings = {**found.environment, MARK: found.endpoint, "PATH": _path(tools), ready.AGAIN: found.again}
        if ready_file:
            settings[ready.VARIABLE] = os.path.abspath(ready_file)
        environment = prepared(os.environ, settings)
        prompt = f"(bentocola {found.lab['prefix']}) " if found.lab else "(bentocola) "
        return _run(_set_up(program, own, environment, command, prompt), environment, folder)


def own_shell() -> str:
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
    script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8", newline="\n")
    script.chmod(0o755)


def _set_up(program: str, folder: Path, environment: dict[str, str], command: str | None, prompt: str) -> list[str]:
    """Write what the shell reads at its start, and return what starts it: for one command, or for a person."""
    kind = Path(program).stem
    if kind == "zsh":
        _write_for_zsh(folder, environment, prompt if command is None else "")
        return [program, "-i"] if command is None else [program, "-c", command]
    if kind == "fish":
        words = [program, "--init-command", _for_fish(environment, prompt if command is None else "")]
        return words if command is None else [*words, "-c", command]
    if command is not None:
        return [program, "-c", command]
    if kind == "bash":
        file = folder / "bashrc"
        own = "if [ -f ~/.bashrc ]; then . ~/.bashrc; fi\n"
        shown = f'PS1={shlex.quote(prompt)}"$PS1"\n'
        file.write_text(own + _assignments(environment) + shown, encoding="utf-8", newline="\n")
        return [program, "--rcfile", str(file), "-i"]
    environment["PS1"] = prompt + environment.get("PS1", "$ ")
    return [program, "-i"]


def _write_for_zsh(folder: Path, environment: dict[str, str], prompt: str) -> None:
    """zsh reads its files from ZDOTDIR: ours there hand on to the person's own. For a command, without a prompt, it reads
    .zshenv alone.
    """
    own = shlex.quote(environment.get("ZDOTDIR") or environment.get("HOME", ""))
    last = ".zshrc" if prompt else ".zshenv"
    for name in (".zshenv", ".zprofile", ".zshrc"):
        lines = [f"ZDOTDIR={own}", f"[ -f {own}/{name} ] && . {own}/{name}"]
        if name == last:
            lines.append(_assignments(environment))
        else:
            lines.append(f"ZDOTDIR={shlex.quote(str(folder))}")
        if name == ".zshrc":
            lines.append(f'PROMPT={shlex.quote(prompt)}"$PROMPT"')
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    environment["ZDOTDIR"] = str(folder)


def _for_fish(environment: dict[str, str], prompt: str) -> str:
    """What fish runs once it has read the person's files."""
    ours = _ours(environment)
    lines = [
        f"for name in (set -n | string match 'AWS_*'); contains $name {' '.join(ours)}; or set -e $name; end",
        *(f"set -gx {name} {_fish(value)}" for name, value in ours.items() if name != "PATH"),
        f"set -gx PATH {' '.join(map(_fish, ours['PATH'].split(os.pathsep)))}",
    ]
    if prompt:
        lines += [
            "functions -q fish_prompt; and functions -c fish_prompt _bentocola_prompt; "
            "or function _bentocola_prompt; printf '> '; end",
            f"function fish_prompt; printf %s {_fish(prompt)}; _bentocola_prompt; end",
        ]
    return "\n".join(lines)


def _ours(environment: dict[str, str]) -> dict[str, str]:
    names = {MARK, ready.VARIABLE, ready.AGAIN, "PATH", "no_proxy", "NO_PROXY"}
    return {name: value for name, value in environment.items() if name in names or name.startswith("AWS_")}


def _assignments(environment: dict[str, str]) -> str:
    """What a shell of POSIX's kind runs to have the course's settings, and no other of AWS's."""
    ours = _ours(environment)
    kept = "|".join(name for name in ours if name.startswith("AWS_"))
    lines = [
        "for _bentocola in $(env | sed -n 's/^\\(AWS_[A-Za-z0-9_]*\\)=.*/\\1/p'); do",
        f'  case "$_bentocola" in {kept}) ;; *) unset "$_bentocola" ;; esac',
        "done",
        "unset _bentocola",
        "unalias aws python python3 2>/dev/null",
        *(f"export {name}={_posix(name, value)}" for name, value in ours.items()),
        "hash -r",
    ]
    return "\n".join(lines) + "\n"


def _posix(name: str, value: str) -> str:
    # Git Bash has its own form of a PATH.
    return f'"$(cygpath -p {shlex.quote(value)})"' if name == "PATH" and os.name == "nt" else shlex.quote(value)


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


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
