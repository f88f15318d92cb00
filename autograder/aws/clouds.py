"""The cloud that runs in the examiner, whichever the source's cells started: the course's local cloud, or moto alone.

It touches moto: the stubber behind its mocks answers a request without a client, and says whether the mocks are on.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from botocore.awsrequest import AWSPreparedRequest
from botocore.compat import HTTPHeaders

from bentocola.cloud import cloud as clouds
from bentocola.cloud.account import ACCOUNT
from bentocola.cloud.door import Request, Response, error_response, read_call
from bentocola.cloud.wires import in_process

__all__ = [
    "Mocks",
    "answer",
    "copied_bytes",
    "mocks_are_on",
    "operation_of",
    "refusal",
    "without_containers",
    "witnessed",
]

Witness = Callable[[Request, Response], None]

_moto = threading.RLock()
"""One call at a time: moto's backends are not thread-safe, and alone they have no door before them."""

_NOT_FOR_OTHERS = re.compile(r"https?://(?:motoapi\.amazonaws\.com|169\.254\.169\.254)", re.IGNORECASE)
"""moto's own switchboard, which empties and sets up what it holds; and the metadata of a machine. As moto finds them: by how an
address begins."""
_NEEDS_CONTAINERS = {("lambda", "Invoke"), ("lambda", "InvokeAsync"), ("batch", "SubmitJob")}


def operation_of(request: Request) -> tuple[str, str]:
    """Return a request's service and operation, each as far as the request tells. Raises nothing."""
    try:
        call = read_call(request)
        operation = call.operation or _action(request) or request.method
    except Exception:  # whatever a request holds that is none
        return "", request.method
    return call.service, operation


def _action(request: Request) -> str:
    """The operation of a service that the local cloud does not know."""
    if target := request.header("X-Amz-Target"):
        return target.rpartition(".")[2]
    fields = parse_qs(urlsplit(request.url).query) | parse_qs(request.body[:4096].decode(errors="replace"))
    return next(iter(fields.get("Action", ())), "")


def refusal(request: Request | None, code: str, message: str) -> Response:
    """An error that any SDK raises under its code and does not try again, in the form of the service that was asked."""
    try:
        call = read_call(request or _NOBODY)
    except Exception:  # whatever a request holds that is none
        call = read_call(_NOBODY)
    return error_response(call, 400, code, message)


_NOBODY = Request("POST", "https://sts.amazonaws.com/", {"X-Amz-Target": "Nobody.Nothing"})


def mocks_are_on() -> bool:
    """Whether moto's mocks answer the calls of this process."""
    mocks = sys.modules.get("moto.core.models")
    stubber = vars(mocks).get("botocore_stubber") if mocks else None
    return stubber is not None and stubber.enabled


def answer(request: Request, say: Callable[..., str]) -> Response | None:
    """Let the cloud that runs answer; None where none does. `say` words what only a graded notebook is told.

    moto's mocks come first, as in a notebook, where they see a request before it is sent.
    """
    if mocks_are_on():
        return _by_moto(request, say)
    cloud = clouds.running()
    return cloud.handle(request) if cloud is not None else None


def _by_moto(request: Request, say: Callable[..., str]) -> Response:
    if operation_of(request) in _NEEDS_CONTAINERS:
        said = say(
            "mock_aws runs functions and jobs in containers, and there are none while a notebook is graded. "
            "Call the function itself."
        )
        return refusal(request, "NoContainers", said)
    if not _is_not_for_others(request.url):
        try:
            answered = _stub(request)
        except Exception as error:  # moto failing on what it was sent; in a notebook it would fall through boto3
            return refusal(request, "InternalFailure", f"{type(error).__name__}: {error}")
        if answered is not None:
            return answered
    said = say("Nothing here answers for {host}, and nothing leaves this machine.", host=urlsplit(request.url).hostname)
    return refusal(request, "NothingLeaves", said)


def _is_not_for_others(url: str) -> bool:
    from moto.core.utils import get_equivalent_url_in_aws_domain

    # An address of another partition of AWS's stands for one of this.
    return bool(_NOT_FOR_OTHERS.match(url) or _NOT_FOR_OTHERS.match(get_equivalent_url_in_aws_domain(url)[0].geturl()))


def _stub(request: Request) -> Response | None:
    from moto.core.models import botocore_stubber

    headers = HTTPHeaders()
    for name, value in request.headers.items():
        headers[name] = value
    prepared = AWSPreparedRequest(request.method, request.url, headers, request.body, False)
    with _moto:
        found = botocore_stubber.process_request(prepared)
    return None if found is None else _response(*found)


def _response(status: Any, headers: Any, body: Any) -> Response:
    text = body.encode() if isinstance(body, str) else bytes(body or b"")
    return Response(int(status), {str(name): str(value) for name, value in dict(headers).items()}, text)


def copied_bytes(request: Request) -> int:
    """Return how much S3 is to copy within itself: nothing of it is sent, and all of it is stored once more."""
    source = unquote(request.header("x-amz-copy-source")).lstrip("/").partition("?versionId=")[0]
    if not source:
        return 0
    if part := _RANGE.fullmatch(request.header("x-amz-copy-source-range")):
        return max(0, int(part[2]) - int(part[1]) + 1)
    from moto.s3.models import s3_backends

    bucket, _, key = source.partition("/")
    with _moto:
        for backend in list(s3_backends[ACCOUNT].values()):
            if bucket in backend.buckets and (found := backend.buckets[bucket].keys.get(key)) is not None:
                return int(found.size)
    return 0


_RANGE = re.compile(r"bytes=(\d{1,15})-(\d{1,15})")


@contextmanager
def witnessed(witness: Witness) -> Iterator[None]:
    """While it is open, `witness` is told of each call of this very process and of its answer, whichever cloud gives it."""
    from moto.core.botocore_stubber import BotocoreStubber

    process_request: Any = BotocoreStubber.process_request

    def told(stubber: Any, request: Any) -> Any:
        asked = in_process.from_botocore(request)
        request.body = asked.body  # it may have been a stream
        found = process_request(stubber, request)
        if found is not None:
            witness(asked, _response(*found))
        return found

    in_process.witnesses.append(witness)
    stubber_class: Any = BotocoreStubber
    stubber_class.process_request = told
    try:
        yield
    finally:
        stubber_class.process_request = process_request
        in_process.witnesses.remove(witness)


def without_containers() -> None:
    """Let moto start no containers: they would run a student's code outside of every jail. For the rest of this process."""
    from moto.utilities.docker_utilities import DockerModel

    def docker_client(model: Any) -> Any:
        raise RuntimeError("While a notebook is graded no container is started.")

    kind: Any = DockerModel
    kind.docker_client = property(docker_client)


class Mocks:
    """moto's mocks as a candidate's own cells start and stop them, in a notebook whose source starts no cloud."""

    def __init__(self) -> None:
        self._started: list[Any] = []

    def start(self, reset: bool) -> None:
        """Start them. With `reset` they hold nothing, unless others have them on already."""
        from moto import mock_aws

        mock = mock_aws()
        with _moto:
            mock.start(reset=reset)
        self._started.append(mock)

    def stop(self, remove_data: bool) -> None:
        """End what was started last, if anything was."""
        if self._started:
            with _moto:
                self._started.pop().stop(remove_data=remove_data)

    def reset(self) -> None:
        """Forget what they hold, if they are the candidate's."""
        if self._started:
            with _moto:
                self._started[-1].reset()

    @property
    def are_on(self) -> bool:
        """Whether any are on that a candidate's cell started."""
        return bool(self._started)
