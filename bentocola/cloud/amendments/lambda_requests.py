"""What the amendments of Lambda's API have in common: a request's parameters, checked as its description says, and refusals.

AWS: the limits and patterns are those of the API reference, https://docs.aws.amazon.com/lambda/latest/api/, which botocore
brings along as a description of the service. moto 5.2.5 leaves checking them to the client, and no client checks them all.

The words of a failed check ("1 validation error detected: Value ... at ... failed to satisfy constraint: ...") are those that
AWS answers with; where the reference gives none, the refusal has the documented code and says which parameter it is about.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

__all__ = [
    "ACCOUNT",
    "Answered",
    "FunctionName",
    "Operation",
    "Parameters",
    "Refusal",
    "answer_with",
    "checked",
    "invalid",
    "method_of",
    "page",
    "read_name",
    "when_imported",
]

Parameters = dict[str, Any]
Answered = tuple[int, dict[str, Any], str]
Operation = Callable[[Any, Parameters], Answered]
"""Answers an operation for a backend of moto's, with the request's parameters by their documented names."""

ACCOUNT = "123456789012"
"""The one account there is: moto's, and the door's."""


class Refusal(Exception):
    """An error answer: AWS's code and words, and the HTTP status."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        self.code, self.message, self.status = code, message, status
        super().__init__(f"{code}: {message}")

    def answer(self) -> Answered:
        """The answer as Lambda gives it. Some of its error shapes write `Message` large, and so does it."""
        key = "Message" if self.code in ("ResourceNotFoundException", "ResourceInUseException") else "message"
        headers = {"x-amzn-ErrorType": self.code, "Content-Type": "application/json", "status": self.status}
        return self.status, headers, json.dumps({"Type": "User", key: self.message})


def invalid(message: str) -> Refusal:
    """A parameter that Lambda itself refuses."""
    return Refusal("InvalidParameterValueException", message)


def _not_valid(problems: Sequence[str]) -> Refusal:
    """Parameters that do not even have the documented form."""
    errors = "1 validation error" if len(problems) == 1 else f"{len(problems)} validation errors"
    return Refusal("ValidationException", f"{errors} detected: {'; '.join(problems)}")


# Functions are answered in moto's place


def answer_with(responses: Any, operation: str, answer: Operation) -> None:
    """Let `answer` answer an operation instead of moto, on moto's class of responses."""

    def answered(response: Any) -> Answered:
        try:
            parameters = _parameters(response)
            checked(operation, parameters)
            return answer(response.backend, parameters)
        except Refusal as refusal:
            return refusal.answer()

    setattr(responses, method_of(operation), answered)


def method_of(operation: str) -> str:
    """Return what moto calls the method that answers an operation."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()


def _parameters(response: Any) -> Parameters:
    """What was asked: in the body, in the query and in the address, by the API's own names."""
    parameters: Parameters = {}
    if response.body:
        try:
            parameters = json.loads(response.body)
        except ValueError as error:
            raise Refusal(
                "InvalidRequestContentException", f"Could not parse request body into json: {error}"
            ) from None
        if not isinstance(parameters, dict):
            raise Refusal("SerializationException", "Unexpected field type")
    query = dict(parse_qsl(urlsplit(response.uri).query, keep_blank_values=True))
    address = {name: unquote(value) for name, value in response.uri_match.items()}
    # JSON's null is as good as nothing: so the SDKs leave a parameter out.
    return {name: value for name, value in {**parameters, **query, **address}.items() if value is not None}


def page(items: Sequence[Mapping[str, Any]], parameters: Parameters, key: str, longest: int) -> dict[str, Any]:
    """Return one page of a list operation's answer under `key`, and where the next one begins."""
    first = int(parameters["Marker"]) if str(parameters.get("Marker", "")).isdecimal() else 0
    last = first + min(int(parameters.get("MaxItems", longest)), longest)
    following = {"NextMarker": str(last)} if last < len(items) else {}
    return {key: list(items[first:last]), **following}


# Is a request as the API's description says?


