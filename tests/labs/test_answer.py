"""What a lab's notebook shows of an answer."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import cast
from xml.etree import ElementTree

import pytest

from bentocola.cli import asking
from bentocola.cli.ready import Ready
from bentocola.labs.notebook import Answer, Lab, LabError
from bentocola.labs.verdict import INDENT
from bentocola.messages import LANGUAGES

COMMAND = """aws dynamodb delete-item --table-name lab05-orders --key '{"id": {"S": "<b>"}}'"""
SENTENCE = f"Delete it:\n{INDENT}{COMMAND}\n{INDENT}aws sqs purge-queue\nThen look again."


def test_command_does_not_break() -> None:
    """It stands in a block of its own that scrolls, with the keyboard too; the text is what is to be typed."""
    shown = ElementTree.fromstring(Answer([("✗", SENTENCE)])._repr_html_())
    (item,) = shown
    (block,) = item

    assert (item.text, block.tail) == ("✗ Delete it:", "Then look again.")
    assert (block.tag, block.get("tabindex"), block[0].tag) == ("pre", "0", "code")
    assert block[0].text == f"{COMMAND}\naws sqs purge-queue"
    assert "overflow-x: auto" in str(block.get("style"))
    assert all("white-space: pre;" in str(one.get("style")) for one in (block, block[0]))


def test_printed_command_has_a_line_of_its_own() -> None:
    """In the terminal too, indented."""
    assert f"\n    {COMMAND}\n" in str(Answer([("✗", SENTENCE)]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_address_swallows_a_sentence(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """A notebook makes a link of an address and of all that follows up to the next space, full stop and parenthesis too."""

    def unanswered(*_: object) -> None:
        raise asking.NotAnswered

    monkeypatch.setattr(asking, "ask", unanswered)
    told = {"name": "idempotent-consumer", "prefix": "lab05", "folder": "/here"}
    lab = Lab(cast(Ready, SimpleNamespace(lab=told, endpoint="http://127.0.0.1:33607")), language)
    with pytest.raises(LabError) as raised:
        lab.check(1)
    for said in (str(raised.value), repr(lab)):
        assert re.findall(r"http\S+", said) in ([], ["http://127.0.0.1:33607"])


@pytest.mark.parametrize(
    ("language", "checked", "clean"),
    [
        ("es", "Demostrado: todo se cumple.", "Todo limpio: no queda nada por borrar."),
        ("ja", "証明できました。すべてそろっています。", "片づきました。消し残しはありません。"),
    ],
)
def test_last_line_is_of_what_was_asked(
    monkeypatch: pytest.MonkeyPatch, language: str, checked: str, clean: str
) -> None:
    """After the clean-up nothing is said to be there."""
    verdict = {"holds": True, "proven": [], "missing": [], "remarks": []}
    monkeypatch.setattr(asking, "ask", lambda *_: verdict)
    told = {"name": "idempotent-consumer", "prefix": "lab05", "folder": "/here"}
    lab = Lab(cast(Ready, SimpleNamespace(lab=told, endpoint="")), language)

    assert (repr(lab.check()), repr(lab.cleanup_check())) == (checked, clean)


def test_exams_have_names() -> None:
    """A code alone tells nothing to somebody who has not heard of it."""
    told = {"name": "idempotent-consumer", "prefix": "lab05", "folder": "/here"}
    lab = Lab(cast(Ready, SimpleNamespace(lab=told, endpoint="")), "ja")

    assert "Solutions Architect – Associate (SAA-C03) 2.1、Developer" in repr(lab.exams())
