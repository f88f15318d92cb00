"""`bentocola serve`: it answers when it says so, says why it cannot, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import select
import signal
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bentocola.cli import finding, places, ready
from bentocola.cli.language import CommandError, speak
from bentocola.cli.main import main
from bentocola.cli.serve import serve
from tests.cli.conftest import Trap, environment_of
from tests.cli.conftest import start as start_serving


@pytest.fixture(autouse=True)
def _spanish(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A person whose locale is Spanish."""
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    monkeypatch.delenv("BENTOCOLA_LANGUAGE", raising=False)
    yield
    speak(None)


def refusal(*arguments: str) -> str:
    """What `serve` says when it cannot begin."""
    with pytest.raises(CommandError) as refused:
        serve(list(arguments))
    return str(refused.value)


@pytest.mark.parametrize("port", ["eighty", "-1", "65536", "5e3", "٥", ""])
def test_bad_port(port: str) -> None:
    """What came is in the sentence."""
    assert f"'{port}'" in refusal(f"--port={port}")


def test_port_in_use(tmp_path: Path) -> None:
    """It says which, and how to have a free one; the ready file of who has it stays."""
    (tmp_path / "r").write_text("of the other")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal("--port", str(port), "--ready-file", str(tmp_path / "r"))

    assert (tmp_path / "r").read_text() == "of the other"
    assert str(port) in said
    assert "--port 0" in said


def test_unknown_option_and_language() -> None:
    """Each names what came."""
    assert "--wat" in refusal("--wat")
    assert "'fr'" in refusal("--language", "fr")
    assert "--port" in refusal("--port")


def test_unwritable_ready_file(tmp_path: Path) -> None:
    """A folder, or a file in a folder that is not there."""
    assert str(tmp_path) in refusal("--ready-file", str(tmp_path))
    assert "nowhere" in refusal("--ready-file", str(tmp_path / "nowhere" / "ready.json"))


