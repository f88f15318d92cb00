"""A DynamoDB request, read as AWS reads it: JSON types, what must be there, lengths, ranges and enumerations.

AWS: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations.html (each operation's constraints; botocore's
service description holds the same as data, and is what is read here) and
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html (SerializationException,
ValidationException). The wordings are what AWS is seen to answer in public issues and captures.
moto 5.2.5 (`moto/core/parse.py`) takes the JSON as it comes: a wrong type is an AttributeError or a KeyError in the middle of
an operation, and a table's name may be anything.

This takes the place of moto's own reading, and so costs no second pass. What a value may hold is `dynamodb_values`' to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from bentocola.cloud.amendments.dynamodb_values import (
    InvalidValueError,
    SerializationError,
    read_value,
    wrong_type,
)

__all__ = ["ENVELOPED", "install", "invalid", "read", "self_test"]

ENVELOPED = {"PutItem", "UpdateItem", "DeleteItem"}
"""Operations that put "1 validation error detected: " before most of what they refuse. The others say it bare."""

_ENVELOPE = "1 validation error detected: "
_MOST_FAULTS = 10
_TABLE_NAME = re.compile(r"[a-zA-Z0-9_.-]+")
_INTEGERS = {"integer": "Integer", "long": "Long"}
# In AWS's messages an enumeration is in an order of its own.
_ENUM_ORDER = {
    "ReturnValue": ["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"],
    "ReturnConsumedCapacity": ["INDEXES", "TOTAL", "NONE"],
    "ScalarAttributeType": ["B", "N", "S"],
    "Select": ["SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"],
}
# The description allows leaving them out, for a table of another account that is not to be had here.
_ALSO_REQUIRED = {"CreateTableInput": ["AttributeDefinitions", "KeySchema"]}
# Left to the operation, whose own words AWS uses: see dynamodb_checks.
_COUNTED_ELSEWHERE = {"BatchGetRequestMap", "BatchWriteItemRequestMap", "WriteRequests", "KeyList"}

Path = tuple[str, ...]
Reader = Callable[[Any, Path, list[str]], Any]


def invalid(operation: str, message: str, *, bare: bool = False) -> Exception:
    """Return DynamoDB's ValidationException, in the form that `operation` has for it."""
    from moto.dynamodb.exceptions import MockValidationException

    enveloped = operation in ENVELOPED and not bare and not message.startswith(_ENVELOPE)
    return MockValidationException(_ENVELOPE + message if enveloped else message)


def read(operation: str, body: bytes) -> dict[str, Any]:
    """Return an operation's parameters as moto wants them.

    Raises moto's forms of SerializationException, ValidationException and UnknownOperationException.
    """
    from moto.core.exceptions import JsonRESTError
    from moto.dynamodb.exceptions import SerializationException

    reader = _operation(operation)
    if reader is None:
        raise JsonRESTError("com.amazon.coral.service#UnknownOperationException", "")
    faults: list[str] = []
    try:
        given = json.loads(body or b"{}")
        if not isinstance(given, dict):
            raise SerializationError("Unexpected value type in payload")
        parameters: dict[str, Any] = reader(given, (), faults)
    except SerializationError as error:
        raise SerializationException(error.message) from None
    except RecursionError:
        raise SerializationException("") from None
    except InvalidValueError as error:
        raise invalid(operation, error.message, bare=error.bare) from None
    except ValueError:  # no JSON: AWS says nothing more about it
        raise SerializationException("") from None
    if faults:
        count = len(faults)
        said = f"{count} validation error{'s' if count > 1 else ''} detected: {'; '.join(faults)}"
        raise invalid(operation, said, bare=True)
    return parameters


@cache
def _operation(name: str) -> Reader | None:
    from moto.core.utils import get_service_model

    model = get_service_model("dynamodb")
    if name not in model.operation_names:
        return None
    shape = model.operation_model(name).input_shape
    if shape is None:
        return lambda value, path, faults: {}
    return _structure(shape, name)


# Faults


def _fault(faults: list[str], path: Path, value: Any, constraint: str) -> None:
    if len(faults) < _MOST_FAULTS:
        shown = "null" if value is None else f"'{value}'"
        faults.append(f"Value {shown} at '{'.'.join(path)}' failed to satisfy constraint: Member must {constraint}")


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


# One reader for each shape of the description


