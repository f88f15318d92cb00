"""The wire over HTTP, on loopback only: for the `aws` command line, for boto3 in other processes, for curl.

It turns a request into `door.Request` as it came (path, query and body byte for byte) and the door's answer back. It decides
who may ask at all: programs of this machine, and no web page that somebody visits. What a request means is none of its business.
Who serves a cloud may put a door of their own beside the services', under `CONTROL`; it is guarded in the same way.
It knows the door's types only; tornado is the server.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import responses as REASONS
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets

from bentocola.cloud.door import OFFERED, Request, Response, Stopped
from bentocola.cloud.wires.loopback import is_loopback
from bentocola.messages import both

__all__ = ["ADDRESS", "CONTROL", "LONGEST_BODY", "WAITING", "HttpWire"]

ADDRESS = "127.0.0.1"
"""Where it listens, and nowhere else."""

CONTROL = "/_bentocola/"
"""Below this the local cloud itself is asked, and no service: a bucket's name has no underscore."""

LONGEST_BODY = 512 * 1024 * 1024
"""The bytes that one request may carry. The services hold what they get in memory."""

WAITING = 64
"""How many requests are answered at a time: long polls and invocations that wait count, all others are short."""
WAITING_FOR_CONTROL = 64
"""The same below `CONTROL`, beside the others: whoever waits there holds up no service."""

Handle = Callable[[Request], Response]
Say = Callable[..., str]

_log = logging.getLogger(__name__)
_HOST = re.compile(r"(?P<name>\[::1\]|[a-z0-9._-]+)(?::(?P<port>\d{1,5}))?", re.IGNORECASE)
_OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
_OWN_HEADERS = {"connection", "content-length", "keep-alive", "transfer-encoding"}
# A page of another origin that is on this machine too (JupyterLab, another port) is as foreign as any.
_FOREIGN_FETCH = {"cross-site", "same-site"}
_NO_BODY = {204, 304}
_S3 = "s3.amazonaws.com"


