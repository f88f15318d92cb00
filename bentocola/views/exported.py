"""Notebooks as pages of HTML: the views in them are drawn from their saved state, and what a page does not use, it does not load.

nbconvert calls `embed_views` for each notebook that it makes a page of: on the command line, in JupyterLab and in nbgrader,
because the course's settings name it. It reads the notebook and touches nothing else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from bentocola.views.embedded import as_json, module_text

__all__ = ["embed_views"]

_VIEW = "application/vnd.jupyter.widget-view+json"
_STATE = "application/vnd.jupyter.widget-state+json"
_NOTHING = "data:text/javascript,"
"""An address that asks nobody."""

_MATH = re.compile(r"\$[^\s$]|\\[(\[]|\\begin\{")
_CODE = re.compile(r"(?s)```.*?```|~~~.*?~~~|`[^`\n]*`")

_DRAW = """
const state = JSON.parse(document.getElementById("NAME-state").textContent);
const el = document.getElementById("NAME");
const set = (key, value) => { state[key] = value; };
const send = () => { throw new Error("No kernel is behind this page."); };
const model = { get: (key) => state[key], set, send, on() {}, off() {}, save_changes() {} };
const views = VIEWS;
el.replaceChildren();
views.default.render({ model, el });
"""


def embed_views(notebook: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Put a snapshot in place of each of our views, and let the page load only what its other contents need."""
    saved = notebook.metadata.get("widgets", {}).get(_STATE, {}).get("state", {})
    ours = {model: held["state"] for model, held in saved.items() if _is_ours(held)}
    found = [(output, output.get("data", {}).get(_VIEW, {}).get("model_id")) for output in _outputs(notebook)]
    for output, model in found:
        if model in ours:
            del output["data"][_VIEW]
    resources |= _unneeded(notebook)
    modules: set[str] = set()
    for number, (output, model) in enumerate(found, 1):
        if model in ours:
            text = output["data"].get("text/plain", "")
            output["data"] = {"text/html": _snapshot(f"bentocola-{number}", ours[model], text, modules)}
    for model in ours:
        del saved[model]
    if all(model is None or model in ours for _, model in found):
        # Without it, the template asks for no renderer of widgets; the layouts of ours are all that would be left.
        notebook.metadata.pop("widgets", None)
    return notebook, resources


def _is_ours(held: Any) -> bool:
    state = held.get("state", {})
    is_whole = all(isinstance(state.get(name), str) for name in ("_esm", "language"))
    return is_whole and str(state.get("_anywidget_id", "")).startswith("bentocola.views.")


def _outputs(notebook: Any) -> Iterator[Any]:
    for cell in notebook.cells:
        yield from cell.get("outputs", [])


def _snapshot(name: str, state: dict[str, Any], text: str, modules: set[str]) -> str:
    """Return what draws a view from its state. `modules`: those that stand in the page already, by their names."""
    module = f"bentocola-module-{hashlib.sha256(state['_esm'].encode()).hexdigest()[:16]}"
    parts = [f'<div id="{name}" lang="{escape(state["language"])}"><pre>{escape(text)}</pre></div>']
    if module not in modules:
        modules.add(module)
        parts.append(as_json(module, state["_esm"]))
    # What is drawn follows nobody any more.
    shown = {key: value for key, value in state.items() if not key.startswith("_")} | {"connected": False}
    script = _DRAW.replace("NAME", name).replace("VIEWS", module_text(module))
    return "\n".join([*parts, as_json(f"{name}-state", shown), f'<script type="module">{script}</script>'])


def _unneeded(notebook: Any) -> dict[str, str]:
    """Return an address that asks nobody for each script that the page would load without any use for it."""
    written = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    shown = [output.get("data", {}) for output in _outputs(notebook)]
    kinds = {kind for data in shown for kind in data}
    pages = [str(data[kind]) for data in shown for kind in ("text/html", "text/markdown") if kind in data]
    unneeded = {}
    if "text/latex" not in kinds and not any(_MATH.search(_CODE.sub("", text)) for text in [*written, *pages]):
        unneeded["mathjax_url"] = _NOTHING
    if not kinds & {"application/javascript", _VIEW} and not any("require" in text for text in pages):
        unneeded["require_js_url"] = _NOTHING
    if "text/vnd.mermaid" not in kinds and not any("mermaid" in text for text in [*written, *pages]):
        unneeded |= {"mermaid_js_url": _NOTHING, "mermaid_layout_elk_js_url": _NOTHING}
    return unneeded
