"""A locked cell runs twice, in the examiner and in the candidate, and what it does to the cloud happens once."""

from __future__ import annotations

import textwrap
from typing import Any

import boto3
import pytest

from bentocola.cloud.cloud import running
from tests.autograder.aws_rooms import Failed, Room, examiner, room

__all__ = ["examiner", "room"]
pytestmark = pytest.mark.usefixtures("examiner")

COURSE = """
import boto3, uuid, bentocola
from bentocola.shop import Shop
cloud = bentocola.start("es")
shop = Shop(cloud)
sqs, s3, dynamodb = boto3.client("sqs"), boto3.client("s3"), boto3.client("dynamodb")
name = uuid.uuid4().hex
url = sqs.create_queue(QueueName=name)["QueueUrl"]
sqs.send_message(QueueUrl=url, MessageBody="one")
s3.put_object(Bucket=shop.bucket, Key="k", Body=b"x" * 5000)
body = s3.get_object(Bucket=shop.bucket, Key="k")["Body"].read()
cloud.clock.advance(30)
cloud.faults.throttle("sqs:ListQueues")
done = cloud.poll_once(url, lambda event, context: dynamodb.list_tables()["TableNames"] and None)
rounds = cloud.settle()
message_id = sqs.send_message(QueueUrl=url, MessageBody="two")["MessageId"]
try:
    dynamodb.describe_table(TableName="nothing")
except dynamodb.exceptions.ResourceNotFoundException as error:
    refused = str(error)
"""
PLAIN = """
import boto3, os, uuid
os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")
from moto import mock_aws
mock = mock_aws(); mock.start()
s3, sqs, ddb = boto3.client("s3"), boto3.client("sqs"), boto3.resource("dynamodb")
s3.create_bucket(Bucket="pedidos")
s3.put_object(Bucket="pedidos", Key="k", Body=b"x" * 5000)
body = s3.get_object(Bucket="pedidos", Key="k")["Body"].read()
url = sqs.create_queue(QueueName=uuid.uuid4().hex)["QueueUrl"]
message_id = sqs.send_message(QueueUrl=url, MessageBody="two")["MessageId"]
table = ddb.create_table(TableName="pedidos", KeySchema=[{"AttributeName": "key", "KeyType": "HASH"}],
    AttributeDefinitions=[{"AttributeName": "key", "AttributeType": "S"}], BillingMode="PAY_PER_REQUEST")
topic = boto3.client("sns").create_topic(Name="t")["TopicArn"]
secret = boto3.client("secretsmanager").create_secret(Name="s")["ARN"]
"""


@pytest.mark.parametrize("cell", [COURSE, PLAIN], ids=["bentocola", "mock_aws"])
def test_the_candidate_gets_what_the_examiner_got(room: Room, cell: str) -> None:
    """Names that are random, ids and bodies are the same on both sides, and each thing was made once."""
    room.new()
    names = room.locked(cell)
    told = room.do("result = [url, message_id, len(body)]")

    assert told == [names["url"], names["message_id"], 5000]
    sqs = names["sqs"]
    waiting = sqs.get_queue_attributes(QueueUrl=names["url"], AttributeNames=["All"])["Attributes"]
    assert waiting["ApproximateNumberOfMessages"] == "1"
    # And from here on the candidate's calls are its own.
    room.do("sqs.send_message(QueueUrl=url, MessageBody='three')")
    waiting = sqs.get_queue_attributes(QueueUrl=names["url"], AttributeNames=["All"])["Attributes"]
    assert waiting["ApproximateNumberOfMessages"] == "2"
    if cell is PLAIN:
        assert room.do("result = [topic, secret]") == [names["topic"], names["secret"]]


def test_the_course_s_own_objects_act_once(room: Room) -> None:
    """The clock, the faults and the rounds of a locked cell: the candidate sees what they came to, and nothing moves again."""
    room.new()
    names = room.locked(COURSE)
    cloud = names["cloud"]
    told = room.do("result = [done.deleted, done.response, rounds, refused, len(cloud.faults.planned)]")

    assert told == [names["done"].deleted, None, names["rounds"], names["refused"], 1]
    assert running() is cloud
    assert [step["kind"] for step in cloud.trace].count("clock") == 1
    assert [step["kind"] for step in cloud.trace].count("run_start") == 1
    assert room.printed == ""


