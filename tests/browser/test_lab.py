"""Lab 05 as a student does it in JupyterLab: the three panels that a link opens, and every command of the notebook, typed."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from bentocola.messages import translate
from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, shoot
from tests.jupyterlab import Server, serve
from tests.labs.student import SOLUTION
from tests.repository import ROOT

pytestmark = NEEDS_CHROMIUM

LINK = {"es": "Laboratorio 05", "ja": "ラボ05"}
_PATIENCE_MS = 90_000
"""JupyterLab, a kernel, a lab and its functions begin on a machine that may be slow."""
_COMMANDS = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A student's folder with the lessons."""
    folder = tmp_path_factory.mktemp("student") / "course"
    shutil.copytree(
        ROOT / "lessons", folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints", "idempotent-consumer")
    )
    return folder


@pytest.fixture(scope="module")
def server(course: Path) -> Iterator[Server]:
    """JupyterLab over that folder. Its labs are its own, and a screen reader can read its terminals; so can a test."""
    settings = course.parent / ".config/lab/user-settings/@jupyterlab/terminal-extension/plugin.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"screenReaderMode": True}))
    # A socket's path has some hundred bytes, and pytest's folders are longer.
    with tempfile.TemporaryDirectory(prefix="lab-") as short, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", short)
        patch.setenv("SHELL", "/bin/bash")
        with serve(course, course.parent) as running:
            yield running


class Student:
    """Somebody who does the lab from its notebook."""

    def __init__(self, page: Page, notebook: Path) -> None:
        self.page = page
        self.cells = nbformat.read(notebook, as_version=4).cells
        self.view = page.locator(".jp-LinkedOutputView")
        self._notebook = page.locator(".jp-Notebook")
        self._number = count(1)

    def go_through(self, cell: str) -> None:
        """Run the notebook's cells with Shift + Enter, from the current one up to this one."""
        active = self._notebook.locator(".jp-Cell.jp-mod-active")
        active.focus()
        place = [one.id for one in self.cells].index(cell)
        while True:
            index = int(active.get_attribute("data-windowed-list-index") or 0)
            self.page.keyboard.press("Shift+Enter")
            expect(active).not_to_have_attribute("data-windowed-list-index", str(index))
            if index >= place:
                break

    def type_commands(self, cell: str) -> None:
        """Type each command that a cell of the notebook shows, and wait for its answer."""
        (text,) = [one.source for one in self.cells if one.id == cell]
        for block in _COMMANDS.findall(text):
            self.type(block)

    def type(self, text: str) -> None:
        """Type into the terminal, and wait until all of it has run."""
        number = next(self._number)
        self.page.locator(".jp-Terminal .xterm-helper-textarea").focus()
        # What is typed does not read as what is printed.
        self.page.keyboard.type(f'{text.strip()}\necho do""ne-{number}\n')
        terminal = self.page.locator(".jp-Terminal .xterm-accessibility")
        expect(terminal).to_contain_text(f"done-{number}")

    def write_code(self, text: str) -> None:
        """Open the code by the notebook's link, write it in the editor, save it, and come back."""
        self.page.locator(".jp-NotebookPanel a[href*='app.py']").click()
        editor = self.page.locator(".jp-FileEditor .cm-content")
        expect(editor).to_contain_text("put_item")
        editor.focus()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        expect(self.page.locator(".lm-TabBar-tab.jp-mod-dirty", has_text="app.py")).to_be_visible()
        shoot(self.page, "lab-code")
        self.page.keyboard.press("Control+s")
        expect(self.page.locator(".lm-TabBar-tab.jp-mod-dirty", has_text="app.py")).to_have_count(0)
        self.page.locator(".lm-TabBar-tab", has_text="05-idempotent").click()

    def widths(self) -> tuple[float, ...]:
        """Return how wide the instructions, the terminal and the view are, in pixels."""
        panels = (".jp-NotebookPanel", ".jp-Terminal", ".jp-LinkedOutputView")
        return tuple((self.page.locator(panel).bounding_box() or {}).get("width", 0) for panel in panels)

    def says(self, cell: str) -> str:
        """Return what stands under a code cell of the notebook, once it has run."""
        code = [one.id for one in self.cells if one.cell_type == "code"]
        found = self._notebook.locator(".jp-CodeCell").nth(code.index(cell))
        expect(found.locator(".jp-InputPrompt")).to_have_text(re.compile(r"^\[\d+\]:$"))
        expect(found.locator(".jp-OutputArea-output").first).to_be_visible()
        return found.locator(".jp-OutputArea").first.inner_text()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A small laptop's screen, with the start page on it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(_PATIENCE_MS)
    expect.set_options(timeout=_PATIENCE_MS)
    page.goto(f"{server.address}/lab/tree/start.md?token={server.token}&reset")
    yield page
    expect.set_options(timeout=None)
    context.close()


def open_panels(page: Page, language: str, course: Path) -> Student:
    """Open the lab by the start page's link."""
    page.get_by_role("link", name=LINK[language]).press("Enter")
    page.wait_for_url(f"**/lab/workspaces/lab05-{language}**")
    student = Student(page, course / language / "05-idempotent-consumer-lab.ipynb")
    expect(student.view).to_be_visible()
    expect(page.locator(".jp-Terminal")).to_be_visible()
    # The notebook's own indicator has no room there; the window's last line has one.
    expect(page.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_visible()
    return student


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lab_from_its_notebook_alone(page: Page, course: Path, language: str) -> None:
    """Each command gives what the notebook says: the view shows it, each check holds, and so does the clean-up's."""
    student = open_panels(page, language, course)
    view = student.view
    proven = translate(language, "Proven: it holds.")

    student.go_through("m05-lab-open")
    expect(view.locator(".aws")).to_be_visible(timeout=60_000)
    student.type_commands("m05-lab-terminal")

    student.type_commands("m05-lab-step-1")
    expect(view).to_contain_text("Enabled")
    student.go_through("m05-lab-check-1")
    assert proven in student.says("m05-lab-check-1")
    shoot(page, f"lab-{language}-step-1")

    student.write_code(SOLUTION)
    assert (course / language / "idempotent-consumer" / "app.py").read_text(encoding="utf-8") == SOLUTION
    student.type_commands("m05-lab-step-2")
    expect(view.locator("[data-section=decisions]")).to_have_attribute("data-total", "1")
    student.go_through("m05-lab-check-2")
    assert proven in student.says("m05-lab-check-2")

    student.type_commands("m05-lab-step-3")
    expect(view.locator("[data-section=decisions]")).to_have_attribute("data-total", "4")
    student.go_through("m05-lab-check-3")
    assert proven in student.says("m05-lab-check-3")
    shoot(page, f"lab-{language}-step-3")

    student.type_commands("m05-lab-step-4")
    expect(view.locator("[data-section=decisions]")).to_have_attribute("data-total", "6")
    student.go_through("m05-lab-cleanup-check")
    assert proven in student.says("m05-lab-cleanup-check")
    student.type("bentocola lab check && bentocola lab cleanup-check && echo both ho''ld")
    expect(page.locator(".jp-Terminal .xterm-accessibility")).to_contain_text("both hold")
    shoot(page, f"lab-{language}-cleaned-up")

    student.go_through("m05-lab-stop")
    assert "idempotent-consumer" in student.says("m05-lab-stop")
