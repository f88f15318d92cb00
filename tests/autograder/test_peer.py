"""Two rooms that talk: nested calls, threads, interrupts, forks and ends, between real processes."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import signal
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

import pytest

from autograder.frames import MAX_DEPTH, MAX_FRAME_BYTES, MAX_TEXT_BYTES, pack, unpack
from autograder.peer import ForkedError, Peer, PeerError, PeerGone, ProtocolError
from autograder.records import Limits
from tests.autograder.exam_rooms import other_process, process_id, raw_process


def test_call_brings_head_and_body() -> None:
    """What a handler returns, JSON and bytes, is what the caller gets; it ran in the other process."""

    def run(peer: Peer) -> None:
        peer.handle("echo", lambda head, body: ({"got": head}, body[::-1]))
        peer.handle("where", process_id)

    with other_process(run) as other:
        assert other.peer.call("echo", [1, "ñ"], b"abc") == ({"got": [1, "ñ"]}, b"cba")
        assert other.ask("where") == other.process.pid != os.getpid()


def test_calls_nest_in_both_directions() -> None:
    """Each side calls back while it is called, eight deep, and every part runs in the thread that waits for it."""

    def run(peer: Peer) -> None:
        peer.handle("down", lambda head, body: down(peer, head, body))

    with other_process(run) as other:
        threads = set()

        def noted(head: Any, body: bytes) -> Any:
            threads.add(threading.current_thread())
            return down(other.peer, head, body)

        other.peer.handle("down", noted)

        assert other.ask("down", 8) == "01234567*"
        assert threads == {threading.current_thread()}


def test_notes_of_two_threads_are_served_in_the_order_in_which_they_came() -> None:
    """What a thread of the other side says is not put off for what the thread says that serves the call."""

    def run(peer: Peer) -> None:
        def say(head: Any, body: bytes) -> None:
            for n in range(0, head, 2):
                aside = threading.Thread(target=peer.notify, args=("said", n))
                aside.start()
                aside.join()
                peer.notify("said", n + 1)

        peer.handle("say", say)

    with other_process(run) as other:
        heard: list[int] = []
        # Slow enough that several wait.
        other.peer.handle("said", lambda head, body: heard.extend([head] if sum(range(20_000)) else []))
        other.ask("say", 400)

    assert heard == list(range(400))


def down(peer: Peer, depth: int, body: bytes) -> str:
    """Call the other side until nothing is left to go down."""
    return "*" if depth == 0 else f"{8 - depth}{peer.call('down', depth - 1)[0]}"


def test_nesting_ends_at_the_limit() -> None:
    """Two sides that call each other for ever get an error, and can talk afterwards."""

    def run(peer: Peer) -> None:
        peer.handle("ping", lambda head, body: peer.call("ping", head + 1)[0])
        peer.handle("echo", lambda head, body: head)

    with other_process(run, limits=Limits(nesting=10)) as other:
        other.peer.handle("ping", lambda head, body: other.ask("ping", head + 1))

        with pytest.raises(PeerError, match="nested deeper than 10"):
            other.ask("ping", 0)
        assert other.ask("echo", 5) == 5


def test_threads_of_the_other_side_are_served_while_we_wait() -> None:
    """A request from a thread that belongs to no call runs here, in the thread that waits for a call."""

    def run(peer: Peer) -> None:
        def work(head: Any, body: bytes) -> list[int]:
            found: list[int] = []
            threads = [threading.Thread(target=lambda n=n: found.append(peer.call("aws", n)[0])) for n in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return sorted(found)

        peer.handle("work", work)

    with other_process(run) as other:
        served = set()

        def aws(head: Any, body: bytes) -> int:
            served.add(threading.current_thread())
            return int(head) * 10

        other.peer.handle("aws", aws)

        assert other.ask("work") == [0, 10, 20, 30, 40, 50, 60, 70]
        assert served == {threading.current_thread()}


def test_request_of_no_chain_is_served_by_serve() -> None:
    """While nobody waits for a call, `serve` answers; a second peer's requests as well, in the same thread."""
    served: queue.SimpleQueue[str] = queue.SimpleQueue()

    def run(peer: Peer) -> None:
        threading.Thread(target=lambda: peer.call("note", peer.call("name", None)[0])).start()

    with other_process(run) as one, other_process(run) as two:
        for other, name in ((one, "one"), (two, "two")):
            other.peer.handle("name", lambda head, body, name=name: f"{name} {threading.current_thread().name}")
            other.peer.handle("note", lambda head, body: served.put(head))
        threading.Thread(target=one.peer.serve, args=(two.peer,), name="server", daemon=True).start()

        assert {served.get(timeout=10), served.get(timeout=10)} == {"one server", "two server"}


