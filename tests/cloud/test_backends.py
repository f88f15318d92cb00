"""A cloud that runs for long does not grow with what it has done, only with what it holds."""

from __future__ import annotations

import gc

import pytest
from moto.core.base_backend import BackendDict
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.dynamo_type import Item
from moto.sqs.models import Message

from bentocola.cloud.amendments import backends, sqs_line
from tests.cloud.scene import Scene


def alive(kind: type) -> int:
    """Count the instances that something still holds."""
    gc.collect()
    return sum(type(one) is kind for one in gc.get_objects())


def test_overwritten_items_are_forgotten(scene: Scene) -> None:
    """A hundred writes of one item leave one item; plain moto keeps them all."""
    before = alive(Item)
    for number in range(100):
        scene.put(condition=None, note=str(number))

    assert alive(Item) - before == 1


def test_deleted_messages_are_forgotten(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many messages were received and deleted, only the last few are still remembered."""
    monkeypatch.setattr(sqs_line, "_UNTIDY", 20)
    before = alive(Message)
    for round_number in range(20):
        entries = [{"Id": str(n), "MessageBody": f"{round_number} {n}"} for n in range(10)]
        scene.sqs.send_message_batch(QueueUrl=scene.queue, Entries=entries)
        received = scene.receive()
        scene.sqs.delete_message_batch(
            QueueUrl=scene.queue,
            Entries=[{"Id": str(n), "ReceiptHandle": m["ReceiptHandle"]} for n, m in enumerate(received)],
        )

    assert alive(Message) - before <= 2 * 20


def test_account_is_found_at_once(scene: Scene) -> None:
    """An account that is there is not looked for under moto's lock, and a new one is still made."""
    found = dynamodb_backends["123456789012"]

    assert BackendDict.__getitem__ is backends._getitem
    assert dynamodb_backends["123456789012"] is found
    assert dynamodb_backends["210987654321"] is not found
