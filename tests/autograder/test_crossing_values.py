"""Values cross by value, from a real other process: as the exact built-in type, whatever class they had."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import random
import sys
import uuid
import zoneinfo
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

from autograder.crossing.outside import Outside
from autograder.crossing.values import Reader
from autograder.frames import ProtocolError
from tests.autograder.exam_rooms import Candidate, candidate

SOURCE = """
import collections, datetime, decimal, enum, math, numpy
from typing import NamedTuple

def same(x): return x
def again(x): return [x, x]
def told(x): return f"{type(x).__name__} {x!r}"
def is_it(x, y): return x is y

class List(list):
    def __eq__(self, other): return True
    def __iter__(self): return iter([7])
    def __len__(self): return 1
    def __getitem__(self, at): return 7
    def __repr__(self): return "[7]"
class Dict(dict):
    def __eq__(self, other): return True
    def __iter__(self): return iter([7])
    def items(self): return [(7, 7)]
    def keys(self): return [7]
class Int(int):
    def __eq__(self, other): return True
    def __int__(self): return 7
    def __index__(self): return 7
    def __repr__(self): return "7"
    __hash__ = int.__hash__
class Str(str):
    def __eq__(self, other): return True
    def __str__(self): return "seven"
    def encode(self, *a): return b"seven"
    __hash__ = str.__hash__
class Float(float):
    def __eq__(self, other): return True
    def __float__(self): return 7.0
class Tuple(tuple):
    def __eq__(self, other): return True
    def __iter__(self): return iter([7])
class Set(set):
    def __eq__(self, other): return True
    def __iter__(self): return iter([7])
class Bytes(bytes):
    def __eq__(self, other): return True
    def __bytes__(self): return b"7"
class Meta(type):
    __mro__ = property(lambda cls: (cls, list, object))
    def mro(cls): return [cls, int, object]
class Masked(int, metaclass=Meta):
    def __eq__(self, other): return True
class Level(enum.IntEnum):
    LOW = 1
class Word(str, enum.Enum):
    YES = "yes"
class Point(NamedTuple):
    x: int
    y: int

subclasses = {
    "list": List([1, 2]), "dict": Dict(a=1), "int": Int(3), "str": Str("three"), "float": Float(1.5), "tuple": Tuple((1, 2)),
    "set": Set({1}), "bytes": Bytes(b"three"), "masked": Masked(3), "level": Level.LOW, "word": Word.YES,
    "counter": collections.Counter("aab"), "ordered": collections.OrderedDict(b=1, a=2),
    "default": collections.defaultdict(list, a=[1]),
}
numbers = [numpy.float64(2.5), numpy.int64(7), numpy.float32(0.5), numpy.bool_(True), numpy.str_("a"), numpy.complex128(1j)]
point = Point(1, y=2)
table = {"b": 1, "a": [2]}
def views(): return table.keys(), table.items(), table.values()
def array(): return numpy.arange(6, dtype="int16").reshape(2, 3)
def double(a): a *= 2; return a
def loop():
    a = [1]; a.append(a); d = {"a": a}; d["d"] = d; t = ([], 1); t[0].append(t)
    return a, d, t
def shared():
    a = [1]
    return [a, a, (a, {"a": a})]
def nested(depth):
    value = []
    for _ in range(depth): value = [value]
    return value
def nested_tuple(depth):
    value = ()
    for _ in range(depth): value = (value,)
    return value
