"""Feedback pages: what a student reads about each check, what never stands there, and files where nbgrader looks for them."""

from __future__ import annotations

import dataclasses
import html
import os
import re
import stat
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from traitlets.config import Config

from autograder.course import Course
from autograder.feedback import Given, Grades, make, put
from autograder.feedback.text import LONGEST_LINE, clean, code, excerpt, inline
from autograder.records import CAUSES, CheckResult, LimitHit, Note, Record, Said
from autograder.results import Store
from bentocola.messages import LANGUAGES, translate
from tests.autograder.feedback_sample import (
    ANSWERS,
    ASSIGNMENT,
    COMMENT,
    STUDENT,
    checks,
    course,
    grades,
    notebook,
    paper,
    record,
)

HOSTILE = "</code></pre></article><script>alert(1)</script><img src=x onerror=alert(1)>&amp;{{ 7 * 7 }}{say}"


class Read(HTMLParser):
    """What a browser would make of a page: its elements, and its text without styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []
        self._texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self._texts.append(data)

    @property
    def text(self) -> str:
        """All that can be read, in one line."""
        return " ".join("".join(self._texts).split())


def page_of(**changes: Any) -> str:
    """A page in Spanish; `changes` are of the record."""
    return make(record(**changes), notebook("es"), grades(), paper("es"), "es")


def item(page: str, cell: str) -> str:
    """The part of a page that is about one graded cell, as text."""
    (found,) = (
        part for part in re.findall(r"<article.*?</article>", page, re.DOTALL) if f"<code>{cell}</code></h3>" in part
    )
    return Read(found).text


def one(said: tuple[Said, ...], *, cause: str | None = "error", earned: float | None = 0.0) -> str:
    """What the page says of a test with this explanation."""
    check = CheckResult("test-order-keys-several", 2.0, earned, cause, said=said)
    page = make(record(checks=(check,)), notebook("es"), Grades(), paper("es"), "es")
    return item(page, "test-order-keys-several")


# What a student reads


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_names_each_check_with_points_and_verdict(language: str) -> None:
    """Every graded cell has its points of how many, and its verdict as a sign and in words."""
    page = make(record(), notebook(language), grades(), paper(language), language)

    for cell in paper(language).notebooks[0].cells:
        if cell.role in ("test", "manual"):
            assert re.search(r"[✓◐✗…○△×–]", item(page, cell.grade_id)), cell.grade_id
    assert translate(language, "{earned} of {possible} points", earned=2, possible=2) in item(
        page, "test-order-keys-several"
    )
    assert translate(language, "not yet") in item(page, "test-order-keys-encoded")
    assert translate(language, "a part of it holds") in item(page, "test-save-once-repeat")


def test_right_is_a_circle_in_japanese() -> None:
    """A tick means a mistake in Japan, so that no page in Japanese has one."""
    page = make(record(), notebook("ja"), grades(), paper("ja"), "ja")

    assert "✓" not in page
    assert "○" in item(page, "test-order-keys-several")


@pytest.mark.parametrize("language", LANGUAGES)
def test_course_message_is_told_in_the_reader_s_language(language: str) -> None:
    """What happened, how it works and what to try stand apart, each with its label, in the page's language."""
    page = make(record(), notebook("es"), grades(), paper("es"), language)
    text = item(page, "test-order-keys-encoded")
    labels = [
        translate(language, "What happened:"),
        translate(language, "How it works: {fact}", fact="").strip(),
        translate(language, "Try now: {experiment}", experiment="").strip(),
    ]
    lines = checks()["test-order-keys-encoded"].said[0].texts[language].splitlines()

    assert [text.count(label) for label in labels] == [1, 1, 1]
    assert [text.index(label) for label in labels] == sorted(text.index(label) for label in labels)
    assert (
        text.split(labels[1])[1].split(labels[2])[0].strip()
        == lines[1].removeprefix(labels[1]).replace("`", "").strip()
    )
    assert "pedidos/luc%C3%ADa/3.json" in text
    assert "`" not in text


def test_message_in_one_language_only_keeps_it_and_says_so() -> None:
    """Where the reader's language is missing, the course's is shown, and the page marks which language that is."""
    said = Said("course", {"": "Qué pasó: se perdió un pedido."})
    check = CheckResult("test-order-keys-several", 2.0, 0.0, "error", said=(said,))
    page = make(record(checks=(check,)), notebook("es"), Grades(), paper("es"), "ja")

    assert '<span lang="es">se perdió un pedido.</span>' in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_course_messages_begin_with_the_label(language: str) -> None:
    """What a test cell says of what happened begins, in the catalogue, with the words that the page puts in front."""
    label = translate(language, "What happened:")
    message = "What happened: {answer} did not do what this test looks for."

    assert translate(language, message, answer="f").startswith(label)


