"""The wire inside this process: what botocore would send over HTTP is answered by the door instead.

It takes the place of `URLLib3Session.send`, the one method through which every botocore client sends, made before or after,
for whatever service, region, profile, proxy or endpoint; the metadata and token look-ups for credentials use it too. So
nothing that boto3 does can reach a network while the wire is in place. It may also take the place of the clock by which
botocore waits between two tries: on a clock that stands still, nobody waits for real seconds.
"""

from __future__ import annotations

import io
import types
from collections.abc import Callable
from typing import Any

import botocore.endpoint
import botocore.retryhandler
from botocore.awsrequest import AWSResponse
from botocore.exceptions import ConnectionClosedError
from botocore.httpsession import URLLib3Session
from botocore.retries.standard import ExponentialBackoff
from urllib3.response import HTTPResponse

from bentocola.cloud.door import Request, Response, Stopped
from bentocola.errors import WorkerStopped
from bentocola.messages import both

__all__ = ["InProcessWire", "from_botocore", "to_botocore", "witnesses"]

Handle = Callable[[Request], Response]

witnesses: list[Callable[[Request, Response], None]] = []
"""Are told of each request that botocore sends through a wire of this process, and of its answer."""


class InProcessWire:
    """Hands every botocore request to `handle` from `connect` on, until `disconnect`."""

    def __init__(
        self, handle: Handle, wait: Callable[[float], None] | None = None, say: Callable[..., str] = both
    ) -> None:
        """`wait(seconds)`: how to wait between two tries, instead of sleeping. `say` words what stops a caller."""
        self._handle = handle
        self._say = say
        self._wait = wait
        self._send: Any = None
        self._delay_amount: Any = None

    def connect(self) -> None:
        """Put the wire in place."""
        handle, say = self._handle, self._say

        def send(session: URLLib3Session, request: Any) -> AWSResponse:
            asked = from_botocore(request)
            response = handle(asked)
            for witness in witnesses:
                witness(asked, response)
            return to_botocore(request, response, say)

        self._send, URLLib3Session.send = URLLib3Session.send, send
        if self._wait is not None:
            botocore.endpoint.time = _Namespace(botocore.endpoint.time, sleep=self._wait)
            # How long botocore waits is a random part of a growing limit: always half of it, so that runs are the same.
            botocore.retryhandler.random = _Namespace(botocore.retryhandler.random, random=_half)
            delay_amount = self._delay_amount = ExponentialBackoff.delay_amount

            def half_of_it(backoff: Any, context: Any) -> float:
                backoff._random = _half
                return float(delay_amount(backoff, context))

            ExponentialBackoff.delay_amount = half_of_it

    def disconnect(self) -> None:
        """Give botocore its own way of sending back."""
        if self._send is None:
            return
        URLLib3Session.send, self._send = self._send, None
        if self._wait is not None:
            botocore.endpoint.time = botocore.endpoint.time.original
            botocore.retryhandler.random = botocore.retryhandler.random.original
            ExponentialBackoff.delay_amount = self._delay_amount


def _half() -> float:
    return 0.5


class _Namespace(types.SimpleNamespace):
    """A module with some of its names replaced."""

    def __init__(self, original: Any, **replaced: Any) -> None:
        super().__init__(original=original, **replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)


def from_botocore(request: Any) -> Request:
    """Return what botocore is about to send, with its whole body."""
    body = request.body
    if hasattr(body, "read"):  # a file, or botocore's own wrapper around one that is sent in chunks
        body = body.read()
    if isinstance(body, str):
        body = body.encode()
    headers = {
        name: value.decode() if isinstance(value, bytes) else str(value) for name, value in request.headers.items()
    }
    return Request(request.method, request.url, headers, bytes(body or b""))


def to_botocore(request: Any, response: Response, say: Callable[..., str] = both) -> AWSResponse:
    """Return the answer as botocore would have read it.

    Raises ConnectionClosedError for one that got lost, and WorkerStopped where the caller itself is to stop.
    """
    if response.status == 0:
        if isinstance(response, Stopped):
            raise WorkerStopped(say)
        raise ConnectionClosedError(endpoint_url=request.url)
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
