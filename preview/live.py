"""What a page's live cells need: which of its cells run, what they say, and the files from which the browser starts Python.

The browser's part is in `static/live*.js` and `static/sw.js`, Python's in `browser/page/`.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from bentocola.messages import translate
from bentocola.views.embedded import BUNDLE
from preview.browser import bundle
from preview.browser.compiled import compiled, with_code
from preview.kept import digest_of, kept_bytes
from preview.notebooks import is_students

__all__ = ["Python", "kind", "page_data", "python"]

_ABOUT_JUPYTERLAB = "/00-start-here"
"""The page of the lesson that shows how JupyterLab works."""
_STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Python:
    """The files of a page's Python. `folder`: named after what is in it, so that a browser may keep it for ever."""

    folder: str
    files: dict[str, bytes]

    @property
    def bytes_to_load(self) -> int:
        """How many bytes a page counts while it loads: what comes by import is not seen."""
        return sum(len(content) for name, content in self.files.items() if not name.endswith(".mjs"))


def kind(cell: Any) -> str:
    """Return what a cell of code is to who runs it: "student", "test" or "given"; "" for a cell that does not run."""
    if cell.cell_type != "code" or not cell.source.strip():
        return ""
    if is_students(cell):
        return "student"
    return "test" if cell.metadata.get("nbgrader", {}).get("grade") else "given"


def python(root: Path, packages: Path) -> Python:
    """Return a page's Python, from `build/preview/` where it was made before. Raises npm.NpmError.

    `root`: the repository; `packages`: npm's `node_modules`.
    """
    sources = [
        path for path in sorted((root / "bentocola").rglob("*")) if path.suffix in (".py", ".mo", ".json", ".mjs")
    ]
    tools = sorted(path for path in (root / "preview" / "browser").rglob("*.*") if path.suffix in (".py", ".mjs"))
    locks = [root / "requirements.lock", root / "preview" / "package-lock.json"]
    digest = digest_of([*sources, *tools, *locks])
    archive = kept_bytes(root, "python.zip", digest, lambda: _zipped(_make(root, packages)))
    with zipfile.ZipFile(io.BytesIO(archive)) as found:
        files = {name: found.read(name) for name in found.namelist()}
    return Python(f"python-{digest}", files)


def _make(root: Path, packages: Path) -> dict[str, bytes]:
    wheels = [*bundle.local_cloud(), bundle.course(root), bundle.page()]
    code = compiled(wheels)
    wheels = [replace(wheel, content=with_code(wheel.content, code)) for wheel in wheels]
    files = bundle.pyodide(packages) | {wheel.file_name: wheel.content for wheel in wheels}
    of_python = {path.removeprefix("stdlib/"): one for path, one in code.items() if path.startswith("stdlib/")}
    files["python_stdlib.zip"] = with_code(files["python_stdlib.zip"], of_python)
    return files | {"pyodide-lock.json": bundle.lock(packages, wheels)}


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def site_files(made: Python) -> dict[str, bytes]:
    """Return the site's files that live cells need besides the page's own scripts, by their names."""
    worker = (_STATIC.parent / "worker" / "sw.js").read_text(encoding="utf-8").replace("{{ python }}", made.folder)
    files = {f"{made.folder}/{name}": content for name, content in made.files.items()}
    return files | {"static/views.mjs": BUNDLE.read_bytes(), "sw.js": worker.encode()}


def page_data(language: str, page: str, made: Python, *, is_assignment: bool) -> str:
    """Return what `live.js` reads in a page, as JSON that ends no element. `page`: its name, such as "es/01-upload-to-table"."""
    data = {
        "page": page,
        "python": f"{made.folder}/",
        "bytes": made.bytes_to_load,
        "words": _words(language, is_assignment, page.endswith(_ABOUT_JUPYTERLAB)),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _words(language: str, is_assignment: bool, is_about_jupyterlab: bool) -> dict[str, str | list[str]]:
    say = partial(translate, language)
    if is_assignment:
        intro = [
            say("You can try this assignment in this page. Its tests answer here; nothing is handed in or graded.")
        ]
    else:
        intro = [say("The cells of this page run in your browser. What you write stays there, and nowhere else.")]
    if is_about_jupyterlab:
        intro.append(
            say("This lesson speaks of JupyterLab: its menus, its saving and its restart are not in this page.")
        )
    return {
        "intro": intro,
        "how": say(
            "Run runs a cell, and first those above it that it may need. Edit lets you change it, and so does a double click; "
            "Control and Enter together run it from there. The first time, {total} MB are loaded.",
            total="{total}",
        ),
        "again": say("Start again from nothing"),
        "begun_again": say("What the cells made is gone. The next run begins with the first cell."),
        "done_but_above": say("It ends without an error, but a cell above stopped with one. Go to it."),
        "run": say("Run"),
        "edit": say("Edit"),
        "stop": say("Stop"),
        "reset": say("Back to the original"),
        "add": say("Add a cell"),
        "free_cell": say("Your cell to try things"),
        "code": say("Code of this cell. Control and Enter together run it."),
        "output": say("What the cell prints"),
        "loading": say("Python and the local cloud are coming to this page."),
        "amount": say("{loaded} of {total} MB", loaded="{loaded}", total="{total}"),
        "waiting": say("Waits for the cell that runs."),
        "above": say("First the cells above: {done} of {count}.", done="{done}", count="{count}"),
        "running": say("Running."),
        "done": say("Done."),
        "failed": say("It stopped with an error, which stands below."),
        "failed_above": say("A cell above stopped with an error. Go to it."),
        "stopped": say("Stopped. What the cells made is gone: the next run begins with those above."),
        "was_reset": say("The original code is back."),
        "unloaded": say("Python could not be loaded. Check the connection, and run the cell again."),
        "broke": say("Python itself stopped, perhaps for lack of memory. The next run begins with the cells above."),
        "much": say("(More was printed than is shown here.)"),
        "no_file": say(
            "This page was opened as a file, and code cannot run so. Serve the folder, for example with: python3 -m http.server"
        ),
        "no_wasm": say("This browser has no WebAssembly, so code cannot run here. You can read everything."),
        "no_worker": say("This browser has no workers, so code cannot run here. You can read everything."),
    }
