"""What DynamoDB refuses of a request as it comes: JSON types, what must be there, lengths, ranges, enumerations, keys.

Each line of the tables is accepted by plain moto, fails there in Python, or is answered in other words.
"""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tests.cloud.dynamodb_wire import refusal, refusals, send
from tests.cloud.scene import Scene

TABLE = "tienda-tabla"
KEY = {"customer": {"S": "lucia"}, "order_id": {"N": "3"}}
ITEM = {**KEY, "amount": {"N": "5"}}
TEXT = {"S": "x"}
ONE = "1 validation error detected: "


def put(**attributes: Any) -> tuple[str, dict[str, Any]]:
    """A PutItem of an order with more attributes."""
    return "PutItem", {"TableName": TABLE, "Item": {**KEY, **attributes}}


def of(operation: str, **parameters: Any) -> tuple[str, dict[str, Any]]:
    """A request to the orders table."""
    return operation, {"TableName": TABLE, **parameters}


def update(**parameters: Any) -> tuple[str, dict[str, Any]]:
    """An UpdateItem of the order."""
    return of("UpdateItem", Key=KEY, **parameters)


WRONG_TYPES = [
    (put(a={"S": 1}), "NUMBER_VALUE cannot be converted to String"),
    (put(a={"N": 1}), "NUMBER_VALUE cannot be converted to String"),
    (put(a={"N": 1.5}), "DECIMAL_VALUE cannot be converted to String"),
    (put(a={"S": True}), "TRUE_VALUE cannot be converted to String"),
    (put(a={"S": ["x"]}), "Unrecognized collection type class java.lang.String"),
    (put(a={"BOOL": "true"}), "Unexpected token received from parser"),
    (put(a={"BOOL": 1}), "NUMBER_VALUE cannot be converted to Boolean"),
    (put(a={"L": "x"}), "Unexpected field type"),
    (put(a={"SS": "x"}), "Unexpected field type"),
    (put(a={"SS": {}}), "Start of structure or map found where not expected"),
    (put(a={"NS": [1]}), "NUMBER_VALUE cannot be converted to String"),
    (put(a={"B": "a"}), "Base64 encoded length is expected a multiple of 4 bytes but found: 1"),
    (put(a={"B": 1}), "only base-64-encoded strings are convertible to bytes"),
    (put(a={"B": "=+/="}), "Invalid last non-pad Base64 character dectected"),
    (put(a={"L": ["x"]}), "Unexpected value type in payload"),
    (put(a="x"), "Unexpected value type in payload"),
    (
        put(a={"M": []}),
        "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>",
    ),
    (("PutItem", {"TableName": 1, "Item": ITEM}), "NUMBER_VALUE cannot be converted to String"),
    (("PutItem", {"TableName": TABLE, "Item": "x"}), "Unexpected field type"),
    (of("PutItem", Item=ITEM, ConditionExpression=1), "NUMBER_VALUE cannot be converted to String"),
    (
        of("PutItem", Item=ITEM, ConditionExpression="a = :a", ExpressionAttributeValues={":a": "x"}),
        "Unexpected value type in payload",
    ),
    (
        of("PutItem", Item=ITEM, ConditionExpression="a = #a", ExpressionAttributeNames=["#a"]),
        "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>",
    ),
    (of("Scan", Limit="1"), "STRING_VALUE cannot be converted to Integer"),
    (of("GetItem", Key=KEY, ConsistentRead="yes"), "Unexpected token received from parser"),
    (("TransactWriteItems", {"TransactItems": "x"}), "Unexpected field type"),
    (("TransactWriteItems", {"TransactItems": ["x"]}), "Unexpected value type in payload"),
    (("BatchWriteItem", {"RequestItems": {TABLE: "x"}}), "Unexpected field type"),
    (("PutItem", []), "Unexpected value type in payload"),
    (("PutItem", b"{"), ""),
]


