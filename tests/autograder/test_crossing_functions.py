"""Functions, classes, instances and iterators as stand-ins, in both directions, between real processes."""

from __future__ import annotations

import asyncio
import copy
import inspect
import itertools
import json
import os
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.crossing import StandIn
from tests.autograder.exam_rooms import Candidate, candidate, process_id

SOURCE = '''
import asyncio, collections, dataclasses, enum, functools, io, itertools, os, threading

def pid(): return os.getpid()
def same(x): return x
def is_it(x, y): return x is y
def call(work, *args, **named): return work(*args, **named)
def greet(name, *, loud: bool = False, **more):
    """Say hello."""
    return name.upper() if loud else name

def helper(work, x): return [work(x), work(x)]
def hand_on(work, x): return helper(work, x)
def twice(work): return lambda x: work(work(x))
def deep(n, work): return n if n == 0 else work(n)

kept = []
def keep(x): kept.append(x)
def give(): return kept[-1]
def is_kept(x): return kept[-1] is x

class Account:
    """An account."""
    kind = "savings"
    def __init__(self, owner, balance=0): self.owner, self.balance, self._pin = owner, balance, 1234
    def deposit(self, amount):
        if amount <= 0: raise ValueError("amount")
        self.balance += amount
        return self.balance
    @property
    def rich(self): return self.balance > 100
    @classmethod
    def empty(cls): return cls("nobody")
    @staticmethod
    def bank(): return "b"
    def __len__(self): return self.balance
    def __enter__(self): self.open = True; return self
    def __exit__(self, kind, error, where): self.open = False; return kind is KeyError
    def __getitem__(self, at): return self.owner[at]
    def __setitem__(self, at, value): self.owner = value * at
    def __repr__(self): return f"Account({self.owner})"

class Vector:
    def __init__(self, *parts): self.parts = parts
    def __eq__(self, other): return isinstance(other, Vector) and self.parts == other.parts
    def __hash__(self): return hash(self.parts)
    def __add__(self, other): return Vector(*map(sum, zip(self.parts, other.parts)))
    def __mul__(self, by): return Vector(*(part * by for part in self.parts))
    __rmul__ = __mul__
    def __matmul__(self, other): return sum(a * b for a, b in zip(self.parts, other.parts))
    def __abs__(self): return sum(part * part for part in self.parts) ** 0.5
    def __lt__(self, other): return self.parts < other.parts
    def __neg__(self): return self * -1
    def __iter__(self): return iter(self.parts)
    def __bool__(self): return any(self.parts)

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

class Color(enum.Enum):
    RED = 1
    BLUE = 2

made = 0
def count():
    global made
    while True:
        made += 1
        yield made
def how_many(): return made
def squares(n):
    for i in range(n): yield i * i
def echo():
    got = None
    while True: got = yield got
def iterators(): return map(str, [1, 2]), filter(None, [0, 1]), zip("ab", [1, 2]), enumerate("a"), reversed([1, 2]), iter({1: 2})
def lines(): return io.StringIO("a\\nb\\n")
def open_file(): return open(os.devnull)

async def later(x):
    await asyncio.sleep(0)
    return x * 2
async def with_work(work, x): return await work(x) + 1
async def ticks(n):
    for i in range(n): yield i
class Door:
    async def __aenter__(self): return "in"
    async def __aexit__(self, *error): return False
queue = None
async def put(x):
    global queue
    queue = queue or asyncio.Queue()
    await queue.put(x)
async def take(): return await queue.get()

def in_threads(work, n):
    found = []
    threads = [threading.Thread(target=lambda i=i: found.append(work(i))) for i in range(n)]
    [thread.start() for thread in threads]; [thread.join() for thread in threads]
    return sorted(found)
partial = functools.partial(greet, "ana", loud=True)
add = lambda x, y=1: x + y
barrier = threading.Barrier(3)
def meet(x): barrier.wait(10); return x

def uses(thing): return [thing.name, thing.greet("x"), thing.parts, len(thing.box), list(thing.box), thing.box[0], thing.box["k"]]
def with_context(thing):
    with thing as inner: return inner
def fill(box): box["a"] = 1; del box["b"]; return "a" in box
def read_all(source): return source.read()
def total(numbers): return sum(numbers)
def first(numbers): return next(iter(numbers))
def kinds(f): return callable(f), f.__name__, f.__doc__
def environ(name): return os.environ.get(name)
def ordered(f, items): return sorted(items, key=f)
'''


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


