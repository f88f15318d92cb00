"""A running JupyterLab for tests: started as `make lab` starts it, for a new user, and ended by Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.repository import ROOT
from tools.lab import arguments, student_environment

__all__ = ["Server", "serve"]

_LAUNCH = "import sys; from tools.lab import launch; sys.exit(launch(sys.argv[1:]))"


class Server:
    """A running JupyterLab, asked as its page asks it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        announced = (re.search(r"(http://127\S+)/lab/\S+token=(\w+)", line) for line in process.stdout)
        self.address, self.token = next(filter(None, announced)).groups()
        # No proxy stands between this machine and itself.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self._opener.addheaders = [("Authorization", f"token {self.token}")]
        # Jupyter prints its address a moment before it listens there.
        while process.poll() is None:
            with contextlib.suppress(urllib.error.URLError):
                self.get("api")
                break

    def get(self, path: str) -> str:
        """Return what the server answers at `path`."""
        with self._opener.open(f"{self.address}/{path}") as answer:
            return str(answer.read().decode())


@contextlib.contextmanager
def serve(folder: Path, home: Path) -> Iterator[Server]:
    """Serve `folder` for a new user whose Jupyter folders are in `home`, and whose machine has no AWS settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "AWS_"))}
    own = {f"JUPYTER_{kind}_DIR": str(home / f".{kind.lower()}") for kind in ("CONFIG", "DATA", "RUNTIME")}
    process = subprocess.Popen(
        # A student may be root in a container.
        [sys.executable, "-c", _LAUNCH, *arguments(folder, opens=False, is_root=True), "--ServerApp.port=0"],
        cwd=ROOT,
        env=student_environment(kept | own),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            yield Server(process)
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait() == 0, "Ctrl-C ends JupyterLab in good order."
