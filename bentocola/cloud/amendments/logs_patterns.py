"""CloudWatch Logs filter patterns: `matcher(pattern)` tells whether a log event's message matches.

AWS: https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html and the pages below it, matching-
terms-unstructured-log-events, matching-terms-json-log-events, matching-terms-space-delimited and regex-expressions.
Pure: it touches no moto. There is no library for these patterns on PyPI but what other emulators have inside.

Four forms, told apart by the first character:

- terms (`ERROR "not found" -DEBUG`, `?ERROR ?WARN`): each is looked for anywhere in the message, with its case. Terms with
  other characters than A to Z, a to z, 0 to 9 and `_` stand in quotes. All must be there and none with a minus; of those with
  a question mark one is enough, and next to other terms they count for nothing.
- a regular expression (`%...%`), of the few characters and operators that AWS supports: no parentheses, nothing beyond ASCII.
- `{ $.level = "ERROR" && $.took > 100 }`: conditions on a message that is one JSON object. A selector that meets an object, a
  list or nothing matches neither `=` nor `!=`.
- `[ip, user, status = 4*, ...]`: conditions on the words of the message. What stands between brackets or quotes is one word.

Where the documentation does not tell: a star is a wildcard at the start and the end of a value only, as its page of 2020 says;
a number in JSON is compared as a number with a number and as text with anything else; a column's condition may name that
column alone (another is refused by AWS, github.com/awsdocs/amazon-cloudwatch-logs-user-guide/issues/21).
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

__all__ = ["InvalidPatternError", "Matcher", "matcher"]

Matcher = Callable[[str], bool]
"""Takes a message; tells whether it matches."""
_Fact = TypeVar("_Fact")
_MISSING = object()
_MOST_EXPRESSIONS = 2
"""Regular expressions in one pattern of conditions."""


class InvalidPatternError(ValueError):
    """AWS refuses this pattern. The text is the message of its InvalidParameterException."""

    def __init__(self, said: str = "Invalid filter pattern") -> None:
        super().__init__(said)


@lru_cache(maxsize=256)
def matcher(pattern: str) -> Matcher:
    """Return what tells whether a message matches `pattern`. Raises InvalidPatternError for what AWS refuses."""
    pattern = pattern.strip()
    for first, last, read in (("{", "}", _of_json), ("[", "]", _of_words)):
        if pattern.startswith(first):
            if len(pattern) < 2 or not pattern.endswith(last):
                raise InvalidPatternError(f"If a filter pattern starts with '{first}' it must end with '{last}'")
            return read(pattern[1:-1])
    if pattern.startswith("%"):
        return _expression(pattern)
    return _of_terms(pattern)


# Terms

_TERM = re.compile(
    r'\s*(?P<sign>[?-]?)(?:"(?P<phrase>(?:\\.|[^"\\])*)"|(?P<word>[A-Za-z0-9_]+))(?=\s|[?-]?"|$)', re.DOTALL
)


def _of_terms(pattern: str) -> Matcher:
    terms: dict[str, list[str]] = {"": [], "-": [], "?": []}
    at = 0
    while at < len(pattern):
        found = _TERM.match(pattern, at)
        if found is None:
            raise InvalidPatternError
        text = found["word"] or _unescaped(found["phrase"] or "")
        terms[found["sign"]].append(text if text.strip() else "")  # "You can match everything with ..." a blank phrase
        at = found.end()
    wanted, unwanted, optional = terms[""], terms["-"], terms["?"]
    if optional and not wanted and not unwanted:
        return lambda message: any(term in message for term in optional)
    return lambda message: all(term in message for term in wanted) and not any(term in message for term in unwanted)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


# Regular expressions

_SUPPORTED = re.compile(r"(?:\\(?:[dDsSwW]|x[0-9A-Fa-f]{2}|[^A-Za-z0-9])|[A-Za-z0-9:_#=@/;,\- ^$?\[\]{}|*+.])*")


def _expression(text: str) -> Matcher:
    """Compile `%...%`, which matches anywhere in a text."""
    inner = text[1:-1]
    if len(text) < 3 or not text.endswith("%") or not inner.isascii() or _SUPPORTED.fullmatch(inner) is None:
        raise InvalidPatternError
    try:
        compiled = re.compile(inner, re.ASCII)
    except re.error:
        raise InvalidPatternError from None
    return lambda message: compiled.search(message) is not None


# Conditions: `a = b && (c > 1 || d != "e")`

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<string>"(?:\\.|[^"\\])*")
    |(?P<expression>%[^%]*%)
    |(?P<selector>\$(?:\.[A-Za-z0-9_-]+|\.?\[(?:[0-9]+|"[^"]*"|'[^']*')\])+)
    |(?P<ellipsis>\.\.\.(?=\s*(?:,|$)))
    |(?P<sign>&&|\|\||!=|<=|>=|[=<>(),])
    |(?P<word>[A-Za-z0-9_.*:+/\#;?-]+)
    )\s*""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


class _Tokens:
    """The tokens of a pattern, read one by one."""

    def __init__(self, pattern: str) -> None:
        self._tokens: list[_Token] = []
        self._at = 0
        at = 0
        while at < len(pattern.rstrip()):
            found = _TOKEN.match(pattern, at)
            if found is None:
                raise InvalidPatternError
            kind = str(found.lastgroup)
            self._tokens.append(_Token(kind, found[kind]))
            at = found.end()
        if sum(token.kind == "expression" for token in self._tokens) > _MOST_EXPRESSIONS:
            raise InvalidPatternError

    def take(self, *texts: str, kind: str = "") -> str | None:
        """Return the next token's text and go past it, if it is one of `texts` or of that kind; else None."""
        if self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.kind == kind if kind else token.kind in ("sign", "word") and token.text in texts:
                self._at += 1
                return token.text
        return None

    def must(self, *texts: str, kind: str = "") -> str:
        """Return the next token's text as `take` does. There must be one."""
        taken = self.take(*texts, kind=kind)
        if taken is None:
            raise InvalidPatternError
        return taken

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these signs."""
        return not self.end() and self._tokens[self._at] in [_Token("sign", text) for text in texts]

    def end(self) -> bool:
        """Whether there are no more."""
        return self._at == len(self._tokens)


class _Conditions(Generic[_Fact]):
    """Reads conditions joined by `||`, `&&`, which binds closer, and parentheses. `read` reads a single one."""

    def __init__(self, tokens: _Tokens, read: Callable[[_Tokens], Callable[[_Fact], bool]]) -> None:
        self._tokens, self._read = tokens, read

    def either(self) -> Callable[[_Fact], bool]:
        """Read up to what is no longer part of it."""
        choices = list(self._joined("||", self._all))
        return choices[0] if len(choices) == 1 else lambda fact: any(choice(fact) for choice in choices)

    def _all(self) -> Callable[[_Fact], bool]:
        parts = list(self._joined("&&", self._one))
        return parts[0] if len(parts) == 1 else lambda fact: all(part(fact) for part in parts)

    def _joined(self, sign: str, read: Callable[[], Callable[[_Fact], bool]]) -> Iterator[Callable[[_Fact], bool]]:
        yield read()
        while self._tokens.take(sign):
            yield read()

    def _one(self) -> Callable[[_Fact], bool]:
        if not self._tokens.take("("):
            return self._read(self._tokens)
        inner = self.either()
        self._tokens.must(")")
        return inner


def _comparison(tokens: _Tokens) -> Callable[[Any], bool]:
    """Read an operator and what stands after it. What is returned takes a text or a number."""
    sign = tokens.must(*_COMPARISONS)
    compare = _COMPARISONS[sign]
    if (text := tokens.take(kind="expression")) is not None:
        return _equality(sign, _expression(text))
    quoted = tokens.take(kind="string")
    text = _unescaped(quoted[1:-1]) if quoted is not None else tokens.must(kind="word")
    number = _number(text) if quoted is None else None
    if sign not in ("=", "!="):
        if number is None:
            raise InvalidPatternError
        return lambda value: (given := _number(value)) is not None and compare(given, number)
    same_text = _equality(sign, _wildcard(text))
    if number is None:
        return same_text
    return lambda value: same_text(value) if (given := _number(value)) is None else compare(given, number)


def _equality(sign: str, matches: Matcher) -> Callable[[Any], bool]:
    if sign not in ("=", "!="):
        raise InvalidPatternError
    return lambda value: matches(str(value)) == (sign == "=")


def _wildcard(text: str) -> Matcher:
    """Compare with a text whose first and last character may be a star, which stands for anything."""
    if text in ("*", "**"):
        return lambda value: True
    inner = text.removeprefix("*").removesuffix("*")
    match text.startswith("*"), text.endswith("*"):
        case True, True:
            return lambda value: inner in value
        case True, False:
            return lambda value: value.endswith(inner)
        case False, True:
            return lambda value: value.startswith(inner)
    return lambda value: value == text


def _number(value: Any) -> int | float | None:
    if isinstance(value, int | float):
        return value
    if _NUMBER.fullmatch(value) is None:
        return None
    return int(value) if re.fullmatch(r"[+-]?[0-9]+", value) else float(value)


# JSON


def _of_json(inner: str) -> Matcher:
    tokens = _Tokens(inner)
    holds: Callable[[Any], bool] = _Conditions[Any](tokens, _of_selector).either()
    if not tokens.end():
        raise InvalidPatternError

    def matches(message: str) -> bool:
        if not message.lstrip().startswith("{"):
            return False
        try:
            return holds(json.loads(message))
        except (ValueError, RecursionError):
            return False

    return matches


def _of_selector(tokens: _Tokens) -> Callable[[Any], bool]:
    """Read `$.a = 1`, `$.a IS NULL` or `$.a NOT EXISTS`."""
    path = _path(tokens.must(kind="selector"))
    if tokens.take("NOT"):
        tokens.must("EXISTS")
        return lambda root: _select(root, path) is _MISSING
    if tokens.take("IS"):
        wanted = {"TRUE": True, "FALSE": False, "NULL": None}[tokens.must("TRUE", "FALSE", "NULL")]
        return lambda root: _select(root, path) is wanted
    holds = _comparison(tokens)

    def compare(root: Any) -> bool:
        value = _select(root, path)
        return isinstance(value, str | int | float) and not isinstance(value, bool) and holds(value)

    return compare


def _path(selector: str) -> tuple[str | int, ...]:
    steps = re.findall(r"""\.([A-Za-z0-9_-]+)|\[(?:([0-9]+)|"([^"]*)"|'([^']*)')\]""", selector)
    return tuple(int(index) if index else name or double or single for name, index, double, single in steps)


