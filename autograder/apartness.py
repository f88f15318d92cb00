"""Which tests cannot run apart from the student's code: found by trying the reference solution, and why, where it can be told.

`told_apart` holds sittings; `why` is pure and reads texts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from IPython.core.inputtransformer2 import TransformerManager

from autograder.booklet import Booklet
from autograder.names import bindings, loads
from autograder.records import Note
from autograder.rehearsal import Key, Sat, Sitting, Stage, marked, rehearse
from autograder.sheet import Paper, PaperCell, PaperNotebook

__all__ = ["Apart", "told_apart", "why"]

_READS = frozenset({"open", "exists", "is_file", "read_text", "read_bytes", "listdir", "glob", "iterdir", "read_csv"})
_PATCHES = frozenset({"patch", "setattr", "monkeypatch", "MonkeyPatch", "mock"})
_LOOKS_AT_CODE = frozenset({"inspect", "getsource", "dis", "__code__"})
_NOTEBOOK = frozenset({"globals", "locals", "vars", "get_ipython", "In", "Out"})


@dataclass(frozen=True)
class Apart:
    """The tests that run together (`together`), and what came of the sittings: each test apart, each together (None where it was
    not needed), and as they will run."""

    together: frozenset[Key]
    apart: Sat
    all_together: Sat | None
    final: Sat


def told_apart(stage: Stage, paper: Paper, *, both: bool) -> Apart:
    """Find the tests of a paper that hold with the reference solution's code beside them, and not apart from it.

    `both`: hold the sitting with all tests together also if each test holds apart. Raises RehearsalError.
    """
    tests = {
        (sheet.name, cell.grade_id): cell for sheet in paper.notebooks for cell in sheet.cells if cell.role == "test"
    }
    ways = {"apart": Sitting(marked(paper, {}))}
    whole = {"together": Sitting(marked(paper, _by_notebook(tests)))}
    came = rehearse(stage, ways | whole if both else ways)
    apart = came["apart"]
    doubtful = {key for key in tests if not apart.tests[key].holds}
    if not doubtful:
        return Apart(frozenset(), apart, came.get("together"), apart)
    together = came.get("together") or rehearse(stage, whole)["together"]
    chosen = {key for key in doubtful if together.tests[key].holds}
    final = apart
    while chosen:
        final = rehearse(stage, {"final": Sitting(marked(paper, _by_notebook(chosen)))})["final"]
        can = {key for key in tests if apart.tests[key].holds or together.tests[key].holds}
        more = _drawn_in(paper, {key for key in can if not final.tests[key].holds}, chosen)
        if not more:
            break
        chosen |= more
    return Apart(frozenset(chosen), apart, together, final)


def _drawn_in(paper: Paper, lost: set[Key], chosen: set[Key]) -> set[Key]:
    """Return the tests that have to run together too, because of tests that fail when only the `chosen` ones do.

    Those themselves, and the tests that bind what they read; where that brings nothing new, all tests of their notebooks.
    """
    more: set[Key] = set(lost)
    notebooks = {name for name, _ in lost}
    for sheet in paper.notebooks:
        tests = [cell for cell in sheet.cells if cell.role == "test"]
        read = {name for cell in tests if (sheet.name, cell.grade_id) in lost for name in loads(cell.text)}
        more |= {(sheet.name, cell.grade_id) for cell in tests if bindings(cell.text).names & read}
    if lost and more <= chosen:
        more = {
            (sheet.name, cell.grade_id)
            for sheet in paper.notebooks
            if sheet.name in notebooks
            for cell in sheet.cells
            if cell.role == "test"
        }
    return more - chosen


def _by_notebook(keys: Iterable[Key]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, cell in keys:
        found.setdefault(name, set()).add(cell)
    return {name: frozenset(cells) for name, cells in found.items()}


def why(sheet: PaperNotebook, test: PaperCell) -> Note:
    """Return why a test may not run apart, as far as its text tells: a sentence."""
    try:
        tree = ast.parse(TransformerManager().transform_cell(test.text))  # type: ignore[no-untyped-call]
    except (SyntaxError, ValueError):
        return Note("No reason can be told from its text.")
    owners = Booklet(sheet).owners(test.grade_id)
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    named |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    if named & _LOOKS_AT_CODE:
        return Note("It looks at the code of what the student wrote.")
    if named & _PATCHES or _sets_attributes(tree):
        return Note("It puts something in the place of what the student's code uses.")
    if any(owners.from_candidate(name) for name in _classes_asked_for(tree)):
        return Note("It asks whether something is of a class of the student's.")
    if named & _NOTEBOOK:
        return Note("It looks at the names of the whole notebook.")
    if named & _READS:
        return Note("It looks at a file, and the student's code has a working folder of its own.")
    answers = {name for cell in sheet.cells if cell.role in ("answer", "manual") for name in loads(cell.text)}
    shared = sorted(name for name in loads(test.text) & answers if owners.examiner.get(name, -1) >= 0)
    if shared:
        names = ", ".join(shared)
        return Note("It may need a value that the student's code shares with it: {names}.", {"names": names})
    return Note("No reason can be told from its text.")


def _sets_attributes(tree: ast.Module) -> bool:
    targets = [
        target
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return any(isinstance(target, ast.Attribute) for target in targets)


def _classes_asked_for(tree: ast.Module) -> set[str]:
    return {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "issubclass")
        and len(node.args) == 2
        for name in ast.walk(node.args[1])
        if isinstance(name, ast.Name)
    }