def checked(operation: str, parameters: Parameters) -> None:
    """Check an operation's parameters, and turn the query's texts into the numbers that they stand for.

    Raises Refusal: SerializationException for a wrong type in the JSON, ValidationException for what is out of bounds.
    """
    shape = _input(operation)
    for name, member in shape.members.items():
        is_number = member.type_name in ("integer", "long")
        if member.serialization.get("location") and is_number and isinstance(parameters.get(name), str):
            if not re.fullmatch(r"-?\d{1,18}", parameters[name]):
                raise Refusal("SerializationException", "STRING_VALUE can not be converted to an Integer")
            parameters[name] = int(parameters[name])
    _check_type(shape, parameters)
    if problems := list(_problems(shape, parameters, "")):
        raise _not_valid(problems)


@functools.cache
def _input(operation: str) -> Any:
    from moto.core.utils import get_service_model

    return get_service_model("lambda").operation_model(operation).input_shape


_IN_JSON: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "blob": (str,),
    "integer": (int,),
    "long": (int,),
    "double": (int, float),
    "boolean": (bool,),
    "list": (list,),
    "map": (dict,),
    "structure": (dict,),
}
_NAMED = {"string": "a String", "blob": "a Blob", "boolean": "a Boolean", "double": "a Double", "long": "a Long"}


def _check_type(shape: Any, value: Any) -> None:
    expected = _IN_JSON.get(shape.type_name)
    if value is None or expected is None:
        return
    found: Any = value
    is_boolean = isinstance(value, bool)
    if not isinstance(value, expected) or (is_boolean and shape.type_name != "boolean"):
        raise Refusal("SerializationException", _wrong_type(shape, value))
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            _check_type(member, found.get(name))
    elif shape.type_name == "map":
        for one in found.values():
            _check_type(shape.value, one)
    elif shape.type_name == "list":
        for one in found:
            _check_type(shape.member, one)


def _wrong_type(shape: Any, value: Any) -> str:
    if shape.type_name in ("list", "map", "structure"):
        return "Unexpected field type"
    if isinstance(value, list):
        return "Start of list found where not expected"
    if isinstance(value, dict):
        return "Start of structure or map found where not expected."
    came = {True: "TRUE_VALUE", False: "FALSE_VALUE"}[value] if isinstance(value, bool) else "NUMBER_VALUE"
    came = "STRING_VALUE" if isinstance(value, str) else came
    return f"{came} can not be converted to {_NAMED.get(shape.type_name, 'an Integer')}"


_ELSEWHERE = {"Runtime", "Pattern"}
"""Shapes whose check is the operation's own: AWS words it differently."""


def _problems(shape: Any, value: Any, path: str) -> Iterator[str]:
    """Yield a sentence for each part of `value` that is out of the documented bounds."""
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            here = f"{path}{'.' if path else ''}{name[0].lower()}{name[1:]}"
            if value.get(name) is not None:
                yield from _problems(member, value[name], here)
            elif name in shape.required_members:
                yield f"Value null at '{here}' failed to satisfy constraint: Member must not be null"
        return
    if shape.name in _ELSEWHERE:
        return
    if shape.type_name == "map":
        keys = [constraint for key in value for constraint in _constraints(shape.key, key)]
        if keys:
            unmet = ", ".join(dict.fromkeys(keys))
            yield f"Value at '{path}' failed to satisfy constraint: Map keys must satisfy constraint: [{unmet}]"
        return
    if shape.type_name == "list" and shape.member.type_name in ("string", "integer"):
        unmet = ", ".join(dict.fromkeys(c for one in value if one is not None for c in _constraints(shape.member, one)))
        if unmet:
            shown = ", ".join(map(str, value))
            yield (
                f"Value '[{shown}]' at '{path}' failed to satisfy constraint: Member must satisfy constraint: [{unmet}]"
            )
            return
    if shape.type_name == "list" and shape.member.type_name == "structure":
        for number, one in enumerate(value, start=1):
            if one is not None:
                yield from _problems(shape.member, one, f"{path}.{number}.member")
    shown = f" '[{', '.join(map(str, value))}]'" if shape.type_name == "list" else f" '{value}'"
    for constraint in _constraints(shape, value):
        yield f"Value{shown} at '{path}' failed to satisfy constraint: {constraint}"


