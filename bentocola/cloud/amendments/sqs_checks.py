"""What SQS refuses, with the codes and limits that AWS documents.

AWS: the API reference, https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/ (each action's parameters and
errors, CommonErrors), https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html
(message attributes) and quotas-messages.html (1 MiB, a batch as well). A request of the wrong JSON types gets the
SerializationException of the protocol, https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
moto 5.2.5 (`moto/sqs/responses.py`): accepts an empty body, characters outside the allowed set, a size counted in characters
and without the attributes, empty and misnamed message attributes, more than ten of them, queue URLs of other accounts and
regions; it fails on wrong types, and refuses a whole batch for one entry, or for two entries with one receipt handle.

The words are those that AWS answers with, as far as they are known in public: the documentation has none.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from bentocola.cloud.amendments import sqs_queues
from bentocola.cloud.amendments.sqs_receive import answer
from bentocola.cloud.amendments.sqs_send import FAULT, failed

__all__ = ["install", "self_test"]

_MOST_BYTES = 1_048_576
_LONGEST_TIMEOUT = 43_200
_MOST_ENTRIES = 10
_MOST_ATTRIBUTES = 10
_LONGEST_NAME = 256
_OUTSIDE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTRY_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
_FIFO_ID = re.compile(r"[!-~]{1,128}")
_ATTRIBUTE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_HOST = re.compile(r"(?:sqs\.(?P<new>[a-z0-9-]+)|(?:(?P<old>[a-z0-9-]+)\.)?queue)\.amazonaws\.com")
_REFUSAL = "refusal"


# The request as a whole


def _parse_parameters(response: Any, request: Any) -> None:
    """Keep what is wrong with the request for the handler: what is raised here would be no answer."""
    from moto.core.utils import get_service_model
    from moto.sqs.exceptions import SQSException

    is_json = "json" in (request.content_type or "")
    try:
        if is_json:
            operation = get_service_model("sqs").operation_model(response._get_action())
            _check_types(operation.input_shape, _body(request.data))
        _of_moto["parse_parameters"](response, request)
    except SQSException as error:
        response.__dict__[_REFUSAL] = error
        response.params = {}
    except ValueError as error:  # of the query protocol: no number where one is expected
        response.__dict__[_REFUSAL] = _error(
            "MalformedQueryString", f"The query string contains a syntax error: {error}"
        )
        response.params = {}


def _body(data: bytes) -> Any:
    try:
        return json.loads(data or b"{}")
    except ValueError:
        raise _error("SerializationException", "The request body is not valid JSON.") from None


def _check_types(shape: Any, value: Any) -> None:
    """Raise if a value of the request's JSON has not the type of its shape, or lacks what it must have."""
    kind = shape.type_name
    if kind == "structure":
        if not isinstance(value, dict):
            raise _mistyped(value, "structure")
        for name in shape.required_members:
            if value.get(name) is None:
                raise _missing(name)
        for name, member in shape.members.items():
            if value.get(name) is not None:
                _check_types(member, value[name])
    elif kind == "list":
        if not isinstance(value, list):
            raise _mistyped(value, "list")
        for part in value:
            _check_types(shape.member, part)
    elif kind == "map":
        if not isinstance(value, dict):
            raise _mistyped(value, "map")
        for part in value.values():
            _check_types(shape.value, part)
    elif not _SCALARS.get(kind, lambda value: True)(value):
        raise _mistyped(
            value, {"integer": "Integer", "long": "Long", "boolean": "Boolean", "blob": "Blob"}.get(kind, "String")
        )


def _is_integer(value: Any) -> bool:
    is_text = isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value)
    return bool(is_text) or (isinstance(value, int) and not isinstance(value, bool))


def _is_base64(value: Any) -> bool:
    return isinstance(value, str) and len(value) % 4 == 0 and re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", value) is not None


_SCALARS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "long": _is_integer,
    "boolean": lambda value: isinstance(value, bool),
    "blob": _is_base64,
}


def _mistyped(value: Any, expected: str) -> Exception:
    if expected in ("list", "map", "structure"):
        return _error("SerializationException", f"Expected {expected} or null")
    if isinstance(value, list | dict):
        return _error("SerializationException", "Start of structure or map found where not expected.")
    came = {bool: f"{str(value).upper()}_VALUE", str: "STRING_VALUE", type(None): "NULL_VALUE"}.get(
        type(value), "NUMBER_VALUE"
    )
    return _error("SerializationException", f"{came} can not be converted to a {expected}".replace("a I", "an I"))