def test_visible_assertion_is_shown_with_its_message() -> None:
    """A line of a test that the student can see is quoted, with what it says."""
    text = item(page_of(), "test-save-once-keeps")

    assert "assert shop.items(table) == [shipped]" in text
    assert "the first one stays" in text


def test_error_of_the_student_s_code_is_shown_with_its_line() -> None:
    """The exception's name and text, and the line of theirs, with what helps for this kind."""
    text = item(page_of(), "test-order-keys-no-records")

    assert "KeyError: 'Records'" in text
    assert 'return [record["s3"] for record in message["Records"]]' in text
    assert translate("es", "asking for a key or a position that is not there is an error, not an empty answer.") in text


@pytest.mark.parametrize(
    "name", ["NotImplementedError", "NameError", "SyntaxError", "TypeError", "RecursionError", "Own"]
)
def test_each_kind_of_error_has_something_to_try(name: str) -> None:
    """Also one that nobody knows: what happened, how it works, and what to try."""
    text = one((Said("raised", {"": f"{name}: x"}),))

    assert f"{name}: x" in text
    for label in ("What happened:", "How it works: {fact}", "Try now: {experiment}"):
        assert translate("es", label).partition("{")[0].strip() in text


def test_hidden_test_says_that_it_is_one_and_shows_the_visible_part() -> None:
    """The student learns that a case failed that they cannot see, and gets the lines that they can see to compare."""
    page = page_of()
    text = item(page, "test-save-once-other-errors")

    assert translate("es", "a test that is not shown did not hold. The part of this test that you can see did.") in text
    assert 'save_once(dynamodb, "no-such-table"' in text
    assert "HIDDEN TESTS" not in page


def test_hidden_test_without_a_visible_line_says_so() -> None:
    """Where all of a test is hidden, there is nothing to unfold, and the text says that it is not in the notebook."""
    cells = [
        dataclasses.replace(cell, released_text="") if cell.grade_id == "test-save-once-repeat" else cell
        for cell in paper("es").notebooks[0].cells
    ]
    all_hidden = dataclasses.replace(
        paper("es"), notebooks=(dataclasses.replace(paper("es").notebooks[0], cells=tuple(cells)),)
    )
    page = make(record(), notebook("es"), grades(), all_hidden, "es")
    text = item(page, "test-save-once-repeat")

    assert translate("es", "a test that is not shown did not hold. Nothing of this test is in your notebook.") in text
    assert translate("es", "The test as it stands in your notebook") not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cause", sorted(CAUSES))
def test_each_cause_is_explained(cause: str, language: str) -> None:
    """Each cause by name has words of its own, in each language, and none of them is a name for maintainers."""
    check = CheckResult("test-order-keys-several", 2.0, 0.0, cause, said=(Said("cause", cause=cause),))
    page = make(record(checks=(check,), limits=()), notebook("es"), Grades(), paper("es"), language)
    text = item(page, "test-order-keys-several")

    assert CAUSES[cause] not in text
    assert (
        text
        != item(
            make(
                record(checks=(dataclasses.replace(check, said=(), cause=None),), limits=()),
                notebook("es"),
                Grades(),
                paper("es"),
                language,
            ),
            "test-order-keys-several",
        )
        or cause == "error"
    )


def test_failed_check_always_has_an_explanation() -> None:
    """A check with no word about it is explained by its cause."""
    assert translate("es", "the time for this cell was over, and it was stopped.") in one((), cause="time")
    assert translate("es", "Try now: {experiment}", experiment="").strip() in one((), cause=None)


@pytest.mark.parametrize(
    ("happened", "helps"),
    [
        (
            "`f` se detuvo con KeyError: 'a'.",
            "asking for a key or a position that is not there is an error, not an empty answer.",
        ),
        (
            "con `f`, la prueba obtuvo 3. Se esperaba 4.",
            "repeat the test's steps in a cell of your own, one by one, and look at each value. Where does it part from "
            "the task?",
        ),
    ],
)
def test_message_without_advice_is_given_some(happened: str, helps: str) -> None:
    """Where the course says only what happened, the page adds what to try."""
    text = one((Said("course", {"es": f"{translate('es', 'What happened:')} {happened}"}),))

    assert translate("es", helps).replace("`", "") in text
    assert translate("es", "Try now: {experiment}", experiment="").strip() in text


