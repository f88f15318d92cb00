"""A page's live cells, as somebody at the keyboard uses them."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

__all__ = ["Cells"]

_MOST_MS = 90_000
"""For Python to come, and for all cells above."""


@dataclass
class Cells:
    """The live cells of a page that is open."""

    page: Page

    @property
    def names(self) -> list[str]:
        """Their ids, in order."""
        return [str(cell.get_attribute("id")) for cell in self.page.locator("[data-live]").all()]

    def cell(self, name: str) -> Locator:
        """One of them."""
        return self.page.locator(f"#{name}")

    def button(self, name: str, act: str) -> Locator:
        """Its button: "run", "edit", "stop" or "reset"."""
        return self.cell(name).locator(f"button[data-act={act}]")

    def begin(self, name: str) -> None:
        """Press its button to run it."""
        self.button(name, "run").click()

    def wait(self, name: str) -> None:
        """Wait until it has run."""
        expect(self.cell(name)).not_to_have_attribute("data-running", "", timeout=_MOST_MS)

    def uncover(self) -> None:
        """Open what is to be predicted first."""
        self.page.locator("details.foretold").evaluate_all("all => all.forEach((one) => { one.open = true; })")

    def run(self, name: str) -> str:
        """Run it and return what it printed."""
        self.begin(name)
        self.wait(name)
        return self.output(name)

    def write(self, name: str, source: str) -> None:
        """Put code in the place of what stands there."""
        if self.button(name, "edit").is_visible():
            self.button(name, "edit").click()
        self.cell(name).locator("textarea").fill(source)

    def output(self, name: str) -> str:
        """What stands below it, as text."""
        return self.cell(name).locator(".output").inner_text().strip()

    def said(self, name: str) -> str:
        """What its line of news says."""
        return self.cell(name).locator(".bar .said").inner_text()
