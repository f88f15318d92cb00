"""The shortest story of what went wrong, told event by event: sentences without numbers, in the student's language.

What is there before, what is sent, each call of the student's function with what happened in it, and what is left at the end.
What repeats itself is told in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

from bentocola.checks import arrivals
from bentocola.checks.facts import Facts
from bentocola.checks.happenings import happenings
from bentocola.checks.invariants import Breach
from bentocola.checks.parts import Called, Deletion, Delivery, Ended, Happening, Stored, Throttle, Worked
from bentocola.checks.struck import fault
from bentocola.checks.wording import Words

__all__ = ["tell"]

_WITHOUT_AN_END = frozenset(
    {
        "another-error",
        "argument-changed",
        "contradiction-accepted",
        "endless",
        "failure-twice",
        "failures-out-of-order",
        "line-missing",
        "line-no-json",
        "no-failures-list",
        "no-ids",
        "no-lists",
        "no-verdict",
        "order-changed",
        "raised",
        "received-again",
        "said-stored",
        "said-there",
        "sent-again",
        "too-many-calls",
        "unknown-failure",
        "wrong-lists",
        "wrong-result",
    }
)
"""Breaches that have nothing to do with what the table and the queue hold in the end."""


def tell(language: str, breach: Breach, facts: Facts | None) -> tuple[str, ...]:
    """Return the story of a breach, a sentence an event, in order. `facts`: None for a function without a cloud."""
    words = Words(language, facts)
    if facts is None:
        return tuple(_of_a_value(words, breach))
    told = list(arrivals.before(words, facts))
    told += _gathered(words, _chapters(happenings(words, breach, facts)))
    if breach.name not in _WITHOUT_AN_END:
        told.append(_end(words, facts))
    told = list(_counted(words, told))
    if warning := _good_luck(words, breach, facts, told):
        told[-1] = words.joined(told[-1], warning)
    return tuple(told)


def _of_a_value(words: Words, breach: Breach) -> Iterator[str]:
    """Tell of a function that gets a text and gives a value: what it got, what came back, what was expected."""
    values = breach.values
    if breach.sent is not None:
        yield arrivals.body(words, breach.sent)
    if breach.name == "endless":
        yield words.say("It does not come to an end, and the test ends the call.")
    elif "error" in values:
        yield words.say("{who} stops with {error}.", who=words.say("Your function"), error=words.error(values["error"]))
    else:
        yield words.say("{who} returns {got}.", who=words.say("Your function"), got=words.shown(values.get("got")))
    wanted = values.get("wanted")
    if wanted is ValueError:
        yield words.say("The task asks for {expected} here.", expected=words.code("ValueError"))
    else:
        yield words.say("The task asks for this value: {expected}.", expected=words.shown(wanted))


@dataclass
class _Chapter:
    """One delivery, or one call, and what became of it."""

    opening: Delivery | Called | None = None
    core: list[Happening] = field(default_factory=list)


def _chapters(happened: list[Happening]) -> list[_Chapter]:
    chapters = [_Chapter()]
    for happening in happened:
        if isinstance(happening, Delivery | Called):
            chapters.append(_Chapter(happening))
        else:
            chapters[-1].core.append(happening)
    return chapters


def _told(words: Words, happened: list[Happening]) -> Iterator[str]:
    """Yield what became of a delivery or a call, a sentence each; what is done and the deletion that follows are one."""
    done: Ended | Worked | None = None
    for happening in happened:
        if done and isinstance(happening, Deletion):
            yield _with_deletion(words, done, happening)
            done = None
            continue
        if done:
            yield done.sentence
        done = happening if isinstance(happening, Ended | Worked) else None
        if done is None:
            yield _sentence(words, happening)
    if done:
        yield done.sentence


def _with_deletion(words: Words, done: Ended | Worked, deletion: Deletion) -> str:
    """Tell together that something is done and what is deleted then: where Lambda does, it is because of the end."""
    silent = done.silent if isinstance(done, Ended) and deletion.who == words.say("Lambda") else ""
    who, msgs = words.say("Your function"), words.several(deletion.messages)
    if silent == "nothing":
        return words.say("{who} ends without an error, so Lambda deletes {msgs}.", who=who, msgs=msgs)
    if silent == "value" and isinstance(done, Ended):
        return words.say(
            "{who} returns {got} and ends without an error, so Lambda deletes {msgs}.",
            who=who,
            got=done.got,
            msgs=msgs,
        )
    return words.joined(done.sentence, _sentence(words, deletion))


def _sentence(words: Words, happening: Happening) -> str:
    match happening:
        case Called(sentence) | Ended(sentence) | Worked(sentence):
            return sentence
        case Delivery():
            return _opening(words, happening)
        case Deletion(who, messages):
            return words.say("{who} deletes {msgs}.", who=who, msgs=words.several(messages))
        case Stored(who, (key,)):
            return words.say("{who} wrote the item {key}: it is new.", who=who, key=key)
        case Stored(who, keys):
            return words.say("{who} writes the items {keys}: they are new.", who=who, keys=words.several(keys))
        case Throttle(step, 1):
            return fault(words, step)
        case Throttle(step, count):
            operation = step["api"].partition(":")[2]
            message = "The test's fault: {operation} is refused {count} times in a row as called too often."
            return words.say(message, operation=operation, count=count)
    return happening


def _plain(words: Words, chapter: _Chapter) -> str | None:
    """Return a chapter in which all goes well, in one sentence."""
    match chapter.opening, chapter.core:
        case Delivery("lambda", messages, False, 0.0), [Stored(_, keys), Ended(_, True), Deletion(_, deleted)]:
            if messages == deleted:
                return words.say(
                    "With {msgs} all goes well: your function stores {keys}, and Lambda deletes {msgs}.",
                    msgs=words.several(messages),
                    keys=words.several(keys),
                )
        case Called(_, key, True), [Stored(_, (stored,)), Ended(_, True, got)] if key == stored:
            return words.say(
                "The test calls your function with {key}: it stores it and returns {got}.", key=key, got=got
            )
    return None


def _opening(words: Words, delivery: Delivery) -> str:
    msgs, seconds = words.several(delivery.messages), f"{delivery.seconds:g}"
    match delivery.to == "lambda", delivery.again, bool(delivery.seconds):
        case True, False, False:
            return words.say("Lambda hands {msgs} to your function.", msgs=msgs)
        case True, False, True:
            return words.say("{seconds} s later, Lambda hands {msgs} to your function.", seconds=seconds, msgs=msgs)
        case True, True, False:
            return words.say("Lambda hands {msgs} over again.", msgs=msgs)
        case True, True, True:
            return words.say("{seconds} s later, Lambda hands {msgs} over again.", seconds=seconds, msgs=msgs)
        case False, False, False:
            return words.say("Your function receives {msgs}.", msgs=msgs)
        case False, False, True:
            return words.say("{seconds} s later, your function receives {msgs}.", seconds=seconds, msgs=msgs)
        case False, True, False:
            return words.say("Your function receives {msgs} again.", msgs=msgs)
    return words.say("{seconds} s later, your function receives {msgs} again.", seconds=seconds, msgs=msgs)


def _gathered(words: Words, chapters: list[_Chapter]) -> Iterator[str]:
    """Yield sentences. Deliveries after which the same happens as after the one before are told in one item."""
    position = 0
    while position < len(chapters):
        chapter = chapters[position]
        told = [*_told(words, chapter.core)]
        position += 1
        plain = _plain(words, chapter) if position < len(chapters) else None
        if plain:
            yield plain
            continue
        if chapter.opening:
            yield _sentence(words, chapter.opening)
        yield from told
        alike = [*takewhile(partial(_is_repeat, chapter), chapters[position:])]
        if alike:
            same = words.say("The same happens.")
            if len(alike) > 1:
                same = words.say("The same happens: {count} times in all.", count=len(alike) + 1)
            yield words.joined(_sentence(words, alike[0].opening or ""), same)
        position += len(alike)


def _is_repeat(chapter: _Chapter, later: _Chapter) -> bool:
    """Whether all that happens later happened before too, in this order."""
    happened = iter(chapter.core)
    again = isinstance(later.opening, Delivery) and later.opening.again
    return bool(again and later.core) and all(one in happened for one in later.core)


def _end(words: Words, facts: Facts) -> str:
    keys = words.keys(facts.stored) if facts.stored else ""
    if not any(sent.id for sent in facts.sent):
        if not keys:
            return words.say("At the end, the table is empty.")
        return words.say("At the end, the table has {keys}.", keys=keys)
    known = [sent.message for sent in facts.sent]
    waiting = sorted(facts.waiting, key=lambda message: (message not in known, len(message), message))
    msgs = words.several(waiting)
    match bool(keys), bool(waiting):
        case False, False:
            return words.say("At the end, the table and the queue are empty.")
        case True, False:
            return words.say("At the end, the table has {keys}, and the queue is empty.", keys=keys)
        case False, True:
            return words.say("At the end, the table is empty, and the queue still has {msgs}.", msgs=msgs)
    return words.say("At the end, the table has {keys}, and the queue still has {msgs}.", keys=keys, msgs=msgs)


def _good_luck(words: Words, breach: Breach, facts: Facts, told: list[str]) -> str:
    """Where a consumer deleted first and all ended well, return at which step of the story that was luck; else ""."""
    key = str(breach.values.get("key"))
    if breach.name != "deleted-unsaved" or not facts.worked or key not in facts.stored:
        return ""
    stored = words.say("`work` stores {key}.", key=words.key(key))
    number = next((n for n, sentence in enumerate(told, 1) if sentence.startswith(stored)), None)
    if number is None:
        return ""
    return words.say(
        "This time `work` ended well. If it fails at step {number}, that order is nowhere any more.", number=number
    )


def _counted(words: Words, told: list[str]) -> Iterator[str]:
    """Yield equal sentences in a row once, with how often they come."""
    position = 0
    while position < len(told):
        count = 1
        while position + count < len(told) and told[position + count] == told[position]:
            count += 1
        yield told[position]
        if count > 1:
            yield words.say("The same {count} times more.", count=count - 1)
        position += count
