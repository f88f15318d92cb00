"""Functions in processes of their own: order of the log, timeouts, kills, overlap, what stays warm, what ends when.

Nothing here waits for time to pass: where a timeout is to come, the function itself says when, through a call.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bentocola.cloud.door import Request, Response
from bentocola.cloud.functions import package
from bentocola.cloud.functions.processes import Processes
from bentocola.cloud.functions.runtime import Outcome
from tests.cloud.deployed import ARN, EVERYTHING, ROLE, Answers, deployed

posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and forks")
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc and pidfds")


class Bell:
    """Stands in for real time: rings when a test says so."""

    def __init__(self) -> None:
        self.set: list[tuple[float, Callable[[], None]]] = []

    def later(self, seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        """Note an alarm."""
        entry = (seconds, action)
        self.set.append(entry)

        def call_off() -> None:
            with contextlib.suppress(ValueError):
                self.set.remove(entry)

        return call_off

    def ring(self) -> None:
        """Let the time of the newest alarm come."""
        self.set[-1][1]()


@pytest.fixture(scope="module")
def bell() -> Bell:
    """One for all."""
    return Bell()


@pytest.fixture(scope="module")
def answers() -> Answers:
    """One for all."""
    return Answers()


@pytest.fixture(scope="module")
def shared(bell: Bell, answers: Answers) -> Iterator[Processes]:
    """One runtime for all tests that do not end it."""
    runtime = Processes(answers, later=bell.later)
    runtime.prepare()
    yield runtime
    runtime.close()


@pytest.fixture
def runtime(shared: Processes, answers: Answers) -> Processes:
    """The runtime, with nothing asked yet."""
    answers.__init__()  # type: ignore[misc]
    return shared


def run(runtime: Processes, code: str, event: Any = None, **changed: Any) -> Outcome:
    """Run a function once."""
    return runtime.run(deployed(code, **changed), json.dumps(event), request_id="r-1", credentials=ROLE, run="run-1")


def printed(outcome: Outcome) -> list[str]:
    """Return the events between START and END, without their line ends."""
    start = next(number for number, event in enumerate(outcome.log) if event.startswith("START "))
    return [event.rstrip("\n") for event in outcome.log[start + 1 : -2]]


CALL = "import boto3\nsqs = boto3.client('sqs')\n"


# The log


def test_log_keeps_the_order_of_all_that_write(runtime: Processes) -> None:
    """Python, the file descriptor, a process, a thread, `logging`: as they came."""
    code = """
import logging, os, subprocess, sys, threading
def lambda_handler(event, context):
    for n in range(3):
        print("python", n)
        os.write(1, b"descriptor\\n")
        print("error", file=sys.stderr)
        subprocess.run([sys.executable, "-c", "print('process')"])
        thread = threading.Thread(target=print, args=("thread",)); thread.start(); thread.join()
        logging.error("record")
        os.write(2, b"descriptor 2\\n")
