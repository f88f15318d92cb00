"""The workflow that publishes the site: it parses, calls what this repository has, and may do no more than it has to."""

from __future__ import annotations

import re
import shlex
import tomllib
from typing import Any

import pytest
import yaml

from preview.command import ROOT as SITES_ROOT
from preview.command import main
from tests.repository import ROOT

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PREVIEW = ROOT / ".github" / "workflows" / "preview.yml"
OFFICIAL = re.compile(r"actions/[a-z-]+@v\d+")


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of all jobs, in their order."""
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands(workflow: dict[str, Any]) -> list[list[str]]:
    """Return what its steps run, as words, a line each."""
    return [shlex.split(line) for step in steps(workflow) for line in step.get("run", "").splitlines()]


@pytest.fixture(scope="module")
def workflow() -> dict[str, Any]:
    """It, read."""
    read: dict[str, Any] = yaml.safe_load(PREVIEW.read_text(encoding="utf-8"))
    return read


def test_it_is_the_only_workflow() -> None:
    """Another one needs tests of its own."""
    assert FILES == [PREVIEW]


def test_it_runs_for_main_and_by_hand(workflow: dict[str, Any]) -> None:
    """Never for what somebody else proposes."""
    assert workflow["on"] == {"push": {"branches": ["main"]}, "workflow_dispatch": None}


def test_it_may_do_no_more_than_it_has_to(workflow: dict[str, Any]) -> None:
    """The job that runs the repository's code and other people's packages can write nowhere; no job sees a secret."""
    assert workflow["permissions"] == {"contents": "read"}
    assert {name: job["permissions"] for name, job in workflow["jobs"].items()} == {
        "build": {"contents": "read", "pages": "read"},
        "deploy": {"pages": "write", "id-token": "write"},
    }
    assert not any("run" in step for step in workflow["jobs"]["deploy"]["steps"])
    assert "secrets" not in PREVIEW.read_text(encoding="utf-8")
    checkouts = [step for step in steps(workflow) if "checkout" in step.get("uses", "")]
    assert [step["with"]["persist-credentials"] for step in checkouts] == [False]


def test_a_command_holds_no_expression(workflow: dict[str, Any]) -> None:
    """What comes from outside comes in a variable: it cannot become a part of the command."""
    assert not any("${{" in step.get("run", "") for step in steps(workflow))


def test_its_actions_are_the_host_s_own(workflow: dict[str, Any]) -> None:
    """At a major version each."""
    used = [step["uses"] for step in steps(workflow) if "uses" in step]

    assert all(OFFICIAL.fullmatch(one) for one in used)
    assert [one.partition("@")[0].removeprefix("actions/") for one in used] == [
        *("checkout", "setup-python", "configure-pages", "upload-pages-artifact", "deploy-pages")
    ]


def test_its_commands_exist(workflow: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """The targets of `make`, the program that the package installs, its options."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    for program, *arguments in commands(workflow):
        if program == "make":
            assert all(re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE) for target in arguments)
            continue
        assert program.startswith(".venv/bin/")
        assert program.removeprefix(".venv/bin/") in scripts
        assert arguments[0] == "preview"
        with pytest.raises(SystemExit):
            main([arguments[1], "--help"])
        told = capsys.readouterr().out
        assert all(one in told for one in arguments if one.startswith("--"))


def test_it_publishes_what_it_makes(workflow: dict[str, Any]) -> None:
    """The folder into which the site is made when nobody names another, for the path at which it will stand."""
    (build,) = [words for words in commands(workflow) if "preview" in words]
    (upload,) = [step for step in steps(workflow) if "upload" in step.get("uses", "")]

    assert "--out" not in build
    assert SITES_ROOT == ROOT
    assert upload["with"] == {"path": "site"}
    assert build[build.index("--base-url") + 1] == "$BASE_PATH/"


def test_it_has_the_course_s_python(workflow: dict[str, Any]) -> None:
    """The one that `make setup` looks for."""
    (python,) = [step["with"]["python-version"] for step in steps(workflow) if "python" in step.get("uses", "")]

    assert f"is_python_{python.replace('.', '')}()" in (ROOT / "tools" / "setup.sh").read_text(encoding="utf-8")
