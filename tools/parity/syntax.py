"""Compares the code of a cell in both editions as syntax trees, with the translator's words set aside."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from tools.parity.names import LANGUAGE, Pairs
from tools.parity.texts import CodeError, edition_argument, marker, parse, translated

__all__ = ["Difference", "compare_code", "diff", "normalised"]

_TEXT = "…"
Difference = tuple[str, str]
"""A sentence about the cell, and a diff to print below it (or nothing)."""


def compare_code(es: str, ja: str, pairs: Pairs) -> Iterator[Difference]:
    """Yield what differs between the two editions of a code cell beyond what a translator may change."""
    sources = {"es": es, "ja": ja}
    unreadable = list(_unreadable(sources))
    yield from unreadable
    if unreadable:
        return
    trees = {edition: normalised(parse(source), edition, pairs) for edition, source in sources.items()}
    if ast.dump(trees["es"]) != ast.dump(trees["ja"]):
        yield "The code differs.", diff(_readable(trees["es"]), _readable(trees["ja"]))
    elif _markers(es) != _markers(ja):
        yield "nbgrader's markers stand in different places.", diff(_markers(es), _markers(ja))


def _unreadable(sources: dict[str, str]) -> Iterator[Difference]:
    for edition, source in sources.items():
        try:
            parse(source)
        except CodeError as error:
            yield f"The {LANGUAGE[edition]} code {error}.", ""


def normalised(tree: ast.Module, edition: str, pairs: Pairs) -> ast.Module:
    """Return `tree`, changed in place: the translator's strings blanked, declared names replaced by their marks.

    The words of an f-string may stand in another order, so its interpolated expressions are sorted.
    """
    _Normaliser(tree, edition, pairs).visit(tree)
    return tree


class _Normaliser(ast.NodeTransformer):
    def __init__(self, tree: ast.Module, edition: str, pairs: Pairs) -> None:
        self._edition = edition
        self._pairs = pairs
        self._texts = {id(text.node) for text in translated(tree)}
        self._codes = {id(node) for node in edition_argument(tree) if node.value == edition}

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        node.kind = None
        if id(node) in self._texts:
            node.value = _TEXT
        elif id(node) in self._codes:
            node.value = "⟨es|ja⟩"
        elif isinstance(node.value, str):
            node.value = self._pairs.canonical(node.value, self._edition)
        elif isinstance(node.value, bytes):
            text = node.value.decode("utf-8", "surrogateescape")
            node.value = self._pairs.canonical(text, self._edition).encode("utf-8", "surrogateescape")
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        if id(node) not in self._texts:
            return node
        expressions = sorted((value for value in node.values if isinstance(value, ast.FormattedValue)), key=ast.dump)
        text = ast.Constant(_TEXT)
        return ast.JoinedStr([text, *expressions]) if expressions else text


def _markers(source: str) -> list[str]:
    """Return each marker with the number of statements that begin above it."""
    starts = [node.lineno for node in ast.walk(parse(source)) if isinstance(node, ast.stmt)]
    lines = enumerate(source.splitlines(), start=1)
    found = ((number, marker(line)) for number, line in lines)
    return [f"{words} after {sum(start < number for start in starts)} statements" for number, words in found if words]


def _readable(tree: ast.Module) -> list[str]:
    try:
        return ast.unparse(tree).splitlines()
    except ValueError:  # ast.unparse cannot write every f-string.
        return ast.dump(tree, indent=1).splitlines()


def diff(es: list[str], ja: list[str]) -> str:
    """Return the lines that differ, each with one line around it."""
    return "\n".join(difflib.unified_diff(es, ja, LANGUAGE["es"], LANGUAGE["ja"], lineterm="", n=1))
