"""A door with the access layer and nothing else before moto: who calls, and what they may do."""

from __future__ import annotations

import json
from typing import Any

import boto3

from bentocola.cloud import sessions
from bentocola.cloud.access import Access, Credentials
from bentocola.cloud.amendments import iam_aws_policies, iam_bucket_policies, iam_documents, sts_identity
from bentocola.cloud.door import ACCOUNT, Call, Door, Response
from bentocola.cloud.environment import AwsEnvironment
from bentocola.cloud.wires.in_process import InProcessWire

LAMBDA_TRUST = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
ACCOUNT_TRUST = {
    "Effect": "Allow",
    "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
    "Action": "sts:AssumeRole",
}


def document(*statements: dict[str, Any]) -> str:
    """A policy document of these statements."""
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def allow(actions: Any, resources: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": actions, "Resource": resources, **more}


def deny(actions: Any, resources: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Deny", "Action": actions, "Resource": resources, **more}


class Gate:
    """The door, with the student's clients, and those of users and roles that a test makes."""

    def __init__(self) -> None:
        for amendment in (iam_aws_policies, iam_bucket_policies, iam_documents, sts_identity):
            amendment.install()
        self.access = Access()
        self.calls: list[Call] = []
        self.door = Door([self.access, self._count])
        self._environment = AwsEnvironment()
        self._session = sessions.Default()
        self._wire = InProcessWire(self.door.handle)
        self._wire.connect()
        self.door.empty()

    def _count(self, call: Call, answer: Any) -> Response:
        """What comes this far was let through."""
        self.calls.append(call)
        response: Response = answer(call)
        return response

    def close(self) -> None:
        """Leave the process as it was."""
        self._wire.disconnect()
        self.door.empty()
        self._session.restore()
        self._environment.restore()

    def client(self, service: str, credentials: Credentials | None = None, region: str = "us-east-1") -> Any:
        """The student's client, or one with other credentials."""
        if credentials is None:
            return boto3.client(service, region_name=region)
        return boto3.client(
            service,
            region_name=region,
            aws_access_key_id=credentials.access_key,
            aws_secret_access_key=credentials.secret_key,
            aws_session_token=credentials.session_token or None,
        )

    def role(
        self, *statements: dict[str, Any], name: str = "consumer", trust: dict[str, Any] = LAMBDA_TRUST, **more: Any
    ) -> str:
        """Make a role with an inline policy of these statements, and return its ARN."""
        iam = self.client("iam")
        arn: str = iam.create_role(RoleName=name, AssumeRolePolicyDocument=document(trust), **more)["Role"]["Arn"]
        if statements:
            iam.put_role_policy(RoleName=name, PolicyName="own", PolicyDocument=document(*statements))
        return arn

    def as_role(self, *statements: dict[str, Any], **more: Any) -> Credentials:
        """The credentials of a function `order-worker` with such a role."""
        return self.access.issue(self.role(*statements, **more), "order-worker")

    def as_user(self, *statements: dict[str, Any], name: str = "ana") -> Credentials:
        """The access key of a user with an inline policy of these statements."""
        iam = self.client("iam")
        iam.create_user(UserName=name)
        if statements:
            iam.put_user_policy(UserName=name, PolicyName="own", PolicyDocument=document(*statements))
        key = iam.create_access_key(UserName=name)["AccessKey"]
        return Credentials(key["AccessKeyId"], key["SecretAccessKey"], "")
