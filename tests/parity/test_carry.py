"""Carrying the code of one cell: the other edition's words stay wherever their line can be found again."""

from __future__ import annotations

import pytest

from tools.parity.carry import Carried, carry
from tools.parity.names import declared_pairs
from tools.parity.texts import CodeError

JA = """\
# 受信します。
first = sqs.receive_message(QueueUrl=url)["Messages"][0]  # 1回目

# 時計を進めます。
cloud.clock.advance(30)
print(f"{len(first)}件")
print("削除済み:", done)
"""
ES = """\
# Recibe.
first = sqs.receive_message(QueueUrl=url)["Messages"][0]  # primera

# Adelanta el reloj.
cloud.clock.advance(30)
print(f"hay {len(first)}")
print("borrados:", done)
"""


def carried(es: str, ja: str) -> Carried:
    """Carry Spanish code into the Japanese edition."""
    return carry(es, ja, "es", declared_pairs())


KEPT = {
    "the same code": (ES, JA),
    "a number changed": (ES.replace("30", "10"), JA.replace("30", "10")),
    "an argument more": (ES.replace("url)", "url, WaitTimeSeconds=1)"), JA.replace("url)", "url, WaitTimeSeconds=1)")),
    "a printed value changed": (ES.replace("done", "deleted"), JA.replace("done", "deleted")),
    "a line without words more": (
        ES.replace("cloud.clock", "x = 1\ncloud.clock").replace("# Adelanta el reloj.\n", ""),
        JA.replace("cloud.clock", "x = 1\ncloud.clock").replace("# 時計を進めます。\n", ""),
    ),
    "a line less": (
        ES.replace("cloud.clock.advance(30)\n", ""),
        JA.replace("# 時計を進めます。\ncloud.clock.advance(30)\n", ""),
    ),
    "a name": ('f("x")  # a\nprint("uno")', 'f("x")  # あ\nprint("1つ")'),
    "a block around it": (
        "if x:\n    # uno\n    print('hola')\n    y = 1",
        "if x:\n    # 1つ\n    print('やあ')\n    y = 1",
    ),
    "docstring": (
        'def f(a, b):\n    """Uno."""\n    return a + b',
        'def f(a, b):\n    """1つ。\n\n    2行目。\n    """\n    return a + b',
    ),
}


@pytest.mark.parametrize(("es", "ja"), KEPT.values(), ids=KEPT.keys())
def test_what_is_as_it_should_be_stays(es: str, ja: str) -> None:
    """Nothing of the other edition's words is touched when its code is right already."""
    assert carried(es, ja) == Carried(ja, untranslated=False)


CHANGED = {
    "a number changes": (ES.replace("30", "10"), JA, JA.replace("30", "10")),
    "an argument comes": (
        ES.replace("url)", "url, WaitTimeSeconds=1)"),
        JA,
        JA.replace("url)", "url, WaitTimeSeconds=1)"),
    ),
    "a printed value changes": (ES.replace("done", "deleted"), JA, JA.replace("done", "deleted")),
    "a line goes, with its comment": (
        ES.replace("# Adelanta el reloj.\ncloud.clock.advance(30)\n", ""),
        JA,
        JA.replace("\n# 時計を進めます。\ncloud.clock.advance(30)\n", "\n").replace("回目\n\nprint", "回目\nprint"),
    ),
    "a line comes that has no words": (
        ES.replace("print(f", "n = 1\nprint(f"),
        JA,
        JA.replace("print(f", "n = 1\nprint(f"),
    ),
    "a line is indented": (
        "if x:\n    # uno\n    print('hola')",
        "# 1つ\nprint('やあ')",
        "if x:\n    # 1つ\n    print('やあ')",
    ),
    "lines change places": (
        "print('uno', a)\nx = f(1)\nprint('dos', b)",
        "print('2つ', b)\nx = f(1)\nprint('1つ', a)",
        "print('1つ', a)\nx = f(1)\nprint('2つ', b)",
    ),
    "names come in": (
        'put(Bucket="tienda-subidas", Key="pedidos/lucia/3.json")',
        "",
        'put(Bucket="bento-uploads", Key="orders/sato/3.json")',
    ),
    "a space in a string": ('f("a b")', 'f("ab")', 'f("a b")'),
    "the edition": ('cloud = bentocola.start("es")', "", 'cloud = bentocola.start("ja")'),
    "a name in an f-string": ('key = f"pedidos/{who}/3.json"', 'key = f"{who}"', 'key = f"orders/{who}/3.json"'),
    "a docstring stays when the signature changes": (
        'def f(a, b):\n    """Uno."""\n    return a',
        'def f(a):\n    """1つ。"""\n    return a',
        'def f(a, b):\n    """1つ。"""\n    return a',
    ),
    "markers come with the code": (
        "def f():\n    ### BEGIN SOLUTION\n    # uno\n    return 1\n    ### END SOLUTION",
        "def f():\n    # 1つ\n    return 1",
        "def f():\n    ### BEGIN SOLUTION\n    # 1つ\n    return 1\n    ### END SOLUTION",
    ),
    "comments between brackets": (
        "x = f(\n    1,  # uno\n    3,  # dos\n)",
        "x = f(\n    1,  # 1つ\n    2,  # 2つ\n)",
        "x = f(\n    1,  # 1つ\n    3,  # 2つ\n)",
    ),
}


@pytest.mark.parametrize(("es", "ja", "expected"), CHANGED.values(), ids=CHANGED.keys())
def test_code_is_carried_and_words_stay(es: str, ja: str, expected: str) -> None:
    """The code becomes the source's, with this edition's names and words."""
    assert carried(es, ja) == Carried(expected, untranslated=False)


UNTRANSLATED = {
    "a comment": ("x = 1\n# suma\ny = 2", "x = 1", "x = 1\n# suma\ny = 2"),
    "a print": ("x = 1\nprint('hola')", "x = 1", "x = 1\nprint('hola')"),
    "an f-string with a new value": ("print(f'hay {a + b}')", "print(f'{a}件')", "print(f'hay {a + b}')"),
    "names in words": ("print('lucia pide')", "", "print('sato pide')"),
    "a cell that cannot be read": ("print('hola')", "print(", "print('hola')"),
}


@pytest.mark.parametrize(("es", "ja", "expected"), UNTRANSLATED.values(), ids=UNTRANSLATED.keys())
def test_words_that_came_along_are_reported(es: str, ja: str, expected: str) -> None:
    """Where no words of this edition match, the source's stand in until someone writes them."""
    assert carried(es, ja) == Carried(expected, untranslated=True)


def test_code_that_cannot_be_read_is_not_carried() -> None:
    """The source has to be plain Python."""
    with pytest.raises(CodeError, match="line 1"):
        carried("print(", "x = 1")


def test_the_way_back() -> None:
    """Names are swapped in the direction that is asked for."""
    assert (
        carry('f("注文/佐藤/3.json", "sato")', "", "ja", declared_pairs()).source
        == 'f("pedidos/lucía/3.json", "lucia")'
    )
