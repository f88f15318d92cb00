"""The views' module and its data inside a page of HTML, so that the page asks nobody for anything.

An ES module that stands in a page cannot be imported by its name, so it stands there as a text, and becomes an address of the
page's own (`blob:`) when it is needed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["BUNDLE", "as_json", "module_text"]

BUNDLE = Path(__file__).with_name("static") / "views.mjs"


def as_json(element_id: str, value: Any) -> str:
    """Return a script element that holds a value. Nothing in it ends the element, or begins another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{element_id}">{text}</script>'


def module_text(element_id: str) -> str:
    """Return the expression, in JavaScript, for the module whose text stands in that element."""
    text = f'JSON.parse(document.getElementById("{element_id}").textContent)'
    return f'await import(URL.createObjectURL(new Blob([{text}],{{type:"text/javascript"}})))'
