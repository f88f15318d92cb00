"""A result: the number that nbgrader reads, the text of a terminal, and the report in a notebook."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_output
from nbgrader.utils import determine_grade

from bentocola.checks.result import Result

HOSTILE = '<script>alert(1)</script> & "quoted" `<b>code</b>` \u202e \x1b[31m'


def failed(**given: Any) -> Result:
    """Return the result of a failing test, with some of it given."""
    plain: dict[str, Any] = {"answer": "save_once", "points": 2, "earned": 0, "kind": "story", "language": "es"}
    plain |= {"happened": "Qué pasó: dos elementos.", "story": ("Sube un archivo.", "Llega otra vez.")}
    return Result(**(plain | {"advice": ("Prueba ahora: entrega dos veces.",)} | given))


def grade(result: Result, most: float) -> float | None:
    """Return the points that stock nbgrader gives a cell whose last expression is the result."""
    shell = InteractiveShell.instance()
    data, _ = shell.display_formatter.format(result)  # type: ignore[union-attr]
    cell = new_code_cell(outputs=[new_output("execute_result", data=data)])  # type: ignore[no-untyped-call]
    cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": most, "schema_version": 3}
    earned: float | None = determine_grade(cell)[0]
    return earned


@pytest.mark.parametrize(
    ("earned", "points", "expected"),
    [
        (2, 2, "2"),
        (0, 2, "0"),
        (0.1 + 0.2, 0.3, "0.3"),
        (0.1 + 0.2, 0.1 + 0.2, "0.3"),
        (1 / 3, 2, "0.3333333333"),
        (2 / 3, 2 / 3, "0.6666666666"),
        (1e-12, 1, "0"),
        (0.00001, 1, "0.00001"),
        (100, 100, "100"),
        (5, 2, "2"),
        (-1, 2, "0"),
        (-0.0, 2, "0"),
        (float("nan"), 2, "0"),
        (float("inf"), 2, "0"),
    ],
    ids=str,
)
def test_nbgrader_reads_the_points(earned: float, points: float, expected: str) -> None:
    """The text is a plain decimal number, and stock nbgrader reads it as points: never as a text, or as too many."""
    result = failed(earned=earned, points=points)

    assert repr(result) == expected
    assert grade(result, points) == float(expected)


def test_a_terminal_gets_all_of_it_in_order() -> None:
    """The verdict with its symbol, what happened, the story as a numbered list, what to try."""
    assert str(failed()).splitlines() == [
        "✗ todavía no · `save_once` · 0 de 2 puntos",
        "Qué pasó: dos elementos.",
        str(failed()).splitlines()[2],
        "  1. Sube un archivo.",
        "  2. Llega otra vez.",
        "Prueba ahora: entrega dos veces.",
    ]


@pytest.mark.parametrize(
    ("earned", "kind", "symbols"), [(2, "passed", "✓○"), (1, "story", "◐△"), (0, "story", "✗×"), (0, "blank", "––")]
)
def test_each_verdict_has_its_sign_and_words(earned: float, kind: Any, symbols: str) -> None:
    """In Japan a tick means a mistake: each language has its own signs, and words stand beside them."""
    for language, symbol in zip(("es", "ja"), symbols, strict=True):
        result = failed(earned=earned, kind=kind, language=language)
        head = str(result).splitlines()[0]

        assert head.startswith(f"{symbol} ")
        assert len(head) > 4
        assert f'lang="{language}"' in result._repr_html_()
        assert symbol in result._repr_html_()


def test_the_report_is_whole_and_loads_nothing() -> None:
    """It is well-formed, has the story as an ordered list, and neither a script, a style sheet nor an address."""
    report = failed()._repr_html_()
    tree = ElementTree.fromstring(report)

    assert [item.text for item in tree.findall("./ol/li")] == ["Sube un archivo.", "Llega otra vez."]
    assert {element.tag for element in tree.iter()} <= {"div", "p", "b", "span", "code", "ol", "li"}
    assert not re.search(r"url\(|href|src=|https?:|\bid=", report)


def test_a_pass_is_one_short_line() -> None:
    """One paragraph, without story or advice."""
    passed = failed(earned=2, kind="passed", happened="`save_once`: pasa.")

    assert len(ElementTree.fromstring(passed._repr_html_()).findall(".//p")) == 1
    assert str(passed) == "✓ `save_once`: pasa."


def test_what_a_student_made_is_text_only() -> None:
    """Markup is escaped wherever a value may stand, and what is invisible is shown by its number."""
    report = failed(
        answer=HOSTILE, happened=HOSTILE, story=(HOSTILE,), advice=(HOSTILE,), notes=(HOSTILE,)
    )._repr_html_()
    tree = ElementTree.fromstring(report)

    assert "<script" not in report
    assert "\u202e" not in report
    assert "\x1b" not in report
    assert "[U+202E]" in report
    assert {element.text for element in tree.iter("code")} >= {"<b>code</b>"}


def test_no_seed_is_shown() -> None:
    """Whoever knew the seed of the graded schedules could try them beforehand."""
    result = failed(seed=987654321)

    assert "987654321" not in str(result) + result._repr_html_()