def test_wrong_json_type(scene: Scene) -> None:
    """A JSON type that does not belong where it stands is a SerializationException, and nothing is written."""
    assert refusals(WRONG_TYPES) == [("SerializationException", message) for _, message in WRONG_TYPES]
    assert scene.dynamodb.scan(TableName=TABLE)["Count"] == 0


def constraint(value: str, path: str, says: str) -> str:
    """The words for one fault."""
    return f"{ONE}Value {value} at '{path}' failed to satisfy constraint: Member must {says}"


LONG = "a" * 256
NEW_TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
}
PATTERN = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
CONSTRAINTS = [
    (("PutItem", {"Item": ITEM}), constraint("null", "tableName", "not be null")),
    (("PutItem", {"TableName": TABLE}), constraint("null", "item", "not be null")),
    (
        ("PutItem", b""),
        "2 validation errors detected: "
        "Value null at 'tableName' failed to satisfy constraint: Member must not be null; "
        "Value null at 'item' failed to satisfy constraint: Member must not be null",
    ),
    (
        ("CreateTable", {**NEW_TABLE, "TableName": "ab"}),
        constraint("'ab'", "tableName", "have length greater than or equal to 3"),
    ),
    (("CreateTable", {**NEW_TABLE, "TableName": "a b!"}), constraint("'a b!'", "tableName", PATTERN)),
    (
        ("CreateTable", {**NEW_TABLE, "TableName": LONG}),
        constraint(f"'{LONG}'", "tableName", "have length less than or equal to 255"),
    ),
    (
        ("CreateTable", {"TableName": "abc", "AttributeDefinitions": []}),
        constraint("null", "keySchema", "not be null"),
    ),
    (
        ("CreateTable", {**NEW_TABLE, "TableName": "abc", "BillingMode": "FREE"}),
        constraint("'FREE'", "billingMode", "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"),
    ),
    *(
        ((operation, {**body, "TableName": name}), constraint(f"'{name}'", "tableName", says))
        for operation, body in (
            ("PutItem", {"Item": ITEM}),
            ("GetItem", {"Key": KEY}),
            ("DeleteItem", {"Key": KEY}),
            ("Scan", {}),
            ("DescribeTable", {}),
            ("DeleteTable", {}),
            ("DescribeTimeToLive", {}),
        )
        for name, says in (
            ("", "have length greater than or equal to 1"),
            ("a b!", PATTERN),
            (LONG, "have length less than or equal to 255"),
        )
    ),
    (
        of("PutItem", Item=ITEM, ReturnValues="OLD"),
        constraint(
            "'OLD'", "returnValues", "satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
        ),
    ),
    (of("PutItem", Item=ITEM, ReturnValues="ALL_NEW"), f"{ONE}ReturnValues can only be ALL_OLD or NONE"),
    (of("DeleteItem", Key=KEY, ReturnValues="ALL_NEW"), f"{ONE}ReturnValues can only be ALL_OLD or NONE"),
    (
        of("PutItem", Item=ITEM, ReturnValuesOnConditionCheckFailure="ALL_NEW"),
        constraint("'ALL_NEW'", "returnValuesOnConditionCheckFailure", "satisfy enum value set: [ALL_OLD, NONE]"),
    ),
    (of("Scan", Limit=0), constraint("'0'", "limit", "have value greater than or equal to 1")),
    (
        of("Query", Limit=0, KeyConditionExpression="customer = :c", ExpressionAttributeValues={":c": TEXT}),
        constraint("'0'", "limit", "have value greater than or equal to 1"),
    ),
    (("ListTables", {"Limit": 101}), constraint("'101'", "limit", "have value less than or equal to 100")),
    (
        ("TransactWriteItems", {"TransactItems": []}),
        constraint("'[]'", "transactItems", "have length greater than or equal to 1"),
    ),
    (
        ("TransactWriteItems", {"TransactItems": [{"ConditionCheck": {"TableName": TABLE, "Key": KEY}}]}),
        constraint("null", "transactItems.1.member.conditionCheck.conditionExpression", "not be null"),
    ),
]


