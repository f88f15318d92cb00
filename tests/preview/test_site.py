"""The site as files: complete in both languages, without a solution, self-contained, light, made anew where it changed."""

from __future__ import annotations

import http.client
import shutil
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import pytest
from bs4 import BeautifulSoup

from bentocola.messages import LANGUAGES
from preview import places
from preview.command import main
from preview.notebooks import is_students
from preview.site import BuildError, build
from preview.text import LinkError, body_of
from preview.words import words
from tests.notebooks.editions import read
from tests.preview.sites import served
from tests.repository import ROOT
from tests.test_no_solutions import canaries, leaks

pytestmark = pytest.mark.slow  # the lessons are run once

MOST_BYTES = 100_000
"""For a page with its style sheet and its script."""


def soups(site: Path) -> dict[str, BeautifulSoup]:
    """Return every page, read, by its path."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in sorted(site.rglob("*.html"))
    }


def test_every_notebook_has_a_page_in_each_language(site: Path) -> None:
    """Under the same name, so that the switch leads to the same place."""
    pages = {language: {path.name for path in (site / language).glob("*.html")} for language in LANGUAGES}
    expected = {f"{place.page}.html" for place in places.places(ROOT, "es")}
    expected |= {"index.html", "glossary.html", "search.html"}

    assert pages == dict.fromkeys(LANGUAGES, expected)


def test_contents_tell_which_modules_are_missing(site: Path) -> None:
    """A reader who sees 05 after 01 knows that nothing was lost."""
    modules = sorted({int(place.module) for place in places.places(ROOT, "es")})
    gaps = [(one + 1, other - 1) for one, other in pairwise(modules) if other - one > 1]
    numbers = [f"{first:02}" if first == last else f"{first:02}–{last:02}" for first, last in gaps]
    for language in LANGUAGES:
        told = [tag.get_text() for tag in soups(site)[f"{language}/index.html"].select(".to-come")]
        assert told == [words(language)["to_come"].format(numbers=number) for number in numbers]


def test_no_mark_of_markdown_is_left_to_be_seen(site: Path) -> None:
    """Beside a full-width bracket, two asterisks may begin or end nothing: https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis"""
    shown = {}
    for path, soup in soups(site).items():
        for code in soup.select("pre, code, script"):
            code.decompose()
        if found := [text for text in soup.find_all(string=True) if "**" in text or "](" in text]:
            shown[path] = found

    assert shown == {}


def test_no_solution_is_in_the_site(site: Path) -> None:
    """Nor a hidden test, nor a mark scheme: in no file, whatever its markup."""
    assert leaks(site, canaries(ROOT)) == []


def test_a_solution_in_a_page_would_be_found(tmp_path: Path) -> None:
    """Cut up and escaped by the colours of code, too."""
    secret = max(canaries(ROOT), key=len)
    body = "".join(f"<span>{letter}</span>" if letter.strip() else letter for letter in secret.replace("<", "~"))
    (tmp_path / "page.html").write_text(f"<pre>{body.replace('~', '&lt;')}</pre>", encoding="utf-8")

    assert len(leaks(tmp_path, canaries(ROOT))) == 1


def test_student_cells_are_blank(site: Path) -> None:
    """A student's cell holds what was handed out, and no page shows more of it."""
    say = words("es")
    for place in places.places(ROOT, "es"):
        own = [cell.id for cell in read(place.source(ROOT, "es")).cells if is_students(cell)]
        page = soups(site)[f"es/{place.page}.html"]
        blank = page.select(".student")
        assert [cell["id"] for cell in blank] == own
        assert all(cell["aria-label"] in (say["own_cell"], say["own_words"]) for cell in blank)
        assert not page.select(".student .output")


def test_what_lessons_print_is_there(site: Path) -> None:
    """They were run; no cell of theirs failed; the stepper is there as the text of its story."""
    page = soups(site)["es/01-upload-to-table.html"]

    assert "Traceback" not in page.get_text()
    assert "S3 envía un evento a la cola." in page.select_one("#m01-show-stepper .output").get_text()


def test_every_page_says_what_it_is(site: Path) -> None:
    """Its language, a title and a description of its own, one heading at the top."""
    titles = []
    for path, page in soups(site).items():
        assert page.html["lang"] == (path.split("/")[0] if "/" in path else "es"), path
        assert page.find("meta", attrs={"name": "description"})["content"].strip(), path
        assert len(page.find_all("h1")) == 1, path
        titles.append(page.title.get_text())

    assert len({*titles}) >= len(titles) - 2, titles  # both languages' contents may be called alike


