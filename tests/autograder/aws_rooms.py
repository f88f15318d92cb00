"""Two real processes for the tests of the cloud's two ends: this one is the examiner, and a child that is spawned the candidate.

The child does what a test tells it: it runs a cell's text and says what came of it. `Room.do` waits for that as a test cell waits
for a student's function, and serves the child meanwhile.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import textwrap
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

import boto3
import pytest

from autograder.aws.examiner import Gate, use
from autograder.peer import Peer
from autograder.records import Limits
from bentocola.cloud import cloud as clouds

__all__ = ["Failed", "Room", "examiner", "no_cloud", "room"]

_ENVIRONMENT = ("AWS_", "MOTO_", "TEST_SERVER_MODE")


class Failed(AssertionError):
    """The cell raised: `name` is the exception's class, the text its message, and `trace` all of it."""

    def __init__(self, name: str, text: str, trace: str) -> None:
        self.name, self.text, self.trace = name, text, trace
        super().__init__(f"{name}: {text}\n{trace}")


class Room:
    """The candidate, seen from the examiner. One child serves many tests; `new` gives a test a gate and names of its own."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        # As the nursery does: nothing of the teacher's environment is in a candidate's.
        aside = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(_ENVIRONMENT)}
        try:
            self.process = context.Process(target=_candidate, args=(theirs,), daemon=True)
            self.process.start()
        finally:
            os.environ.update(aside)
        theirs.close()
        self.peer = Peer(mine, limits=Limits(), name="candidate")
        self.gate: Gate
        self.printed = ""

    def new(self, **limits: Any) -> Room:
        """Begin a submission: a gate with these limits, and a candidate without names."""
        self.gate = Gate(self.peer, Limits(**limits))
        use(self.peer)
        self.peer.call("new", None)
        return self

    def do(self, cell: str) -> Any:
        """Run a cell in the candidate, and return what it bound to `result`, as JSON. Raises Failed."""
        head, _ = self.peer.call("do", textwrap.dedent(cell))
        self.printed = head["printed"]
        if head.get("raised"):
            raise Failed(*head["raised"])
        return head["result"]

    def locked(self, cell: str) -> dict[str, Any]:
        """Run a locked cell: in the examiner, recorded, and then in the candidate. Returns the examiner's names."""
        names: dict[str, Any] = {}
        with self.gate.recording("locked"):
            exec(textwrap.dedent(cell), names)
        with self.gate.replaying("locked"):
            self.do(cell)
        return names

    def end(self) -> None:
        """End the candidate."""
        self.peer.close()
        self.process.join(10)
        self.process.kill()
        self.process.join()


def _candidate(connection: Connection) -> None:
    from autograder.aws import candidate

    peer = Peer(connection, limits=Limits(), name="examiner")
    peer.own_threads = True
    names: dict[str, Any] = {}
    connected = candidate.connect(peer, Limits())
    environ = dict(os.environ)

    def new(head: Any, body: bytes) -> None:
        os.environ.clear()
        os.environ.update(environ)
        names.clear()
        names["connected"] = connected
        mocks = __import__("moto.core.models").core.models.MockAWS
        mocks._nested_count, mocks._mocks_active = 0, False
        __import__("boto3").DEFAULT_SESSION = None

    def do(cell: str, body: bytes) -> dict[str, Any]:
        names.pop("result", None)
        printed = io.StringIO()
        raised = None
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(cell, "<cell>", "exec"), names)
        except BaseException as error:
            raised = [type(error).__name__, str(error), traceback.format_exc()]
        return {"result": names.get("result"), "printed": printed.getvalue(), "raised": raised}

    peer.handle("new", new)
    peer.handle("do", do)
    try:
        peer.serve()
    finally:
        connected.disconnect()


def no_cloud() -> None:
    """End whatever cloud runs in this process."""
    clouds.divert(None)
    if (cloud := clouds.running()) is not None:
        cloud.stop()
    from moto.core.models import MockAWS

    while MockAWS._nested_count > 0:
        mock = MockAWS()
        with contextlib.suppress(KeyError):
            mock.stop()


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    """The candidate of a file's tests. `room.new()` begins a submission."""
    room = Room()
    yield room
    room.end()


@pytest.fixture
def examiner(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process as an examiner: no AWS settings, no cloud; and none afterwards."""
    for name in [name for name in os.environ if name.startswith(_ENVIRONMENT)]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    environ = dict(os.environ)
    yield
    no_cloud()
    os.environ.clear()
    os.environ.update(environ)
