"""Whether a resource's policy lets S3 do something for a bucket.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/grant-destinations-permissions-to-s3.html
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from bentocola.cloud.amendments.s3_grants import allows

QUEUE = "arn:aws:sqs:us-east-1:123456789012:cola"


def statement(**others: Any) -> dict[str, Any]:
    """A statement that allows S3 to send to the queue, but for what is given."""
    return {
        "Effect": "Allow",
        "Principal": {"Service": "s3.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": QUEUE,
        **others,
    }


def lets(*statements: dict[str, Any]) -> bool:
    """Whether a policy of these statements lets S3 send for the bucket `tienda`."""
    policy = json.dumps({"Version": "2012-10-17", "Statement": list(statements)})
    return allows(policy, action="sqs:SendMessage", resource=QUEUE, bucket="tienda", account="123456789012")


@pytest.mark.parametrize("policy", [None, "", "no JSON", "[]", "{}", '{"Statement": []}', '{"Statement": "x"}', {}])
def test_no_policy(policy: Any) -> None:
    """Without a statement nothing is allowed."""
    assert not allows(policy, action="sqs:SendMessage", resource=QUEUE, bucket="tienda", account="123456789012")


def test_statement_need_not_be_in_a_list() -> None:
    """A policy may have its only statement as it is."""
    assert allows(
        {"Statement": statement()}, action="sqs:SendMessage", resource=QUEUE, bucket="tienda", account="123456789012"
    )


@pytest.mark.parametrize(
    ("element", "value", "allowed"),
    [
        ("Principal", {"Service": "s3.amazonaws.com"}, True),
        ("Principal", {"Service": ["lambda.amazonaws.com", "s3.amazonaws.com"]}, True),
        ("Principal", "*", True),
        ("Principal", {"AWS": "*"}, True),
        ("Principal", {"AWS": ["*"]}, True),
        ("Principal", {"Service": "sns.amazonaws.com"}, False),
        ("Principal", {"AWS": "123456789012"}, False),
        ("Principal", {"AWS": "arn:aws:iam::123456789012:root"}, False),
        ("Action", "SQS:SendMessage", True),
        ("Action", ["sqs:ReceiveMessage", "sqs:SendMessage"], True),
        ("Action", "sqs:*", True),
        ("Action", "sqs:Send*", True),
        ("Action", "*", True),
        ("Action", "sqs:ReceiveMessage", False),
        ("Action", "s3:*", False),
        ("Resource", "*", True),
        ("Resource", "arn:aws:sqs:*:*:cola", True),
        ("Resource", "arn:aws:sqs:us-east-1:123456789012:col?", True),
        ("Resource", "arn:aws:sqs:us-east-1:123456789012:otra", False),
        ("Resource", [], False),
        ("Effect", "Deny", False),
    ],
)
def test_element(element: str, value: Any, allowed: bool) -> None:
    """Each element must fit: who, what and on which queue."""
    assert lets(statement(**{element: value})) == allowed


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"ArnLike": {"aws:SourceArn": "arn:aws:s3:::tienda"}}, True),
        ({"ArnLike": {"AWS:SourceArn": "arn:aws:s3:*:*:tienda"}}, True),
        ({"ArnEquals": {"aws:SourceArn": "arn:aws:s3:::tien*"}}, True),
        ({"ArnLike": {"aws:SourceArn": ["arn:aws:s3:::otra", "arn:aws:s3:::tienda"]}}, True),
        ({"ArnLike": {"aws:SourceArn": "arn:aws:s3:::otra"}}, False),
        ({"ArnLike": {"aws:SourceArn": "arn:*:tienda"}}, False),
        ({"ArnNotLike": {"aws:SourceArn": "arn:aws:s3:::otra"}}, True),
        ({"StringLike": {"aws:SourceArn": "arn:*:tienda"}}, True),
        ({"StringEquals": {"aws:SourceArn": "arn:aws:s3:::tienda"}}, True),
        ({"StringEquals": {"aws:SourceArn": "arn:aws:s3:::tien*"}}, False),
        ({"StringEquals": {"aws:SourceAccount": "123456789012"}}, True),
        ({"StringEquals": {"aws:SourceAccount": "999999999999"}}, False),
        ({"StringNotEquals": {"aws:SourceAccount": "999999999999"}}, True),
        ({"StringEqualsIgnoreCase": {"aws:SourceArn": "ARN:AWS:S3:::TIENDA"}}, True),
        ({"Bool": {"aws:SecureTransport": "true"}}, True),
        ({"Bool": {"aws:SecureTransport": False}}, False),
        ({"Null": {"aws:SourceArn": "false"}}, True),
        ({"Null": {"aws:SourceVpc": "true"}}, True),
        ({"StringEquals": {"aws:SourceVpc": "vpc-1"}}, False),
        ({"StringNotEquals": {"aws:SourceVpc": "vpc-1"}}, True),
        ({"StringEqualsIfExists": {"aws:SourceVpc": "vpc-1"}}, True),
        ({"IpAddress": {"aws:SourceIp": "0.0.0.0/0"}}, False),
        (
            {
                "ArnLike": {"aws:SourceArn": "arn:aws:s3:::tienda"},
                "StringEquals": {"aws:SourceAccount": "999999999999"},
            },
            False,
        ),
    ],
)
def test_condition(condition: dict[str, Any], holds: bool) -> None:
    """Every operator must hold for every key; one of several values is enough. Names of keys have no case."""
    assert lets(statement(Condition=condition)) == holds


def test_what_denies_wins() -> None:
    """A statement that denies S3 leaves nothing of those that allow, if it applies."""
    insecure = statement(Effect="Deny", Principal="*", Condition={"Bool": {"aws:SecureTransport": "false"}})

    assert lets(statement(), insecure)
    assert not lets(statement(), statement(Effect="Deny", Principal="*"))


def test_elements_that_say_not() -> None:
    """NotAction, NotResource and NotPrincipal cover what they do not name."""
    others = {"Effect": "Allow", "Principal": "*"}

    assert lets({**others, "NotAction": "sqs:ReceiveMessage", "Resource": QUEUE})
    assert not lets({**others, "NotAction": "sqs:Send*", "Resource": QUEUE})
    assert not lets({**others, "Action": "*", "NotResource": QUEUE})
    assert not lets(statement(), {"Effect": "Deny", "NotPrincipal": {"AWS": "1"}, "Action": "*", "Resource": "*"})
