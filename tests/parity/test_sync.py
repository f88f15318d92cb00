"""Carrying a notebook into the other edition, and saying what was done."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.parity.building import SmallCourse, code, graded, markdown
from tools.parity.notebooks import Cell

IDEA_ES, IDEA_JA = markdown("m01-idea", "Uno."), markdown("m01-idea", "1つ。")
RUN_ES = code("m01-run", 'print("hola", 1)  # uno\nsend("lucia")')
RUN_JA = code("m01-run", 'print("やあ", 1)  # 1つ\nsend("sato")')
TEST = graded("m01-test", "assert f()")

Synced = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def synced(course: SmallCourse, capsys: pytest.CaptureFixture[str]) -> Synced:
    """A function that writes both editions, carries Spanish to Japanese, and returns status and printed lines."""

    def run(es: list[Cell], ja: list[Cell], *options: str) -> tuple[int, list[str]]:
        course.put("es", es)
        course.put("ja", ja)
        status = course.run("sync", "01", "--from", "es", *options)
        return status, [line.strip() for line in capsys.readouterr().out.splitlines()[1:]]

    return run


@pytest.mark.parametrize("edition", ["es", "ja"])
def test_equal_notebooks_stay_as_they_are(
    course: SmallCourse, edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file with nothing to change is not written, however it is laid out."""
    course.put("es", [IDEA_ES, RUN_ES, TEST], language="es")
    course.put("ja", [IDEA_JA, RUN_JA, TEST], language="ja")
    for path in (course.path("es"), course.path("ja")):
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=4), encoding="utf-8")
    before = [course.path(name).read_bytes() for name in ("es", "ja")]

    assert course.run("sync", "01", "--from", edition) == 0
    assert [course.path(name).read_bytes() for name in ("es", "ja")] == before
    assert capsys.readouterr().out.splitlines()[1:] == ["    the code is the same already"]


def test_changed_code_is_carried(course: SmallCourse, synced: Synced) -> None:
    """The code changes, the words stay, the names are the edition's; the prose is untouched."""
    new = code("m01-run", 'print("hola", 2)  # uno\nsend("marta")')

    assert synced([IDEA_ES, new], [IDEA_JA, RUN_JA]) == (0, ["code carried over: m01-run"])
    assert [cell["source"] for cell in course.cells("ja")] == ["1つ。", 'print("やあ", 2)  # 1つ\nsend("tanaka")']
    assert [cell["source"] for cell in course.cells("es")] == ["Uno.", new["source"]]


def test_words_that_came_along_are_listed(synced: Synced) -> None:
    """The cells that need a translator are named."""
    new = code("m01-run", RUN_ES["source"] + '\nprint("adiós")')

    assert synced([new], [RUN_JA]) == (
        0,
        ["code carried over: m01-run", "still in Spanish: look at these cells: m01-run"],
    )


def test_tests_and_metadata_are_copied(course: SmallCourse, synced: Synced) -> None:
    """A test cell becomes the same byte for byte, with its points; tags come along."""
    es = [graded("m01-test", "assert f() # new", points=2), code("m01-run", RUN_ES["source"], tags=["run"])]

    assert synced(es, [TEST, RUN_JA]) == (
        0,
        ["type, tags or metadata carried over: m01-test, m01-run", "copied byte for byte: m01-test"],
    )
    test, run = course.cells("ja")
    assert test == es[0]
    assert run == RUN_JA | {"metadata": {"tags": ["run"]}}


def test_the_order_is_carried(course: SmallCourse, synced: Synced) -> None:
    """The cells stand as in the source, each with its own words."""
    assert synced([IDEA_ES, RUN_ES, TEST], [RUN_JA, TEST, IDEA_JA]) == (0, ["put into the Spanish order: m01-idea"])
    assert course.cells("ja") == [IDEA_JA, RUN_JA, TEST]


