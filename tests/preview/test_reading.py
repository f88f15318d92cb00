"""The site in Chromium: accessible on each background, narrow and large, by keyboard, without a script; one choice for all."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from bentocola.messages import LANGUAGES
from preview.words import words
from tests.browser.chromium import NEEDS_CHROMIUM, shoot
from tests.preview.sites import Site

pytestmark = NEEDS_CHROMIUM

RULES = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag21aaa", "wcag22aa", "best-practice"]
PAPERS = ("white", "cream", "dark", "contrast")
LONGEST = "05-idempotent-consumer.html"
ASSIGNMENT = "01-upload-to-table-assignment.html"


def choose(page: Page, **settings: str) -> None:
    """Choose as a reader does: in the settings, which are opened for it."""
    page.locator("details.reading").evaluate("details => { details.open = true; }")
    for name, value in settings.items():
        page.locator(f"input[name={name}][value='{value}']").check()


def violations(page: Page) -> list[tuple[str, str]]:
    """Return what axe finds: the rule, and the first element."""
    found = Axe().run(page, options={"runOnly": RULES}).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:120]) for one in found]


def test_every_page_is_accessible(browser: Browser, open_site: Site) -> None:
    """At levels A, AA and AAA, and by best practice; and no page asks anybody else for anything."""
    context = open_site.watch(browser.new_context())
    page, found = context.new_page(), {}
    for path in open_site.pages:
        page.goto(open_site.address + path)
        found[path] = violations(page)
    context.close()

    assert {path: one for path, one in found.items() if one} == {}
    assert open_site.elsewhere == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
def test_every_background_is_accessible(browser: Browser, open_site: Site, paper: str, language: str) -> None:
    """With the settings open, and with code in colours."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{open_site.address}{language}/{ASSIGNMENT}")
    choose(page, paper=paper)
    shoot(page, f"preview-{paper}-{language}")
    found = violations(page)
    context.close()

    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_on_a_narrow_screen_with_large_text(
    browser: Browser, open_site: Site, language: str
) -> None:
    """320 pixels wide, at 200 %: every page is read by scrolling down alone."""
    context = browser.new_context(viewport={"width": 320, "height": 800})
    page = context.new_page()
    page.goto(f"{open_site.address}{language}/index.html")
    choose(page, size="200", lines="wide")
    wide = {}
    for path in open_site.pages:
        page.goto(open_site.address + path)
        assert path.count("/") == 0 or page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 320:
            wide[path] = width
    context.close()

    assert wide == {}


def test_a_choice_holds_in_every_tab_and_after_a_reload(browser: Browser, open_site: Site) -> None:
    """The other tab, in the other language, follows at once; a value that is not listed counts for nothing."""
    context = browser.new_context()
    one, other = context.new_page(), context.new_page()
    one.goto(f"{open_site.address}es/{LONGEST}")
    other.goto(f"{open_site.address}ja/{LONGEST}")
    choose(one, paper="dark", code="plain", size="125", lines="wide")
    choose(other, ruby="off")
    expected = {"paper": "dark", "code": "plain", "ruby": "off", "size": "125", "lines": "wide"}
    for page in (one, other):
        for name, value in expected.items():
            expect(page.locator("html")).to_have_attribute(f"data-{name}", value)
    other.reload()
    assert other.evaluate("({...document.documentElement.dataset})") == expected
    assert other.locator("rt").first.is_hidden()

    one.evaluate("localStorage.setItem('bentocola.reading', JSON.stringify({paper: 'url(x)', size: '100'}))")
    expect(other.locator("html")).to_have_attribute("data-size", "100")
    assert other.locator("html").get_attribute("data-paper") == "cream"
    one.evaluate("localStorage.setItem('bentocola.reading', 'no JSON')")
    one.reload()
    expect(one.locator("html")).to_have_attribute("data-paper", "cream")
    context.close()


@pytest.mark.parametrize(
    ("asked", "paper"), [({"color_scheme": "dark"}, "dark"), ({"contrast": "more"}, "contrast"), ({}, "cream")], ids=str
)
def test_a_first_visit_follows_the_system(browser: Browser, open_site: Site, asked: dict[str, str], paper: str) -> None:
    """Until somebody chooses, and again when the system changes."""
    context = browser.new_context()
    page = context.new_page()
    page.emulate_media(**asked)  # type: ignore[arg-type]
    page.goto(f"{open_site.address}es/index.html")
    expect(page.locator("html")).to_have_attribute("data-paper", paper)
    page.emulate_media(color_scheme="light", contrast="no-preference")
    expect(page.locator("html")).to_have_attribute("data-paper", "cream")
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keyboard_is_enough(browser: Browser, open_site: Site, language: str) -> None:
    """To skip to the content, to open the settings, to choose; what changed is said."""
    say = words(language)
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{open_site.address}{language}/{LONGEST}")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    while page.evaluate("document.activeElement.tagName") != "SUMMARY":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.locator("html")).to_have_attribute("data-paper", "dark")
    expect(page.locator("details.reading [role=status]")).to_contain_text(say["paper_dark"])
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    sizes = page.locator("summary, fieldset label").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 44
    context.close()


def test_a_page_is_read_without_a_script(browser: Browser, open_site: Site) -> None:
    """All of its text is there; the settings, which would do nothing, are not."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{open_site.address}es/{LONGEST}")
    assert page.locator("details.reading").is_hidden()
    assert page.locator("main .cell").count() > 10
    assert page.locator("h1").is_visible()
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_print_and_forced_colours(browser: Browser, open_site: Site, language: str) -> None:
    """On paper there is the text alone; with a reader's own colours, what sets cells apart is still seen."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{open_site.address}{language}/{ASSIGNMENT}")
    page.emulate_media(media="print")
    assert not any(
        page.locator(one).first.is_visible() for one in ("details.reading", "header nav", "footer nav", ".bar", ".note")
    )
    page.emulate_media(media="screen", forced_colors="active", reduced_motion="reduce")
    shoot(page, f"preview-forced-{language}")
    assert page.locator(".student").first.evaluate("e => getComputedStyle(e).borderTopStyle") == "dashed"
    assert page.locator(".bar button").first.evaluate("e => getComputedStyle(e).borderTopStyle") == "solid"
    # The reader's colours change nothing else: code is still set as code.
    assert "monospace" in page.locator(".editor:not(.words)").first.evaluate("e => getComputedStyle(e).fontFamily")
    assert violations(page) == []
    context.close()


def test_japanese_is_set_as_japanese(browser: Browser, open_site: Site) -> None:
    """At most 40 characters a line, strict line breaking, no italics."""
    context = browser.new_context(viewport={"width": 1600, "height": 900})
    page = context.new_page()
    page.goto(f"{open_site.address}ja/{LONGEST}")
    longest = page.locator("main p").evaluate_all(
        "all => Math.max(...all.map(e => e.getBoundingClientRect().width / parseFloat(getComputedStyle(e).fontSize)))"
    )
    assert longest <= 40.01
    assert page.evaluate("getComputedStyle(document.body).lineBreak") == "strict"
    assert (
        page.locator("main *").evaluate_all("all => all.filter(e => getComputedStyle(e).fontStyle == 'italic').length")
        == 0
    )
    context.close()