"""


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


class Level(enum.IntEnum):
    """For a value of a class that only this process knows."""

    LOW = 1


TOKYO = zoneinfo.ZoneInfo("Asia/Tokyo")
VALUES: dict[str, Any] = {
    "none": None,
    "true": True,
    "int": -5,
    "big": -(10**5000),
    "bits": 2**1001,
    "float": 0.1,
    "minus-zero": -0.0,
    "inf": -math.inf,
    "complex": complex(1.5, -math.inf),
    "str": "ñ 佐藤 🍱",
    "empty": "",
    "surrogates": "\ud800x\udc00",
    "nul": "a\0b",
    "bytes": bytes(range(256)),
    "bytearray": bytearray(b"ab"),
    "list": [1, [2, []], None],
    "tuple": (1, (2, ()), [3]),
    "dict": {"b": 1, 2: "x", None: 3, (1, "a"): 4, frozenset({1}): 5, 1.5: 6, b"k": 7},
    "set": {1, "a", (2, 3)},
    "frozenset": frozenset({frozenset(), 1}),
    "range": range(10**30, 0, -3),
    "slice": slice(None, [1], "a"),
    "ellipsis": ...,
    "not-implemented": NotImplemented,
    "datetime": datetime.datetime(2024, 2, 29, 1, 2, 3, 4),
    "aware": datetime.datetime(2024, 2, 29, tzinfo=datetime.UTC),
    "offset": datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=30))),
    "zone": datetime.datetime(2024, 2, 29, tzinfo=TOKYO, fold=1),
    "date": datetime.date(1, 1, 1),
    "time": datetime.time(23, 59, fold=1),
    "timedelta": datetime.timedelta(-1, 2, 3),
    "timezone": datetime.timezone(datetime.timedelta(hours=-3)),
    "zone-alone": TOKYO,
    "decimal": decimal.Decimal("1.10"),
    "decimal-nan": decimal.Decimal("-Infinity"),
    "fraction": fractions.Fraction(-1, 10**400),
    "uuid": uuid.UUID(int=5),
    "path": pathlib.Path("/tmp/ñ"),
    "deque": collections.deque([1, [2]], maxlen=4),
    "builtin-type": ValueError,
    "none-type": type(None),
    "class-of-values": decimal.Decimal,
    "pure-function": sorted,
    "module": math,
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_value_comes_back_as_it_went(student: Candidate, value: Any) -> None:
    """Equal, of the same type, and told alike in the other process."""
    same = student("same")(value)

    assert same == value
    assert type(same) is type(value)
    if not isinstance(value, int) or abs(value) < 10**100:
        assert repr(same) == repr(value)
        assert student("told")(value) == f"{type(value).__name__} {value!r}"


def test_nan_crosses(student: Candidate) -> None:
    """nan is a float that equals nothing."""
    got = student("same")([math.nan, decimal.Decimal("nan"), complex(math.nan, 0)])

    assert math.isnan(got[0])
    assert got[1].is_nan()
    assert math.isnan(got[2].real)


def test_fold_and_zone_are_kept(student: Candidate) -> None:
    """A time that occurs twice keeps which one it is."""
    got = student("again")(VALUES["zone"])[0]

    assert (got.fold, got.tzinfo) == (1, TOKYO)


SUBCLASSES: dict[str, Any] = {
    "list": [1, 2],
    "dict": {"a": 1},
    "int": 3,
    "str": "three",
    "float": 1.5,
    "tuple": (1, 2),
    "set": {1},
    "bytes": b"three",
    "masked": 3,
    "level": 1,
    "word": "yes",
    "counter": {"a": 2, "b": 1},
    "ordered": {"b": 1, "a": 2},
    "default": {"a": [1]},
}


@pytest.mark.parametrize("name", SUBCLASSES)
def test_subclass_arrives_as_its_base(student: Candidate, name: str) -> None:
    """Whatever its methods pretend, the base's own content arrives, as the very built-in type."""
    got = student("subclasses")[name]

    assert got == SUBCLASSES[name]
    assert type(got) is type(SUBCLASSES[name])
    assert got != [7]
    assert got != "anything"
    if type(got) is dict:
        assert list(got) == list(SUBCLASSES[name])


def test_subclasses_go_the_other_way_as_their_base(student: Candidate) -> None:
    """A Counter or a member of an enum that a test hands over is a dict or an int over there."""
    assert student("told")(collections.Counter("a")) == "dict {'a': 1}"
    assert student("told")(Level.LOW) == "int 1"


def test_numpy_scalars_arrive_as_base_values(student: Candidate) -> None:
    """A result of numpy's is a number of Python's."""
    got = student("numbers")

    assert got == [2.5, 7, 0.5, True, "a", 1j]
    assert [type(value) for value in got] == [float, int, float, bool, str, complex]


def test_arrays_cross(student: Candidate) -> None:
    """Type, shape and content are kept, and an array changed in place is changed here."""
    got = student("array")()
    assert (got.dtype, got.shape, got.tolist()) == (numpy.dtype("int16"), (2, 3), [[0, 1, 2], [3, 4, 5]])
    got[0, 0] = 9

    mine = numpy.array([[1.5, 2.0]])
    assert student("double")(mine) is mine
    assert mine.tolist() == [[3.0, 4.0]]
    for value in (
        numpy.array(3),
        numpy.array(["añ", "b"]),
        numpy.array(["2024-01-01"], dtype="datetime64[D]"),
        numpy.zeros((0, 3)),
    ):
        same = student("same")(value)
        numpy.testing.assert_array_equal(same, value)
        assert same.dtype == value.dtype


