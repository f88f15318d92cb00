"""What the views are tested with is what the cloud tells today, and has the documented form."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from bentocola.cloud.trace import json_schema
from tests.views.record import RECORDED, recordings

SCHEMA = json_schema()
FORMS = {
    "pipeline": {"$ref": "#/$defs/feed", "$defs": SCHEMA["$defs"], "properties": SCHEMA["properties"]},
    "trace": SCHEMA,
}


def test_recordings_are_those_of_today() -> None:
    """Each file is what the script makes; if it is not: python -m tests.views.record"""
    committed = {path.name: path.read_text(encoding="utf-8") for path in RECORDED.glob("*.json")}
    made = recordings()

    assert set(committed) == set(made)
    assert [name for name, text in made.items() if committed[name] != text] == []


@pytest.mark.parametrize("edition", ["es", "ja"])
@pytest.mark.parametrize("kind", FORMS)
def test_recordings_have_the_documented_form(kind: str, edition: str) -> None:
    """As a feed, and as a whole trace."""
    told = json.loads((RECORDED / f"{kind}.{edition}.json").read_text(encoding="utf-8"))

    assert [error.message for error in Draft202012Validator(FORMS[kind]).iter_errors(told)] == []
