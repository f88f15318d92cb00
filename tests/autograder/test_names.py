"""Who owns a name while a test cell runs."""

import pytest

from autograder.names import Owners, Source, bindings, loads, owners


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1", {"x"}),
        ("a, (b, *c) = f()", {"a", "b", "c"}),
        ("x.y = z[0] = 1", set()),
        ("x += 1", {"x"}),
        ("x: int = 1\ny: int", {"x"}),
        ("import json", {"json"}),
        ("import os.path", {"os"}),
        ("import numpy as np", {"np"}),
        ("from a.b import c, d as e", {"c", "e"}),
        ("def f(a, b=(w := 1)):\n    inner = 2", {"f", "w"}),
        ("async def f(): pass", {"f"}),
        ("class A:\n    inside = 1\n    def m(self): n = 1", {"A"}),
        ("for i, j in []:\n    k = 1\nelse:\n    m = 1", {"i", "j", "k", "m"}),
        ("with open('x') as f, g() as (h, i): pass", {"f", "h", "i"}),
        ("if (n := 3): pass", {"n"}),
        ("[y := v for v in w]", {"y"}),
        ("f = lambda q: (r := q)", {"f"}),
        ("try:\n    a = 1\nexcept E as error:\n    b = 1\nfinally:\n    c = 1", {"a", "b", "c"}),
        ("match v:\n    case {'k': a, **rest}: pass\n    case [b, *c] as d: pass", {"a", "rest", "b", "c", "d"}),
        ("while (line := f()): last = line", {"line", "last"}),
        ("x = 1\ndel x", set()),
        ("del x\nx = 1", {"x"}),
        ("def f():\n    global count\n    count = 1", {"f", "count"}),
        ("def f():\n    global count\n    return count", {"f"}),
        ("def f():\n    def g():\n        global deep\n        deep = 1", {"f", "deep"}),
        ("class A:\n    global made\n    made = 1", {"A", "made"}),
        ("await thing()\nresult = await other()", {"result"}),
        ("files = !ls", {"files"}),
        ("%matplotlib inline\nx = 1", {"x"}),
        ("%%time\nx = 1", {"x"}),
        ("%%capture out\nx = 1", {"out", "x"}),
        ("%%capture --no-stderr out\npass", {"out"}),
        ("%%timeit\nx = 1", set()),
        ("%%bash --out text\nx=1", {"text"}),
        ("print(x)", set()),
        ("", set()),
    ],
)
def test_a_cell_binds_the_names_that_python_would_bind(text: str, expected: set[str]) -> None:
    assert bindings(text).names == expected


@pytest.mark.parametrize("text", ["from os import *", "%pylab", "%run other.py", "%%sql answer <<\nselect 1", "def (:"])
def test_a_cell_whose_text_does_not_tell_all_that_it_binds_says_so(text: str) -> None:
    assert bindings(text).unknown


def test_an_ordinary_cell_has_no_unknown_names() -> None:
    assert not bindings("import os\n%matplotlib inline\n!ls\nx = 1").unknown


def test_the_names_that_a_text_reads() -> None:
    assert loads("y = f(x)\nx = 1") == {"f", "x"}
    assert loads("no python (") == frozenset()


def seen(*cells: tuple[str, str], at: int | None = None) -> Owners:
    sources = [Source(index, side, text) for index, (side, text) in enumerate(cells)]  # type: ignore[arg-type]
    return owners(sources, len(sources) if at is None else at)


def test_what_locked_cells_and_earlier_tests_bind_is_the_examiners() -> None:
    found = seen(
        ("examiner", "cloud = 1\nimport json"), ("candidate", "def f(): pass"), ("examiner", "def helper(): pass")
    )
    assert not any(found.from_candidate(name) for name in ("cloud", "json", "helper"))


def test_every_other_name_is_the_candidates() -> None:
    found = seen(("examiner", "cloud = 1"), ("candidate", "def f(): pass"))
    assert found.from_candidate("f")
    assert found.from_candidate("never_bound_in_the_source")


def test_a_name_that_an_answer_binds_after_the_last_locked_cell_is_the_candidates() -> None:
    found = seen(("examiner", "def f(): raise NotImplementedError"), ("candidate", "def f(): return 1"))
    assert found.from_candidate("f")


def test_a_name_that_a_test_binds_after_the_last_answer_is_the_examiners() -> None:
    found = seen(("candidate", "result = 1"), ("examiner", "result = check()"))
    assert not found.from_candidate("result")


def test_only_cells_before_the_test_count() -> None:
    cells = (("candidate", "x = 1"), ("examiner", "use(x)"), ("examiner", "x = 2"))
    assert seen(*cells, at=1).from_candidate("x")
    assert not seen(*cells, at=3).from_candidate("x")


def test_a_builtin_comes_from_the_candidate_only_if_an_answer_of_the_source_binds_it() -> None:
    assert not seen(("candidate", "x = 1")).from_candidate("sum")
    assert seen(("candidate", "def sum(values): ...")).from_candidate("sum")


def test_a_name_that_was_seen_to_be_bound_is_the_examiners_though_the_text_does_not_tell() -> None:
    found = seen(("candidate", "sqrt = None"), ("examiner", "from math import *"))
    assert found.from_candidate("sqrt")
    assert not found.from_candidate("sqrt", bound_at=1)


@pytest.mark.parametrize("name", ["__file__", "_", "__", "_3", "_i2", "_oh", "In", "Out", "get_ipython", "exit"])
def test_the_shells_own_names_never_come_from_the_candidate(name: str) -> None:
    assert not seen(("candidate", f"{name} = 1")).from_candidate(name)


def test_a_word_of_pythons_is_no_name() -> None:
    assert not seen(("candidate", "x = 1")).from_candidate("assert")


@pytest.mark.parametrize("name", ["_helper", "__private", "_n"])
def test_names_with_an_underscore_are_names_like_others(name: str) -> None:
    assert seen(("candidate", f"{name} = 1")).from_candidate(name)
