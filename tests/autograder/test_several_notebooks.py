"""An assignment of several notebooks, each taken for itself: what is wrong with one costs the others nothing."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from autograder.leashed import can_fork
from bentocola.messages import translate
from tests.autograder.commands import autograder, scores
from tests.autograder.small_course import ASSIGNMENT, GOOD, hand_in

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_fork(), reason="There is no fork here.")]

ALL, OF_FIRST, OF_SECOND = 7.0, 2.0, 5.0
"""The points that the tests of both give, and each."""


@pytest.fixture
def course(empty_course: Path) -> Path:
    """Return the small course, in which each student's notebooks are in another state."""
    with (empty_course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.AutograderApp.accept_unjailed = True\n")
    for student in ("both", "link", "one", "other", "cut", "none", "ended"):
        hand_in(empty_course, student, GOOD)
    submitted = empty_course / "submitted"
    (submitted / "one" / ASSIGNMENT / "second.ipynb").unlink()
    (submitted / "other" / ASSIGNMENT / "first.ipynb").unlink()
    cut = submitted / "cut" / ASSIGNMENT / "first.ipynb"
    cut.write_bytes(cut.read_bytes()[:300])
    link = submitted / "link" / ASSIGNMENT / "second.ipynb"
    link.rename(empty_course / "elsewhere.ipynb")
    link.symlink_to(empty_course / "elsewhere.ipynb")
    for path in (submitted / "none" / ASSIGNMENT).glob("*.ipynb"):
        path.unlink()
    (submitted / "none" / ASSIGNMENT / "note.txt").write_text("Lo siento.", encoding="utf-8")
    ended = submitted / "ended" / ASSIGNMENT / "first.ipynb"
    ended.write_text(ended.read_text(encoding="utf-8").replace(GOOD["double"], "import os; os._exit(1)"), "utf-8")
    return empty_course


def test_each_notebook_stands_for_itself(course: Path) -> None:
    """Right, missing, cut off, a link, ended by its own code, none at all: a result each, and a page for each notebook."""
    done = autograder(course, "grade", ASSIGNMENT)
    pages = autograder(course, "feedback", ASSIGNMENT)

    assert (done.returncode, done.stderr, pages.returncode) == (0, "", 0), done.stdout
    expected = {"both": ALL, "one": OF_FIRST, "other": OF_SECOND, "cut": OF_SECOND, "link": OF_FIRST, "none": 0.0}
    assert scores(course / "gradebook.db") == {**expected, "ended": OF_SECOND}
    states = {}
    for path in (course / ".autograder" / ASSIGNMENT).glob("*/*.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        states[path.parent.name, path.stem] = (
            record["state"] if record["refusal"] is None else record["refusal"]["code"]
        )
    refused = {key: state for key, state in states.items() if state != "graded"}
    assert refused.pop(("cut", "first")) in ("truncated", "not-json", "no-json", "broken")
    assert refused.pop(("link", "second")) == "link"
    assert refused == {
        ("one", "second"): "no-notebook",
        ("other", "first"): "no-notebook",
        ("none", "first"): "no-notebook",
        ("none", "second"): "no-notebook",
    }
    for student in (*expected, "ended"):
        for name in ("first", "second"):
            assert (course / "feedback" / student / ASSIGNMENT / f"{name}.html").is_file()


def test_one_notebook_of_several(course: Path) -> None:
    """`--notebook` grades that one, and leaves what the other got as it is."""
    autograder(course, "grade", ASSIGNMENT, "--student=both,one", "--notebook=second")
    half = scores(course / "gradebook.db")
    autograder(course, "grade", ASSIGNMENT, "--student=both,one", "--notebook=first")

    assert half == {"both": OF_SECOND, "one": 0.0}
    assert scores(course / "gradebook.db") == {"both": ALL, "one": OF_FIRST}


@pytest.mark.skipif(sys.platform != "linux", reason="Names are any bytes on Linux alone.")
def test_folder_whose_name_is_no_text_is_named(empty_course: Path) -> None:
    """The gradebook could not hold it: a sentence, status 1, nothing half written; all others are graded, run after run."""
    with (empty_course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.AutograderApp.accept_unjailed = True\n")
    hand_in(empty_course, "ana", GOOD)
    hand_in(empty_course, "latin", GOOD)
    submitted = os.fsencode(empty_course / "submitted")
    os.rename(submitted + b"/latin", submitted + b"/se\xf1or")

    done = autograder(empty_course, "grade", ASSIGNMENT)
    again = autograder(empty_course, "grade", ASSIGNMENT, "--language=ja")

    message = "The folder's name {student} is no valid text, so the gradebook cannot hold it. Rename the folder."
    for language, ended in (("es", done), ("ja", again)):
        assert (ended.returncode, ended.stderr) == (1, "")
        assert translate(language, message, student=r"'se\udcf1or'") in ended.stdout
    assert scores(empty_course / "gradebook.db") == {"ana": ALL}
    assert os.listdir(os.fsencode(empty_course / "autograded")) == [b"ana"]