def _select(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else _MISSING
        else:
            value = value.get(step, _MISSING) if isinstance(value, dict) else _MISSING
    return value


# Words

_WORD = re.compile(r'\[([^\]]*)\]|"([^"]*)"|(\S+)')
_Column = Callable[[str], bool]


def _of_words(inner: str) -> Matcher:
    tokens = _Tokens(inner)
    before: list[_Column] = []
    after: list[_Column] | None = None
    while True:
        if tokens.take(kind="ellipsis"):
            if after is not None:
                raise InvalidPatternError
            after = []
        else:
            (before if after is None else after).append(_column(tokens))
        if tokens.end():
            break
        tokens.must(",")

    def matches(message: str) -> bool:
        words = ["".join(found) for found in _WORD.findall(message)]
        last = after or []
        if len(words) < len(before) + len(last) or (after is None and len(words) > len(before)):
            return False
        pairs = [*zip(before, words, strict=False), *zip(reversed(last), reversed(words), strict=False)]
        return all(holds(word) for holds, word in pairs)

    return matches


def _column(tokens: _Tokens) -> _Column:
    """Read a column: a name, conditions on it, or nothing between two commas."""
    if tokens.end() or tokens.sees(","):
        return _named_only
    names: set[str] = set()

    def condition(tokens: _Tokens) -> _Column:
        names.add(tokens.must(kind="word"))
        return _comparison(tokens) if tokens.sees(*_COMPARISONS) else _named_only

    holds: _Column = _Conditions[str](tokens, condition).either()
    if len(names) != 1:
        raise InvalidPatternError
    return holds


def _named_only(word: str) -> bool:
    return True
