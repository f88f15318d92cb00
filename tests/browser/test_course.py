"""The course in a real browser, as a student meets it: JupyterLab in Debian's Chromium, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bentocola.signs import symbol
from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, hosts_of, shoot
from tests.browser.student import make_home
from tests.jupyterlab import Server, serve
from tests.mutants import mutants
from tests.notebooks.editions import fill

ASSIGNMENT = "01-upload-to-table"
# What run cell 3 of lesson 01 prints.
BATCH = {"es": "borrados: ['m-1', 'm-3']\nquedan: ['m-2']", "ja": "消した: ['m-1', 'm-3']\n残した: ['m-2']"}

pytestmark = NEEDS_CHROMIUM


MISTAKEN = {
    "save-once": "01/wrong/reads-consistently-first",
    "work-batch": "01/wrong/batch-deleted-before-work",
    "handler": "01/wrong/test-event-ends-the-run",
}
"""Wrong answers, by their cells."""


def solve(released: Path, source: Path, language: str) -> None:
    """Write beside a released assignment `solved.ipynb`, with the source's answers, and `mistaken.ipynb`, with wrong ones."""
    cells = nbformat.read(source, as_version=4).cells
    answers = {cell.id: cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")}
    wrong = {str(mutant): mutant for mutant in mutants()}
    mistakes = {cell: fill(text, language) for name in MISTAKEN.values() for cell, text in wrong[name].sections}
    for stem, written in (("solved", answers), ("mistaken", answers | mistakes)):
        notebook = nbformat.read(released, as_version=4)
        for cell in notebook.cells:
            cell.source = written.get(cell.id, cell.source)
        nbformat.write(notebook, released.with_stem(stem))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab over a fresh student's folder, which also holds a solved assignment. No AWS setting of this machine counts."""
    home = tmp_path_factory.mktemp("student")
    course = make_home(home)
    for language in LANGUAGES:
        name = f"{ASSIGNMENT}/{ASSIGNMENT}.ipynb"
        solve(course / language / "assignments" / name, home / "assignments" / language / "source" / name, language)
    with serve(course, home) as running:
        yield running


class Lab:
    """One visit: a browser of its own, and every address that its pages asked for."""

    def __init__(self, browser: Browser, server: Server) -> None:
        # Tall enough for a picture of a whole lesson.
        self.page: Page = browser.new_context(viewport={"width": 1280, "height": 8000}).new_page()
        self.page.set_default_timeout(30_000)
        self.hosts = hosts_of(self.page)
        self._server = server

    def open(self, path: str) -> None:
        """Open a file of the course in an empty workspace."""
        self.page.goto(f"{self._server.address}/lab/tree/{path}?token={self._server.token}&reset")

    def run_all(self) -> Locator:
        """Run the open notebook from top to bottom, and return its code cells once the last one has run."""
        notebook = self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        # The indicator says idle before there is a kernel too.
        expect(notebook.locator(".jp-Toolbar-kernelName")).to_have_text("Python 3 (ipykernel)", timeout=60_000)
        expect(notebook.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute(
            "data-status", "idle", timeout=60_000
        )
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        cells = notebook.locator(".jp-CodeCell")
        number = re.compile(r"^\[\d+\]:$")
        expect(cells.last.locator(".jp-InputPrompt")).to_have_text(number, timeout=90_000)
        self.page.keyboard.press("Control+b")  # the file list gives its room to the notebook
        return cells

    def shoot(self, name: str) -> None:
        """Keep a picture, if anybody asked for one."""
        shoot(self.page, name)


@pytest.fixture
def lab(browser: Browser, server: Server) -> Iterator[Lab]:
    """A visit. Whatever it asked for, it asked of this machine."""
    visit = Lab(browser, server)
    yield visit
    assert visit.hosts == {"127.0.0.1"}
    visit.page.context.close()


def outputs(cells: Locator) -> list[str]:
    """Return the text under each code cell."""
    return [cell.locator(".jp-OutputArea").first.inner_text().strip() for cell in cells.all()]


def reported(cells: Locator) -> list[str]:
    """Return the text of the report under each test cell."""
    tests = [cell for cell in cells.all() if "with check(" in cell.inner_text()]
    return [cell.locator(".jp-OutputArea-output").first.inner_text().strip() for cell in tests]


@pytest.mark.parametrize(("language", "link"), [("es", "Empieza aquí"), ("ja", "ここから始めましょう")])
def test_the_start_page_leads_to_each_language(lab: Lab, language: str, link: str) -> None:
    """A student opens the course, picks a language by its link, and has the start notebook of that language."""
    lab.open("start.md")
    lab.page.get_by_role("link", name=link).click()

    title = lab.page.locator(".jp-NotebookPanel .jp-RenderedMarkdown h1").first
    expect(title).to_contain_text("Empieza aquí" if language == "es" else "はじめに")
    lab.shoot(f"start-{language}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", ["00-start-here", "01-upload-to-table"])
def test_a_lesson_runs_to_its_end(lab: Lab, language: str, lesson: str) -> None:
    """Run All goes through a lesson without one error, and nothing is written on red."""
    lab.open(f"{language}/{lesson}.ipynb")
    shown = "\n".join(outputs(lab.run_all()))
    lab.shoot(f"{lesson}-{language}")

    for red in ("error", "stderr"):
        assert lab.page.locator(f"[data-mime-type='application/vnd.jupyter.{red}']").count() == 0
    assert "✗" not in shown
    if lesson == "01-upload-to-table":
        assert BATCH[language] in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_blank_assignment_says_so_under_each_test(lab: Lab, language: str) -> None:
    """A released assignment, run as it is, shows a sentence under each of its tests, and no traceback anywhere."""
    lab.open(f"{language}/assignments/{ASSIGNMENT}/{ASSIGNMENT}.ipynb")
    cells = lab.run_all()
    lab.shoot(f"assignment-blank-{language}")

    said = reported(cells)
    assert len(said) == 19
    assert {text[0] for text in said} == {symbol(language, "blank"), symbol(language, "none")}
    assert lab.page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_solved_assignment_passes_each_test(lab: Lab, language: str) -> None:
    """With an answer in each cell, every test shows the sign of what is right in its language."""
    lab.open(f"{language}/assignments/{ASSIGNMENT}/solved.ipynb")
    cells = lab.run_all()
    lab.shoot(f"assignment-solved-{language}")

    said = reported(cells)
    assert len(said) == 19
    assert {text[0] for text in said} == {symbol(language, "full")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_answers_get_their_story(lab: Lab, language: str) -> None:
    """Under each of three wrong answers stands what happened, as a numbered story, and a stepper that opens on a click."""
    lab.open(f"{language}/assignments/{ASSIGNMENT}/mistaken.ipynb")
    cells = lab.run_all()
    tests = [cell for cell in cells.all() if "with check(" in cell.inner_text()]
    failed = [
        cell for cell in tests if symbol(language, "none") in cell.locator(".jp-OutputArea-output").first.inner_text()
    ]
    told = [cell for cell in failed if cell.locator(".jp-OutputArea-output ol li").count() >= 2]

    for answer in MISTAKEN:
        assert any(
            answer.replace("-", "_") in cell.locator(".jp-OutputArea-output").first.inner_text() for cell in told
        )
    fold = told[0].locator("details, [aria-expanded]").first
    fold.scroll_into_view_if_needed()
    lab.shoot(f"assignment-mistaken-{language}")
    fold.locator("summary").or_(fold).first.click()
    lab.shoot(f"assignment-replay-{language}")
    assert lab.page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0


@pytest.mark.parametrize(("choice", "menu"), [("Español", "Archivo"), ("日本語", "ファイル")])
def test_the_interface_speaks_the_students_language(lab: Lab, choice: str, menu: str) -> None:
    """Both language packs are there: the menu that the start notebook names changes the interface."""
    lab.open("start.md")
    lab.page.get_by_role("menuitem", name=re.compile("Settings|Configuración|設定")).click()
    lab.page.locator(".lm-Menu-itemLabel", has_text=re.compile("^(Language|Idioma|言語)")).hover()
    lab.page.locator(".lm-Menu-itemLabel", has_text=choice).click()
    lab.page.locator(".jp-Dialog .jp-mod-accept").click()

    expect(lab.page.get_by_role("menuitem", name=menu, exact=True)).to_be_visible(timeout=60_000)
