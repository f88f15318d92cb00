"""A person's machine with real-looking settings of AWS's and a proxy, none of which may be used, and a served cloud on it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


class Trap:
    """A port that nobody should come to. `came` tells who did."""

    def __init__(self) -> None:
        self.came: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                self.came.append(connection.recv(200))

    def close(self) -> None:
        """Listen no longer."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)


def write_home(home: Path, elsewhere: str) -> None:
    """A home with a profile whose keys look real and whose addresses lead elsewhere, and shell files that use it."""
    (home / ".aws" / "cli").mkdir(parents=True)
    keys = "aws_access_key_id = AKIAREALREALREALREAL\naws_secret_access_key = real-secret\n"
    (home / ".aws" / "credentials").write_text(f"[default]\n{keys}\n[school]\n{keys}")
    (home / ".aws" / "config").write_text(
        f"[default]\nregion = eu-west-3\nendpoint_url = {elsewhere}\noutput = text\n"
        f"[profile school]\nregion = ap-northeast-1\nservices = own\n"
        f"[services own]\nsqs =\n  endpoint_url = {elsewhere}\n"
    )
    (home / ".aws" / "cli" / "alias").write_text("[toplevel]\nsqs = !echo aliased\n")
    (home / ".bashrc").write_text(
        "export PATH=/usr/bin:/bin AWS_PROFILE=school AWS_ACCESS_KEY_ID=AKIAREAL\nalias aws=false\nMINE=1\n"
    )


@dataclass
class Served:
    """A cloud that `bentocola serve` runs, and the environment of the person who uses it."""

    ready_file: Path
    ready: dict[str, Any]
    environment: dict[str, str]
    folder: Path
    trap: Trap
    process: subprocess.Popen[str] = field(repr=False)

    def bentocola(
        self,
        *arguments: str,
        stdin: str | bytes | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        ready_file: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run one command to its end, with what the person has set and `env`."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "bentocola.cli", *arguments],
            input=given or b"",
            capture_output=True,
            cwd=cwd or self.folder,
            env={**self.environment, "BENTOCOLA_READY_FILE": str(ready_file or self.ready_file), **(env or {})},
            timeout=120,
            check=False,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def aws(self, *arguments: str, **options: Any) -> str:
        """Run one `aws` command that has to succeed, and return what it printed."""
        done = self.bentocola("aws", *arguments, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout


def environment_of(home: Path, trap: Trap, locale: str = "es_ES.UTF-8") -> dict[str, str]:
    """A person's environment: their own AWS settings and a proxy lead to the trap."""
    kept = {
        name: value for name, value in os.environ.items() if name in ("PATH", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")
    }
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), trap.address)
    own = {
        "AWS_PROFILE": "school",
        "AWS_ENDPOINT_URL": trap.address,
        "AWS_ENDPOINT_URL_SQS": trap.address,
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": trap.address,
        "AWS_REGION": "eu-south-2",
        "AWS_CA_BUNDLE": "missing.pem",
    }
    return {**kept, **proxies, **own, "HOME": str(home), "USERPROFILE": str(home), "LANG": locale, "SHELL": "/bin/bash"}


def start(arguments: list[str], environment: Mapping[str, str], cwd: Path) -> tuple[subprocess.Popen[str], str]:
    """Start `bentocola serve` and return it with the first line that it says: it answers by then, or has ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bentocola.cli", "serve", *arguments],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=dict(environment),
        cwd=cwd,
    )
    assert process.stderr is not None
    return process, process.stderr.readline()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served cloud on a free port. At the end: nothing went where the person's own settings lead."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    trap = Trap()
    write_home(home, trap.address)
    environment = environment_of(home, trap)
    file = folder / "ready.json"
    process, line = start(["--port", "0", "--ready-file", str(file)], environment, folder)
    assert file.is_file(), line
    before = {path: path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
    yield Served(file, json.loads(file.read_text()), environment, folder, trap, process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    trap.close()
    assert process.returncode == 0, said
    assert trap.came == []
    after = {path: path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
    # bash keeps a history of what is typed; nothing else is written in a home.
    assert {path for path in after if path.name != ".bash_history"} == set(before)
    assert {path: after[path] for path in before} == before
