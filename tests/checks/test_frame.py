"""The frame of a test cell: what it says in each case, in the student's language, and that it never shows a traceback."""

from __future__ import annotations

import linecache
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, cast

import boto3
import pytest

import bentocola
from bentocola.checks import Broken, Check, Fell, FrameError, Unanswered, check
from bentocola.checks.finding import Finding
from bentocola.cloud.cloud import Cloud


@pytest.fixture(params=["es", "ja"])
def cloud(request: pytest.FixtureRequest) -> Iterator[Cloud]:
    """A running cloud of each edition."""
    running = bentocola.start(request.param)
    yield running
    running.stop()


SYMBOLS = {"es": "✓ ", "ja": "○ "}


def test_an_answer_that_holds_is_told_in_one_line(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    """The result has all points and says so in one line with the answer's name; the frame itself prints nothing."""
    with check(cloud, "order_keys", 2) as test:
        test.equal(["a"], ["a"])

    assert repr(test.result) == "2"
    assert str(test.result).startswith(SYMBOLS[cloud.edition])
    assert "order_keys" in str(test.result)
    assert "\n" not in str(test.result)
    assert capsys.readouterr().out == ""


def test_a_blank_answer_gets_a_calm_sentence(cloud: Cloud) -> None:
    """NotImplementedError becomes a result of no points, and one sentence with the points that wait."""
    with check(cloud, "save_once", 2) as test:
        raise NotImplementedError

    assert (repr(test.result), test.result.kind, test.result.verdict) == ("0", "blank", "blank")
    assert {"es": "Puntos por ahora: 0 de 2.", "ja": "いまは2点中0点です。"}[cloud.edition] in str(test.result)
    assert isinstance(test.result.error, Unanswered)


@pytest.mark.parametrize("blank", [None, ()], ids=str)
def test_a_blank_prediction_is_unanswered(cloud: Cloud, blank: object) -> None:
    """None, and the empty parentheses of the released cell, are no prediction."""
    with check(cloud, "prediction_again", 1) as test:
        test.is_a(blank, int)

    assert test.result.kind == "blank"


@pytest.mark.parametrize("wrong", ["1", 1.0, True], ids=repr)
def test_a_prediction_of_another_type_is_told_both_types(cloud: Cloud, wrong: object) -> None:
    """A text, a float and a bool are no int; the sentence names what came and what is expected."""
    with check(cloud, "prediction_again", 1) as test:
        test.is_a(wrong, int)

    assert test.result.kind == "type"
    assert f"`{type(wrong).__name__}`" in test.result.message
    assert "`int`" in test.result.message


def test_a_wrong_prediction_does_not_give_the_answer_away(cloud: Cloud) -> None:
    """What is expected of a prediction is the answer: it stands nowhere in the result."""
    with check(cloud, "prediction_key", 1) as test:
        test.equal("as it was", "the-answer", "key-as-is")

    assert repr(test.result) == "0"
    assert "the-answer" not in str(test.result) + test.result._repr_html_()


def test_a_misconception_is_explained_in_three_lines(cloud: Cloud) -> None:
    """What happened with the student's own value, how it works, and what to try."""
    with check(cloud, "order_keys", 1) as test:
        test.equal(["a%20b"], ["a b"], "key-as-is")
    happened, works, experiment = test.result.message.splitlines()

    assert test.result.misconception == "key-as-is"
    assert "a%20b" in happened
    assert works.startswith({"es": "Cómo funciona: ", "ja": "しくみ："}[cloud.edition])
    assert experiment.startswith({"es": "Prueba ahora: ", "ja": "次の実験："}[cloud.edition])


def test_nothing_returned_is_said_in_place_of_a_misconception(cloud: Cloud) -> None:
    """A function that prints has no belief about S3: the hint is about return."""
    with check(cloud, "order_keys", 1) as test:
        test.equal(None, ["a b"], "key-as-is")

    assert "`return`" in test.result.message
    assert test.result.misconception == "no-return"
    assert len(test.result.advice) == 1


def test_the_first_thing_that_goes_wrong_ends_the_block(cloud: Cloud) -> None:
    """What stands below it does not run, and the result tells of the first."""
    reached = []
    with check(cloud, "order_keys", 1) as test:
        test.equal(["first"], [])
        reached.append(1)

    assert "first" in test.result.message
    assert reached == []


def test_an_exception_of_the_answer_is_one_line_and_what_it_points_to(cloud: Cloud) -> None:
    """A missing Records points to the test event; another KeyError points to nothing."""
    with check(cloud, "order_keys", 1) as known:
        raise KeyError("Records")
    with check(cloud, "order_keys", 1) as unknown:
        raise KeyError("records")

    assert (known.result.kind, known.result.misconception) == ("raised", "test-event")
    assert len(known.result.message.splitlines()) == 3
    assert len(unknown.result.message.splitlines()) == 1
    assert isinstance(unknown.result.error, Fell)
    assert isinstance(unknown.result.error.__context__, KeyError)
    assert unknown.result.error.__traceback__ is not None


def test_a_number_in_place_of_text_is_recognised(cloud: Cloud) -> None:
    """boto3's own refusal of {"N": 3} points to what numbers travel as."""
    item = {"customer": {"S": "a"}, "order_id": {"N": 3}}
    with check(cloud, "save_once", 1) as test:
        boto3.client("dynamodb").put_item(TableName="t", Item=item)

    assert test.result.misconception == "number-is-number"


def test_a_missing_answer_is_said_to_be_missing(cloud: Cloud) -> None:
    """A renamed function, or one whose cell failed, gets a sentence of its own, and so does a name that the cell lacks."""
    with check(cloud, "order_keys", 1) as missing:
        order_keys  # noqa: B018, F821
    with check(cloud, "order_keys", 1) as other:
        something_else  # noqa: B018, F821

    assert missing.result.kind == "missing"
    assert "NameError" not in missing.result.message
    assert "`something_else`" in other.result.message
    assert "NameError" not in other.result.message


def test_an_expected_exception_must_come(cloud: Cloud) -> None:
    """The right class or AWS code passes; none, or another, does not."""
    with check(cloud, "order_keys", 1) as right, right.raises(ValueError):
        raise ValueError
    with check(cloud, "save_once", 1) as code, code.raises("ResourceNotFoundException"):
        boto3.client("dynamodb").put_item(TableName="none", Item={"a": {"S": "b"}})
    with check(cloud, "order_keys", 1) as none, none.raises(ValueError):
        pass
    with check(cloud, "order_keys", 1) as another, another.raises(ValueError):
        raise KeyError

    assert [test.result.earned for test in (right, code, none, another)] == [1, 1, 0, 0]
    assert "ValueError" in none.result.message
    assert "KeyError" in another.result.message


def test_an_assert_of_the_test_is_told_with_its_message(cloud: Cloud) -> None:
    """A plain assert in the block becomes a sentence too, with what it says; one of the answer's own is its error."""

    def answer() -> None:
        exec(compile("assert False, 'mine'", "/tmp/ipykernel_1/answer.py", "exec"))

    with check(cloud, "order_keys", 1) as test:
        assert len("ab") == 3, "three keys"
    with check(cloud, "order_keys", 1) as other:
        answer()

    assert test.result.kind == "value"
    assert "three keys" in test.result.message
    assert 'assert len("ab") == 3' in test.result.message
    assert "AssertionError" not in test.result.message
    assert "AssertionError: mine" in other.result.message


def test_a_result_before_its_block_is_a_sentence(cloud: Cloud) -> None:
    """A frame that has tried nothing decides nothing, and one cannot be used twice: the test cell's mistake, not 0 points."""
    test = check(cloud, "order_keys", 1)
    with pytest.raises(FrameError, match=r"test\.result"):
        _ = test.result
    with test:
        pass
    with pytest.raises(FrameError, match="with"), test:
        pass


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


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, GeneratorExit], ids=lambda one: str(one.__name__))
def test_stopping_a_cell_stops_it(cloud: Cloud, stop: type[BaseException]) -> None:
    """What is no Exception is no verdict on the answer, and passes."""
    with pytest.raises(stop), check(cloud, "order_keys", 1):
        raise stop


