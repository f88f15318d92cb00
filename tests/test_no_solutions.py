"""No solution, hidden test or mark scheme reaches a student: by their copies, Binder's image or the installed package.

The canaries come from the sources themselves, so that a new assignment is watched from its first day.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from traitlets.config import PyFileConfigLoader

from tests.repository import ROOT, binder_context, copy_repository

REGIONS = ("SOLUTION", "HIDDEN TESTS", "MARK SCHEME")
# Shorter lines stand in any program.
DISTINCTIVE_BYTES = 24
# From this length on, a region is looked for as a whole too, whatever its lines are.
WHOLE_LINES = 3


class Source(NamedTuple):
    """The lines of a source notebook, without indentation: regions that only a teacher may see, and the public rest."""

    solutions: list[list[str]]
    never_shown: list[list[str]]
    public: set[str]


def read_source(path: Path) -> Source:
    """Return the parts of a notebook. In a lesson everything is public."""
    source = Source([], [], set())
    for cell in nbformat.read(path, as_version=4).cells:
        outside: list[str] = []
        current = outside
        answered = False
        for line in filter(None, map(str.strip, cell.source.splitlines())):
            opened = next((region for region in REGIONS if f"BEGIN {region}" in line), None)
            if opened is not None:
                current = []
                (source.solutions if opened == "SOLUTION" else source.never_shown).append(current)
                answered = True
            elif any(f"END {region}" in line for region in REGIONS):
                current = outside
            else:
                current.append(line)
        if cell.metadata.get("nbgrader", {}).get("solution") and not answered:
            # Without a region, nbgrader takes the whole cell for the answer.
            source.never_shown.append(outside)
        else:
            source.public.update(outside)
    return source


def stubs(home: Path) -> set[str]:
    """Return the lines that nbgrader puts where a solution was."""
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(home)).load_config().get("ClearSolutions", {})
    texts = [*settings.get("code_stub", {}).values(), settings.get("text_stub", "YOUR ANSWER HERE")]
    return {line.strip() for text in texts for line in text.splitlines()}


def code_lines(path: Path) -> list[str]:
    """Return the lines of a file of code, without indentation."""
    return list(filter(None, map(str.strip, path.read_text(encoding="utf-8").splitlines())))


def canaries(root: Path) -> set[str]:
    """Return what must not be found: each distinctive secret line, and each longer region as a whole.

    A line is distinctive unless it is short, or stands in a stub, in a visible cell of an assignment or in a lab's starter
    code. A line of a solution may stand in a lesson, which teaches it; a line of a hidden test or of a mark scheme may not.
    """
    sources = {path: read_source(path) for path in root.glob("assignments/*/source/*/*.ipynb")}
    public = {line for path, source in sources.items() for line in source.public | stubs(path.parents[2])}
    taught = {line for path in root.glob("lessons/*/*.ipynb") for line in read_source(path).public}
    public |= {line for path in root.glob("bentocola/labs/*/starter/*") for line in code_lines(path)}
    solutions = [region for source in sources.values() for region in source.solutions]
    solutions += [code_lines(path) for path in sorted(root.glob("tests/labs/solutions/*.py"))]
    never_shown = [region for source in sources.values() for region in source.never_shown]

    lines = set().union(*solutions) - taught | set().union(*never_shown)
    distinctive = {line for line in lines - public if len(line.encode()) >= DISTINCTIVE_BYTES}
    return distinctive | {"\n".join(region) for region in solutions + never_shown if len(region) >= WHOLE_LINES}


def readings(path: Path) -> Iterator[str]:
    """Yield the text of a file in each way that may show a canary: as it is, without indentation, and as cells."""
    if path.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                text = archive.read(name).decode("utf-8", errors="replace")
                yield from (text, "\n".join(map(str.strip, text.splitlines())))
        return
    text = path.read_bytes().decode("utf-8", errors="replace")
    yield text
    yield "\n".join(map(str.strip, text.splitlines()))
    if path.suffix in {".ipynb", ".json"}:
        yield "\n".join(strings(json.loads(text)))
    if path.suffix == ".html":
        yield "\n".join(strings(BeautifulSoup(text, "html.parser").get_text()))


def strings(value: object) -> Iterator[str]:
    """Yield every line of every text in a JSON value, without indentation."""
    if isinstance(value, str):
        yield from (line.strip() for line in value.splitlines() if line.strip())
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(key)
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def leaks(folder: Path, secrets: Iterable[str]) -> list[str]:
    """Return a line for each file under `folder` that holds one of `secrets`."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        texts = list(readings(path))
        first = next((secret for secret in sorted(secrets) if any(secret in text for text in texts)), None)
        if first is not None:
            found.append(f"{path.relative_to(folder)} holds {first!r}")
    return found