def test_many_threads_call_at_once_and_meet_there() -> None:
    """Calls of several threads run at the same time over there: each waits until all have come."""

    def run(peer: Peer) -> None:
        peer.own_threads = True
        barrier = threading.Barrier(4)
        peer.handle("meet", lambda head, body: (barrier.wait(10), head)[1])

    with other_process(run) as other, ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda n: other.ask("meet", n), range(4))) == [0, 1, 2, 3]


def test_one_call_after_the_other_stays_in_the_main_thread() -> None:
    """However quickly the next call follows, it runs where the last one ran."""

    def run(peer: Peer) -> None:
        peer.own_threads = True
        peer.handle("thread", lambda head, body: threading.current_thread().name)

    with other_process(run) as other:
        assert {other.ask("thread") for _ in range(500)} == {"MainThread"}


def test_each_thread_s_calls_back_reach_that_thread() -> None:
    """Call-backs of calls that run side by side are served in the thread of their own call."""

    def run(peer: Peer) -> None:
        peer.own_threads = True
        peer.handle("back", lambda head, body: [peer.call("name", None)[0] for _ in range(20)])

    with other_process(run) as other, ThreadPoolExecutor(4, thread_name_prefix="t") as pool:
        other.peer.handle("name", lambda head, body: threading.current_thread().name)

        def call(_: int) -> bool:
            return other.ask("back") == [threading.current_thread().name] * 20

        assert all(pool.map(call, range(24)))


def test_notifications_come_before_the_answer() -> None:
    """What was said during a call has been heard when the call returns, in its order."""

    def run(peer: Peer) -> None:
        def talk(head: Any, body: bytes) -> None:
            for number in range(head):
                peer.notify("say", number, b"x" * (20_000 * (number % 2)))

        peer.handle("talk", talk)

    with other_process(run) as other:
        heard: list[int] = []
        other.peer.handle("say", lambda head, body: heard.append(head))
        other.ask("talk", 50)

        assert heard == list(range(50))


def test_what_a_handler_raises_is_told() -> None:
    """An error in a handler, or an unknown op, is an error of the call; an exit ends nothing."""

    def run(peer: Peer) -> None:
        def leave(head: Any, body: bytes) -> None:
            raise SystemExit(3)

        peer.handle("leave", leave)
        peer.handle("odd", lambda head, body: object())

    with other_process(run) as other:
        with pytest.raises(PeerError, match="SystemExit: 3"):
            other.ask("leave")
        with pytest.raises(PeerError, match="TypeError"):
            other.ask("odd")
        with pytest.raises(PeerError, match="Nothing here answers 'none'"):
            other.ask("none")


def test_other_side_killed_in_the_middle() -> None:
    """A call whose other side is killed ends with PeerGone, and so does each later one, and `serve` returns."""

    def run(peer: Peer) -> None:
        peer.handle("die", lambda head, body: os.kill(os.getpid(), signal.SIGKILL))

    with other_process(run) as other:
        with pytest.raises(PeerGone, match="candidate"):
            other.ask("die")
        with pytest.raises(PeerGone):
            other.ask("die")
        with pytest.raises(PeerGone):
            other.peer.notify("note", 1)
        other.peer.serve()
        assert other.peer.gone
        assert other.peer.why is None


