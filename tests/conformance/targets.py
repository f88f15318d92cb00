"""The implementations that behaviours are played on. Each is there within a `with` block, and gone after it.

`in_process` is ours. `served` is ours behind `bentocola serve`; `at` is whatever answers at an endpoint. `plain_moto` is moto
without our amendments: use it only in a process that has not started our cloud, because amendments stay installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import boto3
from botocore.config import Config

from tests.conformance import ministack
from tests.conformance.player import NotApplicable

__all__ = [
    "LONGEST_WAIT",
    "TARGETS",
    "Endpoint",
    "InProcess",
    "PlainMoto",
    "Served",
    "at",
    "in_process",
    "plain_moto",
    "served",
]

LONGEST_WAIT = 2.0
"""Seconds that are really waited where no clock can be moved; what needs more is not applicable there."""

PATIENCE = 60
"""Seconds that a server has for its start."""

ACCOUNT, REGION = "123456789012", "us-east-1"
ROOT = Path(__file__).parents[2]


class _Clients:
    """boto3 clients of one target, each made once. One try a call: an error is what a behaviour asks about."""

    name = ""
    account, region = ACCOUNT, REGION
    endpoint: str | None = None

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def client(self, service: str, *, credentials: Any = None, checked: bool = True, region: str = REGION) -> Any:
        """Return the client; `credentials` as STS and IAM give them, or keys that nobody issued."""
        keys = credentials or {"AccessKeyId": "test", "SecretAccessKey": "test"}
        which = service, keys["AccessKeyId"], checked, region
        if which not in self._made:
            self._made[which] = boto3.client(
                service,
                region_name=region,
                endpoint_url=self.endpoint,
                aws_access_key_id=keys["AccessKeyId"],
                aws_secret_access_key=keys["SecretAccessKey"],
                aws_session_token=keys.get("SessionToken"),
                config=Config(
                    parameter_validation=checked,
                    retries={"total_max_attempts": 1, "mode": "standard"},
                    read_timeout=30,
                    s3={"addressing_style": "path"},
                ),
            )
        return self._made[which]


class InProcess(_Clients):
    """Our cloud in this process: its time is moved, and its mappings are polled by hand."""

    name = "ours"

    def __init__(self, cloud: Any) -> None:
        super().__init__()
        self._cloud = cloud

    def now(self) -> int:
        """Read the course's clock."""
        return round(self._cloud.clock.now().timestamp() * 1000)

    def advance(self, seconds: float) -> None:
        """Move the course's clock."""
        self._cloud.clock.advance(seconds)

    def turn(self) -> None:
        """Poll every mapping once, a second later."""
        self._cloud.clock.advance(1)
        self._cloud.poll_once()


class _RealTime(_Clients):
    """A target that works by itself, in real time."""

    pause = 0.1

    def now(self) -> int:
        """Read this machine's clock."""
        return round(time.time() * 1000)

    def advance(self, seconds: float) -> None:
        """Wait, where it is short."""
        if seconds > LONGEST_WAIT:
            raise NotApplicable(f"without a clock it takes {seconds} s")
        time.sleep(seconds)

    def turn(self) -> None:
        """Wait a little."""
        time.sleep(self.pause)


class Endpoint(_RealTime):
    """What answers at an endpoint's URL."""

    def __init__(self, name: str, url: str) -> None:
        super().__init__()
        self.name, self.endpoint = name, url


class PlainMoto(_RealTime):
    """moto as it comes, in this process. What it does, it does at once: there is nothing to wait for."""

    name, pause = "moto", 0.0


class Served(Endpoint):
    """Ours at an endpoint's URL: it works by itself, in real time, and its control door moves its clock."""

    def now(self) -> int:
        """Read the course's clock, which is ahead of this machine's once it was moved."""
        return round(datetime.fromisoformat(_clock(str(self.endpoint))["now"]).timestamp() * 1000)

    def advance(self, seconds: float) -> None:
        """Move the course's clock."""
        _clock(str(self.endpoint), {"advance": seconds})


def _clock(url: str, asked: dict[str, Any] | None = None) -> dict[str, Any]:
    """Ask our control door. Raises OSError or ValueError where there is none."""
    request = Request(f"{url.rstrip('/')}/_bentocola/clock", None if asked is None else json.dumps(asked).encode())
    # Without the proxies of the environment: it is this machine that is asked.
    with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
        told = json.load(answer)
    if not isinstance(told, dict) or "now" not in told:
        raise ValueError(f"{url} has no clock")
    return told


@contextmanager
def in_process() -> Iterator[InProcess]:
    """Start our cloud in this process."""
    import bentocola

    with redirect_stdout(StringIO()):  # what it says to a notebook
        cloud = bentocola.start("es")
    try:
        yield InProcess(cloud)
    finally:
        cloud.stop()


@contextmanager
def plain_moto() -> Iterator[PlainMoto]:
    """Start moto's mocks in this process."""
    from moto import mock_aws

    os.environ["AWS_DEFAULT_REGION"] = REGION
    # Docker may be there or not: what moto does without it is what a learner's machine has.
    with mock_aws(config={"lambda": {"use_docker": False}}):
        yield PlainMoto()


@contextmanager
def at(url: str, name: str = "ours") -> Iterator[Endpoint]:
    """Use what answers at `url`. Its clock is moved where it has one."""
    try:
        _clock(url)
    except (OSError, ValueError):
        yield Endpoint(name, url)
    else:
        yield Served(name, url)


@contextmanager
def served() -> Iterator[Served]:
    """Start `bentocola serve` on a port of its own."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.json"
        command = [sys.executable, "-m", "bentocola.cli", "serve", "--port", "0", "--ready-file", str(ready)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as server:
            try:
                _wait(ready.exists, server)
                yield Served("ours over HTTP", json.loads(ready.read_text(encoding="utf-8"))["endpoint"])
            finally:
                server.terminate()


@contextmanager
def _ministack() -> Iterator[Endpoint]:
    """Start MiniStack on a port of its own, empty."""
    with tempfile.TemporaryDirectory() as folder:
        port = ministack.free_port()
        command, environment = ministack.command(port, Path(folder), ACCOUNT)
        log = (Path(folder) / "log").open("wb")
        with log, subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log) as server:
            try:
                _wait(lambda: ministack.answers(port), server)
                yield Endpoint("MiniStack", f"http://127.0.0.1:{port}")
            finally:
                server.terminate()


def _wait(there: Callable[[], bool], server: subprocess.Popen[bytes]) -> None:
    for _ in range(PATIENCE * 20):
        if there():
            return
        if server.poll() is not None:
            raise RuntimeError(f"{server.args!r} ended with status {server.returncode} before it was ready.")
        time.sleep(0.05)
    raise TimeoutError(f"{server.args!r} was not ready after {PATIENCE} s.")


TARGETS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "ours": in_process,
    "http": served,
    "moto": plain_moto,
    "ministack": _ministack,
}
"""By the names that the command line has for them."""
