"""In which language the command line speaks."""

from __future__ import annotations

import pytest

from bentocola.cli.language import of_environment, say, speak


@pytest.mark.parametrize(
    ("settings", "language"),
    [
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "es_ES.UTF-8", "LC_MESSAGES": "ja_JP"}, "ja"),
        ({"LC_ALL": "es", "LC_MESSAGES": "ja_JP"}, "es"),
        ({"LANG": "ja", "LC_ALL": ""}, "ja"),
        ({"LANG": "C", "BENTOCOLA_LANGUAGE": "ja"}, "ja"),
        ({"LANG": "en_US.UTF-8"}, None),
        ({"LANG": "C.UTF-8"}, None),
        ({"LANG": "es_ES", "LC_ALL": "C"}, None),
        ({}, None),
    ],
)
def test_locale(settings: dict[str, str], language: str | None) -> None:
    """POSIX's order: LC_ALL, LC_MESSAGES, LANG; the course's own variable comes before."""
    assert of_environment(settings) == language


def test_unknown_language_is_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the language is not known, each has a line."""
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.delenv("BENTOCOLA_LANGUAGE", raising=False)
    message = "Nothing has happened yet."
    assert len(say(message).splitlines()) == 2
    speak("ja")
    assert len(say(message).splitlines()) == 1
    speak(None)