def test_what_was_answered_before_the_end_still_counts() -> None:
    """An answer that is out before the process ends reaches its caller, also one that is long."""

    def run(peer: Peer) -> None:
        def last(head: Any, body: bytes) -> tuple[str, bytes]:
            threading.Thread(target=lambda: (peer.close(), os._exit(0))).start()
            return "bye", b"x" * 3_000_000

        peer.handle("last", last)

    with other_process(run) as other:
        # The other side may be gone before it has answered at all; what it has answered is whole.
        try:
            head, body = other.peer.call("last", None)
        except PeerGone:
            return
        assert (head, len(body)) == ("bye", 3_000_000)


def test_forked_child_gets_a_sentence() -> None:
    """In a forked copy a call raises at once; the original's stream goes on as if nothing had been."""

    def run(peer: Peer) -> None:
        def fork(head: Any, body: bytes) -> str:
            source, sink = os.pipe()
            child = os.fork()
            if child == 0:
                for attempt in (lambda: peer.call("aws", 1), lambda: peer.notify("aws", 1)):
                    try:
                        attempt()
                    except ForkedError as error:
                        os.write(sink, str(error).encode() + b"|")
                os._exit(0)
            os.waitpid(child, 0)
            return os.read(source, 10_000).decode()

        peer.handle("fork", fork)
        peer.handle("echo", lambda head, body: head)

    with other_process(run) as other:
        said = other.ask("fork").split("|")

        assert len(said) == 3
        assert said[0] == said[1]
        assert "fork" in said[0]
        assert other.ask("echo", "still whole") == "still whole"


def test_forked_child_that_comes_back_ends() -> None:
    """A copy that falls out of the code it was made in answers nothing and serves nothing."""

    def run(peer: Peer) -> None:
        children: list[int] = []

        def fork(head: Any, body: bytes) -> int:
            child = os.fork()
            children.append(child)
            return child

        peer.handle("fork", fork)
        peer.handle("wait", lambda head, body: os.waitpid(children[-1], 0)[1])

    with other_process(run) as other:
        for _ in range(5):
            assert other.ask("fork") > 0
            assert other.ask("wait") == 0


def test_end_is_seen_though_a_forked_copy_lives_on() -> None:
    """A copy holds no end of the pipe: when the original dies, the other side knows."""

    def run(peer: Peer) -> None:
        def leave_copy(head: Any, body: bytes) -> None:
            child = os.fork()
            if child == 0:
                signal.pause()
            peer.notify("copy", child)
            os.kill(os.getpid(), signal.SIGKILL)

        peer.handle("leave", leave_copy)

    with other_process(run) as other:
        copies: list[int] = []
        other.peer.handle("copy", lambda head, body: copies.append(head))
        try:
            with pytest.raises(PeerGone):
                other.ask("leave")
        finally:
            for child in copies:
                os.kill(child, signal.SIGKILL)
        assert copies


# Interrupts.


def test_interrupt_ends_a_wait_and_nothing_else() -> None:
    """SIGINT while we wait for a call raises here; its late answer is dropped, and the next call gets its own."""

    def run(peer: Peer) -> None:
        peer.own_threads = True
        gate = threading.Event()
        # From within the call: a signal that came before it would be the test's own.
        peer.handle("wait", lambda head, body: (os.kill(head, signal.SIGINT), gate.wait(30), "late")[2])
        peer.handle("open", lambda head, body: gate.set())
        peer.handle("echo", lambda head, body: head)

    with other_process(run) as other:
        with pytest.raises(KeyboardInterrupt):
            other.ask("wait", os.getpid())
        other.ask("open")

        assert [other.ask("echo", n) for n in range(50)] == list(range(50))


