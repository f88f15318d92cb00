"""The prose of a notebook: what a student reads as sentences, without code, links' targets and table rules."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

from nbformat import NotebookNode

_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"\|[\s:|-]+\|")
_SPAN = re.compile(r"(`+)(?P<code>.+?)\1")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
# What stands in a comment as code: a call, a text between quotation marks, a name with an underscore, a setting.
_IN_COMMENT = re.compile(r'(?P<code>[A-Za-z_.]+\((?:[^()]|\([^()]*\))*\)|"[^"]*"|[a-z]+_\w+(?:=\w+)?)')
_ENDS = {"es": re.compile(r"(?<=[.!?…])[»)]*\s+"), "ja": re.compile(r"(?<=[。！？])(?![」）])")}


@dataclass(frozen=True)
class Passage:
    """A paragraph, list item, comment, heading or table cell. `text`: its words, without marks; code is one word, x…"""

    cell: str
    kind: str
    text: str

    def sentences(self, language: str) -> list[str]:
        """Return its sentences."""
        return [part.strip() for part in _ENDS[language].split(self.text) if part.strip()]


def passages(notebook: NotebookNode) -> list[Passage]:
    """Return all passages of a notebook in order: its markdown, and the comments in its code."""
    found: list[Passage] = []
    for cell in notebook.cells:
        parts = _markdown(cell.source) if cell.cell_type == "markdown" else _comments(cell.source)
        found += [Passage(cell.id, kind, text.replace("*", "").strip()) for kind, text in parts if text.strip("* ")]
    return found


def _markdown(source: str) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each block, without its marker: of a list, a quotation, or bold at its start."""
    for line in _LINK.sub(r"\1", _SPAN.sub(_word, _FENCED.sub("", source))).splitlines():
        if line.startswith("|"):
            if not _RULE.fullmatch(line.strip()):
                yield from (
                    ("cell", re.sub(r"^\d+\. ", "", part.strip())) for part in line.strip().strip("|").split("|")
                )
            continue
        marker = re.match(r"#+ |(?:[-*]|\d+\.) |> ", line)
        kind = "heading" if line.startswith("#") else "item" if marker and marker[0] != "> " else "paragraph"
        for part in re.split(r"(?<=\*\*)[ \u3000]+", line[marker.end() :] if marker else line):
            yield kind, re.sub(r"^\d+\. ", "", part)


def _comments(source: str) -> Iterator[tuple[str, str]]:
    """Yield the comments of a code cell, but for nbgrader's marks."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("###"):
            yield "comment", re.sub(r"^\d+\. ", "", _IN_COMMENT.sub(_word, token.string.lstrip("# ")))


def _word(code: re.Match[str]) -> str:
    """Return what stands for a piece of code in a sentence: one word, of up to eight letters."""
    return "x" * min(len(code["code"]), 8)
