"""Both editions have the same notebooks, and these the same cells in the same frame."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity.building import SmallCourse, code, graded, markdown
from tools.parity.notebooks import find_twins

A, B, C = markdown("m01-a", "Uno"), code("m01-b", "x = 1"), code("m01-c", "y = 1")
PLACE = "lesson 01-upload"


def test_equal_notebooks_have_no_difference(course: SmallCourse) -> None:
    """Both editions may also name themselves in the notebook's metadata."""
    for edition in ("es", "ja"):
        course.put(edition, [A, B], language=edition)
    course.run("agree", "01")

    assert course.differences() == []


def test_a_notebook_in_one_language_only_is_named(course: SmallCourse) -> None:
    """The missing file is in the message, for lessons and for assignments."""
    course.put("es", [A])
    course.put("ja", [A], course.assignment)

    assert course.differences() == [
        "lesson 01-upload: It exists in Spanish only: lessons/ja/01-upload.ipynb is missing.",
        "assignment 01-upload: It exists in Japanese only: assignments/es/source/01-upload/01-upload.ipynb is missing.",
    ]


def test_checkpoints_are_no_notebooks(course: SmallCourse) -> None:
    """What JupyterLab keeps beside a notebook is not compared."""
    course.put("es", [A], "lessons/{edition}/.ipynb_checkpoints/01-upload-checkpoint.ipynb")
    course.put("es", [A], "assignments/{edition}/source/.ipynb_checkpoints/01-upload-checkpoint.ipynb")

    assert find_twins(course.root) == []


def test_a_missing_cell_is_named(course: SmallCourse) -> None:
    """Each edition's own cells are named."""
    assert course.compared([A, B], [A, C]) == [
        f"{PLACE}, cell m01-b: The Spanish edition has this, the Japanese has not.",
        f"{PLACE}, cell m01-c: The Japanese edition has this, the Spanish has not.",
    ]


def test_another_order_is_named(course: SmallCourse) -> None:
    """The first place where the order differs is named, with both cells."""
    assert course.compared([A, B, C], [A, C, B]) == [
        f"{PLACE}, cells m01-b, m01-c: The order differs. After m01-a comes m01-b in Spanish, m01-c in Japanese."
    ]


def test_an_id_stands_once(course: SmallCourse) -> None:
    """A second cell of the same id is named, not renamed as nbformat would."""
    assert f"{PLACE}, cell m01-b: The Japanese edition has 2 cells with this id." in course.compared([B], [B, B])


@pytest.mark.parametrize("name", ["a1B2", "0-a", "m01_run", "-m01"])
def test_an_id_is_made_of_words(course: SmallCourse, name: str) -> None:
    """An id that a tool made up, or that is no plain word, is named in each edition that has it."""
    assert course.compared([code(name, "x = 1")], [code(name, "x = 1")]) == [
        f"{PLACE}, cell {name}: The id in {language} must be words of a-z, 0-9 and hyphens, such as m01-run-event."
        for language in ("Spanish", "Japanese")
    ]


def test_another_type_is_named(course: SmallCourse) -> None:
    """The type is compared before the sources, which cannot be compared then."""
    assert course.compared([code("m01-a", "x = 1")], [markdown("m01-a", "x = 1")]) == [
        f"{PLACE}, cell m01-a: It is a code cell in Spanish and a markdown cell in Japanese."
    ]


def test_other_tags_are_named(course: SmallCourse) -> None:
    """Tags and every other key of a cell's metadata are the same."""
    es, ja = code("m01-b", "x = 1", tags=["run"]), code("m01-b", "x = 1", editable=False)

    assert course.compared([es], [ja]) == [
        f"{PLACE}, cell m01-b: The cell's editable is absent in Spanish and false in Japanese.",
        f'{PLACE}, cell m01-b: The cell\'s tags is ["run"] in Spanish and absent in Japanese.',
    ]


def test_other_points_are_named(course: SmallCourse) -> None:
    """Every key of nbgrader's metadata is the same."""
    cells = [graded("m01-test", "assert f()", 1)], [graded("m01-test", "assert f()", 2)]

    assert course.compared(*cells, course.assignment) == [
        "assignment 01-upload, cell m01-test: nbgrader's points is 1 in Spanish and 2 in Japanese."
    ]


def test_a_grade_id_is_the_cells_id(course: SmallCourse) -> None:
    """A graded cell whose two ids differ is named."""
    cell: dict[str, Any] = graded("m01-test", "assert f()")
    cell["metadata"]["nbgrader"]["grade_id"] = "other"

    assert course.compared([cell], [cell])[0] == (
        f"{PLACE}, cell m01-test: The grade_id is 'other' in Spanish; it must be the cell's id."
    )


def test_a_test_cell_is_the_same_byte_for_byte(course: SmallCourse) -> None:
    """In a test even a comment is no difference to set aside."""
    es, ja = graded("m01-test", "assert f()  # one"), graded("m01-test", "assert f()  # 1")
    (message,) = course.compared([es], [ja])

    assert message.startswith(f"{PLACE}, cell m01-test: It must be the same, byte for byte.\n    --- Spanish")
    assert course.compared([es], [es]) == []


def test_other_notebook_metadata_is_named(course: SmallCourse) -> None:
    """The kernel is the same; `language` is the edition's own, and its own only."""
    course.put("es", [B], language="es")
    course.put("ja", [B], language="es", kernelspec={"name": "python311", "display_name": "Python"})
    messages = course.differences()

    assert [message.split(" is ")[0] for message in messages] == [
        f"{PLACE}: The notebook's kernelspec",
        f"{PLACE}: The notebook's language",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "is not a notebook"),
        ('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}', "is older than notebook format 4.5"),
        ('{"cells": [{"id": "a"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "is not a notebook"),
        (
            '{"cells": [{"cell_type": "raw", "metadata": {}, "source": ""}], '
            '"metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
            "is not a valid notebook: 'id' is a required property (at cells/0)",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_named(course: SmallCourse, text: str, expected: str) -> None:
    """Such a file is one finding, and its notebook is not compared."""
    course.put("es", [A])
    course.path("ja").parent.mkdir()
    course.path("ja").write_text(text, encoding="utf-8")
    (message,) = course.differences()

    assert message.startswith(f"{PLACE}: The file lessons/ja/01-upload.ipynb {expected}")