def answer(*lines: str) -> NotebookNode:
    """Return a source notebook with one cell, whose solution is `lines`."""
    source = ["def f():", "    ### BEGIN SOLUTION", *(f"    {line}" for line in lines), "    ### END SOLUTION"]
    return new_notebook(cells=[new_code_cell("\n".join(source), id="f", metadata={"nbgrader": {"solution": True}})])


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A course with a solution, a hidden test and a written answer, and a lesson that shows a line of the first two."""
    home = tmp_path / "assignments" / "es"
    (home / "source" / "01").mkdir(parents=True)
    (home / "nbgrader_config.py").write_text("c = get_config()\n")
    first = answer('orders["lucía"] = "the secret order"', "everybody_has_seen(this_line)", "return")
    answered = {"nbgrader": {"solution": True}}
    hidden = "### BEGIN HIDDEN TESTS\nassert shown_by_mistake == 3\n### END HIDDEN TESTS"
    first.cells.append(new_code_cell(hidden, id="test"))
    first.cells.append(new_markdown_cell("Porque cambia en cada envío.", id="why", metadata=answered))
    nbformat.write(first, home / "source" / "01" / "01.ipynb")
    (tmp_path / "lessons" / "es").mkdir(parents=True)
    lines = "everybody_has_seen(this_line)\nassert shown_by_mistake == 3"
    shown = new_notebook(cells=[new_code_cell(lines, id="shown")])
    nbformat.write(shown, tmp_path / "lessons" / "es" / "01.ipynb")
    return tmp_path


def test_canaries_are_what_only_the_teacher_has(planted: Path) -> None:
    """A line counts unless it is short or taught; a hidden test's line counts anyway, and so does a whole region."""
    assert canaries(planted) == {
        'orders["lucía"] = "the secret order"',
        "Porque cambia en cada envío.",
        "assert shown_by_mistake == 3",
        'orders["lucía"] = "the secret order"\neverybody_has_seen(this_line)\nreturn',
    }


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.txt", 'Try: orders["lucía"] = "the secret order"'),
        ("leak.ipynb", json.dumps({"cells": [{"source": ['  orders["lucía"] = "the secret order"\n']}]})),
        ("readable.ipynb", json.dumps({"source": 'orders["lucía"] = "the secret order"'}, ensure_ascii=False)),
        (".hidden/answer.py", "if True:\n    # Porque cambia en cada envío.\n"),
    ],
)
def test_a_leak_is_found_in_any_writing(planted: Path, tmp_path: Path, name: str, content: str) -> None:
    """A secret is found in a text, in a notebook however its JSON is escaped, and in a hidden folder."""
    folder = tmp_path / "student"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text(content, encoding="utf-8")

    assert [line.partition(" holds ")[0] for line in leaks(folder, canaries(planted))] == [name]


def test_the_sources_have_canaries() -> None:
    """There is something to look for, in both languages: otherwise the tests below would pass without looking."""
    for language in ("es", "ja"):
        sources = list(ROOT.glob(f"assignments/{language}/source/*/*.ipynb"))
        assert any(any(read_source(source).solutions) for source in sources), language
    assert canaries(ROOT)


@pytest.mark.slow
def test_nothing_of_the_teachers_reaches_a_student(tmp_path: Path) -> None:
    """After postBuild, the student's copies, the rest of Binder's image and the installed package hold no canary.

    The repository that the image is built from is a real one, so its git objects hold every solution.
    """
    secrets = canaries(ROOT) | {f"BEGIN {region}" for region in REGIONS}
    repository = tmp_path / "repository"
    repository.mkdir()
    copy_repository(repository)
    home = binder_context(repository, tmp_path / "context")
    assert leaks(home, secrets), "The sources are in the build, so the search should find them there."

    environment = {**os.environ, "REPO_DIR": str(home), "PIP_TARGET": str(tmp_path / "installed")}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    done = subprocess.run([home / "binder" / "postBuild"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    assert {path.name for path in home.iterdir()} == {"binder", "course", "jupyterlab-settings"}
    released = {path.name for path in home.glob("course/*/assignments/*/*.ipynb")}
    assert released == {path.name for path in ROOT.glob("assignments/*/source/*/*.ipynb")}
    assert leaks(home, secrets) == []
    assert (tmp_path / "installed" / "bentocola" / "__init__.py").exists()
    assert leaks(tmp_path / "installed", secrets) == []
