"""JupyterLite, as the site has it beside its pages: its weight, and the time from opening a notebook to its first output of AWS.

The notebook is lesson 01, and the cell is its first that calls boto3. Cold is a visit with nothing kept; warm is the next one,
for which the browser keeps what it was sent. The network is this machine's own, so it costs nothing: the rest is measured.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from bench.measure import ROOT, versions
from preview.site import build
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.preview.sites import served

__all__ = ["CELL", "LESSON", "first_output", "weight"]

LESSON = "01-upload-to-table"
CELL = 2
"""Which cell of code is the first that calls boto3, counted from 0."""
_SECONDS = 180_000
_FORGET = "indexedDB.databases().then((all) => Promise.all(all.map(({ name }) => indexedDB.deleteDatabase(name))))"


def first_output(chromium: Browser, address: str, language: str = "es") -> tuple[float, float]:
    """Return the seconds of a cold visit and of the warm one after it. `address`: the site's, with a slash at its end."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1600})
    try:
        return _visit(context, address, language), _visit(context, address, language)
    finally:
        context.close()


def weight(site: Path) -> tuple[int, int]:
    """Return the bytes of JupyterLite's own folder, and those of the pages' Python, which it uses, too."""
    folders = [site / "lite", *site.glob("python-*")]
    own, python = (sum(one.stat().st_size for one in folder.rglob("*") if one.is_file()) for folder in folders)
    return own, python


def _visit(context: BrowserContext, address: str, language: str) -> float:
    page = context.new_page()
    page.set_default_timeout(_SECONDS)
    began = time.perf_counter()
    page.goto(f"{address}lite/{language}/lab/index.html?path={language}/{LESSON}.ipynb")
    cell = page.locator(".jp-NotebookPanel .jp-CodeCell").nth(CELL)
    cell.locator(".cm-content").click()
    # What runs waits for the kernel by itself.
    for command in ("notebook:run-all-above", "runmenu:run"):
        page.locator(".lm-MenuBar-item").nth(3).click()
        page.locator(f".lm-Menu-item[data-command='{command}']").click()
    expect(cell.locator(".jp-OutputArea-output")).to_contain_text("Records", timeout=_SECONDS)
    took = time.perf_counter() - began
    # A visit begins with the lesson as it is handed out, whatever the one before has kept of it.
    page.goto(f"{address}404.html")
    page.evaluate(_FORGET)
    page.close()
    return took


def main(repetitions: int = 3) -> None:
    """Measure and print. A visit takes a while: a few are enough."""
    print("lite: JupyterLite, from opening lesson 01 to the output of its first cell that calls boto3")
    with tempfile.TemporaryDirectory() as folder:
        build(ROOT, Path(folder), with_lite=True)
        own, python = weight(Path(folder))
        print(f"  {own / 1e6:.1f} MB of its own, and {python / 1e6:.1f} MB of the pages' Python")
        with served(Path(folder)) as site, sync_playwright() as playwright:
            visits = []
            for _ in range(min(repetitions, 3)):
                # A browser of its own: nothing is compiled yet either.
                chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                visits.append(first_output(chromium, site.address))
                chromium.close()
    for name, times in zip(("cold", "warm"), zip(*visits, strict=True), strict=True):
        print(f"  {name:<42} {statistics.median(times):>7.2f} s {min(times):>7.2f} s")
    print(f"\n{versions()}")


if __name__ == "__main__":
    main()
