"""The nursery: what it starts with, what it hands on, and that nothing is left of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from autograder.imports import light
from autograder.leashed import can_fork
from autograder.nursery import Nursery, NurseryError
from autograder.records import Job
from tests.autograder.classroom import Classroom

pytestmark = pytest.mark.skipif(not can_fork(), reason="There is no fork here.")

SECRET = "canary-of-the-teacher"


def nothing() -> Job:
    """Return a job of no notebooks, and without a paper: an invigilator that ends at once, and says so."""
    nowhere = Path("/nonexistent")
    return Job("ps1", "nobody", (), nowhere, nowhere, nowhere, nowhere, "digest", "A")


def started() -> list[psutil.Process]:
    """Return the processes below this one."""
    return [
        process for process in psutil.Process().children(recursive=True) if "nursery_process" in str(process.cmdline())
    ]


@pytest.fixture
def nursery(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nursery]:
    """Yield a nursery that was started with a secret in the environment."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("TEACHERS_TOKEN", SECRET)
    with Nursery() as nursery:
        # Once it has answered: a process that is just being started has no command line and no environment in /proc yet.
        nursery.start(nothing()).status()
        yield nursery


def test_the_environment_holds_nothing_of_the_teacher_s(nursery: Nursery) -> None:
    """Neither as Python sees it nor as /proc shows it: what a process started with stays readable to its children."""
    [process] = started()

    environ = Path(f"/proc/{process.pid}/environ").read_bytes()

    assert SECRET.encode() not in environ
    assert b"HOME=/nonexistent" in environ


def test_the_command_line_names_no_course(nursery: Nursery) -> None:
    """A student's code can read it."""
    [process] = started()

    assert process.cmdline()[1:5] == ["-P", "-s", "-m", "autograder.nursery_process"]
    assert process.cwd() == "/"


def test_it_listens_to_nobody(nursery: Nursery) -> None:
    """There is no socket with a path, or a port, that a student's code could find and speak to."""
    nursery.start(nothing()).status()
    [process] = started()

    sockets = {link for link in map(os.readlink, handles(process)) if link.startswith("socket:")}

    assert len(sockets) == 1
    assert process.net_connections("inet") == []
    table = Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()
    inodes = {link.removeprefix("socket:[").rstrip("]") for link in sockets}
    assert [line for line in table if line.split()[6] in inodes and len(line.split()) > 7] == []


def handles(process: psutil.Process) -> list[str]:
    """Return the paths of a process's open files in /proc."""
    folder = f"/proc/{process.pid}/fd"
    return [f"{folder}/{name}" for name in os.listdir(folder)]


def test_it_has_one_thread(nursery: Nursery) -> None:
    """Others would be lost by a fork, with the locks that they hold."""
    nursery.start(nothing()).status()
    [process] = started()

    assert process.num_threads() == 1


def test_it_tells_how_an_invigilator_ended(nursery: Nursery) -> None:
    """With its exit status, each by its own number, in whatever order it is asked."""
    first, second = nursery.start(nothing()), nursery.start(nothing())

    assert second.status() == 0
    assert first.status() == 0
    assert "holds no prepared assignment" in json.loads(first.connection.recv_bytes())["error"]


def test_it_keeps_nothing_of_who_has_gone(nursery: Nursery) -> None:
    """After a hundred invigilators it holds as many open files as after one."""
    nursery.start(nothing()).status()
    [process] = started()
    before = process.num_fds()

    for _ in range(20):
        nursery.start(nothing()).status()

    assert process.num_fds() == before


def test_a_start_after_its_end_is_refused(nursery: Nursery) -> None:
    """With a sentence that says what to do."""
    [process] = started()
    process.kill()
    process.wait()

    with pytest.raises(NurseryError, match="run the command again"):
        nursery.start(nothing())


# Ends

LOOP = "while True:\n    pass"

MAIN = """
import sys
import time
from pathlib import Path
from autograder.nursery import Nursery
from autograder.records import Job
import json

nursery = Nursery()
job = Job.from_json(json.loads(sys.stdin.readline()))
handle = nursery.start(job)
print("started", flush=True)
handle.connection.recv_bytes()
"""


def rooms_run(main: psutil.Process) -> list[psutil.Process]:
    """Wait until the rooms of an invigilator run below a process, and return all that is below it."""
    while True:
        # multiprocessing's own, which other tests may have started in this process, is nobody's room.
        below = [one for one in main.children(recursive=True) if "resource_tracker" not in " ".join(one.cmdline())]
        # The nursery, the invigilator, and at least one process for each of two rooms.
        if len(below) >= 4:
            return below