"""
    one = ["descriptor", "error", "process", "thread", "record", "descriptor 2"]
    got = [re.sub(r"^\[ERROR\].*\t", "", line) for line in printed(run(runtime, code))]

    assert got == [line for number in range(3) for line in (f"python {number}", *one)]


def test_log_of_a_process_that_ends_at_once_is_whole(runtime: Processes) -> None:
    """What was written past Python right before the end is there too."""
    outcome = run(
        runtime, "import os\ndef lambda_handler(e, c):\n    print('a')\n    os.write(1, b'b')\n    os._exit(0)\n"
    )

    assert printed(outcome)[:2] == ["a", "b"]
    assert json.loads(outcome.payload)["errorMessage"].endswith("Runtime exited without providing a reason")


def test_log_of_a_run_has_a_limit(runtime: Processes) -> None:
    """A sentence tells that something is left out; the run goes on."""
    outcome = run(
        runtime, "def lambda_handler(e, c):\n    for n in range(6):\n        print('x' * 1_000_000)\n    return 1\n"
    )

    assert outcome.payload == "1"
    assert len(printed(outcome)) == 4
    assert printed(outcome)[-1].startswith("This run wrote more than 4 MB of log.")


def test_uncaught_end_is_shown_without_our_own_frames(runtime: Processes) -> None:
    """What Python prints when something else than an exception ends the process."""
    outcome = run(runtime, "def lambda_handler(e, c):\n    raise GeneratorExit('odd')\n")

    assert outcome.result == "died"
    assert printed(outcome)[:4] == [
        "Traceback (most recent call last):",
        '  File "/var/task/lambda_function.py", line 2, in lambda_handler',
        "    raise GeneratorExit('odd')",
        "GeneratorExit: odd",
    ]


# What ends a run


def test_timeout_kills_the_process_and_says_so(runtime: Processes, bell: Bell, answers: Answers) -> None:
    """At exactly the configured time, however long the kill took. What it printed before is in the log."""

    def rule(request: Request) -> Response:
        bell.ring()
        return Response(200, {}, b"{}")

    answers.rule = rule
    code = CALL + "def lambda_handler(e, c):\n    print('begun', end='')\n    sqs.list_queues()\n    print('never')\n"
    outcome = run(runtime, code, timeout=3)

    said = "Task timed out after 3.00 seconds"
    assert (outcome.result, outcome.error, outcome.duration_ms) == ("died", "Unhandled", 3000.0)
    assert outcome.payload == f'{{"errorType":"Sandbox.Timedout","errorMessage":"RequestId: r-1 Error: {said}"}}'
    assert printed(outcome)[0] == "begun"
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{3}}Z r-1 {said}", printed(outcome)[1])
    assert outcome.log[-1].endswith("\tStatus: timeout\n")


@pytest.mark.slow
def test_timeout_comes_in_real_time() -> None:
    """A handler that waits for ever is killed after its second."""
    runtime = Processes(Answers())
    outcome = run(runtime, "import threading\ndef lambda_handler(e, c):\n    threading.Event().wait()\n", timeout=1)

    assert json.loads(outcome.payload)["errorType"] == "Sandbox.Timedout"
    runtime.close()


def test_import_that_takes_too_long_is_tried_again(runtime: Processes, bell: Bell, answers: Answers) -> None:
    """First within ten seconds, then within the function's own timeout."""
    seconds = []

    def rule(request: Request) -> Response:
        seconds.append(bell.set[-1][0])
        bell.ring()
        return Response(200, {}, b"{}")

    answers.rule = rule
    outcome = run(runtime, CALL + "sqs.list_queues()\ndef lambda_handler(e, c): pass\n", timeout=7)

    assert seconds == [10, 7]
    assert json.loads(outcome.payload)["errorMessage"].endswith("Task timed out after 7.00 seconds")
    assert [event.partition("\t")[2] for event in outcome.log[:2]] == [
        "Phase: init\tStatus: timeout\n",
        "Phase: invoke\tStatus: timeout\n",
    ]


@linux
def test_kill_reaches_what_the_handler_started(runtime: Processes, bell: Bell, answers: Answers) -> None:
    """A process of the handler's does not outlive the timeout."""
    watched: list[int] = []

    def rule(request: Request) -> Response:
        watched.append(os.pidfd_open(int(json.loads(request.body)["QueueNamePrefix"])))
        bell.ring()
        return Response(200, {}, b"{}")

    answers.rule = rule
    code = (
        CALL + "import subprocess, sys\ndef lambda_handler(e, c):\n"
        "    child = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=subprocess.PIPE)\n"
        "    sqs.list_queues(QueueNamePrefix=str(child.pid))\n"
    )
    run(runtime, code)

    assert _ends(watched[0])


@posix
def test_signal_is_named(runtime: Processes) -> None:
    """In the words of Lambda's own supervisor."""
    outcome = run(runtime, "import os, signal\ndef lambda_handler(e, c):\n    os.kill(os.getpid(), signal.SIGSEGV)\n")

    assert json.loads(outcome.payload)["errorMessage"] == (
        "RequestId: r-1 Error: Runtime exited with error: signal: segmentation fault"
    )


@linux
@pytest.mark.parametrize("what", ["bytearray(400_000_000)", "[bytes(range(256)) * 4 for n in range(120_000)] and None"])
def test_memory_has_a_limit(runtime: Processes, what: str) -> None:
    """Too much at once, or little by little: killed, and all of the memory was used."""
    outcome = run(runtime, f"def lambda_handler(e, c):\n    return {what}\n", memory=128)

    assert json.loads(outcome.payload)["errorMessage"].endswith("Runtime exited with error: signal: killed")
    assert outcome.max_memory_mb == 128


def test_memory_is_measured(runtime: Processes) -> None:
    """Where the system tells."""
    outcome = run(runtime, "def lambda_handler(e, c):\n    return len(b'x' * 50_000_000)\n", memory=512)

    if sys.platform != "win32":
        assert outcome.max_memory_mb is not None
        assert 60 < outcome.max_memory_mb < 200


@posix
def test_code_that_writes_into_the_pipe_is_stopped(runtime: Processes) -> None:
    """What is no frame, or one without its JSON."""
    code = """
import os, stat
def lambda_handler(event, context):
    for number in range(3, 20):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                os.write(number, bytes.fromhex(event))
        except OSError:
            pass
"""
    for data in ("ffffffffff", "440500000001000000ff"):
        assert run(runtime, code, data).result == "died"


# Calls


