"""What CreateQueue and SetQueueAttributes accept. Most refusals are ones that plain moto does not make, or words otherwise."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.cloud import Cloud
from tests.cloud.sqs import Queue, with_dead_letters

DLQ = "arn:aws:sqs:us-east-1:123456789012:dead"


def refused(call: Any, *arguments: Any, **named: Any) -> tuple[str, str]:
    """Return code and message of a refusal."""
    with pytest.raises(ClientError) as refusal:
        call(*arguments, **named)
    error = refusal.value.response["Error"]
    return error["Code"], error["Message"]


def redrive(**policy: Any) -> str:
    return json.dumps({"deadLetterTargetArn": DLQ, "maxReceiveCount": 3, **policy})


OUT_OF_RANGE = [
    ("VisibilityTimeout", "43201"),
    ("VisibilityTimeout", "-1"),
    ("VisibilityTimeout", "ten"),
    ("VisibilityTimeout", ""),
    ("DelaySeconds", "901"),
    ("ReceiveMessageWaitTimeSeconds", "21"),
    ("MessageRetentionPeriod", "59"),
    ("MessageRetentionPeriod", "1209601"),
    ("MaximumMessageSize", "1023"),
    ("MaximumMessageSize", "1048577"),
    ("KmsDataKeyReusePeriodSeconds", "59"),
    ("Policy", "no JSON"),
    ("SqsManagedSseEnabled", "perhaps"),
    ("RedrivePolicy", "no JSON"),
    ("RedriveAllowPolicy", '{"redrivePermission": "byQueue"}'),
    ("RedriveAllowPolicy", '{"redrivePermission": "some"}'),
]


@pytest.mark.parametrize(("name", "value"), OUT_OF_RANGE)
def test_value_out_of_range(cloud: Cloud, name: str, value: str) -> None:
    """A value outside of the documented range is refused, for a new queue and for one that exists."""
    queue = Queue()

    for code, message in (refused(queue.set, **{name: value}), refused(Queue, "other", **{name: value})):
        assert code == "InvalidAttributeValue"
        assert message.startswith(f"Invalid value for the parameter {name}.")


@pytest.mark.parametrize("name", ["VisibilityTimeouts", "QueueArn", "ApproximateNumberOfMessages"])
def test_attribute_that_cannot_be_set(cloud: Cloud, name: str) -> None:
    """Names that do not exist, or are not the caller's to set, are refused."""
    assert refused(Queue, "queue", **{name: "1"}) == ("InvalidAttributeName", f"Unknown Attribute {name}.")
    assert refused(Queue().set, **{name: "1"}) == ("InvalidAttributeName", f"Unknown Attribute {name}.")


@pytest.mark.parametrize("name", ["ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"])
def test_fifo_attribute_of_a_standard_queue(cloud: Cloud, name: str) -> None:
    """What applies to FIFO queues only is unknown to a standard queue."""
    assert refused(Queue().set, **{name: "true"})[0] == "InvalidAttributeName"


def test_kind_stays(cloud: Cloud) -> None:
    """A queue's kind cannot be changed."""
    assert refused(Queue().set, FifoQueue="true")[0] == "InvalidAttributeName"
    assert refused(Queue("queue.fifo").set, FifoQueue="false") == (
        "InvalidAttributeValue",
        "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.",
    )


def test_throughput_a_message_group(cloud: Cloud) -> None:
    """A limit a message group needs deduplication a message group."""
    queue = Queue("queue.fifo")

    assert refused(queue.set, FifoThroughputLimit="perMessageGroupId")[0] == "InvalidAttributeValue"

    queue.set(FifoThroughputLimit="perMessageGroupId", DeduplicationScope="messageGroup")
    queue.set(FifoThroughputLimit="perMessageGroupId")


@pytest.mark.parametrize("name", ["", "a" * 81, "a b", "a.b", "ñ", "queue.fifo", "queue\n"])
def test_name_of_a_standard_queue(cloud: Cloud, name: str) -> None:
    """80 letters, digits, hyphens and underscores; `.fifo` is for FIFO queues."""
    assert refused(boto3.client("sqs").create_queue, QueueName=name) == (
        "InvalidParameterValue",
        "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length",
    )