def _check_address(response: Any) -> None:
    """Raise if the queue's URL is one of another region or account."""
    from moto.sqs.exceptions import QueueDoesNotExist

    url = response._get_param("QueueUrl")
    if not url or not url.startswith(("http://", "https://")):
        return
    parts = urlsplit(url)
    if found := _HOST.fullmatch((parts.hostname or "").removesuffix(".cn")):
        region = found["new"] or found["old"] or "us-east-1"
        if region != response.region:
            raise _error(
                "InvalidAddress", f"The address {parts.scheme}://{parts.netloc}/ is not valid for this endpoint."
            )
    path = [part for part in parts.path.split("/") if part]
    if len(path) >= 2 and path[-2] != response.current_account:
        error = QueueDoesNotExist()
        error.message = "The specified queue does not exist or you do not have access to it."
        raise error


# The operations


def _check_send(response: Any) -> None:
    queue = response.sqs_backend.get_queue(response._get_queue_name())
    _check_message(queue, response.params)


def _check_send_batch(response: Any) -> None:
    """Raise what concerns the whole batch; note what concerns an entry in it, for `sqs_send`."""
    from moto.sqs.exceptions import BatchRequestTooLong, SQSException

    queue = response.sqs_backend.get_queue(response._get_queue_name())
    entries = response._get_param("Entries", [])
    _check_entries(entries, "SendMessageBatchRequestEntry")
    if (size := sum(_size(entry) for entry in entries)) > _MOST_BYTES:
        raise BatchRequestTooLong(size)
    for entry in entries:
        if queue.fifo_queue and not entry.get("MessageGroupId"):
            raise _error("InvalidParameterValue", "The request must contain the parameter MessageGroupId.")
        if queue.fifo_queue and not queue.content_based_deduplication and not entry.get("MessageDeduplicationId"):
            raise _error(
                "InvalidParameterValue",
                "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
            )
        try:
            _check_message(queue, entry)
        except SQSException as error:
            entry[FAULT] = error
            entry.pop("MessageAttributes", None)


def _check_change(response: Any) -> None:
    _check_timeout(response._get_param("VisibilityTimeout"))


def _check_timeout(value: Any) -> None:
    if value is None:
        raise _missing("VisibilityTimeout")
    if not 0 <= int(value) <= _LONGEST_TIMEOUT:
        raise _error(
            "InvalidParameterValue",
            f"Value {value} for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided.",
        )


def _check_url_request(response: Any) -> None:
    from moto.sqs.exceptions import QueueDoesNotExist

    owner = response._get_param("QueueOwnerAWSAccountId")
    if owner and owner != response.current_account:
        error = QueueDoesNotExist()
        error.message = "The specified queue does not exist or you do not have access to it."
        raise error


def _check_entries(entries: list[dict[str, Any]], kind: str) -> None:
    from moto.sqs.exceptions import (
        BatchEntryIdsNotDistinct,
        EmptyBatchRequest,
        InvalidBatchEntryId,
        TooManyEntriesInBatchRequest,
    )

    if not entries:
        error = EmptyBatchRequest()
        error.message = f"There should be at least one {kind} in the request."
        raise error
    if len(entries) > _MOST_ENTRIES:
        raise TooManyEntriesInBatchRequest(len(entries))
    seen = set()
    for entry in entries:
        if not _ENTRY_ID.fullmatch(entry.get("Id") or ""):
            raise InvalidBatchEntryId()
        if entry["Id"] in seen:
            raise BatchEntryIdsNotDistinct(entry["Id"])
        seen.add(entry["Id"])


def _delete_message_batch(response: Any) -> Any:
    """In the place of moto's, which refuses two entries with one receipt handle, and a batch for one expired handle."""
    queue_name = response._get_queue_name()
    response.sqs_backend.get_queue(queue_name)
    entries = response._get_param("Entries", [])
    _check_entries(entries, "DeleteMessageBatchRequestEntry")
    return _each(
        response, entries, lambda entry: response.sqs_backend.delete_message(queue_name, entry["ReceiptHandle"])
    )


