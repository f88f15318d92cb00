"""boto3's clients, resources and errors between two real processes, over a local cloud in this one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, ParamValidationError, WaiterError
from moto import mock_aws

from tests.autograder.exam_rooms import Candidate, candidate

SOURCE = """
import boto3
from botocore.exceptions import ClientError, EndpointConnectionError, ParamValidationError
from moto import mock_aws
mock = mock_aws(); mock.start()
dynamodb = boto3.client("dynamodb", region_name="eu-west-1")
def same(x): return x
def keep(x): global kept; kept = x
def kind(x): return type(x).__name__, x.meta.region_name if hasattr(x.meta, "region_name") else x.meta.client.meta.region_name
def make(): return boto3.client("sqs", region_name="us-west-2")
def table(): return boto3.resource("dynamodb", region_name="us-east-1").Table("orders")
def resource(): return boto3.resource("s3", region_name="us-east-1")
def pages(): return boto3.client("s3", region_name="us-east-1").get_paginator("list_objects_v2")
def waiter(): return boto3.client("s3", region_name="us-east-1").get_waiter("bucket_exists")
def fails(client): return client.describe_table(TableName="none")
def fails_own(): return boto3.client("dynamodb", region_name="us-east-1").describe_table(TableName="none")
def not_modelled(): return boto3.client("s3", region_name="us-east-1").head_object(Bucket="none", Key="k")
def invalid(): return boto3.client("s3", region_name="us-east-1").get_object()
def made_up(): raise ClientError({"Error": {"Code": "Odd", "Message": "m"}}, "PutItem")
def bad(): raise ClientError.__new__(ClientError)
def catches(client, work):
    try: return work()
    except client.exceptions.ConditionalCheckFailedException as error:
        return type(error).__name__, error.response["Error"]["Code"], error.operation_name
def catches_base(work):
    try: return work()
    except ClientError as error: return error.response["Error"]["Code"]
def body(answer): return answer["Body"].read()
"""


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with pytest.MonkeyPatch.context() as patch, mock_aws():
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setattr(boto3, "DEFAULT_SESSION", None)
        with candidate(SOURCE) as found:
            yield found


def test_client_of_the_test_s_is_rebuilt_and_comes_back(student: Candidate) -> None:
    """Over there it is a client of the same service and region, here the very client again."""
    client = boto3.client("dynamodb", region_name="eu-west-1")

    assert student("kind")(client) == ("DynamoDB", "eu-west-1")
    assert student("same")(client) is client
    student("keep")(client)
    assert student("kept") is client


def test_client_of_the_student_s_is_rebuilt(student: Candidate) -> None:
    """It is a client of this process's own, and the same one each time."""
    client = student("make")()

    assert type(client).__name__ == "SQS"
    assert client.meta.region_name == "us-west-2"
    assert client is student("make")()
    assert client.create_queue(QueueName="q")["QueueUrl"].endswith("/q")
    assert type(student("dynamodb")).__module__ == "botocore.client"


def test_resources_and_parts_of_clients(student: Candidate) -> None:
    """Tables, buckets, paginators and waiters."""
    assert student("table")().name == "orders"
    assert student("resource")().meta.service_name == "s3"
    assert type(student("pages")()).__name__.endswith("ListObjectsV2")
    assert student("waiter")().name == "BucketExists"
    table = boto3.resource("dynamodb", region_name="us-east-1").Table("t")
    assert student("kind")(table) == ("dynamodb.Table", "us-east-1")
    assert student("same")(table) is table


def test_modelled_error_is_caught_by_the_client_s_exception(student: Candidate) -> None:
    """`except client.exceptions.X` catches what the student's call let through, with response and operation."""
    client = boto3.client("dynamodb", region_name="us-east-1")
    for call in (lambda: student("fails")(client), student("fails_own")):
        with pytest.raises(client.exceptions.ResourceNotFoundException) as caught:
            call()
        assert caught.value.response["Error"]["Code"] == "ResourceNotFoundException"
        assert caught.value.operation_name == "DescribeTable"
        with pytest.raises(ClientError):
            call()


def test_modelled_error_of_the_test_s_is_caught_by_the_student(student: Candidate) -> None:
    """A call-back's error is of the class that the student's own client names, and comes back as the same object."""
    client = boto3.client("dynamodb", region_name="us-east-1")
    response = {"Error": {"Code": "ConditionalCheckFailedException", "Message": "m"}}
    error = client.exceptions.ConditionalCheckFailedException(response, "PutItem")

    def work() -> None:
        raise error

    assert student("catches")(client, work) == (
        "ConditionalCheckFailedException",
        "ConditionalCheckFailedException",
        "PutItem",
    )
    assert student("catches_base")(work) == "ConditionalCheckFailedException"

    def other() -> Any:
        return client.describe_table(TableName="none")

    assert student("catches_base")(other) == "ResourceNotFoundException"
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        student("catches")(client, other)


def test_other_errors_of_botocore(student: Candidate) -> None:
    """Those without a class of their own are ClientErrors; those that never left the client are botocore's."""
    with pytest.raises(ClientError, match="NoSuchBucket") as missing:
        student("not_modelled")()
    assert missing.value.response["ResponseMetadata"]["HTTPStatusCode"] == 404
    with pytest.raises(ParamValidationError, match="Missing required parameter"):
        student("invalid")()
    with pytest.raises(ClientError, match="Odd") as made_up:
        student("made_up")()
    assert made_up.value.response["Error"]["Code"] == "Odd"
    with pytest.raises(ClientError):
        student("bad")()
    assert issubclass(WaiterError, Exception)


def test_answers_with_a_stream(student: Candidate) -> None:
    """What `get_object` gives in the test is read in the student's function."""
    client = boto3.client("s3", region_name="us-east-1")
    client.create_bucket(Bucket="bucket")
    client.put_object(Bucket="bucket", Key="k", Body=b"content")

    assert student("body")(client.get_object(Bucket="bucket", Key="k")) == b"content"
