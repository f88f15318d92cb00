"""Stands for `cryptography` where there is no compiled code: moto imports it, and the course's services never use it.

Whatever is imported from it is there; who uses it learns why it cannot be.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

__version__ = "0"
__path__: list[str] = []


class _Missing(ModuleType):
    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _missing(f"{self.__name__}.{name}")


def _missing(name: str) -> type:
    def refuse(self: Any, *arguments: Any, **named: Any) -> None:
        raise NotImplementedError(f"{name} needs compiled code, and a page has none.")

    return type(name.rpartition(".")[2], (), {"__init__": refuse})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find every module below this one."""
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True) if _is_below(fullname) else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Make it."""
        return _Missing(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is to be run."""


def _is_below(name: str) -> bool:
    return name.startswith("cryptography.")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _missing(f"cryptography.{name}")


sys.meta_path.insert(0, _Finder())
