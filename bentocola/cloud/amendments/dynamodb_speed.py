"""What moto does for each call, or each value, and need do only once. For speed alone: what is answered stays the same.

moto 5.2.5 looks through all members of a service's class for its operations, a tenth of the time of a call
(`moto/core/responses.py`), and draws each of the 52 characters of a request's id by itself, a twentieth
(`moto/utilities/aws_headers.py`): these two are the core's, and serve every service. For DynamoDB it looks in each value of an
answer for all ten types, by several names each, four fifths of the time of a query (`moto/core/serialize.py`), and reads each
update's expression twice (`moto/dynamodb/parsing/expressions.py`).
"""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

__all__ = ["install", "self_test"]

_ID_CHARACTERS = string.ascii_letters + string.digits
_ID_LENGTH = 52
_THEIRS: dict[str, Callable[..., Any]] = {}


@cache
def _method_names(service_class: type) -> frozenset[str]:
    from moto.core.utils import method_names_from_class

    return frozenset(method_names_from_class(service_class))


def _request_id(headers: dict[str, Any] | None = None) -> str:
    from moto.moto_api._internal import mock_random

    request_id = "".join(mock_random.choices(_ID_CHARACTERS, k=_ID_LENGTH))
    if headers is not None:
        headers["x-amzn-requestid"] = request_id
    return request_id


def _serialize(serializer: Any, serialized: Any, value: Any, shape: Any, key: str) -> None:
    """moto's; a value of DynamoDB's is written as it is, but for what is binary."""
    if shape.name == "AttributeValue" and type(value) is dict and _is_dynamodb(serializer):
        serialized[key] = _written(serializer, value)
    else:
        _THEIRS["_serialize"](serializer, serialized, value, shape, key)


def _is_dynamodb(serializer: Any) -> bool:
    service: str = serializer.operation_model.service_model.service_name
    return service.startswith("dynamodb")


def _written(serializer: Any, value: dict[str, Any]) -> dict[str, Any]:
    written = {}
    for kind, held in value.items():
        if kind == "B":
            held = serializer._base64(held)
        elif kind == "BS":
            held = [serializer._base64(member) for member in held]
        elif kind == "L":
            held = [_written(serializer, member) for member in held]
        elif kind == "M":
            held = {name: _written(serializer, member) for name, member in held.items()}
        written[kind] = held
    return written


def install() -> None:
    """Let moto look operations up in a set, draw an id at once, write values as they are, and keep what it has read."""
    from moto.core import responses, serialize
    from moto.dynamodb.parsing import expressions

    vars(responses).update(method_names_from_class=_method_names, gen_amzn_requestid_long=_request_id)
    json_serializer: Any = serialize.BaseJSONSerializer
    if json_serializer._serialize is not _serialize:
        _THEIRS["_serialize"] = json_serializer._serialize
        json_serializer._serialize = _serialize
    parsers: Any = expressions
    if "make" not in _THEIRS:
        _THEIRS["make"] = parsers.UpdateExpressionParser.make
        # A validator works on a copy of the tree that it is given; the tree itself stays as it was read.
        parsers.UpdateExpressionParser.make = staticmethod(lru_cache(maxsize=256)(_THEIRS["make"]))


def self_test() -> None:
    """Raise if this moto does not ask for these things by these names, or for others."""
    from moto.core import responses
    from moto.core.serialize import BaseJSONSerializer
    from moto.dynamodb.parsing import expressions
    from moto.utilities.aws_headers import gen_amzn_requestid_long

    for name in ("method_names_from_class", "gen_amzn_requestid_long"):
        if not callable(getattr(responses, name, None)):
            raise TypeError(f"moto.core.responses has no {name}")
    made = gen_amzn_requestid_long({})
    if len(made) != _ID_LENGTH or set(made) - set(_ID_CHARACTERS):
        raise TypeError(f"a request's id is {made!r}")
    if "call_action" not in _method_names(responses.BaseResponse):
        raise TypeError("a class's methods have other names")
    for name in ("_serialize", "_base64"):
        if not callable(getattr(BaseJSONSerializer, name, None)):
            raise TypeError(f"BaseJSONSerializer has no {name}")
    parsers: Any = expressions
    parsers.UpdateExpressionParser.make("SET a = :a")
