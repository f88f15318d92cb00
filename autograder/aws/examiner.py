"""The examiner's end: answers what the candidate asks of the cloud, within bounds, and never fails over what it is sent.

`Gate` is made once a submission. What it refuses at a limit is answered as an error of AWS's kind and noted in `hits`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from autograder.aws import clouds, polls
from autograder.aws.alarm import TookTooLongError, limited
from autograder.aws.desk import Desk
from autograder.aws.forms import left_out_of, packed_response, request_of
from autograder.aws.recording import Recording
from autograder.aws.runtime import CandidateRuntime, use
from autograder.peer import Peer
from autograder.records import Limits
from bentocola.cloud.cloud import running
from bentocola.cloud.door import Request, Response, caller
from bentocola.errors import CourseError
from bentocola.messages import both, translate

__all__ = ["CandidateRuntime", "Gate", "Hit", "use"]

_MOST_HITS = 1000
"""That are kept: who is over a limit may go on asking."""


@dataclass(frozen=True)
class Hit:
    """A limit that the candidate met at the cloud: always of the cause "cloud"."""

    kind: Literal["bytes", "time", "answer"]
    """All that was sent; the time of one request; the size of one answer."""
    operation: str
    """Such as "s3:PutObject"."""

    @property
    def detail(self) -> dict[str, str]:
        """What a `LimitHit` of the record holds of it."""
        return {"what": self.kind, "operation": self.operation}


class Gate:
    """Answers the ops `aws` and `cloud` of a peer. `hits`: the limits that were met, in order; `take_hits` empties it."""

    def __init__(self, peer: Peer, limits: Limits, language: str = "") -> None:
        """`language`: see the attribute."""
        self._limits = limits
        self.language = language
        """Of what is said while no local cloud runs, whose edition would tell: "es" or "ja"; both while it is empty."""
        self._sent = 0
        self._recordings: dict[str, Recording] = {}
        self._recording: Recording | None = None
        self._desk = Desk(peer, self._say)
        self.hits: list[Hit] = []
        clouds.without_containers()
        peer.handle("aws", self._aws)
        peer.handle("cloud", self._cloud)

    def take_hits(self) -> list[Hit]:
        """Return the limits that were met since the last call."""
        taken, self.hits = self.hits, []
        return taken

    @contextmanager
    def recording(self, cell: str) -> Iterator[None]:
        """Around the examiner's own run of a locked cell: what it gets from the cloud is kept for `replaying`."""
        self._recordings[cell] = self._recording = recording = Recording()
        try:
            with recording.of_this_process():
                yield
        finally:
            self._recording = None

    @contextmanager
    def replaying(self, cell: str) -> Iterator[None]:
        """Around the candidate's run of that cell."""
        self.replay(cell)
        try:
            yield
        finally:
            self.replay(None)

    def replay(self, cell: str | None) -> None:
        """Begin to answer from the recording of a locked cell, once; None: end it."""
        self._desk.replay = None if cell is None else self._recordings.pop(cell, Recording())

    @contextmanager
    def testing(self) -> Iterator[None]:
        """Around a test: see `desk.Desk.in_test`. What the candidate's cells left open in the cloud ends before it."""
        self.close()
        self._desk.in_test = True
        try:
            yield
        finally:
            self._desk.in_test = False

    def close(self) -> None:
        """End what the candidate's cells left open in the cloud: recordings of the trace, faults that were set aside."""
        self._desk.close()

    def _say(self, message: str, /, **values: object) -> str:
        cloud = running()
        language = cloud.edition if cloud is not None else self.language
        return translate(language, message, **values) if language else both(message, **values)

    # AWS

    def _aws(self, head: Any, body: bytes) -> tuple[Any, bytes]:
        try:
            request = request_of(head, body)
        except ValueError as error:
            said = self._say("This is no request that a client of AWS makes: {reason}.", reason=error)
            return packed_response(clouds.refusal(None, "InvalidRequest", said))
        chained = head.get("chained") is True
        # What a thread of the student's own asks is answered where a thread waits, perhaps for a function's run, and is not the
        # run's.
        token = None if chained else caller.set(None)
        try:
            try:
                response, wait = self._answer(request, left_out_of(head))
            except Exception as error:  # the cloud failing on what it was sent: never the examiner's end
                response, wait = clouds.refusal(request, "InternalFailure", f"{type(error).__name__}: {error}"), 0
            if chained and self._recording is not None and not wait:
                # A function of the student's, called by a locked cell: the candidate's run of that cell calls it again.
                self._recording.add(request, response)
            return packed_response(response, wait)
        finally:
            if token is not None:
                caller.reset(token)

    def _answer(self, request: Request, left_out: int) -> tuple[Response, int]:
        """Return the answer, and for how many seconds the candidate is to ask again while it is empty.

        `left_out`: how many bytes were too many to be sent at all.
        """
        if self._desk.replay is not None and (recorded := self._desk.replay.next(request)) is not None:
            return recorded, 0
        wait = polls.seconds_to_wait(request)
        if wait and clouds.mocks_are_on():
            response = self._checked(polls.without_wait(request), left_out, 0)
            return response, wait if polls.is_empty(response) else 0
        return self._checked(request, left_out, wait), 0

    def _checked(self, request: Request, left_out: int, wait: int) -> Response:
        """Return the cloud's answer, or a refusal at a limit. `wait`: seconds that the request itself asks for."""
        self._sent += len(request.url) + len(request.body) + left_out + clouds.copied_bytes(request)
        if left_out or self._sent > self._limits.cloud_bytes:
            said = self._say(
                "This notebook has sent more than {megabytes} MB to the cloud, and no more is taken.",
                megabytes=self._limits.cloud_bytes >> 20,
            )
            return self._refuse("bytes", request, said)
        try:
            response = limited(self._limits.request_seconds + wait, lambda: clouds.answer(request, self._say))
        except TookTooLongError:
            said = self._say(
                "This request took the cloud longer than {seconds} s, and was stopped.",
                seconds=f"{self._limits.request_seconds:g}",
            )
            return self._refuse("time", request, said)
        if response is None:
            said = self._say("No cloud runs: start one with mock_aws or bentocola.start(). Nothing was sent to AWS.")
            return clouds.refusal(request, "NoCloud", said)
        if len(response.body) > self._limits.file_bytes:
            said = self._say(
                "This answer has more than {megabytes} MB, and was not sent: ask for less at a time.",
                megabytes=self._limits.file_bytes >> 20,
            )
            return self._refuse("answer", request, said)
        return response

    def _refuse(self, kind: Literal["bytes", "time", "answer"], request: Request, said: str) -> Response:
        self._note(kind, ":".join(clouds.operation_of(request)))
        return clouds.refusal(request, "GradingLimit", said)

    def _note(self, kind: Literal["bytes", "time", "answer"], operation: str) -> None:
        if len(self.hits) < _MOST_HITS:
            self.hits.append(Hit(kind, operation))

    # The cloud's own objects

    def _cloud(self, head: Any, body: bytes) -> tuple[Any, bytes]:
        """Answer an operation of the desk: its result is the body, as JSON; or `error` names what it raised, and says it."""
        operation = f"cloud:{head.get('do')}" if isinstance(head, dict) else "cloud"
        try:
            result = limited(self._limits.request_seconds, lambda: self._desk.ask(head))
            packed = json.dumps(result).encode()
        except TookTooLongError:
            self._note("time", operation)
            said = self._say(
                "This took the cloud longer than {seconds} s, and was stopped.",
                seconds=f"{self._limits.request_seconds:g}",
            )
            return _error("CourseError", said), b""
        except Exception as error:  # whatever the cloud raises for what it was asked
            return _error(type(error).__name__ if isinstance(error, CourseError) else _kind(error), str(error)), b""
        if len(packed) > self._limits.file_bytes:
            self._note("answer", operation)
            said = self._say(
                "This answer has more than {megabytes} MB, and was not sent: ask for less at a time.",
                megabytes=self._limits.file_bytes >> 20,
            )
            return _error("CourseError", said), b""
        return {}, packed


def _kind(error: Exception) -> str:
    """The nearest of Python's own exceptions."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")


def _error(kind: str, text: str) -> dict[str, Any]:
    return {"error": [kind, text[:10_000]]}
