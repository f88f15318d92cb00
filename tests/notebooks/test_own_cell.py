"""The student's own cells of the lessons: the cell below answers right and wrong code in one line a case."""

from __future__ import annotations

import pytest

from tests.notebooks.editions import LANGUAGES, LESSONS, code_cells, fill, lesson
from tests.notebooks.session import session

pytestmark = pytest.mark.parametrize("language", LANGUAGES)

FIRST, SECOND = "order_of('FIRST_KEY')", "order_of('FOLDER/NEXT_CUSTOMER/12.json')"
RIGHT = {
    "split": """
def order_of(key):
    _, customer, name = key.split("/")
    return customer, int(name.split(".")[0])
""",
    "pattern": """
import re


def order_of(key):
    found = re.fullmatch(r"[^/]+/([^/]+)/([0-9]+)[.]json", key)
    return found[1], int(found[2])
""",
    "steps": """
def order_of(key):
    parts = key.split("/")
    customer = parts[1]
    number = parts[2].removesuffix(".json")
    return (customer, int(number))
""",
}
# What stands in the cell, and what each case then gives: a result, or the error that stopped it.
WRONG = {
    "number as text": ("    return tuple(key[:-5].split('/')[1:])", "('CUSTOMER', '3')", "('NEXT_CUSTOMER', '12')"),
    "a list": (
        "    parts = key[:-5].split('/')\n    return [parts[1], int(parts[2])]",
        "['CUSTOMER', 3]",
        "['NEXT_CUSTOMER', 12]",
    ),
    "printed": ("    print(end='')", "None", "None"),
    "one digit": (
        "    parts = key.split('/')\n    return parts[1], int(parts[2][0])",
        "('CUSTOMER', 3)",
        "('NEXT_CUSTOMER', 1)",
    ),
    "ending kept": (
        "    parts = key.split('/')\n    return parts[1], int(parts[2])",
        "ValueError: invalid literal for int() with base 10: '3.json'",
        "ValueError: invalid literal for int() with base 10: '12.json'",
    ),
}


# Of lesson 05: the cell, what stands in it, and the mark that each case gets.
REPEATS = {
    "the business key": ("m05-partly", "    return job['customer'], job['order_id']", "✓✓"),
    "the message's id": ("m05-partly", "    return record['messageId']", "✗✗"),
    "both ids": ("m05-partly", "    return record['messageId'], job['order_id']", "✗✗"),
    "counted in a loop": (
        "m05-own",
        "    number = 0\n    for decision in decisions:\n"
        "        if decision['result'] == 'accepted' and decision['before'] is not None:\n            number += 1\n"
        "    return number",
        "✓✓✓",
    ),
    "summed": (
        "m05-own",
        "    return sum(d['result'] == 'accepted' and d['before'] is not None for d in decisions)",
        "✓✓✓",
    ),
    "only what changed": ("m05-own", "    return sum(d['before'] not in (None, d['after']) for d in decisions)", "✓✗✓"),
    "every accepted write": ("m05-own", "    return sum(d['result'] == 'accepted' for d in decisions)", "✗✗✗"),
    "every item that was there": ("m05-own", "    return sum(d['before'] is not None for d in decisions)", "✗✓✓"),
}
_HEADS = {
    "m05-partly": "def key_of(record):\n    job = json.loads(record['body'])\n",
    "m05-own": "def overwrites(decisions):\n",
}


def tried(language: str, own: str | None, cell: str = "m01-own") -> list[str]:
    """Return the lines under the try-out cell after `own` was written into the student's cell; None leaves it as it is."""
    (name,) = [name for name in LESSONS if name[:2] == cell[1:3]]
    cells = code_cells(lesson(language, name))
    before = {"m01": ["m01-setup"], "m05": ["m05-setup", "m05-run-guard"]}[cell[:3]]
    with session() as running:
        for run in (*before, cell, f"{cell}-try"):
            outcome = running.run(own if run == cell and own else cells[run])
            assert outcome.error is None
            assert outcome.stderr == ""
        return outcome.stdout.splitlines()


@pytest.mark.parametrize("own", RIGHT.values(), ids=RIGHT)
def test_right_code_gets_two_marks(language: str, own: str) -> None:
    """Both cases get ✓ with the call and what it gave."""
    lines = [f"✓ {FIRST} → ('CUSTOMER', 3)", f"✓ {SECOND} → ('NEXT_CUSTOMER', 12)"]

    assert tried(language, own) == [fill(line, language) for line in lines]


@pytest.mark.parametrize(("body", "first", "second"), WRONG.values(), ids=WRONG)
def test_wrong_code_learns_what_came(language: str, body: str, first: str, second: str) -> None:
    """A case gets ✗ and one line with the call and what came instead: a result or an error, no traceback."""
    lines = tried(language, f"def order_of(key):\n{body}\n")

    assert len(lines) == 2
    for line, call, came in zip(lines, (FIRST, SECOND), (first, second), strict=True):
        mark = "✓" if came == "('CUSTOMER', 3)" else "✗"
        assert line.startswith(fill(f"{mark} {call}", language))
        assert fill(came, language) in line
        if mark == "✗" and "Error" not in came:
            number = 3 if call == FIRST else 12
            expected = f"('{'CUSTOMER' if number == 3 else 'NEXT_CUSTOMER'}', {number})"
            told = {"es": f"{came}. Se esperaba {expected}.", "ja": f"{came}。正しくは{expected}です。"}[language]
            assert line.endswith(fill(told, language))


def test_one_right_case_is_not_enough(language: str) -> None:
    """A constant gets ✓ for the case that it fits and ✗ for the other."""
    lines = tried(language, fill('def order_of(key):\n    return "CUSTOMER", 3', language))

    assert [line[0] for line in lines] == ["✓", "✗"]


def test_the_blank_cell_gets_one_line(language: str) -> None:
    """As handed out, the cell is said to be empty, in one line."""
    assert len(tried(language, None)) == 1


@pytest.mark.parametrize(("cell", "body", "marks"), REPEATS.values(), ids=REPEATS)
def test_the_cells_of_lesson_05_mark_each_case(language: str, cell: str, body: str, marks: str) -> None:
    """Right code gets ✓ in every line; a misunderstanding gets ✗ where it shows."""
    assert "".join(line[0] for line in tried(language, _HEADS[cell] + body, cell)) == marks


@pytest.mark.parametrize("cell", _HEADS)
def test_a_blank_cell_of_lesson_05_gets_one_line(language: str, cell: str) -> None:
    """As handed out, the cell is said to be unfinished, in one line."""
    assert len(tried(language, None, cell)) == 1
