"""The feedback page in a browser, from its file: it runs no script, asks for nothing, fits 320 pixels, and axe finds nothing.

The page forbids scripts. What a test asks the page, it asks from outside, which the page's own policy does not reach.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from autograder.feedback import Grades, make
from autograder.records import Note
from tests.autograder.feedback_sample import ANSWERS, grades, notebook, paper, record
from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, hosts_of, shoot

pytestmark = NEEDS_CHROMIUM

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
HOSTILE = "<script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">\n\u202ex = 1"


@dataclass
class Opened:
    """A page from its file, and what it did."""

    page: Page
    context: BrowserContext
    hosts: set[str]
    errors: list[str] = field(default_factory=list)

    def violations(self) -> list[str]:
        """Return what axe finds: A, AA, AAA and its best practice."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(f"{AXE}; 0")
        options = {
            "runOnly": {"type": "tag", "values": RULES},
            "rules": {"color-contrast-enhanced": {"enabled": True}, "target-size": {"enabled": True}},
        }
        script = "options => axe.run(document, options).then(({ violations }) => violations)"
        return [
            f"{found['id']}: {node['html'][:160]} {' '.join(node['failureSummary'].split())[:240]}"
            for found in self.page.evaluate(script, options)
            for node in found["nodes"][:3]
        ]

    @property
    def shown(self) -> list[str]:
        """The languages of the editions that can be seen."""
        return [
            edition.get_attribute("lang") or ""
            for edition in self.page.locator(".edition").all()
            if edition.is_visible()
        ]


@pytest.fixture
def open_file(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open HTML from a file. At the end: nothing was asked for, nothing was refused."""
    opened: list[Opened] = []

    def open_it(html: str, *, width: int = 1000, **context: Any) -> Opened:
        path = tmp_path / f"{len(opened)}.html"
        path.write_text(html, encoding="utf-8")
        made = browser.new_context(viewport={"width": width, "height": 900}, **context)
        page = made.new_page()
        found = Opened(page, made, hosts_of(page))
        page.on("pageerror", lambda error: found.errors.append(str(error)))
        page.on("console", lambda said: found.errors.append(said.text))
        page.goto(path.as_uri())
        opened.append(found)
        return found

    yield open_it
    for each in opened:
        assert each.hosts == set()
        assert each.errors == []
        each.context.close()


def whole(course: str = "es", language: str = "both") -> str:
    """The page with every kind of verdict."""
    return make(record(), notebook(course), grades(), paper(course), language)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing(open_file: Callable[..., Opened], language: str, scheme: str) -> None:
    """A, AA, AAA and best practice, with all that can be opened open, in both languages of one page, light and dark."""
    opened = open_file(whole(language), color_scheme=scheme)
    opened.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    shoot(opened.page, f"feedback-{language}-{scheme}", whole=True)

    assert opened.violations() == []

    other = next(name for name in LANGUAGES if name != language)
    opened.page.check(f"#read-{other}")

    assert opened.shown == [other]
    assert opened.violations() == []


def test_axe_finds_what_is_wrong(open_file: Callable[..., Opened]) -> None:
    """The page's policy does not keep axe from looking: letters too pale are found."""
    opened = open_file(whole())
    opened.page.evaluate("document.querySelector('h1').style.color = '#999'")

    assert {found.partition(":")[0] for found in opened.violations()} == {"color-contrast"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_a_short_page(open_file: Callable[..., Opened], language: str) -> None:
    """A refused submission, a page in one language without a gradebook, and one of a course in no known language are as clean."""
    refused = record(state="refused", refusal=Note("", code="empty"), checks=(), limits=(), repairs=())

    assert open_file(make(refused, None, Grades(), paper(language), language)).violations() == []
    assert open_file(make(record(), notebook(language), Grades(), paper(language), language)).violations() == []
    foreign = dataclasses.replace(paper(language), language="")
    assert open_file(make(record(), notebook(language), Grades(), foreign)).violations() == []


def test_language_is_chosen_by_keyboard_without_scripts(open_file: Callable[..., Opened]) -> None:
    """The course's language stands first; the arrow key shows the other one, and Tab leads into its text."""
    opened = open_file(whole("ja"), java_script_enabled=False)

    assert opened.shown == ["ja"]

    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("ArrowDown")

    assert opened.shown == ["es"]

    opened.page.keyboard.press("Tab")

    assert opened.page.locator(":focus").get_attribute("href") == "#es-part-1-2"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [100, 200])
def test_narrow_window_needs_no_sideways_scrolling(open_file: Callable[..., Opened], language: str, size: int) -> None:
    """At 320 pixels, and with letters twice as large, nothing is wider than the window; long lines of code wrap."""
    answers = ANSWERS | {"order-keys": f"x = '{'a' * 3000}'"}
    opened = open_file(make(record(), notebook(language, answers), grades(), paper(language), language), width=320)
    opened.page.evaluate("size => { document.documentElement.style.fontSize = `${size}%`; }", size)
    opened.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    shoot(opened.page, f"feedback-{language}-320-{size}", whole=True)

    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_what_can_be_pressed_is_large_enough(open_file: Callable[..., Opened]) -> None:
    """Switch and folds are at least 44 pixels high."""
    opened = open_file(whole())
    heights = opened.page.evaluate(
        "[...document.querySelectorAll('label, summary')].filter(part => part.offsetParent)"
        ".map(part => part.getBoundingClientRect().height)"
    )

    assert len(heights) > 10
    assert min(heights) >= 44


def test_student_s_markup_is_text(open_file: Callable[..., Opened]) -> None:
    """Markup in code, in words, in a comment of the teacher's and in an error is shown, and runs nowhere."""
    from autograder.feedback import Given
    from autograder.records import CheckResult, Said

    answers = dict.fromkeys(ANSWERS, HOSTILE)
    given = Grades({"answer-in-words": Given(1.0, True, HOSTILE)})
    check = CheckResult("test-order-keys-several", 2, 0.0, "error", said=(Said("raised", {"": HOSTILE}, line=HOSTILE),))
    opened = open_file(
        make(record(checks=(check,), student=HOSTILE), notebook("es", answers), given, paper("es"), "es")
    )

    assert "Tarea 01" in opened.page.title()
    assert opened.page.locator("img, script").count() == 0
    assert opened.page.locator("text=onerror").count() > 8


def test_forced_colours_keep_the_verdicts_apart(open_file: Callable[..., Opened]) -> None:
    """Where the system decides about colours, each verdict still has its sign and its words."""
    opened = open_file(whole(), forced_colors="active", reduced_motion="reduce")
    shoot(opened.page, "feedback-forced-colours", whole=True)
    texts = {verdict.inner_text() for verdict in opened.page.locator(".verdict").all() if verdict.is_visible()}

    assert len(texts) == 5
    assert {text[0] for text in texts} == {"✓", "◐", "✗", "…", "–"}


def test_print_shows_one_language_and_no_switch(open_file: Callable[..., Opened]) -> None:
    """On paper there is the chosen edition, without what can only be pressed."""
    opened = open_file(whole())
    opened.page.emulate_media(media="print")

    assert opened.shown == ["es"]
    assert not opened.page.locator(".switch").is_visible()
