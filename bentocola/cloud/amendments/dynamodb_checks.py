"""What DynamoDB refuses of a request before it does anything: keys, expressions, and what an operation takes at most.

AWS: the operations' pages below https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations.html (BatchGetItem:
100 keys; BatchWriteItem: 25 requests, no item twice; ReturnValues of PutItem and DeleteItem; Key: all attributes of the primary
key and no others) and https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html. The wordings are what
AWS is seen to answer in public issues and captures.
moto 5.2.5: a key of the wrong type finds nothing, or is written; an empty key is accepted by some operations; a missing one is
answered with "Validation Exception"; batches have no limit; DeleteItem ignores `Expected`; TTL of an unknown table is answered
with a code of its own; an update that fails leaves an empty item behind.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bentocola.cloud.amendments.dynamodb_expressions import ExpressionError, attributes_of, check, one_line
from bentocola.cloud.amendments.dynamodb_requests import invalid

__all__ = ["MISMATCH", "check_expressions", "check_item_key", "check_key", "install", "key_of", "self_test"]

MISMATCH = "The provided key element does not match the schema"
_DUPLICATES = "Provided list of item keys contains duplicates"
_TWO_REQUESTS = (
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
)
_CONDITION = ("ConditionExpression",)
_EXPRESSIONS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "PutItem": (_CONDITION, ("Expected", "ConditionalOperator")),
    "DeleteItem": (_CONDITION, ("Expected", "ConditionalOperator")),
    "UpdateItem": (
        ("UpdateExpression", "ConditionExpression"),
        ("AttributeUpdates", "Expected", "ConditionalOperator"),
    ),
    "GetItem": (("ProjectionExpression",), ("AttributesToGet",)),
    "Query": (
        ("ProjectionExpression", "FilterExpression", "KeyConditionExpression"),
        ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
    ),
    "Scan": (
        ("ProjectionExpression", "FilterExpression"),
        ("AttributesToGet", "ScanFilter", "ConditionalOperator"),
    ),
    "Put": (_CONDITION, ()),
    "Delete": (_CONDITION, ()),
    "ConditionCheck": (_CONDITION, ()),
    "Update": (("UpdateExpression", "ConditionExpression"), ()),
    "Get": (("ProjectionExpression",), ()),
}
"""An operation's expressions, and the parameters of the older form that do not go with them. The last five: in a transaction."""

Key = tuple[tuple[str, str, str | bytes], ...]


def check_expressions(operation: str, parameters: dict[str, Any], within: str | None = None) -> None:
    """Raise DynamoDB's refusal of the expressions in `parameters`. `within`: the transaction's or batch's operation."""
    expressions, others = _EXPRESSIONS[operation]
    for name in expressions:
        if name in parameters:
            parameters[name] = one_line(parameters[name])
    try:
        check(parameters, expressions, others, named=operation in ("Query", "Scan"))
    except ExpressionError as error:
        raise invalid(within or operation, error.message) from None


# Keys


def check_key(operation: str, table: Any, key: Mapping[str, Any]) -> None:
    """Raise DynamoDB's refusal of a Key: exactly the table's key attributes, of their types, and not empty."""
    types = _key_types(table)
    if len(key) != len(types) or any(name not in key for name in types):
        raise invalid(operation, MISMATCH, bare=True)
    for name, kind in types.items():
        if kind not in key[name]:
            raise invalid(operation, MISMATCH, bare=True)
    _check_not_empty(operation, types, key)


def check_item_key(operation: str, table: Any, item: Mapping[str, Any], *, in_a_batch: bool = False) -> None:
    """Raise DynamoDB's refusal of the key attributes in an item that is to be written, its indexes' among them."""
    types = _key_types(table)
    _check_not_empty(operation, types, item)
    for name, kind in types.items():
        if name not in item:
            said = MISMATCH if in_a_batch else _invalid_key(f"Missing the key {name} in the item")
            raise invalid(operation, said, bare=True)
        if kind not in item[name]:
            actual = next(iter(item[name]))
            said = _invalid_key(f"Type mismatch for key {name} expected: {kind} actual: {actual}")
            raise invalid(operation, MISMATCH if in_a_batch else said, bare=True)
    if table.indexes or table.global_indexes:
        _check_index_keys(operation, table, item)


