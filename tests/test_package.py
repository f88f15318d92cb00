"""The package: what a wheel holds, whichever way it is built."""

from __future__ import annotations

import gettext
import io
import subprocess
import sys
import tomllib
import zipfile

import pytest

import bentocola
from tests.repository import ROOT, copy_repository

CATALOGUE = "bentocola/locales/{}/LC_MESSAGES/bentocola.mo"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a clone that has no compiled catalogue yet."""
    clone, built = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("built")
    copy_repository(clone)
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(built)]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = built.iterdir()
    return zipfile.ZipFile(path)


def test_wheel_has_both_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    """The course and the teacher's part are installed; tests, tools and sources of assignments are not."""
    tops = {name.partition("/")[0].partition("-")[0] for name in wheel.namelist()}

    assert tops == {"bentocola", "autograder"}


@pytest.mark.parametrize("language", ["es", "ja"])
def test_wheel_has_the_compiled_catalogue(wheel: zipfile.ZipFile, language: str) -> None:
    """A catalogue is compiled while the wheel is built, and its source stays behind."""
    catalogue = gettext.GNUTranslations(io.BytesIO(wheel.read(CATALOGUE.format(language))))

    assert catalogue.info()["language"] == language
    assert [name for name in wheel.namelist() if name.endswith((".po", ".pot"))] == []


def test_wheel_brings_the_jupyterlab_settings(wheel: zipfile.ZipFile) -> None:
    """The settings arrive where JupyterLab and nbconvert look for those of a package."""
    data = {name.partition(".data/data/")[2] for name in wheel.namelist()} - {""}

    assert data == {
        "etc/jupyter/jupyter_lab_config.json",
        "etc/jupyter/jupyter_nbconvert_config.json",
        "share/jupyter/lab/settings/overrides.d/bentocola.json",
        "share/jupyter/nbconvert/templates/feedback/mathjax.html.j2",
        "share/jupyter/nbconvert/templates/formgrade/mathjax.html.j2",
    }


def test_wheel_draws_the_views_and_gives_the_labs(wheel: zipfile.ZipFile) -> None:
    """The views' module and each lab's data are in the wheel; what the module is made from stays behind."""
    names = set(wheel.namelist())
    labs = {path.parent.name for path in ROOT.glob("bentocola/labs/*/lab.toml")}

    assert "bentocola/views/static/views.mjs" in names
    assert labs
    for lab in labs:
        given = {f"bentocola/labs/{lab}/{name}" for name in ("lab.toml", "starter/app.py.txt")}
        assert given <= names
    assert [name for name in names if name.startswith("bentocola/views/source/") or "node_modules" in name] == []


def test_package_and_metadata_agree_on_the_version() -> None:
    """What `bentocola.__version__` says is what gets installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert bentocola.__version__ == project["version"]
