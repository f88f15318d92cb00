"""Debian's Chromium for the tests of this folder, and a page that keeps every address that it asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial

from playwright.sync_api import Page, sync_playwright

from tests.browser import chromium as debians

__all__ = ["browser_test", "opened", "shoot"]

shoot = partial(debians.shoot, whole=True)


def browser_test(function: object) -> object:
    """Mark a test that needs the browser."""
    for mark in debians.NEEDS_CHROMIUM:
        function = mark(function)
    return function


@contextlib.contextmanager
def opened(address: str) -> Iterator[tuple[Page, list[str]]]:
    """Open an address; give the page, and the addresses that it asks for. An error in the page fails the test."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=debians.CHROMIUM, args=debians.FLAGS)
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
