"""This repository as tests see it: its files, a copy, what Binder makes of it. Only the given folders are changed."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from repo2docker.app import Repo2Docker

ROOT = Path(__file__).parents[1]


def committed_files(root: Path = ROOT) -> list[Path]:
    """Return the files that git holds or would take in, relative to `root`."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    paths = [Path(name) for name in listed.split("\0") if name]
    return [path for path in paths if (root / path).is_file()]


def copy_repository(destination: Path) -> None:
    """Make `destination` a git repository of its own, with every committed file in its one commit."""
    for path in committed_files():
        (destination / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, destination / path)
    identity = ["-c", "user.name=A test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"]
    for command in (["init", "--quiet"], ["add", "--all"], [*identity, "commit", "--quiet", "--message", "All"]):
        subprocess.run(["git", *command], cwd=destination, check=True)


class _Recorder:
    """Stands where Docker would, and unpacks what it is sent."""

    def __init__(self, destination: Path) -> None:
        self.destination = destination

    def build(self, *, fileobj: IO[bytes], **options: object) -> Iterator[str]:
        with tarfile.open(fileobj=fileobj) as archive:
            archive.extractall(self.destination)
        return iter(())


def binder_context(repository: Path, destination: Path) -> Path:
    """Unpack what repo2docker sends to Docker for `repository`; return the folder that becomes the student's home."""
    with contextlib.chdir(repository):
        candidates = (kind(base_image="none") for kind in Repo2Docker().buildpacks)
        buildpack = next(candidate for candidate in candidates if candidate.detect())
        buildpack.platform = "linux/amd64"
        for _ in buildpack.build(_Recorder(destination), "image", 0, {"NB_UID": "1000"}, [], {}):
            pass
    return destination / "src"
