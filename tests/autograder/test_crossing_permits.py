"""What a candidate can do with what a test handed over, tried by a real other process: what `permits` lists, no more."""

from __future__ import annotations

import logging
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.crossing import Crossing
from autograder.frames import pack, unpack
from autograder.peer import Peer
from autograder.records import Limits
from tests.autograder.exam_rooms import Candidate, candidate

SOURCE = """
from autograder.crossing.standins import link_of
NAMES = [
    "__globals__", "__code__", "__closure__", "__builtins__", "__self__", "__func__", "__dict__", "__class__", "__base__",
    "__bases__",
    "__mro__", "__subclasses__", "__init__", "__getattribute__", "__reduce__", "__reduce_ex__", "__wrapped__", "__defaults__",
    "__kwdefaults__", "__annotations__", "__weakref__", "__init_subclass__", "__traceback__", "__cause__", "__context__",
    "gi_frame", "gi_code", "cr_frame", "cr_code", "f_globals", "f_locals", "f_back", "f_builtins", "tb_frame", "tb_next",
    "co_consts", "co_code", "func", "mro", "_secret", "_crossing_origin", "__spec__", "__loader__", "__import__", "", " ",
]

def raw(thing, what, *arguments):
    link = link_of(thing)
    return link.crossing.do(link.handle, what, arguments)

def reached(thing):
    found = []
    for name in NAMES:
        try: raw(thing, "get", name)
        except AttributeError: continue
        found.append(name)
    return found

def odd_names(thing):
    found = []
    for name in (None, 5, b"name", ["name"], ("name",), {"a": 1}, 1.5, True):
        try: raw(thing, "get", name)
        except AttributeError: continue
        found.append(name)
    return found

def changes(thing):
    found = []
    for what, arguments in (("set", ("name", 1)), ("delete", ("name",)), ("set", ("new", 1)), ("copy", (True,))):
        try: raw(thing, what, *arguments)
        except AttributeError: continue
        found.append(what)
    return found

def specials(thing):
    found = []
    names = ("__setattr__", "__delattr__", "__getattribute__", "__init__", "__new__", "__reduce_ex__", "__dir__", "__class__",
             "__subclasshook__", "__init_subclass__", "__get__", "__set__", "__sizeof__", "mro", "__subclasses__")
    for name in names:
        try: raw(thing, "special", name, "name")
        except TypeError: continue
        found.append(name)
    return found

def does(thing, what, *arguments):
    try: return raw(thing, what, *arguments)
    except Exception as error: return type(error).__name__

def attribute(thing, name): return getattr(thing, name)
def call(thing, *arguments): return thing(*arguments)
def formats(thing, text): return text.format(thing)
def keep(thing): global kept; kept = thing
def forget():
    import gc
    gc.collect()  # an earlier test's traceback may still hold the stand-in
def percent(thing, text): return text % {"a": thing}
def handles(low, high):
    found = []
    for number in range(low, high):
        for what, arguments in (("get", ("__name__",)), ("call", ((), {})), ("special", ("__repr__",))):
            try: crossing.do(number, what, arguments)
            except Exception as error:
                if "not handed over" not in str(error): found.append((number, str(error)))
            else: found.append(number)
    return found
def handle_of(thing): return link_of(thing).handle
def names_handle(handle): return crossing.do(handle, "call", ((), {}))
"""

SECRET = "hidden-test-text"


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


class Thing:
    """What a test hands over. It holds secrets, as a test's objects may."""

    name = "public"
    kind: type = dict
    module = sys
    _secret = SECRET

    def __init__(self) -> None:
        self.__very = SECRET
        self.frame = sys._getframe()

    def method(self) -> str:
        """Say something."""
        return "said"

    def __repr__(self) -> str:
        return "<thing>"


def work() -> str:
    """Do it."""
    secret = SECRET
    return secret[:0] + "done"


def numbers() -> Iterator[int]:
    secret = SECRET
    yield len(secret)


async def later() -> None:
    secret = SECRET
    del secret


