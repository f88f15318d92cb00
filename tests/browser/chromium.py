"""Debian's Chromium, as all browser tests use it.

Pictures of what was seen go to the folder that BENTOCOLA_SHOTS names, if it names one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

__all__ = ["CHROMIUM", "FLAGS", "LANGUAGES", "NEEDS_CHROMIUM", "hosts_of", "shoot"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# A Chromium for tests asks nobody for updates, and root may run it. It draws by itself: no machine's graphics make a difference.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
LANGUAGES = ("es", "ja")
NEEDS_CHROMIUM = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: apt-get install chromium"),
]
"""The marks of each module of tests here."""


def hosts_of(page: Page) -> set[str]:
    """Return the set of hosts that a page asks from now on. A data: or blob: address is the page's own, and asks none."""
    hosts: set[str] = set()

    def asked(address: str) -> None:
        if host := urlsplit(address).hostname:
            hosts.add(host)

    page.on("request", lambda request: asked(request.url))
    page.on("websocket", lambda socket: asked(socket.url))
    return hosts


def shoot(page: Page, name: str, *, whole: bool = False) -> None:
    """Keep a picture, if anybody asked for one: of the window, or of the whole page."""
    if folder := os.environ.get("BENTOCOLA_SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=whole)