def test_constraints(scene: Scene) -> None:
    """What is missing, too short, too long, out of range or out of an enumeration is named with its place."""
    assert refusals(CONSTRAINTS) == [("ValidationException", message) for _, message in CONSTRAINTS]


def test_two_letters_are_no_table(scene: Scene) -> None:
    """A name too short for any table is refused where it would be given; elsewhere there is just no such table."""
    assert refusal("PutItem", {"TableName": "ab", "Item": ITEM})[0] == "ResourceNotFoundException"


def test_a_table_may_be_named_by_its_arn(scene: Scene) -> None:
    """An ARN stands for the name, though it has other characters."""
    arn = scene.dynamodb.describe_table(TableName=TABLE)["Table"]["TableArn"]
    scene.dynamodb.put_item(TableName=arn, Item=ITEM)

    assert scene.dynamodb.get_item(TableName=arn, Key=KEY)["Item"] == ITEM


def test_unknown_table_is_named(scene: Scene) -> None:
    """The operations on a table itself say which one there is not."""
    said = "Requested resource not found: Table: nadie not found"
    for operation in ("DescribeTable", "DeleteTable", "UpdateTable", "DescribeTimeToLive"):
        assert refusal(operation, {"TableName": "nadie"}) == ("ResourceNotFoundException", said)


UNKNOWN = "nadie"
TO_NOBODY = [
    ("PutItem", {"TableName": UNKNOWN, "Item": ITEM}),
    ("GetItem", {"TableName": UNKNOWN, "Key": KEY}),
    ("Scan", {"TableName": UNKNOWN}),
    ("BatchWriteItem", {"RequestItems": {UNKNOWN: [{"PutRequest": {"Item": ITEM}}]}}),
    ("BatchGetItem", {"RequestItems": {UNKNOWN: {"Keys": [KEY]}}}),
    ("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": UNKNOWN, "Item": ITEM}}]}),
    ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": UNKNOWN, "Key": KEY}}]}),
]


def test_unknown_table(scene: Scene) -> None:
    """The operations on items say no more than that there is none."""
    for operation, body in TO_NOBODY:
        assert refusal(operation, body) == ("ResourceNotFoundException", "Requested resource not found")


def test_unknown_operation(scene: Scene) -> None:
    """An operation that DynamoDB has not is refused under AWS's own code."""
    client = boto3.client("dynamodb")

    def rename(request: Any, **_: Any) -> None:
        request.headers.replace_header("X-Amz-Target", "DynamoDB_20120810.Sing")

    client.meta.events.register("before-sign", rename)
    with pytest.raises(ClientError, match="UnknownOperationException"):
        client.list_tables()


# Keys

