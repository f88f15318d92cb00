"""The whole hostile class, graded among good ones: each gets what it earned, nobody pays for another, and nothing escapes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from autograder.records import LimitHit, Limits
from tests.autograder.classroom import BENCH, EXPECTED, level
from tests.autograder.hostile_cases import Case, cases
from tests.autograder.hostile_class import Class, Graded, Watch, watched, workers
from tests.autograder.hostile_courses import COURSES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux" or level() != "A", reason="Some of them do damage below level A."),
]

ONLY = os.environ.get("HOSTILE_ONLY", "").split()
"""Names of cases, to look at a few."""
GOOD = 20


def chosen(course: str) -> list[Case]:
    """Return the course's cases."""
    return [case for case in cases() if case.course.name == course and (not ONLY or case.name in ONLY)]


EVERY = [(course, case.name) for course in COURSES for case in chosen(course)]


@pytest.fixture(scope="module")
def watch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watch]:
    """Yield the place."""
    # Below /tmp itself: what pytest makes for a test is its owner's alone, and no lock of ours would be tried.
    with pytest.MonkeyPatch.context() as patch, watched(tmp_path_factory.mktemp("teacher"), patch) as made:
        yield made


@pytest.fixture(scope="module")
def graded(watch: Watch, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Class, dict[str, Graded]]]:
    """Both courses with what came of each submission. A good one stands between two hostile ones."""
    found = {}
    for name, course in COURSES.items():
        made = Class(course, tmp_path_factory.mktemp(name), watch)
        good = [] if ONLY else [f"s{n:02}" for n in range(GOOD)]
        for case, student in zip_longest(chosen(name), good):
            if case is not None:
                made.add_case(case)
            if student is not None and name == "bench":
                made.add(student, BENCH / "submitted" / student / "ps1", Limits())
            elif student is not None:
                made.add_good(student)
        found[name] = made, made.grade(workers())
    return found


Graded_ = dict[str, tuple[Class, dict[str, Graded]]]


def wrong_with(case: Case, graded: Graded) -> list[str]:
    """Return what is not as it has to be."""
    record = graded.record
    if case.refusal:
        refusal = record.refusal.code if record.refusal else None
        return [] if refusal == case.refusal else [f"refused as {refusal}"]
    if record.state != "graded":
        return [f"refused: {record.refusal}"]
    found = []
    if graded.points != dict(case.points):
        why = {check.cell: (check.cause, check.said) for check in record.checks if check.cause}
        found.append(f"earned {graded.points}, expected {dict(case.points)}: {why}")
    known = {check.cell for check in record.checks} | {cell for cell in case.limits if cell != "own"}
    for cell, causes in case.limits.items():
        if not any(named(hit, cell, known) and hit.cause in causes for hit in record.limits):
            found.append(f"no limit {sorted(causes)} at {cell}: {record.limits}")
    if record.faults:
        found.append(f"faults: {record.faults}")
    said = {note.code for note in record.repairs} | {f"{note.code}:{note.cell}" for note in record.repairs}
    if not case.notes <= said:
        found.append(f"not said: {case.notes - said}")
    return found


def named(hit: LimitHit, cell: str, known: set[str]) -> bool:
    """Whether a limit was met at a cell, or at one of the student's own."""
    return hit.cell.startswith("own") if cell == "own" else hit.cell == cell


@pytest.mark.parametrize(("course", "name"), EVERY, ids=[name for _, name in EVERY])
def test_a_hostile_submission_gets_what_it_earned(graded: Graded_, course: str, name: str) -> None:
    """Its points, no more and no less, or the reason of a refusal; each limit by its name, and no fault of a test's."""
    case = next(case for case in chosen(course) if case.name == name)
    assert wrong_with(case, graded[course][1][name]) == []


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.skipif(bool(ONLY), reason="only a few are looked at")
def test_the_good_ones_keep_their_points(graded: Graded_, course: str) -> None:
    """Whoever is graded beside them."""
    full = sum(cell.points for cell in COURSES[course].paper().notebooks[0].cells if cell.role == "test")
    expected = {f"s{n:02}": EXPECTED[f"s{n:02}"] if course == "bench" else full for n in range(GOOD)}

    assert {student: graded[course][1][student].record.earned for student in expected} == expected
    assert [student for student in expected if graded[course][1][student].record.limits] == []


@pytest.mark.parametrize("course", COURSES)
def test_nothing_of_the_teachers_is_seen(graded: Graded_, watch: Watch, course: str) -> None:
    """Not in an output of a cell that is no test, not in what is said of a check, on no page that a student gets back."""
    made, found = graded[course]
    secrets = [watch.canary.text, *COURSES[course].hidden]
    seen = []
    for name, one in found.items():
        places = {"outputs": one.students_outputs, "record": str(one.record.as_json())}
        places |= {f"page {n}": page for n, page in enumerate(made.pages(one))}
        seen += [(name, place, secret) for place, text in places.items() for secret in secrets if secret in text]
    assert seen == []


@pytest.mark.parametrize("course", COURSES)
def test_nothing_of_a_candidates_is_taken_for_the_tests(graded: Graded_, course: str) -> None:
    """No result that a candidate forged stands at a test cell; no line that it forged is named, no text told as the course's."""
    for name, one in graded[course][1].items():
        tests = {check.cell for check in one.record.checks}
        for cell in (one.notebook or {"cells": []})["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("grade_id") in tests:
                results = [output for output in cell.get("outputs", []) if output["output_type"] == "execute_result"]
                assert "FORGED" not in str(results), name
        for said in (said for check in one.record.checks for said in check.said):
            assert "FORGED-LINE" not in str(said.line), name
            assert said.kind != "course" or "FORGED" not in str(said.texts), name


def test_nothing_of_the_teachers_is_reached_or_changed(graded: Graded_, watch: Watch) -> None:
    """No file in the place was written or taken away, and nobody called on loopback."""
    assert graded
    assert not watch.touched
    assert watch.calls == []


def test_the_place_is_watched(watch: Watch, tmp_path: Path) -> None:
    """What the test above asks would be noticed."""
    note = watch.canary.folder / "note.txt"
    text = note.read_text(encoding="utf-8")
    note.write_text("", encoding="utf-8")
    assert watch.touched
    note.write_text(text, encoding="utf-8")
    assert not watch.touched
    assert watch.canary.text in text
