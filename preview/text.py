"""A notebook's cells as HTML: nbconvert renders, and what a page of the site needs besides is done to what comes of it. Pure.

Links between notebooks lead to pages, a reading in parentheses becomes ruby, and no script stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from nbconvert import HTMLExporter

from bentocola.views.exported import embed_views
from preview.notebooks import is_foretold, is_students

__all__ = ["TEMPLATES", "LinkError", "body_of", "first_paragraph", "title_of"]

TEMPLATES = Path(__file__).parent / "templates"
_READING = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff々]+)（([\u3041-\u309fー]+)）")
_HEADING = re.compile(r"^# +(.+)$", re.MULTILINE)
_WORKSPACE = ".jupyterlab-workspace"
_NOT_COLOURED = frozenset({"n", "o", "p", "w"})
"""Names, operators, brackets and spaces, by Pygments' short names: half of a page's weight, and of no colour."""
_NOT_READ = ("code", "pre", "ruby", "textarea")


class LinkError(Exception):
    """A notebook leads to a notebook that is none of the site's. The message names both."""


def title_of(notebook: Any) -> str:
    """Return the notebook's first heading, as text."""
    found = _HEADING.search(notebook.cells[0].source)
    return re.sub(r"[`*_]", "", found[1]).strip() if found else ""


def first_paragraph(notebook: Any, language: str) -> str:
    """Return the first paragraph under the title as text, for who describes the page in a line."""
    text = BeautifulSoup(_rendered(notebook.cells[:1], notebook, {}), "html.parser").find("p")
    return ("" if language == "ja" else " ").join(text.get_text().split("\n")).strip() if text else ""


def body_of(
    notebook: Any,
    say: dict[str, str],
    page_of: Callable[[str], str | None],
    name: str,
    live: Callable[[Any], str] = lambda cell: "",
) -> str:
    """Return the cells as HTML.

    `say`: the template's words; `page_of`: the page of a notebook's address, or None; `name`: the page's; `live`: says what a
    cell is to who runs it in the page, or "". Raises LinkError.
    """
    notebook, _ = embed_views(notebook, {})
    for cell in notebook.cells:
        cell.metadata["live"] = live(cell)
    soup = BeautifulSoup(_rendered(notebook.cells, notebook, say), "html.parser")
    for script in soup.find_all("script"):
        script.decompose()
    for span in soup.select("pre span"):
        if {*(span.get("class") or ())} <= _NOT_COLOURED:
            span.unwrap()
    for link in soup.find_all("a", href=True):
        _lead(link, page_of, name)
    for text in list(soup.find_all(string=_READING)):
        if not any(parent.name in _NOT_READ for parent in text.parents):
            _with_ruby(soup, text)
    for table in soup.find_all("table"):
        for cell in table.select("thead th"):
            cell["scope"] = "col"
    return str(soup)


def _rendered(cells: list[Any], notebook: Any, say: dict[str, str]) -> str:
    exporter: Any = HTMLExporter(  # type: ignore[no-untyped-call]
        template_name="course", extra_template_basedirs=[str(TEMPLATES)], exclude_anchor_links=True, sanitize_html=False
    )
    shown = notebook.copy()
    shown.cells = cells
    for cell in cells:
        cell.metadata["is_students"] = is_students(cell)
        cell.metadata["is_foretold"] = is_foretold(cell)
    body, _ = exporter.from_notebook_node(shown, {"say": say})
    return str(body)


def _lead(link: Tag, page_of: Callable[[str], str | None], name: str) -> None:
    """Lead a link to another notebook, or to the workspace that opens it, to its page.

    What else stands in a student's folder has no page: of a link to it, its text stays.
    """
    address, hash_, place = str(link["href"]).partition("#")
    if not address or ":" in address:
        return
    is_workspace = address.endswith(_WORKSPACE)
    page = page_of(address.removesuffix(_WORKSPACE) + ".ipynb" if is_workspace else address)
    if page is None and address.endswith(".ipynb"):
        raise LinkError(f"{name} leads to {address}, and the site has no page of it.")
    if page is None or (is_workspace and name.endswith(page.removesuffix(".html"))):
        link.unwrap()
    else:
        link["href"] = f"{page}{hash_}{place}"


def _with_ruby(soup: BeautifulSoup, text: NavigableString) -> None:
    """Put readings over their kanji: 冪等（べきとう） is read so by who asks for it, and as ever by everybody else."""
    parts: list[Any] = []
    position = 0
    for found in _READING.finditer(text):
        parts.append(NavigableString(text[position : found.start()]))
        ruby = soup.new_tag("ruby")
        ruby.append(found[1])
        for tag, content in (("rp", "（"), ("rt", found[2]), ("rp", "）")):
            part = soup.new_tag(tag)
            part.string = content
            ruby.append(part)
        parts.append(ruby)
        position = found.end()
    parts.append(NavigableString(text[position:]))
    text.replace_with(*parts)
