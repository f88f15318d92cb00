"""Where no jail can be had: a run is refused, or graded with the teacher's consent; then each place that tells of it says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import protection
from autograder.leashed import can_fork
from autograder.voice import voice
from tests.autograder.commands import autograder, environment, scores
from tests.autograder.small_course import ASSIGNMENT, GOOD, hand_in
from tests.autograder.test_results import Protected

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_fork(), reason="There is no fork here.")]

UNJAILED = """
import sys
from autograder import protection
from autograder.app import main
from autograder.jail import Protection
level = sys.argv.pop(1)
protection.found = lambda: Protection(level, {}, {})
sys.exit(main())
"""


def on_a_machine_of(level: str, course: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `autograder` as on a machine that gives that level; the rooms are real, and locked as there."""
    command = [sys.executable, "-c", UNJAILED, level, *arguments]
    return subprocess.run(command, cwd=course, env=environment(), capture_output=True, text=True, check=False)


@pytest.mark.parametrize("level", ["C", "D"])
def test_unjailed_run_needs_consent_and_says_so(empty_course: Path, level: str) -> None:
    """Refused with nothing touched; with consent each gets its points, and table, record, `explain` and page name the level."""
    hand_in(empty_course, "ana", GOOD)
    hand_in(empty_course, "exits", GOOD | {"half": "import os; os._exit(3)"})

    refused = on_a_machine_of(level, empty_course, "grade", ASSIGNMENT)
    untouched = not (empty_course / "autograded").exists()
    done = on_a_machine_of(level, empty_course, "grade", ASSIGNMENT, "--accept-unjailed")
    autograder(empty_course, "feedback", ASSIGNMENT)
    told = autograder(empty_course, "explain", "ana", ASSIGNMENT).stdout

    assert (refused.returncode, untouched) == (1, True)
    assert "--accept-unjailed" in refused.stderr
    assert level in refused.stderr
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert scores(empty_course / "gradebook.db") == {"ana": 7, "exits": 2}
    meaning = protection.in_words(voice("es"), Protected(level))  # type: ignore[arg-type]
    assert " ".join(done.stdout.split()).count(meaning) == 2  # before the run, and under its table
    for student in ("ana", "exits"):
        folder = empty_course / ".autograder" / ASSIGNMENT / student
        assert {json.loads(path.read_text("utf-8"))["level"] for path in folder.glob("*.json")} == {level}
    assert voice("es")("Protection level: {level}", level=level) in told
    for language in ("es", "ja"):
        page = (empty_course / "feedback" / "ana" / ASSIGNMENT / "first.html").read_text("utf-8")
        assert voice(language)("Level of protection: {level}. The code ran with few limits.", level=level) in page
