"""How the assignments are built: points that add up, test cells of one form, and a scale for the answer that a person grades."""

from __future__ import annotations

import ast
import re

import pytest
from nbformat import NotebookNode

from tests.notebooks.editions import ASSIGNMENTS, LANGUAGES, assignment_source

# Given automatically, and by a person.
POINTS = {"01-upload-to-table": (27, 3), "05-idempotent-consumer": (26, 3)}
every_assignment = pytest.mark.parametrize("name", ASSIGNMENTS)
every_language = pytest.mark.parametrize("language", LANGUAGES)
_ROW = re.compile(r"\| (?P<part>\d)\. (?P<what>.+?) \| (?P<points>\d+) \|")
_TRIED = re.compile(r"^ +(?:with )?test\.\w+\(", re.MULTILINE)
_HIDDEN = re.compile(r" *### BEGIN HIDDEN TESTS\n(.*?) *### END HIDDEN TESTS\n", re.DOTALL)


def graded_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the cells that give points automatically."""
    return [
        cell for cell in notebook.cells if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
    ]


def words_of(notebook: NotebookNode) -> NotebookNode:
    """Return the cell whose answer a person grades: there is one."""
    graded = [cell for cell in notebook.cells if cell.cell_type == "markdown" and "nbgrader" in cell.metadata]
    (cell,) = graded
    return cell


def declared(test: NotebookNode) -> tuple[str, int]:
    """Return the answer and the points that a test cell's `check(…)` names to the student."""
    calls = [node for node in ast.walk(ast.parse(test.source)) if isinstance(node, ast.Call)]
    (check,) = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "check"]
    return ast.literal_eval(check.args[1]), ast.literal_eval(check.args[2])


@every_language
@every_assignment
def test_a_test_says_the_points_that_it_gives(name: str, language: str) -> None:
    """What `check(…, n)` says is what nbgrader gives, and all together are the assignment's."""
    source = assignment_source(language, name)
    given = {test.id: test.metadata.nbgrader.points for test in graded_cells(source)}

    assert {test.id: declared(test)[1] for test in graded_cells(source)} == given
    assert (sum(given.values()), words_of(source).metadata.nbgrader.points) == POINTS[name]


@every_language
@every_assignment
def test_the_title_says_the_points_of_each_part(name: str, language: str) -> None:
    """A function's row has the points of its tests; then come the predictions, and the answer in words."""
    source = assignment_source(language, name)
    rows = [_ROW.fullmatch(line) for line in source.cells[0].source.splitlines()]
    told = {row["what"].strip("`"): int(row["points"]) for row in rows if row}
    functions = {what: points for what, points in told.items() if what.isascii() and what.isidentifier()}
    *_, predictions, words = told.values()
    tests = [(*declared(test), test) for test in graded_cells(source)]

    assert functions == {
        answer: sum(points for other, points, _ in tests if other == answer)
        for answer, *_ in tests
        if not answer.startswith("prediction_")
    }
    assert predictions == sum(points for answer, points, _ in tests if answer.startswith("prediction_"))
    assert words == words_of(source).metadata.nbgrader.points
    assert [row["part"] for row in rows if row] == [str(n) for n in range(1, len(told) + 1)]


@every_language
@every_assignment
def test_a_part_s_cells_stand_together(name: str, language: str) -> None:
    """A task comes first, then the cell for the answer, then what tests it: nothing else between."""
    before, answer = "", ""
    for cell in assignment_source(language, name).cells:
        settings = cell.metadata.get("nbgrader", {})
        if settings.get("solution"):
            answer = cell.id.replace("-", "_")
            assert before.endswith("-task"), cell.id
        elif settings.get("grade"):
            assert declared(cell)[0] == answer, cell.id
        before = cell.id


@every_language
@every_assignment
def test_a_test_cell_is_of_the_form_of_all(name: str, language: str) -> None:
    """One frame, what it tried is the last line; a function also survives its scenario, and the secret schedules hidden."""
    for test in graded_cells(assignment_source(language, name)):
        answer, points = declared(test)
        (hidden,) = _HIDDEN.findall(test.source)
        visible = _HIDDEN.sub("", test.source).splitlines()
        scenario = f'test.survives({answer}, "{test.id.removeprefix("test-")}"'

        assert visible[0] == f'with check(cloud, "{answer}", {points}) as test:', test.id
        assert visible[-1] == "test.result", test.id
        assert "tags" not in test.metadata, test.id
        if answer.startswith("prediction_"):
            assert re.fullmatch(rf"    test\.is_a\({answer}, (int|str)\)", "\n".join(visible[1:-1])), test.id
            assert re.fullmatch(rf"    test\.equal\({answer}, .+, \"[a-z0-9-]+\"\)\n", hidden), test.id
        else:
            assert visible[-2] == f"    {scenario})", test.id
            assert hidden == f"    {scenario}, secret=True)\n", test.id
            assert len(_TRIED.findall("\n".join(visible))) >= 3, test.id


@every_language
@every_assignment
def test_a_person_has_a_scale_and_samples(name: str, language: str) -> None:
    """The teacher's part of the answer in words has one line for each number of points, and two samples."""
    lines = words_of(assignment_source(language, name)).source.splitlines()
    for points in range(POINTS[name][1] + 1):
        assert len([line for line in lines if line.startswith(f"| {points} |")]) == 1, points
        assert len([line for line in lines if line.startswith(f"**{points}")]) == 2, points
