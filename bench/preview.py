"""How heavy the site's pages are, how soon they are painted, and how long the site takes to make.

Pages are opened in Chromium on a server of this machine: what they weigh is what it asked for until nothing more came. The site
is made by whole processes, in a copy of the repository, so that what this one has kept stays.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Response, Route, sync_playwright

from bench.measure import ROOT, Case, print_ratios, versions
from preview.site import build
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.preview.sites import Site, served
from tests.repository import committed_files

_MOST_BYTES = 100_000
"""For a page without live cells, with all that it loads by itself."""
_MOST_BUILDS = 3
_SECONDS = 10
"""For making the site when one page changed."""
_PAGES = ("index.html", "es/01-upload-to-table.html", "ja/05-idempotent-consumer.html")
"""Whose first paint is measured: the landing page and two lessons, one of them the longest."""
_LESSON = Path("lessons") / "es" / "01-upload-to-table.ipynb"
_PAINT = """new Promise((resolve) => {
  const told = (list) => list.getEntriesByName("first-contentful-paint").forEach(({ startTime }) => resolve(startTime));
  new PerformanceObserver(told).observe({ type: "paint", buffered: true });
  setTimeout(resolve, 2000, null);
})"""
"""The milliseconds until the first text was painted, or null when nothing is for two seconds."""


def main(repetitions: int = 15) -> None:
    """Measure and print."""
    print(f"preview: the site's pages in Chromium, {repetitions} visits a case, taking turns; and making the site.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build(ROOT, Path(folder) / "site")
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with served(Path(folder) / "site") as site:
            # A new figure of the pages is one more function in this row.
            parts: list[Callable[[Browser, Site, int], None]] = [_sizes, _paints]
            for part in parts:
                part(chromium, site, repetitions)
        chromium.close()
    _builds(min(repetitions, _MOST_BUILDS))
    print(f"\n{versions()}")


def _sizes(chromium: Browser, site: Site, repetitions: int) -> None:
    """Print what each page weighs as it is opened the first time, and before anybody presses anything."""
    head = f"a page, with all that it loads (limit {_MOST_BYTES // 1000} kB without live cells)"
    print(f"\n{head:<66} {'kB':>7} {'gzip':>7} {'files':>6}")
    heavy = []
    for path in site.pages:
        bodies, is_live = _loaded(chromium, site, path)
        size, packed = sum(map(len, bodies)), sum(len(gzip.compress(body)) for body in bodies)
        if size > _MOST_BYTES and not is_live:
            heavy.append(path)
        name = f"{path}{' (live cells)' if is_live else ''}"
        print(f"  {name:<64} {size / 1e3:>7.1f} {packed / 1e3:>7.1f} {len(bodies):>6}")
    print(f"  {'over the limit':<64} {', '.join(heavy) or 'none':>7}")


def _loaded(chromium: Browser, site: Site, path: str) -> tuple[list[bytes], bool]:
    """Return the files that a page loads, itself among them, and whether it has live cells."""
    context = chromium.new_context()
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(site.address + path, wait_until="networkidle")
    bodies = [answer.body() for answer in answers if answer.url.startswith(site.address)]
    is_live = page.locator("[data-live]").count() > 0
    context.close()
    return bodies, is_live


def _paints(chromium: Browser, site: Site, repetitions: int) -> None:
    """Print when the first text is painted, with scripts and without, and whether it waits for one."""
    cases = [Case("scripts refused", ""), Case("as it is", "")]
    for path in _PAGES:
        times: list[list[float]] = [[], []]
        for repetition in range(-1, repetitions):  # the first, which nobody counts, starts the browser's processes
            for is_whole, found in enumerate(times):
                took = _painted(chromium, site.address + path, None if is_whole else lambda route: route.abort())
                if repetition >= 0:
                    found.append(took)
        print_ratios(f"first paint of {path}", cases, times, scale=1)
        print(f"  {'waits for a script':<42} {'yes' if _waits(chromium, site.address + path) else 'no':>10}")


def _painted(chromium: Browser, address: str, scripts: Callable[[Route], None] | None) -> float:
    """Return the milliseconds until the first text of a page stands there, on a first visit."""
    context = chromium.new_context()
    page = context.new_page()
    if scripts:
        page.route("**/*.js", scripts)
    page.goto(address)
    took = float(page.evaluate(_PAINT))
    context.close()
    return took


def _waits(chromium: Browser, address: str) -> bool:
    """Return whether nothing is painted as long as no script is answered."""
    context = chromium.new_context()
    page = context.new_page()
    held: list[Route] = []
    page.route("**/*.js", lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    is_painted = page.evaluate(_PAINT) is not None
    for route in held:
        route.abort()
    context.close()
    return not is_painted


def _builds(repetitions: int) -> None:
    """Print how long `python -m preview build` takes: with nothing kept, with all of it, and after one page changed."""
    names = ("nothing kept", "nothing changed", "a text of one lesson changed")
    times: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        root, out = Path(folder) / "course", Path(folder) / "site"
        _copy(root)
        for repetition in range(repetitions):
            shutil.rmtree(root / "build", ignore_errors=True)
            shutil.rmtree(out, ignore_errors=True)
            for name in names:
                if name == names[-1]:
                    _change(root / _LESSON, repetition)
                began = time.perf_counter()
                command = [sys.executable, "-m", "preview", "build", "--out", str(out)]
                subprocess.run(command, cwd=root, capture_output=True, check=True)
                times[name].append(time.perf_counter() - began)
    print_ratios(
        f"making the site ({_SECONDS} s or less for one page)",
        [Case(name, "") for name in names],
        list(times.values()),
        "s",
        1,
    )


def _copy(root: Path) -> None:
    """Copy what git holds of this repository, and lead to the packages that npm installed."""
    for path in committed_files(ROOT):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, root / path)
    (root / "preview" / "node_modules").symlink_to(ROOT / "preview" / "node_modules")
    for path in (ROOT / "bentocola" / "locales").rglob("*.mo"):
        shutil.copy2(path, root / path.relative_to(ROOT))


def _change(lesson: Path, number: int) -> None:
    """Add a sentence to the lesson's first text."""
    notebook = json.loads(lesson.read_bytes())
    notebook["cells"][0]["source"].append(f"\n\n{number}.")
    lesson.write_text(json.dumps(notebook), encoding="utf-8")


if __name__ == "__main__":
    main()
