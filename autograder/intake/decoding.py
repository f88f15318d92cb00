"""Untrusted bytes become a notebook's cells as plain data, whatever encoding and format they come in. Pure: bytes in, data out.

The cells are read here and not by `nbformat`: its converters expect what a valid notebook has, and outputs, which they are most
about, are never kept.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from autograder.intake.files import Refused
from autograder.intake.handed import Handed, HandedCell
from autograder.intake.notes import note
from autograder.records import Note

__all__ = ["MOST_CELLS", "decode"]

MOST_CELLS = 2000
# What a file that is not UTF-8 may be in: Windows and old systems in Japanese, and in Spanish.
_ENCODINGS = ("cp932", "euc_jp", "cp1252", "latin-1", "mac_roman")
# What is looked at to tell them apart: bytes of the file, and known words.
_SAMPLE = 1 << 20
_MOST_WORDS = 300
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_LONE = re.compile(r"[\ud800-\udfff]")


def decode(data: bytes, file: str, known: Collection[str] = ()) -> tuple[Handed, list[Note]]:
    """Return the notebook in `data`, and what had to be repaired to read it.

    `file` is its name, for messages. `known` are texts that are likely in it (the released cells): they tell one encoding from
    another. Raises Refused, and nothing else.
    """
    notes: list[Note] = []
    if not data.strip(b"\x00\t\r\n ") or not data.removeprefix(codecs.BOM_UTF8).strip():
        raise Refused(note("empty", file=file))
    text = _text(data, known, notes)
    notebook = _json(text, file, notes)
    cells = _cells(notebook)
    if cells is None:
        raise Refused(note("not-a-notebook", file=file))
    if len(cells) > MOST_CELLS:
        raise Refused(note("too-many-cells", file=file, count=len(cells), limit=MOST_CELLS))
    version = notebook.get("nbformat")
    if version != 4:
        notes.append(note("nbformat", version=version if isinstance(version, (int, float, str)) else "?"))
    read = _Reader()
    handed = tuple(read.cell(cell) for cell in cells)
    notes += read.notes()
    kernel, python = _kernel(notebook.get("metadata"))
    return Handed(handed, kernel, python), notes


# Bytes to text


def _text(data: bytes, known: Collection[str], notes: list[Note]) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            notes.append(note("bom") if encoding == "utf-8" else note("encoding", encoding=encoding.upper()))
            data = data[len(mark) :]
            if encoding != "utf-8":
                return data.decode(encoding, "replace")
            break
    else:
        # JSON begins with two ASCII characters, so the zero bytes among the first four tell these apart.
        zeros = tuple(byte == 0 for byte in data[:4])
        for pattern, encoding in (
            ((False, True, True, True), "utf-32-le"),
            ((True, True, True, False), "utf-32-be"),
            ((False, True, False, True), "utf-16-le"),
            ((True, False, True, False), "utf-16-be"),
        ):
            if zeros == pattern:
                notes.append(note("encoding", encoding=encoding.upper()))
                return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    words = sorted({word for text in known for word in _FOREIGN.findall(text)})[:_MOST_WORDS]
    sample = data[:_SAMPLE]
    readings = {encoding: sample.decode(encoding, "replace") for encoding in ("utf-8", *_ENCODINGS)}
    best = max(
        readings,
        key=lambda encoding: (sum(word in readings[encoding] for word in words), -_strange(readings[encoding])),
    )
    notes.append(note("characters") if best == "utf-8" else note("encoding", encoding=best))
    return data.decode(best, "replace")


def _strange(text: str) -> int:
    """Count what a wrong encoding makes of letters: signs for undecodable bytes, control and private characters, odd kana."""
    return len(re.findall(r"[\ufffd\x80-\x9f\ue000-\uf8ff\uff61-\uff9f]", text))


# Text to JSON


def _json(text: str, file: str, notes: list[Note]) -> dict[str, Any]:
    text = text.lstrip("\ufeff \t\r\n").rstrip("\x00 \t\r\n\x1a")
    decoder = json.JSONDecoder(strict=False, parse_int=_integer, parse_constant=lambda _: None)
    try:
        value, end = decoder.raw_decode(text)
    except RecursionError:  # Python's own limit, below which nothing here is recursive
        raise Refused(note("too-deep", file=file)) from None
    except json.JSONDecodeError as error:
        # A string that never ends is told by where it begins; a number or a word may be cut too.
        rest = text[error.pos :]
        cut = error.msg.startswith("Unterminated") or (error.pos > 0 and re.fullmatch(r"[\w.+-]*", rest) is not None)
        raise Refused(note("truncated" if cut else "not-json", file=file, line=error.lineno)) from None
    except ValueError:
        raise Refused(note("not-json", file=file, line=1)) from None
    if not isinstance(value, dict):
        raise Refused(note("not-a-notebook", file=file))
    if text[end:].strip():
        notes.append(note("trailing"))
    return value


def _integer(digits: str) -> float:
    # No number of a notebook is long; a very long one takes very long to read.
    return int(digits) if len(digits) < 20 else float("inf")


# JSON to cells


def _cells(notebook: dict[str, Any]) -> list[Any] | None:
    """Return the list of cells of any format: format 4 and later has one, formats 1 to 3 have one a worksheet."""
    if isinstance(cells := notebook.get("cells"), list):
        return cells
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    lists = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)]
    return [cell for cells in lists for cell in cells] if lists else None


class _Reader:
    """Reads cells of any form, and keeps count of what was odd."""

    def __init__(self) -> None:
        self._odd = 0
        self._returns = False
        self._halves = False

    def cell(self, data: Any) -> HandedCell:
        odd = not isinstance(data, dict)
        if odd:
            # A bare text where a cell should be is kept; nothing else can be.
            data = {"cell_type": "raw", "source": data if isinstance(data, str) else ""}
        kind = data.get("cell_type")
        text, clean = self._source(data)
        odd = odd or not clean
        if kind == "heading":
            level = data.get("level")
            text = f"{'#' * (level if isinstance(level, int) and 1 <= level <= 6 else 1)} {text}"
        kind, known = _TYPES.get(kind, ("raw", False)) if isinstance(kind, str) else ("raw", False)
        metadata = data.get("metadata", {})
        odd = odd or not known or not isinstance(metadata, dict)
        self._odd += odd
        metadata = metadata if isinstance(metadata, dict) else {}
        settings, tags, cell_id = metadata.get("nbgrader"), metadata.get("tags"), data.get("id")
        return HandedCell(
            cell_type=kind,
            text=text,
            cell_id=cell_id if isinstance(cell_id, str) else "",
            tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
            settings=settings if isinstance(settings, dict) else None,
            attachments=dict(_attachments(data.get("attachments"))),
        )

    def _source(self, data: dict[str, Any]) -> tuple[str, bool]:
        value = data.get("source", data.get("input", ""))
        clean = isinstance(value, str) or (isinstance(value, list) and all(isinstance(part, str) for part in value))
        parts = value if isinstance(value, list) else [value]
        text = "".join(part for part in parts if isinstance(part, str))
        if "\r" in text:
            self._returns = True
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if _LONE.search(text):
            self._halves = True
            text = _LONE.sub("\N{REPLACEMENT CHARACTER}", text)
        return text, clean

    def notes(self) -> list[Note]:
        return [
            *([note("line-ends")] if self._returns else []),
            *([note("characters")] if self._halves else []),
            *([note("unreadable-cells", count=self._odd)] if self._odd else []),
        ]


# Format 3 had types of its own for headings, HTML and plain text.
_TYPES = {
    "code": ("code", True),
    "markdown": ("markdown", True),
    "raw": ("raw", True),
    "heading": ("markdown", True),
    "html": ("markdown", True),
    "plaintext": ("raw", True),
    "text": ("raw", True),
}


def _attachments(value: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for name, kinds in value.items() if isinstance(value, dict) else ():
        if isinstance(kinds, dict):
            kept = {
                kind: data for kind, data in kinds.items() if isinstance(data, str) and not _LONE.search(data + kind)
            }
            if kept and not _LONE.search(name):
                yield name, kept


def _kernel(metadata: Any) -> tuple[str | None, bool]:
    """Return the name of the kernel that a notebook's metadata name, or None, and whether it is one for Python."""
    metadata = metadata if isinstance(metadata, dict) else {}
    spec = metadata.get("kernelspec")
    info = metadata.get("language_info")
    spec, info = spec if isinstance(spec, dict) else {}, info if isinstance(info, dict) else {}
    texts = [value for value in (spec.get("name"), spec.get("display_name")) if isinstance(value, str) and value]
    if not texts:
        return None, False
    languages = [value.casefold() for value in (spec.get("language"), info.get("name")) if isinstance(value, str)]
    python = any(language in ("python", "ipython") for language in languages) or "python" in " ".join(texts).casefold()
    return texts[0], python
