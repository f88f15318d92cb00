"""Whether a value has the form that its type says: enough of `typing` for the trace's TypedDicts."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from typing import Any


def faults(value: Any, form: Any, path: str = "") -> Iterator[str]:
    """Yield a line for each place in `value`, plain JSON, that is not as `form` says."""
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if form is Any:
        return
    if origin is typing.NotRequired:
        yield from faults(value, arguments[0], path)
        return
    if typing.is_typeddict(form):
        yield from _of_typed_dict(value, form, path)
    elif origin in (typing.Union, types.UnionType):
        if all(any(faults(value, choice)) for choice in arguments):
            yield f"{path}: {value!r} is none of {arguments}"
    elif origin is typing.Literal:
        if value not in arguments:
            yield f"{path}: {value!r} is none of {arguments}"
    elif origin is list:
        yield from _of_list(value, [arguments[0]] * len(value) if isinstance(value, list) else [], path)
    elif origin is tuple:  # JSON has no tuples
        yield from _of_list(value, list(arguments), path)
    elif origin is dict:
        for name, member in value.items() if isinstance(value, dict) else [(value, None)]:
            yield from faults(name, arguments[0], f"{path}.{name}")
            yield from faults(member, arguments[1], f"{path}.{name}")
    elif type(value) is not (type(None) if form is None else form):
        yield f"{path}: {value!r} is no {form}"


def _of_list(value: Any, forms: list[Any], path: str) -> Iterator[str]:
    if not isinstance(value, list) or len(value) != len(forms):
        yield f"{path}: {value!r} is no list of {len(forms)}"
        return
    for n, (member, form) in enumerate(zip(value, forms, strict=True)):
        yield from faults(member, form, f"{path}[{n}]")


def _of_typed_dict(value: Any, form: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: {value!r} is no {form.__name__}"
        return
    # From the hints, because `__required_keys__` does not know of NotRequired in an annotation that is kept as a text.
    hints = typing.get_type_hints(form, include_extras=True)
    for name, hint in hints.items():
        if name not in value and typing.get_origin(hint) is not typing.NotRequired:
            yield f"{path}: {name} is missing"
    for name, member in value.items():
        if name in hints:
            yield from faults(member, hints[name], f"{path}.{name}")
        else:
            yield f"{path}: {name} is not in {form.__name__}"
