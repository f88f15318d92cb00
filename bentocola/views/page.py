"""The plain page that shows a served cloud: for a browser beside the terminal. It asks its own origin, and nobody else."""

from __future__ import annotations

import base64
import hashlib
from html import escape

from bentocola.messages import translate
from bentocola.views.embedded import BUNDLE, as_json, module_text

__all__ = ["page"]

_START = f"""
const options = JSON.parse(document.getElementById("options").textContent);
const views = {module_text("views")};
views.mountAws(document.getElementById("view"), options);
"""


def page(language: str, lab: dict[str, str] | None = None) -> str:
    """Return the page. `lab`: {"name": …, "prefix": …} of the lab whose cloud it is."""
    title = translate(language, "AWS view")
    if lab:
        title = f"{lab['name']} · {title}"
    digest = base64.b64encode(hashlib.sha256(_START.encode()).digest()).decode()
    # What stands in a trace comes from students' code: were it ever read as a script, the page would not run it.
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}' blob:; style-src 'unsafe-inline'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!DOCTYPE html>
<html lang="{escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>body {{ margin: 1rem; }} @media (prefers-color-scheme: dark) {{ body {{ background: #0e1116; }} }}</style>
</head>
<body>
<main id="view"></main>
{as_json("options", {"language": language, "url": "", "lab": lab})}
{as_json("views", BUNDLE.read_text(encoding="utf-8"))}
<script type="module">{_START}</script>
</body>
</html>
"""
