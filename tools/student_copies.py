"""Makes the student's copies of the course in `course/`, and never overwrites a student's work there.

It reads `lessons/` and `assignments/` and writes into `course/` only. Lessons are copied as they are; an assignment is
released by nbgrader, so that no solution and no hidden test comes along. A file that is still as it was handed out is
brought up to date. One that has changed is somebody's work: the new version goes beside it, as `name (2).ipynb`.

`make lab` and Binder call it. Binder has no other file of this folder, so it imports none.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
LANGUAGES = ("es", "ja")
MEMORY = ".handed-out.json"

# What a student reads, in every language: at this moment nobody knows which one is theirs.
UPDATED = (
    "Hay una versión nueva de {path}. No habías cambiado la tuya, así que ya quedó al día.",
    "{path}の新しい版がありました。まだ書き込みがなかったので、入れかえておきました。",
)
SET_BESIDE = (
    "Hay una versión nueva de {path}. Tu trabajo sigue ahí, tal como lo dejaste; la nueva está al lado, en «{beside}».",
    "{path}の新しい版があります。書いたものはそのまま残してあります。新しい版は、となりの「{beside}」です。",
)
NOT_RELEASED = (
    "No se pudieron preparar las tareas de {folder}. nbgrader explica por qué:",
    "{folder}の課題を用意できませんでした。nbgraderが示した理由は次のとおりです。",
)
NOT_WRITTEN = (
    "No se pudo escribir en la carpeta {folder}: {reason}. Lo que ya estaba ahí sigue intacto.",
    "{folder}フォルダーに書き込めませんでした（{reason}）。すでにあるファイルはそのままです。",
)


class ReleaseError(Exception):
    """nbgrader could not release the assignments of a course. The message says which, and holds nbgrader's reason."""


class Course:
    """The student's folder, and the memory of what was handed out there.

    A file is written aside and renamed, and the memory is written after it. So an interruption at any point leaves
    whole files, and the next run sees from the files themselves what the memory missed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            memory = json.loads((folder / MEMORY).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            memory = {}
        # For each file that was written here, its digest at that moment; for each file of the course, the digest of the
        # newest version handed out or set beside; for each assignment, the digest of the source its copy was made from.
        self.given: dict[str, str] = memory.get("given", {})
        self.newest: dict[str, str] = memory.get("newest", {})
        self.sources: dict[str, str] = memory.get("sources", {})

    def hand_out(self, path: str, content: bytes) -> tuple[str, ...]:
        """Bring `path` up to date, or set the new version beside somebody's work; return what to tell the student."""
        lines: tuple[str, ...] = ()
        if self._is_free(path, content):
            if (self.folder / path).exists() and self.given.get(path) != digest(content):
                lines = tuple(line.format(path=path) for line in UPDATED)
            self._put(path, content)
        elif self.newest.get(path) != digest(content):
            beside = next(name for name in names_beside(path) if self._is_free(name, content))
            lines = tuple(line.format(path=path, beside=PurePosixPath(beside).name) for line in SET_BESIDE)
            self._put(beside, content)
        self.newest[path] = digest(content)
        self.remember()
        return lines

    def has_copies(self, folder: str) -> bool:
        """Return whether every file that was handed out under `folder` is still there, changed or not."""
        return all((self.folder / path).exists() for path in self.newest if path.startswith(f"{folder}/"))

    def remember(self) -> None:
        """Write the memory."""
        memory = {"given": self.given, "newest": self.newest, "sources": self.sources}
        write_whole(self.folder / MEMORY, json.dumps(memory, ensure_ascii=False, indent=1, sort_keys=True).encode())

    def _is_free(self, path: str, content: bytes) -> bool:
        """Return whether nobody's work stands at `path`: nothing, what we left there, or `content` already."""
        target = self.folder / path
        if not target.exists():
            return True
        return target.is_file() and digest(target.read_bytes()) in {self.given.get(path), digest(content)}

    def _put(self, path: str, content: bytes) -> None:
        target = self.folder / path
        if not target.exists() or target.read_bytes() != content:
            write_whole(target, content)
        self.given[path] = digest(content)


