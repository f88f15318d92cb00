"""Where processes are spawned, as on Windows and macOS: told to spawn, Linux grades the same way, and gives the same points."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.autograder.commands import autograder, environment, scores
from tests.autograder.small_course import ASSIGNMENT, GOOD, hand_in

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere all tests spawn.")]

SPAWNING = """
import multiprocessing, sys
multiprocessing.set_start_method("spawn")
from autograder.app import main
sys.exit(main())
"""


def spawning(course: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `autograder` so that it spawns."""
    command = [sys.executable, "-c", SPAWNING, *arguments]
    return subprocess.run(command, cwd=course, env=environment(), capture_output=True, text=True, check=False)


def test_spawned_rooms_grade_as_forked_ones_do(empty_course: Path) -> None:
    """An ordinary submission, one that loops and one that ends its process: a result each, and the causes by name."""
    with (empty_course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.AutograderApp.accept_unjailed = True\nc.AutograderApp.limits = {'cell_seconds': 3}\n")
    hand_in(empty_course, "ordinary", GOOD)
    hand_in(empty_course, "loops", GOOD | {"double": "while True: pass"})
    hand_in(empty_course, "exits", GOOD | {"half": "import os; os._exit(3)"})

    done = spawning(empty_course, "grade", ASSIGNMENT)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert scores(empty_course / "gradebook.db") == {"ordinary": 7, "loops": 5, "exits": 2}
    hits = {}
    for path in (empty_course / ".autograder" / ASSIGNMENT).glob("*/*.json"):
        for hit in json.loads(path.read_text(encoding="utf-8"))["limits"]:
            hits[path.parent.name] = (hit["cell"], hit["cause"])
    assert hits == {"loops": ("double", "time"), "exits": ("half", "exit")}
    again = autograder(empty_course, "grade", ASSIGNMENT, "--force")
    assert again.returncode == 0
    assert scores(empty_course / "gradebook.db") == {"ordinary": 7, "loops": 5, "exits": 2}
