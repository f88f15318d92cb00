"""No socket to anything but this machine, asserted where the system tells: with strace, for all processes that there are.

On a person's machine with real-looking settings and a proxy: `bentocola serve`, its warm `aws`, functions in processes of their
own, and `aws` commands in a process of theirs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path

import pytest

from bentocola.cli.surroundings import prepared
from tests.cli.conftest import Served, Trap, environment_of, write_home

CODE = """
import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

def lambda_handler(event, context):
    answered = 0
    proxies = dict.fromkeys(("http", "https"), "http://198.51.100.7:3128")
    for options in ({}, {"endpoint_url": "http://198.51.100.7:9000"}, {"config": Config(proxies=proxies)}):
        for region in ("us-east-1", "eu-west-1", "cn-north-1"):
            try:
                boto3.client("sqs", region_name=region, **options).list_queues()
            except (BotoCoreError, ClientError):
                pass
            answered += 1
    return answered
"""


@cache
def is_traced() -> bool:
    """Whether this system lets a process be traced."""
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-f", "-qq", "true"], capture_output=True, check=False).returncode == 0


def connections(log: str) -> list[str]:
    """Return the addresses of a trace of system calls that are not on loopback."""
    found = re.findall(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"', log)
    return [four or six for four, six in found if not (four.startswith("127.") or six in ("::1", "::ffff:127.0.0.1"))]


def test_what_is_looked_for() -> None:
    """The check finds an address that is elsewhere, of either kind, and no other."""
    log = """
        1 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
        1 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("198.51.100.7")}, 16) = -1
        1 connect(3, {sa_family=AF_INET6, inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = -1
        1 connect(3, {sa_family=AF_INET6, inet_pton(AF_INET6, "::1", &sin6_addr)}, 28) = 0
    """

    assert connections(log) == ["198.51.100.7", "2001:db8::1"]


@pytest.mark.slow
def test_no_process_connects_elsewhere(tmp_path: Path) -> None:
    """Queue, role, function, invocation and item, from `aws` both warm and cold: every connection is on loopback."""
    if not is_traced():
        pytest.skip("This system lets no process be traced, or has no strace.")
    home, folder, log = tmp_path / "home", tmp_path / "work", tmp_path / "calls"
    folder.mkdir()
    trap = Trap()
    write_home(home, trap.address)
    environment = environment_of(home, trap)
    file = folder / "ready.json"
    strace = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,bind", "-s", "0"]
    process = subprocess.Popen(
        [
            *strace,
            "-o",
            str(log),
            sys.executable,
            "-m",
            "bentocola.cli",
            "serve",
            "--port",
            "0",
            "--ready-file",
            str(file),
        ],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=folder,
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert file.is_file(), line
        ready = json.loads(file.read_text())
        served = Served(file, ready, environment, folder, trap, process)
        with zipfile.ZipFile(folder / "worker.zip", "w") as archive:
            archive.writestr("worker.py", CODE)
        trust = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
        served.aws("sqs", "create-queue", "--queue-name", "orders")
        served.aws(
            *("iam", "create-role", "--role-name", "worker", "--assume-role-policy-document"),
            json.dumps({"Version": "2012-10-17", "Statement": [trust]}),
        )
        served.aws(
            *("lambda", "create-function", "--function-name", "worker", "--runtime", "python3.11", "--timeout", "30"),
            *("--handler", "worker.lambda_handler", "--role", "arn:aws:iam::123456789012:role/worker"),
            *("--zip-file", "fileb:" + "//worker.zip"),
        )
        served.aws("lambda", "invoke", "--function-name", "worker", "answer.json")
        cold = subprocess.run(
            [*strace, "-o", str(tmp_path / "cold"), sys.executable, "-I", "-m", "bentocola.cli.aws.cold"]
            + [ready["endpoint"], "sqs", "list-queues"],
            capture_output=True,
            env=prepared(environment, ready["environment"]),
            cwd=folder,
            check=False,
        )
    finally:
        if file.is_file():  # strace itself hears no Ctrl+C
            os.kill(json.loads(file.read_text())["pid"], signal.SIGINT)
        process.communicate(timeout=60)
        trap.close()
    calls = log.read_text() + (tmp_path / "cold").read_text()

    assert json.loads((folder / "answer.json").read_text()) == 9
    assert "orders" in cold.stdout.decode(), cold.stderr.decode()
    assert "inet_addr" in calls
    assert connections(calls) == []
    assert trap.came == []
