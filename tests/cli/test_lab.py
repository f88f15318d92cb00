"""`bentocola lab …`: its options and refusals, what a check prints and ends with, and the terminal that finds its lab."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import boto3
import pytest

from bentocola.cli import finding, lab_hold, lab_start, lab_terminal, places, ready, serve
from bentocola.cli.aws import cold
from bentocola.cli.language import speak
from bentocola.cli.main import main
from bentocola.cli.serve import is_free
from bentocola.cloud.door import Response
from bentocola.cloud.wires.http import HttpWire
from bentocola.labs.folder import Folder
from tests.labs.student import Student, open_room

NAME = "idempotent-consumer"


@pytest.fixture(autouse=True)
def _person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A person whose locale is Spanish, in a folder of their own, with no lab open."""
    for name in [name for name in os.environ if name.startswith(("AWS_", "BENTOCOLA_", "JPY_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BENTOCOLA_LANGUAGE", "es")  # so that what a command sets is undone
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path)
    yield
    speak(None)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `bentocola lab …`; gives its exit status, output and what it told beside."""

    def ran(*arguments: str) -> tuple[int, str, str]:
        status = main(["lab", *arguments])
        out, told = capsys.readouterr()
        return status, out, told

    return ran


class Served:
    """A lab whose cloud stands still, behind a real port."""

    def __init__(self, folder: Path, language: str = "es", prefix: str = "lab05") -> None:
        self.room = open_room(folder, language, prefix, end=self.end)
        self.wire = HttpWire(self.room.handle, control=self.room.control)
        self.wire.connect()
        told = {"name": NAME, "prefix": prefix, "language": language, "folder": str(folder)}
        self.ready = ready.Ready(self.wire.endpoint, os.getpid(), language, {}, "", told)
        ready.write(places.private_folder(self.wire.port) / "ready.json", self.ready)
        ready.write(Folder(folder).ready_file, self.ready)
        self.has_ended = False

    def end(self) -> None:
        """What `lab stop` leads to."""
        self.has_ended = True

    def close(self) -> None:
        """Answer no longer; what tells of it stays, as when the server was killed."""
        self.wire.disconnect()
        self.room.stop()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """An open lab."""
    served = Served(tmp_path / NAME)
    yield served
    served.close()


@pytest.fixture
def second() -> Iterator[Callable[..., ready.Ready]]:
    """Has one more lab answer, which only says what it is; takes the first one's ready file, and what differs."""
    wires: list[HttpWire] = []

    def opened(first: ready.Ready, **different: str) -> ready.Ready:
        told = {**(first.lab or {}), **different}
        answer = Response(200, {}, json.dumps(told).encode())
        wires.append(HttpWire(lambda request: answer, control=lambda request: answer))
        wires[-1].connect()
        found = first._replace(endpoint=wires[-1].endpoint, lab=told)
        ready.write(places.private_folder(wires[-1].port) / "ready.json", found)
        return found

    yield opened
    for wire in wires:
        wire.disconnect()


# A check


def test_check_says_what_is_missing(served: Served, run: Run) -> None:
    """Status 1; one line with ✗."""
    status, out, told = run("check")

    assert (status, told) == (1, "")
    assert out.splitlines()[0].startswith("✗ Todavía no existe la cola lab05-jobs.")


def test_check_holds(served: Served, run: Run) -> None:
    """Status 0, for the step and, once the rest is done, for all of them; a clean-up check likewise."""
    student = Student(served.room)
    student.connect()
    assert run("check", "1")[0] == 0
    assert run("check", "2")[0] == 1
    student.guard()
    student.repeat()
    status, out, _ = run("check")
    assert status == 0
    signs = [line[0] for line in out.splitlines() if line[0] != " "]  # an indented line belongs to the one before
    assert signs == sorted(signs, key="✓→D".index)
    assert set(signs) == set("✓→D")
    assert run("cleanup-check")[0] == 1
    student.clean_up()
    status, out, _ = run("cleanup-check")

    assert status == 0
    assert out.splitlines()[-1] == "Todo limpio: no queda nada por borrar."
    assert run("check")[0] == 0


def test_sentences_are_in_the_lab_s_language(tmp_path: Path, run: Run) -> None:
    """Whatever the person's locale."""
    served = Served(tmp_path / NAME, "ja")
    _, out, _ = run("check")
    served.close()

    assert "キューlab05-jobsがまだありません" in out


def test_lab_is_named_by_its_file(served: Served, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the option, or by the variable that its shell has."""
    file = str(Folder(tmp_path / NAME).ready_file)
    assert run("check", "1", "--ready-file", file)[0] == 1
    monkeypatch.setenv(ready.VARIABLE, file)

    assert run("check")[0] == 1


def test_step_that_is_none(served: Served, run: Run) -> None:
    """Status 2, and the steps that there are."""
    for step in ("7", "one", ""):
        status, out, told = run("check", step)
        assert (status, out) == (2, "")
        assert "1 al 3" in told
        assert told.endswith((f" {step}.\n", f" '{step}'.\n"))


# Nobody to ask: nothing is proven


NOTHING = "no demuestra nada"


@pytest.mark.parametrize("command", ["check", "cleanup-check", "reset", "stop"])
def test_no_lab_is_open(run: Run, command: str) -> None:
    """Status 2, how to open one, and that this proves nothing."""
    status, out, told = run(command)

    assert (status, out) == (2, "")
    assert "bentocola lab start" in told
    assert NOTHING in told


def test_lab_that_has_ended(served: Served, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its shell knows how to start it again; what was checked is nothing."""
    file = Folder(tmp_path / NAME).ready_file
    monkeypatch.setenv(ready.VARIABLE, str(file))
    monkeypatch.setenv(ready.AGAIN, served.ready.again)
    served.close()
    for gone in (False, True):
        if gone:
            file.unlink()
        status, out, told = run("check")
        assert (status, out) == (2, "")
        assert f"bentocola lab start {NAME} --dir {tmp_path / NAME}" in told
        assert NOTHING in told


def test_cloud_that_is_no_lab_s(run: Run, tmp_path: Path) -> None:
    """It is said so, and not that a step is not done."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = f"http://127.0.0.1:{listener.getsockname()[1]}"
        ready.write(tmp_path / "r", ready.Ready(endpoint, 1, "es", {}))
        status, _, told = run("check", "--ready-file", str(tmp_path / "r"))

    assert status == 2
    assert endpoint in told
    assert NOTHING in told


def test_something_else_answers(run: Run, tmp_path: Path) -> None:
    """Another program on the lab's port is nobody to ask."""
    wire = HttpWire(lambda request: None)  # type: ignore[arg-type, return-value]
    wire.connect()
    told_of = {"name": NAME, "prefix": "lab05", "language": "es", "folder": str(tmp_path)}
    ready.write(tmp_path / "r", ready.Ready(wire.endpoint, 1, "es", {}, "", told_of))
    status, _, told = run("check", "--ready-file", str(tmp_path / "r"))
    wire.disconnect()

    assert status == 2
    assert NOTHING in told


def test_two_labs(tmp_path: Path, run: Run, second: Callable[..., ready.Ready]) -> None:
    """Who does not say which is told how to; the file decides."""
    one = Served(tmp_path / "one" / NAME, prefix="one")
    second(one.ready, prefix="two", folder="/two")
    status, _, told = run("check")
    assert status == 2
    for prefix, folder in (("one", tmp_path / "one" / NAME), ("two", Path("/two"))):
        assert f"  {prefix}  bentocola shell --ready-file {Folder(folder).ready_file}\n" in told
    assert "bentocola lab terminal" in told
    status, _, _ = run("check", "--ready-file", str(Folder(tmp_path / "one" / NAME).ready_file))
    one.close()

    assert status == 1


# The others


def test_lab_that_is_stopped(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes the call and says nothing, as after Ctrl+Z, is not waited for long."""
    monkeypatch.setattr(ready, "_PATIENCE_SECONDS", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = f"http://127.0.0.1:{listener.getsockname()[1]}"
        told_of = {"name": NAME, "prefix": "lab05", "language": "es", "folder": str(tmp_path)}
        ready.write(tmp_path / "r", ready.Ready(endpoint, 1, "es", {}, "", told_of))
        status, _, told = run("check", "--ready-file", str(tmp_path / "r"))

    assert status == 2
    assert NOTHING in told


@pytest.mark.parametrize("command", ["check", "reset", "stop"])
def test_another_lab_has_the_port(served: Served, run: Run, tmp_path: Path, command: str) -> None:
    """What a killed lab has left behind leads to no other lab, though it answers there."""
    killed = {**(served.ready.lab or {}), "prefix": "killed", "folder": "/killed"}
    ready.write(tmp_path / "r", served.ready._replace(lab=killed))
    status, _, told = run(command, "--ready-file", str(tmp_path / "r"))

    assert status == 2
    assert "--dir /killed" in told
    assert not served.has_ended


def test_list(served: Served, run: Run, tmp_path: Path) -> None:
    """Each lab with its title, its exam tasks and where it is open."""
    status, out, _ = run("list")

    assert status == 0
    assert "05  idempotent-consumer  Un trabajo repetido conserva el resultado" in out
    assert "SAA-C03" in out
    assert served.wire.endpoint in out
    assert str(tmp_path / NAME) in out


def test_reset(served: Served, run: Run) -> None:
    """It begins anew, and keeps what happened."""
    Student(served.room).connect()
    status, out, _ = run("reset")

    assert status == 0
    assert "trace-" in out
    assert run("check", "1")[0] == 1


def test_unknown_command(run: Run) -> None:
    """What came, and what there is."""
    status, _, told = run("sing")

    assert status == 2
    assert "'sing'" in told
    assert "cleanup-check" in told


def test_command_left_out(run: Run) -> None:
    """What there is, and no word that nobody typed."""
    status, _, told = run()

    assert status == 2
    assert "help" not in told
    assert "cleanup-check" in told


def test_lists_where_no_language_is_known(
    served: Served, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A line a language, each whole; what is below a lab in the list is indented in both."""
    monkeypatch.delenv("BENTOCOLA_LANGUAGE")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    _, _, told = run("sing")
    assert [line for line in told.splitlines() if "start, terminal, " in line or "start、terminal、" in line] == (
        told.splitlines()
    )
    assert len(told.splitlines()) == 2
    _, _, told = run("start", "sing")
    assert len(told.splitlines()) == 2
    _, out, _ = run("list")

    assert [line[:4] for line in out.splitlines()] == ["05  ", *["    "] * 4]


# Which lab is meant


def test_deleted_ready_file_of_an_open_lab(
    served: Served, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lab is found by its folder, in its own terminal and where it is started again; another prefix changes nothing."""
    folder = Folder(tmp_path / NAME)
    shutil.rmtree(folder.ready_file.parent)
    for more in ((), ("--prefix", "another")):
        status, _, told = run("start", NAME, *more)
        assert status == 2
        assert served.wire.endpoint in told
    assert not folder.ready_file.parent.exists()
    monkeypatch.setenv(ready.VARIABLE, str(folder.ready_file))
    monkeypatch.setenv(ready.AGAIN, served.ready.again)

    assert run("check", "1")[0] == 1


def test_missing_ready_file(run: Run, tmp_path: Path) -> None:
    """What would write it is a lab, not another cloud."""
    for text in (None, "{"):
        if text:
            (tmp_path / "r").write_text(text)
        status, _, told = run("check", "--ready-file", str(tmp_path / "r"))
        assert status == 2
        assert f"bentocola lab start NAME --ready-file {tmp_path / 'r'}" in told


@pytest.mark.parametrize("command", [("check", "1"), ("start", NAME)])
def test_lab_that_does_not_answer(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Somebody takes the connection and says nothing: it is not called closed, and what wakes it is told."""
    monkeypatch.setattr(ready, "_PATIENCE_SECONDS", 0.1)
    told_of = {"name": NAME, "prefix": "lab05", "language": "es", "folder": str(tmp_path / NAME)}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        hung = ready.Ready(f"http://127.0.0.1:{port}", 1, "es", {}, "", told_of)
        ready.write(places.private_folder(port) / "ready.json", hung)
        status, _, told = run(*command)

    assert status == 2
    assert "Ctrl+Z" in told
    assert hung.endpoint in told


def test_command_that_starts_it_again() -> None:
    """With the options that it was started with."""
    asked = lab_start.Asked(5005, "aula", "ja", "/some where/F")
    told = {"name": NAME, "prefix": "aula", "language": "ja", "folder": "/a b", "options": asked.options()}
    again = ready.Ready("http://127.0.0.1:5005", 1, "ja", {}, lab=told).again
    words = ["--dir", "/a b", "--prefix", "aula", "--language", "ja", "--ready-file", "/some where/F"]

    assert shlex.split(again) == ["bentocola", "lab", "start", NAME, *words]


def test_aws_of_a_killed_lab_s_shell(served: Served) -> None:
    """It reaches no other lab that has the port by now: by no socket of that one's, nor by its address."""
    lab = served.ready.lab or {}
    killed = {**lab, "prefix": "killed"}
    assert serve._socket_name(lab) != serve._socket_name(killed) != serve._socket_name(None)
    assert cold._refusal(served.wire.endpoint, ready.identity(lab), served.ready.again) is None
    refusal = cold._refusal(served.wire.endpoint, ready.identity(killed), "bentocola lab start killed")

    assert refusal is not None
    assert "bentocola lab start killed" in refusal


# Start


def test_start_of_what_is_no_lab(run: Run) -> None:
    """The labs that there are."""
    for arguments in (["start", "idempotent"], ["start"]):
        status, out, told = run(*arguments)
        assert (status, out) == (2, "")
        assert NAME in told


@pytest.mark.parametrize(
    ("option", "got"),
    [
        ("--prefix=Lab 05", "'Lab 05'"),
        ("--prefix=", "''"),
        (f"--prefix={'a' * 60}", "52"),
        ("--port=http", "'http'"),
        ("--language=fr", "'fr'"),
        ("--wat", "--wat"),
        ("--ready-file=", "--ready-file"),
        ("--dir=", "--dir"),
    ],
)
def test_start_with_what_cannot_be(run: Run, tmp_path: Path, option: str, got: str) -> None:
    """The sentence names it, and nothing was made."""
    status, out, told = run("start", NAME, option)

    assert (status, out) == (2, "")
    assert got in told
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize("value", ["http", "-1", "70000"])
def test_start_speaks_the_language_that_is_asked_for(run: Run, value: str) -> None:
    """Whatever else is wrong with the options."""
    _, _, told = run("start", NAME, "--port", value, "--language", "ja")

    assert f"「{value}」" in told
    assert "espera" not in told


def test_value_that_begins_with_a_dash(run: Run) -> None:
    """It is taken for the prefix that it was meant as, and the rule is told."""
    _, _, told = run("start", NAME, "--prefix", "-x", "--language", "es")

    assert "'-x'" in told


def test_start_where_a_folder_has_the_file_s_name(run: Run, tmp_path: Path) -> None:
    """It is not called the student's file; nothing is made."""
    (tmp_path / NAME / "app.py").mkdir(parents=True)
    status, _, told = run("start", NAME)

    assert status == 2
    assert "app.py" in told
    assert not (tmp_path / NAME / ".bentocola").exists()


def test_start_while_another_one_begins(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that start at once with a prefix, one waits for the other, and makes nothing before."""
    monkeypatch.setattr(lab_hold, "_PATIENCE_SECONDS", 0)
    monkeypatch.setattr(lab_hold, "_LOOK_SECONDS", 0)
    with places.hold_prefix("lab05"):  # type: ignore[union-attr]
        status, _, told = run("start", NAME)

    assert status == 2
    assert str(tmp_path / NAME) in told
    assert not (tmp_path / NAME).exists()


def test_second_ready_file_is_written_again(tmp_path: Path) -> None:
    """A lab that was killed leaves one behind, and writes it again wherever it is opened from; another cloud's stays."""
    folder = Folder(tmp_path / NAME)
    folder.open()
    file = tmp_path / "F"
    folder.remember(ready_file=str(file))
    lab = {"name": NAME, "prefix": "lab05", "language": "es", "folder": str(folder.path)}
    for left in (None, ready.Ready("http://127.0.0.1:1", 1, "es", {}, "", lab)):
        if left:
            ready.write(file, left)
        assert lab_start._remembered_file(folder) == str(file)
    for other in ({**lab, "folder": "/other"}, None):
        ready.write(file, ready.Ready("http://127.0.0.1:1", 1, "es", {}, "", other))
        assert lab_start._remembered_file(folder) is None
    folder.remember(ready_file=str(tmp_path / "gone" / "F"))
    folder.close()

    assert lab_start._remembered_file(folder) is None


def test_start_in_an_unwritable_folder(run: Run, tmp_path: Path) -> None:
    """A file is in the way."""
    (tmp_path / NAME).write_text("mine")
    status, out, told = run("start", NAME)

    assert (status, out) == (2, "")
    assert str(tmp_path / NAME) in told
    assert "--dir" in told
    assert (tmp_path / NAME).read_text() == "mine"


def test_start_on_a_port_in_use(run: Run) -> None:
    """It says which, and that a free one can be found; the student's folder is there already."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert not is_free(int(port))
        status, out, told = run("start", NAME, "--port", port)

    assert (status, out) == (2, "")
    assert port in told
    assert "--port" in told


def test_start_where_it_is_open(served: Served, run: Run, tmp_path: Path) -> None:
    """The same folder, or the same prefix elsewhere: where it is open, and how to join it."""
    join = f"bentocola shell --ready-file {tmp_path / NAME / '.bentocola' / 'ready.json'}"
    for more in ((), ("--dir", "other")):
        status, out, told = run("start", NAME, *more)
        assert (status, out) == (2, "")
        assert served.wire.endpoint in told
        assert join in told
    assert not (tmp_path / "other").exists()


def test_start_in_another_lab_s_folder(run: Run, tmp_path: Path) -> None:
    """The folder's own lab is named."""
    folder = Folder(tmp_path / "mine")
    folder.open()
    folder.remember(name="another-lab")
    folder.close()
    status, _, told = run("start", NAME, "--dir", "mine")

    assert status == 2
    assert "another-lab" in told


# The terminal


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Which shells were opened: the lab's prefix, and the folder."""
    shells: list[tuple[str, str]] = []

    def open_shell(found: ready.Ready, ready_file: str, folder: str) -> int:
        assert ready.read(Path(ready_file)).lab == found.lab
        shells.append(((found.lab or {})["prefix"], folder))
        return 7

    monkeypatch.setattr(lab_terminal, "open_shell", open_shell)
    return shells


def test_terminal_opens_the_lab_s_shell(
    served: Served, run: Run, tmp_path: Path, opened: list[tuple[str, str]]
) -> None:
    """In the lab's folder, and with the shell's exit status."""
    assert run("terminal")[0] == 7
    assert opened == [("lab05", str(tmp_path / NAME))]


def test_terminal_waits_for_a_lab(
    tmp_path: Path, run: Run, opened: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what to do in both languages, and goes on by itself."""
    labs: list[Served] = []
    monkeypatch.setattr(lab_terminal.time, "sleep", lambda seconds: labs.append(Served(tmp_path / NAME)))
    status, out, _ = run("terminal", "--jupyterlab")
    labs[0].close()

    assert status == 7
    assert len(labs) == 1
    assert "Ctrl+C" in out.splitlines()[0]
    assert "ノートブック" in out.splitlines()[1]


@pytest.mark.parametrize(("options", "status", "ordinary"), [((), 130, []), (("--jupyterlab",), 5, ["ordinary"])])
def test_terminal_whose_waiting_is_ended(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], status: int, ordinary: list[str]
) -> None:
    """Ctrl+C leads back to where it was typed; JupyterLab's terminal, which would end with it, gets an ordinary shell."""
    opened = []

    def interrupt(seconds: float) -> NoReturn:
        raise KeyboardInterrupt

    def open_ordinary() -> int:
        opened.append("ordinary")
        return 5

    monkeypatch.setattr(lab_terminal.time, "sleep", interrupt)
    monkeypatch.setattr(lab_terminal, "open_ordinary", open_ordinary)
    got, _, _ = run("terminal", *options)

    assert (got, opened) == (status, ordinary)


def test_terminal_lets_choose(
    served: Served,
    run: Run,
    tmp_path: Path,
    opened: list[tuple[str, str]],
    second: Callable[..., ready.Ready],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By number; what is none is asked again, and the end of input ends it."""
    (tmp_path / "two" / ".bentocola").mkdir(parents=True)
    two = second(served.ready, prefix="two", folder=str(tmp_path / "two"))
    ready.write(Folder(tmp_path / "two").ready_file, two)
    number = [one.endpoint for one in finding.labs()].index(two.endpoint) + 1
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"3\nb\n{number}\n"))
    status, out, _ = run("terminal")
    assert status == 7
    assert opened == [("two", str(tmp_path / "two"))]
    assert f"  {number}  two" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))

    assert run("terminal")[0] == 0


# What the control door answers beside


def test_lab_describes_itself(served: Served, tmp_path: Path) -> None:
    """For other programs."""
    from bentocola.cli.asking import ask

    assert ask(served.wire.endpoint, "GET", "lab") == {
        "name": NAME,
        "prefix": "lab05",
        "language": "es",
        "folder": str(tmp_path / NAME),
        "port": 5005,
    }


def test_view_is_a_page(served: Served) -> None:
    """With the AWS view in the lab's language, and kept by no browser."""
    from bentocola.cloud.door import Request

    response = served.room.control(Request("GET", f"{served.wire.endpoint}/_bentocola/view", {}))

    assert response.status == 200
    assert response.headers["Content-Type"].startswith("text/html")
    assert b'lang="es"' in response.body