def test_fault_of_a_test_is_not_told_as_the_student_s() -> None:
    """A test cell that did not work waits for a person, and says that the answer has nothing to do with it."""
    text = item(page_of(), "test-work-batch-until-empty")

    assert translate("es", "still to be graded") in text
    assert translate("es", "not yet") not in text
    assert (
        translate(
            "es",
            "This test itself did not work. That has nothing to do with your answer, and your teacher knows of it.",
        )
        in text
    )


def test_error_in_a_hidden_test_names_its_kind_and_the_student_s_line() -> None:
    """Of an error in the student's code under a hidden test: the kind and the line of theirs, no value."""
    text = one((Said("hidden", {"": "KeyError"}, line="return body['Records']"),))

    assert (
        translate("es", "in a test that is not shown, your code stopped with `{error}`.", error="X").split("`")[0]
        in text
    )
    assert "return body['Records']" in text


def test_hidden_test_of_the_course_is_one_explanation() -> None:
    """What happened comes from the hidden test, how it works and what to try from the course: told once, together."""
    advice = course("How it works: {fact}", fact="F.").texts["es"]
    text = one((Said("hidden"), Said("course", {"es": advice})))

    assert text.count(translate("es", "How it works: {fact}", fact="").strip()) == 1
    assert text.count(translate("es", "Try now: {experiment}", experiment="").strip()) == 1


def test_nbgrader_s_own_comment_is_no_teacher_s() -> None:
    """What nbgrader writes beside a blank answer, in English, is not shown as a comment of the teacher's."""
    given = Grades({"order-keys": Given(None, False, "No response."), "save-once": Given(None, False, "Casi.")})
    text = Read(make(record(), notebook("es"), given, paper("es"), "es")).text

    assert "No response" not in text
    assert text.count(translate("es", "Your teacher's comment:")) == 1


def test_same_explanation_stands_once() -> None:
    """Two reasons in the same words are one."""
    hidden = translate("es", "a test that is not shown did not hold. The part of this test that you can see did.")

    assert one((Said("hidden"), Said("hidden"))).count(hidden) == 1


def test_check_that_gave_all_its_points_is_not_explained() -> None:
    """Where nothing is missing, there is nothing to explain, and no test to unfold."""
    text = one((Said("hidden"),), earned=2.0)

    assert translate("es", "What happened:") not in text
    assert translate("es", "The test as it stands in your notebook") not in text


# Parts, totals, gradebook


def test_points_add_up() -> None:
    """The total is what the parts have, less what coming late costs; what a person has still to give is said."""
    expected = sum(check.earned or 0 for check in checks().values()) + 2 - 1
    text = Read(page_of()).text

    assert translate("es", "{earned} of {possible} points", earned=f"{expected:g}", possible=30) in text
    assert translate("es", "Handed in late: 1 point less.") in text
    assert translate("es", "1 point is still to be graded: your teacher gives it.") in text


def test_penalty_never_makes_less_than_nothing() -> None:
    """As in nbgrader's export, a penalty above the points leaves 0."""
    late = dataclasses.replace(grades(), late_penalty=99.0)
    text = Read(make(record(), notebook("es"), late, paper("es"), "es")).text

    assert translate("es", "{earned} of {possible} points", earned=0, possible=30) in text


def test_gradebook_comes_before_the_record() -> None:
    """Points that a teacher gave by hand count, are said to be the teacher's, and end the explanation of why there were none."""
    given = dataclasses.replace(grades(), cells={**grades().cells, "test-handler-stores": Given(2.0, True, "Te creo.")})
    text = item(make(record(), notebook("es"), given, paper("es"), "es"), "test-handler-stores")

    assert translate("es", "Your teacher gave these points by hand.") in text
    assert translate("es", "What happened:") not in text
    assert "Te creo." in text


def test_words_stand_with_the_teacher_s_points_and_comment() -> None:
    """An answer in words is shown whole, with points and comment, line by line."""
    page = page_of()
    text = item(page, "answer-in-words")

    assert ANSWERS["answer-in-words"] in text
    assert translate("es", "{earned} of {possible} points", earned=2, possible=3) in text
    assert html.escape(COMMENT) in page


