"""Kills the real `autograder grade` at random points and runs it again: nothing may be lost, differ, or be left behind.

`make torture` does it at 200 points, `test_torture.py` at 20. It prints its seed, a line for each point, and what was wrong.
Linux only. It adopts all processes that the killed command leaves, so that it can tell whether they end.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.autograder.aftermath import adopt, differences, mounts, result_of, strike, survivors
from tests.autograder.classroom import BENCH
from tests.autograder.small_course import nbgrader
from tests.repository import ROOT

ASSIGNMENT = "ps1"
NOTEBOOK = "pipeline"
STUDENTS = ("s00", "s01", "s02", "s03", "s04", "s05", "h02_deleted_solution_cell", "h40_blank")
WORKERS = 2
LONGEST_RUN = 300

# Loaded by the command's own Python before anything of ours. It ends that process before the n-th change of a file, or in the
# middle of the n-th piece of work of the database; with n = 0 it only counts.
HOOK = """
import atexit, os, signal, sqlite3, sys
kind, _, number = os.environ["TORTURE"].partition(":")
number, course, counts = int(number), os.environ["TORTURE_COURSE"], {"event": 0, "database": 0}
CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "shutil.copyfile", "shutil.rmtree", "os.link"}
def seen(what):
    counts[what] += 1
    if what == kind and counts[what] == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0
def hook(event, arguments, own=os.getpid()):
    if os.getpid() != own:
        return
    if event == "open":
        path, _, flags = arguments
        if isinstance(path, str) and path.startswith(course) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            seen("event")
    elif event in CHANGES:
        seen("event")
sys.addaudithook(hook)
def connect(*arguments, real=sqlite3.connect, **named):
    made = real(*arguments, **named)
    made.set_progress_handler(lambda: seen("database"), 20)
    return made
sqlite3.connect = sqlite3.dbapi2.connect = connect
def tell():
    with open(os.environ["TORTURE_COUNTS"], "w") as file:
        print(counts["event"], counts["database"], file=file)
atexit.register(tell)
"""


@dataclass(frozen=True)
class Point:
    """Where a run is killed. `trigger`: "time" (seconds), "event", "database", "line" (how many), "file" (a glob)."""

    trigger: str
    at: Any
    victim: str = "main"
    """ "main", "group" (with the nursery and all in its group), "everything", "nursery" alone, or an "invigilator" alone."""

    def __str__(self) -> str:
        at = f"{self.at:.2f} s" if isinstance(self.at, float) else self.at
        return f"{self.trigger} {at}, {self.victim}"


@dataclass(frozen=True)
class Ended:
    """A run that has ended. `killed`: whether the point was reached, and something killed there."""

    status: int
    said: str
    killed: bool
    seconds: float


@dataclass
class Measure:
    """What an uninterrupted run showed: how long it is, by each trigger, and what is there after it."""

    seconds: float
    events: int
    database: int
    lines: int
    result: dict[str, Any]


def make_course(folder: Path, students: tuple[str, ...] = STUDENTS) -> None:
    """Make the bench course in `folder`, released, with these students' submissions."""
    folder.mkdir(parents=True)
    shutil.copytree(BENCH / "source", folder / "source")
    shutil.copy(BENCH / "nbgrader_config.py", folder)
    for student in students:
        hand_in(folder, student, student)
    nbgrader(folder, "generate_assignment", ASSIGNMENT)
    shutil.rmtree(folder / "home")


def hand_in(course: Path, student: str, like: str) -> None:
    """Hand in what another one of the bench course did."""
    kind = "hostile" if like.startswith("h") else "submitted"
    shutil.copytree(BENCH / kind / like, course / "submitted" / student, dirs_exist_ok=True)


def hand_in_anew(course: Path, students: tuple[str, ...] = STUDENTS) -> None:
    """Let a person correct a graded course by hand, and most students hand in another's work."""
    with closing(sqlite3.connect(course / "gradebook.db")) as book, book:
        book.execute("UPDATE grade SET manual_score = 1 WHERE auto_score > 0")
        book.execute("UPDATE comment SET manual_comment = 'well done'")
    for one, other in zip(students[:-2], reversed(students), strict=False):
        hand_in(course, one, other)
        (course / "submitted" / one / ASSIGNMENT / "notes.txt").write_text(f"like {other}", encoding="utf-8")


def command(course: Path, *more: str) -> list[str]:
    """Return the command as a teacher gives it."""
    return [sys.executable, "-m", "autograder", "grade", ASSIGNMENT, f"--course-dir={course}", *more]