def objects() -> dict[str, Any]:
    waiting = later()
    waiting.close()
    return {
        "function": work,
        "lambda": lambda: SECRET,
        "method": Thing().method,
        "instance": Thing(),
        "class": Thing,
        "generator": numbers(),
        "coroutine": waiting,
        "coroutine-function": later,
        "builtin-method": [SECRET].append,
        "builtin-function": sys.exit,
        "static": Thing.method,
        "logger": logging.getLogger("x"),
        "namespace": types.SimpleNamespace(name=1, _secret=SECRET),
        "property": Thing.__dict__["method"],
    }


@pytest.mark.parametrize("thing", objects().values(), ids=objects().keys())
def test_no_reserved_or_private_name_is_reached(student: Candidate, thing: Any) -> None:
    """Neither by attribute, nor by a special method, nor by names that are no text; nothing is changed or copied."""
    assert student("reached")(thing) == []
    assert student("odd_names")(thing) == []
    assert student("changes")(thing) == []
    assert student("specials")(thing) == []


def test_what_is_public_is_there(student: Candidate) -> None:
    """The names that tell what something is, the public attributes of an instance, and its methods."""
    thing = Thing()

    assert student("attribute")(work, "__name__") == "work"
    assert student("attribute")(work, "__doc__") == "Do it."
    assert student("call")(work) == "done"
    assert student("attribute")(thing, "name") == "public"
    assert student("call")(thing.method) == "said"
    assert student("formats")(thing, "{0}") == "<thing>"


def test_class_module_frame_and_code_do_not_cross(student: Candidate) -> None:
    """Not even by a public attribute of an instance: a module is the student's own or none, a frame is refused."""
    thing = Thing()

    assert student("does")(thing, "get", "frame") == "TypeError"
    with pytest.raises(TypeError, match="frame is not handed over"):
        student("keep")(sys._getframe())
    with pytest.raises(TypeError, match="code is not handed over"):
        student("keep")([work.__code__])
    assert student("does")(Thing, "get", "name") == "AttributeError"
    assert student("does")(thing.method, "get", "__self__") == "AttributeError"
    assert student("does")(Thing, "special", "__call__") != "said"
    assert student("does")(work, "special", "__len__") == "TypeError"
    with pytest.raises(RuntimeError, match="not loaded"):
        student("keep")(types.ModuleType("hidden"))


@pytest.mark.parametrize(
    "text",
    [
        "{0._secret}",
        "{0.__class__}",
        "{0.__class__.__init__.__globals__}",
        "{0.__init__.__globals__[SECRET]}",
        "{0.method.__globals__}",
        "{0.method.__self__}",
        "{0.method.__func__.__globals__}",
        "{0.__dict__}",
        "{0[0].x}",
        "{0.frame.f_globals}",
    ],
)
def test_format_tricks_reach_nothing(student: Candidate, text: str) -> None:
    """A format string of the student's over the test's object finds nothing of the test's."""
    try:
        shown = student("formats")(Thing(), text)
    except (AttributeError, TypeError, KeyError, IndexError):
        return
    assert SECRET not in shown
    assert "SECRET" not in shown
    assert "autograder/test" not in shown


def test_handles_that_were_never_handed_out(student: Candidate) -> None:
    """Numbers out of thin air lead nowhere; nor does the number of what was released."""
    student("keep")(work)
    handle = student("handle_of")(work)

    assert student("handles")(handle + 1_000_000, handle + 1_000_050) == []
    assert student("handles")(-5, 1) == []
    student("keep")(None)
    student("forget")()
    student("forget")()
    with pytest.raises(RuntimeError, match="not handed over"):
        student("names_handle")(handle)


def test_exceptions_of_the_test_s_are_closed(student: Candidate) -> None:
    """An exception that a call-back raised is told by class and arguments; its traceback stays here."""
    try:
        raise KeyError("k")
    except KeyError as error:
        handle = student.crossing.outside.handles.hand_over(error)
    source = """
    def reach(number):
        found = []
        for name in ("__traceback__", "args", "__context__", "with_traceback", "add_note"):
            try: crossing.do(number, "get", (name,))
            except AttributeError: continue
            found.append(name)
        return found
    """
    with candidate(source) as other:
        assert other.crossing.outside.handles.hand_over(KeyError("x")) == 1
        assert other("reach")(1) == []
    student.crossing.outside.handles.release([[handle, 1]])


