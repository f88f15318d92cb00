"""The declared name pairs: where a name is found, and what stands for it in the other edition."""

from __future__ import annotations

import pytest

from tools.parity.names import Pairs, declared_pairs

PAIRS = Pairs([("lucia", "sato"), ("pedidos/", "orders/"), ("pedidos/lucía", "注文/佐藤")])


@pytest.mark.parametrize(
    ("es", "ja"),
    [
        ("lucia", "sato"),
        ("pedidos/lucia/3.json", "orders/sato/3.json"),
        ("pedidos/lucía/3.json", "注文/佐藤/3.json"),
        ("lucia#3 y lucia", "sato#3 y sato"),
        ("luciana lucia-2 lucia_2 mis-pedidos/", "luciana lucia-2 lucia_2 mis-pedidos/"),
    ],
)
def test_names_are_swapped_as_delimited_parts(es: str, ja: str) -> None:
    """A name inside a longer word is no name; of two names in one place the longer one counts."""
    assert PAIRS.swapped(es, "es") == ja
    assert PAIRS.swapped(ja, "ja") == es
    assert PAIRS.canonical(es, "es") == PAIRS.canonical(ja, "ja")


def test_a_name_has_one_counterpart() -> None:
    """Otherwise nobody could say what to put in its place."""
    with pytest.raises(ValueError, match=r"'sato' \(ja\) is declared with both 'lucia' and 'marta'"):
        Pairs([("lucia", "sato"), ("marta", "sato")])


def test_the_course_declares_its_names() -> None:
    """The pairs come from `bentocola.cloud.names`, which also has the edition's code: that one is no pair."""
    assert declared_pairs().swapped("tienda-subidas es pablo", "es") == "bento-uploads es suzuki"
