"""The permissions that a call needs, as the service authorization reference says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from bentocola.cloud.actions import needs
from bentocola.cloud.door import Call, Request, read_call

A = "123456789012"
SQS, DDB = f"arn:aws:sqs:eu-west-1:{A}", f"arn:aws:dynamodb:eu-west-1:{A}:table"
LAMBDA, LOGS, IAM = f"arn:aws:lambda:eu-west-1:{A}", f"arn:aws:logs:eu-west-1:{A}:log-group", f"arn:aws:iam::{A}"


def call(service: str, operation: str, parameters: Mapping[str, Any]) -> Call:
    return Call(
        Request("POST", f"https://{service}.eu-west-1.amazonaws.com/", {}),
        "x",
        service,
        "eu-west-1",
        operation,
        parameters,
    )


def needed(made: Call) -> list[tuple[str, str]]:
    return [(need.action, need.resource) for need in needs(made)]


URL = f"https://sqs.eu-west-1.amazonaws.com/{A}/orders"


@pytest.mark.parametrize(
    ("service", "operation", "parameters", "expected"),
    [
        ("sqs", "SendMessageBatch", {"QueueUrl": URL}, [("sqs:SendMessage", f"{SQS}:orders")]),
        ("sqs", "DeleteMessageBatch", {"QueueUrl": URL}, [("sqs:DeleteMessage", f"{SQS}:orders")]),
        (
            "sqs",
            "ReceiveMessage",
            {"QueueUrl": "http://127.0.0.1:5000/123456789012/orders"},
            [("sqs:ReceiveMessage", f"{SQS}:orders")],
        ),
        ("sqs", "GetQueueUrl", {"QueueName": "orders"}, [("sqs:GetQueueUrl", f"{SQS}:orders")]),
        ("sqs", "ListQueues", {}, [("sqs:ListQueues", "*")]),
        (
            "sqs",
            "StartMessageMoveTask",
            {"SourceArn": f"{SQS}:dead", "DestinationArn": f"{SQS}:orders"},
            [
                ("sqs:StartMessageMoveTask", f"{SQS}:dead"),
                ("sqs:ReceiveMessage", f"{SQS}:dead"),
                ("sqs:DeleteMessage", f"{SQS}:dead"),
                ("sqs:GetQueueAttributes", f"{SQS}:dead"),
                ("sqs:SendMessage", f"{SQS}:orders"),
            ],
        ),
        ("dynamodb", "PutItem", {"TableName": "t", "Item": {}}, [("dynamodb:PutItem", f"{DDB}/t")]),
        ("dynamodb", "GetItem", {"TableName": f"{DDB}/t", "Key": {}}, [("dynamodb:GetItem", f"{DDB}/t")]),
        ("dynamodb", "Query", {"TableName": "t", "IndexName": "i"}, [("dynamodb:Query", f"{DDB}/t/index/i")]),
        ("dynamodb", "ListTables", {}, [("dynamodb:ListTables", "*")]),
        ("dynamodb", "TagResource", {"ResourceArn": f"{DDB}/t"}, [("dynamodb:TagResource", f"{DDB}/t")]),
        (
            "dynamodb",
            "TransactWriteItems",
            {
                "TransactItems": [
                    {"Put": {"TableName": "t", "Item": {}}},
                    {"Update": {"TableName": "u", "Key": {}}},
                    {"ConditionCheck": {"TableName": "v", "Key": {}}},
                    {"Delete": {"TableName": "t", "Key": {}}},
                ]
            },
            [
                ("dynamodb:PutItem", f"{DDB}/t"),
                ("dynamodb:UpdateItem", f"{DDB}/u"),
                ("dynamodb:ConditionCheckItem", f"{DDB}/v"),
                ("dynamodb:DeleteItem", f"{DDB}/t"),
            ],
        ),
        (
            "dynamodb",
            "BatchWriteItem",
            {"RequestItems": {"t": [{"PutRequest": {"Item": {}}}], "u": []}},
            [("dynamodb:BatchWriteItem", f"{DDB}/t"), ("dynamodb:BatchWriteItem", f"{DDB}/u")],
        ),
        (
            "dynamodb",
            "ExecuteStatement",
            {"Statement": 'SELECT * FROM "t"."i"'},
            [("dynamodb:PartiQLSelect", f"{DDB}/t/index/i")],
        ),
        (
            "dynamodb",
            "ExecuteStatement",
            {"Statement": "insert into t value {}"},
            [("dynamodb:PartiQLInsert", f"{DDB}/t")],
        ),
        ("dynamodb", "PutItem", {"TableName": 1, "Item": [1]}, [("dynamodb:PutItem", f"{DDB}/1")]),
        ("lambda", "Invoke", {"FunctionName": "f"}, [("lambda:InvokeFunction", f"{LAMBDA}:function:f")]),
        (
            "lambda",
            "Invoke",
            {"FunctionName": "f", "Qualifier": "live"},
            [("lambda:InvokeFunction", f"{LAMBDA}:function:f:live")],
        ),
        (
            "lambda",
            "GetFunction",
            {"FunctionName": f"{LAMBDA}:function:f:2"},
            [("lambda:GetFunction", f"{LAMBDA}:function:f:2")],
        ),
        (
            "lambda",
            "GetFunction",
            {"FunctionName": f"{A}:function:f"},
            [("lambda:GetFunction", f"{LAMBDA}:function:f")],
        ),
        ("lambda", "ListFunctions", {}, [("lambda:ListFunctions", "*")]),
        (
            "lambda",
            "CreateFunction",
            {"FunctionName": "f", "Role": f"{IAM}:role/r"},
            [("lambda:CreateFunction", f"{LAMBDA}:function:f"), ("iam:PassRole", f"{IAM}:role/r")],
        ),
        (
            "lambda",
            "UpdateFunctionConfiguration",
            {"FunctionName": "f"},
            [("lambda:UpdateFunctionConfiguration", f"{LAMBDA}:function:f")],
        ),
        ("lambda", "CreateEventSourceMapping", {"FunctionName": "f"}, [("lambda:CreateEventSourceMapping", "*")]),
        (
            "lambda",
            "DeleteEventSourceMapping",
            {"UUID": "u"},
            [("lambda:DeleteEventSourceMapping", f"{LAMBDA}:event-source-mapping:u")],
        ),
        (
            "logs",
            "PutLogEvents",
            {"logGroupName": "/g", "logStreamName": "s"},
            [("logs:PutLogEvents", f"{LOGS}:/g:log-stream:s")],
        ),
        ("logs", "CreateLogGroup", {"logGroupName": "/g"}, [("logs:CreateLogGroup", f"{LOGS}:/g:log-stream:")]),
        (
            "logs",
            "FilterLogEvents",
            {"logGroupIdentifier": f"{LOGS}:/g"},
            [("logs:FilterLogEvents", f"{LOGS}:/g:log-stream:")],
        ),
        ("logs", "DescribeLogGroups", {}, [("logs:DescribeLogGroups", f"{LOGS}::log-stream:")]),
        ("logs", "TagResource", {"resourceArn": f"{LOGS}:/g"}, [("logs:TagResource", f"{LOGS}:/g")]),
        ("iam", "CreateRole", {"RoleName": "r", "Path": "/a/"}, [("iam:CreateRole", f"{IAM}:role/a/r")]),
        ("iam", "AttachUserPolicy", {"UserName": "u", "PolicyArn": "p"}, [("iam:AttachUserPolicy", f"{IAM}:user/u")]),
        ("iam", "AddUserToGroup", {"UserName": "u", "GroupName": "g"}, [("iam:AddUserToGroup", f"{IAM}:group/g")]),
        ("iam", "CreatePolicy", {"PolicyName": "p"}, [("iam:CreatePolicy", f"{IAM}:policy/p")]),
        ("iam", "GetPolicy", {"PolicyArn": f"{IAM}:policy/p"}, [("iam:GetPolicy", f"{IAM}:policy/p")]),
        ("iam", "ListRoles", {}, [("iam:ListRoles", "*")]),
        ("sts", "AssumeRole", {"RoleArn": f"{IAM}:role/r"}, [("sts:AssumeRole", f"{IAM}:role/r")]),
        ("sts", "GetCallerIdentity", {}, []),
        ("sts", "GetSessionToken", {}, []),
    ],
)
def test_needs(service: str, operation: str, parameters: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    """Each action with the resource it is asked for."""
    assert needed(call(service, operation, parameters)) == expected


B = "arn:aws:s3:::uploads"


@pytest.mark.parametrize(
    ("method", "path", "headers", "expected"),
    [
        ("GET", "/", {}, [("s3:ListAllMyBuckets", "*")]),
        ("PUT", "/uploads", {}, [("s3:CreateBucket", B)]),
        ("HEAD", "/uploads", {}, [("s3:ListBucket", B)]),
        ("GET", "/uploads?list-type=2&prefix=in/", {}, [("s3:ListBucket", B)]),
        ("GET", "/uploads?versions", {}, [("s3:ListBucketVersions", B)]),
        ("GET", "/uploads?uploads", {}, [("s3:ListBucketMultipartUploads", B)]),
        ("GET", "/uploads?location", {}, [("s3:GetBucketLocation", B)]),
        ("PUT", "/uploads?notification", {}, [("s3:PutBucketNotification", B)]),
        ("GET", "/uploads?policy", {}, [("s3:GetBucketPolicy", B)]),
        ("DELETE", "/uploads?policy", {}, [("s3:DeleteBucketPolicy", B)]),
        ("DELETE", "/uploads?encryption", {}, [("s3:PutEncryptionConfiguration", B)]),
        ("PUT", "/uploads?lifecycle", {}, [("s3:PutLifecycleConfiguration", B)]),
        ("DELETE", "/uploads?tagging", {}, [("s3:PutBucketTagging", B)]),
        ("GET", "/uploads/a%20b/c", {}, [("s3:GetObject", f"{B}/a b/c")]),
        ("HEAD", "/uploads/k", {}, [("s3:GetObject", f"{B}/k")]),
        ("GET", "/uploads/k?versionId=1", {}, [("s3:GetObjectVersion", f"{B}/k")]),
        ("DELETE", "/uploads/k", {}, [("s3:DeleteObject", f"{B}/k")]),
        ("DELETE", "/uploads/k?versionId=1", {}, [("s3:DeleteObjectVersion", f"{B}/k")]),
        ("PUT", "/uploads/k", {}, [("s3:PutObject", f"{B}/k")]),
        ("PUT", "/uploads/k", {"x-amz-acl": "private"}, [("s3:PutObject", f"{B}/k"), ("s3:PutObjectAcl", f"{B}/k")]),
        (
            "PUT",
            "/uploads/k",
            {"x-amz-tagging": "a=b"},
            [("s3:PutObject", f"{B}/k"), ("s3:PutObjectTagging", f"{B}/k")],
        ),
        ("PUT", "/uploads/k?tagging", {}, [("s3:PutObjectTagging", f"{B}/k")]),
        ("GET", "/uploads/k?acl", {}, [("s3:GetObjectAcl", f"{B}/k")]),
        ("POST", "/uploads/k?uploads", {}, [("s3:PutObject", f"{B}/k")]),
        ("PUT", "/uploads/k?uploadId=1&partNumber=1", {}, [("s3:PutObject", f"{B}/k")]),
        ("POST", "/uploads/k?uploadId=1", {}, [("s3:PutObject", f"{B}/k")]),
        ("DELETE", "/uploads/k?uploadId=1", {}, [("s3:AbortMultipartUpload", f"{B}/k")]),
        ("GET", "/uploads/k?uploadId=1", {}, [("s3:ListMultipartUploadParts", f"{B}/k")]),
        (
            "PUT",
            "/uploads/k",
            {"x-amz-copy-source": "/other/a%20b"},
            [("s3:GetObject", "arn:aws:s3:::other/a b"), ("s3:PutObject", f"{B}/k")],
        ),
        ("POST", "/uploads?delete", {}, []),
    ],
)
def test_needs_of_s3(method: str, path: str, headers: dict[str, str], expected: list[tuple[str, str]]) -> None:
    """S3's actions are often not called like its operations. Deleting many asks for each key, which its layer does."""
    scope = {"Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/eu-west-1/s3/aws4_request"}
    made = read_call(Request(method, f"https://s3.eu-west-1.amazonaws.com{path}", {**scope, **headers}))

    assert needed(made) == expected