def test_named_tuple_keeps_its_fields(student: Candidate) -> None:
    """It equals the plain tuple, and its places have their names."""
    got = student("point")

    assert got == (1, 2)
    assert (got.x, got.y, got._fields, got._asdict(), repr(got)) == (
        1,
        2,
        ("x", "y"),
        {"x": 1, "y": 2},
        "Point(x=1, y=2)",
    )
    assert got._replace(y=5) == (1, 5)


def test_views_of_a_dict(student: Candidate) -> None:
    """They compare, count and combine as a dict's own."""
    keys, items, values = student("views")()

    assert keys == {"b", "a"}
    assert (list(keys), len(keys), keys & {"a"}) == (["b", "a"], 2, {"a"})
    assert list(items) == [("b", 1), ("a", [2])]
    assert list(values) == [1, [2]]


def test_value_that_holds_itself(student: Candidate) -> None:
    """Loops come as loops, in lists, dicts, and tuples around them."""
    a, d, t = student("loop")()

    assert a[0] == 1
    assert a[1] is a
    assert d["d"] is d
    assert d["a"] is a
    assert t[0][0] is t
    assert student("same")(a) is a


def test_one_thing_twice_is_one_thing(student: Candidate) -> None:
    """Aliases stay aliases, in what comes and in what goes."""
    got = student("shared")()
    assert got[0] is got[1] is got[2][0] is got[2][1]["a"]

    mine = [1]
    assert student("is_it")(mine, mine)
    assert not student("is_it")(mine, [1])


@pytest.mark.parametrize("make", ["nested", "nested_tuple"])
def test_depth_of_a_value_has_no_limit_of_ours(student: Candidate, make: str) -> None:
    """A list in a list, thousands of times, crosses without a recursion error."""
    value = student(make)(20_000)
    depth = 0
    while value:
        (value,) = value
        depth += 1

    assert depth == 20_000


# What no honest writer writes.

