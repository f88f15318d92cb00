"""Bounds of what a candidate asks of the cloud: bytes, time, the size of an answer, nesting; and the alarm behind the time."""

from __future__ import annotations

import signal
import threading

import boto3
import pytest
from moto import mock_aws

import bentocola
from autograder.aws.alarm import TookTooLongError, limited, unlimited
from autograder.aws.examiner import Hit
from tests.autograder.aws_rooms import Failed, Room, examiner, room

__all__ = ["examiner", "room"]
pytestmark = pytest.mark.usefixtures("examiner")
posix = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="SIGALRM")

KEYS = 'import boto3, os; os.environ.update(AWS_ACCESS_KEY_ID="k", AWS_SECRET_ACCESS_KEY="s", AWS_DEFAULT_REGION="us-east-1")\n'
ENDLESS = KEYS + (
    'logs = boto3.client("logs")\n'
    'logs.create_log_group(logGroupName="g"); logs.create_log_stream(logGroupName="g", logStreamName="s")\n'
    'event = {"timestamp": int(__import__("time").time() * 1000), "message": "a" * 400}\n'
    'logs.put_log_events(logGroupName="g", logStreamName="s", logEvents=[event])\n'
    'logs.filter_log_events(logGroupName="g", filterPattern="%a*a*a*a*a*a*a*a*a*b%")\n'
)


@posix
@pytest.mark.parametrize("live", [False, True])
def test_a_regular_expression_that_never_ends_is_stopped(room: Room, live: bool) -> None:
    """A filter pattern that Python's engine would search with for hours ends with a sentence, and the cloud goes on."""
    room.new(request_seconds=0.3)
    cloud = bentocola.start("es", live=live)
    with pytest.raises(Failed) as stopped:
        room.do(ENDLESS)
    assert "GradingLimit" in stopped.value.text
    assert "0.3" in stopped.value.text
    assert room.gate.take_hits() == [Hit("time", "logs:FilterLogEvents")]
    assert room.gate.take_hits() == []
    assert Hit("time", "logs:FilterLogEvents").detail == {"what": "time", "operation": "logs:FilterLogEvents"}
    # The door is open: nobody holds it for ever.
    opened = threading.Thread(target=boto3.client("sqs").list_queues)
    opened.start()
    opened.join(10)
    assert not opened.is_alive()
    assert "logGroups" in room.do("result = {'logGroups': len(logs.describe_log_groups()['logGroups'])}")
    cloud.stop()


@posix
def test_a_move_of_the_clock_without_end_is_stopped(room: Room) -> None:
    """The cloud's own operations have the same time: moving the clock on with something that falls due again and again."""
    room.new(request_seconds=0.3)
    cloud = bentocola.start("es")

    def again() -> None:
        cloud.clock.call_later(0.001, again)

    again()
    with pytest.raises(Failed) as stopped:
        room.do("import bentocola; cloud = bentocola.start('es'); cloud.clock.advance(100_000_000)")
    assert stopped.value.name == "CourseError"
    assert room.gate.take_hits() == [Hit("time", "cloud:advance")]


@pytest.mark.parametrize("kind", ["bentocola", "mock_aws"])
def test_all_that_is_sent_is_counted(room: Room, kind: str) -> None:
    """Once more than so many bytes were sent, nothing is taken any more; what was there is there."""
    room.new(cloud_bytes=1 << 20)
    if kind == "bentocola":
        bentocola.start("es")
    else:
        mock_aws().start()
    with pytest.raises(Failed) as refused:
        room.do(
            KEYS
            + """
s3 = boto3.client("s3")
s3.create_bucket(Bucket="bucket")
for number in range(100):
    s3.put_object(Bucket="bucket", Key=str(number), Body=b"x" * 100_000)
"""
        )
    assert "GradingLimit" in refused.value.text
    assert room.do("result = number") == 10
    assert room.gate.take_hits() == [Hit("bytes", "s3:PutObject")]
    assert boto3.client("s3").list_objects_v2(Bucket="bucket")["KeyCount"] == 10


@pytest.mark.parametrize("kind", ["bentocola", "mock_aws"])
def test_copies_inside_of_s3_are_counted(room: Room, kind: str) -> None:
    """An object that is copied again and again takes as much room as one that is sent again and again."""
    room.new(cloud_bytes=1 << 20)
    if kind == "bentocola":
        bentocola.start("es")
    else:
        mock_aws().start()
    with pytest.raises(Failed, match="GradingLimit"):
        room.do(
            KEYS
            + """
s3 = boto3.client("s3")
s3.create_bucket(Bucket="bucket")
s3.put_object(Bucket="bucket", Key="ñ 1", Body=b"x" * 100_000)
for number in range(100):
    s3.copy_object(Bucket="bucket", Key=str(number), CopySource={"Bucket": "bucket", "Key": "ñ 1"})
"""
        )
    assert room.do("result = number") == 9
    assert room.gate.take_hits() == [Hit("bytes", "s3:CopyObject")]


