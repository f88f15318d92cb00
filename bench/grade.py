"""How fast a class is graded: `autograder grade` against stock `nbgrader autograde`, the same files, each as a whole command.

The class is the course under `tests/autograder/bench_course`, its 20 submissions repeated under other names. Every score is
compared with the honest one, so a fast wrong run shows. "Bare" is the least that it could cost (`bench.bare`): the same cells,
forked from the same warm process, in one shell. BENCH_CLASSES (default "20 200") says how many submissions to measure, and
BENCH_MEMORY (default 1000) over how many the memory is looked at (0: none). BENCH_STOCK=0 leaves nbgrader out.
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
from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
    started: float = 0.0
    """Seconds that the same command takes where all is graded: its start and its end."""
    bare: float = 0.0
    """Seconds that a class of this size takes bare."""
    phases: dict[str, float] = field(default_factory=dict)
    """Milliseconds of a submission, on average, by the clock of its worker, which has a core or shares one."""

    def each(self, size: int, workers: int) -> float:
        """Return how many milliseconds of one worker a submission took."""
        return (self.seconds - self.started) / size * workers * 1000


def main(repetitions: int = 3) -> None:
    """Measure and print."""
    expected = json.loads((COURSE / "expected.json").read_text(encoding="utf-8"))
    print(
        "grade: a class of ordinary submissions, whole commands, start-up included\n"
        f"autograder grade: the least of {min(repetitions, 3)} runs; nbgrader autograde: one run (it takes minutes). "
        f"{os.cpu_count()} cores."
    )
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for size in map(int, os.environ.get("BENCH_CLASSES", "20 200").split()):
        ours = [_run_ours(size, expected, workers) for _ in range(max(1, min(repetitions, 3)))]
        best = min(ours, key=lambda ran: ran.seconds)
        print(f"\n{size} submissions")
        if os.environ.get("BENCH_STOCK", "1") != "0":
            stock = _run_stock(size, expected)
            _print("nbgrader autograde", size, stock)
            print(f"  throughput of ours: {stock.seconds / best.seconds:.1f} times stock's")
        _print("autograder grade", size, best)
        print(f"  (runs: {', '.join(f'{ran.seconds:.2f}' for ran in ours)})")
        _print_parts(size, best, workers)
    if count := int(os.environ.get("BENCH_MEMORY", "1000")):
        ran = _run(count, expected, *_OURS)
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


_OURS = (str(Path(sysconfig.get_path("scripts")) / "autograder"), "grade", ASSIGNMENT, "--course-dir", ".")


def _run_ours(size: int, expected: dict[str, float], workers: int) -> Ran:
    return _run(size, expected, *_OURS, then=lambda folder, ran: _looked_into(folder, ran, workers))


def _looked_into(folder: Path, ran: Ran, workers: int) -> Ran:
    """Measure what tells where the time went."""
    began = time.perf_counter()
    _command(folder, *_OURS)
    started = time.perf_counter() - began
    bare = subprocess.run(
        [sys.executable, "-m", "bench.bare", str(folder), str(workers)],
        cwd=ROOT,
        env=_environment(folder),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return replace(ran, started=started, bare=float(bare.stdout.split()[-1]), phases=_phases(folder))


def _phases(folder: Path) -> dict[str, float]:
    """Return what the records tell of their times: milliseconds of a submission, on average."""
    roles = {
        cell["grade_id"]: cell["role"]
        for notebook in json.loads((folder / ".autograder" / ASSIGNMENT / ".paper.json").read_text("utf-8"))[
            "notebooks"
        ]
        for cell in notebook["cells"]
    }
    records = [
        json.loads(path.read_text("utf-8"))["ran"]
        for path in (folder / ".autograder" / ASSIGNMENT).glob("[!.]*/*.json")
    ]
    found = dict.fromkeys(("opened", "locked", "answer", "test"), 0.0)
    for ran in records:
        found["opened"] += ran["opened"]
        for cell, seconds in ran["cells"].items():
            found[roles.get(cell, "answer")] = found.get(roles.get(cell, "answer"), 0.0) + seconds
    return {name: seconds / len(records) * 1000 for name, seconds in found.items()}


def _print_parts(size: int, ran: Ran, workers: int) -> None:
    each, bare = ran.each(size, workers), ran.bare / size * workers * 1000
    inside = ", ".join(f"{name} {took:.0f}" for name, took in ran.phases.items())
    rest = each - sum(ran.phases.values())
    print(
        f"  start and end: {ran.started:.2f} s; a submission: {each:.0f} ms of one of {workers} workers; bare: {bare:.0f} ms, "
        f"so {each / bare:.1f} times bare\n"
        f"  of it: {inside}, the rest (forks, writing, ends of rooms, saving, the assignment's rehearsal) {rest:.0f} ms"
    )


def _run_stock(size: int, expected: dict[str, float]) -> Ran:
    return _run(size, expected, sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT)


def _run(
    size: int, expected: dict[str, float], *command: str, then: Callable[[Path, Ran], Ran] = lambda folder, ran: ran
) -> Ran:
    """Run a command over a class of its own. `then`: what else is looked at before the class is thrown away."""
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
        right = sum(scores.get(student) == expected[student[:3]] for student in _students(folder))
        return then(folder, Ran(seconds, resident, right))


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