def test_every_link_leads_somewhere(site: Path) -> None:
    """To a file of the site, and to a place that is on its page."""
    pages, broken = soups(site), []
    for path, page in pages.items():
        for tag in page.find_all(["a", "link", "script", "img"]):
            address = tag.get("href") or tag.get("src")
            if not address or urlsplit(address).scheme or path == "404.html":
                continue
            target, place = urldefrag(address)
            file = (site / path).parent / target if target else site / path
            found = file.resolve().relative_to(site.resolve()).as_posix()
            if not file.is_file() or (place and found in pages and not pages[found].find(id=place)):
                broken.append((path, address))

    assert broken == []


def test_a_page_names_nobody_else(site: Path) -> None:
    """No script, style, picture or font from elsewhere; its policy allows none, and one script in the page itself."""
    for path, page in soups(site).items():
        loaded = [
            tag.get("src") or tag.get("href") for tag in page.find_all(["script", "img", "link", "iframe", "video"])
        ]
        assert [address for address in loaded if urlsplit(str(address)).scheme not in ("", "data")] == [], path
        policy = str(page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"])
        assert policy.startswith("default-src 'none'")
        scripts = page.find_all("script", type=lambda kind: kind != "application/json")
        (inside,) = [tag.get_text() for tag in scripts if tag.get_text()]
        assert f"'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'" in policy, path
        assert "http" not in inside
        assert not page.find_all(style=True), path


def test_a_page_is_light(site: Path) -> None:
    """With all that it loads to be read: what runs its cells comes after, and its index when somebody searches."""
    heavy = {}
    for path, page in soups(site).items():
        loaded = {tag.get("src") or tag.get("href") for tag in page.select("script[src], link[rel=stylesheet]")}
        files = [(site / path).parent / str(one).removeprefix("/") for one in loaded if path != "404.html"]
        size = sum(file.stat().st_size for file in [site / path, *files])
        if size > MOST_BYTES:
            heavy[path] = size

    assert heavy == {}


def test_readings_stand_over_their_kanji(site: Path) -> None:
    """And in parentheses for who cannot show them so."""
    found = [ruby for page in soups(site).values() for ruby in page.find_all("ruby")]

    assert found
    assert all(ruby.rt and len(ruby.find_all("rp")) == 2 for ruby in found)


def test_what_did_not_change_is_not_written_again(site: Path, tmp_path: Path) -> None:
    """A page that changed is; a page that is no longer the site's goes."""
    copy = tmp_path / "site"
    shutil.copytree(site, copy)
    (copy / "es" / "index.html").write_text("another", encoding="utf-8")
    (copy / "es" / "former.html").write_text("former", encoding="utf-8")

    made = build(ROOT, copy)

    assert made.written == 1
    assert not (copy / "es" / "former.html").exists()
    assert (copy / "es" / "index.html").read_bytes() == (site / "es" / "index.html").read_bytes()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is in it stays, and the command says why it made nothing."""
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")

    assert main(["build", "--out", str(tmp_path)]) == 1
    assert "thesis" not in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("base_url", ["course/", "/course", "https://example.org/", "/a?b/"])
def test_a_base_url_that_is_no_path_is_refused(tmp_path: Path, base_url: str) -> None:
    """The message says what it should be."""
    with pytest.raises(BuildError, match="such as /course/"):
        build(ROOT, tmp_path / "site", base_url)


def test_the_page_for_what_is_missing_works_at_any_depth(site: Path, tmp_path: Path) -> None:
    """A server shows it for whatever address: it names what it needs from the site's root."""
    build(ROOT, tmp_path / "site", "/course/")
    page = soups(tmp_path / "site")["404.html"]
    assert {tag["href"] for tag in page.find_all("a")} == {f"/course/{language}/index.html" for language in LANGUAGES}

    with served(site) as found:
        connection = http.client.HTTPConnection(urlsplit(found.address).netloc)
        connection.request("GET", "/es/no/such/page.html")
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (404, (site / "404.html").read_bytes())
        connection.close()


def test_a_link_to_a_notebook_without_a_page_is_refused() -> None:
    """A reader would meet nothing there; the message names both."""
    notebook = read(ROOT / "lessons" / "es" / "00-start-here.ipynb")

    with pytest.raises(LinkError, match="00-start-here leads to .*ipynb"):
        body_of(notebook, words("es"), lambda address: None, "es/00-start-here")


def test_a_notebook_s_name_begins_with_its_module(tmp_path: Path) -> None:
    """The order of the pages comes from it."""
    (tmp_path / "lessons" / "es").mkdir(parents=True)
    (tmp_path / "lessons" / "es" / "extra.ipynb").touch()

    with pytest.raises(ValueError, match=r"got extra\.ipynb"):
        places.places(tmp_path, "es")