def test_what_has_no_recorded_answer_goes_to_the_cloud(room: Room) -> None:
    """A locked cell that asks more in the candidate than it did in the examiner is answered by what is there."""
    room.new()
    room.locked(COURSE)
    with room.gate.recording("more"):
        boto3.client("sqs").create_queue(QueueName="one")
    with room.gate.replaying("more"):
        told = room.do(
            """
            sqs = boto3.client("sqs")
            result = [sqs.create_queue(QueueName="one")["QueueUrl"], sqs.create_queue(QueueName="two")["QueueUrl"],
                      "QueueUrls" in sqs.list_queues(QueueNamePrefix="two")]
            """
        )
    assert told[0].endswith("/one")
    assert told[1].endswith("/two")
    assert told[2] is True


def test_an_answer_is_given_once(room: Room) -> None:
    """After its cell nothing is left of a recording; and a cell that was not recorded has none."""
    room.new()
    room.locked(COURSE)
    with room.gate.recording("unused"):
        boto3.client("sqs").create_queue(QueueName="unused")
        boto3.client("sqs").delete_queue(QueueUrl=boto3.client("sqs").get_queue_url(QueueName="unused")["QueueUrl"])
    with room.gate.replaying("unused"):
        pass
    with pytest.raises(Failed, match="QueueDoesNotExist"):
        room.do("sqs.get_queue_url(QueueName='unused')")
    with room.gate.replaying("unused"), pytest.raises(Failed, match="QueueDoesNotExist"):
        room.do("sqs.get_queue_url(QueueName='unused')")


def test_a_locked_cell_that_fails_ends_its_recording(room: Room) -> None:
    """What the examiner calls afterwards is not kept, and a run of the candidate alone is not either."""
    room.new()
    with pytest.raises(ZeroDivisionError), room.gate.recording("fails"):
        exec(COURSE + "1 / 0", {})
    from bentocola.cloud.cloud import Cloud
    from bentocola.cloud.wires import in_process

    assert in_process.witnesses == []
    assert Cloud.poll_once.__closure__ is None


def test_what_a_run_got_is_not_the_cell_s(room: Room) -> None:
    """A handler's calls are no answers for the cell's: in the candidate it does not run again. Nor does time pass twice."""
    room.new()
    cell = """
    import boto3, bentocola
    cloud = bentocola.start("es")
    sqs = boto3.client("sqs")
    url = sqs.create_queue(QueueName="q")["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="x")
    in_run = []
    cloud.poll_once(url, lambda event, context: in_run.append(sqs.send_message(QueueUrl=url, MessageBody="y")["MessageId"]))
    cloud.faults.throttle("sqs:SendMessage", times=2)
    message_id = sqs.send_message(QueueUrl=url, MessageBody="z")["MessageId"]
    """
    names: dict[str, Any] = {}
    with room.gate.recording("locked"):
        exec(textwrap.dedent(cell), names)
    cloud = names["cloud"]
    kinds, now = [step["kind"] for step in cloud.trace], cloud.clock.now()
    with room.gate.replaying("locked"):
        told = room.do(textwrap.dedent(cell) + "result = [message_id, in_run]")

    assert told == [names["message_id"], []]
    assert [step["kind"] for step in cloud.trace] == kinds
    assert kinds.count("run_start") == 1
    assert kinds.count("clock") > 0
    assert cloud.clock.now() == now


def test_a_student_s_function_in_a_locked_cell_acts_once(room: Room) -> None:
    """The examiner's run calls it over the pipe, and the candidate's run calls it again: what it sends is sent once."""
    room.new()
    room.locked(
        """
        import boto3, bentocola
        cloud = bentocola.start("es")
        sqs = boto3.client("sqs")
        url = sqs.create_queue(QueueName="q")["QueueUrl"]
        """
    )
    room.do("def send():\n    return sqs.send_message(QueueUrl=url, MessageBody='x')['MessageId']")
    with room.gate.recording("calls"):
        sent = room.do("result = send()")
    with room.gate.replaying("calls"):
        assert room.do("result = send()") == sent
    assert room.do("result = send()") != sent
    sqs = boto3.client("sqs")
    url = sqs.get_queue_url(QueueName="q")["QueueUrl"]
    waiting = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert waiting["ApproximateNumberOfMessages"] == "2"