def _check_index_keys(operation: str, table: Any, item: Mapping[str, Any]) -> None:
    types = {attribute["AttributeName"]: attribute["AttributeType"] for attribute in table.attr}
    for index in sorted(table.all_indexes(), key=lambda index: str(index.name)):
        for name in index.schema_key_attrs:
            if name in item and types.get(name) not in item[name]:
                said = (
                    f"Type mismatch for Index Key {name} Expected: {types.get(name)} "
                    f"Actual: {next(iter(item[name]))} IndexName: {index.name}"
                )
                raise invalid(operation, _invalid_key(said), bare=True)


def _check_not_empty(operation: str, names: Iterable[str], item: Mapping[str, Any]) -> None:
    for name in names:
        for kind, word in (("S", "string"), ("B", "binary")):
            if not item.get(name, {}).get(kind, "-"):
                said = (
                    "One or more parameter values are not valid. The AttributeValue for a key attribute "
                    f"cannot contain an empty {word} value. Key: {name}"
                )
                raise invalid(operation, said, bare=True)


def _invalid_key(said: str) -> str:
    return f"One or more parameter values were invalid: {said}"


def _key_types(table: Any) -> dict[str, str]:
    types = {table.hash_key_attr: table.hash_key_type}
    if table.range_key_attr is not None:
        types[table.range_key_attr] = table.range_key_type
    return types


def key_of(table: Any, item: Mapping[str, Any]) -> Key:
    """Return what tells an item from the others in its table: names, types and values of its key."""
    return tuple((name, kind, item[name][kind]) for name, kind in _key_types(table).items())


# Operations. Each gets moto's handler and the parameters, which have been read.


def _put(handler: Any, parameters: dict[str, Any]) -> None:
    _only_old_values("PutItem", parameters)
    check_expressions("PutItem", parameters)
    table = handler.dynamodb_backend.get_table(parameters["TableName"])
    check_item_key("PutItem", table, parameters["Item"])


def _update(handler: Any, parameters: dict[str, Any]) -> None:
    check_expressions("UpdateItem", parameters)
    table = handler.dynamodb_backend.get_table(parameters["TableName"])
    check_key("UpdateItem", table, parameters["Key"])


def _delete(handler: Any, parameters: dict[str, Any]) -> None:
    _only_old_values("DeleteItem", parameters)
    check_expressions("DeleteItem", parameters)
    table = handler.dynamodb_backend.get_table(parameters["TableName"])
    check_key("DeleteItem", table, parameters["Key"])
    if expected := parameters.get("Expected"):
        from moto.dynamodb.comparisons import get_expected
        from moto.dynamodb.exceptions import ConditionalCheckFailed

        stored = handler.dynamodb_backend.get_item(parameters["TableName"], parameters["Key"])
        if not get_expected(expected).expr(stored):
            raise ConditionalCheckFailed


def _only_old_values(operation: str, parameters: Mapping[str, Any]) -> None:
    if parameters.get("ReturnValues", "NONE") not in ("NONE", "ALL_OLD"):
        raise invalid(operation, "ReturnValues can only be ALL_OLD or NONE")


def _get(handler: Any, parameters: dict[str, Any]) -> None:
    check_expressions("GetItem", parameters)
    check_key("GetItem", handler.dynamodb_backend.get_table(parameters["TableName"]), parameters["Key"])


def _query(handler: Any, parameters: dict[str, Any]) -> None:
    """A filter sees what the key condition has found: it may not ask for the key again.

    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html
    """
    check_expressions("Query", parameters)
    if text := parameters.get("FilterExpression"):
        table = handler.dynamodb_backend.get_table(parameters["TableName"])
        found = [table] if "IndexName" not in parameters else [table.get_index(parameters["IndexName"])]
        keys = {attribute["AttributeName"] for one in found for attribute in one.schema}
        filtered = attributes_of("FilterExpression", text, parameters.get("ExpressionAttributeNames") or {})
        if both := sorted(keys & filtered):
            said = f"Filter Expression can only contain non-primary key attributes: Primary key attribute: {both[0]}"
            raise invalid("Query", said, bare=True)


def _scan(handler: Any, parameters: dict[str, Any]) -> None:
    check_expressions("Scan", parameters)


