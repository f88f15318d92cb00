"""What `autograder doctor` says: which protection this machine gives, tried, what is missing, and which versions run."""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from typing import TYPE_CHECKING

from autograder import protection as level
from autograder.voice import Say, one_line, tell

if TYPE_CHECKING:
    from autograder.jail import Protection

__all__ = ["examine"]

_PACKAGES = ("bentocola", "nbgrader", "ipykernel", "ipython", "moto", "boto3")


def examine(say: Say, found: Protection | None = None) -> str:
    """Return it as lines of text. `found`: what `jail.probe` gave, if it was asked already."""
    from autograder.jail import LAYERS

    if found is None:
        found = level.found()
    lines = [*level.in_words(say, found).splitlines(), ""]
    for name, holds in found.layers.items():
        lines.append(f"{_mark(holds)} {one_line(say(LAYERS[name]))}")
        if not holds and name in found.reasons:
            lines.append(f"    {one_line(tell(say, found.reasons[name]))}")
    lines += [one_line(tell(say, note)) for name, note in found.reasons.items() if name not in found.layers]
    if found.level not in level.ENOUGH:
        lines += ["", *_what_to_do(say).splitlines()]
    return "\n".join([*lines, "", *_versions(say)])


def _mark(holds: bool) -> str:
    marks = ("✓", "✗") if (getattr(sys.stdout, "encoding", "") or "").lower().startswith("utf") else ("+", "-")
    return marks[0] if holds else marks[1]


def _what_to_do(say: Say) -> str:
    if sys.platform == "linux":
        return say("Ask who runs this machine to allow what is missing, or grade on another Linux machine.")
    return say("Grade on a Linux machine, or in a container on this one.")


def _versions(say: Say) -> list[str]:
    """Return lines with the versions of the system, of Landlock, and of what grades."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    landlock = _landlock()
    lines = [
        one_line(say("System: {name}", name=f"{system}, Landlock {landlock}" if landlock else system)),
        f"Python {platform.python_version()}",
    ]
    for name in _PACKAGES:
        try:
            lines.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            lines.append(one_line(say("{name} is not installed.", name=name)))
    return lines


def _landlock() -> int:
    from autograder.jail import landlock

    try:
        return landlock.abi()
    except OSError:
        return 0
