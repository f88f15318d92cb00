"""The behaviours are written as README.md says, and there are enough of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.conformance.catalogue import DOCUMENTATION, behaviours, faults, setups
from tests.conformance.expectations import Unmet, expect, expect_error
from tests.conformance.notation import MissingError, filled, look_up, read


def test_enough_behaviours() -> None:
    """At least 150, each with a name of its own and its page."""
    assert len(behaviours()) >= 150
    assert len({behaviour.id for behaviour in behaviours()}) == len(behaviours())
    assert all(str(behaviour.data["page"]).startswith(DOCUMENTATION) for behaviour in behaviours())


def test_form() -> None:
    """No word that nobody reads, no behaviour that expects nothing."""
    assert list(faults()) == []


def test_setups_are_used() -> None:
    """A setup that no behaviour and no other setup begins with is left over."""
    used: set[str] = set()

    def look(steps: list[dict[str, object]]) -> None:
        for step in steps:
            used.update({str(step["use"])} if "use" in step else ())

    for entry in [*(one.data for one in behaviours()), *setups().values()]:
        look(entry["steps"])
    assert used == set(setups())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$(made.Id)", 7),
        ("number $(made.Id)", "number 7"),
        ("$(made.List[1])", "b"),
        ("$(length(made.List))", 2),
    ],
)
def test_references(text: str, value: object) -> None:
    """A reference alone keeps its value's type; within a text it becomes text."""
    assert filled(text, {"made": {"Id": 7, "List": ["a", "b"]}}) == value


def test_reference_to_nothing() -> None:
    """It is told, and no None is sent in its place."""
    with pytest.raises(MissingError, match="made.Id"):
        filled("$(made.Id)", {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!repeat [x, 3]", "xxx"),
        ("!repeat [$(name), 2]", "meme"),
        ("!json {a: $(name)}", '{"a": "me"}'),
        ("!times [{a: 1}, 2]", [{"a": 1}, {"a": 1}]),
        ("!plus [$(now), -5]", 95),
        ("!merge [{a: 1}, {b: 2}]", {"a": 1, "b": 2}),
        ("!bytes aGk=", b"hi"),
    ],
)
def test_made_values(text: str, value: object, tmp_path: Path) -> None:
    """The tags make their values of what is known when the step is played."""
    path = tmp_path / "one.yaml"
    path.write_text(f"a: {text}", encoding="utf-8")
    assert filled(read(path)["a"], {"name": "me", "now": 100}) == value


@pytest.mark.parametrize("text", ["a: !!python/object/apply:os.getcwd []", "a: !eval x", "{a: 1, a: 2}"])
def test_nothing_is_run(text: str, tmp_path: Path) -> None:
    """A tag that would make an object of Python's is refused, an unknown one too, and a key that is said twice."""
    path = tmp_path / "one.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(yaml.YAMLError):
        read(path)


@pytest.mark.parametrize(
    "wanted",
    [
        {"a": 1},
        {"b": {"count": 2}},
        {"b[0]": {"contains": ["x", "y"], "lacks": "z"}},
        {"c": {"absent": True}},
        {"b[0]": {"matches": "^x"}},
        {"a": {"one of": [1, 2], "at least": 1, "at most": 1, "not": 2}},
        {"d": {"equals": {"count": 1}}},
        {"s": {"after": "0A"}},
    ],
)
def test_matchers_hold(wanted: dict[str, object]) -> None:
    """Each matcher, on a result that it fits."""
    expect(wanted, {"a": 1, "b": ["xy", "w"], "d": {"count": 1}, "s": "0A1"})


@pytest.mark.parametrize(
    "wanted",
    [
        {"a": "1"},
        {"a": True},
        {"b": {"count": 1}},
        {"c": {"absent": False}},
        {"b[0]": {"lacks": "x"}},
        {"s": {"after": "0B"}},
    ],
)
def test_matchers_do_not_hold(wanted: dict[str, object]) -> None:
    """Each says what was expected and what came."""
    with pytest.raises(Unmet, match="expected"):
        expect(wanted, {"a": 1, "b": ["xy", "w"], "s": "0A1"})


def test_errors() -> None:
    """A code in either of SQS's spellings, parts of the message in whatever case, the status, and what else is in the answer."""
    got = {
        "Error": {"Code": "AWS.SimpleQueueService.NonExistentQueue", "Message": "The queue is not there"},
        "ResponseMetadata": {"HTTPStatusCode": 400},
        "Item": {"a": 1},
    }
    expect_error({"code": "NonExistentQueue", "message": "the queue", "status": 400, "expect": {"Item.a": 1}}, got)
    for wanted in ("Other", {"status": 404}, {"message": "elsewhere"}, {"expect": {"Item.a": 2}}):
        with pytest.raises(Unmet):
            expect_error(wanted, got)


def test_functions_of_paths() -> None:
    """What a message, a log and a key need to be looked into; what is no JSON is nothing."""
    saved = {"body": '{"key": "red+flower"}', "log": "aGk=", "text": "no JSON"}
    assert look_up("from_json(body).url_decoded(key)", saved) == "red flower"
    assert look_up("from_base64(log)", saved) == "hi"
    assert look_up("from_json(text)", saved) is None