class HttpWire:
    """Answers HTTP requests with `handle`, from `connect` on, until `disconnect`."""

    def __init__(
        self,
        handle: Handle,
        *,
        port: int = 0,
        say: Say = both,
        longest_body: int = LONGEST_BODY,
        control: Handle | None = None,
    ) -> None:
        """`port` 0 takes a free one. `say` words a refusal. `longest_body` is in bytes. `control` answers below `CONTROL`."""
        self._handle = handle
        self._control = control
        self._say = say
        self._asked_port = port
        self.longest_body = longest_body
        self.port = 0
        self._sockets: list[socket.socket] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pools: dict[bool, ThreadPoolExecutor] = {}

    @property
    def endpoint(self) -> str:
        """The address for `endpoint_url`, once it is connected."""
        return f"http://{ADDRESS}:{self.port}"

    def bind(self) -> None:
        """Take the port; who connects waits. Raises OSError when another program has it."""
        if not self._sockets:
            self._sockets = bind_sockets(self._asked_port, ADDRESS, socket.AF_INET, backlog=256)
            self.port = self._sockets[0].getsockname()[1]

    def connect(self) -> None:
        """Answer from here on. Takes the port first, where `bind` has not."""
        self.bind()
        self._pools = {
            is_control: ThreadPoolExecutor(most, thread_name_prefix="bentocola-http")
            for is_control, most in ((False, WAITING), (True, WAITING_FOR_CONTROL))
        }
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(ready)), name="bentocola-http", daemon=True
        )
        self._thread.start()
        ready.wait()

    def disconnect(self) -> None:
        """Listen no longer and close what is open. A request that is being answered ends without its answer."""
        if self._loop is not None and self._thread is not None:
            with suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
            for pool in self._pools.values():
                pool.shutdown(wait=False, cancel_futures=True)
        for one in self._sockets:
            one.close()
        self._sockets, self._loop, self._thread, self._pools = [], None, None, {}

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        # Far above: a body that is too long is refused here, with a sentence, and not by the server, without one.
        server = HTTPServer(_Requests(self), max_body_size=2**62)
        server.add_sockets(self._sockets)
        ready.set()
        await self._stop.wait()
        server.stop()
        await server.close_all_connections()

    def answer(
        self, start: RequestStartLine, headers: HTTPHeaders, body: bytes, reply: Callable[[Response], None]
    ) -> None:
        """Have the request answered beside the loop, and `reply` called on the loop."""
        request = _request(start, headers, body)
        # Before a host that is a bucket's, the same path is an object's key.
        is_control = start.path.startswith(CONTROL) and _name(headers) in _OWN_NAMES
        is_control = is_control and self._control is not None
        handle = self._control if self._control and is_control else self._handle

        def work() -> None:
            try:
                response = handle(request)
            except Exception:  # the door answers for whatever a request holds, so this is a fault of ours
                _log.exception("%s %s", request.method, request.url)
                response = Response(500, {"Content-Type": "text/plain"}, b"")
            if loop is not None:
                with suppress(RuntimeError):  # the wire was disconnected meanwhile
                    loop.call_soon_threadsafe(reply, response)

        loop, pool = self._loop, self._pools.get(is_control)
        if pool is not None:
            with suppress(RuntimeError):
                pool.submit(work)

    # Who may ask

    def refusal(self, start: RequestStartLine, headers: HTTPHeaders) -> Response | None:
        """Return the answer to a request that goes no further than this, or None."""
        host = _HOST.fullmatch(headers.get("Host", ""))
        if not start.path.startswith("/"):
            said = self._say(
                "This is the course's local cloud and no proxy: it answers requests for itself, at {endpoint}.",
                endpoint=self.endpoint,
            )
        elif host is None or not is_loopback(host["name"]) or int(host["port"] or 80) != self.port:
            said = self._say(
                "The local cloud answers to its own address only. Host must be {address}:{port} or localhost:{port}; "
                "it was '{got}'.",
                address=ADDRESS,
                port=self.port,
                got=headers.get("Host", ""),
            )
        elif self._is_from_a_page(start, headers):
            said = self._say(
                "A web page asked, and the local cloud answers programs of this machine only. "
                "Use boto3 or the aws command."
            )
        else:
            return self.too_long() if _length(headers) > self.longest_body else None
        return _plain(403, said)

    def _is_from_a_page(self, start: RequestStartLine, headers: HTTPHeaders) -> bool:
        own = {f"http://{name}:{self.port}" for name in _OWN_NAMES}
        origin = headers.get("Origin")
        # Somebody follows a link to a page of ours: the page with the link cannot read it, and what GET asks for changes nothing.
        is_visit = start.method == "GET" and start.path.startswith(CONTROL) and _is_document(headers)
        return (
            (origin is not None and origin.lower() not in own)
            or (headers.get("Sec-Fetch-Site", "").lower() in _FOREIGN_FETCH and not is_visit)
            or start.method == "OPTIONS"  # only a page's browser asks for leave first
        )

    def too_long(self) -> Response:
        """The answer to a body above the limit."""
        said = self._say(
            "The local cloud takes up to {limit} MiB in one request, and this one is longer. "
            "Use a smaller file, or upload it in parts.",
            limit=self.longest_body // 2**20,
        )
        return _plain(413, said)


def _plain(status: int, said: str) -> Response:
    return Response(status, {"Content-Type": "text/plain; charset=utf-8"}, f"{said}\n".encode())


class _Requests(HTTPServerConnectionDelegate):
    def __init__(self, wire: HttpWire) -> None:
        self._wire = wire

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        return _Exchange(self._wire, request_conn)


