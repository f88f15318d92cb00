"""What does not go through boto3 does not reach AWS either: the guard, for as long as the local cloud runs."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import boto3
import botocore
import httpx
import pytest
import requests
import urllib3

import bentocola
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.wires.guard import AWS_DOMAINS, NetworkGuard
from bentocola.errors import CourseError, NothingLeavesError

HOST = "tienda.s3.amazonaws.com"


@pytest.fixture
def address(cloud: Cloud) -> str:
    """A presigned address, as a student may open it."""
    return str(boto3.client("s3").generate_presigned_url("get_object", Params={"Bucket": "tienda", "Key": "a"}))


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[str]]]:
    """A proxy on this machine, and what it was asked for: it must never be asked for anything of AWS."""
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_CONNECT(self) -> None:
            asked.append(self.path)
            self.send_error(502)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


OPENERS: dict[str, Callable[[str], Any]] = {
    "urllib": lambda address: urllib.request.build_opener().open(
        address
    ),  # urlopen keeps the proxies of its first call
    "requests": requests.get,
    "urllib3": lambda address: urllib3.PoolManager().request("GET", address),
    "httpx": httpx.get,
    "http.client": lambda _: http.client.HTTPSConnection(HOST).request("GET", "/a"),
    "socket": lambda _: socket.create_connection((HOST, 443)),
    "connect": lambda _: socket.socket().connect((HOST, 443)),
    "gethostbyname": lambda _: socket.gethostbyname(HOST),
    "asyncio": lambda _: asyncio.run(asyncio.open_connection(HOST, 443)),
}


@pytest.mark.parametrize("opener", OPENERS)
def test_address_of_aws_is_refused(address: str, opener: str) -> None:
    """Whatever library opens the address, it ends with one sentence, unwrapped, before anything was looked up."""
    with pytest.raises(NothingLeavesError) as refusal:
        OPENERS[opener](address)

    assert str(refusal.value) == (
        "tienda.s3.amazonaws.com es una dirección de AWS, y nada sale de este equipo con la nube local en marcha. "
        "Usa un cliente de boto3 o termina antes la nube local: cloud.stop()"
    )


def test_refusal_in_japanese() -> None:
    """The sentence is in the edition's language."""
    cloud = bentocola.start("ja")
    try:
        with pytest.raises(NothingLeavesError, match=r"^sqs\.us-east-1\.amazonaws\.comはAWSのアドレスです。"):
            socket.getaddrinfo("sqs.us-east-1.amazonaws.com", 443)
    finally:
        cloud.stop()


def test_refusal_shows_no_traceback_in_a_notebook(address: str) -> None:
    """IPython shows the sentence alone."""
    with pytest.raises(CourseError) as refusal:
        urllib.request.urlopen(address)

    assert refusal.value._render_traceback_() == [str(refusal.value)]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("opener", ["urllib", "requests"])
def test_proxy_is_not_asked_for_aws(
    address: str, proxy: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch, scheme: str, opener: str
) -> None:
    """Through a proxy the host is looked up elsewhere: the guard stops the request itself."""
    server, asked = proxy
    monkeypatch.setenv(f"{scheme}_proxy", server)

    with pytest.raises(NothingLeavesError):
        OPENERS[opener](address.replace("https:", f"{scheme}:"))

    assert asked == []


@pytest.mark.parametrize("opener", ["urllib", "requests"])
def test_proxy_is_asked_for_others(
    cloud: Cloud, proxy: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch, opener: str
) -> None:
    """Other hosts are none of the guard's business, even where an address only mentions AWS."""
    server, asked = proxy
    monkeypatch.setenv("http_proxy", server)
    OPENERS[opener]("http://example.com/?from=s3.amazonaws.com")

    assert asked == ["http://example.com/?from=s3.amazonaws.com"]


@pytest.mark.parametrize(
    "host",
    ["s3.amazonaws.com", "S3.AMAZONAWS.COM.", "sqs.cn-north-1.amazonaws.com.cn", "x.lambda-url.us-east-1.on.aws"],
)
def test_hosts_of_aws(cloud: Cloud, host: str) -> None:
    """Case, a final dot or another partition make no difference."""
    with pytest.raises(NothingLeavesError):
        socket.getaddrinfo(host, 443)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "amazonaws.com.example.org", "notamazonaws.com", "aws"])
def test_other_hosts(host: str) -> None:
    """A name that only looks alike is no host of AWS."""
    guard = NetworkGuard(lambda host: NothingLeavesError(host))

    assert guard.check(host) is None


def test_every_partition_is_guarded() -> None:
    """The guard knows every domain under which botocore finds a service."""
    data = Path(botocore.__file__).parent / "data" / "partitions.json"
    partitions = [partition["outputs"] for partition in json.loads(data.read_bytes())["partitions"]]
    known = {outputs[name] for outputs in partitions for name in ("dnsSuffix", "dualStackDnsSuffix")}

    assert [domain for domain in known if not f".{domain}".endswith(tuple(f".{ours}" for ours in AWS_DOMAINS))] == []


def test_guard_ends_with_the_cloud(cloud: Cloud) -> None:
    """After the stop nothing is refused."""
    cloud.stop()

    assert sys.audit("socket.getaddrinfo", HOST, 443, 0, 0, 0) is None


def test_guard_ends_with_the_cloud_after_a_second_start(cloud: Cloud) -> None:
    """A cloud that was replaced guards no longer, so the end of the second is the end."""
    bentocola.start("ja").stop()

    assert sys.audit("socket.getaddrinfo", HOST, 443, 0, 0, 0) is None
