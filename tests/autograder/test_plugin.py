"""nbgrader's commands and formgrader's calls, with the examiner behind them: options, logs, failures, hooks stay nbgrader's."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbgrader.apps.api
import nbgrader.apps.autogradeapp
import nbgrader.apps.generatefeedbackapp
import nbgrader.converters
import nbgrader.converters.autograde
import pytest
from jupyter_core.application import NoStart
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.nbgraderapp import NbGraderApp
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import nbgrader_converters, nursery, protection
from autograder.nbgrader_plugin import STOCK, use
from autograder.records import Job
from autograder.voice import voice
from bentocola.messages import translate
from tests.autograder import small_course
from tests.autograder.small_course import ASSIGNMENT, Rooms, hand_in
from tests.autograder.test_app import Warm
from tests.autograder.test_results import Protected, rows

PLACES = (nbgrader.converters, nbgrader.apps.autogradeapp, nbgrader.apps.generatefeedbackapp, nbgrader.apps.api)
LINES = "from autograder.nbgrader_plugin import use\n\nuse()\n"


@pytest.fixture(autouse=True)
def _stock_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After each test, nbgrader is as it was."""
    monkeypatch.delenv(STOCK, raising=False)
    names = ("Autograde", "GenerateFeedback")
    before = [(place, name, getattr(place, name)) for place in PLACES for name in names if hasattr(place, name)]
    yield
    for place, name, value in before:
        setattr(place, name, value)


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> Warm:
    """The stand-in for the rooms, on a machine of level A."""
    made = Warm()
    monkeypatch.setattr(nursery, "Nursery", lambda: made)
    monkeypatch.setattr(protection, "found", Protected)
    return made


