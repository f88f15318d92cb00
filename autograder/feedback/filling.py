"""A record, a graded notebook and a gradebook become the sheet of a page. Pure.

It takes the visible text of a test from the released notebook alone, and of the graded notebook the student's answers alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from autograder.feedback.advice import Words, of_limit, of_refusal
from autograder.feedback.places import own_lines, where_is
from autograder.feedback.sheet import Answer, Given, Grades, Item, Limit, Part, Sheet, verdict_of
from autograder.feedback.text import clean, excerpt
from autograder.feedback.words import blank_answer, of_blank, of_check
from autograder.records import CheckResult, LimitHit, Note, Record, Said
from autograder.sheet import Paper, PaperCell, PaperNotebook
from autograder.voice import Say, cause_in_words, tell

__all__ = ["sheet_of"]

# Repairs of how a file was written down: a student could not have done otherwise, and need not care.
_SILENT = frozenset(
    ("bom", "encoding", "trailing", "nbformat", "kernel", "kernel-missing", "line-ends", "characters", "cell-ids")
)
# What nbgrader itself writes beside an answer left blank: the page says that in its own words.
_NO_RESPONSE = "No response."
_HEADING = re.compile(r"^ {0,3}(#{1,3}) +(.+?)(?: +#+)? *$", re.MULTILINE)


def sheet_of(
    record: Record, notebook: Mapping[str, Any] | None, grades: Grades, paper: Paper, language: str, say: Say
) -> Sheet:
    """Return what the page says in a language. `notebook`: the graded one, or None where there is none."""
    course = paper.language or language
    handed = paper.notebook(record.notebook) or PaperNotebook(record.notebook, ())
    own = dict(_answers(notebook))
    titles = dict(_titles(handed))
    checks = {check.cell: check for check in record.checks}
    lines = own_lines(notebook, handed)
    seconds = {hit.cell: hit.detail.get("seconds", "") for hit in record.limits if hit.cause == "time"}
    blanks: set[str] = set()
    parts: list[Part] = []
    for cell in handed.cells:
        if cell.role == "locked":
            continue
        title = titles.get(cell.grade_id, "")
        if not parts or parts[-1].title != title:
            parts.append(Part(f"{language}-part-{len(parts) + 1}", title))
        part = parts[-1]
        if cell.role == "answer":
            if cell.grade_id in own:
                given = grades.cells.get(cell.grade_id)
                part.entries.append(Answer(cell.grade_id, excerpt(own[cell.grade_id]), _comment(given)))
        else:
            check = checks.get(cell.grade_id)
            if check is None and record.refusal is not None:
                check = CheckResult(cell.grade_id, cell.points, 0.0, "missing", "nobody")
            tests = [
                other for other in handed.cells if other.role == "test" and titles.get(other.grade_id, "") == title
            ]
            number = tests.index(cell) + 1 if cell in tests else 0
            place = (number, len(tests))
            anchor = f"{part.anchor}-{len(part.items) + 1}"
            given = grades.cells.get(cell.grade_id)

            def where(said: Said) -> str:
                return where_is(said, lines, say)

            item = _item(anchor, cell, check, given, own, place, language, course, say, where, seconds)
            if item.verdict == "blank" and check is not None and (answer := blank_answer(check)):
                item = replace(item, words=() if answer in blanks else item.words, shown=None)
                blanks.add(answer)
            elif check is not None and check.cause not in (None, "error", "test-fault"):
                like = next((one for one in part.items if one.words and one.words == item.words), None)
                if like is not None and like.number:
                    same = say("The same as in test {number}.", number=like.number)
                    item = replace(item, words=(Words(plain=same),))
            part.entries.append(item)
    parts = [part for part in parts if part.entries]
    possible = sum(part.possible for part in parts)
    earned = sum(part.earned for part in parts)
    return Sheet(
        language=language,
        course_language=paper.language,
        title=_first_title(handed) or record.assignment,
        notebook=record.notebook,
        student=record.student,
        parts=parts,
        repairs=list(dict.fromkeys(tell(say, note) for note in record.repairs if note.code not in _SILENT)),
        limits=list(_limits(record.limits, titles, parts, say)),
        refusal=of_refusal(record.refusal.code, say, _line_number(record.refusal)) if record.refusal else None,
        possible=possible,
        waiting=sum(part.waiting for part in parts),
        late_penalty=grades.late_penalty,
        earned=max(0.0, earned - grades.late_penalty),
        level=record.level,
        digest=record.digest,
        at=str(record.ran.get("at", "")),
    )


def _item(
    anchor: str,
    cell: PaperCell,
    check: CheckResult | None,
    given: Given | None,
    own: Mapping[str, str],
    place: tuple[int, int],
    language: str,
    course: str,
    say: Say,
    where: Callable[[Said], str],
    seconds: Mapping[str, str],
) -> Item:
    """Return what to say of one graded cell. What the gradebook has comes before what the record has."""
    earned = given.score if given else check.earned if check else None
    possible = check.possible if check else cell.points
    verdict = verdict_of(earned, possible)
    is_test = cell.role == "test"
    words: tuple[Words, ...] = ()
    by_hand = given is not None and given.by_hand
    if is_test and check is not None and verdict != "full" and not by_hand:
        if verdict == "none" and (answer := blank_answer(check)):
            verdict, words = "blank", (of_blank(answer, say),)
        else:
            shown, over = bool(cell.released_text.strip()), seconds.get(cell.grade_id, "")
            words = tuple(of_check(check, say, language, course=course, shown=shown, where=where, seconds=over))
    elif verdict == "none":
        verdict = "blank" if check is not None and not check.answered else "zero"
    text = own.get(cell.grade_id) if cell.role == "manual" else None
    return Item(
        anchor=anchor,
        cell=cell.grade_id,
        kind="test" if is_test else "task" if cell.role == "task" else "manual",
        number=place[0],
        count=place[1],
        earned=earned,
        possible=possible,
        verdict=verdict,
        by_hand=by_hand,
        words=words,
        shown=excerpt(cell.released_text) if is_test and words and cell.released_text.strip() else None,
        text=excerpt(text) if text is not None else None,
        is_code=cell.cell_type == "code",
        blank=check is not None and not check.answered,
        comment=_comment(given),
    )


def _line_number(refusal: Note) -> str:
    line = refusal.values.get("line", "")
    return line if line.isdecimal() and len(line) < 8 else ""


def _comment(given: Given | None) -> str:
    return clean(given.comment) if given and given.comment != _NO_RESPONSE else ""


def _limits(hits: Iterable[LimitHit], titles: Mapping[str, str], parts: list[Part], say: Say) -> Iterator[Limit]:
    anchors = {item.cell: item.anchor for part in parts for item in part.items if item.words}
    together: dict[tuple[str, str, bool], list[LimitHit]] = {}
    for hit in hits:
        together.setdefault((titles.get(hit.cell, ""), hit.cause, hit.cell in anchors), []).append(hit)
    for (title, cause, is_told), alike in together.items():
        words = of_limit(alike[0], say)
        cells = dict.fromkeys(hit.cell for hit in alike)
        yield Limit(
            title,
            tuple((cell, anchors.get(cell, "")) for cell in cells),
            # Where a test says it, it is not said twice.
            Words(plain=cause_in_words(say, cause)) if is_told else words,
        )


def _answers(notebook: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Yield id and text of the cells that are the student's own to write."""
    for cell in (notebook or {}).get("cells", ()):
        about = cell.get("metadata", {}).get("nbgrader")
        if isinstance(about, dict) and about.get("solution") and isinstance(about.get("grade_id"), str):
            yield about["grade_id"], "".join(cell.get("source", ""))  # on disk, a text is a list of its lines


def _titles(handed: PaperNotebook) -> Iterator[tuple[str, str]]:
    """Yield the id of each cell that nbgrader knows, with the heading that it stands under in the released notebook."""
    title = ""
    for place in handed.layout:
        cell = handed.cell(place.grade_id) if place.grade_id else None
        is_theirs = cell is not None and cell.role in ("answer", "manual")
        if place.cell_type == "markdown" and not is_theirs and (found := _headings(place.text)):
            title = found[-1][1]
        if place.grade_id:
            yield place.grade_id, title


def _first_title(handed: PaperNotebook) -> str:
    """Return the first heading of the first level."""
    texts = (place.text for place in handed.layout if place.cell_type == "markdown")
    return next((title for text in texts for level, title in _headings(text) if level == "#"), "")


def _headings(text: str) -> list[tuple[str, str]]:
    return _HEADING.findall(_without_fences(text))


def _without_fences(text: str) -> str:
    return re.sub(r"^ {0,3}(```|~~~).*?^ {0,3}\1", "", text, flags=re.MULTILINE | re.DOTALL)
