"""What a test is worth, and what of it is said to a student."""

from __future__ import annotations

import decimal
import fractions
import math
from typing import Any

import numpy
import pytest

from autograder.records import Said
from autograder.retold import recognise, retell
from autograder.verdicts import CellText, Secrets, StudentError, said, score
from bentocola.checks import NotYet
from bentocola.checks.misconceptions import MISCONCEPTIONS
from bentocola.messages import translate

# Scores


@pytest.mark.parametrize(
    ("value", "points", "earned"),
    [
        (None, 2, 2),
        (0, 2, 0),
        (2, 2, 2),
        (1.5, 2, 1.5),
        (0.30000000000000004, 0.3, 0.3),
        (0.3, 0.30000000000000004, 0.3),
        (-1e-17, 2, 0),
        (numpy.float64(1.25), 2, 1.25),
        (numpy.float32(0.5), 2, 0.5),
        (numpy.int64(1), 2, 1),
        (0, 0, 0),
        (None, 0, 0),
    ],
)
def test_a_number_within_the_points_is_the_score(value: Any, points: float, earned: float) -> None:
    found = score(value, points)
    assert (found.earned, found.fault) == (earned, None)
    assert math.copysign(1, found.earned or 0) == 1


class Number(float):
    """A float of somebody's own."""


class Everything:
    """Would be any number, if it were asked."""

    def __float__(self) -> float:
        return 1.0

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise AssertionError("Nothing of it may run.")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (True, "True (bool)"),
        (False, "False (bool)"),
        (numpy.bool_(True), "numpy"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (10**400, "inf"),
        (2.1, "2.1, which is not between 0 and 2"),
        (-1, "-1.0, which is not between 0 and 2"),
        (decimal.Decimal(1), "Decimal('1')"),
        (fractions.Fraction(1), "Fraction(1, 1)"),
        ("2", "'2' (str)"),
        ([1], "[1] (list)"),
        (1j, "1j (complex)"),
        (Number(1), "Number"),
        (Everything(), "Everything"),
    ],
)
def test_anything_else_is_a_fault_of_the_test(value: Any, told: str) -> None:
    found = score(value, 2)
    assert found.earned is None
    assert found.fault is not None
    assert told in found.fault


def result(earned: Any, points: Any, module: str = "bentocola.checks.results") -> Any:
    made = type("Result", (), {"__module__": module})()
    made.earned, made.points = earned, points
    return made


def test_a_result_of_the_courses_checks_has_its_points() -> None:
    assert score(result(1.5, 2), 2).earned == 1.5
    assert score(result(1.5, 3), 2).earned is None
    assert score(result(True, 2), 2).earned is None
    assert score(result(1, 2, module="elsewhere"), 2).earned is None
    assert score(result(1, 2, module="bentocola.checksum"), 2).earned is None


# What is said


def fails(text: str, hidden: tuple[tuple[int, int], ...] = (), names: dict[str, Any] | None = None) -> Any:
    """Run a cell's text, and return what `said` takes: the error, its file name, and the cells."""
    name = "/tmp/ipykernel_1/7.py"
    try:
        exec(compile(text.lstrip("\n"), name, "exec"), names if names is not None else {})
    except BaseException as error:
        return error, name, {name: CellText(text, hidden)}
    raise AssertionError("Expected the cell to fail.")


def test_a_visible_assertion_is_told_with_its_line_and_message() -> None:
    assert said(*fails("x = 1\nassert x == 2, 'two'")) == (Said("assertion", {"": "two"}, "assert x == 2, 'two'"),)
    assert said(*fails("assert 1 == 2")) == (Said("assertion", {}, "assert 1 == 2"),)


def test_lines_are_counted_from_the_top_of_the_cell_also_after_empty_ones() -> None:
    assert said(*fails("\n\nx = 1\nassert x == 2"))[0].line == "assert x == 2"


def test_any_other_exception_at_a_visible_line_is_told_with_that_line() -> None:
    assert said(*fails("x = None\nx[0]")) == (
        Said("raised", {"": "TypeError: 'NoneType' object is not subscriptable"}, "x[0]"),
    )


def test_an_exception_without_a_message_is_told_by_its_name() -> None:
    assert said(*fails("raise NotImplementedError")) == (
        Said("raised", {"": "NotImplementedError"}, "raise NotImplementedError"),
    )


HIDDEN = "x = 1\n### BEGIN HIDDEN TESTS\nassert x == 77123, 'canary'\n### END HIDDEN TESTS"


