"""The views' bundle: made from the sources that are committed beside it, whole in itself, and in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bentocola.messages import LANGUAGES
from tools import views


def test_bundle_is_that_of_the_sources() -> None:
    """The committed module was made from today's sources and messages. When this fails: make views"""
    assert views.is_fresh()


@pytest.mark.parametrize("name", ["shared/words.ts", "aws/aws.css", "package-lock.json"])
def test_another_source_makes_it_stale(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code, a style sheet, the pinned tools: whatever it is made from, a change of it is noticed."""
    changed = views.SOURCE / name
    known = Path.read_bytes

    def read(path: Path) -> bytes:
        return known(path) + (b" " if path == changed else b"")

    monkeypatch.setattr(Path, "read_bytes", read)

    assert not views.is_fresh()


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_in_the_bundle(language: str) -> None:
    """Each message that the sources name stands in the bundle in each language: a page asks nobody for it."""
    told = views.words()[language]
    bundle = views.BUNDLE.read_text(encoding="utf-8")

    assert set(told) == views.messages()
    assert [text for text in told.values() if text.strip() not in bundle.replace('\\"', '"')] == []


def test_messages_of_every_kind_are_found() -> None:
    """In a call, in one that stands in another, and in a name that is said later."""
    assert {
        "Runs",
        "delivery {count}",
        "Write of {key} to {table} refused.",
        "it is refused: too many calls",
    } <= views.messages()


def test_bundle_asks_nobody() -> None:
    """Nothing is imported or fetched from elsewhere: the one address that is asked is the cloud's own."""
    bundle = views.BUNDLE.read_text(encoding="utf-8")

    assert re.findall(r"\bimport\b", bundle) == []
    assert set(re.findall(r"https?://[\w.-]+", bundle)) <= {"http://www.w3.org"}
    assert bundle.count("/_bentocola/steps?") == bundle.count("fetch(") == 1


def test_data_never_becomes_markup() -> None:
    """What a trace holds is text: no source writes HTML."""
    writing = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerously|srcdoc|\beval\b|new Function"
    )
    found = [path.name for path in views.sources() if writing.search(path.read_text(encoding="utf-8"))]

    assert found == []
