"""JupyterLite's pages: one a language, each with its language from the start, and a policy under which it asks nobody else. Pure.

JupyterLite has one page for all; its settings say the language. A page of its own has settings of its own, read after the common
ones. A reader's work is one and the same behind both.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from bs4 import BeautifulSoup, Tag
from markupsafe import escape

from bentocola.messages import translate
from preview.words import LANGUAGE_NAMES

__all__ = ["door", "entrance"]

LOCALES = {"es": "es_ES", "ja": "ja_JP"}
_ROOT = "data-jupyter-lite-root"
_NO_SCRIPT = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval' blob: {hashes}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' blob: data:; font-src 'self' data:; connect-src 'self' blob: data:; worker-src 'self' blob:; "
    "frame-src 'self' blob: data:; media-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""It evaluates code, for it is made to; a widget's module comes from a blob. All the rest is the site's own."""
_ENTRANCE = """\
<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
{refresh}<title>Bentocola · JupyterLab</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{up}/../static/site.css">
<script id="jupyter-config-data" type="application/json" {root}="{up}">{{}}</script>
</head>
<body>
<main>
<h1>Bentocola · JupyterLab</h1>
{links}
</main>
</body>
</html>
"""
_NO_SETTINGS = {
    "cells": [],
    "metadata": {"jupyter-lite": {"jupyter-config-data": {}, "jupyter-lite-schema-version": 0}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
"""JupyterLite asks each of its folders for such a notebook, too."""


def entrance() -> dict[str, bytes]:
    """Return the page that leads to both languages, by its name."""
    links = "\n".join(
        f'<p class="lite" lang="{language}"><a href="{language}/lab/index.html">{escape(name)}</a></p>'
        for language, name in LANGUAGE_NAMES.items()
    )
    page = _ENTRANCE.format(lang="es", policy=_NO_SCRIPT, refresh="", root=_ROOT, up=".", links=links)
    return {"index.html": page.encode(), "jupyter-lite.ipynb": _json(_NO_SETTINGS)}


def door(language: str, lab: bytes, settings: bytes) -> dict[str, bytes]:
    """Return a language's pages and settings, by their names. `lab`, `settings`: JupyterLite's own, of its application."""
    own: dict[str, Any] = json.loads(settings)
    own["jupyter-config-data"] |= {"appUrl": f"/{language}/lab", "settingsUrl": "../../build/schemas"}
    of_language = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "settingsStorageName": f"Bentocola {language}",
            "workspacesStorageName": f"Bentocola {language}",
            "settingsOverrides": {"@jupyterlab/translation-extension:plugin": {"locale": LOCALES[language]}},
        },
    }
    link = f'<p class="lite"><a href="lab/index.html">{escape(LANGUAGE_NAMES[language])}</a></p>'
    refresh = '<meta http-equiv="refresh" content="0; url=lab/index.html">\n'
    through = _ENTRANCE.format(lang=language, policy=_NO_SCRIPT, refresh=refresh, root=_ROOT, up="..", links=link)
    return {
        f"{language}/index.html": through.encode(),
        f"{language}/jupyter-lite.json": _json(of_language),
        f"{language}/jupyter-lite.ipynb": _json(_NO_SETTINGS),
        f"{language}/lab/index.html": _lab(language, lab),
        f"{language}/lab/jupyter-lite.json": _json(own),
        f"{language}/lab/jupyter-lite.ipynb": _json(_NO_SETTINGS),
    }


def _lab(language: str, lab: bytes) -> bytes:
    """Return the application's page in a language, one folder further down."""
    soup = BeautifulSoup(lab, "html.parser")
    _one(soup, "html")["lang"] = language
    _one(soup, "title").string = "Bentocola · JupyterLab"
    _one(soup, "meta[name=Description]")["content"] = translate(language, "The course in JupyterLab, in this page.")
    _one(soup, ".jupyterlite-loading-indicator-text").string = translate(language, "JupyterLab is loading.")
    needs = "JupyterLab needs JavaScript, and it is switched off here."
    _one(soup, "noscript div").string = translate(language, needs)
    _one(soup, "#jupyter-config-data")[_ROOT] = "../.."
    _one(soup, "#jupyter-lite-main")["href"] = f"../{_one(soup, '#jupyter-lite-main')['href']}"
    icon = _one(soup, "link[rel=manifest]")
    icon["rel"], icon["href"] = "icon", "../../static/favicons/favicon.ico"
    hashes = []
    for script in soup.select("script:not([type='application/json'])"):
        code = script.get_text().replace("'../config-utils.js", "'../../config-utils.js")
        script.string = code
        hashes.append(f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'")
    policy = soup.new_tag("meta")
    policy["http-equiv"], policy["content"] = "Content-Security-Policy", _POLICY.format(hashes=" ".join(hashes))
    _one(soup, "meta[charset]").insert_after(policy)
    return str(soup).encode()


def _one(soup: BeautifulSoup, selector: str) -> Tag:
    """Return the one element that JupyterLite's page has of this kind. Raises ValueError for a page of another shape."""
    found = soup.select(selector)
    if len(found) != 1:
        raise ValueError(f"Expected one {selector} in JupyterLite's page; there are {len(found)}.")
    return found[0]


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True).encode()