def test_function_runs_in_its_own_process(student: Candidate) -> None:
    """A call of the student's function runs over there, with positional and named arguments."""
    assert student("pid")() == student.other.process.pid != os.getpid()
    assert student("greet")("ana", loud=True, x=1) == "ANA"
    assert student("partial")() == "ANA"
    assert student("add")(2) == 3


def test_wrong_arguments_are_a_type_error(student: Candidate) -> None:
    """As in one process, with Python's own message."""
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        student("greet")()


def test_function_looks_like_one(student: Candidate) -> None:
    """`callable`, `inspect` and the name answer as for a function."""
    greet = student("greet")

    assert callable(greet)
    assert inspect.isfunction(greet)
    assert isinstance(greet, Callable)
    assert not isinstance(greet, Iterable | Sized)
    assert (greet.__name__, greet.__doc__, greet.__module__) == ("greet", "Say hello.", "__main__")
    assert str(inspect.signature(greet)) == "(name, *, loud: bool = False, **more)"
    assert greet.__code__.co_argcount == 1
    assert repr(greet).startswith("<function greet at")
    assert inspect.iscoroutinefunction(student("later"))
    assert not inspect.iscoroutinefunction(greet)


def test_same_object_is_the_same_stand_in(student: Candidate) -> None:
    """One object of the student's is one stand-in here, and over there the object itself when it is handed back."""
    greet = student("greet")

    assert student("greet") is greet
    assert student("same")(greet) is greet
    assert student("is_it")(greet, greet)
    assert {greet: 1}[student("greet")] == 1
    assert copy.deepcopy([greet])[0] is not None


def test_function_of_the_test_s_is_called_back(student: Candidate) -> None:
    """`work` runs here, in the thread of the test, and hands back what it gives."""
    seen = []

    def work(x: Any) -> Any:
        seen.append((x, process_id(), threading.current_thread()))
        return x * 2

    here = (os.getpid(), threading.current_thread())
    assert student("call")(work, 4) == 8
    assert student("hand_on")(work, "a") == ["aa", "aa"]
    assert seen == [(4, *here), ("a", *here), ("a", *here)]


def test_function_of_the_test_s_comes_back_as_itself(student: Candidate) -> None:
    """What was handed over and is handed back is the very object, later too."""

    def work() -> None: ...

    assert student("same")(work) is work
    assert student("same")([work])[0] is work
    student("keep")(work)
    assert student("give")() is work
    assert student("is_kept")(work)


def test_calls_nest_both_ways(student: Candidate) -> None:
    """The test hands over `work`, which calls the student's function again, many levels deep."""
    deep = student("deep")

    def work(n: int) -> int:
        return 1 + deep(n - 1, work)

    assert deep(20, work) == 20


def test_closures_cross(student: Candidate) -> None:
    """A function that the student's makes of the test's one calls it for each step."""
    assert student("twice")(lambda x: x + 1)(5) == 7


def test_recursion_without_end_is_a_recursion_error(student: Candidate) -> None:
    """Two sides that call each other for ever end as a function does that calls itself for ever."""
    call = student("call")

    def work() -> Any:
        return call(work)

    with pytest.raises(RuntimeError):
        call(work)
    assert student("add")(1) == 2


def test_builtin_functions_cross(student: Candidate) -> None:
    """Those that only compute are the other side's own; any other calls back."""
    assert student("call")(len, [1, 2]) == 2
    assert student("same")(sorted) is sorted
    assert student("call")(json.loads, '{"a": [1]}') == {"a": [1]}
    assert student("same")(json.loads) is json.loads
    assert student("call")(os.getpid) == os.getpid()
    assert student("ordered")(str.lower, ["B", "a"]) == ["a", "B"]
    assert student("call")([3, 1].index, 1) == 1


def test_threads_of_the_student_call_back(student: Candidate) -> None:
    """Call-backs out of threads run here while the test waits."""
    assert student("in_threads")(lambda i: (i, os.getpid()), 6) == [(i, os.getpid()) for i in range(6)]


def test_threads_of_the_test_call_at_once(student: Candidate) -> None:
    """A pool over a stand-in gets each its own answer, and the calls run side by side."""
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(student("add"), range(100))) == list(range(1, 101))
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(student("meet"), range(3))) == [0, 1, 2]


# Classes and instances.


