"""The search: what somebody asks in their own words is found in their language, near the top, and said to who does not see it."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bentocola.messages import LANGUAGES
from preview import glossary
from preview.words import words
from tests.browser.chromium import NEEDS_CHROMIUM, shoot
from tests.preview.sites import Site
from tests.preview.test_reading import PAPERS, choose, violations
from tests.repository import ROOT
from tests.test_no_solutions import canaries, leaks

pytestmark = NEEDS_CHROMIUM

UPLOAD, CONSUMER, LAB = "01-upload-to-table", "05-idempotent-consumer", "05-idempotent-consumer-lab"
TASK_01, TASK_05 = "01-upload-to-table-assignment", "05-idempotent-consumer-assignment"
NEAR_THE_TOP = 3

ASKED = [
    ("ja", "冪等", UPLOAD),
    ("ja", "べき等", UPLOAD),
    ("ja", "ベキ等な処理", UPLOAD),
    ("ja", "キュー", UPLOAD),
    ("ja", "ｷｭｰ", UPLOAD),
    ("ja", "可視性タイムアウト", UPLOAD),
    ("ja", "タイムアウト", UPLOAD),
    ("ja", "メッセージが消える", UPLOAD),
    ("ja", "条件付き書き込み", CONSUMER),
    ("ja", "条件式", CONSUMER),
    ("ja", "重複", CONSUMER),
    ("ja", "2回届く", UPLOAD),
    ("ja", "注文のキー", CONSUMER),
    ("ja", "デッドレターキュー", CONSUMER),
    ("ja", "ＤＬＱ", CONSUMER),
    ("ja", "イベントソースマッピング", LAB),
    ("ja", "FIFOキュー", CONSUMER),
    ("ja", "順番", CONSUMER),
    ("ja", "アイテム", UPLOAD),
    ("ja", "再起動", "00-start-here"),
    ("ja", "トレース", UPLOAD),
    ("ja", "失敗したメッセージはどこへ行くか", UPLOAD),
    ("ja", "receive_message", UPLOAD),
    ("ja", "attribute_not_exists", CONSUMER),
    ("ja", "batchItemFailures", TASK_01),
    ("ja", "save_job", TASK_05),
    ("es", "asignación", LAB),
    ("es", "asignacion", LAB),
    ("es", "ASIGNACIÓN", LAB),
    ("es", "cola", UPLOAD),
    ("es", "colas", UPLOAD),
    ("es", "idempotencia", UPLOAD),
    ("es", "idempotente", UPLOAD),
    ("es", "duplicado", TASK_05),
    ("es", "duplicados", TASK_05),
    ("es", "escritura condicional", UPLOAD),
    ("es", "tiempo de espera de visibilidad", UPLOAD),
    ("es", "el mensaje desaparece", UPLOAD),
    ("es", "mensaje envenenado", CONSUMER),
    ("es", "¿qué pasa si un mensaje llega dos veces?", UPLOAD),
    ("es", "at least once", UPLOAD),
    ("es", "dead-letter queue", CONSUMER),
    ("es", "desduplicacion", CONSUMER),
    ("es", "intérprete", "00-start-here"),
    ("es", "traza", UPLOAD),
    ("es", "receive_message", UPLOAD),
    ("es", "unquote_plus", UPLOAD),
    ("es", "put_item", LAB),
]


def ask(page: Page, query: str) -> Locator:
    """Search as a reader does, and return the pages that were found, as links."""
    page.locator("#query").fill(query)
    page.locator("#said").evaluate("said => said.replaceChildren()")
    page.locator("#query").press("Enter")
    expect(page.locator("#said")).to_contain_text(query)
    return page.locator("#results > li > h2 > a")


def names(found: Locator) -> list[str]:
    """Return the names of the pages that links lead to."""
    return [Path(one).stem for one in found.evaluate_all("all => all.map(e => e.pathname)")]


@pytest.fixture(scope="module")
def pages(browser: Browser, open_site: Site) -> dict[str, Page]:
    """The search's page in each language."""
    context = open_site.watch(browser.new_context())
    found = {language: context.new_page() for language in LANGUAGES}
    for language, page in found.items():
        page.goto(f"{open_site.address}{language}/search.html")
    return found


