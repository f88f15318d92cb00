"""Every rule in one place: compares the two editions of each notebook, frame, code and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.parity.lock import Lock, read_lock, unseen
from tools.parity.markdown import compare_markdown
from tools.parity.names import declared_pairs
from tools.parity.notebooks import Cell, Finding, Node, Twins, find_twins, is_test, read_both
from tools.parity.structure import compare_cell_frames, compare_frames
from tools.parity.syntax import Difference, compare_code, diff

__all__ = ["check", "compare"]


def check(root: Path, modules: Sequence[str] = ()) -> list[Finding]:
    """Return every difference between the editions below `root`. Raises UnknownModuleError."""
    lock = read_lock(root)
    return [finding for twins in find_twins(root, modules) for finding in _check_twins(twins, lock)]


def _check_twins(twins: Twins, lock: Lock) -> Iterator[Finding]:
    nodes, faults = read_both(twins)
    yield from faults
    if not faults:
        yield from compare(twins, nodes)
        yield from unseen(twins, nodes, lock.get(str(twins), {}))


def compare(twins: Twins, nodes: dict[str, Node]) -> Iterator[Finding]:
    """Yield every difference between two notebooks, the lock file aside."""
    yield from compare_frames(twins, nodes)
    japanese = {cell["id"]: cell for cell in nodes["ja"]["cells"]}
    for es in nodes["es"]["cells"]:
        ja = japanese.get(es["id"])
        if ja is not None:
            yield from compare_cell_frames(twins, es, ja)
            for sentence, detail in _compare_sources(es, ja):
                yield Finding(twins, [es["id"]], sentence, detail)


def _compare_sources(es: Cell, ja: Cell) -> Iterator[Difference]:
    if es["cell_type"] != ja["cell_type"]:
        return
    if es["cell_type"] == "raw" or is_test(es) or is_test(ja):
        if es["source"] != ja["source"]:
            yield "It must be the same, byte for byte.", diff(es["source"].splitlines(), ja["source"].splitlines())
    elif es["cell_type"] == "code":
        yield from compare_code(es["source"], ja["source"], declared_pairs())
    else:
        yield from ((sentence, "") for sentence in compare_markdown(es, ja))
