"""The wire inside this process: what botocore would send over HTTP is answered by the door instead.

It takes the place of `URLLib3Session.send`, the one method through which every botocore client sends, made before or after,
for whatever service, region, profile, proxy or endpoint; the metadata and token look-ups for credentials use it too. So
nothing that boto3 does can reach a network while the wire is in place.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.httpsession import URLLib3Session
from urllib3.response import HTTPResponse

from bentocola.cloud.door import Request, Response

__all__ = ["InProcessWire"]

Handle = Callable[[Request], Response]


class InProcessWire:
    """Hands every botocore request to `handle` from `connect` on, until `disconnect`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._send: Any = None

    def connect(self) -> None:
        """Put the wire in place."""
        handle = self._handle

        def send(session: URLLib3Session, request: Any) -> AWSResponse:
            return _to_botocore(request, handle(_from_botocore(request)))

        self._send, URLLib3Session.send = URLLib3Session.send, send

    def disconnect(self) -> None:
        """Give botocore its own way of sending back."""
        if self._send is not None:
            URLLib3Session.send, self._send = self._send, None


def _from_botocore(request: Any) -> Request:
    body = request.body
    if hasattr(body, "read"):  # a file, or botocore's own wrapper around one that is sent in chunks
        body = body.read()
    if isinstance(body, str):
        body = body.encode()
    headers = {
        name: value.decode() if isinstance(value, bytes) else str(value) for name, value in request.headers.items()
    }
    return Request(request.method, request.url, headers, bytes(body or b""))


def _to_botocore(request: Any, response: Response) -> AWSResponse:
    raw = HTTPResponse(
        body=io.BytesIO(response.body),
        headers=dict(response.headers),
        status=response.status,
        preload_content=False,
        decode_content=False,
        request_method=request.method,
        enforce_content_length=False,
    )
    answered = AWSResponse(request.url, response.status, raw.headers, raw)
    if not request.stream_output:
        _ = answered.content  # read it now, as botocore does for what is not streamed
    return answered