def test_interrupts_at_any_moment_keep_the_stream_whole() -> None:
    """Some hundred SIGINTs into both processes, at moments of no choosing: each call is answered right or raises."""

    def run(peer: Peer) -> None:
        peer.handle("pid", process_id)
        peer.handle("echo", lambda head, body: (peer.call("echo", head, body[::-1])[0], body))

    with other_process(run) as other:
        other.peer.handle("echo", lambda head, body: head)
        child = other.ask("pid")
        stop = threading.Event()
        chance = random.Random(5)

        def disturb() -> None:
            for _ in range(300):
                if stop.wait(chance.random() / 300):
                    return
                os.kill(chance.choice([os.getpid(), child]), signal.SIGINT)

        disturbed = True

        def interrupt(number: int, frame: Any) -> None:
            if disturbed:
                raise KeyboardInterrupt

        done = cut = number = 0
        thread = threading.Thread(target=disturb)
        former = signal.signal(signal.SIGINT, interrupt)
        try:
            thread.start()
            while thread.is_alive():
                number += 1
                body = bytes([number % 256]) * chance.choice([1, 300, 40_000])
                try:
                    answer = other.peer.call("echo", number, body)
                except (KeyboardInterrupt, PeerError):
                    cut += 1
                    continue
                assert answer == (number, body)
                done += 1
        except KeyboardInterrupt:
            pass  # between two calls: it is this loop's own
        finally:
            disturbed = False
            stop.set()
            thread.join()
            signal.signal(signal.SIGINT, former)
        # One that is still under way over there comes now.
        for _ in range(20):
            try:
                assert other.peer.call("echo", "end", b"e") == ("end", b"e")
                break
            except PeerError:
                continue
        else:
            pytest.fail("The two sides do not talk any more.")
        assert cut > 0
        assert done > 0


def test_interrupt_while_idle_is_dropped() -> None:
    """A SIGINT to a room that waits for work ends neither the room nor the work that comes next."""

    def run(peer: Peer) -> None:
        peer.handle("echo", lambda head, body: head)

    with other_process(run) as other:
        for number in range(30):
            assert other.ask("echo", number) == number
            os.kill(other.process.pid or 0, signal.SIGINT)
            with contextlib.suppress(PeerError):  # it may reach the handler's own line
                assert other.ask("echo", number) == number
        assert other.ask("echo", 1) == 1


def test_handler_of_the_code_outside_is_given_back() -> None:
    """After a call SIGINT is handled as before it, whatever handler there was."""
    came: list[int] = []

    def run(peer: Peer) -> None:
        peer.handle("echo", lambda head, body: head)

    former = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        with other_process(run) as other:
            other.peer.handle("kill", lambda head, body: os.kill(os.getpid(), signal.SIGINT))
            other.ask("echo")
            os.kill(os.getpid(), signal.SIGINT)
            assert other.ask("echo", 2) == 2
        assert came == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, former)


# What is no frame.


