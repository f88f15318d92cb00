"""The outputs of ordinary cells are those of stock execution: each cell run once by nbclient with a real kernel, once by the examiner.

The cells stand in `fidelity/*.txt`, under `# %% name`. All together they are one notebook, handed in as a student's own cells.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder import paper as papers
from autograder.nursery import Nursery, can_fork
from autograder.pool import Pool
from autograder.records import Job, Limits
from tests.autograder.classroom import level

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_fork(), reason="There is no fork here."),
]

HERE = Path(__file__).parent / "fidelity"
BESIDE = ("helper.py", "data.csv")
AT_LEAST = 50

EXPECTED_DIFFERENCES: dict[str, str] = {}
"""By a cell's name, why its outputs differ from stock's."""

_STOCK = """
import json, sys
import nbformat
from nbclient import NotebookClient
path, folder = sys.argv[1:]
notebook = nbformat.read(path, 4)
NotebookClient(
    notebook, timeout=120, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": folder}}
).execute()
nbformat.write(notebook, path)
"""


def cells() -> dict[str, str]:
    """Return the cells' texts by name, in their order."""
    found: dict[str, str] = {}
    for path in sorted(HERE.glob("*.txt")):
        _, *parts = re.split(r"^# %% (\S+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            assert name not in found, f"Two cells are called {name}."
            found[name] = text.removesuffix("\n")
    return found


CELLS = cells()


def notebook() -> Any:
    """Return all cells as a notebook. Cells that fail are meant to."""
    made = new_notebook(cells=[new_code_cell(text, id=name) for name, text in CELLS.items()])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return made


def by_stock(folder: Path) -> Any:
    """Return the notebook as nbclient executes it, in a kernel of its own with an environment like a room's."""
    work = folder / "work"
    work.mkdir()
    home = folder / "home"
    home.mkdir()
    for name in BESIDE:
        shutil.copy(HERE / name, work)
    path = folder / "stock.ipynb"
    nbformat.write(notebook(), path)
    environ = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin:/usr/bin:/bin"]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        **{name: os.environ[name] for name in ("TZ",) if name in os.environ},
    }
    done = subprocess.run(
        [sys.executable, "-c", _STOCK, str(path), str(work)],
        env=environ,
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return nbformat.read(path, as_version=4)


def by_examiner(folder: Path) -> Any:
    """Return the notebook as it comes back from the examiner, handed in by a student."""
    source, submitted, out = folder / "source", folder / "submitted", folder / "out"
    for made in (source, submitted, out):
        made.mkdir()
    for name in BESIDE:
        shutil.copy(HERE / name, source)
    nbformat.write(notebook(), source / "cells.ipynb")
    nbformat.write(notebook(), submitted / "cells.ipynb")
    papers.write(papers.prepare(source, assignment="cells", language="es"), folder / "paper.json")
    job = Job(
        assignment="cells",
        student="ana",
        notebooks=("cells",),
        source=source,
        submitted=submitted,
        paper=folder / "paper.json",
        out=out,
        digest="",
        level=level(),
        limits=Limits(submission_seconds=300, output_bytes=2 << 20),
    )
    with Nursery() as nursery:
        [finished] = Pool(1, nursery).run([job])
    assert finished.crash is None
    [record] = finished.records
    assert record.repairs == ()
    return nbformat.read(out / "cells.ipynb", as_version=4)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """What stock made of the notebook, and what the examiner made of it; all that must differ made alike."""
    stock, ours = tmp_path_factory.mktemp("stock"), tmp_path_factory.mktemp("ours")
    yield alike(by_stock(stock), str(stock / "work"), str(stock / "home")), alike(by_examiner(ours))


# What must differ

_NUMBER = r"\d+(?:\.\d+)?"
_DURATION = rf"{_NUMBER} ?(?:ns|[uµμ]s|ms|s|min)\b"
_MUST_DIFFER = (
    # Memory addresses, process numbers, names of temporary files.
    (r"0x[0-9a-f]{6,}", "0x…"),
    (r"/tmp/ipykernel_\d+/", "/tmp/ipykernel_…/"),
    (r"/tmp/tmp\w+", "/tmp/tmp…"),
    # %time, %timeit
    (rf"(CPU times: ).*|(Wall time: ).*|{_DURATION} ± .*", r"\1\2…"),
    (r"\b[0-9a-f]{32}\b", "…"),
)


def alike(executed: Any, *folders: str) -> dict[str, list[Any]]:
    """Return the outputs by cell's name, and under "widgets" the states of widgets."""
    models: dict[str, str] = {}

    def model(found: re.Match[str]) -> str:
        return models.setdefault(found[0], f"model {len(models)}")

    def text(value: str) -> str:
        for number, folder in enumerate(folders):
            value = value.replace(folder, f"<folder {number}>")
        value = re.sub(r"\b[0-9a-f]{32}\b", model, value)
        for pattern, replacement in _MUST_DIFFER:
            value = re.sub(pattern, replacement, value)
        return value

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return text(value)
        if isinstance(value, list):
            return [walk(item) for item in value]
        return {text(key): walk(item) for key, item in value.items()} if isinstance(value, dict) else value

    found = {cell.id: walk(json.loads(json.dumps(_merged(cell.outputs)))) for cell in executed.cells}
    found["widgets"] = [walk(json.loads(json.dumps(executed.metadata.get("widgets", {}))))]
    found["counts"] = [cell.execution_count for cell in executed.cells]
    return found


def _merged(outputs: list[Any]) -> list[Any]:
    """Return the outputs with streams of one name joined where they follow each other: where they part is a matter of timing."""
    merged: list[Any] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            merged[-1] = nbformat.from_dict({**last, "text": last.text + output.text})
        else:
            merged.append(output)
    return merged


def test_there_are_enough_cells() -> None:
    """Each expected difference is of a cell that there is, and they are few."""
    assert len(CELLS) >= AT_LEAST
    assert set(EXPECTED_DIFFERENCES) <= {*CELLS, "widgets"}
    assert len(EXPECTED_DIFFERENCES) <= len(CELLS) // 20


@pytest.mark.parametrize("name", [*CELLS, "widgets", "counts"])
def test_outputs_are_as_in_stock(both: tuple[Any, Any], name: str) -> None:
    """A cell's outputs are the same, in the same order; a listed difference is still there."""
    stock, ours = both
    if name in EXPECTED_DIFFERENCES:
        assert ours[name] != stock[name], "There is no difference any more: take it off the list."
    else:
        assert ours[name] == stock[name]