def digest(content: bytes) -> str:
    """Return the name by which two equal contents are known to be equal."""
    return hashlib.sha256(content).hexdigest()


def names_beside(path: str) -> Iterator[str]:
    """Yield `a/b (2).ipynb`, `a/b (3).ipynb`, … for `a/b.ipynb`, as file managers name a second copy."""
    name = PurePosixPath(path)
    return (str(name.with_stem(f"{name.stem} ({number})")) for number in itertools.count(2))


def write_whole(target: Path, content: bytes) -> None:
    """Write `target` so that it holds either what it held before or all of `content`, whatever happens meanwhile."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def files(folder: Path) -> Iterator[Path]:
    """Yield the files under `folder` in order, without compiled Python and hidden ones (Jupyter's checkpoints are)."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
            yield path


def source_digests(home: Path) -> dict[str, str]:
    """Return, for each assignment of the nbgrader course in `home`, a digest of all that its release depends on."""
    assignments = sorted({notebook.parent for notebook in (home / "source").glob("*/*.ipynb")})
    digests = {}
    for assignment in assignments:
        lines = [f"nbgrader {version('nbgrader')}"]
        for path in [*home.glob("nbgrader_config.py"), *files(assignment)]:
            lines.append(f"{path.relative_to(home).as_posix()} {digest(path.read_bytes())}")
        digests[assignment.name] = digest("\n".join(lines).encode())
    return digests


def release(home: Path, temporary: Path) -> Path:
    """Let nbgrader release every assignment of the course in `home`, without touching its gradebook; return the folder.

    The course's own `nbgrader_config.py` counts, this machine's Jupyter configuration does not. Raises `ReleaseError`.
    """
    destination = temporary / "released"
    command = [
        *(sys.executable, "-m", "nbgrader", "generate_assignment", "--no-db"),
        "--CourseDirectory.assignment_id=*",
        f"--CourseDirectory.root={home}",
        f"--CourseDirectory.release_directory={destination}",
    ]
    # Without configuration, Jupyter makes a folder for temporary files and leaves it; so it gets one that goes away.
    folders = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    environment = os.environ | folders | {"JUPYTER_NO_CONFIG": "1"}
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        folder = f"{home.parent.name}/{home.name}"
        raise ReleaseError("\n".join([*(line.format(folder=folder) for line in NOT_RELEASED), done.stderr.strip()]))
    return destination


def newer_files(root: Path, course: Course) -> Iterator[tuple[str, bytes]]:
    """Yield what to hand out: its path in the student's folder, and its content. Assignments come when they are due."""
    yield "start.md", (root / "lessons" / "start.md").read_bytes()
    for language in LANGUAGES:
        lessons = root / "lessons" / language
        for path in files(lessons):
            yield f"{language}/{path.relative_to(lessons).as_posix()}", path.read_bytes()
        home = root / "assignments" / language
        folder = f"{language}/assignments"
        sources = {f"{folder}/{name}": source for name, source in source_digests(home).items()}
        if all(course.sources.get(name) == source and course.has_copies(name) for name, source in sources.items()):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            released = release(home, Path(temporary))
            for path in files(released):
                yield f"{folder}/{path.relative_to(released).as_posix()}", path.read_bytes()
        course.sources.update(sources)
        course.remember()


def make(root: Path) -> Iterator[str]:
    """Bring `course/` under `root` up to date, and yield the lines that tell the student what happened to their files.

    Raises `ReleaseError` when nbgrader refuses an assignment, and `OSError` when the folder cannot be written.
    """
    course = Course(root / "course")
    for path, content in newer_files(root, course):
        yield from course.hand_out(path, content)


def main() -> int:
    """Make the student's copies in this repository, and return the exit status."""
    try:
        for line in make(ROOT):
            print(line)
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print("\n".join(line.format(folder="course", reason=error) for line in NOT_WRITTEN), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
