"""The editions, and the declared name pairs: the only strings outside print text that may differ between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Final
from urllib.parse import quote_plus

from bentocola.cloud.names import EDITIONS, Names

__all__ = ["LANGUAGE", "OTHER", "Pairs", "declared_pairs"]

LANGUAGE: Final[Mapping[str, str]] = {"es": "Spanish", "ja": "Japanese"}
OTHER: Final[Mapping[str, str]] = {"es": "ja", "ja": "es"}


class Pairs:
    """Finds declared names in a text, as the whole text or as a delimited part of it.

    A part is delimited where no ASCII letter, digit, `_` or `-` goes on beside it: `lucia` is a part of
    `pedidos/lucia/3.json`, but not of `luciana` or `lucia-2`. Where two names overlap the longer one counts.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Take (Spanish, Japanese) pairs. Raises ValueError when one name has two counterparts."""
        self._partner: dict[str, dict[str, str]] = {"es": {}, "ja": {}}
        for es, ja in pairs:
            for edition, name, partner in (("es", es, ja), ("ja", ja, es)):
                if self._partner[edition].setdefault(name, partner) != partner:
                    known = self._partner[edition][name]
                    raise ValueError(f"The name {name!r} ({edition}) is declared with both {known!r} and {partner!r}.")
        self._pattern = {edition: _pattern(names) for edition, names in self._partner.items()}

    def canonical(self, text: str, edition: str) -> str:
        """Return `text` with each name of `edition` replaced by a mark that is the same in both editions."""
        partner = self._partner[edition]

        def mark(found: re.Match[str]) -> str:
            pair = {edition: found[0], OTHER[edition]: partner[found[0]]}
            return f"⟨{pair['es']}|{pair['ja']}⟩"

        return self._pattern[edition].sub(mark, text)

    def swapped(self, text: str, source: str) -> str:
        """Return `text` with each name of the `source` edition replaced by its counterpart."""
        return self._pattern[source].sub(lambda found: self._partner[source][found[0]], text)


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    choices = (_delimited(name) for name in sorted(names, key=len, reverse=True))
    return re.compile("|".join(choices) or r"(?!)")


def _delimited(name: str) -> str:
    before = r"(?<![A-Za-z0-9_-])" if re.match(r"[A-Za-z0-9]", name) else ""
    after = r"(?![A-Za-z0-9_-])" if re.search(r"[A-Za-z0-9]$", name) else ""
    return before + re.escape(name) + after


@cache
def declared_pairs() -> Pairs:
    """Return the pairs of `bentocola.cloud.names`, each also as it stands URL-encoded in an S3 event.

    The edition's code is no pair: it differs as an argument of the calls that `texts.py` names.
    """
    plain = [pair for pair in _paired(EDITIONS["es"], EDITIONS["ja"]) if pair != ("es", "ja")]
    encoded = [(quote_plus(es, safe="/"), quote_plus(ja, safe="/")) for es, ja in plain if "/" in es]
    return Pairs(plain + [pair for pair in encoded if pair not in plain])


def _paired(es: Names, ja: Names) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for field in fields(Names):
        left, right = getattr(es, field.name), getattr(ja, field.name)
        if isinstance(left, str):
            pairs.append((left, right))
        else:
            pairs.extend(zip(left, right, strict=True))
    return pairs
