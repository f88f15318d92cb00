"""Both views in a real JupyterLab: drawn, followed while a cell runs, answered by the kernel, saved, and exported."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.jupyterlab import Server, serve
from tests.views.chromium import browser_test, opened, shoot

CELLS = {
    "still.ipynb": [
        'import boto3, bentocola\ncloud = bentocola.start("es")\ncloud.view()',
        'sqs = boto3.client("sqs")\nsqs.create_queue(QueueName="jobs")\ninput("?")',
        'from bentocola.views import Stepper\nstepper = Stepper.story(cloud, "twice")\nstepper',
        "print(stepper.step, stepper.fault, stepper.prediction)",
    ],
    "live.ipynb": [
        'import boto3, bentocola\ncloud = bentocola.start("ja", live=True)\ncloud.view()',
        'sqs = boto3.client("sqs")\nurl = sqs.create_queue(QueueName="jobs", Attributes={"VisibilityTimeout": "1"})["QueueUrl"]\n'
        'sent = sqs.send_message(QueueUrl=url, MessageBody="x")\nreceived = sqs.receive_message(QueueUrl=url)',
        "from bentocola.views import Stepper\nStepper.live(cloud)",
        "print([fault.kind for fault in cloud.faults.planned])",
    ],
    "small.ipynb": [
        'import bentocola\nfrom bentocola.views import Stepper\ncloud = bentocola.start("es")\nStepper.story(cloud, "twice")',
        *["1"] * 12,
    ],
}
IN_SIGHT = """(row) => {
    const { top, bottom, left } = row.getBoundingClientRect();
    const panel = document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer").getBoundingClientRect();
    const found = row.getRootNode().elementFromPoint(left + 60, (top + bottom) / 2);
    return top >= panel.top && bottom <= panel.bottom && found?.closest(".row") === row;
}"""


def write(folder: Path) -> None:
    """Write the notebooks into a folder."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for name, cells in CELLS.items():
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        book.metadata["kernelspec"] = kernel
        nbformat.write(book, folder / name)


class Notebook:
    """An open notebook, run cell by cell."""

    def __init__(self, page: Page, server: Server, name: str, kernel: str = "idle") -> None:
        page.goto(f"{server.address}/lab/tree/{name}?token={server.token}&reset")
        self.page = page
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        if kernel == "idle":
            expect(self.panel.locator(".jp-Toolbar-kernelName")).to_have_text("Python 3 (ipykernel)", timeout=60_000)
            indicator = self.panel.locator(".jp-Notebook-ExecutionIndicator")
            expect(indicator).to_have_attribute("data-status", "idle", timeout=60_000)

    def run(self, number: int) -> Locator:
        """Run a cell, and return it without waiting for its end."""
        cell = self.panel.locator(".jp-CodeCell").nth(number)
        cell.locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Control+Enter")
        return cell

    def ran(self, number: int) -> Locator:
        """Run a cell to its end, and return what is below it: the view, where there is one."""
        cell = self.run(number)
        expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"^\[\d+\]:$"), timeout=60_000)
        return cell.locator(".jp-OutputArea")


@browser_test
def test_views_in_a_notebook(tmp_path: Path) -> None:
    """A student's way through one notebook whose time stands still, and one whose time goes on."""
    course = tmp_path / "course"
    course.mkdir()
    write(course)
    # Every cell is drawn, also those out of view.
    tracker = tmp_path / ".config/lab/user-settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    tracker.parent.mkdir(parents=True)
    tracker.write_text('{"windowingMode": "none"}')
    with serve(course, tmp_path) as server, opened(f"{server.address}/api?token={server.token}") as (page, asked):
        page.set_viewport_size({"width": 1280, "height": 2400})
        still(page, server, course)
        live(page, server)

        assert {
            address.partition("?")[0] for address in asked if server.address not in address and "data:" not in address
        } == set()


