"""Compares the shape of a Markdown cell in both editions, and keeps it plain CommonMark: words are the translator's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mistune

from tools.parity.names import LANGUAGE
from tools.parity.notebooks import Cell
from tools.parity.texts import marker

__all__ = ["compare_markdown"]

_MARKDOWN = mistune.create_markdown(renderer=None, plugins=["table"])
_MYST_LINE = re.compile(r":{3,}.*|\([\w-]+\)=")
_MYST_ROLE = re.compile(r"\{[a-z][\w:-]*\}$")


def compare_markdown(es: Cell, ja: Cell) -> Iterator[str]:
    """Yield a sentence for each difference in shape between two Markdown cells, and for each thing none may have."""
    cells = {"es": es, "ja": ja}
    tokens = {edition: list(_flat(_MARKDOWN(cell["source"]))) for edition, cell in cells.items()}
    for edition, cell in cells.items():
        if cell.get("attachments"):
            yield f"It has an attachment in {LANGUAGE[edition]}: put the picture into a file."
        for raw in _myst(tokens[edition]):
            yield f"It has MyST syntax in {LANGUAGE[edition]} (`{raw}`), which JupyterLab shows raw."
    shapes = {edition: _shape(tokens[edition], cell["source"]) for edition, cell in cells.items()}
    for what, left in shapes["es"].items():
        right = shapes["ja"][what]
        if left != right:
            yield f"The {what} differ: {left} in Spanish, {right} in Japanese."


def _shape(tokens: list[dict[str, Any]], source: str) -> dict[str, object]:
    types = [token["type"] for token in tokens]
    return {
        "heading levels": [token["attrs"]["level"] for token in tokens if token["type"] == "heading"],
        "numbers of fenced code blocks": sum(token.get("style") == "fenced" for token in tokens),
        "numbers of links": types.count("link"),
        "numbers of pictures": types.count("image"),
        "markers of nbgrader": [words for words in map(marker, source.splitlines()) if words],
    }


def _myst(tokens: list[dict[str, Any]]) -> Iterator[str]:
    for token in tokens:
        info = token.get("attrs", {}).get("info", "") if token["type"] == "block_code" else ""
        if info.startswith("{"):
            yield f"{token['marker']}{info}"
        if token["type"] == "text" and _MYST_LINE.fullmatch(token["raw"]):
            yield token["raw"]
        for left, right in pairwise(token.get("children", ())):
            role = _MYST_ROLE.search(left.get("raw", "")) if right["type"] == "codespan" else None
            if role:
                yield f"{role[0]}`{right['raw']}`"


def _flat(tokens: Any) -> Iterator[dict[str, Any]]:
    for token in tokens:
        yield token
        yield from _flat(token.get("children", ()))
