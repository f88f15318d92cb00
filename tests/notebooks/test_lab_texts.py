"""The text of lab 05: commands that can be read and typed, and what to do where something does not work."""

from __future__ import annotations

import re

import nbformat
import pytest

from tests.notebooks.editions import LANGUAGES
from tests.repository import ROOT

pytestmark = pytest.mark.parametrize("language", LANGUAGES)

WIDEST = 48
"""Characters of a line that fit into the instructions' panel at 1280 pixels: `blocks_that_wrap` in the browser's test."""


def texts(language: str) -> dict[str, str]:
    """Return the lab's texts by their cells' ids."""
    notebook = nbformat.read(ROOT / f"lessons/{language}/05-idempotent-consumer-lab.ipynb", as_version=4)
    return {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "markdown"}


def test_a_command_s_lines_fit_beside_the_terminal(language: str) -> None:
    """No line is longer than the panel is wide: it is broken at an option or before a value, and goes on after a backslash."""
    blocks = re.findall(r"```bash\n(.*?)\n```", "\n".join(texts(language).values()), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]

    assert [line for line in lines if len(line) > WIDEST] == []
    assert [line for line in lines if line.startswith(" ") and not lines[lines.index(line) - 1].endswith("\\")] == []


def test_what_can_go_wrong_is_a_list(language: str) -> None:
    """Each trouble is an item that begins with what is seen, in bold: a table would leave no room for what to do."""
    _, *blocks = texts(language)["m05-lab-trouble"].split("\n\n")
    items = blocks[0].splitlines()

    assert [item for item in items if not re.match(r"- \*\*.+?\*\* \S.{10}", item)] == []
    assert "|" not in blocks[0]


@pytest.mark.parametrize(
    ("seen", "remedy"),
    [
        ("PurgeQueueInProgress", "60"),
        ("ResourceNotFoundException", "`MAPPING`"),
        ("NonExistentQueue", "`QUEUE_URL`"),
        ("ResourceConflictException", "4"),
        ("Loading widget...", ""),
    ],
)
def test_what_a_terminal_says_is_found_with_what_to_do(language: str, seen: str, remedy: str) -> None:
    """An error's name leads to one item, and the item names what to mend."""
    (item,) = [line for line in texts(language)["m05-lab-trouble"].splitlines() if f"{seen}`" in line]

    assert remedy in item.partition("** ")[2]


def test_who_followed_the_hints_reads_nothing_untrue(language: str) -> None:
    """What depends on how often a job was sent, or on the remarks that were tried, is said under its condition."""
    told = texts(language)
    condition = {"es": r"\b[Ss]i\b", "ja": r"なら|なければ|途中で直した人"}[language]

    lines = [
        next(line for line in told["m05-lab-proof-2"].splitlines() if "put_item" in line),
        next(line for line in told["m05-lab-proof-3"].splitlines() if re.search(r"3(?: y |と)7", line)),
        next(line for line in told["m05-lab-step-3"].splitlines() if "`duplicate`" in line),
    ]
    assert [line for line in lines if not re.search(condition, line)] == []
