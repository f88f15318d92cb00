"""Who owns a name while a test cell runs: the examiner, who ran the locked cells and the tests, or the candidate. Pure functions.

It reads the text of cells and runs none of it.
"""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Literal

from IPython.core.inputtransformer2 import TransformerManager

__all__ = ["Bindings", "Owners", "Source", "bindings", "loads", "owners"]

Side = Literal["examiner", "candidate"]

_BUILTINS = frozenset(dir(builtins))
_SHELL_OWN = frozenset({"In", "Out", "exit", "quit", "get_ipython", "open"})
"""What IPython puts into each namespace: each room has its own."""
_RUN_HERE = frozenset({"capture", "time", "prun", "memit", "mprun", "timeit"})
"""Cell magics whose body is Python of this notebook."""
_BIND_ANYTHING = frozenset({"pylab", "run", "load_ext", "store", "macro", "rerun", "load"})


@dataclass(frozen=True)
class Bindings:
    """What a cell binds: names for certain, and whether it may bind others (a star import, `%run`), or is no Python at all."""

    names: frozenset[str] = frozenset()
    unknown: bool = False


@dataclass(frozen=True)
class Source:
    """A code cell of the source: its index among them, the side that runs it, and its text."""

    index: int
    side: Side
    text: str


@dataclass(frozen=True)
class Owners:
    """Where names come from while the test cell `at` runs.

    `examiner` and `candidate` give, by name, the index of the last cell before it that binds the name on that side.
    """

    at: int
    examiner: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    candidate: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def from_candidate(self, name: str, bound_at: int = -1) -> bool:
        """Whether `name`, read in the test cell, is the candidate's.

        `bound_at`: the index of the last cell that was seen to bind it in the examiner: running tells more than the text.
        """
        if name in _SHELL_OWN or _is_special(name) or keyword.iskeyword(name):
            return False
        theirs = self.candidate.get(name, -1)
        ours = max(self.examiner.get(name, -1), bound_at)
        if ours >= 0:
            return theirs > ours
        return theirs >= 0 or name not in _BUILTINS


def owners(cells: Iterable[Source], at: int) -> Owners:
    """Return where names come from in the test cell with the index `at`, by the cells of the source before it."""
    found: dict[Side, dict[str, int]] = {"examiner": {}, "candidate": {}}
    for cell in sorted(cells, key=lambda cell: cell.index):
        if cell.index < at:
            found[cell.side].update(dict.fromkeys(bindings(cell.text).names, cell.index))
    return Owners(at, MappingProxyType(found["examiner"]), MappingProxyType(found["candidate"]))


@cache
def bindings(text: str) -> Bindings:
    """Return what a cell's text binds in the notebook's namespace when it has run to its end.

    Counted: assignments of every kind, imports, `def` and `class`, targets of `for`, `with` and `match`, `:=` (in a comprehension
    too), and what its functions declare `global` and bind. A name that the cell deletes at its end is not bound.
    """
    tree = _parsed(text)
    if tree is None:
        return Bindings(unknown=True)
    finder = _Finder()
    finder.visit(tree)
    return Bindings(frozenset(finder.names), finder.unknown)


def loads(text: str) -> frozenset[str]:
    """Return the names that a text reads, of any scope. Nothing for what is no Python."""
    tree = _parsed(text)
    nodes: Iterator[ast.AST] = ast.walk(tree) if tree is not None else iter(())
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def _is_special(name: str) -> bool:
    """Names that Python or IPython gives a meaning of its own: `__file__`, `_`, `_3`, `_i2`, `_oh`."""
    if name.startswith("__") and name.endswith("__"):
        return True
    rest = name.lstrip("_")
    return name.startswith("_") and (
        rest in ("", "i", "ih", "oh", "dh", "exit_code") or rest.removeprefix("i").isdigit()
    )


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(TransformerManager().transform_cell(text))  # type: ignore[no-untyped-call]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Finder(ast.NodeVisitor):
    """Collects, in the order of the text, what one scope's statements bind there."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.unknown = False

    def _bind(self, name: str | None) -> None:
        if name is not None:
            self.names[name] = None

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id)
        elif isinstance(node.ctx, ast.Del):
            self.names.pop(node.id, None)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.unknown = True
            else:
                self._bind(alias.asname or alias.name)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.generic_visit(node)
        # Python deletes it at the end of the handler.
        if node.name is not None:
            self.names.pop(node.name, None)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self.generic_visit(node)
        self._bind(node.name)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self._bind(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.generic_visit(node)
        self._bind(node.rest)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._outside(node)
        self._bind(node.name)
        self._inside(node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part)
        self._bind(node.name)
        self._inside(node.body)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        # Its own names stay inside; what `:=` binds does not.
        for part in ast.walk(node):
            if isinstance(part, ast.NamedExpr):
                self._bind(part.target.id)

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        arguments = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        match node.func, arguments:
            case ast.Attribute(attr="run_cell_magic"), [str(magic), str(line), str(body)]:
                self._cell_magic(magic, line, body)
            case ast.Attribute(attr="run_line_magic"), [str(magic), *_] if magic in _BIND_ANYTHING:
                self.unknown = True

    def _cell_magic(self, magic: str, line: str, body: str) -> None:
        if magic == "capture":
            for word in line.split():
                if word.isidentifier():
                    self._bind(word)
        if magic in _RUN_HERE and magic != "timeit":
            inner = bindings(body)
            self.names.update(dict.fromkeys(inner.names))
            self.unknown = self.unknown or inner.unknown
        elif magic in ("bash", "sh", "script", "python", "perl", "ruby"):
            words = line.split()
            for option, name in zip(words, words[1:], strict=False):
                if option in ("--out", "--err", "--proc"):
                    self._bind(name)
        elif magic not in _RUN_HERE:
            # One of a library's own: `%%sql result <<` binds, `%%html` does not, and the text does not tell.
            self.unknown = True

    def _outside(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Visit what of a function is evaluated where it is defined."""
        for part in (*node.decorator_list, node.args, *([node.returns] if node.returns else [])):
            self.visit(part)

    def _inside(self, body: list[ast.stmt]) -> None:
        """Take from an inner scope what it declares global and binds."""
        inner = _Finder()
        declared: set[str] = set()
        for statement in body:
            inner.visit(statement)
            declared.update(_declared_global(statement))
        self.names.update(dict.fromkeys(name for name in inner.names if name in declared))


def _declared_global(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Global):
            yield from node.names
