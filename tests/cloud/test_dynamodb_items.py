"""The count of a table's items, and that what was made faster answers as before."""

from __future__ import annotations

from typing import Any

import pytest
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import Table

from bentocola.cloud.amendments import (
    dynamodb_checks,
    dynamodb_expressions,
    dynamodb_items,
    dynamodb_requests,
    dynamodb_speed,
    dynamodb_transactions,
    dynamodb_values,
)
from bentocola.cloud.amendments.dynamodb_items import item_count
from tests.cloud.scene import Scene

ALL = (
    dynamodb_checks,
    dynamodb_expressions,
    dynamodb_items,
    dynamodb_requests,
    dynamodb_speed,
    dynamodb_transactions,
    dynamodb_values,
)
PLAIN = {
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
}


def table(name: str) -> Any:
    """One of moto's tables."""
    return dynamodb_backends["123456789012"]["us-east-1"].tables[name]


def counted(scene: Scene, name: str) -> int:
    """The count, which is also what a scan and the table's description say."""
    count = item_count(table(name))
    assert count == scene.dynamodb.scan(TableName=name)["Count"]
    assert count == scene.dynamodb.describe_table(TableName=name)["Table"]["ItemCount"]
    return count


@pytest.mark.parametrize("sort_key", [True, False])
def test_items_are_counted(scene: Scene, sort_key: bool) -> None:
    """Through puts, replacements, updates, batches, transactions, what fails, what is looked for in vain, and deletions."""
    client = scene.dynamodb
    if sort_key:
        name, keys = scene.table, [scene.item("lucia", n) for n in range(3)] + [scene.item("eva", n) for n in range(3)]
    else:
        name, keys = "sin-orden", [{"a": {"S": str(n)}} for n in range(6)]
        client.create_table(TableName=name, **PLAIN)
    assert counted(scene, name) == 0

    client.put_item(TableName=name, Item=keys[0])
    client.put_item(TableName=name, Item={**keys[0], "b": {"S": "x"}})
    client.update_item(TableName=name, Key=keys[1])
    assert counted(scene, name) == 2

    client.get_item(TableName=name, Key=keys[5])
    client.delete_item(TableName=name, Key=keys[5])
    assert counted(scene, name) == 2

    requests = [
        {"PutRequest": {"Item": keys[2]}},
        {"DeleteRequest": {"Key": keys[1]}},
        {"PutRequest": {"Item": keys[3]}},
    ]
    client.batch_write_item(RequestItems={name: requests})
    assert counted(scene, name) == 3

    actions = [
        {"Put": {"TableName": name, "Item": keys[4]}},
        {"Delete": {"TableName": name, "Key": keys[0]}},
        {"Update": {"TableName": name, "Key": keys[5], "UpdateExpression": "REMOVE b"}},
    ]
    client.transact_write_items(TransactItems=actions)
    assert counted(scene, name) == 4

    condition = {"ConditionExpression": "attribute_exists(b)"}
    failing = {"Put": {"TableName": name, "Item": keys[1], **condition}}
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(TransactItems=[{"Delete": {"TableName": name, "Key": keys[4]}}, failing])
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName=name, Item=keys[1], **condition)
    assert counted(scene, name) == 4

    for key in keys:
        client.delete_item(TableName=name, Key=key)
    assert counted(scene, name) == 0


def test_a_deleted_table_takes_its_count_along(scene: Scene) -> None:
    """A table of the same name starts at nothing."""
    scene.dynamodb.create_table(TableName="otra", **PLAIN)
    scene.dynamodb.put_item(TableName="otra", Item={"a": {"S": "x"}})
    scene.dynamodb.delete_table(TableName="otra")
    scene.dynamodb.create_table(TableName="otra", **PLAIN)

    assert counted(scene, "otra") == 0


def test_a_restored_table_is_counted(scene: Scene) -> None:
    """A backup and the table that it becomes hold what the table held, and count on their own."""
    for order in (1, 2):
        scene.put(order_id=order)
    arn = scene.dynamodb.create_backup(TableName=scene.table, BackupName="copia")["BackupDetails"]["BackupArn"]
    scene.put(order_id=3)
    scene.dynamodb.restore_table_from_backup(TargetTableName="restaurada", BackupArn=arn)
    scene.dynamodb.put_item(TableName="restaurada", Item=scene.item("eva"))

    assert (counted(scene, scene.table), counted(scene, "restaurada")) == (3, 3)


def test_counting_walks_through_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count is there without a look at the items."""
    scene.put()
    for name in ("all_items", "__len__"):
        monkeypatch.setattr(Table, name, None)

    assert item_count(table(scene.table)) == 1


def test_a_query_looks_at_one_partition(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others' orders are not even sorted for it. It pages, turns round and filters as before."""
    for customer in ("eva", "lucia"):
        for order in (10, 9, 2, 100):
            scene.put(customer, order)
    monkeypatch.setattr(Table, "all_items", None)

    def orders(**options: Any) -> list[str]:
        found = scene.dynamodb.query(
            TableName=scene.table,
            KeyConditionExpression="customer = :c AND order_id > :o",
            ExpressionAttributeValues={":c": {"S": "lucia"}, ":o": {"N": "2"}},
            **options,
        )
        return [item["order_id"]["N"] for item in found["Items"]]

    assert orders() == ["9", "10", "100"]
    assert orders(ScanIndexForward=False) == ["100", "10", "9"]
    assert orders(Limit=1) == ["9"]
    assert orders(ExclusiveStartKey=scene.item("lucia", 9)) == ["10", "100"]


def test_a_scan_keeps_its_order(scene: Scene) -> None:
    """By partition key, then by the number that the sort key is."""
    for customer, order in (("lucia", 10), ("eva", 2), ("lucia", 9), ("eva", 1)):
        scene.put(customer, order)
    found = scene.dynamodb.scan(TableName=scene.table)["Items"]

    assert found == [scene.item("eva", 1), scene.item("eva", 2), scene.item("lucia", 9), scene.item("lucia", 10)]


@pytest.mark.parametrize("amendment", ALL, ids=lambda amendment: amendment.__name__.rpartition(".")[2])
def test_self_test(scene: Scene, amendment: Any) -> None:
    """An amendment that is in force, twice over, still finds what it builds on."""
    amendment.install()
    amendment.self_test()
    scene.put()
    with pytest.raises(scene.dynamodb.exceptions.ConditionalCheckFailedException):
        scene.put()