def test_answer_left_as_it_was_given_says_so() -> None:
    """A blank answer shows no placeholder as if somebody had written it."""
    check = CheckResult("answer-in-words", 3.0, 0.0, "missing", "nobody", answered=False)
    answers = ANSWERS | {"answer-in-words": "Escribe aquí tu respuesta."}
    page = make(record(checks=(check,)), notebook("es", answers), Grades(), paper("es"), "es")
    text = item(page, "answer-in-words")

    assert translate("es", "The cell is as you were given it.") in text
    assert "Escribe aquí" not in text


def test_code_of_each_answer_stands_with_numbered_lines() -> None:
    """The student's code is there, whole and coloured, a line for each line."""
    page = page_of()

    assert all(ANSWERS[cell].splitlines()[0] in Read(page).text for cell in ("order-keys", "save-once", "handler"))
    assert '<span class="k">def</span>' in page
    block = page[page.index("<code>order-keys</code></h3>") :]
    assert block[: block.index("</pre>")].count('class="line in-') == len(ANSWERS["order-keys"].splitlines())


def test_parts_have_the_assignment_s_own_headings() -> None:
    """Checks are grouped as the assignment is, under its headings, in its language."""
    parts = re.findall(
        r'<h2 id="ja-part[^>]*><span lang="es">(.*?)</span>', make(record(), None, Grades(), paper("es"), "ja")
    )

    assert len(parts) == 6
    assert parts[4] == "5. Cuatro predicciones"


def test_course_of_somebody_else_needs_no_headings() -> None:
    """Without headings, language or graded notebook, there is still a page with each check."""
    book = dataclasses.replace(paper("es").notebooks[0], layout=())
    page = make(record(), None, Grades(), dataclasses.replace(paper("es"), language="", notebooks=(book,)))

    assert page.count("<article") == 2 * len(checks())
    assert Read(page).unbalanced == []


# Repairs, limits, refusals


def test_repair_that_concerns_the_student_is_told() -> None:
    """Two cells with one id are told; how the file was written down is not."""
    text = Read(page_of()).text

    assert "order-keys" in text[text.index(translate("es", "Mended in your file")) :][:300]
    assert record().repairs[1].message not in text
    assert translate("es", record().repairs[1].message) not in text


def test_limits_name_the_cell_and_the_part() -> None:
    """A cell that was stopped is named; where it is a graded one, a link leads to what is said there."""
    page = page_of()
    limits = page[page.index(f"<h3>{translate('es', 'Limits')}</h3>") :]

    assert re.search(r'<a href="#es-part-\d-\d"><code>test-work-batch-ids</code></a>', limits)
    assert "work_batch(sqs, queue_url, work)" in limits[:200]


def test_cells_stopped_for_one_cause_are_told_together() -> None:
    """Four tests that one endless loop stopped are one entry with four links; the sentence, with its seconds, stands once."""
    cells = [cell for cell in checks() if cell.startswith("test-work-batch")]
    slow = tuple(
        dataclasses.replace(check, earned=0.0, cause="time", said=(Said("cause", cause="time"),))
        for cell, check in checks().items()
        if cell in cells
    )
    hits = tuple(LimitHit(cell, "time", {"seconds": "30"}) for cell in cells)
    page = make(record(limits=hits, checks=slow), notebook("es"), Grades(), paper("es"), "es")
    text = Read(page).text
    before = text[: text.index(translate("es", "Your code"))]
    sentence = translate("es", "the {seconds} seconds for this cell were over, and it was stopped.", seconds="30")

    assert all(cell in before for cell in cells)
    assert before.count(translate("es", "out of time")) == 1
    assert text.count(sentence) == 1
    assert sentence in item(page, cells[0])
    assert translate("es", "The same as in test {number}.", number=1) in item(page, cells[1])


def test_code_and_its_tests_stand_in_the_notebook_s_order() -> None:
    """Each prediction is followed by its own test."""
    names = re.findall(r"<code>((?:test-)?prediction-\w+)</code></h3>", page_of())

    assert names[:4] == ["prediction-again", "test-prediction-again", "prediction-items", "test-prediction-items"]


def test_limit_of_an_unknown_cell_is_told_all_the_same() -> None:
    """A cell of the student's own is in no part of the assignment."""
    text = Read(page_of(limits=(LimitHit("my-cell", "output"),))).text

    assert "my-cell" in text


