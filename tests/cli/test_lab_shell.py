"""A lab's shell in a terminal, and the ordinary one in its place: Ctrl+S, the prompt, `aws`."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

LAB = """
from bentocola.cli.ready import Ready
from bentocola.cli.shell import open_shell
lab = {"name": "some-lab", "prefix": "lab05", "language": "es", "folder": "/"}
open_shell(Ready("http://127.0.0.1:1", 1, "es", {"AWS_REGION": "us-east-1"}, "", lab), folder="deep/er")
print("after", flush=True)
"""
ORDINARY = """
from bentocola.cli.shell import open_ordinary, unfrozen
with unfrozen():
    open_ordinary()
"""


class Terminal:
    """A terminal of 40 columns with a program in it."""

    def __init__(self, script: str, home: Path) -> None:
        import pty

        self._master, inside = pty.openpty()
        (home / "deep" / "er").mkdir(parents=True)
        (home / ".bashrc").write_text(
            "export PATH=/usr/bin:/bin AWS_PROFILE=mine\nalias aws=false\nPS1='own> ' PROMPT_COMMAND='PS1=never'\n"
        )
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "BENTOCOLA_"))}
        self.process = subprocess.Popen(
            [sys.executable, "-c", script],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            env={**kept, "HOME": str(home), "SHELL": "/bin/bash", "TERM": "dumb", "LC_ALL": "C.UTF-8"},
            cwd=home,
            preexec_fn=_take_terminal,
        )
        os.close(inside)
        self.has_flow_control = lambda: bool(_flags(self._master) & _ixon())

    def type(self, text: str) -> None:
        """Type, as a person does."""
        os.write(self._master, text.encode())

    def until(self, text: str) -> str:
        """Return what is shown up to a text, which has to come."""
        seen = b""
        while text.encode() not in seen:
            assert select.select([self._master], [], [], 60)[0], seen
            seen += os.read(self._master, 1)
        return seen.decode(errors="replace")

    def close(self) -> None:
        """Hang up."""
        os.close(self._master)
        self.process.kill()
        self.process.wait(60)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _flags(number: int) -> int:
    import termios

    return int(termios.tcgetattr(number)[0])


def _ixon() -> int:
    import termios

    return termios.IXON


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[[str], Terminal]]:
    """Opens a terminal."""
    opened: list[Terminal] = []

    def open_with(script: str) -> Terminal:
        opened.append(Terminal(script, tmp_path))
        return opened[-1]

    yield open_with
    for one in opened:
        one.close()


def test_ctrl_s_stops_nothing(terminal: Callable[[str], Terminal]) -> None:
    """What is typed after it is shown and run as it stands; after the shell, the terminal is as it was."""
    inside = terminal(LAB)
    inside.until("$ " if os.getuid() else "# ")
    inside.type("\x13echo still-$((6*7))\n")
    inside.until("still-42")
    assert not inside.has_flow_control()
    inside.type("cat\n\x13more\n")
    inside.until("\x13more")
    inside.type("\x04exit\n")
    inside.until("after")

    assert inside.has_flow_control()


def test_prompt_leaves_room(terminal: Callable[[str], Terminal]) -> None:
    """The lab and the folder's own name, whatever the person's prompt is, and what sets it each time."""
    inside = terminal(LAB)
    sign = "$ " if os.getuid() else "# "
    assert inside.until(sign) == f"(bentocola lab05) er{sign}"
    inside.type("true\n")

    assert inside.until(f"er{sign}").endswith(f"(bentocola lab05) er{sign}")


def test_aws_in_an_ordinary_shell(terminal: Callable[[str], Terminal]) -> None:
    """It reaches no account, whatever keys the person has, and says where it would work; all else is the person's own."""
    inside = terminal(ORDINARY)
    inside.type("aws sqs list-queues; echo ended-$? $AWS_PROFILE $(command -v bentocola)\n")
    inside.until("ended-$?")
    said = inside.until("ended-2 mine /")

    assert said.count("bentocola lab terminal") == 2
    assert "ラボ" in said
    assert not inside.has_flow_control()
