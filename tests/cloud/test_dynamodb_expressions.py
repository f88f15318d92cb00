"""Expressions: their placeholders, their grammar, reserved words, and what a comparison of unlike values says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cloud.dynamodb_wire import refusal, refusals, send
from tests.cloud.scene import Scene

TABLE = "tienda-tabla"
KEY = {"customer": {"S": "lucia"}, "order_id": {"N": "3"}}
TEXT = {"S": "x"}
ONE = "1 validation error detected: "

Asked = tuple[str, dict[str, Any]]


def put(condition: str | None = None, **parameters: Any) -> Asked:
    """A PutItem with a condition."""
    given = {} if condition is None else {"ConditionExpression": condition}
    return "PutItem", {"TableName": TABLE, "Item": KEY, **given, **parameters}


def update(expression: str, **parameters: Any) -> Asked:
    """An UpdateItem."""
    return "UpdateItem", {"TableName": TABLE, "Key": KEY, "UpdateExpression": expression, **parameters}


def delete(condition: str, **parameters: Any) -> Asked:
    """A DeleteItem with a condition."""
    return "DeleteItem", {"TableName": TABLE, "Key": KEY, "ConditionExpression": condition, **parameters}


def get(projection: str | None = None, **parameters: Any) -> Asked:
    """A GetItem of some attributes."""
    given = {} if projection is None else {"ProjectionExpression": projection}
    return "GetItem", {"TableName": TABLE, "Key": KEY, **given, **parameters}


def query(condition: str = "customer = :c", values: dict[str, Any] | None = None, **parameters: Any) -> Asked:
    """A Query."""
    given = values or {":c": {"S": "lucia"}}
    return "Query", {
        "TableName": TABLE,
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": given,
        **parameters,
    }


def scan(condition: str | None = None, **parameters: Any) -> Asked:
    """A Scan with a filter."""
    given = {} if condition is None else {"FilterExpression": condition}
    return "Scan", {"TableName": TABLE, **given, **parameters}


def within(kind: str, **parameters: Any) -> Asked:
    """A transaction of one action."""
    return "TransactWriteItems", {"TransactItems": [{kind: {"TableName": TABLE, **parameters}}]}


def values(*names: str) -> dict[str, Any]:
    """Values under these names."""
    return {"ExpressionAttributeValues": dict.fromkeys(names, TEXT)}


def names(**names_: str) -> dict[str, Any]:
    """Names for attributes, without their #."""
    return {"ExpressionAttributeNames": {f"#{name}": attribute for name, attribute in names_.items()}}


def unused(kind: str, *keys: str) -> str:
    """What is said of names or values that no expression uses."""
    return f"Value provided in ExpressionAttribute{kind} unused in expressions: keys: {{{', '.join(keys)}}}"


def undefined_value(kind: str, name: str) -> str:
    """What is said of a value that nobody gave."""
    said = "An expression attribute value used in expression is not defined; attribute value"
    return f"Invalid {kind}Expression: {said}: {name}"


def undefined_name(kind: str, name: str) -> str:
    """What is said of a name that nobody gave."""
    said = "An expression attribute name used in the document path is not defined; attribute name"
    return f"Invalid {kind}Expression: {said}: {name}"