def test_refusals_are_one_sentence_and_status_2(capfd: pytest.CaptureFixture[str]) -> None:
    """On the error output, without a traceback."""
    assert main(["serve", "--port", "x"]) == 2
    assert main(["sing"]) == 2
    out, err = capfd.readouterr()

    assert out == ""
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize(("language", "first"), [("es", "Inicia"), ("ja", "手元のクラウド")])
def test_help_is_in_the_person_s_language(
    language: str, first: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command with what it is for."""
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    assert main(["help"]) == 0
    said = capsys.readouterr().out

    assert said.splitlines()[1].startswith(first)
    assert [line.split()[1] for line in said.splitlines() if line.startswith("bentocola ")] == [
        *("serve", "shell", "aws", "lab", "lab", "preview", "clock", "trace", *["fault"] * 8, "help"),
    ]


@pytest.mark.parametrize("command", ["serve", "shell", "lab", "clock", "trace", "fault"])
def test_help_of_a_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--help after a command says the same: it is what people try first."""
    assert main([command, "--help"]) == 0
    assert f"bentocola {command}" in capsys.readouterr().out


ENDED = "La nube local se ha detenido, y lo que guardaba ya no está.\n"


@pytest.fixture
def trap() -> Iterator[Trap]:
    """Where the person's own settings lead, and nobody comes."""
    trap = Trap()
    yield trap
    trap.close()
    assert trap.came == []


Started = tuple["subprocess.Popen[str]", str]


@pytest.fixture
def start() -> Iterator[Callable[..., Started]]:
    """Starts `bentocola serve`; what a failing test leaves running is killed."""
    processes: list[subprocess.Popen[str]] = []

    def started(*arguments: Any) -> Started:
        process, line = start_serving(*arguments)
        processes.append(process)
        return process, line

    yield started
    for process in processes:
        process.kill()
        process.communicate(timeout=60)


def children(pid: int) -> set[int]:
    """The processes below a process."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    direct = {child for child, parent in parents.items() if parent == pid}
    return direct.union(*map(children, direct))


def is_alive(pid: int) -> bool:
    """Whether there is such a process, other than one that only waits to be told of."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def send(connection: http.client.HTTPConnection, operation: str, parameters: dict[str, object]) -> None:
    """Send a call to SQS, with keys that nobody issued."""
    signed = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0"
    headers = {"X-Amz-Target": f"AmazonSQS.{operation}", "Content-Type": "application/x-amz-json-1.0"}
    connection.request("POST", "/", json.dumps(parameters), {"Authorization": signed, **headers})


def ask(
    connection: http.client.HTTPConnection, operation: str, parameters: dict[str, object]
) -> http.client.HTTPResponse:
    """Make a call to SQS and read the answer."""
    send(connection, operation, parameters)
    response = connection.getresponse()
    response.read()
    return response


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_and_ends_clean(
    start: Callable[..., Started], tmp_path: Path, trap: Trap, number: signal.Signals
) -> None:
    """The ready file is whole and true; after the signal neither file, socket, process nor error is left, and status is 0."""
    file = tmp_path / "ready.json"
    environment = environment_of(tmp_path, trap)
    process, line = start(["--port", "0", "--ready-file", str(file)], environment, tmp_path)
    told = ready.read(file)
    assert told.endpoint in line
    assert told.pid == process.pid
    connection = http.client.HTTPConnection(told.endpoint.removeprefix("http://"), timeout=20)
    assert ask(connection, "ListQueues", {}).status == 200
    connection.close()
    mode = stat.S_IMODE(Path(told.aws).parent.stat().st_mode)
    assert mode == 0o700
    below = children(process.pid)
    assert below
    process.send_signal(number)
    _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (0, ENDED)
    assert not file.exists()
    assert not Path(told.aws).parent.exists()
    assert not [pid for pid in below if is_alive(pid)]


@pytest.mark.slow
def test_end_waits_for_no_long_poll(start: Callable[..., Started], tmp_path: Path, trap: Trap) -> None:
    """Who waits for a message when it ends sees the connection closed, and keeps nothing alive."""
    file = tmp_path / "ready.json"
    process, _ = start(["--port", "0", "--ready-file", str(file)], environment_of(tmp_path, trap), tmp_path)
    connection = http.client.HTTPConnection(ready.read(file).endpoint.removeprefix("http://"), timeout=60)
    ask(connection, "CreateQueue", {"QueueName": "orders"})
    send(connection, "ReceiveMessage", {"QueueUrl": "/123456789012/orders", "WaitTimeSeconds": 20})
    process.terminate()
    _, said = process.communicate(timeout=15)
    with contextlib.suppress(http.client.HTTPException, OSError):
        connection.getresponse()
    connection.close()

    assert (process.returncode, said) == (0, ENDED)


@pytest.mark.slow
def test_killed_server_takes_the_warm_process_along(start: Callable[..., Started], tmp_path: Path, trap: Trap) -> None:
    """Even SIGKILL leaves no process: the warm one sees its pipe close. The ready file stays, and is found to be stale."""
    file = tmp_path / "ready.json"
    process, _ = start(["--port", "0", "--ready-file", str(file)], environment_of(tmp_path, trap), tmp_path)
    below = children(process.pid)
    assert below
    waits = [os.pidfd_open(pid) for pid in below]
    process.kill()
    process.communicate(timeout=60)
    for one in waits:
        assert select.select([one], [], [], 60)[0]
        os.close(one)
    with pytest.raises(CommandError, match=str(file)):
        finding.find(str(file))


@pytest.mark.slow
def test_language(start: Callable[..., Started], tmp_path: Path, trap: Trap) -> None:
    """--language says which, whatever the locale; without either, both are there."""
    environment = environment_of(tmp_path, trap, "C")
    process, line = start(["--port", "0", "--language", "ja"], environment, tmp_path)
    process.terminate()
    process.communicate(timeout=60)
    assert "クラウドが" in line
    process, line = start(["--port", "x"], environment, tmp_path)
    assert process.stderr is not None
    rest = process.stderr.read()  # not `communicate`, which forgets what came along with the first line

    assert process.wait(timeout=60) == 2
    assert len((line + rest).splitlines()) == 2


def test_ready_file_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is renamed into place: nobody reads half of it, and a failure leaves nothing."""
    file = tmp_path / "ready.json"
    told = ready.Ready("http://127.0.0.1:5000", 1, "es", {"AWS_DEFAULT_REGION": "us-east-1"}, "")
    ready.write(file, told)
    assert json.loads(file.read_text())["endpoint"] == "http://127.0.0.1:5000"
    assert ready.read(file) == told

    def fail(*arguments: object) -> None:
        raise OSError

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError):  # noqa: PT011
        ready.write(file, told)
    assert os.listdir(tmp_path) == ["ready.json"]


GOOD = {"endpoint": "http://127.0.0.1:1", "pid": 1, "edition": "es", "environment": {}, "aws": ""}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "1", "{}", "null", json.dumps({**GOOD, "endpoint": "https://sqs.us-east-1.amazonaws.com:443"})]
    + [json.dumps({**GOOD, "endpoint": "127.0.0.1"}), json.dumps({**GOOD, "environment": {"A": 1}})]
    + [json.dumps({**GOOD, "endpoint": "http://127.0.0.1:99999"}), json.dumps({**GOOD, "environment": []})],
)
def test_broken_ready_file(tmp_path: Path, text: str) -> None:
    """A file that is none, or names another machine, is refused with its name."""
    (tmp_path / "r").write_text(text)
    with pytest.raises(CommandError, match=str(tmp_path / "r")):
        ready.read(tmp_path / "r")


def test_missing_and_stale_ready_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each says how to start the cloud again; the variable names a file just as the option does."""
    with pytest.raises(CommandError, match="bentocola serve --ready-file"):
        finding.find(str(tmp_path / "r"))
    (tmp_path / "r").write_text(json.dumps(GOOD))
    monkeypatch.setenv(ready.VARIABLE, str(tmp_path / "r"))
    with pytest.raises(CommandError, match="http://127.0.0.1:1"):
        finding.find(None)


@pytest.mark.parametrize(
    ("ports", "chosen"),
    [((5001,), 5001), ((5000,), 5000), ((5000, 5001), 5000), ((5001, 5002), None)],
    ids=["another port", "default port", "default port first", "no way to tell"],
)
def test_cloud_is_found_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ports: tuple[int, ...], chosen: int | None
) -> None:
    """The only cloud that runs is the one that is meant, on whatever port; of several, the default port's."""
    monkeypatch.delenv(ready.VARIABLE, raising=False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(ready.Ready, "presence", property(lambda found: "gone" if "5009" in found.endpoint else "here"))
    for port in (*ports, 5009):
        endpoint = f"http://127.0.0.1:{port}"
        ready.write(places.private_folder(port) / "ready.json", ready.Ready(endpoint, 1, "es", {}, ""))
    if chosen is None:
        with pytest.raises(
            CommandError,
            match="(?s):5001  bentocola shell --ready-file .*:5002  bentocola shell",
        ):
            finding.find(None)
    else:
        assert finding.find(None).endpoint == f"http://127.0.0.1:{chosen}"


def test_no_cloud_on_the_default_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how to start one."""
    monkeypatch.delenv(ready.VARIABLE, raising=False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    with pytest.raises(CommandError, match="bentocola serve"):
        finding.find(None)


def test_folder_of_somebody_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that others may look into, or a link, is no place for a socket that runs commands."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    ours = places.private_folder(5000)
    assert places.is_ours(ours.parent)
    ours.parent.chmod(0o755)
    assert not places.is_ours(ours.parent)
    with pytest.raises(PermissionError):
        places.private_folder(5000)
    ours.rmdir()
    ours.parent.rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").chmod(0o700)
    ours.parent.symlink_to(tmp_path / "elsewhere")
    assert not places.is_ours(ours.parent)