def test_class_of_the_student_s(student: Candidate) -> None:
    """It makes instances, tells which are its own, and has its attributes and its other ways to make one."""
    account = student("Account")
    mine = account("ana", balance=5)

    assert inspect.isclass(account)
    assert isinstance(mine, account)
    assert not isinstance(5, account)
    assert not isinstance(student("Point")(1), account)
    assert (account.__name__, account.kind, account.bank(), account.empty().owner) == (
        "Account",
        "savings",
        "b",
        "nobody",
    )
    assert type(mine).__name__ == "Account"
    assert mine.__class__.__name__ == "Account"


def test_instance_of_the_student_s(student: Candidate) -> None:
    """Attributes, methods, properties, items, `with`, `len`, `str` and setting work as on the object itself."""
    mine = student("Account")("ana", 5)

    assert (mine.owner, mine.balance, mine._pin, mine.rich) == ("ana", 5, 1234, False)
    assert mine.deposit(200) == 205
    assert (mine.balance, mine.rich, len(mine), mine[0], repr(mine)) == (205, True, 205, "a", "Account(ana)")
    with pytest.raises(ValueError, match="amount"):
        mine.deposit(-1)
    with pytest.raises(AttributeError, match="'Account' object has no attribute 'nothing'"):
        _ = mine.nothing
    assert not hasattr(mine, "nothing")
    mine.balance = 7
    mine[2] = "z"
    assert (mine.balance, mine.owner) == (7, "zz")
    del mine.balance
    assert not hasattr(mine, "balance")
    assert vars(mine)["owner"] == "zz"
    with mine as inside:
        assert inside is mine
        assert mine.open
        raise KeyError
    assert not mine.open


def test_instances_compare_with_each_other_over_there(student: Candidate) -> None:
    """Two of the student's objects are compared, ordered, added and hashed by the student's class."""
    vector = student("Vector")
    one, two = vector(3, 4), vector(1, 2)

    assert one == vector(3, 4)
    assert one != two
    assert {one, vector(3, 4), two} == {one, two}
    assert sorted([one, two]) == [two, one]
    assert (one + two).parts == (4, 6)
    assert (one * 2).parts == (2 * one).parts == (6, 8)
    assert one @ two == 11
    assert abs(one) == 5.0
    assert (-two).parts == (-1, -2)
    assert list(one) == [3, 4]
    assert not vector(0, 0)
    assert one
    assert student("Point")(1, 2) == student("Point")(1, 2)
    assert student("Point")(1, 2) != (1, 2)
    assert copy.copy(student("Point")(1, 2)) == student("Point")(1, 2)


def test_members_of_an_enum(student: Candidate) -> None:
    """Members are themselves, by name, by value and by item."""
    color = student("Color")

    assert color.RED is color.RED
    assert color.RED == color["RED"] == color(1)
    assert color.RED != color.BLUE
    assert (color.RED.name, color.RED.value) == ("RED", 1)
    assert [member.name for member in color] == ["RED", "BLUE"]
    assert len(color) == 2


# Iterators.


def test_generator_is_never_drained(student: Candidate) -> None:
    """An endless one is used one item at a time, and has made no more than was taken."""
    numbers = student("count")()

    assert isinstance(numbers, types.GeneratorType)
    assert isinstance(numbers, Iterator)
    assert not isinstance(numbers, Sized)
    assert iter(numbers) is numbers
    assert [next(numbers), next(numbers)] == [1, 2]
    assert student("how_many")() == 2
    assert list(itertools.islice(numbers, 100))[-1] == 102
    assert student("how_many")() == 102
    assert 104 in numbers
    numbers.close()
    assert list(numbers) == []


def test_generator_takes_part(student: Candidate) -> None:
    """Comprehensions, unpacking, `sum`, `send` and `throw` work; a list is no generator."""
    squares = student("squares")

    assert list(squares(4)) == [0, 1, 4, 9]
    assert sum(squares(4)) == 14
    assert [*squares(2)] == [0, 1]
    assert squares(2) != [0, 1]
    assert next(squares(0), "end") == "end"
    with pytest.raises(StopIteration):
        next(squares(0))
    echo = student("echo")()
    next(echo)
    assert echo.send([1]) == [1]
    with pytest.raises(KeyError, match="stop"):
        echo.throw(KeyError("stop"))


def test_other_iterators(student: Candidate) -> None:
    """What `map`, `zip` and their like give is iterated as it is needed; a file too."""
    assert [list(found) for found in student("iterators")()] == [
        ["1", "2"],
        [1],
        [("a", 1), ("b", 2)],
        [(0, "a")],
        [2, 1],
        [1],
    ]
    lines = student("lines")()
    assert next(lines) == "a\n"
    assert lines.read() == "b\n"
    with student("open_file")() as file:
        assert file.read() == ""
    assert file.closed