def environment(folder: Path, course: Path, hook: str = "none:0") -> dict[str, str]:
    """Return the command's environment. `folder` has the hook, and is where it writes what it counted."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JUPYTER_"))}
    return own | {
        "HOME": str(folder),
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_CONFIG_DIR": str(folder / "jupyter"),
        "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "code")]),
        "PYTHONUNBUFFERED": "1",
        "TMPDIR": str(folder / "tmp"),
        "TORTURE": hook,
        "TORTURE_COURSE": str(course),
        "TORTURE_COUNTS": str(folder / "counts"),
    }


def run(folder: Path, course: Path, point: Point | None = None, *more: str) -> Ended:
    """Run the command until it ends, killing at the point."""
    hook = f"{point.trigger}:{point.at}" if point and point.trigger in ("event", "database") else "none:0"
    begun = time.monotonic()
    process = subprocess.Popen(
        command(course, f"--workers={WORKERS}", "--accept-unjailed", *more),
        env=environment(folder, course, hook),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    said, struck = b"", False
    with process.stdout as output:
        while True:
            if point and not struck and _reached(point, course, said, time.monotonic() - begun):
                struck = strike(process.pid, point.victim)
            # The shortest wait is for files that are there for a moment only.
            ready, _, _ = select.select([output], [], [], 0.0 if point and point.trigger == "file" else 0.01)
            part = os.read(output.fileno(), 1 << 16) if ready else None
            if part == b"":
                break
            said += part or b""
            if time.monotonic() - begun > LONGEST_RUN:
                strike(process.pid, "everything")
    status = process.wait()
    killed = status == -signal.SIGKILL if point and point.victim not in ("nursery", "invigilator") else struck
    return Ended(status, said.decode("utf-8", "replace"), killed, time.monotonic() - begun)


def _reached(point: Point, course: Path, said: bytes, seconds: float) -> bool:
    if point.trigger == "time":
        return seconds >= point.at
    if point.trigger == "line":
        return said.count(b"\n") >= point.at
    return point.trigger == "file" and _is_there(course, point.at)


def _is_there(course: Path, pattern: str) -> bool:
    """Whether such a file is there now, in folders that come and go while one looks."""
    try:
        return next(course.glob(pattern), None) is not None
    except FileNotFoundError:
        return False


@dataclass
class Torture:
    """A series of kills. `folder`: where courses are made, and stay if something is wrong with them."""

    folder: Path
    seed: int
    say: Callable[[str], None] = print
    wrong: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        (self.folder / "tmp").mkdir(parents=True)
        (self.folder / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
        # What is changed in the code meanwhile would have each submission graded again.
        for package in ("autograder", "bentocola"):
            shutil.copytree(ROOT / package, self.folder / "code" / package)
        self.before: dict[str, Path] = {}
        self.measures: dict[str, Measure] = {}

    def prepare(self) -> None:
        """Make a course that was never graded, and one of which most is to be graded again; run each once, uninterrupted."""
        fresh, again = self.before["fresh"], self.before["again"] = self.folder / "fresh", self.folder / "again"
        make_course(fresh)
        self.measures["fresh"] = self._measured("fresh")
        shutil.copytree(self.folder / "whole-fresh", again)
        hand_in_anew(again)
        self.measures["again"] = self._measured("again")

    def _measured(self, name: str) -> Measure:
        whole = self.folder / f"whole-{name}"
        shutil.copytree(self.before[name], whole)
        ended = run(self.folder, whole)
        assert ended.status == 0, ended.said
        assert not survivors()
        events, database = map(int, (self.folder / "counts").read_text(encoding="ascii").split())
        lines = sum(line.startswith("[") for line in ended.said.splitlines())
        self.say(
            f"An uninterrupted run of the course {name}: {ended.seconds:.1f} s, {events} changes of files, {database} steps"
            f" of the database, {lines} submissions graded."
        )
        return Measure(ended.seconds, events, database, lines, result_of(whole))

    def points(self, name: str) -> Iterator[Point]:
        """Yield points, for ever."""
        chance, measure = self.random, self.measures[name]
        files = (
            ".autograder/.lock",
            f".autograder/{ASSIGNMENT}/.paper.json",
            f".autograder/{ASSIGNMENT}/.preflight.json",
            "gradebook.db-journal",
            ".autograder/.work/*/*/*/new",
            ".autograder/.work/*/*/*/old",
            f"autograded/{STUDENTS[2]}/{ASSIGNMENT}/{NOTEBOOK}.ipynb",
            f".autograder/{ASSIGNMENT}/{STUDENTS[3]}",
            f".autograder/.work/*/{ASSIGNMENT}/{STUDENTS[4]}/out/{NOTEBOOK}.json",
        )
        while True:
            victim = chance.choices(("main", "group", "everything", "nursery", "invigilator"), (40, 20, 10, 15, 15))[0]
            trigger = chance.choices(("time", "event", "database", "line", "file"), (30, 30, 10, 15, 15))[0]
            if trigger == "time":
                yield Point(trigger, chance.uniform(0.05, measure.seconds), victim)
            elif trigger == "line":
                yield Point(trigger, chance.randint(1, 2 + measure.lines), victim)
            elif trigger == "file":
                yield Point(trigger, chance.choice(files), victim)
            else:
                yield Point(trigger, chance.randint(1, measure.events if trigger == "event" else measure.database))

    def kill(self, times: int) -> None:
        """Kill at so many points, several in a row on one course now and then; after each row, run to the end and compare."""
        number = 0
        while number < times:
            name = self.random.choice(("fresh", "again"))
            row = min(times - number, self.random.choice((1, 1, 1, 2, 3)))
            course = self.folder / f"course-{number:03}"
            shutil.copytree(self.before[name], course)
            said: list[str] = []
            for point in self.points(name):
                ended = run(self.folder, course, point)
                if ended.killed:
                    number += 1
                    row -= 1
                    self.done[f"{point.trigger} {point.victim}"] += 1
                    said.append(f"{number}: {name}, {point}, status {ended.status}")
                    said += self._after(ended, point)
                if row == 0:
                    break
                if not ended.killed:
                    # It was all done before: a point that was not reached is no point.
                    said += [f"a run that was not killed: {fault}" for fault in self._faults(ended, course, name)]
                    shutil.rmtree(course)
                    shutil.copytree(self.before[name], course)
            self._end(name, course, said)

    def _after(self, ended: Ended, point: Point) -> list[str]:
        """Return what is wrong straight after a kill. Now and then the next run starts while the killed one's processes end."""
        found = []
        if "Traceback" in ended.said:
            found.append(f"FAULT: {ended.said[-3000:]}")
        if point.victim == "invigilator" and ended.status != 0:
            found.append(f"FAULT: an invigilator's end ended the run with {ended.status}: {ended.said[-3000:]}")
        if self.random.random() < 0.5 and (left := survivors()):
            found.append(f"FAULT: still running: {left}")
        return found

    def _end(self, name: str, course: Path, said: list[str]) -> None:
        ended = run(self.folder, course)
        said += [f"FAULT: {fault}" for fault in self._faults(ended, course, name)]
        for line in said:
            self.say(line[:1000])
        faults = [line for line in said if "FAULT" in line]
        self.wrong += ["\n".join(said)] if faults else []
        if not faults:
            shutil.rmtree(course)

    def _faults(self, ended: Ended, course: Path, name: str) -> Iterator[str]:
        if ended.status != 0 or "Traceback" in ended.said:
            yield f"the resumed run ended with {ended.status} and said: {ended.said[-3000:]}"
        if left := survivors():
            yield f"still running: {left}"
        yield from differences(result_of(course), self.measures[name].result)
        if left := mounts(self.folder):
            yield f"still mounted: {left}"
        if left := os.listdir(self.folder / "tmp"):
            yield f"left in the temporary folder: {left}"


def main(arguments: list[str] | None = None) -> int:
    """Do it from the command line; return 0 if nothing was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--folder", type=Path, help="where the courses are made; what is wrong stays there")
    asked = parser.parse_args(arguments)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    print(f"Seed {asked.seed}, {asked.kills} kills.")
    if sys.platform != "linux":
        print("This needs Linux.", file=sys.stderr)
        return 2
    folder = Path(asked.folder or tempfile.mkdtemp(prefix="torture-"))
    torture = Torture(folder / f"seed-{asked.seed}", asked.seed)
    adopt()
    torture.prepare()
    torture.kill(asked.kills)
    for kind, count in sorted(torture.done.items()):
        print(f"{kind:<24} {count:>4}")
    print(f"{sum(torture.done.values())} kills, {len(torture.wrong)} courses with faults (seed {asked.seed}).")
    if torture.wrong:
        print(f"They are in {torture.folder}.")
        return 1
    shutil.rmtree(torture.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
