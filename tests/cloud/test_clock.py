"""The course's clock: it moves the mocked services and nothing else, and nobody waits for it."""

from __future__ import annotations

import _datetime
import datetime
import time
import types
from typing import Any

import pytest

import bentocola
from bentocola.cloud import clock as clock_module
from bentocola.cloud.clock import CALL_SECONDS, Clock
from bentocola.cloud.cloud import Cloud
from bentocola.errors import CourseError, SecondsError
from tests.cloud.scene import Scene

START = datetime.datetime(2030, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)


def counts(scene: Scene) -> tuple[int, int]:
    """Return how many messages are visible, and how many in flight."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    attributes = scene.sqs.get_queue_attributes(QueueUrl=scene.queue, AttributeNames=names)["Attributes"]
    return int(attributes[names[0]]), int(attributes[names[1]])


# The clock by itself


def test_starts_where_it_is_told() -> None:
    """A clock may start at any aware time."""
    assert Clock(START).now() == START


def test_starts_at_the_present_cut_to_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default it starts at the present, without a fraction of a second."""

    class Frozen(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
            return START.replace(microsecond=678_901)

    monkeypatch.setattr(clock_module._datetime, "datetime", Frozen)

    assert Clock().now() == START


@pytest.mark.parametrize("seconds", [0, 1, 30, 0.5, 0.001, 10**9])
def test_advance_moves_it(seconds: float) -> None:
    """`advance` moves it by that many seconds, whole or not."""
    clock = Clock(START)
    clock.advance(seconds)

    assert clock.now() == START + datetime.timedelta(seconds=seconds)
    assert clock.elapsed_ms() == round(seconds * 1000)


def test_stands_still_otherwise() -> None:
    """Nothing else moves it."""
    clock = Clock(START)

    assert [clock.now() for _ in range(3)] == [START] * 3


def test_listeners_hear_of_each_move() -> None:
    """Whoever asked is told how far it moved; a call's own time is not worth telling."""
    clock, heard = Clock(START), []
    clock.on_advance(heard.append)
    clock.advance(30)
    clock.tick()
    clock.advance(0.5)

    assert heard == [30, 0.5]


NO_SECONDS = [-1, -0.001, float("nan"), float("inf"), float("-inf"), 1e30, 10**400, True, False, "30", None, [30], 3j]


@pytest.mark.parametrize("seconds", NO_SECONDS, ids=lambda value: repr(value)[:12])
def test_refuses_what_is_no_number_of_seconds(cloud: Cloud, seconds: Any) -> None:
    """One sentence in the cloud's language says what it takes and what came; the time stays."""
    before = cloud.clock.now()
    with pytest.raises(SecondsError) as refusal:
        cloud.clock.advance(seconds)

    assert str(refusal.value) == f"advance() espera un número de segundos, 0 o más. Recibió {seconds!r}."
    assert isinstance(refusal.value, CourseError)
    assert isinstance(refusal.value, ValueError)
    assert cloud.clock.now() == before
    assert len(cloud.trace) == 0


def test_refusal_in_japanese() -> None:
    """In the Japanese edition the sentence is Japanese."""
    cloud = bentocola.start("ja")
    try:
        with pytest.raises(SecondsError, match=r"^advance\(\)に渡せるのは0以上の秒数です。渡した値は-1です。$"):
            cloud.clock.advance(-1)
    finally:
        cloud.stop()


def test_refusal_of_a_clock_without_a_cloud() -> None:
    """A clock that knows no language says it in both."""
    with pytest.raises(SecondsError) as refusal:
        Clock(START).advance(-1)

    assert [line[:9] for line in str(refusal.value).splitlines()] == ["advance()", "advance()"]


# The services on it


def test_call_takes_a_moment(scene: Scene) -> None:
    """Each call takes a thousandth of a second of the course's time, so that no two are at once."""
    before = scene.cloud.clock.now()
    scene.send("a", "b")

    assert scene.cloud.clock.now() - before == 2 * datetime.timedelta(seconds=CALL_SECONDS)


@pytest.mark.parametrize("timeout", [1, 30, 43_200])
def test_hidden_message_is_visible_exactly_at_its_timeout(scene: Scene, timeout: int) -> None:
    """Not a thousandth of a second before the visibility timeout ends, and at once when it has."""
    scene.send("a")
    (message,) = scene.receive(VisibilityTimeout=timeout)
    scene.cloud.clock.advance(timeout - 2 * CALL_SECONDS)

    assert scene.receive() == []

    scene.cloud.clock.advance(0)
    (again,) = scene.receive()

    assert again["MessageId"] == message["MessageId"]
    assert again["ReceiptHandle"] != message["ReceiptHandle"]


@pytest.mark.parametrize("second", range(0, 60, 7))
def test_timeout_is_exact_whatever_the_time(scene: Scene, second: int) -> None:
    """What a float makes of the time does not decide: after `advance(30)` the message is back, told in the trace."""
    scene.cloud.clock.advance(second + 0.123 * second)
    scene.send("a")
    scene.receive(VisibilityTimeout=30)
    scene.cloud.clock.advance(30)

    assert [step["kind"] for step in scene.steps()[-2:]] == ["clock", "timeout"]
    assert counts(scene) == (1, 0)


def test_moto_alone_hides_for_longer(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the amendment a message is still hidden at the moment at which its timeout ends."""
    from moto.core.utils import unix_time_millis
    from moto.sqs.models import Message

    monkeypatch.setattr(Message, "visible", property(lambda message: unix_time_millis() > message.visible_at))
    message = Message("id", "body")
    message.visible_at = unix_time_millis()

    assert message.visible is False


def test_timeout_of_the_queue_is_thirty_seconds(scene: Scene) -> None:
    """A queue without a timeout of its own hides for AWS's thirty seconds."""
    scene.send("a")
    scene.receive()
    scene.cloud.clock.advance(29)

    assert counts(scene) == (0, 1)

    scene.cloud.clock.advance(1)

    assert counts(scene) == (1, 0)


def test_changed_timeout_counts_from_the_change(scene: Scene) -> None:
    """ChangeMessageVisibility begins anew; zero makes the message visible at once."""
    scene.send("a")
    (message,) = scene.receive()
    name = {"QueueUrl": scene.queue, "ReceiptHandle": message["ReceiptHandle"]}
    scene.cloud.clock.advance(20)
    scene.sqs.change_message_visibility(**name, VisibilityTimeout=60)
    scene.cloud.clock.advance(59)

    assert counts(scene) == (0, 1)

    scene.sqs.change_message_visibility(**name, VisibilityTimeout=0)

    assert counts(scene) == (1, 0)


def test_delayed_message(scene: Scene) -> None:
    """A delayed message comes exactly when its delay is over."""
    scene.sqs.send_message(QueueUrl=scene.queue, MessageBody="a", DelaySeconds=10)
    scene.cloud.clock.advance(10 - 2 * CALL_SECONDS)

    assert scene.receive() == []
    assert [message["Body"] for message in scene.receive()] == ["a"]


@pytest.mark.parametrize("wait", [1, 5, 20])
def test_long_poll_of_an_empty_queue_moves_the_clock(scene: Scene, wait: int) -> None:
    """A long poll of an empty queue takes its whole wait of the course's time, and none of ours."""
    before = scene.cloud.clock.elapsed_ms()

    assert scene.receive(WaitTimeSeconds=wait) == []
    assert scene.cloud.clock.elapsed_ms() - before == wait * 1000 + 1
    assert [(step["kind"], step["set"]) for step in scene.steps("clock")] == [
        ("clock", [("clock.seconds", None, wait)])
    ]


def test_long_poll_of_the_queue(scene: Scene) -> None:
    """A queue may wait by itself: ReceiveMessageWaitTimeSeconds."""
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"ReceiveMessageWaitTimeSeconds": "3"})
    before = scene.cloud.clock.elapsed_ms()
    scene.receive()

    assert scene.cloud.clock.elapsed_ms() - before == 3001


