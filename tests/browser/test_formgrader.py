"""Formgrader in a real browser, with the examiner behind its buttons: a teacher grades, corrects by hand, and makes the pages.

Formgrader has a button for one student and none for a whole class: its own page sends a teacher to the command line for that.
Here the button of each student is pressed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from bentocola.messages import translate
from tests.autograder.classroom import BENCH, EXPECTED
from tests.autograder.small_course import nbgrader
from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, shoot
from tests.notebooks.editions import ASSIGNMENT, assignment_source, course_folder, read
from tests.repository import ROOT
from tests.samples import WORDS, reference_answers, samples, submission

pytestmark = NEEDS_CHROMIUM

WAIT = 60_000
"""Milliseconds for a submission to be graded, on a machine that has other things to do."""
TOKEN = "of-the-test"
WORDS_CELL = "answer-in-words"
COMMENT = {"es": "Bien: nombra dos envíos.", "ja": "送信が2つあると書けています。"}


@dataclass(frozen=True)
class Course:
    """A course with submissions that nobody has graded. `scores`: what each is to get, without what a person gives."""

    language: str
    folder: Path
    assignment: str
    notebook: str
    scores: dict[str, float]
    possible: float


def bench(folder: Path) -> Course:
    """Three of the bench course: right, with a mistake, and with a locked cell that was changed."""
    students = ("s00", "s14", "h38_locked_cell_edited_setup")
    shutil.copytree(BENCH / "source", folder / "source")
    settings = (BENCH / "nbgrader_config.py").read_text(encoding="utf-8")
    ours = 'from autograder.nbgrader_plugin import use\n\nuse()\nc.AutograderApp.language = "es"\n'
    (folder / "nbgrader_config.py").write_text(f"{settings}\n{ours}", encoding="utf-8")
    for student in students:
        kind = "hostile" if student.startswith("h") else "submitted"
        shutil.copytree(BENCH / kind / student, folder / "submitted" / student)
    return Course("es", folder, "ps1", "pipeline", {student: EXPECTED[student] for student in students}, 10)


def ours(language: str, folder: Path) -> Course:
    """Three of our assignment: right, with a misconception, and as it was released."""
    shutil.copytree(course_folder(language) / "source", folder / "source")
    shutil.copy2(course_folder(language) / "nbgrader_config.py", folder)
    nbgrader(folder, "generate_assignment", ASSIGNMENT)
    released = read(folder / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")
    reference = reference_answers(assignment_source(language))
    handed_in = [sample for sample in samples() if sample.name in ("functional", "delete-first", "blank")]
    for sample in handed_in:
        path = folder / "submitted" / sample.name / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(submission(sample, language, released, reference), path)
    return Course(language, folder, ASSIGNMENT, ASSIGNMENT, {one.name: one.points for one in handed_in}, 30)


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Run JupyterLab as a teacher does, in the course's folder, for a new user; yield its address."""
    home = folder.parent / f"{folder.name}-home"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "AWS_", "AUTOGRADER"))}
    own = {f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    # A teacher's shell has the environment's programs on its path: nbgrader calls alembic by its name.
    own["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    options = [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        "--ServerApp.port=0",
        f"--IdentityProvider.token={TOKEN}",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options],
        cwd=folder,
        env={**kept, **own, "HOME": str(home), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        assert process.stdout is not None
        said: deque[str] = deque(maxlen=200)
        try:
            for line in process.stdout:
                said.append(line)
                if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                    break
            else:
                raise AssertionError("".join(said))
            drained = Thread(target=said.extend, args=(process.stdout,))
            drained.start()
            yield found[0]
        finally:
            process.terminate()
        drained.join()


class Desk:
    """A teacher's browser: what it asks elsewhere is refused and noted."""

    def __init__(self, browser: Browser, address: str, course: Course) -> None:
        self.course, self._address = course, address
        self._context = browser.new_context(viewport={"width": 1280, "height": 1000})
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(WAIT)
        self.refused: set[str] = set()
        self._context.route("**/*", self._answer)
        self.page.goto(f"{address}/login?token={TOKEN}")

    def _answer(self, route: Route) -> None:
        host = urlsplit(route.request.url).hostname
        if host in ("127.0.0.1", None):
            route.continue_()
        else:
            self.refused.add(host)
            route.abort()

    def open(self, path: str) -> None:
        """Open a page of the server."""
        self.page.goto(f"{self._address}/{path}")

    def open_submissions(self) -> None:
        """Open the list of the assignment's submissions."""
        self.open(f"formgrader/manage_submissions/{self.course.assignment}")
        expect(self.page.locator("#main-table .student-id")).to_have_count(len(self.course.scores))

    def row(self, student: str) -> Locator:
        """Return a student's row."""
        return self.page.locator("#main-table tr").filter(
            has=self.page.locator(".student-id").get_by_text(student, exact=True)
        )

    def press(self, student: str, button: str) -> str:
        """Press a button in a student's row; return the log that formgrader shows when it has worked."""
        self.row(student).locator(f".{button} a").click()
        window = self.page.locator(".modal.in")
        expect(window).to_be_visible(timeout=WAIT)
        log = window.inner_text()
        assert window.get_attribute("id") == "success-modal", log
        window.locator(".modal-footer button").click()
        expect(self.page.locator(".modal")).to_have_count(0)
        return log

    def shows(self, student: str, score: float, status: str) -> None:
        """Assert what the row says."""
        expect(self.row(student).locator(".score")).to_have_text(f"{score:g} / {self.course.possible:g}")
        expect(self.row(student).locator(".status")).to_have_text(status)


@pytest.fixture(scope="module", autouse=True)
def _patient() -> Iterator[None]:
    """What is expected may take as long as anything here."""
    expect.set_options(timeout=WAIT)
    yield
    expect.set_options(timeout=None)


@pytest.fixture(scope="module", params=["bench", *LANGUAGES])
def desk(request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A teacher before formgrader. The tests below go on where the one before has stopped."""
    folder = tmp_path_factory.mktemp(request.param) / "course"
    folder.mkdir()
    course = bench(folder) if request.param == "bench" else ours(request.param, folder)
    if request.param == "bench":
        nbgrader(folder, "generate_assignment", course.assignment)
    with serve(folder) as address:
        yield Desk(browser, address, course)


def test_buttons_grade(desk: Desk) -> None:
    """One student's button grades that one; the others' come after it. The page shows each score, and the log tells of it."""
    is_open = desk.course.assignment == ASSIGNMENT
    desk.open_submissions()
    first, *others = desk.course.scores
    for student in desk.course.scores:
        expect(desk.row(student).locator(".status")).to_have_text("needs autograding")

    log = desk.press(first, "autograde")

    said = "{student}: {earned} of {possible} points"
    points = {"earned": f"{desk.course.scores[first]:g}", "possible": f"{desk.course.possible:g}"}
    assert translate(desk.course.language, said, student=first, **points) in log
    expect(desk.row(others[0]).locator(".status")).to_have_text("needs autograding")
    for student in others:
        desk.press(student, "autograde")
    for student, score in desk.course.scores.items():
        # A cell that was left as it was released needs nobody to say that it is worth nothing.
        desk.shows(student, score, "needs manual grading" if is_open and student != "blank" else "graded")
    shoot(desk.page, f"formgrader-{desk.course.folder.parent.name}")
    assert desk.refused == set()


def test_person_corrects_and_the_page_says_so(desk: Desk) -> None:
    """Points and a comment given in formgrader's page stay when the button grades again, and stand in our page, whole."""
    course, page = desk.course, desk.page
    is_open = course.assignment == ASSIGNMENT
    student = next(iter(course.scores))
    sum_by_hand = course.scores[student]
    desk.open_submissions()
    desk.row(student).locator(".student-name a").click()
    page.get_by_role("link", name=course.notebook, exact=True).click()
    # What is typed before formgrader has asked for the scores is not noticed.
    page.wait_for_load_state("networkidle")
    cell = WORDS_CELL if is_open else "test1"
    score = page.locator(f"#{cell}")
    expect(score).to_be_visible()
    if is_open:
        expect(page.locator("#notebook-container").last).to_contain_text(WORDS[course.language])
    else:
        expect(score).to_have_attribute("placeholder", re.compile(r"^2(\.0)?$"))
    given = 2.5 if is_open else 1.5
    with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.ok):
        score.fill(str(given))
        score.press("Tab")
    comment = page.locator(f"#{WORDS_CELL if is_open else 'sol1'}-comment")
    with page.expect_response(lambda answer: "/api/comment/" in answer.url and answer.ok):
        comment.fill(COMMENT[course.language])
        comment.blur()
    shoot(page, f"formgrader-by-hand-{course.folder.parent.name}", whole=True)
    sum_by_hand += given if is_open else given - 2
    desk.open_submissions()
    desk.shows(student, sum_by_hand, "graded")

    desk.press(student, "autograde")
    # As with nbgrader: what was given by hand counts, and is to be looked at again.
    desk.shows(student, sum_by_hand, "needs manual grading")
    for each in course.scores:
        desk.press(each, "generate-feedback")
    page.goto((course.folder / "feedback" / student / course.assignment / f"{course.notebook}.html").as_uri())

    text = page.locator("body")
    expect(page.locator(f".edition[lang={course.language}]")).to_be_visible()
    expect(text).to_contain_text(f"{sum_by_hand:g}")
    expect(text).to_contain_text(COMMENT[course.language])
    shoot(page, f"formgrader-page-{course.folder.parent.name}", whole=True)
    for other in course.scores:
        html = (course.folder / "feedback" / other / course.assignment / f"{course.notebook}.html").read_text("utf-8")
        assert "Content-Security-Policy" in html
        assert "HIDDEN" not in html
        assert "SECRETO" not in html
        assert (other == student) == (COMMENT[course.language] in html)
    assert not desk.refused
