"""A browser for the tests of a module: while it is open, an event loop runs, so it ends before other tests begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.pages import Pages, Plain


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def pages(browser: Browser) -> Pages:
    """Plain pages for the tests of a module."""
    return Pages(browser)


@pytest.fixture
def open_page(pages: Pages) -> Iterator[Callable[..., Plain]]:
    """Open plain pages, which ask nothing of anybody and meet no error."""
    yield pages.open
    pages.check()