def _text(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode()


FRAME = '{"id":%s,"op":"x","within":null,"head":%s}'
BAD = {
    "empty": b"",
    "short": b"ab",
    "text": b"hello, this is no frame",
    "length": struct.pack("<I", 1000) + b"{}",
    "huge-length": struct.pack("<I", 2**32 - 1) + b"{}",
    "no-object": _text("[]"),
    "half": _text('{"id":1'),
    "keys": _text('{"id":1,"op":"x"}'),
    "id": _text(FRAME % ('"1"', "0")),
    "negative": _text(FRAME % ("-1", "0")),
    "bool": _text(FRAME % ("true", "0")),
    "fraction": _text(FRAME % ("1.5", "0")),
    "nan": _text(FRAME % ("1", "NaN")),
    "infinity": _text(FRAME % ("1", "-Infinity")),
    "digits": _text(FRAME % ("1", "9" * 5000)),
    "many-digits": _text(FRAME % ("1", "9" * 1_000_000)),
    "deep": _text(FRAME % ("1", "[" * 500 + "]" * 500)),
    "deeper": _text(FRAME % ("1", "[" * 100_000 + "]" * 100_000)),
    "deep-objects": _text(FRAME % ("1", '{"a":' * 200 + "0" + "}" * 200)),
    "not-ascii": _text(FRAME % ("1", '"ñ"')),
    "utf-16": struct.pack("<I", 8) + "[]{}".encode("utf-16-le"),
    "answer": _text('{"id":7,"op":"answer","within":null,"head":0}'),
    "answer-to-none": _text('{"id":null,"op":"answer","within":null,"head":0}'),
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_what_is_no_frame_ends_the_connection(data: bytes) -> None:
    """Garbage, a number that is none, JSON too deep: the call raises ProtocolError, and so does each later one."""

    def room(mine: Connection, theirs: Connection) -> None:
        theirs.close()
        mine.recv_bytes()
        mine.send_bytes(data)
        mine.recv_bytes()

    with raw_process(room) as (connection, _):
        peer = Peer(connection, limits=Limits(), name="candidate")
        with pytest.raises(ProtocolError):
            peer.call("x", 1)
        with pytest.raises(ProtocolError):
            peer.call("x", 1)
        with pytest.raises(ProtocolError):
            peer.serve()
        peer.close()


@pytest.mark.parametrize("size", [MAX_FRAME_BYTES + 1, 2**40, 2**63])
def test_announced_length_is_not_believed(size: int) -> None:
    """A frame that is announced as too long is refused before a byte of it is read."""

    def room(mine: Connection, theirs: Connection) -> None:
        theirs.close()
        mine.recv_bytes()
        os.write(mine.fileno(), struct.pack("!i", -1) + struct.pack("!Q", size))
        signal.pause()

    with raw_process(room) as (connection, _):
        peer = Peer(connection, limits=Limits(), name="candidate")
        with pytest.raises(ProtocolError, match="longer than is allowed"):
            peer.call("x", 1)
        peer.close()


def test_flood_of_requests_is_bounded() -> None:
    """Requests that nobody gets round to serve end the connection before they fill the memory."""

    def room(mine: Connection, theirs: Connection) -> None:
        theirs.close()
        data = pack("output", None, None, "x")
        while True:
            mine.send_bytes(data)

    with raw_process(room) as (connection, _):
        peer = Peer(connection, limits=Limits(), name="candidate")
        assert peer.ended(30)
        assert isinstance(peer.why, ProtocolError)
        peer.close()


def test_what_is_too_long_is_refused_where_it_is_sent() -> None:
    """The sender of a frame too long gets a sentence, and the connection goes on; the same for an answer."""

    def run(peer: Peer) -> None:
        peer.handle("echo", lambda head, body: head)
        peer.handle("long", lambda head, body: "x" * (MAX_TEXT_BYTES + 1))

    with other_process(run) as other:
        with pytest.raises(ValueError, match="Hand over less"):
            other.ask("echo", "x" * (MAX_TEXT_BYTES + 1))
        with pytest.raises(PeerError, match="Hand over less"):
            other.ask("long")
        assert other.ask("echo", 1) == 1


ANYTHING = {
    "surrogates": "\ud800 and \udfff",
    "brackets": "[[[" * 1000,
    "quotes": '"\\[{' * 1000,
    "wide": {"a": [[]] * 5000},
    "long": 10**300,
    "small": 1.5e-300,
    "deep": json.loads("[" * (MAX_DEPTH - 3) + "]" * (MAX_DEPTH - 3)),
}


@pytest.mark.parametrize("value", ANYTHING.values(), ids=ANYTHING.keys())
def test_frames_keep_what_json_can_say(value: Any) -> None:
    """Lone surrogates, brackets in strings, wide and long values come back as they went."""
    frame = unpack(pack("x", 1, None, value, b"body"))

    assert (frame.op, frame.id, frame.within, frame.head, frame.body) == ("x", 1, None, value, b"body")


def test_random_damage_never_does_more_than_raise() -> None:
    """Bytes of a good frame, cut or changed at random, are a frame or a ProtocolError."""
    chance = random.Random(1)
    good = pack("do", 3, 2, {"nodes": [["list", [1, "a", [2]]], ["float", "nan"]], "root": [0]}, b"body")
    for _ in range(5000):
        data = bytearray(good)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            unpack(bytes(data[: chance.randint(0, len(data))]))
        except ProtocolError:
            continue