BAD_TABLES: dict[str, Any] = {
    "no-table": [],
    "no-nodes": {"root": 1},
    "outside": {"root": [5], "nodes": []},
    "negative": {"root": [-1], "nodes": [["list", []]]},
    "bool": {"root": [True], "nodes": [["list", []], ["list", []]]},
    "text": {"root": ["0"], "nodes": [["list", []]]},
    "two": {"root": [0, 0], "nodes": [["list", []]]},
    "object": {"root": {"a": 1}, "nodes": []},
    "unknown": {"root": [0], "nodes": [["os.system", "x"]]},
    "no-kind": {"root": [0], "nodes": [[]]},
    "kind-list": {"root": [0], "nodes": [[["list"], []]]},
    "node-null": {"root": [0], "nodes": [None]},
    "tuple-loop": {"root": [0], "nodes": [["tuple", [[1]]], ["tuple", [[0]]]]},
    "tuple-self": {"root": [0], "nodes": [["tuple", [[0]]]]},
    "unhashable": {"root": [0], "nodes": [["set", [[1]]], ["list", []]]},
    "odd": {"root": [0], "nodes": [["dict", [1]]]},
    "bytes": {"root": [0], "nodes": [["bytes", "$"]]},
    "int": {"root": [0], "nodes": [["int", "zz"]]},
    "int-list": {"root": [0], "nodes": [["int", []]]},
    "float": {"root": [0], "nodes": [["float", "1e5"]]},
    "date": {"root": [0], "nodes": [["datetime", "yesterday", 0, None]]},
    "zone": {"root": [0], "nodes": [["datetime", "2024-01-01", 0, "../../etc/passwd"]]},
    "timezone": {"root": [0], "nodes": [["timezone", [99999, 0, 0]]]},
    "delta": {"root": [0], "nodes": [["timedelta", 10**12, 0, 0]]},
    "decimal": {"root": [0], "nodes": [["decimal", "one"]]},
    "fraction": {"root": [0], "nodes": [["fraction", "0x1", "0x0"]]},
    "uuid": {"root": [0], "nodes": [["uuid", "-0x1"]]},
    "range": {"root": [0], "nodes": [["range", "0x0", "0x1", "0x0"]]},
    "deque": {"root": [0], "nodes": [["deque", [], "x"]]},
    "record": {"root": [0], "nodes": [["record", "P", ["__class__"], [1]]]},
    "record-count": {"root": [0], "nodes": [["record", "P", ["a", "b"], [1]]]},
    "array-object": {"root": [0], "nodes": [["ndarray", "|O", [1], "AAAAAAAAAAA="]]},
    "array-shape": {"root": [0], "nodes": [["ndarray", "<i4", [1000000000000], "AAAA"]]},
    "array-dtype": {"root": [0], "nodes": [["ndarray", "rm -rf", [1], "AAAA"]]},
    "thing": {"root": [0], "nodes": [["thing", "1", "x", "function", []]]},
    "own": {"root": [0], "nodes": [["own", 1]]},
    "own-text": {"root": [0], "nodes": [["own", "1"]]},
    "shared": {"root": [0], "nodes": [["shared", "e1", 0]]},
    "builtin-eval": {"root": [0], "nodes": [["builtin", "eval"]]},
    "builtin-import": {"root": [0], "nodes": [["builtin", "__import__"]]},
    "builtin-getattr": {"root": [0], "nodes": [["builtin", "getattr"]]},
    "type": {"root": [0], "nodes": [["type", "subprocess", "Popen"]]},
    "module": {"root": [0], "nodes": [["module", "os", None]]},
    "module-path": {"root": [0], "nodes": [["module", "../x", None]]},
    "class-exit": {"root": [0], "nodes": [["class", ["builtin", "SystemExit"]]]},
    "class-function": {"root": [0], "nodes": [["class", ["builtin", "eval"]]]},
    "class-deep": {
        "root": [0],
        "nodes": [["class", ["like", "A", 1, False, [["like", "B", 2, False, []]] * 1 + ["x"]]]],
    },
    "exception": {
        "root": [0],
        "nodes": [["exception", 1, ["builtin", "ValueError"], None, {"root": 1, "nodes": []}]],
    },
    "client": {"root": [0], "nodes": [["client", "../../evil", "us-east-1", None]]},
    "client-name": {"root": [0], "nodes": [["paginator", "s3", "us-east-1", None, "__init__"]]},
}


@pytest.mark.parametrize("table", BAD_TABLES.values(), ids=BAD_TABLES.keys())
def test_bad_table_is_a_protocol_error(table: Any) -> None:
    """What an honest process never writes raises ProtocolError, and makes nothing."""
    with pytest.raises(ProtocolError):
        _ = Reader(table, examiner_s()).root


def examiner_s() -> Outside:
    """The strict side, without a process."""

    def link(handle: int, kind: str) -> Any:
        raise AssertionError("No stand-in is made of this.")

    return Outside(strict=True, link=link)


def test_random_tables_never_do_more_than_raise() -> None:
    """Nodes with random refs and contents are a value or a ProtocolError: no other error, no endless loop."""
    chance = random.Random(2)
    kinds = [
        "list",
        "dict",
        "set",
        "tuple",
        "frozenset",
        "deque",
        "keys",
        "items",
        "values",
        "slice",
        "bytes",
        "record",
        "int",
        "class",
    ]
    contents: list[Any] = [1, "a", None, [0], [1], [2], [3], [9], [], {}, True, ["x"], 1.5]
    for _ in range(5000):
        nodes = []
        for _ in range(4):
            items = [chance.choice(contents) for _ in range(chance.randint(0, 4))]
            nodes.append(
                [
                    chance.choice(kinds),
                    *([items] * chance.randint(1, 2)),
                    *([chance.choice(contents)] * chance.randint(0, 1)),
                ]
            )
        try:
            _ = Reader({"root": [chance.randint(0, 4)], "nodes": nodes}, examiner_s()).root
        except ProtocolError:
            continue


def test_array_without_numpy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numpy is not loaded it is not loaded for the sake of an array."""
    monkeypatch.delitem(sys.modules, "numpy")

    with pytest.raises(ProtocolError, match="has not loaded numpy"):
        Reader({"root": [0], "nodes": [["ndarray", "<i4", [1], "AAAAAA=="]]}, examiner_s())
    assert "numpy" not in sys.modules
