"""Transactions: all or nothing, what a request may hold, and once only for each client token."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from moto.dynamodb.models import dynamodb_backends

from tests.cloud.dynamodb_wire import refusal, refusals, send
from tests.cloud.scene import Scene

TABLE = "tienda-tabla"
KEY = {"customer": {"S": "lucia"}, "order_id": {"N": "3"}}
TEXT = {"S": "x"}


def key(order: int) -> dict[str, Any]:
    """An order's key."""
    return {**KEY, "order_id": {"N": str(order)}}


def put(order: int, condition: str | None = None, **attributes: Any) -> dict[str, Any]:
    """An action that writes an order."""
    given = {"ConditionExpression": condition} if condition else {}
    return {"Put": {"TableName": TABLE, "Item": {**key(order), **attributes}, **given}}


def count(order: int) -> dict[str, Any]:
    """An action that counts up in an order."""
    one = {":one": {"N": "1"}}
    change = {"UpdateExpression": "ADD times :one", "ExpressionAttributeValues": one}
    return {"Update": {"TableName": TABLE, "Key": key(order), **change}}


def delete(order: int) -> dict[str, Any]:
    """An action that deletes an order."""
    return {"Delete": {"TableName": TABLE, "Key": key(order)}}


def items(scene: Scene) -> list[Any]:
    """All items."""
    return list(scene.dynamodb.scan(TableName=TABLE)["Items"])


# What a request may hold

BIG = {"S": "x" * 350_000}
NULL = "failed to satisfy constraint: Member must"
REQUESTS = [
    ([], f"1 validation error detected: Value '[]' at 'transactItems' {NULL} have length greater than or equal to 1"),
    ([{}], "TransactItems can only contain one of Check, Put, Update or Delete"),
    ([{**put(1), **delete(2)}], "TransactItems can only contain one of Check, Put, Update or Delete"),
    ([put(3), delete(3)], "Transaction request cannot include multiple operations on one item"),
    (
        [put(3), {"Delete": {"TableName": TABLE, "Key": {**KEY, "order_id": {"N": "3.0"}}}}],
        "Transaction request cannot include multiple operations on one item",
    ),
    ([put(n, a=BIG) for n in range(12)], "The aggregate size of the items in the transaction cannot exceed 4 MB"),
    ([put(1, a={"S": "x" * 410_000})], "Item size has exceeded the maximum allowed size"),
    (
        [{"Delete": {"TableName": TABLE, "Key": {**KEY, "customer": {"S": ""}}}}],
        "One or more parameter values are not valid. The AttributeValue for a key attribute "
        "cannot contain an empty string value. Key: customer",
    ),
    (
        [{"Update": {"TableName": TABLE, "Key": KEY}}],
        f"1 validation error detected: Value null at 'transactItems.1.member.update.updateExpression' {NULL} not be null",
    ),
]


def test_what_a_request_may_hold(scene: Scene) -> None:
    """One action each, no two on one item, and 4 MB together: else it is refused before anything is looked at."""
    asked = [(("TransactWriteItems", {"TransactItems": actions}), None) for actions, _ in REQUESTS]
    assert refusals(asked) == [("ValidationException", message) for _, message in REQUESTS]
    assert items(scene) == []


def test_100_actions(scene: Scene) -> None:
    """A transaction has up to a hundred actions."""
    code, message = refusal("TransactWriteItems", {"TransactItems": [put(n) for n in range(101)]})
    assert code == "ValidationException"
    assert message.startswith("1 validation error detected: Value '[")
    assert message.endswith(
        "]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"
    )

    send("TransactWriteItems", {"TransactItems": [put(n) for n in range(100)]})
    assert len(items(scene)) == 100


# All or nothing


def reasons(scene: Scene, *actions: dict[str, Any]) -> list[dict[str, Any]]:
    """The reasons why a transaction is cancelled."""
    with pytest.raises(scene.dynamodb.exceptions.TransactionCanceledException) as caught:
        scene.dynamodb.transact_write_items(TransactItems=list(actions))
    return list(caught.value.response["CancellationReasons"])


NONE = {"Code": "None"}


def test_a_failed_condition_cancels_all(scene: Scene) -> None:
    """Nothing is written, and each action has its reason, in order."""
    scene.put()
    before = items(scene)
    new = "attribute_not_exists(customer)"
    found = reasons(scene, put(1, new), put(3, new), count(2), delete(4))

    failed = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
    assert found == [NONE, failed, NONE, NONE]
    assert items(scene) == before