def test_parts_that_are_copied_are_counted_as_long_as_they_are(room: Room) -> None:
    """Of a part of an object, that part."""
    room.new(cloud_bytes=40 << 20)
    bentocola.start("es")
    told = room.do(
        KEYS
        + """
s3 = boto3.client("s3")
s3.create_bucket(Bucket="bucket")
s3.put_object(Bucket="bucket", Key="k", Body=b"x" * (15 << 20))
upload = s3.create_multipart_upload(Bucket="bucket", Key="copy")["UploadId"]
ask = {"Bucket": "bucket", "Key": "copy", "UploadId": upload, "CopySource": "bucket/k"}
parts = []
for number in range(3):
    first = number * (5 << 20)
    part = s3.upload_part_copy(PartNumber=number + 1, CopySourceRange=f"bytes={first}-{first + (5 << 20) - 1}", **ask)
    parts.append({"PartNumber": number + 1, "ETag": part["CopyPartResult"]["ETag"]})
s3.complete_multipart_upload(Bucket="bucket", Key="copy", UploadId=upload, MultipartUpload={"Parts": parts})
result = s3.head_object(Bucket="bucket", Key="copy")["ContentLength"]
"""
    )
    assert told == 15 << 20
    with pytest.raises(Failed, match="GradingLimit"):
        room.do("s3.copy_object(Bucket='bucket', Key='k2', CopySource='bucket/k')")


def test_a_body_that_is_too_long_to_cross_is_refused(room: Room) -> None:
    """It stays where it is; the candidate gets the sentence all the same, and the limit is noted."""
    room.new()
    bentocola.start("es")
    body = room.do(
        """
        from bentocola.cloud.door import Request
        class Long(bytes):
            def __len__(self):
                return 300 << 20
        result = connected.handle(Request("PUT", "https://bucket.s3.amazonaws.com/k", {}, Long())).body.decode()
        """
    )
    assert "<Code>GradingLimit</Code>" in body
    assert room.gate.take_hits() == [Hit("bytes", "s3:PutObject")]


def test_an_answer_that_is_too_long_is_not_sent(room: Room) -> None:
    """An object larger than a file may be, and a trace."""
    room.new(file_bytes=50_000)
    bentocola.start("es")
    s3 = boto3.client("s3")
    s3.create_bucket(Bucket="bucket")
    s3.put_object(Bucket="bucket", Key="k", Body=b"x" * 60_000)
    with pytest.raises(Failed, match="GradingLimit"):
        room.do(KEYS + "boto3.client('s3').get_object(Bucket='bucket', Key='k')['Body'].read()")
    for number in range(200):
        boto3.client("sqs").create_queue(QueueName=f"q{number}")
    with pytest.raises(Failed, match="CourseError"):
        room.do("import bentocola; bentocola.start('es').trace.steps")
    assert [hit.kind for hit in room.gate.take_hits()] == ["answer", "answer"]


@pytest.mark.parametrize("kind", ["bentocola", "mock_aws"])
@pytest.mark.parametrize(
    "body", [b'{"a":' * 100_000 + b"1" + b"}" * 100_000, b"[" * 200_000, b'{"Item":' + b'{"M":{"a":' * 50_000]
)
def test_deep_nesting_is_answered(room: Room, kind: str, body: bytes) -> None:
    """A body that is nested deeper than anything a service takes is an error of the request."""
    room.new()
    if kind == "bentocola":
        bentocola.start("es")
    else:
        mock_aws().start()
    shown = {
        "X-Amz-Target": "DynamoDB_20120810.PutItem",
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": "AWS4-HMAC-SHA256 Credential=k/20260101/us-east-1/dynamodb/aws4_request",
    }
    status = room.do(
        f"""
        from bentocola.cloud.door import Request
        body = bytes.fromhex({body.hex()!r})
        request = Request("POST", "https://dynamodb.us-east-1.amazonaws.com/", {shown}, body)
        result = connected.handle(request).status
        """
    )
    assert status == 400
    assert "QueueUrl" in room.do(KEYS + 'result = boto3.client("sqs").create_queue(QueueName="after")')


@posix
def test_the_alarm_stops_what_takes_too_long() -> None:
    """A search without end, and an `except Exception` around it; the process's own handler is as before."""
    import re

    before = signal.getsignal(signal.SIGALRM)

    def search() -> None:
        try:
            re.search("a*a*a*a*a*a*a*a*a*b", "a" * 400)
        except Exception:
            pytest.fail("It was caught.")

    with pytest.raises(TookTooLongError):
        limited(0.1, search)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert limited(5, lambda: 7) == 7
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@posix
def test_the_alarm_rings_again_where_it_was_caught() -> None:
    """Who catches everything is woken once more."""
    tries = []

    def stubborn() -> None:
        while len(tries) < 2:
            try:
                signal.pause()
            except BaseException:
                tries.append(1)
        signal.pause()

    with pytest.raises(TookTooLongError):
        limited(0.05, stubborn)
    assert len(tries) == 2


@posix
def test_an_earlier_timer_goes_on() -> None:
    """Whoever has set a timer of their own gets its signal: while ours runs, after it, and where it rings first."""
    rung = []
    former = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        limited(60, signal.pause)  # the earlier one is theirs
        assert rung == [1]
        signal.setitimer(signal.ITIMER_REAL, 1000)
        assert limited(60, lambda: signal.getitimer(signal.ITIMER_REAL)[0]) <= 60
        assert 990 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


@posix
def test_time_stands_still_while_somebody_else_is_waited_for() -> None:
    """Inside of `unlimited` nothing rings, and afterwards the rest of the time runs."""

    def waits() -> tuple[float, float]:
        inside = unlimited(lambda: signal.getitimer(signal.ITIMER_REAL)[0])
        return inside, signal.getitimer(signal.ITIMER_REAL)[0]

    inside, after = limited(60, waits)

    assert inside == 0
    assert 50 < after <= 60
    assert unlimited(lambda: 3) == 3


def test_another_thread_has_no_alarm() -> None:
    """Signals reach the main thread only; elsewhere the function just runs."""
    got = []
    thread = threading.Thread(target=lambda: got.append(limited(0.001, lambda: unlimited(lambda: 5))))
    thread.start()
    thread.join()

    assert got == [5]
