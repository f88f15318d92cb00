"""Values: a number has one spelling and 38 digits, a set has no member twice, an item has 400 KB."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from bentocola.cloud.amendments.dynamodb_values import MAX_ITEM_BYTES, item_size, normal_number, read_value
from tests.cloud.dynamodb_wire import refusal, refusals, send
from tests.cloud.scene import Scene

TABLE = "tienda-tabla"
KEY = {"customer": {"S": "lucia"}, "order_id": {"N": "3"}}
ONE = "1 validation error detected: "
INVALID = f"{ONE}One or more parameter values were invalid: "
DIGITS_38 = "12345678901234567890123456789012345678"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
TOO_PRECISE = "Attempting to store more than 38 significant digits in a Number"


def put(value: Any) -> tuple[str, dict[str, Any]]:
    """A PutItem with one more attribute."""
    return "PutItem", {"TableName": TABLE, "Item": {**KEY, "a": value}}


def update(expression: str, **values: Any) -> tuple[str, dict[str, Any]]:
    """An UpdateItem with values for its placeholders."""
    given = {f":{name}": value for name, value in values.items()}
    return "UpdateItem", {
        "TableName": TABLE,
        "Key": KEY,
        "UpdateExpression": expression,
        "ExpressionAttributeValues": given,
    }


# One spelling

SPELLINGS = {
    "0": "0",
    "-0": "0",
    "0.000": "0",
    "0e1000": "0",
    "7": "7",
    "007": "7",
    "+3": "3",
    "-12": "-12",
    "1.500": "1.5",
    "1.0": "1",
    ".123": "0.123",
    "1.": "1",
    "1E2": "100",
    "1.5E2": "150",
    "1e+5": "100000",
    "-17e-3": "-0.017",
    "100": "100",
    "000100.0100": "100.01",
    DIGITS_38: DIGITS_38,
    f"0.{DIGITS_38}": f"0.{DIGITS_38}",
    f"{DIGITS_38}000": f"{DIGITS_38}000",
    "9.9999999999999999999999999999999999999E+125": "9" * 38 + "0" * 88,
    "1E-130": f"0.{'0' * 129}1",
}


def test_a_number_has_one_spelling() -> None:
    """No exponent, no leading or trailing zero, no signed zero; 38 digits are kept."""
    assert {text: normal_number(text) for text in SPELLINGS} == SPELLINGS
    assert {text: normal_number(text) for text in SPELLINGS.values()} == {text: text for text in SPELLINGS.values()}


def test_numbers_are_normalised_wherever_they_stand(scene: Scene) -> None:
    """In an attribute, a list, a map and a set, put or updated."""
    nested = {"L": [{"N": "1.50"}, {"M": {"n": {"N": "007"}}}]}
    send(*put(nested))
    send(*update("SET b = :n, c = :s ADD d :n", n={"N": "1E2"}, s={"NS": ["-0", "1.0"]}))

    stored = scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"]
    assert stored["a"] == {"L": [{"N": "1.5"}, {"M": {"n": {"N": "7"}}}]}
    assert (stored["b"], stored["c"], stored["d"]) == ({"N": "100"}, {"NS": ["0", "1"]}, {"N": "100"})


def test_two_spellings_are_one_key(scene: Scene) -> None:
    """An order 3.0 is order 3: for a get, a condition, a query, an update, a batch and a deletion."""
    same = {**KEY, "order_id": {"N": "3.0"}}
    scene.put()
    with pytest.raises(scene.dynamodb.exceptions.ConditionalCheckFailedException):
        scene.dynamodb.put_item(TableName=TABLE, Item=same, ConditionExpression="attribute_not_exists(customer)")
    scene.dynamodb.put_item(TableName=TABLE, Item=same)
    scene.dynamodb.update_item(TableName=TABLE, Key={**KEY, "order_id": {"N": "3E0"}})

    assert scene.dynamodb.scan(TableName=TABLE)["Items"] == [KEY]
    assert scene.dynamodb.get_item(TableName=TABLE, Key=same)["Item"] == KEY
    found = scene.dynamodb.query(
        TableName=TABLE,
        KeyConditionExpression="customer = :c AND order_id = :o",
        ExpressionAttributeValues={":c": {"S": "lucia"}, ":o": {"N": "03"}},
    )
    assert found["Items"] == [KEY]
    scene.dynamodb.batch_write_item(RequestItems={TABLE: [{"DeleteRequest": {"Key": same}}]})
    assert scene.dynamodb.scan(TableName=TABLE)["Items"] == []


# What is no number that DynamoDB holds

NO_NUMBERS = {
    **{
        text: f"The parameter cannot be converted to a numeric value: {text}"
        for text in ("NaN", "Infinity", "-Infinity")
    },
    **{
        text: f"The parameter cannot be converted to a numeric value: {text}"
        for text in ("abc", " 1", "1 ", "1_000", "1e", "٣")
    },
    "": "The parameter cannot be converted to a numeric value",
    f"{DIGITS_38}9": TOO_PRECISE,
    f"-1.{DIGITS_38}": TOO_PRECISE,
    "1e126": OVERFLOW,
    "-1e126": OVERFLOW,
    "1e999999999999": OVERFLOW,
    "1e-131": UNDERFLOW,
    "0.9e-130": UNDERFLOW,
    "1e-999999999999": UNDERFLOW,
}


def test_no_number(scene: Scene) -> None:
    """What is not written as a number, too precise, too large or too small is refused, wherever it stands."""
    expected = [("ValidationException", message) for message in NO_NUMBERS.values()]
    for holder in (
        lambda text: put({"N": text}),
        lambda text: put({"L": [{"N": text}]}),
        lambda text: put({"NS": [text]}),
        lambda text: update("SET a = :a", a={"N": text}),
    ):
        assert refusals([(holder(text), None) for text in NO_NUMBERS]) == expected
    assert scene.dynamodb.scan(TableName=TABLE)["Items"] == []


def test_a_number_in_an_older_parameter(scene: Scene) -> None:
    """The older parameters hold values too."""
    bad = {"N": "abc"}
    said = "The parameter cannot be converted to a numeric value: abc"
    of_item = {"TableName": TABLE, "Item": KEY}
    of_key = {"TableName": TABLE, "Key": KEY}

    assert refusal("PutItem", {**of_item, "Expected": {"a": {"Value": bad}}})[1] == said
    assert refusal("UpdateItem", {**of_key, "AttributeUpdates": {"a": {"Value": bad}}})[1] == said
    assert refusal("Scan", {"TableName": TABLE, "ExclusiveStartKey": {"customer": bad}})[1] == said


# Sums


def test_sums_are_exact(scene: Scene) -> None:
    """SET with + and -, and ADD, count with 38 digits, and take a number in any spelling."""
    send(*put({"N": "10000000000000000000000000000000000000"}))
    send(*update("SET a = a + :n, b = :e - :n", n={"N": "1"}, e={"N": "1E2"}))
    assert scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"]["a"] == {
        "N": "10000000000000000000000000000000000001"
    }
    send(*update("ADD a :n, b :half", n={"N": "-1"}, half={"N": "0.50"}))
    send(
        "UpdateItem",
        {"TableName": TABLE, "Key": KEY, "AttributeUpdates": {"a": {"Action": "ADD", "Value": {"N": "3"}}}},
    )

    stored = scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"]
    assert stored["a"] == {"N": "10000000000000000000000000000000000003"}
    assert stored["b"] == {"N": "99.5"}


def test_a_sum_that_does_not_fit(scene: Scene) -> None:
    """A sum out of range, or of more than 38 digits, is an overflow."""
    largest, precise, one = {"N": "9e125"}, {"N": "1e50"}, {"N": "1"}
    requests = [
        update("SET a = :a + :a", a=largest),
        update("SET a = :a + :b", a=precise, b=one),
        update("SET a = :a - :b", a=precise, b=one),
    ]
    assert refusals([(request, None) for request in requests]) == [("ValidationException", OVERFLOW)] * 3


# Types and sets

AA = base64.b64encode(b"AA").decode()
NO_TYPE = f"{ONE}Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
VALUES = [
    ({}, NO_TYPE),
    (None, NO_TYPE),
    ({"X": "1"}, NO_TYPE),
    ({"S": None}, NO_TYPE),
    ({"L": [{}]}, NO_TYPE),
    (
        {"S": "x", "N": "1"},
        f"{ONE}Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    ),
    ({"NULL": False}, f"{INVALID}Null attribute value types must have the value of true"),
    ({"SS": []}, f"{INVALID}An string set  may not be empty"),
    ({"NS": []}, f"{INVALID}An number set  may not be empty"),
    ({"BS": []}, f"{INVALID}Binary sets should not be empty"),
    ({"M": {"s": {"SS": []}}}, f"{INVALID}An string set  may not be empty"),
    ({"SS": ["a", "b", "a"]}, f'{INVALID}Input collection ["a", "b", "a"] contains duplicates.'),
    ({"NS": ["1", "1.0"]}, f"{ONE}Input collection contains duplicates"),
    ({"BS": [AA, AA]}, f'{INVALID}Input collection ["{AA}","{AA}"]of type BS contains duplicates.'),
]


def test_types_and_sets(scene: Scene) -> None:
    """A value has one of the ten types, and a set has members, each once; in an item and in an expression's value."""
    expected = [("ValidationException", message) for _, message in VALUES]
    assert refusals([(put(value), None) for value, _ in VALUES]) == expected
    in_expressions = [(update("SET a = :a", a=value), None) for value, _ in VALUES if value is not None]
    assert refusals(in_expressions) == [
        found for found, (value, _) in zip(expected, VALUES, strict=True) if value is not None
    ]
    assert scene.dynamodb.scan(TableName=TABLE)["Items"] == []