@cache
def _reader(shape_name: str, operation: str) -> Reader:
    from moto.core.utils import get_service_model

    shape = get_service_model("dynamodb").shape_for(shape_name)
    kind: str = shape.type_name
    if shape_name == "AttributeValue":
        return lambda value, path, faults: read_value(value)
    if shape_name == "ExpressionAttributeValueMap":
        return _expression_values(operation)
    if kind == "structure":
        return _structure(shape, operation)
    if kind == "list":
        return _list(shape, operation)
    if kind == "map":
        return _map(shape, operation)
    if kind == "string":
        return _table_name(operation) if shape_name in ("TableArn", "TableName") else _string(shape)
    if kind in _INTEGERS:
        return _integer(shape, _INTEGERS[kind])
    return _OTHERS[kind]


def _structure(shape: Any, operation: str) -> Reader:
    members = [(name, _lower(name), member.name) for name, member in shape.members.items()]
    readers: dict[str, Reader] = {}  # made when first needed: a description may name itself
    required = [*shape.required_members, *_ALSO_REQUIRED.get(shape.name, ())]

    def read_structure(value: Any, path: Path, faults: list[str]) -> Any:
        if not isinstance(value, dict):
            if isinstance(value, list):
                raise SerializationError(
                    f"Unrecognized collection type class com.amazonaws.dynamodb.v20120810.{shape.name}"
                )
            inside = path[-1:] == ("member",)
            raise SerializationError("Unexpected value type in payload" if inside else "Unexpected field type")
        held = {}
        for name, lowered, of in members:
            given = value.get(name)
            if given is not None:
                reader = readers.get(name) or readers.setdefault(name, _reader(of, operation))
                held[name] = reader(given, (*path, lowered), faults)
        for name in required:
            if name not in held:
                _fault(faults, (*path, _lower(name)), None, "not be null")
        return held

    return read_structure


def _list(shape: Any, operation: str) -> Reader:
    least, most = (None, None) if shape.name in _COUNTED_ELSEWHERE else _limits(shape)
    of = shape.member.name

    def read_list(value: Any, path: Path, faults: list[str]) -> Any:
        if isinstance(value, dict):
            raise SerializationError("Start of structure or map found where not expected")
        if not isinstance(value, list):
            raise SerializationError("Unexpected field type")
        for fault in _length_faults(len(value), least, most):
            shown = ", ".join(f"com.amazonaws.dynamodb.v20120810.{of}@{n:x}" for n in range(1, len(value) + 1))
            _fault(faults, path, f"[{shown}]", fault)
        reader = _reader(of, operation)
        return [reader(member, (*path, str(n), "member"), faults) for n, member in enumerate(value, 1)]

    return read_list


def _map(shape: Any, operation: str) -> Reader:
    of = shape.value.name
    names_tables = shape.key.name == "TableArn"
    name_reader = _table_name(operation)
    java = "java.lang.String" if shape.value.type_name == "string" else f"com.amazonaws.dynamodb.v20120810.{of}"

    def read_map(value: Any, path: Path, faults: list[str]) -> Any:
        if not isinstance(value, dict):
            if isinstance(value, list):
                raise SerializationError(f"Unrecognized collection type java.util.Map<java.lang.String, {java}>")
            raise SerializationError("Unexpected field type")
        reader = _reader(of, operation)
        if names_tables:
            for name in value:
                name_reader(name, (*path, "key"), faults)
        return {name: reader(member, (*path, name, "member"), faults) for name, member in value.items()}

    return read_map


def _expression_values(operation: str) -> Reader:
    """A value for an expression. The operations without an envelope say whose it is."""

    def read_values(value: Any, path: Path, faults: list[str]) -> Any:
        if not isinstance(value, dict):
            if isinstance(value, list):
                raise SerializationError(
                    "Unrecognized collection type java.util.Map<java.lang.String, "
                    "com.amazonaws.dynamodb.v20120810.AttributeValue>"
                )
            raise SerializationError("Unexpected field type")
        held = {}
        for name, member in value.items():
            try:
                held[name] = read_value(member)
            except InvalidValueError as error:
                if operation in ENVELOPED or error.bare:
                    raise
                said = f"ExpressionAttributeValues contains invalid value: {error.message} for key {name}"
                raise InvalidValueError(said) from None
        return held

    return read_values


