"""Each sample submission loses the test cells that its header names, without nbgrader: some seconds each.

A test cell is the same in both languages, so the samples take turns. Stock nbgrader grades each in the other one.
"""

from __future__ import annotations

import pytest
from nbformat import NotebookNode

from bentocola.checks.misconceptions import MISCONCEPTIONS
from tests.grading.quick import blanks, run
from tests.notebooks.editions import LANGUAGES, assignment_source, course_folder
from tests.samples import COURSE_MISCONCEPTIONS, Sample, points_of, reference_answers, samples, submission, turn
from tests.samples import test_cells as graded_cells

RIGHT = [sample for sample in samples() if sample.right]
WRONG = [sample for sample in samples() if not sample.right]
# What only later modules can show: mappings, dead-letter queues, FIFO queues, and whatever needs more than one consumer.
NOT_IN_THIS_ASSIGNMENT = frozenset(
    {
        "status-500",
        "timeouts-apart",
        "count-errors",
        "only-bad-returns",
        "partial-not-on",
        "partial-survives",
        "dlq-clock",
        "delete-by-id",
        "sole-consumer",
        "empty-is-done",
        "exactly-once",
        "order",
        "deleted-is-gone",
        "s3-fifo",
        "fifo-forever",
        "fifo-runs-once",
    }
)
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


def untouched(sample: Sample, notebook: NotebookNode) -> set[str]:
    """Return the test cells of reference answers that use nothing of the sample's: `test_the_source_loses_nothing` runs them."""
    written = {section.cell for section in sample.sections}
    functions = {"order-keys", "save-once", "work-batch", "handler"}
    if sample.rest_is_blank or not written <= functions:
        return set()
    if written & {"order-keys", "save-once"}:
        written.add("handler")
    return {cell for cell in points_of(notebook) if not any(cell.startswith(f"test-{name}-") for name in written)}


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "language"), TURNS)
def test_a_sample_loses_what_its_header_says(sample: Sample, language: str) -> None:
    """The test cells without points are those of the header. Each says so in its result: none raises."""
    notebook = filled_in(sample, language)
    points = points_of(notebook)
    tried = points.keys() - untouched(sample, notebook)
    outcomes = run(notebook, points.keys() - tried)

    assert {cell: outcomes[cell].error or outcomes[cell].stderr for cell in tried} == dict.fromkeys(tried, "")
    assert {cell for cell in tried if outcomes[cell].failed} == sample.loses
    assert sum(points.values()) - sum(points[cell] for cell in sample.loses) == sample.points


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_source_loses_nothing(language: str) -> None:
    """The reference answers pass every test, and no cell of the notebook raises or writes to stderr."""
    source = assignment_source(language)
    outcomes = run(source)

    assert [cell for cell, outcome in outcomes.items() if outcome.failed] == []
    assert {cell: float(repr(outcomes[cell].value)) for cell in points_of(source)} == points_of(source)


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
    """What the course teaches in this module or the next, some submission gets wrong."""
    shown = {name for name in MISCONCEPTIONS if name not in NOT_IN_THIS_ASSIGNMENT}

    assert shown <= {name for sample in WRONG for name in sample.misconceptions}


def test_every_test_cell_tells_samples_apart() -> None:
    """Without any one of the test cells, some wrong sample would get more than it should: none is there in vain."""
    assert {cell for sample in WRONG if not sample.rest_is_blank for cell in sample.loses} == graded_cells()