@pytest.mark.parametrize("code", ["no-notebook", "link", "too-large", "truncated", "a-new-one"])
def test_refused_submission_says_why_and_what_to_do(code: str) -> None:
    """There are no checks to show: 0 points, the reason for a student, and what they can do."""
    refused = record(state="refused", refusal=Note("Ask for {file}.", {"file": "/x/secret"}, code=code), checks=())
    page = make(refused, None, Grades(), paper("es"), "es")
    text = Read(page).text

    assert translate("es", "{earned} of {possible} points", earned=0, possible=30) in text
    assert translate("es", "Your file could not be graded.") in text
    assert translate("es", "Try now: {experiment}", experiment="").strip() in text
    assert "<article" not in page
    assert "secret" not in text


def test_refused_file_names_the_line_where_it_breaks_and_that_nothing_ran() -> None:
    """The student gets the line that the teacher gets, and the level of protection."""
    refusal = Note("{file} ends in the middle (line {line}).", {"file": "x", "line": "41"}, code="truncated")
    text = Read(make(record(state="refused", refusal=refusal, checks=()), None, Grades(), paper("es"), "es")).text

    assert translate("es", "the file is no whole notebook: it cannot be read on from line {line}.", line=41) in text
    assert translate("es", "Level of protection: {level}. None of your code was run.", level="A") in text
    assert translate("es", "Your teacher sees the same reason.") in text


def test_answer_left_blank_is_told_once() -> None:
    """Each of its tests is marked as blank; only the first says which answer it is, and none tells to run it again."""
    msgid = (
        "{answer} has no code yet, or still raises NotImplementedError. Mend the cell above, run it and repeat this test. "
        "So far: 0 of {points} points."
    )
    cells = [cell for cell in checks() if cell.startswith("test-save-once")]
    blank = tuple(
        CheckResult(cell, 1.0, 0.0, "error", said=(course(msgid, answer="save_once", points=1),)) for cell in cells
    )
    page = make(record(checks=blank, limits=()), notebook("es"), Grades(), paper("es"), "es")
    sentence = translate("es", "{answer} is still blank, or a part of it is.", answer="save_once").replace("`", "")

    assert Read(page).text.count(sentence) == 1
    assert sentence in item(page, cells[0])
    assert all(f"– {translate('es', 'blank')}" in item(page, cell) for cell in cells)
    assert translate("es", "So far: 0 of {points} points.", points=1) not in Read(page).text
    assert "0 de 1." not in Read(page).text


def test_words_that_a_teacher_gave_no_points_are_no_longer_open() -> None:
    """An answer that was read and given 0 is not told as if it were under way."""
    given = Grades({"answer-in-words": Given(0.0, True, "")})
    text = item(make(record(), notebook("es"), given, paper("es"), "es"), "answer-in-words")

    assert translate("es", "no points") in text
    assert translate("es", "not yet") not in text


def test_line_of_the_student_s_names_its_function_and_number() -> None:
    """The function that the line stands in, and its number in the cell, where the cell has that very line there."""
    line = 'return [record["s3"]["object"]["key"] for record in message["Records"]]'

    assert translate("es", "In {name}, line {number}:", name="order_keys", number=5).replace("`", "") in one(
        (Said("hidden", {"": "KeyError"}, line=line, number=5),)
    )
    assert translate("es", "In {name}, line {number}:", name="order_keys", number=4).replace("`", "") not in one(
        (Said("hidden", {"": "KeyError"}, line=line, number=4),)
    )


def test_values_in_a_course_message_are_set_as_code() -> None:
    """What came and what was expected stand as a program would print them."""
    said = course(
        "What happened: {answer} gave {got}. The test expects {expected}.", answer="f", got="[1]", expected="[2]"
    )
    check = CheckResult("test-order-keys-several", 2.0, 0.0, "error", said=(said,))
    page = make(record(checks=(check,)), notebook("es"), Grades(), paper("es"), "es")

    assert "<code>[1]</code>" in page
    assert "<code>[2]</code>" in page


def test_wrapped_line_of_code_keeps_its_indentation() -> None:
    """Each line tells the style sheet how deep it is, and the sheet knows every depth that is told."""
    page = make(
        record(), notebook("es", {"order-keys": "if x:\n    y\n" + " " * 99 + "z"}), grades(), paper("es"), "es"
    )
    depths = set(re.findall(r'class="line in-(\d+)"', page))

    assert {"0", "4", "24"} <= depths
    assert all(f".in-{depth}{{" in page for depth in depths - {"0"})


# Languages


