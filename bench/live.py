"""A page's live cells against JupyterLite, in the same run: from opening lesson 01 to the first output of boto3.

Cold is a visit with nothing kept; warm is the next one. The later cells of the page are timed from the press of the button on.
The network is this machine's own, so it costs nothing: the rest is measured.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from bench import lite
from bench.measure import ROOT, Case, print_ratios, versions
from bentocola.messages import translate
from preview.site import build
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.preview.cells import Cells
from tests.preview.sites import served

_CELL = "m01-twin-event"
"""The page's name for the cell that `lite.CELL` counts."""
_MOST_VISITS = 5
_LATER_SECONDS = 0.3
_HALF = 0.5


def main(repetitions: int = 15) -> None:
    """Measure and print. A visit to JupyterLite takes a while: a few are enough."""
    visits = min(repetitions, _MOST_VISITS)
    print(f"live: a page's cells against JupyterLite, {visits} browsers of their own each, taking turns.")
    pages: list[tuple[float, float]] = []
    lites: list[tuple[float, float]] = []
    later: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build(ROOT, Path(folder), with_lite=True)
        with served(Path(folder)) as site:
            for _ in range(visits):
                # A browser of its own: nothing is compiled yet either.
                chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                pages.append(_first_output(chromium, site.address, later))
                chromium.close()
                chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                lites.append(lite.first_output(chromium, site.address))
                chromium.close()
    for n, name in enumerate(("cold", "warm")):
        cases = [Case("JupyterLite", ""), Case("the page", "")]
        title = f"first output, {name} (aim: {_HALF})"
        print_ratios(title, cases, [[one[n] for one in lites], [one[n] for one in pages]], "s", 1)
    print(f"\n  {f'a later cell (aim: {_LATER_SECONDS} s or less)':<42} {'median':>9} {'longest':>9}")
    for cell, times in later.items():
        print(f"  {cell:<42} {statistics.median(times):>7.2f} s {max(times):>7.2f} s")
    print(f"\n{versions()}")


def _first_output(chromium: Browser, address: str, later: dict[str, list[float]]) -> tuple[float, float]:
    """Return the seconds of a cold visit and of the warm one after it, and add those of the page's later cells."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1600})
    try:
        page, cold = _visit(context, address)
        page.close()
        page, warm = _visit(context, address)
        cells = Cells(page)
        for name in cells.names[cells.names.index(_CELL) + 1 :]:
            began = time.perf_counter()
            cells.run(name)
            later.setdefault(name, []).append(time.perf_counter() - began)
        return cold, warm
    finally:
        context.close()


def _visit(context: BrowserContext, address: str) -> tuple[Page, float]:
    page = context.new_page()
    began = time.perf_counter()
    page.goto(f"{address}es/{lite.LESSON}.html")
    cells = Cells(page)
    cells.begin(_CELL)
    cells.wait(_CELL)
    took = time.perf_counter() - began
    expect(cells.cell(_CELL).locator(".bar .said")).to_have_text(translate("es", "Done."))
    return page, took


if __name__ == "__main__":
    main()