def _string(shape: Any) -> Reader:
    least, most = _limits(shape)
    choices = list(shape.enum)
    if sorted(ordered := _ENUM_ORDER.get(shape.name, [])) == sorted(choices):
        choices = ordered

    def read_string(value: Any, path: Path, faults: list[str]) -> Any:
        if type(value) is not str:
            raise wrong_type(value, "String")
        if choices and value not in choices:
            _fault(faults, path, value, f"satisfy enum value set: [{', '.join(choices)}]")
        for fault in _length_faults(len(value), least, most):
            _fault(faults, path, value, fault)
        return value

    return read_string


def _table_name(operation: str) -> Reader:
    """A table's name or ARN. A name of one or two characters is refused where it would be given, else it is just not found."""
    least = 3 if operation == "CreateTable" else 1

    def read_name(value: Any, path: Path, faults: list[str]) -> Any:
        if type(value) is not str:
            raise wrong_type(value, "String")
        if value.startswith("arn:"):
            return value
        for fault in _length_faults(len(value), least, 255):
            _fault(faults, path, value, fault)
        if value and not _TABLE_NAME.fullmatch(value):
            _fault(faults, path, value, f"satisfy regular expression pattern: {_TABLE_NAME.pattern}")
        return value

    return read_name


def _integer(shape: Any, kind: str) -> Reader:
    least, most = _limits(shape)

    def read_integer(value: Any, path: Path, faults: list[str]) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise wrong_type(value, kind)
        value = int(value)
        if least is not None and value < least:
            _fault(faults, path, value, f"have value greater than or equal to {least}")
        if most is not None and value > most:
            _fault(faults, path, value, f"have value less than or equal to {most}")
        return value

    return read_integer


def _read_boolean(value: Any, path: Path, faults: list[str]) -> Any:
    if type(value) is not bool:
        raise wrong_type(value, "Boolean")
    return value


def _read_double(value: Any, path: Path, faults: list[str]) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(value, "Double")
    return float(value)


def _read_timestamp(value: Any, path: Path, faults: list[str]) -> Any:
    from moto.core.parse import default_timestamp_parser

    return default_timestamp_parser(value)


_OTHERS: Mapping[str, Reader] = {
    "boolean": _read_boolean,
    "double": _read_double,
    "float": _read_double,
    "timestamp": _read_timestamp,
}


def _limits(shape: Any) -> tuple[int | None, int | None]:
    return shape.metadata.get("min"), shape.metadata.get("max")


def _length_faults(length: int, least: int | None, most: int | None) -> Iterator[str]:
    if least is not None and length < least:
        yield f"have length greater than or equal to {least}"
    if most is not None and length > most:
        yield f"have length less than or equal to {most}"


# In moto


def _parse_parameters(handler: Any, request: Any) -> None:
    handler.params = read(handler._get_action(), request.data)


def install() -> None:
    """Let moto's DynamoDB read its requests here."""
    from moto.dynamodb import responses

    handler: Any = responses.DynamoHandler
    handler.parse_parameters = _parse_parameters


def self_test() -> None:
    """Raise if this moto's DynamoDB no longer reads its parameters in the method that is amended here, or by another shape."""
    import inspect

    from moto.core.responses import BaseResponse
    from moto.core.utils import get_service_model
    from moto.dynamodb.responses import DynamoHandler

    if (got := list(inspect.signature(BaseResponse.parse_parameters).parameters)) != ["self", "request"]:
        raise TypeError(f"parse_parameters takes {got}")
    if not DynamoHandler().automated_parameter_parsing:
        raise TypeError("DynamoHandler does not read its parameters by the description")
    model = get_service_model("dynamodb")
    unknown = sorted(_kinds(model.shape_for("PutItemInput"), set()) - {*_OTHERS, *_INTEGERS, *_WHOLE})
    if unknown:
        raise TypeError(f"PutItem has shapes of {unknown}")


_WHOLE: Sequence[str] = ("structure", "list", "map", "string", "blob")


def _kinds(shape: Any, seen: set[str]) -> set[str]:
    if shape.name in seen:
        return set()
    seen.add(shape.name)
    found = {shape.type_name}
    inner: list[Any] = []
    if shape.type_name == "structure":
        inner = list(shape.members.values())
    elif shape.type_name == "list":
        inner = [shape.member]
    elif shape.type_name == "map":
        inner = [shape.key, shape.value]
    for member in inner:
        found |= _kinds(member, seen)
    return found
