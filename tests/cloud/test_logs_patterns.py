"""Filter patterns, as the documentation describes them and with its own examples.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
"""

from __future__ import annotations

import pytest

from bentocola.cloud.amendments.logs_patterns import InvalidPatternError, matcher

LINES = (
    "[ERROR 400] BAD REQUEST",
    "[ERROR 401] UNAUTHORIZED REQUEST",
    "[ERROR 419] MISSING ARGUMENTS",
    "[ERROR 420] INVALID ARGUMENTS",
    "[INFO] REQUEST FAILED",
    "[ERROR 500] INTERNAL SERVER ERROR",
)


def found(pattern: str, *messages: str) -> list[str]:
    """Return the messages that match."""
    return [message for message in messages if matcher(pattern)(message)]


# Terms


@pytest.mark.parametrize(
    ("pattern", "numbers"),
    [
        ("", [0, 1, 2, 3, 4, 5]),
        (" ", [0, 1, 2, 3, 4, 5]),
        ('" "', [0, 1, 2, 3, 4, 5]),
        ("ERROR", [0, 1, 2, 3, 5]),
        ("ERR", [0, 1, 2, 3, 5]),
        ("error", []),
        ("ERROR ARGUMENTS", [2, 3]),
        ("ARGUMENTS   ERROR", [2, 3]),
        ("?ERROR ?ARGUMENTS", [0, 1, 2, 3, 5]),
        ("?INFO ?500", [4, 5]),
        ('?"SERVER ERROR" ?"REQUEST FAILED"', [4, 5]),
        ('"INTERNAL SERVER ERROR"', [5]),
        ('"SERVER INTERNAL"', []),
        ("ERROR -ARGUMENTS", [0, 1, 5]),
        ("-ERROR", [4]),
        ('-"BAD REQUEST" -INFO -ARGUMENTS', [1, 5]),
        ("REQUEST -INFO", [0, 1]),
    ],
)
def test_terms(pattern: str, numbers: list[int]) -> None:
    """All terms must be there, none with a minus, and one of those with a question mark; their case counts."""
    assert found(pattern, *LINES) == [LINES[n] for n in numbers]


@pytest.mark.parametrize("pattern", ["?ERROR ?WARN REQUEST", "REQUEST ?WARN", "?nowhere REQUEST"])
def test_question_marks_count_for_nothing_next_to_other_terms(pattern: str) -> None:
    """Optional terms do nothing where a term must be there, whether they match or not."""
    assert found(pattern, *LINES) == found("REQUEST", *LINES)


def test_question_marks_count_for_nothing_next_to_excluded_terms() -> None:
    """Nor where a term must not be there."""
    assert found("?ERROR -INFO", *LINES) == found("-INFO", *LINES)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ('"d-1"', "id d-1"),
        ('"pedido de Lucía"', "un pedido de Lucía"),
        ('"注文"', "注文 3"),
        ('"say \\"hi\\""', 'they say "hi"'),
        ('"a\\\\b"', "a\\b"),
        ("order_id", "order_id=3"),
        ("ERROR", "first line\nERROR"),
    ],
)
def test_quoted_terms(pattern: str, message: str) -> None:
    """What is not of letters, digits and underscores stands in quotes, with a backslash before a quote."""
    assert matcher(pattern)(message)


@pytest.mark.parametrize(
    "pattern",
    [
        "d-1",
        "注文",
        "Lucía",
        "a.b",
        "a:b",
        "a && b",
        '"open',
        "?",
        "-",
        "- a",
        "--a",
        "a?b",
        'a"b" c"',
        "a=b",
        "(a)",
        "*",
    ],
)
def test_terms_that_aws_refuses(pattern: str) -> None:
    """A term with other characters, without quotes, is no valid pattern."""
    with pytest.raises(InvalidPatternError, match=r"^Invalid filter pattern$"):
        matcher(pattern)


# Regular expressions


@pytest.mark.parametrize(
    ("pattern", "message", "matches"),
    [
        ("%AUTHORIZED%", "[ERROR 401] UNAUTHORIZED REQUEST", True),
        ("%AUTHORIZED%", "authorized", False),
        ("%^[hc]at%", "hat", True),
        ("%^[hc]at%", "that", False),
        ("%[hc]at$%", "the cat", True),
        ("%[hc]at$%", "cats", False),
        ("%colou?r%", "color", True),
        ("%a{3,5}%", "aa", False),
        ("%gray|grey%", "grey", True),
        (r"%10\.10\.0\.1%", "10.10.0.1", True),
        (r"%10\.10\.0\.1%", "10x10.0.1", False),
        (r"%\d{1,3}\.\d{1,3}%", "at 10.2", True),
        (r"%\d%", "٣", False),
        (r"%\x41%", "A", True),
        ("%[Ee]rror|[Ff]ail%", "it Failed", True),
        ("%[^a]b%", "ab", False),
        ("%bind: address in use%", "bind: address in use", True),
    ],
)
def test_regular_expression(pattern: str, message: str, matches: bool) -> None:
    """An expression between percent signs matches anywhere, if its anchors let it."""
    assert matcher(pattern)(message) == matches


