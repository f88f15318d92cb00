"""The wire over HTTP: what the door gets is what was sent, what the caller gets is what the door said, and no page gets in."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator

import pytest

from bentocola.cloud.door import Lost, Request, Response, Stopped
from bentocola.cloud.wires.http import HttpWire

OK = Response(200, {"Content-Type": "text/plain", "X-One": "1"}, b"said")
LIMIT = 4 * 2**20
SIGNED = {"Authorization": "AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/sqs/aws4_request, Signature=0"}


class Stand:
    """The wire with a door that notes what it was asked and answers with `answer`."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.answer = OK
        self.wire = HttpWire(self.handle, say=str.format, longest_body=LIMIT)

    def handle(self, request: Request) -> Response:
        self.asked.append(request)
        return self.answer

    def ask(
        self, path: str = "/", method: str = "GET", body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send one request in a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.wire.port, timeout=20)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        said = response.read()
        connection.close()
        return response, said

    def raw(self, text: bytes) -> bytes:
        """Send bytes as they are, and return all that comes until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.wire.port), timeout=20) as connection:
            connection.sendall(text)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.fixture
def stand() -> Iterator[Stand]:
    """A wire that listens on a free port."""
    stand = Stand()
    stand.wire.connect()
    yield stand
    stand.wire.disconnect()


def test_request_arrives_as_it_was_sent(stand: Stand) -> None:
    """Method, body and headers; the port is the one that it says."""
    response, said = stand.ask("/", "POST", bytes(range(256)), {**SIGNED, "X-Amz-Target": "AmazonSQS.ListQueues"})

    assert (response.status, said, response.headers["X-One"]) == (200, b"said", "1")
    (asked,) = stand.asked
    assert (asked.method, asked.url, asked.body) == ("POST", f"{stand.wire.endpoint}/", bytes(range(256)))
    assert asked.header("x-amz-target") == "AmazonSQS.ListQueues"


@pytest.mark.parametrize(
    "path",
    [
        "//a",
        "/a//b",
        "/a/../b",
        "/a/./b",
        "/a%2Fb",
        "/%E3%81%82+%20?x=%2F&y",
        "/a%",
        "/?list-type=2&prefix=a%2Bb",
        "/a;b=c",
    ],
)
def test_path_is_not_touched(stand: Stand, path: str) -> None:
    """Every key is a path of its own, dots, slashes and escapes included."""
    # http.client would shorten //a: https://github.com/python/cpython/issues/103204
    stand.raw(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{stand.wire.port}\r\nConnection: close\r\n\r\n".encode())

    assert stand.asked[0].url.partition(str(stand.wire.port))[2] == path


def test_repeated_headers_are_joined(stand: Stand) -> None:
    """Two lines of one name are one value with a comma."""
    stand.raw(
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{stand.wire.port}\r\nX-A: 1\r\nX-A: 2\r\nConnection: close\r\n\r\n".encode()
    )

    assert stand.asked[0].header("X-A") == "1,2"


def test_chunked_body(stand: Stand) -> None:
    """A body without a length comes whole."""
    text = f"PUT /b/k HTTP/1.1\r\nHost: 127.0.0.1:{stand.wire.port}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    stand.raw(text.encode() + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")

    assert stand.asked[0].body == b"abcde"


def test_expect_100_continue(stand: Stand) -> None:
    """Who waits for leave to send the body gets it."""
    with socket.create_connection(("127.0.0.1", stand.wire.port), timeout=20) as connection:
        head = f"PUT /b/k HTTP/1.1\r\nHost: 127.0.0.1:{stand.wire.port}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(1024).startswith(b"HTTP/1.1 100")
        connection.sendall(b"abc")
        assert connection.recv(1024).startswith(b"HTTP/1.1 200 OK")

    assert stand.asked[0].body == b"abc"


def test_head_has_the_length_and_no_body(stand: Stand) -> None:
    """HEAD tells how long the object is, and the next answer in the same connection is read right."""
    stand.answer = Response(200, {"Content-Length": "1234"}, b"")
    connection = http.client.HTTPConnection("127.0.0.1", stand.wire.port, timeout=20)
    connection.request("HEAD", "/b/k")
    response = connection.getresponse()
    assert (response.read(), response.headers["Content-Length"]) == (b"", "1234")
    stand.answer = OK
    connection.request("GET", "/b/k")

    assert connection.getresponse().read() == b"said"
    connection.close()


@pytest.mark.parametrize("status", [204, 304])
def test_status_without_body(stand: Stand, status: int) -> None:
    """Such an answer has neither body nor length."""
    stand.answer = Response(status, {}, b"")
    response, said = stand.ask("/b/k", "DELETE")

    assert (response.status, said) == (status, b"")
    assert "Content-Length" not in response.headers
    assert "Transfer-Encoding" not in response.headers


def test_connection_is_kept(stand: Stand) -> None:
    """Many requests go through one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", stand.wire.port, timeout=20)
    connection.connect()
    first = connection.sock
    for _ in range(5):
        connection.request("POST", "/", b"x")
        assert connection.getresponse().read() == b"said"

    assert connection.sock is first
    connection.close()


