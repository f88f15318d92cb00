"""Objects that want to pass for the right answer, and a candidate that says what no honest one says. Real processes."""

from __future__ import annotations

import decimal
import math
import statistics
import unittest
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy
import pytest

from autograder.crossing import Crossing
from autograder.frames import ProtocolError, pack, unpack
from autograder.peer import Peer, PeerGone
from autograder.records import Limits
from bentocola.checks.frame import Check, NotYet
from tests.autograder.exam_rooms import Candidate, candidate, raw_process

SOURCE = """
import math, numbers, unittest.mock

class Everything:
    '''Equal to everything, near to everything, in everything.'''
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __hash__(self): return hash(5)
    def __sub__(self, other): return 0.0
    __rsub__ = __mod__ = __rmod__ = __xor__ = __rxor__ = __sub__
    def __add__(self, other): return other
    __radd__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __or__ = __ror__ = __and__ = __rand__ = __add__
    def __len__(self): return 1
    def __bool__(self): return True
    def __instancecheck__(self, other): return True
    def __getattr__(self, name): return lambda *a, **k: True

class Near:
    '''Hands its trick on to what comes of a subtraction.'''
    def __init__(self, value=None): self.value = value
    def __sub__(self, other): return Near(other)
    __rsub__ = __add__ = __radd__ = __sub__
    def __abs__(self): return 0.0
    __neg__ = __float__ = __round__ = __int__ = __index__ = __pos__ = lambda self, *a: 0.0
    def __bool__(self): return False
    def __pow__(self, other): return 0.0
    def __mul__(self, other): return 0.0
    def __lt__(self, other): return True
    __le__ = __lt__

class Chameleon(int):
    def __eq__(self, other): return True
    def __hash__(self): return 5
class Text(str):
    def __eq__(self, other): return True
    def __hash__(self): return 5
class Everyone(type):
    def __eq__(self, other): return True
    def __instancecheck__(self, other): return True
    def __subclasscheck__(self, other): return True
    def __hash__(self): return 5
class Any(metaclass=Everyone): pass

def function():
    def answer(*a, **k): return True
    answer.startswith = answer.endswith = answer.issubset = answer.issuperset = answer
    return answer
def a_class():
    yes = classmethod(lambda cls, *a: True)
    names = {"startswith": yes, "endswith": yes, "issubset": yes}
    methods = {k: v for k, v in vars(Everything).items() if callable(v)} | {"__abs__": lambda c: 0}
    return type("Meta", (type,), methods)("A", (), names)
def everything(*a, **k): return Everything()
def near(*a): return Near()
def chameleon(): return Chameleon(3)
def text(): return Text("wrong")
def inside(): return [Everything()], {"a": Everything()}, (Everything(),)
def mock_any(): return unittest.mock.ANY
def mock(): return unittest.mock.MagicMock()
def any_class(): return Any
def key(): return {Everything(): 1}
any_answer = Everything()
"""


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


CASE: Any = unittest.TestCase()
CASE.maxDiff = None
UNITTEST = {name: getattr(CASE, name) for name in dir(CASE) if name.startswith("assert")}


def holds(condition: Any) -> None:
    """Raise as an `assert` does."""
    if not condition:
        raise AssertionError


