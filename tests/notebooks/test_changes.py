"""What the lessons invite to change gives what they then say; and whoever tries everything still gets through."""

from __future__ import annotations

import re

import pytest

from tests.notebooks.changes import CHANGES, LESSON, Change
from tests.notebooks.editions import LANGUAGES, LESSONS, code_cells, fill, lesson
from tests.notebooks.expectations import expected_output
from tests.notebooks.session import Session, session

pytestmark = pytest.mark.parametrize("language", LANGUAGES)


def changed(change: Change, source: str, language: str) -> str:
    """Return the cell's text after the change, which must fit in one place; the invitation itself is left out."""
    code = re.sub(r"\n#[^\n]*$", "", source)
    for edit in change.edits:
        old, new = (fill(text, language) for text in edit)
        assert code.count(old) == 1, f"{change.cell} does not have once: {old}"
        code = code.replace(old, new)
    return code


def carry_out(change: Change, running: Session, source: str, language: str) -> str:
    """Run the changed cell, and return what it printed."""
    outcomes = [running.run(changed(change, source, language)) for _ in range(change.runs)]
    assert [outcome.error for outcome in outcomes if outcome.failed] == []
    return "".join(outcome.stdout for outcome in outcomes)


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_change_shows_what_the_lesson_says(language: str, change: Change) -> None:
    """After the cells above it and the cell itself, the changed cell prints the stated lines."""
    with session() as running:
        for cell, source in code_cells(lesson(language, change.lesson)).items():
            running.run(source)
            if cell == change.cell:
                assert carry_out(change, running, source, language) == fill(change.shows, language)
                return
    pytest.fail(f"{change.lesson} has no cell {change.cell}")


def test_the_extra_cell_shows_an_overwritten_item(language: str) -> None:
    """Without the condition and with another status, the trace has a second accepted write, over what was there."""
    cells = code_cells(lesson(language, LESSON))
    without_condition = next(change for change in CHANGES if change.cell == "m01-twin-twice")
    source = changed(without_condition, cells["m01-twin-twice"], language)
    cells["m01-twin-twice"] = source.replace(
        "    sqs.delete_message", '    item["status"]["S"] = "shipped"\n    sqs.delete_message'
    )
    with session() as running:
        outcomes = {cell: running.run(source) for cell, source in cells.items()}

    item = "{'customer': 'CUSTOMER', 'order_id': 3, 'status': 'received'}"
    lines = [f"5 accepted None → {item}", f"7 accepted {item} → {item.replace('received', 'shipped')}"]
    assert outcomes["m01-run-extra"].stdout.splitlines() == [fill(line, language) for line in lines]


@pytest.mark.parametrize("name", LESSONS)
def test_whoever_tries_everything_gets_through(language: str, name: str) -> None:
    """Each change is tried and taken back where it stands; all later cells print what they would have printed."""
    with session() as running:
        for cell, source in code_cells(lesson(language, name)).items():
            assert running.run(source).stdout == expected_output(language, name)[cell], cell
            for change in CHANGES:
                if (change.lesson, change.cell) == (name, cell):
                    carry_out(change, running, source, language)
                    running.run(source)


@pytest.mark.parametrize("name", LESSONS)
def test_every_invitation_is_tried(language: str, name: str) -> None:
    """A cell that ends in a comment invites to a change: it is among the changes."""
    inviting = {
        cell for cell, source in code_cells(lesson(language, name)).items() if source.splitlines()[-1][0] == "#"
    }

    assert inviting <= {change.cell for change in CHANGES}
    assert inviting
