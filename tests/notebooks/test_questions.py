"""The questions of the lessons: every option has a reply in both languages, and a wrong one is a known misconception."""

from __future__ import annotations

import re

import pytest

from bentocola.messages import translate
from bentocola.quiz import QUESTIONS
from tests.notebooks.editions import LANGUAGES, LESSONS, code_cells, lesson
from tests.notebooks.session import session
from tests.samples import COURSE_MISCONCEPTIONS

_OPTIONS = re.compile(r"(?:^- \*\*[a-z]\)\*\* .+\n?)+", re.MULTILINE)
_REPLY = re.compile(r'answer = None\nreply\(cloud, "([\w-]+)", answer\)')


def asked(language: str) -> dict[str, list[str]]:
    """Return the letters of each question's options as the lessons show them, by the question that a cell replies to."""
    letters: dict[str, list[str]] = {}
    for name in LESSONS:
        notebook = lesson(language, name)
        texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
        shown = [options for text in texts for options in _OPTIONS.findall(text)]
        questions = [question for source in code_cells(notebook).values() for question in _REPLY.findall(source)]
        for question, options in zip(questions, shown, strict=True):
            letters[question] = re.findall(r"^- \*\*([a-z])\)", options, re.MULTILINE)
    return letters


NOT_YET = {"es": "Todavía no. ", "ja": "まだです。"}
RIGHT, WRONG_SIGN = {"es": "✓", "ja": "○"}, {"es": "✗", "ja": "×"}


def named(language: str, cell: str, question: str) -> str:
    """Return how a reply begins: with what the cell calls the question, where there are two, or what the lesson calls it."""
    before = cell.partition(f'reply(cloud, "{question}"')[0]
    name = re.split("[：:\n]", before[before.rindex("# ") + 2 :])[0] if cell.count("reply(") == 2 else ""
    if not name:
        name = {"es": "Pregunta {}", "ja": "問{}"}[language].format(QUESTIONS[question].number)
    return name + {"es": ". ", "ja": "："}[language]


OPTIONS = [(question, letter) for question, letters in asked("es").items() for letter in letters]
WRONG = [(question, letter) for question, letter in OPTIONS if letter != QUESTIONS[question].right]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_has_a_reply(language: str) -> None:
    """The options in the text are the ones that are replied to, and one of them is right."""
    assert asked(language) == {question: list(told.replies) for question, told in QUESTIONS.items()}
    for told in QUESTIONS.values():
        assert told.right in told.replies


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_questions_are_numbered_as_in_the_lesson(language: str, name: str) -> None:
    """The numbers in the headings are those of the replies, in order."""
    texts = [cell.source for cell in lesson(language, name).cells if cell.cell_type == "markdown"]
    headings = [heading for text in texts for heading in re.findall(r"^### (?:Pregunta|問).*", text, re.MULTILINE)]
    replied = [told for question, told in QUESTIONS.items() if question[1:3] == name[:2]]

    shown = [int(number) for heading in headings for number in re.findall(r"\d", heading)]
    assert shown == [told.number for told in replied if not told.is_paired]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("question", "letter"), OPTIONS)
def test_an_answer_prints_its_reply(language: str, question: str, letter: str) -> None:
    """The lesson's own cell, with the letter in it, prints the question's name, a verdict and the reply to that option."""
    (name,) = [name for name in LESSONS if name[:2] == question[1:3]]
    cells = code_cells(lesson(language, name))
    with session() as running:
        running.run(cells[f"m{name[:2]}-setup"])
        running.run("from bentocola.quiz import reply")
        (cell,) = [source for source in cells.values() if f'"{question}"' in source]
        answered = cell.replace(
            f'answer = None\nreply(cloud, "{question}"', f'answer = "{letter}"\nreply(cloud, "{question}"'
        )
        printed = running.run(answered).stdout.splitlines()

    reply = translate(language, QUESTIONS[question].replies[letter])
    assert reply != QUESTIONS[question].replies[letter], "not translated"
    (line,) = [line for line in printed if line.endswith(reply)]
    if letter == QUESTIONS[question].right:
        assert line == f"{RIGHT[language]} {named(language, cell, question)}{reply}"
    else:
        assert line == f"{WRONG_SIGN[language]} {named(language, cell, question)}{NOT_YET[language]}{reply}"


@pytest.mark.parametrize(("question", "letter"), WRONG)
def test_a_wrong_option_is_a_misconception(question: str, letter: str) -> None:
    """Each wrong option stands for something that people believe, by one of the course's ids."""
    assert QUESTIONS[question].misconceptions.get(letter) in COURSE_MISCONCEPTIONS


def test_the_right_option_is_no_misconception() -> None:
    """What is right is not listed among what people wrongly believe."""
    assert [question for question, told in QUESTIONS.items() if told.right in told.misconceptions] == []
