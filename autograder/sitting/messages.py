"""Output messages as they come out of a room: checked, and made harmless, before anything is done with them.

What comes in is decoded JSON, already limited in length and depth, of a student's making.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any

__all__ = ["MessageError", "checked", "clean"]

_MOST_FRAMES = 1000
_LONGEST_NAME = 1000


class MessageError(ValueError):
    """A room sent what no shell sends."""


def clean(value: Any) -> Any:
    """Return a JSON value whose texts can be written as UTF-8: half of a surrogate pair becomes a question mark."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return value


def checked(message: Any) -> dict[str, Any]:
    """Return a message as nbclient reads it: "msg_type", "content", "metadata", "parent_header", "buffers".

    Raises MessageError, a sentence, for one of an unknown type or of a wrong form.
    """
    message = clean(message)
    kind = _text(message, "msg_type")
    if kind not in _CONTENTS:
        raise MessageError(f"Expected an output message, got one of the type {kind[:40]!r}.")
    content = _CONTENTS[kind](_object(message, "content"))
    parent = message.get("parent")
    return {
        "msg_type": kind,
        "header": {"msg_type": kind},
        "content": content,
        "metadata": _object(message, "metadata", {}),
        "parent_header": {"msg_id": parent if isinstance(parent, str) else ""},
        "buffers": _buffers(message.get("buffers", [])),
    }


def _buffers(texts: Any) -> list[bytes]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise MessageError("Expected the buffers of a widget as a list of texts.")
    try:
        return [b64decode(text, validate=True) for text in texts]
    except ValueError as error:
        raise MessageError("Expected the buffers of a widget as base64.") from error


def _stream(content: dict[str, Any]) -> dict[str, Any]:
    name = _text(content, "name")
    if name not in ("stdout", "stderr"):
        raise MessageError(f"Expected a stream named stdout or stderr, got {name[:40]!r}.")
    return {"name": name, "text": _text(content, "text")}


def _bundle(content: dict[str, Any]) -> dict[str, Any]:
    transient = content.get("transient")
    display_id = transient.get("display_id") if isinstance(transient, dict) else None
    return {
        "data": {kind: _mime(kind, value) for kind, value in _object(content, "data").items()},
        "metadata": _object(content, "metadata", {}),
        "transient": {"display_id": display_id[:_LONGEST_NAME]} if isinstance(display_id, str) else {},
    }


def _mime(kind: str, value: Any) -> Any:
    """Return a value as a notebook may hold it: JSON for a JSON type, text for any other."""
    if kind == "application/json" or kind.endswith("+json") or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return json.dumps(value, ensure_ascii=False)


def _result(content: dict[str, Any]) -> dict[str, Any]:
    return {**_bundle(content), "execution_count": None}


def _error(content: dict[str, Any]) -> dict[str, Any]:
    frames = content.get("traceback", [])
    if not isinstance(frames, list) or not all(isinstance(frame, str) for frame in frames):
        raise MessageError("Expected a traceback as a list of texts.")
    return {"ename": _text(content, "ename"), "evalue": _text(content, "evalue"), "traceback": frames[:_MOST_FRAMES]}


def _clear(content: dict[str, Any]) -> dict[str, Any]:
    return {"wait": content.get("wait") is True}


def _comm(content: dict[str, Any]) -> dict[str, Any]:
    return {
        "comm_id": _text(content, "comm_id")[:_LONGEST_NAME],
        "target_name": str(content.get("target_name", ""))[:_LONGEST_NAME],
        # Whoever opens a comm of his own may send anything; what widgets send is an object.
        "data": content["data"] if isinstance(content.get("data"), dict) else {},
    }


def _limit(content: dict[str, Any]) -> dict[str, Any]:
    return {"what": _text(content, "what")}


_CONTENTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "stream": _stream,
    "display_data": _bundle,
    "update_display_data": _bundle,
    "execute_result": _result,
    "error": _error,
    "clear_output": _clear,
    "limit": _limit,
    "comm_open": _comm,
    "comm_msg": _comm,
    "comm_close": _comm,
}


def _object(holder: Any, name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
    value = holder.get(name, default) if isinstance(holder, dict) else None
    if value is None and default is not None:
        return default
    if not isinstance(value, dict):
        raise MessageError(f"Expected an object named {name!r} in an output message.")
    return value


def _text(holder: Any, name: str) -> str:
    value = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(value, str):
        raise MessageError(f"Expected a text named {name!r} in an output message.")
    return value
