"""Filter patterns of an event source mapping: which records of a queue reach the function. Pure: it knows no service.

AWS: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html (the operators),
https://docs.aws.amazon.com/lambda/latest/dg/with-sqs-filtering.html (the message's body) and, for what the rules have in
common with EventBridge, https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html

No maintained package for Python has these patterns. `moto.events` has a matcher of its own, which takes `true` for `1`,
does not look into arrays of objects and compares numbers by their value; Lambda compares what is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

__all__ = ["INVALID", "MAXIMUM_LENGTH", "InvalidPatternError", "Pattern", "matches", "validate"]

Pattern = Mapping[str, Any]
"""A pattern as `validate` returns it."""

MAXIMUM_LENGTH = 4096
"""Characters of a pattern's text, https://docs.aws.amazon.com/lambda/latest/api/API_Filter.html"""

INVALID = "Invalid filter pattern definition."
"""What AWS says to any pattern that it cannot use, under `InvalidParameterValueException`."""


class InvalidPatternError(ValueError):
    """A pattern that AWS refuses. The text is AWS's own; `reason` says what is wrong, for whoever wants to explain it."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(INVALID)


class _Number(float):
    """A number that remembers how it is written: "300, 300.0, and 3.0e2 are not considered equal"."""

    text: str

    def __new__(cls, text: str) -> _Number:
        number = super().__new__(cls, text)
        number.text = text
        return number


def _parse(text: str) -> Any:
    return json.loads(text, parse_int=_Number, parse_float=_Number, parse_constant=_no_constant)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


# Is it a pattern?


def validate(pattern_text: str) -> Pattern:
    """Return the pattern that a text holds, ready for `matches`. Raises InvalidPatternError if it holds none."""
    if len(pattern_text) > MAXIMUM_LENGTH:
        raise InvalidPatternError(f"it is longer than {MAXIMUM_LENGTH} characters")
    try:
        pattern = _parse(pattern_text)
    except ValueError as error:
        raise InvalidPatternError(f"it is not JSON: {error}") from None
    except RecursionError:
        raise InvalidPatternError("it is too deep") from None
    if not isinstance(pattern, dict):
        raise InvalidPatternError("it is not a JSON object")
    _check_object(pattern, "")
    return pattern


def _check_object(pattern: Mapping[str, Any], path: str) -> None:
    for key, value in pattern.items():
        here = f"{path}.{key}" if path else key
        if key == "$or":
            if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
                raise InvalidPatternError(f"'{here}' must be an array of objects")
            for one in value:
                _check_object(one, path)
        elif isinstance(value, dict):
            if not value:
                raise InvalidPatternError(f"'{here}' is an empty object")
            _check_object(value, here)
        elif isinstance(value, list):
            if not value:
                raise InvalidPatternError(f"'{here}' is an empty array")
            for rule in value:
                _check_rule(rule, here)
        else:
            raise InvalidPatternError(f"'{here}' must be an object or an array")


def _check_rule(rule: Any, path: str) -> None:
    if isinstance(rule, list):
        raise InvalidPatternError(f"'{path}' has an array in its array")
    if not isinstance(rule, dict):
        return
    if len(rule) != 1:
        raise InvalidPatternError(f"'{path}' has a rule with {len(rule)} operators")
    [(operator, operand)] = rule.items()
    if operator not in _OPERATORS:
        raise InvalidPatternError(f"'{path}' has an unknown operator, '{operator}'")
    if not _OPERANDS[operator](operand):
        raise InvalidPatternError(f"'{path}' gives '{operator}' what it cannot use")


def _is_text(operand: Any) -> bool:
    return isinstance(operand, str)


def _is_part(operand: Any) -> bool:
    """Of prefix and suffix: a text, or one whose case does not matter."""
    is_folded = isinstance(operand, dict) and list(operand) == ["equals-ignore-case"]
    return _is_text(operand) or (is_folded and _is_text(operand["equals-ignore-case"]))


def _is_excluded(operand: Any) -> bool:
    """Of anything-but: a value, values, or texts that the value must not begin or end with or be equal to."""
    if isinstance(operand, dict):
        if len(operand) != 1:
            return False
        [(operator, texts)] = operand.items()
        found = texts if isinstance(texts, list) else [texts]
        return operator in ("prefix", "suffix", "equals-ignore-case") and bool(found) and all(map(_is_text, found))
    found = operand if isinstance(operand, list) else [operand]
    return bool(found) and (all(map(_is_text, found)) or all(isinstance(one, _Number) for one in found))


def _is_range(operand: Any) -> bool:
    """Of numeric: one comparison, or a lower and an upper bound."""
    if not isinstance(operand, list) or len(operand) not in (2, 4):
        return False
    signs, numbers = operand[::2], operand[1::2]
    if not all(isinstance(number, _Number) for number in numbers):
        return False
    if not all(isinstance(sign, str) and sign in _COMPARE for sign in signs):
        return False
    return len(signs) == 1 or (signs[0] in (">", ">=") and signs[1] in ("<", "<=") and numbers[0] < numbers[1])


_OPERANDS: Mapping[str, Callable[[Any], bool]] = {
    "prefix": _is_part,
    "suffix": _is_part,
    "equals-ignore-case": _is_text,
    "anything-but": _is_excluded,
    "numeric": _is_range,
    "exists": lambda operand: isinstance(operand, bool),
}


# Does a record match?

_ABSENT = object()


def matches(pattern: Pattern, record: Mapping[str, Any]) -> bool:
    """Whether a record, as the function would get it, satisfies a pattern that `validate` returned.

    Every key of the pattern must be satisfied, by any rule of its array. A `body` that the pattern describes as an object is
    read as JSON; where it is none, or where it is JSON and the pattern describes a plain text, the record does not match.
    Lambda deletes a record that matches no pattern of its mapping from the queue, and the function never sees it.
    """
    return _match_object(pattern, record, of_record=True)


def _match_object(pattern: Mapping[str, Any], event: Any, of_record: bool = False) -> bool:
    if isinstance(event, list):
        # An object in an array: one of them must satisfy the whole of this object's pattern.
        return any(_match_object(pattern, one) for one in event) or (not event and _match_object(pattern, {}))
    found = event if isinstance(event, Mapping) else {}
    for key, value in pattern.items():
        if key == "$or":
            if not any(_match_object(one, found, of_record) for one in value):
                return False
            continue
        part = found.get(key, _ABSENT)
        if of_record and key == "body" and isinstance(part, str):
            part = _body(part, is_object_wanted=isinstance(value, Mapping))
            if part is _ABSENT:
                return False
        if isinstance(value, Mapping):
            if not _match_object(value, part):
                return False
        elif not any(_match_rule(rule, part) for rule in value):
            return False
    return True


def _body(text: str, is_object_wanted: bool) -> Any:
    """The message's body in the form in which the pattern wants it; _ABSENT where it is of the other form.

    JSON, for AWS's table of formats, is taken to be an object or an array: whether `42` is one of its "plain strings" is said
    nowhere, and a pattern could not name it otherwise.
    """
    try:
        parsed = _parse(text)
    except (ValueError, RecursionError):
        parsed = None
    is_json = isinstance(parsed, dict | list)
    if is_object_wanted:
        return parsed if is_json else _ABSENT
    return _ABSENT if is_json else text


def _match_rule(rule: Any, value: Any) -> bool:
    leaves = list(_leaves(value))
    if isinstance(rule, Mapping):
        [(operator, operand)] = rule.items()
        if operator == "exists":
            # Leaves only: "it doesn't match intermediate nodes".
            return bool(leaves) is operand
        return any(_OPERATORS[operator](leaf, operand) for leaf in leaves)
    return any(_is_same(leaf, rule) for leaf in leaves)


def _leaves(value: Any) -> Iterator[Any]:
    """The values at the end of a path: an array stands for each of its elements, an object and nothing for none."""
    if isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif value is not _ABSENT and not isinstance(value, Mapping):
        yield value


def _is_same(value: Any, wanted: Any) -> bool:
    """Exact: of one type, and the same as it is written."""
    if isinstance(wanted, str):
        return isinstance(value, str) and value == wanted
    if wanted is None or isinstance(wanted, bool):
        return value is wanted
    return _is_number(value) and _written(value) == _written(wanted)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _written(number: Any) -> str:
    return number.text if isinstance(number, _Number) else json.dumps(number)


def _begins(value: Any, part: Any) -> bool:
    if isinstance(part, Mapping):
        return isinstance(value, str) and value.casefold().startswith(part["equals-ignore-case"].casefold())
    return isinstance(value, str) and value.startswith(part)


def _ends(value: Any, part: Any) -> bool:
    if isinstance(part, Mapping):
        return isinstance(value, str) and value.casefold().endswith(part["equals-ignore-case"].casefold())
    return isinstance(value, str) and value.endswith(part)


def _is_same_folded(value: Any, wanted: str) -> bool:
    return isinstance(value, str) and value.casefold() == wanted.casefold()


def _is_other(value: Any, excluded: Any) -> bool:
    if isinstance(excluded, Mapping):
        [(operator, texts)] = excluded.items()
        return not any(_OPERATORS[operator](value, text) for text in (texts if isinstance(texts, list) else [texts]))
    return not any(_is_same(value, one) for one in (excluded if isinstance(excluded, list) else [excluded]))


_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "=": lambda value, bound: value == bound,
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
}


def _is_within(value: Any, bounds: list[Any]) -> bool:
    return _is_number(value) and all(
        _COMPARE[sign](value, bound) for sign, bound in zip(bounds[::2], bounds[1::2], strict=True)
    )


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "prefix": _begins,
    "suffix": _ends,
    "equals-ignore-case": _is_same_folded,
    "anything-but": _is_other,
    "numeric": _is_within,
    "exists": lambda value, wanted: wanted is True,
}