PLACEHOLDERS = [
    # unused
    (put("attribute_exists(a)", **values(":x")), ONE + unused("Values", ":x")),
    (put("attribute_exists(a)", **values(":x", ":y")), ONE + unused("Values", ":x", ":y")),
    (put("attribute_exists(a)", **names(x="b")), ONE + unused("Names", "#x")),
    (delete("attribute_exists(a)", **values(":x")), ONE + unused("Values", ":x")),
    (update("SET a = :a", **values(":a", ":x")), ONE + unused("Values", ":x")),
    (query(values={":c": TEXT, ":d": TEXT}), unused("Values", ":d")),
    (query(**names(x="b")), unused("Names", "#x")),
    (scan("a = :a", **values(":a", ":d")), unused("Values", ":d")),
    (get("a", **names(x="b")), unused("Names", "#x")),
    (within("Put", Item=KEY, ConditionExpression="attribute_exists(a)", **values(":x")), unused("Values", ":x")),
    (within("Update", Key=KEY, UpdateExpression="SET a = :a", **values(":a", ":x")), unused("Values", ":x")),
    (
        within("ConditionCheck", Key=KEY, ConditionExpression="attribute_exists(a)", **names(x="b")),
        unused("Names", "#x"),
    ),
    # undefined
    (put("a = :x"), ONE + undefined_value("Condition", ":x")),
    (put("a = :x AND b = :y", **values(":y")), ONE + undefined_value("Condition", ":x")),
    (put("attribute_exists(#x)"), ONE + undefined_name("Condition", "#x")),
    (delete("#x = :x", **names(x="a")), ONE + undefined_value("Condition", ":x")),
    (update("SET a = :x"), ONE + undefined_value("Update", ":x")),
    (update("SET #a = :x", **values(":x")), ONE + undefined_name("Update", "#a")),
    (update("SET a = :x", ConditionExpression="b = :y", **values(":x")), ONE + undefined_value("Condition", ":y")),
    (query("customer = :c AND order_id = :o"), undefined_value("KeyCondition", ":o")),
    (query("#c = :c"), undefined_name("KeyCondition", "#c")),
    (query(FilterExpression="#m = :c"), undefined_name("Filter", "#m")),
    (scan("a = :a"), undefined_value("Filter", ":a")),
    (get("#a"), undefined_name("Projection", "#a")),
    (within("Put", Item=KEY, ConditionExpression="a = :x"), undefined_value("Condition", ":x")),
    (within("Update", Key=KEY, UpdateExpression="SET a = :x"), undefined_value("Update", ":x")),
    # without an expression
    (put(**values(":x")), f"{ONE}ExpressionAttributeValues can only be specified when using expressions"),
    (put(**names(x="a")), f"{ONE}ExpressionAttributeNames can only be specified when using expressions"),
    (
        scan(**values(":x")),
        "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null",
    ),
    (get(**names(x="a")), "ExpressionAttributeNames can only be specified when using expressions"),
    # empty, or under a wrong name
    (put("a = :a", ExpressionAttributeValues={}), f"{ONE}ExpressionAttributeValues must not be empty"),
    (put("attribute_exists(a)", ExpressionAttributeNames={}), f"{ONE}ExpressionAttributeNames must not be empty"),
    (
        put("a = :a", **values("a")),
        f'{ONE}ExpressionAttributeValues contains invalid key: Syntax error; key: "a"',
    ),
    (
        put("attribute_exists(a)", ExpressionAttributeNames={"x": "a"}),
        f'{ONE}ExpressionAttributeNames contains invalid key: Syntax error; key: "x"',
    ),
]


def test_placeholders(scene: Scene) -> None:
    """Each placeholder is defined, each definition is used, and there is an expression to use it in."""
    assert refusals(PLACEHOLDERS) == [("ValidationException", message) for _, message in PLACEHOLDERS]
    assert scene.dynamodb.scan(TableName=TABLE)["Items"] == []


EMPTY = "Expression: The expression can not be empty;"
TWO_FORMS = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters:"
FORMS = [
    (put(""), f"{ONE}Invalid Condition{EMPTY}"),
    (put(" "), f"{ONE}Invalid Condition{EMPTY}"),
    (delete(""), f"{ONE}Invalid Condition{EMPTY}"),
    (update("SET a = :a", ConditionExpression="", **values(":a")), f"{ONE}Invalid Condition{EMPTY}"),
    (query(""), f"Invalid KeyCondition{EMPTY}"),
    (
        put("attribute_exists(a)", Expected={"a": {"Exists": False}}),
        f"{ONE}{TWO_FORMS} {{Expected}} Expression parameters: {{ConditionExpression}}",
    ),
    (
        delete("attribute_exists(a)", Expected={"a": {"Exists": False}}),
        f"{ONE}{TWO_FORMS} {{Expected}} Expression parameters: {{ConditionExpression}}",
    ),
    (
        update("SET a = :a", AttributeUpdates={"b": {"Value": TEXT}}, **values(":a")),
        f"{ONE}{TWO_FORMS} {{AttributeUpdates}} Expression parameters: {{UpdateExpression}}",
    ),
    (
        query(KeyConditions={"customer": {"ComparisonOperator": "EQ", "AttributeValueList": [TEXT]}}),
        f"{TWO_FORMS} {{KeyConditions}} Expression parameters: {{KeyConditionExpression}}",
    ),
    (
        put(f"attribute_exists({'a' * 4096})"),
        f"{ONE}Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;",
    ),
]


def test_forms(scene: Scene) -> None:
    """An expression has something in it, up to 4 KB, and does not stand beside the older form of the same thing."""
    assert refusals(FORMS) == [("ValidationException", message) for _, message in FORMS]


def syntax(kind: str, token: str, near: str) -> str:
    """What is said of a token in the wrong place."""
    return f'Invalid {kind}Expression: Syntax error; token: "{token}", near: "{near}"'


