"""Requests to DynamoDB as they are written down, whatever botocore thinks of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

__all__ = ["refusal", "refusals", "send"]

Asked = tuple[str, Any]
"""An operation, and the body of its request: bytes, or what is sent as JSON."""


def send(operation: str, body: Any) -> Any:
    """Send `body` and return the answer."""
    return _call(_client(), operation, body)


def refusal(operation: str, body: Any) -> tuple[str, str]:
    """Send `body`, and return the code and message of its refusal."""
    return refusals([((operation, body), None)])[0]


def refusals(requests: Sequence[tuple[Asked, Any]]) -> list[tuple[str, str]]:
    """Send the requests, each given with what is expected of it, and return the codes and messages of their refusals."""
    client = _client()
    found = []
    for (operation, body), _ in requests:
        with pytest.raises(ClientError) as caught:
            _call(client, operation, body)
        answered = caught.value.response
        assert answered["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert answered["ResponseMetadata"]["RequestId"]
        found.append((answered["Error"]["Code"], answered["Error"].get("Message", "")))
    return found


def _client() -> Any:
    return boto3.client("dynamodb", config=Config(parameter_validation=False))


def _call(client: Any, operation: str, body: Any) -> Any:
    encoded = body if isinstance(body, bytes) else json.dumps(body).encode()

    def give(params: dict[str, Any], **_: Any) -> None:
        params["body"] = encoded

    client.meta.events.register("before-call", give)
    try:
        return client._make_api_call(operation, {"RequestItems": {}} if operation.startswith("Batch") else {})
    finally:
        client.meta.events.unregister("before-call", give)
