"""What `make setup` says: a student reads it too, and in their language."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.repository import ROOT

SETUP = ROOT / "tools" / "setup.sh"


def test_without_python_it_says_so_in_each_language(tmp_path: Path) -> None:
    """Where no Python 3.11 is, a line in English, Spanish and Japanese says which one to install; nothing is made."""
    tools = tmp_path / "course" / "tools"
    tools.mkdir(parents=True)
    shutil.copy(SETUP, tools)
    (tmp_path / "bin").mkdir()
    for name in ("bash", "dirname"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    command = [str(tmp_path / "bin" / "bash"), str(tools / "setup.sh"), "installed"]
    environment = {**os.environ, "PATH": str(tmp_path / "bin")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)

    english, spanish, japanese = done.stderr.splitlines()
    assert done.returncode == 1
    assert english.startswith("The course needs Python 3.11")
    assert spanish.startswith("El curso necesita Python 3.11")
    assert japanese.startswith("この講座にはPython 3.11")
    assert [path.name for path in (tmp_path / "course").iterdir()] == ["tools"]


def test_each_sentence_is_said_in_each_language() -> None:
    """Every sentence comes with its Spanish and its Japanese; what is said in English alone is a detail of one word."""
    text = SETUP.read_text(encoding="utf-8")
    said = re.findall(r'^ *say ((?:"[^"]*"[ \\\n]*)+)', text, re.MULTILINE)

    assert len(said) == 4
    for sentences in said:
        english, spanish, japanese = re.findall(r'"([^"]*)"', sentences)
        assert english.isascii()
        assert re.search(r"[a-z]", spanish)
        assert re.search(r"[ぁ-ん]", japanese)
    assert re.findall(r'echo "(.*)"', text) == ["  unpacking", "  .venv"]
