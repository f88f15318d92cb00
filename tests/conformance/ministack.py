"""MiniStack, an independent implementation, in a Python environment of its own: it wants its own boto3.

Made in `build/`, which git ignores, the first time somebody asks for it: `python -m tests.conformance.ministack`. It is bound to
this machine only.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import venv
from pathlib import Path

__all__ = ["VERSION", "answers", "command", "free_port", "installed", "prepare"]

VERSION = "1.5.33"
ENVIRONMENT = Path(__file__).parents[2] / "build" / f"ministack-{VERSION}"
_HERE = "127.0.0.1"
_BIN = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin")
_DONE = ENVIRONMENT / ".installed"


def installed() -> bool:
    """Whether its environment is there."""
    return _DONE.exists()


def prepare() -> None:
    """Make the environment, if it is not there. Raises CalledProcessError when MiniStack cannot be installed."""
    if installed():
        return
    print(f"Installing MiniStack {VERSION} in build/, for the comparison only.", file=sys.stderr)
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    # boto3, because functions that run in it want that.
    wanted = [f"ministack=={VERSION}", "boto3"]
    subprocess.run(
        [_BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted],
        check=True,
        stdout=sys.stderr,
    )
    _DONE.touch()


def command(port: int, folder: Path, account: str) -> tuple[list[str], dict[str, str]]:
    """Return the command that serves at `port`, and its environment. What it writes goes to `folder`."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
        "PATH": os.pathsep.join([str(_BIN), os.environ.get("PATH", "")]),
        "GATEWAY_PORT": str(port),
        "BIND_HOST": _HERE,
        "MINISTACK_HOST": _HERE,
        "MINISTACK_ACCOUNT_ID": account,
        "STATE_DIR": str(folder / "state"),
        "S3_DATA_DIR": str(folder / "s3"),
        "TMPDIR": str(folder),
    }
    return [str(_BIN / "ministack")], environment


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as listener:
        listener.bind((_HERE, 0))
        return int(listener.getsockname()[1])


def answers(port: int) -> bool:
    """Whether somebody listens at the port."""
    with socket.socket() as caller:
        caller.settimeout(1)
        return caller.connect_ex((_HERE, port)) == 0


if __name__ == "__main__":
    prepare()