EMPTY = (
    "One or more parameter values are not valid. The AttributeValue for a key attribute "
    "cannot contain an empty string value. Key: customer"
)
MISMATCH = "The provided key element does not match the schema"
NO_CUSTOMER = {"customer": {"S": ""}, "order_id": {"N": "3"}}
WRONG_KEY = {"customer": {"N": "1"}, "order_id": {"N": "3"}}
SET = {"UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {":a": TEXT}}


@pytest.mark.parametrize("operation", ["GetItem", "DeleteItem", "UpdateItem", "BatchGetItem", "BatchWriteItem"])
def test_key_that_does_not_fit(scene: Scene, operation: str) -> None:
    """A key has all of the table's key attributes, of their types, and no others."""
    for key in (WRONG_KEY, {"customer": TEXT}, {**KEY, "a": TEXT}, {}, {"a": TEXT, "b": TEXT}):
        body: dict[str, Any] = {"TableName": TABLE, "Key": key, **(SET if operation == "UpdateItem" else {})}
        if operation == "BatchGetItem":
            body = {"RequestItems": {TABLE: {"Keys": [key]}}}
        if operation == "BatchWriteItem":
            body = {"RequestItems": {TABLE: [{"DeleteRequest": {"Key": key}}]}}

        assert refusal(operation, body) == ("ValidationException", MISMATCH)


OF_KEYS = [
    (of("PutItem", Item=NO_CUSTOMER), EMPTY),
    (of("GetItem", Key=NO_CUSTOMER), EMPTY),
    (of("DeleteItem", Key=NO_CUSTOMER), EMPTY),
    (of("UpdateItem", Key=NO_CUSTOMER, **SET), EMPTY),
    (
        of("PutItem", Item={"customer": TEXT}),
        "One or more parameter values were invalid: Missing the key order_id in the item",
    ),
    (
        of("PutItem", Item=WRONG_KEY),
        "One or more parameter values were invalid: Type mismatch for key customer expected: S actual: N",
    ),
    (("BatchWriteItem", {"RequestItems": {TABLE: [{"PutRequest": {"Item": WRONG_KEY}}]}}), MISMATCH),
    (("BatchWriteItem", {"RequestItems": {TABLE: [{"PutRequest": {"Item": {"customer": TEXT}}}]}}), MISMATCH),
    (
        of("Query", KeyConditionExpression="customer = :c", ExpressionAttributeValues={":c": {"N": "1"}}),
        "One or more parameter values were invalid: Condition parameter type does not match schema type",
    ),
    (
        of(
            "Query",
            KeyConditionExpression="customer = :c AND order_id > :c",
            ExpressionAttributeValues={":c": TEXT},
        ),
        "One or more parameter values were invalid: Condition parameter type does not match schema type",
    ),
]


def test_keys(scene: Scene) -> None:
    """What is said of a key that is missing, empty or of another type differs with the operation."""
    assert refusals(OF_KEYS) == [("ValidationException", message) for _, message in OF_KEYS]


def test_index_key_has_its_type(scene: Scene) -> None:
    """An item without an index's key is not in the index; one with a key of another type is refused."""
    index = {
        "IndexName": "por-fecha",
        "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    scene.dynamodb.create_table(
        TableName="con-indice",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "a", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("a", "day")],
        GlobalSecondaryIndexes=[index],
    )
    scene.dynamodb.put_item(TableName="con-indice", Item={"a": TEXT})

    said = (
        "One or more parameter values were invalid: "
        "Type mismatch for Index Key day Expected: S Actual: N IndexName: por-fecha"
    )
    item = {"a": TEXT, "day": {"N": "1"}}
    assert refusal("PutItem", {"TableName": "con-indice", "Item": item}) == ("ValidationException", said)


# Batches


def keys(count: int) -> list[dict[str, Any]]:
    """As many keys as asked for."""
    return [{"customer": TEXT, "order_id": {"N": str(n)}} for n in range(count)]


DUPLICATES = "Provided list of item keys contains duplicates"
SAME_KEY = {**KEY, "order_id": {"N": "3.0"}}
BATCHES = [
    (("BatchWriteItem", {"RequestItems": {}}), "The requestItems parameter is required for BatchWriteItem"),
    (("BatchGetItem", {"RequestItems": {}}), "The requestItems parameter is required for BatchGetItem"),
    (
        ("BatchGetItem", {"RequestItems": {TABLE: {"Keys": keys(101)}}}),
        f"{ONE}Value at 'RequestItems.{TABLE}.member.Keys' failed to satisfy constraint: "
        "Member must have length less than or equal to 100",
    ),
    (("BatchGetItem", {"RequestItems": {TABLE: {"Keys": [KEY, SAME_KEY]}}}), DUPLICATES),
    (
        (
            "BatchWriteItem",
            {"RequestItems": {TABLE: [{"PutRequest": {"Item": ITEM}}, {"DeleteRequest": {"Key": SAME_KEY}}]}},
        ),
        DUPLICATES,
    ),
    (
        (
            "BatchWriteItem",
            {"RequestItems": {TABLE: [{"PutRequest": {"Item": item}} for item in (ITEM, {**ITEM, "a": TEXT})]}},
        ),
        DUPLICATES,
    ),
    (
        ("BatchWriteItem", {"RequestItems": {TABLE: [{}]}}),
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    ),
]


