"""What botocore's sessions share in a warm process, and what stays each client's own."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
from autograder import sessions
sessions.share()
import boto3
from moto import mock_aws

with mock_aws():
    sessions.share_names()
    one, other = (
        boto3.Session("test", "test", region_name=region).client("sqs") for region in ("us-east-1", "eu-west-1")
    )
    assert one.meta.service_model is other.meta.service_model
    assert type(one) is not type(other)
    type(one).send_message = None
    heard = []
    one.meta.events.register("before-send", lambda **named: heard.append(named["event_name"]))
    queue = other.create_queue(QueueName="q")["QueueUrl"]
    assert "eu-west-1" in queue
    other.send_message(QueueUrl=queue, MessageBody="m")
    assert not heard
    assert other.get_queue_attributes(QueueUrl=queue, AttributeNames=["All"])["Attributes"]["DelaySeconds"] == "0"
    assert one.list_queues().get("QueueUrls", []) == []
    assert heard == ["before-send.sqs.ListQueues"]
    s3 = boto3.client("s3", region_name="us-east-1")
    assert "s3." in s3.meta.endpoint_url and "sqs" in one.meta.endpoint_url
    print("as ever")
"""


def test_clients_share_what_is_constant_and_nothing_else() -> None:
    """A method, a handler or a region of one client is no other's."""
    # In a process of its own: what it puts in place stays there.
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)

    assert ran.stdout == "as ever\n", ran.stderr