STORY = Finding(
    "story",
    cases=7,
    seed=3,
    misconception="once",
    observed="Two items for one order.",
    story=("An upload.", "It comes again."),
    notes=("A flood of prints was cut.",),
)


@pytest.fixture
def explored(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What `explore` finds, by scenario, in its stead; each call's arguments are added under ""."""
    found: dict[str, Any] = {"": []}

    def explore(cloud: Cloud, scenario: str, function: object, *, answer: str, secret: bool) -> Finding:
        found[""].append((scenario, function, answer, secret))
        return cast("Finding", found[scenario])

    monkeypatch.setattr("bentocola.checks.frame._explore", explore)
    return found


def test_a_story_is_told_with_what_it_points_to(cloud: Cloud, explored: dict[str, Any]) -> None:
    """The result has what was observed, the story in order, the advice, the counts and the seed; its error has the finding."""
    explored |= {"first": Finding("passed", 20, 1), "second": STORY}
    with check(cloud, "save_once", 2) as test:
        test.survives(print, "first")
        test.survives(print, "second", secret=True)
    result = test.result

    assert explored[""] == [("first", print, "save_once", False), ("second", print, "save_once", True)]
    assert (result.earned, result.kind, result.misconception) == (0, "story", "once")
    assert (result.cases, result.seed, result.story) == (27, 3, STORY.story)
    assert result.happened.endswith(STORY.observed)
    assert len(result.advice) == 2
    assert result.notes == STORY.notes
    assert isinstance(result.error, Broken)
    assert result.error.finding is STORY
    assert "  2. It comes again." in str(result).splitlines()


def test_a_story_without_a_belief_claims_none(cloud: Cloud, explored: dict[str, Any]) -> None:
    """Where nothing is known but the story, what is to be tried is to play it."""
    explored["only"] = replace(STORY, misconception=None)
    with check(cloud, "save_once", 2) as test:
        test.survives(print, "only")

    assert test.result.misconception is None
    assert len(test.result.advice) == 1
    assert test.result.advice[0].startswith({"es": "Prueba ahora: ", "ja": "次の実験："}[cloud.edition])


def test_all_schedules_passed_are_counted(cloud: Cloud, explored: dict[str, Any]) -> None:
    """A pass says in how many stories it held, and what is worth saying besides."""
    explored |= {"a": Finding("passed", 20, 1, notes=STORY.notes), "b": Finding("passed", 22, 1)}
    with check(cloud, "save_once", 2) as test:
        test.survives(print, "a")
        test.survives(print, "b")
    first, *notes = str(test.result).splitlines()

    assert (test.result.earned, test.result.cases) == (2, 42)
    assert "42" in first
    assert tuple(notes) == STORY.notes


@pytest.mark.parametrize("kind", ["blank", "missing"])
def test_what_schedules_find_of_no_answer_is_told_as_elsewhere(
    cloud: Cloud, explored: dict[str, Any], kind: Literal["blank", "missing"]
) -> None:
    """Blank and missing answers get the frame's own sentences."""
    explored["any"] = Finding(kind, 1, 1)
    with check(cloud, "save_once", 2) as test:
        test.survives(print, "any")

    assert test.result.kind == kind
    assert test.result.story == ()
    assert "save_once" in test.result.message


def fell_in_cells(cloud: Cloud, answer: str, test: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run an answer cell and a test cell as ipykernel does, each compiled under a name of its own; return what the test says."""
    names: dict[str, object] = {"check": check, "cloud": cloud}
    for number, text in enumerate((answer, test)):
        name = f"/tmp/ipykernel_1/test_frame_{number}.py"
        monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(keepends=True), name))
        exec(compile(text, name, "exec"), names)
    result = cast("Check", names["t"]).result
    assert result.error is not None
    return result.message


CALLS_BACK = "def work_batch(work):\n    for body in ['{}']:\n        work(body)\n"


@pytest.mark.parametrize(
    "frame", ["check(cloud, 'work_batch', 1) as t", "check(cloud, 'work_batch', 1) as t, t.raises(OSError)"]
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
    test = "def helper(body):\n    return {}[body]\n\n\nwith check(cloud, 'work_batch', 1) as t:\n    helper('a')\n"
    said = fell_in_cells(cloud, CALLS_BACK, test, monkeypatch)

    assert "KeyError" in said
    assert "[body]" not in said


def test_a_line_between_the_marks_of_hidden_tests_is_not_shown(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """An assert of the hidden part is told without its line: a student may get to see what the cell put out."""
    shown = "with check(cloud, 'work_batch', 1) as t:\n    assert work_batch is None\n"
    hidden = (
        "with check(cloud, 'work_batch', 1) as t:\n    ### BEGIN HIDDEN TESTS\n    assert work_batch is None\n"
        "    ### END HIDDEN TESTS\n"
    )

    assert "assert work_batch" in fell_in_cells(cloud, CALLS_BACK, shown, monkeypatch)
    assert "assert" not in fell_in_cells(cloud, CALLS_BACK, hidden, monkeypatch)
