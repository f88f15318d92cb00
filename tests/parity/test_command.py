"""The command line: modules, exit status, summaries."""

from __future__ import annotations

import pytest

from tests.parity.building import SmallCourse, code


@pytest.fixture
def two(course: SmallCourse) -> SmallCourse:
    """A course of two lessons, the second with a difference."""
    for edition, number in (("es", 1), ("ja", 2)):
        course.put(edition, [code("m00-a", "x = 1")], "lessons/{edition}/00-start.ipynb")
        course.put(edition, [code("m01-a", f"x = {number}")])
    return course


@pytest.mark.parametrize(
    ("modules", "status"), [((), 1), (("00",), 0), (("00-start",), 0), (("01",), 1), (("00", "01-upload"), 1)]
)
def test_check_looks_at_the_named_modules(two: SmallCourse, modules: tuple[str, ...], status: int) -> None:
    """A module is named by its number or in full; all are checked when none is named."""
    assert two.run("check", *modules) == status


def test_check_ends_with_a_summary(two: SmallCourse, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line says how many differences there are, or how much was compared."""
    two.run("check")
    two.run("check", "00")

    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["Differences found: 1.", "Both editions agree. Notebooks compared: 1."]


@pytest.mark.parametrize("command", [("check", "02"), ("agree", "02"), ("sync", "02", "--from", "es")])
def test_an_unknown_module_is_named(
    two: SmallCourse, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """The message lists the modules there are; half a number is no module."""
    assert two.run(*command) == 2
    assert capsys.readouterr().err == "There is no module '02'. The modules are: 00-start, 01-upload.\n"


def test_an_empty_course_is_no_success(course: SmallCourse, capsys: pytest.CaptureFixture[str]) -> None:
    """A check that looked at nothing does not pass."""
    assert course.run("check") == 1
    assert capsys.readouterr().out == "There are no lessons and no assignments yet.\n"
