"""A queue's messages by themselves: the order, the moments, the counts; whatever happens, as in a plain list."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bentocola.cloud.amendments.sqs_line import Held, Line


def nobody(held: Held) -> bool:
    return False


def take(line: Line, most: int = 10) -> list[str]:
    """Receive with no visibility timeout, and return the messages."""
    found, _ = line.take(most, nobody)
    for held in found:
        line.give_back(held)
    return [held.message for held in found]


def hide(line: Line, until: int, most: int = 10) -> list[str]:
    """Receive, hidden until then."""
    found, _ = line.take(most, nobody)
    for held in found:
        line.hide(held, until)
    return [held.message for held in found]


def filled(*messages: str, fifo: bool = False) -> Line:
    """Return a line of messages. In a FIFO line, a message's first letter is its group."""
    line = Line(fifo)
    for message in messages:
        line.add(message, 0, enqueued=0, group=message[0])
    return line


def test_order_of_arrival() -> None:
    """Messages are received in the order of arrival, as many as were asked for."""
    assert take(filled("a", "b", "c"), 2) == ["a", "b"]


def test_hidden_until_its_moment() -> None:
    """A message in flight is available at its moment and not before, and then in its old place."""
    line = filled("a", "b")
    hide(line, 1000, 1)

    assert line.promote(999) == []
    assert take(line) == ["b"]
    assert [(held.message, at, flew) for held, at, flew in line.promote(1000)] == [("a", 1000, True)]
    assert take(line) == ["a", "b"]


def test_delayed_is_not_in_flight() -> None:
    """A delayed message is counted by itself, and comes without having been in flight."""
    line = Line()
    line.add("a", 0, enqueued=0, due=500)

    assert line.counted == {"ready": 0, "delayed": 1, "flight": 0}
    assert line.next_due() == 500
    assert [flew for _, _, flew in line.promote(500)] == [False]
    assert line.counted == {"ready": 1, "delayed": 0, "flight": 0}


def test_next_moment_is_one_that_holds() -> None:
    """A moment that was changed, or whose message is gone, is not the next one."""
    line = filled("a", "b")
    hide(line, 1000)
    line.hide(line.held["a"], 3000)
    line.remove(line.held["b"])

    assert line.next_due() == 3000
    assert line.promote(2000) == []


def test_expired_is_gone() -> None:
    """What was enqueued at or before a moment goes, whatever its state, by the time of its enqueuing."""
    line = Line()
    line.add("late", 0, enqueued=2000)
    line.add("early", 0, enqueued=1000)
    hide(line, 9000)

    assert [held.message for held in line.expire(1000)] == ["early"]
    assert list(line.held) == ["late"]
    assert line.counted == {"ready": 0, "delayed": 0, "flight": 1}


def test_dead_are_met_on_the_way() -> None:
    """What is dead takes no place among what is received."""
    line = filled("a", "b", "c")
    found, buried = line.take(2, lambda held: held.message == "a")

    assert ([held.message for held in found], [held.message for held in buried]) == (["b", "c"], ["a"])


def test_message_group_waits_for_what_is_in_flight() -> None:
    """Of a group, nothing is received while something of it is in flight; of others, it is."""
    line = filled("a1", "a2", "b1", fifo=True)

    assert hide(line, 1000, 1) == ["a1"]
    assert hide(line, 2000) == ["b1"]

    line.promote(1000)

    assert hide(line, 3000) == ["a1", "a2"]


def test_group_by_group() -> None:
    """A receipt has as many messages of one group as there are, and then those of the next."""
    assert hide(filled("a1", "b1", "a2", "b2", "c1", fifo=True), 1000, 4) == ["a1", "a2", "b1", "b2"]


def test_deleted_first_lets_the_group_go_on() -> None:
    """With all that was in flight deleted, the group goes on where it was."""
    line = filled("a1", "a2", "a3", fifo=True)
    hide(line, 1000, 2)
    line.remove(line.held["a1"])

    assert hide(line, 1000) == []

    line.remove(line.held["a2"])

    assert hide(line, 1000) == ["a3"]