@pytest.mark.parametrize("answer", [Lost(), Stopped()])
def test_lost_response_is_a_closed_connection(stand: Stand, answer: Response) -> None:
    """The effect was had, and the caller sees a connection that ends without an answer."""
    stand.answer = answer
    with pytest.raises(http.client.RemoteDisconnected):
        stand.ask()

    assert len(stand.asked) == 1


def test_failure_of_the_door_is_a_500(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even then the caller gets an answer, and the next one too."""
    stand.wire._handle = lambda request: 1 / 0  # type: ignore[assignment, return-value]

    assert stand.ask()[0].status == 500
    stand.wire._handle = stand.handle
    assert stand.ask()[0].status == 200


def test_header_with_odd_characters(stand: Stand) -> None:
    """A value that HTTP has no place for breaks neither the answer nor the headers after it."""
    stand.answer = Response(200, {"x-amz-meta-a": "ñ\r\nX-Evil: 1", "x-amz-meta-b": "日本"}, b"")
    response, _ = stand.ask()

    assert response.headers.get("X-Evil") is None
    assert response.headers["x-amz-meta-b"].encode("latin-1").decode() == "日本"


# Waiting


def test_a_request_that_waits_holds_up_no_other(stand: Stand) -> None:
    """A long poll waits; other requests are answered meanwhile."""
    came, go_on = threading.Event(), threading.Event()

    def handle(request: Request) -> Response:
        if request.method == "POST":
            came.set()
            go_on.wait(20)
        return OK

    stand.wire._handle = handle
    waiting = threading.Thread(target=stand.ask, args=("/", "POST", b""))
    waiting.start()
    assert came.wait(20)
    assert stand.ask()[0].status == 200
    go_on.set()
    waiting.join()


def test_end_does_not_wait_for_who_waits(stand: Stand) -> None:
    """At the end, a caller that still waits sees its connection closed."""
    came, go_on = threading.Event(), threading.Event()

    def handle(request: Request) -> Response:
        came.set()
        go_on.wait(20)
        return OK

    stand.wire._handle = handle
    seen: list[type[BaseException]] = []

    def ask() -> None:
        try:
            stand.ask()
        except (OSError, http.client.HTTPException) as error:
            seen.append(type(error))

    waiting = threading.Thread(target=ask)
    waiting.start()
    assert came.wait(20)
    stand.wire.disconnect()
    waiting.join(20)
    go_on.set()

    assert len(seen) == 1


def test_port_is_free_after_the_end(stand: Stand) -> None:
    """The next one can have the same port at once; taking it twice is an OSError."""
    port = stand.wire.port
    with pytest.raises(OSError):  # noqa: PT011
        HttpWire(stand.handle, port=port).connect()
    stand.wire.disconnect()
    again = HttpWire(stand.handle, port=port)
    again.connect()
    again.disconnect()
    again.disconnect()


def test_it_listens_on_loopback_only(stand: Stand) -> None:
    """No other machine can reach it."""
    assert [one.getsockname()[0] for one in stand.wire._sockets] == ["127.0.0.1"]


# Limits


def test_body_up_to_the_limit(stand: Stand) -> None:
    """The longest body arrives."""
    assert stand.ask("/b/k", "PUT", bytes(LIMIT))[0].status == 200
    assert len(stand.asked[0].body) == LIMIT


def test_body_above_the_limit(stand: Stand) -> None:
    """One byte more gets a sentence that says the limit, although all of it was sent."""
    response, said = stand.ask("/b/k", "PUT", bytes(LIMIT + 1))

    assert response.status == 413
    assert "4 MiB" in said.decode()
    assert stand.asked == []


def test_chunked_body_above_the_limit(stand: Stand) -> None:
    """Without an announced length, it is seen when it comes."""
    chunk = b"100000\r\n" + bytes(2**20) + b"\r\n"
    head = f"PUT /b/k HTTP/1.1\r\nHost: 127.0.0.1:{stand.wire.port}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    said = stand.raw(head.encode() + chunk * 5 + b"0\r\n\r\n")

    assert said.startswith(b"HTTP/1.1 413")
    assert stand.asked == []


def test_body_above_the_limit_is_not_asked_for(stand: Stand) -> None:
    """Who waits for leave to send is refused before."""
    head = f"PUT /b/k HTTP/1.1\r\nHost: 127.0.0.1:{stand.wire.port}\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n"

    assert stand.raw(head.encode()).startswith(b"HTTP/1.1 413")


# Who may ask


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "bucket.localhost", "a.b.localhost"])
def test_hosts_of_this_machine(stand: Stand, host: str) -> None:
    """Each name of loopback, with the port."""
    assert stand.ask(headers={"Host": f"{host}:{stand.wire.port}"})[0].status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost.evil.example:{port}", "evillocalhost:{port}"]
    + [
        "127.0.0.1:1",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:{port}@evil.example",
        "",
        "192.168.0.1:{port}",
        "a b:{port}",
    ],
)
def test_other_hosts(stand: Stand, host: str) -> None:
    """A name that somebody lets point here (DNS rebinding) is refused, and so is another port."""
    response, said = stand.ask(headers={"Host": host.format(port=stand.wire.port)})

    assert response.status == 403
    assert f"127.0.0.1:{stand.wire.port}" in said.decode()
    assert stand.asked == []


def test_two_hosts(stand: Stand) -> None:
    """Two Host lines are no host."""
    port = stand.wire.port
    said = stand.raw(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\nConnection: close\r\n\r\n".encode())

    assert said.startswith(b"HTTP/1.1 40")
    assert stand.asked == []


def test_no_proxy(stand: Stand) -> None:
    """A request for another address, as a proxy gets it, is refused."""
    port = stand.wire.port
    text = f"GET http://s3.amazonaws.com/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"

    assert stand.raw(text.encode()).startswith(b"HTTP/1.1 403")
    assert stand.asked == []


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {"Origin": "https://evil.example"}),
        ("GET", {"Origin": "null"}),
        ("GET", {"Origin": ""}),
        ("POST", {"Origin": "http://localhost:8888"}),
        ("GET", {"Sec-Fetch-Site": "cross-site"}),
        ("GET", {"Sec-Fetch-Site": "same-site"}),
        ("OPTIONS", {"Origin": "https://evil.example", "Access-Control-Request-Method": "PUT"}),
        ("OPTIONS", {}),
    ],
)
def test_pages_are_refused(stand: Stand, method: str, headers: dict[str, str]) -> None:
    """A page of another origin, one of this machine too, gets a sentence and nothing is done; no header lets it read that."""
    response, said = stand.ask("/", method, b"", headers)

    assert response.status == 403
    assert said
    assert not any(name.lower().startswith("access-control") for name in response.headers)
    assert stand.asked == []


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_own_pages_are_let_in(stand: Stand, site: str) -> None:
    """A page that this server itself serves, and an address that somebody types."""
    headers = {"Origin": f"http://localhost:{stand.wire.port}", "Sec-Fetch-Site": site}

    assert stand.ask(headers=headers)[0].status == 200


def test_no_answer_is_for_pages(stand: Stand) -> None:
    """What a service says of other origins is left out."""
    stand.answer = Response(
        200, {"Access-Control-Allow-Origin": "*", "access-control-allow-headers": "*", "X-One": "1"}, b""
    )
    names = {name.lower() for name in stand.ask()[0].headers}

    assert "x-one" in names
    assert not any(name.startswith("access-control") for name in names)


def test_refusal_keeps_the_connection(stand: Stand) -> None:
    """A refused body is read to its end, so that the answer reaches who sends first and reads then."""
    connection = http.client.HTTPConnection("127.0.0.1", stand.wire.port, timeout=20)
    connection.request("PUT", "/b/k", bytes(2**20), {"Origin": "https://evil.example"})
    assert connection.getresponse().read()
    connection.request("GET", "/")

    assert connection.getresponse().status == 200
    connection.close()


# Whom it is for


SIGNED_S3 = {"Authorization": SIGNED["Authorization"].replace("/sqs/", "/s3/")}
OLD = {"Authorization": "AWS AKIA:signature"}
IN_QUERY = "X-Amz-Credential=A%2F20260101%2Fus-east-1%2Fs3%2Faws4_request"


@pytest.mark.parametrize(
    ("host", "path", "headers", "expected"),
    [
        ("127.0.0.1", "/b/k", SIGNED_S3, "127.0.0.1"),
        ("orders.localhost", "/k", SIGNED_S3, "orders.s3.amazonaws.com"),
        ("a.b.localhost", "/k", SIGNED_S3, "a.b.s3.amazonaws.com"),
        ("logs.localhost", "/k", SIGNED_S3, "logs.s3.amazonaws.com"),
        ("orders.s3.localhost", "/k", SIGNED_S3, "orders.s3.localhost"),
        ("orders.s3.us-east-1.localhost", "/k", SIGNED_S3, "orders.s3.us-east-1.localhost"),
        ("s3.localhost", "/b/k", SIGNED_S3, "s3.amazonaws.com"),
        ("s3.us-east-1.localhost", "/b/k", SIGNED_S3, "s3.amazonaws.com"),
        ("sqs.localhost", "/", SIGNED, "sqs.localhost"),
        ("sqs.localhost", "/", {}, "sqs.localhost"),
        ("orders.localhost", "/k", {}, "orders.s3.amazonaws.com"),
        ("127.0.0.1", "/b/k", {}, "s3.amazonaws.com"),
        ("127.0.0.1", "/b/k?AWSAccessKeyId=AKIA&Signature=x&Expires=1", {}, "s3.amazonaws.com"),
        ("127.0.0.1", "/b/k", OLD, "s3.amazonaws.com"),
        ("orders.localhost", f"/k?{IN_QUERY}", {}, "orders.s3.amazonaws.com"),
        ("127.0.0.1", "/", {"X-Amz-Target": "AmazonSQS.ListQueues"}, "127.0.0.1"),
    ],
)
def test_bucket_in_the_host(stand: Stand, host: str, path: str, headers: dict[str, str], expected: str) -> None:
    """A bucket stands where the door looks for it; who names nobody asks S3."""
    stand.ask(path, headers={**headers, "Host": f"{host}:{stand.wire.port}"})

    assert stand.asked[0].url == f"http://{expected}:{stand.wire.port}{path}"
