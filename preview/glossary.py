"""The course's key words: the glossary's page, links to it from their first use on a page, and what else they are searched by.

The words stand in `glossary.toml`, in both languages side by side. It reads that file, and changes the pages it is given.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from markupsafe import Markup, escape

__all__ = ["PAGE", "Word", "link", "synonyms", "words_of"]

PAGE = "glossary.html"
_DATA = Path(__file__).parent / "glossary.toml"
_NOT_PROSE = ("a", "code", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "th", "rp", "rt", "button", "label", "summary")
_SCRIPTS = ("ァ-ヺー", "\u3400-\u4dbf\u4e00-\u9fff々", "A-Za-z0-9_")
"""Katakana, kanji, Latin: a word of one of them ends where the next letter is of another."""
_IN_JAPANESE = re.compile(f"[{_SCRIPTS[0]}{_SCRIPTS[1]}]")


@dataclass(frozen=True)
class Word:
    """A key word in one language.

    `name`, `note`, `means`: with `code` and *English* marked as in Markdown. `forms`: as texts write it. `never`: what only
    looks like it. `also`: what it is searched by. `lesson`: page#place, without a page's ending.
    """

    id: str
    language: str
    english: str
    name: str
    note: str
    means: str
    reading: str
    forms: tuple[str, ...]
    never: tuple[str, ...]
    also: tuple[str, ...]
    lesson: str

    @property
    def plain(self) -> str:
        """The name without marks."""
        return self.name.replace("*", "")

    @property
    def lesson_page(self) -> str:
        """The page where it is met, without an ending."""
        return self.lesson.partition("#")[0]

    @property
    def lesson_place(self) -> str:
        """The place on that page."""
        return self.lesson.partition("#")[2]

    def html(self, field: str) -> Markup:
        """Return one of its texts as HTML."""
        text = str(escape(getattr(self, field)))
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
        return Markup(re.sub(r"\*([^*]+)\*", r'<em lang="en">\1</em>', text))


@cache
def words_of(language: str) -> tuple[Word, ...]:
    """Return the glossary of a language in its own order: by the alphabet, or by the reading."""
    found = [_word(entry, language) for entry in tomllib.loads(_DATA.read_text(encoding="utf-8"))["term"]]
    return tuple(sorted(found, key=lambda word: _bare(word.reading or word.plain)))


def synonyms(language: str) -> dict[str, str]:
    """Return what somebody may search a key word by, and the word itself, in small letters without accents."""
    found: dict[str, str] = {}
    for word in words_of(language):
        for other in (word.english, *word.also):
            if _bare(other) != _bare(word.plain):
                found[_searched(other)] = word.plain
    return found


def link(soup: BeautifulSoup, language: str) -> None:
    """Lead each key word from its first use in the page's prose to its entry in the glossary."""
    pattern, targets = _pattern(language)
    seen: set[str] = set()
    for section in soup.select("section.text"):
        for text in list(section.find_all(string=pattern)):
            if not any(parent.name in _NOT_PROSE for parent in text.parents):
                _link_in(soup, text, pattern, targets, seen)


def _word(entry: dict[str, Any], language: str) -> Word:
    name = entry[language]
    forms = [name.replace("*", ""), *entry.get(f"{language}_forms", ())]
    if "" in forms:  # an empty form says that the name itself is too common to be linked
        forms = forms[forms.index("") + 1 :]
    return Word(
        id=entry["id"],
        language=language,
        english=entry["en"],
        name=name,
        note=entry.get(f"{language}_note", ""),
        means=entry[f"{language}_means"],
        reading=entry.get(f"{language}_reading", ""),
        forms=tuple(forms),
        never=tuple(entry.get(f"{language}_not", ())),
        also=tuple(entry.get(f"{language}_also", ())),
        lesson=entry["lesson"],
    )


@cache
def _pattern(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds the longest form at a place, and the entry of each form; "" is that of what only looks like one."""
    targets = {form.lower(): word.id for word in words_of(language) for form in word.forms}
    targets |= {form.lower(): "" for word in words_of(language) for form in word.never}
    forms = sorted(targets, key=len, reverse=True)
    return re.compile("|".join(_bounded(form) for form in forms), re.IGNORECASE), targets


def _bounded(form: str) -> str:
    """Return a pattern of a form that is not a part of another word.

    Japanese sets no spaces: there a word ends where the script changes, and 実行 in 実行する is a verb.
    """
    if not _IN_JAPANESE.search(form):
        edge = r"\w" if form.isascii() is False or " " in form else "A-Za-z0-9_"
        return rf"(?<![{edge}]){re.escape(form)}(?![{edge}])"
    before, after = ([one for one in _SCRIPTS if re.match(f"[{one}]", edge)] for edge in (form[0], form[-1]))
    ends = [*after, "しすせさ"] if after == [_SCRIPTS[1]] else after
    start = f"(?<![{before[0]}])" if before else ""
    return start + re.escape(form) + (f"(?![{''.join(ends)}])" if ends else "")


def _link_in(
    soup: BeautifulSoup, text: NavigableString, pattern: re.Pattern[str], targets: dict[str, str], seen: set[str]
) -> None:
    if text.parent is not None and text.parent.name == "ruby":
        target = targets.get(str(text).lower())
        if target and target not in seen:
            seen.add(target)
            text.parent.wrap(_anchor(soup, target))
        return
    parts = list(_parts(soup, str(text), pattern, targets, seen))
    if len(parts) > 1:
        text.replace_with(*parts)


def _parts(
    soup: BeautifulSoup, text: str, pattern: re.Pattern[str], targets: dict[str, str], seen: set[str]
) -> Iterator[NavigableString | Tag]:
    position = 0
    for found in pattern.finditer(text):
        target = targets[found[0].lower()]
        if not target or target in seen:
            continue
        seen.add(target)
        yield NavigableString(text[position : found.start()])
        anchor = _anchor(soup, target)
        anchor.string = found[0]
        yield anchor
        position = found.end()
    yield NavigableString(text[position:])


def _anchor(soup: BeautifulSoup, target: str) -> Tag:
    return soup.new_tag("a", attrs={"class": "term", "href": f"{PAGE}#{target}"})


def _bare(text: str) -> str:
    """Return a text for comparing and sorting: small, without accents; ñ stays a letter of its own."""
    kept = text.lower().replace("ñ", "n~")
    return "".join(one for one in unicodedata.normalize("NFD", kept) if not "\u0300" <= one <= "\u036f")


def _searched(text: str) -> str:
    """Return a text as the search's page compares it: as it does in `search.js`."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return unicodedata.normalize("NFC", "".join(one for one in decomposed if not "\u0300" <= one <= "\u036f"))
