"""TransactWriteItems: all or nothing at the cost of what it writes, its limits, and once only for each client token.

AWS: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html (1 to 100 actions, no two on one
item, 4 MB together, "a client request token is valid for 10 minutes after the first request that uses it is completed") and
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html. A request that is wrong in itself is a
ValidationException; one that fails by what is stored, or by a key's type, is a TransactionCanceledException, with reasons.
moto 5.2.5: copies the whole table once for each action, so that 100 actions on 1,000 items copy 100,000; ignores
ClientRequestToken; has no lower limit and none in bytes; takes 3 and 3.0 for two items.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bentocola.cloud.amendments.dynamodb_checks import (
    MISMATCH,
    check_expressions,
    check_item_key,
    check_key,
    key_of,
)
from bentocola.cloud.amendments.dynamodb_requests import invalid
from bentocola.cloud.amendments.dynamodb_values import MAX_ITEM_BYTES, item_size

__all__ = ["TOKEN_SECONDS", "install", "self_test"]

TOKEN_SECONDS = 600
"""How long a client's token stands for the request that it came with."""

_OPERATION = "TransactWriteItems"
_MAX_BYTES = 4 * 1024 * 1024
_TOKENS = "_bentocola_tokens"
_MISMATCHED_TOKEN = (  # the API reference's own sentence
    "DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token "
    "that was already used."
)
_TOO_LARGE = "The aggregate size of the items in the transaction cannot exceed 4 MB"  # likewise

Reason = tuple[str | None, str | None, dict[str, Any] | None]
"""What moto calls an error of an action: code, message, and the item that was found. All None for none."""


def _write(handler: Any) -> Any:
    """In the place of moto's operation."""
    from moto.core.responses import ActionResult

    backend, actions = handler.dynamodb_backend, handler.params["TransactItems"]
    _check(backend, actions)
    token = handler.params.get("ClientRequestToken")
    if not _answered(backend, token, actions):
        backend.transact_write_items(actions)
        _remember(backend, token, actions)
    return ActionResult({"ConsumedCapacity": [], "ItemCollectionMetrics": {}})


# The request in itself


def _check(backend: Any, actions: Sequence[dict[str, Any]]) -> None:
    from moto.dynamodb.exceptions import ItemSizeTooLarge, MultipleTransactionsException, TransactWriteSingleOpException

    size = 0
    for action in actions:
        if len(action) != 1:
            raise TransactWriteSingleOpException
        kind, request = next(iter(action.items()))
        check_expressions(kind, request, _OPERATION)
        of_action = item_size(request.get("Item") or request["Key"])
        if of_action > MAX_ITEM_BYTES:
            raise ItemSizeTooLarge
        size += of_action
    if size > _MAX_BYTES:
        raise invalid(_OPERATION, _TOO_LARGE)
    seen = set()
    for action in actions:
        request = next(iter(action.values()))
        table = backend.get_table(request["TableName"])
        found = request.get("Item") or request["Key"]
        if _has_key(table, found):
            target = (table.name, key_of(table, found))
            if target in seen:
                raise MultipleTransactionsException
            seen.add(target)


def _has_key(table: Any, item: Mapping[str, Any]) -> bool:
    kinds = {table.hash_key_attr: table.hash_key_type, table.range_key_attr: table.range_key_type}
    return all(name is None or kind in item.get(name, {}) for name, kind in kinds.items())


# Tokens


def _answered(backend: Any, token: str | None, actions: Any) -> bool:
    """Whether this request was carried out under `token` before. The times are the course's."""
    from moto.core.exceptions import JsonRESTError
    from moto.core.utils import unix_time

    tokens: dict[str, tuple[float, str]] = vars(backend).setdefault(_TOKENS, {})
    now = unix_time()
    for old in [old for old, (until, _) in tokens.items() if until <= now]:
        del tokens[old]
    if token not in tokens:
        return False
    if tokens[token][1] != _digest(actions):
        error_type = "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"
        raise JsonRESTError(error_type, _MISMATCHED_TOKEN)
    return True


def _remember(backend: Any, token: str | None, actions: Any) -> None:
    from moto.core.utils import unix_time

    if token is not None:
        vars(backend)[_TOKENS][token] = (unix_time() + TOKEN_SECONDS, _digest(actions))


def _digest(actions: Any) -> str:
    text = json.dumps(actions, sort_keys=True, default=lambda binary: binary.hex())
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


# The actions


