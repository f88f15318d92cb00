"""Folders of killed processes: they are swept, and nobody else's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bentocola.cloud import leftovers
from bentocola.cloud.functions.processes import Processes
from tests.cloud.deployed import Answers

pytest.importorskip("fcntl")

HOLDER = "import sys; from bentocola.cloud import leftovers; leftovers.hold(sys.argv[1]); print(flush=True); input()"


def test_folder_goes_with_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it lives, the folder stays; once it was killed, the next start takes it away, with all that is in it."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    folder = tmp_path / "bentocola-x"
    (folder / "task-y").mkdir(parents=True)
    (folder / "task-y" / "app.py").write_text("mine")
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    leftovers.sweep()
    assert (folder / "task-y" / "app.py").exists()
    process.kill()
    process.communicate()
    leftovers.sweep()

    assert not folder.exists()


def test_what_nobody_held_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without the mark, and one that a link leads to."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    (tmp_path / "bentocola-0").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / ".held").touch()
    (tmp_path / "bentocola-link").symlink_to(tmp_path / "elsewhere")
    leftovers.sweep()

    assert (tmp_path / "bentocola-0").exists()
    assert (tmp_path / "elsewhere" / ".held").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="Counts descriptors as Linux lists them.")
def test_starts_and_ends_leave_no_descriptor_open() -> None:
    """A notebook starts its cloud again and again."""
    counts = []
    for _ in range(4):
        runtime = Processes(Answers())
        runtime.prepare()
        runtime.close()
        counts.append(len(list(Path("/proc/self/fd").iterdir())))

    assert counts[1:] == [counts[1]] * 3
