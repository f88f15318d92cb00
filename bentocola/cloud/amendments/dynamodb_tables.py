"""A table is being made when CreateTable answers, and being deleted when DeleteTable does.

AWS: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html ("immediately returns a response with a
TableStatus of CREATING") and https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html.
moto 5.2.5 (`moto/dynamodb/responses.py`): both answers say ACTIVE. How long it takes AWS does not say: here the next call finds
it done, so that nobody has to wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bentocola.cloud.amendments import places

__all__ = ["install", "self_test"]

_of_moto: dict[str, Callable[..., Any]] = {}


def _create_table(self: Any) -> Any:
    return _with_status(_of_moto["create_table"](self), "CREATING")


def _delete_table(self: Any) -> Any:
    return _with_status(_of_moto["delete_table"](self), "DELETING")


def _with_status(answer: Any, status: str) -> Any:
    answer.result["TableDescription"]["TableStatus"] = status
    return answer


def _amended() -> Iterator[places.Place]:
    from moto.dynamodb.responses import DynamoHandler

    yield DynamoHandler, "create_table", _create_table
    yield DynamoHandler, "delete_table", _delete_table


def install() -> None:
    """Let the two answers tell the state that AWS documents."""
    places.put(_amended(), _of_moto)


def self_test() -> None:
    """Raise if this moto no longer answers with what is changed here."""
    from moto.dynamodb.models.table import Table

    places.expect_signatures(_amended())
    if not callable(getattr(Table, "describe", None)):
        raise TypeError("a table does not describe itself")