@pytest.mark.parametrize(
    "pattern",
    ["%something!%", "%(a|b)%", "%注文%", "%a", "%", "%%", "%[a%", "%a{2%b%", r"%(?i)a%", r"%\1%", "%a% b", "%a+*%"],
)
def test_expressions_that_aws_refuses(pattern: str) -> None:
    """Parentheses, characters that are not listed and broken expressions are no valid pattern."""
    with pytest.raises(InvalidPatternError):
        matcher(pattern)


# JSON

EVENT = """{
  "eventType": "UpdateTrail", "sourceIPAddress": "111.111.111.111", "arrayKey": ["value", "another value"],
  "objectList": [{"name": "a", "id": 1}, {"name": "b", "id": 2}], "SomeObject": null, "ThisFlag": true, "Other": false,
  "latency": 500.5, "errorCode": 400, "code": "400", "cluster.name": "c", "user-id": "u", "注文": "三",
  "user": {"id": 1, "email": "John.Stiles@example.com"}, "actions": ["GET", "PUT"], "coordinates": [[0, 1, 2], [4, 5, 6]]
}
"""


@pytest.mark.parametrize(
    "pattern",
    [
        '{ $.eventType = "UpdateTrail" }',
        "{$.eventType=UpdateTrail}",
        "{ $.sourceIPAddress != 123.123.* }",
        "{ $.sourceIPAddress = 111.111.* }",
        '{ $.arrayKey[0] = "value" }',
        "{ $.objectList[1].id = 2 }",
        "{ $.SomeObject IS NULL }",
        "{ $.SomeOtherObject NOT EXISTS }",
        "{ $.user.name NOT EXISTS }",
        "{ $.arrayKey[2] NOT EXISTS }",
        "{ $.ThisFlag IS TRUE }",
        "{ $.Other IS FALSE }",
        "{ $.latency >= 500 }",
        "{ $.latency < 10e3 }",
        "{ $.latency > 10e-3 }",
        "{ $.latency <= 500.5 }",
        "{ $.latency > +0.5 && $.latency > -1 }",
        "{ $.errorCode = 400 }",
        "{ $.errorCode = 4e2 }",
        "{ $.errorCode != 500 }",
        "{ $.errorCode = 4* }",
        "{ $.code = 400 }",
        "{ $.latency = * }",
        "{ $.eventType = *Trail }",
        '{ $.eventType = "*date*" }',
        "{ $.coordinates[0][1] = 1 }",
        '{ $.["cluster.name"] = c }',
        "{ $['cluster.name'] = c }",
        '{ $["user"].id = 1 }',
        "{ $.user-id = u }",
        '{ $["注文"] = "三" }',
        "{ $.eventType = %^Up% }",
        "{ $.eventType != %Down% }",
        '{ ($.user.id = 1) && ($.user.email = "John.Stiles@example.com") }',
        '{ $.user.email = "John.Stiles@example.com" || $.coordinates[0][1] = nonmatch && $.actions[1] = nomatch }',
        '{ $.eventType = "DeleteTrail" || $.eventType = "UpdateTrail" }',
    ],
)
def test_json(pattern: str) -> None:
    """The documentation's own event matches these."""
    assert matcher(pattern)(EVENT)


@pytest.mark.parametrize(
    "pattern",
    [
        '{ $.eventType = "Update" }',
        '{ $.eventType = "updatetrail" }',
        "{ $.eventType = Up*Trail }",
        "{ $.arrayKey = value }",
        "{ $.arrayKey != value }",
        "{ $.user = 1 }",
        "{ $.user != 1 }",
        "{ $.missing != 1 }",
        "{ $.missing IS NULL }",
        "{ $.SomeObject NOT EXISTS }",
        "{ $.SomeObject = * }",
        "{ $.ThisFlag IS FALSE }",
        "{ $.eventType IS TRUE }",
        "{ $.eventType > 1 }",
        "{ $.eventType[0] = U }",
        "{ $.arrayKey[9] = value }",
        '{ ($.user.id = 2 && $.user.email = "nonmatch") || $.actions[1] = "GET" }',
        '{ ($.user.email = "John.Stiles@example.com" || $.coordinates[0][1] = nonmatch) && $.actions[1] = nomatch }',
    ],
)
def test_json_that_does_not_match(pattern: str) -> None:
    """And these it does not: a selector must meet a text or a number, and `&&` binds closer than `||`."""
    assert not matcher(pattern)(EVENT)