def test_of_a_hidden_line_nothing_is_told() -> None:
    assert said(*fails(HIDDEN, ((2, 4),))) == (Said("hidden"),)


def test_of_a_hidden_line_the_students_own_line_and_kind_of_exception_are_told() -> None:
    student = StudentError("KeyError", "'canary'", "return table[key]")
    assert said(*fails(HIDDEN, ((2, 4),)), student=student) == (Said("hidden", {"": "KeyError"}, "return table[key]"),)


def test_a_class_that_a_student_named_after_a_hidden_value_is_not_named() -> None:
    student = StudentError("canary_value", "", "raise made()")
    assert said(*fails(HIDDEN, ((2, 4),)), student=student) == (Said("hidden", {"": "Exception"}, "raise made()"),)


def test_a_students_exception_at_a_visible_line_is_told_with_the_students_line() -> None:
    student = StudentError("ValueError", "no such thing", "raise ValueError('no such thing')")
    found = said(*fails("raise ValueError('no such thing')"), student=student)
    assert found == (Said("raised", {"": "ValueError: no such thing"}, "raise ValueError('no such thing')"),)


def test_an_assertion_that_came_of_a_students_exception_is_still_the_tests() -> None:
    student = StudentError("ValueError", "no", "raise ValueError('no')", direct=False)
    assert said(*fails("assert False, 'must not raise'"), student=student)[0].kind == "assertion"


def test_a_helper_with_a_hidden_line_hides_the_test_that_calls_it() -> None:
    names: dict[str, Any] = {}
    text = "def helper():\n    assert 0 == 1"
    exec(compile(text, "helper.py", "exec"), names)
    error, name, cells = fails("helper()", names=names)
    assert said(error, name, cells)[0].kind == "assertion"
    assert said(error, name, cells | {"helper.py": CellText(text, ((2, 2),))}) == (Said("hidden"),)


def test_a_visible_line_that_reads_what_a_hidden_one_bound_is_hidden_too() -> None:
    text = "### BEGIN HIDDEN TESTS\nwanted = 5\n### END HIDDEN TESTS\nassert 1 == wanted, f'not {wanted}'"
    assert said(*fails(text, ((1, 3),))) == (Said("hidden"),)


def test_a_name_that_the_test_binds_at_a_visible_line_is_no_secret_of_another_test() -> None:
    error, name, cells = fails("keys = [1]\nassert keys == 2")
    other = {"other.py": CellText("keys = [77123]", ((1, 1),))}
    assert said(error, name, cells | other) == (Said("assertion", {}, "assert keys == 2"),)


def test_a_hidden_failure_that_a_visible_line_wraps_stays_hidden() -> None:
    text = "try:\n    ### BEGIN HIDDEN TESTS\n    assert 1 == 5123\n    ### END HIDDEN TESTS\nfinally:\n    1 / 0"
    assert said(*fails(text, ((2, 4),))) == (Said("hidden"),)


def test_a_place_that_is_not_known_counts_as_hidden_where_something_is_hidden() -> None:
    error, name, cells = fails("%%time\n1 / 0".replace("%%time", "pass"), ((2, 2),))
    error.__traceback__ = None
    assert said(error, name, cells) == (Said("hidden"),)
    assert said(error, "other.py", cells) == (Said("hidden"),)


def test_a_message_that_shows_a_constant_of_a_hidden_test_is_not_told() -> None:
    error, name, cells = fails("assert False, 'the answer is canary77'")
    secrets = Secrets([CellText("f('canary77')", ((1, 1),)), CellText("assert False, 'the answer'")])
    assert said(error, name, cells, secrets=secrets) == (Said("hidden"),)
    seen_elsewhere = Secrets([CellText("f('canary77')", ((1, 1),)), CellText("f('canary77')")])
    assert said(error, name, cells, secrets=seen_elsewhere)[0].kind == "assertion"


def test_long_texts_are_cut() -> None:
    (one,) = said(*fails("raise ValueError('x' * 5000)"))
    assert len(one.texts[""]) == 1000


# The course's own messages


def course_error(language: str = "es", **values: str) -> NotYet:
    fact, experiment = MISCONCEPTIONS["test-event"]
    lines = [
        translate(language, "What happened: {answer} gave {got}. The test expects {expected}.", answer="f", **values),
        translate(language, "How it works: {fact}", fact=translate(language, fact)),
        translate(language, "Try now: {experiment}", experiment=translate(language, experiment)),
    ]
    return NotYet("\n".join(lines))


