"""The hostile fixtures: there is one for each line of the list, and intake makes of each file what it must."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.intake import MESSAGES, REFUSALS, TAMPERING, take_in
from autograder.records import CAUSES, Limits
from tests.autograder.hostile_cases import FOLDER, LINES, Canary, Case, build, cases
from tests.autograder.hostile_courses import COURSES

POSIX = sys.platform != "win32"


def test_every_line_of_the_list_has_a_case() -> None:
    """Each part of each line is somebody's, and there are at least seventy files."""
    assert set(LINES) == {line for case in cases() for line in case.lines}
    assert len(cases()) >= 70


def test_cases_speak_the_records_language() -> None:
    """Expected causes, notes, refusals and limits exist, and so do the cells that are named."""
    limits = Limits()
    for case in cases():
        ids = {cell.grade_id for cell in case.course.paper().notebooks[0].cells} | {"own"}
        assert {cause for causes in case.limits.values() for cause in causes} <= set(CAUSES), case.name
        assert set(case.limits) <= ids, case.name
        assert {note.split(":")[0] for note in case.notes} <= set(MESSAGES) - REFUSALS, case.name
        assert case.refusal is None or case.refusal in REFUSALS, case.name
        assert all(hasattr(limits, name) for name in case.settings), case.name
        assert case.needs <= {"posix", "jail"}, case.name
        assert case.does, case.name


def test_no_fixture_contains_what_must_not_be_seen() -> None:
    """Neither the canary text nor a text of a hidden test stands in a fixture: a hit in an output would mean nothing."""
    secrets = [Canary().text, *(text for course in COURSES.values() for text in course.hidden)]
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not [secret for secret in secrets if secret in text], path.name


@pytest.mark.parametrize("case", cases(), ids=str)
def test_intake_of_a_hostile_file(case: Case, tmp_path: Path) -> None:
    """It is refused by the right name, or its tests are the source's again, with each repair told and no false alarm."""
    if "posix" in case.needs and not POSIX:
        pytest.skip("needs a POSIX system")
    build(case, tmp_path)
    before = sorted(tmp_path.rglob("*"))

    taken = take_in(tmp_path, case.course.paper(), case.course.notebook, Limits())

    assert sorted(tmp_path.rglob("*")) == before
    said = {note.code for note in taken.repairs} | {f"{note.code}:{note.cell}" for note in taken.repairs}
    alarms = {f"{note.code}:{note.cell}" for note in taken.repairs if note.code in TAMPERING}
    assert case.notes <= said
    assert alarms <= case.notes
    assert (taken.refusal and taken.refusal.code) == case.refusal
    if case.refusal:
        assert taken.notebook is None
        return
    assert taken.notebook is not None
    nbformat.validate(taken.notebook)
    json.dumps(taken.notebook).encode()
    known = {cell.metadata.nbgrader.grade_id: cell for cell in taken.notebook.cells if "nbgrader" in cell.metadata}
    sheet = case.course.paper().notebooks[0]
    assert list(known) == [cell.grade_id for cell in sheet.cells]
    for cell in sheet.cells:
        assert known[cell.grade_id].metadata == cell.metadata
        assert known[cell.grade_id].cell_type == cell.cell_type
        assert not cell.kept_whole or known[cell.grade_id].source == cell.text
