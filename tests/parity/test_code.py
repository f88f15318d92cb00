"""Code is the same in both editions, but for the translator's words and the declared names."""

from __future__ import annotations

import pytest

from tests.parity.building import SmallCourse

SAME = {
    "comments": ("x = 1  # uno\n# y dos\ny = 2", "# 1つ\nx = 1\ny = 2  # 2つ"),
    "layout": ("f(a, b)\n\n\ng(c)", "f(\n    a,\n    b,\n)\ng(c)"),
    "docstrings": ('def f():\n    """Guarda."""\n    return 1', 'def f():\n    """保存します。"""\n    return 1'),
    "class docstring": ('class A:\n    """Uno."""', 'class A:\n    """1つ。"""'),
    "print text": ('print("borrados:", done)', 'print("削除済み:", done)'),
    "display of Markdown": ('display(Markdown("**hola**"))', 'display(Markdown("**こんにちは**"))'),
    "word order in an f-string": (
        'print(f"{len(rows)} mensajes de {bucket}")',
        'print(f"{bucket}から{len(rows)}件")',
    ),
    "assert message": ('assert n == 1, "dos veces"', 'assert n == 1, "2回"'),
    "assert message with a value": ('assert n == 1, f"hay {n}"', 'assert n == 1, f"{n}件"'),
    "bucket": ('s3.create_bucket(Bucket="tienda-subidas")', 's3.create_bucket(Bucket="bento-uploads")'),
    "whole key": ('key = "pedidos/lucia/3.json"', 'key = "orders/sato/3.json"'),
    "parts of a key": ('key = "pedidos/marta/12.json"', 'key = "orders/tanaka/12.json"'),
    "parts of an f-string": ('key = f"pedidos/{name}/3.json"', 'key = f"orders/{name}/3.json"'),
    "names in a JSON text": ("""body = '{"customer": "pablo"}'""", """body = '{"customer": "suzuki"}'"""),
    "native key": ('key = "pedidos/lucía/3.json"', 'key = "注文/佐藤/3.json"'),
    "native key, encoded": (
        'key = "pedidos/luc%C3%ADa/3.json"',
        'key = "%E6%B3%A8%E6%96%87/%E4%BD%90%E8%97%A4/3.json"',
    ),
    "bytes": ('put(Body=b"roto")', 'put(Body=b"broken")'),
    "edition": ('cloud = bentocola.start("es")', 'cloud = bentocola.start("ja")'),
    "edition of a lab": ('lab = open_lab("one", "es")', 'lab = open_lab("one", "ja")'),
    "names in interpolated code": ("print(f\"va {t['lucia']}\")", "print(f\"{t['sato']}です\")"),
}
DIFFERENT = {
    "operator": ("ok = n == 1", "ok = n >= 1"),
    "number": ("clock.advance(30)", "clock.advance(10)"),
    "identifier": ("total = 1", "suma = 1"),
    "keyword argument": ("f(limit=1)", "f(size=1)"),
    "statement missing": ("a = 1\nb = 2", "a = 1"),
    "condition expression": ('f("attribute_not_exists(pk)")', 'f("attribute_exists(pk)")'),
    "customer of another order": ('f("lucia")\ng("marta")', 'f("tanaka")\ng("sato")'),
    "one customer swapped in a key": ('key = "pedidos/lucia/3.json"', 'key = "orders/tanaka/3.json"'),
    "Spanish name in the Japanese edition": ('b = "tienda-subidas"', 'b = "tienda-subidas"'),
    "Japanese name in the Spanish edition": ('b = "bento-uploads"', 'b = "bento-uploads"'),
    "name in a longer word": ('b = "lucia-2"', 'b = "sato-2"'),
    "undeclared string": ('status = "recibido"', 'status = "受信済み"'),
    "string of a dictionary": ('x = {"estado": 1}', 'x = {"状態": 1}'),
    "print of a concatenation": ('print("hola " + name)', 'print("やあ" + name)'),
    "separator of print": ('print(a, b, sep=", ")', 'print(a, b, sep="、")'),
    "print with another value": ('print("hay", n)', 'print("件数", m)'),
    "print with fewer values": ('print("hay", n)', 'print("件数")'),
    "f-string with another value": ('print(f"hay {n}")', 'print(f"{m}件")'),
    "f-string with a value twice": ('print(f"hay {n}")', 'print(f"{n}件、{n}件")'),
    "f-string with another format": ('print(f"hay {n:>3}")', 'print(f"{n:>4}件")'),
    "string in interpolated code": ("print(f\"{d['a']}\")", "print(f\"{d['b']}\")"),
    "f-string that is not printed": ('x = f"hay {n}"', 'x = f"{n}件"'),
    "exception's text": ('raise ValueError("no hay")', 'raise ValueError("ありません")'),
    "docstring missing": ('def f():\n    """Uno."""\n    return 1', "def f():\n    return 1"),
    "text at the top is a value": ('"hola"', '"やあ"'),
    "wrong edition": ('bentocola.start("es")', 'bentocola.start("es")'),
    "edition anywhere else": ('language = "es"', 'language = "ja"'),
    "bytes": ('put(Body=b"uno")', 'put(Body=b"ichi")'),
}


