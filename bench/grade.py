"""How fast a class is graded: `autograder grade` against stock `nbgrader autograde`, the same files, each as a whole command.

The class is the course under `tests/autograder/bench_course`, its 20 submissions repeated under other names. Every score is
compared with the honest one, so a fast wrong run shows. BENCH_CLASSES (default "20 200") says how many submissions to measure;
BENCH_MEMORY (default 1000), over how many the memory is looked at (0: none).
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.measure import ROOT, versions

COURSE = ROOT / "tests" / "autograder" / "bench_course"
ASSIGNMENT = "ps1"
_MEMORY_EVERY_SECONDS = 0.25


@dataclass(frozen=True)
class Ran:
    """One command over a class: seconds from start to end, the highest resident memory of its main process seen, right scores."""

    seconds: float
    resident: list[int]
    """Bytes of the main process, every quarter of a second."""
    right: int


def main(repetitions: int = 3) -> None:
    """Measure and print."""
    expected = json.loads((COURSE / "expected.json").read_text(encoding="utf-8"))
    print(
        "grade: a class of ordinary submissions, whole commands, start-up included\n"
        f"autograder grade: the least of {min(repetitions, 3)} runs; nbgrader autograde: one run (it takes minutes). "
        f"{os.cpu_count()} cores."
    )
    for size in map(int, os.environ.get("BENCH_CLASSES", "20 200").split()):
        ours = [_run_ours(size, expected) for _ in range(max(1, min(repetitions, 3)))]
        stock = _run_stock(size, expected)
        best = min(ours, key=lambda ran: ran.seconds)
        print(f"\n{size} submissions")
        _print("nbgrader autograde", size, stock)
        _print("autograder grade", size, best)
        print(f"  (runs: {', '.join(f'{ran.seconds:.2f}' for ran in ours)})")
        print(f"  throughput: {stock.seconds / best.seconds:.1f} times stock's")
    if count := int(os.environ.get("BENCH_MEMORY", "1000")):
        ran = _run_ours(count, expected)
        quarter = len(ran.resident) // 4
        early, late = (
            statistics.median(part) / 1e6 for part in (ran.resident[quarter : 2 * quarter], ran.resident[-quarter:])
        )
        print(
            f"\n{count} submissions: {ran.seconds:.1f} s, {ran.right} of {count} scores right; resident memory "
            "of the main process "
            f"{early:.0f} MB in the second quarter, {late:.0f} MB in the last"
        )
    print(f"\n{versions()}")


def _print(name: str, size: int, ran: Ran) -> None:
    rate, right = f"{size / ran.seconds:6.2f} a second", f"{ran.right} of {size} scores right"
    print(f"  {name:20} {ran.seconds:7.2f} s  {rate}  {right}")


def make_class(folder: Path, size: int) -> None:
    """Make a course with `size` submissions in `folder`, released by nbgrader."""
    shutil.copytree(COURSE / "source", folder / "source")
    shutil.copy2(COURSE / "nbgrader_config.py", folder)
    ordinary = sorted((COURSE / "submitted").iterdir())
    for number in range(size):
        model = ordinary[number % len(ordinary)]
        shutil.copytree(model, folder / "submitted" / f"{model.name}-{number:04}")
    _command(folder, sys.executable, "-m", "nbgrader", "generate_assignment", ASSIGNMENT)


def _run_ours(size: int, expected: dict[str, float]) -> Ran:
    scripts = Path(sysconfig.get_path("scripts"))
    return _run(size, expected, str(scripts / "autograder"), "grade", ASSIGNMENT, "--course-dir", ".")


def _run_stock(size: int, expected: dict[str, float]) -> Ran:
    return _run(size, expected, sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT)


def _run(size: int, expected: dict[str, float], *command: str) -> Ran:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_class(folder, size)
        resident: list[int] = []
        began = time.perf_counter()
        with subprocess.Popen(
            command, cwd=folder, env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            while True:
                try:
                    process.wait(_MEMORY_EVERY_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    resident.append(_resident(process.pid))
        seconds = time.perf_counter() - began
        scores = _scores(folder)
        return Ran(
            seconds, resident, sum(scores.get(student) == expected[student[:3]] for student in _students(folder))
        )


def _students(folder: Path) -> list[str]:
    return [path.name for path in (folder / "submitted").iterdir()]


def _scores(folder: Path) -> dict[str, float]:
    """The automatic points by student, as the gradebook has them."""
    query = """
        select submitted_assignment.student_id, sum(grade.auto_score) from grade
        join submitted_notebook on grade.notebook_id = submitted_notebook.id
        join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
        group by submitted_assignment.student_id
    """
    gradebook = sqlite3.connect(folder / "gradebook.db")
    try:
        return dict(gradebook.execute(query).fetchall())
    finally:
        gradebook.close()


def _resident(process: int) -> int:
    """Bytes of a process in memory; 0 where the system does not tell, or when it is over."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _command(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, env=_environment(folder), capture_output=True, check=True)


def _environment(folder: Path) -> dict[str, str]:
    """As in an activated environment, without the settings that this machine has for Jupyter and AWS."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JUPYTER_"))}
    # nbgrader calls alembic by its name.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    return kept | {"HOME": str(folder), "JUPYTER_NO_CONFIG": "1", "PATH": path, "PYTHONPATH": str(ROOT)}
