"""Debian's Chromium for the tests of this folder, and a page that keeps every address that it asked for."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

__all__ = ["browser_test", "opened", "shoot"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# A Chromium for tests asks nobody for updates, and root may run it.
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_MISSING = "Chromium is not installed: apt-get install chromium"


def browser_test(function: object) -> object:
    """Mark a test that needs the browser."""
    for mark in (pytest.mark.browser, pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason=_MISSING)):
        function = mark(function)
    return function


@contextlib.contextmanager
def opened(address: str) -> Iterator[tuple[Page, list[str]]]:
    """Open an address; give the page, and the addresses that it asks for. An error in the page fails the test."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = chromium.new_page(viewport={"width": 1100, "height": 900})
        page.set_default_timeout(60_000)
        asked: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto(address)
        yield page, asked
        chromium.close()
        assert errors == []


def shoot(page: Page, name: str) -> None:
    """Keep a picture in the folder that BENTOCOLA_SHOTS names, if it names one."""
    if folder := os.environ.get("BENTOCOLA_SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
