"""The glossary: complete in both languages, plainly said, met in the course, linked where a word is first used."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from bentocola.messages import LANGUAGES
from preview import glossary
from tests.repository import ROOT

TERMS: list[dict[str, Any]] = tomllib.loads((ROOT / "preview" / "glossary.toml").read_text(encoding="utf-8"))["term"]
KANJI = re.compile("[\u4e00-\u9fff]")
MOST_WORDS, MOST_LETTERS = 25, 60


def notebooks(site: Path, language: str) -> dict[str, BeautifulSoup]:
    """Return the pages of a language's notebooks, read."""
    pages = [path for path in sorted((site / language).glob("*.html")) if re.match(r"\d\d-", path.name)]
    return {path.name: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in pages}


def linked(language: str, html: str) -> str:
    """Return a text of a notebook's page with [key words] as they are linked."""
    soup = BeautifulSoup(f'<section class="text"><p>{html}</p></section>', "html.parser")
    glossary.link(soup, language)
    for anchor in soup.select("a.term"):
        anchor.insert(0, "[")
        anchor.append("]")
    return soup.get_text()


def test_no_language_lacks_a_word() -> None:
    """Its name, what it means, and the reading of what has kanji; an id each."""
    for term in TERMS:
        assert {"id", "en", "lesson", "es", "es_means", "ja", "ja_means"} <= term.keys(), term["id"]
        assert bool(KANJI.search(term["ja"])) == bool(term.get("ja_reading")), term["id"]
        unknown = {
            key
            for key in term
            if not re.fullmatch(r"id|en|lesson|ja_reading|(es|ja)(_(note|means|forms|not|also))?", key)
        }
        assert not unknown, term["id"]
    assert [name for name, times in Counter(term["id"] for term in TERMS).items() if times > 1] == []


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term["id"])
def test_what_a_word_means_is_said_in_short_sentences(term: dict[str, Any]) -> None:
    """One or two, of at most 25 Spanish words or 60 Japanese letters; in Japanese without typed spaces, and in です・ます."""
    spanish = re.split(r"(?<=[.?!]) (?=[¿¡A-ZÁÉÍÓÚ])", term["es_means"])
    japanese = re.findall(r"[^。]+。", term["ja_means"])

    assert 1 <= len(spanish) <= 2
    assert term["es_means"].endswith(".")
    assert max(len(sentence.split()) for sentence in spanish) <= MOST_WORDS
    assert 1 <= len(japanese) <= 2
    assert "".join(japanese) == term["ja_means"]
    assert max(map(len, japanese)) <= MOST_LETTERS
    assert max(sentence.count("、") for sentence in japanese) <= 2
    assert " " not in term["ja_means"]
    assert all(re.search(r"(す|せん|しょう)。$", sentence) for sentence in japanese)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_met_in_the_course(site: Path, language: str) -> None:
    """A page of the language uses it, and leads to it."""
    met = {str(anchor["href"]) for page in notebooks(site, language).values() for anchor in page.select("a.term")}

    assert met == {f"glossary.html#{term['id']}" for term in TERMS}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_word_and_the_other_languages_page_beside_it(site: Path, language: str) -> None:
    """Each in its place, from the contents and the header of every page."""
    page = BeautifulSoup((site / language / "glossary.html").read_text(encoding="utf-8"), "html.parser")
    other = next(one for one in LANGUAGES if one != language)

    assert [heading["id"] for heading in page.select("h2")] == [word.id for word in glossary.words_of(language)]
    assert page.select_one("header nav [hreflang]")["href"] == f"../{other}/glossary.html"
    assert page.select_one("header nav [aria-current=page]")["href"] == "glossary.html"
    for path in (site / language).glob("*.html"):
        assert 'href="glossary.html"' in path.read_text(encoding="utf-8"), path.name


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_is_linked_where_a_page_first_uses_it(site: Path, language: str) -> None:
    """Once on a page, in prose: not in a heading, in code, in what a cell prints, or in a link."""
    for name, page in notebooks(site, language).items():
        anchors = page.select("a.term")
        assert anchors, name
        assert len({anchor["href"] for anchor in anchors}) == len(anchors), name
        for anchor in anchors:
            around = {parent.name for parent in anchor.parents} - {"[document]"}
            assert not around & {"a", "code", "pre", "th", "h1", "h2", "h3", "h4"}, (name, anchor)
            assert anchor.find_parent("section", class_="text"), (name, anchor)


@pytest.mark.parametrize(
    ("language", "html", "expected"),
    [
        ("es", "Las colas y la cola.", "Las [colas] y la cola."),
        ("es", "El protocolo y las escolares.", "El protocolo y las escolares."),
        ("es", "Una cola estándar, después una cola.", "Una [cola estándar], después una [cola]."),
        ("es", "Mensajes: un mensaje.", "[Mensajes]: un mensaje."),
        ("es", "La clave de negocio es una clave.", "La [clave de negocio] es una [clave]."),
        ("es", "Lee <code>la cola</code> y <a href='x'>la cola</a>.", "Lee la cola y la cola."),
        ("es", "El <em>log</em> del catálogo.", "El [log] del catálogo."),
        ("ja", "キーワードとキーボードと主キー。", "キーワードとキーボードと主[キー]。"),
        ("ja", "プログラムとログ。", "プログラムと[ログ]。"),
        ("ja", "項目名と関数名と項目。", "項目名と関数名と[項目]。"),
        ("ja", "セルを実行します。2回の実行。", "セルを実行します。2回の[実行]。"),
        ("ja", "標準キューとキュー。", "[標準キュー]と[キュー]。"),
        ("ja", "イベントソースマッピングはイベントの…", "[イベントソースマッピング]は[イベント]の…"),
        ("ja", "これは<ruby>冪等<rp>（</rp><rt>べきとう</rt><rp>）</rp></ruby>です。", "これは[冪等]です。"),
    ],
)
def test_a_word_inside_another_is_left_alone(language: str, html: str, expected: str) -> None:
    """The longest one at a place is taken. Japanese has no spaces: there a word ends where its letters do."""
    assert linked(language, html) == expected


def test_other_names_are_for_the_search_alone(site: Path) -> None:
    """No page shows them as the course's words; the search's page knows them without accents."""
    known = glossary.synonyms("es")
    assert known["dead letter queue"] == "cola de mensajes fallidos"
    assert known["deduplicacion"] == "desduplicación"
    assert glossary.synonyms("ja")["べき等"] == "冪等"

    page = BeautifulSoup((site / "ja" / "glossary.html").read_text(encoding="utf-8"), "html.parser")
    assert "べき等" not in page.get_text()
