"""What a poller and the queue of asynchronous events do, by what AWS documents; runs are played by the tests.

https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html, .../services-sqs-errorhandling.html, .../services-sqs-scaling.html
and .../invocation-async-error-handling.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from bentocola.cloud import cloud as cloud_module
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.functions import mappings
from tests.cloud.played import Played
from tests.cloud.test_pipeline import Pipeline

REPORTS = ["ReportBatchItemFailures"]


class Scene(Pipeline):
    """The scene of the pipeline, whose runs are played."""

    def __init__(self, cloud: Cloud, played: Played) -> None:
        super().__init__(cloud)
        self.played = played
        self.deploy("def handler(event, context): pass")

    def bodies(self) -> list[list[str]]:
        """Return the bodies that each run got."""
        return [[record["body"] for record in event["Records"]] for event in self.played.events]

    def fail(self, *bodies: str) -> None:
        """Let the function name these messages as failed."""
        self.played.handler = lambda event: {
            "batchItemFailures": [
                {"itemIdentifier": record["messageId"]} for record in event["Records"] if record["body"] in bodies
            ]
        }

    def fifo(self, *bodies: str) -> str:
        """Make a FIFO queue for the mapping, send it messages of one group, and return its URL."""
        queue = self.new_queue("cola.fifo", FifoQueue="true", ContentBasedDeduplication="true")
        self.queue_arn = "arn:aws:sqs:us-east-1:123456789012:cola.fifo"
        for body in bodies:
            self.sqs.send_message(QueueUrl=queue, MessageBody=body, MessageGroupId=body[0])
        return queue

    def event(self) -> None:
        """Invoke the function asynchronously."""
        answer = self.lambda_.invoke(FunctionName="worker", InvocationType="Event", Payload=b"{}")

        assert answer["StatusCode"] == 202

    def runs_after(self, *moves: float) -> list[int]:
        """Move the clock, and return how many runs there were after each move."""
        counted = []
        for seconds in moves:
            self.cloud.clock.advance(seconds)
            self.cloud.settle()
            counted.append(len(self.played.events))
        return counted


@pytest.fixture
def scene(home: object) -> Iterator[Scene]:
    """A still Spanish cloud."""
    played = Played()
    cloud = cloud_module.start("es", runtime=played)
    yield Scene(cloud, played)
    cloud.stop()


# Batches


@pytest.mark.parametrize("text", ["x", "ñ", "注", "🍱"])
def test_six_megabytes_are_bytes_of_the_event(scene: Scene, text: str) -> None:
    """A batch is as large as the event may be, whatever script the messages are in."""
    scene.map()
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"MaximumMessageSize": "1048576"})
    size = 1_000_000 // len(text.encode())
    scene.send(*[text * size] * 8)
    scene.cloud.settle()

    assert [len(bodies) for bodies in scene.bodies()] == [6, 2]


def test_largest_message_that_json_makes_larger(scene: Scene) -> None:
    """A message of quotes only is twice as long in the event: fewer fit, and each comes through."""
    scene.map()
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"MaximumMessageSize": "1048576"})
    scene.send(*['"' * 1_048_576] * 4)
    scene.cloud.settle()

    assert [len(bodies) for bodies in scene.bodies()] == [2, 2]
    assert scene.cloud.trace.state("sqs.in_flight") == 0


def test_gathered_messages_outlast_a_throttled_receive(scene: Scene) -> None:
    """When a later receive is refused, what was gathered before is run when the window is over, and not lost for a while."""
    uuid = scene.map(BatchSize=100, MaximumBatchingWindowInSeconds=10)
    scene.send("a")
    scene.cloud.poll_once()
    scene.cloud.faults.throttle("sqs:ReceiveMessage", by="lambda", times=3)
    scene.cloud.poll_once()
    result = scene.lambda_.get_event_source_mapping(UUID=uuid)["LastProcessingResult"]
    scene.cloud.clock.advance(10)
    scene.cloud.settle()

    assert "RequestThrottled" in result
    assert scene.bodies() == [["a"]]
    assert [step["ids"]["delivery"] for step in scene.steps("deliver")] == [1]


def test_throttled_deletion_of_some(scene: Scene) -> None:
    """A batch of several deletions of which one is refused: only its messages come back, and the round says which."""
    scene.map(BatchSize=25, MaximumBatchingWindowInSeconds=1)
    scene.send(*map(str, range(25)))
    scene.cloud.faults.throttle("sqs:DeleteMessageBatch", on=2)
    (done,) = scene.cloud.poll_once()
    scene.cloud.clock.advance(30)

    assert (len(done.deleted), len(done.kept)) == (15, 10)
    assert sorted(int(message["Body"]) for message in scene.receive()) == list(range(10, 20))


def test_smaller_batch_size_holds_for_what_waits(scene: Scene) -> None:
    """What did not fit into a batch of the old size comes in batches of the new one."""
    uuid = scene.map()
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"MaximumMessageSize": "1048576"})
    scene.send(*["x" * 1_000_000] * 6, *["y" * 900_000] * 3)
    scene.cloud.poll_once()
    scene.lambda_.update_event_source_mapping(UUID=uuid, BatchSize=2)
    scene.cloud.clock.advance(1)
    scene.cloud.settle()
    scene.cloud.clock.advance(30)
    scene.cloud.settle()

    assert [len(bodies) for bodies in scene.bodies()] == [6, 2, 1]


def test_batch_of_a_mapping_that_is_being_deleted_is_left(scene: Scene) -> None:
    """Between the taking of a batch and its run the mapping is deleted: nothing runs, and the messages come back."""
    uuid = scene.map()
    scene.send("a")
    poller = scene.cloud._poller
    with scene.cloud.lock:
        scene.cloud.clock.advance(1)
        batch = poller.take(uuid)
    scene.lambda_.delete_event_source_mapping(UUID=uuid)

    assert batch is not None
    assert poller.process(uuid, batch) is None
    assert scene.played.events == []

    scene.cloud.clock.advance(30)

    assert [message["Body"] for message in scene.receive()] == ["a"]


# Partial responses of a FIFO queue


def test_reported_failure_of_a_group_holds_the_later_ones_back(scene: Scene) -> None:
    """In a FIFO queue a failed message that was reported keeps its group waiting; other groups go on."""
    scene.fifo("a1", "b1")
    scene.map(BatchSize=10, FunctionResponseTypes=REPORTS)
    scene.fail("a1")
    scene.cloud.settle()
    for body in ("a2", "b2"):
        scene.sqs.send_message(
            QueueUrl="https://sqs.us-east-1.amazonaws.com/123456789012/cola.fifo",
            MessageBody=body,
            MessageGroupId=body[0],
        )
    scene.cloud.settle()
    scene.fail()
    scene.cloud.clock.advance(30)
    scene.cloud.settle()

    assert scene.bodies() == [["a1", "b1"], ["b2"], ["a1", "a2"]]


def test_who_reports_one_of_a_group_loses_its_order(scene: Scene) -> None:
    """Lambda does not think for the function: later messages of the group in the same batch, if not reported, are deleted.

    "Your function should stop processing messages after the first failure and return all failed and unprocessed messages."
    """
    scene.fifo("a1", "a2", "a3")
    scene.map(BatchSize=10, FunctionResponseTypes=REPORTS)
    scene.fail("a2")
    (done,) = scene.cloud.settle()
    scene.fail()
    scene.cloud.clock.advance(30)
    scene.cloud.settle()

    assert (len(done.deleted), len(done.kept)) == (2, 1)
    assert scene.bodies() == [["a1", "a2", "a3"], ["a2"]]


# Reserved concurrency


def test_function_with_one_reserved_run_cannot_call_itself(scene: Scene) -> None:
    """A run counts until it ends: with a reserved concurrency of one, a function that invokes itself is throttled."""
    scene.lambda_.put_function_concurrency(FunctionName="worker", ReservedConcurrentExecutions=1)
    once = boto3.client("lambda", config=Config(retries={"total_max_attempts": 1}))

    def handler(event: Any) -> Any:
        try:
            once.invoke(FunctionName="worker")
        except ClientError as error:
            return error.response["Error"]["Code"]

    scene.played.handler = handler
    codes = [json.loads(once.invoke(FunctionName="worker")["Payload"].read()) for _ in range(2)]

    assert codes == ["TooManyRequestsException"] * 2


# Asynchronous events


def test_throttled_event_is_tried_again_ever_later(scene: Scene) -> None:
    """A throttled event goes back to its queue: after 1 s, then 2, 4 and so on; it counts as no attempt."""
    scene.lambda_.put_function_concurrency(FunctionName="worker", ReservedConcurrentExecutions=0)
    scene.event()
    before = scene.runs_after(0, 1, 2, 4)
    scene.lambda_.delete_function_concurrency(FunctionName="worker")
    scene.played.handler = lambda event: 1 / 0

    assert before == [0, 0, 0, 0]
    assert scene.runs_after(7, 2, 59, 2, 120) == [0, 1, 1, 2, 3]


def test_throttled_event_is_dropped_after_six_hours(scene: Scene) -> None:
    """What waited for longer than the maximum age is never run."""
    scene.lambda_.put_function_concurrency(FunctionName="worker", ReservedConcurrentExecutions=0)
    scene.event()
    for _ in range(80):
        scene.runs_after(300)
    scene.lambda_.delete_function_concurrency(FunctionName="worker")

    assert scene.runs_after(3600) == [0]


@pytest.mark.parametrize(("attempts", "runs"), [(0, [1, 1, 1]), (1, [1, 2, 2]), (2, [1, 2, 3])])
def test_maximum_retry_attempts(scene: Scene, attempts: int, runs: list[int]) -> None:
    """A failing event is tried again as often as the function's setting says."""
    scene.lambda_.put_function_event_invoke_config(FunctionName="worker", MaximumRetryAttempts=attempts)
    scene.played.handler = lambda event: 1 / 0
    scene.event()

    assert scene.runs_after(0, 60, 120) == runs


