"""In the place of ipykernel's session and its sockets: each output message goes to a function, as plain JSON values."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable
from typing import Any

from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session, json_packer
from traitlets import Any as AnyTrait

__all__ = ["Publish", "Wire"]

Publish = Callable[[dict[str, Any]], None]
"""Takes a message: {"msg_type", "content", "metadata", "parent"} and, of a widget, "buffers" (base64). All plain JSON values.

"parent" names the execution that the message belongs to. Besides Jupyter's own types there is "limit", with `content["what"]`
"bytes" or "lines": the cell has put out all that it may, and the rest is dropped.
"""

_OUTPUTS = frozenset(
    ("stream", "display_data", "update_display_data", "execute_result", "error", "clear_output")
    + ("comm_open", "comm_msg", "comm_close")
)

# Taken once: the code of a notebook may put something else into `json` and `os`.
_encode = json.JSONEncoder(default=json_default, ensure_ascii=False, allow_nan=False).encode
_decode = json.JSONDecoder().decode
_getpid = os.getpid


def _nowhere(message: dict[str, Any]) -> None:
    """Take a message of a shell that nobody has adopted yet."""


class Wire(Session):
    """A session that sends nothing: each output goes to `publish`, if it belongs to the execution `current`."""

    publish = AnyTrait(_nowhere)
    allowance = AnyTrait()
    """How much may still go out: a `streams.Allowance`, which has counted what streams bring."""
    current = AnyTrait("")
    stray = AnyTrait()
    """Where the text of a forked child goes: a function of the stream's name and the text."""
    process = AnyTrait()
    """The number of the process that may use `publish`."""

    def send(
        self,
        stream: Any,
        msg_or_type: Any,
        content: Any = None,
        parent: Any = None,
        ident: Any = None,
        buffers: Any = None,
        track: bool = False,
        header: Any = None,
        metadata: Any = None,
    ) -> dict[str, Any] | None:
        """Hand a message on, in the manner of jupyter_client's Session."""
        if isinstance(msg_or_type, dict):
            message = msg_or_type
        else:
            message = self.msg(msg_or_type, content=content, parent=parent, header=header, metadata=metadata)
        kind, content = message["header"]["msg_type"], message["content"]
        belongs = message["parent_header"].get("msg_id")
        if kind not in _OUTPUTS:
            return message
        if _getpid() != self.process:
            if kind == "stream":
                self.stray(content["name"], content["text"])
            return message
        # nbclient passes over what a task of an earlier cell puts out.
        if belongs != self.current:
            return message
        out = {"msg_type": kind, "content": content, "metadata": message["metadata"], "parent": belongs}
        if kind != "stream":
            packed = _packed({"content": content, "metadata": message["metadata"]})
            data = [bytes(memoryview(buffer).cast("B")) for buffer in buffers or message.get("buffers") or ()]
            # An error is never left out: it is short, and the reader waits for it.
            if kind != "error" and not self.allowance.message(len(packed) + sum(map(len, data))):
                return message
            out.update(_decode(packed))
            if data:
                out["buffers"] = [b64encode(buffer).decode("ascii") for buffer in data]
        self.publish(out)
        return message


def _packed(value: Any) -> str:
    """Return the JSON text that stock Jupyter makes of it: dates, numbers of numpy and bytes have one too."""
    try:
        return _encode(value)
    except (TypeError, ValueError):
        # Cleans the value and warns, as in stock.
        return json_packer(value).decode("utf-8", "replace")
