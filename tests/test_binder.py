"""Binder: which environment the image has, what goes into it, and what its two scripts do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import ROOT, binder_context, copy_repository


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of this repository."""
    clone = tmp_path_factory.mktemp("clone")
    copy_repository(clone)
    return clone


@pytest.fixture(scope="module")
def context(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that go into the image."""
    return binder_context(repository, tmp_path_factory.mktemp("context"))


@pytest.mark.slow
def test_binder_uses_its_own_environment_file(repository: Path) -> None:
    """repo2docker makes the environment from binder/environment.yml, and runs postBuild and start."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "binder/environment.yml"' in done.stdout
    assert "src/environment.yml" not in done.stdout
    assert "RUN ./binder/postBuild" in done.stdout
    assert 'ENV R2D_ENTRYPOINT="${REPO_DIR}/binder/start"' in done.stdout


def test_only_what_is_named_goes_into_the_image(context: Path) -> None:
    """The ignore file is in force: no git objects, no tests, no guides, nothing that it does not name."""
    assert {path.name for path in context.iterdir()} == {
        *("assignments", "bentocola", "binder", "jupyterlab-settings", "lessons", "tools"),
        *("LICENSE", "README.md", "hatch_build.py", "pyproject.toml"),
    }
    assert [path.name for path in (context / "tools").iterdir()] == ["student_copies.py"]


def test_the_image_has_the_views_and_not_what_builds_them(repository: Path, tmp_path: Path) -> None:
    """The bundle goes in; its sources stay out, and so do the tools that `make views` has put beside them."""
    tools = repository / "bentocola" / "views" / "source" / "node_modules" / "esbuild"
    tools.mkdir(parents=True)
    (tools / "package.json").write_text("{}")
    views = binder_context(repository, tmp_path) / "bentocola" / "views"

    assert (views / "static" / "views.mjs").is_file()
    assert not (views / "source").exists()


def test_what_a_teacher_s_commands_leave_stays_out(repository: Path, tmp_path: Path) -> None:
    """An image built where somebody has graded holds no submission, no grade and no release."""
    home = repository / "assignments" / "es"
    for name in ("submitted/ana/01/01.ipynb", "autograded/ana/01/01.ipynb", "feedback/ana/01/01.html", "gradebook.db"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("somebody's")
    context = binder_context(repository, tmp_path)

    assert {path.name for path in (context / "assignments" / "es").iterdir()} == {"nbgrader_config.py", "source"}


@pytest.mark.parametrize("script", ["postBuild", "start"])
def test_scripts_can_be_executed(script: str) -> None:
    """Docker runs a script only if it has the executable bit."""
    assert os.access(ROOT / "binder" / script, os.X_OK)


def test_the_server_starts_in_the_students_folder(tmp_path: Path) -> None:
    """start hands over to the server's command, arguments and all, in course/."""
    (tmp_path / "course").mkdir()
    command = [str(ROOT / "binder" / "start"), "sh", "-c", 'pwd; echo "$1"', "sh", "two words"]
    done = subprocess.run(
        command, env={**os.environ, "REPO_DIR": str(tmp_path)}, capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines() == [str(tmp_path / "course"), "two words"]


def test_post_build_refuses_a_git_repository(repository: Path) -> None:
    """Run by mistake among somebody's files, postBuild removes nothing and says why."""
    command = [str(repository / "binder" / "postBuild")]
    done = subprocess.run(
        command, env={**os.environ, "REPO_DIR": str(repository)}, capture_output=True, text=True, check=False
    )

    assert (done.returncode, "git repository" in done.stderr) == (1, True)
    assert (repository / "pyproject.toml").exists()


def test_post_build_refuses_to_run_outside_binder(repository: Path) -> None:
    """Without Binder's REPO_DIR it does not guess a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "REPO_DIR"}
    done = subprocess.run(
        [str(repository / "binder" / "postBuild")],
        cwd=repository,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode != 0, "Only Binder runs postBuild" in done.stderr) == (True, True)
    assert (repository / "pyproject.toml").exists()
