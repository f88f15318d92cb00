"""Imports and makes once, in the nursery, what every submission would otherwise import and make for itself.

It starts no thread, opens no socket and leaves no client or cloud behind: what is forked from it must be as good as new. May
change how botocore's sessions share what they read (`sessions`).
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from autograder import pages, sessions
from autograder.imports import light
from bentocola.cloud.imports import collector_at_rest
from bentocola.messages import both

__all__ = ["EXTRA", "warm", "warm_extra"]

_MODULES = (
    "ipykernel.zmqshell",
    "IPython.core.completer",
    "IPython.core.magics.execution",
    "IPython.core.magics.script",
    "IPython.core.ultratb",
    "asyncio",
    "comm",
    "concurrent.futures",
    "multiprocessing.popen_fork",
    "nbclient",
    "nbformat.v4",
    "boto3.s3.inject",
    "boto3.s3.transfer",
    "boto3.dynamodb.transform",
    "boto3.resources.factory",
    "bentocola",
    "bentocola.checks",
    "bentocola.checks.explore",
    # What the first check would wait for.
    "hypothesis.strategies",
    "bentocola.cloud.cloud",
    "autograder.candidate",
    "autograder.examiner",
    "autograder.intake",
    "autograder.invigilator",
    "autograder.paper",
    "autograder.aws.candidate",
    "autograder.aws.examiner",
    "autograder.jail",
    "autograder.sitting.day",
)
_SERVICES = {
    "s3": "list_buckets",
    "sqs": "list_queues",
    "dynamodb": "list_tables",
    "lambda": "list_functions",
    "sts": "get_caller_identity",
}
_FAKE = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}

EXTRA = frozenset({"matplotlib", "matplotlib.pyplot", "numpy", "pandas", "scipy", "sympy"})
"""Slow packages that other courses use: imported beforehand if the source imports them and they are installed."""


def warm() -> None:
    """Import and make everything.

    Raises RuntimeError if something that was imported started a thread, for a fork would lose it.
    """
    environ = dict(os.environ)
    gc.disable()
    try:
        with light():
            for module in _MODULES:
                importlib.import_module(module)
        gc.freeze()  # what was imported stays: the collection below need not look through it
        sessions.share()
        _call_each_service()
        sessions.share_names()
        gc.collect()  # what was read in between makes room for what comes
        _make_what_all_share()
    finally:
        os.environ.clear()
        os.environ.update(environ)
        gc.enable()
    _settle()
    if threading.active_count() != 1:
        names = ", ".join(thread.name for thread in threading.enumerate())
        raise RuntimeError(f"The nursery must have one thread to fork from, and has {names}.")


def warm_extra(modules: Iterable[str]) -> None:
    """Import those of the source's `modules` that are in `EXTRA` and installed, and warm the local cloud up if it is one of them.

    Where a course uses moto alone no cloud has been started: it would mend moto for good, and the course means moto as it is.
    """
    modules = set(modules)
    for module in sorted(EXTRA.intersection(modules)):
        # A package that fails here fails in the cell that asks for it, where it belongs.
        with suppress(Exception):
            importlib.import_module(module)
    if any(module.partition(".")[0] == "bentocola" for module in modules):
        environ = dict(os.environ)
        try:
            _call_the_local_cloud()
        finally:
            os.environ.clear()
            os.environ.update(environ)
    _settle()


def _settle() -> None:
    """Lay down what there is, to be shared: else the collector of each child would touch, and so copy, every page."""
    gc.freeze()
    with collector_at_rest():
        pass  # it sees here, once for all that are forked, that there is something frozen
    gc.set_threshold(
        10_000, 20, 20
    )  # a submission is over soon; the default looks through its young objects sixty times
    pages.gather()


def _make_what_all_share() -> None:
    """Make the shell that rooms adopt, what their jails show, the checker of notebooks, and the catalogues of messages."""
    import nbformat

    from autograder import jail, shell

    first = shell.warm()
    assert first.display_formatter is not None
    first.display_formatter.format(0)  # type: ignore[no-untyped-call]
    _show_an_error(first)
    jail.prepare()
    nbformat.validate({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    both("Not accepted")


def _show_an_error(shell: Any) -> None:
    """Have IPython lay out a traceback: the first one costs eight times as much as those after it."""
    try:
        raise LookupError
    except LookupError:
        shell.InteractiveTB.structured_traceback(*sys.exc_info())


def _call_each_service() -> None:
    """Make a client of each service and call it, under moto alone, so that all is imported and made."""
    import boto3
    from moto import mock_aws

    os.environ.update(_FAKE)
    with mock_aws():
        _call_all()
    boto3.DEFAULT_SESSION = None


def _call_the_local_cloud() -> None:
    """The same, in a local cloud."""
    import boto3

    import bentocola

    cloud = bentocola.start("es")
    try:
        _call_all()
    finally:
        cloud.stop()
    boto3.DEFAULT_SESSION = None


def _call_all() -> None:
    import boto3

    for service, operation in _SERVICES.items():
        getattr(boto3.client(service), operation)()
    s3, sqs, dynamodb = boto3.client("s3"), boto3.client("sqs"), boto3.resource("dynamodb")
    boto3.resource("s3"), boto3.resource("sqs")
    _use(s3, sqs, dynamodb)


def _use(s3: Any, sqs: Any, dynamodb: Any) -> None:
    """Do what most notebooks do: the first call of an operation costs several times as much as those after it."""
    s3.create_bucket(Bucket="warm-bucket")
    s3.put_object(Bucket="warm-bucket", Key="a", Body=b"a")
    s3.get_object(Bucket="warm-bucket", Key="a")["Body"].read()
    s3.list_objects_v2(Bucket="warm-bucket")
    queue = sqs.create_queue(QueueName="warm-queue")["QueueUrl"]
    sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["All"])
    sqs.send_message(QueueUrl=queue, MessageBody="{}")
    sqs.send_message_batch(QueueUrl=queue, Entries=[{"Id": "1", "MessageBody": "{}"}])
    for message in sqs.receive_message(QueueUrl=queue).get("Messages", ()):
        sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
    table = dynamodb.create_table(
        TableName="warm-table",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    for _ in range(2):  # the second time it is refused, which is laid out and raised as an error
        with suppress(Exception):
            table.put_item(Item={"id": "1"}, ConditionExpression="attribute_not_exists(id)")
    table.get_item(Key={"id": "1"})
    table.update_item(
        Key={"id": "1"},
        UpdateExpression="SET #n = :n",
        ExpressionAttributeNames={"#n": "n"},
        ExpressionAttributeValues={":n": 1},
    )
    table.query(KeyConditionExpression="id = :id", ExpressionAttributeValues={":id": "1"})
    table.scan()
