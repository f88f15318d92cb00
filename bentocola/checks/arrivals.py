"""What a story begins with, in words: what is stored already, what each message brings, what the function is called with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from bentocola.checks.facts import Facts, Sent
from bentocola.checks.wording import Words

__all__ = ["before", "body", "call", "named"]


def before(words: Words, facts: Facts) -> Iterator[str]:
    """Yield what another program stored, and each message that is sent to the queue."""
    for key, item in facts.given.items():
        fields = words.fields(item)
        if fields:
            yield words.say("Another program stored {key} before: {fields}.", key=words.key(key), fields=fields)
        else:
            yield words.say("Another program stored {key} before, with its key alone.", key=words.key(key))
    is_consumed = not any(step["kind"] == "run_start" for step in facts.steps)
    known: dict[str, Mapping[str, Any]] = dict(facts.given)
    bodies: dict[str, str] = {}
    if together := _together(words, facts):
        yield together
        return
    for sent in facts.sent:
        if sent.id and sent.bad and is_consumed:
            yield words.say(
                "{msg} enters the queue. Its body is {body}: with it, `work` raises an exception.",
                msg=sent.message,
                body=words.cut(sent.body),
            )
        elif sent.id:
            yield _message(words, sent, known, bodies)
        known.update(sent.orders)
        bodies.setdefault(sent.body, sent.message)


def _together(words: Words, facts: Facts) -> str | None:
    """Return in one sentence that several messages come, each with one order: where there is nothing more to say of them."""
    orders = [(sent, *next(iter(sent.orders.items()))) for sent in facts.sent if sent.id and len(sent.orders) == 1]
    items: dict[str, Mapping[str, Any]] = {}
    for sent, key, item in orders:
        if sent.kind not in ("order", "quantity", "changed") or items.setdefault(key, item) != item:
            return None
    if len(orders) < max(2, len(facts.sent)) or any(
        facts.given.get(key, item) != item for _, key, item in orders if "id" in item
    ):
        return None
    if len(items) == 1:
        msgs = words.several(sent.message for sent, _, _ in orders)
        return words.say(
            "{msgs} enter the queue, with one and the same order: {key}.", msgs=msgs, key=words.keys(items)
        )
    return words.say(
        "{msgs} enter the queue, each with its order.",
        msgs=words.several(words.say("{msg} ({key})", msg=sent.message, key=words.key(key)) for sent, key, _ in orders),
    )


def call(words: Words, facts: Facts, sent: Sent) -> tuple[str, str, bool]:
    """Return that the test calls the function with one item: the sentence, the item's key, whether that says it all."""
    ((key, item),) = sent.orders.items()
    earlier: dict[str, Mapping[str, Any]] = {**facts.given, **facts.rivals}
    calls = 0
    for other in facts.sent:
        if other is sent:
            break
        calls += key in other.orders
        earlier.update(other.orders)
    shown = words.key(key)
    if key in earlier and earlier[key] != item:
        fields = words.fields(item)
        return words.say("The test calls your function with {key} ({fields}).", key=shown, fields=fields), shown, False
    if calls:
        return words.say("The test calls your function with {key} once more, unchanged.", key=shown), shown, False
    return words.say("The test calls your function with {key}.", key=shown), shown, True


def body(words: Words, sent: Sent) -> str:
    """Return what a function of one text gets: the body, shortened around what matters."""
    keys = _keys(sent.body)
    if keys is None or sent.kind in ("test-event", "no-records"):
        return words.say("Your function gets this body: {body}.", body=words.cut(sent.body))
    if not keys:
        return words.say("Your function gets the body of an event whose `Records` is empty.")
    if len(keys) == 1:
        return words.say("Your function gets an event with one record. Its `key`: {keys}.", keys=words.keys(keys))
    return words.say(
        "Your function gets an event with {count} records. Their `key`: {keys}.", count=len(keys), keys=words.keys(keys)
    )


def named(facts: Facts, failures: list[Any]) -> list[str] | None:
    """Return the messages that a list of failures names, or None where it is not made as it should be."""
    known = {sent.id: sent.message for sent in facts.sent}
    found = [known.get(str(entry.get("itemIdentifier"))) if isinstance(entry, dict) else None for entry in failures]
    return None if None in found else [str(name) for name in found]


def _message(words: Words, sent: Sent, known: Mapping[str, Mapping[str, Any]], bodies: Mapping[str, str]) -> str:
    """`known`: what was stored or sent before, by key; `bodies`: which message brought a body before."""
    msg, say, keys = sent.message, words.say, words.keys(sent.orders)
    if sent.body in bodies:
        return say("{msg} enters the queue, with the same body as {other}.", msg=msg, other=bodies[sent.body])
    match sent.kind:
        case "test-event":
            return say("{msg} enters the queue: it is the test event of S3.", msg=msg)
        case "none":
            return say("{msg} enters the queue: an event whose `Records` is empty.", msg=msg)
        case "no-records":
            return say(
                "{msg} enters the queue. It is JSON without `Records`: {body}.", msg=msg, body=words.cut(sent.body)
            )
        case "broken":
            return say(
                "{msg} enters the queue, with a body that is no JSON: {body}.", msg=msg, body=words.cut(sent.body)
            )
        case "bad":
            return say(
                "{msg} enters the queue, with a job that does not hold: {body}.", msg=msg, body=words.cut(sent.body)
            )
        case "tricky":
            (encoded,) = _keys(sent.body) or [""]
            return say(
                "{msg} enters the queue, with the order {key}. In the event, `key` is {encoded}.",
                msg=msg,
                key=keys,
                encoded=words.code(encoded),
            )
        case "wrong" | "mixed" | "mixed-after":
            paths = [unquote_plus(path) for path in _keys(sent.body) or []]
            wrong = words.code(paths[-1 if sent.kind == "mixed-after" else 0])
            if not sent.orders:
                return say(
                    "{msg} enters the queue. Its key is {wrong}, which has not the form of an order's.",
                    msg=msg,
                    wrong=wrong,
                )
            return say(
                "{msg} enters the queue, with the order {key} and a key that is no order's: {wrong}.",
                msg=msg,
                key=keys,
                wrong=wrong,
            )
    for key, item in sent.orders.items():
        if len(sent.orders) == 1 and key in known and known[key] != item and "id" in item:
            return say(
                "{msg} enters the queue, for {key} with another content: {changes}.",
                msg=msg,
                key=keys,
                changes=words.changes(known[key], item),
            )
    if len(sent.orders) > 1:
        return say("{msg} enters the queue, with several orders: {keys}.", msg=msg, keys=keys)
    return say("{msg} enters the queue, with the order {key}.", msg=msg, key=keys)


def _keys(body: str) -> list[str] | None:
    """Return the object keys of an event as they stand in it; None for what is no event with records."""
    try:
        return [record["s3"]["object"]["key"] for record in json.loads(body)["Records"]]
    except (ValueError, KeyError, TypeError):
        return None
