"""Compares the frame of a notebook in both editions: cell ids and their order, types, tags, metadata."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tools.parity.names import LANGUAGE, OTHER
from tools.parity.notebooks import Cell, Finding, Node, Twins

__all__ = ["LANGUAGE_KEY", "compare_cell_frames", "compare_frames"]

_ID = re.compile(r"[a-z][a-z0-9-]*")
LANGUAGE_KEY = "language"
"""The one key of a notebook's metadata that may name its edition."""


def compare_frames(twins: Twins, nodes: dict[str, Node]) -> Iterator[Finding]:
    """Yield what differs between the notebooks as wholes, and every id that a cell must not have."""
    for edition, node in nodes.items():
        yield from _faulty_ids(twins, edition, [cell["id"] for cell in node["cells"]])
    yield from _notebook_metadata(twins, nodes)
    ids = {edition: [cell["id"] for cell in node["cells"]] for edition, node in nodes.items()}
    for edition, other in OTHER.items():
        missing = [cell for cell in ids[edition] if cell not in ids[other]]
        if missing:
            yield Finding(twins, missing, f"The {LANGUAGE[edition]} edition has this, the {LANGUAGE[other]} has not.")
    yield from _order(twins, ids["es"], ids["ja"])


def _faulty_ids(twins: Twins, edition: str, ids: list[str]) -> Iterator[Finding]:
    for cell, count in Counter(ids).items():
        if count > 1:
            yield Finding(twins, [cell], f"The {LANGUAGE[edition]} edition has {count} cells with this id.")
        if not _ID.fullmatch(cell):
            sentence = "must be words of a-z, 0-9 and hyphens, such as m01-run-event"
            yield Finding(twins, [cell], f"The id in {LANGUAGE[edition]} {sentence}.")


def _order(twins: Twins, es: list[str], ja: list[str]) -> Iterator[Finding]:
    common_es, common_ja = [cell for cell in es if cell in ja], [cell for cell in ja if cell in es]
    for place, (left, right) in enumerate(zip(common_es, common_ja, strict=False)):
        if left != right:
            before = f"After {common_es[place - 1]}" if place else "At the top"
            sentence = f"The order differs. {before} comes {left} in Spanish, {right} in Japanese."
            yield Finding(twins, [left, right], sentence)
            return


def _notebook_metadata(twins: Twins, nodes: dict[str, Node]) -> Iterator[Finding]:
    versions = {edition: f"{node['nbformat']}.{node['nbformat_minor']}" for edition, node in nodes.items()}
    if versions["es"] != versions["ja"]:
        yield Finding(twins, (), f"The format is {versions['es']} in Spanish and {versions['ja']} in Japanese.")
    metadata = {edition: dict(node["metadata"]) for edition, node in nodes.items()}
    for edition in metadata:
        if metadata[edition].get(LANGUAGE_KEY) == edition:
            metadata[edition][LANGUAGE_KEY] = "es|ja"
    yield from _values(twins, (), "The notebook's", metadata["es"], metadata["ja"])


def compare_cell_frames(twins: Twins, es: Cell, ja: Cell) -> Iterator[Finding]:
    """Yield what differs between two cells of the same id, their sources aside."""
    if es["cell_type"] != ja["cell_type"]:
        sentence = f"It is a {es['cell_type']} cell in Spanish and a {ja['cell_type']} cell in Japanese."
        yield Finding(twins, [es["id"]], sentence)
    left, right = dict(es["metadata"]), dict(ja["metadata"])
    yield from _values(twins, [es["id"]], "nbgrader's", left.pop("nbgrader", {}), right.pop("nbgrader", {}))
    yield from _values(twins, [es["id"]], "The cell's", left, right)
    for edition, cell in (("es", es), ("ja", ja)):
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", es["id"])
        if grade_id != es["id"]:
            sentence = f"The grade_id is {grade_id!r} in {LANGUAGE[edition]}; it must be the cell's id."
            yield Finding(twins, [es["id"]], sentence)


def _values(
    twins: Twins, cells: Sequence[str], whose: str, es: dict[str, Any], ja: dict[str, Any]
) -> Iterator[Finding]:
    for key in sorted(es.keys() | ja.keys()):
        left, right = (_shown(values, key) for values in (es, ja))
        if left != right:
            yield Finding(twins, cells, f"{whose} {key} is {left} in Spanish and {right} in Japanese.")


def _shown(values: dict[str, Any], key: str) -> str:
    return json.dumps(values[key], ensure_ascii=False, sort_keys=True) if key in values else "absent"
