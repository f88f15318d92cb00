"""What a shell reads at its start to be one of the course's: the person's own files first, then what the course sets.

It writes into a folder that it is given, and nowhere else.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from bentocola.cli import ready
from bentocola.cli.surroundings import MARK

__all__ = ["Look", "set_up"]


@dataclass(frozen=True)
class Look:
    """What a person's shell shows before what they type."""

    mark: str = ""
    """Says where the shell belongs; empty: the person's own prompt stays as it is."""
    is_short: bool = False
    """The mark and the folder's own name in place of the person's prompt, whose whole path would leave no room for a command.

    And Ctrl+S, with which a notebook is saved, does nothing: it would begin a search, which takes what is typed next.
    """


def set_up(
    program: str,
    folder: Path,
    environment: dict[str, str],
    command: str | None,
    look: Look,
    *,
    keeps_own: bool = False,
) -> list[str]:
    """Write what the shell reads, and return what starts it: for one command, or for a person.

    The course's variables come after the person's files, which may set them anew; with `keeps_own`, only PATH does.
    """
    kind = Path(program).stem
    names = _names(environment, keeps_own)
    if kind == "zsh":
        _write_for_zsh(folder, environment, _assignments(names, keeps_own), look if command is None else None)
        return [program, "-i"] if command is None else [program, "-c", command]
    if kind == "fish":
        words = [program, "--init-command", _for_fish(names, look if command is None else Look(), keeps_own)]
        return words if command is None else [*words, "-c", command]
    if command is not None:
        return [program, "-c", command]
    if kind == "bash":
        file = folder / "bashrc"
        own = "if [ -f ~/.bashrc ]; then . ~/.bashrc; fi\n"
        text = (
            own
            + _assignments(names, keeps_own)
            + _prompt("PS1", look, r"\W\$ ", "unset PROMPT_COMMAND\nbind -r '\\C-s'\n")
        )
        file.write_text(text, encoding="utf-8", newline="\n")
        return [program, "--rcfile", str(file), "-i"]
    environment["PS1"] = look.mark + ("${PWD##*/}$ " if look.is_short else environment.get("PS1", "$ "))
    return [program, "-i"]


def _prompt(variable: str, look: Look, short: str, before: str = "") -> str:
    """Set the prompt of bash or zsh. `short`: what follows the mark in a short one; `before`: what has it stay so."""
    if look.is_short:
        return f"{before}{variable}={shlex.quote(look.mark + short)}\n"
    return f'{variable}={shlex.quote(look.mark)}"${variable}"\n'


def _write_for_zsh(folder: Path, environment: dict[str, str], assignments: str, look: Look | None) -> None:
    """zsh reads its files from ZDOTDIR: ours there hand on to the person's own. For a command, without a prompt, it reads
    .zshenv alone.
    """
    own = shlex.quote(environment.get("ZDOTDIR") or environment.get("HOME", ""))
    last = ".zshenv" if look is None else ".zshrc"
    for name in (".zshenv", ".zprofile", ".zshrc"):
        lines = [f"ZDOTDIR={own}", f"[ -f {own}/{name} ] && . {own}/{name}"]
        lines.append(assignments if name == last else f"ZDOTDIR={shlex.quote(str(folder))}")
        if name == ".zshrc" and look is not None:
            lines.append(_prompt("PROMPT", look, "%1~%(!.#.$) ", "precmd_functions=() RPROMPT=\nbindkey -r '^S'\n"))
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    environment["ZDOTDIR"] = str(folder)


def _for_fish(ours: dict[str, str], look: Look, keeps_own: bool) -> str:
    """What fish runs once it has read the person's files."""
    lines = [
        *(f"set -gx {name} {_fish(value)}" for name, value in ours.items() if name != "PATH"),
        f"set -gx PATH {' '.join(map(_fish, ours['PATH'].split(os.pathsep)))}",
    ]
    if not keeps_own:
        kept = " ".join(ours)
        lines.insert(0, f"for name in (set -n | string match 'AWS_*'); contains $name {kept}; or set -e $name; end")
    if look.is_short:
        lines.append(f"function fish_prompt; printf '%s%s$ ' {_fish(look.mark)} (basename $PWD); end")
        lines += ["function fish_right_prompt; end", r"bind \cs true"]
    elif look.mark:
        lines += [
            "functions -q fish_prompt; and functions -c fish_prompt _bentocola_prompt; "
            "or function _bentocola_prompt; printf '> '; end",
            f"function fish_prompt; printf %s {_fish(look.mark)}; _bentocola_prompt; end",
        ]
    return "\n".join(lines)


def _names(environment: dict[str, str], keeps_own: bool) -> dict[str, str]:
    """What of the environment comes after the person's files."""
    names = {MARK, ready.VARIABLE, ready.AGAIN, ready.LAB, "PATH", "no_proxy", "NO_PROXY"}
    if keeps_own:
        return {"PATH": environment["PATH"]}
    return {name: value for name, value in environment.items() if name in names or name.startswith("AWS_")}


def _assignments(ours: dict[str, str], keeps_own: bool) -> str:
    """What a shell of POSIX's kind runs to have the course's settings, and no other of AWS's."""
    kept = "|".join(name for name in ours if name.startswith("AWS_"))
    lines = [
        "for _bentocola in $(env | sed -n 's/^\\(AWS_[A-Za-z0-9_]*\\)=.*/\\1/p'); do",
        f'  case "$_bentocola" in {kept}) ;; *) unset "$_bentocola" ;; esac',
        "done",
        "unset _bentocola",
    ]
    lines = [
        *([] if keeps_own else lines),
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