@pytest.mark.parametrize("name", ["queue", "a" * 76 + ".fifo", ".fifo", "a b.fifo"])
def test_name_of_a_fifo_queue(cloud: Cloud, name: str) -> None:
    """It ends in `.fifo`, which counts."""
    code, message = refused(boto3.client("sqs").create_queue, QueueName=name, Attributes={"FifoQueue": "true"})

    assert code == "InvalidParameterValue"
    assert "must end with .fifo suffix" in message


def test_longest_names(cloud: Cloud) -> None:
    """80 characters are allowed, with `.fifo` or without."""
    Queue("a" * 80)
    Queue("a" * 75 + ".fifo")


def test_same_queue_again(cloud: Cloud) -> None:
    """With the same attributes, or without any, CreateQueue returns the queue that there is."""
    first, _ = with_dead_letters("work", DelaySeconds="3")

    assert Queue("work").url == first.url
    assert Queue("work", DelaySeconds="3", RedrivePolicy=redrive_of(first)).url == first.url


def redrive_of(queue: Queue) -> str:
    """Return its policy, spelled in another way."""
    found = queue.sqs.get_queue_attributes(QueueUrl=queue.url, AttributeNames=["RedrivePolicy"])
    policy = json.loads(found["Attributes"]["RedrivePolicy"])
    return json.dumps({"maxReceiveCount": str(policy["maxReceiveCount"]), **policy}, indent=1)


def test_same_name_with_other_attributes(cloud: Cloud) -> None:
    """With another value, the name is taken: the error names the attribute."""
    Queue("queue", DelaySeconds="3")

    assert refused(Queue, "queue", DelaySeconds="4") == (
        "QueueAlreadyExists",
        "A queue already exists with the same name and a different value for attribute DelaySeconds",
    )
    with pytest.raises(boto3.client("sqs").exceptions.QueueNameExists):
        Queue("queue", VisibilityTimeout="1")


def test_name_of_a_deleted_queue_is_free_at_once(cloud: Cloud) -> None:
    """A lab that begins anew does not wait for 60 seconds, as it would on AWS."""
    queue = Queue("queue", DelaySeconds="3")
    queue.sqs.delete_queue(QueueUrl=queue.url)
    Queue("queue", DelaySeconds="4")


WRONG_REDRIVES = {
    redrive(maxReceiveCount=0): "Invalid value for maxReceiveCount: 0, valid values are from 1 to 1000 both inclusive.",
    redrive(
        maxReceiveCount=1001
    ): "Invalid value for maxReceiveCount: 1001, valid values are from 1 to 1000 both inclusive.",
    redrive(
        maxReceiveCount=True
    ): "Invalid value for maxReceiveCount: True, valid values are from 1 to 1000 both inclusive.",
    redrive(
        maxReceiveCount="x"
    ): "Invalid value for maxReceiveCount: x, valid values are from 1 to 1000 both inclusive.",
    redrive(deadLetterTargetArn="dummy"): "Invalid value for deadLetterTargetArn.",
    redrive(deadLetterTargetArn=7): "Invalid value for deadLetterTargetArn.",
    redrive(): "Dead letter target does not exist.",
    redrive(deadLetterTargetArn=DLQ.replace("us-east-1", "eu-west-1")): "Dead letter target does not exist.",
    json.dumps({"deadLetterTargetArn": DLQ}): "Redrive policy does not contain mandatory attribute: maxReceiveCount.",
    json.dumps({"maxReceiveCount": 3}): "Redrive policy does not contain mandatory attribute: deadLetterTargetArn.",
}


@pytest.mark.parametrize(("policy", "reason"), WRONG_REDRIVES.items())
def test_wrong_redrive_policy(cloud: Cloud, policy: str, reason: str) -> None:
    """The error repeats the policy and says what is wrong with it; the queue is not made."""
    expected = ("InvalidParameterValue", f"Value {policy} for parameter RedrivePolicy is invalid. Reason: {reason}")

    assert refused(Queue, "queue", RedrivePolicy=policy) == expected
    assert refused(Queue().set, RedrivePolicy=policy) == expected


