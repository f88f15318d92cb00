"""The site for tests, made once, and Debian's Chromium for those that open it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from preview.site import build
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.preview.sites import Site, served
from tests.repository import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, in a folder."""
    folder = tmp_path_factory.mktemp("preview") / "site"
    build(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def open_site(site: Path) -> Iterator[Site]:
    """The site on a server of its own."""
    with served(site) as found:
        yield found