def _change_message_visibility_batch(response: Any) -> Any:
    queue_name = response._get_queue_name()
    response.sqs_backend.get_queue(queue_name)
    entries = response._get_param("Entries", [])
    _check_entries(entries, "ChangeMessageVisibilityBatchRequestEntry")

    def change(entry: Mapping[str, Any]) -> None:
        _check_timeout(entry.get("VisibilityTimeout"))
        response.sqs_backend.change_message_visibility(queue_name, entry["ReceiptHandle"], entry["VisibilityTimeout"])

    return _each(response, entries, change)


def _each(response: Any, entries: list[dict[str, Any]], do: Callable[[Mapping[str, Any]], None]) -> Any:
    from moto.sqs.exceptions import SQSException

    successful, failures = [], []
    for entry in entries:
        try:
            do(entry)
        except SQSException as error:
            failures.append(failed(entry["Id"], error))
        else:
            successful.append({"Id": entry["Id"]})
    return answer(response, {"Successful": successful, "Failed": failures})


# A message


def _check_message(queue: Any, message: Mapping[str, Any]) -> None:
    body = message.get("MessageBody")
    if not body:
        raise _missing("MessageBody")
    if _OUTSIDE.search(body):
        raise _error(
            "InvalidMessageContents",
            "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | "
            "#x10000 to #x10FFFF",
        )
    _check_attributes(message.get("MessageAttributes") or {}, "(user)")
    _check_attributes(message.get("MessageSystemAttributes") or {}, "system")
    if _size(message) > queue.maximum_message_size:
        raise _error(
            "InvalidParameterValue",
            f"One or more parameters are invalid. Reason: Message must be shorter than {queue.maximum_message_size} bytes.",
        )
    delay = message.get("DelaySeconds")
    if delay is not None and not 0 <= int(delay) <= 900:
        raise _error(
            "InvalidParameterValue",
            f"Value {delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.",
        )
    if not queue.fifo_queue and (given := message.get("MessageDeduplicationId")):
        raise _error(
            "InvalidParameterValue",
            f"Value {given} for parameter MessageDeduplicationId is invalid. Reason: The request include parameter that is "
            "not valid for this queue type.",
        )
    for name in ("MessageGroupId", "MessageDeduplicationId"):
        if (given := message.get(name)) and not _FIFO_ID.fullmatch(given):
            raise _error(
                "InvalidParameterValue",
                f"Value {given} for parameter {name} is invalid. Reason: {name} can only include alphanumeric and "
                "punctuation characters. 1 to 128 in length.",
            )


def _check_attributes(attributes: Mapping[str, Mapping[str, Any]], kind: str) -> None:
    if len(attributes) > _MOST_ATTRIBUTES:
        raise _attribute(
            f"Number of message attributes [{len(attributes)}] exceeds the allowed maximum [{_MOST_ATTRIBUTES}]."
        )
    for name, attribute in attributes.items():
        _check_name(name, kind)
        data_type = attribute.get("DataType")
        if not data_type:
            raise _attribute(f"The message {kind} attribute '{name}' must contain a non-empty message attribute type.")
        logical = data_type.partition(".")[0]
        if logical not in ("String", "Number", "Binary") or _OUTSIDE.search(data_type):
            raise _attribute(
                f"The type of message {kind} attribute '{name}' is invalid. You must use only the following supported type "
                "prefixes: Binary, Number, String."
            )
        if len(data_type) > _LONGEST_NAME:
            raise _attribute(f"Message {kind} attribute type must be shorter than {_LONGEST_NAME} bytes.")
        field = "Binary" if logical == "Binary" else "String"
        value = attribute.get(f"{field}Value")
        if not value:
            other = attribute.get("StringValue" if field == "Binary" else "BinaryValue")
            if other:
                raise _attribute(f"Message {kind} attribute '{name}' with type '{data_type}' must use field '{field}'.")
            raise _attribute(f"Message {kind} attribute '{name}' must contain a non-empty value of type '{data_type}'.")
        if field == "String" and _OUTSIDE.search(value):
            raise _attribute(f"Message {kind} attribute '{name}' contains characters outside the allowed set.")
        if logical == "Number" and not _is_number(value):
            raise _attribute(f"Can't cast the value of message {kind} attribute '{name}' to a number.")


