"""Exceptions between two real processes: as the nearest class that is known, and as the same object when they return."""

from __future__ import annotations

import decimal
import json
import queue
import subprocess
from collections.abc import Iterator

import pytest

from autograder.crossing import CandidateExit
from bentocola.errors import WorkerStopped
from tests.autograder.exam_rooms import Candidate, candidate

SOURCE = """
import asyncio, decimal, json, queue, subprocess, sys, unittest
from bentocola.errors import NothingLeavesError, WorkerStopped

def loads(text): return json.loads(text)
def raises(kind, *arguments): raise kind(*arguments)
def by_name(name, *arguments): raise __builtins__[name](*arguments)
def divide(): return 1 / 0
def decode(): return b"\\xff".decode("utf-8")
def missing(): return open("/there/is/no/such/file")
def empty(): return queue.Queue().get_nowait()
def process(): raise subprocess.CalledProcessError(3, ["a", "b"], output="out")
def bad_decimal(): return decimal.Decimal("x")

class TooLittle(ValueError):
    def __init__(self, need, have):
        super().__init__(f"{need} > {have}")
        self.need, self.have, self._secret = need, have, 1
class MuchTooLittle(TooLittle): pass
class Base(Exception): pass
class Mixed(Base, KeyError, ValueError): pass
class Tricky(LookupError):
    def __eq__(self, other): return True
    def __str__(self): return "x" * 1_000_000
    def __repr__(self): return "y" * 1_000_000
    __hash__ = LookupError.__hash__
class Worse(Exception):
    def __str__(self): raise SystemExit(0)
class Skip(unittest.SkipTest): pass
class Odd(BaseException): pass
class Pretends(Exception):
    __class__ = AssertionError
class Loop(Exception): pass

def too_little(kind=TooLittle): raise kind(5, 3)
def mixed(): raise Mixed("m")
def tricky(): raise Tricky("t")
def worse(): raise Worse("w")
def skip(): raise unittest.SkipTest("pass, please")
def own_skip(): raise Skip("pass, please")
def leave(): sys.exit("bye")
def interrupt(): raise KeyboardInterrupt
def close(): raise GeneratorExit
def cancelled(): raise asyncio.CancelledError
def odd(): raise Odd("o")
def exits(work):
    try: work()
    except BaseException as error: return type(error).__name__
def pretends(): raise Pretends("p")
def loop():
    error = Loop(); error.args = (error,); error.__cause__ = error; raise error
def chained():
    try: {}["k"]
    except KeyError as error: raise RuntimeError("outer") from error
def unknown(): return undefined_name
def no_module(): import no_such_module
def no_attribute(): return (5).nothing
def noted():
    error = ValueError("v"); error.add_note("look here"); error.code = 7; raise error
def returns(): return ValueError("v"), [KeyError("k")]
def stopped(): raise WorkerStopped(str)
def refused(): raise NothingLeavesError("Nothing leaves.")

def through(work): return work()
def again(work):
    try: work()
    except Exception: raise
def wraps(work):
    try: work()
    except Exception as error: raise RuntimeError("wrapped") from error
def catches(work, kind):
    try: work()
    except kind as error: return type(error).__name__, str(error), error.args
def keeps(work):
    global kept
    try: work()
    except Exception as error: kept = error
def gives_back(): return kept
def raise_kept(): raise kept
def names(work):
    try: work()
    except Exception as error: return [base.__name__ for base in type(error).__mro__], vars(error).get("code")
def told(work):
    try: work()
    except Exception as error: return str(error), repr(error), error.__cause__, error.__context__, error.args, vars(error)
def tries(f, *a):
    try: f(*a)
    except TooLittle as error: return type(error) is TooLittle, error.need, error is given
given = TooLittle(1, 2)
def raise_given(): raise given
"""


@pytest.fixture(scope="module")
def student() -> Iterator[Candidate]:
    with candidate(SOURCE) as found:
        yield found


def test_error_of_a_library_is_caught_by_its_base(student: Candidate) -> None:
    """The JSONDecodeError that the student's code lets through is one here, and a ValueError."""
    with pytest.raises(ValueError, match="Expecting value") as caught:
        student("loads")("x")
    assert type(caught.value) is json.JSONDecodeError
    assert (caught.value.msg, caught.value.pos, caught.value.doc) == ("Expecting value", 0, "x")