REQUESTS: dict[str, Any] = {
    "null": None,
    "text": "x",
    "empty": {},
    "handle-text": {"handle": "1", "what": "call", "share": "c1", "root": 1, "nodes": [], "changes": []},
    "handle-bool": {"handle": True, "what": "call", "share": "c1", "root": 1, "nodes": [], "changes": []},
    "share-of-ours": {"handle": 1, "what": "call", "share": "e1", "root": 1, "nodes": [], "changes": []},
    "no-share": {"handle": 1, "what": "call", "root": 1, "nodes": [], "changes": []},
    "what": {"handle": 1, "what": "eval", "share": "c1", "root": [0], "nodes": [["tuple", ["1"]]], "changes": []},
    "no-arguments": {"handle": 1, "what": "call", "share": "c1", "root": "x", "nodes": [], "changes": []},
    "one-argument": {
        "handle": 1,
        "what": "call",
        "share": "c1",
        "root": [0],
        "nodes": [["tuple", ["x"]]],
        "changes": [],
    },
    "named-no-text": {
        "handle": 1,
        "what": "call",
        "share": "c1",
        "root": [0],
        "nodes": [["tuple", [[1], [2]]], ["tuple", []], ["dict", [1, 2]]],
        "changes": [],
    },
    "get-nothing": {"handle": 1, "what": "get", "share": "c1", "root": [0], "nodes": [["tuple", []]], "changes": []},
    "changes": {"handle": 1, "what": "call", "share": "c1", "root": 1, "nodes": [], "changes": [["kept1", 0, 0]]},
    "free": {"handle": 1, "what": "get", "share": "c1", "root": 1, "nodes": [], "changes": [], "free": "x"},
    "free-odd": {
        "handle": 1,
        "what": "get",
        "share": "c1",
        "root": 1,
        "nodes": [],
        "changes": [],
        "free": [[1], 5, [1, -1]],
    },
    "variables": {
        "handle": 1,
        "what": "get",
        "share": "c1",
        "variables": {"PATH": "/evil"},
        "root": [0],
        "nodes": [["tuple", ["__name__"]]],
        "changes": [],
    },
}


@pytest.mark.parametrize("head", REQUESTS.values(), ids=REQUESTS.keys())
def test_request_that_is_none_does_nothing(head: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A malformed request is answered with an error, the test goes on, and neither names nor variables here are touched."""
    from multiprocessing.connection import Connection

    from tests.autograder.exam_rooms import raw_process

    def room(mine: Connection, theirs: Connection) -> None:
        theirs.close()
        call = unpack(mine.recv_bytes())
        mine.send_bytes(pack("do", 1, call.id, head))
        answer = unpack(mine.recv_bytes())
        bad = answer.op == "fault" or answer.head.get("raised") is True
        mine.send_bytes(pack("answer", call.id, None, {"root": bad, "nodes": [], "changes": []}))
        mine.recv_bytes()

    import os

    before = dict(os.environ)
    with raw_process(room) as (connection, _):
        peer = Peer(connection, limits=Limits(), name="candidate")
        crossing = Crossing(peer, "examiner")
        calls: list[Any] = []

        def function(**named: Any) -> None:
            calls.append(named)

        refused = crossing.do(7, "call", ((function,), {}))
        assert refused is (head != REQUESTS["variables"])
        assert calls == []
        assert dict(os.environ) == before
        peer.close()


def test_candidate_has_no_ops_of_the_examiner_s_names() -> None:
    """Only the candidate answers look-ups and takes values into its names."""
    source = """
    def tries():
        found = []
        for op in ("lookup", "push"):
            try: exam.call(op, {"name": "SECRET", "environ": {"A": "b"}, "root": None, "nodes": [], "changes": []})
            except Exception as error: found.append(str(error))
        return found
    """
    with candidate(source) as other:
        assert [text.split(":")[1].strip() for text in other("tries")()] == [
            "Nothing here answers 'lookup'.",
            "Nothing here answers 'push'.",
        ]
