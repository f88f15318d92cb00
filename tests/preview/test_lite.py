"""JupyterLite beside the site: complete, without a solution, asking nobody else; its notebooks run to their end in Chromium."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser, Locator, Page, expect

from bentocola.messages import LANGUAGES, translate
from bentocola.signs import symbol
from preview import lite, live, notebooks, places
from preview.lite import made
from preview.site import build
from tests.browser.chromium import NEEDS_CHROMIUM, shoot
from tests.jupyterlab import serve
from tests.mutants import mutants
from tests.notebooks.editions import fill
from tests.preview.elsewhere import elsewhere, enclosed
from tests.preview.sites import served
from tests.repository import ROOT
from tests.test_no_solutions import canaries, leaks
from tools import npm

pytestmark = pytest.mark.slow

LESSON = "01-upload-to-table"
MENU = {"es": "Archivo", "ja": "ファイル"}
CONFIGURATION = {"jupyter-lite.json", "jupyter-lite.ipynb", "pyodide-lock.json", "all.json"}
MISTAKEN = "01/wrong/reads-consistently-first"
"""A wrong answer to the assignment's `save_once`."""
NEEDS_A_TERMINAL = (
    "**This lab needs a terminal, and a page has none.** You can read it here. "
    "To do it, open the course on your computer."
)
A_VIEW = """\
import boto3

import bentocola

cloud = bentocola.start("{language}")
boto3.client("sqs").create_queue(QueueName="seen")
cloud.view()
"""


@pytest.fixture(scope="module")
def with_lite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site with JupyterLite, in a folder."""
    folder = tmp_path_factory.mktemp("lite") / "site"
    build(ROOT, folder, with_lite=True)
    return folder


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value, but for the names of schemas: these are names, and nobody fetches them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from texts(one if key != "$schema" else None)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


# What is there


def test_its_settings_name_no_other_place(with_lite: Path) -> None:
    """Nor do its lists of packages and files; and no database is there that an earlier build would have left."""
    read = [path for path in (with_lite / "lite").rglob("*") if path.name in CONFIGURATION]
    named = {path: [text for text in texts(json.loads(path.read_text())) if "//" in text] for path in read}

    assert {path.name for path in read} == CONFIGURATION
    assert {path: found for path, found in named.items() if found} == {}
    assert not [
        path for path in (with_lite / "lite").rglob("*") if "doit" in path.name or path.suffix in (".db", ".map")
    ]


def test_python_is_the_pages_own(with_lite: Path) -> None:
    """From the same folder; each package that the kernel's lock names is there, and nothing is looked for anywhere else."""
    settings = json.loads((with_lite / "lite/jupyter-lite.json").read_text())["jupyter-config-data"]
    kernel = settings["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    lock = json.loads((with_lite / "lite/pyodide-lock.json").read_text())["packages"]

    assert kernel["disablePyPIFallback"] is True
    assert (with_lite / "lite" / kernel["pyodideUrl"]).is_file()
    assert [one["name"] for one in lock.values() if not (with_lite / "lite" / one["file_name"]).is_file()] == []
    assert {want for one in lock.values() for want in one["depends"]} <= set(lock)
    assert set(kernel["loadPyodideOptions"]["packages"]) <= set(lock)
    assert not [path for path in (with_lite / "lite").rglob("*") if path.name.startswith("pyodide.")]


def test_each_of_its_pages_has_a_policy(with_lite: Path) -> None:
    """That names no other place, and lets no script in that is not known."""
    pages = sorted((with_lite / "lite").rglob("*.html"))
    found = {path: BeautifulSoup(path.read_text(), "html.parser").select("meta[http-equiv]") for path in pages}
    policies = {path: str(one[0]["content"]) for path, one in found.items()}

    assert len(pages) == 1 + 2 * len(LANGUAGES)
    for policy in policies.values():
        assert re.match(r"default-src '(self|none)'", policy)
        assert "//" not in policy
        assert "*" not in policy
        assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]


def test_its_makers_licences_are_in_it(with_lite: Path) -> None:
    """Of each package that files are from, and in each wheel."""
    folder = with_lite / "lite"

    assert len([path for path in (folder / "licenses").iterdir() if "opyright" in path.read_text()]) == 6
    for path in (folder / "packages").glob("*_local*.whl"):
        with zipfile.ZipFile(path) as wheel:
            named = [name for name in wheel.namelist() if ".dist-info/licenses/" in name]
        assert named or path.name.startswith(("micropip-", "piplite-")), path.name


