"""The outputs of ordinary cells are those of stock execution: run once by nbclient with a real kernel, once by the examiner.

The cells stand in `fidelity/*.txt`, under `# %% name`. All together they are one notebook, handed in as a student's own cells.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
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

EXPECTED_DIFFERENCES = {
    "recursion": "Below a cell the stack of a room is some thirty calls deeper than a kernel's: so many frames fewer are shown.",
    "broken-str": "Of an exception whose own __str__ raises, a kernel shows a second error; a room the first, which has both.",
    "surrogate-printed": "A kernel loses a text with half of a surrogate pair, and shows an error of its own; a room writes '?'.",
}
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
    home = folder / "home"
    work = home / "work"
    work.mkdir(parents=True)
    for name in BESIDE:
        shutil.copy(HERE / name, work)
    path = folder / "stock.ipynb"
    nbformat.write(notebook(), path)
    environ = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin:/usr/bin:/bin"]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "SHELL": "/bin/sh",
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
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """What stock made of the notebook, and what the examiner made of it; all that must differ made alike."""
    stock, ours = tmp_path_factory.mktemp("stock"), tmp_path_factory.mktemp("ours")
    return alike(by_stock(stock), str(stock / "home")), alike(by_examiner(ours), "/candidate")


# What must differ

_NUMBER = r"\d+(?:\.\d+)?"
_DURATION = rf"{_NUMBER} ?(?:ns|[uµμ]s|ms|s|min)\b"
_MODEL = r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])"
_MUST_DIFFER = (
    # Memory addresses, process numbers, names of temporary files and of the kernel's own.
    (r"0x[0-9a-f]{6,}", "0x…"),
    (r"/tmp/ipykernel_\d+/", "/tmp/ipykernel_…/"),
    (r"(?<![\w./…-])[\w./…-]*/(?:kernel-[-0-9a-f]+|tmp\w+)\.json", "kernel.json"),
    (r"/tmp/tmp\w+", "/tmp/tmp…"),
    # %time, %timeit
    (rf"(CPU times: ).*|(Wall time: ).*|{_DURATION} ± .*", r"\1\2…"),
    # Figures as SVG say when they were drawn.
    (r"<dc:date>.*?</dc:date>", "<dc:date/>"),
)


def alike(executed: Any, folder: str) -> dict[str, list[Any]]:
    """Return the outputs by cell's name, and under "widgets" the states of widgets. `folder`: what paths begin with."""
    outputs = {cell.id: json.loads(json.dumps(_merged(cell.outputs))) for cell in executed.cells}
    states = json.loads(json.dumps(executed.metadata.get("widgets", {})))
    models = _models(outputs, states)

    def text(value: str) -> str:
        value = re.sub(_MODEL, lambda found: models[found[0]], value)
        for pattern, replacement in _MUST_DIFFER:
            value = re.sub(pattern, replacement, value)
        return value.replace(folder, "…")

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return text(value)
        if isinstance(value, list):
            return [walk(item) for item in value]
        return {text(key): walk(item) for key, item in value.items()} if isinstance(value, dict) else value

    found: dict[str, list[Any]] = {name: walk(output) for name, output in outputs.items()}
    found["widgets"] = [walk(states)]
    found["counts"] = [cell.execution_count for cell in executed.cells]
    return found


def _models(outputs: dict[str, Any], states: dict[str, Any]) -> dict[str, str]:
    """Return names for widgets' models, whose own are random: numbers, in the order in which outputs and states lead to them."""
    by_id = next(iter(states.values()))["state"] if states else {}
    names: dict[str, str] = {}

    def number(value: Any) -> None:
        for one in re.findall(_MODEL, json.dumps(value)):
            if one not in names:
                names[one] = f"model {len(names)}"
                number(by_id.get(one))

    def content(one: str, above: tuple[str, ...] = ()) -> str:
        """Return a model's state with that of the models that it names, so that two are the same only if all is."""
        if one in above or one not in by_id:
            return ""
        text = json.dumps(by_id[one], sort_keys=True)
        return re.sub(_MODEL, lambda found: content(found[0], (*above, one)), text)

    number(outputs)
    # What no output shows: those that nothing names first, told apart by what is in them.
    named = {found for one in by_id for found in re.findall(_MODEL, json.dumps(by_id[one])) if found != one}
    for one in sorted(by_id, key=lambda one: (one in named, content(one))):
        number(one)
    return names


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
