"""The site in Debian's Firefox: it is read, and shown as the reader chose, as in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bentocola.messages import LANGUAGES, translate
from preview.words import words
from tests.preview.elsewhere import Elsewhere, elsewhere
from tests.preview.firefox import NEEDS_FIREFOX, Firefox, Tab, Visitor, launched
from tests.preview.sites import Site

pytestmark = NEEDS_FIREFOX

PAGE = "01-upload-to-table.html"
"""With code, and with readings over kanji in Japanese."""
LOOKS = {
    "paper": "getComputedStyle(document.body).backgroundColor",
    "code": "getComputedStyle(document.querySelector('pre :is(.k, .kn)')).color",
    "size": "getComputedStyle(document.documentElement).fontSize",
    "lines": "getComputedStyle(document.querySelector('main p')).lineHeight",
    "ruby": "[...document.querySelectorAll('main .text rt')].filter((rt) => getComputedStyle(rt).display !== 'none').length",
}
"""What a reader sees of each setting."""
CHOICES = "[...document.querySelectorAll('input[data-reading]')]"
SHOWN = "({...document.documentElement.dataset})"


@pytest.fixture(scope="module")
def others() -> Iterator[Elsewhere]:
    """Everybody but the site."""
    with elsewhere() as found:
        yield found


@pytest.fixture(scope="module")
def firefox(open_site: Site, others: Elsewhere) -> Iterator[Firefox]:
    """Firefox, which reaches the site alone."""
    with launched(open_site.address, others.port) as found:
        yield found


@pytest.fixture
def visitor(firefox: Firefox) -> Iterator[Visitor]:
    """Somebody on a first visit."""
    with firefox.visitor() as found:
        yield found


def choose(tab: Tab, name: str, value: str) -> None:
    """Choose as a reader does."""
    tab.ask("document.querySelector('details.reading').open = true")
    tab.ask(f"document.querySelector(\"input[name='{name}'][value='{value}']\").click()")


def test_every_page_opens(firefox: Firefox, visitor: Visitor, open_site: Site, others: Elsewhere) -> None:
    """Without an error, with nothing that the policy blocks, and without a word to anybody else."""
    firefox.faults.clear()
    firefox.asked.clear()
    tab, unread = visitor.tab(open_site.address), []
    for path in open_site.pages:
        tab.goto(open_site.address + path)
        tab.ask("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        if not tab.ask("document.querySelector('h1').innerText && getComputedStyle(document.body).marginTop === '0px'"):
            unread.append(path)
        if path.endswith(PAGE):
            tab.shoot(f"firefox-{path.partition('/')[0]}")

    assert unread == []
    assert firefox.faults == []
    assert [one for one in firefox.asked if not one.startswith((open_site.address, "data:", "blob:"))] == []
    assert others.asked == []


def test_what_goes_wrong_in_a_page_is_seen(visitor: Visitor, firefox: Firefox, open_site: Site) -> None:
    """An error, what the policy blocks, what is not there: none of it would pass by unseen."""
    tab = visitor.tab(f"{open_site.address}es/index.html")
    firefox.faults.clear()
    tab.ask("console.error('wrong')")
    tab.ask(
        "document.body.append(Object.assign(document.createElement('img'), { src: 'https://elsewhere.test/a.png' }))"
    )
    tab.goto(f"{open_site.address}es/no-such-page.html")
    found = " ".join(firefox.faults)
    firefox.faults.clear()

    assert all(one in found for one in ("wrong", "img-src blocked https://elsewhere.test", "404: "))


@pytest.mark.parametrize("name", LOOKS)
def test_each_choice_is_applied_and_kept(visitor: Visitor, open_site: Site, name: str) -> None:
    """At once, in a second tab, and on the next page before anything of it is painted; each value looks different."""
    one = visitor.tab(f"{open_site.address}ja/{PAGE}")
    other = visitor.tab(f"{open_site.address}ja/{PAGE}")
    values = one.ask(f"{CHOICES}.filter((choice) => choice.name === '{name}').map((choice) => choice.value)")
    looks: list[Any] = []
    for value in values:
        choose(one, name, value)
        assert one.ask(SHOWN)[name] == value
        one.until(f"!{json.dumps(looks)}.includes({LOOKS[name]})")
        looks.append(one.ask(LOOKS[name]))
        other.until(f"document.documentElement.dataset.{name} === '{value}'")
        other.until(f"{LOOKS[name]} === {json.dumps(looks[-1])}")
        other.reload()
        assert other.ask("beforePaint")[name] == value

    assert len(values) > 1
    other.goto(f"{open_site.address}es/index.html")
    assert other.ask("beforePaint")[name] == values[-1]


def test_these_are_all_settings(visitor: Visitor, open_site: Site) -> None:
    """A new one is tried here, too."""
    tab = visitor.tab(f"{open_site.address}ja/{PAGE}")

    assert {*tab.ask(f"{CHOICES}.map((choice) => choice.name)")} == {*LOOKS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keyboard_is_enough(visitor: Visitor, open_site: Site, language: str) -> None:
    """To skip to the content, to open the settings, to choose; what changed is said."""
    say = words(language)
    tab = visitor.tab(f"{open_site.address}{language}/{PAGE}")
    tab.press("Tab")
    assert tab.ask(
        "document.activeElement.matches('a.skip') && document.activeElement.getBoundingClientRect().left > 0"
    )
    while not tab.ask("document.activeElement.matches('details.reading summary')"):
        tab.press("Tab")
    tab.press("Enter", "Tab", "ArrowDown")
    tab.until("document.documentElement.dataset.paper === 'dark'")
    assert say["paper_dark"] in tab.ask("document.querySelector('details.reading [role=status]').textContent")
    assert tab.ask("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_only_listed_values_count(visitor: Visitor, open_site: Site) -> None:
    """Whatever stands in the browser's storage."""
    one, other = (visitor.tab(f"{open_site.address}{language}/index.html") for language in LANGUAGES)
    first = one.ask(SHOWN)
    one.ask("localStorage.setItem('bentocola.reading', JSON.stringify({ paper: 'url(x)', size: '125', other: 'x' }))")
    other.until("document.documentElement.dataset.size === '125'")
    assert other.ask(SHOWN) == first | {"size": "125"}
    one.ask("localStorage.setItem('bentocola.reading', 'no JSON')")
    one.reload()
    assert one.ask("beforePaint") == first


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cell_runs(visitor: Visitor, open_site: Site, language: str) -> None:
    """Python, boto3 and the local cloud in the page, and a view that is drawn."""
    tab = visitor.tab(f"{open_site.address}{language}/{PAGE}")
    cell = "document.getElementById('m01-show-stepper')"
    tab.ask(f"{cell}.querySelector('[data-act=run]').click()")
    tab.until(f"!{cell}.hasAttribute('data-running')")
    tab.until(f"{cell}.querySelector('.bentocola-view')?.shadowRoot.querySelector('input[type=radio]')")
    printed = tab.ask("document.querySelector('#m01-twin-event .output').textContent.trim()")

    assert printed.splitlines() == [
        "['Service', 'Event', 'Time', 'Bucket', 'RequestId', 'HostId']",
        "['Records']",
    ]
    assert tab.ask(f"{cell}.querySelector('.bar .said').textContent") == translate(language, "Done.")
