"""How steps come from a cloud to whoever draws them: each once, in order, also when they ask again, or the cloud is away."""

from __future__ import annotations

import http.client
import json
import queue
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from bentocola.cloud.trace import Feed
from bentocola.views import sources
from bentocola.views.pump import Pump, add, place
from bentocola.views.sources import CloudSource, Lost, ServedSource
from bentocola.views.viewed import ViewedCloud

PATIENCE = 30
"""Seconds until a test gives up on a thread."""


class Page:
    """Somebody who draws: keeps what it is sent."""

    def __init__(self, source: Any) -> None:
        self.feeds: queue.Queue[Feed] = queue.Queue()
        self.reached: queue.Queue[bool] = queue.Queue()
        self.pump = Pump(source, self.feeds.put, self.reached.put)

    def steps(self) -> list[int]:
        """The numbers of the steps that have come since the last look."""
        found = []
        while not self.feeds.empty():
            found += [step["n"] for step in self.feeds.get()["steps"]]
        return found

    def wait_for(self, number: int) -> list[int]:
        """Wait until a step has come, and return the numbers of all that came until then."""
        found: list[int] = []
        while number not in found:
            found += [step["n"] for step in self.feeds.get(timeout=PATIENCE)["steps"]]
        return found


@pytest.fixture
def page_of() -> Iterator[Callable[[Any], Page]]:
    """Make a page, whose pump ends with the test."""
    pages: list[Page] = []

    def make(source: Any) -> Page:
        pages.append(Page(source))
        return pages[-1]

    yield make
    for page in pages:
        page.pump.end()


@pytest.fixture
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python as a browser has it."""

    def refused(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)


def make_queues(count: int, first: int = 0) -> None:
    """Let `count` steps happen."""
    sqs = boto3.client("sqs")
    for number in range(first, first + count):
        sqs.create_queue(QueueName=f"q{number}")


def test_what_happens_is_sent_once(cloud: ViewedCloud, page_of: Callable[[Any], Page]) -> None:
    """What there was comes first, and then each step, from the thread that waits for it."""
    make_queues(2)
    page = page_of(CloudSource(cloud))
    page.pump.begin("", 0)
    assert page.steps() == [1, 2]

    make_queues(3, first=2)

    assert page.wait_for(5) == [3, 4, 5]


@pytest.mark.usefixtures("without_threads")
def test_without_threads_it_is_sent_when_the_cell_ends(cloud: ViewedCloud, page_of: Callable[[Any], Page]) -> None:
    """Where there can be no thread, a flush sends all, and the next one nothing."""
    page = page_of(CloudSource(cloud))
    page.pump.begin("", 0)
    make_queues(2)
    assert page.steps() == []

    page.pump.flush()
    assert page.steps() == [1, 2]
    page.pump.flush()
    assert page.steps() == []


@pytest.mark.usefixtures("without_threads")
def test_a_page_that_asks_again_gets_what_it_lacks(cloud: ViewedCloud, page_of: Callable[[Any], Page]) -> None:
    """From where it says that it is: nothing before that, and nothing twice."""
    make_queues(4)
    page = page_of(CloudSource(cloud))
    page.pump.begin(cloud.trace.story, 3)
    assert page.steps() == [4]

    page.pump.begin(cloud.trace.story, 1)
    assert page.steps() == [2, 3, 4]

    page.pump.begin("another", 3)
    assert page.steps() == [1, 2, 3, 4]


@pytest.mark.usefixtures("without_threads")
def test_a_long_story_comes_in_pieces(
    cloud: ViewedCloud, page_of: Callable[[Any], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No message holds more than so many steps, and together they hold all."""
    monkeypatch.setattr(sources, "CHUNK", 3)
    make_queues(7)
    page = page_of(CloudSource(cloud))
    page.pump.begin("", 0)

    sizes = [len(page.feeds.get()["steps"]) for _ in range(page.feeds.qsize())]

    assert sizes == [3, 3, 1]


@pytest.mark.usefixtures("without_threads")
def test_a_story_that_begins_anew_is_sent_from_its_beginning(
    cloud: ViewedCloud, page_of: Callable[[Any], Page]
) -> None:
    """After `trace.clear()` the page gets the new story, with the state in which it begins."""
    make_queues(2)
    page = page_of(CloudSource(cloud))
    page.pump.begin("", 0)
    page.steps()

    cloud.trace.clear()
    make_queues(1, first=2)
    page.pump.flush()

    feed = page.feeds.get(timeout=PATIENCE)
    assert [step["n"] for step in feed["steps"]] == [1]
    assert "queue/q0" in feed["initial"]


def test_who_waits_does_not_change_the_numbers(cloud: ViewedCloud) -> None:
    """Two moves of a clock that stands still are one step, whether or not a thread looked between them."""
    source = CloudSource(cloud)
    cloud.clock.advance(10)
    assert source.next("", 0, wait=0.001) is None
    cloud.clock.advance(20)
    assert len(cloud.trace) == 1

    feed = source.next("", 0)

    assert feed is not None
    assert [new for _, _, new in feed["steps"][0]["set"]] == [30]