def still_running(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Return those that do not end within 20 seconds. One that only waits to be noticed (a zombie) runs no more."""
    left = psutil.wait_procs(processes, timeout=0)[1]
    deadline = time.monotonic() + 20
    while (left := [one for one in left if _runs(one)]) and time.monotonic() < deadline:
        left = psutil.wait_procs(left, timeout=0.1)[1]
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.slow
def test_nothing_outlives_a_main_process_that_is_killed(tmp_path: Path) -> None:
    """SIGKILL gives it no time to end anything: the nursery, the invigilator and both rooms end by themselves."""
    job = Classroom(tmp_path).changed("loop", {"sol1": LOOP})
    main = subprocess.Popen([sys.executable, "-c", MAIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert main.stdin is not None
    assert main.stdout is not None
    main.stdin.write(json.dumps(job.as_json()) + "\n")
    main.stdin.flush()
    assert main.stdout.readline() == "started\n"
    below = rooms_run(psutil.Process(main.pid))

    main.send_signal(signal.SIGKILL)
    main.communicate()

    assert still_running(below) == []


@pytest.mark.slow
def test_nothing_outlives_the_nursery(tmp_path: Path) -> None:
    """Closed while a submission runs, it ends invigilator and rooms."""
    job = Classroom(tmp_path).changed("loop", {"sol1": LOOP})
    with Nursery() as nursery:
        nursery.start(job)
        below = [process for process in rooms_run(psutil.Process()) if process.pid != os.getpid()]

    assert still_running(below) == []


@pytest.mark.slow
def test_nothing_outlives_a_killed_invigilator(tmp_path: Path) -> None:
    """Its rooms end with it, and its end is told by the signal."""
    job = Classroom(tmp_path).changed("loop", {"sol1": LOOP})
    with Nursery() as nursery:
        handle = nursery.start(job)
        rooms = [process for process in rooms_run(psutil.Process()) if process not in started()[:1]]

        handle.kill()

        assert handle.status() == -signal.SIGKILL
        assert still_running(rooms) == []


def test_the_slow_grammar_is_left_out_and_can_be_had() -> None:
    """nbformat comes without it; who asks for it by name still gets it."""
    program = (
        "import sys\nfrom autograder.imports import light\nwith light():\n    import nbformat\n"
        "assert 'rfc3987_syntax' not in sys.modules\nnbformat.validate(nbformat.v4.new_notebook())\n"
        "import rfc3987_syntax\n"
    )

    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
    with light():
        import nbformat  # noqa: F401  # it is there already: nothing happens


WARM = """
import os, threading
os.environ["KEPT"] = "1"
before = dict(os.environ)
from autograder.warm import warm
warm()
import boto3, botocore.exceptions, botocore.hooks
from bentocola.cloud import cloud
assert threading.active_count() == 1
assert dict(os.environ) == before
assert boto3.DEFAULT_SESSION is None
assert cloud.running() is None

class Handler:
    __hash__ = None
    seen = 0
    def __call__(self, **event):
        Handler.seen += 1

def without(event_name):
    pass

def make_a_table_of_one_letter():
    boto3.client("dynamodb", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x").create_table(
        TableName="t",
        KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )

from moto import mock_aws
with mock_aws():
    client = boto3.client("sqs", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    client.meta.events.register("before-send", Handler())
    client.create_queue(QueueName="q")
    assert Handler.seen == 1
    try:
        client.meta.events.register("before-send", without)
    except ValueError:
        pass
    else:
        raise AssertionError("A handler that takes no named values was taken.")
    make_a_table_of_one_letter()
from autograder.warm import warm_extra
warm_extra({"json", "bentocola.checks"})
assert threading.active_count() == 1
assert dict(os.environ) == before
assert boto3.DEFAULT_SESSION is None
assert cloud.running() is None
with mock_aws():
    try:
        make_a_table_of_one_letter()
    except botocore.exceptions.ClientError:
        pass
    else:
        raise AssertionError("The local cloud was not warmed up for a course that uses it.")
"""


def test_what_is_warm_is_as_good_as_new() -> None:
    """No thread, no client, no cloud, no setting is left; what botocore remembers is what it would find; moto is as it comes.

    The local cloud mends moto, which refuses more then: only for a course that uses it.
    """
    assert subprocess.run([sys.executable, "-c", WARM]).returncode == 0