def test_both_languages_stand_in_one_page_with_a_switch() -> None:
    """Each edition has its language, the course's first; ids are unique; links lead somewhere."""
    page = make(record(), notebook("ja"), grades(), paper("ja"))
    read = Read(page)
    ids = [value for _, name, value in read.attributes if name == "id"]
    links = [value.removeprefix("#") for tag, name, value in read.attributes if tag == "a" and name == "href"]
    labelled = [value for _, name, value in read.attributes if name == "aria-labelledby"]

    assert re.findall(r'<div class="edition" lang="(\w+)">', page) == ["ja", "es"]
    assert '<html lang="ja">' in page
    assert len(ids) == len(set(ids))
    assert set(links) | set(labelled) <= set(ids)
    assert read.tags.count("input") == 2


def test_one_language_has_no_switch() -> None:
    """By option, a page has one language, and nothing to choose."""
    read = Read(page_of())

    assert "input" not in read.tags
    assert ("html", "lang", "es") in read.attributes


def test_unknown_language_is_refused() -> None:
    """Another language is an error in words, not an empty page."""
    with pytest.raises(ValueError, match="Expected the language es, ja or both, got 'fr'"):
        make(record(), notebook("es"), grades(), paper("es"), "fr")


def test_same_record_makes_the_same_page() -> None:
    """Two pages of one record do not differ."""
    assert page_of() == page_of()


# What never stands there


def test_no_hidden_test_no_solution_no_output() -> None:
    """No line that only hidden tests or solutions have, no output of any cell, no mark scheme, in either language."""
    for language in LANGUAGES:
        page = html.unescape(re.sub(r"<[^>]+>", "", make(record(), notebook(language), grades(), paper(language))))
        book = paper(language).notebooks[0]
        open_lines = {line.strip() for place in book.layout for line in place.text.splitlines()}
        open_lines |= {line.strip() for answer in ANSWERS.values() for line in answer.splitlines()}
        secret = {
            line.strip()
            for cell in book.cells
            for line in cell.text.splitlines()
            if len(line.strip()) > 12 and line.strip() not in open_lines
        }

        assert len(secret) > 50
        assert [line for line in secret if line in page] == []
        assert "OUTPUT-OF-A-CELL" not in page


def test_text_of_a_test_in_the_graded_notebook_is_not_read() -> None:
    """Even if a test cell claims to be an answer, only cells of the paper's answers are shown."""
    book = notebook("es")
    for cell in book["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id", "").startswith("test-"):
            cell["metadata"] = {"nbgrader": {**cell["metadata"]["nbgrader"], "solution": True}}
            cell["source"] = "CANARY"
    page = make(record(), book, grades(), paper("es"))

    assert "CANARY" not in page


def test_cell_of_the_student_s_own_with_strange_metadata_does_no_harm() -> None:
    """What a student wrote into the metadata of a cell of their own is not taken for an answer."""
    book = notebook("es")
    for strange in ("x", None, {"solution": True}, {"solution": True, "grade_id": ["order-keys"]}):
        book["cells"].append({"cell_type": "code", "metadata": {"nbgrader": strange}, "source": ["CAN", "ARY"]})

    assert "CANARY" not in make(record(), book, grades(), paper("es"))


def test_page_asks_for_nothing_and_runs_nothing() -> None:
    """One file: no script, no address, no inline style, and a policy that forbids all but its own style sheet."""
    read = Read(page_of())
    names = {name for _, name, _ in read.attributes}
    addresses = {value for _, name, value in read.attributes if name in ("href", "src", "action")}

    assert {"script", "img", "iframe", "link", "object", "form", "base"} & set(read.tags) == set()
    assert not {name for name in names if name.startswith("on")} | names & {"style", "src"}
    assert all(address.startswith("#") for address in addresses)
    assert "default-src 'none'; style-src 'sha256-" in page_of().replace("&#39;", "'")
    assert "url(" not in page_of()


def test_student_s_markup_is_text_wherever_it_stands() -> None:
    """Code, words, comments, errors, lines, names, ids: markup in any of them comes out as text, and templates are not filled."""
    check = CheckResult(
        "test-order-keys-several",
        2.0,
        0.0,
        "error",
        said=(
            Said("raised", {"": HOSTILE}, line=HOSTILE),
            Said("course", {"es": f"Qué pasó: `{HOSTILE}`\nPrueba ahora: {HOSTILE}"}, line=HOSTILE),
            Said("assertion", {"": HOSTILE}, line=HOSTILE),
        ),
    )
    hostile = record(
        student=HOSTILE,
        checks=(check,),
        repairs=(
            Note("The file {file} was taken for {notebook}.ipynb.", {"file": HOSTILE, "notebook": "x"}, code="renamed"),
        ),
        limits=(LimitHit(HOSTILE, "time"),),
        digest=HOSTILE,
        ran={"at": HOSTILE},
        level=HOSTILE,
    )
    given = Grades({"answer-in-words": Given(1.0, True, HOSTILE), "order-keys": Given(None, False, HOSTILE)})
    plain, read = (
        Read(page_of()),
        Read(make(hostile, notebook("es", dict.fromkeys(ANSWERS, HOSTILE)), given, paper("es"), "es")),
    )

    assert set(read.tags) <= {*plain.tags, "ul", "li"}
    assert read.unbalanced == []
    assert {name for _, name, _ in read.attributes} <= {name for _, name, _ in plain.attributes} | {"lang"}
    assert "{{ 7 * 7 }}{say}" in read.text


