"""Finds both editions of every lesson and assignment, reads them, and writes one back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import nbformat.v4
from nbformat.reader import reads
from nbformat.validator import ValidationError, iter_validate

from tools.parity.names import LANGUAGE, OTHER

__all__ = [
    "Cell",
    "Finding",
    "Node",
    "NotebookError",
    "Twins",
    "UnknownModuleError",
    "find_twins",
    "is_test",
    "read",
    "read_both",
    "write",
]

Node = dict[str, Any]
Cell = dict[str, Any]
_PLACES = {
    "lesson": ("lessons/{edition}", "*.ipynb"),
    "assignment": ("assignments/{edition}/source", "*/*.ipynb"),
}


class NotebookError(ValueError):
    """A file that is not a notebook as the course uses it; its text is the end of a sentence about the file."""


class UnknownModuleError(ValueError):
    """A module was named that has no notebook."""


@dataclass(frozen=True)
class Twins:
    """The two editions of one notebook; either file may be missing."""

    kind: str
    """`lesson` or `assignment`."""
    name: str
    """`01-upload-to-table`: the file's name, without its ending."""
    root: Path
    files: dict[str, Path]
    """The file of each edition, as seen from `root`."""

    def __str__(self) -> str:
        """Return what messages and the lock file call it."""
        return f"{self.kind} {self.name}"

    @property
    def number(self) -> str:
        """The module's number: `01`."""
        return self.name.split("-")[0]

    def belongs_to(self, module: str) -> bool:
        """Say whether `module` (`01` or `01-upload-to-table`) names it."""
        return module in (self.number, self.name.split("/")[0])


@dataclass(frozen=True)
class Finding:
    """One difference: where it is, a sentence about it, and perhaps a diff."""

    twins: Twins
    cells: Sequence[str]
    """The ids of the cells it is about; none when it is about the notebook."""
    sentence: str
    detail: str = ""

    def __str__(self) -> str:
        """Return the sentence with its place, the diff indented below."""
        cells = f", cell{'s' if len(self.cells) > 1 else ''} {', '.join(self.cells)}" if self.cells else ""
        return "\n    ".join([f"{self.twins}{cells}: {self.sentence}", *self.detail.splitlines()])


def find_twins(root: Path, modules: Sequence[str] = ()) -> list[Twins]:
    """Return every notebook below `root` that exists in one edition or both, or those of `modules` only.

    Raises UnknownModuleError, which lists the modules there are, for one that has no notebook.
    """
    everything = [twins for kind in _PLACES for twins in _twins_of(root, kind)]
    for module in modules:
        if not any(twins.belongs_to(module) for twins in everything):
            choices = ", ".join(sorted({twins.name for twins in everything})) or "none yet"
            raise UnknownModuleError(f"There is no module {module!r}. The modules are: {choices}.")
    return [twins for twins in everything if not modules or any(map(twins.belongs_to, modules))]


def _twins_of(root: Path, kind: str) -> list[Twins]:
    place, pattern = _PLACES[kind]
    folders = {edition: Path(place.format(edition=edition)) for edition in LANGUAGE}
    found = {path.relative_to(root / folder) for folder in folders.values() for path in (root / folder).glob(pattern)}
    return [
        Twins(kind, _name(file), root, {edition: folder / file for edition, folder in folders.items()})
        for file in sorted(found)
        if not file.parts[0].startswith(".")
    ]


def _name(file: Path) -> str:
    """Return `01-x` for `01-x.ipynb` and for `01-x/01-x.ipynb`, but `01-x/other` for `01-x/other.ipynb`."""
    return file.stem if file.parent.name in ("", file.stem) else file.with_suffix("").as_posix()


def read(path: Path) -> Node:
    """Return the notebook in `path` with nothing repaired. Raises NotebookError."""
    try:
        node: Node = reads(path.read_text(encoding="utf-8"))  # type: ignore[no-untyped-call]
    except (ValueError, ValidationError) as error:
        raise NotebookError(f"is not a notebook: {error}") from None
    if (node["nbformat"], node["nbformat_minor"]) < (4, 5):
        raise NotebookError("is older than notebook format 4.5, so its cells have no ids: save it in JupyterLab")
    for invalid in iter_validate(node):  # type: ignore[no-untyped-call]
        place = "/".join(map(str, invalid.absolute_path))
        raise NotebookError(f"is not a valid notebook: {invalid.message[:200]} (at {place or 'the top'})")
    return node


def read_both(twins: Twins) -> tuple[dict[str, Node], list[Finding]]:
    """Return the notebooks that can be read, and why another one could not."""
    nodes: dict[str, Node] = {}
    faults: list[Finding] = []
    for edition, file in twins.files.items():
        try:
            nodes[edition] = read(twins.root / file)
        except FileNotFoundError:
            there = LANGUAGE[OTHER[edition]]
            faults.append(Finding(twins, (), f"It exists in {there} only: {file.as_posix()} is missing."))
        except NotebookError as error:
            faults.append(Finding(twins, (), f"The file {file.as_posix()} {error}."))
    return nodes, faults


def write(path: Path, node: Node) -> None:
    """Write `node` to `path` as JupyterLab does, at once or not at all."""
    text: str = nbformat.v4.writes(nbformat.from_dict(node))  # type: ignore[no-untyped-call]
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    draft.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    os.replace(draft, path)


def is_test(cell: Cell) -> bool:
    """Say whether `cell` is an autograded test: byte for byte the same in both editions."""
    grading = cell["metadata"].get("nbgrader", {})
    return cell["cell_type"] == "code" and bool(grading.get("grade")) and not grading.get("solution")