def test_a_filter_says_whose_value_it_is(scene: Scene) -> None:
    """The operations that do not count their errors name the placeholder."""
    asked = {"TableName": TABLE, "FilterExpression": "a = :a", "ExpressionAttributeValues": {":a": {"SS": []}}}
    said = (
        "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: "
        "An string set  may not be empty for key :a"
    )
    assert refusal("Scan", asked) == ("ValidationException", said)


def test_every_type_comes_back(scene: Scene) -> None:
    """All ten types are stored and read as they were sent, empty texts, lists and maps among them."""
    item = {
        **KEY,
        "s": {"S": ""},
        "n": {"N": "1.5"},
        "b": {"B": b"\x00\xff"},
        "bool": {"BOOL": False},
        "null": {"NULL": True},
        "ss": {"SS": ["a", "b"]},
        "ns": {"NS": ["1", "2"]},
        "bs": {"BS": [b"a", b"b"]},
        "l": {"L": [{"B": b"x"}, {"L": []}, {"M": {}}]},
        "m": {"M": {"x": {"B": b"y"}, "ñ": {"S": "注文"}}},
    }
    scene.dynamodb.put_item(TableName=TABLE, Item=item)

    assert scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"] == item
    assert scene.dynamodb.scan(TableName=TABLE)["Items"] == [item]
    old = scene.dynamodb.delete_item(TableName=TABLE, Key=KEY, ReturnValues="ALL_OLD")
    assert old["Attributes"] == item


