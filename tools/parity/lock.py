"""The lock file: which texts of both editions have been looked at together, as hashes by cell id.

A hash is taken from the notebook as it stands, whenever it is needed; the file holds no text.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from tools.parity.names import LANGUAGE, OTHER
from tools.parity.notebooks import Cell, Finding, Node, Twins, is_test
from tools.parity.texts import CodeError, prose

__all__ = ["Lock", "LockError", "agreed", "read_lock", "unseen", "write_lock"]

Lock = dict[str, dict[str, str]]
"""Notebook, then cell id, then the Spanish and the Japanese hash with a space between."""


class LockError(ValueError):
    """The lock file cannot be read."""


_FILE = Path("tools", "parity.lock.json")
_NOTHING = "-"


def read_lock(root: Path) -> Lock:
    """Return the lock file of the course in `root`; empty when there is none. Raises LockError."""
    path = root / _FILE
    if not path.exists():
        return {}
    try:
        lock: Lock = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LockError(f"{_FILE.as_posix()} is not JSON ({error}): was it merged by hand?") from None
    return lock


def write_lock(root: Path, lock: Lock) -> None:
    """Write the lock file, one line a cell, at once or not at all."""
    path = root / _FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    kept = {twins: cells for twins, cells in lock.items() if cells}
    draft.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
    os.replace(draft, path)


def _hashes(nodes: dict[str, Node]) -> dict[str, str]:
    """Return what the lock file should say about each cell that has words in both editions' notebooks.

    Left out: test cells and raw cells, which nobody translates, and code that cannot be read, which `check` reports.
    """
    cells = {edition: {cell["id"]: cell for cell in node["cells"]} for edition, node in nodes.items()}
    found: dict[str, str] = {}
    for cell in cells["es"].keys() & cells["ja"].keys():
        try:
            pair = [_hash(cells[edition][cell]) for edition in ("es", "ja")]
        except CodeError:
            continue
        if pair != [_NOTHING, _NOTHING]:
            found[cell] = " ".join(pair)
    return found


def _hash(cell: Cell) -> str:
    words = json.dumps(_words(cell))
    return hashlib.sha256(words.encode()).hexdigest()[:16] if words != "[]" else _NOTHING


def _words(cell: Cell) -> list[str]:
    if cell["cell_type"] == "raw" or is_test(cell):
        return []
    return prose(cell["source"]) if cell["cell_type"] == "code" else [cell["source"]]


def unseen(twins: Twins, nodes: dict[str, Node], known: dict[str, str]) -> Iterator[Finding]:
    """Yield, for each way in which texts can have changed since `known` was written, the cells that it concerns."""
    now = _hashes(nodes)
    by_reason: dict[str, list[str]] = defaultdict(list)
    for cell in _in_order(nodes, now):
        if cell in known and now[cell] != known[cell]:
            by_reason[_reason(known[cell].split(), now[cell].split())].append(cell)
        elif cell not in known:
            by_reason["Nobody has said yet that both texts were looked at together."].append(cell)
    ids = {cell["id"] for node in nodes.values() for cell in node["cells"]}
    gone = [cell for cell in sorted(known) if cell not in ids]
    if gone:
        by_reason["The lock file knows this, the notebooks do not."] = gone
    for reason, cells in by_reason.items():
        yield Finding(twins, cells, f"{reason} {_what_to_do(twins, cells)}")


def agreed(nodes: dict[str, Node], known: dict[str, str], cells: Sequence[str] = ()) -> dict[str, str]:
    """Return `known` brought up to date for `cells`, or for every cell when none is named."""
    now = _hashes(nodes)
    if not cells:
        return now
    kept = {cell: pair for cell, pair in known.items() if cell not in cells}
    return kept | {cell: now[cell] for cell in cells if cell in now}


def _in_order(nodes: dict[str, Node], cells: Collection[str]) -> list[str]:
    return [cell["id"] for cell in nodes["es"]["cells"] if cell["id"] in cells]


def _reason(known: list[str], now: list[str]) -> str:
    changed = [edition for edition, before, after in zip(("es", "ja"), known, now, strict=True) if before != after]
    if len(changed) == 2:
        return "Both texts changed since they were last looked at together."
    (edition,) = changed
    changed_one, other = LANGUAGE[edition], LANGUAGE[OTHER[edition]]
    return f"The {changed_one} text changed since both were last looked at, the {other} did not."


def _what_to_do(twins: Twins, cells: list[str]) -> str:
    return f"Look at both and then run `python -m tools.parity agree {twins.number} {' '.join(cells)}`."
