"""The candidate's end: whatever this process asks of AWS, or of the course's local cloud, goes to the examiner.

After `connect` botocore has no other way of sending, `bentocola.start` gives a `CandidateCloud`, and moto's mocks hold nothing
here. It changes botocore, moto's mocks and `bentocola.cloud.cloud` in this process. Nothing of it is a protection, for a
student's code may change it back: then it finds no network, and no cloud.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from autograder.aws import mocks
from autograder.aws.candidate_cloud import CandidateCloud, own_exception
from autograder.aws.forms import packed_request, response_of
from autograder.aws.functions import Functions
from autograder.peer import Peer
from autograder.records import Limits
from bentocola.cloud import cloud as clouds
from bentocola.cloud import sessions
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request, Response
from bentocola.cloud.environment import AwsEnvironment
from bentocola.cloud.functions.runtime import Runtime
from bentocola.cloud.names import EDITIONS
from bentocola.cloud.wires.guard import NetworkGuard
from bentocola.cloud.wires.in_process import InProcessWire
from bentocola.errors import NothingLeavesError, UnknownEditionError
from bentocola.messages import both, translate

__all__ = ["CandidateCloud", "Connection", "connect"]

_BETWEEN_LOOKS = 0.05
"""Seconds until an empty queue is asked again."""


def connect(peer: Peer, limits: Limits) -> Connection:
    """Lead everything to the examiner behind `peer`. Returns what can undo it, and what holds the running cloud."""
    return Connection(peer, limits)


class Connection:
    """This process's way to the cloud. `cloud`: the one that `bentocola.start` gave last, or None."""

    def __init__(self, peer: Peer, limits: Limits) -> None:
        self._peer = peer
        self._limits = limits
        self._language = ""
        self._handlers: dict[int, Callable[[int, bytes], tuple[Any, bytes]]] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._own: tuple[AwsEnvironment, sessions.Default] | None = None
        self.cloud: CandidateCloud | None = None
        self._wire = InProcessWire(self.handle, wait=self._wait, say=self.say)
        self._guard = NetworkGuard(self._refuse)
        self._functions = Functions(self.handle, self._wait_there, self.speak)
        peer.handle("function_run", self._functions.run)
        peer.handle("function_close", self._functions.close)
        peer.handle("cloud_handler", self._handle)
        self._wire.connect()
        self._guard.connect()
        self._mocks = mocks.connect(self.ask)
        clouds.divert(self._start, lambda: self.cloud)  # type: ignore[arg-type, return-value]

    def disconnect(self) -> None:
        """Give this process its own ways back."""
        self._functions.close()
        clouds.divert(None)
        self._mocks.disconnect()
        self._guard.disconnect()
        self._wire.disconnect()
        self._restore()

    def say(self, message: str, /, **values: object) -> str:
        """Return a message of the catalogue in the edition's language, or in both while there is none."""
        return translate(self._language, message, **values) if self._language else both(message, **values)

    def speak(self, language: str) -> None:
        """Say everything in this language from now on."""
        self._language = language

    # AWS

    def handle(self, request: Request) -> Response:
        """Let the examiner answer an AWS request. Raises PeerGone when there is none any more, ForkedError in a fork."""
        response, seconds = self._send(request)
        if seconds:  # a long poll: see `polls`
            end = time.monotonic() + seconds
            while seconds and (left := end - time.monotonic()) > 0:
                time.sleep(min(_BETWEEN_LOOKS, left))
                response, seconds = self._send(request)
        return response

    def _send(self, request: Request) -> tuple[Response, int]:
        # The thread that the examiner waits for, if it does, is busy for it: what it asks belongs to that.
        chained = self._peer._within() is not None
        return response_of(*self._peer.call("aws", *packed_request(request, chained=chained)))

    def _wait(self, seconds: float) -> None:
        """Wait between two tries of a call."""
        if not self._wait_there(seconds):
            time.sleep(seconds)

    def _wait_there(self, seconds: float) -> bool:
        return bool(self.ask("wait", seconds=seconds))

    def _refuse(self, host: str) -> NothingLeavesError:
        message = (
            "{host} is an address of AWS, and nothing leaves this machine while a notebook is graded. "
            "Ask with a boto3 client instead."
        )
        return NothingLeavesError(self.say(message, host=host))

    # The cloud's own objects

    def ask(self, name: str, /, **asked: Any) -> Any:
        """Let the examiner do an operation of `desk`, and return what it comes to. Raises the error that came of it there."""
        head, body = self._peer.call("cloud", {"do": name, **asked})
        if "error" in head:
            raise own_exception(*head["error"])
        return json.loads(body)

    def lend(self, handler: Callable[[int, bytes], tuple[Any, bytes]]) -> int:
        """Let the examiner call a function, under the number that is returned, until `take_back`."""
        with self._lock:
            self._number += 1
            self._handlers[self._number] = handler
            return self._number

    def take_back(self, number: int) -> None:
        """End that."""
        del self._handlers[number]

    def _handle(self, head: Any, body: bytes) -> tuple[Any, bytes]:
        return self._handlers[head["handler"]](head["request_id"], body)

    def _start(
        self, edition: str, *, live: bool = False, runtime: Runtime | None = None, kind: type[Cloud] = Cloud
    ) -> CandidateCloud:
        """What `bentocola.start` does here. The cloud that a locked cell started goes on; see `desk.Desk.start`."""
        if edition not in list(EDITIONS):
            raise UnknownEditionError(edition, list(EDITIONS))
        begun = self.ask("start", edition=edition, live=bool(live))
        self.speak(begun["edition"])
        self._restore()
        self._own = AwsEnvironment(), sessions.Default()
        self.cloud = CandidateCloud(self, begun["edition"], begun["stands_still"], self._own[0].set_aside)
        if begun["goes_on"]:
            print(self.say("The cloud of this notebook goes on: while it is graded, start() does not empty it."))
        if begun["anew"]:
            print(self.say("A local cloud was running already. This one starts empty in its place."))
        return self.cloud

    def _restore(self) -> None:
        if self._own is not None:
            environment, session = self._own
            self._own = None
            session.restore()
            environment.restore()
