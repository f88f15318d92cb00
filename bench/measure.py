"""How the benches measure: each case in fresh processes, the cases taking turns, on one core, median and minimum.

Taking turns spreads whatever else the machine does evenly over the cases; one core keeps a second one from hiding work.
A first round, which nobody counts, lets Python write its bytecode and the machine read the files.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["Case", "Times", "measure", "print_ratios", "print_title", "run_program", "versions"]

ROOT = Path(__file__).parent.parent

_CHILD = """\
{before}
import time as _time
_began = _time.perf_counter()
{timed}
print("\\nseconds", _time.perf_counter() - _began)
"""


@dataclass(frozen=True)
class Case:
    """Code to time in a fresh process. `before` runs in the same process, untimed."""

    name: str
    timed: str
    before: str = ""


@dataclass
class Times:
    """What was measured for one case, in seconds: the timed code, and the whole process with Python's own start and end."""

    timed: list[float] = field(default_factory=list)
    process: list[float] = field(default_factory=list)


def measure(cases: Sequence[Case], repetitions: int) -> list[Times]:
    """Run every case `repetitions` times, in turn, and return their times in the order of `cases`."""
    times = [Times() for _ in cases]
    programs = [_CHILD.format(before=textwrap.dedent(case.before), timed=textwrap.dedent(case.timed)) for case in cases]
    with _one_core(), tempfile.TemporaryDirectory() as folder:
        for repetition in range(-1, repetitions):
            for program, found in zip(programs, times, strict=True):
                timed, process = _run(program, folder)
                if repetition >= 0:
                    found.timed.append(timed)
                    found.process.append(process)
    return times


def run_program(program: str) -> dict[str, Any]:
    """Run a program in a fresh process, and return what its last line says, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env=_environment(),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return dict(json.loads(ran.stdout.strip().splitlines()[-1]))


def _run(program: str, folder: str) -> tuple[float, float]:
    environment = _environment()
    began = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    took = time.perf_counter() - began
    return float(ran.stdout.rpartition("seconds")[2]), took


def _environment() -> dict[str, str]:
    # A switched-off bytecode cache would measure the compiler, and somebody's own AWS settings the reading of their files.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "PYTHONDONTWRITEBYTECODE"))
    }
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return environment


class _one_core:
    """While it is open, this process and the ones that it starts keep to one core, where the system can say so."""

    def __enter__(self) -> None:
        self._allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
        if self._allowed:
            os.sched_setaffinity(0, {max(self._allowed)})

    def __exit__(self, *exception: object) -> None:
        if self._allowed:
            os.sched_setaffinity(0, self._allowed)


def print_title(name: str, what: str, repetitions: int) -> None:
    """Print which bench this is and how it measures."""
    print(f"{name}: {what}")
    print(f"{repetitions} fresh processes a case, taking turns, on one core.")


def print_ratios(
    head: str, cases: Sequence[Case], times: Sequence[Sequence[float]], unit: str = "ms", scale: float = 1e3
) -> None:
    """Print a row a case with median and minimum, and how the last case compares with the first."""
    print(f"\n{head:<44} {'median':>10} {'min':>10}")
    medians, least = [statistics.median(found) for found in times], [min(found) for found in times]
    for case, median, minimum in zip(cases, medians, least, strict=True):
        print(f"  {case.name:<42} {median * scale:>7.1f} {unit} {minimum * scale:>7.1f} {unit}")
    ratio = f"{cases[-1].name} / {cases[0].name}"
    print(f"  {ratio:<42} {medians[-1] / medians[0]:>10.2f} {least[-1] / least[0]:>10.2f}")


def versions() -> str:
    """Return what was measured, and on what: figures mean nothing without it."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("moto", "boto3", "botocore"))
    return f"Python {platform.python_version()}, {packages}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