BUILTIN = {
    "divide": (ZeroDivisionError, "division by zero"),
    "decode": (UnicodeDecodeError, "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
    "missing": (FileNotFoundError, "[Errno 2] No such file or directory: '/there/is/no/such/file'"),
    "empty": (queue.Empty, ""),
    "process": (subprocess.CalledProcessError, "Command '['a', 'b']' returned non-zero exit status 3."),
    "bad_decimal": (decimal.InvalidOperation, "[<class 'decimal.ConversionSyntax'>]"),
}


@pytest.mark.parametrize("name", BUILTIN)
def test_known_exceptions_arrive_as_themselves(student: Candidate, name: str) -> None:
    """Class, text and what they hold are those that they were raised with."""
    kind, text = BUILTIN[name]
    with pytest.raises(kind) as caught:
        student(name)()
    assert type(caught.value) is kind
    if name != "bad_decimal":
        assert str(caught.value) == text


def test_what_builtin_exceptions_hold_beside_their_arguments(student: Candidate) -> None:
    """The name that was missing, a file's name, notes, and what was set on them."""
    for name, kind, missing in (
        ("unknown", NameError, "undefined_name"),
        ("no_module", ModuleNotFoundError, "no_such_module"),
        ("no_attribute", AttributeError, "nothing"),
    ):
        with pytest.raises(kind) as caught:
            student(name)()
        assert caught.value.name == missing
    with pytest.raises(OSError, match="No such file") as refused:
        student("missing")()
    assert (refused.value.errno, refused.value.filename) == (2, "/there/is/no/such/file")
    with pytest.raises(ValueError, match="v") as noted:
        student("noted")()
    assert noted.value.__notes__ == ["look here"]
    assert noted.value.code == 7  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "kind", [KeyError, IndexError, TypeError, NotImplementedError, AssertionError, StopIteration, OSError]
)
def test_builtin_exceptions_keep_their_arguments(student: Candidate, kind: type[Exception]) -> None:
    """A class of the test's choosing, raised over there with values."""
    with pytest.raises(kind) as caught:
        student("raises")(kind, "a", [1])
    assert type(caught.value) is kind
    assert caught.value.args == ("a", [1])


def test_exception_of_the_student_s_own_class(student: Candidate) -> None:
    """It is caught by the student's class, by those above it and by the built-in one; name, text and values come along."""
    kind = student("TooLittle")
    for catching in (kind, ValueError, Exception):
        with pytest.raises(catching) as caught:
            student("too_little")()
        assert (type(caught.value).__name__, str(caught.value)) == ("TooLittle", "5 > 3")
        assert (caught.value.need, caught.value.have) == (5, 3)
        assert not hasattr(caught.value, "_secret")
    with pytest.raises(kind) as caught:
        student("too_little")(student("MuchTooLittle"))
    assert type(caught.value) is student("MuchTooLittle")
    assert not isinstance(caught.value, student("Base"))


def test_several_bases(student: Candidate) -> None:
    """An exception class with several bases is caught by each of them."""
    for kind in (student("Mixed"), student("Base"), KeyError, ValueError, LookupError):
        with pytest.raises(kind):
            student("mixed")()


def test_student_s_class_is_raised_by_the_test(student: Candidate) -> None:
    """A call-back that raises the student's own exception class is caught as one over there."""
    kind = student("TooLittle")

    def work() -> None:
        raise kind("a", "b")

    assert student("catches")(work, kind)[0] == "TooLittle"
    with pytest.raises(kind) as caught:
        student("raise_given")()
    error = caught.value

    def raise_given() -> None:
        raise error

    assert student("tries")(raise_given) == [True, 1, True] or student("tries")(raise_given) == (True, 1, True)


def test_tricks_of_an_exception_stay_over_there(student: Candidate) -> None:
    """Its `==` and its text run there: here it equals nothing else, and its text is bounded."""
    with pytest.raises(LookupError) as caught:
        student("tricky")()
    assert caught.value != 5
    assert caught.value not in (1, 2)
    assert len(str(caught.value)) == 2000
    assert len(repr(caught.value)) < 3000
    with pytest.raises(Exception, match="could not be made: SystemExit"):
        student("worse")()
    with pytest.raises(Exception, match="p") as caught:
        student("pretends")()
    assert not isinstance(caught.value, AssertionError)
    with pytest.raises(student("Loop")):
        student("loop")()


