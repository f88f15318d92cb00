"""Is the installation sound? A few checks, one line each, for the start notebook. They use the local cloud as a student would."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import version

import boto3

from bentocola.cloud.cloud import TESTED_MOTO, Cloud
from bentocola.shop import Shop

__all__ = ["selfcheck"]


def selfcheck(cloud: Cloud) -> None:
    """Print ✓ or ✗ for each check, with what to do where one does not hold. It uses resources of its own."""
    results = [_line(cloud, text, check) for text, check in _checks(cloud)]
    if all(results):
        print(cloud.say("Everything is ready."))


def _checks(cloud: Cloud) -> list[tuple[str, Callable[[], bool]]]:
    shop = Shop(cloud)
    python = ("Python 3.11 or 3.12 runs the notebook.", lambda: (3, 11) <= sys.version_info[:2] <= (3, 12))
    return [
        *([] if _is_in_a_page() else [python]),  # a page brings the Python that it was made with
        (
            "The local cloud has the version of moto that the course was tested with.",
            # What follows a "+" is the mark of one that was cut to what a page needs.
            lambda: version("moto").partition("+")[0] == TESTED_MOTO,
        ),
        ("An upload reaches the queue.", lambda: _upload_arrives(shop)),
        ("The table keeps an item, and refuses it the second time.", lambda: _second_write_is_refused(shop)),
        ("No call leaves this machine.", _nothing_leaves),
    ]


def _line(cloud: Cloud, text: str, check: Callable[[], bool]) -> bool:
    try:
        held = check()
    except Exception as error:  # an installation can be broken in any way; the line says which
        print(f"✗ {cloud.say(text)} ({type(error).__name__}: {error})")
        held = False
    else:
        print(f"{'✓' if held else '✗'} {cloud.say(text)}")
    if not held and _is_in_a_page():
        print(f"  {cloud.say('Load this page again, and run its cells from the first one.')}")
    elif not held:
        advice = cloud.say(
            'Close the course, delete .venv in its folder and run "make lab"; with conda, make the environment anew. '
            "Then run this cell again."
        )
        print(f"  {advice}")
    return held


def _is_in_a_page() -> bool:
    return sys.platform == "emscripten"


def _upload_arrives(shop: Shop) -> bool:
    queue_url = shop.new_queue()
    shop.connect(queue_url)
    boto3.client("s3").put_object(Bucket=shop.bucket, Key=shop.names.first_key, Body=b"{}")
    messages = boto3.client("sqs").receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)["Messages"]
    return any("Records" in json.loads(message["Body"]) for message in messages)


def _second_write_is_refused(shop: Shop) -> bool:
    dynamodb, orders = boto3.client("dynamodb"), shop.new_table()
    first = shop.item(shop.names.customers[0], 3)
    write = {"TableName": orders, "Item": first, "ConditionExpression": "attribute_not_exists(customer)"}
    dynamodb.put_item(**write)
    try:
        dynamodb.put_item(**write)
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return shop.items(orders) == [first]
    return False


def _nothing_leaves() -> bool:
    """A service that the local cloud does not have must be refused here, not sent on."""
    from botocore.exceptions import ClientError

    try:
        boto3.client("sns").list_topics()
    except ClientError as error:
        return bool(error.response["Error"]["Code"] == "ServiceNotOffered")
    return False
