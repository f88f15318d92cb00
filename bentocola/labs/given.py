"""Makes what a lab gives its student, in a cloud that has just begun: tables with items, roles, functions.

It asks as anybody does, with requests of its own: to make a client of boto3 would take longer than all the answers.
"""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from bentocola.cloud.account import ACCOUNT, DEFAULT_REGION
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request
from bentocola.cloud.environment import FAKE

__all__ = ["make"]

_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of day of the packed files: the same files make the same package."""


def make(cloud: Cloud, given: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Make everything, and begin the trace after it. `files`: what the function's package holds."""
    for table in given.get("tables", ()):
        _make_table(cloud, table)
    if "role" in given:
        _make_role(cloud, given["role"])
    if "function" in given:
        _make_function(cloud, given["function"], files)
    cloud.trace.clear()


def _make_table(cloud: Cloud, table: Mapping[str, Any]) -> None:
    _dynamodb(
        cloud,
        "CreateTable",
        TableName=table["name"],
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": table["key"], "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": table["key"], "AttributeType": "S"}],
    )
    for item in table.get("items", ()):
        _dynamodb(cloud, "PutItem", TableName=table["name"], Item={name: _typed(value) for name, value in item.items()})


def _typed(value: str | int) -> dict[str, str]:
    return {"S": value} if isinstance(value, str) else {"N": str(value)}


def _make_role(cloud: Cloud, role: Mapping[str, Any]) -> None:
    trust = {"Effect": "Allow", "Principal": {"Service": role["service"]}, "Action": "sts:AssumeRole"}
    may = [{"Effect": "Allow", "Action": one["actions"], "Resource": one["resources"]} for one in role["may"]]
    _iam(cloud, "CreateRole", RoleName=role["name"], AssumeRolePolicyDocument=_policy([trust]))
    _iam(cloud, "PutRolePolicy", RoleName=role["name"], PolicyName="lab", PolicyDocument=_policy(may))


def _policy(statements: list[dict[str, Any]]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": statements})


def _make_function(cloud: Cloud, function: Mapping[str, Any], files: Mapping[str, str]) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), text)
    made = {
        "FunctionName": function["name"],
        "Role": f"arn:aws:iam::{ACCOUNT}:role/{function['role']}",
        "Handler": function["handler"],
        "Runtime": function["runtime"],
        "Timeout": function["timeout"],
        "MemorySize": function["memory"],
        "Environment": {"Variables": function["environment"]},
        "Code": {"ZipFile": base64.b64encode(packed.getvalue()).decode()},
    }
    _ask(cloud, "lambda", "/2015-03-31/functions", json.dumps(made), {"Content-Type": "application/json"})


def _dynamodb(cloud: Cloud, operation: str, **parameters: Any) -> None:
    headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"}
    _ask(cloud, "dynamodb", "/", json.dumps(parameters), headers)


def _iam(cloud: Cloud, operation: str, **parameters: str) -> None:
    body = urlencode({"Action": operation, "Version": "2010-05-08", **parameters})
    _ask(cloud, "iam", "/", body, {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"})


def _ask(cloud: Cloud, service: str, path: str, body: str, headers: Mapping[str, str]) -> None:
    """Send one request. Raises RuntimeError when it is refused: then the lab's data is wrong, and no student's doing."""
    scope = f"{FAKE['AWS_ACCESS_KEY_ID']}/20260101/{DEFAULT_REGION}/{service}/aws4_request"
    signed = {**headers, "Authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0"}
    host = "iam.amazonaws.com" if service == "iam" else f"{service}.{DEFAULT_REGION}.amazonaws.com"
    response = cloud.handle(Request("POST", f"https://{host}{path}", signed, body.encode()))
    if response.status >= 300:
        raise RuntimeError(f"{service} refused what the lab gives: {response.body.decode(errors='replace')}")
