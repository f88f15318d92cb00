"""Imports parts of nbgrader without what they bring and we do not use: a server's extensions, JSON schemas, HTTP. For speed.

`nbgrader/__init__.py` imports all that JupyterLab and formgrader need: more than a second. `lean` puts the packages in place
without running their `__init__`; it runs when somebody asks for a name that it binds. Everything works as ever, only later.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from autograder.imports import light

__all__ = ["lean"]

_ARCHIVES = "setuptools.archive_util"
_UNPACKERS = ("unpack_archive", "unpack_tarfile", "unpack_zipfile")


def lean() -> None:
    """Make `import nbgrader.api`, and each other part, cost only what it needs. No effect where nbgrader is imported already."""
    if "nbgrader" in sys.modules:
        return
    for name in ("nbgrader", "nbformat", "requests"):
        if name not in sys.modules:
            _put_in_place(name)
    if _ARCHIVES not in sys.modules:
        _import_utils()


def _put_in_place(name: str) -> None:
    """Make a package importable whose `__init__` has not run yet."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:  # not installed: the import that follows says so
        return
    package = importlib.util.module_from_spec(spec)
    package.__getattr__ = _rest_of(package)  # type: ignore[method-assign]
    sys.modules[name] = package


def _rest_of(package: ModuleType) -> Callable[[str], Any]:
    """Return what is asked for a name that a package does not have yet: it runs the package's `__init__`."""

    def rest(name: str) -> Any:
        if name.startswith("__") and name not in ("__version__", "__all__"):  # Python's import asks for others
            raise AttributeError(name)
        spec = package.__spec__
        if spec is None or spec.loader is None or "__getattr__" not in vars(package):
            raise AttributeError(name)
        del package.__getattr__
        with light():
            spec.loader.exec_module(package)
        return getattr(package, name)

    return rest


def _import_utils() -> None:
    """Import nbgrader.utils without setuptools, of which it takes what unpacks archives: for `nbgrader zip_collect`."""
    stands_in = ModuleType(_ARCHIVES)
    for name in _UNPACKERS:
        setattr(stands_in, name, _later(name))
    above = None if "setuptools" in sys.modules else ModuleType("setuptools")
    sys.modules[_ARCHIVES] = stands_in
    if above is not None:
        sys.modules["setuptools"] = above
    try:
        importlib.import_module("nbgrader.utils")
    finally:
        del sys.modules[_ARCHIVES]
        if above is not None:
            del sys.modules["setuptools"]


def _later(name: str) -> Callable[..., Any]:
    def unpack(*arguments: Any, **named: Any) -> Any:
        return getattr(importlib.import_module(_ARCHIVES), name)(*arguments, **named)

    return unpack
