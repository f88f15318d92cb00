"""How long one `aws` command takes: awscli started anew, as PyPI's `aws` is, against the warm one of the course.

All three ask the same local cloud over HTTP, take turns, and each is a process from its start to its end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.measure import Case, print_ratios, versions

_COMMAND = ("sqs", "list-queues")


def main(repetitions: int = 15) -> None:
    """Measure and print."""
    print(f"cli: aws sqs list-queues on the local cloud\n{repetitions} processes a case, taking turns.")
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder) / "ready.json") as ready:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
            **ready["environment"],
            "BENTOCOLA_READY_FILE": str(Path(folder) / "ready.json"),
        }
        scripts = Path(sysconfig.get_path("scripts"))
        client = Path(__file__).parent.parent / "bentocola" / "cli" / "aws" / "client.py"
        commands = {
            "aws, cold": [sys.executable, str(scripts / "aws"), "--endpoint-url", ready["endpoint"], *_COMMAND],
            "aws in bentocola shell": [
                sys.executable,
                "-I",
                "-S",
                str(client),
                ready["aws"],
                ready["endpoint"],
                *_COMMAND,
            ],
            "bentocola aws": [str(scripts / "bentocola"), "aws", *_COMMAND],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for repetition in range(-1, repetitions):  # the first, which nobody counts, waits until the warm process is
            for name, command in commands.items():
                began = time.perf_counter()
                subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
                if repetition >= 0:
                    times[name].append(time.perf_counter() - began)
    print_ratios("one command", [Case(name, "") for name in commands], list(times.values()))
    print(f"\n{versions()}")


@contextmanager
def _served(file: Path) -> Iterator[dict[str, Any]]:
    """Run `bentocola serve` on a free port, and give what its ready file says."""
    command = [sys.executable, "-m", "bentocola.cli", "serve", "--port", "0", "--ready-file", str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.readline()  # it answers by then
        try:
            yield json.loads(file.read_text(encoding="utf-8"))
        finally:
            process.terminate()
