"""The pins: one set of versions, said in three files for pip, conda and Binder."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repository import ROOT
from tools.lock import environment, pins

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def entries() -> list[str]:
    """Return the entries of the lock, each with its hashes and without comments."""
    logical_lines = re.sub(r"^ *#.*\n", "", LOCK, flags=re.MULTILINE).replace("\\\n", " ")
    return [line for line in logical_lines.splitlines() if line.strip()]


def locked() -> list[Requirement]:
    """Return the requirements of the lock, read without the help of the tool that wrote the environment files."""
    return [Requirement(entry.partition(" --hash=")[0]) for entry in entries()]


@pytest.mark.parametrize("name", ["environment.yml", "binder/environment.yml"])
def test_environment_file_has_the_pins_of_the_lock(name: str) -> None:
    """An environment file holds Python 3.11 and exactly the names, versions and markers of the lock."""
    content = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
    python, pip, packages = content["dependencies"]

    assert (content["name"], content["channels"]) == ("bentocola", ["conda-forge"])
    assert (python, pip) == ("python=3.11", "pip")
    assert [str(Requirement(line)) for line in packages["pip"]] == [str(requirement) for requirement in locked()]


def test_environment_files_are_equal() -> None:
    """Binder reads its own copy, and it says the same."""
    assert (ROOT / "binder/environment.yml").read_bytes() == (ROOT / "environment.yml").read_bytes()


def test_every_entry_has_a_hash() -> None:
    """No entry of the lock comes without a hash, and each pins one version."""
    without = [entry for entry in entries() if not re.search(r" --hash=sha256:[0-9a-f]{64}\b", entry)]
    unpinned = [str(requirement) for requirement in locked() if not str(requirement.specifier).startswith("==")]

    assert (without, unpinned) == ([], [])


@pytest.mark.parametrize("name", ["requirements.lock", "environment.yml", "binder/environment.yml"])
def test_pins_name_no_address(name: str) -> None:
    """No pin says where it comes from: no address, no host, no index option, no path."""
    text = (ROOT / name).read_text(encoding="utf-8")

    assert re.findall(r"\w+://|\w\.(?:com|io|net|org)\b|--(?!hash=)\w+|^-\w.*| @ ", text, flags=re.MULTILINE) == []


def test_lock_satisfies_the_project() -> None:
    """Every dependency in pyproject.toml, extras included, is in the lock at a version that it allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
    versions = {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in locked()}
    names = {line: canonicalize_name(Requirement(line).name) for line in wanted}
    unmet = [
        line
        for line, name in names.items()
        if name not in versions or not Requirement(line).specifier.contains(versions[name])
    ]

    assert unmet == []


def test_pins_keep_their_markers() -> None:
    """A pin is the requirement alone: hashes and comments fall away, the marker stays."""
    lock = "a-b==1.0 ; os_name == 'nt' \\\n    --hash=sha256:00\n    # via c\nc==2.0 \\\n    --hash=sha256:11\n"

    assert pins(lock) == ["a-b==1.0 ; os_name == 'nt'", "c==2.0"]
    assert environment(pins(lock)).endswith("  - pip:\n      - a-b==1.0 ; os_name == 'nt'\n      - c==2.0\n")
