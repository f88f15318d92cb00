"""Which files and folders of this machine a room may read: the system's programs, this Python, its packages, and of an editable
installation the packages `bentocola` and `autograder` alone. Looks at names only, reads nothing.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["DEVICES", "Layout", "lay_out", "packages", "python_and_system", "with_more", "without_nested"]

_SYSTEM = (
    # Not /usr as a whole: what an administrator puts into /usr/local/etc is none of a room's business.
    *(f"/usr/{name}" for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share", "include")),
    *(f"/usr/local/{name}" for name in ("bin", "sbin", "lib", "lib64", "libexec", "share", "include")),
    *("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/sys/devices/system/cpu"),
    *("/var/cache/fontconfig",),
    *(
        f"/etc/{name}"
        for name in (
            *("alternatives", "ca-certificates", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime"),
            *("mime.types", "nsswitch.conf", "os-release", "pki/tls/certs", "protocols", "services", "ssl/certs"),
            *("ssl/openssl.cnf", "timezone"),
        )
    ),
)
_OF_A_PREFIX = ("bin", "lib", "lib32", "lib64", "libexec", "include", "share", "ssl", "etc/fonts", "pyvenv.cfg")
"""What belongs to Python in its prefix. Somebody may have made the virtual environment in the course's own folder."""
_PACKAGE_FOLDERS = ("site-packages", "dist-packages", "lib-dynload")
_MOST_PATHS = 10_000
_OURS = ("bentocola", "autograder")
DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty"))


def _prefixes() -> set[str]:
    found = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    executable = os.path.realpath(sys.executable)
    found.add(os.path.dirname(os.path.dirname(executable)))
    found |= {os.path.realpath(path) for path in found}
    return found - {"/", "/usr", "/usr/local"}


def packages() -> set[str]:
    """Return the folders of the standard library, of installed packages, and of ours."""
    found = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    found |= {path for path in sys.path if os.path.basename(path) in _PACKAGE_FOLDERS}
    for name in _OURS:
        spec = importlib.util.find_spec(name)
        found |= set(spec.submodule_search_locations or ()) if spec else set()
    return {os.path.abspath(path) for path in found}


def without_nested(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths, sorted, without those that do not exist or lie below another one."""
    kept: list[str] = []
    for path in sorted({os.path.normpath(path) for path in paths}, key=lambda path: Path(path).parts):
        if os.path.lexists(path) and not any(path == above or path.startswith(above + "/") for above in kept):
            kept.append(path)
    return tuple(kept)


@dataclass(frozen=True)
class Layout:
    """What a tree is made of: `mounts`, paths that are no links and do not lie in each other, and `links` with their targets."""

    mounts: tuple[str, ...]
    links: dict[str, str]


@cache
def lay_out(paths: tuple[str, ...]) -> Layout:
    """Return the layout in which each of the paths that exists leads to what it leads to here, through whatever links."""
    links: dict[str, str] = {}
    mounts: set[str] = set()
    waiting = [os.path.normpath(os.path.abspath(path)) for path in paths]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or len(seen) > _MOST_PATHS:  # links in a circle lead nowhere
            continue
        seen.add(path)
        parts = Path(path).parts
        for place in range(2, len(parts) + 1):
            above = os.path.join(*parts[:place])
            if os.path.islink(above):
                if above not in links:
                    links[above] = os.readlink(above)
                target = os.path.join(os.path.dirname(above), links[above], *parts[place:])
                waiting.append(os.path.normpath(target))
                break
        else:
            mounts.add(path)
    kept = without_nested(mounts)
    shown = {path: target for path, target in links.items() if not any(path.startswith(above + "/") for above in kept)}
    return Layout(kept, shown)


@cache
def python_and_system() -> tuple[str, ...]:
    """Return what every room may read, as absolute paths of files, folders and symbolic links."""
    of_python = {os.path.join(prefix, name) for prefix in _prefixes() for name in _OF_A_PREFIX}
    return without_nested({*_SYSTEM, *of_python, *packages()})


def with_more(readable: tuple[str, ...]) -> Layout:
    """Return the layout of what every room may read and of these."""
    base = lay_out(python_and_system())
    if not readable:
        return base
    more = lay_out(readable)
    return Layout(without_nested((*base.mounts, *more.mounts)), base.links | more.links)