def test_condition_keys_of_a_list() -> None:
    """A list brings its prefix."""
    made = read_call(Request("GET", "https://uploads.s3.amazonaws.com/?list-type=2&prefix=in%2F&max-keys=5", {}))

    assert needs(made)[0].context() == {"s3:prefix": ("in/",), "s3:max-keys": ("5",)}


def test_query_on_an_index_has_a_leading_key_that_is_not_known() -> None:
    """Only the table knows the index's key; a condition on it then fails closed."""
    (need,) = needs(call("dynamodb", "Query", {"TableName": "t", "IndexName": "i"}))

    assert need.unknown == {"dynamodb:leadingkeys"}


def test_role_is_passed_to_lambda() -> None:
    """`iam:PassedToService` is what courses write into a condition."""
    _, need = needs(call("lambda", "CreateFunction", {"FunctionName": "f", "Role": "r"}))

    assert need.context() == {"iam:passedtoservice": ("lambda.amazonaws.com",)}


@pytest.mark.parametrize("service", ["sqs", "dynamodb", "lambda", "logs", "iam", "sts", "s3"])
@pytest.mark.parametrize(
    "parameters", [{}, {"TransactItems": 1, "RequestItems": [], "QueueUrl": 5, "FunctionName": {}}]
)
def test_any_parameters_are_read_without_an_error(service: str, parameters: dict[str, Any]) -> None:
    """What a request holds wrongly is the service's to refuse."""
    for operation in ("TransactWriteItems", "BatchGetItem", "Query", "Invoke", "CreateFunction", "X"):
        assert json.dumps(needed(call(service, operation, parameters))) is not None
