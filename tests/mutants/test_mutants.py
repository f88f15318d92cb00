"""The answers that the checks are measured with: well formed, many enough, and a sample of them caught or accepted."""

from __future__ import annotations

import ast

import pytest

from bentocola.checks.misconceptions import MISCONCEPTIONS, SLIPS
from tests.mutants import CELLS, Mutant, mutants
from tests.mutants.trying import all_told, catch
from tests.notebooks.editions import LANGUAGES, fill

LEAST = {"wrong": 150, "right": 60, "blind wrong": 40, "blind right": 20}
SAMPLED = 40


def sample() -> list[Mutant]:
    """Return some forty of them, always the same: spread evenly over the wrong and the right ones."""
    wrong = [mutant for mutant in mutants() if not mutant.right]
    right = [mutant for mutant in mutants() if mutant.right]
    return wrong[:: max(1, len(wrong) // (SAMPLED * 3 // 4))] + right[:: max(1, len(right) // (SAMPLED // 4))]


def test_there_are_many_of_each_kind() -> None:
    """Wrong and right ones over both assignments, and those of somebody who had not seen the rules."""
    counted = {
        "wrong": sum(not one.right for one in mutants()),
        "right": sum(one.right for one in mutants()),
        "blind wrong": sum(one.blind and not one.right for one in mutants()),
        "blind right": sum(one.blind and one.right for one in mutants()),
    }

    assert {name: count for name, count in counted.items() if count < LEAST[name]} == {}
    assert {one.assignment for one in mutants()} == set(CELLS)


@pytest.mark.parametrize("mutant", mutants(), ids=str)
def test_an_answer_is_well_formed(mutant: Mutant) -> None:
    """It says why, what may be named is known, its cells are the assignment's, and it is Python in both editions."""
    named = {name for name in mutant.names if name not in (*MISCONCEPTIONS, *SLIPS, "none")}

    assert mutant.why
    assert named == set()
    assert bool(mutant.names) is not mutant.right
    assert mutant.scenarios
    for cell, source in mutant.sections:
        assert cell in CELLS[mutant.assignment] or cell not in {c for cells in CELLS.values() for c in cells}
        for language in LANGUAGES:
            ast.parse(fill(source, language))


def test_no_two_answers_are_the_same() -> None:
    """Each is an answer of its own; who had not seen the others may come to the same one."""
    seen: dict[object, str] = {}
    twice = []
    for mutant in mutants():
        trees = tuple((cell, ast.dump(ast.parse(fill(text, "es")))) for cell, text in mutant.sections)
        code = (mutant.assignment, mutant.blind, trees)
        if code in seen:
            twice.append((seen[code], str(mutant)))
        seen[code] = str(mutant)

    assert twice == []


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [mutant for mutant in sample() if not mutant.right], ids=str)
def test_each_breach_of_a_sample_is_told(mutant: Mutant) -> None:
    """Whatever an answer does, each test cell that fails it says what was seen, and has a story."""
    language = LANGUAGES[len(mutant.name) % len(LANGUAGES)]

    told = all_told(mutant, 0, language)

    assert [scenario for scenario, saw, story in told if not saw.strip() or not all(story)] == []


@pytest.mark.slow
@pytest.mark.parametrize("mutant", sample(), ids=str)
def test_a_sample_is_caught_or_accepted(mutant: Mutant) -> None:
    """A wrong answer is caught by the graded check with the first seed; a right one is accepted."""
    failed, _ = catch(mutant, 0, LANGUAGES[len(mutant.name) % len(LANGUAGES)])

    assert (failed is None) is mutant.right, failed
