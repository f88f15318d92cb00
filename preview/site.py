"""Makes the site from the course's notebooks: pages, contents, a page for what is not there. It writes into one folder only.

A file is written anew only where its content changed, so that a server that watches the folder sees what is new.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bentocola.messages import LANGUAGES
from preview import glossary, lite, live, notebooks, readings, search, text
from preview.pages import Page, all_readings, code_of, made_of, released
from preview.places import Place, places
from preview.words import LANGUAGE_NAMES, words
from tools import npm

__all__ = ["BuildError", "Made", "build"]

_STATIC = Path(__file__).parent / "static"
_FIRST = text.TEMPLATES / "reading.js"
"""Runs before anything is painted: it stands in each page, and is fetched by none."""
_MARK = ".bentocola-site"
"""Stands in a folder that this made: no other folder is cleared."""


class BuildError(Exception):
    """The site could not be made. The message says why, and what to do."""


@dataclass(frozen=True)
class Made:
    """What was made: how many pages, how many files in all, and how many of those were written anew; JupyterLite's share."""

    pages: int
    files: int
    written: int
    lite_files: int = 0
    lite_bytes: int = 0


def build(root: Path, out: Path, base_url: str = "/", *, with_lite: bool = False) -> Made:
    """Make the site of the repository in `root` in the folder `out`. Raises BuildError; `out` is then as it was.

    `base_url`: the path at which the site will stand, such as "/course/"; `with_lite`: whether JupyterLite stands beside.
    """
    if not (base_url.startswith("/") and base_url.endswith("/")) or set(base_url) & set("?#\\"):
        raise BuildError(f"--base-url is the path of the site on its server, such as /course/; got {base_url!r}.")
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / _MARK).exists())):
        raise BuildError(
            f"{out} holds something that this did not make. Name an empty folder, or one that is not there yet."
        )
    try:
        packages = npm.install(root / "preview")
        python = live.python(root, packages)
        code = code_of(root)
        editions = {language: _pages(root, language, code) for language in LANGUAGES}
        files = _files(editions, base_url, python, with_lite)
        files |= search.index_of(packages, files) | _readings(root, files, code) | live.site_files(python)
        lites = lite.files(root, python) if with_lite else {}
    except (notebooks.NotebookError, text.LinkError, npm.NpmError, lite.LiteError, ValueError) as error:
        raise BuildError(str(error)) from error
    number = sum(name.endswith(".html") for name in files)
    files |= lites
    written = _write(out, files)
    return Made(number, len(files), written, len(lites), sum(map(len, lites.values())))


def _pages(root: Path, language: str, code: str) -> list[Page]:
    course = places(root, language)
    handed_out = released(root, language, code)
    addresses = _addresses(course)
    found = []
    for place in course:
        notebook = handed_out[place.name] if place.kind == "assignment" else notebooks.lesson(root, place, language)
        found.append(made_of(root, place, language, notebook, addresses.get, code))
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


def _files(editions: dict[str, list[Page]], base_url: str, python: live.Python, with_lite: bool) -> dict[str, bytes]:
    """Return the site's files by their names."""
    page = _environment().get_template("page.html.j2")
    files: dict[str, str] = {}
    for language, pages in editions.items():
        others = [other for other in editions if other != language]
        common: dict[str, Any] = {
            "language": language,
            "say": words(language),
            "aided": {name: readings.aid(word, language) for name, word in words(language).items()},
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
            name, is_assignment = f"{language}/{one.place.page}", one.place.kind == "assignment"
            data = Markup(live.page_data(language, name, python, is_assignment=is_assignment))
            in_lite = lite.address(one.place, language) if with_lite else ""
            files[f"{language}/{one.address}"] = page.render(
                common,
                page=one,
                file=one.address,
                before=before,
                after=after,
                switch=switch,
                live=data,
                in_lite=in_lite,
            )
        titles = {one.place.page: one.title for one in pages}
        for name in ("index.html", glossary.PAGE, "search.html"):
            template = _environment().get_template("contents.html.j2" if name == "index.html" else f"{name}.j2")
            switch = {other: f"../{other}/{name}" for other in others}
            files[f"{language}/{name}"] = template.render(
                common, file=name, switch=switch, glossary=glossary.words_of(language), titles=titles
            )
        files[f"{language}/search-words.json"] = json.dumps(glossary.synonyms(language), ensure_ascii=False)
    editions_words = {language: words(language) for language in editions}
    landing = _environment().get_template("landing.html.j2")
    files["index.html"] = landing.render(editions=editions_words, names=LANGUAGE_NAMES, up="")
    missing = _environment().get_template("missing.html.j2")
    files["404.html"] = missing.render(editions=editions_words, names=LANGUAGE_NAMES, up=base_url)
    found = {name: f"{content.strip()}\n".encode() for name, content in files.items()}
    return found | {f"static/{path.name}": path.read_bytes() for path in sorted(_STATIC.iterdir()) if path.is_file()}


def _readings(root: Path, files: dict[str, bytes], code: str) -> dict[str, bytes]:
    """Return what a Japanese page asks for when somebody wants a reading over every word: a file beside each."""
    return {
        name.replace(".html", ".readings.json"): all_readings(root, name, content.decode(), code).encode()
        for name, content in files.items()
        if name.startswith("ja/") and name.endswith(".html")
    }


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
    made = Environment(
        loader=FileSystemLoader(text.TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    made.filters |= {"aid": readings.aid, "named": readings.named}
    lines = _FIRST.read_text(encoding="utf-8").splitlines(keepends=True)
    first = "".join(line for line in lines if not line.lstrip().startswith("//"))  # its comments stay with its source
    digest = base64.b64encode(hashlib.sha256(first.encode()).digest()).decode()
    made.globals |= {"first": Markup(first), "first_digest": f"sha256-{digest}"}
    return made
