"""Arguments that a function changes in place, and values that both processes hold: kept alike, and the same object again."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

import pytest

from tests.autograder.exam_rooms import Candidate, candidate

SOURCE = """
import collections

def same(x): return x
def both(x): return [x, x]
def change(box): box.clear(); box.append([1]); box.append(box); return box
def put(box, key, value): box[key] = value; return box
def add(box, item): box.add(item)
def sort(items): items.sort(); return None
def double(data): data *= 2
def rotate(queue): queue.rotate(1); queue.append("end")
def append(items, item): items.append(item); return items
def fail(items): items.append("half"); raise ValueError(items)
def inner(order): order["lines"][0]["n"] += 1; order["lines"].append(order)
def swap(a, b): a[:], b[:] = b[:], a[:]
def is_it(a, b): return a is b

def with_work(items, work):
    items.append("student")
    work()
    items.append(len(items))
    return items
def hands_over(items, work): return work(items) is items
def passes(items, work): return [work(item) for item in items]
def keeps_working(items, work):
    for n in range(3): items.append(n); work(n)

state = {"seen": []}
history = []
def see(x): state["seen"].append(x); history.append(x); return len(history)
def seen(): return state
class Cart:
    def __init__(self): self.items = []
cart = Cart()
big = list(range(100000))
"""


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


def test_argument_that_is_returned_is_the_same_object(student: Candidate) -> None:
    """Lists, dicts, sets, tuples, bytearrays: what comes back is what went over."""
    for value in ([1], {"a": 1}, {1}, (1, [2]), bytearray(b"a"), collections.deque([1]), frozenset({(1, 2)})):
        assert student("same")(value) is value
        got = student("both")(value)
        assert got[0] is value
        assert got[1] is value
    inner: list[int] = []
    assert student("same")([inner, inner])[0] is inner


def test_changes_arrive_in_the_very_object(student: Candidate) -> None:
    """A function that changes its argument changes the caller's, with all that it holds."""
    items: list[Any] = ["a"]
    assert student("change")(items) is items
    assert items[0] == [1]
    assert items[1] is items

    table: dict[str, Any] = {"a": 1}
    student("put")(table, "self", table)
    assert table == {"a": 1, "self": table}
    assert table["self"] is table

    names = {"b"}
    student("add")(names, ("c", 1))
    assert names == {"b", ("c", 1)}

    numbers = [3, 1, 2]
    assert student("sort")(numbers) is None
    assert numbers == [1, 2, 3]

    data = bytearray(b"ab")
    student("double")(data)
    assert data == bytearray(b"abab")

    queue = collections.deque([1, 2], maxlen=2)
    student("rotate")(queue)
    assert list(queue) == [1, "end"]


def test_nested_values_stay_the_caller_s(student: Candidate) -> None:
    """What is deep inside is changed in place as well."""
    line = {"n": 1}
    lines = [line]
    order = {"lines": lines}
    student("inner")(order)

    assert order["lines"] is lines
    assert lines[0] is line
    assert line == {"n": 2}
    assert lines[1] is order


def test_two_arguments_and_aliases(student: Candidate) -> None:
    """One list as two arguments is one list there, and two lists are two."""
    one, two = [1], [2]
    assert student("is_it")(one, one)
    assert not student("is_it")(one, [1])
    student("swap")(one, two)
    assert (one, two) == ([2], [1])


def test_subclasses_of_the_test_s_keep_their_class(student: Candidate) -> None:
    """An OrderedDict, a defaultdict or a Counter changed over there is still one here, and whole."""
    ordered = collections.OrderedDict(b=1, a=2)
    student("put")(ordered, "c", [3])
    ordered.move_to_end("b")
    assert list(ordered.items()) == [("a", 2), ("c", [3]), ("b", 1)]
    default = collections.defaultdict(list, a=[1])
    student("put")(default, "b", 2)
    assert default["c"] == []
    assert default == {"a": [1], "b": 2, "c": []}


def test_changes_before_an_exception_stay(student: Candidate) -> None:
    """As in one process: what was changed before the error is changed."""
    items = [1]
    with pytest.raises(ValueError, match="half") as caught:
        student("fail")(items)
    assert items == [1, "half"]
    assert caught.value.args[0] is items


def test_immutable_and_unchanged_values_are_left_alone(student: Candidate) -> None:
    """A list that nobody changed keeps its very items."""
    item = object()
    items = [item, "x" * 1000, 10**30]
    before = list(items)
    student("same")(items)

    assert all(map(lambda a, b: a is b, items, before))


def test_call_back_sees_what_was_changed_before_it(student: Candidate) -> None:
    """In the middle of a call both versions are alike: each side sees the other's changes in their order."""
    items: list[Any] = ["test"]

    def work() -> None:
        assert items == ["test", "student"]
        items.append("work")

    assert student("with_work")(items, work) is items
    assert items == ["test", "student", "work", 3]

    seen = []
    items.clear()
    student("keeps_working")(items, lambda n: seen.append(list(items)))
    assert seen == [[0], [0, 1], [0, 1, 2]]


def test_argument_handed_back_to_the_test_is_its_own(student: Candidate) -> None:
    """`work(items)` gets the list that the test handed to the function, and its items the objects that they were."""
    items = [{"a": 1}]

    def work(got: Any) -> Any:
        assert got is items
        return got

    assert student("hands_over")(items, work)
    got = student("passes")(items, lambda item: item)
    assert got[0] is items[0]


def test_looked_up_value_is_the_student_s(student: Candidate) -> None:
    """What a test changes in a list of the student's the student's functions see, and the other way round."""
    history = student("history")
    assert student("history") is history
    history.append("test")
    assert student("see")("student") == 2
    assert history == ["test", "student"]
    state = student("state")
    assert student("seen")() is state
    state["seen"].clear()
    student("see")("again")
    assert state == {"seen": ["again"]}
    history.clear()
    assert student("see")(1) == 1


def test_what_was_looked_up_is_forgotten_with_the_cell(student: Candidate) -> None:
    """After `forget` a value that was looked up is the test's own; looked up again it is the student's."""
    history = student("history")
    for _ in range(3):
        student.crossing.forget()
        student("same")(0)
    history.append("mine")
    count = student("see")("later")

    assert "mine" not in student("history")
    assert student("history") is not history
    assert len(student("history")) == count


def test_large_value_is_not_watched(student: Candidate) -> None:
    """One that would take long to compare at each call is a copy."""
    big = student("big")
    big.append("mine")

    assert "mine" not in student("big")
    assert len(student("big")) == 100_000


def test_attribute_of_an_instance_is_a_copy_and_setting_it_counts(student: Candidate) -> None:
    """What is read from an instance is a value; the instance is changed by its methods, or by setting."""
    cart = student("cart")
    cart.items = [1]
    assert cart.items == [1]
