"""How a result is told: as plain text, and as a piece of HTML that any notebook shows in its own colours. Pure.

The HTML has no script, no address and no style sheet. All that is the student's is escaped. A colour never stands alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from bentocola.messages import translate
from bentocola.signs import symbol

if TYPE_CHECKING:
    from bentocola.checks.result import Result

__all__ = ["html", "text"]

# White is easy to read on each of them, whatever is around it.
_COLOURS = {"full": "#0b5c22", "part": "#6b4400", "none": "#8c1d18", "blank": "#424a53"}
_KEPT = {"\n", "\t", "\u200c", "\u200d"}
_LONGEST = 2000
"""Characters of one line that are shown."""


def text(result: Result) -> str:
    """Return a result for a terminal: the verdict, what happened, the story as a numbered list, what to try."""
    sign = symbol(result.language, result.verdict)
    if result.verdict == "full":
        return "\n".join((f"{sign} {result.happened}", *result.notes))
    lines = [f"{sign} {' · '.join(_head(result))}", result.happened]
    if result.story:
        lines += [_intro(result), *(f"  {n}. {event}" for n, event in enumerate(result.story, 1))]
    return "\n".join(filter(None, (*lines, *result.advice, *result.notes)))


def html(result: Result) -> str:
    """Return a result as one element of HTML."""
    colour = _COLOURS[result.verdict]
    box = f"border-left:4px solid {colour};margin:.3em 0;padding:.1em .8em;max-width:48em;line-height:1.5"
    return f'<div lang="{escape(result.language)}" style="{box}">{"".join(_parts(result, colour))}</div>'


def _parts(result: Result, colour: str) -> Iterable[str]:
    sign = f'<span aria-hidden="true">{symbol(result.language, result.verdict)}</span>'
    mark = f"background:{colour};color:#fff;border:1px solid {colour};border-radius:.3em;padding:.05em .5em"
    if result.verdict == "full":
        yield f'<p style="margin:.3em 0"><b style="{mark}">{sign}</b> {_inline(result.happened)}</p>'
    else:
        words, *rest = _head(result)
        after = "".join(f" · {_inline(part)}" for part in rest)
        yield f'<p style="margin:.3em 0"><b style="{mark}">{sign} {escape(words)}</b>{after}</p>'
        yield _line(result, result.happened)
        if result.story:
            events = "".join(f"<li>{_inline(event)}</li>" for event in result.story)
            yield f'<p style="margin:.3em 0 0">{_inline(_intro(result))}</p>'
            yield f'<ol style="margin:.1em 0 .4em;padding-left:2em">{events}</ol>'
        for line in result.advice:
            yield _line(result, line)
    for note in result.notes:
        yield _line(result, note)


def _head(result: Result) -> list[str]:
    """Return the verdict in words, whose it is and, unless it is still blank, the points."""
    language = result.language
    match result.verdict:
        case "part":
            words = translate(language, "a part of it holds")
        case "blank":
            return [translate(language, "blank"), f"`{result.answer}`"]
        case _:
            words = translate(language, "not yet")
    earned, possible = f"{round(result.earned, 2):g}", f"{round(result.points, 2):g}"
    if possible == "1":
        points = translate(language, "{earned} of 1 point", earned=earned)
    else:
        points = translate(language, "{earned} of {possible} points", earned=earned, possible=possible)
    return [words, f"`{result.answer}`", points]


def _intro(result: Result) -> str:
    return translate(
        result.language,
        "The examples in this cell hold. Of the other stories that the test tried, this is the shortest one that fails:",
    )


def _line(result: Result, line: str) -> str:
    """Return a paragraph, with the label that it begins with made bold."""
    for label in _labels(result.language):
        if line.startswith(label):
            space = "" if label.endswith("：") else " "
            body = f"<b>{_inline(label)}</b>{space}{_inline(line.removeprefix(label).lstrip())}"
            break
    else:
        body = _inline(line)
    return f'<p style="margin:.3em 0">{body}</p>'


def _labels(language: str) -> tuple[str, ...]:
    return (
        translate(language, "What happened:").strip(),
        translate(language, "How it works: {fact}", fact="").strip(),
        translate(language, "Try now: {experiment}", experiment="").strip(),
    )


def _inline(line: str) -> str:
    """Return text as HTML: escaped, cut where it is too long, what stands between backticks as code."""
    line = _visible(line)
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 1] + "…"
    pieces = re.split(r"`([^`]+)`", line)
    return "".join(
        f'<code translate="no">{escape(piece)}</code>' if place % 2 else escape(piece)
        for place, piece in enumerate(pieces)
    )


def _visible(line: str) -> str:
    """Return text in which no character is invisible or turns the line around: each such one is shown by its number."""
    if line.isascii() and line.isprintable():
        return line
    return "".join(
        f"[U+{ord(character):04X}]"
        if character not in _KEPT and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        else character
        for character in line
    )