def nested(levels: int) -> dict[str, Any]:
    """A value of so many levels."""
    value: dict[str, Any] = {"S": "x"}
    for _ in range(levels - 1):
        value = {"L": [value]}
    return value


def test_32_levels(scene: Scene) -> None:
    """A value has up to 32 levels."""
    send(*put(nested(32)))
    said = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
    assert refusal(*put(nested(33))) == ("ValidationException", said)


# Sizes

SIZES = [
    ({"a": {"S": "hola"}}, 5),
    ({"año": {"S": "ñ"}}, 6),
    ({"a": {"S": "注文"}}, 7),
    ({"a": {"B": base64.b64encode(b"1234").decode()}}, 5),
    ({"a": {"BOOL": True}}, 2),
    ({"a": {"NULL": True}}, 2),
    ({"a": {"N": "7"}}, 3),
    ({"a": {"N": "12345"}}, 5),
    ({"a": {"N": "-100"}}, 3),
    ({"a": {"L": []}}, 4),
    ({"a": {"M": {"b": {"S": "c"}}}}, 7),
    ({"a": {"SS": ["b", "cd"]}}, 4),
]


def test_sizes() -> None:
    """Names and texts by their UTF-8 bytes, numbers by their significant digits, three bytes for a list or map."""
    read = [({name: read_value(value) for name, value in item.items()}, size) for item, size in SIZES]
    assert [item_size(item) for item, _ in read] == [size for _, size in read]


@pytest.mark.parametrize("letter", ["x", "ñ"])
def test_an_item_has_400_kb(scene: Scene, letter: str) -> None:
    """An item of 409,600 bytes is stored; one of two more is refused, put or updated, and leaves what was there."""
    rest = item_size({name: read_value(value) for name, value in KEY.items()}) + 1
    length = (MAX_ITEM_BYTES - rest) // len(letter.encode())
    largest = {"S": letter * length}
    scene.dynamodb.put_item(TableName=TABLE, Item={**KEY, "a": largest})
    larger = {"S": letter * (length + 2)}

    assert refusal(*put(larger)) == ("ValidationException", "Item size has exceeded the maximum allowed size")
    said = "Item size to update has exceeded the maximum allowed size"
    assert refusal(*update("SET a = :a", a=larger)) == ("ValidationException", said)
    assert scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"]["a"] == largest


def test_an_item_with_many_attributes(scene: Scene) -> None:
    """An item is measured once, not once for each of its attributes."""
    many = {f"a{n}": {"N": str(n)} for n in range(2000)}
    scene.dynamodb.put_item(TableName=TABLE, Item={**KEY, **many})

    assert len(scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"]) == 2002
