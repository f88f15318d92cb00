"""Readings over kanji: none, of the course's words, or of all; right ones, light to load, and kept like every other choice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page, expect

from preview import readings
from preview.words import words
from tests.browser.chromium import NEEDS_CHROMIUM, shoot
from tests.preview.sites import Site
from tests.preview.test_reading import choose, violations

KANJI = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
LESSON = "01-upload-to-table"
SAY = words("ja")


def read(path: Path) -> BeautifulSoup:
    """Return a page of the site."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def without_readings(html: str) -> str:
    """Return a text as it stands without them, its elements included."""
    soup = BeautifulSoup(html, "html.parser")
    for beside in soup.select("rt, rp"):
        beside.decompose()
    for ruby in soup.select("ruby"):
        ruby.unwrap()
    return str(soup).strip()


def shown(page: Page) -> int:
    """Return how many readings are seen in the page's content."""
    return page.locator("main rt").evaluate_all("all => all.filter(e => e.getClientRects().length).length")


@pytest.mark.parametrize(
    ("word", "reading", "expected"),
    [
        ("冪等", "べきとう", [("冪等", "べきとう")]),
        ("書き込み", "かきこみ", [("書", "か"), ("き", ""), ("込", "こ"), ("み", "")]),
        ("可視性タイムアウト", "かしせいタイムアウト", [("可視性", "かしせい"), ("タイムアウト", "")]),
        ("手元のクラウド", "てもとのクラウド", [("手元", "てもと"), ("のクラウド", "")]),
        ("少なくとも1回", "すくなくとも1かい", [("少", "すく"), ("なくとも1", ""), ("回", "かい")]),
        ("1人", "ひとり", [("1人", "ひとり")]),
        ("お客さん", "おきゃくさん", [("お", ""), ("客", "きゃく"), ("さん", "")]),
        ("今日", "あす ", [("今日", "あす ")]),
    ],
)
def test_a_reading_stands_over_its_kanji_alone(word: str, reading: str, expected: list[tuple[str, str]]) -> None:
    """The kana of a word need none; a reading that fits nowhere stands over the whole."""
    assert readings.pieces(word, reading) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1行目の値", {"行": "ぎょう", "値": "あたい"}),
        ("戻り値は使いません。", {"戻り値": "もどりち"}),
        ("キューは空です。", {"空": "から"}),
        ("キーが空いていれば", {"空い": "あい"}),
        ("前と後の項目", {"前": "まえ", "後": "あと"}),
        ("重複が届かない", {"重複": "ちょうふく"}),
        ("右上がターミナル、右下がビュー", {"右上": "みぎうえ", "右下": "みぎした"}),
        ("1人なら75分、教室では90分です。", {"1人": "ひとり"}),
        ("何が起きましたか。何件ですか。", {"何": "なん"}),
        ("大事なのは何ですか。", {"何です": "なんです"}),
        ("Lambdaに預けます。預けるとき。", {"預け": "あずけ", "預ける": "あずける"}),
        ("5分のあいだ届きません。", {"分の": "ふんの"}),
        ("1分のあいだ届きません。", {"分の": "ぷんの"}),
        ("実行が同時に進むと入れます。", {"進むと入れます": "すすむとはいれます"}),
        ("冪等なハンドラー", {"冪等": "べきとう"}),
    ],
)
def test_readings_are_those_of_the_course(text: str, expected: dict[str, str]) -> None:
    """Where the dictionary has another word's, or none."""
    found = dict(readings.read_aloud(text))

    assert {word: found.get(word) for word in expected} == expected
    assert "".join(word for word, _ in readings.read_aloud(text)) == text


def test_minutes_are_read_by_the_digit_before_them() -> None:
    """75分 and 90分 are not read alike."""
    assert [reading for word, reading in readings.read_aloud("75分と90分と3分と5分") if word == "分"] == [
        *("ふん", "ぷん", "ぷん", "ふん")
    ]


def test_spaces_and_lines_stay() -> None:
    """A full-width space sets a label apart; it is text."""
    text = "　目標　1件の\nアップロード "

    assert "".join(word for word, _ in readings.read_aloud(text)) == text


@pytest.mark.slow
def test_words_of_the_course_have_readings_where_a_page_first_uses_them(site: Path) -> None:
    """Each linked word with kanji, and each with a kanji that is not on the jōyō list."""
    rare: set[str] = set()
    for path in sorted((site / "ja").glob("[0-9]*.html")):
        page = read(path)
        for anchor in page.select("a.term"):
            assert not KANJI.search(without_ruby(anchor.decode_contents())), (path.name, anchor)
        for ruby in page.select("main ruby:not(.all)"):
            base = "".join(str(text) for text in ruby.find_all(string=True, recursive=False))
            rare |= {one for one in KANJI.findall(base) if one not in readings._common()}
        unread = {one for one in KANJI.findall(prose(page)) if one not in readings._common()}
        assert unread <= rare, path.name

    assert rare == {"冪"}


def without_ruby(html: str) -> str:
    """Return what of a text stands under no reading, and is no code."""
    soup = BeautifulSoup(html, "html.parser")
    for read_or_code in soup.select("ruby, code, pre"):
        read_or_code.decompose()
    return soup.get_text()


def prose(page: BeautifulSoup) -> str:
    """Return the text of a page that is no code."""
    return "".join(
        str(text)
        for section in page.select("section.text")
        for text in section.find_all(string=True)
        if not any(parent.name in ("code", "pre", "rt", "rp") for parent in text.parents)
    )