ASSERTIONS: dict[str, Callable[[Any], object]] = {
    "==": lambda got: holds(got == 5),
    "== from the left": lambda got: holds(5 == got),  # noqa: SIM300
    "not !=": lambda got: holds(not got != 5),  # noqa: SIM202
    "list": lambda got: holds(got == [1, 2]),
    "str": lambda got: holds("abc" == got),  # noqa: SIM300
    "None": lambda got: holds(got == None),  # noqa: E711
    "True": lambda got: holds(got == True),  # noqa: E712
    "in a tuple": lambda got: holds(got in (1, 2)),
    "in a list": lambda got: holds(got in [1, 2]),
    "in a set": lambda got: holds(got in {5}),
    "in a dict": lambda got: holds(got in {5: 1}),
    "in range": lambda got: holds(got in range(10)),
    "contains": lambda got: holds(3 in got),
    "count": lambda got: holds([1, 5].count(got) == 1),
    "index": lambda got: [1, 5].index(got),
    "list of it": lambda got: holds([got] == [5]),
    "dict of it": lambda got: holds({"a": got} == {"a": 5}),
    "tuple of it": lambda got: holds((1, got) == (1, 2)),
    "set of it": lambda got: holds({got} == {5}),
    "sorted": lambda got: holds(sorted([3, got]) == [3, 5]),
    "max": lambda got: holds(max(5, got) == 5),
    "max from the left": lambda got: holds(max(got, 5) == 5),
    "min": lambda got: holds(min(got, 5) == 5),
    "less": lambda got: holds(got < 5),
    "between": lambda got: holds(1 < got < 5),
    "greater": lambda got: holds(5 > got),  # noqa: SIM300
    "near": lambda got: holds(abs(got - 5) < 1e-9),
    "near from the left": lambda got: holds(abs(5 - got) < 1e-9),
    "near squared": lambda got: holds((got - 5) ** 2 < 1e-9),
    "near times": lambda got: holds((got - 5) * 1 < 1e-9),
    "near float": lambda got: holds(float(got - 5) < 1e-9),
    "near rounded": lambda got: holds(round(got - 5, 3) == 0),
    "near not": lambda got: holds(not (got - 5)),
    "near negative": lambda got: holds(-(got - 5) + 0.0 == 0.0),
    "near sum": lambda got: holds(abs(sum([got, -5])) < 1e-9),
    "isclose": lambda got: holds(math.isclose(got, 5)),
    "fsum": lambda got: holds(math.fsum([got, -5]) == 0),
    "decimal": lambda got: holds(decimal.Decimal(5) - got == 0),
    "mean": lambda got: holds(statistics.mean([got, 5]) == 5),
    "added": lambda got: holds(got + 1 == 6),
    "divided": lambda got: holds(got / 5 == 1),
    "string": lambda got: holds(str(got) == "5"),
    "starts": lambda got: holds(got.startswith("He")),
    "ends": lambda got: holds(got.endswith("He")),
    "subset": lambda got: holds({1}.issubset(got)),
    "is a subset": lambda got: holds(got.issubset({1})),
    "superset": lambda got: holds(got <= {1}),
    "union": lambda got: holds((got | {1}) == {1}),
    "isinstance": lambda got: holds(isinstance(got, int)),
    "is": lambda got: holds(got is True),
    "assertEqual": lambda got: UNITTEST["assertEqual"](got, 5),
    "assertEqual from the left": lambda got: UNITTEST["assertEqual"](5, got),
    "assertIn": lambda got: UNITTEST["assertIn"](got, [5]),
    "assertListEqual": lambda got: UNITTEST["assertListEqual"]([5], got),
    "assertCountEqual": lambda got: UNITTEST["assertCountEqual"]([5], [got]),
    "assertAlmostEqual": lambda got: UNITTEST["assertAlmostEqual"](got, 5),
    "assertAlmostEqual from the left": lambda got: UNITTEST["assertAlmostEqual"](5.0, got),
    "assertLess": lambda got: UNITTEST["assertLess"](got, 5),
    "assertIsInstance": lambda got: UNITTEST["assertIsInstance"](got, int),
    "approx": lambda got: holds(got == pytest.approx(5)),
    "approx from the left": lambda got: holds(pytest.approx(5) == got),
    "approx list": lambda got: holds([got] == pytest.approx([5])),
    "numpy equal": lambda got: numpy.testing.assert_equal(got, 5),
    "numpy array equal": lambda got: numpy.testing.assert_array_equal(got, [5, 6]),
    "numpy array of it": lambda got: numpy.testing.assert_array_equal([got, 6], [5, 6]),
    "numpy close": lambda got: numpy.testing.assert_allclose(got, 5),
    "numpy close from the left": lambda got: numpy.testing.assert_allclose(5, got),
    "numpy almost": lambda got: numpy.testing.assert_almost_equal(got, 5),
    "numpy almost from the left": lambda got: numpy.testing.assert_almost_equal(5.0, got),
    "numpy almost array": lambda got: numpy.testing.assert_array_almost_equal(got, [5.0]),
    "allclose": lambda got: holds(numpy.allclose(got, 5)),
    "isclose of numpy": lambda got: holds(numpy.isclose(5.0, got)),
    "array_equal": lambda got: holds(numpy.array_equal(got, numpy.array([5]))),
    "array ==": lambda got: holds((numpy.array([5, 6]) == got).all()),
    "numpy minus": lambda got: holds(numpy.abs(numpy.float64(5) - got) < 1e-9),
    "check": lambda got: Check(_Cloud(), "f", 1).equal(got, 5),  # type: ignore[arg-type]
    "check from the left": lambda got: Check(_Cloud(), "f", 1).equal(5, got),  # type: ignore[arg-type]
    "check type": lambda got: Check(_Cloud(), "f", 1).is_a(got, int),  # type: ignore[arg-type]
}


class _Cloud:
    @staticmethod
    def say(message: str, **values: object) -> str:
        return message.format(**values)


@pytest.mark.parametrize("name", ["everything", "near", "mock", "mock_any", "function", "a_class"])
@pytest.mark.parametrize("assertion", ASSERTIONS.values(), ids=ASSERTIONS.keys())
def test_nothing_passes_for_the_right_answer(student: Candidate, name: str, assertion: Callable[[Any], object]) -> None:
    """No assertion about the answer holds for an object that is made to hold all of them."""
    got = student(name)()

    with pytest.raises((AssertionError, TypeError, ValueError, AttributeError, NotYet, decimal.InvalidOperation)):
        assertion(got)


