"""What a behaviour expects of a result: matchers by path, and errors. A mismatch is a whole sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.conformance.notation import look_up

__all__ = ["MATCHERS", "Unmet", "expect", "expect_error"]

MATCHERS = {
    "equals",
    "not",
    "one of",
    "contains",
    "lacks",
    "matches",
    "count",
    "absent",
    "at least",
    "at most",
    "after",
}


class Unmet(Exception):
    """An expectation that was not met. Its text says what was expected and what came."""


def expect(wanted: Mapping[str, Any], result: Any) -> None:
    """Raise Unmet for the first path of `wanted` whose value in `result` is another."""
    for path, matcher in wanted.items():
        try:
            got = look_up(path, result)
        except ValueError as wrong:  # from_json of a text that is none, a function of a value that is missing
            raise Unmet(f"{path}: expected {matcher!r}, but it cannot be read: {wrong}") from wrong
        rules = matcher if isinstance(matcher, dict) and matcher and set(matcher) <= MATCHERS else {"equals": matcher}
        for rule, value in rules.items():
            if not _holds(rule, value, got):
                raise Unmet(f"{path}: expected {rule} {_short(value)}, got {_short(got)}")


def _holds(rule: str, value: Any, got: Any) -> bool:
    if rule == "equals":
        return bool(got == value) and isinstance(got, bool) == isinstance(value, bool)
    if rule == "not":
        return bool(got != value)
    if rule == "one of":
        return bool(got in value)
    if rule == "absent":
        return (got is None) == bool(value)
    if rule == "count":
        return bool(len(got or ()) == value)
    if rule == "at least":
        return got is not None and bool(got >= value)
    if rule == "at most":
        return got is not None and bool(got <= value)
    if rule == "after":  # of two texts, as S3's sequencers are compared
        return isinstance(got, str) and got.ljust(len(value), "0") > value.ljust(len(got), "0")
    if rule == "contains":
        return got is not None and all(part in got for part in _parts(value))
    if rule == "lacks":
        return got is not None and all(part not in got for part in _parts(value))
    return isinstance(got, str) and re.search(value, got) is not None


def expect_error(wanted: Any, got: Mapping[str, Any]) -> None:
    """Raise Unmet unless the error response `got` (botocore's `error.response`) has what `wanted` says of it.

    `wanted`: the code; or `code` (one, or a list of those that AWS documents), `message` (a part, or parts), `status`, and
    `expect` for what else the response holds.
    """
    rules = wanted if isinstance(wanted, dict) else {"code": wanted}
    error, status = got.get("Error", {}), got.get("ResponseMetadata", {}).get("HTTPStatusCode")
    came = f"{error.get('Code')} ({status}): {_short(error.get('Message'))}"
    if "code" in rules and _bare(str(error.get("Code"))) not in map(_bare, _parts(rules["code"])):
        raise Unmet(f"expected the error {' or '.join(_parts(rules['code']))}, got {came}")
    for part in _parts(rules.get("message", [])):
        if part.lower() not in str(error.get("Message")).lower():
            raise Unmet(f"expected an error that says {part!r}, got {came}")
    if "status" in rules and status != rules["status"]:
        raise Unmet(f"expected the status {rules['status']}, got {came}")
    expect(rules.get("expect", {}), got)


def _bare(code: str) -> str:
    """SQS's code has two spellings: its JSON name, and the older one of its query protocol, which SDKs of today still show."""
    return code.removeprefix("AWS.SimpleQueueService.").removeprefix("com.amazonaws.sqs#")


def _parts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}…"
