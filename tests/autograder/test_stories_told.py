"""What is said of a story that a check has found: in both languages, from the verdict to the page."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.feedback import Grades, make
from autograder.feedback.text import inline
from autograder.feedback.words import of_check
from autograder.records import CheckResult, Outcome, Record, Said
from autograder.retold import retell_sentences
from autograder.sheet import PaperCell
from autograder.sitting import marks
from autograder.verdicts import CellText, Secrets, failure, said, score, seed
from autograder.voice import voice
from bentocola.checks.finding import Finding
from bentocola.checks.misconceptions import MISCONCEPTIONS
from bentocola.checks.notyet import Broken
from bentocola.checks.result import Result
from bentocola.messages import LANGUAGES, translate
from tests.autograder.feedback_sample import notebook, paper, record
from tests.autograder.test_feedback import Read

GAVE = "What happened: {answer} gave {got}. The test expects {expected}."
FACT = MISCONCEPTIONS["once"][0]


def sentence(language: str, **values: str) -> str:
    """Return a sentence of the catalogue with values in it."""
    return translate(language, GAVE, **({"answer": "f", "got": "[1]", "expected": "[2]"} | values))


def told(language: str) -> Broken:
    """Return what a frame raises of a story, all of it in sentences of the catalogue."""
    between = {"es": " ", "ja": ""}[language]
    finding = Finding(
        "story",
        cases=7,
        seed=4,
        misconception="once",
        observed=between.join((sentence(language, got="v. 1. b"), translate(language, FACT))),
        story=(translate(language, FACT), "somebody's own", sentence(language)),
    )
    advice = (translate(language, "How it works: {fact}", fact=translate(language, FACT)),)
    return Broken(finding, translate(language, "What happened: {observed}", observed=finding.observed), advice)


def raised(error: Exception) -> tuple[Exception, str, dict[str, CellText]]:
    """Return an error as it comes out of a cell all of whose lines are hidden."""
    name = "/tmp/ipykernel_1/7.py"
    try:
        exec(compile("raise error", name, "exec"), {"error": error})
    except Exception as came:
        return came, name, {name: CellText("raise error", ((1, 1),))}
    raise AssertionError


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_side_by_side_are_retold_one_by_one(language: str) -> None:
    """Each in the other language, also one of two sentences, or with a full stop in its place; what is unknown stays."""
    for other in LANGUAGES:
        observed = told(language).finding.observed
        assert retell_sentences(observed, language, other) == told(other).finding.observed
    assert retell_sentences("somebody's own", language, "es") == "somebody's own"
    with pytest.raises(ValueError, match="Expected two of the languages"):
        retell_sentences("", language, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_story_at_a_hidden_line_is_told_in_both_languages(language: str) -> None:
    """What was observed, the events in order and the advice: they show events of a schedule, and nothing of the test."""
    error, name, cells = raised(told(language))
    secrets = Secrets([CellText("f('somebody')", ((1, 1),))])
    (one,) = said(error, name, cells, language=language, secrets=secrets)

    for other in LANGUAGES:
        assert one.texts[other] == "\n".join((told(other).happened, *told(other).advice))
        assert one.story[other] == list(told(other).finding.story)


def test_what_is_told_in_the_other_language_already_is_taken_as_it_is() -> None:
    """Nothing has to be recognised then."""
    finding = Finding("story", 1, 1, observed="Was.", story=("Came.",), also={"ja": ("でした。", ("来ました。",))})
    (one,) = said(
        *raised(Broken(finding, translate("es", "What happened: {observed}", observed="Was."))), language="es"
    )

    assert one.texts["ja"] == translate("ja", "What happened: {observed}", observed="でした。")
    assert one.story == {"es": ["Came."], "ja": ["来ました。"]}


def test_a_story_of_a_course_in_another_language_is_told_as_it_is() -> None:
    """Where no catalogue has the sentence, its text is told under no language."""
    broken = Broken(Finding("story", 1, 1, observed="Was.", story=("Came.",)), "It was.")
    (one,) = said(*raised(broken), language="")

    assert (one.texts, one.story) == ({"": "It was.\nCame."}, {"": ["Came."]})


def test_a_result_says_what_ended_it_and_its_seed() -> None:
    """Only a result of the course's checks is asked."""
    error = told("es")
    result = Result("f", 2, 0, "story", "es", seed=4, error=error)
    stranger = type("Result", (), {"error": error, "seed": 4})()

    assert (score(result, 2).earned, failure(result), seed(result)) == (0, error, 4)
    assert (failure(stranger), seed(stranger)) == (None, None)
    assert failure(Result("f", 2, 2, "passed", "es")) is None


ANSWER: dict[str, Any] = {
    "status": "error",
    "earned": 0,
    "seed": 4,
    "said": [{"kind": "course", "texts": {"es": "t"}, "story": {"es": ["one", "two"]}}],
}


def test_the_examiner_s_word_for_seed_and_story_is_kept() -> None:
    """Both go into the record; of the candidate, neither is taken."""
    cell = PaperCell("test-f", "code", "test", "f()", 2)
    trusted = marks.outcome_of(ANSWER, 2, trusted=True)
    check = marks.result(cell, trusted)

    assert (check.seed, check.said[0].story) == (4, {"es": ["one", "two"]})
    assert marks.outcome_of(ANSWER, 2, trusted=False) == Outcome("error", earned=0.0)
    assert Record.from_json(Record("a", "s", "n", "d", "A", checks=(check,)).as_json()).checks == (check,)


@pytest.mark.parametrize("bad", [-1, 1.5, True, 1 << 64, "4"], ids=repr)
def test_what_is_no_seed_is_dropped(bad: object) -> None:
    """A seed is a whole number."""
    assert marks.outcome_of(ANSWER | {"seed": bad}, 2, trusted=True).seed is None


def test_a_story_that_is_none_is_refused() -> None:
    """What the examiner sends has its form, or is no outcome."""
    wrong = [{"kind": "course", "texts": {}, "story": {"es": [1]}}]
    with pytest.raises(ValueError, match="Expected a text"):
        marks.outcome_of(ANSWER | {"said": wrong}, 2, trusted=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_the_story_as_a_numbered_list(language: str) -> None:
    """Between what happened and how it works, in the reader's language, with all of the student's escaped."""
    (one,) = said(*raised(told("es")), language="es")
    hostile = Said(one.kind, one.texts, story={name: [*events, "<b>`x`</b>"] for name, events in one.story.items()})
    cell = next(cell for cell in paper("es").notebooks[0].cells if cell.role == "test")
    check = CheckResult(cell.grade_id, cell.points, 0, "error", said=(hostile,), seed=987654321)
    (words, *_) = of_check(check, voice(language), language, course="es", shown=True)
    page = make(record(checks=(check,)), notebook("es"), Grades(), paper("es"), language)

    assert words.story == (*told(language).finding.story, "<b>`x`</b>")
    assert words.works
    assert f"<li>{inline(told(language).finding.story[0])}</li>" in page
    assert "<li>&lt;b&gt;<code>x</code>&lt;/b&gt;</li>" in page
    assert Read(page).unbalanced == []
    assert "987654321" not in page