def test_no_exception_skips_a_test(student: Candidate) -> None:
    """What a test runner would take for a skipped test is an ordinary error here."""
    import unittest

    for name in ("skip", "own_skip"):
        with pytest.raises(Exception, match="pass, please") as caught:
            student(name)()
        assert not isinstance(caught.value, unittest.SkipTest)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("leave", "SystemExit"),
        ("interrupt", "KeyboardInterrupt"),
        ("close", "GeneratorExit"),
        ("cancelled", "CancelledError"),
        ("odd", "Odd"),
    ],
)
def test_what_ends_a_process_is_an_error_that_tells_so(student: Candidate, name: str, kind: str) -> None:
    """An exit or an interrupt of the student's is an Exception here, which says what it was."""
    with pytest.raises(CandidateExit, match=kind) as caught:
        student(name)()
    assert caught.value.kind == kind
    assert isinstance(caught.value, Exception)
    # Through a function of the test's it comes back to the student's code as what it was.
    leave = student(name)
    assert student("exits")(lambda: leave()) == kind


def test_planned_stop_is_itself(student: Candidate) -> None:
    """The fault that stops a worker passes the student's `except Exception` and arrives as itself."""
    with pytest.raises(WorkerStopped):
        student("stopped")()

    def work() -> None:
        raise WorkerStopped

    with pytest.raises(WorkerStopped):
        student("again")(work)


def test_course_errors_keep_name_and_text(student: Candidate) -> None:
    """A sentence of the course's own reaches the test as it is."""
    with pytest.raises(RuntimeError, match="Nothing leaves") as caught:
        student("refused")()
    assert type(caught.value).__name__ == "NothingLeavesError"


# The test's own exceptions.


class Mine(Exception):
    """An exception that only the test knows."""


@pytest.mark.parametrize("function", ["through", "again"])
@pytest.mark.parametrize(
    "error", [KeyError("q"), Mine("m", 1), AssertionError("secret"), json.JSONDecodeError("m", "doc", 0)]
)
def test_exception_of_the_test_s_comes_back_as_the_same_object(
    student: Candidate, function: str, error: Exception
) -> None:
    """Raised in a call-back, passing through the student's code, caught here: the very object."""

    def work() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        student(function)(work)
    assert caught.value is error


def test_interrupt_s_kin_of_the_test_s_comes_back_too(student: Candidate) -> None:
    """A call-back that exits is an ordinary error to the student's code, and comes back as it was."""
    error = SystemExit(2)

    def work() -> None:
        raise error

    with pytest.raises(SystemExit) as caught:
        student("again")(work)
    assert caught.value is error


def test_wrapped_exception_has_the_test_s_as_its_cause(student: Candidate) -> None:
    """`raise … from error` keeps the object."""
    error = Mine("m")

    def work() -> None:
        raise error

    with pytest.raises(RuntimeError, match="wrapped") as caught:
        student("wraps")(work)
    assert caught.value.__cause__ is error
    with pytest.raises(RuntimeError, match="outer") as caught:
        student("chained")()
    assert type(caught.value.__cause__) is KeyError


def test_student_s_code_catches_the_test_s_exceptions(student: Candidate) -> None:
    """By the built-in class, by a library's, and by a class that the test handed over."""

    def lookup() -> None:
        raise IndexError("i", 3)

    assert student("catches")(lookup, LookupError) == ("IndexError", "('i', 3)", ("i", 3))
    assert student("catches")(lambda: json.loads("{"), ValueError)[0] == "JSONDecodeError"

    def mine() -> None:
        error = Mine("m")
        error.code = 5  # type: ignore[attr-defined]
        raise error

    assert student("catches")(mine, Mine) == ("Mine", "m", ("m",))
    assert student("names")(mine)[0] == ["Mine", "Exception", "BaseException", "object"]
    assert student("names")(mine)[1] == 5


def test_kept_exception_is_raised_later(student: Candidate) -> None:
    """The student keeps the test's exception and raises it in another call."""
    error = Mine("m")

    def work() -> None:
        raise error

    student("keeps")(work)
    assert student("gives_back")() is error
    with pytest.raises(Mine) as caught:
        student("raise_kept")()
    assert caught.value is error


def test_what_an_assertion_says_stays_here(student: Candidate) -> None:
    """A failing assertion in a call-back tells the student's code that it failed, and not a word of its text."""

    def work() -> None:
        try:
            raise KeyError("hidden-1")
        except KeyError:
            raise AssertionError("hidden-2", ["hidden-3"]) from ValueError("hidden-4")

    assert "hidden" not in repr(student("told")(work))


def test_exceptions_as_values(student: Candidate) -> None:
    """Returned and not raised, they are exceptions with their arguments."""
    one, [two] = student("returns")()

    assert (type(one), one.args, type(two), two.args) == (ValueError, ("v",), KeyError, ("k",))
