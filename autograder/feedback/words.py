"""What feedback says about a check that did not give all its points: what happened, how it works, what to try. Pure.

Of a hidden test it knows nothing but that there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from autograder.feedback.advice import Words, of_cause, of_exception
from autograder.records import CheckResult, Said
from autograder.retold import recognise
from autograder.voice import Say, voice
from bentocola.messages import LANGUAGES

__all__ = ["blank_answer", "of_blank", "of_check"]

_ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b")


_BLANK = {
    "{answer} has no code yet, or still raises NotImplementedError. Mend the cell above, run it and repeat this test. "
    "So far: 0 of {points} points.",
    "{answer} is still empty. Write your prediction in the cell above, run it and repeat this test. "
    "So far: 0 of {points} points.",
}
"""What `bentocola.checks` says of an answer that is still blank: it speaks to somebody who can still write it."""
_VALUES = {"got", "expected", "error", "line"}
"""Places of the course's sentences that hold what a program would print."""


def blank_answer(check: CheckResult) -> str:
    """Return the name of the answer that a check found still blank, or ""."""
    for said in check.said:
        for language in LANGUAGES if said.kind == "course" else ():
            found = recognise(said.texts.get(language, ""), language)
            if found is not None and found.msgid in _BLANK:
                return found.values["answer"]
    return ""


def of_blank(answer: str, say: Say) -> Words:
    """Return what to say of an answer that is still blank."""
    if answer.startswith("prediction"):
        return Words(plain=say("{answer} is still blank.", answer=answer))
    return Words(plain=say("{answer} is still blank, or a part of it is.", answer=answer))


def of_check(
    check: CheckResult,
    say: Say,
    language: str,
    *,
    course: str,
    shown: bool,
    where: Callable[[Said], str] = lambda said: "",
    seconds: str = "",
) -> list[Words]:
    """Return the explanations of a check, best first; at least one.

    `course` is the language that a text without one is in. `shown`: whether the student can see a part of the test. `where` says
    in which cell of the student's a line stands, if it is theirs. `seconds`: how long the test could take, if known.
    """
    told = []
    for said in check.said:
        if said.kind == "raised" and check.cause is not None and check.cause != "error":
            # The exception is how a limit showed itself; what helps is to know which limit.
            words = replace(of_cause(check.cause, say, shown=shown, seconds=seconds), line=said.line or "")
        else:
            words = _of_said(said, say, language, course=course, shown=shown, seconds=seconds)
        told.append(replace(words, where=where(said)) if words.line else words)
    if not told:
        told.append(of_cause(check.cause or "error", say, shown=shown, seconds=seconds))
    return list(dict.fromkeys(_joined(told)))


def _joined(told: list[Words]) -> Iterator[Words]:
    """Yield explanations; where one says what happened, and the next only how it works and what to try, they are one."""
    before: Words | None = None
    for words in told:
        is_advice = not (words.happened or words.plain or words.line)
        if before is not None and is_advice and words.language == before.language:
            yield replace(before, works=words.works, next=words.next or before.next)
            before = None
            continue
        if before is not None:
            yield before
        before = words
    if before is not None:
        yield before


def _of_said(said: Said, say: Say, language: str, *, course: str, shown: bool, seconds: str) -> Words:
    text, spoken = _text_of(said, language, course)
    foreign = spoken if spoken != language else ""
    match said.kind:
        case "course":
            told = said.story.get(spoken or language) or said.story.get("") or []
            return replace(_of_course(text, spoken or language, foreign, said.line or ""), story=tuple(told))
        case "assertion":
            return _of_assertion(text, said.line or "", say)
        case "raised":
            return _of_raised(text, said.line or "", say)
        case "hidden":
            return _of_hidden(text, said.line or "", say, shown=shown)
        case "cause":
            return of_cause(said.cause or "error", say, shown=shown, seconds=seconds)


def _text_of(said: Said, language: str, course: str) -> tuple[str, str]:
    """Return what is said and its language: the reader's, else the course's, else any that there is."""
    for known in (language, *LANGUAGES):
        if known in said.texts:
            return said.texts[known], known
    return said.texts.get("", ""), course


def _of_course(text: str, spoken: str, foreign: str, line: str) -> Words:
    """Take a message of `bentocola.checks` apart: each of its lines begins with what it tells."""
    say = voice(spoken)
    labels = {
        "happened": say("What happened:").strip(),
        "works": say("How it works: {fact}", fact="").strip(),
        "next": say("Try now: {experiment}", experiment="").strip(),
    }
    parts: dict[str, list[str]] = {"plain": [], "happened": [], "works": [], "next": []}
    part = "plain"
    for line_told in text.splitlines():
        told = _as_code(line_told, spoken)
        for name, label in labels.items():
            if told.startswith(label):
                part, told = name, told[len(label) :]
        parts[part].append(told.strip())
    joined = {name: " ".join(filter(None, lines)) for name, lines in parts.items()}
    words = Words(
        joined["happened"], joined["works"], joined["next"], plain=joined["plain"], line=line, language=foreign
    )
    return words if not words.happened or words.works or words.next else _advised(words, say)


def _as_code(line: str, spoken: str) -> str:
    """Return a sentence of the course's with the values in it between backticks; any other text as it is."""
    found = recognise(line, spoken) if spoken in LANGUAGES else None
    if found is None or not _VALUES & set(found.values):
        return line
    marked = {
        name: f"`{value.replace('`', chr(39))}`" if name in _VALUES and value.strip() else value
        for name, value in found.values.items()
    }
    return voice(spoken)(found.msgid, **marked)


def _advised(told: Words, say: Say) -> Words:
    """Add what helps to a message that says only what happened: for the kind of error that it names, if it names one."""
    if error := _ERROR.search(told.happened):
        works, following = of_exception(error[0], say)
        return replace(told, works=works, next=following)
    return replace(
        told,
        next=say(
            "repeat the test's steps in a cell of your own, one by one, and look at each value. Where does it part from "
            "the task?"
        ),
    )


def _of_assertion(text: str, line: str, say: Say) -> Words:
    if text:
        happened = say("a line of this test did not hold. It says: {message}", message=text)
    else:
        happened = say("a line of this test did not hold.")
    return Words(
        happened,
        say("`assert` compares what your code gives with what the task asks for. It stops at the first difference."),
        say("copy the line into a cell of your own and print each side of the comparison. Where do they part?"),
        line=line,
    )


def _of_hidden(error: str, line: str, say: Say, *, shown: bool) -> Words:
    """`error`: the kind of exception that the student's own code raised in it, if it did, at that `line` of theirs."""
    if error:
        works, following = of_exception(error, say)
        return Words(
            say("in a test that is not shown, your code stopped with `{error}`.", error=error),
            works,
            following,
            line=line,
        )
    works = say("grading tries more cases than the notebook shows, and all come from the text of the task.")
    if shown:
        return Words(
            say("a test that is not shown did not hold. The part of this test that you can see did."),
            works,
            say(
                "read the task again and look for a case that the visible lines leave out: nothing, one, many, the same "
                "twice. What does your code do with it?"
            ),
        )
    return Words(
        say("a test that is not shown did not hold. Nothing of this test is in your notebook."),
        works,
        say("take the task sentence by sentence and try each with a value of your own. Which one does not hold?"),
    )


def _of_raised(text: str, line: str, say: Say) -> Words:
    works, following = of_exception(text.partition(":")[0].strip(), say)
    if text:
        happened = say("the test stopped with an error: `{error}`", error=text.replace("`", "'"))
    else:
        happened = say("the test stopped with an error.")
    return Words(happened, works, following, line=line)
