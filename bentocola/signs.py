"""The signs of verdicts, as each language reads them. It touches nothing."""

from __future__ import annotations

__all__ = ["symbol"]

# In Japan a tick means a mistake: there a circle stands for what is right.
_SYMBOLS = {
    "es": {"full": "✓", "part": "◐", "none": "✗", "blank": "–"},
    "ja": {"full": "○", "part": "△", "none": "×", "blank": "–"},
}


def symbol(language: str, verdict: str) -> str:
    """Return the sign of a verdict: "full", "part", "none" or "blank". It stands beside its words, never alone."""
    return _SYMBOLS.get(language, _SYMBOLS["es"])[verdict]
