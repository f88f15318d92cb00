"""Labs as processes of their own: every command of lab 05 in the lab's shell, a server that is killed, two labs, a notebook."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bentocola.cli import asking, ready
from bentocola.labs import notebook
from bentocola.labs.folder import Folder
from bentocola.labs.notebook import LabError, open_lab
from tests.labs.student import SOLUTION

pytestmark = pytest.mark.slow

NAME = "idempotent-consumer"


class Machine:
    """A person's machine. `environment`: what their programs are started with."""

    def __init__(self, home: Path) -> None:
        self.home = home
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT", "VIRTUAL_ENV")}
        (home / "tmp").mkdir()
        own = {"HOME": str(home), "TMPDIR": str(home / "tmp"), "LANG": "es_ES.UTF-8", "SHELL": "/bin/bash"}
        self.environment = {**kept, **own, "AWS_PROFILE": "school"}
        self.processes: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str, ends: bool = False) -> tuple[subprocess.Popen[str], str]:
        """Start a lab; give its process and what it says until it answers, or until it has ended."""
        process = subprocess.Popen(
            [sys.executable, "-m", "bentocola.cli", "lab", "start", NAME, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self.environment,
            cwd=self.home,
        )
        self.processes.append(process)
        assert process.stdout is not None
        said = ""
        while "bentocola lab check 1" not in said and (line := process.stdout.readline()):
            said += line
        return process, said

    @contextmanager
    def shell(self, ready_file: Path) -> Iterator[Callable[[str], tuple[int, str]]]:
        """Open the lab's shell; what is called types a command in, and gives its exit status and all that it said."""
        process = subprocess.Popen(
            [sys.executable, "-m", "bentocola.cli", "shell", "--ready-file", str(ready_file), "-c", "exec bash"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self.environment,
            cwd=self.home,
        )
        typed, answered = process.stdin, process.stdout
        assert typed is not None
        assert answered is not None

        def type_in(command: str) -> tuple[int, str]:
            typed.write(f"{command} 2>&1; status=$?; echo; echo ended $status\n")
            typed.flush()
            said = ""
            while not (line := answered.readline()).startswith("ended "):
                assert line, said
                said += line
            return int(line.split()[1]), said.removesuffix("\n")

        try:
            yield type_in
        finally:
            process.communicate(timeout=60)

    def bentocola(self, *arguments: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [sys.executable, "-m", "bentocola.cli", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            env={**self.environment, **variables},
            cwd=cwd or self.home,
            timeout=300,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine; what is left running on it is killed."""
    machine = Machine(tmp_path)
    yield machine
    for process in machine.processes:
        process.kill()
        process.communicate(timeout=60)


LAB = r"""
set -e
check() { status=0; bentocola lab "$@" > said.txt || status=$?; echo "$* $status"; tail -n 2 said.txt >&2; }
check check 1
aws sqs create-queue --queue-name $P-jobs --attributes VisibilityTimeout=30 > /dev/null
QUEUE_URL=$(aws sqs get-queue-url --queue-name $P-jobs --query QueueUrl --output text)
QUEUE_ARN=$(aws sqs get-queue-attributes --queue-url "$QUEUE_URL" --attribute-names QueueArn \
    --query Attributes.QueueArn --output text)
aws lambda create-event-source-mapping --function-name $P-worker --event-source-arn "$QUEUE_ARN" --batch-size 1 \
    --enabled > /dev/null
MAPPING=$(aws lambda list-event-source-mappings --function-name $P-worker --query 'EventSourceMappings[0].UUID' --output text)
until [ "$(aws lambda get-event-source-mapping --uuid "$MAPPING" --query State --output text)" = Enabled ]; do :; done
check check 1
python -m zipfile -c function.zip app.py
aws lambda update-function-code --function-name $P-worker --zip-file "$FROM_FILE"function.zip > /dev/null
aws lambda wait function-updated-v2 --function-name $P-worker
send() { aws sqs send-message --queue-url "$QUEUE_URL" --message-body "$1" > /dev/null; }
settled() {
    until [ "$(aws sqs get-queue-attributes --queue-url "$QUEUE_URL" --query 'Attributes.values(@)' --output text \
        --attribute-names ApproximateNumberOfMessages ApproximateNumberOfMessagesNotVisible)" = "0	0" ]; do :; done
}
send '{"id": "dedup-order", "quantity": 4}'
settled
check check 2
send '{"id": "dedup-order", "quantity": 4}'
send '{"id": "dedup-order", "quantity": 4}'
send '{"id": "other-order", "quantity": 1}'
settled
check check 3
check check
aws dynamodb scan --table-name $P-orders --query 'sort(Items[].total_cents.N)' --output text
aws logs filter-log-events --log-group-name /aws/lambda/$P-worker --filter-pattern '"RESULT"' --query 'length(events)'
check cleanup-check
aws lambda delete-event-source-mapping --uuid "$MAPPING" > /dev/null
aws sqs delete-queue --queue-url "$QUEUE_URL"
aws dynamodb delete-item --table-name $P-orders --key '{"id": {"S": "dedup-order"}}'
aws dynamodb delete-item --table-name $P-orders --key '{"id": {"S": "other-order"}}'
aws logs delete-log-group --log-group-name /aws/lambda/$P-worker
mappings() { aws lambda list-event-source-mappings --function-name $P-worker --query 'length(EventSourceMappings)'; }
until [ "$(mappings)" = 0 ]; do :; done
check cleanup-check
check check
bentocola lab stop > /dev/null
bentocola lab check || echo "nobody $?"
aws sqs list-queues || echo "aws $?"
"""
PLAYED = """\
check 1 1
check 1 0
check 2 0
check 3 0
check 0
1100	350
4
cleanup-check 1
cleanup-check 0
check 0
nobody 2
aws 255
"""


@pytest.mark.parametrize("language", ["es", "ja"])
def test_every_command_in_the_lab_s_shell(machine: Machine, language: str) -> None:
    """As the lab has them typed; each check says 0 once its step is done, and 1 before; the end of the lab is told."""
    folder = machine.home / "mine" / NAME
    process, said = machine.start("--language", language, "--dir", str(folder))
    assert "/_bentocola/view" in said
    (folder / "app.py").write_text(SOLUTION)
    file = str(Folder(folder).ready_file)
    done = machine.bentocola("shell", "--ready-file", file, "-c", LAB, cwd=folder, P="lab05", FROM_FILE="fileb:" + "//")
    assert (done.returncode, done.stdout) == (0, PLAYED), done.stderr
    assert f"bentocola lab start {NAME} --dir {folder}" in done.stderr
    _, told = process.communicate(timeout=60)

    assert process.returncode == 0
    assert str(folder) in told
    assert not Path(file).exists()


def test_server_that_is_killed(machine: Machine) -> None:
    """The file and the trace are kept; an open shell says how to start it again, and works again once it is."""
    folder = Folder(machine.home / NAME)
    process, _ = machine.start("--prefix", "otra")
    found = ready.read(folder.ready_file)
    with machine.shell(folder.ready_file) as type_in:
        assert type_in("aws sqs create-queue --queue-name otra-jobs > /dev/null") == (0, "")
        (folder.path / "app.py").write_text("# mine\n")
        process.kill()
        process.wait(60)
        lines = [json.loads(line) for line in folder.trace_file.read_text().splitlines()]
        assert [step["api"] for step in lines[1:]] == ["sqs:CreateQueue"]
        for command, ends_with in (
            ("aws sqs list-queues", 255),
            ("bentocola lab check", 2),
            ("bentocola aws s3 ls", 2),
        ):
            status, said = type_in(command)
            assert status == ends_with, said
            assert found.again in said
        _, said = machine.start(*found.again.split()[4:])
        assert "trace-" in said
        assert "QUEUE_URL" in said  # the variables of a terminal name what is gone
        assert "paso 1" in said
        assert ready.read(folder.ready_file).endpoint == found.endpoint
        assert (folder.path / "app.py").read_text() == "# mine\n"
        assert type_in("aws sqs list-queues") == (0, "")
        status, said = type_in("bentocola lab check")

    assert status == 1
    assert "otra-jobs" in said


def test_another_lab_has_a_killed_one_s_port(machine: Machine) -> None:
    """A shell of the killed one does nothing in it; opened again elsewhere, the lab is found by the file that was asked for."""
    file = machine.home / "F"
    process, _ = machine.start("--prefix", "one", "--dir", "one", "--ready-file", str(file))
    found = ready.read(file)
    with machine.shell(file) as type_in:
        assert type_in("aws sqs list-queues") == (0, "")
        process.kill()
        process.wait(60)
        left = list((machine.home / "tmp").glob("bentocola-*/.held"))
        machine.start("--prefix", "two", "--dir", "two", "--port", str(urlsplit(found.endpoint).port))
        assert len(list((machine.home / "tmp").glob("bentocola-*/.held"))) == len(
            left
        )  # the killed one's folder is gone
        status, said = type_in("aws sqs create-queue --queue-name one-jobs")
        assert status == 255
        assert found.again in said
        assert f"--ready-file {file}" in said
        machine.start("--dir", "one")
        status, said = type_in("bentocola lab check 1")
    seen = machine.bentocola(
        "shell", "--ready-file", str(Folder(machine.home / "two").ready_file), "-c", "aws sqs list-queues"
    )

    assert status == 1
    assert "one-jobs" in said
    assert (seen.returncode, seen.stdout) == (0, "")


def test_two_labs_do_not_touch(machine: Machine) -> None:
    """With two prefixes each has its own cloud, port, folder and trace; a third in a folder that is taken is refused."""
    machine.start("--prefix", "one", "--dir", "one")
    machine.start("--prefix", "two", "--dir", "two", "--language", "ja")
    files = [Folder(machine.home / name).ready_file for name in ("one", "two")]
    found = [ready.read(file) for file in files]
    assert found[0].endpoint != found[1].endpoint
    made = machine.bentocola(
        "shell",
        "--ready-file",
        str(files[0]),
        "-c",
        "aws sqs create-queue --queue-name one-jobs && aws dynamodb list-tables",
    )
    assert made.returncode == 0, made.stderr
    assert "two" not in made.stdout
    seen = machine.bentocola(
        "shell", "--ready-file", str(files[1]), "-c", "aws sqs list-queues && aws dynamodb list-tables"
    )
    assert "one" not in seen.stdout
    assert "two-orders" in seen.stdout
    assert len(Folder(machine.home / "two").trace_file.read_text().splitlines()[1:]) == 2
    again = machine.bentocola("lab", "start", NAME, "--prefix", "three", "--dir", "one")
    assert again.returncode == 2
    assert found[0].endpoint in again.stderr
    assert machine.bentocola("lab", "stop", "--ready-file", str(files[0])).returncode == 0

    assert machine.bentocola("lab", "check").returncode == 1  # the other is the only one now


def test_signal_ends_it(machine: Machine) -> None:
    """Ctrl+C and SIGTERM: status 0, and no ready file is left."""
    for number in (signal.SIGINT, signal.SIGTERM):
        process, _ = machine.start()
        process.send_signal(number)
        process.communicate(timeout=60)

        assert process.returncode == 0
        assert not Folder(machine.home / NAME).ready_file.exists()


# A notebook


@pytest.fixture
def kernel(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., notebook.Lab]]:
    """Opens the lab as a notebook does, in this process as the kernel; a process of its own stands for JupyterLab."""
    jupyter = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    for name in [name for name in os.environ if name.startswith(("AWS_", "BENTOCOLA_"))]:
        monkeypatch.delenv(name)
    for name, value in machine.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("JPY_PARENT_PID", str(jupyter.pid))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(machine.home)
    yield open_lab
    jupyter.communicate(b"\n", timeout=60)
    monkeypatch.setattr("tempfile.tempdir", None)


def test_notebook_opens_and_joins(kernel: Callable[..., notebook.Lab], machine: Machine) -> None:
    """The first cell starts the server and returns once it answers; run again, it joins; the server ends with JupyterLab."""
    lab = kernel(NAME, "es")
    assert (lab.prefix, lab.folder) == ("lab05", str(machine.home / NAME))
    assert kernel(NAME, "es").endpoint == lab.endpoint
    told = lab.check(1)
    assert not told.holds
    assert repr(told).startswith("✗ Todavía no existe la cola lab05-jobs.")
    assert "<li>✗ Todavía" in told._repr_html_()
    assert not lab.cleanup_check().holds
    assert "SAA-C03" in repr(lab.exams())
    assert "de nuevo" in repr(lab.reset())
    assert asking.ask(lab.endpoint, "GET", "lab")["language"] == "es"
    with pytest.raises(LabError, match="1 al 3"):
        lab.check(9)
    process = os.pidfd_open(ready.read(Folder(machine.home / NAME).ready_file).pid)
    lab.stop()
    os.waitid(os.P_PIDFD, process, os.WEXITED)
    os.close(process)
    with pytest.raises(LabError, match="no demuestra nada"):
        lab.check()


def test_notebook_says_why_it_cannot_open(kernel: Callable[..., notebook.Lab], machine: Machine) -> None:
    """In the words of the server."""
    with pytest.raises(LabError, match="'Aula 7'"):
        kernel(NAME, "es", prefix="Aula 7")
    with pytest.raises(LabError, match=NAME):
        kernel("lab", "es")
    with pytest.raises(LabError, match="fr"):
        kernel(NAME, "fr")
    machine.start("--prefix", "lab05", "--dir", "elsewhere")
    with pytest.raises(LabError, match="elsewhere"):
        kernel(NAME, "ja")


def test_lab_ends_with_jupyterlab(machine: Machine) -> None:
    """However JupyterLab ends."""
    jupyter = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    process, _ = machine.start("--while", str(jupyter.pid))
    jupyter.kill()
    jupyter.communicate(timeout=60)
    process.communicate(timeout=60)

    assert process.returncode == 0