class _Exchange(HTTPMessageDelegate):
    """One request and its answer."""

    def __init__(self, wire: HttpWire, connection: Any) -> None:
        self._wire = wire
        self._connection = connection  # a tornado.http1connection.HTTP1Connection
        self._chunks: list[bytes] = []
        self._length = 0
        self._refusal: Response | None = None

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> None:
        self._start: RequestStartLine = start_line
        self._headers = headers
        self._refusal = self._wire.refusal(start_line, headers)
        if self._refusal is not None and headers.get("Expect", "").lower() == "100-continue":
            self._reply(self._refusal)  # it asks before it sends: it need not send

    def data_received(self, chunk: bytes) -> None:
        self._length += len(chunk)
        if self._refusal is None and self._length > self._wire.longest_body:
            self._refusal = self._wire.too_long()
        # What is refused is read all the same, and dropped: most programs look for an answer once they have sent.
        if self._refusal is None:
            self._chunks.append(chunk)
        else:
            self._chunks.clear()

    def finish(self) -> None:
        if self._refusal is not None:
            self._reply(self._refusal)
            return
        body = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        self._chunks.clear()
        self._wire.answer(self._start, self._headers, body, self._reply)

    def on_connection_close(self) -> None:
        self._chunks.clear()

    def _reply(self, response: Response) -> None:
        if response.status == 0 or isinstance(response, Stopped):  # lost on its way
            self._connection.close()
            return
        # No page may read what is answered here, whatever the services would let it.
        headers = HTTPHeaders()
        for name, value in response.headers.items():
            lower = name.lower()
            if lower not in _OWN_HEADERS and not lower.startswith("access-control-"):
                headers.add(name, _one_line(value))
            elif lower == "content-length" and self._start.method == "HEAD":
                headers["Content-Length"] = value  # of the body that it stands for
        body = b"" if self._start.method == "HEAD" or response.status in _NO_BODY else response.body
        if self._start.method != "HEAD" and response.status not in _NO_BODY:
            headers["Content-Length"] = str(len(body))
        start = ResponseStartLine("HTTP/1.1", response.status, REASONS.get(response.status, "Unknown"))
        with suppress(StreamClosedError):  # who asked has gone
            self._connection.write_headers(start, headers, body)
            self._connection.finish()


def _is_document(headers: HTTPHeaders) -> bool:
    """Whether a browser opens it in a tab: no script's request, and no frame in another page."""
    return (headers.get("Sec-Fetch-Mode"), headers.get("Sec-Fetch-Dest")) == ("navigate", "document")


def _name(headers: HTTPHeaders) -> str:
    """The name in Host, without its port."""
    host = _HOST.fullmatch(headers.get("Host", ""))
    return host["name"].lower() if host else ""


def _length(headers: HTTPHeaders) -> int:
    """The announced length of the body; 0 where none is, or where it is no number, which the server sees to."""
    told = headers.get("Content-Length", "")
    return int(told) if told.isdecimal() and told.isascii() else 0


def _one_line(value: str) -> str:
    """A header's value in what HTTP allows: one line in Latin-1, into which a browser and botocore read UTF-8."""
    return re.sub(r"[\r\n\0]+", " ", value).encode().decode("latin-1")


def _request(start: RequestStartLine, headers: HTTPHeaders, body: bytes) -> Request:
    # Repeated headers are one, with commas (RFC 9110, section 5.3). Host stands in the address: the services would put the one
    # of this machine into theirs.
    told = {name: value for name, value in headers.items() if name != "Host"}
    return Request(start.method, f"http://{_host(start, headers)}{start.path}", told, body)


def _host(start: RequestStartLine, headers: HTTPHeaders) -> str:
    """The host as the door reads it: a bucket stands before S3's own, and an address that names nobody is for S3.

    Only S3 is asked without a signature of the fourth version: public objects, addresses signed in the old way, forms.
    """
    host = headers["Host"].lower()
    signed = headers.get("Authorization", "") + start.path.partition("?")[2].replace("%2F", "/")
    is_signed, is_for_s3 = "aws4_request" in signed, "/s3/aws4_request" in signed
    if "X-Amz-Target" in headers or (is_signed and not is_for_s3):
        return host
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    before = name.removesuffix(".localhost") if name.endswith(".localhost") else ""
    if before == "s3" or before.startswith("s3.") or (not before and not is_signed):
        return f"{_S3}{colon}{port}"
    if not before or ".s3." in f"{before}." or (before in OFFERED and not is_for_s3):
        return host
    return f"{before}.{_S3}{colon}{port}"
