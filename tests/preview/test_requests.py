"""What a browser asks for on the whole site: of the site alone. Chromium reaches it by itself, and a proxy for all else.

So nothing is missed: a worker's imports, a service worker's requests, a socket, and what Chromium would ask for by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.chromium import NEEDS_CHROMIUM
from tests.preview.cells import Cells
from tests.preview.elsewhere import Elsewhere, elsewhere, enclosed
from tests.preview.sites import Site, served

pytestmark = NEEDS_CHROMIUM

QUERIES = {"es": "mensaje", "ja": "メッセージ"}
HOSTS = ("image", "style", "fetch", "script", "socket", "worker", "imported", "module", "service", "frame", "beacon")


@pytest.fixture(scope="module")
def others() -> Iterator[Elsewhere]:
    """Everybody but the site."""
    with elsewhere() as found:
        yield found


def use(page: Page, language: str) -> None:
    """Open all that can be opened, choose the last of each setting, search, run a cell and those above it."""
    page.locator("details").evaluate_all("all => all.forEach((details) => { details.open = true; })")
    for choices in page.locator("details.reading fieldset").all():
        choices.locator("input").last.check()
    if page.locator("input[type=search]").count():
        page.locator("input[type=search]").fill(QUERIES[language])
        expect(page.locator("#results li").first).to_be_visible()
    cells = Cells(page)
    if names := [name for name in cells.names if cells.button(name, "run").count()]:
        cells.run(names[-1])
    page.wait_for_load_state("networkidle")


def test_the_site_asks_nobody_else(open_site: Site, others: Elsewhere) -> None:
    """On every page, whatever is opened in it; and the site has all that it is asked for."""
    missing: list[str] = []

    def answered(response: Response) -> None:
        if response.status >= 400:
            missing.append(f"{response.status}: {response.url}")

    with enclosed(open_site.address, others.port) as chromium:
        context = chromium.new_context()
        context.on("response", answered)
        page = context.new_page()
        for path in open_site.pages:
            page.goto(open_site.address + path, wait_until="networkidle")
            use(page, path.partition("/")[0])
        context.close()

    assert others.asked == []
    assert missing == []


WORKER = """
importScripts("/module.js");
try { importScripts("https://imported.test/a.js"); } catch {}
fetch("https://worker.test/").catch(() => {}).finally(() => postMessage("done"));
"""
SERVICE = "self.addEventListener('install', (e) => e.waitUntil(fetch('https://service.test/').catch(() => {})));"
PAGE = """<!doctype html><html lang="en"><title>Asks everybody</title>
<img src="https://image.test/a.png" alt=""><link rel="stylesheet" href="https://style.test/a.css">
<script src="https://script.test/a.js"></script><iframe src="https://frame.test/"></iframe>
<script type="module">
  const ended = [
    fetch("https://fetch.test/"),
    import("https://module.test/a.mjs"),
    new Promise((resolve) => { new WebSocket("wss://socket.test/").onerror = resolve; }),
    new Promise((resolve) => { new Worker("/worker.js").onmessage = resolve; }),
    navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready),
  ];
  navigator.sendBeacon("https://beacon.test/");
  await Promise.allSettled(ended);
  document.title = "Asked";
</script></html>
"""


def test_whoever_is_asked_is_seen(tmp_path: Path) -> None:
    """By a page, a worker, a script that it imports, a service worker, a socket: all of it comes to the proxy."""
    files = {"index.html": PAGE, "worker.js": WORKER, "service.js": SERVICE, "module.js": ""}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    with served(tmp_path) as site, elsewhere() as found, enclosed(site.address, found.port) as chromium:
        page = chromium.new_page()
        page.goto(site.address)
        page.wait_for_function("document.title === 'Asked'")
        page.wait_for_load_state("networkidle")
        page.close()
        asked = " ".join(found.asked)

    assert [host for host in HOSTS if f"{host}.test" not in asked] == []
    assert site.address not in asked
