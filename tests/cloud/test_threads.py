"""Several threads at once: the door lets one call through at a time."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.trace import TraceData
from tests.cloud.folding import folded
from tests.cloud.form import faults
from tests.cloud.scene import Scene

THREADS = 8


@pytest.fixture(autouse=True)
def _switching_fast() -> Iterator[None]:
    """Let Python change threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(act: Callable[[int], None]) -> None:
    """Run `act` in eight threads that begin at once, wait for the end of all, and raise what one of them raised."""
    barrier = threading.Barrier(THREADS)

    def run(number: int) -> None:
        barrier.wait()
        act(number)

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(run, range(THREADS)))


def test_conditional_writes_have_one_winner(scene: Scene) -> None:
    """Of eight conditional writes to one key one is accepted, each time."""
    winners: dict[int, list[int]] = {order_id: [] for order_id in range(40)}

    def write(number: int) -> None:
        for order_id, accepted in winners.items():
            with contextlib.suppress(
                ClientError
            ):  # botocore makes `client.exceptions` at its first use, without a lock
                scene.put("lucia", order_id)
                accepted.append(number)

    together(write)

    assert [len(accepted) for accepted in winners.values()] == [1] * len(winners)


def test_winner_is_told(scene: Scene) -> None:
    """The table holds the winner's item, the others are refused, and the trace says so."""
    accepted, refused = [], []

    def write(number: int) -> None:
        try:
            scene.put(writer=str(number))
        except ClientError as error:
            refused.append(error.response["Error"]["Code"])
        else:
            accepted.append(str(number))

    together(write)
    decisions = [step["decision"] for step in scene.steps("write")]
    (item,) = scene.dynamodb.scan(TableName=scene.table)["Items"]

    assert accepted == [item["writer"]["S"]]
    assert refused == ["ConditionalCheckFailedException"] * (THREADS - 1)
    assert [decision["result"] for decision in decisions] == ["accepted"] + ["refused"] * (THREADS - 1)
    assert {decision["after"]["writer"] for decision in decisions if decision["after"]} == set(accepted)


def test_counter_loses_nothing(scene: Scene) -> None:
    """Each of many ADD updates counts."""

    def count(number: int) -> None:
        for _ in range(10):
            scene.dynamodb.update_item(
                TableName=scene.table,
                Key=scene.item(),
                UpdateExpression="ADD seen :one",
                ExpressionAttributeValues={":one": {"N": "1"}},
            )

    together(count)
    (item,) = scene.dynamodb.scan(TableName=scene.table)["Items"]

    assert item["seen"] == {"N": str(10 * THREADS)}


def test_message_is_received_once(scene: Scene) -> None:
    """While a message is hidden nobody else gets it: eight consumers share what is there."""
    received: list[str] = []
    scene.send(*(str(number) for number in range(40)))

    def consume(number: int) -> None:
        while messages := scene.receive(MaxNumberOfMessages=2):
            received.extend(message["Body"] for message in messages)

    together(consume)

    assert sorted(received, key=int) == [str(number) for number in range(40)]


def test_trace_of_several_threads_has_its_form(scene: Scene) -> None:
    """The steps are numbered one by one, and each one's old state is what the one before left."""

    def act(number: int) -> None:
        scene.upload(f"{number}.json")
        scene.put("lucia", number)
        scene.send(str(number))

    together(act)
    data = scene.cloud.trace.data()
    state = folded(data)

    assert list(faults(data, TraceData)) == []
    assert [step["n"] for step in data["steps"]] == list(range(1, len(data["steps"]) + 1))
    assert len(data["steps"]) == THREADS * 5
    assert state["s3.objects"] == state["ddb.items"] == THREADS
