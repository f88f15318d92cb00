"""Makes JupyterLite from what is installed. It runs in folders of its own, and keeps what came out in `build/preview/`.

It asks nobody: its settings name no other place, and a database of an earlier run, which can bring one back, is never there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from bentocola.messages import LANGUAGES
from preview.lite import doors, kernel
from preview.lite.copies import copies
from preview.live import Python

__all__ = ["LiteError", "files"]

_KEPT = Path("build") / "preview"
_EXTENSIONS = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
_KERNEL = "@jupyterlite/pyodide-kernel-extension"
_OVERRIDES = Path("jupyterlab-settings") / "overrides.json"
"""The course's settings of JupyterLab."""
_WIDGETS = ("@jupyter-widgets/jupyterlab-manager", "anywidget")
_SOURCES = (
    *("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab-widgets", "anywidget"),
    *("jupyterlab-language-pack-es-es", "jupyterlab-language-pack-ja-jp"),
)
_SERVICE_WORKER = "@jupyterlite/application-extension:service-worker-manager"
"""It takes away the site's own, which keeps the pages' Python for the next visit. The course needs none of what it is for."""
_TIME = "1000000000"
"""Every file's time, in seconds since 1970: the same content makes the same bytes."""
_LEFT_OUT = (
    *("doc/", "lab/", "api/workspaces/", "rspack.", "icon-"),
    *(
        "bootstrap.js",
        "build/service-worker.js",
        "manifest.webmanifest",
        "package.json",
        "service-worker.js",
    ),
)
"""JupyterLite's own pages, which those of the languages replace, and what it was built from."""


class LiteError(Exception):
    """JupyterLite could not be made. The message says why."""


def files(root: Path, pages: Python) -> dict[str, bytes]:
    """Return JupyterLite's files by their names in the site; they are made anew only when something of theirs changed.

    `root`: the repository; `pages`: the pages' Python, which JupyterLite's kernel uses, too. Raises LiteError and
    `preview.notebooks.NotebookError`.
    """
    kept = root / _KEPT / f"lite-{_digest(root, pages)}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent, prefix=".lite-") as unfinished:
            whole = Path(unfinished) / kept.name
            for name, content in _made(root, pages).items():
                target = whole / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            for former in kept.parent.glob("lite-*"):
                shutil.rmtree(former, ignore_errors=True)
            whole.rename(kept)
    return {f"lite/{name}": content for name, content in _read(kept)}


def _made(root: Path, pages: Python) -> dict[str, bytes]:
    own = kernel.packages(root, pages, _EXTENSIONS / _KERNEL)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for path, content in copies(root).items():
            target = folder / "files" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        _settings(root, folder, pages)
        _run(folder)
        built = dict(_read(folder / "out"))
    lab, settings = built["lab/index.html"], built["lab/jupyter-lite.json"]
    made = {name: content for name, content in built.items() if not name.startswith(_LEFT_OUT)} | own
    made |= dict(_licences())
    made |= doors.entrance()
    for language in LANGUAGES:
        made |= doors.door(language, lab, settings)
    return made


def _licences() -> Iterator[tuple[str, bytes]]:
    """Yield the licences of the packages that JupyterLite's files come from. A wheel brings its own."""
    for name in _SOURCES:
        for file in distribution(name).files or ():
            if ".dist-info/" in file.as_posix() and "licen" in file.name.lower():
                yield f"licenses/{name}.txt", Path(str(file.locate())).read_bytes()


def _settings(root: Path, folder: Path, pages: Python) -> None:
    """Write what JupyterLite is built with, and what its pages are told."""
    build = {
        "apps": ["lab"],
        "federated_extensions": [str(_EXTENSIONS / name) for name in (*_WIDGETS, _KERNEL)],
        "ignore_sys_prefix": ["federated_extensions"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "lite_dir": str(folder),
        "output_dir": str(folder / "out"),
        "cache_dir": str(folder / "cache"),
    }
    (folder / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": build}), encoding="utf-8")
    overrides: dict[str, Any] = json.loads((root / _OVERRIDES).read_text(encoding="utf-8"))
    # The files' times are those of no machine.
    overrides["@jupyterlab/filebrowser-extension:browser"] = {"showLastModifiedColumn": False}
    python = {
        "pyodideUrl": f"./../{pages.folder}/pyodide.mjs",
        "disablePyPIFallback": True,
        "pipliteUrls": [],
        "loadPyodideOptions": {"lockFileURL": kernel.LOCK, "packages": list(kernel.FIRST)},
    }
    data = {
        "appName": "JupyterLab",
        "appUrl": f"./{LANGUAGES[0]}/lab",
        "disabledExtensions": [_SERVICE_WORKER],
        "faviconUrl": "./static/favicons/favicon.ico",
        "litePluginSettings": {f"{_KERNEL}:kernel": python},
        "settingsOverrides": overrides,
    }
    told = {"jupyter-lite-schema-version": 0, "jupyter-config-data": data}
    (folder / "jupyter-lite.json").write_text(json.dumps(told), encoding="utf-8")


def _run(folder: Path) -> None:
    """Run JupyterLite's build in a folder that nothing else has been built in."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "BENTOCOLA_"))}
    alone = {"JUPYTER_NO_CONFIG": "1", "JUPYTER_CONFIG_DIR": str(folder / "none"), "SOURCE_DATE_EPOCH": _TIME}
    done = subprocess.run(
        [sys.executable, "-m", "jupyterlite_core", "build"],
        cwd=folder,
        env=kept | alone,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise LiteError(f"JupyterLite could not be built:\n{done.stdout[-4000:]}")


def _read(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _digest(root: Path, pages: Python) -> str:
    """Return a digest of all that decides what comes out. The pages' Python, the course's package
    and its catalogues among it, is known by its folder's name."""
    digest = hashlib.sha256(pages.folder.encode())
    sources = [*(root / "lessons").rglob("*"), *(root / "assignments").glob("*/nbgrader_config.py")]
    sources += (root / "assignments").glob("*/source/**/*")
    sources += [root / "requirements.lock", root / _OVERRIDES]
    sources += [path for name in ("preview/lite", "preview/browser") for path in (root / name).rglob("*.py")]
    for path in sorted(sources):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(root).parts):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
