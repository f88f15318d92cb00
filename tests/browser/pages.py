"""A view alone on a plain page: `tests/views/plain` with the committed bundle. The test answers the page's requests itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import axe_playwright_python
from playwright.sync_api import Browser, Locator, Route

from tests.repository import ROOT

__all__ = ["Pages", "Plain", "accessibility", "as_text"]

ORIGIN = "http://127.0.0.1"
_FILES = {
    "/": (ROOT / "tests/views/plain/index.html", "text/html"),
    "/measure.mjs": (ROOT / "tests/views/plain/measure.mjs", "text/javascript"),
    "/views.mjs": (ROOT / "bentocola/views/static/views.mjs", "text/javascript"),
}
_AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
_RULES = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Plain:
    """One plain page in one language."""

    def __init__(self, browser: Browser, language: str, *, width: int = 1200, defect: str = "", **context: Any) -> None:
        """`defect`: a script that runs before the page's own, and spoils something."""
        self.language = language
        self.context = browser.new_context(viewport={"width": width, "height": 900}, timezone_id="UTC", **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.answers: dict[str, Callable[[Route], object]] = {}
        """What else the page may ask for, by path."""
        self.context.route("**/*", self._answer)
        if defect:
            self.page.add_init_script(defect)
        self.page.goto(f"{ORIGIN}/")
        self.page.wait_for_function("window.views")
        self.page.evaluate("language => { document.documentElement.lang = language; }", language)

    def _answer(self, route: Route) -> None:
        asked = urlsplit(route.request.url)
        is_ours = f"{asked.scheme}://{asked.netloc}" == ORIGIN
        if is_ours and asked.path in self.answers:
            self.answers[asked.path](route)
        elif is_ours and asked.path in _FILES:
            file, kind = _FILES[asked.path]
            route.fulfill(body=file.read_text(encoding="utf-8"), content_type=f"{kind}; charset=utf-8")
        else:
            self.foreign.append(route.request.url)
            route.abort()

    def stepper(self, **options: Any) -> Plain:
        """Draw a stepper in place of what was drawn. What it tells of changes stands in `changes`."""
        return self._mount(
            """options => {
                const live = options.inject && { inject: (...asked) => changes.push(asked) };
                window.view = views.mountStepper(document.getElementById("place"),
                    { ...options, ...live, onChange: (standing) => changes.push(standing) });
            }""",
            options,
        )

    def aws(self, **options: Any) -> Plain:
        """Draw an AWS view in place of what was drawn: fed by `feed`, unless it follows a `url`."""
        return self._mount(
            """({ feed, fed, ...options }) => {
                const ask = fed && { ask: (...asked) => changes.push(asked) };
                window.view = views.mountAws(document.getElementById("place"), { ...options, ...ask });
                if (feed) { view.apply(feed); }
            }""",
            {"fed": "url" not in options, **options},
        )

    def clear(self) -> None:
        """Take the view away, and what was answered for it."""
        self.page.evaluate("() => { window.view?.destroy(); delete window.view; changes.length = 0; scrollTo(0, 0); }")
        self.answers.clear()

    def _mount(self, script: str, options: dict[str, Any]) -> Plain:
        self.page.evaluate("() => { window.view?.destroy(); changes.length = 0; }")
        self.page.evaluate(script, {"language": self.language, "level": 2, **options})
        self.page.evaluate("measure.drawn()")
        return self

    def apply(self, feed: Any) -> None:
        """Give the view what follows, and wait until it is drawn."""
        self.page.evaluate("feed => { view.apply(feed); return measure.drawn(); }", feed)

    def resize(self, width: int) -> None:
        """Give the window another width, and wait until it is drawn anew."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.evaluate("measure.drawn()")

    def ask(self, script: str, value: Any = None) -> Any:
        """Return what a script of the page returns."""
        return self.page.evaluate(script, value)

    def find(self, selector: str) -> Locator:
        """Return what fits, in all shadow roots."""
        return self.page.locator(selector)

    def row(self, n: int) -> Locator:
        """Return the stepper's row of a step."""
        return self.find(f".row[data-n='{n}']")

    def do(self, name: str) -> Locator:
        """Return the stepper's control of that name."""
        return self.find(f"[data-do='{name}']")

    @property
    def focus(self) -> dict[str, str]:
        """The `data-` attributes of what has the focus."""
        return dict(self.ask("({ ...measure.focused().dataset })"))


class Pages:
    """The plain pages of a module of tests. Opening one takes as long as a test, so those that nothing spoiled are used again."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kept: dict[str, Plain] = {}
        self._used: list[Plain] = []

    def open(self, language: str = "es", *, fresh: bool = False, **options: Any) -> Plain:
        """Return a page with nothing drawn in it. `fresh`: one of its own, for a test that spoils it."""
        name = f"{language} {options}"
        page = self._kept.get(name)
        if fresh or page is None:
            page = Plain(self._browser, language, **options)
            if not fresh:
                self._kept[name] = page
        self._used.append(page)
        return page

    def check(self) -> None:
        """Assert that no page met an error or asked for what no test gave; take away what a test drew and answered."""
        for page in self._used:
            assert page.errors == []
            assert page.foreign == []
            page.clear()
            if page not in self._kept.values():
                page.context.close()
        self._used.clear()


def accessibility(page: Plain, *, colours: bool = False) -> list[str]:
    """Return what axe finds: WCAG A, AA and AAA, and its best practice; or only what it says of `colours`."""
    if not page.ask("'axe' in window"):
        page.ask(f"{_AXE}; 0")
    contrast = ["color-contrast", "color-contrast-enhanced"]
    options = {
        "runOnly": {"type": "rule", "values": contrast} if colours else {"type": "tag", "values": _RULES},
        # axe looks at it only where it is asked to
        "rules": {} if colours else {"color-contrast-enhanced": {"enabled": True}},
    }
    found = page.ask("options => axe.run(document, options).then(({ violations }) => violations)", options)
    return [
        f"{violation['id']}: {node['html'][:160]} {' '.join(node['failureSummary'].split())[:240]}"
        for violation in found
        for node in violation["nodes"][:3]
    ]


def as_text(value: Any) -> str:
    """Return a value as the views write it: JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
