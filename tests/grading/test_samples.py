"""Each sample submission loses the test cells that its header names, without nbgrader: half a second each.

A test cell is the same in both languages, so the samples take turns. The slow tests grade every one in both.
"""

from __future__ import annotations

import ast

import pytest
from nbformat import NotebookNode

from bentocola.checks.misconceptions import MISCONCEPTIONS
from bentocola.messages import translate
from tests.grading.quick import blanks, run
from tests.notebooks.editions import LANGUAGES, assignment_source, course_folder
from tests.samples import COURSE_MISCONCEPTIONS, Sample, points_of, reference_answers, samples, submission, turn
from tests.samples import test_cells as graded_cells

RIGHT = [sample for sample in samples() if sample.right]
WRONG = [sample for sample in samples() if not sample.right]
TURNS = [pytest.param(sample, turn(sample), id=f"{sample}-{turn(sample)}") for sample in samples()]


def filled_in(sample: Sample, language: str) -> NotebookNode:
    """Return the sample's notebook as an autograder runs it: with the source's tests."""
    source = assignment_source(language)
    reference = reference_answers(source)
    if sample.rest_is_blank:
        stubs = blanks(source, course_folder(language))
        for cell in source.cells:
            cell.source = stubs.get(cell.id, cell.source)
    return submission(sample, language, source, reference)


def looked_for(notebook: NotebookNode) -> set[str]:
    """Return the misconceptions that the test cells explain."""
    tests = "\n".join(cell.source for cell in notebook.cells if cell.id in points_of(notebook))
    return {misconception for misconception in MISCONCEPTIONS if f'"{misconception}"' in tests}


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "language"), TURNS)
def test_a_sample_loses_what_its_header_says(sample: Sample, language: str) -> None:
    """The test cells that fail are those of the header; a misconception that the tests look for is explained under one."""
    notebook = filled_in(sample, language)
    outcomes = run(notebook)
    points = points_of(notebook)
    lost = {cell: outcomes[cell] for cell in points if outcomes[cell].failed}

    assert set(lost) == sample.loses
    assert sum(points.values()) - sum(points[cell] for cell in lost) == sample.points
    said = "\n".join(str(outcome.error) for outcome in lost.values())
    for misconception in looked_for(notebook) & set(sample.misconceptions):
        assert translate(language, MISCONCEPTIONS[misconception][0]) in said, misconception


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_source_loses_nothing(language: str) -> None:
    """The reference answers pass every test, and no cell of the notebook raises or writes to stderr."""
    outcomes = run(assignment_source(language))

    assert [cell for cell, outcome in outcomes.items() if outcome.failed] == []


def test_there_are_enough_samples() -> None:
    """At least 8 right and 24 wrong ones, each under a name of its own and with a reason."""
    assert len(RIGHT) >= 8
    assert len(WRONG) >= 24
    assert len({sample.name for sample in samples()}) == len(samples())
    assert [sample.name for sample in samples() if not sample.why] == []


def test_the_headers_fit_the_assignment() -> None:
    """A right one loses nothing; a wrong one loses cells that exist, and its points are what is left of 27."""
    points = points_of(assignment_source("es"))

    assert sum(points.values()) == 27
    for sample in samples():
        assert bool(sample.loses) is not sample.right, sample
        assert sample.loses <= set(points), sample
        assert sample.points == 27 - sum(points[cell] for cell in sample.loses), sample
        assert set(sample.misconceptions) <= COURSE_MISCONCEPTIONS, sample


def test_every_misconception_of_the_module_has_a_sample() -> None:
    """What the assignment's feedback can explain, some submission gets wrong."""
    assert set(MISCONCEPTIONS) <= {name for sample in WRONG for name in sample.misconceptions}


def test_every_test_cell_tells_samples_apart() -> None:
    """Without any one of the test cells, some wrong sample would get more than it should: none is there in vain."""
    assert {cell for sample in WRONG if not sample.rest_is_blank for cell in sample.loses} == graded_cells()


@pytest.mark.parametrize("language", LANGUAGES)
def test_declared_points_are_the_cell_s_points(language: str) -> None:
    """The points that `check(…, n)` names to the student are those that nbgrader gives."""
    source = assignment_source(language)
    declared = {}
    for cell in source.cells:
        if cell.id in points_of(source):
            calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
            (check,) = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "check"]
            declared[cell.id] = ast.literal_eval(check.args[2])

    assert declared == points_of(source)
    assert sum(declared.values()) == 27


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_gives_three_points(language: str) -> None:
    """One answer is in words, for 3 points; the teacher's part has a rubric and two samples for each of its levels."""
    graded = [cell for cell in assignment_source(language).cells if cell.cell_type == "markdown"]
    (words,) = [cell for cell in graded if cell.metadata.get("nbgrader", {}).get("grade")]

    assert words.metadata.nbgrader.points == 3
    for points in range(4):
        lines = words.source.splitlines()
        assert len([line for line in lines if line.startswith(f"| {points} |")]) == 1, points
        assert len([line for line in lines if line.startswith(f"**{points}")]) == 2, points
