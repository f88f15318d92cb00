"""The store of records under `<course>/.autograder/`: digests, whole writes, the lock of the one run. It makes a run resumable.

Layout: `ASSIGNMENT/STUDENT/NOTEBOOK.json` is a record, and stands there only once the notebook is under `autograded/` and its
scores are in the gradebook; `ASSIGNMENT/.paper.json` is the prepared assignment; `.work/` is thrown away at the next start.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import json
import os
import platform
import re
import secrets
import shutil
import socket
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder import secret
from autograder.records import SCHEMA, Limits, Record
from autograder.voice import Stop

__all__ = [
    "Store",
    "digest_of_environment",
    "digest_of_folder",
    "digest_of_settings",
    "is_disk_full",
    "is_refused",
    "join_digests",
    "read_record",
    "remove_tree",
    "swap_in",
    "throw_away",
    "write_whole",
]

_HASHED_WHOLE = 256 << 20
"""A larger file is known by its size and its first bytes: no submission of that size is graded anyway."""
_UNFINISHED = re.compile(r"\..+\.\d+")
"""The name of a file that is being written, as `write_whole` and `paper.write` choose it."""
_FULL = (errno.ENOSPC, errno.EDQUOT)


class Store:
    """The records of one course. All paths are below `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # A run's own: what a killed one's last process may still write goes elsewhere.
        self.work = folder / ".work" / f"{os.getpid()}-{secrets.token_hex(4)}"

    def paper(self, assignment: str) -> Path:
        """Where the prepared assignment is kept."""
        return self.folder / _safe(assignment) / ".paper.json"

    def preflight(self, assignment: str) -> Path:
        """Where it is kept which tests cannot run apart."""
        return self.folder / _safe(assignment) / ".preflight.json"

    def path(self, assignment: str, student: str, notebook: str) -> Path:
        """Where a record is kept."""
        return self.folder / _safe(assignment) / _safe(student) / f"{_safe(notebook)}.json"

    def read(self, assignment: str, student: str, notebook: str) -> Record | None:
        """Return the record, or None where there is none of this schema."""
        return read_record(self.path(assignment, student, notebook))

    def write(self, record: Record) -> None:
        """Keep a record: whole on disk, or not at all."""
        path = self.path(record.assignment, record.student, record.notebook)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(record.as_json(), ensure_ascii=False, indent=1, sort_keys=True)
        write_whole(path, text.encode("utf-8", "backslashreplace"))

    def students(self, assignment: str) -> list[str]:
        """The students that have a record, sorted."""
        folder = self.folder / _safe(assignment)
        return sorted(_unsafe(path.name) for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []

    def room(self, assignment: str, student: str) -> Path:
        """Make an empty folder for one worker, and return it."""
        parent = self.work / _safe(assignment)
        parent.mkdir(parents=True, exist_ok=True)
        folder = parent / _safe(student)
        folder.mkdir(mode=0o700)
        return folder

    @contextlib.contextmanager
    def one_run(self, assignment: str) -> Iterator[None]:
        """Hold the course for this process. Raises Stop, with who holds it, if another run does; a killed one holds nothing."""
        from filelock import FileLock, Timeout

        holder = self.folder / ".running.json"
        self.folder.mkdir(exist_ok=True)
        lock = FileLock(self.folder / ".lock")
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            who = _holder(holder)
            raise Stop(
                lambda say: say(
                    "Another run is grading {assignment} in this course: process {process} on {host}. Wait until it ends.",
                    assignment=who.get("assignment", "?"),
                    process=who.get("process", "?"),
                    host=who.get("host", "?"),
                )
            ) from error
        try:
            said = {"assignment": assignment, "process": os.getpid(), "host": socket.gethostname()}
            self._discard_unfinished()
            write_whole(holder, json.dumps(said).encode())
            throw_away(self.work.parent)
            yield
            holder.unlink(missing_ok=True)
            throw_away(self.work.parent)
        finally:
            lock.release()

    def _discard_unfinished(self) -> None:
        """Remove what a killed run had begun to write: the next write has a name of its own, and would leave it."""
        for path in self.folder.glob("**/.*"):
            if _UNFINISHED.fullmatch(path.name) and path.is_file():
                path.unlink(missing_ok=True)


def read_record(path: Path) -> Record | None:
    """Return the record in a file, or None where there is none, or one of another schema."""
    try:
        return Record.from_json(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        return None


def write_whole(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Write a file so that, whenever the machine stops, it is whole or as it was before."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def swap_in(new: Path, place: Path, old: Path) -> None:
    """Put the folder `new` where `place` is; what was there is moved to `old`, and removed.

    Killed in between, `place` is missing or whole: never half of one and half of the other. All three are on one file system.
    """
    for folder, _, files in os.walk(new, topdown=False):
        for name in files:
            _sync(Path(folder, name))
        _sync(Path(folder))
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        os.rename(place, old)
    os.rename(new, place)
    _sync(place.parent)
    if old.exists():
        remove_tree(old)


def remove_tree(folder: Path) -> None:
    """Remove a folder, also one with files and folders that may only be read."""
    for inner, _, files in os.walk(folder):
        with contextlib.suppress(OSError):
            os.chmod(inner, 0o700)
        if sys.platform == "win32":
            for name in files:
                os.chmod(os.path.join(inner, name), stat.S_IWRITE)
    shutil.rmtree(folder)


def throw_away(folder: Path) -> None:
    """Remove a folder of work, as far as that goes: the rest is removed at the next start."""
    with contextlib.suppress(OSError):
        if folder.exists():
            remove_tree(folder)


def is_disk_full(error: BaseException | None) -> bool:
    """Whether an error, or one that it came from, says that the disk (or the user's share of it) is full."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        # sqlite3 has an error of its own for it, and SQLAlchemy wraps that in `orig`.
        original = getattr(error, "orig", None) or error
        if "database or disk is full" in str(original) or getattr(original, "sqlite_errorname", "") == "SQLITE_FULL":
            return True
        error = error.__cause__ or error.__context__
    return False


def is_refused(error: BaseException) -> bool:
    """Whether an error says that this user may not write there, or nobody may."""
    if isinstance(error, OSError):
        return error.errno in (errno.EACCES, errno.EROFS, errno.EPERM)
    return "readonly database" in str(getattr(error, "orig", error))


def digest_of_folder(folder: Path) -> str:
    """Return a SHA-256 of what a student handed in: each name with its kind, and each file's bytes. No link is followed."""
    digest = hashlib.sha256()
    for path in _entries(folder):
        status = os.lstat(path)
        name = os.fsencode(path.relative_to(folder).as_posix())
        kind = stat.S_IFMT(status.st_mode)
        digest.update(b"%d %d " % (kind, len(name)) + name)
        if stat.S_ISLNK(status.st_mode):
            digest.update(os.fsencode(os.readlink(path)))
        elif stat.S_ISREG(status.st_mode):
            digest.update(b"%d " % status.st_size)
            try:
                with path.open("rb") as file:
                    if status.st_size <= _HASHED_WHOLE:
                        digest.update(hashlib.file_digest(file, "sha256").digest())
                    else:
                        digest.update(file.read(1 << 20))
            except PermissionError:
                digest.update(b"unreadable")
    return digest.hexdigest()


def _entries(folder: Path) -> Iterator[Path]:
    for inner, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted([*folders, *files]):
            yield Path(inner, name)


@functools.cache
def digest_of_environment() -> str:
    """Return a SHA-256 of what runs: Python, the installed packages with their versions, and this project's own code."""
    digest = hashlib.sha256(f"{platform.python_implementation()} {sys.version} {platform.machine()}".encode())
    # The folder's name has the version in it; reading each package's metadata would take twenty times as long.
    installed = {
        entry.name
        for folder in sys.path
        if folder and os.path.isdir(folder)
        for entry in os.scandir(folder)
        if entry.name.endswith((".dist-info", ".egg-info"))
    }
    digest.update("\n".join(sorted(installed)).encode())
    ours = Path(__file__).parents[1]
    for package in ("autograder", "bentocola"):
        for path in sorted((ours / package).rglob("*.py")):
            digest.update(path.relative_to(ours).as_posix().encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def digest_of_settings(limits: Limits, level: str, exclude: Iterable[str]) -> str:
    """Return a SHA-256 of what a score may depend on besides code: limits, the secret, whether students' code was jailed."""
    protection = "jailed" if level in ("A", "B") else level
    said: dict[str, Any] = {
        "limits": asdict(limits),
        "protection": protection,
        "exclude": sorted(exclude),
        "secret": secret.fingerprint(),
        "schema": SCHEMA,
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def join_digests(parts: dict[str, str]) -> str:
    """Return one digest of several, by name."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _holder(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _sync(path: Path) -> None:
    """Have the disk keep a file, or a folder's list of names, before what follows."""
    if sys.platform == "win32":  # no handle of a folder there
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _safe(name: str) -> str:
    """Return a name for a file: a leading "." or "%" and what no file system takes is written with "%"."""
    kept = "".join(f"%{ord(c):02x}" if c in '%/\\:*?"<>|' or ord(c) < 32 else c for c in name)
    return f"%2e{kept[1:]}" if kept.startswith(".") else kept


def _unsafe(name: str) -> str:
    from urllib.parse import unquote

    return unquote(name)
