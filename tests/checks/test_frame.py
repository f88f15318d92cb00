"""The frame of a test cell: what it says in each case, in the student's language, and that it never shows a traceback."""

from __future__ import annotations

import linecache
import logging
import sys
from collections.abc import Iterator

import boto3
import pytest

import bentocola
from bentocola.checks import Fell, NotYet, Unanswered, check
from bentocola.cloud.cloud import Cloud


@pytest.fixture(params=["es", "ja"])
def cloud(request: pytest.FixtureRequest) -> Iterator[Cloud]:
    """A running cloud of each edition."""
    running = bentocola.start(request.param)
    yield running
    running.stop()


def test_an_answer_that_holds_is_told_so(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    """The frame prints ✓ and the answer's name, on stdout."""
    with check(cloud, "order_keys", 2) as test:
        test.equal(["a"], ["a"])

    assert capsys.readouterr().out.startswith("✓ `order_keys`")


def test_a_blank_answer_gets_one_line(cloud: Cloud) -> None:
    """NotImplementedError becomes one sentence with the points, and no traceback."""
    with pytest.raises(Unanswered) as refusal, check(cloud, "save_once", 2):
        raise NotImplementedError

    assert {"es": "Puntos por ahora: 0 de 2.", "ja": "いまは2点中0点です。"}[cloud.edition] in str(refusal.value)
    assert refusal.value._render_traceback_() == [str(refusal.value)]
    assert refusal.value.__suppress_context__


@pytest.mark.parametrize("blank", [None, ()], ids=str)
def test_a_blank_prediction_is_unanswered(cloud: Cloud, blank: object) -> None:
    """None, and the empty parentheses of the released cell, are no prediction."""
    with pytest.raises(Unanswered), check(cloud, "prediction_again", 1) as test:
        test.is_a(blank, int)


@pytest.mark.parametrize("wrong", ["1", 1.0, True], ids=repr)
def test_a_prediction_of_another_type_is_told_both_types(cloud: Cloud, wrong: object) -> None:
    """A text, a float and a bool are no int; the sentence names what came and what is expected."""
    with pytest.raises(NotYet) as refusal, check(cloud, "prediction_again", 1) as test:
        test.is_a(wrong, int)

    assert f"`{type(wrong).__name__}`" in str(refusal.value)
    assert "`int`" in str(refusal.value)


def test_a_wrong_prediction_does_not_give_the_answer_away(cloud: Cloud) -> None:
    """What is expected of a prediction is the answer: it stands nowhere in the message."""
    with pytest.raises(NotYet) as refusal, check(cloud, "prediction_key", 1) as test:
        test.equal("as it was", "the-answer", "key-as-is")

    assert "the-answer" not in str(refusal.value)


def test_a_misconception_is_explained_in_three_lines(cloud: Cloud) -> None:
    """What happened with the student's own value, how it works, and what to try."""
    with pytest.raises(NotYet) as refusal, check(cloud, "order_keys", 1) as test:
        test.equal(["a%20b"], ["a b"], "key-as-is")
    happened, works, experiment = str(refusal.value).splitlines()

    assert "a%20b" in happened
    assert works.startswith({"es": "Cómo funciona: ", "ja": "しくみ："}[cloud.edition])
    assert experiment.startswith({"es": "Prueba ahora: ", "ja": "次の実験："}[cloud.edition])


def test_nothing_returned_is_said_in_place_of_a_misconception(cloud: Cloud) -> None:
    """A function that prints has no belief about S3: the hint is about return."""
    with pytest.raises(NotYet) as refusal, check(cloud, "order_keys", 1) as test:
        test.equal(None, ["a b"], "key-as-is")

    assert "`return`" in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 2


def test_an_exception_of_the_answer_is_one_line_and_what_it_points_to(cloud: Cloud) -> None:
    """A missing Records points to the test event; another KeyError points to nothing."""
    with pytest.raises(Fell) as known, check(cloud, "order_keys", 1):
        raise KeyError("Records")
    with pytest.raises(Fell) as unknown, check(cloud, "order_keys", 1):
        raise KeyError("records")

    assert len(str(known.value).splitlines()) == 3
    assert len(str(unknown.value).splitlines()) == 1
    assert known.value._render_traceback_() == str(known.value).splitlines()


def test_a_number_in_place_of_text_is_recognised(cloud: Cloud) -> None:
    """boto3's own refusal of {"N": 3} points to what numbers travel as."""
    item = {"customer": {"S": "a"}, "order_id": {"N": 3}}
    with pytest.raises(Fell) as refusal, check(cloud, "save_once", 1):
        boto3.client("dynamodb").put_item(TableName="t", Item=item)

    assert len(str(refusal.value).splitlines()) == 3


def test_a_missing_answer_is_said_to_be_missing(cloud: Cloud) -> None:
    """A renamed function, or one whose cell failed, gets a sentence of its own; another missing name is the answer's error."""
    with pytest.raises(Fell) as missing, check(cloud, "order_keys", 1):
        order_keys  # noqa: B018, F821
    with pytest.raises(Fell) as other, check(cloud, "order_keys", 1):
        something_else  # noqa: B018, F821

    assert "NameError" not in str(missing.value)
    assert "NameError" in str(other.value)


def test_an_expected_exception_must_come(cloud: Cloud) -> None:
    """The right class or AWS code passes; none, or another, does not."""
    with check(cloud, "order_keys", 1) as test, test.raises(ValueError):
        raise ValueError
    with check(cloud, "save_once", 1) as test, test.raises("ResourceNotFoundException"):
        boto3.client("dynamodb").put_item(TableName="none", Item={"a": {"S": "b"}})
    with pytest.raises(NotYet, match="ValueError"), check(cloud, "order_keys", 1) as test, test.raises(ValueError):
        pass
    with pytest.raises(Fell, match="KeyError"), check(cloud, "order_keys", 1) as test, test.raises(ValueError):
        raise KeyError


def test_what_an_answer_logs_goes_to_stdout(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    """Logging and prints to stderr are no failure, and stderr is itself again afterwards."""
    handler = logging.StreamHandler(sys.stderr)
    logger = logging.getLogger("student")
    logger.addHandler(handler)
    before = sys.stderr
    with check(cloud, "order_keys", 1):
        logger.error("logged")
        print("printed", file=sys.stderr)
    logger.removeHandler(handler)
    captured = capsys.readouterr()

    assert captured.err == ""
    assert all(word in captured.out for word in ("logged", "printed"))
    assert sys.stderr is before
    assert handler.stream is before


def test_stopping_a_cell_stops_it(cloud: Cloud) -> None:
    """KeyboardInterrupt is the student's own, and passes."""
    with pytest.raises(KeyboardInterrupt), check(cloud, "order_keys", 1):
        raise KeyboardInterrupt


def fell_in_cells(cloud: Cloud, answer: str, test: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run an answer cell and a test cell as ipykernel does, each compiled under a name of its own; return what the test says."""
    names: dict[str, object] = {"check": check, "cloud": cloud}
    for number, text in enumerate((answer, test)):
        name = f"/tmp/ipykernel_1/test_frame_{number}.py"
        monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(keepends=True), name))
        try:
            exec(compile(text, name, "exec"), names)
        except Fell as fell:
            return str(fell)
    raise AssertionError("Expected the test to fail.")


CALLS_BACK = "def work_batch(work):\n    for body in ['{}']:\n        work(body)\n"


@pytest.mark.parametrize(
    "frame", ["check(cloud, 'work_batch', 1)", "check(cloud, 'work_batch', 1) as t, t.raises(OSError)"]
)
def test_error_in_a_helper_of_the_test_names_the_answer_s_line(
    cloud: Cloud, frame: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the answer calls a function of the test cell back, the line is the one that called, not the helper's."""
    test = f"def helper(body):\n    return {{}}[body]\n\n\nwith {frame}:\n    work_batch(helper)\n"
    said = fell_in_cells(cloud, CALLS_BACK, test, monkeypatch)

    assert "work(body)" in said
    assert "3" in said
    assert "return" not in said


def test_error_of_the_test_s_own_lines_alone_names_no_line(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no line of another cell had a part in is told without a line."""
    test = "def helper(body):\n    return {}[body]\n\n\nwith check(cloud, 'work_batch', 1):\n    helper('a')\n"
    said = fell_in_cells(cloud, CALLS_BACK, test, monkeypatch)

    assert "KeyError" in said
    assert "[body]" not in said
