"""The commands that lab 05's sentences give a student, as AWS documents them. Plain texts, one command a line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

__all__ = ["PURGE", "delete_command", "put_command", "send_command"]

PURGE = 'aws sqs purge-queue --queue-url "$QUEUE_URL"'


def send_command(body: str) -> str:
    """The command that sends a message."""
    return f'aws sqs send-message --queue-url "$QUEUE_URL" --message-body {shlex.quote(body)}'


def delete_command(table: str, *keys: str) -> str:
    """The commands that delete items, one a line."""
    return "\n".join(f"aws dynamodb delete-item --table-name {table} --key {_typed({'id': key})}" for key in keys)


def put_command(table: str, item: Mapping[str, Any]) -> str:
    """The command that writes an item of texts and whole numbers."""
    return f"aws dynamodb put-item --table-name {table} --item {_typed(item)}"


def _typed(item: Mapping[str, Any]) -> str:
    """An item in DynamoDB's typed JSON, quoted for a shell."""
    typed = {name: {"S": value} if isinstance(value, str) else {"N": str(value)} for name, value in item.items()}
    return shlex.quote(json.dumps(typed, ensure_ascii=False))