def test_calls_from_several_threads(runtime: Processes, answers: Answers) -> None:
    """Each gets the answer to its own."""
    answers.rule = lambda request: Response(
        200, {}, json.dumps({"QueueUrls": [json.loads(request.body)["QueueNamePrefix"]]}).encode()
    )
    code = (
        CALL + "from concurrent.futures import ThreadPoolExecutor\ndef ask(n):\n"
        "    return sqs.list_queues(QueueNamePrefix=str(n))['QueueUrls'] == [str(n)]\n"
        "def lambda_handler(e, c):\n    return list(ThreadPoolExecutor(8).map(ask, range(40)))\n"
    )

    assert json.loads(run(runtime, code).payload) == [True] * 40


def test_thread_that_stays_behind_is_frozen_between_runs(runtime: Processes, answers: Answers) -> None:
    """Its call waits for the next run, as on AWS, and disturbs nobody."""
    code = (
        CALL
        + "import threading\ngo = threading.Event()\ndef later():\n    go.wait()\n    sqs.list_queues(QueueNamePrefix='late')\n"
        "thread = threading.Thread(target=later)\nthread.start()\n"
        "def lambda_handler(e, c):\n    if e: thread.join()\n    else: threading.Thread(target=go.set).start()\n"
    )
    first = run(runtime, code, 0)
    second = run(runtime, code, 1)

    assert (first.result, second.result) == ("ok", "ok")
    assert len(answers.requests) == 1


@posix
def test_forked_process_is_told_that_it_cannot_call(runtime: Processes, answers: Answers) -> None:
    """A whole sentence instead of spoilt frames; its output is in the log all the same."""
    code = (
        CALL + "import os, sys\ndef lambda_handler(e, c):\n    child = os.fork()\n    if child == 0:\n"
        "        try: sqs.list_queues()\n        except Exception as error: print(error)\n        os._exit(0)\n"
        "    os.waitpid(child, 0)\n    sqs.list_queues()\n    return 1\n"
    )
    outcome = run(runtime, code)

    assert outcome.payload == "1"
    assert len(answers.requests) == 1
    assert printed(outcome) == [
        "A forked process of a function cannot call AWS on this local cloud. Call from the process that runs the handler, "
        "or from a thread of it."
    ]


def test_endpoint_of_one_s_own_leads_to_the_door(runtime: Processes, answers: Answers) -> None:
    """An explicit address on loopback, without anything that listens there."""
    code = "import boto3\ndef lambda_handler(e, c):\n    boto3.client('sqs', endpoint_url='http://127.0.0.1:9').list_queues()\n"

    assert run(runtime, code).result == "ok"
    assert answers.requests[0].url == "http://127.0.0.1:9/"


def test_nothing_else_reaches_aws(runtime: Processes, answers: Answers) -> None:
    """A connection that goes around boto3 is refused before a name is looked up."""
    code = "import urllib.request\ndef lambda_handler(e, c):\n    urllib.request.urlopen('https://s3.us-east-1.amazonaws.com')\n"
    outcome = run(runtime, code)

    assert json.loads(outcome.payload)["errorMessage"] == (
        "s3.us-east-1.amazonaws.com is an address of AWS, and nothing leaves this machine from a function of the local cloud. "
        "Ask with a boto3 client instead."
    )
    assert answers.requests == []


def test_error_in_the_cloud_itself_comes_through(runtime: Processes, answers: Answers) -> None:
    """It is nothing of the function's, and the process is not used again."""

    def rule(request: Request) -> Response:
        raise ZeroDivisionError("in a layer")

    answers.rule = rule
    with pytest.raises(ZeroDivisionError, match="in a layer"):
        run(runtime, CALL + "def lambda_handler(e, c): sqs.list_queues()\n")


# What is there to import


@pytest.mark.parametrize("name", ["moto", "bentocola", "pytest", "_pytest", "pip"])
def test_only_what_lambda_brings_can_be_imported(runtime: Processes, name: str) -> None:
    """What is merely installed here is no more there than on AWS."""
    code = (
        f"def lambda_handler(e, c):\n    try:\n        import {name}\n"
        "    except ModuleNotFoundError as error:\n        return str(error)\n"
    )

    assert json.loads(run(runtime, code).payload) == f"No module named '{name}'"


def test_package_brings_its_own_modules(runtime: Processes) -> None:
    """In folders as well; the working folder is the task's."""
    files = {
        "app/handler.py": "from lib import one\nimport os\ndef go(e, c):\n    return [one.N, open('data.txt').read()]\n",
        "lib/one.py": "N = 1",
        "data.txt": "here",
    }
    outcome = runtime.run(deployed(files, handler="app/handler.go"), "{}", request_id="r", credentials=ROLE)

    assert json.loads(outcome.payload) == [1, "here"]


