"""`bentocola preview`: it leads to the site's command in the course's folder, and says what is missing elsewhere."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from bentocola.cli.main import main
from bentocola.messages import translate


def test_the_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """What can be asked for, with its options."""
    with pytest.raises(SystemExit) as ended:
        main(["preview", "build", "--help"])

    assert ended.value.code == 0
    assert "--base-url" in capsys.readouterr().out


def test_an_installed_course_says_where_the_site_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wheel has no notebooks to make it from."""

    def missing(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name="preview")

    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    monkeypatch.setattr(importlib, "import_module", missing)

    assert main(["preview", "build"]) == 2
    message = "The site is made from the course's own folder: clone the course, and run this there."
    assert translate("es", message) in capsys.readouterr().err
