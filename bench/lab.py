"""How long a lab takes to open, and its commands to answer: what a student waits for.

Each is a process from its start to its end; opening ends when the lab says where it answers.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from bench.measure import Case, print_ratios, versions

_LAB = "idempotent-consumer"


def main(repetitions: int = 15) -> None:
    """Measure and print."""
    print(
        f"lab: {_LAB} opened in a new folder, and asked\n{repetitions} processes a case. Opening is to take 2 s or less."
    )
    names = ("open", "aws sqs list-queues", "lab check")
    times: dict[str, list[float]] = {name: [] for name in names}
    for repetition in range(-1, repetitions):  # the first, which nobody counts, lets Python write its bytecode
        with tempfile.TemporaryDirectory() as folder:
            measured = _once(Path(folder))
        if repetition >= 0:
            for name, seconds in zip(names, measured, strict=True):
                times[name].append(seconds)
    print_ratios("one process", [Case(name, "") for name in names], list(times.values()))
    print(f"\n{versions()}")


def _once(folder: Path) -> list[float]:
    """Open the lab, ask it, end it; return what each took."""
    (folder / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}  # no other lab of this machine is in the way
    bentocola = Path(sysconfig.get_path("scripts")) / "bentocola"
    began = time.perf_counter()
    command = [sys.executable, str(bentocola), "lab", "start", _LAB, "--language", "es"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=folder, env=environment) as lab:
        assert lab.stdout is not None
        lab.stdout.readline()
        measured = [time.perf_counter() - began]
        try:
            for words in (["aws", "sqs", "list-queues"], ["aws", "sqs", "list-queues"], ["lab", "check"]):
                began = time.perf_counter()
                subprocess.run(
                    [sys.executable, str(bentocola), *words],
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    check=False,
                )
                measured.append(time.perf_counter() - began)
        finally:
            lab.terminate()
    del measured[1]  # the first command waits until the warm process is ready
    return measured
