"""JupyterLab as a student meets it: on this machine only, at the start page, with nothing fetched from outside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from traitlets.config import PyFileConfigLoader

from tests.jupyterlab import Server, serve
from tests.repository import ROOT
from tools.lab import STUDENT_SETTINGS, arguments, student_environment


def test_it_serves_the_students_folder_to_this_machine_only(tmp_path: Path) -> None:
    """JupyterLab opens the start page of the student's folder on loopback, and chooses port and token itself."""
    assert arguments(tmp_path, opens=True, is_root=False) == [
        f"--ServerApp.root_dir={tmp_path}",
        "--LabApp.default_url=/lab/tree/start.md",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.answer_yes=True",
        "--Application.log_level=WARN",
    ]


@pytest.mark.parametrize(("opens", "expected"), [(True, False), (False, True)])
def test_no_browser_opens_when_none_is_wanted(tmp_path: Path, opens: bool, expected: bool) -> None:
    """`BENTOCOLA_OPEN=0` becomes JupyterLab's own option."""
    assert ("--no-browser" in arguments(tmp_path, opens=opens, is_root=False)) is expected


@pytest.mark.parametrize("is_root", [True, False])
def test_root_is_allowed_only_when_it_is_root(tmp_path: Path, is_root: bool) -> None:
    """JupyterLab's refusal to run as root is lifted for root, and for nobody else."""
    assert ("--allow-root" in arguments(tmp_path, opens=True, is_root=is_root)) is is_root


def test_this_machines_own_settings_still_count() -> None:
    """The student's settings come first, and a path that somebody has set comes after them."""
    environment = student_environment({"JUPYTER_CONFIG_PATH": "theirs", "HOME": "home"})

    assert environment == {"JUPYTER_CONFIG_PATH": f"{STUDENT_SETTINGS}{os.pathsep}theirs", "HOME": "home"}


@pytest.mark.parametrize("system", ["posix", "nt"])
def test_a_terminal_opens_in_the_labs_shell(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """A student's terminal runs the course's own command, with the course's Python. On Windows it stays Jupyter's."""
    loader = PyFileConfigLoader("jupyter_server_config.py", path=str(STUDENT_SETTINGS))
    monkeypatch.setattr(os, "name", system)
    settings = loader.load_config()["ServerApp"].get("terminado_settings", {})

    command = [sys.executable, "-m", "bentocola.cli", "lab", "terminal", "--jupyterlab"]
    assert settings == ({} if system == "nt" else {"shell_command": command})


def panels(area: dict[str, Any]) -> Iterator[str]:
    """Yield the names of what a part of a workspace's layout shows."""
    yield from area.get("widgets", [])
    for part in area.get("children", []):
        yield from panels(part)


@pytest.mark.parametrize("language", ["es", "ja"])
def test_a_workspace_opens_the_labs_three_panels(language: str) -> None:
    """Instructions, terminal and the view: the notebook beside the file, and what its cell with the view shows."""
    (file,) = ROOT.glob(f"lessons/{language}/*.jupyterlab-workspace")
    workspace = json.loads(file.read_text(encoding="utf-8"))
    notebook = file.with_suffix(".ipynb")
    cells = [cell.id for cell in nbformat.read(notebook, as_version=4).cells]
    path, index = f"{language}/{notebook.name}", cells.index("m05-lab-open")
    opened = {
        f"notebook:{path}": {"path": path, "factory": "Notebook"},
        f"terminal:lab05{language}": {"name": f"lab05{language}"},
        f"cloned-outputs:{path}:{index}": {"path": path, "index": index},
    }

    assert workspace["metadata"] == {"id": f"lab05-{language}"}
    layout = workspace["data"].pop("layout-restorer:data")
    assert workspace["data"] == {name: {"data": data} for name, data in opened.items()}
    assert list(panels(layout["main"]["dock"])) == list(opened)


@pytest.mark.slow
def test_it_ends_although_a_thread_still_waits() -> None:
    """Once JupyterLab has ended, a thread that waits for ever does not keep its process: nobody has to press Ctrl-C twice."""
    waiting = "lambda options: threading.Thread(target=threading.Event().wait).start()"
    code = f"import sys, threading; from tools import lab; lab.LabApp.launch_instance = {waiting}; sys.exit(lab.launch([]))"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60, check=False)

    assert ended.returncode == 0


def defaults(server: Server, plugin: str) -> dict[str, Any]:
    """Return the settings of a JupyterLab plugin as a new user has them."""
    schema = json.loads(server.get(f"lab/api/settings/@jupyterlab/{plugin}"))["schema"]
    return {name: entry.get("default") for name, entry in schema["properties"].items()}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab with the installed course, for a new user whose folder holds a start page."""
    home = tmp_path_factory.mktemp("home")
    (home / "start.md").write_text("# Start")
    with serve(home, home) as running:
        yield running


@pytest.mark.slow
def test_news_and_updates_are_off(server: Server) -> None:
    """Neither the page nor the server looks for news, updates or extensions."""
    page = server.get("lab/tree/start.md")
    configuration = json.loads(re.findall(r'<script id="jupyter-config-data".*?>(.*?)</script>', page, re.DOTALL)[0])
    notification = defaults(server, "apputils-extension:notification")

    assert configuration["news"] == {"disabled": True}
    assert configuration["extensionManager"]["can_install"] is False
    assert (notification["fetchNews"], notification["checkForUpdates"]) == ("false", False)
    assert defaults(server, "extensionmanager-extension:plugin")["enabled"] is False
    assert json.loads(server.get("lab/api/news")) == {"news": []}
    assert json.loads(server.get("lab/api/update")) == {"notification": None}


@pytest.mark.slow
def test_a_page_of_text_opens_to_be_read(server: Server) -> None:
    """The start page opens as a page, not as its source."""
    viewers = defaults(server, "docmanager-extension:plugin")["defaultViewers"]

    assert viewers == {"markdown": "Markdown Preview"}


@pytest.mark.slow
def test_a_student_does_not_see_the_teachers_menu(server: Server) -> None:
    """nbgrader's menu and its buttons stay away."""
    page = server.get("lab/tree/start.md")
    configuration = json.loads(re.findall(r'<script id="jupyter-config-data".*?>(.*?)</script>', page, re.DOTALL)[0])

    assert "@jupyter/nbgrader" in configuration["disabledExtensions"]


@pytest.mark.slow
def test_both_languages_can_be_chosen(server: Server) -> None:
    """JupyterLab itself speaks Spanish and Japanese."""
    languages = json.loads(server.get("lab/api/translations/"))["data"]

    assert {"es_ES", "ja_JP"} <= set(languages)
