"""Makes the site from the course's notebooks: pages, contents, a page for what is not there. It writes into one folder only.

A file is written anew only where its content changed, so that a server that watches the folder sees what is new.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bentocola.messages import LANGUAGES
from preview import notebooks, text
from preview.places import Place, places
from preview.words import LANGUAGE_NAMES, words

__all__ = ["BuildError", "Made", "build"]

_STATIC = Path(__file__).parent / "static"
_MARK = ".bentocola-site"
"""Stands in a folder that this made: no other folder is cleared."""


class BuildError(Exception):
    """The site could not be made. The message says why, and what to do."""


@dataclass(frozen=True)
class Made:
    """What was made: how many pages, how many files in all, and how many of those were written anew."""

    pages: int
    files: int
    written: int


@dataclass(frozen=True)
class _Page:
    place: Place
    title: str
    summary: str
    body: Markup

    @property
    def address(self) -> str:
        return f"{self.place.page}.html"


def build(root: Path, out: Path, base_url: str = "/") -> Made:
    """Make the site of the repository in `root` in the folder `out`. Raises BuildError; `out` is then as it was.

    `base_url`: the path at which the site will stand, such as "/course/".
    """
    if not (base_url.startswith("/") and base_url.endswith("/")) or set(base_url) & set("?#\\"):
        raise BuildError(f"--base-url is the path of the site on its server, such as /course/; got {base_url!r}.")
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / _MARK).exists())):
        raise BuildError(
            f"{out} holds something that this did not make. Name an empty folder, or one that is not there yet."
        )
    try:
        editions = {language: _pages(root, language) for language in LANGUAGES}
    except (notebooks.NotebookError, text.LinkError, ValueError) as error:
        raise BuildError(str(error)) from error
    files = _files(editions, base_url)
    written = _write(out, files)
    return Made(sum(name.endswith(".html") for name in files), len(files), written)


def _pages(root: Path, language: str) -> list[_Page]:
    say = words(language)
    course = places(root, language)
    released = notebooks.assignments(root, language)
    addresses = _addresses(course)
    found = []
    for place in course:
        notebook = released[place.name] if place.kind == "assignment" else notebooks.lesson(root, place, language)
        body = text.body_of(notebook, say, addresses.get, f"{language}/{place.page}")
        found.append(_Page(place, text.title_of(notebook), text.first_paragraph(notebook, language), Markup(body)))
    return found


def _addresses(course: list[Place]) -> dict[str, str]:
    """Return the page that each address of a notebook leads to.

    Notebooks name each other as they lie in a student's folder: beside each other, below `assignments/`, in a language's folder.
    """
    found: dict[str, str] = {}
    for place in course:
        file, page = f"{place.name}.ipynb", f"{place.page}.html"
        names = [file] if place.kind != "assignment" else [f"{place.name}/{file}", f"assignments/{place.name}/{file}"]
        for up in ("", "../", "../../", "../../../"):
            for name in names:
                found[up + name] = page
                found |= {f"{up}{language}/{name}": f"../{language}/{page}" for language in LANGUAGES}
    return found


def _files(editions: dict[str, list[_Page]], base_url: str) -> dict[str, bytes]:
    """Return the site's files by their names."""
    page, contents = _environment().get_template("page.html.j2"), _environment().get_template("contents.html.j2")
    files: dict[str, str] = {}
    for language, pages in editions.items():
        others = [other for other in editions if other != language]
        common: dict[str, Any] = {
            "language": language,
            "say": words(language),
            "names": LANGUAGE_NAMES,
            "pages": pages,
            "up": "../",
        }
        known = {other: {one.address for one in editions[other]} for other in others}
        for n, one in enumerate(pages):
            switch = {
                other: f"../{other}/{one.address if one.address in known[other] else 'index.html'}" for other in others
            }
            before, after = pages[n - 1] if n else None, pages[n + 1] if n + 1 < len(pages) else None
            files[f"{language}/{one.address}"] = page.render(
                common, page=one, before=before, after=after, switch=switch
            )
        switch = {other: f"../{other}/index.html" for other in others}
        files[f"{language}/index.html"] = contents.render(common, switch=switch)
    editions_words = {language: words(language) for language in editions}
    landing = _environment().get_template("landing.html.j2")
    files["index.html"] = landing.render(editions=editions_words, names=LANGUAGE_NAMES, up="")
    missing = _environment().get_template("missing.html.j2")
    files["404.html"] = missing.render(editions=editions_words, names=LANGUAGE_NAMES, up=base_url)
    found = {name: f"{content.strip()}\n".encode() for name, content in files.items()}
    return found | {f"static/{path.name}": path.read_bytes() for path in sorted(_STATIC.iterdir()) if path.is_file()}


def _write(out: Path, files: dict[str, bytes]) -> int:
    """Write what changed, remove what no longer belongs to the site, and return how many files were written."""
    out.mkdir(parents=True, exist_ok=True)
    (out / _MARK).touch()
    for path in sorted(out.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.name != _MARK and path.relative_to(out).as_posix() not in files:
            path.unlink()
    written = 0
    for name, content in files.items():
        target = out / name
        if target.is_file() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        written += 1
    return written


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(text.TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