def test_terminal_codes_and_turned_text_are_made_visible() -> None:
    """Colours are dropped; characters that hide or turn text around are shown by their number; half characters do no harm."""
    assert clean("\x1b[31mred\x1b[0m \x1b]0;title\x07x\x1b(B\x9b1m") == "red x"
    assert clean("a\u202eb\u2066c\u200bd\x00e\x7f") == "a[U+202E]b[U+2066]c[U+200B]d[U+0000]e[U+007F]"
    assert clean("\ud800") == "\N{REPLACEMENT CHARACTER}"
    assert clean("a\r\nb\rc\u2028") == "a\nb\nc[U+2028]"
    assert clean("👩\u200d💻 نص ñ 注") == "👩\u200d💻 نص ñ 注"


def test_half_characters_reach_no_file() -> None:
    """A page of a text that no file could hold can be written down."""
    page = make(record(), notebook("es", dict.fromkeys(ANSWERS, "x = '\ud83d'")), grades(), paper("es"))

    assert page.encode("utf-8")


def test_long_lines_and_long_texts_are_cut() -> None:
    """A line of a megabyte, or a hundred thousand lines, make a page of ordinary size that says how much is missing."""
    wide, long = excerpt("x" * 1_000_000), excerpt("x = 1\n" * 100_000)

    assert (len(wide.text), wide.missing) == (LONGEST_LINE, 1_000_000 - LONGEST_LINE)
    assert long.text.count("\n") < 500
    assert long.missing > 400_000
    assert len(inline("y" * 1_000_000)) <= 600
    answers = dict.fromkeys(ANSWERS, "x" * 1_000_000)
    said = Said("raised", {"": "ValueError: " + "z" * 1_000_000}, line="w" * 1_000_000)
    check = CheckResult("test-order-keys-several", 2.0, 0.0, "error", said=(said,))
    page = make(record(checks=(check,)), notebook("es", answers), Grades(), paper("es"))

    assert len(page) < 200_000
    assert (
        translate("es", "Cut here: {count} more characters are in your file.", count=1_000_000 - LONGEST_LINE) in page
    )


def test_code_that_is_no_python_is_shown_as_it_is() -> None:
    """Magics, unfinished strings and other languages come out letter for letter."""
    text = "%%bash\necho \"<b>\" && x = '''unfinished\n\n\tend"

    assert html.unescape(re.sub(r"<[^>]+>", "", "\n".join(code(text)))) == text


# Files


def course_in(folder: Path, config: Config | None = None) -> Course:
    """A course folder in which one student was graded."""
    from nbgrader.coursedir import CourseDirectory

    config = config or Config()
    course = Course(CourseDirectory(config=config, root=str(folder)), config)
    course.autograded(ASSIGNMENT, STUDENT).mkdir(parents=True)
    return course


def test_page_lies_where_nbgrader_looks_for_it(tmp_path: Path) -> None:
    """feedback/STUDENT/ASSIGNMENT/NOTEBOOK.html, with the two files that a release needs and no other, readable for everybody."""
    course = course_in(tmp_path)
    graded = course.autograded(ASSIGNMENT, STUDENT)
    (graded / "timestamp.txt").write_text("2026-11-30 07:05:24 UTC")
    (graded / "submission_secret.txt").write_text("ab" * 64)
    (graded / "photo.png").write_bytes(b"x")

    path = put(course, record(), "ñ注")

    folder = tmp_path / "feedback" / STUDENT / ASSIGNMENT
    assert path == folder / f"{ASSIGNMENT}.html"
    assert path.read_text(encoding="utf-8") == "ñ注"
    assert {path.name for path in folder.iterdir()} == {f"{ASSIGNMENT}.html", "timestamp.txt", "submission_secret.txt"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o644}


