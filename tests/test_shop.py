"""The shop's tables and jobs, as lessons and test cells use them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import boto3
import pytest

import bentocola
from bentocola.cloud.cloud import running
from bentocola.cloud.names import EDITIONS
from bentocola.shop import Shop


@pytest.fixture(params=list(EDITIONS))
def shop(request: pytest.FixtureRequest) -> Iterator[Shop]:
    """The shop in a running cloud of each edition."""
    cloud = bentocola.start(request.param)
    yield Shop(cloud)
    cloud.stop()


def key_of(table: str) -> list[tuple[str, str, str]]:
    """Return name, kind and type of each attribute of a table's key."""
    described = boto3.client("dynamodb").describe_table(TableName=table)["Table"]
    types = {part["AttributeName"]: part["AttributeType"] for part in described["AttributeDefinitions"]}
    return [(part["AttributeName"], part["KeyType"], types[part["AttributeName"]]) for part in described["KeySchema"]]


def test_an_orders_table_has_customer_and_number_for_its_key(shop: Shop) -> None:
    """The shop's own table, and each further one."""
    expected = [("customer", "HASH", "S"), ("order_id", "RANGE", "N")]

    assert [key_of(shop.table), key_of(shop.new_table())] == [expected, expected]


def test_a_jobs_table_has_the_job_s_id_for_its_key(shop: Shop) -> None:
    """Its partition key is `id`, a text, and there is no sort key."""
    assert key_of(shop.new_jobs_table()) == [("id", "HASH", "S")]


def test_every_new_table_has_a_name_of_its_own(shop: Shop) -> None:
    """Of whichever kind it is, and whoever made the one before."""
    cloud = running()
    assert cloud is not None
    other = Shop(cloud)
    names = [shop.table, shop.new_table(), shop.new_jobs_table(), other.new_jobs_table(), other.new_table()]

    assert len(set(names)) == len(names)


def test_items_come_in_the_order_of_their_key(shop: Shop) -> None:
    """Orders by customer and number, jobs by their id, whatever else an item holds."""
    dynamodb = boto3.client("dynamodb")
    orders, jobs = shop.new_table(), shop.new_jobs_table()
    for customer, number in (("b", 3), ("a", 10), ("a", 9)):
        dynamodb.put_item(TableName=orders, Item={**shop.item(customer, number), "id": {"N": "0"}})
    for id in ("order-3", "order-10", "a"):
        dynamodb.put_item(TableName=jobs, Item={"id": {"S": id}, "customer": {"S": "b"}})

    assert [item["order_id"]["N"] for item in shop.items(orders)] == ["9", "10", "3"]
    assert [item["id"]["S"] for item in shop.items(jobs)] == ["a", "order-10", "order-3"]


@pytest.mark.parametrize(("id", "quantity"), [("order-3", 4), ("", 11), (7, "4"), (None, True), ("注文7", 4.0)])
def test_a_job_is_json_text_with_what_it_was_given(shop: Shop, id: object, quantity: object) -> None:
    """A bad one too: a test has to send those."""
    read = json.loads(shop.job(id, quantity))

    assert read == {"id": id, "quantity": quantity}
    assert type(read["quantity"]) is type(quantity)


def test_results_are_read_from_what_was_printed(shop: Shop) -> None:
    """One for each RESULT line, in order; a line that holds no JSON comes as it stands, and other lines do not."""
    printed = 'EVENT {}\nRESULT {"id": "a", "processed": true}\nnot a RESULT\nRESULT {\'id\': \'b\'}\nRESULT\n'

    assert shop.results(printed) == [{"id": "a", "processed": True}, "RESULT {'id': 'b'}", "RESULT"]
