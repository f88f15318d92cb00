"""What git holds: no place of somebody's machine, no address of a package registry, no output of a notebook."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from tests.repository import ROOT, committed_files

# A folder of one person or one machine. The separator is written twice so that this line does not match itself.
MACHINE_PATH = re.compile(
    r"(?<![\w.~-])/(?:home|root|work|Users|mnt|private)/[\w.]|\b[A-Za-z]:\\+Users\\+\w|\bfile://+[\w.]"
)
# What pip, uv, npm and conda write down about where a package came from.
REGISTRY = re.compile(
    r"https?://\S*/simple\b|https?://(?:\S*[./@])?(?:pypi|registry|files|packages|artifactory|nexus)\.\S+"
    r"|--(?:extra-)?index-url[ =]\S+|\"resolved\": \"\w+://|\bregistry ?= ?\w+://"
)
FILES = [path for path in committed_files() if path != Path(__file__).relative_to(ROOT)]
# What students hand in may be broken; what we hand out may not.
NOTEBOOKS = [path for path in FILES if path.suffix == ".ipynb" and "hostile" not in path.parts]


def found(pattern: re.Pattern[str]) -> list[str]:
    """Return a line for each place where `pattern` stands in a committed text."""
    places = []
    for path in FILES:
        text = (ROOT / path).read_bytes().decode("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            places += [f"{path}:{number}: {match[0]}" for match in pattern.finditer(line)]
    return places


@pytest.mark.parametrize("text", ["cd /home/ana/course", '"/Users/ana"', r"C:\\Users\\ana", "file:///srv/wheels"])
def test_a_machine_s_path_is_recognised(text: str) -> None:
    """A path in somebody's home is found, as text and in a string."""
    assert MACHINE_PATH.search(text)


@pytest.mark.parametrize("text", ["lessons/home/a", "~/project/a", "/usr/bin/env", "/tmp/function.zip", "$HOME/course"])
def test_another_path_is_let_through(text: str) -> None:
    """A path that means the same on every machine is none of this test's business."""
    assert not MACHINE_PATH.search(text)


def test_no_file_names_a_machine_s_path() -> None:
    """No committed file names a place that exists on one machine only."""
    assert found(MACHINE_PATH) == []


def test_no_file_names_a_registry() -> None:
    """No committed file says where packages are fetched from: each machine has its own answer."""
    assert found(REGISTRY) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=str)
def test_notebook_has_no_outputs(path: Path) -> None:
    """A committed notebook was never run: no outputs, no execution counts."""
    cells = nbformat.read(ROOT / path, as_version=4).cells
    run = [cell.id for cell in cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None)]

    assert run == []