VALUES = {"got": "[1]", "expected": "[2]"}


@pytest.mark.parametrize("language", ["es", ""])
def test_a_message_of_the_courses_is_told_in_both_languages(language: str) -> None:
    (one,) = said(*fails("raise error", names={"error": course_error(**VALUES)}), language=language)
    assert one.kind == "course"
    assert one.texts == {"es": str(course_error("es", **VALUES)), "ja": str(course_error("ja", **VALUES))}


def test_at_a_hidden_line_the_course_tells_how_it_works_and_no_value() -> None:
    values = {"got": "[1]", "expected": "['secret']"}
    hidden, course = said(*fails("raise error", ((1, 1),), {"error": course_error(**values)}), language="es")
    assert hidden == Said("hidden")
    for language in ("es", "ja"):
        assert course.texts[language] == "\n".join(str(course_error(language, **values)).split("\n")[1:])


def test_a_hint_with_a_value_in_it_is_no_hint() -> None:
    forged = NotYet(translate("es", "How it works: {fact}", fact="the input was 'secret'"))
    assert said(*fails("raise error", ((1, 1),), {"error": forged}), language="es") == (Said("hidden"),)


def test_a_blank_answer_is_told_also_at_a_hidden_line() -> None:
    msgid = (
        "{answer} has no code yet, or still raises NotImplementedError. Mend the cell above, run it and repeat this test. "
        "So far: 0 of {points} points."
    )
    blank = NotYet(translate("es", msgid, answer="f", points="2"))
    (one,) = said(*fails("raise error", ((1, 1),), {"error": blank}), language="es")
    assert (one.kind, one.texts["ja"]) == ("course", translate("ja", msgid, answer="f", points="2"))


def test_a_sentence_is_recognised_with_what_stands_in_its_places() -> None:
    found = recognise(str(course_error(**VALUES)).split("\n")[0], "es")
    assert found is not None
    assert found.values == {"answer": "f", "got": "[1]", "expected": "[2]"}
    assert recognise("no sentence of the course's", "es") is None


def test_what_is_no_sentence_of_the_courses_stays_as_it_is() -> None:
    text = f"somebody's own\n{course_error('ja', **VALUES)}"
    assert retell(text, "ja", "es") == f"somebody's own\n{course_error('es', **VALUES)}"
    with pytest.raises(ValueError, match="Expected two of the languages"):
        retell(text, "ja", "en")


def test_advice_that_shares_a_word_with_a_hidden_line_is_told_all_the_same() -> None:
    fact, experiment = MISCONCEPTIONS["check-then-write"]
    lines = [
        translate("es", "What happened: {answer} did not do what this test looks for.", answer="save_once"),
        translate("es", "How it works: {fact}", fact=translate("es", fact)),
        translate("es", "Try now: {experiment}", experiment=translate("es", experiment)),
    ]
    error, name, cells = fails("raise error", ((1, 1),), {"error": NotYet("\n".join(lines))})
    secrets = Secrets([CellText("step['kind'] == 'write' and step['decision']", ((1, 1),))])
    assert secrets.shown_in(lines[2])
    (one,) = said(error, name, cells, language="es", secrets=secrets)
    assert (one.kind, one.texts["es"]) == ("course", "\n".join(lines))


def test_a_visible_course_message_with_a_hidden_value_keeps_its_advice_only() -> None:
    error, name, cells = fails("raise error", names={"error": course_error(got="'canary77'", expected="[2]")})
    secrets = Secrets([CellText("f('canary77')", ((1, 1),))])
    hidden, course = said(error, name, cells, language="es", secrets=secrets)
    assert hidden == Said("hidden")
    assert course.texts["es"] == "\n".join(str(course_error(**VALUES)).split("\n")[1:])


def test_of_a_wrong_prediction_at_a_hidden_line_the_type_is_told_and_no_value() -> None:
    msgid = "What happened: {answer} is {got}, and the experiment gives something else."
    wrong = NotYet(translate("es", msgid, answer="prediction_again", got="77123"))
    (one,) = said(*fails("raise error", ((1, 1),), {"error": wrong}), language="es")
    told = "What happened: the type of {answer} is right, and its value is not."
    assert (one.kind, one.texts["es"]) == ("course", translate("es", told, answer="prediction_again"))


def test_the_number_of_the_students_line_is_told_with_it() -> None:
    student = StudentError("KeyError", "'a'", "return table[key]", number=4)
    assert said(*fails(HIDDEN, ((2, 4),)), student=student)[0].number == 4