GRAMMAR = [
    ("a =", syntax("Filter", "<EOF>", "=")),
    ("a == :a", syntax("Filter", "=", "== :a")),
    ("a", syntax("Filter", "<EOF>", "a")),
    ("attribute_exists(a", syntax("Filter", "<EOF>", "a")),
    ("!! x", syntax("Filter", "!", "!!")),
    ("a > 5", syntax("Filter", "5", "> 5")),
    ("a = 'x'", syntax("Filter", "'", "= 'x")),
    ("a = :a AND", syntax("Filter", "<EOF>", "AND")),
    ("a = :a b", syntax("Filter", "b", ":a b")),
    ("a.  = :a", syntax("Filter", "=", ".  = :a")),
    ("a[x] = :a", syntax("Filter", "x", "[x]")),
    ("NOT", syntax("Filter", "<EOF>", "NOT")),
    ("attribute_not_exist(a)", "Invalid FilterExpression: Invalid function name; function: attribute_not_exist"),
    (
        "begins_with(a)",
        "Invalid FilterExpression: Incorrect number of operands for operator or function; "
        "operator or function: begins_with, number of operands: 1",
    ),
    (
        "attribute_exists(:a)",
        "Invalid FilterExpression: Operator or function requires a document path; operator or function: attribute_exists",
    ),
    (
        "size(a)",
        "Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: size",
    ),
    (
        "attribute_exists(a) = :a",
        "Invalid FilterExpression: The function is not allowed to be used this way in an expression; "
        "function: attribute_exists",
    ),
    ("((a = :a))", "Invalid FilterExpression: The expression has redundant parentheses;"),
    ("status = :a", "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status"),
    ("a.Name = :a", "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: Name"),
]


def test_grammar(scene: Scene) -> None:
    """The first token in the wrong place is named as AWS names it; a reserved word needs a placeholder."""
    asked = [(scan(text, **values(":a")), None) for text, _ in GRAMMAR]
    assert refusals(asked) == [("ValidationException", message) for _, message in GRAMMAR]


OTHERS = [
    (
        put("status = :a", **values(":a")),
        f"{ONE}Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status",
    ),
    (
        update("SET status = :a", **values(":a")),
        f"{ONE}Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status",
    ),
    (
        query("name = :c"),
        "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: name",
    ),
    (get("a, status"), "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: status"),
    (get("a.status"), "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: status"),
    (get("!!! INVALID !!!"), syntax("Projection", "!", "!!")),
    (get("a,"), syntax("Projection", "<EOF>", ",")),
    (update("INVALID SYNTAX HERE"), ONE + syntax("Update", "INVALID", "INVALID SYNTAX")),
    (query("customer"), syntax("KeyCondition", "<EOF>", "customer")),
    (query("customer = :c OR customer = :c"), "Invalid operator used in KeyConditionExpression: OR"),
    (query("customer <> :c"), "Invalid operator used in KeyConditionExpression: <>"),
    (query("contains(customer, :c)"), "Invalid operator used in KeyConditionExpression: contains"),
]
OVERLAP = "Two document paths overlap with each other; must remove or rewrite one of these paths;"
OTHERS += [
    (asked, f"{prefix}{OVERLAP} path one: [{one}], path two: [{two}]")
    for asked, prefix, one, two in (
        (update("SET a[0] = :a, a = :a", **values(":a")), f"{ONE}Invalid UpdateExpression: ", "a, [0]", "a"),
        (
            update("SET #a.b = :a, a = :a", **values(":a"), **names(a="a")),
            f"{ONE}Invalid UpdateExpression: ",
            "a, b",
            "a",
        ),
        (update("SET a = :a REMOVE a", **values(":a")), f"{ONE}Invalid UpdateExpression: ", "a", "a"),
        (get("a, a.b"), "Invalid ProjectionExpression: ", "a", "a, b"),
        (get("#a, #b", **names(a="x", b="x")), "Invalid ProjectionExpression: ", "x", "x"),
    )
]


def test_other_expressions(scene: Scene) -> None:
    """Updates, projections and key conditions have their own names in what is said."""
    assert refusals(OTHERS) == [("ValidationException", message) for _, message in OTHERS]


def test_white_space(scene: Scene) -> None:
    """A line break or a tab is as good as a space."""
    scene.put(note="hola")
    send(
        *put(
            "attribute_exists(customer)\n\tAND attribute_not_exists(note)\r\nOR customer = :c",
            ExpressionAttributeValues={":c": {"S": "lucia"}},
        )
    )
    send(*update("SET\ta = :a,\r\n b = :a", **values(":a")))

    assert send(*query("customer\n=\t:c\nAND order_id < :n", {":c": {"S": "lucia"}, ":n": {"N": "4"}}))["Count"] == 1
    assert send(*get("a,\n\tb"))["Item"] == {"a": TEXT, "b": TEXT}