def test_maximum_event_age(scene: Scene) -> None:
    """An event that is older than the function's setting is dropped instead of being tried again."""
    scene.lambda_.put_function_event_invoke_config(FunctionName="worker", MaximumEventAgeInSeconds=100)
    scene.played.handler = lambda event: 1 / 0
    scene.event()

    assert scene.runs_after(0, 60, 120) == [1, 2, 2]


def test_settings_are_those_of_the_alias_that_was_invoked(scene: Scene) -> None:
    """An alias has settings of its own for asynchronous events."""
    scene.lambda_.publish_version(FunctionName="worker")
    scene.lambda_.create_alias(FunctionName="worker", Name="vivo", FunctionVersion="1")
    scene.lambda_.put_function_event_invoke_config(FunctionName="worker", Qualifier="vivo", MaximumRetryAttempts=0)
    scene.played.handler = lambda event: 1 / 0
    scene.lambda_.invoke(FunctionName="worker", Qualifier="vivo", InvocationType="Event")

    assert scene.runs_after(0, 60, 120) == [1, 1, 1]


def test_function_is_deleted_while_its_event_waits(scene: Scene) -> None:
    """An event whose function is gone when its time comes is dropped; nothing fails."""
    scene.played.handler = lambda event: 1 / 0
    scene.event()
    scene.runs_after(0)
    scene.event()
    scene.lambda_.delete_function(FunctionName="worker")

    assert scene.runs_after(0, 60, 120) == [1, 1, 1]


def test_code_that_cannot_be_unpacked_when_it_runs(scene: Scene) -> None:
    """A package that turns out to be broken when a run begins is refused in Lambda's way, not by a crash."""
    from bentocola.cloud.functions.package import PackageError

    def fail(*args: Any, **options: Any) -> Any:
        raise PackageError("Could not unzip uploaded file. Please check your file, then try to upload again.")

    scene.played.run = fail  # type: ignore[method-assign]
    with pytest.raises(ClientError) as refusal:
        boto3.client("lambda", config=Config(retries={"total_max_attempts": 1})).invoke(FunctionName="worker")
    uuid = scene.map()
    scene.send("a")
    scene.event()
    scene.cloud.settle()

    assert refusal.value.response["Error"]["Code"] == "InvalidZipFileException"
    assert "InvalidZipFileException" in scene.lambda_.get_event_source_mapping(UUID=uuid)["LastProcessingResult"]


def test_limits() -> None:
    """The numbers that AWS documents."""
    assert (mappings.LONGEST_EVENT, mappings.CONCURRENCY) == (6_291_456, 5)