@pytest.mark.slow
def test_all_readings_of_a_page_stand_in_a_file_beside_it(site: Path) -> None:
    """Over every kanji of every text; the text itself is the page's own."""
    for path in sorted((site / "ja").glob("*.html")):
        page, every = read(path), json.loads(path.with_suffix(".readings.json").read_text(encoding="utf-8"))
        assert page.main["data-readings"] == f"{path.stem}.readings.json"
        assert list(every) == [section["id"] for section in page.select(".text[id]")], path.name
        for place, html in every.items():
            assert without_readings(html) == without_readings(page.find(id=place).decode_contents()), (path.name, place)
            assert not KANJI.search(without_ruby(html)), (path.name, place, without_ruby(html))


@pytest.mark.slow
def test_spanish_pages_have_no_such_setting(site: Path) -> None:
    """It would do nothing there."""
    assert not read(site / "es" / f"{LESSON}.html").select("input[name=ruby]")
    assert [one["value"] for one in read(site / "ja" / f"{LESSON}.html").select("input[name=ruby]")] == [
        *("off", "terms", "all")
    ]
    assert not list((site / "es").glob("*.readings.json"))


class TestInChromium:
    """What a reader sees of them."""

    pytestmark = NEEDS_CHROMIUM

    def test_who_asks_for_all_gets_them_and_nobody_else_loads_them(self, browser: Browser, open_site: Site) -> None:
        """The page comes without; the choice is kept; going back gives the page as it was."""
        context = browser.new_context()
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url.removeprefix(open_site.address)))
        page.goto(f"{open_site.address}ja/{LESSON}.html")
        before, of_words = page.locator("main").inner_html(), shown(page)
        assert of_words > 10
        assert not [address for address in asked if "readings" in address]

        choose(page, ruby="all")
        expect(page.locator("#m01-title ruby").nth(3)).to_be_visible()
        assert shown(page) > 10 * of_words
        assert [address for address in asked if "readings" in address] == [f"ja/{LESSON}.readings.json"]
        expect(page.locator("details.reading [role=status]")).to_contain_text(f"{SAY['ruby']}: {SAY['ruby_all']}")
        shoot(page, "preview-readings-all")
        assert violations(page) == []

        page.reload()
        expect(page.locator("#m01-title ruby").nth(3)).to_be_visible()
        choose(page, ruby="off")
        expect(page.locator("#m01-idea-twice rt").first).to_be_hidden()
        assert shown(page) == 0
        choose(page, ruby="terms")
        assert shown(page) == of_words
        assert page.locator("main").inner_html() == before
        context.close()

    def test_what_is_no_longer_on_the_list_counts_for_nothing(self, browser: Browser, open_site: Site) -> None:
        """A former visit's "on" is as no choice; a choice made in Japanese stays while somebody reads Spanish."""
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{open_site.address}ja/index.html")
        page.evaluate("localStorage.setItem('bentocola.reading', JSON.stringify({ruby: 'on'}))")
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-ruby", "terms")

        choose(page, ruby="off")
        page.goto(f"{open_site.address}es/index.html")
        choose(page, paper="dark")
        page.goto(f"{open_site.address}ja/index.html")
        expect(page.locator("html")).to_have_attribute("data-ruby", "off")
        expect(page.locator("html")).to_have_attribute("data-paper", "dark")
        context.close()

    def test_a_page_stays_whole_when_they_do_not_come(self, browser: Browser, open_site: Site) -> None:
        """It says so, and the readings of the course's words stay."""
        context = browser.new_context(service_workers="block")  # it fetches by itself, past what a test puts in the way
        page = context.new_page()
        page.route("**/*.readings.json", lambda route: route.abort())
        page.goto(f"{open_site.address}ja/{LESSON}.html")
        before = shown(page)
        choose(page, ruby="all")
        expect(page.locator("details.reading [role=status]")).to_have_text(SAY["ruby_failed"])
        assert before <= shown(page) < 2 * before

        page.unroute("**/*.readings.json")
        choose(page, ruby="terms")
        choose(page, ruby="all")
        expect(page.locator("#m01-title ruby").nth(3)).to_be_visible()
        context.close()

    def test_the_place_that_was_asked_for_stays_in_view(self, browser: Browser, open_site: Site) -> None:
        """Readings make the texts above it longer."""
        context = browser.new_context(viewport={"width": 800, "height": 600})
        page = context.new_page()
        page.goto(f"{open_site.address}ja/{LESSON}.html")
        choose(page, ruby="all")
        page.goto(f"{open_site.address}ja/glossary.html#message")
        expect(page.locator("#string ruby").first).to_be_visible()
        expect(page.locator("#message:target")).to_be_in_viewport()
        context.close()

    def test_nothing_is_cut_off_with_all_of_them_on_a_narrow_screen(self, browser: Browser, open_site: Site) -> None:
        """320 pixels wide, at 200 %."""
        context = browser.new_context(viewport={"width": 320, "height": 800})
        page = context.new_page()
        page.goto(f"{open_site.address}ja/index.html")
        choose(page, size="200", lines="wide", ruby="all")
        wide = {}
        for path in open_site.pages:
            if path.startswith("ja/"):
                with page.expect_response("**/*.readings.json"):
                    page.goto(open_site.address + path)
                if path != "ja/search.html":
                    expect(page.locator("main .text :not(a) > ruby").nth(5)).to_be_visible()
                if (width := page.evaluate("document.documentElement.scrollWidth")) > 320:
                    wide[path] = width
        context.close()

        assert wide == {}