def test_batches(scene: Scene) -> None:
    """A batch has something in it, not too much, and no item twice, in whatever spelling."""
    assert refusals(BATCHES) == [("ValidationException", message) for _, message in BATCHES]
    assert scene.dynamodb.scan(TableName=TABLE)["Count"] == 0


@pytest.mark.parametrize("count", [0, 26])
def test_a_batch_writes_1_to_25(scene: Scene, count: int) -> None:
    """A table's part of a batch has 1 to 25 requests; the whole of it is shown and refused."""
    requests = [{"PutRequest": {"Item": key}} for key in keys(count)]
    code, message = refusal("BatchWriteItem", {"RequestItems": {TABLE: requests}})

    assert code == "ValidationException"
    assert message.startswith(f"{ONE}Value '{{{TABLE}=[")
    assert message.endswith(
        "]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: "
        "[Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"
    )
    send("BatchWriteItem", {"RequestItems": {TABLE: [{"PutRequest": {"Item": key}} for key in keys(25)]}})
    assert scene.dynamodb.scan(TableName=TABLE)["Count"] == 25


@pytest.mark.parametrize(("count", "accepted"), [(30, True), (100, True), (101, False)])
def test_a_transaction_reads_100(scene: Scene, count: int, accepted: bool) -> None:
    """A hundred items can be read at once; moto stops at 25."""
    body = {"TransactItems": [{"Get": {"TableName": TABLE, "Key": key}} for key in keys(count)]}
    if accepted:
        assert len(send("TransactGetItems", body)["Responses"]) == count
    else:
        assert refusal("TransactGetItems", body)[1].endswith("Member must have length less than or equal to 100")


# Old parameters


def test_a_deletion_heeds_what_it_expects(scene: Scene) -> None:
    """DeleteItem with `Expected`, the older form of a condition, deletes only where it holds."""
    scene.put(status="new")
    expects = {"status": {"Value": {"S": "paid"}}}
    with pytest.raises(scene.dynamodb.exceptions.ConditionalCheckFailedException):
        scene.dynamodb.delete_item(TableName=TABLE, Key=KEY, Expected=expects)
    expects["status"]["Value"]["S"] = "new"
    scene.dynamodb.delete_item(TableName=TABLE, Key=KEY, Expected=expects)

    assert scene.dynamodb.scan(TableName=TABLE)["Count"] == 0


def test_an_update_without_changes_makes_the_item(scene: Scene) -> None:
    """An UpdateItem that names nothing to change writes an item of its key alone."""
    scene.dynamodb.update_item(TableName=TABLE, Key=KEY)

    assert scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"] == KEY


def test_a_failed_update_leaves_nothing_behind(scene: Scene) -> None:
    """An update that fails half way makes no item, and changes none."""
    adds_to_text = {
        "UpdateExpression": "SET a = :one ADD note :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    scene.put(note="hola")
    code, _ = refusal(*update(**adds_to_text))
    assert code == "ValidationException"
    assert scene.dynamodb.get_item(TableName=TABLE, Key=KEY)["Item"] == scene.item(note="hola")

    other = {**KEY, "order_id": {"N": "4"}}
    overflow = {
        "UpdateExpression": "SET a = :a + :a",
        "ExpressionAttributeValues": {":a": {"N": "9E125"}},
    }
    refusal(*of("UpdateItem", Key=other, **overflow))
    assert "Item" not in scene.dynamodb.get_item(TableName=TABLE, Key=other)
