"""Frames, and AWS calls in them."""

from __future__ import annotations

import io
import json
import os
import threading
from collections.abc import Iterator

import pytest

from bentocola.cloud.door import Request, Response, Stopped
from bentocola.cloud.wires.pipe import ANSWER, CALL, WAIT, Channel, FrameError, PipeWire, answer, pack, unpack

Pair = tuple[Channel, Channel]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Both ends of a channel."""
    first, second = os.pipe(), os.pipe()
    with os.fdopen(first[0], "rb") as read_1, os.fdopen(second[0], "rb") as read_2:
        yield Channel(read_1, second[1]), Channel(read_2, first[1])
    os.close(first[1])
    os.close(second[1])


def receiver(content: bytes) -> Channel:
    """A channel on which this comes, and then the end."""
    return Channel(io.BufferedReader(io.BytesIO(content)), -1)  # type: ignore[arg-type]


@pytest.mark.parametrize("body", [b"", b"\x00\n\r\xff" * 10, bytes(range(256)) * 8_000])
def test_frame_comes_as_it_was_sent(pair: Pair, body: bytes) -> None:
    """Any bytes, also more than a pipe holds."""
    here, there = pair
    sender = threading.Thread(target=here.send, args=(b"X", *pack({"é": 1}, body)))
    sender.start()
    kind, content = there.receive() or (b"", b"")
    sender.join()

    assert kind == b"X"
    assert unpack(content) == ({"é": 1}, body)


def test_frames_of_several_threads_do_not_mix(pair: Pair) -> None:
    """Each is whole."""
    here, there = pair
    threads = [threading.Thread(target=here.send, args=(b"X", bytes([n]) * 100_000)) for n in range(8)]
    for thread in threads:
        thread.start()
    got = [there.receive() or (b"", b"") for _ in threads]
    for thread in threads:
        thread.join()

    assert sorted(content[0] for _, content in got) == list(range(8))
    assert all(content == content[:1] * 100_000 for _, content in got)


@pytest.mark.parametrize("content", [b"", b"X\x05", b"X\x05\x00\x00\x00abc"])
def test_end_in_or_before_a_frame_is_the_end(content: bytes) -> None:
    """The other side is gone."""
    assert receiver(content).receive() is None


def test_what_is_no_frame() -> None:
    """A length that nobody would send, or content without its JSON."""
    with pytest.raises(FrameError, match="at most"):
        receiver(b"X\xff\xff\xff\xff").receive()
    for content in (b"", b"\x05\x00\x00\x00{", b"\x01\x00\x00\x00{", b"\x01\x00\x00\x00\xff"):
        with pytest.raises(FrameError):
            unpack(content)


def test_frame_that_is_too_long_is_not_sent(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other side would not take it."""
    monkeypatch.setattr("bentocola.cloud.wires.pipe.MAX_FRAME_BYTES", 10)
    with pytest.raises(ValueError, match="at most 10 bytes"):
        pair[0].send(b"X", b"x" * 11)


def answered(pair: Pair, response: Response) -> tuple[bool, list[Request]]:
    """Let a call be answered so."""
    asked: list[Request] = []

    def handle(request: Request) -> Response:
        asked.append(request)
        return response

    frame = b"".join(pack(["PUT", "https://b.s3.amazonaws.com/k", {"Content-Length": "2"}], b"\x00\xff"))
    return answer(pair[0], CALL, frame, handle), asked


def test_call_is_answered(pair: Pair) -> None:
    """The door gets the request as it was, the caller the response."""
    goes_on, asked = answered(pair, Response(412, {"ETag": '"x"'}, b"\x80"))

    assert goes_on
    assert asked == [Request("PUT", "https://b.s3.amazonaws.com/k", {"Content-Length": "2"}, b"\x00\xff")]
    kind, content = pair[1].receive() or (b"", b"")
    assert (kind, unpack(content)) == (ANSWER, ([412, {"ETag": '"x"'}], b"\x80"))


def test_stopped_caller_gets_no_answer(pair: Pair) -> None:
    """Whoever serves it ends it."""
    goes_on, _ = answered(pair, Stopped())

    assert not goes_on


@pytest.mark.parametrize("head", [None, [], ["GET", "url"], ["GET", "url", 1], {"a": 1}])
def test_what_is_no_call(pair: Pair, head: object) -> None:
    """It does not reach the door."""
    with pytest.raises(FrameError, match="no call"):
        answer(pair[0], CALL, b"".join(pack(head)), pytest.fail)


def test_wait_is_the_other_side_s(pair: Pair) -> None:
    """Before botocore tries again. Time does not go back."""
    waited: list[float] = []
    for seconds in (1.5, -3):
        answer(pair[0], WAIT, b"".join(pack(seconds)), pytest.fail, waited.append)

    assert waited == [1.5, 0]
    with pytest.raises(FrameError):
        answer(pair[0], WAIT, b"".join(pack("soon")), pytest.fail, waited.append)


def test_wire_holds_calls_back_until_it_is_open(pair: Pair) -> None:
    """A call that comes too early waits, and nothing of it is in the channel."""
    here, there = pair
    wire = PipeWire(here)
    got: list[Response] = []
    thread = threading.Thread(target=lambda: got.append(wire._ask(Request("GET", "https://a", {}))))
    thread.start()
    wire.close()
    assert got == []
    wire.open()
    kind, content = there.receive() or (b"", b"")
    assert (kind, unpack(content)) == (CALL, (["GET", "https://a", {}], b""))
    there.send(ANSWER, *pack([200, {"a": "b"}], b"body"))
    thread.join()

    assert got == [Response(200, {"a": "b"}, b"body")]


def test_wire_says_when_the_cloud_is_gone(pair: Pair) -> None:
    """Or something else comes than an answer."""
    here, there = pair
    wire = PipeWire(here)
    wire.open()
    there.send(b"?", b"")
    with pytest.raises(RuntimeError, match="gone"):
        wire._ask(Request("GET", "https://a", {}))


def test_json_of_a_call_is_small() -> None:
    """Bodies are not in it: they are neither escaped nor encoded."""
    parts = pack(["POST", "https://a", {}], b"\x00" * 1000)

    assert sum(map(len, parts)) < 1000 + 40
    assert json.loads(parts[1]) == ["POST", "https://a", {}]
