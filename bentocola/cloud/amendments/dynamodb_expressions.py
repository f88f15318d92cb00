"""DynamoDB's expressions: what is refused before they are evaluated, and comparisons of values that cannot be compared.

AWS: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html and below it, for the grammar
Expressions.OperatorsAndFunctions.html, for placeholders Expressions.ExpressionAttributeNames.html and
Expressions.ExpressionAttributeValues.html, for reserved words ReservedWords.html; the limit of 4 KB is in Constraints.html. The
wordings are what AWS is seen to answer in public issues and captures.
moto 5.2.5: an undefined `:x` or `#x`, a syntax error, a line break or `OR` in a key condition is a KeyError, ValueError or
AssertionError; unused values are accepted outside UpdateItem; a filter's faults are called a ConditionExpression's; `size` of a
missing attribute, or a comparison of a number with a text, fails in Python; the number 1 equals `true`.

moto's parsers stay the ones that build what is evaluated. What they built for a text is kept: it is the same for every call.
"""

from __future__ import annotations

import inspect
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

__all__ = ["ExpressionError", "check", "install", "one_line", "self_test"]

_MAX_BYTES = 4096
_NAME_KEY = re.compile(r"#[0-9a-zA-Z_]+")
_VALUE_KEY = re.compile(r":[0-9a-zA-Z_]+")
_PLACEHOLDER = re.compile(r"[#:][0-9a-zA-Z_]+")
_TOKEN = re.compile(r"\s+|<>|<=|>=|[#:]?[A-Za-z0-9_]+|.", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMPARATORS = {"=", "<>", "<", "<=", ">", ">="}
_KEYWORDS = {"AND", "OR", "NOT", "BETWEEN", "IN"}
_FUNCTIONS = {
    "attribute_exists": 1,
    "attribute_not_exists": 1,
    "attribute_type": 2,
    "begins_with": 2,
    "contains": 2,
    "size": 1,
}
_OF_A_PATH = {"attribute_exists", "attribute_not_exists"}


class ExpressionError(Exception):
    """What DynamoDB says of the expressions of a request, without its envelope."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def one_line(text: str) -> str:
    """Return an expression with plain spaces for all white space: moto knows no other."""
    return re.sub(r"[\t\r\n]", " ", text) if any(mark in text for mark in "\t\r\n") else text


def check(
    parameters: Mapping[str, Any], expressions: Sequence[str], others: Sequence[str] = (), *, named: bool = False
) -> None:
    """Raise ExpressionError for what is wrong with a request's `expressions`, or with its names and values for them.

    `expressions` and `others` name the parameters that hold expressions and those of the older form, which do not go together.
    `named`: the operation says which of them a value without an expression was missing.
    """
    given = [name for name in expressions if parameters.get(name) is not None]
    older = [name for name in others if parameters.get(name) is not None]
    if given and "KeyConditions" in older and "KeyConditionExpression" not in given:
        older.remove("KeyConditions")  # a filter may stand beside the older form of a key condition
    if given and older:
        raise ExpressionError(
            "Can not use both expression and non-expression parameters in the same request: "
            f"Non-expression parameters: {{{', '.join(older)}}} Expression parameters: {{{', '.join(given)}}}"
        )
    names, values = parameters.get("ExpressionAttributeNames"), parameters.get("ExpressionAttributeValues")
    if not given and names is None and values is None:
        return
    _check_placeholders(given, expressions, names, values, named)
    used: set[str] = set()
    for name in given:
        text = parameters[name]
        used |= _check_one(name, text, names or {}, values or {})
    for kind, defined in (("Names", names), ("Values", values)):
        if unused := [key for key in defined or () if key not in used]:
            raise ExpressionError(
                f"Value provided in ExpressionAttribute{kind} unused in expressions: keys: {{{', '.join(unused)}}}"
            )


def _check_placeholders(
    given: Sequence[str],
    expressions: Sequence[str],
    names: Mapping[str, str] | None,
    values: Mapping[str, Any] | None,
    named: bool,
) -> None:
    with_values = [name for name in expressions if name != "ProjectionExpression"]
    if names is not None and not given:
        raise ExpressionError("ExpressionAttributeNames can only be specified when using expressions")
    if values is not None and not any(name in given for name in with_values):
        missing = f": {' and '.join(with_values)} {'are' if len(with_values) > 1 else 'is'} null" if named else ""
        raise ExpressionError(f"ExpressionAttributeValues can only be specified when using expressions{missing}")
    for kind, defined, form in (("Names", names, _NAME_KEY), ("Values", values, _VALUE_KEY)):
        if defined is None:
            continue
        if not defined:
            raise ExpressionError(f"ExpressionAttribute{kind} must not be empty")
        for key in defined:
            if not form.fullmatch(key):
                raise ExpressionError(f'ExpressionAttribute{kind} contains invalid key: Syntax error; key: "{key}"')


def _check_one(kind: str, text: str, names: Mapping[str, str], values: Mapping[str, Any]) -> frozenset[str]:
    """Raise for a fault in one expression; return the placeholders that it uses."""
    found = _read(kind, text)
    for placeholder in found.placeholders:
        if placeholder.startswith(":") and placeholder not in values:
            raise ExpressionError(
                f"Invalid {kind}: An expression attribute value used in expression is not defined; "
                f"attribute value: {placeholder}"
            )
        if placeholder.startswith("#") and placeholder not in names:
            raise ExpressionError(
                f"Invalid {kind}: An expression attribute name used in the document path is not defined; "
                f"attribute name: {placeholder}"
            )
    if found.changed:
        _check_overlaps(kind, found.changed, names)
    return found.used


def _check_overlaps(kind: str, paths: Sequence[tuple[str, ...]], names: Mapping[str, str]) -> None:
    resolved = [tuple(names.get(part, part) for part in path) for path in paths]
    for n, path in enumerate(resolved):
        for other in resolved[n + 1 :]:
            if path[: len(other)] == other[: len(path)]:
                raise ExpressionError(
                    f"Invalid {kind}: Two document paths overlap with each other; must remove or rewrite one of these "
                    f"paths; path one: [{', '.join(path)}], path two: [{', '.join(other)}]"
                )


# Reading


@dataclass(frozen=True)
class _Read:
    """What is known of an expression's text alone."""

    placeholders: tuple[str, ...]
    changed: tuple[tuple[str, ...], ...] = ()
    """The paths that an update changes or a projection gives: no two may overlap."""
    named: frozenset[str] = frozenset()
    """The attributes that a condition's paths begin with, as they are written."""

    @property
    def used(self) -> frozenset[str]:
        return frozenset(self.placeholders)


@lru_cache(maxsize=512)
def _read(kind: str, text: str) -> _Read:
    """Raise ExpressionError for what the text alone shows to be wrong."""
    if not text.strip():
        raise ExpressionError(f"Invalid {kind}: The expression can not be empty;")
    if len(text.encode(errors="replace")) > _MAX_BYTES:
        raise ExpressionError(f"Invalid {kind}: Expression size has exceeded the maximum allowed size;")
    placeholders = tuple(_PLACEHOLDER.findall(text))
    if kind == "UpdateExpression":
        return _Read(placeholders, _read_update(text))
    grammar = _Grammar(kind, text)
    if kind == "ProjectionExpression":
        paths = grammar.projection()
    else:
        paths = grammar.condition()
        if kind == "KeyConditionExpression":
            grammar.only_key_operators()
    _refuse_reserved(kind, (part for path in paths for part in path))
    changed = tuple(paths) if kind == "ProjectionExpression" else ()
    return _Read(placeholders, changed, frozenset(path[0] for path in paths))


def attributes_of(kind: str, text: str, names: Mapping[str, str]) -> set[str]:
    """Return the attributes that a condition's paths begin with. Raises ExpressionError for what is none."""
    return {names.get(name, name) for name in _read(kind, text).named}


def _refuse_reserved(kind: str, parts: Iterable[str]) -> None:
    from moto.dynamodb.parsing.reserved_keywords import ReservedKeywords

    reserved = ReservedKeywords.get_reserved_keywords()
    for part in parts:
        if part.upper() in reserved:
            raise ExpressionError(f"Invalid {kind}: Attribute name is a reserved keyword; reserved keyword: {part}")


def _read_update(text: str) -> tuple[tuple[str, ...], ...]:
    """Read with moto's parser, whose syntax errors are AWS's; return the paths that the update changes."""
    from moto.dynamodb.exceptions import MockValidationException
    from moto.dynamodb.parsing import ast_nodes as nodes_of_moto
    from moto.dynamodb.parsing import expressions as parsers_of_moto

    ast_nodes: Any = nodes_of_moto  # moto has no types for them
    parsers: Any = parsers_of_moto

    try:
        tree = parsers.UpdateExpressionParser.make(text)
    except MockValidationException as error:
        raise ExpressionError(error.message) from None
    attributes = tree.find_clauses([ast_nodes.ExpressionAttribute])
    _refuse_reserved("UpdateExpression", (attribute.get_attribute_name() for attribute in attributes))
    actions = tree.find_clauses(
        [
            ast_nodes.UpdateExpressionSetAction,
            ast_nodes.UpdateExpressionAddAction,
            ast_nodes.UpdateExpressionRemoveAction,
            ast_nodes.UpdateExpressionDeleteAction,
        ]
    )
    paths = []
    for action in actions:
        nodes = action.children[0].children
        steps = [node.to_str() for node in nodes if not isinstance(node, ast_nodes.ExpressionPathDescender)]
        paths.append(tuple(steps))
    return tuple(paths)


class _Grammar:
    """Walks through a condition or a projection, to find where it goes wrong as AWS does. It builds nothing."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.parts = _TOKEN.findall(text)
        self.places = [n for n, part in enumerate(self.parts) if not part.isspace()]
        self.at = 0
        self.paths: list[tuple[str, ...]] = []
        self.operators: list[str] = []

    # Tokens

    @property
    def token(self) -> str:
        return self.parts[self.places[self.at]] if self.at < len(self.places) else ""

    def next(self) -> str:
        token = self.token
        self.at += 1
        return token

    def takes(self, *tokens: str) -> bool:
        if self.token.upper() in tokens:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.takes(token):
            raise self.syntax_error()

    def syntax_error(self) -> ExpressionError:
        at = min(self.at, len(self.places))
        token = self.token or "<EOF>"
        first = self.places[at - 1] if at else self.places[at]
        last = self.places[min(at + 1, len(self.places) - 1)]
        near = "".join(self.parts[first : last + 1])
        return self.error(f'Syntax error; token: "{token}", near: "{near}"')

    def error(self, said: str) -> ExpressionError:
        return ExpressionError(f"Invalid {self.kind}: {said}")

    def end(self) -> None:
        if self.at < len(self.places):
            raise self.syntax_error()

    # Projections

    def projection(self) -> list[tuple[str, ...]]:
        self.path()
        while self.takes(","):
            self.path()
        self.end()
        return self.paths

    # Conditions

    def condition(self) -> list[tuple[str, ...]]:
        self.disjunction()
        self.end()
        return self.paths

    def disjunction(self) -> bool:
        """Return whether all of it stood in parentheses; so do the ones below."""
        enclosed = self.conjunction()
        while self.takes("OR"):
            self.operators.append("OR")
            self.conjunction()
            enclosed = False
        return enclosed

    def conjunction(self) -> bool:
        enclosed = self.negation()
        while self.takes("AND"):
            self.negation()
            enclosed = False
        return enclosed

    def negation(self) -> bool:
        if self.takes("NOT"):
            self.operators.append("NOT")
            self.negation()
            return False
        return self.primary()

    def primary(self) -> bool:
        if self.takes("("):
            enclosed = self.disjunction()
            self.expect(")")
            if enclosed:
                raise self.error("The expression has redundant parentheses;")
            return True
        function = self.operand()
        if function and function != "size":
            if self.token in _COMPARATORS or self.token.upper() in ("BETWEEN", "IN"):
                raise self.misplaced(function)
            return False
        if self.token in _COMPARATORS:
            self.operators.append(self.next())
            self.value()
        elif self.takes("BETWEEN"):
            self.value()
            self.expect("AND")
            self.value()
        elif self.takes("IN"):
            self.operators.append("IN")
            self.expect("(")
            self.value()
            while self.takes(","):
                self.value()
            self.expect(")")
        elif function:
            raise self.misplaced(function)
        else:
            raise self.syntax_error()
        return False

    def value(self) -> None:
        function = self.operand()
        if function and function != "size":
            raise self.misplaced(function)

    def misplaced(self, function: str) -> ExpressionError:
        return self.error(f"The function is not allowed to be used this way in an expression; function: {function}")

    def operand(self) -> str:
        """Go over a path, a value, or a function's call; return the function's name, or an empty text."""
        token = self.token
        if token.startswith(":") and len(token) > 1:
            self.at += 1
            return ""
        called = self.at + 1 < len(self.places) and self.parts[self.places[self.at + 1]] == "("
        if called and _IDENTIFIER.fullmatch(token) and token.upper() not in _KEYWORDS:
            return self.function()
        self.path()
        return ""

    def function(self) -> str:
        name = self.next()
        if name not in _FUNCTIONS:
            raise self.error(f"Invalid function name; function: {name}")
        self.operators.append(name)
        self.expect("(")
        count = 1
        of_a_path = not self.token.startswith(":")
        self.value()
        while self.takes(","):
            count += 1
            self.value()
        self.expect(")")
        if count != _FUNCTIONS[name]:
            raise self.error(
                "Incorrect number of operands for operator or function; "
                f"operator or function: {name}, number of operands: {count}"
            )
        if name in _OF_A_PATH and not of_a_path:
            raise self.error(f"Operator or function requires a document path; operator or function: {name}")
        return name

    def path(self) -> None:
        steps = [self.step()]
        while True:
            if self.takes("."):
                steps.append(self.step())
            elif self.takes("["):
                if not self.token.isdecimal():
                    raise self.syntax_error()
                steps.append(f"[{self.next()}]")
                self.expect("]")
            else:
                break
        self.paths.append(tuple(steps))

    def step(self) -> str:
        token = self.token
        is_name = token.startswith("#") and len(token) > 1
        if not is_name and (not _IDENTIFIER.fullmatch(token) or token.upper() in _KEYWORDS):
            raise self.syntax_error()
        return self.next()

    def only_key_operators(self) -> None:
        for operator in self.operators:
            if operator == "size":
                raise ExpressionError("KeyConditionExpressions cannot contain nested operations")
            if operator in ("OR", "NOT", "IN", "<>") or (operator in _FUNCTIONS and operator != "begins_with"):
                raise ExpressionError(f"Invalid operator used in KeyConditionExpression: {operator}")


# In moto

_PATTERNS: list[tuple[str, re.Pattern[str]]] = [
    # As in moto, but with any white space, and indexes of more than one digit.
    ("WHITESPACE", re.compile(r"\s+")),
    ("COMPARATOR", re.compile(r"<>|<=|>=|=|<|>")),
    ("OPERAND", re.compile(r"[:#]?[A-Za-z0-9\-_]+(?:\.[:#]?[A-Za-z0-9\-_]+|\[[0-9]+\])*")),
    ("COMMA", re.compile(r",")),
    ("LEFT_PAREN", re.compile(r"\(")),
    ("RIGHT_PAREN", re.compile(r"\)")),
]
_MOST_KEPT = 512
_LONGEST_KEPT = 4096
_THEIRS: dict[str, Callable[..., Any]] = {}
_kept: dict[tuple[str, str, str], tuple[Any, list[str], list[str]]] = {}


def _lex(parser: Any) -> deque[Any]:
    """moto's, with patterns that are made once."""
    text, at, nodes = parser.condition_expression, 0, deque[Any]()
    while at < len(text):
        found = ((kind, match) for kind, pattern in _PATTERNS if (match := pattern.match(text, at)))
        kind, match = next(found, ("", None))
        if match is None:
            raise ValueError(f"Cannot parse condition starting at:{text[at:]}")
        at = match.end()
        if kind != "WHITESPACE":
            nodes.append(parser.Node(kind, parser.Kind.LITERAL, match[0], match[0], []))
    return nodes


def _parse(parser: Any) -> Any:
    """moto's, once for each text with its names and values: a conditional write asks for it twice."""
    names, values = parser.expression_attribute_names, parser.expression_attribute_values
    key = (parser.condition_expression or "", repr(names) if names else "", repr(values) if values else "")
    if found := _kept.get(key):
        built, names_found, values_found = found
        parser.expr_attr_names_found.extend(names_found)
        parser.expr_attr_values_found.extend(values_found)
        return built
    built = _THEIRS["parse"](parser)
    if len(key[1]) + len(key[2]) < _LONGEST_KEPT:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = (built, list(parser.expr_attr_names_found), list(parser.expr_attr_values_found))
    return built


def _type_of(operand: Any, item: Any) -> str | None:
    """The type of an operand's value, None where there is no value. A size is a number."""
    if hasattr(operand, "get_type"):
        found: str | None = operand.get_type(item)
        return found
    return None if operand.expr(item) is None else "N"


def _equal(left: Any, right: Any, item: Any) -> bool:
    kind = _type_of(left, item)
    return kind is not None and kind == _type_of(right, item) and left.expr(item) == right.expr(item)


def _op_equal(op: Any, item: Any) -> bool:
    return _equal(op.lhs, op.rhs, item)


def _op_not_equal(op: Any, item: Any) -> bool:
    return not _equal(op.lhs, op.rhs, item)


def _in(op: Any, item: Any) -> bool:
    return any(_equal(op.attr, value, item) for value in op.possible_values)


def _ordered(*operands: Any, item: Any) -> bool:
    """Whether the operands have one type, and one that has an order."""
    kinds = {_type_of(operand, item) for operand in operands}
    return len(kinds) == 1 and kinds <= {"S", "N", "B"}


def _comparing(name: str) -> Callable[[Any, Any], bool]:
    def expr(op: Any, item: Any) -> bool:
        return _ordered(op.lhs, op.rhs, item=item) and bool(_THEIRS[name](op, item))

    return expr


def _between(op: Any, item: Any) -> bool:
    return _ordered(op.attr, op.start, op.end, item=item) and bool(_THEIRS["FuncBetween"](op, item))


def _size(function: Any, item: Any) -> int | None:
    kind = function.attr.get_type(item)
    return len(function.attr.expr(item)) if kind in ("S", "SS", "NS", "B", "BS", "L", "M") else None


_AMENDED: dict[str, Callable[..., Any]] = {
    **{name: _comparing(name) for name in ("OpLessThan", "OpLessThanOrEqual", "OpGreaterThan", "OpGreaterThanOrEqual")},
    "OpEqual": _op_equal,
    "OpNotEqual": _op_not_equal,
    "FuncIn": _in,
    "FuncBetween": _between,
    "FuncSize": _size,
}
"""What evaluates each of moto's operators, by the operator's class."""


def install() -> None:
    """Give moto's condition parser the lexer and the memory of here, and its operators the documented comparisons."""
    from moto.dynamodb import comparisons
    from moto.dynamodb.parsing.reserved_keywords import ReservedKeywords

    parser: Any = comparisons.ConditionExpressionParser
    if parser.parse is not _parse:
        _THEIRS["parse"] = parser.parse
        parser.parse = _parse
        parser._lex_condition_expression = _lex
    for name, ours in _AMENDED.items():
        operator = getattr(comparisons, name)
        if operator.expr is not ours:
            _THEIRS[name] = operator.expr
            operator.expr = ours
    # A set: it is asked for each word of each expression whether it holds it.
    ReservedKeywords.KEYWORDS = frozenset(ReservedKeywords._get_reserved_keywords())  # type: ignore[assignment]


def self_test() -> None:
    """Raise if this moto's parsers and operators are not the ones that are amended here."""
    from moto.dynamodb import comparisons
    from moto.dynamodb.parsing.reserved_keywords import ReservedKeywords

    parser = comparisons.ConditionExpressionParser
    expected = ["nonterminal", "kind", "text", "value", "children"]
    if (got := list(parser.Node._fields)) != expected:
        raise TypeError(f"a node has {got}, expected {expected}")
    for nonterminal, _ in _PATTERNS:
        if getattr(parser.Nonterminal, nonterminal) != nonterminal:
            raise TypeError(f"no nonterminal {nonterminal}")
    for method in ("parse", "_lex_condition_expression"):
        if list(inspect.signature(getattr(parser, method)).parameters) not in (["self"], ["parser"]):
            raise TypeError(f"{method} takes something")
    operands = {"FuncIn": "attr", "FuncBetween": "attr", "FuncSize": "attr"}
    for name in _AMENDED:
        operator = getattr(comparisons, name)
        built = operator(
            *[comparisons.AttributePath(["a"])] * (3 if name == "FuncBetween" else 1 if name == "FuncSize" else 2)
        )
        getattr(built, operands.get(name, "lhs"))
    if "STATUS" not in ReservedKeywords.get_reserved_keywords():
        raise TypeError("STATUS is no reserved keyword")
    if _read_update("SET a.b = :x REMOVE #c[1]") != (("a", "b"), ("#c", "[1]")):
        raise TypeError("an update's paths are read in another way")
