"""Landlock: which files this process, and all that it starts, may still open; no TCP; signals and abstract sockets stay inside.

Needs no privileges. Changes this process only, for good.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable

from . import kernel

__all__ = ["ABI_FOR_SIGNALS", "abi", "restrict"]

ABI_FOR_SIGNALS = 6
"""From this version on, signals to processes outside are refused."""

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION = 1
_NO_LOG = 1
"""Since version 7 each refusal would be written to the machine's log: a student's loop could fill it."""
_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FIRST_13 = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEV, _RESOLVE_UNIX = 1 << 13, 1 << 14, 1 << 15, 1 << 16
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_BIND_TCP, _CONNECT_TCP, _BIND_UDP, _SEND_UDP = 1, 2, 4, 8
_ABSTRACT_SOCKETS, _SIGNALS = 1, 2


def abi() -> int:
    """Return the version of Landlock. Raises OSError where there is none, or where it is switched off."""
    return kernel.syscall(_CREATE, None, 0, _VERSION, what="landlock")


def _handled(version: int) -> tuple[int, int, int]:
    files = _FIRST_13
    for needed, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV), (9, _RESOLVE_UNIX)):
        files |= right if version >= needed else 0
    network = (_BIND_TCP | _CONNECT_TCP if version >= 4 else 0) | (_BIND_UDP | _SEND_UDP if version >= 10 else 0)
    scope = _ABSTRACT_SOCKETS | _SIGNALS if version >= ABI_FOR_SIGNALS else 0
    return files, network, scope


def restrict(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Deny all files but these, and what is below them; return the version. Sets no_new_privs.

    `readable` may be read, listed and run; `writable` everything. A path that is not there, or not open to us, is left out.
    Raises OSError.
    """
    version = abi()
    files, network, scope = _handled(version)
    attributes = struct.pack("QQQ", files, network, scope)[
        : 8 if version < 4 else 16 if version < ABI_FOR_SIGNALS else 24
    ]
    ruleset = kernel.syscall(_CREATE, attributes, len(attributes), 0, what="landlock_create_ruleset")
    try:
        for paths, access in ((readable, _READ), (writable, files)):
            for path in paths:
                _allow(ruleset, path, access & files)
        kernel.no_new_privileges()
        kernel.syscall(_RESTRICT, ruleset, _NO_LOG if version >= 7 else 0, what="landlock_restrict_self")
    finally:
        os.close(ruleset)
    return version


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not os.path.isdir(path):
            access &= _OF_A_FILE
        rule = struct.pack("=Qi", access, descriptor)
        kernel.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0, what=f"landlock_add_rule {path}")
    finally:
        os.close(descriptor)