def test_a_cloud_that_is_replaced_is_not_followed_into_the_next(
    start: Callable[..., ViewedCloud], page_of: Callable[[Any], Page]
) -> None:
    """The page keeps the last of its own cloud, is told that it has ended, and hears nothing of the new one."""
    page = page_of(CloudSource(start()))
    make_queues(2)
    page.pump.begin("", 0)

    start()
    make_queues(5)

    assert [page.reached.get(timeout=PATIENCE) for _ in range(2)] == [True, False]
    assert page.steps() == [1, 2]


def test_of_a_live_cloud_time_itself_is_told(start: Callable[..., ViewedCloud], page_of: Callable[[Any], Page]) -> None:
    """A message that is visible again by itself is sent, though nobody calls."""
    cloud = start(live=True)
    sqs = boto3.client("sqs")
    url = sqs.create_queue(QueueName="q", Attributes={"VisibilityTimeout": "1"})["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="x")
    page = page_of(CloudSource(cloud))
    page.pump.begin("", 0)
    sqs.receive_message(QueueUrl=url)

    kinds: list[str] = []
    while "timeout" not in kinds:
        kinds += [step["kind"] for step in page.feeds.get(timeout=PATIENCE)["steps"]]


def test_feeds_add_up() -> None:
    """Two feeds of one story are one; one with a beginning stands alone."""
    first: Any = {"story": "a", "initial": {"x": 1}, "steps": [{"n": 1}], "more": True}
    more: Any = {"story": "a", "steps": [{"n": 2}], "more": False}
    other: Any = {"story": "b", "initial": {}, "steps": [], "more": False}

    both = add(first, more)

    assert both == {"story": "a", "initial": {"x": 1}, "steps": [{"n": 1}, {"n": 2}], "more": False}
    assert (place(None), place(both), place(other)) == (("", 0), ("a", 2), ("b", 0))
    assert add(both, other) == other


# A cloud that is served


class Served:
    """A stand-in for the lab's server: answers with what is in `feeds`, and is away in between."""

    def __init__(self) -> None:
        self.asked: list[dict[str, list[str]]] = []
        self.answers: queue.Queue[tuple[int, bytes]] = queue.Queue()
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                assert parts.path == "/_bentocola/steps"
                served.asked.append(parse_qs(parts.query, keep_blank_values=True))
                status, body = served.answers.get(timeout=PATIENCE)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, *numbers: int, story: str = "s", status: int = 200, **more: Any) -> None:
        """Answer the next request with these steps."""
        feed = {"story": story, "steps": [{"n": n} for n in numbers], "more": False, **more}
        self.answers.put((status, json.dumps(feed).encode()))


@pytest.fixture
def served() -> Iterator[Served]:
    """A server, while the test lasts."""
    server = Served()
    yield server
    server.server.shutdown()
    server.server.server_close()


def test_a_served_cloud_is_polled(served: Served, page_of: Callable[[Any], Page]) -> None:
    """First at once, then waiting for what follows the last step."""
    served.answer(1, 2, initial={})
    page = page_of(ServedSource(served.endpoint))
    served.answer(3)
    page.pump.begin("", 0)

    assert page.wait_for(3) == [1, 2, 3]
    assert served.asked[0] == {"story": [""], "since": ["0"], "wait": ["0"]}
    assert served.asked[1] == {"story": ["s"], "since": ["2"], "wait": ["20"]}


def test_a_server_that_restarts_is_found_again(served: Served, page_of: Callable[[Any], Page]) -> None:
    """What is no answer says that the cloud is away, once; the new cloud's story begins anew."""
    served.answer(1, initial={})
    page = page_of(ServedSource(served.endpoint))
    served.answer(status=503)
    served.answers.put((200, b"<html>"))
    served.answers.put((200, b"{}"))
    served.answer(1, story="t", initial={})
    page.pump.begin("", 0)

    assert [page.reached.get(timeout=PATIENCE) for _ in range(3)] == [True, False, True]
    assert [page.feeds.get(timeout=PATIENCE)["story"] for _ in range(2)] == ["s", "t"]


def test_a_poll_ends_with_its_view(served: Served, page_of: Callable[[Any], Page]) -> None:
    """The thread does not outlast the view, though the server would make it wait."""
    served.answer(1, initial={})
    page = page_of(ServedSource(served.endpoint))
    page.pump.begin("", 0)
    (thread,) = (one for one in threading.enumerate() if one.name == "bentocola-view")
    while len(served.asked) < 2:
        pass

    page.pump.end()

    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_poll_that_waits_is_not_forgotten() -> None:
    """Though another thread asks meanwhile, without waiting."""
    source = ServedSource("http://127.0.0.1:9")
    source._waiting = waiting = http.client.HTTPConnection("127.0.0.1")
    with pytest.raises(Lost):
        source.next("", 0)

    assert source._waiting is waiting


@pytest.mark.usefixtures("without_threads")
def test_whoever_draws_is_told_how_it_is(cloud: ViewedCloud, page_of: Callable[[Any], Page]) -> None:
    """Each time that they ask: they may have been told something else before, or nothing."""
    page = page_of(CloudSource(cloud))
    for _ in range(2):
        page.pump.begin("", 0)

        assert page.reached.get_nowait() is True


def test_where_nobody_listens_it_is_lost() -> None:
    """A port without a server is no error of the course's."""
    with pytest.raises(Lost):
        ServedSource("http://127.0.0.1:9").next("", 0)
