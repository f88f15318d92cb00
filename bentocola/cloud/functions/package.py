"""Deployment packages: whether Lambda would take one, and unpacking it. Never writes outside of the folder it is given.

Sources: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (250 MB unzipped) and
https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-deployment.html (the words of the refusals).
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from pathlib import Path

__all__ = ["MAX_UNZIPPED_BYTES", "PackageError", "check", "unpack"]

MAX_UNZIPPED_BYTES = 262_144_000
"""250 MB."""

_BAD = "Could not unzip uploaded file. Please check your file, then try to upload again."
_EMPTY = "Uploaded file must be a non-empty zip"
_TOO_LARGE = f"Unzipped size must be smaller than {MAX_UNZIPPED_BYTES} bytes"


class PackageError(ValueError):
    """A package that Lambda refuses. Its text is the message of an InvalidParameterValueException."""


def check(code: bytes) -> None:
    """Raise PackageError unless `code` is a zip that can be unpacked: every entry is read and its checksum compared.

    Paths that lead out of the folder, absolute ones, symbolic links and encrypted entries are refused as well.
    """
    with _opened(code) as package:
        try:
            if package.testzip() is not None:
                raise PackageError(_BAD)
        except _UNREADABLE as error:
            raise PackageError(_BAD) from error


def unpack(code: bytes, folder: Path) -> None:
    """Unpack `code` into the existing `folder`. Raises PackageError as `check` does."""
    with _opened(code) as package:
        try:
            package.extractall(folder)
        except (*_UNREADABLE, OSError) as error:  # OSError: a file and a folder of one name, a name no file can have
            raise PackageError(_BAD) from error


# Broken data, an unknown compression, an encrypted entry, a truncated file, a name that is no text.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError)


def _opened(code: bytes) -> zipfile.ZipFile:
    try:
        package = zipfile.ZipFile(io.BytesIO(code))
    except _UNREADABLE as error:
        raise PackageError(_BAD) from error
    entries = package.infolist()
    if not entries:
        raise PackageError(_EMPTY)
    if not all(map(_stays_inside, entries)):
        raise PackageError(_BAD)
    if sum(entry.file_size for entry in entries) >= MAX_UNZIPPED_BYTES:
        raise PackageError(_TOO_LARGE)
    return package


def _stays_inside(entry: zipfile.ZipInfo) -> bool:
    # zipfile cuts a name at a null byte, and would repair the others: a repaired package is not the one that was uploaded.
    name = entry.orig_filename
    absolute = name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name)
    climbs = ".." in re.split(r"[/\\]", name)
    is_link = stat.S_ISLNK(entry.external_attr >> 16)
    return not (absolute or climbs or is_link or "\0" in name or entry.flag_bits & 1)
