"""Readings over kanji: of key words and rare kanji at their first use on a page, and of every word for who asks for it.

janome knows the words; `readings.toml` and the glossary know better. It changes the pages it is given, and reads its own data.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from janome.tokenizer import Tokenizer
from markupsafe import Markup, escape

from preview.glossary import Word, words_of

__all__ = ["aid", "every", "key_words", "named", "pieces", "read_aloud"]

_HERE = Path(__file__).parent
_KANJI = re.compile("[\u3400-\u4dbf\u4e00-\u9fff々]")
_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff々]+")
_RUN_WITH_DIGITS = re.compile("[0-9\u3400-\u4dbf\u4e00-\u9fff々]+")
"""For 1人, whose reading has no digit."""
_KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_NOT_READ = ("code", "pre", "ruby", "textarea")
_SOFT = frozenset("134680")
"""After these digits a minute is ぷん, and after others ふん."""


@cache
def _common() -> frozenset[str]:
    """Return the jōyō list, with the shapes of four of its kanji that a keyboard gives."""
    return frozenset((_HERE / "readings_joyo.txt").read_text(encoding="utf-8") + "々")


@cache
def _corrections() -> dict[str, dict[str, str]]:
    return tomllib.loads((_HERE / "readings.toml").read_text(encoding="utf-8"))


@cache
def _tokenizer() -> Tokenizer:
    known = _corrections()["words"] | {word.plain: word.reading for word in words_of("ja") if word.reading}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.csv"
        path.write_text("".join(f"{word},名詞,{reading}\n" for word, reading in known.items()), encoding="utf-8")
        return Tokenizer(str(path), udic_type="simpledic", udic_enc="utf8")


def read_aloud(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text with their readings in hiragana; "" for a word without kanji, or of which none is known."""
    before, alone = "", _corrections()["alone"]
    for part in re.split(r"(\s+)", text):
        if not _KANJI.search(part):
            yield part, ""
            continue
        tokens: Iterator[Any] = _tokenizer().tokenize(part)
        for token in tokens:
            word = token.surface
            reading = "" if token.reading == "*" or not _KANJI.search(word) else token.reading.translate(_KATAKANA)
            reading = alone.get(word, reading)
            if word in ("分", "分の") and before[-1:] in _SOFT:
                reading = reading.replace("ふん", "ぷん")
            yield word, reading
            before = word


def pieces(word: str, reading: str) -> list[tuple[str, str]]:
    """Return a word's parts: kanji with their share of the reading, and kana with "".

    書き込み and かきこみ become 書 with か, き, 込 with こ, み. A reading that does not fit stands over the whole word.
    """
    pattern, parts, position = "", [], 0
    for run in (_RUN if re.search("[0-9]", reading) else _RUN_WITH_DIGITS).finditer(word):
        parts += [(word[position : run.start()], False), (run[0], True)]
        position = run.end()
    parts = [(part, is_kanji) for part, is_kanji in [*parts, (word[position:], False)] if part]
    for part, is_kanji in parts:
        pattern += "(.+?)" if is_kanji else re.escape(part.translate(_KATAKANA))
    found = re.fullmatch(pattern, reading.translate(_KATAKANA))
    if found is None:
        return [(word, reading)]
    shares = iter(found.groups())
    return [(part, next(shares) if is_kanji else "") for part, is_kanji in parts]


def aid(text: str, language: str) -> Markup:
    """Return one of the site's own texts as HTML, with readings that are shown to who asks for all of them."""
    if language != "ja":
        return escape(text)
    return Markup("".join(_ruby_text(*piece, kind=' class="all"') for piece in _pieces_of(text)))


def named(word: Word) -> Markup:
    """Return a key word's name as HTML, with its reading if it has one."""
    if not word.reading:
        return word.html("name")
    return Markup("".join(_ruby_text(*piece) for piece in pieces(word.plain, word.reading)))


def key_words(soup: BeautifulSoup) -> None:
    """Put a reading over each linked key word, and over a word with a kanji that is not on the jōyō list at its first use."""
    for anchor in soup.select("a.term"):
        for text in list(anchor.find_all(string=_KANJI, recursive=False)):
            text.replace_with(*_nodes(soup, str(text)))
    seen: set[str] = set()
    for text in list(soup.find_all(string=_KANJI)):
        if _is_read(text) and not {*_KANJI.findall(text)} <= _common():
            parts: list[NavigableString | Tag] = []
            for word, reading in read_aloud(str(text)):
                is_rare = bool(reading) and word not in seen and not {*_KANJI.findall(word)} <= _common()
                parts += _nodes_of(soup, pieces(word, reading)) if is_rare else [NavigableString(word)]
                seen |= {word} if is_rare else set()
            text.replace_with(*parts)


def every(soup: BeautifulSoup) -> dict[str, str]:
    """Return the inside of each text of the page, by its place, with a reading over each word with kanji. `soup` is changed."""
    found = {}
    for section in soup.select(".text[id]"):
        for text in list(section.find_all(string=_KANJI)):
            if _is_read(text):
                text.replace_with(*_nodes(soup, str(text)))
        found[str(section["id"])] = section.decode_contents().strip()
    return found


def _is_read(text: NavigableString) -> bool:
    return not any(parent.name in _NOT_READ for parent in text.parents)


def _pieces_of(text: str) -> Iterator[tuple[str, str]]:
    for word, reading in read_aloud(text):
        yield from pieces(word, reading) if reading else [(word, "")]


def _nodes(soup: BeautifulSoup, text: str) -> list[NavigableString | Tag]:
    return _nodes_of(soup, _pieces_of(text))


def _nodes_of(soup: BeautifulSoup, parts: Iterable[tuple[str, str]]) -> list[NavigableString | Tag]:
    nodes: list[NavigableString | Tag] = []
    plain = ""
    for part, reading in parts:
        if not reading:
            plain += part
            continue
        nodes.append(NavigableString(plain))
        plain = ""
        ruby = soup.new_tag("ruby")
        ruby.append(part)
        for tag, content in (("rp", "（"), ("rt", reading), ("rp", "）")):
            beside = soup.new_tag(tag)
            beside.string = content
            ruby.append(beside)
        nodes.append(ruby)
    return [*nodes, NavigableString(plain)]


def _ruby_text(part: str, reading: str, kind: str = "") -> str:
    if not reading:
        return str(escape(part))
    return f"<ruby{kind}>{escape(part)}<rp>（</rp><rt>{reading}</rt><rp>）</rp></ruby>"
