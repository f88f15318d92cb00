"""What a run leaves: its processes, which are adopted here, and its files, as what can be compared. Linux only."""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.autograder.test_results import TABLES, tree

SECONDS_TO_END = 20
"""What the processes of a killed run may take to end, on a machine that is busy."""
_PR_SET_CHILD_SUBREAPER = 36


def parents() -> dict[int, int]:
    """Return each process's parent."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path("/proc", entry, "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            found[int(entry)] = int(stat.rpartition(")")[2].split()[1])
    return found


def below(pid: int) -> list[int]:
    """Return all processes that come from one, nearest first."""
    every = parents()
    found = [pid]
    for one in found:
        found += [child for child, parent in every.items() if parent == one]
    return found[1:]


def _said_to_be(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def strike(main: int, victim: str) -> bool:
    """Kill it; whether it was there."""
    every = parents()
    nursery = [pid for pid in below(main) if every.get(pid) == main and "nursery_process" in _said_to_be(pid)]
    if victim == "main":
        return _kill(main)
    if victim == "everything":
        return [_kill(pid) for pid in (main, *below(main))][0]
    if victim == "group":
        struck = _kill(-main)
        for pid in nursery:
            _kill(-pid)
        return struck
    if victim == "nursery":
        return any(_kill(pid) for pid in nursery)
    invigilators = [pid for pid, parent in every.items() if parent in nursery]
    return any(_kill(pid) for pid in invigilators)


def _kill(pid: int) -> bool:
    try:
        (os.killpg if pid < 0 else os.kill)(abs(pid), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def adopt() -> None:
    """Let what is left of a killed run become this process's children."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})


def survivors(seconds: float = SECONDS_TO_END) -> list[str]:
    """Wait until no process of a run is left, `seconds` at the most; return what is left."""
    end = time.monotonic() + seconds
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return []
        if time.monotonic() >= end:
            return [f"{pid} {_said_to_be(pid)}" for pid in below(os.getpid())]
        signal.sigtimedwait({signal.SIGCHLD}, 0.05)


# What is there after a run

_ADDRESS = re.compile(rb"0x[0-9a-f]{6,}")


def result_of(course: Path) -> dict[str, Any]:
    """Return all that a run leaves, as what can be compared: rows, records without times, files, and names of all else."""
    with closing(sqlite3.connect(course / "gradebook.db")) as book:
        assert list(book.execute("PRAGMA integrity_check")) == [("ok",)]
        rows = [sorted(book.execute(query), key=repr) for query in TABLES]
    ours = course / ".autograder"
    records = {}
    for path in sorted(ours.glob("*/*/*.json")):
        record = json.loads(path.read_bytes())
        record.pop("ran")
        records[path.relative_to(ours).as_posix()] = record
    files = {name: (_ADDRESS.sub(b"0x", data), mode) for name, (data, mode) in tree(course / "autograded").items()}
    for folder in sorted((course / "autograded").rglob("*")):
        if folder.is_dir():
            files[folder.relative_to(course / "autograded").as_posix() + "/"] = (b"", 0)
    names = sorted(path.relative_to(course).as_posix() for path in course.rglob("*") if not path.is_dir())
    return {
        "gradebook": rows,
        "records": records,
        "autograded": files,
        "names": names,
        "folders": sorted(path.relative_to(ours).as_posix() for path in ours.rglob("*") if path.is_dir()),
    }


def differences(one: Any, other: Any, where: str = "") -> Iterator[str]:
    """Yield where two results differ, in a line each."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            yield from differences(one.get(key), other.get(key), f"{where}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and where in ("/names", "/folders"):
        for name in sorted({*one} ^ {*other}):
            yield f"{where}: {name} is {'left over' if name in one else 'missing'}"
    elif one != other:
        yield f"{where}: {str(one)[:2000]} != {str(other)[:2000]}"


def mounts(folder: Path) -> list[str]:
    """Return what is mounted below a folder."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        line.split()[4] for line in lines if line.split()[4].startswith(f"{folder}/") or "autograder" in line.split()[4]
    ]