@pytest.mark.parametrize(("es", "ja"), SAME.values(), ids=SAME.keys())
def test_a_legitimate_difference_passes(course: SmallCourse, es: str, ja: str) -> None:
    """What belongs to the translator, and a declared name in its place, is no difference."""
    assert course.compared_code(es, ja) == []


@pytest.mark.parametrize(("es", "ja"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_drift_is_named(course: SmallCourse, es: str, ja: str) -> None:
    """Any other difference is one finding that names the cell."""
    (message,) = course.compared_code(es, ja)

    assert message.startswith("lesson 01-upload, cell m01-run: The code differs.")


def test_a_difference_comes_with_a_diff(course: SmallCourse) -> None:
    """The message shows the lines that differ, with the translator's words blanked and the pairs of names marked."""
    es = 'a = 1\nprint(f"va {a}")\nsend("lucia", 1)'
    (message,) = course.compared_code(es, 'a = 1\nprint(f"{a}です")\nsend("sato", 2)')

    assert message.splitlines()[1:] == [
        "    --- Spanish",
        "    +++ Japanese",
        "    @@ -2,2 +2,2 @@",
        "     print(f'…{a}')",
        "    -send('⟨lucia|sato⟩', 1)",
        "    +send('⟨lucia|sato⟩', 2)",
    ]


def test_code_that_cannot_be_read_is_named_with_its_line(course: SmallCourse) -> None:
    """A syntax error names cell, edition, line and text."""
    (message,) = course.compared_code("a = 1\nb =", "a = 1\nb = 2")

    assert message == (
        "lesson 01-upload, cell m01-run: The Spanish code is not valid Python in line 2 (`b =`): invalid syntax."
    )


@pytest.mark.parametrize("line", ["%timeit f()", "!aws s3 ls", "f?"])
def test_ipython_commands_are_refused(course: SmallCourse, line: str) -> None:
    """A cell is plain Python: the preview and the autograder run it without IPython's syntax."""
    messages = course.compared_code(f"a = 1\n{line}", f"a = 1\n{line}")

    assert messages == [
        f"lesson 01-upload, cell m01-run: The {language} code has an IPython command in line 2 (`{line}`); "
        "write plain Python."
        for language in ("Spanish", "Japanese")
    ]


SOLUTION = "def f():\n    ### BEGIN SOLUTION\n    a = 1\n    ### END SOLUTION\n    return a"


def test_markers_of_nbgrader_are_code(course: SmallCourse) -> None:
    """A marker is no comment: nbgrader cuts the solution out there, so it stands in the same place in both."""
    assert course.compared_code(SOLUTION, "# 解答\n" + SOLUTION) == []

    moved = "def f():\n    ### BEGIN SOLUTION\n    a = 1\n    return a\n    ### END SOLUTION"
    (message,) = course.compared_code(SOLUTION, moved)
    assert message.startswith("lesson 01-upload, cell m01-run: nbgrader's markers stand in different places.")