# Comparisons

ITEM = {
    **KEY,
    "title": {"S": "hola"},
    "amount": {"N": "1"},
    "flag": {"BOOL": True},
    "digits": {"S": "1"},
    "numbers": {"L": [{"N": str(n)} for n in range(12)]},
}
COMPARISONS = {
    # values of two types have no order, and are not equal
    "title > :one": False,
    "#n < :text": False,
    "#n = :digit": False,
    "digits = :one": False,
    "flag = :one": False,
    "#n = :true": False,
    "flag = :true": True,
    "#n <> :text": True,
    "#n IN (:digit, :true)": False,
    "#n IN (:digit, :one)": True,
    "title BETWEEN :one AND :two": False,
    "#n BETWEEN :one AND :two": True,
    "flag < :true": False,
    # what is not there is equal to nothing, and has no size
    "absent = :one": False,
    "absent = nowhere": False,
    "absent <> :one": True,
    "absent < :one": False,
    "size(absent) > :one": False,
    "size(#n) = :one": False,
    "size(title) > :two": True,
    "size(numbers) > size(title)": True,
    "numbers[10] > :two": True,
    "NOT (size(absent) > :one)": True,
}
VALUES = {":one": {"N": "1.0"}, ":two": {"N": "2"}, ":text": {"S": "a"}, ":digit": {"S": "1"}, ":true": {"BOOL": True}}


def test_comparisons(scene: Scene) -> None:
    """A comparison of values that cannot be compared does not hold; it fails for nobody."""
    scene.dynamodb.put_item(TableName=TABLE, Item=ITEM)
    found = {}
    for text in COMPARISONS:
        used = {name: value for name, value in VALUES.items() if name in text}
        given = {"ExpressionAttributeValues": used} if used else {}
        if "#n" in text:
            given["ExpressionAttributeNames"] = {"#n": "amount"}
        found[text] = scene.dynamodb.scan(TableName=TABLE, FilterExpression=text, **given)["Count"] == 1

    assert found == COMPARISONS


def test_the_same_text_with_other_values(scene: Scene) -> None:
    """A condition that was evaluated before is evaluated with this call's values and names, not with that one's."""
    scene.put(note="a", other="b")

    def holds(attribute: str, value: str) -> bool:
        found = scene.dynamodb.scan(
            TableName=TABLE,
            FilterExpression="#a = :v",
            ExpressionAttributeNames={"#a": attribute},
            ExpressionAttributeValues={":v": {"S": value}},
        )
        return bool(found["Count"])

    assert [holds("note", "a"), holds("note", "b"), holds("other", "b"), holds("note", "a")] == [
        True,
        False,
        True,
        True,
    ]


# What stays


def test_the_item_that_was_there(scene: Scene) -> None:
    """With ALL_OLD a failed condition shows the item, for a put, an update, a deletion and within a transaction."""
    scene.put(note="hola")
    shown = scene.item(note="hola")
    show = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    client = scene.dynamodb
    failed = client.exceptions.ConditionalCheckFailedException
    condition = {"ConditionExpression": "attribute_not_exists(customer)"}
    with pytest.raises(failed) as put_:
        client.put_item(TableName=TABLE, Item=KEY, **condition, **show)
    with pytest.raises(failed) as delete_:
        client.delete_item(TableName=TABLE, Key=KEY, **condition, **show)
    with pytest.raises(failed) as update_:
        client.update_item(TableName=TABLE, Key=KEY, UpdateExpression="REMOVE note", **condition, **show)
    action = {"Put": {"TableName": TABLE, "Item": KEY, **condition, **show}}
    with pytest.raises(client.exceptions.TransactionCanceledException) as transaction:
        client.transact_write_items(TransactItems=[action])

    assert [caught.value.response["Item"] for caught in (put_, delete_, update_)] == [shown] * 3
    (reason,) = transaction.value.response["CancellationReasons"]
    assert reason == {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", "Item": shown}


def test_a_reserved_word_behind_a_placeholder(scene: Scene) -> None:
    """With a placeholder any name will do."""
    scene.put(status="new")
    assert refusal(*scan("status = :s", ExpressionAttributeValues={":s": {"S": "new"}}))[0] == "ValidationException"
    found = send(*scan("#s = :s", ExpressionAttributeValues={":s": {"S": "new"}}, **names(s="status")))
    assert found["Count"] == 1