def test_a_failing_update_takes_the_others_back(scene: Scene) -> None:
    """What was put, updated and deleted before it is as it was."""
    for order in (1, 2, 3, 4):
        scene.put(order_id=order, note="hola")
    before = items(scene)
    adds_to_text = {"UpdateExpression": "ADD note :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}
    failing = {"Update": {"TableName": TABLE, "Key": key(4), **adds_to_text}}
    found = reasons(scene, put(1, a=TEXT), count(2), delete(3), put(9), count(8), failing)

    assert [reason["Code"] for reason in found] == ["None"] * 5 + ["ValidationError"]
    assert items(scene) == before
    assert scene.dynamodb.describe_table(TableName=TABLE)["Table"]["ItemCount"] == 4


def test_a_key_of_another_type_is_a_reason(scene: Scene) -> None:
    """It is found out while the transaction runs; what is said differs for a put."""
    wrong = {**KEY, "customer": {"N": "1"}}
    found = reasons(
        scene,
        {"Put": {"TableName": TABLE, "Item": wrong}},
        {"Delete": {"TableName": TABLE, "Key": wrong}},
        {"Put": {"TableName": TABLE, "Item": {"customer": TEXT}}},
    )
    parameter = "One or more parameter values were invalid:"
    assert [reason["Message"] for reason in found] == [
        f"{parameter} Type mismatch for key customer expected: S actual: N",
        "The provided key element does not match the schema",
        f"{parameter} Missing the key order_id in the item",
    ]
    assert {reason["Code"] for reason in found} == {"ValidationError"}


def test_an_update_that_grows_too_large_is_a_reason(scene: Scene) -> None:
    """How large an item becomes depends on what is stored."""
    grows = {"UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {":a": {"S": "x" * 410_000}}}
    (reason,) = reasons(scene, {"Update": {"TableName": TABLE, "Key": KEY, **grows}})

    assert reason == {"Code": "ValidationError", "Message": "Item size to update has exceeded the maximum allowed size"}
    assert items(scene) == []


def test_a_transaction_copies_no_table(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a transaction costs does not grow with the table."""
    for order in range(20):
        scene.put(order_id=order)
    table = dynamodb_backends["123456789012"]["us-east-1"].tables[TABLE]

    def refuse(self: Any, memo: Any) -> Any:
        raise AssertionError("The table was copied.")

    monkeypatch.setattr(type(table), "__deepcopy__", refuse, raising=False)
    scene.dynamodb.transact_write_items(TransactItems=[put(30), count(1), delete(2)])
    reasons(scene, put(31), put(3, "attribute_not_exists(customer)"))
    with pytest.raises(AssertionError):
        copy.deepcopy(table)

    assert len(items(scene)) == 20


# Tokens


def test_a_token_counts_once(scene: Scene) -> None:
    """The same request under the same token has its effect once, within ten minutes of the course's time."""
    again = {"TransactItems": [count(1)], "ClientRequestToken": "uno"}
    for _ in range(2):
        scene.dynamodb.transact_write_items(**again)
    scene.cloud.clock.advance(590)
    scene.dynamodb.transact_write_items(**again)
    assert items(scene)[0]["times"] == {"N": "1"}

    scene.cloud.clock.advance(20)
    scene.dynamodb.transact_write_items(**again)
    assert items(scene)[0]["times"] == {"N": "2"}


def test_another_token_is_another_request(scene: Scene) -> None:
    """So is one that boto3 makes up for each call."""
    for token in ("uno", "dos"):
        scene.dynamodb.transact_write_items(TransactItems=[count(1)], ClientRequestToken=token)
    for _ in range(2):
        scene.dynamodb.transact_write_items(TransactItems=[count(1)])

    assert items(scene)[0]["times"] == {"N": "4"}


def test_the_order_of_a_requests_json_says_nothing(scene: Scene) -> None:
    """Neither does the spelling of a number."""
    first = {"TransactItems": [count(1)], "ClientRequestToken": "uno"}
    send("TransactWriteItems", first)
    action = first["TransactItems"][0]["Update"]  # type: ignore[index]
    turned = {name: action[name] for name in reversed(action)}
    turned["ExpressionAttributeValues"] = {":one": {"N": "1.0"}}
    send("TransactWriteItems", {"ClientRequestToken": "uno", "TransactItems": [{"Update": turned}]})

    assert items(scene)[0]["times"] == {"N": "1"}


def test_a_token_with_another_request(scene: Scene) -> None:
    """It is refused; a day later the token is anybody's."""
    scene.dynamodb.transact_write_items(TransactItems=[put(1)], ClientRequestToken="uno")
    other = {"TransactItems": [put(2)], "ClientRequestToken": "uno"}
    with pytest.raises(scene.dynamodb.exceptions.IdempotentParameterMismatchException) as caught:
        scene.dynamodb.transact_write_items(**other)
    assert "retried a request with a different payload" in str(caught.value)
    assert len(items(scene)) == 1

    scene.cloud.clock.advance(24 * 3600)
    scene.dynamodb.transact_write_items(**other)
    assert len(items(scene)) == 2


def test_a_cancelled_transaction_leaves_its_token(scene: Scene) -> None:
    """What had no effect may be tried again under its token."""
    scene.put(order_id=1)
    again = {"TransactItems": [put(1, "attribute_not_exists(customer)")], "ClientRequestToken": "uno"}
    with pytest.raises(scene.dynamodb.exceptions.TransactionCanceledException):
        scene.dynamodb.transact_write_items(**again)
    scene.dynamodb.delete_item(TableName=TABLE, Key=key(1))
    scene.dynamodb.transact_write_items(**again)

    assert items(scene) == [key(1)]