def _check_name(name: str, kind: str) -> None:
    if kind == "system":
        if name != "AWSTraceHeader":
            raise _attribute(f"Message system attribute name '{name}' is invalid.")
        return
    if not name:
        raise _attribute(f"The request must contain non-empty message {kind} attribute names.")
    if len(name) > _LONGEST_NAME:
        raise _attribute(f"Message {kind} attribute name must be shorter than {_LONGEST_NAME} bytes.")
    if name.lower().startswith(("aws.", "amazon.")):
        raise _attribute(
            "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for "
            "internal use."
        )
    if name.startswith("."):
        raise _attribute(f"Message {kind} attribute name must not begin with character '.'.")
    if name.endswith("."):
        raise _attribute(f"Message {kind} attribute name must not end with character '.'.")
    if ".." in name:
        raise _attribute(f"Message {kind} attribute name must not have successive '.' characters.")
    if not _ATTRIBUTE_NAME.fullmatch(name):
        raise _attribute(
            f"Invalid non-alphanumeric character was found in the message attribute name '{name}'. Can only include "
            "alphanumeric characters, hyphens, underscores, or dots."
        )


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text) is not None


def _size(message: Mapping[str, Any]) -> int:
    """Return the bytes that count: body, and name, type and value of each attribute."""
    size = _bytes(message.get("MessageBody"))
    for name, attribute in (message.get("MessageAttributes") or {}).items():
        size += _bytes(name) + sum(_bytes(attribute.get(part)) for part in ("DataType", "StringValue", "BinaryValue"))
    return size


def _bytes(value: str | bytes | None) -> int:
    if not value:
        return 0
    return len(value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value)


# Errors


def _error(code: str, message: str) -> Exception:
    from moto.sqs.exceptions import SQSException

    return SQSException(code, message)


def _attribute(message: str) -> Exception:
    return _error("InvalidParameterValue", message)


def _missing(parameter: str) -> Exception:
    from moto.sqs.exceptions import MissingParameter

    return MissingParameter(parameter)


# Into force

_CHECKS: dict[str, Callable[[Any], None]] = {
    "change_message_visibility": _check_change,
    "create_queue": sqs_queues.check_create,
    "get_queue_url": _check_url_request,
    "send_message": _check_send,
    "send_message_batch": _check_send_batch,
    "set_queue_attributes": sqs_queues.check_set,
}
_OURS: dict[str, Callable[[Any], Any]] = {
    "change_message_visibility_batch": _change_message_visibility_batch,
    "delete_message_batch": _delete_message_batch,
}
_CODES = ("SerializationException", "MalformedQueryString")
_of_moto: dict[str, Callable[..., Any]] = {}


def _handlers() -> list[str]:
    """The names of moto's handlers of SQS's operations."""
    from moto.sqs.responses import SQSResponse

    return [
        name
        for name, what in vars(SQSResponse).items()
        if inspect.isfunction(what) and not name.startswith("_") and name != "parse_parameters"
    ]


def _checked(name: str, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    check = _CHECKS.get(name)

    @functools.wraps(handler)
    def checked(response: Any) -> Any:
        if _REFUSAL in response.__dict__:
            raise response.__dict__[_REFUSAL]
        _check_address(response)
        if check:
            check(response)
        return handler(response)

    return checked


def install() -> None:
    """Let each of moto's handlers check its request first. To be installed after those that bring handlers of their own."""
    from moto.core import errors
    from moto.sqs.responses import SQSResponse

    if _of_moto:
        return
    errors.COMMON_ERROR_CODES.extend(_CODES)  # else moto warns of them
    _of_moto["parse_parameters"] = SQSResponse.parse_parameters
    ours = {name: _checked(name, _OURS.get(name) or getattr(SQSResponse, name)) for name in _handlers()}
    for name, handler in {"parse_parameters": _parse_parameters, **ours}.items():
        setattr(SQSResponse, name, handler)


def self_test() -> None:
    """Raise if this moto no longer has the handlers, or the parsed parameters, that are checked here."""
    from moto.core import errors
    from moto.core.responses import BaseResponse
    from moto.sqs.responses import SQSResponse

    handlers = _handlers()
    for name in (*_CHECKS, *_OURS):
        if name not in handlers:
            raise TypeError(f"SQSResponse has no {name}")
    for name in ("parse_parameters", "_get_param", "_get_action"):
        if not hasattr(BaseResponse, name):
            raise TypeError(f"BaseResponse has no {name}")
    if not SQSResponse().automated_parameter_parsing or not isinstance(errors.COMMON_ERROR_CODES, list):
        raise TypeError("requests are parsed in another way")
