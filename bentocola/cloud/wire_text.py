"""The text of a call as a trace shows it crossing: what a person would see, without what proves who calls.

It reads the request alone.
"""

from __future__ import annotations

import json
import re
from typing import Any

from bentocola.cloud.door import Call
from bentocola.cloud.masking import Mask

__all__ = ["wire_text"]

_LONGEST_UPLOAD = 4096
"""Bytes of an upload's body."""

# What a signed address or form carries: who calls, and what proves it; and what forms of IAM and STS are given to keep.
_SECRET = re.compile(
    r"(?i)(?<![\w-])(?:x-amz-(?:credential|signature|security-token)|(?:aws)?accesskeyid|signature"
    r"|(?:old|new)?password|privatekey|webidentitytoken|samlassertion|tokencode|authenticationcode\d)=[^&]*&?"
)


def wire_text(call: Call, mask: Mask) -> str:
    """Return what a person would see cross: the JSON of a call, or the first line and the body of an upload.

    `mask`: for a text that is cut. One that is whole can be masked as such.
    """
    request = call.request
    if call.service == "lambda":
        return _lambda_text(call)
    if call.service != "s3":
        text = request.body.decode(errors="replace")
        is_form = request.header("Content-Type").startswith("application/x-www-form-urlencoded")
        return _SECRET.sub("", text) if is_form else text
    if request.header("Content-Type").startswith("multipart/form-data"):
        # A browser's form, which carries its signature.
        return _first_line(call)
    body = request.body
    if len(body) > _LONGEST_UPLOAD:
        body = mask.masked_start(body, _LONGEST_UPLOAD) + "…".encode()
    return f"{_first_line(call)}\n\n{body.decode(errors='replace')}".rstrip()


def _first_line(call: Call) -> str:
    path = _SECRET.sub("", re.sub(r"^\w+://[^/]*", "", call.request.url)).rstrip("?&")
    return f"{call.request.method} {path} HTTP/1.1"


def _lambda_text(call: Call) -> str:
    """The request without the code, which is a zip and says nothing to a reader, and without its variables' values.

    CloudTrail leaves those out as well: they are where secrets are kept.
    """
    text = call.request.body.decode(errors="replace")
    if call.operation in _CONFIGURING:
        try:
            text = json.dumps(_without_secrets(json.loads(text)), ensure_ascii=False)
        except ValueError:
            text = ""
    return f"{_first_line(call)}\n\n{text}".rstrip()


_CONFIGURING = {"CreateFunction", "UpdateFunctionCode", "UpdateFunctionConfiguration"}


def _without_secrets(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: "…" if name == "Variables" else _without_secrets(held, key) for key, held in value.items()}
    return "…" if name == "ZipFile" else value