def test_package_that_cannot_be_unpacked_is_refused(runtime: Processes) -> None:
    """And the next run is as ever."""
    from dataclasses import replace

    with pytest.raises(package.PackageError):
        runtime.run(replace(deployed(""), code=b"no zip"), "{}", request_id="r", credentials=ROLE)
    assert run(runtime, "def lambda_handler(e, c): return 1\n").payload == "1"


# Warm and cold


def pid(runtime: Processes, **changed: Any) -> int:
    """Run a function and return its process."""
    outcome = runtime.run(deployed(EVERYTHING, **changed), '{"do": "count"}', request_id="r", credentials=ROLE)
    return int(json.loads(outcome.payload)["pid"])


def test_overlapping_runs_have_an_environment_each(runtime: Processes, answers: Answers) -> None:
    """Both are in their call at the same time, in processes of their own with log streams of their own."""
    both_in = threading.Barrier(2, timeout=30)

    def rule(request: Request) -> Response:
        both_in.wait()
        return Response(200, {}, b"{}")

    answers.rule = rule
    code = CALL + "import os\ndef lambda_handler(e, c):\n    sqs.list_queues()\n    return os.getpid()\n"
    outcomes: list[Outcome] = []
    threads = [threading.Thread(target=lambda: outcomes.append(run(runtime, code))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({outcome.payload for outcome in outcomes}) == 2
    assert len({outcome.log_stream for outcome in outcomes}) == 2


@linux
def test_few_processes_wait_warm_and_none_after_close() -> None:
    """The oldest goes first; the spare goes with the others."""
    runtime = Processes(Answers(), idle=1)
    first = os.pidfd_open(pid(runtime, arn=f"{ARN}-1"))
    second = os.pidfd_open(pid(runtime, arn=f"{ARN}-2"))
    assert _ends(first)
    assert not _ends(second, within_ms=0)

    runtime.prepare()
    runtime.close()
    runtime.close()

    assert _ends(second)
    with pytest.raises(RuntimeError, match="closed"):
        pid(runtime)


def test_spare_becomes_the_next_function_s() -> None:
    """It was started before anybody knew which function would come."""
    runtime = Processes(Answers())
    runtime.prepare()
    assert runtime._spare is not None
    spare = runtime._spare._popen.pid

    assert pid(runtime) == spare
    assert runtime._spare._popen.pid != spare
    runtime.close()


def test_forgotten_function_has_no_warm_process(runtime: Processes) -> None:
    """A function that was deleted and made anew starts cold."""
    before = pid(runtime)
    assert pid(runtime) == before
    runtime.forget(ARN)

    assert pid(runtime) != before


def test_close_ends_what_runs(answers: Answers) -> None:
    """The run that was under way died."""
    answers.__init__()  # type: ignore[misc]
    runtime = Processes(answers)

    def rule(request: Request) -> Response:
        runtime.close()
        return Response(200, {}, b"{}")

    answers.rule = rule
    outcome = run(runtime, CALL + "def lambda_handler(e, c): sqs.list_queues()\n")

    assert outcome.result == "died"
    assert runtime._folders is not None
    assert not Path(runtime._folders.root).exists()


@posix
def test_fork_has_processes_of_its_own() -> None:
    """A copy of the process that made the runtime neither uses nor ends what is the other's."""
    runtime = Processes(Answers())
    mine = pid(runtime)
    read, write = os.pipe()
    fork = os.fork()
    if fork == 0:
        try:
            os.write(write, str(pid(runtime)).encode())
            runtime.close()
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(fork, 0)

    assert int(os.read(read, 20)) != mine
    assert pid(runtime) == mine
    os.close(read)
    runtime.close()


@linux
def test_functions_end_with_the_process_that_started_them() -> None:
    """Even with one that is killed, and even in the middle of a run."""
    program = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from bentocola.cloud.functions.processes import Processes
from tests.cloud.deployed import ROLE, deployed
def handle(request):
    print(request.url.rpartition("/")[2], flush=True)
    sys.stdin.read(1)
    os._exit(0)
code = "import boto3, os\\ndef lambda_handler(e, c):\\n    boto3.client('sqs', endpoint_url=f'http://a/{{os.getpid()}}').list_queues()\\n"
Processes(handle).run(deployed(code), "{{}}", request_id="r", credentials=ROLE)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = os.pidfd_open(int(parent.stdout.readline()))
    parent.communicate("x")

    assert _ends(child)


def _ends(process: int, within_ms: int = 10_000) -> bool:
    """Whether a process (a pidfd) ends."""
    poll = select.poll()
    poll.register(process, select.POLLIN)
    return bool(poll.poll(within_ms))
