"""Where the notebooks are, and how a text that is said once for both languages becomes one of either."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from bentocola.cloud.names import EDITIONS
from tests.repository import ROOT

LANGUAGES = tuple(EDITIONS)
LESSONS = ("00-start-here", "01-upload-to-table", "05-idempotent-consumer")
ASSIGNMENTS = ("01-upload-to-table", "05-idempotent-consumer")
ASSIGNMENT = ASSIGNMENTS[0]

# What the lessons print in each language besides the names.
_PRINTED = {
    "es": {
        "SAVED": "guardado",
        "ENCODED_NATIVE": "pedidos/luc%C3%ADa/3.json",
        "FAILS": "falla",
        "QUEUE_ACCEPTED": "aceptada",
        "RECEPTION": "recepción",
    },
    "ja": {
        "SAVED": "保存した",
        "ENCODED_NATIVE": "%E6%B3%A8%E6%96%87/%E4%BD%90%E8%97%A4/3.json",
        "FAILS": "失敗",
        "QUEUE_ACCEPTED": "受け付けた",
        "RECEPTION": "受信",
    },
}


def read(path: Path) -> NotebookNode:
    """Return the notebook at `path`."""
    return nbformat.read(path, as_version=4)


def lesson(language: str, name: str) -> NotebookNode:
    """Return a lesson in one language."""
    return read(ROOT / "lessons" / language / f"{name}.ipynb")


def course_folder(language: str) -> Path:
    """Return the folder of a language's nbgrader course."""
    return ROOT / "assignments" / language


def assignment_source(language: str, name: str = ASSIGNMENT) -> NotebookNode:
    """Return the teacher's notebook of an assignment in one language."""
    return read(course_folder(language) / "source" / name / f"{name}.ipynb")


def code_cells(notebook: NotebookNode) -> dict[str, str]:
    """Return the text of each code cell by its id, in the notebook's order."""
    return {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}


def fill(text: str, language: str) -> str:
    """Return `text` with the edition's own names and words in their places. A place is a word in capitals, as listed here."""
    names = EDITIONS[language]
    places = {
        "PREFIX": names.prefix,
        "FOLDER": names.prefix.rstrip("/"),
        "TABLE": names.table,
        "CUSTOMER": names.customers[0],
        "NEXT_CUSTOMER": names.customers[1],
        "FIRST_KEY": names.first_key,
        "SECOND_KEY": names.second_key,
        "REPAIRED_KEY": names.repaired_key,
        "NATIVE_KEY": names.native_key,
        "SPACED_KEY": names.spaced_key,
        "ENCODED_KEY": names.spaced_key.replace(" ", "+"),
        "BROKEN": names.broken,
        "DONE": names.done,
        "LEFT": names.left,
        **_PRINTED[language],
    }
    return re.sub(rf"\b({'|'.join(places)})\b", lambda place: places[place[0]], text)