@pytest.fixture
def course(course_folder: Path, rooms: Rooms) -> Path:
    """The small course, with our two lines in its nbgrader_config.py."""
    with (course_folder / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(LINES)
    return course_folder


def command(course: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run nbgrader in this process, in the course's folder; return its exit status."""
    monkeypatch.chdir(course)
    monkeypatch.setenv("JUPYTER_NO_CONFIG", "1")
    monkeypatch.setattr(sys, "path", list(sys.path))
    NbGraderApp.clear_instance()
    app = NbGraderApp.instance()
    try:
        app.initialize([*arguments, "--NbGrader.logfile=nbgrader.log"])
        app.start()
    except NoStart:  # the subcommand has run
        return 0
    except SystemExit as ended:
        return int(ended.code or 0)
    finally:
        app.reset()
    return 0


def log_of(course: Path) -> str:
    """Return what nbgrader logged."""
    return (course / "nbgrader.log").read_text(encoding="utf-8")


def api(course: Path, **settings: Any) -> NbGraderAPI:
    """Return what formgrader calls, for a course."""
    config = Config(
        {
            "CourseDirectory": {"root": str(course), "course_id": "small"},
            "AutograderApp": {"language": "es"},
            **settings,
        }
    )
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def test_use_changes_the_places_where_nbgrader_looks() -> None:
    """Commands and formgrader find ours; the stock class still finds itself in its own module."""
    stock = nbgrader.converters.autograde.Autograde

    use()
    use()

    assert nbgrader.apps.autogradeapp.Autograde is nbgrader_converters.Autograde
    assert nbgrader.apps.api.Autograde is nbgrader_converters.Autograde
    assert nbgrader.apps.api.GenerateFeedback is nbgrader_converters.GenerateFeedback
    assert nbgrader.apps.generatefeedbackapp.GenerateFeedback is nbgrader_converters.GenerateFeedback
    assert nbgrader.converters.autograde.Autograde is stock


def test_environment_keeps_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the variable set, the same configuration leaves nbgrader as it is."""
    stock = nbgrader.apps.api.Autograde
    monkeypatch.setenv(STOCK, "1")

    use()

    assert nbgrader.apps.api.Autograde is stock


def test_command_grades_and_gives_back(course: Path, monkeypatch: pytest.MonkeyPatch, rooms: Warm) -> None:
    """`nbgrader autograde` saves what was found, and logs the level of protection; `generate_feedback` makes our pages."""
    assert command(course, monkeypatch, "autograde", ASSIGNMENT) == 0
    log = log_of(course)
    assert command(course, monkeypatch, "generate_feedback", ASSIGNMENT) == 0

    assert sorted(rooms.graded) == ["ana", "ken"]
    assert protection.in_words(voice("es"), Protected()) in log  # type: ignore[arg-type]
    scores = {(student, cell): score for student, _, cell, _, score, *_ in rows(course)[1]}
    assert scores["ana", "test-double"] == 2
    page = course / "feedback" / "ana" / ASSIGNMENT / "first.html"
    assert "Content-Security-Policy" in page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o777 == 0o644


def test_options_keep_their_meaning(course: Path, monkeypatch: pytest.MonkeyPatch, rooms: Warm) -> None:
    """--student, --notebook, --force and --create."""
    jobs: list[Job] = []
    rooms.before = jobs.append
    hand_in(course, "kim", {})

    assert (
        command(course, monkeypatch, "autograde", ASSIGNMENT, "--student", "k*", "--notebook", "sec*", "--create") == 0
    )
    assert command(course, monkeypatch, "autograde", ASSIGNMENT, "--student", "ken", "--notebook", "sec*") == 0
    assert (
        command(course, monkeypatch, "autograde", ASSIGNMENT, "--student", "ken", "--notebook", "sec*", "--force") == 0
    )

    assert [(job.student, job.notebooks) for job in jobs] == [
        ("ken", ("second",)),
        ("kim", ("second",)),
        ("ken", ("second",)),
    ]


def test_students_are_not_made_where_the_course_forbids_it(
    course: Path, monkeypatch: pytest.MonkeyPatch, rooms: Warm
) -> None:
    """`create_student = False`: who is not in the gradebook is not graded, and the command fails as nbgrader's does."""
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.Autograde.create_student = False\n")

    assert command(course, monkeypatch, "autograde", ASSIGNMENT) == 1

    assert rooms.graded == []
    assert rows(course)[3] == []
    assert "ana" in log_of(course)


def test_failures_are_nbgraders(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No such assignment, and a machine that cannot jail: exit status 1, and a sentence in the log; with consent it grades."""
    missing = command(course, monkeypatch, "autograde", "hv")
    log = log_of(course)
    monkeypatch.setattr(protection, "found", lambda: Protected("D"))
    unjailed = command(course, monkeypatch, "autograde", ASSIGNMENT)
    accepted = command(course, monkeypatch, "autograde", ASSIGNMENT, "--AutograderApp.accept_unjailed=True")

    assert (missing, unjailed, accepted) == (1, 1, 0)
    assert translate("es", "There is no assignment {name}. The nearest: {names}.", name="hv", names="hw") in log
    assert "--accept-unjailed" in log_of(course)


def test_other_commands_read_the_configuration(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`nbgrader generate_assignment` goes on as ever."""
    assert command(course, monkeypatch, "generate_assignment", ASSIGNMENT, "--force") == 0


def test_no_execute_is_stocks(course: Path, monkeypatch: pytest.MonkeyPatch, rooms: Warm) -> None:
    """`--no-execute` grades the outputs that were handed in, by nbgrader alone."""
    assert command(course, monkeypatch, "autograde", ASSIGNMENT, "--no-execute", "--student", "ana") == 0

    assert rooms.graded == []
    assert (course / "autograded" / "ana" / ASSIGNMENT / "first.ipynb").is_file()


def _in_a_server(function: Any, *arguments: Any) -> Any:
    """Call as formgrader's handlers do: on the thread of a running event loop, which is not the main one."""

    async def handler() -> Any:
        return function(*arguments)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, handler()).result()


def test_formgraders_buttons(course: Path, rooms: Warm) -> None:
    """Called in a server: success and the captured log; a click on one student grades that one, again if need be."""
    use()
    formgrader = api(course)

    first = _in_a_server(formgrader.autograde, ASSIGNMENT, "ana")
    again = _in_a_server(formgrader.autograde, ASSIGNMENT, "ana")
    page = _in_a_server(formgrader.generate_feedback, ASSIGNMENT, "ana")

    assert first["success"]
    assert again["success"]
    assert page["success"]
    assert rooms.graded == ["ana", "ana"]
    assert (
        translate("es", "{student}: {earned} of {possible} points", student="ana", earned="7", possible="15")
        in first["log"]
    )
    assert formgrader.get_autograded_students(ASSIGNMENT) == {"ana"}
    assert (course / "feedback" / "ana" / ASSIGNMENT / "second.html").is_file()


def test_formgrader_shows_why_not(course: Path, rooms: Warm) -> None:
    """What could not be graded is no success, and the log says why."""

    def fails(job: Job) -> None:
        raise RuntimeError("something of ours")

    use()
    rooms.before = fails

    result = _in_a_server(api(course).autograde, ASSIGNMENT, "ana")

    assert not result["success"]
    assert "something of ours" in result["log"]
    assert "ana" in result["log"]


def test_hooks_are_called_for_each_submission(course: Path) -> None:
    """With nbgrader's own arguments; a hook that fails ends nothing."""
    use()
    calls: list[tuple[str, list[str]]] = []

    def before(*, assignment: str, student: str, notebooks: list[str]) -> None:
        calls.append(("before", [Path(path).parts[-3] for path in notebooks]))

    def after(*, assignment: str, student: str, notebooks: list[str]) -> None:
        calls.append(("after", [Path(path).parts[-3] for path in notebooks]))
        raise RuntimeError("a hook's own fault")

    config = Config({"CourseDirectory": {"root": str(course)}})
    directory = CourseDirectory(config=config, assignment_id=ASSIGNMENT)
    converter = nbgrader_converters.Autograde(coursedir=directory, config=config)
    converter.pre_convert_hook, converter.post_convert_hook = before, after
    converter.start()

    assert sorted(calls) == [(when, [who, who]) for when in ("after", "before") for who in ("ana", "ken")]


@pytest.mark.slow
def test_real_command_grades_for_real(course_folder: Path) -> None:
    """`nbgrader autograde` and `generate_feedback` in a process of their own, with the real rooms: right answers get points."""
    with (course_folder / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(LINES + "c.AutograderApp.accept_unjailed = True\n")

    small_course.nbgrader(course_folder, "autograde", ASSIGNMENT)
    small_course.nbgrader(course_folder, "generate_feedback", ASSIGNMENT)

    scores = {(student, cell): score for student, _, cell, _, score, *_ in rows(course_folder)[1]}
    assert (scores["ana", "test-double"], scores["ana", "test-half"], scores["ana", "by-hand"]) == (2, 5, 0)
    assert (scores["ken", "test-double"], scores["ken", "test-half"]) == (0, 0)
    assert (course_folder / "feedback" / "ken" / ASSIGNMENT / "first.html").is_file()
