"""Notebooks as pages of the site: with their key words linked, and readings over kanji. What did not change is not made again.

It writes to `build/preview/` only, through `kept`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from bs4 import BeautifulSoup
from markupsafe import Markup

from preview import glossary, live, notebooks, readings, text
from preview.kept import digest_of, kept
from preview.places import Place
from preview.words import words

__all__ = ["Page", "all_readings", "code_of", "made_of", "released"]


@dataclass(frozen=True)
class Page:
    """A notebook's page. `summary`: a line of text; `body`: its cells."""

    place: Place
    title: str
    summary: str
    body: Markup

    @property
    def address(self) -> str:
        """Its file's name in a language's folder."""
        return f"{self.place.page}.html"


def code_of(root: Path) -> str:
    """Return a digest of all that decides what becomes of a notebook, besides the notebook."""
    return digest_of(_code(root))


def released(root: Path, language: str, code: str) -> dict[str, Any]:
    """Return what nbgrader hands out of each assignment, by its name. Raises NotebookError."""
    folder = root / "assignments" / language
    sources = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in (".ipynb", ".py"))

    def make() -> str:
        handed_out = notebooks.assignments(root, language)
        return json.dumps({name: nbformat.writes(one) for name, one in handed_out.items()})  # type: ignore[no-untyped-call]

    found = json.loads(kept(root, f"{language}-released", digest_of([code, *sources]), make))
    return {name: nbformat.reads(one, as_version=4) for name, one in found.items()}  # type: ignore[no-untyped-call]


def made_of(
    root: Path, place: Place, language: str, notebook: Any, page_of: Callable[[str], str | None], code: str
) -> Page:
    """Return a notebook's page. `page_of`: the page of a notebook's address; `code`: from `code_of`. Raises LinkError."""
    source = nbformat.writes(notebook)  # type: ignore[no-untyped-call]

    def make() -> str:
        # A lab is done at a terminal, and a page has none.
        is_live = live.kind if place.kind != "lab" else lambda cell: ""
        body = text.body_of(notebook, words(language), page_of, f"{language}/{place.page}", is_live)
        found = {
            "title": text.title_of(notebook),
            "summary": text.first_paragraph(notebook, language),
            "body": _enriched(body, language),
        }
        return json.dumps(found, ensure_ascii=False)

    found = json.loads(kept(root, f"{language}-{place.page}-page", digest_of([code, source]), make))
    return Page(place, found["title"], found["summary"], Markup(found["body"]))


def all_readings(root: Path, name: str, html: str, code: str) -> str:
    """Return a Japanese page's texts with a reading over every word, as JSON: {its place on the page: HTML}."""

    def make() -> str:
        return json.dumps(readings.every(BeautifulSoup(html, "html.parser")), ensure_ascii=False)

    return kept(root, f"ja-{Path(name).stem}-readings", digest_of([code, html]), make)


def _enriched(body: str, language: str) -> str:
    soup = BeautifulSoup(body, "html.parser")
    glossary.link(soup, language)
    if language == "ja":
        readings.key_words(soup)
        for label in soup.select("p.label"):
            aided = BeautifulSoup(readings.aid(label.get_text(), language), "html.parser")
            label.clear()
            label.extend(list(aided.contents))
    return str(soup)


def _code(root: Path) -> Iterator[Path]:
    yield root / "requirements.lock"
    for folder, kinds in (
        ("bentocola", ("*.py", "*.po", "*.js", "*.mjs")),
        ("tools", ("*.py",)),
        ("preview", ("*.py", "*.toml", "*.txt", "*.j2", "conf.json")),
    ):
        for kind in kinds:
            paths = (root / folder).rglob(kind)
            yield from sorted(path for path in paths if "node_modules" not in path.parts)
