"""Attribute values as DynamoDB takes them: one type each, numbers normalised, no empty or doubled sets, sizes in bytes.

AWS: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html (38 digits, range,
"leading and trailing zeroes are trimmed"), https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
(sets, 32 levels, 400 KB an item), https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
(sizes). Where those pages give no wording, the messages are what AWS is seen to answer in public issues and captures.
moto 5.2.5 keeps a number as it was sent, and so has two items under 3 and 3.0; takes 39 digits, NaN inside a list, empty and
doubled sets; adds with `int()`, which fails on 1E2; limits an item to 405,000 bytes and counts a number by its characters.
"""

from __future__ import annotations

import base64
import binascii
import decimal
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

__all__ = [
    "MAX_ITEM_BYTES",
    "InvalidValueError",
    "SerializationError",
    "install",
    "item_size",
    "normal_number",
    "read_value",
    "self_test",
    "wrong_type",
]

MAX_ITEM_BYTES = 400 * 1024
"""The largest item: UTF-8 bytes of names and values together."""

_MAX_LEVELS = 32
_MAX_DIGITS = 38
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
_UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
_TOO_DEEP = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)
_NO_TYPE = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
_TWO_TYPES = (
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
)
_INVALID = "One or more parameter values were invalid: "
# Wide enough for any sum of two numbers in range to be exact: 126 digits before the point, 130 after it, and a carry.
_EXACT = decimal.Context(prec=300, Emax=999_999, Emin=-999_999, traps=[decimal.InvalidOperation])


class InvalidValueError(Exception):
    """A value that DynamoDB refuses with a ValidationException. `bare`: it says so without a prefix in any operation."""

    def __init__(self, message: str, *, bare: bool = False) -> None:
        self.message, self.bare = message, bare
        super().__init__(message)


class SerializationError(Exception):
    """A JSON type that DynamoDB does not read where it stands: a SerializationException."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def wrong_type(value: Any, kind: str) -> SerializationError:
    """Return DynamoDB's refusal of a JSON `value` where Java's `kind` is due: String, Boolean, Integer, Long or Double."""
    if isinstance(value, dict):
        return SerializationError("Start of structure or map found where not expected")
    if isinstance(value, list):
        return SerializationError(f"Unrecognized collection type class java.lang.{kind}")
    if isinstance(value, str) and kind == "Boolean":
        return SerializationError("Unexpected token received from parser")
    token = {True: "TRUE", False: "FALSE"}[value] if isinstance(value, bool) else _TOKENS[type(value)]
    return SerializationError(f"{token}_VALUE cannot be converted to {kind}")


_TOKENS = {int: "NUMBER", float: "DECIMAL", str: "STRING", type(None): "NULL"}


# Numbers


def normal_number(text: str) -> str:
    """Return the one spelling of a number: no exponent, no sign of zero, no zeros that say nothing.

    Raises InvalidValueError for what is no number, has more than 38 significant digits, or is out of range.
    """
    # Most numbers are short and plain already.
    if len(text) < 16 and text.isascii() and text.isdigit() and (text[0] != "0" or text == "0"):
        return text
    return _normal_number(text)


@lru_cache(maxsize=2048)
def _normal_number(text: str) -> str:
    if not _NUMBER.fullmatch(text):
        said = f": {text}" if text else ""
        raise InvalidValueError(f"The parameter cannot be converted to a numeric value{said}", bare=True)
    mantissa, _, exponent = text.lower().partition("e")
    if not mantissa.strip("+-.0"):
        return "0"
    if len(exponent) > 6:  # beyond any range, and beyond what is worth computing
        raise InvalidValueError(_UNDERFLOW if exponent.startswith("-") else _OVERFLOW, bare=True)
    return _spelled(Decimal(text))


def _spelled(number: Decimal) -> str:
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    kept = "".join(map(str, digits)).lstrip("0")
    significant = kept.rstrip("0")
    if not significant:
        return "0"
    exponent += len(kept) - len(significant)
    magnitude = exponent + len(significant) - 1
    if magnitude > 125:
        raise InvalidValueError(_OVERFLOW, bare=True)
    if magnitude < -130:
        raise InvalidValueError(_UNDERFLOW, bare=True)
    if len(significant) > _MAX_DIGITS:
        raise InvalidValueError("Attempting to store more than 38 significant digits in a Number", bare=True)
    return format(Decimal((sign, tuple(map(int, significant)), exponent)), "f")


def _sum(left: Any, right: Any, sign: int) -> Any:
    """Add or subtract two of moto's numbers exactly. A result that needs more than 38 digits is an overflow, as on AWS."""
    from moto.dynamodb.exceptions import IncorrectDataType, MockValidationException
    from moto.dynamodb.models.dynamo_type import DynamoType

    if left.type != right.type:
        raise TypeError("Different types of operandi is not allowed.")  # moto's own, which it turns into AWS's words
    if left.type != "N":
        if sign < 0:
            raise TypeError("Sum only supported for Numbers.")
        raise IncorrectDataType
    total = (_EXACT.add if sign > 0 else _EXACT.subtract)(Decimal(left.value), Decimal(right.value))
    try:
        return DynamoType({"N": _spelled(total)})
    except InvalidValueError as error:
        raise MockValidationException(error.message if error.message == _UNDERFLOW else _OVERFLOW) from None