def test_subclass_that_equals_everything_is_what_it_is(student: Candidate) -> None:
    """An int or a str with an `==` of its own is its own value here."""
    assert student("chameleon")() == 3
    assert student("chameleon")() != 5
    assert student("text")() == "wrong"
    assert student("text")() not in ("right", "5")


def test_inside_of_a_value_it_is_no_better(student: Candidate) -> None:
    """In a list, a dict or a tuple, as a key and as a name."""
    in_list, in_dict, in_tuple = student("inside")()

    assert in_list != [5]
    assert in_dict != {"a": 5}
    assert in_tuple != (5,)
    assert student("key")() != {5: 1}
    assert 5 not in student("key")()
    assert student("any_answer") != 5
    assert student("any_answer") not in [5]


def test_class_that_everything_is_an_instance_of(student: Candidate) -> None:
    """It does not equal a class, and raising something else is not caught by it."""
    kind = student("any_class")()

    assert not kind == int  # noqa: E721, SIM201
    assert kind not in (int, str)

    def catch() -> None:
        try:
            raise KeyError
        except kind:
            pass

    with pytest.raises((TypeError, KeyError)):
        catch()


# A candidate that does not keep to the rules.


def answering(answer: Callable[[Any], bytes]) -> Callable[[Connection, Connection], None]:
    """Return a room that answers each request with what `answer(frame)` makes."""

    def room(mine: Connection, theirs: Connection) -> None:
        theirs.close()
        try:
            while True:
                mine.send_bytes(answer(unpack(mine.recv_bytes())))
        except (EOFError, OSError):
            return

    return room


ANSWERS: dict[str, Any] = {
    "null": None,
    "text": "x",
    "empty": {},
    "no-nodes": {"root": [0]},
    "bad-node": {"root": [0], "nodes": [["eval", "1"]], "changes": []},
    "change-of-nothing": {"root": 1, "nodes": [["list", []]], "changes": [["e1", 99, 0]]},
    "change-of-unknown": {"root": 1, "nodes": [["list", []]], "changes": [["zz", 0, 0]]},
    "change-text": {"root": 1, "nodes": [], "changes": "abc"},
    "change-node": {"root": 1, "nodes": [], "changes": [["e1", 0, 7]]},
    "raised-no-exception": {"root": 1, "nodes": [], "changes": [], "raised": True},
    "missing-handle": {"root": [0], "nodes": [["own", 12345]], "changes": []},
    "deep-class": {"root": [0], "nodes": [["class", [[[[[[[[]]]]]]]]]], "changes": []},
}


@pytest.mark.parametrize("head", ANSWERS.values(), ids=ANSWERS.keys())
def test_answer_that_is_none_is_a_protocol_error(head: Any) -> None:
    """Whatever a look-up or a call is answered with, the test gets a value or a ProtocolError."""
    with raw_process(answering(lambda frame: pack("answer", frame.id, None, head))) as (connection, _):
        peer = Peer(connection, limits=Limits(), name="candidate")
        crossing = Crossing(peer, "examiner")
        with pytest.raises(ProtocolError):
            crossing.lookup("f")
        with pytest.raises(ProtocolError):
            crossing.do(1, "call", (([1], {"a": 1}), {}))
        peer.close()


def test_change_of_another_kind_is_refused() -> None:
    """A list that went over cannot come back as a dict, nor a change reach what was not handed over."""

    def answer(frame: Any) -> bytes:
        place = [node[0] for node in frame.head["nodes"]].index("list")
        head = {"root": 1, "nodes": [["dict", []]], "changes": [[frame.head["share"], place, 0]]}
        return pack("answer", frame.id, None, head)

    with raw_process(answering(answer)) as (connection, _):
        peer = Peer(connection, limits=Limits(), name="candidate")
        crossing = Crossing(peer, "examiner")
        mine = [1]
        with pytest.raises(ProtocolError):
            crossing.do(1, "call", ((mine,), {}))
        assert mine == [1]
        peer.close()


def test_end_in_the_middle_of_a_call(student: Candidate) -> None:
    """A student's function that ends its process: PeerGone, for this call and each later use of a stand-in."""
    with candidate("import os\ndef end(): os._exit(0)\ndef f(): return 1") as other:
        end, function = other("end"), other("f")
        with pytest.raises(PeerGone):
            end()
        for use in (function, lambda: function.__name__, lambda: other("f"), lambda: repr(function)):
            with pytest.raises(PeerGone):
                use()