@pytest.mark.parametrize(
    "message", ["ERROR", "", "[1]", '"a"', "{", '{"a": 1} trailing', 'INFO {"a": 1}', "null", "{" * 9999]
)
def test_message_that_is_no_json_object(message: str) -> None:
    """A message that is not one JSON object matches no condition, not even on what is missing."""
    assert not matcher("{ $.a NOT EXISTS }")(message)


@pytest.mark.parametrize(
    "pattern",
    [
        "{}",
        "{ $.a }",
        "{ $.a = }",
        "{ $.a == 1 }",
        "{ a = 1 }",
        "{ $ = 1 }",
        "{ $.a = 1 && }",
        "{ ($.a = 1 }",
        "{ $.a = 1) }",
        "{ $.a = 1 $.b = 2 }",
        "{ $.a IS 1 }",
        "{ $.a EXISTS }",
        "{ $.a > b }",
        '{ $.a > "1" }',
        "{ $.a > %1% }",
        "{ $.a = @b }",
        "{ $.a = 注文 }",
        '{ $.a = "b }',
        "{ $.a[x] = 1 }",
        "{ $.a = 1, $.b = 2 }",
        "{ $.a = %(b)% }",
        "{ $.a = %b% || $.a = %c% || $.a = %d% }",
    ],
)
def test_json_that_aws_refuses(pattern: str) -> None:
    """What is no condition is no valid pattern, nor are more than two regular expressions."""
    with pytest.raises(InvalidPatternError, match=r"^Invalid filter pattern$"):
        matcher(pattern)


@pytest.mark.parametrize(("pattern", "last"), [("{ $.a = 1", "}"), ("{", "}"), ("[a, b", "]")])
def test_pattern_that_is_not_closed(pattern: str, last: str) -> None:
    """AWS has a sentence of its own for it."""
    said = f"If a filter pattern starts with '{pattern[0]}' it must end with '{last}'"
    with pytest.raises(InvalidPatternError) as raised:
        matcher(pattern)

    assert str(raised.value) == said


# Words

REQUEST = '127.0.0.1 - frank [10/Oct/2000:13:25:15 -0700] "GET /index.html HTTP/1.0" 404 1534'


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("[ip, user, username, timestamp, request, status_code, bytes]", True),
        ("[ip, user, username, timestamp, request, status_code]", False),
        ("[ip, user, username, timestamp, request, status_code, bytes, more]", False),
        ("[..., status_code, bytes]", True),
        ("[ip, user, ..., status_code, bytes]", True),
        ("[ip, user, ...]", True),
        ("[...]", True),
        ("[ip, user, username, timestamp, request, status_code = 4*, bytes]", True),
        ("[ip, user, username, timestamp, request, status_code = 200, bytes]", False),
        ("[ip, user, username, timestamp, request = *html*, status_code = 4*, bytes]", True),
        ("[ip, user, username, timestamp, request, status_code, bytes > 1000]", True),
        ("[ip, user, username, timestamp, request, status_code, bytes > 2000]", False),
        ("[ip, user, username, timestamp, request, status_code = 4* && status_code != 403, bytes]", True),
        ("[ip, user, username, timestamp, request, status_code = 4* && status_code != 404, bytes]", False),
        ("[..., request=*.html*, status_code=4*,]", True),
        ("[..., request=*.html*, status_code=5*,]", False),
        ("[..., status_code = 500 || status_code = 404, bytes]", True),
        ("[..., (status_code = 500 || status_code = 404) && status_code != 404, bytes]", False),
        ("[ip = %127\\.0\\.0\\.[0-9]%, ...]", True),
        ('[ip, user = "-", username = frank, ...]', True),
        ("[ip, user, username = lucia, ...]", False),
        ("[ip > 1, ...]", False),
        ("[ip, user, username, timestamp = *Oct*, ..., bytes >= 1534]", True),
    ],
)
def test_words(pattern: str, matches: bool) -> None:
    """A column for each word, or an ellipsis for any number; what stands in brackets or quotes is one word."""
    assert matcher(pattern)(REQUEST) == matches


def test_either_of_two_words() -> None:
    """The documentation's example of columns with a choice."""
    messages = ("ERROR WARN message", "ERROR message", "WARN message")

    assert found("[w1=ERROR, w2]", *messages) == ["ERROR message"]
    assert found("[w1=ERROR || w1=%WARN%, w2]", *messages) == ["ERROR message", "WARN message"]


@pytest.mark.parametrize(
    "pattern",
    [
        "[a b]",
        "[a = ]",
        "[= 1]",
        "[..., a, ...]",
        "[a = 1 && b = 2]",
        "[a = 1 &&, b]",
        "[a = %b%, c = %d%, e = %f%]",
        "[(a = 1, b]",
        "[$.a = 1]",
    ],
)
def test_words_that_aws_refuses(pattern: str) -> None:
    """A column's conditions are on that column; there is one ellipsis at most."""
    with pytest.raises(InvalidPatternError):
        matcher(pattern)