# Values


def read_value(value: Any, level: int = 1) -> dict[str, Any]:
    """Return a value of a request as moto wants it: `{type: value}`, binary decoded, numbers in their one spelling.

    Raises SerializationError for a wrong JSON type and InvalidValueError for a value that DynamoDB does not take.
    """
    if type(value) is not dict:
        if value is None:
            raise InvalidValueError(_NO_TYPE)
        if isinstance(value, list):
            raise SerializationError(
                "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"
            )
        raise SerializationError("Unexpected value type in payload")
    if level > _MAX_LEVELS:
        raise InvalidValueError(_TOO_DEEP, bare=True)
    if len(value) != 1:
        value = {kind: held for kind, held in value.items() if held is not None and kind in _READERS}
        if len(value) > 1:
            for kind, held in value.items():  # what is wrong with one of them is said first
                _READERS[kind](held, level)
            raise InvalidValueError(_TWO_TYPES)
    for kind, held in value.items():
        if held is None or kind not in _READERS:
            break
        return {kind: _READERS[kind](held, level)}
    raise InvalidValueError(_NO_TYPE)


def _string(held: Any, level: int) -> str:
    if type(held) is not str:
        raise wrong_type(held, "String")
    return held


def _number(held: Any, level: int) -> str:
    return normal_number(_string(held, level))


def _binary(held: Any, level: int) -> bytes:
    if isinstance(held, list):
        raise SerializationError("Unrecognized collection type class java.nio.ByteBuffer")
    if isinstance(held, dict):
        raise SerializationError("Start of structure or map found where not expected")
    if not isinstance(held, str):
        raise SerializationError("only base-64-encoded strings are convertible to bytes")
    if len(held) % 4:
        raise SerializationError(f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(held)}")
    try:
        return base64.b64decode(held, validate=True)
    except binascii.Error:
        raise SerializationError("Invalid last non-pad Base64 character dectected") from None  # AWS spells it so


def _boolean(held: Any, level: int) -> bool:
    if type(held) is not bool:
        raise wrong_type(held, "Boolean")
    return held


def _null(held: Any, level: int) -> bool:
    if not _boolean(held, level):
        raise InvalidValueError(f"{_INVALID}Null attribute value types must have the value of true")
    return True


def _list_of(held: Any) -> list[Any]:
    if isinstance(held, dict):
        raise SerializationError("Start of structure or map found where not expected")
    if not isinstance(held, list):
        raise SerializationError("Unexpected field type")
    return held


def _strings(held: Any, level: int) -> list[str]:
    members = [_string(member, level) for member in _list_of(held)]
    if not members:
        raise InvalidValueError(f"{_INVALID}An string set  may not be empty")
    if len(set(members)) < len(members):
        shown = ", ".join(f'"{member}"' for member in members)
        raise InvalidValueError(f"{_INVALID}Input collection [{shown}] contains duplicates.")
    return members


def _numbers(held: Any, level: int) -> list[str]:
    members = [_number(member, level) for member in _list_of(held)]
    if not members:
        raise InvalidValueError(f"{_INVALID}An number set  may not be empty")
    if len(set(members)) < len(members):
        raise InvalidValueError("Input collection contains duplicates")
    return members


def _binaries(held: Any, level: int) -> list[bytes]:
    members = [_binary(member, level) for member in _list_of(held)]
    if not members:
        raise InvalidValueError(f"{_INVALID}Binary sets should not be empty")
    if len(set(members)) < len(members):
        shown = ",".join(f'"{member}"' for member in held)
        raise InvalidValueError(f"{_INVALID}Input collection [{shown}]of type BS contains duplicates.")
    return members


def _list(held: Any, level: int) -> list[dict[str, Any]]:
    return [read_value(member, level + 1) for member in _list_of(held)]


def _map(held: Any, level: int) -> dict[str, dict[str, Any]]:
    if type(held) is not dict:
        if isinstance(held, list):
            raise SerializationError(
                "Unrecognized collection type java.util.Map<java.lang.String, "
                "com.amazonaws.dynamodb.v20120810.AttributeValue>"
            )
        raise SerializationError("Unexpected field type")
    return {name: read_value(member, level + 1) for name, member in held.items()}


_READERS = {
    "S": _string,
    "N": _number,
    "B": _binary,
    "BOOL": _boolean,
    "NULL": _null,
    "SS": _strings,
    "NS": _numbers,
    "BS": _binaries,
    "L": _list,
    "M": _map,
}


# Sizes, in bytes


def item_size(item: Mapping[str, Mapping[str, Any]]) -> int:
    """Return the size of an item in typed JSON, as `read_value` gives it."""
    return sum(_bytes(name) + _size(*next(iter(value.items()))) for name, value in item.items())


