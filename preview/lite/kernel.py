"""What JupyterLite's kernel loads: the pages' own packages, and those that a kernel wants besides, named by a lock of its own.

They are cut from what is installed here, as the pages' are. In place of the two that install more from elsewhere stand two that
say that there is no elsewhere.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.utils import canonicalize_name, parse_wheel_filename

from bentocola.messages import both
from preview.browser import bundle
from preview.browser.wheels import Wheel, cut, packed
from preview.live import Python

__all__ = ["FIRST", "LOCK", "packages"]

LOCK = "pyodide-lock.json"
FIRST = (
    *("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"),
    *("ipywidgets", "anywidget", "bentocola"),
)
"""What is loaded while Python starts. The kernel looks for the first seven elsewhere unless they are among these."""

_WANTED = ("comm", "ipython", "jedi", "ipywidgets", "anywidget")
_KERNELS_OWN = {"ipykernel": ("pyodide-kernel",), "pyodide-kernel": ("comm", "ipython"), "widgetsnbextension": ()}
"""What comes with the kernel in the place of packages that need a machine, and which packages it wants."""
_WANTED_LATER = ("anywidget", "hypothesis")
"""What the course imports when it is asked for: a cell's own imports do not name it."""
_NOT_IN_A_PAGE = ("IPython/sphinxext/", "IPython/terminal/tests/", "IPython/testing/plugin/")
_NOT_OF_JEDI = (
    "jedi/third_party/django-stubs/",
    "jedi/third_party/typeshed/stubs/",
    "jedi/third_party/typeshed/tests/",
)

_SENT = "dict(data=data, comm_id=self.comm_id, **keys)"
_NULL = """\
from pyodide.ffi import jsnull


def _with_null(value):
    if isinstance(value, dict):
        return {name: _with_null(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_null(one) for one in value]
    return jsnull if value is None else value


"""
_NO_PIP = """\
async def install(*requirements, **options):
    raise RuntimeError({said!r})
"""
_NO_PIP_IN_A_CELL = """\
async def get_transformed_code(arguments):
    return {cell!r}
"""


def packages(root: Path, pages: Python, extension: Path) -> dict[str, bytes]:
    """Return the lock, and the wheels that only a kernel wants, by their names in JupyterLite's folder.

    `root`: the repository; `pages`: the pages' Python, which stands beside; `extension`: the kernel's, as installed.
    """
    lock: dict[str, Any] = json.loads(pages.files[LOCK])
    known: dict[str, Any] = lock["packages"]
    # Stands for the kernel in a page.
    known.pop("bentocola-page", None)
    wheels = [*_kernels_own(extension), *_without_pip()]
    wheels += _cut({*known, *(wheel.name for wheel in wheels)})
    more: dict[str, Any] = json.loads(bundle.lock(root / "preview" / "node_modules", wheels))["packages"]
    for folder, some in ((f"../{pages.folder}", known), ("packages", more)):
        for one in some.values():
            one["file_name"] = f"{folder}/{one['file_name']}"
    known["bentocola"]["depends"] = sorted({*known["bentocola"]["depends"], *_WANTED_LATER})
    known |= more
    files = {f"packages/{wheel.file_name}": wheel.content for wheel in wheels}
    return files | {LOCK: json.dumps(lock, indent=1, sort_keys=True).encode()}


def _cut(known: set[str]) -> list[Wheel]:
    """Return the wheels of what is wanted and not known yet, and of what these want."""
    found: dict[str, Wheel] = {}
    todo = list(_WANTED)
    while todo:
        name = todo.pop()
        if name not in known and name not in found:
            found[name] = _jedi() if name == "jedi" else cut(name, _is_wanted)
            todo += found[name].wants
    return [found[name] for name in sorted(found)]


def _is_wanted(path: str) -> bool:
    return not path.startswith(_NOT_IN_A_PAGE) and not path.endswith((".js", ".map", ".css"))


def _jedi() -> Wheel:
    """Return the wheel of what completes names: unlike other packages, it reads its descriptions of
    Python's own modules as files."""
    found = distribution("jedi")
    files, licences = {}, {}
    for file in found.files or ():
        path = file.as_posix()
        if path.startswith("jedi/") and path.endswith((".py", ".pyi", ".txt")) and not path.startswith(_NOT_OF_JEDI):
            files[path] = Path(str(found.locate_file(file))).read_bytes()
        elif "licen" in path.lower() and not path.startswith(".."):
            licences[file.name] = Path(str(found.locate_file(file))).read_bytes()
    return packed("jedi", found.version, files, licences, ["parso"])


def _kernels_own(extension: Path) -> Iterator[Wheel]:
    """Yield the newest of each of the wheels that come with the kernel."""
    newest: dict[str, Path] = {}
    for path in sorted(
        (extension / "static" / "pypi").glob("*.whl"), key=lambda one: parse_wheel_filename(one.name)[1]
    ):
        newest[parse_wheel_filename(path.name)[0]] = path
    for name, wants in _KERNELS_OWN.items():
        path = newest[canonicalize_name(name)]
        version = str(parse_wheel_filename(path.name)[1])
        if name == "pyodide-kernel":
            yield _with_null(path, version, wants)
        else:
            yield Wheel(name, version, path.read_bytes(), (name.replace("-", "_"),), wants)


def _with_null(path: Path, version: str, wants: tuple[str, ...]) -> Wheel:
    """Return the kernel's own wheel, with what it leaves out of a widget's messages: None.

    It sends JavaScript's undefined for it, which no message keeps, and a widget's page looks for null. Raises ValueError for a
    kernel of another shape.
    """
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    code = files["pyodide_kernel/comm.py"].decode()
    if code.count(_SENT) != 1:
        raise ValueError(f"Expected {_SENT!r} in the kernel's comm.py: see whether it sends None as null by now.")
    files["pyodide_kernel/comm.py"] = f"{_NULL}{code.replace(_SENT, f'_with_null({_SENT})')}".encode()
    licences = {PurePosixPath(name).name: content for name, content in files.items() if "/licenses/" in name}
    own = {name: content for name, content in files.items() if ".dist-info/" not in name}
    return packed("pyodide-kernel", version, own, licences, wants)


def _without_pip() -> Iterator[Wheel]:
    """Yield what stands for `micropip` and `piplite`: both are there, and say that nothing can be installed."""
    said = both("Nothing can be installed here. What the course needs is there already.")
    install = _NO_PIP.format(said=said).encode()
    in_a_cell = _NO_PIP_IN_A_CELL.format(cell=f"print({said!r})").encode()
    yield packed("micropip", "0", {"micropip/__init__.py": install}, {}, [])
    names = {"__init__": install, "piplite": install, "cli": in_a_cell}
    yield packed("piplite", "0", {f"piplite/{name}.py": content for name, content in names.items()}, {}, [])