@pytest.mark.parametrize(("language", "query", "wanted"), ASKED, ids=str)
def test_what_somebody_asks_is_near_the_top(pages: dict[str, Page], language: str, query: str, wanted: str) -> None:
    """With or without accents, in any width, by another name, by what is seen, by a name from the code."""
    found = ask(pages[language], query)

    assert wanted in names(found)[:NEAR_THE_TOP]
    assert all(f"/{language}/" in address for address in found.evaluate_all("all => all.map(e => e.pathname)"))
    expect(pages[language].locator("#said")).to_have_text(
        words(language)["found"].format(query=query, number=found.count())
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_key_word_is_found_by_each_of_its_names(pages: dict[str, Page], language: str) -> None:
    """Among what is found is its place in the glossary."""
    missing = []
    for word in glossary.words_of(language):
        for name in (word.plain, word.english, *word.also):
            ask(pages[language], name)
            if pages[language].locator("#results a[href*='glossary.html']").count() == 0:
                missing.append(name)

    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("query", ["xyzzy", "ブロックチェーン"])
def test_what_is_nowhere_is_not_found(pages: dict[str, Page], language: str, query: str) -> None:
    """pagefind alone would shorten it until something matched."""
    found = ask(pages[language], query)

    assert found.count() == 0
    expect(pages[language].locator("#said")).to_have_text(words(language)["found_none"].format(query=query))


@pytest.mark.parametrize(("language", "query", "place"), [("es", "cola", "queue"), ("ja", "キュー", "queue")])
def test_a_place_that_is_called_so_comes_first(pages: dict[str, Page], language: str, query: str, place: str) -> None:
    """Before others of its page that use the word."""
    ask(pages[language], query)
    first = pages[language].locator("#results li li a[href*='glossary.html']").first

    assert f"#{place}" in str(first.get_attribute("href"))


def test_a_result_leads_to_the_place(pages: dict[str, Page], open_site: Site) -> None:
    """To the part of the page, which is set apart there, and to the words in it, which the browser marks where it can."""
    page = pages["ja"]
    ask(page, "可視性タイムアウト")
    place = page.locator("#results li li a[href*='#m01-idea-twice']").first
    expect(place).to_contain_text("考え方2")
    assert unquote(str(place.get_attribute("href"))).endswith("#m01-idea-twice:~:text=この時間を-,可視性タイムアウト")
    expect(page.locator("#results mark").first).to_have_text("可視性タイムアウト")

    place.click()
    expect(page.locator("#m01-idea-twice")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("#query")).to_have_value("可視性タイムアウト")
    expect(page.locator("#results li").first).to_be_visible()
    assert open_site.elsewhere == []


def test_nothing_is_loaded_before_somebody_searches(browser: Browser, open_site: Site) -> None:
    """And then the index of this language alone."""
    context = browser.new_context()
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url.removeprefix(open_site.address)))
    page.goto(f"{open_site.address}ja/search.html")
    expect(page.locator("#search")).to_be_visible()
    assert not [address for address in asked if address.startswith("pagefind/")]

    ask(page, "キュー")
    assert "pagefind/pagefind.js" in asked
    assert [address for address in asked if "/es_" in address or ".es_" in address] == []
    context.close()


def test_the_keyboard_is_enough_and_a_pause_searches(browser: Browser, open_site: Site) -> None:
    """From the field through the results; while somebody writes, nothing is announced."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{open_site.address}es/search.html")
    page.locator("#query").focus()
    page.keyboard.type("cola estándar")
    expect(page.locator("#said")).to_contain_text("cola estándar")
    page.keyboard.press("Tab")
    expect(page.locator("#search button")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#results a").first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html*")
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_results_are_accessible_on_each_background(browser: Browser, open_site: Site, language: str) -> None:
    """And on a narrow screen with large text nothing is cut off."""
    context = browser.new_context(viewport={"width": 320, "height": 800})
    page, found = context.new_page(), {}
    page.goto(f"{open_site.address}{language}/search.html")
    choose(page, size="200", lines="wide")
    ask(page, "FIFO")
    expect(page.locator("#results mark").first).to_be_visible()
    for paper in PAPERS:
        choose(page, paper=paper)
        shoot(page, f"preview-search-{paper}-{language}", whole=True)
        found[paper] = violations(page)
        targets = page.locator("#search input, #search button").evaluate_all(
            "all => all.map(e => e.getBoundingClientRect().height)"
        )
        assert min(targets) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()

    assert found == dict.fromkeys(PAPERS, [])


def test_without_a_script_a_sentence_says_so(browser: Browser, open_site: Site) -> None:
    """There is no field that does nothing."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{open_site.address}es/search.html")
    expect(page.locator("#without")).to_have_text(words("es")["search_needs"])
    expect(page.locator("#search")).to_be_hidden()
    context.close()


def test_when_the_index_does_not_come_the_page_says_so(browser: Browser, open_site: Site) -> None:
    """The next search asks again."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route("**/pagefind/*", lambda route: route.abort())
    page.goto(f"{open_site.address}es/search.html?q=cola")
    expect(page.locator("#said")).to_have_text(words("es")["search_failed"])
    context.close()


def test_the_index_holds_no_solution(site: Path, tmp_path: Path) -> None:
    """Its files are compressed: what is in them is looked at, too. It is made of notebooks' pages and the glossary."""
    for path in (site / "pagefind" / "fragment").iterdir():
        (tmp_path / f"{path.name}.txt").write_bytes(gzip.decompress(path.read_bytes()))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in tmp_path.iterdir()]

    assert len(texts) == len(list(site.glob("*/[0-9]*.html"))) + len(LANGUAGES)
    assert all("pagefind_dcd" in text[:20] for text in texts)
    assert leaks(tmp_path, canaries(ROOT)) == []
    assert not list((site / "pagefind").glob("*ui*"))