def _size(kind: str, held: Any) -> int:
    """One byte for what is true, false or null; three for a list or map and one more for each of its members."""
    if kind == "N":
        return _number_size(held)
    if kind in ("S", "B"):
        return _bytes(held)
    if kind == "L":
        return 3 + sum(1 + _member_size(member) for member in held)
    if kind == "M":
        return 3 + sum(1 + _bytes(name) + _member_size(member) for name, member in held.items())
    if kind in ("SS", "BS"):
        return sum(map(_bytes, held))
    if kind == "NS":
        return sum(map(_number_size, held))
    return 1


def _member_size(member: Any) -> int:
    if isinstance(member, Mapping):
        return _size(*next(iter(member.items())))
    return _size(member.type, member.value)  # moto's own, in an item that it holds


def _bytes(held: str | bytes) -> int:
    if isinstance(held, bytes):
        return len(held)
    return len(held) if held.isascii() else len(held.encode("utf-8", "surrogatepass"))


def _number_size(text: str) -> int:
    """One byte for two significant digits, and one."""
    return (len(text.lstrip("-").replace(".", "").strip("0")) + 1) // 2 + 1


# In moto


def _type_size(value: Any) -> int:
    return _size(value.type, value.value)


def _add(left: Any, right: Any) -> Any:
    return _sum(left, right, 1)


def _subtract(left: Any, right: Any) -> Any:
    return _sum(left, right, -1)


def _new_item(item: Any, hash_key: Any, range_key: Any, attrs: Mapping[str, Any]) -> None:
    """moto's, measured once: it measures the whole item again for each attribute that it sets."""
    from moto.dynamodb.exceptions import ItemSizeTooLarge
    from moto.dynamodb.models.dynamo_type import DynamoType, LimitedSizeDict

    item.hash_key, item.range_key = hash_key, range_key
    held = LimitedSizeDict()
    for name, value in attrs.items():
        dict.__setitem__(held, name, DynamoType(value))
    item.attrs = held
    if item.size() > MAX_ITEM_BYTES:
        raise ItemSizeTooLarge


def _to_regular_json(value: Any) -> dict[str, Any]:
    """moto's, without a deep copy first of what is then made anew."""
    held = value.value
    if value.type == "L":
        held = [_to_regular_json(member) if hasattr(member, "type") else member for member in held]
    elif value.type == "M":
        held = {name: _to_regular_json(member) if hasattr(member, "type") else member for name, member in held.items()}
    elif isinstance(held, list):
        held = list(held)
    elif value.type == "B" and isinstance(held, str):
        held = base64.b64decode(held)
    return {value.type: held}


_THEIRS: dict[str, Any] = {}


def _legacy_update(item: Any, attribute_updates: Mapping[str, Any] | None) -> None:
    """moto's, but `ADD` counts with all digits and gives the result's one spelling; without the parameter, nothing changes."""
    from moto.dynamodb.exceptions import MockValidationException
    from moto.dynamodb.models.dynamo_type import DynamoType

    with decimal.localcontext(_EXACT):
        _THEIRS["update_with_attribute_updates"](item, attribute_updates or {})
    for name, update in (attribute_updates or {}).items():
        if update.get("Action") == "ADD" and name in item.attrs and item.attrs[name].type == "N":
            try:
                item.attrs[name] = DynamoType({"N": _spelled(Decimal(item.attrs[name].value))})
            except InvalidValueError as error:
                raise MockValidationException(error.message if error.message == _UNDERFLOW else _OVERFLOW) from None


def install() -> None:
    """Give moto's values the documented sums and sizes. Their reading is `dynamodb_requests`' to call."""
    from moto.dynamodb.models.dynamo_type import DynamoType, Item, LimitedSizeDict

    amended: Iterable[tuple[Any, str, Any]] = (
        (DynamoType, "__add__", _add),
        (DynamoType, "__sub__", _subtract),
        (DynamoType, "size", _type_size),
        (DynamoType, "to_regular_json", _to_regular_json),
        (Item, "__init__", _new_item),
        (Item, "update_with_attribute_updates", _legacy_update),
        # The limit is the whole item's, and is looked at when the item is made and when an update is done.
        (LimitedSizeDict, "__setitem__", dict.__setitem__),
    )
    for owner, name, ours in amended:
        if (theirs := getattr(owner, name)) is not ours:
            _THEIRS[name] = theirs
            setattr(owner, name, ours)


def self_test() -> None:
    """Raise if this moto's values, items and sums are not made as they are amended here."""
    from moto.dynamodb.models.dynamo_type import DynamoType, Item, LimitedSizeDict

    number = DynamoType({"N": "1"})
    if (number.type, number.value) != ("N", "1"):
        raise TypeError("DynamoType has no type and value")
    item = Item(number, None, {"a": {"L": [{"N": "1"}]}})
    if not isinstance(item.attrs, LimitedSizeDict) or item.attrs["a"].value[0].type != "N":
        raise TypeError("Item does not hold DynamoTypes in a LimitedSizeDict")
    item.size()
    for owner, name in ((DynamoType, "__add__"), (DynamoType, "__sub__"), (Item, "update_with_attribute_updates")):
        if not callable(getattr(owner, name, None)):
            raise TypeError(f"{owner.__name__} has no {name}")
