"""A whole lab 05 in JupyterLab, by keyboard alone: each command of the notebook's text is given; view and terminal are read.

The notebook says that typing and pasting both will do. In Spanish step 1 is typed, key by key; all else is pasted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, hosts_of, shoot
from tests.browser.student import make_home
from tests.jupyterlab import Server, serve
from tests.repository import ROOT

pytestmark = NEEDS_CHROMIUM

LAB = "05-idempotent-consumer-lab"
SOLUTION = (ROOT / "tests/labs/solutions/idempotent_consumer.py").read_text(encoding="utf-8")
PROMPT = "(bentocola lab05)"
ARN = "arn:aws:sqs:us-east-1:123456789012:lab05-jobs"
# Keeps what the terminal is sent, without what is about colours, titles and pasting.
LISTEN = r"""
window.written = "";
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    if (this.url.includes("/terminals/")) {
      this.addEventListener("message", ({ data }) => {
        const [kind, text] = JSON.parse(data);
        window.written += kind === "stdout" ? text : "";
      });
    }
  }
};
window.shown = () => written.replace(/\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r/g, "");
"""

# Of each block of commands, its text and how many pixels its longest line leaves free.
MEASURE = """
(blocks) => blocks.map((block) => {
  block.style.whiteSpace = "pre";
  const text = document.createRange();
  text.selectNodeContents(block);
  const room = block.clientWidth - text.getBoundingClientRect().width;
  block.style.whiteSpace = "";
  return [block.textContent, room];
})
"""
SCROLL_BAR = 15
"""Pixels of it on Windows and Linux; this Chromium hides it."""


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The course of a new student. Its temporary folder is its own, so that no other lab of this machine is found."""
    home, temporary = tmp_path / "student", tmp_path / "t"
    temporary.mkdir()
    for name, value in {"HOME": home, "TMPDIR": temporary, "SHELL": "/bin/bash"}.items():
        monkeypatch.setenv(name, str(value))
    return make_home(home)


@pytest.fixture
def server(course: Path) -> Iterator[Server]:
    """JupyterLab over the course."""
    with serve(course, course.parent) as running:
        yield running


class Terminal:
    """What a student reads in the lab's terminal, as it reaches the page."""

    def __init__(self, page: Page, *, pastes: bool) -> None:
        self._page = page
        self.pastes = pastes
        page.add_init_script(LISTEN)

    def wait(self, text: str, times: int = 1) -> None:
        """Wait until a text was written so many times."""
        self._page.wait_for_function("([text, times]) => shown().split(text).length > times", arg=[text, times])

    def give(self, command: str) -> str:
        """Type or paste a command, and return what it answers once the prompt is there again."""
        before = str(self._page.evaluate("shown()"))
        lines = command.splitlines()
        if self.pastes:
            self._page.evaluate("command => navigator.clipboard.writeText(command)", command)
            self._page.keyboard.press("Control+v")
            self.wait(lines[-1], before.count(lines[-1]) + 1)
            self._page.keyboard.press("Enter")
        else:
            for line in lines:
                self._page.keyboard.type(line)
                self._page.keyboard.press("Enter")
        self.wait(PROMPT, before.count(PROMPT) + 1)
        told = str(self._page.evaluate("shown()"))[len(before) :]
        return told[: told.rindex(PROMPT)].rpartition(f"{lines[-1]}\n")[2]  # without the command itself


