"""Ctrl-C during a run: it ends at once, says so in a sentence, leaves no process behind, and is taken up where it stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bentocola.messages import translate
from tests.autograder.commands import autograder, command, environment, scores
from tests.autograder.small_course import ASSIGNMENT, GOOD, hand_in

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="It looks into /proc.")]

AT_ONCE = 20
"""Seconds, on a machine that has other things to do. What runs would take three times as long."""
DEAF = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True: pass
"""


def below(pid: int) -> Iterator[tuple[int, str]]:
    """Yield all processes below a process, each with the time of its start, which tells it from a later one."""
    children: dict[int, list[tuple[int, str]]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        children.setdefault(int(fields[1]), []).append((int(path.parent.name), fields[19]))
    waiting = [pid]
    while waiting:
        for child in children.get(waiting.pop(), []):
            yield child
            waiting.append(child[0])


def lives(process: tuple[int, str]) -> bool:
    """Say whether a process is still there."""
    try:
        text = Path(f"/proc/{process[0]}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[19] == process[1]


@pytest.mark.parametrize("whom", ["the command", "all in the terminal"])
def test_interrupt_ends_the_run_and_the_next_goes_on(empty_course: Path, whom: str) -> None:
    """Also with code that ignores the signal; what was graded stays, and the points are those of a run that nobody stopped."""
    with (empty_course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.AutograderApp.accept_unjailed = True\nc.AutograderApp.limits = {'cell_seconds': 30}\n")
    hand_in(empty_course, "ana", GOOD)
    hand_in(empty_course, "loops", GOOD | {"double": "while True: pass"})
    hand_in(empty_course, "zoe", GOOD | {"double": DEAF})
    running = subprocess.Popen(
        command("grade", ASSIGNMENT, "--workers=3"),
        cwd=empty_course,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    for line in running.stdout:
        if line.startswith("[1/3]"):
            break
    started = list(below(running.pid))
    if whom == "the command":
        running.send_signal(signal.SIGINT)
    else:
        os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=AT_ONCE)
    left = [process for process in started if lives(process)]

    stopped = translate("es", "Stopped. What was graded is saved: run the same command to go on.")
    assert (running.returncode, errors) == (130, f"{stopped}\n")
    assert len(started) >= 5  # the nursery, and two submissions with their rooms
    assert left == []
    assert scores(empty_course / "gradebook.db") == {"ana": 7}
    settings = empty_course / "nbgrader_config.py"
    assert not list((empty_course / "autograded").glob("zoe"))
    for student in ("loops", "zoe"):
        path = empty_course / "submitted" / student / ASSIGNMENT / "first.ipynb"
        text = path.read_text(encoding="utf-8").replace("while True: pass", "double = lambda x: 0")
        path.write_text(text, encoding="utf-8")
    assert settings.is_file()
    done = autograder(empty_course, "grade", ASSIGNMENT)
    assert (done.returncode, done.stderr) == (0, "")
    assert translate("es", "To grade: {total}. Unchanged: {kept}.", total=2, kept=1) in done.stdout
    assert scores(empty_course / "gradebook.db") == {"ana": 7, "loops": 5, "zoe": 5}
