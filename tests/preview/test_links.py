"""Where the pages lead: to something that is there, and to other people's pages only where a reader clicks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from preview.site import build
from tests.repository import ROOT

pytestmark = pytest.mark.slow  # the lessons are run once

ORIGIN = "https://course.test"
OTHERS = ("https://docs.aws.amazon.com/", "https://aws.amazon.com/")
"""Where a lesson may send a reader: to AWS's own pages."""
ADDRESSES = ("href", "src", "poster", "data", "action", "formaction", "cite", "background", "ping", "manifest")
LISTS = ("srcset", "imagesrcset")
REFRESH = re.compile(r"url\s*=\s*(\S+)", re.IGNORECASE)
IN_CSS = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")


@pytest.fixture(scope="module", params=["/", "/x/"])
def base_url(request: pytest.FixtureRequest) -> str:
    """Where the site stands on its server."""
    return str(request.param)


@pytest.fixture(scope="module")
def folder(base_url: str, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that is made to stand there."""
    if base_url == "/":
        return site
    out = tmp_path_factory.mktemp("elsewhere") / "site"
    build(ROOT, out, base_url)
    return out


def addresses(soup: BeautifulSoup) -> Iterator[tuple[Tag, str]]:
    """Yield all that a page names: the element, and the address as it stands there."""
    for tag in soup.find_all(True):
        for name in ADDRESSES:
            if tag.has_attr(name):
                yield tag, str(tag[name]).strip()
        for name in LISTS:
            for one in str(tag.get(name, "")).split(","):
                if one.strip():
                    yield tag, one.split()[0]
        if tag.name == "meta" and str(tag.get("http-equiv", "")).lower() == "refresh":
            yield from ((tag, found) for found in REFRESH.findall(str(tag["content"])))
        if css := (tag.string or "" if tag.name == "style" else str(tag.get("style", ""))):
            yield from ((tag, first or second) for first, second in IN_CSS.findall(css))


def faults(folder: Path, base_url: str) -> list[str]:
    """Return what is wrong with the addresses of a site: the page, the address and why, as one string each."""
    root = f"{ORIGIN}{base_url}"

    @cache
    def soup(path: Path) -> BeautifulSoup:
        return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")

    found = []
    for page in sorted(folder.rglob("*.html")):
        name = page.relative_to(folder).as_posix()
        # Whoever asked for a page that is not there sees this one under that address.
        stands = [f"{root}{name}"] + ([f"{root}es/no/such/page.html"] if name == "404.html" else [])
        for tag, address in addresses(soup(page)):
            wrong = {_wrong(tag, urljoin(where, address), root, folder, soup) for where in stands} - {None}
            found += [f"{name}: {address}: {why}" for why in wrong]
        names = [str(tag["id"]) for tag in soup(page).find_all(id=True)]
        found += [
            f"{name}: #{one}: stands there twice" for one in sorted({one for one in names if names.count(one) > 1})
        ]
    for sheet in sorted(folder.rglob("*.css")):
        name = sheet.relative_to(folder).as_posix()
        for found_in in IN_CSS.findall(sheet.read_text(encoding="utf-8")):
            address = found_in[0] or found_in[1]
            if not _file(urljoin(f"{root}{name}", address), root, folder) and not address.startswith("data:"):
                found.append(f"{name}: {address}: is not there")
    return found


def _wrong(tag: Tag, address: str, root: str, folder: Path, soup: Callable[[Path], BeautifulSoup]) -> str | None:
    is_link = tag.name == "a"
    if address.startswith("data:"):
        return "is data to click on" if is_link else None
    if not address.startswith(f"{ORIGIN}/"):
        return None if is_link and address.startswith(OTHERS) else "is somebody else's"
    path = _file(address, root, folder)
    if path is None:
        return "is not there"
    fragment = unquote(urldefrag(address).fragment)
    if fragment and path.suffix == ".html" and not soup(path).find(id=fragment):
        return "has no such place"
    return None


def _file(address: str, root: str, folder: Path) -> Path | None:
    """Return the file that a plain server would answer with."""
    whole = urldefrag(address).url
    if not whole.startswith(root):
        return None
    path = folder / unquote(urlsplit(whole).path.removeprefix(urlsplit(root).path))
    path = path / "index.html" if path.is_dir() else path
    return path if path.is_file() else None


def test_everything_that_a_page_names_is_there(folder: Path, base_url: str) -> None:
    """Pages, places in them, style sheets, scripts; at any path of a server."""
    assert faults(folder, base_url) == []


def test_every_page_is_reached(folder: Path, base_url: str) -> None:
    """From the first one, by links alone."""
    root, todo, reached = f"{ORIGIN}{base_url}", ["index.html"], {"index.html", "404.html"}
    while todo:
        page = todo.pop()
        soup = BeautifulSoup((folder / page).read_text(encoding="utf-8"), "html.parser")
        for link in soup.find_all("a", href=True):
            path = _file(urljoin(f"{root}{page}", str(link["href"])), root, folder)
            name = path.relative_to(folder).as_posix() if path else ""
            if name.endswith(".html") and name not in reached:
                reached.add(name)
                todo.append(name)

    assert reached == {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}


def test_an_address_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    """Each kind of it, with its reason; what is right passes."""
    (tmp_path / "page.html").write_text(
        """<style>p { background: url(no.png) }</style><link rel="preconnect" href="https://elsewhere.test">
        <h1 id="here">A</h1><p id="twice"></p><p id="twice"></p><a href="no.html">1</a><a href="#no">2</a>
        <a href="/page.html">3</a><a href="https://elsewhere.test/">4</a><a href="http://docs.aws.amazon.com/">5</a>
        <img src="https://docs.aws.amazon.com/a.png"><img srcset="no-2.png 2x"><a href="data:text/html,x">6</a>
        <meta http-equiv="refresh" content="0; url=no-3.html"><a href="javascript:x()">7</a>
        <a href="page.html#here">8</a><a href="https://docs.aws.amazon.com/lambda/">9</a><img src="data:,"><a href="#">10</a>""",
        encoding="utf-8",
    )
    (tmp_path / "a.css").write_text("@import 'no.css'; p { background: url('page.html') }", encoding="utf-8")

    assert sorted(faults(tmp_path, "/x/")) == [
        "a.css: no.css: is not there",
        "page.html: #no: has no such place",
        "page.html: #twice: stands there twice",
        "page.html: /page.html: is not there",
        "page.html: data:text/html,x: is data to click on",
        "page.html: http://docs.aws.amazon.com/: is somebody else's",
        "page.html: https://docs.aws.amazon.com/a.png: is somebody else's",
        "page.html: https://elsewhere.test/: is somebody else's",
        "page.html: https://elsewhere.test: is somebody else's",
        "page.html: javascript:x(): is somebody else's",
        "page.html: no-2.png: is not there",
        "page.html: no-3.html: is not there",
        "page.html: no.html: is not there",
        "page.html: no.png: is not there",
    ]