def _batch_get(handler: Any, parameters: dict[str, Any]) -> None:
    requested = parameters["RequestItems"]
    if not requested:
        raise invalid("BatchGetItem", "The requestItems parameter is required for BatchGetItem")
    for name, request in requested.items():
        if len(request["Keys"]) > 100:
            said = (
                f"1 validation error detected: Value at 'RequestItems.{name}.member.Keys' failed to satisfy constraint: "
                "Member must have length less than or equal to 100"
            )
            raise invalid("BatchGetItem", said)
    if sum(len(request["Keys"]) for request in requested.values()) > 100:
        raise invalid("BatchGetItem", "Too many items requested for the BatchGetItem call")
    for request in requested.values():
        check_expressions("GetItem", request, "BatchGetItem")
    for name, request in requested.items():
        table = handler.dynamodb_backend.get_table(name)
        for key in request["Keys"]:
            check_key("BatchGetItem", table, key)
        _refuse_duplicates("BatchGetItem", [key_of(table, key) for key in request["Keys"]])


def _batch_write(handler: Any, parameters: dict[str, Any]) -> None:
    requested = parameters["RequestItems"]
    if not requested:
        raise invalid("BatchWriteItem", "The requestItems parameter is required for BatchWriteItem")
    for name, requests in requested.items():
        if not 1 <= len(requests) <= 25:
            shown = ", ".join(
                f"com.amazonaws.dynamodb.v20120810.WriteRequest@{n:x}" for n in range(1, len(requests) + 1)
            )
            said = (
                f"1 validation error detected: Value '{{{name}=[{shown}]}}' at 'requestItems' failed to satisfy constraint: "
                "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
                "Member must have length greater than or equal to 1]"
            )
            raise invalid("BatchWriteItem", said)
        if any(len(request) != 1 for request in requests):
            raise invalid("BatchWriteItem", _TWO_REQUESTS)
    if sum(map(len, requested.values())) > 25:
        raise invalid("BatchWriteItem", "Too many items requested for the BatchWriteItem call")
    for name, requests in requested.items():
        table = handler.dynamodb_backend.get_table(name)
        keys = []
        for request in requests:
            if "PutRequest" in request:
                item = request["PutRequest"]["Item"]
                check_item_key("BatchWriteItem", table, item, in_a_batch=True)
            else:
                item = request["DeleteRequest"]["Key"]
                check_key("BatchWriteItem", table, item)
            keys.append(key_of(table, item))
        _refuse_duplicates("BatchWriteItem", keys)


def _refuse_duplicates(operation: str, keys: list[Key]) -> None:
    if len(set(keys)) < len(keys):
        raise invalid(operation, _DUPLICATES)


def _transact_get(handler: Any, parameters: dict[str, Any]) -> None:
    for item in parameters["TransactItems"]:
        check_expressions("Get", item["Get"], "TransactGetItems")
    for item in parameters["TransactItems"]:
        table = handler.dynamodb_backend.get_table(item["Get"]["TableName"])
        check_key("TransactGetItems", table, item["Get"]["Key"])


def _known_table(handler: Any, parameters: dict[str, Any]) -> None:
    from moto.dynamodb.exceptions import ResourceNotFoundException

    name = parameters["TableName"]
    try:
        handler.dynamodb_backend.get_table(name)
    except ResourceNotFoundException:
        raise ResourceNotFoundException(table_name=name) from None


_CHECKS: Mapping[str, Callable[[Any, dict[str, Any]], None]] = {
    "PutItem": _put,
    "UpdateItem": _update,
    "DeleteItem": _delete,
    "GetItem": _get,
    "Query": _query,
    "Scan": _scan,
    "BatchGetItem": _batch_get,
    "BatchWriteItem": _batch_write,
    "TransactGetItems": _transact_get,
    "DeleteTable": _known_table,
    "UpdateTable": _known_table,
    "DescribeTimeToLive": _known_table,
    "UpdateTimeToLive": _known_table,
}


# In moto

_THEIRS: dict[str, Callable[..., Any]] = {}