class Visit:
    """A student at the keyboard: no mouse."""

    def __init__(self, browser: Browser, server: Server, course: Path, language: str) -> None:
        self.language = language
        self.folder = course / language
        permissions = ["clipboard-read", "clipboard-write"]
        self.page = browser.new_context(viewport={"width": 1600, "height": 1200}, permissions=permissions).new_page()
        self.page.set_default_timeout(60_000)
        expect.set_options(timeout=30_000)
        self.hosts = hosts_of(self.page)
        self.terminal = Terminal(self.page, pastes=language == "ja")
        self.cells = nbformat.read(ROOT / "lessons" / language / f"{LAB}.ipynb", as_version=4).cells
        self._server = server

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, link: str) -> None:
        """Press Tab until a link has the focus."""
        for _ in range(40):
            if self.page.evaluate("link => document.activeElement?.matches(link)", link):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {link}.")

    def open(self) -> None:
        """Open the three panels as the course's start page says."""
        start = nbformat.read(ROOT / "lessons" / self.language / "00-start-here.ipynb", as_version=4).cells
        self.page.goto(
            f"{self._server.address}/lab/tree/{self.language}/00-start-here.ipynb?token={self._server.token}"
        )
        expect(self.page.locator(".jp-NotebookPanel .jp-Cell")).to_have_count(len(start))
        self.cell([cell.id for cell in start].index("m00-labs"))
        self.tab_to(f"a[href*='{LAB}.jupyterlab-workspace']")
        self.press("Enter")
        expect(self.page.locator(".jp-NotebookPanel .jp-Cell")).to_have_count(len(self.cells))
        # The indicator says idle before there is a kernel too.
        expect(self.page.locator(".jp-Toolbar-kernelName")).to_have_text("Python 3 (ipykernel)")
        expect(self.page.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute("data-status", "idle")
        self.terminal.wait("Ctrl+C")

    def go(self, panel: str) -> None:
        """Go to a panel with JupyterLab's own shortcut for the next one."""
        focused = "document.activeElement?.closest('.lm-DockPanel-widget')"
        for _ in range(6):
            if self.page.evaluate(f"panel => {focused}?.matches(`${{panel}}, :has(${{panel}})`) ?? false", panel):
                return
            before = self.page.evaluate(f"{focused}?.id ?? ''")
            self.press("Control+Shift+]")
            self.page.wait_for_function(f"before => {focused} && {focused}.id !== before", arg=before)
        raise AssertionError(f"No panel {panel} takes the focus.")

    def cell(self, index: int) -> Locator:
        """Go to a cell of the notebook, and return it."""
        self.go(".jp-NotebookPanel")
        self.press("Escape")
        cells = "[...document.querySelectorAll('.jp-NotebookPanel .jp-Cell')]"
        active = f"{cells}.findIndex((cell) => cell.matches('.jp-mod-active'))"
        while (at := self.page.evaluate(active)) != index:
            self.press("ArrowDown" if at < index else "ArrowUp")
        return self.page.locator(".jp-NotebookPanel .jp-Cell").nth(index)

    def text_of(self, name: str) -> str:
        """Return the notebook's text of a cell."""
        return str(next(cell.source for cell in self.cells if cell.id == f"m05-lab-{name}"))

    def run(self, name: str) -> str:
        """Run a cell, and return what it shows."""
        cell = self.cell([cell.id for cell in self.cells].index(f"m05-lab-{name}"))
        self.press("Control+Enter")
        expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"^\[\d+\]:$"))
        return "\n".join(cell.locator(".jp-OutputArea-output").all_inner_texts()).strip()

    def blocks(self, name: str) -> list[list[str]]:
        """Return the commands of a cell's text, block by block; a line that ends in a backslash goes on in the next."""
        blocks = re.findall(r"```bash\n(.*?)\n```", self.text_of(name), re.DOTALL)
        return [re.split(r"(?<!\\)\n", block) for block in blocks]

    def blocks_that_wrap(self) -> list[str]:
        """Return the commands that do not fit into the instructions' panel on a small laptop's screen, beside a scroll bar."""
        usual = self.page.viewport_size
        assert usual is not None
        self.page.set_viewport_size({"width": 1280, "height": 800})
        blocks = self.page.locator(".jp-NotebookPanel .jp-RenderedMarkdown pre").evaluate_all(MEASURE)
        self.page.set_viewport_size(usual)
        assert len(blocks) == sum(len(re.findall("```bash", cell.source)) for cell in self.cells)
        return [text for text, room in blocks if room < SCROLL_BAR]

    def commands_told(self) -> list[list[str | bool]]:
        """Return each command in the checks' answers, and whether a small laptop's screen hides a part of it.

        Nothing is to be given to the terminal after that: it writes its prompt again for another width.
        """
        width = "document.querySelector('.jp-NotebookPanel').clientWidth"
        before = self.page.evaluate(width)
        self.page.set_viewport_size({"width": 1280, "height": 800})
        self.page.wait_for_function(f"before => {width} < before", arg=before)
        told = self.page.locator(".jp-NotebookPanel .jp-OutputArea-output li pre").evaluate_all(
            "(blocks) => blocks.map((block) => [block.textContent, block.scrollWidth > block.clientWidth])"
        )
        return list(told)

    def give(self, block: list[str]) -> list[str]:
        """Give a block's commands to the terminal, and return what each answers."""
        self.go(".jp-Terminal")
        return [self.terminal.give(command) for command in block]

    def give_until(self, command: str, holds: Callable[[str], bool]) -> str:
        """Give a command again, as the notebook says, until its answer is the one to wait for."""
        self.go(".jp-Terminal")
        for _ in range(30):
            answer = self.terminal.give(command)
            if holds(answer):
                return answer
        raise AssertionError(f"{command} still answers: {answer}")

    def scroll_view(self) -> None:
        """Turn the wheel over the view's bar, as far down as it goes, on a small screen."""
        self.page.set_viewport_size({"width": 1366, "height": 768})
        self.view.locator("header").hover()
        self.page.mouse.wheel(0, 5000)

    @property
    def view(self) -> Locator:
        """The AWS view in its own panel."""
        return self.page.locator(".jp-LinkedOutputView .aws")

    def shoot(self, name: str) -> None:
        """Keep a picture, if anybody asked for one."""
        shoot(self.page, f"lab-{self.language}-{name}")