def test_long_poll_does_not_wait_for_what_is_there(scene: Scene) -> None:
    """Where a message is visible, a long poll is as quick as any other call."""
    scene.send("a")
    before = scene.cloud.clock.elapsed_ms()

    assert len(scene.receive(WaitTimeSeconds=20)) == 1
    assert scene.cloud.clock.elapsed_ms() - before == 1


def test_long_poll_returns_what_becomes_visible_meanwhile(scene: Scene) -> None:
    """A hidden message that comes back during the wait ends it."""
    scene.send("a")
    scene.receive(VisibilityTimeout=5)
    before = scene.cloud.clock.elapsed_ms()

    assert [message["Body"] for message in scene.receive(WaitTimeSeconds=20)] == ["a"]
    assert scene.cloud.clock.elapsed_ms() - before == 5001


def test_timestamps_are_the_course_s(scene: Scene) -> None:
    """What a service stamps is the course's time: a message, an object, a table."""
    scene.cloud.clock.advance(10**8)
    scene.send("a")
    sent = round(scene.cloud.clock.now().timestamp() * 1000)
    scene.upload("a")
    modified = scene.cloud.clock.now()
    (message, _) = scene.receive(AttributeNames=["SentTimestamp"])
    head = scene.s3.head_object(Bucket=scene.bucket, Key="a")

    assert abs(int(message["Attributes"]["SentTimestamp"]) - sent) <= 1
    assert abs(head["LastModified"] - modified) <= datetime.timedelta(seconds=1)


def test_python_s_own_time_is_left_alone(scene: Scene) -> None:
    """The notebook's clock is not the course's: time, monotonic and datetime are still the interpreter's own."""
    scene.cloud.clock.advance(10**8)
    scene.receive(WaitTimeSeconds=20)
    own = (time.time, time.time_ns, time.monotonic, time.perf_counter, time.gmtime, time.localtime)

    assert [type(function) for function in own] == [types.BuiltinFunctionType] * len(own)
    assert datetime.datetime is _datetime.datetime
    assert type(vars(datetime.datetime)["now"]) is types.ClassMethodDescriptorType


def test_moto_has_its_own_time_back_after_a_stop() -> None:
    """A mock that is used after the local cloud's end reads the machine's time again, and receives as moto does."""
    import moto.core.utils
    from moto.sqs.models import SQSBackend

    before = moto.core.utils.datetime, SQSBackend.receive_message
    cloud = bentocola.start("es")
    assert (moto.core.utils.datetime, SQSBackend.receive_message) != before

    cloud.stop()
    assert (moto.core.utils.datetime, SQSBackend.receive_message) == before