def _dispatch(handler: Any, request: Any, full_url: str | None = None, headers: Any = None) -> Any:
    """moto's, with the checks between the reading of a request and its operation."""
    from moto.core.exceptions import JsonRESTError
    from moto.utilities.aws_headers import gen_amzn_requestid_long

    try:
        handler.setup_class(request, full_url, headers)
        check_operation = _CHECKS.get(handler._get_action())
        if check_operation is not None:
            check_operation(handler, handler.params)
    except JsonRESTError as refusal:
        answered = dict(refusal.get_headers())
        gen_amzn_requestid_long(answered)
        return refusal.code, answered, refusal.get_body()
    return handler.call_action()


def _query_table(backend: Any, table_name: str, *arguments: Any, **named: Any) -> Any:
    """moto's, once the values for the keys are of the keys' types."""
    table = backend.get_table(table_name)
    types = {attribute["AttributeName"]: attribute["AttributeType"] for attribute in table.attr}
    given = [
        *(named.get("hash_key_conditions") or ()),
        *((name, value) for name, _, values in named.get("range_key_conditions") or () for value in values),
    ]
    for name, value in given:
        if name in types and isinstance(value, dict) and types[name] not in value:
            said = _invalid_key("Condition parameter type does not match schema type")
            raise invalid("Query", said, bare=True)
    return _THEIRS["query"](backend, table_name, *arguments, **named)


def _update_item(backend: Any, table_name: str, key: Mapping[str, Any], *arguments: Any, **named: Any) -> Any:
    """moto's, whole or not at all, and within the limit of an item's size."""
    from moto.dynamodb.exceptions import ItemSizeToUpdateTooLarge

    from bentocola.cloud.amendments.dynamodb_values import MAX_ITEM_BYTES

    table = backend.get_table(table_name)
    keys = backend.get_keys_value(table, key)
    stored = table.get_item(*keys)
    before = copy.deepcopy(stored)
    events = len(table.stream_shard.items) if table.stream_shard is not None else 0
    try:
        updated = _THEIRS["update_item"](backend, table_name, key, *arguments, **named)
        if updated.size() > MAX_ITEM_BYTES:
            raise ItemSizeToUpdateTooLarge
    except Exception:
        if stored is None:
            table.delete_item(*keys)
        else:
            stored.attrs = before.attrs
        if table.stream_shard is not None:
            del table.stream_shard.items[events:]
        raise
    return updated


def install() -> None:
    """Put the checks before moto's operations."""
    from moto.dynamodb import responses
    from moto.dynamodb.models import DynamoDBBackend

    handler: Any = responses.DynamoHandler
    handler._dispatch = _dispatch
    responses.TRANSACTION_MAX_ITEMS = 100
    for name, ours in (("query", _query_table), ("update_item", _update_item)):
        if (theirs := getattr(DynamoDBBackend, name)) is not ours:
            _THEIRS[name] = theirs
            setattr(DynamoDBBackend, name, ours)


def self_test() -> None:
    """Raise if this moto's handler is not dispatched, or its backend not asked, as they are amended here."""
    from moto.core.responses import BaseResponse
    from moto.dynamodb import responses
    from moto.dynamodb.models import DynamoDBBackend
    from moto.dynamodb.models.table import Table

    if (got := list(inspect.signature(BaseResponse._dispatch).parameters)) != [
        "self",
        "request",
        "full_url",
        "headers",
    ]:
        raise TypeError(f"_dispatch takes {got}")
    for name in ("hash_key_conditions", "range_key_conditions"):
        if name not in inspect.signature(_THEIRS.get("query", DynamoDBBackend.query)).parameters:
            raise TypeError(f"query has no {name}")
    for name in ("get_table", "get_item", "get_keys_value"):
        if not callable(getattr(DynamoDBBackend, name, None)):
            raise TypeError(f"DynamoDBBackend has no {name}")
    if not isinstance(responses.TRANSACTION_MAX_ITEMS, int):
        raise TypeError("no TRANSACTION_MAX_ITEMS")
    schema = [{"AttributeName": "a", "KeyType": "HASH"}]
    make: Any = Table
    table = make("abc", "123456789012", "us-east-1", schema, [{"AttributeName": "a", "AttributeType": "S"}])
    if _key_types(table) != {"a": "S"} or table.all_indexes() or table.stream_shard is not None:
        raise TypeError("a table does not tell its keys, indexes and stream")