def test_second_page_replaces_the_first(tmp_path: Path) -> None:
    """Made again, it is the new one that lies there."""
    course = course_in(tmp_path)
    put(course, record(), "first")

    assert put(course, record(), "second").read_text(encoding="utf-8") == "second"


def test_refused_submission_s_files_come_from_what_was_handed_in(tmp_path: Path) -> None:
    """Where nothing was graded, the two files lie in the student's own folder only."""
    course = course_in(tmp_path)
    handed_in = course.submitted(ASSIGNMENT, STUDENT)
    handed_in.mkdir(parents=True)
    (handed_in / "timestamp.txt").write_text("2026-11-30 07:05:24 UTC")

    assert (put(course, record(), "").parent / "timestamp.txt").is_file()


def test_link_of_a_student_s_is_not_followed(tmp_path: Path) -> None:
    """A timestamp that is a link to somebody's file is left out; so is one that is no small file."""
    (tmp_path / "secret").write_text("CANARY")
    course = course_in(tmp_path / "course")
    graded = course.autograded(ASSIGNMENT, STUDENT)
    (graded / "timestamp.txt").symlink_to(tmp_path / "secret")
    (graded / "submission_secret.txt").write_bytes(b"x" * 5000)

    assert [path.name for path in put(course, record(), "").parent.iterdir()] == [f"{ASSIGNMENT}.html"]


def test_permissions_are_the_course_s(tmp_path: Path) -> None:
    """What nbgrader's own settings say about feedback files holds here too; a shared course's files are the group's."""
    own = course_in(tmp_path / "own", Config({"GenerateFeedback": {"permissions": 640}}))
    shared = course_in(tmp_path / "shared", Config({"CourseDirectory": {"groupshared": True}}))

    assert stat.S_IMODE(put(own, record(), "").stat().st_mode) == 0o640
    page = put(shared, record(), "")
    assert stat.S_IMODE(page.stat().st_mode) == 0o664
    assert stat.S_IMODE(page.parent.stat().st_mode) & 0o2770 == 0o2770


def test_record_survives_the_store(tmp_path: Path) -> None:
    """A page of a record from disk is the page of the record."""
    store = Store(tmp_path)
    store.write(record())
    again = store.read(ASSIGNMENT, STUDENT, ASSIGNMENT)

    assert isinstance(again, Record)
    assert make(again, notebook("es"), grades(), paper("es")) == make(record(), notebook("es"), grades(), paper("es"))


def nbgrader(folder: Path, home: Path, *arguments: str) -> None:
    """Run nbgrader in a folder, with the settings in `home` and no other."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER_")}
    environment |= {"HOME": str(home), "JUPYTER_CONFIG_DIR": str(home), "JUPYTER_DATA_DIR": str(home), "USER": STUDENT}
    # nbgrader calls alembic by its name.
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="nbgrader has no exchange on Windows.")
def test_page_goes_through_the_exchange(tmp_path: Path) -> None:
    """Handed in, collected, graded: `nbgrader release_feedback` takes the page, and the student's `fetch_feedback` brings it."""
    exchange, home, work = tmp_path / "exchange", tmp_path / "home", tmp_path / "student"
    course = course_in(tmp_path / "course")
    root = tmp_path / "course"
    released = root / "release" / ASSIGNMENT
    for folder in (exchange, home, work, released, root / "source" / ASSIGNMENT):
        folder.mkdir(parents=True, exist_ok=True)
    exchange.chmod(0o777)
    (home / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'a-course'\nc.Exchange.root = {str(exchange)!r}\n"
    )
    nbformat.write(nbformat.v4.new_notebook(), released / f"{ASSIGNMENT}.ipynb")
    nbgrader(root, home, "release_assignment", ASSIGNMENT)
    nbgrader(work, home, "fetch_assignment", ASSIGNMENT)
    nbgrader(work, home, "submit", ASSIGNMENT)
    nbgrader(root, home, "collect", ASSIGNMENT)
    (student,) = (folder.name for folder in (root / "submitted").iterdir())
    page = make(record(student=student), notebook("es"), grades(), paper("es"))

    put(course, record(student=student), page)
    nbgrader(root, home, "release_feedback", ASSIGNMENT)
    nbgrader(work, home, "fetch_feedback", ASSIGNMENT)

    (fetched,) = (work / ASSIGNMENT / "feedback").glob("*/*.html")
    assert fetched.name == f"{ASSIGNMENT}.html"
    assert fetched.read_text(encoding="utf-8") == page
