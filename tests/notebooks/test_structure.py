"""How the notebooks are built: committed without results, with words for ids, and with links that lead somewhere."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import nbformat
import pytest

from tests.notebooks.editions import ASSIGNMENTS, LANGUAGES, LESSONS, lesson
from tests.repository import ROOT

NOTEBOOKS = sorted([*ROOT.glob("lessons/*/*.ipynb"), *ROOT.glob("assignments/*/source/*/*.ipynb")])
# What else a student has: the labs' windows, and the code that a lab hands out when it is opened.
WORKSPACES = sorted(ROOT.glob("lessons/*/*.jupyterlab-workspace"))
STARTERS = sorted(path for path in ROOT.glob("bentocola/labs/*/starter/*") if path.is_file())
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_WORDS = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def place(path: Path) -> PurePosixPath:
    """Return where a student has this file, in the folder `course`."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "lessons":
        return PurePosixPath(*parts[1:])
    _, language, _, assignment, name = parts
    return PurePosixPath(language, "assignments", assignment, name)


every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(place(path)))


def test_the_notebooks_are_there() -> None:
    """Both languages have the lessons and the assignments."""
    expected = {f"{language}/{name}.ipynb" for language in LANGUAGES for name in LESSONS}
    expected |= {f"{language}/assignments/{name}/{name}.ipynb" for language in LANGUAGES for name in ASSIGNMENTS}

    assert expected <= {str(place(path)) for path in NOTEBOOKS}


@every_notebook
def test_a_notebook_is_valid_and_never_ran(path: Path) -> None:
    """nbformat 4.5 or later, valid; no output, no execution count, nothing attached."""
    content = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(content)

    assert (content["nbformat"], content["nbformat_minor"]) >= (4, 5)
    for cell in content["cells"]:
        assert cell.get("outputs", []) == [], cell["id"]
        assert cell.get("execution_count") is None, cell["id"]
        assert "attachments" not in cell, cell["id"]


@every_notebook
def test_ids_are_words(path: Path) -> None:
    """Each cell has an id of words, and of its lesson; none is there twice. A graded cell's id is its `grade_id`."""
    cells = nbformat.read(path, as_version=4).cells

    assert [cell.id for cell in cells if not _WORDS.fullmatch(cell.id)] == []
    assert len({cell.id for cell in cells}) == len(cells)
    if "lessons" in path.parts:
        assert [cell.id for cell in cells if not cell.id.startswith(f"m{path.name[:2]}-")] == []
    for cell in cells:
        if "nbgrader" in cell.metadata:
            assert cell.metadata.nbgrader.grade_id == cell.id


@pytest.mark.parametrize("path", [ROOT / "lessons" / "start.md", *NOTEBOOKS], ids=lambda path: str(place(path)))
def test_links_resolve_in_the_student_s_folder(path: Path) -> None:
    """A link leads to a file that the student has, from where they have this one."""
    there = {str(place(file)) for file in (*NOTEBOOKS, *WORKSPACES)} | {"start.md"}
    for starter in STARTERS:
        folder = starter.parts[-3].replace("_", "-")
        there |= {f"{language}/{folder}/{starter.name.removesuffix('.txt')}" for language in LANGUAGES}
    if path.suffix == ".md":
        texts = [path.read_text(encoding="utf-8")]
    else:
        texts = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
    links = [link for text in texts for link in _LINK.findall(text) if not urlsplit(link).scheme]
    reached = {link: posixpath.normpath(place(path).parent / link) for link in links}

    assert {link: target for link, target in reached.items() if target not in there} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_page_leads_to_every_part(language: str) -> None:
    """A lesson, its lab and its assignment are told apart by the link's words: in the list of files their names begin alike."""
    page = (ROOT / "lessons" / "start.md").read_text(encoding="utf-8")
    leads = {link for link in _LINK.findall(page) if link.startswith(f"{language}/")}
    labs = {str(place(path)) for path in WORKSPACES if language in path.parts}
    opened_by_labs = {lab.replace(".jupyterlab-workspace", ".ipynb") for lab in labs}
    notebooks = {str(place(path)) for path in NOTEBOOKS if language in path.parts}

    assert leads == (notebooks - opened_by_labs) | labs


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menus_language_is_chosen_before_a_menu_is_needed(language: str) -> None:
    """JupyterLab starts in English for most: the start notebook says how to change that before it sends anybody to a menu."""
    texts = [cell.source for cell in lesson(language, "00-start-here").cells if cell.cell_type == "markdown"]
    naming = [text for text in texts if re.search("Settings|Kernel|File", text)]

    assert "Settings" in naming[0]
    assert len(naming) == 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "expected"),
    [("01-upload-to-table", [5, 12, 12, 10, 5, 7, 4]), ("05-idempotent-consumer", [6, 14, 14, 8, 8, 10, 6, 4])],
)
def test_a_lesson_s_minutes_add_up(language: str, name: str, expected: list[int]) -> None:
    """The minutes of its parts are those of the course, and add up to what the lesson says."""
    title = lesson(language, name).cells[0].source
    minutes = [int(number) for number in re.findall(r"^\| (\d+) \|", title, re.MULTILINE)]

    assert minutes == expected
    assert re.search(rf"(?<!\d){sum(minutes)}(?!\d)", title)
