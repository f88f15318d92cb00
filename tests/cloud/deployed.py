"""Functions for the tests of the runtime: a package from source text, its specification, and a cloud that answers by rule."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from bentocola.cloud.door import Request, Response
from bentocola.cloud.functions.spec import Credentials, FunctionSpec

ARN = "arn:aws:lambda:us-east-1:123456789012:function:bento-worker"
ROLE = Credentials("ASIABENTOCOLAROLE", "secret-of-the-role", "session-of-the-role")

EVERYTHING = """
import json, logging, os, subprocess, sys, threading
import boto3
print("imported")
runs = 0

def lambda_handler(event, context):
    global runs
    runs += 1
    return globals()[event["do"]](event, context)

def echo(event, context):
    return event

def count(event, context):
    return {"runs": runs, "pid": os.getpid()}

def fail(event, context):
    def deeper():
        raise ValueError("no such order")
    deeper()

def describe(event, context):
    return {
        "id": context.aws_request_id, "name": context.function_name, "version": context.function_version,
        "arn": context.invoked_function_arn, "memory": context.memory_limit_in_mb, "group": context.log_group_name,
        "stream": context.log_stream_name, "left": context.get_remaining_time_in_millis(),
        "identity": context.identity.cognito_identity_id,
        "client": context.client_context and context.client_context.custom,
    }

def environment(event, context):
    return dict(os.environ)

def put(event, context):
    item = {"id": {"S": event["id"]}}
    boto3.client("dynamodb").put_item(TableName="orders", Item=item, ConditionExpression="attribute_not_exists(id)")

def upload(event, context):
    s3 = boto3.client("s3")
    s3.put_object(Bucket="b", Key="k", Body=bytes(range(256)) * 1000)
    return len(s3.get_object(Bucket="b", Key="k")["Body"].read())

def leave(event, context):
    sys.exit(event.get("status"))

def log(event, context):
    logging.getLogger().info("not at this level")
    logging.warning("two\\nlines")
    sys.stdout.write("one\\ntwo\\n")
    print("no end", end="")
"""
"""A module whose handler does what its event says."""


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a package with these files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        for name, content in files.items():
            package.writestr(
                zipfile.ZipInfo(name), content
            )  # without the time of day: the same files are the same package
    return packed.getvalue()


def deployed(code: str | Mapping[str, str | bytes], **changed: Any) -> FunctionSpec:
    """Return the specification of a function: `code` is its lambda_function.py, or all of its files."""
    package = zipped({"lambda_function.py": code} if isinstance(code, str) else code)
    given: dict[str, Any] = {
        "arn": ARN,
        "name": "bento-worker",
        "version": "$LATEST",
        "region": "us-east-1",
        "runtime": "python3.11",
        "handler": "lambda_function.lambda_handler",
        "code": package,
        "code_sha256": base64.b64encode(hashlib.sha256(package).digest()).decode(),
        "timeout": 30,
        "memory": 256,
        "log_group": "/aws/lambda/bento-worker",
    }
    return FunctionSpec(**given | changed)


class Answers:
    """A cloud that notes each request and answers by `rule`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.rule: Callable[[Request], Response] = lambda request: Response(200, {}, b"{}")

    def __call__(self, request: Request) -> Response:
        self.requests.append(request)
        return self.rule(request)