@pytest.mark.parametrize(("source", "dead"), [("queue", "dead.fifo"), ("queue.fifo", "dead")])
def test_dead_letter_queue_of_the_other_kind(cloud: Cloud, source: str, dead: str) -> None:
    """A standard queue's dead-letter queue is a standard queue, a FIFO queue's a FIFO queue."""
    policy = redrive(deadLetterTargetArn=Queue(dead).arn)
    code, message = refused(Queue, source, RedrivePolicy=policy)

    assert code == "InvalidParameterValue"
    assert message.endswith("Reason: Dead-letter queue must be same type of queue as the source.")


@pytest.mark.parametrize("policy", ["", "{}"])
def test_redrive_policy_taken_away(cloud: Cloud, policy: str) -> None:
    """An empty policy takes it away."""
    queue, dead = with_dead_letters()
    queue.set(RedrivePolicy=policy)
    queue.send()
    queue.receive(VisibilityTimeout=0)

    assert queue.bodies() == ["a"]


def test_redrive_allow_policy(cloud: Cloud) -> None:
    """It is kept and shown, and whom it does not name may not use the queue."""
    policy = json.dumps({"redrivePermission": "byQueue", "sourceQueueArns": [DLQ.replace("dead", "friend")]})
    dead = Queue("dead", RedriveAllowPolicy=policy)
    shown = dead.sqs.get_queue_attributes(QueueUrl=dead.url, AttributeNames=["RedriveAllowPolicy"])

    assert shown["Attributes"]["RedriveAllowPolicy"] == policy
    assert refused(Queue, "stranger", RedrivePolicy=redrive())[0] == "InvalidParameterValue"

    Queue("friend", RedrivePolicy=redrive())


def test_prefix_is_no_pattern(cloud: Cloud) -> None:
    """ListQueues takes the prefix as it is."""
    Queue("orders")

    assert "QueueUrls" not in boto3.client("sqs").list_queues(QueueNamePrefix="o.d(")
    assert len(boto3.client("sqs").list_queues(QueueNamePrefix="ord")["QueueUrls"]) == 1


def test_policy_stays_when_other_attributes_are_set(cloud: Cloud) -> None:
    """Setting one attribute leaves the others: on plain moto the queue's policy, and with it S3's right to send, was gone."""
    sqs = boto3.client("sqs")
    url = sqs.create_queue(QueueName="cola")["QueueUrl"]
    arn = "arn:aws:sqs:us-east-1:123456789012:cola"
    allow = {"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": arn}
    document = json.dumps({"Version": "2012-10-17", "Statement": [allow]})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": document})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": "10"})

    assert json.loads(policy_of(url))["Statement"] == [allow]

    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": ""})

    assert policy_of(url) == ""


def policy_of(url: str) -> str:
    """Return a queue's policy, or an empty text."""
    attributes = boto3.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    return str(attributes.get("Policy", ""))


def test_permission_beside_a_statement_without_a_name(cloud: Cloud) -> None:
    """A policy's statement need not have a `Sid`; permissions are added to and removed from such a policy too."""
    queue = Queue()
    allow = {"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allow]})
    queue.sqs.set_queue_attributes(QueueUrl=queue.url, Attributes={"Policy": policy})
    queue.sqs.add_permission(
        QueueUrl=queue.url, Label="friend", AWSAccountIds=["210987654321"], Actions=["SendMessage"]
    )

    def statements() -> list[dict[str, Any]]:
        found = queue.sqs.get_queue_attributes(QueueUrl=queue.url, AttributeNames=["Policy"])["Attributes"]["Policy"]
        return list(json.loads(found)["Statement"])

    assert [statement.get("Sid") for statement in statements()] == [None, "friend"]
    assert statements()[0] == allow

    queue.sqs.remove_permission(QueueUrl=queue.url, Label="friend")

    assert statements() == [allow]