def still(page: Page, server: Server, course: Path) -> None:
    """What happens is drawn while its cell runs; the step and the prediction reach Python; both views are saved and exported."""
    book = Notebook(page, server, "still.ipynb")
    view = book.ran(0)
    expect(view.get_by_text("Aún no hay colas.")).to_be_visible()
    waiting = book.run(1)
    expect(view.get_by_text("jobs").first).to_be_visible()
    expect(waiting.locator(".jp-InputPrompt")).to_have_text("[*]:")
    waiting.locator(".jp-Stdin-input").press("Enter")
    stepper = book.ran(2)
    stepper.get_by_role("radio", name="Se entrega dos veces").check()
    stepper.get_by_role("radio", name="La rechaza").check()
    stepper.get_by_role("button", name="Ejecutar").click()
    for _ in range(3):
        stepper.get_by_role("button", name="Siguiente").click()
    expect(book.ran(3)).to_have_text("3 duplicate refused")
    shoot(page, "notebook-es")
    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)

    exported = server.get("nbconvert/html/still.ipynb")
    assert "bentocola-1-state" in exported
    assert not re.findall(r'(?:src="|Src = \')https?://', exported)
    shutil.copy(course / "still.ipynb", course / "saved.ipynb")
    saved = Notebook(page, server, "saved.ipynb", kernel="another")
    expect(saved.panel.get_by_text("Copia guardada").first).to_be_visible(timeout=60_000)
    expect(saved.panel.get_by_text("jobs").first).to_be_visible()
    shoot(page, "notebook-saved-es")


def live(page: Page, server: Server) -> None:
    """A message comes back by itself; a fault that is planned in the page is planned in the cloud, and confirmed."""
    book = Notebook(page, server, "live.ipynb")
    view = book.ran(0)
    book.ran(1)
    stepper = book.ran(2)
    expect(stepper.get_by_text("m1がまた見える").first).to_be_visible()
    expect(view.get_by_text("待機中").first).to_be_visible()
    stepper.get_by_role("button", name="障害を仕込む").click()
    expect(stepper.get_by_text("障害を用意しました").first).to_be_visible()
    expect(book.ran(3)).to_have_text("['throttle']")
    shoot(page, "notebook-ja")


@browser_test
def test_a_stepper_on_a_small_screen(tmp_path: Path) -> None:
    """Its current row is in sight where its cell stands and further down; its controls stay at the top; nothing jumps."""
    course = tmp_path / "course"
    course.mkdir()
    write(course)
    with serve(course, tmp_path) as server, opened(f"{server.address}/api?token={server.token}") as (page, _):
        page.set_viewport_size({"width": 1280, "height": 800})
        book = Notebook(page, server, "small.ipynb")
        stepper = book.ran(0)
        stepper.locator("[data-do='skip']").click()
        expect(stepper.locator(".row").first).to_be_visible()
        outer = book.panel.locator(".jp-WindowedPanel-outer")
        row, controls = stepper.locator("[aria-current='step']"), stepper.locator(".controls")
        count = stepper.locator(".row").count() - 1
        for down in (0, 120, 240):
            outer.evaluate("(outer, down) => { outer.scrollTop = down; }", down)
            expect(stepper.locator("[data-do='first']")).to_be_visible()
            for button in ("next", "previous"):
                for _ in range(count):
                    stepper.locator(f"[data-do='{button}']").click()
                    assert row.evaluate(IN_SIGHT)
            assert abs(outer.evaluate("outer => outer.scrollTop") - down) < 2
            shoot(page, f"notebook-small-{down}")
        top = outer.evaluate("outer => outer.getBoundingClientRect().top")
        assert abs(controls.evaluate("controls => controls.getBoundingClientRect().top") - top) < 2

        stepper.locator("[data-do='next']").focus()
        for key in ("End", "Home", "ArrowDown"):
            page.keyboard.press(key)
        expect(row).to_have_attribute("data-n", "1")
        assert abs(outer.evaluate("outer => outer.scrollTop") - 240) < 2
        cell = book.panel.locator(".jp-CodeCell").first
        cell.evaluate("cell => cell.classList.add('jp-mod-outputsScrolled')")
        overflow = "area => getComputedStyle(area).overflowY"
        assert cell.locator(".jp-Cell-outputArea").evaluate(overflow) != "visible"
        cell.evaluate("cell => cell.classList.remove('jp-mod-outputsScrolled')")
        assert cell.locator(".jp-Cell-outputArea").evaluate(overflow) == "visible"