@pytest.fixture
def visit(browser: Browser, server: Server, course: Path, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visit in one language. Whatever the page asked for, it asked of this machine."""
    student = Visit(browser, server, course, request.param)
    yield student
    assert student.hosts == {"127.0.0.1"}
    student.page.context.close()


def agrees(visit: Visit, shown: str, command: str) -> None:
    """Assert that a check's cell says that it holds, and that the terminal says the same."""
    assert shown.startswith("✓"), shown
    assert "✗" not in shown
    (said,) = visit.give([command])
    # The terminal indents a command; the cell gives it a line of its own.
    assert [line.strip() for line in said.splitlines()] == [line.strip() for line in shown.splitlines()]


@pytest.mark.parametrize("visit", LANGUAGES, indirect=True)
def test_the_whole_lab_by_keyboard(visit: Visit) -> None:
    """From the start page to the stopped lab: what the notebook says is what happens, in the terminal and in the view."""
    view, terminal = visit.view, visit.terminal
    visit.open()
    assert visit.blocks_that_wrap() == []

    visit.run("open")
    terminal.wait(PROMPT)
    expect(view).to_have_attribute("data-state", "live")
    expect(view.locator("[data-empty]")).to_have_count(1)
    expect(view.locator("[data-table='lab05-reference']")).to_contain_text("keep unchanged")
    visit.shoot("0-open")
    ((answer,),) = [visit.give(block) for block in visit.blocks("terminal")]
    assert '"app.handler"' in answer
    assert "lab05-worker-role" in answer

    # Step 1
    make, ask, connect, look = visit.blocks("step-1")
    (made,) = visit.give(make)
    assert "lab05-jobs" in made
    expect(view.locator("[data-queue='lab05-jobs']")).to_have_count(1)
    assert ARN in visit.give(ask)[-1]
    (creating,) = visit.give(connect)
    assert '"Creating"' in creating
    visit.give(look[:-1])
    assert ARN in visit.give_until(look[-1], lambda said: '"Enabled"' in said)
    expect(view.locator("[data-mapping-state='Enabled']")).to_have_count(1)
    for count in ("visible", "in_flight"):
        expect(view.locator(f"[data-count='{count}'] dd")).to_have_text("0")
    expect(view.locator("[data-decision]")).to_have_count(0)
    agrees(visit, visit.run("check-1"), "bentocola lab check 1")
    visit.shoot("1-connected")

    # Step 2
    terminal.pastes = True
    visit.cell([cell.id for cell in visit.cells].index("m05-lab-step-2"))
    visit.tab_to("a[href*='app.py']")
    visit.press("Enter")
    editor = visit.page.locator(".jp-FileEditor .cm-content")
    expect(editor).to_contain_text("put_item")
    visit.page.wait_for_function("document.activeElement.closest('.jp-FileEditor')")
    visit.press("Control+a")
    visit.page.keyboard.insert_text(SOLUTION)
    visit.press("Control+s")
    expect(visit.page.locator(".lm-TabBar-tab.jp-mod-dirty", has_text="app.py")).to_have_count(0)
    assert (visit.folder / "idempotent-consumer" / "app.py").read_text(encoding="utf-8") == SOLUTION
    visit.press("Alt+w")
    expect(editor).to_have_count(0)
    pack, upload, wait, send = visit.blocks("step-2")
    assert "app.py" in visit.give(pack)[-1]
    visit.give(upload)
    visit.give_until(wait[-1], lambda said: '"Successful"' in said)
    sent = [*visit.give(send[:-1])]
    stored = visit.give_until(send[-1], lambda said: "1100" in said)
    assert '"dedup-order"' in stored
    expect(view.locator("[data-run][data-result='ok']")).to_have_count(1)
    expect(view.locator("[data-decision][data-result='accepted']")).to_have_count(1)
    expect(view.locator("[data-decision]")).to_contain_text("attribute_not_exists(id)")
    expect(view.locator("[data-decision] mark").last).to_contain_text("1100")
    log = view.locator("[data-run] pre").first
    for line in ("EVENT ", "JOB ", "RESULT "):
        expect(log).to_contain_text(line)
    agrees(visit, visit.run("check-2"), "bentocola lab check 2")
    visit.shoot("2-guarded")

    # Step 3
    again, scan, logs, counts = visit.blocks("step-3")
    sent += visit.give(again)
    identities = [re.search(r'"MessageId": "([^"]+)"', said) for said in sent]
    assert len({found[1] for found in identities if found}) == 4
    expect(view.locator("[data-run][data-result='ok']")).to_have_count(4)
    expect(view.locator("[data-decision][data-result='accepted']")).to_have_count(2)
    expect(view.locator("[data-decision][data-result='refused']")).to_have_count(2)
    expect(view.locator("[data-over='4']")).to_have_count(1)
    (orders,) = visit.give(scan)
    assert '"Count": 2' in orders
    assert '"1100"' in orders
    assert '"350"' in orders
    (results,) = visit.give(logs)
    assert results.count("RESULT") == 4
    assert len(re.findall(r'\\"duplicate\\": true', results)) == 2
    visit.give_until(counts[-1], lambda said: said.count('"0"') == 2)
    for card in view.locator("[data-decision][data-result='refused']").all():
        before, after = [side.split("\n", 1)[1] for side in card.locator(".side").all_inner_texts()]
        assert before == after
    agrees(visit, visit.run("check-3"), "bentocola lab check 3")
    visit.shoot("3-repeated")

    # Step 4
    remove, clean, check = visit.blocks("step-4")
    visit.give(remove)
    visit.give(clean)
    mappings, queues, left, reference = visit.give(check)
    assert '"EventSourceMappings": []' in mappings
    assert "lab05-jobs" not in queues
    assert re.search(r"^0$", left, re.MULTILINE)
    assert "keep unchanged" in reference
    expect(view.locator("[data-queue]")).to_have_count(0)
    expect(view.locator("[data-mapping]")).to_have_count(0)
    expect(view.locator("[data-gone-resource^='queue/']")).to_have_count(1)
    expect(view.locator("[data-item='dedup-order']")).to_have_count(0)
    expect(view.locator("[data-decision]")).to_have_count(6)
    agrees(visit, visit.run("cleanup-check"), "bentocola lab cleanup-check")
    (steps,) = visit.give(["bentocola lab check"])
    assert "✗" not in steps
    assert "✓" in steps
    visit.shoot("4-clean")

    # The end
    assert visit.run("exams")
    visit.run("stop")
    expect(view).to_have_attribute("data-state", "disconnected")
    expect(view.locator("[data-decision]")).to_have_count(6)
    (refused,) = visit.give(["aws sqs list-queues"])
    assert "bentocola lab start" in refused
    visit.shoot("5-stopped")

    # No cell was added, cut, moved or changed by what was typed into the view and the terminal.
    visit.go(".jp-NotebookPanel")
    visit.press("Control+s")
    saved = nbformat.read(visit.folder / f"{LAB}.ipynb", as_version=4).cells
    assert [(cell.id, cell.source) for cell in saved] == [(cell.id, cell.source) for cell in visit.cells]

    told = visit.commands_told()
    assert len(told) == 6  # in steps 2 and 3: two jobs to try, and how to empty the queue
    assert [command for command, is_cut in told if is_cut] == []

    visit.scroll_view()
    expect(view.locator("[data-section='decisions']")).to_be_in_viewport()
    expect(view.locator("header")).to_be_in_viewport()
    visit.shoot("6-scrolled")
