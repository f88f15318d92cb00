"""`bentocola shell`: the person's shell on the local cloud, whatever their own files say, and one command's exit status."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Served

pytestmark = pytest.mark.slow


def test_command_and_its_status(served: Served) -> None:
    """The status of the command is the shell's; a signal is 128 and its number, as in any shell."""
    assert served.bentocola("shell", "-c", "exit 7").returncode == 7
    assert served.bentocola("shell", "-c", "true").returncode == 0
    assert served.bentocola("shell", "-c", "kill -TERM $$").returncode == 128 + 15
    assert served.bentocola("shell", "-c", "cat", stdin="through").stdout == "through"


def test_aws_in_the_shell(served: Served) -> None:
    """`aws` is the course's, `python` this environment's, and boto3 reaches the same cloud."""
    done = served.bentocola(
        "shell",
        "--ready-file",
        str(served.ready_file),
        "-c",
        "aws sqs create-queue --queue-name from-shell > /dev/null && python -c "
        "\"import boto3, sys; print(boto3.client('sqs').list_queues(QueueNamePrefix='from-shell')['QueueUrls'], sys.prefix)\"",
        env={"BENTOCOLA_READY_FILE": ""},
    )

    assert "/from-shell" in done.stdout, done.stderr
    assert sys.prefix in done.stdout


def test_environment(served: Served) -> None:
    """The course's AWS variables and no other; the shell says where it belongs."""
    said = served.bentocola("shell", "-c", "env").stdout
    found = dict(line.partition("=")[::2] for line in said.splitlines())

    assert {name: value for name, value in found.items() if name.startswith("AWS_")} == served.ready["environment"]
    assert found["BENTOCOLA_SHELL"] == served.ready["endpoint"]
    assert found["BENTOCOLA_AGAIN"] == f"bentocola serve --port {served.ready['endpoint'].rpartition(':')[2]}"
    assert "127.0.0.1" in found["NO_PROXY"]


def test_what_is_set_in_the_shell_counts(served: Served) -> None:
    """Other keys, another region or format: that is how a lesson shows what they do."""
    done = served.bentocola(
        "shell", "-c", "export AWS_DEFAULT_OUTPUT=text AWS_ENDPOINT_URL=https://evil.example; aws s3 ls"
    )
    assert done.returncode == 255
    assert "evil.example" in done.stderr
    text = served.bentocola("shell", "-c", "AWS_DEFAULT_OUTPUT=text bentocola aws sts get-caller-identity").stdout

    assert text.startswith("123456789012\t")


def test_bash_reads_its_own_file_first(served: Served, tmp_path: Path) -> None:
    """The person's .bashrc is read, and what it sets of PATH, of AWS's variables, and as an alias does not win."""
    commands = (
        "type -t aws; echo $MINE; echo ${AWS_PROFILE-none} $AWS_ACCESS_KEY_ID; aws sqs list-queues > /dev/null; "
        'echo "$PS1"; exit 3\n'
    )
    done = served.bentocola("shell", stdin=commands)
    said = done.stdout.splitlines()

    assert done.returncode == 3, done.stderr
    assert said[:3] == ["file", "1", f"none {served.ready['environment']['AWS_ACCESS_KEY_ID']}"]
    assert said[-1].startswith("(bentocola) ")


LOOK = "command -v aws; env | grep AWS_"


@pytest.mark.parametrize("program", ["zsh", "fish", "dash"])
def test_other_shells(served: Served, tmp_path: Path, program: str) -> None:
    """They too end up with the course's `aws`."""
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed")
    (tmp_path / ".config" / "fish").mkdir(parents=True)
    (tmp_path / ".config" / "fish" / "config.fish").write_text(
        "set -gx PATH /usr/bin /bin\nset -gx AWS_PROFILE school\n"
    )
    for name in (".zshenv", ".zshrc"):
        (tmp_path / name).write_text("export PATH=/usr/bin:/bin AWS_PROFILE=school\nalias aws=false\n")
    own = {"SHELL": path, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config")}
    for arguments, stdin in (((), f"{LOOK}\nexit 3\n"), (("-c", f"{LOOK}; exit 3"), "")):
        done = served.bentocola("shell", *arguments, stdin=stdin, env=own)

        assert done.returncode == 3, done.stderr
        assert "bentocola-shell-" in done.stdout
        assert "school" not in done.stdout


def test_folder_with_a_space(served: Served, tmp_path: Path) -> None:
    """The temporary folder's name may have one."""
    folder = tmp_path / "with a 'space"
    folder.mkdir()
    done = served.bentocola("shell", "-c", "aws --version", env={"TMPDIR": str(folder)})

    assert done.stdout.startswith("aws-cli/1.")
    assert os.listdir(folder) == []


def test_module_in_the_folder_is_not_imported(served: Served, tmp_path: Path) -> None:
    """A student's file may be called as a module of Python's."""
    for name in ("json.py", "signal.py", "awscli.py"):
        (tmp_path / name).write_text("raise SystemExit('imported')")
    for arguments in (("--version",), ("sqs", "help")):
        done = served.bentocola("shell", "-c", f"aws {' '.join(arguments)}", cwd=None)
        assert done.returncode == 0
    script = f"cd '{tmp_path}' && aws --version && aws sqs help > /dev/null && bentocola aws --version"
    done = served.bentocola("shell", "-c", script)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", [("shell",), ("aws", "s3", "ls")])
def test_without_a_cloud(served: Served, tmp_path: Path, command: tuple[str, ...]) -> None:
    """One sentence says how to start one; status 2."""
    done = served.bentocola(*command, ready_file=tmp_path / "missing")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "bentocola serve" in done.stderr
    (tmp_path / "stale").write_text(json.dumps({**served.ready, "endpoint": "http://127.0.0.1:1"}))
    done = served.bentocola(*command, ready_file=tmp_path / "stale")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_ctrl_c_in_a_terminal(served: Served) -> None:
    """In a terminal, Ctrl+C ends the command and not the shell."""
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bentocola.cli", "shell"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**served.environment, "BENTOCOLA_READY_FILE": str(served.ready_file), "TERM": "dumb"},
        cwd=served.folder,
        preexec_fn=_take_terminal,
    )
    os.close(slave)
    seen = b""

    def until(text: bytes) -> None:
        nonlocal seen
        while text not in seen:
            seen += os.read(master, 65536)
        seen = seen.partition(text)[2]

    until(b"(bentocola) ")
    os.write(master, b"aws logs create-log-group --log-group-name ctrl && echo made-$?\n")
    until(b"made-0")
    os.write(master, b"aws logs create-log-stream --log-group-name ctrl --log-stream-name s && echo made-$?\n")
    until(b"made-0")
    os.write(
        master,
        b"aws logs put-log-events --log-group-name ctrl --log-stream-name s"
        b" --log-events timestamp=$(date +%s)000,message=here > /dev/null && echo put-$?\n",
    )
    until(b"put-0")
    os.write(master, b"aws logs tail ctrl --follow --format short; echo ended-$?\n")
    until(b" here\r\n")
    os.write(master, b"\x03")
    until(b"ended-0")
    os.write(master, b"exit 4\n")

    assert process.wait(60) == 4
    os.close(master)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