def test_missing_cells_are_inserted(course: SmallCourse, synced: Synced) -> None:
    """A new Markdown cell stands in the source's language until it is written; code comes with swapped names."""
    assert synced([IDEA_ES, RUN_ES, TEST], []) == (
        0,
        [
            "inserted from the Spanish edition: m01-idea, m01-run, m01-test",
            "to be written in Japanese: m01-idea",
            "still in Spanish: look at these cells: m01-run",
        ],
    )
    assert [cell["source"] for cell in course.cells("ja")] == [
        "Uno.",
        'print("hola", 1)  # uno\nsend("sato")',
        "assert f()",
    ]


def test_a_missing_notebook_is_made(course: SmallCourse) -> None:
    """The first notebook of the other edition starts as a copy, with the edition's own name in its metadata."""
    course.put("es", [IDEA_ES, TEST], course.assignment, language="es")

    assert course.run("sync", "01", "--from", "es") == 0
    assert [cell["id"] for cell in course.cells("ja", course.assignment)] == ["m01-idea", "m01-test"]
    text = course.path("ja", course.assignment).read_text(encoding="utf-8")
    assert json.loads(text)["metadata"]["language"] == "ja"


def test_extra_cells_are_kept(course: SmallCourse, synced: Synced) -> None:
    """A cell that only the other edition has stays behind the one that it followed."""
    extra = code("m01-extra", "x = 1")

    assert synced([IDEA_ES, RUN_ES], [IDEA_JA, extra, RUN_JA]) == (
        0,
        ["in Japanese only: kept (--delete-extra deletes): m01-extra"],
    )
    assert course.cells("ja") == [IDEA_JA, extra, RUN_JA]


def test_extra_cells_are_deleted_on_request(course: SmallCourse, synced: Synced) -> None:
    """`--delete-extra` makes the cells the same."""
    ja = [code("m01-extra", "x = 1"), IDEA_JA, RUN_JA]

    assert synced([IDEA_ES, RUN_ES], ja, "--delete-extra") == (0, ["deleted: m01-extra"])
    assert course.cells("ja") == [IDEA_JA, RUN_JA]


def test_another_type_is_carried(course: SmallCourse, synced: Synced) -> None:
    """A cell becomes what it is in the source; a Markdown cell then has to be written."""
    es = [markdown("m01-run", "Uno."), code("m01-idea", "x = 1")]

    assert synced(es, [RUN_JA, IDEA_JA])[0] == 0
    assert course.cells("ja") == es


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("x =", "not carried, because the Spanish code is not valid Python in line 1 (`x =`): invalid syntax"),
        ('x = "bento-uploads"', "not carried, because names or texts stand where they cannot be swapped"),
    ],
)
def test_what_cannot_be_carried_is_named(course: SmallCourse, synced: Synced, source: str, why: str) -> None:
    """Such a cell stays as it was, and the exit status says so."""
    assert synced([code("m01-run", source)], [RUN_JA]) == (1, [f"{why}: m01-run"])
    assert course.cells("ja") == [RUN_JA]


def test_ids_must_be_unique(course: SmallCourse, synced: Synced) -> None:
    """Nothing is carried by an id that stands for two cells."""
    assert synced([RUN_ES, RUN_ES], [RUN_JA]) == (
        1,
        ["not carried, because the Spanish edition has the id more than once: m01-run"],
    )
    assert course.cells("ja") == [RUN_JA]


def test_after_it_only_words_are_left_to_do(course: SmallCourse, synced: Synced) -> None:
    """However far apart the editions were, the check then names nothing but texts; and a second run does nothing."""
    es = [IDEA_ES, graded("m01-new", "assert 1"), code("m01-run", 'a = "pablo"\nprint(f"hay {a}")', tags=["x"]), TEST]
    ja = [graded("m01-test", "assert 2", 5), RUN_JA, code("m01-extra", "x"), markdown("m01-idea", "1つ。", tags=["y"])]
    assert synced(es, ja, "--delete-extra")[0] == 0

    assert [message for message in course.differences() if "Look at both" not in message] == []
    before = course.path("ja").read_bytes()
    assert course.run("sync", "01", "--from", "es") == 0
    assert before == course.path("ja").read_bytes()
