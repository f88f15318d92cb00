"""Filter patterns as Lambda documents them: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bentocola.cloud.functions import filters


def says(rules: list[Any], value: str) -> bool:
    """Whether a message whose field has a value, written as JSON, satisfies the rules for that field."""
    pattern = filters.validate(json.dumps({"body": {"field": rules}}))
    return filters.matches(pattern, {"body": f'{{"field": {value}}}'})


def wants(pattern: Any, body: Any) -> bool:
    """Whether a message with a body, a text or JSON, satisfies a pattern."""
    text = body if isinstance(body, str) else json.dumps(body)
    return filters.matches(filters.validate(json.dumps(pattern)), {"messageId": "1", "body": text})


@pytest.mark.parametrize(
    ("rules", "matching", "other"),
    [
        (["Gyoza"], '"Gyoza"', '"gyoza"'),
        (["a", "b"], '"b"', '"c"'),
        ([None], "null", '"null"'),
        ([""], '""', '" "'),
        ([True], "true", "1"),
        ([1], "1", "true"),
        ([{"prefix": "us-"}], '"us-east-1"', '"eu-us-"'),
        ([{"suffix": ".png"}], '"foto.png"', '"foto.png.txt"'),
        ([{"prefix": {"equals-ignore-case": "US-"}}], '"us-east-1"', '"eu-west-1"'),
        ([{"suffix": {"equals-ignore-case": ".PNG"}}], '"foto.png"', '"foto.jpg"'),
        ([{"equals-ignore-case": "OSAKA"}], '"Osaka"', '"Osaka "'),
        ([{"anything-but": ["a", "b"]}], '"c"', '"b"'),
        ([{"anything-but": "a"}], '"c"', '"a"'),
        ([{"anything-but": [1, 2]}], "3", "2"),
        ([{"anything-but": {"prefix": "x"}}], '"ax"', '"xa"'),
        ([{"anything-but": {"suffix": ["x", "y"]}}], '"xa"', '"ay"'),
        ([{"numeric": ["=", 100]}], "1.0e2", "101"),
        ([{"numeric": [">", 10, "<=", 20]}], "20", "10"),
        ([{"numeric": ["<", 0]}], "-0.5", '"-1"'),
        ([{"exists": True}], "0", "{}"),
        ([{"exists": False}], "{}", "0"),
    ],
)
def test_operators(rules: list[Any], matching: str, other: str) -> None:
    """Each documented operator takes what it is for, and no value that is only like it."""
    assert says(rules, matching)
    assert not says(rules, other)


@pytest.mark.parametrize("written", ["300", "300.0", "3.0e2"])
def test_number_is_compared_as_it_is_written(written: str) -> None:
    """300, 300.0 and 3.0e2 are not equal."""
    pattern = filters.validate(f'{{"body": {{"field": [{written}]}}}}')

    found = [one for one in ("300", "300.0", "3.0e2") if filters.matches(pattern, {"body": f'{{"field": {one}}}'})]

    assert found == [written]


def test_field_that_is_absent_satisfies_only_that_it_is() -> None:
    """An absent field is not null, is not something else, and does not exist."""
    assert not wants({"body": {"a": [None]}}, {"b": 1})
    assert not wants({"body": {"a": [{"anything-but": ["x"]}]}}, {"b": 1})
    assert wants({"body": {"a": [{"exists": False}]}}, {"b": 1})
    assert wants({"body": {"a": {"c": [{"exists": False}]}}}, {"b": 1})


def test_all_keys_must_match_and_any_rule_of_each() -> None:
    """And between the keys, or between the rules of one."""
    pattern = {"body": {"city": ["Osaka", "Lima"], "items": [{"numeric": [">", 1]}]}}

    assert wants(pattern, {"city": "Lima", "items": 2})
    assert not wants(pattern, {"city": "Lima", "items": 1})
    assert not wants(pattern, {"city": "Oslo", "items": 2})


def test_or_between_fields() -> None:
    """`$or`: one of the objects, together with what stands beside it."""
    pattern = {"body": {"kind": ["order"], "$or": [{"city": ["Lima"]}, {"items": [{"numeric": [">", 5]}]}]}}

    assert wants(pattern, {"kind": "order", "city": "Lima", "items": 1})
    assert wants(pattern, {"kind": "order", "city": "Oslo", "items": 6})
    assert not wants(pattern, {"kind": "order", "city": "Oslo", "items": 1})
    assert not wants(pattern, {"kind": "note", "city": "Lima"})


def test_or_between_bodies() -> None:
    """`$or` may stand around the body itself."""
    pattern = {"$or": [{"body": {"a": [1]}}, {"body": ["plain"]}]}

    assert wants(pattern, {"a": 1})
    assert wants(pattern, "plain")
    assert not wants(pattern, "other")


def test_nested_fields_and_arrays() -> None:
    """A path leads through objects; an array has what one of its elements has, the objects in it each for themselves."""
    assert wants({"body": {"a": {"b": {"c": ["x"]}}}}, {"a": {"b": {"c": "x"}}})
    assert wants({"body": {"tags": ["new"]}}, {"tags": ["old", "new"]})
    assert wants({"body": {"items": {"id": [1], "n": [2]}}}, {"items": [{"id": 1, "n": 2}, {"id": 3, "n": 4}]})
    assert not wants({"body": {"items": {"id": [1], "n": [4]}}}, {"items": [{"id": 1, "n": 2}, {"id": 3, "n": 4}]})


def test_plain_text_body() -> None:
    """A body that is no JSON is compared as text."""
    assert wants({"body": ["hello"]}, "hello")
    assert wants({"body": [{"prefix": "ERROR"}]}, "ERROR 7")
    assert not wants({"body": ["hello"]}, "hello!")


def test_body_of_the_other_format_is_dropped() -> None:
    """JSON for a plain pattern, and plain text for a JSON pattern: neither matches, whatever is in it."""
    assert not wants({"body": [{"prefix": "{"}]}, {"a": 1})
    assert not wants({"body": {"a": [{"exists": False}]}}, "plain")
    assert not wants({"body": {"a": [{"exists": False}]}}, "{not json")


def test_pattern_without_body_filters_on_the_rest() -> None:
    """Whatever the body is, when the pattern does not speak of it."""
    assert wants({"messageId": ["1"]}, "plain")
    assert wants({"messageId": ["1"]}, {"a": 1})
    assert not wants({"messageId": ["2"]}, "plain")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '"body"',
        "null",
        '{"body": "x"}',
        '{"body": 1}',
        '{"body": null}',
        '{"body": []}',
        '{"body": {}}',
        '{"body": {"a": {}}}',
        '{"body": [["x"]]}',
        '{"body": [{"begins": "x"}]}',
        '{"body": [{"prefix": "x", "suffix": "y"}]}',
        '{"body": [{}]}',
        '{"body": [{"prefix": 1}]}',
        '{"body": [{"exists": "yes"}]}',
        '{"body": [{"anything-but": []}]}',
        '{"body": [{"anything-but": ["a", 1]}]}',
        '{"body": [{"numeric": [">"]}]}',
        '{"body": [{"numeric": ["~", 1]}]}',
        '{"body": [{"numeric": [[">"], 1]}]}',
        '{"body": [{"numeric": [">", "1"]}]}',
        '{"body": [{"numeric": [">", 5, "<", 1]}]}',
        '{"body": [{"numeric": ["<", 5, ">", 1]}]}',
        '{"$or": []}',
        '{"$or": [1]}',
        '{"$or": {"a": ["x"]}}',
        '{"a": [NaN]}',
        '{"a": ' * 100_000,
        json.dumps({"body": ["x" * 4096]}),
    ],
)
def test_no_pattern(text: str) -> None:
    """What is no pattern is refused, in AWS's words."""
    with pytest.raises(filters.InvalidPatternError, match=r"^Invalid filter pattern definition\.$"):
        filters.validate(text)


@pytest.mark.parametrize("body", ["", "[1, 2", "\ud800", "null", "[]", "{}", '{"a": 1e999}', "[" * 10_000])
def test_any_body_can_be_asked(body: str) -> None:
    """No body is a problem: it matches or it does not."""
    pattern = filters.validate('{"body": {"a": [{"numeric": [">", 1]}]}}')

    assert filters.matches(pattern, {"body": body}) is ("999" in body)