def test_once_more_while_in_flight_and_after_deletion() -> None:
    """A message is handed out once more although it is in flight, or was deleted; one that waits, after its next receipt."""
    line = filled("a", "b", "c")
    held = dict(line.held)
    line.hand_out_again(held["c"])
    hide(line, 1000)
    line.hand_out_again(held["a"])
    line.hand_out_again(held["b"])
    line.remove(held["b"])

    assert line.copies == 3
    assert hide(line, 2000) == ["a", "b", "c"]
    assert line.counted == {"ready": 0, "delayed": 0, "flight": 3}
    assert hide(line, 2000) == []


def test_not_twice_in_one_receipt() -> None:
    """A message that is available and owed once more is not received twice at once."""
    line = filled("a")
    line.hand_out_again(line.held["a"])

    assert hide(line, 1000) == ["a"]
    assert hide(line, 1000) == ["a"]
    assert hide(line, 1000) == []


def test_shuffled_for_one_receipt() -> None:
    """Another order holds for the next receipt that finds something, and leaves nothing out for the one after it."""
    line = Line()
    line.shuffle = lambda messages: list(reversed(messages))

    assert hide(line, 1000) == []

    for message in "abc":
        line.add(message, 0, enqueued=0)

    assert hide(line, 1000, 2) == ["c", "b"]
    assert hide(line, 1000) == ["a"]


def test_times_of_what_is_gone_are_not_kept() -> None:
    """A queue that many messages pass through does not grow."""
    line = Line()
    for number in range(20_000):
        line.add(number, 0, enqueued=number)
        (held,), _ = line.take(1, nobody)
        line.hide(held, 30_000)
        line.remove(held)

    assert len(line._expiring) < 3000
    assert len(line._hidden) < 3000


class Plain:
    """The same as a list that is walked through: slow, and plain to see."""

    def __init__(self, fifo: bool) -> None:
        self.fifo = fifo
        self.rows: list[dict[str, Any]] = []

    def add(self, message: str, due: int, now: int) -> None:
        self.rows.append({"message": message, "until": due, "flew": False, "since": now})

    def receive(self, most: int, now: int, until: int) -> list[str]:
        ready = [row for row in self.rows if row["until"] <= now]
        if self.fifo:
            busy = {row["message"][0] for row in self.rows if row["flew"] and row["until"] > now}
            ready = [row for row in ready if row["message"][0] not in busy]
            groups = list(dict.fromkeys(row["message"][0] for row in ready))
            ready.sort(key=lambda row: groups.index(row["message"][0]))
        for row in ready[:most]:
            row.update(until=until, flew=True)
        return [row["message"] for row in ready[:most]]

    def delete(self, message: str) -> None:
        self.rows = [row for row in self.rows if row["message"] != message]

    def counts(self, now: int) -> dict[str, int]:
        hidden = [row["flew"] for row in self.rows if row["until"] > now]
        return {"ready": len(self.rows) - len(hidden), "delayed": hidden.count(False), "flight": hidden.count(True)}


@pytest.mark.parametrize("fifo", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_as_a_plain_list(seed: int, fifo: bool) -> None:
    """Whatever happens, in whatever order: what is received and counted is as in a list that is walked through."""
    chance = random.Random(seed)
    line, plain, now = Line(fifo), Plain(fifo), 0
    for number in range(400):
        now += chance.choice([0, 0, 1, 7])
        line.promote(now)
        what = chance.random()
        if what < 0.4:
            message, due = f"{chance.choice('abc')}{number}", now + chance.choice([0, 0, 0, 5]) * (not fifo)
            line.add(message, now, enqueued=now, due=due, group=message[0])
            plain.add(message, due, now)
        elif what < 0.7:
            most, until = chance.choice([1, 3, 10]), now + chance.choice([1, 5, 20])
            assert hide(line, until, most) == plain.receive(most, now, until)
        elif what < 0.9 and plain.rows:
            message = chance.choice(plain.rows)["message"]
            line.remove(line.held[message])
            plain.delete(message)
        elif flying := [row for row in plain.rows if row["flew"] and row["until"] > now]:
            row, until = chance.choice(flying), now + chance.choice([0, 3, 30])
            held = line.held[row["message"]]
            if until == now:
                line.give_back(held)
            else:
                line.hide(held, until)
            row["until"] = until
        assert line.counted == plain.counts(now)
