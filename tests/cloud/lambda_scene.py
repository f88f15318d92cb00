"""A local cloud with a role that Lambda may assume, and what the tests of Lambda's API say to it."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

__all__ = ["ACCOUNT", "REGION", "TRUST", "LambdaScene", "archive", "refusal"]

ACCOUNT = "123456789012"
REGION = "us-east-1"
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}


def archive(**files: str) -> bytes:
    """Return a deployment package: modules by their names, `app` with a handler when none is given."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        for name, text in (files or {"app": "def handler(event, context):\n    return event\n"}).items():
            opened.writestr(zipfile.ZipInfo(f"{name}.py"), text)  # without the time: the same bytes each time
    return packed.getvalue()


def refusal(call: Any, /, **parameters: Any) -> tuple[str, str, int]:
    """Return the code, the message and the HTTP status with which a call is refused."""
    try:
        answer = call(**parameters)
    except ClientError as error:
        status = int(error.response["ResponseMetadata"]["HTTPStatusCode"])
        return str(error.response["Error"]["Code"]), str(error.response["Error"]["Message"]), status
    raise AssertionError(f"It was accepted: {answer}")


class LambdaScene:
    """Clients that send what they are told to, a role, and functions and queues on demand."""

    def __init__(self) -> None:
        as_told = Config(parameter_validation=False, retries={"total_max_attempts": 1})
        self.awslambda: Any = boto3.client("lambda", region_name=REGION, config=as_told)
        self.sqs: Any = boto3.client("sqs", region_name=REGION)
        self.s3: Any = boto3.client("s3", region_name=REGION)
        self.iam: Any = boto3.client("iam", region_name=REGION)
        self.role = self.make_role("pedidos")

    def make_role(self, name: str, trust: Any = TRUST) -> str:
        """Create a role and return its ARN."""
        role = self.iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(trust))
        return str(role["Role"]["Arn"])

    def spec(self, **changes: Any) -> dict[str, Any]:
        """Return what CreateFunction takes for an ordinary function, with changes."""
        ordinary = {
            "FunctionName": "pedidos",
            "Runtime": "python3.13",
            "Handler": "app.handler",
            "Role": self.role,
            "Code": {"ZipFile": archive()},
        }
        return {**ordinary, **changes}

    def make_function(self, **changes: Any) -> dict[str, Any]:
        """Create a function and return the answer."""
        return dict(self.awslambda.create_function(**self.spec(**changes)))

    def make_queue(self, name: str = "cola", **attributes: str) -> str:
        """Create a queue and return its ARN."""
        self.sqs.create_queue(QueueName=name, Attributes=attributes)
        return f"arn:aws:sqs:{REGION}:{ACCOUNT}:{name}"

    def make_mapping(self, queue_arn: str, **changes: Any) -> dict[str, Any]:
        """Map a queue to a function and return the answer."""
        return dict(
            self.awslambda.create_event_source_mapping(
                **{"EventSourceArn": queue_arn, "FunctionName": "pedidos", **changes}
            )
        )
