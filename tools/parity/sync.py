"""Carries one edition of a notebook into the other by cell id: code, tests, order, tags and metadata, but no prose."""

from __future__ import annotations

import copy
from collections import Counter
from difflib import SequenceMatcher

from tools.parity.carry import carry
from tools.parity.names import LANGUAGE, OTHER, declared_pairs
from tools.parity.notebooks import Cell, Node, is_test
from tools.parity.structure import LANGUAGE_KEY
from tools.parity.syntax import compare_code
from tools.parity.texts import CodeError

__all__ = ["Carrier"]


class Carrier:
    """Carries a notebook of `edition` into the other edition, and keeps a list of what it did."""

    def __init__(self, edition: str) -> None:
        self._edition = edition
        self._from, self._to = LANGUAGE[edition], LANGUAGE[OTHER[edition]]
        self.done: dict[str, list[str]] = {}
        """What was done, and the ids of the cells that it was done to."""
        self.failed: dict[str, list[str]] = {}
        """What could not be done, likewise."""

    def notebook(self, source: Node, own: Node | None, *, delete_extra: bool = False) -> Node | None:
        """Return what `own`, the other edition's notebook (None: there is none yet), has to become.

        Cells that only `own` has stay behind the cell that they followed, unless `delete_extra`. Where an id stands for
        two cells, `own` is returned as it is.
        """
        old_cells: list[Cell] = own["cells"] if own else []
        for cells, language in ((source["cells"], self._from), (old_cells, self._to)):
            repeated = [cell for cell, count in Counter(cell["id"] for cell in cells).items() if count > 1]
            if repeated:
                self.failed[f"not carried, because the {language} edition has the id more than once"] = repeated
                return own
        by_id = {cell["id"]: cell for cell in old_cells}
        cells = [self._cell(cell, by_id.get(cell["id"])) for cell in source["cells"]]
        self._note_order([cell["id"] for cell in cells], list(by_id))
        self._place_extra(cells, old_cells, delete_extra=delete_extra)
        metadata = copy.deepcopy(source["metadata"])
        if metadata.get(LANGUAGE_KEY) == self._edition:
            metadata[LANGUAGE_KEY] = OTHER[self._edition]
        return {**source, "metadata": metadata, "cells": cells}

    def _cell(self, source: Cell, own: Cell | None) -> Cell:
        kind = source["cell_type"]
        frame = {"id": source["id"], "cell_type": kind, "metadata": copy.deepcopy(source["metadata"])}
        new: Cell = {"outputs": [], "execution_count": None} if kind == "code" else {}
        if own is None:
            self._note(f"inserted from the {self._from} edition", source)
        else:
            if any(own[key] != value for key, value in frame.items()):
                self._note("type, tags or metadata carried over", source)
            if own["cell_type"] == kind:
                new = dict(own)
            else:
                own = None
        return {**new, **frame, "source": self._source(source, own)}

    def _source(self, source: Cell, own: Cell | None) -> str:
        """Return the new source of a cell; `own` is the old one if it is of the same type."""
        text: str = source["source"]
        if source["cell_type"] == "markdown":
            if own is not None:
                return str(own["source"])
            self._note(f"to be written in {self._to}", source)
            return text
        if source["cell_type"] == "raw" or is_test(source):
            if own is not None and own["source"] != text:
                self._note("copied byte for byte", source)
            return text
        return self._code(source, own)

    def _code(self, source: Cell, own: Cell | None) -> str:
        text, old = source["source"], own["source"] if own else ""
        if own and self._same(text, old):
            return str(old)
        try:
            carried = carry(text, old, self._edition, declared_pairs())
        except CodeError as error:
            return self._give_up(f"not carried, because the {self._from} code {error}", source, old)
        if not self._same(text, carried.source):
            return self._give_up("not carried, because names or texts stand where they cannot be swapped", source, old)
        if own is not None:
            self._note("code carried over", source)
        if carried.untranslated:
            self._note(f"still in {self._from}: look at these cells", source)
        return carried.source

    def _same(self, source: str, own: str) -> bool:
        es, ja = (source, own) if self._edition == "es" else (own, source)
        return not any(compare_code(es, ja, declared_pairs()))

    def _give_up(self, why: str, source: Cell, old: str) -> str:
        self.failed.setdefault(why, []).append(source["id"])
        return old or str(source["source"])

    def _note(self, what: str, cell: Cell) -> None:
        self.done.setdefault(what, []).append(cell["id"])

    def _note_order(self, new: list[str], old: list[str]) -> None:
        new, old = [cell for cell in new if cell in old], [cell for cell in old if cell in new]
        blocks = SequenceMatcher(None, new, old, autojunk=False).get_matching_blocks()
        settled = {cell for block in blocks for cell in new[block.a : block.a + block.size]}
        moved = [cell for cell in new if cell not in settled]
        if moved:
            self.done[f"put into the {self._from} order"] = moved

    def _place_extra(self, cells: list[Cell], old_cells: list[Cell], *, delete_extra: bool) -> None:
        """Put the cells that only the other edition has into `cells`, each behind the one that it followed."""
        known = {cell["id"] for cell in cells}
        for before, cell in zip([None, *old_cells], old_cells, strict=False):
            if cell["id"] in known:
                continue
            if delete_extra:
                self._note("deleted", cell)
                continue
            self._note(f"in {self._to} only: kept (--delete-extra deletes)", cell)
            ids = [placed["id"] for placed in cells]
            cells.insert(ids.index(before["id"]) + 1 if before else 0, cell)
