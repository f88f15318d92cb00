"""The lock file: when one text changes, `check` names it until somebody has looked at the other."""

from __future__ import annotations

import json

import pytest

from tests.parity.building import SmallCourse, code, graded, markdown

LOOK = "Look at both and then run `python -m tools.parity agree 01 {}`."
ONE_SIDE = "The {} text changed since both were last looked at, the {} did not."
ES = [markdown("m01-idea", "Uno."), code("m01-run", 'print("hola")  # uno'), graded("m01-test", "assert f()  # a")]
JA = [markdown("m01-idea", "1つ。"), code("m01-run", 'print("やあ")  # 1つ'), graded("m01-test", "assert f()  # a")]


@pytest.fixture
def agreed(course: SmallCourse) -> SmallCourse:
    """A course of one lesson whose texts have been looked at."""
    assert course.compared(ES, JA) == []
    return course


def test_a_new_notebook_has_to_be_looked_at(course: SmallCourse) -> None:
    """Cells with words are named in one finding; a test cell has none."""
    course.put("es", ES)
    course.put("ja", JA)
    (message,) = course.differences()

    assert message == (
        "lesson 01-upload, cells m01-idea, m01-run: Nobody has said yet that both texts were looked at together. "
        + LOOK.format("m01-idea m01-run")
    )


@pytest.mark.parametrize(
    ("edition", "cell", "sentence"),
    [
        ("es", markdown("m01-idea", "Dos."), ONE_SIDE.format("Spanish", "Japanese")),
        ("ja", markdown("m01-idea", "2つ。"), ONE_SIDE.format("Japanese", "Spanish")),
        ("es", code("m01-run", 'print("adiós")  # uno'), ONE_SIDE.format("Spanish", "Japanese")),
        ("ja", code("m01-run", 'print("やあ")  # 2つ'), ONE_SIDE.format("Japanese", "Spanish")),
    ],
    ids=["Spanish prose", "Japanese prose", "print text", "comment"],
)
def test_a_text_that_changed_alone_is_named(
    agreed: SmallCourse, edition: str, cell: dict[str, object], sentence: str
) -> None:
    """The message says which side changed, and what to run; after that the check is quiet."""
    changed = [cell if old["id"] == cell["id"] else old for old in agreed.cells(edition)]
    agreed.put(edition, changed)

    name = str(cell["id"])
    assert agreed.differences() == [f"lesson 01-upload, cell {name}: {sentence} {LOOK.format(name)}"]
    assert agreed.run("agree", "01", name) == 0
    assert agreed.differences() == []


def test_two_texts_that_changed_are_named(agreed: SmallCourse) -> None:
    """Both may have changed for different reasons, so somebody has to look here too."""
    agreed.put("es", [markdown("m01-idea", "Dos."), *ES[1:]])
    agreed.put("ja", [markdown("m01-idea", "2つ。"), *JA[1:]])

    assert agreed.differences() == [
        "lesson 01-upload, cell m01-idea: Both texts changed since they were last looked at together. "
        + LOOK.format("m01-idea")
    ]


def test_agreeing_to_one_cell_leaves_the_others(agreed: SmallCourse) -> None:
    """`agree` with cells records these only; without, the whole module."""
    agreed.put("es", [markdown("m01-idea", "Dos."), code("m01-run", 'print("dos")'), ES[2]])
    agreed.run("agree", "01", "m01-run")
    (message,) = agreed.differences()
    assert message.startswith("lesson 01-upload, cell m01-idea: The Spanish text changed")

    agreed.run("agree", "01-upload")
    assert agreed.differences() == []


def test_code_is_no_text(agreed: SmallCourse) -> None:
    """A change of the code alone, in both editions, leaves nothing to look at; not even a value inside an f-string."""
    es, ja = [[code("m01-run", f'print(f"{text} {{a}}")')] for text in ("hola", "やあ")]
    assert agreed.compared(es, ja) == []
    agreed.put("es", [code("m01-run", 'b = 1\nprint(f"hola {b}")')])
    agreed.put("ja", [code("m01-run", 'b = 1\nprint(f"やあ {b}")')])

    assert agreed.differences() == []


def test_a_removed_cell_is_named(agreed: SmallCourse) -> None:
    """A cell that went from both editions goes from the lock file with `agree`."""
    agreed.put("es", ES[1:])
    agreed.put("ja", JA[1:])
    assert agreed.differences() == [
        "lesson 01-upload, cell m01-idea: The lock file knows this, the notebooks do not. " + LOOK.format("m01-idea")
    ]

    assert agreed.run("agree", "01", "m01-idea") == 0
    assert agreed.differences() == []


def test_the_lock_file_holds_hashes_only(agreed: SmallCourse) -> None:
    """One line a cell, with a hash of each text and none of its words; the same texts give the same file."""
    path = agreed.root / "tools" / "parity.lock.json"
    text = path.read_text(encoding="utf-8")

    assert list(json.loads(text)) == ["lesson 01-upload"]
    assert [line.split('"')[1] for line in text.splitlines()[2:4]] == ["m01-idea", "m01-run"]
    assert "Uno" not in text
    agreed.run("agree", "01")
    assert text == path.read_text(encoding="utf-8")


def test_agreeing_to_an_unknown_cell_records_nothing(agreed: SmallCourse, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the finger is named."""
    assert agreed.run("agree", "01", "m01-idae") == 2
    assert (
        capsys.readouterr().err
        == "Module 01 has no cell 'm01-idae' with words in both editions.\nNothing was recorded.\n"
    )


def test_a_broken_lock_file_is_named(agreed: SmallCourse, capsys: pytest.CaptureFixture[str]) -> None:
    """Marks of a merge conflict give a sentence, not a traceback."""
    (agreed.root / "tools" / "parity.lock.json").write_text("<<<<<<<", encoding="utf-8")

    assert agreed.run("check") == 2
    assert capsys.readouterr().err.startswith("tools/parity.lock.json is not JSON")
