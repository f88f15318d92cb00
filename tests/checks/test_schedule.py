"""Schedules are drawn, counted and shrunk: the same ones for a seed in any process, on Python 3.11 and 3.12."""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from bentocola.checks import schedule as module
from bentocola.checks.schedule import Job, Schedule, Slip, Space, find_shortest
from tests.checks.pythons import python_3_12
from tests.repository import ROOT

A, B, C = Job("a"), Job("b"), Job("c")
LOST, AGAIN = Slip("lost", "dynamodb:PutItem"), Slip("again")
SPACE = Space(
    jobs=((A, B, C), (None, A, B, C), (None, A, B, C)),
    slips=((None, LOST, AGAIN),) * 2,
    batches=(10, 1),
    stored=(None, A),
    sent_again=True,
)
DRAWN = """
import dataclasses, importlib.util, json, sys
sys.path += {path!r}
{before}
spec = importlib.util.spec_from_file_location("schedule", {file!r})
module = sys.modules["schedule"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
jobs = tuple(module.Job(name, n) for name in "abcdefgh" for n in range(4))
slips = (None, *(module.Slip(name, "sqs:*", n) for name in "xyz" for n in (1, 2)))
space = module.Space((jobs, (None, *jobs), (None, *jobs)), (slips, slips), (10, 1, 2), (None, *jobs), True)
played = []
for seed in range(12):
    def breaks(schedule):
        played.append(repr(schedule))
        return len(schedule.slips) == 2 and schedule.batch == 1
    played.append(repr(module.find_shortest(space, breaks, seed=seed, tries=12)))
print(json.dumps(played))
"""


@cache
def drawn(folder: Path, python: str = sys.executable, before: str = "", hashes: str = "0") -> tuple[str, ...]:
    """Return every schedule that a fresh process plays for a dozen seeds, shrinking included."""
    packages = [str(Path(p)) for p in sys.path if p.endswith("site-packages")]
    program = DRAWN.format(path=packages, before=before, file=inspect.getsourcefile(module))
    environment = {**os.environ, "PYTHONHASHSEED": hashes}
    ran = subprocess.run(
        [python, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return tuple(json.loads(ran.stdout))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder to run in."""
    return tmp_path_factory.mktemp("fresh")


def test_only_choices_and_booleans_are_drawn() -> None:
    """No other strategy is used, because others draw constants from whatever is loaded. (`tuples` and `just` draw nothing.)"""
    names = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "strategies":
            names.add(node.attr)

    assert names == {"sampled_from", "booleans", "tuples", "just"}


def test_checks_are_imported_without_hypothesis() -> None:
    """It is imported when the first schedule is drawn: most cells never need it."""
    program = "import bentocola.checks, bentocola.checks.explore, sys; print('hypothesis' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"


def test_a_seed_gives_the_same_schedules_in_another_process(folder: Path) -> None:
    """However the process hashes text."""
    first = drawn(folder)

    assert len(first) > 100
    assert drawn(folder, hashes="7") == first


def test_a_seed_gives_the_same_schedules_whatever_is_loaded(folder: Path) -> None:
    """Modules with constants of their own change nothing, the tree's and somebody's own beside the notebook."""
    (folder / "full_of_constants.py").write_text("NUMBERS = [0, 1, 2, 3, 5, 101, 4096]\nTEXT = 'a constant'\n")
    before = f"sys.path[:0] = ['', {str(ROOT)!r}]\nimport full_of_constants, decimal, xml.dom.minidom, bentocola.quiz"

    assert drawn(folder, before=before) == drawn(folder)


def test_a_seed_gives_the_same_schedules_on_python_3_12(folder: Path) -> None:
    """Where that Python is installed: the packages here are pure Python, as far as they are needed."""
    python = python_3_12()
    if python is None:
        pytest.skip("There is no Python 3.12 on this machine.")

    assert drawn(folder, python) == drawn(folder)


def test_nothing_is_left_in_the_folder(folder: Path) -> None:
    """hypothesis keeps no examples and no constants beside a student's notebook."""
    drawn(folder)

    assert not (folder / ".hypothesis").exists()


def test_other_seeds_give_other_schedules() -> None:
    """A seed decides what is drawn."""

    def played(seed: int) -> list[Schedule]:
        found: list[Schedule] = []
        find_shortest(SPACE, found.append, seed=seed, tries=10)
        return found

    assert played(1) == played(1)
    assert len({tuple(played(seed)) for seed in range(10)}) == 10


@pytest.mark.parametrize("tries", [1, 5, 20])
def test_a_budget_counts_executions(tries: int) -> None:
    """So many schedules are drawn and no more, and those that always come are counted as well."""
    played: list[Schedule] = []
    first = (Schedule((C, C, C)), Schedule((B, B, B)))
    found, count = find_shortest(SPACE, played.append, seed=3, tries=tries, first=first)

    assert found is None
    assert count == len(played) <= tries + len(first)
    assert played[:2] == list(first)


def test_no_schedule_is_played_twice() -> None:
    """Neither while drawing nor while shrinking, nor one of those that always come."""
    played: list[Schedule] = []

    def breaks(schedule: Schedule) -> bool:
        played.append(schedule)
        return len(schedule.jobs) == 4 and AGAIN in schedule.slips

    found, count = find_shortest(SPACE, breaks, seed=1, tries=300, first=(Schedule((A,)),))

    assert found is not None
    assert len(played) == len(set(played))
    assert count <= len(played)


def test_shrinking_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays so many more schedules and then makes do with the shortest one until then."""
    monkeypatch.setattr(module, "_SHRINKS", 5)
    played: list[Schedule] = []

    def breaks(schedule: Schedule) -> bool:
        played.append(schedule)
        return AGAIN in schedule.slips

    found, count = find_shortest(SPACE, breaks, seed=1, tries=100)

    assert found is not None
    assert breaks(found)
    assert len(played) - 1 <= count + 5 + 1


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("breaks", "shortest"),
    [
        (lambda s: C in s.jobs, Schedule((C,))),
        (lambda s: s.jobs.count(B) >= 2, Schedule((B, B))),
        (lambda s: AGAIN in s.slips and s.batch == 1, Schedule((A,), (AGAIN,), 1)),
        (lambda s: bool(s.stored) and len(s.jobs) >= 2, None),
        (lambda s: len(s.slips) == 2 and C in s.jobs, Schedule((C,), (LOST, LOST))),
    ],
    ids=["a job", "two", "fault and batch", "stored", "two faults"],
)
def test_shrinking_finds_the_least_that_breaks(seed: int, breaks: object, shortest: Schedule | None) -> None:
    """Nothing is in the story that it does not need, and each thing in it is the simplest that will do."""
    found, _ = find_shortest(SPACE, breaks, seed=seed, tries=400)  # type: ignore[arg-type]

    assert found is not None
    if shortest is not None:
        assert found == shortest
    else:
        assert (len(found.jobs), found.slips, found.batch, set(found.jobs)) == (2, (), 10, {A})


def test_without_shrinking_the_first_that_breaks_is_enough() -> None:
    """To know that an answer is wrong takes no shortest story."""
    played: list[Schedule] = []

    def breaks(schedule: Schedule) -> bool:
        played.append(schedule)
        return C in schedule.jobs

    found, count = find_shortest(SPACE, breaks, seed=2, tries=50, shrink=False)

    assert found is not None
    assert len(played) <= count + 1