def _constraints(shape: Any, value: Any) -> Iterator[str]:
    """Yield the documented constraints of a shape that a value does not keep."""
    bounds, kind = shape.metadata, shape.type_name
    if kind in ("integer", "long", "double"):
        if "max" in bounds and value > bounds["max"]:
            yield f"Member must have value less than or equal to {bounds['max']}"
        if "min" in bounds and value < bounds["min"]:
            yield f"Member must have value greater than or equal to {bounds['min']}"
    if kind in ("string", "list"):
        if "max" in bounds and len(value) > bounds["max"]:
            yield f"Member must have length less than or equal to {bounds['max']}"
        if "min" in bounds and len(value) < bounds["min"]:
            yield f"Member must have length greater than or equal to {bounds['min']}"
    if kind == "string":
        if "enum" in bounds and value not in bounds["enum"]:
            yield f"Member must satisfy enum value set: [{', '.join(bounds['enum'])}]"
        if "pattern" in bounds and not _compiled(bounds["pattern"]).fullmatch(value):
            yield f"Member must satisfy regular expression pattern: {bounds['pattern']}"


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL if pattern == ".*" else 0)


# The forms of a function's name


@dataclass(frozen=True)
class FunctionName:
    """A function, and the version or alias of it that is meant: None stands for the function itself."""

    name: str
    qualifier: str | None


_FORM = re.compile(
    r"(?:arn:aws[a-zA-Z-]*:lambda:)?(?:(?P<region>(?:eusc-)?[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d):)?"
    r"(?:(?P<account>\d{12}):)?(?:function:)?"
    r"(?P<name>[a-zA-Z0-9_.-]+)(?::(?P<qualifier>\$LATEST(?:\.PUBLISHED)?|[a-zA-Z0-9_-]+))?"
)
_LONGEST_NAME = 64


def read_name(given: str, region: str, account: str, qualifier: str | None = None) -> FunctionName:
    """Read a function's name in any documented form: the name, the ARN, the partial ARN, with or without a qualifier.

    `qualifier` is the request's own parameter. Raises Refusal when the name is too long, names a function elsewhere, or
    names another qualifier.
    https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html#API_GetFunction_RequestSyntax
    """
    found = _FORM.fullmatch(given)
    if found is None:
        raise _not_valid(
            [f"Value '{given}' at 'functionName' failed to satisfy constraint: {_function_name_pattern()}"]
        )
    if len(found["name"]) > _LONGEST_NAME:
        raise _not_valid(
            [
                f"Value '{given}' at 'functionName' failed to satisfy constraint: "
                f"Member must have length less than or equal to {_LONGEST_NAME}"
            ]
        )
    if found["region"] and found["region"] != region:
        raise Refusal(
            "ResourceNotFoundException",
            f"Functions from '{found['region']}' are not reachable in this region ('{region}')",
            404,
        )
    if found["account"] and found["account"] != account:
        raise Refusal(
            "AccessDeniedException",
            f"You are not authorized to use the function {found['name']} of account {found['account']}: "
            "no resource-based policy allows it",
            403,
        )
    if qualifier and found["qualifier"] and qualifier != found["qualifier"]:
        raise invalid("The derived qualifier from the function name does not match the specified qualifier.")
    return FunctionName(found["name"], qualifier or found["qualifier"])


def _function_name_pattern() -> str:
    shape = _input("GetFunction").members["FunctionName"]
    return f"Member must satisfy regular expression pattern: {shape.metadata['pattern']}"


# Amending a part of moto that is not imported yet


def when_imported(module: str, amend: Callable[[ModuleType], None]) -> None:
    """Amend a module now if it is imported already, or else as soon as it is.

    moto's Lambda imports half of moto with it, and a cloud that has no function yet need not wait for that.
    """
    if loaded := sys.modules.get(module):
        amend(loaded)
        return
    if not any(isinstance(finder, _Finder) and finder.module == module for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(module))
    if amend not in (waiting := _waiting.setdefault(module, [])):
        waiting.append(amend)


_waiting: dict[str, list[Callable[[ModuleType], None]]] = {}


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module as Python would, and lets those who wait for it know when it is there."""

    def __init__(self, module: str) -> None:
        self.module = module

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """See importlib.abc.MetaPathFinder."""
        if fullname != self.module:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        run: Any = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            run(module)
            for amend in _waiting.pop(fullname, []):
                amend(module)

        vars(spec.loader)["exec_module"] = exec_module
        return spec
