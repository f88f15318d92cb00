"""Which words of a cell belong to the translator, and which marker lines belong to nbgrader.

The translator's, in code: comments, docstrings, assert messages, and the strings that are themselves an argument of
`print`, `display` or `Markdown`. A string that is only part of such an argument (`print("a" + b)`) is code; an f-string
says it better.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

__all__ = ["CodeError", "Text", "edition_argument", "literal_text", "marker", "parse", "prose", "translated"]

_PRINTERS = frozenset({"print", "display", "Markdown"})
# nbgrader looks for these words anywhere in a line.
# Source: ClearSolutions, ClearHiddenTests and ClearMarkScheme in nbgrader/preprocessors.
_MARKER = re.compile(r"(?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS|MARK SCHEME)")
_TAKE_THE_EDITION = frozenset({"bentocola.start", "open_lab"})
_IPYTHON = re.compile(r"[%!?]|.*\?$")


class CodeError(ValueError):
    """A code cell that is not plain Python; its text is the end of a sentence about the cell."""


def parse(source: str) -> ast.Module:
    """Return the syntax tree of a cell. Raises CodeError, which names the line, when it is not plain Python."""
    try:
        return ast.parse(source)
    except SyntaxError as error:
        number = error.lineno or 1
        line = (source.splitlines()[number - 1 : number] or [""])[0].strip()
        if _IPYTHON.match(line):
            raise CodeError(f"has an IPython command in line {number} (`{line}`); write plain Python") from None
        raise CodeError(f"is not valid Python in line {number} (`{line}`): {error.msg}") from None


@dataclass(frozen=True)
class Text:
    """A string that the translator owns."""

    kind: str
    """`print`, `assert` or `docstring`."""
    node: ast.Constant | ast.JoinedStr


def translated(tree: ast.AST) -> list[Text]:
    """Return the translator's strings in the order in which they stand in the cell."""
    found = (text for node in ast.walk(tree) for text in _texts_of(node))
    return sorted(found, key=lambda text: (text.node.lineno, text.node.col_offset))


def _texts_of(node: ast.AST) -> Iterator[Text]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _PRINTERS:
            yield from (Text("print", argument) for argument in arguments if _is_text(argument))
        case ast.Assert(msg=ast.expr() as message) if _is_text(message):
            yield Text("assert", message)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and _is_text(first.value):
                yield Text("docstring", first.value)


def _is_text(node: ast.expr) -> TypeGuard[ast.Constant | ast.JoinedStr]:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def literal_text(text: Text) -> str:
    """Return the words of `text`, with `{}` where an expression is interpolated."""
    values = text.node.values if isinstance(text.node, ast.JoinedStr) else [text.node]
    return "".join(str(value.value) if isinstance(value, ast.Constant) else "{}" for value in values)


def edition_argument(tree: ast.AST) -> list[ast.Constant]:
    """Return the literal arguments of calls that take the edition's code: a declared pair there and nowhere else."""
    return [
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _TAKE_THE_EDITION
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(argument, ast.Constant)
    ]


def marker(line: str) -> str | None:
    """Return nbgrader's marker in `line` (`BEGIN SOLUTION`), if there is one."""
    found = _MARKER.search(line)
    return found[0] if found else None


def prose(source: str) -> list[str]:
    """Return the translator's words in a code cell: comments first, then strings, each in order. Raises CodeError."""
    strings = [literal_text(text) for text in translated(parse(source))]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT and not marker(token.string)]
    return [words for words in comments + strings if any(letter.isalpha() for letter in words)]