def test_iterators_of_the_test_s(student: Candidate) -> None:
    """A generator that a test hands over is taken from item by item."""
    made = []

    def numbers() -> Iterator[int]:
        for number in itertools.count():
            made.append(number)
            yield number

    assert student("total")(n * n for n in range(5)) == 30
    assert student("first")(numbers()) == 0
    assert made == [0]


# Waiting.


def test_coroutines_are_awaited(student: Candidate) -> None:
    """The student's coroutine functions are awaited in the test's loop, several in a row too."""

    async def main() -> Any:
        async with student("Door")() as inside:
            ticks = [tick async for tick in student("ticks")(3)]
        return await student("later")(4), await asyncio.gather(*map(student("later"), [1, 2])), inside, ticks

    assert asyncio.run(main()) == (8, [2, 4], "in", [0, 1, 2])


def test_one_loop_for_all_coroutines(student: Candidate) -> None:
    """What one coroutine leaves in the loop another finds there."""

    async def main() -> Any:
        await student("put")(5)
        return await student("take")()

    assert asyncio.run(main()) == 5


def test_coroutine_function_of_the_test_s(student: Candidate) -> None:
    """The student awaits what the test handed over, while the test's own loop runs."""

    async def work(x: int) -> int:
        await asyncio.sleep(0)
        return x * 10

    async def main() -> Any:
        return await student("with_work")(work, 2)

    assert asyncio.run(main()) == 21


# The test's own objects over there.


class Context:
    """Something that a test makes up."""

    name = "context"
    parts = (1, 2)

    def __init__(self) -> None:
        self.box = Box({"k": 5})
        self.left: list[str] = []

    def greet(self, other: str) -> str:
        """Say hello."""
        return f"{self.name} greets {other}"

    def __enter__(self) -> str:
        self.left.append("in")
        return "inside"

    def __exit__(self, *error: object) -> None:
        self.left.append("out")


class Box:
    """A container of the test's."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return 7

    def __iter__(self) -> Iterator[int]:
        return iter([1, 2])

    def __getitem__(self, at: Any) -> Any:
        return self.values.get(at, at)

    def __setitem__(self, at: Any, value: Any) -> None:
        self.values[at] = value

    def __delitem__(self, at: Any) -> None:
        del self.values[at]

    def __contains__(self, at: Any) -> bool:
        return at in self.values


def test_instance_of_the_test_s_is_used(student: Candidate) -> None:
    """Its public attributes, methods and container methods work in the student's function."""
    context = Context()

    assert student("uses")(context) == ["context", "context greets x", (1, 2), 7, [1, 2], 0, 5]
    assert student("with_context")(context) == "inside"
    assert context.left == ["in", "out"]
    box = Box({"b": 2})
    assert student("fill")(box) is True
    assert box.values == {"a": 1}
    assert student("same")(context) is context
    assert student("uses")(SimpleNamespace(name="n", greet=str, parts=1, box=box))[:3] == ["n", "x", 1]


def test_function_of_the_test_s_looks_like_one(student: Candidate) -> None:
    """Over there it is callable, with its name and its docstring."""

    def work() -> None:
        """Do it."""

    assert student("kinds")(work) == (True, "work", "Do it.")


# Names and the environment.


def test_names_are_looked_up_when_they_are_asked_for(student: Candidate) -> None:
    """A name that does not exist is a NameError with its name; a pushed one is there."""
    with pytest.raises(NameError, match="name 'nothing' is not defined") as caught:
        student("nothing")
    assert caught.value.name == "nothing"

    student.crossing.push({"queue_url": "https://q", "rows": [1]}, {"FROM_TEST": "1"})
    assert student("queue_url") == "https://q"
    assert student("environ")("FROM_TEST") == "1"


def test_environment_goes_along_with_each_call(student: Candidate, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test sets or takes away in `os.environ` holds over there at the next call."""
    environ = student("environ")
    monkeypatch.setenv("TABLE_NAME", "t1")
    assert environ("TABLE_NAME") == "t1"
    monkeypatch.setenv("TABLE_NAME", "t2")
    assert environ("TABLE_NAME") == "t2"
    monkeypatch.delenv("TABLE_NAME")
    assert environ("TABLE_NAME") is None


def test_stand_in_is_told_apart(student: Candidate) -> None:
    """Whoever needs to know can see by its class that it is one."""
    assert StandIn in type(student("add")).__mro__
    with pytest.raises(TypeError, match="cannot be pickled"):
        student("add").__reduce_ex__(2)