def test_no_solution_is_in_it(with_lite: Path) -> None:
    """Nor a hidden test, nor a mark scheme."""
    assert leaks(with_lite / "lite", canaries(ROOT)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_notebooks_are_the_students_copies(with_lite: Path, language: str) -> None:
    """Every one of them, as a page knows them; each link between them leads to one; a lab says that it needs a terminal."""
    files = with_lite / "lite" / "files"
    course = places.places(ROOT, language)
    folder = {"assignment": "assignments/{0}/{0}.ipynb"}
    expected = {f"{language}/{folder.get(one.kind, '{0}.ipynb').format(one.name)}" for one in course}
    found = {path.relative_to(files).as_posix(): path for path in files.glob(f"{language}/**/*") if path.is_file()}

    assert set(found) == expected
    assert {str(one).partition("path=")[2] for one in (lite.address(place, language) for place in course)} - {""} == {
        name for name in expected if "-lab" not in name
    }
    for name, path in found.items():
        text = "\n".join(
            cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"
        )
        for link in re.findall(r"\]\(([^)#:]+\.\w+)\)", text):
            assert (path.parent / link).resolve().is_file() or link.endswith(".py"), (name, link)
        assert "jupyterlab-workspace" not in text
        assert ("-lab.ipynb" in name) == (translate(language, NEEDS_A_TERMINAL) in text)


def test_a_page_leads_to_its_notebook(with_lite: Path, site: Path) -> None:
    """In its own language; not from a lab, which needs a terminal. A site without JupyterLite has nothing of it."""
    for language in LANGUAGES:
        for place in places.places(ROOT, language):
            page = with_lite / language / f"{place.page}.html"
            links = [str(a["href"]) for a in BeautifulSoup(page.read_text(), "html.parser").select("a[href*='/lite/']")]
            assert links == ([f"../{lite.address(place, language)}"] if place.kind != "lab" else [])
    assert not (site / "lite").exists()
    assert "/lite/" not in (site / "es" / f"{LESSON}.html").read_text()


def test_nothing_changed_makes_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was made once is there again, as it was."""
    python = live.python(ROOT, npm.install(ROOT / "preview"))
    files = lite.files(ROOT, python)
    monkeypatch.setattr(made, "_made", lambda *_: pytest.fail("It is made anew."))

    assert lite.files(ROOT, python) == files


def test_a_students_jupyterlab_has_none_of_it(tmp_path: Path) -> None:
    """The environment that makes the site has JupyterLite's kernel; JupyterLab on a machine does not try to load it."""
    (tmp_path / "course").mkdir()
    with serve(tmp_path / "course", tmp_path) as server:
        page = BeautifulSoup(server.get("lab"), "html.parser").select_one("#jupyter-config-data")
    assert page is not None
    loaded = [one["name"] for one in json.loads(page.get_text())["federated_extensions"]]

    assert "anywidget" in loaded
    assert [name for name in loaded if "jupyterlite" in name] == []


# What runs


class Lab:
    """A visit to JupyterLite, in a browser that reaches the site and nobody else."""

    def __init__(self, address: str, page: Page) -> None:
        self.address, self.page = address, page
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def open(self, language: str, path: str) -> None:
        """Open a notebook by its address."""
        self.page.goto(f"{self.address}lite/{language}/lab/index.html?path={path}")

    def run_all(self) -> Locator:
        """Run the open notebook from top to bottom, and return its code cells once the last one has run."""
        expect(self.panel.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute(
            "data-status", "idle", timeout=60_000
        )
        self.panel.locator(".jp-Cell").first.click()
        self.page.locator(".lm-MenuBar-item").nth(3).click()
        self.page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()
        cells = self.panel.locator(".jp-CodeCell")
        expect(cells.last.locator(".jp-InputPrompt")).to_have_text(re.compile(r"^\[\d+\]:$"), timeout=180_000)
        for red in ("error", "stderr"):
            assert self.page.locator(f"[data-mime-type='application/vnd.jupyter.{red}']").all_inner_texts() == []
        return cells


@pytest.fixture(scope="module")
def browser(with_lite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, str]]:
    """A browser that reaches only JupyterLite, which draws also what is out of view; a view and a wrong answer are in it."""
    folder = tmp_path_factory.mktemp("lite") / "prepared"
    shutil.copytree(with_lite, folder)
    wrong = next(mutant for mutant in mutants() if str(mutant) == MISTAKEN)
    for language in LANGUAGES:
        settings = folder / "lite" / language / "jupyter-lite.json"
        told = json.loads(settings.read_text())
        told["jupyter-config-data"]["settingsOverrides"]["@jupyterlab/notebook-extension:tracker"] = {
            "windowingMode": "none"
        }
        settings.write_text(json.dumps(told))
        files = folder / "lite" / "files" / language
        start = nbformat.read(files / "00-start-here.ipynb", as_version=4)
        start.cells = [new_code_cell(A_VIEW.format(language=language))]
        nbformat.write(start, files / "00-start-here.ipynb")
        assignment = files / "assignments" / LESSON / f"{LESSON}.ipynb"
        notebook = nbformat.read(assignment, as_version=4)
        written = {cell: fill(text, language) for cell, text in wrong.sections}
        last = max(n for n, cell in enumerate(notebook.cells) if cell.id.startswith("test-save-once"))
        del notebook.cells[last + 1 :]
        for cell in notebook.cells:
            cell.source = written.get(cell.id, cell.source)
        nbformat.write(notebook, assignment)
    with served(folder) as found, elsewhere() as asked, enclosed(found.address, asked.port) as chromium:
        yield chromium, found.address
    assert asked.asked == []


@pytest.fixture
def lab(browser: tuple[Browser, str]) -> Iterator[Lab]:
    """A first visit. Whatever it asked for, it asked of the site."""
    chromium, address = browser
    page = chromium.new_context(viewport={"width": 1280, "height": 3000}).new_page()
    page.set_default_timeout(60_000)
    yield Lab(address, page)
    page.context.close()


def printed(cell: Any) -> str:
    """Return what a cell of a notebook printed."""
    return "".join(one.text for one in cell.get("outputs", []) if one.output_type == "stream").strip()


class TestInChromium:
    """What a reader meets there."""

    pytestmark = NEEDS_CHROMIUM

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_lesson_runs_to_its_end(self, lab: Lab, language: str) -> None:
        """From the link of its page: the interface is in its language, its cells print what they print in JupyterLab.

        Nothing is installed first, and the stepper draws and steps.
        """
        lab.page.goto(f"{lab.address}{language}/{LESSON}.html")
        lab.page.locator(".lite a").click()
        expect(lab.page.get_by_role("menuitem", name=MENU[language], exact=True)).to_be_visible()
        cells = lab.run_all()
        lesson = next(one for one in places.places(ROOT, language) if one.name == LESSON)
        ran = notebooks.lesson(ROOT, lesson, language)
        expected = [printed(cell) for cell in ran.cells if cell.cell_type == "code"]
        shown = [cell.locator(".jp-OutputArea").first.inner_text().strip() for cell in cells.all()]
        pairs = [(text, seen) for text, seen in zip(expected, shown, strict=True) if text]

        assert len(pairs) > 10
        assert [seen for _, seen in pairs] == [text for text, _ in pairs]
        stepper = lab.page.locator(".bc").first
        expect(stepper).to_be_visible()
        stepper.locator("[data-options='prediction'] input").first.check()
        stepper.locator("[data-do='run']").click()
        place = stepper.locator("output").first
        before = place.inner_text()
        stepper.locator("[data-do='next']").click()
        expect(place).not_to_have_text(before)
        stepper.scroll_into_view_if_needed()
        shoot(lab.page, f"lite-{language}")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_cloud_shows_itself(self, lab: Lab, language: str) -> None:
        """`cloud.view()` draws what is in it."""
        lab.open(language, f"{language}/00-start-here.ipynb")
        lab.run_all()

        expect(lab.page.locator(".aws").first).to_contain_text("seen")
        shoot(lab.page, f"lite-view-{language}")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_wrong_answer_gets_its_story(self, lab: Lab, language: str) -> None:
        """Under the assignment's test stands the verdict, and what happened, step by step."""
        lab.open(language, f"{language}/assignments/{LESSON}/{LESSON}.ipynb")
        cells = lab.run_all()
        tests = [cell for cell in cells.all() if "with check(" in cell.inner_text()]
        shown = {cell: cell.locator(".jp-OutputArea-output").first for cell in tests}
        told = [
            cell
            for cell, report in shown.items()
            if "save_once" in report.inner_text() and report.locator("ol li").count() >= 2
        ]

        assert told
        assert shown[told[0]].inner_text().startswith(symbol(language, "none"))
        told[0].locator("details summary").first.click()
        expect(told[0].locator("[data-do='next']")).to_be_visible()
        told[0].scroll_into_view_if_needed()
        shoot(lab.page, f"lite-assignment-{language}")

    def test_a_reader_changes_the_language(self, lab: Lab) -> None:
        """By the menu, as in JupyterLab: both packs are there."""
        lab.open("es", "es/00-start-here.ipynb")
        lab.page.get_by_role("menuitem", name="Configuración", exact=True).click()
        lab.page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Idioma")).hover()
        lab.page.locator(".lm-Menu-itemLabel", has_text="日本語").click()
        lab.page.locator(".jp-Dialog .jp-mod-accept").click()

        expect(lab.page.get_by_role("menuitem", name=MENU["ja"], exact=True)).to_be_visible()

    def test_its_entrances_are_accessible(self, lab: Lab) -> None:
        """The page that leads to both languages."""
        lab.page.goto(f"{lab.address}lite/index.html")

        assert [one["id"] for one in Axe().run(lab.page).response["violations"]] == []
        lab.page.get_by_role("link", name="日本語").click()
        expect(lab.page.get_by_role("menuitem", name=MENU["ja"], exact=True)).to_be_visible()