def _transact_write_items(backend: Any, transact_items: list[dict[str, Any]]) -> None:
    """In the place of moto's: first all conditions, then all writes, and back again if one of them fails."""
    from moto.dynamodb.exceptions import TransactionCanceledException

    actions = [next(iter(action.items())) for action in transact_items]
    reasons = [_refusal(backend, kind, request) for kind, request in actions]
    if not any(code for code, _, _ in reasons):
        undo: list[Callable[[], None]] = []
        reasons = [_carry_out(backend, kind, request, undo) for kind, request in actions]
        if not any(code for code, _, _ in reasons):
            return
        for step in reversed(undo):
            step()
    raise TransactionCanceledException(reasons)


def _refusal(backend: Any, kind: str, request: Mapping[str, Any]) -> Reason:
    """The reason against an action, by its key and its condition. An empty key is no reason: it ends the request."""
    from moto.dynamodb.comparisons import get_filter_expression
    from moto.dynamodb.exceptions import MockValidationException

    table = backend.get_table(request["TableName"])
    try:
        if kind == "Put":
            check_item_key(_OPERATION, table, request["Item"])
        else:
            check_key(_OPERATION, table, request["Key"])
    except MockValidationException as error:
        if "cannot contain an empty" in error.message:
            raise
        return "ValidationError", error.message, None
    stored = table.get_item(*backend.get_keys_value(table, request.get("Item") or request["Key"]))
    if not (condition := request.get("ConditionExpression")):
        return None, None, None
    names, values = request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues")
    if get_filter_expression(condition, names, values).expr(stored):
        return None, None, None
    shows = request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" and stored is not None
    found = stored.to_json()["Attributes"] if shows else None
    return "ConditionalCheckFailed", "The conditional request failed", found


def _carry_out(backend: Any, kind: str, request: Mapping[str, Any], undo: list[Callable[[], None]]) -> Reason:
    from moto.dynamodb.exceptions import MockValidationException

    if kind == "ConditionCheck":
        return None, None, None
    table = backend.get_table(request["TableName"])
    keys = backend.get_keys_value(table, request.get("Item") or request["Key"])
    stored = table.get_item(*keys)
    undo.append(_restoring(table, keys, copy.deepcopy(stored) if kind == "Update" else stored))
    try:
        if kind == "Put":
            table.put_item(request["Item"])
        elif kind == "Delete":
            table.delete_item(*keys)
        else:
            backend.update_item(
                request["TableName"],
                request["Key"],
                update_expression=request["UpdateExpression"],
                expression_attribute_names=request.get("ExpressionAttributeNames") or {},
                expression_attribute_values=request.get("ExpressionAttributeValues") or {},
            )
    except MockValidationException as error:
        return "ValidationError", error.message, None
    return None, None, None


def _restoring(table: Any, keys: tuple[Any, Any], stored: Any) -> Callable[[], None]:
    shard = table.stream_shard
    events = len(shard.items) if shard is not None else 0

    def restore() -> None:
        hash_key, range_key = keys
        holder, key = (table.items[hash_key], range_key) if range_key is not None else (table.items, hash_key)
        if stored is None:
            holder.pop(key, None)
        else:
            holder[key] = stored
        if shard is not None:
            del shard.items[events:]

    return restore


def install() -> None:
    """Put the transaction in the place of moto's."""
    from moto.dynamodb import models, responses

    _write.__name__ = "transact_write_items"  # moto finds an operation by its method's name
    handler: Any = responses.DynamoHandler
    backend: Any = models.DynamoDBBackend
    handler.transact_write_items = _write
    backend.transact_write_items = _transact_write_items


def self_test() -> None:
    """Raise if this moto's transaction, or what it is made of, is called in another way."""
    from moto.dynamodb.exceptions import TransactionCanceledException
    from moto.dynamodb.models import DynamoDBBackend
    from moto.dynamodb.models.table import Table

    expected = ["transact_items"]
    if (got := list(inspect.signature(DynamoDBBackend.transact_write_items).parameters)[1:]) != expected:
        raise TypeError(f"transact_write_items takes {got}, expected {expected}")
    if "item_attrs" not in inspect.signature(Table.put_item).parameters:
        raise TypeError("put_item takes no item_attrs")
    answered = json.loads(TransactionCanceledException([("A", MISMATCH, None), (None, None, None)]).description)
    if answered["CancellationReasons"] != [{"Code": "A", "Message": MISMATCH}, {"Code": "None"}]:
        raise TypeError("a cancelled transaction has other reasons")
